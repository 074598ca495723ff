/** Ways to share a game: its address, a file, a place among the kept games. */

import { lineParams, formatAddress } from "../address.js";
import { post } from "../api.js";
import { playerText } from "../state/players.js";
import { button } from "./buttons.js";
import { ask, openDialog } from "./dialog.js";
import { h, newId } from "./dom.js";
import { notice, showError } from "./notice.js";

/**
 * The part of a line that the server takes: `{game, board, moves, players, ending?}`.
 * @param {FullLine} line
 */
const played = ({ game, board, moves, players, ending }) => ({
  game,
  board,
  moves,
  players: players.map(playerText),
  ...(ending ? { ending } : {}),
});

/** @param {Page} page @param {FullLine} line */
export async function copyAddress(page, line) {
  const address = new URL(formatAddress(page, lineParams(line)), location.href);
  address.searchParams.delete("token");
  try {
    await navigator.clipboard.writeText(address.href);
    notice("The address is copied.");
  } catch {
    openDialog(
      "Address",
      h("input", {
        type: "text",
        readonly: true,
        value: address.href,
        "aria-label": "Address",
        onfocus: (event) => event.target.select(),
      }),
      { kind: "small" },
    );
  }
}

/** What a game can be saved as: its name, its form, the file's ending and its type. @type {Record<string, [string, string, string]>} */
const FILES = {
  json: ["Record", "jsonl", "application/x-ndjson"],
  sgf: ["SGF", "sgf", "application/x-go-sgf"],
  graphml: ["GraphML", "graphml", "application/xml"],
  gexf: ["GEXF", "gexf", "application/xml"],
};

/**
 * Let a person choose a format and save the game in it: all of it, or its last position as a network.
 * @param {FullLine} line
 */
export async function saveFile(line) {
  const name = line.game.split(":")[0];
  const forms = Object.keys(FILES).filter((form) => form !== "sgf" || name === "hex");
  const form = await ask(
    "Save file",
    "The record holds the whole game. GraphML and GEXF hold the last position as a network, for Gephi.",
    forms.map((each, place) => [FILES[each][0], each, place ? "" : "main"]),
  );
  if (!form) return;
  const [, ending, type] = FILES[form];
  try {
    const { record } = await post("/record/of", { ...played(line), form });
    const link = h("a", {
      href: URL.createObjectURL(new Blob([`${record.trimEnd()}\n`], { type })),
      download: `${name}.${ending}`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  } catch (error) {
    showError(error);
  }
}

/** @param {FullLine} line */
export function keepGame(line) {
  const id = newId("name");
  const name = h("input", {
    id,
    type: "text",
    maxlength: 80,
    required: true,
    value: `${line.title || line.game}, ${new Date().toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}`,
  });
  const keep = async () => {
    if (!name.value.trim()) return;
    dialog.close();
    try {
      await post("/games", { name: name.value.trim(), ...played(line) });
      notice("The game is kept. You find it under Games.");
    } catch (error) {
      showError(error);
    }
  };
  const dialog = openDialog(
    "Keep this game",
    h("div", { class: "field" }, h("label", { for: id }, "Name"), name),
    {
      kind: "small",
      foot: [button("Keep", keep, { kind: "main" })],
    },
  );
  name.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // or the button that the focus returns to would be pressed
    keep();
  });
  name.select();
}

/**
 * Let a person open a record; `onLine` is called with the line that the server read from it.
 * @param {(line: LineData) => void} onLine
 */
export function openRecord(onLine) {
  const input = h("input", { type: "file", accept: ".json,.jsonl,.sgf,.txt,application/json" });
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    if (!file) return;
    try {
      const text = await file.text();
      const isSgf = text.trimStart().startsWith("(");
      const lines = isSgf ? [text] : text.split("\n").filter((each) => each.trim());
      if (!lines.length) throw new Error(`${file.name} is empty.`);
      if (lines.length > 1) notice(`${file.name} has ${lines.length} records; the first is opened.`);
      onLine(await post("/record", { record: lines[0] }));
    } catch (error) {
      showError(error);
    }
  });
  input.click();
}
