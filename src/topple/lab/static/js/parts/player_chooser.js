/** Choose an agent with its options, or a person. */

import { agents, findAgent } from "../state/catalogue.js";
import { HUMAN, isHuman } from "../state/players.js";
import { formatSpec, parseSpec } from "../state/spec.js";
import { clear, h, newId } from "./dom.js";
import { optionForm } from "./option_form.js";

const TIME = "time"; // the option that most people look for first

/**
 * @param spec who is chosen at first
 * @param withPerson whether a person can be chosen
 * @param players the number of players of the game, which not every agent can play with
 */
export class PlayerChooser {
  /**
   * @param {string} spec
   * @param {{withPerson?: boolean, players?: number, label?: string, onChange?: (spec: string) => void}} [options]
   */
  constructor(spec, { withPerson = true, players = 2, label = "Player", onChange = () => {} } = {}) {
    this.onChange = onChange;
    this.spec = spec;
    const id = newId("agent");
    const fitting = agents().filter((agent) => !agent.most_players || agent.most_players >= players);
    this.select = h(
      "select",
      { id, onchange: () => this.set(defaultSpec(this.select.value)) },
      withPerson && h("option", { value: HUMAN }, "Person"),
      fitting.map((agent) => h("option", { value: agent.name, title: agent.summary }, agent.name)),
    );
    this.summary = h("small", {});
    this.options = h("div", {});
    this.element = h(
      "div",
      { class: "stack" },
      h("div", { class: "field" }, h("label", { for: id }, label), this.select, this.summary),
      this.options,
    );
    const isThere =
      (withPerson && isHuman(spec)) || fitting.some((agent) => agent.name === parseSpec(spec).name);
    this.set(isThere ? spec : withPerson ? HUMAN : defaultSpec(fitting[0].name));
  }

  /** @param {string} spec */
  set(spec) {
    this.spec = spec;
    clear(this.options);
    const agent = isHuman(spec) ? null : findAgent(spec);
    this.select.value = agent ? agent.name : HUMAN;
    this.summary.textContent = agent ? agent.summary : "moves by mouse, touch or keyboard";
    if (agent) this.showOptions(agent);
    this.onChange(this.spec);
  }

  /** @param {AgentData} agent */
  showOptions(agent) {
    let texts = { ...parseSpec(this.spec).options };
    /** @param {string[]} names */
    const take = (names) => (/** @type {Texts} */ changed) => {
      for (const name of names) delete texts[name];
      texts = { ...texts, ...changed };
      this.spec = formatSpec(agent.name, texts);
      this.onChange(this.spec);
    };
    const parts = [
      agent.options.filter((option) => option.name === TIME),
      agent.options.filter((option) => option.name !== TIME),
    ];
    const [first, rest] = parts.map((options) => {
      const names = options.map((option) => option.name);
      const own = Object.fromEntries(Object.entries(texts).filter(([name]) => names.includes(name)));
      return options.length ? optionForm(options, own, { onChange: take(names) }) : null;
    });
    const given = Object.entries(texts)
      .filter(([name]) => name !== TIME)
      .map(([name, value]) => `${name}=${value}`)
      .join(", ");
    if (first) this.options.append(first);
    if (rest)
      this.options.append(
        h(
          "details",
          {},
          h("summary", {}, first ? "More options" : "Options", given && h("small", {}, ` (${given})`)),
          rest,
        ),
      );
  }
}

/**
 * The spec of an agent by its name; one that can think without limit is given a second.
 * @param {string} name
 */
function defaultSpec(name) {
  if (name === HUMAN) return HUMAN;
  const agent = findAgent(name);
  return agent && agent.options.some((option) => option.name === TIME)
    ? formatSpec(name, { [TIME]: 1 })
    : name;
}
