/** The page to play on: board, players, moves, and setting up a new game. */

import { formatAddress, keepAddress, lineParams, readLine, visit } from "../address.js";
import { Desk } from "../board/desk.js";
import { looksOf } from "../board/looks.js";
import { button } from "../parts/buttons.js";
import { ask, openDialog } from "../parts/dialog.js";
import { clear, h } from "../parts/dom.js";
import { MoveList } from "../parts/move_list.js";
import { say, tellError } from "../parts/notice.js";
import { copyAddress, keepGame, saveFile } from "../parts/sharing.js";
import { findGame } from "../state/catalogue.js";
import { parseTime } from "../state/clock.js";
import { winnerBy } from "../state/ending.js";
import { Line } from "../state/line.js";
import { set } from "../state/settings.js";
import { viewOf } from "../state/views.js";
import { PlayGame } from "./game.js";
import { Setup } from "./setup.js";
import { aboutText, PlayerCards, Thinking } from "./side.js";
import { Starting, usualStart } from "./starting.js";

const TICK = 200; // milliseconds between two looks at the clocks

let remembered = null; // the line that was played last, so that leaving the page ends no game

/** Open what the address says; without a game, the one that was under way, or one to begin at once. */
export async function openPage(main, params) {
  const given = readLine(params) || remembered || { ...usualStart(), moves: [], at: 0, ending: null };
  const page = new PlayPage(main, given);
  await page.begin();
  return page;
}

function start({ game, board, players, time }) {
  set("last", { game, board, players, time });
  visit("play", lineParams({ game, board, moves: [], players, time }));
}

class PlayPage {
  constructor(main, given) {
    this.given = given;
    this.line = new Line(given.game, given.board || (findGame(given.game) || {}).board || "");
    this.desk = new Desk({ onPlay: (move) => this.game.play(move), onWalk: (step) => this.game.walk(step) });
    this.desk.onOthers = (moves) => this.showOthers(moves);
    this.game = new PlayGame(this.desk, this.line, given.players, {
      time: parseTime(given.time),
      onChange: () => this.show(),
      onError: tellError,
    });
    this.cards = new PlayerCards();
    this.thinking = new Thinking(() => this.game);
    this.starting = new Starting();
    this.moves = new MoveList((node) => {
      this.line.go(node);
      this.game.show({ isAnimated: false });
    });
    this.status = h("p", { class: "status" });
    this.title = h("h1", { class: "game-title" });
    this.about = h("p", { class: "game-board" });
    this.others = h("div", { class: "row others" });
    this.side = h(
      "aside",
      { class: "side waiting", "aria-label": "Game" },
      h(
        "div",
        { class: "panel stack" },
        this.title,
        this.about,
        this.cards.element,
        this.status,
        this.thinking.element,
        this.others,
        this.buttons(),
      ),
      this.starting.element,
      h("div", { class: "panel" }, h("h2", {}, "Moves"), this.moves.element, this.shares()),
    );
    clear(main, h("div", { class: "table" }, this.desk.element, this.side));
    this.title.textContent = "One moment …";
    this.timer = setInterval(() => this.tick(), TICK);
    this.told = "";
  }

  async begin() {
    const { moves, at, ending } = this.given;
    const kept = history.state;
    const view = await viewOf(this.line.game, this.line.board, moves);
    this.line.go(this.line.follow(view.moves));
    this.line.goTo(at);
    this.game.view = view;
    this.game.ending = ending;
    await this.game.show({ isAnimated: false });
    if (kept && kept.used && this.game.clock) this.game.clock.used = kept.used;
  }

  tick() {
    this.game.checkTime();
    this.cards.tick(this.game.clock);
    if (this.game.isThinking && !this.game.thought) this.thinking.show(this.game);
  }

  buttons() {
    this.undo = button("Undo", () => this.game.undo(), { symbol: "undo" });
    this.resign = button("Resign", () => this.askResign(), { symbol: "flag" });
    this.fresh = button("New game", () => this.openSetup(), { symbol: "plus" });
    this.again = button("Play again", () => start(this.whole()), { kind: "main" });
    this.analyse = h("a", { class: "button", href: "#analyse" }, "Analyse");
    return h("div", { class: "row buttons" }, this.again, this.undo, this.resign, this.fresh, this.analyse);
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

  /** The whole line with who plays and where one stands. */
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
      title: game.view && game.view.title,
    };
  }

  show() {
    const { game, desk } = this;
    const view = desk.view || game.view;
    if (!view) return;
    const byRules = view.result ? view.result.winner : null;
    const winner = game.ending ? winnerBy(game.ending, view.players) : byRules;
    this.side.classList.remove("waiting");
    this.title.textContent = view.title;
    this.about.textContent = aboutText(view, this.game.time);
    this.cards.show(view, game.players, {
      thinking: game.isThinking ? game.view.player : null,
      winner: this.line.isAtEnd ? winner : null,
      isTimed: Boolean(game.time),
    });
    this.cards.tick(game.clock);
    this.status.textContent = this.line.isAtEnd
      ? game.statusText
      : `Move ${view.ply} of ${this.line.end.ply}. Go to the end to play on.`;
    this.status.classList.toggle("over", game.isOver);
    this.thinking.show(game);
    this.starting.show(view, game.players, this.given.time);
    this.moves.show(this.line, { looks: looksOf(view.game, view.players) });
    this.undo.disabled = !this.line.end.ply;
    this.resign.hidden = game.isOver;
    this.again.hidden = !game.isOver;
    const params = lineParams(this.whole());
    this.analyse.href = formatAddress("analyse", params);
    keepAddress("play", params, { used: game.clock ? game.clock.used : null });
    remembered = this.whole();
    this.tell(view);
  }

  /** Tell each move once to those who hear the page. */
  tell(view) {
    const last = view.moves[view.moves.length - 1];
    const words = last
      ? `${view.players[last.player]} plays ${last.text}. ${this.game.statusText}. ${view.headline}`
      : this.game.statusText;
    if (words === this.told || !this.line.isAtEnd) return;
    this.told = words;
    say(words);
  }

  showOthers(moves) {
    const shown = this.game.isPersonsTurn ? moves : [];
    clear(
      this.others,
      shown.map((move) =>
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
    this.desk.close();
  }
}
