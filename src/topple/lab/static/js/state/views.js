/** Views of positions, kept so that stepping through a game asks the server once for each. */

import { post } from "../api.js";
import { entriesOf } from "./draws.js";

const MOST = 300;
/** @type {Map<string, Promise<ViewData>>} */
const views = new Map();
/** @type {Map<string, Promise<BoardData>>} */
const boards = new Map();

/**
 * The view of the position after the moves, with the steps of the last one. The server draws for moves without draws;
 * the view is kept for the moves with their draws alone, so that the same move can be made again with another one.
 * @param {string} game @param {string} board @param {Move[]} moves
 */
export function viewOf(game, board, moves) {
  const form = { game, moves, steps: true, ...(board ? { board } : {}) }; // without one it is the game's own
  /** @param {(Move | null)[]} told */
  const keyFor = (told) => `${game} ${board} ${told.join(".")}`;
  const key = keyFor(moves);
  return cached(views, key, async () => {
    /** @type {ViewData} */
    const view = await post("/view", form);
    const drawn = view.chance ? keyFor(entriesOf(view).map((entry) => entry.move)) : key;
    if (drawn !== key) {
      views.delete(key);
      views.set(drawn, Promise.resolve(view));
    }
    return view;
  });
}

/**
 * The view of the node that a line shows, and the cells before its last move; null before the first.
 * @param {Line} line
 */
export async function positionOf(line) {
  const node = line.here;
  const moves = line.moves(node);
  const previous = moves.length ? viewOf(line.game, line.board, moves.slice(0, -1)) : null;
  if (previous) previous.catch(() => {}); // the view itself fails, too
  const view = await viewOf(line.game, line.board, moves);
  line.settle(node, entriesOf(view));
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
