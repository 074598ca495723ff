/** Beside the board: the players with scores and clocks, the status, what an agent thinks. */

import { emblem } from "../board/pieces.js";
import { looksOf } from "../board/looks.js";
import { button } from "../parts/buttons.js";
import { waitText } from "../jobs.js";
import { clear, h } from "../parts/dom.js";
import { count, signed } from "../parts/table.js";
import { findAgent } from "../state/catalogue.js";
import { clockText, timeText } from "../state/clock.js";
import { playerText } from "../state/players.js";
import { parseSpec } from "../state/spec.js";

const LITTLE = 20000; // milliseconds left from which a clock warns

/**
 * The board, the options that differ from the default, and the time.
 * @param {ViewData} view @param {BoardData} drawn @param {TimeControl | null} [time]
 */
export function aboutText(view, drawn, time = null) {
  const options = Object.entries(parseSpec(view.game).options).map(([name, value]) => `${name} ${value}`);
  const board = view.board.startsWith("kept:") ? drawn.spec : view.board;
  return [board, ...options, time ? timeText(time) : ""].filter(Boolean).join(" · ");
}

/** The players; `clocks` are the elements whose text a ticker keeps up to date. */
export class PlayerCards {
  constructor() {
    this.element = h("div", { class: "player-cards" });
    /** @type {HTMLElement[]} */
    this.clocks = [];
  }

  /**
   * @param {ViewData} view
   * @param {string[]} players
   * @param {{thinking?: number | null, winners?: number[], isTimed?: boolean}} [options]
   */
  show(view, players, { thinking = null, winners = [], isTimed = false } = {}) {
    const looks = looksOf(view.game, view.players);
    this.clocks = view.players.map((name) =>
      h("span", {
        class: isTimed ? "clock set" : "clock",
        role: "timer",
        "aria-label": isTimed ? `Time that ${name} has left` : `Time that ${name} has used`,
      }),
    );
    clear(
      this.element,
      view.players.map((name, seat) => {
        const isOn = seat === view.player && !view.over && !winners.length;
        return h(
          "div",
          { class: `player-card ${isOn ? "to-move" : ""} ${winners.includes(seat) ? "won" : ""}` },
          emblem(seat, looks),
          h(
            "div",
            { class: "who" },
            h("b", {}, name),
            winners.includes(seat) &&
              h("span", { class: "tag good" }, winners.length > 1 ? "shares the win" : "won"),
            h("small", {}, playerText(players[seat]), thinking === seat ? ", thinking" : ""),
          ),
          this.clocks[seat],
          h(
            "dl",
            { class: "tallies" },
            view.tallies.map((tally) =>
              h("div", {}, h("dt", {}, tally.name), h("dd", {}, count(tally.values[seat]))),
            ),
          ),
        );
      }),
    );
  }

  /** @param {Clock | null} clock */
  tick(clock) {
    if (!clock) return;
    this.clocks.forEach((element, seat) => {
      const text = clockText(clock.time ? clock.left(seat) : clock.read(seat));
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("low", Boolean(clock.time) && clock.left(seat) < LITTLE);
    });
  }
}

/** An agent's decision so far, while it thinks. */
export class ThoughtPanel {
  /** @param {PlayGame} game */
  constructor(game) {
    this.words = h("p", { class: "thought", role: "status" });
    this.bar = h("div", { class: "bar waiting" }, h("span"));
    this.now = button("Move now", () => game.hurry(), { kind: "quiet" });
    this.stop = button("Stop", () => game.hold(), { kind: "quiet", symbol: "stop" });
    this.go = button("Let it think", () => game.goOn(), { kind: "main" });
    this.element = h(
      "div",
      { class: "thinking" },
      this.words,
      this.bar,
      h("div", { class: "row" }, this.now, this.stop, this.go),
    );
  }

  /** @param {PlayGame} playing */
  show(playing) {
    const isWaiting =
      playing.isHeld && !playing.isOver && playing.view && !playing.isPersonsTurn && playing.line.isAtEnd;
    this.element.hidden = !playing.isThinking && !isWaiting;
    this.bar.hidden = !playing.isThinking;
    this.now.hidden = this.stop.hidden = !playing.isThinking;
    this.go.hidden = playing.isThinking;
    if (this.element.hidden) return;
    const agent = playing.players[playing.player];
    const job = playing.thinker && playing.thinker.job;
    if (waitText(job)) this.words.textContent = `${agent}: ${waitText(job)}`;
    else if (playing.thought)
      this.words.textContent = `${agent} ${playing.isThinking ? "leans to" : "was stopped at"} ${thoughtText(playing.thought, agent)}`;
    else if (!playing.isThinking) this.words.textContent = `${agent} waits.`;
    else this.words.textContent = `${agent} is thinking …`;
  }
}

/** @param {DecisionData} thought @param {string} agent */
function thoughtText({ text, value, proven, judged, effort }, agent) {
  const isNet = findAgent(agent)?.needs_net; // it plays no games out
  const work = effort.simulations
    ? `${count(effort.simulations)} ${isNet ? "simulations" : "games"}`
    : effort.nodes
      ? `${count(effort.nodes)} positions`
      : "";
  return [text, proven ? `(${proven})` : value !== null && judged ? `(${signed(value)})` : "", work && `after ${work}`]
    .filter(Boolean)
    .join(" ");
}
