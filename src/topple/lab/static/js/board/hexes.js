/** The lay of a board of hexagons: Hex's rhombus with its sides in colours, Infexion's torus with its rim. */

import { s } from "../parts/dom.js";
import { boxAround, cellSpots, nameRims, UNIT } from "./cells.js";

const TALL = (UNIT * Math.sqrt(3)) / 2; // from one row to the next
const CORNER = UNIT / Math.sqrt(3);

const corner = (i, far) => {
  const angle = Math.PI / 6 + (i * Math.PI) / 3;
  return [far * Math.cos(angle), far * Math.sin(angle)];
};
const HEXAGON = `M${[0, 1, 2, 3, 4, 5]
  .map((i) =>
    corner(i, 0.965 * CORNER)
      .map((n) => n.toFixed(2))
      .join(" "),
  )
  .join("L")}Z`;

const placeOf = (row, column) => [(column + row / 2) * UNIT, row * TALL];

export function hexes(board, looks) {
  const spots = cellSpots(board, placeOf);
  const rim = looks.sides ? 1.25 : 1;
  return {
    kind: "cells",
    spots,
    radius: 0.42 * UNIT,
    box: boxAround(spots, [1.1 * rim * UNIT, 1.05 * rim * UNIT, 0.75 * rim * UNIT, 0.8 * rim * UNIT]),
    body: () => s("path", { d: HEXAGON, class: "body" }),
    behind: (layer) => {
      if (looks.sides) drawSides(board, layer);
      nameRims(
        board,
        layer,
        placeOf,
        looks.sides ? 1.02 * UNIT : 0.8 * UNIT,
        looks.sides ? 1 * UNIT : 0.8 * UNIT,
      );
    },
  };
}

/** Four bands along the rims; the class says which pair, the drawing gives them the colours. */
function drawSides(board, layer) {
  const n = board.rows;
  const edge = (places, from, to, last) => {
    const points = places.flatMap(([x, y], place) => {
      const end = place === places.length - 1 ? last : to;
      return [from, (from + 1) % 6, end]
        .filter((each, i, all) => all.indexOf(each) === i)
        .map((i) => {
          const [dx, dy] = corner(i, 1.16 * CORNER);
          return [x + dx, y + dy];
        });
    });
    return `M${points.map((point) => point.map((n) => n.toFixed(1)).join(" ")).join("L")}`;
  };
  const row = (r) => Array.from({ length: n }, (_, column) => placeOf(r, column));
  const column = (c) => Array.from({ length: n }, (_, r) => placeOf(r, c));
  const bands = [
    ["top", edge(row(0), 3, 4, 5)],
    ["top", edge([...row(n - 1)].reverse(), 0, 1, 2)],
    ["left", edge([...column(0)].reverse(), 2, 3, 3)],
    ["left", edge(column(n - 1), 5, 0, 0)],
  ];
  for (const [pair, d] of bands) layer.append(s("path", { d, class: `side side-${pair}` }));
}
