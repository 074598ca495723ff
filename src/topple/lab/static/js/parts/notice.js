/** What the page tells: short notices, the state of the connection, and words for screen readers. */

import { onConnection } from "../api.js";
import { iconButton } from "./buttons.js";
import { h } from "./dom.js";

const LASTS = 6000; // milliseconds
const MOST_SAID = 20;

export function notice(text, { isBad = false } = {}) {
  const box = h(
    "div",
    { class: isBad ? "notice bad" : "notice" },
    h("p", {}, text),
    iconButton("close", "Close this notice", () => box.remove()),
  );
  document.getElementById("notices").append(box);
  setTimeout(() => box.remove(), isBad ? 2 * LASTS : LASTS);
}

/** Tell an error, unless it only says that something was called off. */
export function tellError(error) {
  if (!error || error.name === "AbortError") return;
  notice(error.message || String(error), { isBad: true });
}

/** Say something to those who hear the page. */
export function say(text) {
  const said = document.getElementById("said");
  said.append(h("p", {}, text));
  while (said.children.length > MOST_SAID) said.firstChild.remove();
}

export function watchConnection() {
  const box = document.getElementById("connection");
  onConnection((lost) => {
    box.hidden = !lost;
    box.textContent = lost ? "The connection to the lab is lost. Trying again …" : "";
    if (!lost) notice("The lab is back.");
  });
}
