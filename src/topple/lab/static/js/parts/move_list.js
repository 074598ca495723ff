/** The moves of a line, with branches; the one that is shown is marked. */

import { h } from "./dom.js";

export class MoveList {
  /**
   * @param {(node: LineNode) => void} onGo
   * @param {(vertex: number | null) => void} [onPoint] called with the vertex of the move that is pointed at, null for none
   */
  constructor(onGo, onPoint = () => {}) {
    this.onGo = onGo;
    this.onPoint = onPoint;
    /** @type {LineNode | null} */
    this.here = null;
    /** @type {Map<number, Note>} */
    this.notes = new Map();
    /** @type {Looks | null} */
    this.looks = null;
    this.element = h("div", { class: "moves", role: "group", "aria-label": "Moves" });
  }

  /**
   * `notes` by node id: `{symbol, text}` for mistakes.
   * @param {Line} line @param {{notes?: Map<number, Note>, looks?: Looks | null}} [options]
   */
  show(line, { notes = new Map(), looks = null } = {}) {
    this.here = line.here;
    this.notes = notes;
    this.looks = looks;
    this.onPoint(null);
    const start = this.button(line.root, "Start");
    this.element.replaceChildren(start, ...this.branch(line.root));
    const here = this.element.querySelector("[aria-current]");
    if (here) keepInSight(this.element, here);
  }

  /**
   * The moves behind a node: the main one, then the other branches in brackets.
   * @param {LineNode} node
   * @returns {HTMLElement[]}
   */
  branch(node) {
    /** @type {HTMLElement[]} */
    const shown = [];
    let each = node;
    while (each.children.length) {
      const [main, ...others] = each.children;
      shown.push(this.button(main));
      for (const other of others) {
        shown.push(h("span", { class: "branch" }, "(", this.button(other), ...this.branch(other), ")"));
      }
      each = main;
    }
    return shown;
  }

  /** @param {LineNode} node @param {string} [text] */
  button(node, text = "") {
    const isHere = node === this.here;
    const note = this.notes.get(node.id);
    const colour = this.looks && node.player !== null ? `player-${this.looks.colours[node.player]}` : "";
    return h(
      "button",
      {
        type: "button",
        class: `move ${colour} ${note ? "noted" : ""}`,
        "data-sign": this.looks && node.player !== null ? this.looks.signs[node.player] : null,
        "aria-current": isHere ? "true" : null,
        title: note ? note.text : node.draw ? `drawn: ${node.draw}` : null,
        onclick: () => this.onGo(node),
        onpointerenter: () => this.onPoint(node.vertex),
        onpointerleave: () => this.onPoint(null),
        onfocus: () => this.onPoint(node.vertex),
        onblur: () => this.onPoint(null),
      },
      node.ply ? h("span", { class: "ply" }, `${node.ply}`) : null,
      text || node.text || `move ${node.move}`,
      note ? ` ${note.symbol}` : "",
    );
  }
}

/** @param {Element} box @param {Element} item */
function keepInSight(box, item) {
  const [outer, inner] = [box.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top + 8;
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 8;
}
