/** The kept games: open, analyse, remove. */

import { lineParams, visit } from "../address.js";
import { get, remove } from "../api.js";
import { button, iconButton } from "../parts/buttons.js";
import { ask } from "../parts/dialog.js";
import { clear, h } from "../parts/dom.js";
import { showError } from "../parts/notice.js";
import { openRecord } from "../parts/sharing.js";
import { table } from "../parts/table.js";

/** @param {HTMLElement} main */
export async function openPage(main) {
  const list = h("div", {});
  clear(
    main,
    h(
      "div",
      { class: "prose stack" },
      h(
        "div",
        { class: "row spread" },
        h("h1", {}, "Kept games"),
        button("Open a record file", () => openRecord((line) => visit("analyse", lineParams(line))), {
          symbol: "open",
        }),
      ),
      list,
    ),
  );
  const show = async () => {
    try {
      /** @type {SavedGame[]} */
      const games = await get("/games");
      clear(
        list,
        games.length
          ? gamesTable(games, show)
          : h("p", { class: "empty panel" }, "No game is kept yet. Play one and press Keep."),
      );
    } catch (error) {
      showError(error);
    }
  };
  await show();
  return { close() {} };
}

/** @param {SavedGame} game @param {Page} page */
async function openGame({ id }, page) {
  try {
    visit(page, lineParams({ ...(await get(`/games/${encodeURIComponent(id)}`)), at: undefined }));
  } catch (error) {
    showError(error);
  }
}

/** @param {SavedGame} game @param {() => void} show */
async function removeGame(game, show) {
  if (
    !(await ask("Remove this game?", game.name, [
      ["Keep it", false],
      ["Remove", true, "main"],
    ]))
  )
    return;
  try {
    await remove(`/games/${encodeURIComponent(game.id)}`);
    show();
  } catch (error) {
    showError(error);
  }
}

/** @param {SavedGame[]} games @param {() => void} show */
function gamesTable(games, show) {
  /** @type {Column<SavedGame>[]} */
  const columns = [
    { name: "Name", words: true, value: (game) => game.name },
    { name: "Game", words: true, value: (game) => [game.game, h("small", {}, game.board)] },
    { name: "Players", words: true, value: (game) => game.players.join(" – ") },
    { name: "Result", words: true, value: (game) => game.result_text },
    { name: "Moves", value: (game) => String(game.plies) },
    { name: "Kept", value: (game) => new Date(game.saved).toLocaleDateString() },
    {
      name: h("span", { class: "unseen" }, "Remove"),
      value: (game) =>
        iconButton("bin", `Remove ${game.name}`, (event) => {
          event.stopPropagation();
          removeGame(game, show);
        }),
    },
  ];
  return h(
    "div",
    { class: "panel" },
    table(columns, games, { onOpen: (game) => openGame(game, "analyse"), label: "Kept games" }),
  );
}
