/** Starts the page: the catalogue, the head, and which view is open. */

import { openAddress, parseAddress } from "./address.js";
import { get } from "./api.js";
import { clear, h, part } from "./parts/dom.js";
import { watchHelpKey } from "./parts/keys.js";
import { jobMenu } from "./parts/job_menu.js";
import { errorText, watchConnection } from "./parts/notice.js";
import { watchTheme } from "./parts/theme.js";
import { setCatalogue } from "./state/catalogue.js";

const PAGES = {
  play: () => import("./play/page.js"),
  analyse: () => import("./analyse/page.js"),
  games: () => import("./games/page.js"),
  compare: () => import("./compare/page.js"),
  papers: () => import("./papers/page.js"),
};
const TITLES = { play: "Play", analyse: "Analyse", games: "Games", compare: "Compare", papers: "Papers" };

const main = part("main");
/** @type {OpenedPage | null} */
let current = null;
let turn = 0;

async function open() {
  turn += 1;
  const own = turn;
  const { page, params } = openAddress();
  showPage(page);
  if (current) current.close();
  current = null;
  try {
    const { openPage } = await PAGES[page]();
    if (own !== turn) return;
    const opened = await openPage(main, params);
    if (own === turn) current = opened;
    else opened.close();
  } catch (error) {
    if (own !== turn) return;
    clear(
      main,
      h(
        "div",
        { class: "prose panel" },
        h("h1", {}, "This cannot be shown"),
        h("p", { class: "error" }, errorText(error)),
        h("p", {}, h("a", { href: "#play" }, "Start a new game")),
      ),
    );
  }
}

/** @param {Page} page */
function showPage(page) {
  document.title = `${TITLES[page]} · topple lab`;
  main.dataset.page = page;
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".top nav a"))) {
    if (link.dataset.page === page) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

async function begin() {
  watchConnection();
  watchTheme(part("theme"));
  part("skip").addEventListener("click", () => main.focus());
  PAGES[parseAddress(location.hash).page](); // its files load while the catalogue does
  try {
    setCatalogue(await get("/catalogue"));
  } catch (error) {
    clear(main, h("p", { class: "error loading" }, errorText(error)));
    return;
  }
  jobMenu(part("jobs"));
  watchHelpKey(part("keys"));
  addEventListener("hashchange", open);
  await open();
  for (const load of Object.values(PAGES)) load().catch(() => {}); // they open even while the lab is away
}

begin();
