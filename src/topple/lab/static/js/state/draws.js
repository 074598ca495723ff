/**
 * Draws: in a game with chance the text of a move that was made has its draw behind a tilde, as `ann~7f3a01c2`. With
 * it the server replays the same game. The page keeps these texts in its lines and shows the moves without draws.
 */

const DRAW = /~([0-9a-f]{1,8})$/;

/**
 * The moves of a view as entries of a line.
 * @param {ViewData} view
 * @returns {LineEntry[]}
 */
export const entriesOf = ({ chance, moves }) => moves.map((made) => entryOf(made, chance));

/** @param {PlayedMove} made @param {boolean} chance @returns {LineEntry} */
function entryOf({ move, text, vertex, player }, chance) {
  if (!chance) return { move, number: move, text, vertex, player, draw: "" };
  const [, draw = ""] = DRAW.exec(text) || [];
  return { move: text, number: move, text: text.replace(DRAW, ""), vertex, player, draw };
}

/**
 * The last move of a view in words, without its draw; empty at the start.
 * @param {ViewData} view
 */
export function lastText({ chance, moves }) {
  const last = moves[moves.length - 1];
  return last ? entryOf(last, chance).text : "";
}
