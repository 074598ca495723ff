/** The layouts of boards of cells: squares, Hex's rhombus with its sides in colours, Infexion's torus with its rim. */

import { s } from "../parts/dom.js";

const UNIT = 100;

/**
 * All places to draw: every cell and, on a board that wraps, a rim of ghosts of the cells on the other side.
 * @param {BoardData} board @param {PlaceOf} placeOf
 */
function cellSpots(board, placeOf) {
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
 * Column names above the first row, row names left of the first column; `above` and `beside` are the offsets.
 * @param {BoardData} board
 * @param {SVGGElement} layer
 * @param {PlaceOf} placeOf
 * @param {Point} above
 * @param {Point} beside
 */
function nameRims(board, layer, placeOf, above, beside) {
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
function boxAround(spots, sides) {
  const [left, top, right, bottom] = sides;
  const xs = spots.map((spot) => spot.x);
  const ys = spots.map((spot) => spot.y);
  const [x, y] = [Math.min(...xs) - left, Math.min(...ys) - top];
  return { x, y, width: Math.max(...xs) + right - x, height: Math.max(...ys) + bottom - y };
}

const HALF = 0.48 * UNIT;

/** @param {BoardData} board @returns {Layout} */
export function squares(board) {
  /** @type {PlaceOf} */
  const placeOf = (row, column) => [column * UNIT, row * UNIT];
  const spots = cellSpots(board, placeOf);
  return {
    kind: "cells",
    spots,
    radius: 0.44 * UNIT,
    box: boxAround(spots, [0.95 * UNIT, 0.9 * UNIT, 0.6 * UNIT, 0.6 * UNIT]),
    body: () => s("rect", { x: -HALF, y: -HALF, width: 2 * HALF, height: 2 * HALF, rx: 9, class: "body" }),
    behind: (layer) => nameRims(board, layer, placeOf, [0, -0.68 * UNIT], [-0.7 * UNIT, 0]),
  };
}

const TALL = (UNIT * Math.sqrt(3)) / 2; // from one row to the next
const CORNER = UNIT / Math.sqrt(3);
const TURN = Math.PI / 3; // a turn by it leaves hexagons as they are

/** @param {Point} point */
const text = (point) => point.map((number) => number.toFixed(1)).join(" ");
/** @param {number} i @param {number} far @returns {Point} */
const corner = (i, far) => {
  const angle = TURN / 2 + i * TURN;
  return [far * Math.cos(angle), far * Math.sin(angle)];
};
const HEXAGON = `M${[0, 1, 2, 3, 4, 5].map((i) => text(corner(i, 0.965 * CORNER))).join("L")}Z`;

/**
 * How to draw: flat, or for narrow screens turned until the long diagonal is upright.
 * @param {boolean} isUpright
 */
function turned(isUpright) {
  const angle = isUpright ? TURN : 0;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  /** @param {Point} point @returns {Point} */
  const turn = ([x, y]) => [x * cos - y * sin, x * sin + y * cos];
  return {
    turn,
    /** @type {PlaceOf} */
    placeOf: (row, column) => turn([(column + row / 2) * UNIT, row * TALL]),
    /** @param {number} i @param {number} far */
    corner: (i, far) => corner(i + (isUpright ? 1 : 0), far),
  };
}

/** @param {BoardData} board @param {Looks} looks @param {boolean} isNarrow @returns {Layout} */
export function hexes(board, looks, isNarrow) {
  const way = turned(isNarrow);
  const spots = cellSpots(board, way.placeOf);
  const rim = looks.sides ? 1.02 * UNIT : 0.8 * UNIT;
  const room = (looks.sides ? 1.25 : 1) * UNIT;
  return {
    kind: "cells",
    spots,
    radius: 0.42 * UNIT,
    box: boxAround(
      spots,
      isNarrow
        ? [1.05 * room, 0.95 * room, 1.05 * room, 0.8 * room]
        : [1.1 * room, 1.05 * room, 0.75 * room, 0.8 * room],
    ),
    body: () => s("path", { d: HEXAGON, class: "body" }),
    behind: (layer) => {
      if (looks.sides) drawSides(board, layer, way);
      nameRims(board, layer, way.placeOf, way.turn([0, -rim]), way.turn([-rim, 0]));
    },
  };
}

/**
 * Four bands along the rims; their class says which pair of sides they belong to, and `showBorders` colours them.
 * @param {BoardData} board @param {SVGGElement} layer @param {ReturnType<typeof turned>} way
 */
function drawSides(board, layer, way) {
  const n = board.rows;
  /** @param {Point[]} places @param {number} from @param {number} to @param {number} last */
  const edge = (places, from, to, last) => {
    const points = places.flatMap(([x, y], place) => {
      const end = place === places.length - 1 ? last : to;
      return [from, (from + 1) % 6, end]
        .filter((each, i, all) => all.indexOf(each) === i)
        .map((i) => {
          const [dx, dy] = way.corner(i, 1.16 * CORNER);
          return /** @type {Point} */ ([x + dx, y + dy]);
        });
    });
    return `M${points.map(text).join("L")}`;
  };
  /** @param {number} r */
  const row = (r) => Array.from({ length: n }, (_, column) => way.placeOf(r, column));
  /** @param {number} c */
  const column = (c) => Array.from({ length: n }, (_, r) => way.placeOf(r, c));
  const bands = [
    ["top", edge(row(0), 3, 4, 5)],
    ["top", edge([...row(n - 1)].reverse(), 0, 1, 2)],
    ["left", edge([...column(0)].reverse(), 2, 3, 3)],
    ["left", edge(column(n - 1), 5, 0, 0)],
  ];
  for (const [pair, d] of bands) layer.append(s("path", { d, class: `side side-${pair}` }));
}
