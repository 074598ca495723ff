/** What boards of squares and of hexes have in common: rows, columns, wrapping, names along the rims. */

import { s } from "../parts/dom.js";

export const UNIT = 100;

/** All places to draw: every cell, and on a board that wraps a rim of ghosts from the other side. */
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

/** The part of a label that names its column: `b` of `b3`, `5` of `4-5`. */
const columnName = (label) =>
  label.includes("-") ? label.slice(label.lastIndexOf("-") + 1) : label.replace(/\d+$/, "");
const rowName = (label) =>
  label.includes("-") ? label.slice(0, label.indexOf("-")) : label.replace(/^[a-z]+/, "");

/** Column names above the first row, row names left of the first column. */
export function nameRims(board, layer, placeOf, above, beside) {
  const reach = board.wraps ? 1 : 0;
  const size = UNIT * (board.rows > 14 ? 0.36 : 0.26);
  const write = (x, y, text) => layer.append(s("text", { x, y, class: "rim-name", "font-size": size }, text));
  for (let column = 0; column < board.columns; column += 1) {
    const [x, y] = placeOf(-reach, column + (board.form === "hexes" ? reach * 0.5 : 0));
    write(x, y - above, columnName(board.labels[column]));
  }
  for (let row = 0; row < board.rows; row += 1) {
    const [x, y] = placeOf(row, -reach);
    write(x - beside, y, rowName(board.labels[row * board.columns]));
  }
}

export function boxAround(spots, sides) {
  const [left, top, right, bottom] = sides;
  const xs = spots.map((spot) => spot.x);
  const ys = spots.map((spot) => spot.y);
  const [x, y] = [Math.min(...xs) - left, Math.min(...ys) - top];
  return { x, y, width: Math.max(...xs) + right - x, height: Math.max(...ys) + bottom - y };
}
