/** Choose a board: kinds with sliders, named networks, a file; with a live picture. */

import { upload } from "../api.js";
import { BoardView } from "../board/board.js";
import { looksOf } from "../board/looks.js";
import { findKind, games, kindsFor, limits } from "../state/catalogue.js";
import { formatSpec, parseSpec } from "../state/spec.js";
import { boardOf } from "../state/views.js";
import { clear, h, newId, quiet } from "./dom.js";
import { errorText } from "./notice.js";
import { optionForm } from "./option_form.js";

export class BoardChooser {
  /** @param {(board: BoardData | null) => void} [onChange] called with the chosen board, null while there is none */
  constructor(onChange = () => {}) {
    this.game = games()[0];
    this.gameSpec = this.game.name;
    this.spec = "";
    /** @type {BoardData | null} */
    this.board = null;
    this.isOffered = false; // whether the kinds that suit the game are
    this.onChange = onChange;
    this.id = newId("kind");
    this.select = h("select", {
      id: this.id,
      onchange: () => this.setSpec(this.exampleOf(this.select.value)),
    });
    this.meaning = h("small", {});
    this.options = h("div", {});
    this.message = h("p", { class: "faint", role: "status" });
    this.frame = h("div", { class: "setup-picture" });
    this.picture = new BoardView(this.frame, { isStill: true });
    this.file = h("input", {
      type: "file",
      class: "unseen",
      id: newId("file"),
      onchange: () => this.take(this.file.files?.[0]),
    });
    this.drop = h(
      "div",
      { class: "drop" },
      h("label", { class: "button", for: this.file.id }, "Open a graph file"),
      this.file,
      h("small", {}, "or drop one here: GraphML, GEXF, GML, CSV, TSV or node-link JSON"),
    );
    this.watchDrop();
    this.element = h(
      "div",
      { class: "setup-board" },
      h(
        "div",
        { class: "stack" },
        h(
          "div",
          { class: "field" },
          h("label", { for: this.id }, "Kind of board"),
          this.select,
          this.meaning,
        ),
        this.options,
        this.drop,
      ),
      h("div", { class: "stack" }, this.frame, this.message),
    );
    const look = quiet(140, () => this.look());
    this.draw = () => {
      this.board = null; // nothing starts on a board that is not there yet
      this.onChange(null);
      this.frame.classList.add("waiting");
      look();
    };
  }

  /**
   * Offer what suits a game; keep the board if it still does.
   * @param {string} gameSpec @param {GameData} game
   */
  setGame(gameSpec, game) {
    const isOther = !this.isOffered || this.game !== game;
    this.isOffered = true;
    this.gameSpec = gameSpec;
    this.game = game;
    if (isOther) {
      clear(
        this.select,
        kindsFor(game).map((kind) => h("option", { value: kind.name }, `${kind.name}: ${kind.meaning}`)),
      );
      this.setSpec(game.board);
    } else this.draw();
  }

  /** @param {string} name */
  exampleOf(name) {
    return parseSpec(this.game.board).name === name ? this.game.board : findKind(name)?.example || name;
  }

  /** @param {string} spec */
  setSpec(spec) {
    this.spec = spec;
    const { name, values, options } = parseSpec(spec);
    const kind = findKind(name);
    clear(this.options);
    if (!kind) {
      // a board that the server keeps
      if (!this.select.querySelector('option[value=""]'))
        this.select.append(h("option", { value: "" }, "your own network"));
      this.select.value = "";
      this.meaning.textContent = "";
    } else {
      this.select.value = name;
      this.meaning.textContent = `for example ${kind.example}`;
      const chosen = { ...options };
      if (values.length && kind.options.length) chosen[kind.options[0].name] = values[0];
      const form = optionForm(kind.options, chosen, {
        sliders: true,
        most: limits().vertices || 2000,
        onChange: (texts) => {
          this.spec = formatSpec(name, texts);
          this.draw();
        },
      });
      if (kind.options.length) this.options.append(form);
    }
    this.draw();
  }

  async look() {
    const { spec, gameSpec } = this;
    const isLate = () => spec !== this.spec || gameSpec !== this.gameSpec;
    this.message.classList.remove("error");
    try {
      const board = await boardOf(spec, gameSpec);
      if (isLate()) return;
      this.found(board);
    } catch (error) {
      if (isLate()) return;
      this.board = null;
      this.message.textContent = errorText(error);
      this.message.classList.add("error");
      this.onChange(null);
    }
    this.frame.classList.remove("waiting");
  }

  /** @param {BoardData} board */
  found(board) {
    this.board = board;
    const looks = { ...looksOf(this.gameSpec, this.game.players), gauge: null };
    this.picture.setBoard(board, looks);
    this.picture.showBorders([0, 1]);
    if (looks.letters && board.sides)
      this.picture.show([...board.sides].map((side) => [side === "L" ? 0 : 1, 0]));
    const what = board.directed ? "arcs" : "edges";
    const isHidden = this.gameSpec.includes("foresight=none");
    const changes = isHidden ? "" : changesText(board);
    const parts = [`${board.vertices} vertices, ${board.n_edges} ${what}.`, changes, ...board.notes];
    this.message.textContent = parts.filter(Boolean).join(" ");
    this.onChange(board);
  }

  watchDrop() {
    this.drop.addEventListener("dragover", (event) => {
      event.preventDefault();
      this.drop.classList.add("over");
    });
    this.drop.addEventListener("dragleave", () => this.drop.classList.remove("over"));
    this.drop.addEventListener("drop", (event) => {
      event.preventDefault();
      this.drop.classList.remove("over");
      this.take(event.dataTransfer?.files[0]);
    });
  }

  /** @param {File | undefined} file */
  async take(file) {
    if (!file) return;
    const most = limits().upload_bytes;
    this.message.classList.remove("error");
    try {
      if (most && file.size > most)
        throw new Error(`${file.name} is larger than ${Math.floor(most / 1e6)} MB.`);
      this.message.textContent = `Reading ${file.name} …`;
      this.board = null;
      this.onChange(null);
      const board = await upload(`/upload?name=${encodeURIComponent(file.name)}`, file);
      this.setSpec(board.board);
    } catch (error) {
      this.draw();
      this.message.textContent = errorText(error);
      this.message.classList.add("error");
    }
    this.file.value = "";
  }
}

/** How often the network of a board changes, and when first. @param {BoardData} board */
const changesText = ({ later }) =>
  later.length ? `${later.length + 1} networks; the second begins after ${later[0].ply} tokens.` : "";
