/** The page to play on: board, players, moves, and setting up a new game. */

import { formatAddress, keepAddress, lineParams, readLine, visit } from "../address.js";
import { BoardPanel } from "../board/board_panel.js";
import { looksOf } from "../board/looks.js";
import { button } from "../parts/buttons.js";
import { ask, openDialog } from "../parts/dialog.js";
import { clear, h } from "../parts/dom.js";
import { Holdings } from "../parts/holdings.js";
import { MoveList } from "../parts/move_list.js";
import { say, showError } from "../parts/notice.js";
import { openRules } from "../parts/rules.js";
import { copyAddress, keepGame, saveFile } from "../parts/sharing.js";
import { findGame } from "../state/catalogue.js";
import { parseTime } from "../state/clock.js";
import { lastText } from "../state/draws.js";
import { winnersBy } from "../state/ending.js";
import { Line } from "../state/line.js";
import { set } from "../state/settings.js";
import { PlayGame } from "./game.js";
import { Setup } from "./setup.js";
import { aboutText, PlayerCards, ThoughtPanel } from "./side.js";
import { StartPanel, usualStart } from "./start_panel.js";

const TICK = 200; // milliseconds between two looks at the clocks

/** @type {FullLine | null} */
let remembered = null; // the line that was played last, so that leaving the page ends no game

/**
 * Open the line of the address; without one, the last game played here, or a new one.
 * @param {HTMLElement} main @param {Record<string, string>} params
 */
export async function openPage(main, params) {
  const given = readLine(params) || remembered || { ...usualStart(), moves: [], at: 0, ending: null };
  const page = new PlayPage(main, given);
  await page.begin();
  return page;
}

/** @param {import("../state/settings.js").GameChoice} choice */
function start({ game, board, players, time }) {
  set("last", { game, board, players, time });
  visit("play", lineParams({ game, board, moves: [], players, time }));
}

/** Shows the state of a `PlayGame` after each of its events, and calls its actions for what a person does. */
class PlayPage {
  /** @param {HTMLElement} main @param {FullLine} given */
  constructor(main, given) {
    this.given = given;
    this.line = new Line(given.game, given.board || (findGame(given.game) || { board: "" }).board);
    const game = new PlayGame(this.line, given.players, parseTime(given.time));
    this.game = game;
    game.addEventListener("position", () => this.showPosition());
    game.addEventListener("move", () => this.panel.expect(this.line.here.vertex));
    game.addEventListener("change", () => this.show());
    game.addEventListener("error", (event) => showError(/** @type {CustomEvent} */ (event).detail));
    this.panel = new BoardPanel({
      onPlay: (move) => game.play(move),
      onWalk: (step) => game.walk(step),
      onOthers: (moves) => this.showOthers(moves),
    });
    this.cards = new PlayerCards();
    this.thinking = new ThoughtPanel(game);
    this.holdings = new Holdings();
    this.starting = new StartPanel();
    this.moves = new MoveList(
      (node) => game.goTo(node),
      (vertex) => this.panel.light(vertex),
    );
    this.status = h("p", { class: "status" });
    this.title = h("h1", { class: "game-title" });
    this.rules = button("Rules", () => openRules(this.line.game), { kind: "quiet", symbol: "book" });
    this.about = h("p", { class: "game-board" });
    this.undo = button("Undo", () => this.game.undo(), { symbol: "undo" });
    this.resign = button("Resign", () => this.askResign(), { symbol: "flag" });
    this.fresh = button("New game", () => this.openSetup(), { symbol: "plus" });
    this.again = button("Play again", () => start(this.whole()), { kind: "main" });
    this.analyse = h("a", { class: "button", href: "#analyse" }, "Analyse");
    this.others = h("div", { class: "row others" });
    this.side = h(
      "aside",
      { class: "side waiting", "aria-label": "Game" },
      h(
        "div",
        { class: "panel stack" },
        h("div", { class: "row spread title-row" }, this.title, this.rules),
        this.about,
        this.cards.element,
        this.status,
        this.thinking.element,
        this.others,
        h("div", { class: "row buttons" }, this.again, this.undo, this.resign, this.fresh, this.analyse),
      ),
      this.starting.element,
      this.holdings.element,
      h("div", { class: "panel" }, h("h2", {}, "Moves"), this.moves.element, this.shares()),
    );
    clear(main, h("div", { class: "table" }, this.panel.element, this.side));
    this.title.textContent = "One moment …";
    this.timer = setInterval(() => this.tick(), TICK);
    this.said = "";
  }

  async begin() {
    const saved = history.state; // after a reload
    await this.game.begin(this.given, saved && saved.used);
  }

  tick() {
    this.game.checkTime();
    this.cards.tick(this.game.clock);
    if (this.game.isThinking && !this.game.thought) this.thinking.show(this.game);
  }

  shares() {
    return h(
      "div",
      { class: "row tight shares" },
      button("Copy address", () => copyAddress("play", this.whole()), { kind: "quiet", symbol: "copy" }),
      button("Save file", () => saveFile(this.whole()), { kind: "quiet", symbol: "save" }),
      button("Keep", () => keepGame(this.whole()), { kind: "quiet", symbol: "star" }),
    );
  }

  /** The whole line with the players and the ply that is shown. @returns {FullLine} */
  whole() {
    const { line, game } = this;
    return {
      game: line.game,
      board: line.board,
      moves: line.moves(line.end),
      at: line.here.ply,
      players: game.players,
      time: this.given.time,
      ending: game.ending,
      title: game.view ? game.view.title : undefined,
    };
  }

  /** Whether the page is still there: one that was left while it loaded must not change the address. */
  get isShown() {
    return this.side.isConnected;
  }

  /** Show the game's position, and report when it is on the board. */
  async showPosition() {
    const { position } = this.game;
    if (!position || !this.isShown) return;
    this.keep(); // before the steps of the move are shown, since they say what was drawn
    try {
      if (await this.panel.show(position.view, position.before, position)) this.game.arrive(position);
    } catch (error) {
      this.game.refuse(error);
    }
  }

  /** Show all that is not the position itself. */
  show() {
    const { game, panel } = this;
    const view = panel.view || game.view;
    if (!view || !this.isShown) return;
    panel.mark(game.isPersonsTurn && game.view ? game.view.legal : null);
    const byRules = view.result ? view.result.winners : [];
    const winners = game.ending ? winnersBy(game.ending, view.players) : byRules;
    this.side.classList.remove("waiting");
    this.title.textContent = view.title;
    this.about.textContent = aboutText(view, panel.board.board, game.time);
    this.cards.show(view, game.players, {
      thinking: game.isThinking ? game.player : null,
      winners: this.line.isAtEnd ? winners : [],
      isTimed: Boolean(game.time),
    });
    this.cards.tick(game.clock);
    this.status.textContent = this.line.isAtEnd
      ? game.statusText
      : `Move ${view.ply} of ${this.line.end.ply}. Go to the end to play on.`;
    this.status.classList.toggle("over", game.isOver);
    panel.announce(this.line.isAtEnd && game.isOver ? game.statusText : "", winners);
    this.thinking.show(game);
    this.holdings.show(view);
    this.starting.show(view, game.players, this.given.time);
    this.moves.show(this.line, { looks: looksOf(view.game, view.players) });
    this.undo.disabled = !this.line.end.ply;
    this.resign.hidden = game.isOver;
    this.again.hidden = !game.isOver;
    this.keep();
    this.sayMove(view);
  }

  /** Let the address have the whole line. */
  keep() {
    remembered = this.whole();
    const params = lineParams(remembered);
    this.analyse.href = formatAddress("analyse", params);
    keepAddress("play", params, { used: this.game.clock.used });
  }

  /**
   * Announce each move once to screen readers.
   * @param {ViewData} view
   */
  sayMove(view) {
    const last = view.moves[view.moves.length - 1];
    const words = last
      ? `${view.players[last.player]} plays ${lastText(view)}. ${this.game.statusText}. ${view.headline}`
      : this.game.statusText;
    if (words === this.said || !this.line.isAtEnd) return;
    this.said = words;
    say(words);
  }

  /** @param {LegalMove[]} moves */
  showOthers(moves) {
    clear(
      this.others,
      moves.map((move) =>
        button(move.text === "swap-pieces" ? "Swap sides" : move.text, () => this.game.play(move), {
          kind: "main",
          symbol: "swap",
        }),
      ),
    );
  }

  async askResign() {
    if (
      await ask("Resign this game?", "The other side wins.", [
        ["Play on", false],
        ["Resign", true, "main"],
      ])
    )
      this.game.resign();
  }

  openSetup() {
    const setup = new Setup(this.whole(), (chosen) => {
      dialog.close();
      start(chosen);
    });
    const dialog = openDialog("New game", setup.element, { foot: [setup.start] });
  }

  close() {
    clearInterval(this.timer);
    this.game.close();
    this.panel.close();
  }
}
