/** The lay of a board of squares; a torus shows a rim of its other side. */

import { s } from "../parts/dom.js";
import { boxAround, cellSpots, nameRims, UNIT } from "./cells.js";

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
