/** Who holds which community: a table with vertices and tokens of each player. */

import { emblem } from "../board/pieces.js";
import { looksOf } from "../board/looks.js";
import { clear, h } from "./dom.js";
import { table } from "./table.js";

export class Holdings {
  constructor() {
    this.element = h("section", { class: "panel holdings", hidden: true, "aria-label": "Communities" });
  }

  /** @param {ViewData} view */
  show({ game, players, holdings }) {
    this.element.hidden = !holdings.length;
    if (!holdings.length) return;
    const looks = looksOf(game, players);
    /** @type {Column<HoldingData>[]} */
    const columns = [
      { name: "Community", words: true, value: ({ community, size }) => [community, h("small", {}, ` ${size}`)] },
      ...players.map((name, seat) => ({
        name: h("span", { title: name }, emblem(seat, looks), h("span", { class: "unseen" }, name)),
        title: name,
        value: (/** @type {HoldingData} */ holding) => share(holding, seat),
      })),
    ];
    clear(
      this.element,
      h("h2", {}, "Communities"),
      table(columns, holdings, { label: "Who holds which community" }),
      h("p", { class: "faint" }, "Vertices held, and tokens there in brackets."),
    );
  }
}

/** @param {HoldingData} holding @param {number} seat */
function share({ vertices, tokens }, seat) {
  const leads = vertices[seat] > 0 && vertices[seat] === Math.max(...vertices);
  return [leads ? h("b", {}, String(vertices[seat])) : String(vertices[seat]), h("small", {}, ` (${tokens[seat]})`)];
}
