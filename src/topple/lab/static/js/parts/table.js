/** Tables from plain data. */

import { h } from "./dom.js";

/**
 * @template Row
 * @param {Column<Row>[]} columns
 * @param {Row[]} rows
 * @param {object} [options]
 * @param {string} [options.caption]
 * @param {((row: Row) => void) | null} [options.onOpen] makes rows open something; the first cell becomes a button
 * @param {string} [options.label]
 */
export function table(columns, rows, { caption = "", onOpen = null, label = "" } = {}) {
  const head = columns.map((column) =>
    h("th", { scope: "col", class: column.words ? "words" : "", title: column.title }, column.name),
  );
  const body = rows.map((row) => tableRow(columns, row, onOpen));
  return h(
    "div",
    {
      class: "scroll",
      role: label ? "region" : null,
      "aria-label": label || null,
      tabindex: label ? "0" : null,
    },
    h(
      "table",
      {},
      caption && h("caption", {}, caption),
      h("thead", {}, h("tr", {}, head)),
      h("tbody", {}, body),
    ),
  );
}

/** @template Row @param {Column<Row>[]} columns @param {Row} row @param {((row: Row) => void) | null} onOpen */
function tableRow(columns, row, onOpen) {
  const cells = columns.map((column, i) => {
    let content = column.value(row);
    if (onOpen && i === 0)
      content = h(
        "button",
        {
          type: "button",
          class: "button quiet",
          onclick: (event) => {
            event.stopPropagation();
            onOpen(row);
          },
        },
        content,
      );
    return h(
      i === 0 ? "th" : "td",
      { scope: i === 0 ? "row" : null, class: column.words ? "words" : "" },
      content,
    );
  });
  return h("tr", { class: onOpen ? "live" : "", onclick: onOpen ? () => onOpen(row) : undefined }, cells);
}

/** @param {number | null | undefined} share */
export const percent = (share, digits = 0) =>
  share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits)}%`;

/** A return between −1 and 1 as a chance to win; a draw counts half. @param {number} value */
export const winChance = (value) => percent((value + 1) / 2);

/** @param {number | null | undefined} value */
export function signed(value, digits = 2) {
  if (value === null || value === undefined) return "–";
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(digits)}`;
}

/** @param {number | null | undefined} value */
export const count = (value) =>
  value === null || value === undefined ? "–" : Number(value).toLocaleString("en");
