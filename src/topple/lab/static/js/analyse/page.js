/** The page to analyse on: any line of play with branches, agents, exact values, the course of a game. */

import { formatAddress, keepAddress, lineParams, readLine } from "../address.js";
import { BoardPanel } from "../board/board_panel.js";
import { looksOf } from "../board/looks.js";
import { button } from "../parts/buttons.js";
import { clear, h } from "../parts/dom.js";
import { Holdings } from "../parts/holdings.js";
import { MoveList } from "../parts/move_list.js";
import { say, showError } from "../parts/notice.js";
import { openRules } from "../parts/rules.js";
import { aboutText, PlayerCards } from "../play/side.js";
import { findGame, games } from "../state/catalogue.js";
import { entriesOf, lastText } from "../state/draws.js";
import { endingText, winnersBy } from "../state/ending.js";
import { Line } from "../state/line.js";
import { seated } from "../state/players.js";
import { set, setting } from "../state/settings.js";
import { positionOf, viewOf } from "../state/views.js";
import { Engine } from "./engine.js";
import { HeatKey, isPriorShown, relative } from "./heat_key.js";
import { Review } from "./review.js";
import { Solver } from "./solver.js";
import { branchTools, positionTools, shareTools } from "./tools.js";

/** @typedef {FullLine & {last?: LineNode}} GivenLine what the page was opened with; `last` is the node of its last move */

/** @type {{given: GivenLine, line: Line} | null} */
let remembered = null; // the last line with its branches, so that leaving the page loses none

/** @param {HTMLElement} main @param {Record<string, string>} params */
export async function openPage(main, params) {
  const page = new AnalysePage(main, readLine(params) || rememberedLine() || firstGame());
  await page.begin();
  return page;
}

/** @returns {GivenLine | null} */
function rememberedLine() {
  if (!remembered) return null;
  const { given, line } = remembered;
  return { ...given, moves: line.moves(line.end), at: line.here.ply };
}

/** @returns {GivenLine} */
function firstGame() {
  const [{ name, board }] = games();
  return { game: name, board, moves: [], at: 0, players: [], ending: null };
}

export class AnalysePage {
  /** @param {HTMLElement} main @param {GivenLine} given */
  constructor(main, given) {
    this.given = given;
    this.line = this.lineFor(given);
    /** @type {ViewData | null} */
    this.view = null;
    this.n_shown = 0;
    this.panel = new BoardPanel({
      onPlay: (move) => this.playMove(move),
      onWalk: (step) => this.walk(step),
      onOthers: (moves) =>
        clear(
          this.others,
          moves.map((move) => button(move.text, () => this.playMove(move), { symbol: "swap" })),
        ),
      onLaid: () => this.showHeat(),
    });
    this.others = h("div", { class: "row others" });
    this.heatKey = new HeatKey(() => this.showHeat());
    this.panel.legend.before(this.heatKey.element);
    this.cards = new PlayerCards();
    this.holdings = new Holdings();
    this.moves = new MoveList(
      (node) => this.goToNode(node),
      (vertex) => this.panel.light(vertex),
    );
    this.status = h("p", { class: "status" });
    this.title = h("h1", { class: "game-title" });
    this.rules = button("Rules", () => openRules(this.line.game), { kind: "quiet", symbol: "book" });
    this.about = h("p", { class: "game-board" });
    this.playOn = h("a", { class: "button", href: "#play" }, "Play from here");
    this.engines = h("div", { class: "engines" });
    this.agreement = h("p", { class: "tag agreement", hidden: true, role: "status" });
    this.list = [new Engine(this, "First agent", setting("agent"), (spec) => set("agent", spec))];
    this.solver = new Solver(this);
    this.review = new Review(this);
    if (setting("hasSecond")) this.addSecond();
    this.side = h(
      "aside",
      { class: "side waiting", "aria-label": "Analysis" },
      h(
        "div",
        { class: "panel stack" },
        h("div", { class: "row spread title-row" }, this.title, this.rules),
        this.about,
        this.cards.element,
        this.status,
        this.others,
        h("div", { class: "row buttons" }, this.playOn, positionTools(this)),
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
      this.holdings.element,
      this.solver.element,
    );
    clear(
      main,
      h(
        "div",
        { class: "table analyse" },
        h("div", { class: "stack" }, this.panel.element, this.review.element),
        this.side,
      ),
    );
    this.showEngines();
  }

  /**
   * The remembered tree, where the address leads into it.
   * @param {LineData} given
   */
  lineFor({ game, board, moves }) {
    const known = remembered && remembered.line;
    if (known && known.game === game && known.board === board && known.find(moves)) return known;
    return new Line(game, board || (findGame(game) || { board: "" }).board);
  }

  async begin() {
    const { moves, at } = this.given;
    const view = await viewOf(this.line.game, this.line.board, moves);
    if (!this.isShown) return;
    for (const engine of this.list) engine.offer(view);
    this.given.last = this.line.go(this.line.follow(entriesOf(view)));
    this.line.goTo(at);
    remembered = { given: this.given, line: this.line };
    await this.show({ isAnimated: false });
    this.review.findAgain().catch(showError);
  }

  /** Whether the page is still there: one that was left while it loaded is neither remembered nor in the address. */
  get isShown() {
    return this.side.isConnected;
  }

  get agent() {
    return this.list[0].chooser.spec;
  }

  /** Whether the position can be thought about: a move that was just made may not be drawn yet. */
  get canThink() {
    if (!this.view || this.view.over) return false;
    return !this.view.chance || typeof this.line.here.move !== "number";
  }

  /** Show the position where the line stands. @param {Options} [options] */
  async show({ isAnimated = true } = {}) {
    this.n_shown += 1;
    const n = this.n_shown;
    try {
      for (const engine of this.list) engine.moved();
      this.solver.moved();
      const { view, before } = await positionOf(this.line);
      if (n !== this.n_shown || !(await this.panel.show(view, before, { isAnimated })) || !this.isShown) return;
      this.view = view;
      this.panel.mark(view.over ? null : view.legal);
      this.showAll(view);
      for (const engine of this.list) engine.moved();
      this.solver.show();
    } catch (error) {
      showError(error);
      if (!this.view || this.line.here.ply <= this.view.ply) return;
      this.line.cut(this.line.here); // a move that the server refuses
      this.show({ isAnimated: false });
    }
  }

  /** Show all that is not the position itself. @param {ViewData} view */
  showAll(view) {
    const { line } = this;
    const players = seated(this.given.players, view.players.length);
    this.side.classList.remove("waiting");
    this.title.textContent = view.title;
    const ending = line.here === this.given.last && !view.over ? this.given.ending : null;
    const byRules = view.result ? view.result.winners : [];
    const winners = ending ? winnersBy(ending, view.players) : byRules;
    this.about.textContent = aboutText(view, this.panel.board.board);
    this.cards.show(view, players, { winners });
    this.status.textContent = view.result ? view.result.text : `${view.players[view.player]} to move`;
    if (ending) this.status.textContent = endingText(ending, view.players);
    this.panel.announce(view.result || ending ? this.status.textContent || "" : "", winners);
    this.holdings.show(view);
    this.review.show();
    this.showNotes();
    this.showRemark();
    const params = lineParams(this.whole());
    keepAddress("analyse", params);
    this.playOn.href = formatAddress(
      "play",
      lineParams({ ...this.whole(), moves: line.moves(), at: undefined, ending: null }),
    );
    const last = lastText(view);
    say(`${last ? `${view.ply}. ${last}. ` : "Start. "}${this.status.textContent}. ${view.headline}`);
  }

  /** Mark the move that was played if it was a mistake, and the better one. */
  showRemark() {
    if (this.view) this.panel.remark(this.review.remarkOn(this.line.here));
  }

  showNotes() {
    if (this.view)
      this.moves.show(this.line, {
        notes: this.review.notes(),
        looks: looksOf(this.view.game, this.view.players),
      });
  }

  /** @param {PlaceData} move */
  playMove(move) {
    if (!this.view || this.view.over) return;
    this.panel.block(); // nothing else is played until the answer is there
    const { move: number, text, vertex } = move;
    this.line.play({ move: number, number, text, vertex, player: this.view.player, draw: "" });
    this.show();
  }

  /**
   * Follow a variation to its end; the last view says who made each move.
   * @param {PlaceData[]} moves
   */
  async playMoves(moves) {
    try {
      const view = await viewOf(this.line.game, this.line.board, [
        ...this.line.moves(),
        ...moves.map((each) => each.move),
      ]);
      this.line.go(this.line.follow(entriesOf(view)));
      this.show();
    } catch (error) {
      showError(error);
    }
  }

  /** @param {LineNode} node */
  goToNode(node) {
    this.line.go(node);
    this.show({ isAnimated: false });
  }

  /** @param {number} step */
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
    if (!this.panel || !this.list) return;
    const lead = this.list.find((engine) => engine.decision?.judged);
    const priors = this.list.map((engine) => engine.priors()).find((sums) => sums.size) || null;
    const heat = !lead || !setting("heat") ? new Map() : isPriorShown(priors) ? relative(priors) : lead.heat();
    this.panel.board.marks.heat(heat, isPriorShown(priors) ? "prior" : "value");
    this.heatKey.show(Boolean(lead) && setting("heat"), priors, this.panel.board.board.labels);
    this.showAgreement();
  }

  /** Whether two agents that were asked choose the same. */
  showAgreement() {
    const chosen = this.list.flatMap((engine) => (engine.decision?.judged ? engine.decision : []));
    this.agreement.hidden = chosen.length < 2;
    if (this.agreement.hidden) return;
    const [first, second] = chosen.map(({ text }) => text);
    const isSame = first === second;
    this.agreement.textContent = isSame ? `Both choose ${first}` : `They differ: ${first} and ${second}`;
    this.agreement.className = `tag agreement ${isSame ? "good" : "caution"}`;
  }

  /** @param {PlaceData[]} moves */
  showVariation(moves) {
    this.panel.light(moves.length ? moves[0].vertex : null);
    this.panel.board.marks.variation(moves);
  }

  addSecond() {
    const second = new Engine(this, "Second agent", setting("second"), (spec) => set("second", spec));
    if (this.view) second.offer(this.view);
    this.list.push(second);
  }

  /** @param {boolean} isOn */
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

  /** The whole line, with the players and the ply that is shown. @returns {FullLine} */
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
      title: view ? view.title : undefined,
    };
  }

  close() {
    this.n_shown += 1;
    for (const engine of this.list) engine.close();
    this.solver.close();
    this.review.close();
    this.panel.close();
  }
}
