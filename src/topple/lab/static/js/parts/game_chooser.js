/** Choose a game and its options. */

import { SHAPES } from "../board/pieces.js";
import { looksOf } from "../board/looks.js";
import { games } from "../state/catalogue.js";
import { formatSpec, parseSpec } from "../state/spec.js";
import { clear, h, s } from "./dom.js";
import { optionForm } from "./option_form.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export class GameChooser {
  /** @param {string} spec @param {(spec: string, game: GameData) => void} onChange */
  constructor(spec, onChange) {
    this.onChange = onChange;
    this.game = games()[0];
    this.spec = spec;
    this.cards = h("div", { class: "cards", role: "radiogroup", "aria-label": "Game" });
    this.options = h("div", {});
    this.element = h("div", { class: "stack" }, this.cards, this.options);
    this.cardList = games().map((game) => this.card(game));
    this.cards.append(...this.cardList);
    this.cards.addEventListener("keydown", (event) => this.key(event));
    const given = parseSpec(spec || games()[0].name);
    this.choose(games().find((game) => game.name === given.name) || games()[0], given.options);
  }

  /** @param {GameData} game */
  card(game) {
    return h(
      "button",
      {
        type: "button",
        class: "card",
        role: "radio",
        "data-game": game.name,
        onclick: () => this.choose(game, {}),
      },
      sketch(game),
      h("b", {}, game.title),
      h("small", {}, game.summary),
    );
  }

  /** @param {GameData} game @param {Texts} texts */
  choose(game, texts) {
    this.game = game;
    for (const card of this.cardList) {
      const isOn = card.dataset.game === game.name;
      card.setAttribute("aria-checked", String(isOn));
      card.setAttribute("tabindex", isOn ? "0" : "-1");
    }
    clear(this.options);
    if (game.options.length) {
      /** @param {Texts} changed */
      const change = (changed) => this.report(changed);
      this.options.append(
        h(
          "details",
          { open: Object.keys(texts).length > 0 },
          h("summary", {}, `Options of ${game.title}`),
          optionForm(game.options, texts, { free: game.free, onChange: change }),
        ),
      );
    }
    this.report(texts);
  }

  /** @param {Texts} texts */
  report(texts) {
    this.spec = formatSpec(this.game.name, texts);
    this.onChange(this.spec, this.game);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const all = games();
    const next = all[(all.indexOf(this.game) + step + all.length) % all.length];
    this.choose(next, {});
    this.cardList[all.indexOf(next)].focus();
  }
}

/**
 * The players' emblems, as a sign for a game.
 * @param {GameData} game
 */
export function sketch(game) {
  const looks = looksOf(game.name, game.players);
  const places = [
    [-9, -5],
    [9, 6],
  ];
  return s(
    "svg",
    { viewBox: "-24 -22 48 44", "aria-hidden": "true" },
    places.map(([x, y], player) =>
      s(
        "g",
        {
          class: `token player-${looks.colours[player] || "blue"}`,
          transform: `translate(${x} ${y}) scale(11)`,
        },
        s("path", { d: SHAPES[player], "vector-effect": "non-scaling-stroke" }),
      ),
    ),
  );
}
