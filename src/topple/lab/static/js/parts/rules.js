/** How the games are played, in words, and the options in force. */

import { findGame } from "../state/catalogue.js";
import { parseSpec } from "../state/spec.js";
import { openDialog } from "./dialog.js";
import { h } from "./dom.js";

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

/** What options add to the rules. @type {[RegExp, string][]} */
const MORE = [
  [/^chain-reaction(?!.*surplus=keep)/, "When a square explodes with more pieces than it has neighbours, those that are left over leave the game (surplus drop)."],
  [/^chain-reaction.*surplus=keep/, "When a square explodes with more pieces than it has neighbours, those that are left over stay on it (surplus keep)."],
  [/[:,]players=[3-8]/, "A vertex fires for the colour that has most tokens there; among equals, for the one that arrived last."],
  [/[:,]accept=0/, "A token that is sent is taken with the probability that the legend shows; else it is lost, or stays where it was."],
  [/[:,]turn=/, "Each player puts down several tokens before the next one moves."],
];

/** @param {string} spec */
export const howToPlay = (spec) => [
  ...(TEXTS[parseSpec(spec).name] || []),
  ...MORE.filter(([pattern]) => pattern.test(spec)).map(([, text]) => text),
];

/** The rules of a game with its options. @param {string} spec @returns {Child[]} */
export function rulesParts(spec) {
  const game = findGame(spec);
  if (!game) return [];
  const given = parseSpec(spec).options;
  return [
    howToPlay(spec).map((text) => h("p", {}, text)),
    game.options.length ? h("h3", {}, "Options in force") : null,
    game.options.length
      ? h(
          "dl",
          { class: "help" },
          game.options.map(({ name, default: usual, meaning }) => {
            const value = given[name] ?? usual;
            return [h("dt", {}, `${name}: ${value === null ? "by default" : value}`), h("dd", {}, meaning)];
          }),
        )
      : null,
  ];
}

/** @param {string} spec */
export function openRules(spec) {
  openDialog(`Rules of ${findGame(spec)?.title ?? spec}`, rulesParts(spec));
}
