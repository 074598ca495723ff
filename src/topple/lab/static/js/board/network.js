/** The layout of a network: vertices at the server's places, edges, communities, labels. */

import { s } from "../parts/dom.js";
import { drawHulls } from "./communities.js";
import { Edges } from "./edges.js";

const SPAN = 1000; // the longer side of the picture
const LARGEST = 46; // radius of a vertex
const LARGEST_NARROW = 66; // on a narrow screen, where what lies on it must still be read
const ALL_NAMED = 80; // vertices up to which every one has its name
const MOST_NAMED = 24; // names beyond that: those of the vertices with the most edges
const LONGEST_ROW = 12; // vertices of a line before it is folded

/** @param {BoardData} board @param {Looks} looks @param {boolean} isNarrow @returns {Layout} */
export function network(board, looks, isNarrow) {
  const places = upright(foldedPlaces(board) || spreadPlaces(board), isNarrow);
  const near = usualDistance(places);
  const radius = Math.max(5, Math.min(0.4 * near, isNarrow ? LARGEST_NARROW : LARGEST));
  const spots = places.map(([x, y], vertex) => ({ vertex, x, y, isGhost: false }));
  const xs = places.map((place) => place[0]);
  const ys = places.map((place) => place[1]);
  const margin = radius * (board.communities.length ? 2.4 : 1.3) + 14;
  const [x, y] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  const box = { x, y, width: Math.max(...xs) + margin - x, height: Math.max(...ys) + margin - y };
  return {
    kind: "network",
    spots,
    radius,
    box,
    body: () => s("circle", { r: radius, class: "body" }),
    behind: (layer) => drawHulls(board.communities, places, radius, layer),
    edges: (layer) => new Edges(layer, places, radius, board.directed, looks.accept),
    labels: (layer) => drawLabels(board, places, radius, layer, isNarrow ? 30 : 19),
  };
}

/**
 * On a narrow screen, turn a picture that is wider than tall by 90 degrees.
 * @param {Point[]} places @param {boolean} isNarrow
 @returns {Point[]} */
function upright(places, isNarrow) {
  /** @param {0 | 1} axis */
  const reach = (axis) => {
    const all = places.map((place) => place[axis]);
    return Math.max(...all) - Math.min(...all);
  };
  return isNarrow && reach(0) > reach(1) ? places.map(([x, y]) => [-y, x]) : places;
}

/** @param {BoardData} board @returns {Point[]} */
function spreadPlaces(board) {
  const xs = board.places.map((place) => place[0]);
  const ys = board.places.map((place) => place[1]);
  const span = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)) || 1;
  return board.places.map(([x, y]) => [(x / span) * SPAN, (y / span) * SPAN]);
}

/**
 * A long straight line of vertices is folded like a snake, so that each stays large enough to hit.
 * @param {BoardData} board
 * @returns {Point[] | null}
 */
function foldedPlaces(board) {
  const ys = board.places.map((place) => place[1]);
  const xs = board.places.map((place) => place[0]);
  const isLine = Math.max(...ys) - Math.min(...ys) < 1e-6 && xs.every((x, i) => !i || x > xs[i - 1]);
  if (!isLine || board.vertices <= LONGEST_ROW) return null;
  const across = Math.ceil(Math.sqrt(board.vertices * 1.6));
  const step = SPAN / (across - 1);
  return xs.map((_, i) => {
    const row = Math.floor(i / across);
    const column = row % 2 ? across - 1 - (i % across) : i % across;
    return [column * step, row * step];
  });
}

/**
 * The distance between neighbouring vertices in the crowded parts.
 * @param {Point[]} places
 */
function usualDistance(places) {
  if (places.length < 2) return 200;
  const nearest = places.map(([x, y], i) => {
    let least = Infinity;
    for (let j = 0; j < places.length; j += 1) {
      if (j === i) continue;
      const [dx, dy] = [places[j][0] - x, places[j][1] - y];
      least = Math.min(least, dx * dx + dy * dy);
    }
    return Math.sqrt(least);
  });
  nearest.sort((a, b) => a - b);
  return nearest[Math.floor((nearest.length > 150 ? 0.45 : 0.15) * nearest.length)] || 20; // crowds may overlap a little
}

/** The vertices that have their names wherever the board is not near: all, or the largest. @param {BoardData} board */
function namedAlways({ labels, edges }) {
  const vertices = labels.map((_, vertex) => vertex);
  if (labels.length <= ALL_NAMED) return new Set(vertices);
  const degrees = labels.map(() => 0);
  for (const [tail, head] of edges) {
    degrees[tail] += 1;
    degrees[head] += 1;
  }
  return new Set(vertices.sort((a, b) => degrees[b] - degrees[a]).slice(0, MOST_NAMED));
}

/**
 * @param {BoardData} board @param {Point[]} places @param {number} radius @param {SVGGElement} layer
 * @param {number} most the largest size
 */
function drawLabels(board, places, radius, layer, most) {
  const size = Math.max(11, Math.min(0.62 * radius, most));
  layer.style.setProperty("--size", `${size.toFixed(1)}px`);
  const named = namedAlways(board);
  board.labels.forEach((label, vertex) => {
    const [x, y] = places[vertex];
    const short = label.length > 22 ? `${label.slice(0, 21)}…` : label;
    layer.append(
      s(
        "text",
        {
          x: x.toFixed(1),
          y: (y + radius + 2).toFixed(1),
          class: named.has(vertex) ? "label always" : "label",
        },
        short,
      ),
    );
  });
}
