/** One item of a paper: published beside measured, claims, reasons, how it was played. */

import { h } from "../parts/dom.js";
import { picture } from "../parts/picture.js";
import { count, table } from "../parts/table.js";

const GOOD = ["agrees", "holds"];
const BAD = ["differs", "fails"];

/** @param {string} verdict */
export const verdictTag = (verdict) =>
  h(
    "span",
    {
      class: `tag ${GOOD.includes(verdict) ? "good" : BAD.includes(verdict) ? "bad" : verdict.startsWith("differs") ? "caution" : ""}`,
    },
    verdict,
  );

/** @param {PaperItem} item @param {string | undefined} chart */
export function itemSection(item, chart) {
  return h(
    "section",
    { class: "panel item", id: `item-${item.name}` },
    h(
      "div",
      { class: "row spread" },
      h("h2", {}, `${title(item.kind)} ${item.number}: ${item.title}`),
      verdictTag(item.verdict),
    ),
    item.section && h("p", { class: "faint" }, `Section ${item.section}`),
    chart && picture(chart, `${title(item.kind)} ${item.number}`),
    item.cells.length ? cellsTable(item) : null,
    item.claims.length ? list("Claims", item.claims, "claim") : null,
    item.why.length ? list("Why it differs", item.why, "why") : null,
    item.choices.length
      ? h(
          "div",
          {},
          h("h3", {}, "What the paper leaves open"),
          h(
            "ul",
            {},
            item.choices.map((each) => h("li", {}, h("b", {}, each.choice), ` ${each.about}`)),
          ),
        )
      : null,
    item.notes.length
      ? h(
          "ul",
          { class: "faint" },
          item.notes.map((note) => h("li", {}, note)),
        )
      : null,
    gamesPart(item),
    item.command && h("pre", {}, item.command),
  );
}

/** @param {string} kind */
const title = (kind) => (kind ? kind[0].toUpperCase() + kind.slice(1) : "");

/** @param {string} heading @param {Record<string, string>[]} rows @param {string} key */
function list(heading, rows, key) {
  return h(
    "div",
    {},
    h("h3", {}, heading),
    h(
      "ul",
      { class: "verdicts" },
      rows.map((each) => h("li", {}, verdictTag(each.verdict), ` ${each[key]}`)),
    ),
  );
}

/** @type {Column<PaperItem["cells"][0]>[]} */
const columns = [
  { name: "Row", words: true, value: (cell) => cell.row },
  {
    name: "Column",
    words: true,
    value: (cell) => [cell.column, cell.choice ? h("small", {}, cell.choice) : ""],
  },
  { name: "Published", value: (cell) => publishedText(cell.published) },
  { name: "Measured", value: (cell) => measuredParts(cell.measured) },
  { name: "Verdict", words: true, value: (cell) => verdictTag(cell.verdict) },
];

/** @param {PaperItem} item */
function cellsTable({ cells, kind, number }) {
  const made = table(columns, cells, { label: `${title(kind)} ${number}, published beside measured` });
  return cells.length > 14
    ? h("details", {}, h("summary", {}, `${cells.length} numbers, published beside measured`), made)
    : made;
}

/** @param {PaperValue} value */
function valueText(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number")
    return Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(4)));
  return String(value);
}

/** @param {PaperItem["cells"][0]["published"]} published */
function publishedText(published) {
  if (published === null || published === undefined || typeof published !== "object")
    return valueText(published);
  const { value, margin } = published;
  return margin === null || margin === undefined
    ? valueText(value)
    : `${valueText(value)} ± ${valueText(margin)}`;
}

/** @param {PaperItem["cells"][0]["measured"]} measured */
function measuredParts(measured) {
  if (!measured) return "–";
  const { value, low, high, games } = measured;
  return [
    valueText(value),
    low !== null && low !== undefined ? h("small", {}, `${valueText(low)} to ${valueText(high)}`) : "",
    games ? h("small", {}, `${count(games)} games`) : "",
  ];
}

/** @param {PaperItem} item */
function gamesPart(item) {
  if (!item.games.length) return null;
  return h(
    "details",
    {},
    h("summary", {}, `Played: ${count(item.n_games)} games`),
    h(
      "ul",
      {},
      item.games.map((played) =>
        h(
          "li",
          {},
          `${played.games}: ${count(played.n_games)} of ${count(played.planned)} games; ${played.fields
            .slice(0, 4)
            .map((field) => `${field.game} on ${field.board}`)
            .join(", ")}${played.fields.length > 4 ? " …" : ""}`,
          h("br"),
          h(
            "small",
            {},
            Object.entries(played.agents)
              .map(([name, spec]) => `${name}: ${spec}`)
              .join("; "),
          ),
          played.about ? [h("br"), h("small", {}, played.about)] : null,
        ),
      ),
    ),
  );
}
