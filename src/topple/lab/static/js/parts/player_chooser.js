/** Choose an agent with its options, or a person. */

import { agents, findAgent } from "../state/catalogue.js";
import { fits, fitting, HUMAN, isHuman, usualAgent } from "../state/players.js";
import { formatSpec, parseSpec } from "../state/spec.js";
import { clear, h, newId } from "./dom.js";
import { optionForm } from "./option_form.js";

const TIME = "time"; // the option that most people look for first

/**
 * @param spec who is chosen at first
 * @param withPerson whether a person can be chosen
 * @param onChange called with who is shown, and whether a person has chosen so
 */
export class PlayerChooser {
  /**
   * @param {string} spec
   * @param {{withPerson?: boolean, label?: string, onChange?: (spec: string, isChosen: boolean) => void}} [options]
   */
  constructor(spec, { withPerson = true, label = "Player", onChange = () => {} } = {}) {
    this.onChange = onChange;
    this.withPerson = withPerson;
    this.wanted = spec; // who was chosen, which need not fit the game
    this.spec = spec;
    const id = newId("agent");
    this.select = h("select", { id, onchange: () => this.choose(defaultSpec(this.select.value)) });
    this.summary = h("small", {});
    this.options = h("div", {});
    this.element = h(
      "div",
      { class: "stack" },
      h("div", { class: "field" }, h("label", { for: id }, label), this.select, this.summary),
      this.options,
    );
    this.offer({});
  }

  /**
   * Offer those who can play a game, the usual agent first. Whoever was chosen stays, if that is one of them.
   * @param {{players?: number, hasNet?: boolean}} game
   */
  offer(game) {
    const usual = parseSpec(usualAgent(game.hasNet ?? false, 1)).name;
    const offered = agents()
      .filter((agent) => fits(agent, game))
      .sort((a, b) => Number(b.name === usual) - Number(a.name === usual));
    clear(
      this.select,
      this.withPerson && h("option", { value: HUMAN }, "Person"),
      offered.map((agent) => h("option", { value: agent.name, title: agent.summary }, agent.name)),
    );
    const isNobody = !this.withPerson && isHuman(this.wanted);
    this.show(isNobody ? defaultSpec(offered[0].name) : fitting(this.wanted, game));
  }

  /** A person chooses. @param {string} spec */
  choose(spec) {
    this.wanted = spec;
    this.show(spec, true);
  }

  /** @param {string} spec @param {boolean} [isChosen] */
  show(spec, isChosen = false) {
    this.spec = spec;
    clear(this.options);
    const agent = isHuman(spec) ? null : findAgent(spec);
    this.select.value = agent ? agent.name : HUMAN;
    this.summary.textContent = agent ? agent.summary : "moves by mouse, touch or keyboard";
    if (agent) this.showOptions(agent);
    this.onChange(this.spec, isChosen);
  }

  /** @param {AgentData} agent */
  showOptions(agent) {
    let texts = { ...parseSpec(this.spec).options };
    /** @param {string[]} names */
    const take = (names) => (/** @type {Texts} */ changed) => {
      for (const name of names) delete texts[name];
      texts = { ...texts, ...changed };
      this.wanted = this.spec = formatSpec(agent.name, texts);
      this.onChange(this.spec, true);
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
