/** Small helpers to make elements. Text is always set as text. */

const SVG = "http://www.w3.org/2000/svg";
const FLAGS = new Set(["checked", "disabled", "selected", "hidden", "open"]);

/**
 * @template {Element} T
 * @param {T} element
 * @param {Attributes | null | undefined} attributes
 * @param {Child[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2).toLowerCase(), value);
    else if (name === "value" || FLAGS.has(name)) Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...flat(children, (child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * The wanted children of nested lists.
 * @param {Child[]} children
 * @param {(child: Child) => boolean} isWanted
 */
function flat(children, isWanted) {
  const all = /** @type {any[]} */ (children).flat(Infinity); // its type would be infinitely deep
  return /** @type {(Node | string)[]} */ (all.filter(isWanted));
}

/**
 * An HTML element: `h("p", {class: "faint"}, "text", other)`; `onclick` and the like listen.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name
 * @param {Attributes | null} [attributes]
 * @param {...Child} children
 */
export const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} name
 * @param {Attributes | null} [attributes]
 * @param {...Child} children
 */
export const s = (name, attributes, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

/**
 * Give an element other children.
 * @template {Element} T
 * @param {T} element
 * @param {...Child} children
 */
export function clear(element, ...children) {
  element.replaceChildren(...flat(children, Boolean));
  return element;
}

/** A part of the page that index.html has. @param {string} id */
export const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

let lastId = 0;
/** @param {string} word */
export const newId = (word) => `${word}-${(lastId += 1)}`;

export const isMoving = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Call a function once nothing has called for it for a while.
 * @param {number} milliseconds
 * @param {() => void} action
 */
export function quiet(milliseconds, action) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
}
