/** What boards of squares and of hexes have in common: rows, columns, wrapping, names along the rims. */

import { s } from "../parts/dom.js";

export const UNIT = 100;

/**
 * All places to draw: every cell, and on a board that wraps a rim of ghosts from the other side.
 * @param {BoardData} board @param {PlaceOf} placeOf
 */
export function cellSpots(board, placeOf) {
  const { rows, columns } = board;
  const reach = board.wraps ? 1 : 0;
  const spots = [];
  for (let row = -reach; row < rows + reach; row += 1) {
    for (let column = -reach; column < columns + reach; column += 1) {
      const isGhost = row < 0 || column < 0 || row >= rows || column >= columns;
      const vertex = ((row + rows) % rows) * columns + ((column + columns) % columns);
      const [x, y] = placeOf(row, column);
      spots.push({ vertex, x, y, row, column, isGhost });
    }
  }
  return spots;
}

/**
 * The part of a label that names its column: `b` of `b3`, `5` of `4-5`.
 * @param {string} label
 */
const columnName = (label) =>
  label.includes("-") ? label.slice(label.lastIndexOf("-") + 1) : label.replace(/\d+$/, "");
/** @param {string} label */
const rowName = (label) =>
  label.includes("-") ? label.slice(0, label.indexOf("-")) : label.replace(/^[a-z]+/, "");

/**
 * Names grow with the board, so that they stay readable when its cells are small.
 * @param {number} rows
 */
const rimSize = (rows) => UNIT * (rows > 14 ? 0.42 : rows > 8 ? 0.34 : rows > 5 ? 0.24 : 0.19);

/**
 * Column names above the first row, row names left of the first column; `above` and `beside` are ways there.
 * @param {BoardData} board
 * @param {SVGGElement} layer
 * @param {PlaceOf} placeOf
 * @param {Point} above
 * @param {Point} beside
 */
export function nameRims(board, layer, placeOf, above, beside) {
  const reach = board.wraps ? 1 : 0;
  const size = rimSize(board.rows);
  /** @param {Point} from @param {Point} way @param {string} text */
  const write = ([x, y], [dx, dy], text) =>
    layer.append(
      s(
        "text",
        { x: (x + dx).toFixed(1), y: (y + dy).toFixed(1), class: "rim-name", "font-size": size },
        text,
      ),
    );
  for (let column = 0; column < board.columns; column += 1) {
    const shift = board.form === "hexes" ? reach * 0.5 : 0;
    write(placeOf(-reach, column + shift), above, columnName(board.labels[column]));
  }
  for (let row = 0; row < board.rows; row += 1)
    write(placeOf(row, -reach), beside, rowName(board.labels[row * board.columns]));
}

/** @param {Place[]} spots @param {number[]} sides */
export function boxAround(spots, sides) {
  const [left, top, right, bottom] = sides;
  const xs = spots.map((spot) => spot.x);
  const ys = spots.map((spot) => spot.y);
  const [x, y] = [Math.min(...xs) - left, Math.min(...ys) - top];
  return { x, y, width: Math.max(...xs) + right - x, height: Math.max(...ys) + bottom - y };
}
