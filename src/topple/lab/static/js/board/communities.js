/** The communities of a network: a hull behind the vertices of each, with its name. */

import { s } from "../parts/dom.js";

const TINTS = 6; // colours of hulls, which repeat
const MOST_NAMES = 24;
const ROOM = 1.45; // of a hull around its vertices, in their radius

/**
 * The vertices of each community by its name, in the order in which they first appear.
 * @param {string[]} communities @returns {Map<string, number[]>}
 */
export function membersOf(communities) {
  /** @type {Map<string, number[]>} */
  const members = new Map();
  communities.forEach((name, vertex) => members.set(name, [...(members.get(name) || []), vertex]));
  return members;
}

/** @param {string[]} communities @param {Point[]} places @param {number} radius @param {SVGGElement} layer */
export function drawHulls(communities, places, radius, layer) {
  const members = membersOf(communities);
  layer.style.setProperty("--size", `${Math.max(18, 0.6 * radius).toFixed(1)}px`);
  let tint = 0;
  for (const [name, vertices] of members) {
    const corners = hull(vertices.map((vertex) => places[vertex]));
    const top = corners.reduce((best, corner) => (corner[1] < best[1] ? corner : best));
    const d = `M${corners.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`;
    layer.append(
      s(
        "g",
        { class: `hull hull-${tint % TINTS}` },
        s("title", {}, `Community ${name}: ${vertices.length} vertices`),
        s("path", { d, "stroke-width": (2 * ROOM * radius).toFixed(1) }),
      ),
    );
    if (members.size <= MOST_NAMES)
      layer.append(
        s(
          "text",
          { class: "hull-name", x: top[0].toFixed(1), y: (top[1] - ROOM * radius - 4).toFixed(1) },
          name.length > 22 ? `${name.slice(0, 21)}…` : name,
        ),
      );
    tint += 1;
  }
}

/**
 * The convex hull of some points, by Andrew's monotone chain.
 * @param {Point[]} points @returns {Point[]}
 */
export function hull(points) {
  const sorted = [...points].sort(([x1, y1], [x2, y2]) => x1 - x2 || y1 - y2);
  if (sorted.length < 3) return sorted;
  return [...chain(sorted), ...chain(sorted.reverse())];
}

/** @param {Point[]} points @returns {Point[]} */
function chain(points) {
  /** @type {Point[]} */
  const found = [];
  for (const point of points) {
    while (found.length > 1 && turn(found[found.length - 2], found[found.length - 1], point) <= 0) found.pop();
    found.push(point);
  }
  return found.slice(0, -1);
}

/** @param {Point} a @param {Point} b @param {Point} c */
const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
