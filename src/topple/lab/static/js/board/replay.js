/** Replay: plays the steps of a move on a board, and lets a person go through them with a slider. */

import { iconButton } from "../parts/buttons.js";
import { h, newId } from "../parts/dom.js";
import { set, setting } from "../state/settings.js";
import { MoveFrames } from "../state/move_frames.js";

/** @type {[name: string, milliseconds: number][]} for a step */
const SPEEDS = [
  ["No steps", 0],
  ["Slow", 900],
  ["Calm", 500],
  ["Normal", 280],
  ["Quick", 140],
  ["Fast", 60],
];
const LONGEST = 6000; // milliseconds for all steps of a move together
const LEAST = 16;
/** @type {MoveSteps} */
const NO_MOVE = { cells: [], placed: [], steps: [], steps_cut: false, network: 0, network_before: 0 };

export class Replay {
  /** @param {BoardView} board */
  constructor(board) {
    this.board = board;
    this.frames = new MoveFrames(null, NO_MOVE);
    this.timer = 0;
    /** @type {(() => void) | null} */
    this.whenDone = null;
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: 0,
      value: 0,
      "aria-label": "Steps of the last move",
      oninput: () => this.scrub(Number(this.slider.value)),
    });
    this.runner = iconButton("play", "Play the steps again", () =>
      this.timer ? this.pause() : this.again(),
    );
    this.message = h("output", { class: "replay-text" });
    const id = newId("speed");
    const speeds = h(
      "select",
      { id, onchange: () => set("speed", Number(speeds.value)) },
      SPEEDS.map(([name], i) => h("option", { value: i, selected: i === setting("speed") }, name)),
    );
    this.steps = h(
      "div",
      { class: "replay-steps" },
      iconButton("stepBack", "One step back", () => this.scrub(this.at - 1)),
      this.runner,
      iconButton("stepOn", "One step on", () => this.scrub(this.at + 1)),
      this.slider,
    );
    this.element = h(
      "div",
      { class: "replay stepless" }, // until a move has steps
      this.steps,
      this.message,
      h("div", { class: "replay-speed" }, h("label", { for: id }, "Steps"), speeds),
    );
    this.load(null, NO_MOVE);
  }

  get at() {
    return this.frames.at;
  }

  get isAtEnd() {
    return this.at === this.frames.length && !this.isRunning;
  }

  get isRunning() {
    return Boolean(this.timer);
  }

  /**
   * Show a view at once; its steps can be played afterwards.
   * @param {Cell[] | null} before @param {MoveSteps} view
   */
  load(before, view) {
    this.stop();
    this.frames = new MoveFrames(before, view);
    const { length } = this.frames;
    this.slider.max = String(length);
    this.steps.classList.toggle("idle", length < 2);
    if (length > 1) this.element.classList.remove("stepless");
    /** @type {NodeListOf<HTMLButtonElement | HTMLInputElement>} */
    const controls = this.steps.querySelectorAll("button, input");
    for (const control of controls) control.disabled = length < 2;
    this.board.setNetwork(view.network, { isAnimated: true });
    this.board.show(view.cells);
    this.report();
  }

  /**
   * Show a view with the steps that led to it; resolves when all are shown or skipped.
   * @param {Cell[] | null} before @param {MoveSteps} view
   */
  play(before, view) {
    const shown = this.board.network;
    this.load(before, view);
    if (!before || !setting("speed")) return Promise.resolve();
    this.board.setNetwork(shown);
    /** @type {Promise<void>} */
    const done = new Promise((resolve) => {
      this.whenDone = resolve;
    });
    this.board.showSome(this.frames.cells, this.frames.goTo(0));
    this.run();
    return done;
  }

  pace() {
    const base = SPEEDS[setting("speed")][1] || 280;
    return Math.min(base, Math.max(LEAST, LONGEST / this.frames.length));
  }

  run() {
    const next = () => {
      const pace = this.pace();
      this.goTo(this.at + 1, pace);
      if (this.at >= this.frames.length) this.stop();
      else this.timer = setTimeout(next, pace);
      this.report();
    };
    this.timer = -1;
    next();
  }

  again() {
    if (this.frames.length < 2) return;
    if (this.at >= this.frames.length) this.goTo(0, 0);
    this.timer = setTimeout(() => this.run(), 200);
    this.report();
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.report();
  }

  /** Stop where the steps are now, and resolve the promise that `play` returned. */
  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.board.marks.acting.set([]);
    const done = this.whenDone;
    this.whenDone = null;
    if (done) done();
  }

  /** Jump to the end of the steps. */
  finish() {
    this.goTo(this.frames.length, 0);
    this.stop();
    this.report();
  }

  /** @param {number} at */
  scrub(at) {
    this.stop();
    this.goTo(Math.max(0, Math.min(this.frames.length, at)), 0);
    this.report();
  }

  /** @param {number} at @param {number} pace */
  goTo(at, pace) {
    const { frames } = this;
    const frame = at > frames.at ? frames.list[at - 1] : null;
    this.board.showSome(frames.cells, frames.goTo(at));
    this.board.setNetwork(frames.network, { isAnimated: pace > 0 });
    if (frame && frame.vertex !== null) {
      this.board.marks.acting.set([frame.vertex]);
      this.board.flyFrom(frame.vertex, frame.changes, 0.9 * pace);
    } else this.board.marks.acting.set([]);
  }

  report() {
    const { length } = this.frames;
    this.slider.value = String(this.at);
    const frame = this.at ? this.frames.list[this.at - 1] : null;
    this.message.textContent =
      length < 2 ? "" : `${this.at} of ${length}${frame && frame.text ? `: ${frame.text}` : ""}`;
    this.slider.setAttribute("aria-valuetext", this.message.textContent);
    const label = this.isRunning ? "Pause" : "Play the steps again";
    this.runner.setAttribute("aria-label", label);
    this.runner.title = label;
    this.runner.classList.toggle("running", this.isRunning);
  }
}
