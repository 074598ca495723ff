/** How each game is shown: colours by the players' names, and what is worth showing. No rules. */

import { parseSpec } from "../state/spec.js";

/** @type {Record<string, string>} */
const BY_NAME = {
  Black: "black",
  Red: "red",
  Blue: "blue",
  Green: "green",
  Yellow: "yellow",
  Violet: "violet",
  Orange: "orange",
  Teal: "teal",
  Pink: "pink",
  Left: "left",
  Right: "right",
};
const BY_SEAT = ["blue", "red", "green", "orange", "pink", "yellow", "teal", "black"];

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

/** @param {string} gameSpec @param {string[]} players @returns {Looks} */
export function looksOf(gameSpec, players) {
  const { name, options } = parseSpec(gameSpec);
  return {
    gauge: null,
    stacks: false,
    sides: false,
    letters: false,
    ...GAMES[name],
    owns: ["full", "1"].includes(options.loyalty), // who owns a vertex owns it for good
    accept: options.accept === undefined ? null : Number(options.accept),
    drops: options.sinks === "drop",
    players,
    colours: players.map((player, seat) => BY_NAME[player] || BY_SEAT[seat % BY_SEAT.length]),
    // A second sign beside the colour; two are told apart by their shapes.
    signs: players.map((player) => (players.length > 2 ? player[0] : "")),
  };
}

export const PLAIN_LOOKS = looksOf("", []);
