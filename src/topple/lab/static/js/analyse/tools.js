/** What can be done to a line that is analysed: branches, files, another board. */

import { lineParams, visit } from "../address.js";
import { button, toggleButton } from "../parts/buttons.js";
import { openDialog } from "../parts/dialog.js";
import { h } from "../parts/dom.js";
import { copyAddress, keepGame, openRecord, saveFile } from "../parts/sharing.js";
import { Setup } from "../play/setup.js";
import { set, setting } from "../state/settings.js";

/**
 * Buttons for how the position is shown, and for another board.
 * @param {AnalysePage} page
 */
export function positionTools(page) {
  /** @param {boolean} on */
  const setHeat = (on) => {
    set("heat", on);
    page.showHeat();
  };
  /** @param {string} text @param {string} label @param {"heat" | "hasSecond"} name @param {(on: boolean) => void} change */
  const toggle = (text, label, name, change) =>
    toggleButton(text, label, setting(name), change, { kind: "button" });
  return [
    toggle("Heat map", "Show the heat map", "heat", setHeat),
    toggle("Two agents", "Ask two agents side by side", "hasSecond", (on) => page.setSecond(on)),
    button("New board", () => openSetup(page), { symbol: "plus" }),
  ];
}

/** @param {AnalysePage} page */
export function branchTools(page) {
  const promote = () => {
    page.line.promote(page.line.here);
    page.showNotes();
  };
  const cut = () => {
    page.line.cut(page.line.here);
    page.show({ isAnimated: false });
  };
  return h(
    "div",
    { class: "row tight" },
    button("Make main line", promote, { kind: "quiet" }),
    button("Delete from here", cut, { kind: "quiet", symbol: "bin" }),
  );
}

/** @param {AnalysePage} page */
export function shareTools(page) {
  const open = () => openRecord((line) => visit("analyse", lineParams(line)));
  return h(
    "div",
    { class: "row tight shares" },
    button("Copy address", () => copyAddress("analyse", page.whole()), { kind: "quiet", symbol: "copy" }),
    button("Open file", open, { kind: "quiet", symbol: "open" }),
    button("Save file", () => saveFile(page.whole()), { kind: "quiet", symbol: "save" }),
    button("Keep", () => keepGame(page.whole()), { kind: "quiet", symbol: "star" }),
  );
}

/**
 * Analyse another game, or the same on another board.
 * @param {AnalysePage} page
 */
function openSetup(page) {
  const setup = new Setup({ game: page.line.game, board: page.line.board }, ({ game, board }) => {
    dialog.close();
    visit("analyse", lineParams({ game, board, moves: [] }));
  });
  setup.start.textContent = "Analyse";
  setup.players.hidden = true; // nobody plays here
  const dialog = openDialog("Another game or board", setup.element, { foot: [setup.start] });
}
