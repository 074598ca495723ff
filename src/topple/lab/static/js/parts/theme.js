/** The button that changes between light and dark; pictures are told by a `colours` event. */

import { set, setting } from "../state/settings.js";
import { clear } from "./dom.js";
import { icon } from "./buttons.js";

const SYSTEM = matchMedia("(prefers-color-scheme: dark)");

/** @param {HTMLElement} button */
export function watchTheme(button) {
  const page = document.documentElement.dataset;
  /** @param {boolean} isDark */
  const show = (isDark) => {
    page.theme = isDark ? "dark" : "light";
    clear(button, icon(isDark ? "sun" : "moon"));
    document.dispatchEvent(new Event("colours"));
  };
  button.addEventListener("click", () => {
    const isDark = page.theme !== "dark";
    set("theme", isDark ? "dark" : "light");
    show(isDark);
  });
  SYSTEM.addEventListener("change", () => {
    if (!setting("theme")) show(SYSTEM.matches);
  });
  show(page.theme === "dark");
}
