/** The papers whose numbers topple reproduces, and one of them in full. */

import { formatAddress } from "../address.js";
import { get } from "../api.js";
import { clear, h } from "../parts/dom.js";
import { itemSection, verdictTag } from "./item.js";

const SCALES = [
  ["quick", "Quick settings"],
  ["full", "The papers' own settings"],
];

/** @param {HTMLElement} main @param {Record<string, string>} params */
export async function openPage(main, params) {
  const query = new URLSearchParams(
    Object.entries({ scale: params.scale, store: params.store }).filter(([, value]) => value),
  );
  const asked = query.size ? `?${query}` : "";
  const waiting = h("p", { class: "loading" }, "Setting published beside measured …");
  clear(main, waiting);
  const name = params.paper ? `/${encodeURIComponent(params.paper)}` : "";
  const found = await get(`/papers${name}${asked}`);
  if (!waiting.isConnected) return { close() {} }; // another page is open by now
  if (params.paper) showPaper(main, found, params);
  else showList(main, found, params);
  return { close() {} };
}

/** @param {PaperItem[]} items */
const tally = (items) => {
  const counts = new Map();
  for (const { verdict } of items) counts.set(verdict, (counts.get(verdict) || 0) + 1);
  return [...counts].map(([verdict, n]) => h("span", { class: "tallied" }, `${n} `, verdictTag(verdict)));
};

/** @param {Record<string, string>} params */
function scaleLinks(params) {
  const chosen = params.scale || "quick";
  return h(
    "nav",
    { class: "row", "aria-label": "Settings" },
    SCALES.map(([scale, text]) =>
      h(
        "a",
        {
          class: "button",
          href: formatAddress("papers", { ...params, scale }),
          "aria-current": scale === chosen ? "true" : null,
        },
        text,
      ),
    ),
  );
}

/**
 * Without a store nothing is measured: explain how to get one.
 * @param {PaperData} paper
 */
const unmeasured = ({ store }) =>
  store === null
    ? h(
        "p",
        { class: "note" },
        "Nothing is measured here yet: the numbers below are the published ones alone. ",
        h("code", {}, "topple reproduce"),
        " measures into the store papers.db, and ",
        h("code", {}, "topple lab --db papers.db"),
        " shows it here.",
      )
    : null;

/** @param {HTMLElement} main @param {PaperData[]} papers @param {Record<string, string>} params */
function showList(main, papers, params) {
  clear(
    main,
    h(
      "div",
      { class: "prose stack" },
      h("h1", {}, "Papers"),
      h(
        "p",
        { class: "faint" },
        "Tables, figures and claims of the papers behind the games, set beside what topple measures.",
      ),
      scaleLinks(params),
      papers.length ? unmeasured(papers[0]) : null,
      papers.map((paper) =>
        h(
          "article",
          { class: "panel" },
          h(
            "h2",
            {},
            h("a", { href: formatAddress("papers", { ...params, paper: paper.name }) }, paper.title),
          ),
          h("p", { class: "faint" }, `${paper.authors}. ${paper.source}`),
          h("div", { class: "row" }, tally(paper.items)),
          h(
            "details",
            {},
            h("summary", {}, `${paper.items.length} items`),
            h(
              "ul",
              { class: "verdicts" },
              paper.items.map((item) =>
                h(
                  "li",
                  {},
                  verdictTag(item.verdict),
                  " ",
                  h(
                    "a",
                    { href: formatAddress("papers", { ...params, paper: paper.name, item: item.name }) },
                    `${item.kind} ${item.number}: ${item.title}`,
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

/** @param {HTMLElement} main @param {PaperData} paper @param {Record<string, string>} params */
function showPaper(main, paper, params) {
  const verdicts = [...new Set(paper.items.map((item) => item.verdict))];
  const sections = paper.items.map((item) => itemSection(item, (paper.charts || {})[item.name]));
  const filter = h(
    "select",
    {
      id: "verdict",
      onchange: () =>
        sections.forEach((section, i) => {
          section.hidden = Boolean(filter.value) && paper.items[i].verdict !== filter.value;
        }),
    },
    h("option", { value: "" }, "all verdicts"),
    verdicts.map((verdict) => h("option", { value: verdict }, verdict)),
  );
  const go = h(
    "select",
    { id: "item", onchange: () => jump(go.value) },
    h("option", { value: "" }, "go to …"),
    paper.items.map((item) =>
      h("option", { value: item.name }, `${item.kind} ${item.number}: ${item.title}`.slice(0, 70)),
    ),
  );
  clear(
    main,
    h(
      "div",
      { class: "prose stack" },
      h(
        "p",
        {},
        h(
          "a",
          { href: formatAddress("papers", { ...params, paper: undefined, item: undefined }) },
          "All papers",
        ),
      ),
      h("h1", {}, paper.title),
      h("p", { class: "faint" }, `${paper.authors}. ${paper.source}`),
      h("div", { class: "row" }, tally(paper.items)),
      scaleLinks(params),
      unmeasured(paper),
      h(
        "div",
        { class: "fields" },
        h("div", { class: "field" }, h("label", { for: "verdict" }, "Show"), filter),
        h("div", { class: "field" }, h("label", { for: "item" }, "Item"), go),
      ),
      sections,
    ),
  );
  if (params.item) jump(params.item);
}

/** @param {string} name */
function jump(name) {
  const section = name && document.getElementById(`item-${name}`);
  if (section) section.scrollIntoView({ block: "start" });
}
