/** Icons, and buttons with words, with icons, and those that stay pressed. */

import { h, s } from "./dom.js";

/** @type {Record<string, string>} */
const PATHS = {
  sun: "M12 4V2M12 22v-2M4 12H2M22 12h-2M5.6 5.6 4.2 4.2M19.8 19.8l-1.4-1.4M5.6 18.4l-1.4 1.4M19.8 4.2l-1.4 1.4M16 12a4 4 0 1 1-8 0a4 4 0 0 1 8 0",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4A8.5 8.5 0 1 0 20 14.5Z",
  first: "M18 5 9 12l9 7zM6 5v14",
  back: "M16 5 7 12l9 7z",
  forward: "M8 5l9 7-9 7z",
  last: "M6 5l9 7-9 7zM18 5v14",
  stepBack: "M15 5l-7 7 7 7",
  stepOn: "M9 5l7 7-7 7",
  undo: "M8 4 3 9l5 5M3 9h11a6 6 0 0 1 0 12h-4",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  tag: "M4 4h8l8 8-8 8-8-8zM8.5 8.5h.01",
  flag: "M6 21V4M6 4h12l-3 4 3 4H6",
  stop: "M6 6h12v12H6z",
  play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14",
  close: "M6 6l12 12M18 6 6 18",
  work: "M12 8v4l3 2M21 12a9 9 0 1 1-18 0a9 9 0 0 1 18 0",
  save: "M12 4v11M7 11l5 5 5-5M4 20h16",
  open: "M12 16V5M7 9l5-5 5 5M4 20h16",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  swap: "M7 4 3 8l4 4M3 8h14M17 12l4 4-4 4M21 16H7",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12M15 12a3 3 0 1 1-6 0a3 3 0 0 1 6 0",
  dice: "M4 4h16v16H4zM8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01",
  book: "M12 6C10 4.5 7 4 4 4.5v14c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5v-14C17 4 14 4.5 12 6zM12 6v14",
  bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  star: "M12 3.5l2.6 5.6 6 .7-4.5 4.1 1.3 6-5.4-3.1-5.4 3.1 1.3-6L3.4 9.8l6-.7z",
};

/** @param {string} name */
export const icon = (name) =>
  s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: PATHS[name] }));

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
 * A button that is pressed or not; `onchange` is called with which.
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
