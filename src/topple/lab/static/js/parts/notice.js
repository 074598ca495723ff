/** Messages: short notices, the state of the connection, and words for screen readers. */

import { onConnection } from "../api.js";
import { iconButton } from "./buttons.js";
import { h, part } from "./dom.js";

const LASTS = 6000; // milliseconds
const MOST_SAID = 20;

/** @param {string} text @param {{isBad?: boolean}} [options] */
export function notice(text, { isBad = false } = {}) {
  const box = h(
    "div",
    { class: isBad ? "notice bad" : "notice" },
    h("p", {}, text),
    iconButton("close", "Close this notice", () => box.remove()),
  );
  part("notices").append(box);
  setTimeout(() => box.remove(), isBad ? 2 * LASTS : LASTS);
}

/**
 * Show an error, unless it only says that a request was cancelled.
 * @param {unknown} error
 */
export function showError(error) {
  if (error instanceof Error && error.name === "AbortError") return;
  notice(errorText(error), { isBad: true });
}

/** What an error says. @param {unknown} error */
export const errorText = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Announce something to screen readers.
 * @param {string} text
 */
export function say(text) {
  const said = part("said");
  said.append(h("p", {}, text));
  while (said.children.length > MOST_SAID) said.children[0].remove();
}

export function watchConnection() {
  const box = part("connection");
  onConnection((lost) => {
    box.hidden = !lost;
    box.textContent = lost ? "The connection to the lab is lost. Trying again …" : "";
    if (!lost) notice("The lab is back.");
  });
}
