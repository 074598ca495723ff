/** What the signs of a network mean: arrows, sinks, probabilities, communities; and when the network changes. */

import { h, s } from "../parts/dom.js";
import { count } from "../parts/table.js";
import { shareText } from "./edges.js";

/** Entries for what is on the board, and no others. @param {BoardView} board @returns {Node[]} */
export function legendOf({ board, edges, looks, spots }) {
  if (!edges || !looks.gauge) return [];
  const entries = [];
  if (board.directed) entries.push(entry(arrow(), "sends tokens this way"));
  if (spots.some(([spot]) => spot.isSink))
    entries.push(entry(sink(), `sink: never fires, ${looks.drops ? "tokens leave the game" : "keeps its tokens"}`));
  if (edges.isUnsure) entries.push(entry(dashed(), sharesText(edges.list.map((edge) => edge.share))));
  if (board.communities.length) entries.push(entry(patch(), "community"));
  return entries;
}

/** @param {number[]} shares */
function sharesText(shares) {
  const [least, most] = [Math.min(...shares), Math.max(...shares)].map(shareText);
  if (least === most) return `takes a token with probability ${least}`;
  return `takes a token with probability ${least} to ${most}`;
}

/**
 * When the network of a board that changes will change next.
 * @param {BoardData} board @param {ViewData} view
 */
export function changeText(board, { game, network, changes_in, over }) {
  if (!board.later.length) return "";
  if (game.includes("foresight=none")) return `Network ${network + 1}.`;
  const which = `Network ${network + 1} of ${board.later.length + 1}.`;
  if (changes_in !== null)
    return `${which} The network changes after ${count(changes_in)} more ${changes_in === 1 ? "token" : "tokens"}.`;
  return over ? which : `${which} It stays as it is.`;
}

/** @param {SVGElement} picture @param {string} words */
const entry = (picture, words) => h("span", { class: "legend-entry" }, picture, words);

/** @param {...SVGElement} parts */
const sample = (...parts) => s("svg", { viewBox: "0 0 36 18", "aria-hidden": "true" }, parts);

const arrow = () =>
  sample(s("path", { class: "sample-line", d: "M2 9H26" }), s("path", { class: "sample-head", d: "M34 9L25 4V14Z" }));
const dashed = () => sample(s("path", { class: "sample-line", d: "M2 9H34", "stroke-dasharray": "7 5" }));
const sink = () =>
  sample(
    s("circle", { class: "sample-vertex", cx: 18, cy: 9, r: 8 }),
    s("circle", { class: "sample-ring", cx: 18, cy: 9, r: 5 }),
  );
const patch = () => sample(s("rect", { class: "sample-patch", x: 4, y: 2, width: 28, height: 14, rx: 6 }));
