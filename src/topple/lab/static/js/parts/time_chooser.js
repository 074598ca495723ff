/** Choose a time for each side: none, a common one, or another. */

import { formatTime, parseTime, timeText } from "../state/clock.js";
import { h, newId } from "./dom.js";

const USUAL = ["60+1", "180+2", "300+3", "600+5", "1800+20"];
const OWN = "own";
const [MOST_MINUTES, MOST_INCREMENT] = [600, 180];

export class TimeChooser {
  constructor(given = "") {
    const id = newId("time");
    const [minutes, seconds] = [newId("minutes"), newId("increment")];
    const time = parseTime(given) || { base: 300000, increment: 3000 };
    this.select = h(
      "select",
      { id, onchange: () => this.show() },
      h("option", { value: "" }, "no limit"),
      USUAL.map((text) => h("option", { value: text }, timeText(parseTime(text) || time))),
      h("option", { value: OWN }, "another time …"),
    );
    this.minutes = number(minutes, time.base / 60000, { min: 0.5, max: MOST_MINUTES, step: 0.5 });
    this.increment = number(seconds, time.increment / 1000, { min: 0, max: MOST_INCREMENT, step: 1 });
    this.own = h(
      "div",
      { class: "fields" },
      h("div", { class: "field" }, h("label", { for: minutes }, "Minutes for each side"), this.minutes),
      h("div", { class: "field" }, h("label", { for: seconds }, "Seconds for each move"), this.increment),
    );
    this.element = h(
      "div",
      { class: "stack" },
      h(
        "div",
        { class: "field time-field" },
        h("label", { for: id }, "Time for each side"),
        this.select,
        h("small", {}, "A person whose time runs out has lost; an agent gets a share of it for each move."),
      ),
      this.own,
    );
    const isUsual = !given || USUAL.includes(given);
    this.select.value = isUsual ? given : OWN;
    this.show();
  }

  show() {
    this.own.hidden = this.select.value !== OWN;
  }

  /** The chosen time as text, empty for none. */
  get value() {
    if (this.select.value !== OWN) return this.select.value;
    /** @param {HTMLInputElement} input @param {number} most */
    const within = (input, most) => Math.min(most, Math.max(0, Number(input.value) || 0));
    return formatTime({
      base: 1000 * Math.max(1, Math.round(60 * within(this.minutes, MOST_MINUTES))),
      increment: 1000 * Math.round(within(this.increment, MOST_INCREMENT)),
    });
  }
}

/** @param {string} id @param {number} value @param {Attributes} bounds */
const number = (id, value, bounds) =>
  h("input", { id, type: "number", value, inputmode: "decimal", ...bounds });
