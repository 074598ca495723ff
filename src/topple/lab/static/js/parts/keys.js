/** Help: the rules, what the keys do, and what the signs on the board mean. */

import { parseAddress } from "../address.js";
import { findGame, version } from "../state/catalogue.js";
import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { rulesParts } from "./rules.js";

const KEYS = [
  ["Tab", "to the board and to everything else"],
  ["Arrow keys on the board", "from vertex to vertex"],
  ["Enter or space on the board", "play on the vertex, or pick a stack and then where it goes"],
  ["Escape", "let go of what is picked"],
  ["← and →", "through the moves, one by one; [ and ] do the same from the board"],
  ["Home and End", "to the start and to the end of the game"],
  ["+ − 0 on the board", "closer, further away, all of it; the wheel and two fingers do it too"],
  ["Space", "skip the steps of a move"],
  ["?", "this help"],
];

const SIGNS = [
  [
    "A ring of segments",
    "how many tokens a vertex takes before it fires or explodes; filled segments are the tokens there",
  ],
  ["0/3 on a vertex", "no token lies there yet, and three make it fire; its name is below it"],
  ["A green dot or rim", "a move that can be made"],
  ["Yellow", "the last move; a yellow rim is what it changed"],
  ["A pale rim of cells", "a board that wraps: what lies on the other side"],
  ["A green disc", "how much an agent likes the vertex"],
];

/** @param {string[][]} rows */
const list = (rows) =>
  h(
    "dl",
    { class: "help" },
    rows.map(([name, words]) => [h("dt", {}, name), h("dd", {}, words)]),
  );

/** @param {HTMLElement} button */
export function watchHelpKey(button) {
  const open = () => {
    const { game = "" } = parseAddress(location.hash).params; // of the page that is shown
    openDialog("Help", [
      findGame(game) && h("h3", {}, `Rules of ${findGame(game)?.title}`),
      rulesParts(game),
      h("h3", {}, "Keys"),
      list(KEYS),
      h("h3", {}, "Signs on the board"),
      list(SIGNS),
      h("p", { class: "faint" }, `topple ${version()}`),
    ]);
  };
  button.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    if (
      event.key !== "?" ||
      /** @type {Element} */ (event.target).closest("input, select, textarea") ||
      document.querySelector("dialog[open]")
    )
      return;
    event.preventDefault();
    open();
  });
}
