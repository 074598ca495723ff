/** The key to the heat map: what its colour means, and a switch to a network's prior where there is one. */

import { h, newId } from "../parts/dom.js";
import { say } from "../parts/notice.js";
import { percent } from "../parts/table.js";
import { set, setting } from "../state/settings.js";

const TOLD = 3; // vertices that a screen reader is told of

/** @typedef {Map<number, number>} Priors how likely a network finds a move on each vertex */

/**
 * Whether the heat map shows the prior: it is chosen, and there is one.
 * @param {Priors | null} priors
 * @returns {priors is Priors}
 */
export const isPriorShown = (priors) => priors !== null && setting("heatOf") === "prior";

/**
 * Strengths from 0 to 1: the likeliest vertex has 1.
 * @param {Priors} priors
 */
export function relative(priors) {
  const most = Math.max(...priors.values());
  const shown = [...priors].filter(([, prior]) => prior > 0.03 * most);
  return new Map(shown.map(([vertex, prior]) => [vertex, prior / most]));
}

export class HeatKey {
  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {Priors | null} */
    this.priors = null;
    /** @type {string[]} */
    this.labels = [];
    const name = newId("heat");
    /** @param {HeatKind} kind @param {string} words */
    const choice = (kind, words) => {
      const input = h("input", { type: "radio", name, checked: setting("heatOf") === kind, onchange: () => this.choose(kind) });
      return h("label", {}, input, words);
    };
    this.choices = h(
      "fieldset",
      { class: "heat-choices" },
      h("legend", { class: "unseen" }, "What the heat map shows"),
      choice("value", "value"),
      choice("prior", "prior"),
    );
    this.scale = h("span", { class: "heat-scale", "aria-hidden": "true" });
    this.least = h("span", {});
    this.most = h("span", {});
    this.element = h(
      "div",
      { class: "legend heat-key", hidden: true },
      this.choices,
      h("span", { class: "legend-entry" }, this.least, this.scale, this.most),
    );
  }

  /** @param {HeatKind} kind */
  choose(kind) {
    set("heatOf", kind);
    this.onChange();
    say(this.words());
  }

  /**
   * @param {boolean} isOn whether there is heat on the board
   * @param {Priors | null} priors
   * @param {string[]} labels of the vertices
   */
  show(isOn, priors, labels) {
    this.priors = priors;
    this.labels = labels;
    this.element.hidden = !isOn;
    this.choices.hidden = priors === null;
    const isPrior = isPriorShown(priors);
    this.scale.classList.toggle("prior", isPrior);
    this.least.textContent = isPrior ? "prior: 0%" : "value: less";
    this.most.textContent = isPrior ? percent(Math.max(...priors.values())) : "best";
  }

  /** What the heat map shows, for those who do not see it. */
  words() {
    if (!isPriorShown(this.priors)) return "The heat map shows the value.";
    const first = [...this.priors].sort(([, a], [, b]) => b - a).slice(0, TOLD);
    const told = first.map(([vertex, prior]) => `${this.labels[vertex]} ${percent(prior)}`);
    return `The heat map shows the prior: ${told.join(", ")}.`;
  }
}
