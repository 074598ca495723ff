/** Tokens of three and more colours on one vertex: a sector for each, with the count and the colour's letter. */

import { s } from "../parts/dom.js";

/**
 * @param {SVGGElement} group @param {Holder[]} holders @param {Spot} spot @param {Looks} looks
 */
export function drawSectors(group, holders, spot, looks) {
  const radius = (looks.gauge ? 0.74 : 0.86) * spot.radius;
  const each = (2 * Math.PI) / holders.length;
  const far = (holders.length > 4 ? 0.66 : 0.55) * radius;
  const size = Math.min(0.62, 2.2 / holders.length + 0.08) * radius;
  holders.forEach(([player, count], i) => {
    const [from, to] = [i * each - Math.PI / 2, (i + 1) * each - Math.PI / 2];
    const middle = (from + to) / 2;
    const words = `${count}${looks.signs[player].toLowerCase()}`;
    group.append(
      s(
        "g",
        { class: `token sector player-${looks.colours[player] || "black"}` },
        s("path", { d: `M0 0L${on(radius, from)}A${radius} ${radius} 0 0 1 ${on(radius, to)}Z` }),
        s(
          "text",
          {
            x: (far * Math.cos(middle)).toFixed(1),
            y: (far * Math.sin(middle)).toFixed(1),
            "font-size": (words.length > 2 ? (size * 2.1) / words.length : size).toFixed(1),
          },
          words,
        ),
      ),
    );
  });
}

/** @param {number} radius @param {number} angle */
const on = (radius, angle) =>
  `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
