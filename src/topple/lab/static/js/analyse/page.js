/** The page to analyse on: any line of play with branches, agents, exact values, the course of a game. */

import { formatAddress, keepAddress, lineParams, readLine } from "../address.js";
import { Desk } from "../board/desk.js";
import { looksOf } from "../board/looks.js";
import { button } from "../parts/buttons.js";
import { clear, h } from "../parts/dom.js";
import { MoveList } from "../parts/move_list.js";
import { say, tellError } from "../parts/notice.js";
import { aboutText, PlayerCards } from "../play/side.js";
import { findGame, games } from "../state/catalogue.js";
import { endingText, winnerBy } from "../state/ending.js";
import { Line } from "../state/line.js";
import { seated } from "../state/players.js";
import { set, setting } from "../state/settings.js";
import { viewOf } from "../state/views.js";
import { Engine } from "./engine.js";
import { Review } from "./review.js";
import { Solver } from "./solver.js";
import { branchTools, positionTools, shareTools } from "./tools.js";

let remembered = null; // the last line with its branches, so that leaving the page loses none

export async function openPage(main, params) {
  let given = readLine(params);
  if (!given && remembered)
    given = {
      ...remembered.given,
      moves: remembered.line.moves(remembered.line.end),
      at: remembered.line.here.ply,
    };
  if (!given)
    given = { game: games()[0].name, board: games()[0].board, moves: [], at: 0, players: [], ending: null };
  const page = new AnalysePage(main, given);
  await page.begin();
  return page;
}

class AnalysePage {
  constructor(main, given) {
    this.given = given;
    this.line = this.lineFor(given);
    this.view = null;
    this.desk = new Desk({ onPlay: (move) => this.playMove(move), onWalk: (step) => this.walk(step) });
    this.desk.onLaid = () => this.showHeat();
    this.desk.onOthers = (moves) =>
      clear(
        this.others,
        moves.map((move) => button(move.text, () => this.playMove(move), { symbol: "swap" })),
      );
    this.others = h("div", { class: "row others" });
    this.cards = new PlayerCards();
    this.moves = new MoveList((node) => this.goToNode(node));
    this.status = h("p", { class: "status" });
    this.title = h("h1", { class: "game-title" });
    this.about = h("p", { class: "game-board" });
    this.engines = h("div", { class: "engines" });
    this.agreement = h("p", { class: "tag agreement", hidden: true, role: "status" });
    this.list = [new Engine(this, "First agent", setting("agent"), (spec) => set("agent", spec))];
    this.solver = new Solver(this);
    this.review = new Review(this);
    if (setting("hasSecond")) this.addSecond();
    this.side = h(
      "aside",
      { class: "side", "aria-label": "Analysis" },
      h(
        "div",
        { class: "panel stack" },
        this.title,
        this.about,
        this.cards.element,
        this.status,
        this.others,
        positionTools(this),
      ),
      this.agreement,
      this.engines,
      h(
        "div",
        { class: "panel" },
        h("h2", {}, "Moves"),
        this.moves.element,
        branchTools(this),
        shareTools(this),
      ),
      this.solver.element,
    );
    clear(
      main,
      h(
        "div",
        { class: "table analyse" },
        h("div", { class: "stack" }, this.desk.element, this.review.element),
        this.side,
      ),
    );
    this.showEngines();
  }

  /** The remembered tree, where the address leads into it. */
  lineFor({ game, board, moves }) {
    const known = remembered && remembered.line;
    if (known && known.game === game && known.board === board && known.find(moves)) return known;
    return new Line(game, board || (findGame(game) || {}).board || "");
  }

  async begin() {
    const { moves, at } = this.given;
    const view = await viewOf(this.line.game, this.line.board, moves);
    this.given.last = this.line.go(this.line.follow(view.moves));
    this.line.goTo(at);
    remembered = { given: this.given, line: this.line };
    await this.show({ isAnimated: false });
    this.review.findAgain().catch(tellError);
  }

  get agent() {
    return this.list[0].chooser.spec;
  }

  get canThink() {
    return Boolean(this.view && !this.view.over);
  }

  async show({ isAnimated = true } = {}) {
    try {
      for (const engine of this.list) engine.moved();
      this.solver.moved();
      const view = await this.desk.show(this.line, { isAnimated });
      if (!view) return;
      this.view = view;
      this.showAll();
      for (const engine of this.list) engine.moved();
      this.solver.show();
    } catch (error) {
      tellError(error);
      if (this.view && this.line.here.ply > this.view.ply) {
        // a move that the server refuses
        this.line.cut(this.line.here);
        this.show({ isAnimated: false });
      }
    }
  }

  showAll() {
    const { view, line } = this;
    const players = seated(this.given.players, view.players.length);
    this.title.textContent = view.title;
    const ending = line.here === this.given.last && !view.over ? this.given.ending : null;
    const winner = ending ? winnerBy(ending, view.players) : view.result ? view.result.winner : null;
    this.about.textContent = aboutText(view);
    this.cards.show(view, players, { winner });
    this.status.textContent = view.over ? view.result.text : `${view.players[view.player]} to move`;
    if (ending) this.status.textContent = endingText(ending, view.players);
    this.review.show();
    this.showNotes();
    const params = lineParams(this.whole());
    keepAddress("analyse", params);
    this.playOn.href = formatAddress(
      "play",
      lineParams({ ...this.whole(), moves: line.moves(), at: undefined, ending: null }),
    );
    const last = view.moves[view.moves.length - 1];
    say(`${last ? `${view.ply}. ${last.text}. ` : "Start. "}${this.status.textContent}. ${view.headline}`);
  }

  showNotes() {
    if (this.view)
      this.moves.show(this.line, {
        notes: this.review.notes(),
        looks: looksOf(this.view.game, this.view.players),
      });
  }

  playMove(move) {
    if (!this.view || this.view.over) return;
    this.desk.block(); // nothing else is played until the answer is there
    this.line.play({ move: move.move, text: move.text, vertex: move.vertex, player: this.view.player });
    this.show();
  }

  /** Follow a variation to its end; who moves is learnt from the last view. */
  async playMoves(moves) {
    try {
      const view = await viewOf(this.line.game, this.line.board, [
        ...this.line.moves(),
        ...moves.map((each) => each.move),
      ]);
      this.line.go(this.line.follow(view.moves));
      this.show();
    } catch (error) {
      tellError(error);
    }
  }

  goToNode(node) {
    this.line.go(node);
    this.show({ isAnimated: false });
  }

  walk(step) {
    const { line } = this;
    const before = line.here;
    if (step === -Infinity) line.go(line.root);
    else if (step === Infinity) line.go(line.end);
    else if (step < 0) line.back();
    else line.forward();
    if (line.here !== before) this.show({ isAnimated: step === 1 });
  }

  showHeat() {
    if (!this.desk || !this.list) return;
    const lead = this.list.find((engine) => engine.decision);
    this.desk.board.marks.heat(lead && setting("heat") ? lead.heat() : new Map());
    this.showAgreement();
  }

  /** Whether two agents that were asked choose the same. */
  showAgreement() {
    const chosen = this.list.map((engine) => engine.decision).filter(Boolean);
    this.agreement.hidden = chosen.length < 2;
    if (this.agreement.hidden) return;
    const [first, second] = chosen.map(({ text }) => text);
    const isSame = first === second;
    this.agreement.textContent = isSame ? `Both choose ${first}` : `They differ: ${first} and ${second}`;
    this.agreement.className = `tag agreement ${isSame ? "good" : "caution"}`;
  }

  showVariation(moves) {
    this.desk.board.marks.variation(moves);
  }

  addSecond() {
    this.list.push(new Engine(this, "Second agent", setting("second"), (spec) => set("second", spec)));
  }

  setSecond(isOn) {
    set("hasSecond", isOn);
    if (isOn) this.addSecond();
    else this.list.splice(1).forEach((engine) => engine.close());
    this.showEngines();
    this.showHeat();
  }

  showEngines() {
    clear(
      this.engines,
      this.list.map((engine) => engine.element),
    );
    this.engines.classList.toggle("two", this.list.length > 1);
  }

  whole() {
    const { line, view } = this;
    const players = view ? seated(this.given.players, view.players.length) : this.given.players;
    return {
      game: line.game,
      board: line.board,
      moves: line.moves(line.end),
      at: line.here.ply,
      players,
      ending: line.end === this.given.last ? this.given.ending : null, // it belongs to that line alone
      title: view && view.title,
    };
  }

  close() {
    for (const engine of this.list) engine.close();
    this.solver.close();
    this.review.close();
    this.desk.close();
  }
}
