/** The layout of a network: vertices at the server's places, edges, arrows, labels. */

import { s } from "../parts/dom.js";

const SPAN = 1000; // the longer side of the picture
const MOST_LINES = 1500; // edges beyond this number are drawn as one path
const LONGEST_ROW = 12; // vertices of a line before it is folded

/** @param {BoardData} board @param {Looks} looks @param {boolean} isNarrow @returns {Layout} */
export function network(board, looks, isNarrow) {
  const places = upright(foldedPlaces(board) || spreadPlaces(board), isNarrow);
  const near = usualDistance(places);
  const radius = Math.max(5, Math.min(0.4 * near, 46));
  const spots = places.map(([x, y], vertex) => ({ vertex, x, y, isGhost: false }));
  const xs = places.map((place) => place[0]);
  const ys = places.map((place) => place[1]);
  const margin = radius * 1.3 + 14;
  const [x, y] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  const box = { x, y, width: Math.max(...xs) + margin - x, height: Math.max(...ys) + margin - y };
  return {
    kind: "network",
    spots,
    radius,
    box,
    body: () => s("circle", { r: radius, class: "body" }),
    behind: (layer) => drawEdges(board, places, radius, layer),
    labels: (layer) => drawLabels(board, places, radius, layer),
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

/**
 * Returns the drawn edges in the board's order, so that those of removed vertices can fade; null if they are one path.
 * @param {BoardData} board @param {Point[]} places @param {number} radius @param {SVGGElement} layer
 */
function drawEdges(board, places, radius, layer) {
  const paths = board.edges.map(([tail, head]) =>
    edgePath(places[tail], places[head], radius, board.directed),
  );
  const crowd = Math.min(1, 400 / Math.max(1, board.edges.length));
  layer.style.setProperty("--thick", `${(1 + 1.6 * crowd).toFixed(2)}px`);
  layer.setAttribute("opacity", Math.max(0.25, crowd ** 0.5).toFixed(2));
  if (paths.length > MOST_LINES) {
    layer.append(s("path", { d: paths.join(""), class: board.directed ? "edge arrow" : "edge" }));
    return null;
  }
  const drawn = paths.map((d) => s("path", { d, class: board.directed ? "edge arrow" : "edge" }));
  layer.append(...drawn);
  return drawn;
}

/** @param {Point} from @param {Point} to @param {number} radius @param {boolean} directed */
function edgePath([x1, y1], [x2, y2], radius, directed) {
  /** @param {number} x @param {number} y */
  const text = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  if (!directed) return `M${text(x1, y1)}L${text(x2, y2)}`;
  const long = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ax, ay] = [(x2 - x1) / long, (y2 - y1) / long];
  const size = Math.max(5, Math.min(0.5 * radius, 16));
  const [tipX, tipY] = [x2 - ax * (radius + 3), y2 - ay * (radius + 3)];
  const [backX, backY] = [tipX - ax * size, tipY - ay * size];
  const wing = 0.5 * size;
  return (
    `M${text(x1, y1)}L${text(backX, backY)}M${text(tipX, tipY)}L${text(backX - ay * wing, backY + ax * wing)}` +
    `L${text(backX + ay * wing, backY - ax * wing)}Z`
  );
}

/** @param {BoardData} board @param {Point[]} places @param {number} radius @param {SVGGElement} layer */
function drawLabels(board, places, radius, layer) {
  const size = Math.max(11, Math.min(0.62 * radius, 19));
  layer.style.setProperty("--size", `${size.toFixed(1)}px`);
  board.labels.forEach((label, vertex) => {
    const [x, y] = places[vertex];
    const short = label.length > 22 ? `${label.slice(0, 21)}…` : label;
    layer.append(
      s(
        "text",
        {
          x: x.toFixed(1),
          y: (y + radius + 2).toFixed(1),
          class: "label",
        },
        short,
      ),
    );
  });
}
