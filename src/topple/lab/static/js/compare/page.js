/** The page to compare agents on: stores of games, and setting up a tournament. */

import { visit } from "../address.js";
import { get, post } from "../api.js";
import { button } from "../parts/buttons.js";
import { openDialog } from "../parts/dialog.js";
import { clear, h } from "../parts/dom.js";
import { errorText, showError } from "../parts/notice.js";
import { count, table } from "../parts/table.js";
import { TournamentSetup } from "./setup.js";
import { StorePage } from "./store.js";

/** @param {HTMLElement} main @param {Record<string, string>} params */
export async function openPage(main, params) {
  if (params.store) {
    const page = new StorePage(main, params.store);
    await page.begin();
    return page;
  }
  const list = h("div", {});
  clear(
    main,
    h(
      "div",
      { class: "prose" },
      h(
        "div",
        { class: "row spread" },
        h("h1", {}, "Compare agents"),
        button("New tournament", openSetup, { kind: "main", symbol: "plus" }),
      ),
      h(
        "p",
        { class: "faint" },
        "Agents play each other from random openings, each opening twice with sides swapped. Crosstables, ratings and intervals grow while they play; every game can be opened.",
      ),
      list,
    ),
  );
  showStores(list);
  return { close() {} };
}

/** Whether a tournament is under way or was left unfinished. @param {StoreData} store */
function stateOf({ running, planned, games }) {
  if (running) return h("span", { class: "tag good" }, "playing");
  return planned > games ? h("span", { class: "tag caution" }, `unfinished: ${count(planned - games)} to play`) : "";
}

/** @param {HTMLElement} list */
async function showStores(list) {
  try {
    /** @type {StoreData[]} */
    const stores = await get("/stores");
    if (!stores.length) {
      clear(list, h("p", { class: "empty panel" }, "No tournament has been played yet."));
      return;
    }
    /** @type {Column<StoreData>[]} */
    const columns = [
      { name: "Name", words: true, value: (store) => store.name },
      {
        name: "Agents",
        words: true,
        value: (store) =>
          store.error ? h("span", { class: "error" }, store.error) : store.agents.join(", "),
      },
      { name: "Games", value: (store) => count(store.games) },
      { name: h("span", { class: "unseen" }, "State"), value: stateOf },
    ];
    clear(
      list,
      h(
        "div",
        { class: "panel" },
        table(columns, stores, {
          onOpen: (store) => visit("compare", { store: store.name }),
          label: "Tournaments",
        }),
      ),
    );
  } catch (error) {
    showError(error);
  }
}

function openSetup() {
  const setup = new TournamentSetup(async (asked) => {
    setup.start.disabled = true;
    try {
      await post("/jobs", asked);
      dialog.close();
      visit("compare", { store: asked.name });
    } catch (error) {
      setup.error.hidden = false;
      setup.error.textContent = errorText(error);
    }
    setup.start.disabled = false;
  });
  const dialog = openDialog("New tournament", setup.element, { foot: [setup.start] });
}
