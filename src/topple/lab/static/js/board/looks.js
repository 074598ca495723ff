/** How each game is shown: colours by the players' names, and what is worth showing. No rules. */

import { parseSpec } from "../state/spec.js";

/** @type {Record<string, string>} */
const BY_NAME = { Black: "black", Red: "red", Blue: "blue", Left: "left", Right: "right" };
const BY_SEAT = ["blue", "red", "green", "orange", "sky", "purple", "yellow", "black"];

/**
 * gauge: the ring of segments shows tokens out of `threshold` or out of `degree`; stacks: a count is a pile;
 * sides: opposite sides of the rhombus have the colours of the players who join them; letters: vertices are marked L and R.
 * @type {Record<string, Partial<Looks>>}
 */
const GAMES = {
  "spread-it": { gauge: "threshold" },
  "chain-reaction": { gauge: "degree" },
  infexion: { stacks: true },
  hex: { sides: true },
  influence: { letters: true },
};

/** @param {string} gameSpec @param {string[]} players */
export function looksOf(gameSpec, players) {
  const game = GAMES[parseSpec(gameSpec).name] || {};
  const colours = players.map((name, seat) => BY_NAME[name] || BY_SEAT[seat % BY_SEAT.length]);
  return { gauge: null, stacks: false, sides: false, letters: false, ...game, players, colours };
}

export const PLAIN_LOOKS = looksOf("", []);
