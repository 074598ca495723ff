/** Views of positions, kept so that stepping through a game asks the server once for each. */

import { post } from "../api.js";

const MOST = 300;
/** @type {Map<string, Promise<ViewData>>} */
const views = new Map();
/** @type {Map<string, Promise<BoardData>>} */
const boards = new Map();

/**
 * The view of the position after the moves, with the steps of the last one.
 * @param {string} game @param {string} board @param {Move[]} moves
 */
export function viewOf(game, board, moves) {
  const form = { game, moves, steps: true, ...(board ? { board } : {}) }; // without one it is the game's own
  return cached(views, `${game} ${board} ${moves.join(".")}`, () => post("/view", form));
}

/**
 * The view of the node that a line shows, and the cells before its last move; null before the first.
 * @param {Line} line
 */
export async function positionOf(line) {
  const moves = line.moves();
  const previous = moves.length ? viewOf(line.game, line.board, moves.slice(0, -1)) : null;
  if (previous) previous.catch(() => {}); // the view itself fails, too
  const view = await viewOf(line.game, line.board, moves);
  return { view, before: previous ? (await previous).cells : null };
}

/**
 * A board by its text, checked for a game where one is given.
 * @param {string} board @param {string} [game]
 */
export function boardOf(board, game) {
  return cached(boards, `${board} ${game || ""}`, () => post("/board", game ? { board, game } : { board }));
}

/**
 * @template T
 * @param {Map<string, Promise<T>>} store
 * @param {string} key
 * @param {() => Promise<T>} request
 */
function cached(store, key, request) {
  const known = store.get(key);
  if (known) {
    store.delete(key); // what was asked for last is dropped last
    store.set(key, known);
    return known;
  }
  const reply = request();
  store.set(key, reply);
  reply.catch(() => store.delete(key));
  const [oldest] = store.keys();
  if (store.size > MOST) store.delete(oldest);
  return reply;
}
