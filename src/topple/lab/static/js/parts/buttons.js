/** Buttons with words, with icons, and those that stay pressed. */

import { h } from "./dom.js";
import { icon } from "./icons.js";

/**
 * @param {string} text
 * @param {(event: MouseEvent) => void} onclick
 * @param {Attributes & {kind?: string, symbol?: string}} [options]
 */
export const button = (text, onclick, { kind = "", symbol = "", ...more } = {}) =>
  h("button", { type: "button", class: `button ${kind}`, onclick, ...more }, symbol && icon(symbol), text);

/**
 * @param {string} symbol
 * @param {string} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {Attributes} [more]
 */
export const iconButton = (symbol, label, onclick, more = {}) =>
  h(
    "button",
    { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...more },
    icon(symbol),
  );

/**
 * A button that is pressed or not; `onchange` gets which.
 * @param {Child} content
 * @param {string} label
 * @param {boolean} isOn
 * @param {(on: boolean) => void} onchange
 * @param {{kind?: string}} [options]
 */
export function toggleButton(content, label, isOn, onchange, { kind = "icon-button" } = {}) {
  const made = h(
    "button",
    { type: "button", class: kind, "aria-pressed": String(isOn), "aria-label": label, title: label },
    content,
  );
  made.addEventListener("click", () => {
    const on = made.getAttribute("aria-pressed") !== "true";
    made.setAttribute("aria-pressed", String(on));
    onchange(on);
  });
  return made;
}
