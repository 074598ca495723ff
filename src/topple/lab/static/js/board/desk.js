/** Desk: a board with its tools, its steps and its way through a line of play. Play and Analyse share it. */

import { iconButton, toggleButton } from "../parts/buttons.js";
import { ask } from "../parts/dialog.js";
import { h } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { say } from "../parts/notice.js";
import { Picking } from "../state/picking.js";
import { set, setting } from "../state/settings.js";
import { boardOf, viewOf } from "../state/views.js";
import { BoardView } from "./board.js";
import { looksOf } from "./looks.js";
import { Replay } from "./replay.js";

export class Desk {
  /**
   * @param onPlay called with the legal move that a person made
   * @param onWalk called with -Infinity, -1, 1 or Infinity to go through the line
   */
  constructor({ onPlay, onWalk }) {
    this.onPlay = onPlay;
    this.frame = h("div", { class: "board-frame waiting" });
    this.tip = h("div", { class: "tip", hidden: true });
    this.board = new BoardView(this.frame, {
      onPick: (vertex) => this.pick(vertex),
      onTip: (vertex) => this.showTip(vertex),
    });
    this.replay = new Replay(this.board);
    this.picking = new Picking();
    this.frame.append(this.tip);
    this.walks = h(
      "div",
      { class: "row tight walk", role: "group", "aria-label": "Through the game" },
      iconButton("first", "To the start", () => onWalk(-Infinity)),
      iconButton("back", "One move back", () => onWalk(-1)),
      iconButton("forward", "One move on", () => onWalk(1)),
      iconButton("last", "To the end", () => onWalk(Infinity)),
    );
    this.element = h(
      "div",
      { class: "desk" },
      this.frame,
      h("div", { class: "desk-foot" }, this.walks, this.tools(), this.replay.element),
    );
    this.asked = 0;
    this.shown = "";
    this.view = null;
    this.tipped = null; // the vertex that the tip is about
    this.showLegal(setting("legal"));
    this.board.showLabels(setting("labels"));
    this.board.onLaid = () => this.laid();
    this.onKey = (event) => this.key(event, onWalk);
    document.addEventListener("keydown", this.onKey);
  }

  tools() {
    const labels = toggleButton(icon("tag"), "Show labels", setting("labels"), (on) => {
      set("labels", on);
      this.board.showLabels(on);
    });
    const legal = toggleButton(icon("eye"), "Show legal moves", setting("legal"), (on) => {
      set("legal", on);
      this.showLegal(on);
    });
    this.labelsButton = labels;
    return h(
      "div",
      { class: "row tight board-tools", role: "group", "aria-label": "View" },
      iconButton("plus", "Zoom in", () => this.board.viewport.zoom(1.5)),
      iconButton("minus", "Zoom out", () => this.board.viewport.zoom(1 / 1.5)),
      iconButton("fit", "Show all of the board", () => this.board.viewport.fit()),
      labels,
      legal,
    );
  }

  /**
   * Show the place where a line stands. Resolves to its view once the steps are played, or to null
   * when something else has been asked for meanwhile.
   */
  async show(line, { isAnimated = true, mayPlay = true } = {}) {
    this.asked += 1;
    const { asked } = this;
    const moves = line.moves();
    const previous = moves.length ? viewOf(line.game, line.board, moves.slice(0, -1)) : null;
    if (previous) previous.catch(() => {});
    const view = await viewOf(line.game, line.board, moves);
    const before = previous ? await previous : null;
    await this.setBoard(view);
    if (asked !== this.asked) return null;
    this.view = view;
    this.block();
    if (view.steps.length) this.board.marks.legal.set([]); // they would only disturb what is shown now
    this.board.showBorders(view.borders);
    const last = view.moves[view.moves.length - 1];
    const lastVertex = last && last.vertex !== null ? [last.vertex] : [];
    this.board.marks.last.set(lastVertex);
    if (isAnimated && before) await this.replay.play(before.cells, view);
    else this.replay.load(before ? before.cells : null, view);
    if (asked !== this.asked) return null;
    this.board.marks.changed.set(before ? this.replay.unrolled.changed() : []);
    this.mark(mayPlay && !view.over ? view.legal : null);
    this.showTip(this.tipped);
    return view;
  }

  async setBoard(view) {
    const key = `${view.game} ${view.board}`;
    if (key === this.shown) return;
    const board = await boardOf(view.board);
    this.shown = key;
    this.frame.classList.remove("waiting");
    this.board.setBoard(board, looksOf(view.game, view.players));
    this.labelsButton.hidden = board.form !== "network";
    this.fitFrame();
  }

  fitFrame() {
    this.showLegal(setting("legal"));
    this.board.showLabels(setting("labels"));
    const { width, height } = this.board.lay.box;
    this.frame.style.setProperty("--shape", String(Math.min(1.6, Math.max(0.55, width / height))));
  }

  /** The board was laid out anew: what is marked on it is marked again. */
  laid() {
    this.fitFrame();
    if (!this.view) return;
    const last = this.view.moves[this.view.moves.length - 1];
    this.board.showBorders(this.view.borders);
    this.board.marks.last.set(last && last.vertex !== null ? [last.vertex] : []);
    this.board.marks.legal.set(this.picking.vertices);
    this.showPicked();
    if (this.onLaid) this.onLaid();
  }

  /** Let nothing be played for now; the marks stay until it is known what changes. */
  block() {
    this.picking = new Picking([]);
    this.showPicked();
  }

  /** Which moves may be made from now on; null for none. */
  mark(legal) {
    this.picking = new Picking(legal || []);
    this.board.marks.legal.set(this.picking.vertices);
    this.showPicked();
    if (this.onOthers) this.onOthers(this.picking.others);
  }

  showPicked() {
    const { picked, targets } = this.picking;
    this.board.marks.picked.set(picked === null ? [] : [picked]);
    this.board.marks.arrows(targets.map((move) => [move.vertex, move.to]));
  }

  async pick(vertex) {
    if (!this.replay.isAtEnd) this.replay.finish(); // what is picked is picked on the position itself
    const answer = this.picking.pick(vertex);
    this.showPicked();
    if (answer.picked) say(`${this.board.describe(vertex)}. Choose where it goes.`);
    else if (!answer.play && !answer.choose)
      say(`Nothing can be played on ${this.board.board.labels[vertex]}.`);
    if (answer.play) this.onPlay(answer.play);
    if (answer.choose) {
      const chosen = await ask(
        "Which move?",
        "",
        answer.choose.map((move) => [move.text, move]),
      );
      if (chosen) this.onPlay(chosen);
    }
  }

  showLegal(isOn) {
    this.board.svg.classList.toggle("show-legal", isOn);
  }

  showTip(vertex) {
    this.tipped = vertex;
    this.tip.hidden = vertex === null;
    if (vertex !== null) this.tip.textContent = this.board.describe(vertex);
  }

  key(event, onWalk) {
    const { target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (target.closest && target.closest("input, select, textarea, [role=radiogroup]")) return;
    const steps = {
      ArrowLeft: -1,
      ArrowRight: 1,
      Home: -Infinity,
      End: Infinity,
      ArrowUp: -Infinity,
      ArrowDown: Infinity,
      "[": -1,
      "]": 1,
    };
    if (event.key === "Escape" && this.picking.picked !== null) {
      this.picking.drop();
      this.showPicked();
    } else if (event.key === " " && target === document.body && this.replay.isRunning) this.replay.finish();
    else if (
      event.key in steps &&
      !(event.key.length > 1 && /^Arrow[UD]|Home|End/.test(event.key) && target !== document.body)
    )
      onWalk(steps[event.key]);
    else return;
    event.preventDefault();
  }

  close() {
    this.asked += 1;
    this.replay.stop();
    document.removeEventListener("keydown", this.onKey);
    this.board.close();
  }
}
