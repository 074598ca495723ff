/** Choose a board: kinds with sliders, named networks, a file; with a live picture. */

import { get, upload } from "../api.js";
import { BoardView } from "../board/board.js";
import { looksOf } from "../board/looks.js";
import { findKind, games, kindsFor, limits } from "../state/catalogue.js";
import { formatSpec, parseSpec } from "../state/spec.js";
import { boardOf } from "../state/views.js";
import { clear, h, newId, quiet } from "./dom.js";
import { errorText, showError } from "./notice.js";
import { optionForm } from "./option_form.js";

const KEPT = "kept:"; // begins the text of a network that the server keeps
const UNNAMED = "your own network"; // until its name is known

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
    this.own = h("optgroup", { label: "Your own networks" });
    this.listOwn();
    this.meaning = h("small", {});
    this.options = h("div", {});
    this.message = h("p", { class: "faint", role: "status" });
    this.refusal = h("p", { class: "error", role: "alert", hidden: true });
    this.n_choices = 0; // a file that is still being read is dropped when something else is chosen
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
      h("div", { class: "stack" }, this.frame, this.message, this.refusal),
    );
    const look = quiet(140, () => this.look());
    this.draw = () => {
      if (!this.spec) return; // a file was refused: there is nothing to look at until a board is chosen
      this.wait();
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
        this.own,
      );
      this.setSpec(game.board);
    } else this.draw();
  }

  /** @param {string} name */
  exampleOf(name) {
    if (name.startsWith(KEPT)) return name;
    return parseSpec(this.game.board).name === name ? this.game.board : findKind(name)?.example || name;
  }

  /** Nothing starts on a board that is not there yet. */
  wait() {
    this.board = null;
    this.onChange(null);
    this.refusal.hidden = true;
    this.frame.classList.remove("refused");
    this.frame.classList.add("waiting");
  }

  /** Say why there is no board, and show none. @param {unknown} error */
  refuse(error) {
    this.board = null;
    this.onChange(null);
    this.frame.classList.remove("waiting");
    this.frame.classList.add("refused");
    this.message.textContent = "";
    this.refusal.textContent = errorText(error);
    this.refusal.hidden = false;
  }

  /** @param {string} spec */
  setSpec(spec) {
    this.n_choices += 1;
    this.spec = spec;
    const { name, values, options } = parseSpec(spec);
    const kind = findKind(name);
    if (spec.startsWith(KEPT)) this.addOwn({ board: spec, name: UNNAMED });
    this.showKind(kind ? name : spec.startsWith(KEPT) ? spec : "");
    if (kind) {
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

  /** The networks that were opened before, to be chosen again. */
  async listOwn() {
    try {
      for (const kept of /** @type {KeptBoardData[]} */ (await get("/boards"))) this.addOwn(kept);
    } catch (error) {
      showError(error);
    }
    if (this.spec.startsWith(KEPT)) this.select.value = this.spec;
  }

  /** @param {KeptBoardData} kept */
  addOwn({ board, name }) {
    const known = [...this.own.children].find((option) => /** @type {HTMLOptionElement} */ (option).value === board);
    if (!known) this.own.append(h("option", { value: board }, name));
    else if (name !== UNNAMED) known.textContent = name;
  }

  /** Choose a kind or a network in the list, or none. @param {string} name */
  showKind(name) {
    clear(this.options);
    this.meaning.textContent = "";
    if (!name && !this.select.querySelector('option[value=""]'))
      this.select.append(h("option", { value: "", disabled: true }, "no board yet"));
    this.select.value = name;
  }

  async look() {
    const { spec, gameSpec } = this;
    if (!spec) return;
    const isLate = () => spec !== this.spec || gameSpec !== this.gameSpec;
    try {
      const board = await boardOf(spec, gameSpec);
      if (!isLate()) this.found(board);
    } catch (error) {
      if (!isLate()) this.refuse(error);
    }
  }

  /** @param {BoardData} board */
  found(board) {
    this.board = board;
    this.frame.classList.remove("waiting");
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
    this.n_choices += 1;
    const choice = this.n_choices;
    const isLate = () => choice !== this.n_choices;
    this.spec = "";
    this.wait();
    this.showKind("");
    this.message.textContent = `Reading ${file.name} …`;
    const most = limits().upload_bytes;
    try {
      if (most && file.size > most)
        throw new Error(`${file.name} is larger than ${Math.floor(most / 1e6)} MB.`);
      const board = await upload(`/upload?name=${encodeURIComponent(file.name)}`, file);
      this.addOwn({ board: board.board, name: board.spec });
      if (!isLate()) this.setSpec(board.board);
    } catch (error) {
      if (!isLate()) this.refuse(error);
    }
    this.file.value = "";
  }
}

/** How often the network of a board changes, and when first. @param {BoardData} board */
const changesText = ({ later }) =>
  later.length ? `${later.length + 1} networks; the second begins after ${later[0].ply} tokens.` : "";
