/** What a game that has not begun yet offers: how it is played, and the other games one click away. */

import { formatAddress, lineParams } from "../address.js";
import { clear, h } from "../parts/dom.js";
import { sketch } from "../parts/game_chooser.js";
import { findGame, games } from "../state/catalogue.js";
import { fitting, HUMAN, isHuman, usualAgent } from "../state/players.js";
import { setting } from "../state/settings.js";
import { parseSpec } from "../state/spec.js";

/** @type {Record<string, string[]>} */
const TEXTS = {
  "spread-it": [
    "Put a token of yours on any vertex. The ring around a vertex shows how many tokens it takes; when it is full, it fires: all its tokens turn to the colour that has most of them there, and one goes to each neighbour.",
    "What fires can make its neighbours fire. When all tokens are placed, whoever has more on the board wins; a cascade that never ends is won by the colour that takes it over.",
    "With full loyalty, a vertex that fires belongs to its winner for good, and more vertices win.",
  ],
  "chain-reaction": [
    "Put a piece on an empty square or on one of yours. A square with as many pieces as it has neighbours explodes: one piece goes to each neighbour, and all that lies there turns to your colour.",
    "Explosions set off others. Once everybody has moved, the last colour on the board wins.",
  ],
  infexion: [
    "Click an empty cell to put a stack of power 1 there, or a stack of yours and then one of its six directions to spread it: each of the next cells, as many as its power, gains one and becomes yours.",
    "A stack that grows beyond its bound is gone. The board wraps around. Whoever leaves the other without any power wins.",
  ],
  hex: [
    "Put a stone on any empty cell. Your colour is on two opposite sides of the board: join them by a chain of stones before the other joins theirs. There are no draws.",
  ],
  influence: [
    "Left takes a vertex marked L with all that can be reached from it along the arrows. Right takes one marked R with all that reach it.",
    "Each vertex that is taken is a point. Who cannot move waits; more points win.",
  ],
};

/** What options of Spread-It add to the rules. @type {[RegExp, string][]} */
const MORE = [
  [/[:,]players=[3-8]/, "A vertex fires for the colour that has most tokens there; among equals, for the one that arrived last."],
  [/[:,]accept=0/, "A token that is sent is taken with the probability that the legend shows; else it is lost, or stays where it was."],
  [/[:,]turn=/, "Each player puts down several tokens before the next one moves."],
];

/** @param {string} spec */
export const howToPlay = (spec) => [
  ...(TEXTS[parseSpec(spec).name] || []),
  ...MORE.filter(([pattern]) => pattern.test(spec)).map(([, text]) => text),
];

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
