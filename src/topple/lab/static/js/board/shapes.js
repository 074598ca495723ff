/** A shape for each player beside the colour, around the origin, in a circle of radius 1. */

/** @param {number} corners */
function polygon(corners, turn = 0, stretch = 1) {
  const points = Array.from({ length: corners }, (_, i) => {
    const angle = turn + (i * 2 * Math.PI) / corners;
    return `${(stretch * Math.sin(angle)).toFixed(3)} ${(-stretch * Math.cos(angle)).toFixed(3)}`;
  });
  return `M${points.join("L")}Z`;
}

/** @param {number} points @param {number} inner */
function star(points, inner) {
  const corners = Array.from({ length: 2 * points }, (_, i) => {
    const [angle, far] = [(i * Math.PI) / points, i % 2 ? inner : 1.18];
    return `${(far * Math.sin(angle)).toFixed(3)} ${(-far * Math.cos(angle)).toFixed(3)}`;
  });
  return `M${corners.join("L")}Z`;
}

export const SHAPES = [
  "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0 -2 0Z", // circle
  polygon(4, 0, 1.22), // diamond
  polygon(4, Math.PI / 4, 1.2), // square
  polygon(3, 0, 1.28), // triangle
  polygon(5, 0, 1.12), // pentagon
  polygon(6, Math.PI / 6, 1.08), // hexagon
  star(6, 0.78),
  "M-.42 -1.08H.42V-.42H1.08V.42H.42V1.08H-.42V.42H-1.08V-.42H-.42Z", // cross
];
