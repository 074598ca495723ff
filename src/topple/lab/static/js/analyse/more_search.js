/** What to do where an agent has searched too little to say anything: more time, or fewer candidates. */

import { button } from "../parts/buttons.js";
import { clear, h } from "../parts/dom.js";
import { count } from "../parts/table.js";
import { findAgent, limits } from "../state/catalogue.js";
import { formatSpec, parseSpec } from "../state/spec.js";

const TIMES = 4; // as much search as before
const LEAST_TIME = 4; // seconds
const EFFORTS = ["iterations", "samples", "playouts"];
const SIFTING = "pruning"; // drops the worst candidates round by round

export class MoreSearch {
  /** @param {(spec: string) => void} onChoose called with the agent that is to search instead */
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.element = h("div", { class: "more-search note", hidden: true });
  }

  /** @param {DecisionData | null} decision @param {string} spec the agent @param {string} game */
  show(decision, spec, game) {
    this.element.hidden = !decision || decision.judged;
    if (!decision || decision.judged) return;
    const n = decision.candidates.length;
    const each = decision.effort.simulations / Math.max(1, n);
    const longer = longerSpec(spec);
    clear(
      this.element,
      h(
        "p",
        {},
        `${count(decision.effort.simulations)} games are about ${each < 10 ? each.toFixed(1) : Math.round(each)} for each candidate: their results are luck so far.`,
      ),
      h(
        "div",
        { class: "row" },
        longer && button(`More search: ${longer}`, () => this.onChoose(longer)),
        parseSpec(spec).name !== SIFTING &&
          findAgent(SIFTING) &&
          button("Fewer candidates, round by round", () => this.onChoose(SIFTING)),
      ),
      parseSpec(game).name === "spread-it" &&
        h("p", {}, "On a network of your own, ", h("code", {}, "topple advise"), " compares a few good moves in many games."),
    );
  }
}

/** The agent with more to search; empty if it may not have more. @param {string} spec */
export function longerSpec(spec) {
  const { name, values, options } = parseSpec(spec);
  const effort = EFFORTS.find((option) => option in options);
  if (effort) return formatSpec(name, { ...options, [effort]: TIMES * Number(options[effort]) }, values);
  if (!findAgent(spec)?.options.some((option) => option.name === "time")) return "";
  const most = limits().seconds || Infinity;
  const time = Number(options.time) || 1;
  return time < most ? formatSpec(name, { ...options, time: Math.min(most, Math.max(LEAST_TIME, TIMES * time)) }, values) : "";
}
