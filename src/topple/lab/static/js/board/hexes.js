/** The lay of a board of hexagons: Hex's rhombus with its sides in colours, Infexion's torus with its rim. */

import { s } from "../parts/dom.js";
import { boxAround, cellSpots, nameRims, UNIT } from "./cells.js";

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
 * A way of drawing: lying, or turned until the long diagonal stands upright, for narrow screens.
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
 * Four bands along the rims; the class says which pair, the drawing gives them the colours.
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
