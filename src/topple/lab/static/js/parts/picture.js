/**
 * Pictures that the server drew. They are shown as images, so scripts in them cannot run; their plain colours
 * follow the page's, light or dark.
 */

import { h } from "./dom.js";

/**
 * The colours of topple's charts, and the page's colours that replace them.
 * @type {Record<string, string>}
 */
const FOLLOWING = {
  "#22303f": "--ink",
  "#6b7783": "--faint",
  "#ffffff": "--paper",
  "#d5dbe1": "--grid",
  "#d9dfe5": "--pale",
  "#9aa6b2": "--wire",
  "#e8eef4": "--vertex",
};
const DRAWN = new RegExp(Object.keys(FOLLOWING).join("|"), "gi");

const shown = new Set(); // pictures on the page, drawn again when its colours change

/** @param {string} svg @param {string} caption */
export function picture(svg, caption) {
  const image = h("img", { alt: caption });
  const figure = h("figure", { class: "picture" }, image, caption && h("figcaption", {}, caption));
  const draw = () => {
    const address = URL.createObjectURL(new Blob([recoloured(svg)], { type: "image/svg+xml" }));
    image.onload = () => URL.revokeObjectURL(address);
    image.src = address;
  };
  shown.add({ figure, draw });
  draw();
  return figure;
}

/** @param {string} svg */
function recoloured(svg) {
  const page = getComputedStyle(document.documentElement);
  return svg.replace(DRAWN, (colour) => page.getPropertyValue(FOLLOWING[colour.toLowerCase()]).trim());
}

document.addEventListener("colours", () => {
  for (const each of shown) {
    if (each.figure.isConnected) each.draw();
    else shown.delete(each); // its page is gone
  }
});
