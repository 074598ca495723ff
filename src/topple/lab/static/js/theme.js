/* Says which theme holds, before the first paint, so that no other one flashes: the chosen one, or the system's. */
(() => {
  let theme = "";
  try {
    theme = JSON.parse(localStorage.getItem("topple") || "{}").theme;
  } catch {
    /* nothing is kept in private windows */
  }
  if (theme !== "light" && theme !== "dark")
    theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
})();
