/** The button that changes between light and dark; what follows the colours by itself is told. */

import { set } from "../state/settings.js";
import { clear } from "./dom.js";
import { icon } from "./icons.js";

const SYSTEM = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : SYSTEM.matches;
}

/** @param {HTMLElement} button */
export function watchTheme(button) {
  const show = () => {
    clear(button, icon(isDark() ? "sun" : "moon"));
    document.dispatchEvent(new Event("colours"));
  };
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    set("theme", theme);
    show();
  });
  SYSTEM.addEventListener("change", show);
  show();
}
