/** BoardPanel: a board with its tools and the steps of its last move. It shows positions and reports what a person does. */

import { icon, iconButton, toggleButton } from "../parts/buttons.js";
import { ask } from "../parts/dialog.js";
import { clear, h } from "../parts/dom.js";
import { say } from "../parts/notice.js";
import { Picking } from "../state/picking.js";
import { set, setting } from "../state/settings.js";
import { boardOf } from "../state/views.js";
import { BoardView } from "./board.js";
import { changeText, legendOf } from "./legend.js";
import { looksOf } from "./looks.js";
import { emblem } from "./pieces.js";
import { Replay } from "./replay.js";

/** @type {Record<string, number>} the keys that go through the line */
const STEPS = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
  ArrowUp: -Infinity,
  ArrowDown: Infinity,
  "[": -1,
  "]": 1,
};

/**
 * Whether a key may scroll something where the focus is: Home and End scroll no button and no link.
 * @param {string} key @param {Element} target
 */
const mayScroll = (key, target) =>
  key.startsWith("ArrowU") || key.startsWith("ArrowD") || (/^(Home|End)$/.test(key) && !target.closest("button, a"));

export class BoardPanel {
  /**
   * @param {object} events
   * @param {(move: LegalMove) => void} events.onPlay called with the legal move that a person made
   * @param {(step: number) => void} events.onWalk called with -Infinity, -1, 1 or Infinity to go through the line
   * @param {(moves: LegalMove[]) => void} events.onOthers called with the legal moves that are made on no vertex
   * @param {() => void} [events.onLaid] called when the board was laid out anew
   */
  constructor({ onPlay, onWalk, onOthers, onLaid = () => {} }) {
    this.onPlay = onPlay;
    this.onWalk = onWalk;
    this.onOthers = onOthers;
    this.frame = h("div", { class: "board-frame waiting" });
    this.tip = h("div", { class: "tip", hidden: true });
    this.result = h("p", { class: "result", hidden: true });
    this.remarkBox = h("p", { class: "remark", role: "status", hidden: true });
    this.board = new BoardView(this.frame, {
      onPick: (vertex) => this.pick(vertex),
      onTip: (vertex, words) => this.showTip(vertex, words),
      onLaid: () => {
        this.markAgain();
        onLaid();
      },
    });
    this.replay = new Replay(this.board);
    this.picking = new Picking();
    this.frame.append(this.tip, this.remarkBox);
    this.walks = h(
      "div",
      { class: "row tight walk", role: "group", "aria-label": "Through the game" },
      iconButton("first", "To the start", () => onWalk(-Infinity)),
      iconButton("back", "One move back", () => onWalk(-1)),
      iconButton("forward", "One move on", () => onWalk(1)),
      iconButton("last", "To the end", () => onWalk(Infinity)),
    );
    this.labelsButton = toggleButton(icon("tag"), "Show names", setting("labels"), (on) => {
      set("labels", on);
      this.board.showLabels(on);
    });
    this.legend = h("div", { class: "legend", hidden: true });
    this.element = h(
      "div",
      { class: "board-panel" },
      this.result,
      this.frame,
      this.legend,
      h("div", { class: "board-foot" }, this.walks, this.tools(), this.replay.element),
    );
    this.n_shown = 0;
    this.shown = "";
    /** @type {ViewData | null} */
    this.view = null;
    /** @type {LegalMove[] | null | undefined} what may be played; undefined while that is not known */
    this.legal = undefined;
    /** @type {number | null} the vertex that the tip is about */
    this.tipped = null;
    this.showLegal(setting("legal"));
    this.board.showLabels(setting("labels"));
    /** @param {KeyboardEvent} event */
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
  }

  tools() {
    const legal = toggleButton(icon("eye"), "Show legal moves", setting("legal"), (on) => {
      set("legal", on);
      this.showLegal(on);
    });
    return h(
      "div",
      { class: "row tight board-tools", role: "group", "aria-label": "View" },
      iconButton("plus", "Zoom in", () => this.board.viewport.zoom(1.5)),
      iconButton("minus", "Zoom out", () => this.board.viewport.zoom(1 / 1.5)),
      iconButton("fit", "Show all of the board", () => this.board.viewport.fit()),
      this.labelsButton,
      legal,
    );
  }

  /**
   * Show a position. Resolves to true once its steps are played, and to false if another one is shown meanwhile.
   * Nothing can be played until `mark` says what.
   * @param {ViewData} view
   * @param {Cell[] | null} before the cells before the last move, if there was one
   * @param {Options} [options]
   */
  async show(view, before, { isAnimated = true } = {}) {
    this.n_shown += 1;
    const n = this.n_shown;
    await this.setBoard(view);
    if (n !== this.n_shown) return false;
    this.view = view;
    this.block();
    this.board.showEnding({ takers: [], chain: [] });
    if (view.steps.length) this.board.marks.legal.set([]); // they would only disturb what is shown now
    this.board.showBorders(view.borders);
    this.markLast();
    if (isAnimated && before) await this.replay.play(before, view);
    else this.replay.load(before, view);
    if (n !== this.n_shown) return false;
    this.showLegend();
    this.board.showEnding(view);
    this.board.marks.changed.set(before ? this.replay.frames.changed() : []);
    this.showTip(this.tipped);
    return true;
  }

  /** @param {ViewData} view */
  async setBoard(view) {
    const key = `${view.game} ${view.board}`;
    if (key === this.shown) return;
    const board = await boardOf(view.board);
    this.shown = key;
    this.frame.classList.remove("waiting");
    this.board.setBoard(board, looksOf(view.game, view.players), view.network_before);
    this.labelsButton.hidden = board.form !== "network";
    this.fitFrame();
  }

  fitFrame() {
    this.showLegal(setting("legal"));
    this.board.showLabels(setting("labels"));
    const { width, height } = this.board.layout.box;
    this.frame.style.setProperty("--shape", String(Math.min(1.6, Math.max(0.55, width / height))));
  }

  /** Draw the marks again, because the board has another layout. */
  markAgain() {
    this.fitFrame();
    if (!this.view) return;
    this.board.showBorders(this.view.borders);
    this.markLast();
    this.board.showEnding(this.view);
    this.board.marks.legal.set(this.picking.vertices);
    this.showPicked();
  }

  markLast() {
    const last = this.view && this.view.moves[this.view.moves.length - 1];
    this.board.marks.last.set(last && last.vertex !== null ? [last.vertex] : []);
  }

  /** Let nothing be played until `mark` is called. The marks stay, since it is not known yet which will change. */
  block() {
    this.legal = undefined;
    this.picking = new Picking([]);
    this.showPicked();
  }

  /**
   * A move was made whose view has not arrived yet: mark its vertex and let nothing else be played.
   * @param {number | null} vertex
   */
  expect(vertex) {
    this.block();
    this.board.marks.last.set(vertex === null ? [] : [vertex]);
  }

  /** Which moves may be made from now on; null for none. @param {LegalMove[] | null} legal */
  mark(legal) {
    if (legal === this.legal) return;
    this.legal = legal;
    this.picking = new Picking(legal || []);
    this.board.marks.legal.set(this.picking.vertices);
    this.showPicked();
    this.onOthers(this.picking.others);
  }

  showPicked() {
    const { picked, targets } = this.picking;
    this.board.marks.picked.set(picked === null ? [] : [picked]);
    this.board.marks.arrows(targets);
  }

  /** @param {number} vertex */
  async pick(vertex) {
    if (!this.replay.isAtEnd) this.replay.finish(); // what is picked is picked on the position itself
    const moves = this.picking.pick(vertex);
    this.showPicked();
    if (this.picking.picked !== null) say(`${this.board.describe(vertex)}. Choose where it goes.`);
    else if (!moves.length) say(`Nothing can be played on ${this.board.board.labels[vertex]}.`);
    if (moves.length === 1) this.onPlay(moves[0]);
    else if (moves.length) {
      const chosen = await ask("Which move?", "", moves.map((move) => [move.text, move]));
      if (chosen) this.onPlay(chosen);
    }
  }

  /** @param {boolean} isOn */
  showLegal(isOn) {
    this.board.svg.classList.toggle("show-legal", isOn);
  }

  /** What the signs on the board mean, and when its network changes. */
  showLegend() {
    const words = this.view ? changeText(this.board.board, this.view) : "";
    const entries = legendOf(this.board);
    this.legend.hidden = !entries.length && !words;
    clear(this.legend, entries, words && h("span", { class: "network-note" }, words));
  }

  /** @param {number | null} vertex @param {string} [words] on what is no vertex */
  showTip(vertex, words = "") {
    this.tipped = vertex;
    this.tip.hidden = vertex === null && !words;
    this.board.showShares(vertex);
    this.board.marks.named.set(vertex === null ? [] : [vertex]);
    if (vertex === null) this.tip.textContent = words;
    else this.tip.textContent = [this.board.describe(vertex), this.board.sends(vertex)].filter(Boolean).join("; ");
  }

  /**
   * Say over the board how the game has ended; an empty text for a game that goes on.
   * @param {string} text @param {number[]} winners
   */
  announce(text, winners) {
    const wasHidden = this.result.hidden;
    this.result.hidden = !text || !this.view;
    if (!this.view || !text) return;
    const looks = looksOf(this.view.game, this.view.players);
    clear(this.result, winners.map((winner) => emblem(winner, looks)), h("b", {}, text));
    if (wasHidden) this.result.scrollIntoView({ block: "nearest" });
  }

  /** Say something of the move that was played and mark a better one; null for nothing. @param {Remark | null} remark */
  remark(remark) {
    this.remarkBox.hidden = !remark;
    this.remarkBox.textContent = remark ? remark.text : "";
    const { mistaken, better } = this.board.marks;
    mistaken.set(remark && remark.played !== null ? [remark.played] : []);
    better.set(remark && remark.better !== null ? [remark.better] : []);
  }

  /** Light the vertex of an entry in a list, null for none. @param {number | null} vertex */
  light(vertex) {
    this.board.marks.lit.set(vertex === null ? [] : [vertex]);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (target.closest && target.closest("input, select, textarea, [role=radiogroup]")) return;
    const isOnBody = target === document.body;
    if (event.key === "Escape" && this.picking.picked !== null) {
      this.picking.drop();
      this.showPicked();
    } else if (event.key === " " && isOnBody && this.replay.isRunning) this.replay.finish();
    else if (event.key in STEPS && (isOnBody || !mayScroll(event.key, target))) this.onWalk(STEPS[event.key]);
    else return;
    event.preventDefault();
  }

  close() {
    this.n_shown += 1;
    this.replay.stop();
    document.removeEventListener("keydown", this.onKey);
    this.board.close();
  }
}
