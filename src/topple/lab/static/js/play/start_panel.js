/** What a game that has not begun yet offers: how it is played, and the other games one click away. */

import { formatAddress, lineParams } from "../address.js";
import { clear, h } from "../parts/dom.js";
import { sketch } from "../parts/game_chooser.js";
import { howToPlay } from "../parts/rules.js";
import { findGame, games } from "../state/catalogue.js";
import { fitting, HUMAN, isHuman, usualAgent } from "../state/players.js";
import { setting } from "../state/settings.js";

const FIRST = "chain-reaction"; // soon understood, and soon over
const QUICK = 0.5; // seconds for a move

/**
 * What is played when nothing was chosen: what was played last, or a quick game against an agent.
 * @returns {import("../state/settings.js").GameChoice}
 */
export function usualStart() {
  const last = setting("last");
  if (last && findGame(last.game)) return last;
  const game = findGame(FIRST) || games()[0];
  return { game: game.name, board: game.board, players: [HUMAN, usualAgent(game.has_net, QUICK)], time: "" };
}

export class StartPanel {
  constructor() {
    this.element = h("section", { class: "panel starting", "aria-label": "Before the first move" });
    this.shown = "";
  }

  /** @param {ViewData} view @param {string[]} players @param {string} [time] */
  show(view, players, time) {
    this.element.hidden = view.ply > 0;
    const key = `${view.game} ${players}`;
    if (this.element.hidden || key === this.shown) return;
    this.shown = key;
    const game = findGame(view.game);
    const agent = players.find((player) => !isHuman(player));
    const isUsual = !agent || agent === usualAgent(view.has_net, QUICK);
    const others = games().filter((each) => each !== game);
    clear(
      this.element,
      h("h2", {}, "How to play"),
      howToPlay(view.game).map((text) => h("p", {}, text)),
      h("h2", {}, "Another game"),
      h(
        "div",
        { class: "quick-games" },
        others.map((each) => {
          const hasNet = each.has_net;
          return quickLink(each, isUsual ? usualAgent(hasNet, QUICK) : fitting(agent, { hasNet }), time);
        }),
      ),
    );
  }
}

/** @param {GameData} game @param {string} agent @param {string} [time] */
function quickLink(game, agent, time) {
  const params = lineParams({ game: game.name, board: game.board, moves: [], players: [HUMAN, agent], time });
  return h(
    "a",
    { class: "card quick", href: formatAddress("play", params), title: game.summary },
    sketch(game),
    h("b", {}, game.title),
  );
}
