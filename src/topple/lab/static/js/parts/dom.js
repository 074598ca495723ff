/** Small helpers to make elements. Text is always set as text. */

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2).toLowerCase(), value);
    else if (name === "value") element.value = value;
    else if (
      name === "checked" ||
      name === "disabled" ||
      name === "selected" ||
      name === "hidden" ||
      name === "open"
    )
      element[name] = Boolean(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** An HTML element: `h("p", {class: "faint"}, "text", other)`; `onclick` and the like listen. */
export const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

/** The same for SVG. */
export const s = (name, attributes, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

export function clear(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  return element;
}

let lastId = 0;
export const newId = (word) => `${word}-${(lastId += 1)}`;

export const isMoving = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Call a function once things have been quiet for a while. */
export function quiet(milliseconds, action) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), milliseconds);
  };
}
