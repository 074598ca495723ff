/* Runs before the first paint, so that a chosen theme never flashes. */
(() => {
  try {
    const theme = JSON.parse(localStorage.getItem("topple") || "{}").theme;
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    /* nothing is kept in private windows: the system's theme holds */
  }
})();
