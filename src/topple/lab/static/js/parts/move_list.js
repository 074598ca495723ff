/** The moves of a line, with branches; the one where one stands is marked. */

import { h } from "./dom.js";

export class MoveList {
  constructor(onGo) {
    this.onGo = onGo;
    this.element = h("div", { class: "moves", role: "group", "aria-label": "Moves" });
  }

  /** `notes` by node id: `{symbol, text}` for mistakes. */
  show(line, { notes = new Map(), looks = null } = {}) {
    this.line = line;
    this.notes = notes;
    this.looks = looks;
    const start = this.button(line.root, "Start");
    this.element.replaceChildren(start, ...this.branch(line.root));
    const here = this.element.querySelector("[aria-current]");
    if (here) keepInSight(this.element, here);
  }

  /** The moves behind a node: the main one, then the other branches in brackets. */
  branch(node) {
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

  button(node, text = "") {
    const isHere = node === this.line.here;
    const note = this.notes.get(node.id);
    const colour = this.looks && node.player !== null ? `player-${this.looks.colours[node.player]}` : "";
    return h(
      "button",
      {
        type: "button",
        class: `move ${colour} ${note ? "noted" : ""}`,
        "aria-current": isHere ? "true" : null,
        title: note ? note.text : null,
        onclick: () => this.onGo(node),
      },
      node.ply ? h("span", { class: "ply" }, `${node.ply}`) : null,
      text || node.text || `move ${node.move}`,
      note ? ` ${note.symbol}` : "",
    );
  }
}

function keepInSight(box, item) {
  const [outer, inner] = [box.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top + 8;
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 8;
}
