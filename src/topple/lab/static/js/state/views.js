/** Views of positions, kept so that stepping through a game asks the server once for each. */

import { post } from "../api.js";

const MOST = 300;
const views = new Map();
const boards = new Map();

const keyOf = (game, board, moves) => `${game} ${board} ${moves.join(".")}`;

/** The view of the position after the moves, with the steps of the last one. */
export function viewOf(game, board, moves) {
  const asked = { game, moves, steps: true, ...(board ? { board } : {}) }; // without one it is the game's own
  return kept(views, keyOf(game, board, moves), () => post("/view", asked));
}

/** A board by its text, checked for a game where one is given. */
export function boardOf(board, game) {
  return kept(boards, `${board} ${game || ""}`, () => post("/board", game ? { board, game } : { board }));
}

function kept(store, key, ask) {
  const known = store.get(key);
  if (known) {
    store.delete(key); // what was asked for last is dropped last
    store.set(key, known);
    return known;
  }
  const asked = ask();
  store.set(key, asked);
  asked.catch(() => store.delete(key));
  if (store.size > MOST) store.delete(store.keys().next().value);
  return asked;
}
