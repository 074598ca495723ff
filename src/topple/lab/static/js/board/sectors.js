/** Tokens of three and more colours on one vertex: a sector for each, with the count and the colour's letter. */

import { s } from "../parts/dom.js";

const FEW = 4; // sectors in which count and letter stand side by side

/**
 * @param {SVGGElement} group @param {Holder[]} holders @param {Spot} spot @param {Looks} looks
 */
export function drawSectors(group, holders, spot, looks) {
  const isFew = holders.length <= FEW;
  const radius = (isFew && looks.gauge ? 0.76 : 0.97) * spot.radius;
  const each = (2 * Math.PI) / holders.length;
  holders.forEach(([player, count], i) => {
    const [from, to] = [i * each - Math.PI / 2, (i + 1) * each - Math.PI / 2];
    /** @param {string} words @param {number} far @param {number} size */
    const write = (words, far, size) =>
      s(
        "text",
        {
          x: (far * radius * Math.cos((from + to) / 2)).toFixed(1),
          y: (far * radius * Math.sin((from + to) / 2)).toFixed(1),
          "font-size": (size * radius * Math.min(1, 2 / words.length)).toFixed(1),
        },
        words,
      );
    const letter = looks.signs[player].toLowerCase();
    group.append(
      s(
        "g",
        { class: `token sector player-${looks.colours[player] || "black"}` },
        s("path", { d: `M0 0L${on(radius, from)}A${radius} ${radius} 0 0 1 ${on(radius, to)}Z` }),
        isFew ? write(`${count}${letter}`, 0.56, 0.6) : [write(`${count}`, 0.76, 0.46), write(letter, 0.42, 0.32)],
      ),
    );
  });
}

/** @param {number} radius @param {number} angle */
const on = (radius, angle) =>
  `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
