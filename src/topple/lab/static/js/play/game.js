/**
 * PlayGame: the state of a game under way and what can be done with it. It draws nothing. It sends out events:
 * `position` when another position is to be shown, `move` when a move is made whose view is not there yet,
 * `change` when anything else has changed, and `error` with an error in `detail`.
 */

import { startJob } from "../jobs.js";
import { limits } from "../state/catalogue.js";
import { Clock } from "../state/clock.js";
import { entriesOf } from "../state/draws.js";
import { endingText } from "../state/ending.js";
import { isHuman, seated } from "../state/players.js";
import { positionOf, viewOf } from "../state/views.js";

const MOST_SEED = 2 ** 31 - 1;

export class PlayGame extends EventTarget {
  /**
   * @param {Line} line the line of play
   * @param {string[]} players a text for each seat
   * @param {TimeControl | null} time what each player has, or null
   */
  constructor(line, players, time) {
    super();
    this.line = line;
    this.players = players;
    this.time = time;
    this.clock = new Clock(players.length, time);
    /** @type {Ending | null} what has ended the game, if the rules have not */
    this.ending = null;
    /** @type {ViewData | null} the view of the end of the line */
    this.view = null;
    /** @type {ShownPosition | null} the position to show: where the line stands */
    this.position = null;
    this.n_loads = 0;
    /** @type {Follower | null} an agent's job */
    this.thinker = null;
    /** @type {DecisionData | null} an agent's latest decision */
    this.thought = null;
    this.isHeld = false; // agents wait until they are told to go on
  }

  /** @param {"position" | "move" | "change" | "error"} type @param {unknown} [detail] */
  send(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  get isOver() {
    return Boolean(this.ending || (this.view && this.view.over));
  }

  get isThinking() {
    return Boolean(this.thinker);
  }

  /** The player to move at the end of the line. */
  get player() {
    return this.view ? this.view.player : 0;
  }

  /** Whether the person at the page is to move, here and now. */
  get isPersonsTurn() {
    const isShown = this.view !== null && this.line.isAtEnd && this.line.here.ply === this.view.ply;
    return isShown && this.isPersonsTurnAtEnd;
  }

  /** The same, wherever in the game the person looks. */
  get isPersonsTurnAtEnd() {
    return Boolean(this.view && !this.isOver && isHuman(this.players[this.view.player]));
  }

  /**
   * Begin with a line of play.
   * @param {FullLine} given @param {number[] | null} used the time that each player has used
   */
  async begin({ moves, at, ending }, used) {
    const view = await viewOf(this.line.game, this.line.board, moves);
    this.players = seated(this.players, view.players.length);
    this.clock = new Clock(view.players.length, this.time);
    if (used) this.clock.used = used;
    this.line.go(this.line.follow(entriesOf(view)));
    this.line.goTo(at);
    this.view = view;
    this.ending = ending || null;
    await this.load({ isAnimated: false });
  }

  /** Load the position where the line stands. @param {Options} [options] */
  async load({ isAnimated = true } = {}) {
    this.n_loads += 1;
    const load = this.n_loads;
    const isAtEnd = this.line.isAtEnd;
    try {
      const { view, before } = await positionOf(this.line);
      if (load !== this.n_loads) return;
      this.position = { view, before, isAnimated, isAtEnd, load };
      this.send("position");
    } catch (error) {
      this.refuse(error);
    }
  }

  /**
   * Called when a position is on the board with all its steps: the next player's turn begins.
   * @param {ShownPosition} position
   */
  arrive({ view, isAtEnd, load }) {
    if (load !== this.n_loads) return; // another one has been asked for since
    if (isAtEnd) this.view = view;
    this.send("change");
    if (isAtEnd) this.next();
  }

  /** A position cannot be shown: a move that the server refuses is not left in the line. @param {unknown} error */
  refuse(error) {
    this.send("error", error);
    const shown = this.view ? this.view.ply : 0;
    if (this.line.here.ply <= shown) return;
    this.line.cut(this.line.here);
    this.isHeld = true;
    this.load({ isAnimated: false });
  }

  /** Start the next player's clock and, if that is an agent, its job. */
  next() {
    if (this.isOver) {
      this.clock.run(null);
      return;
    }
    this.clock.run(this.isHeld && !this.isPersonsTurn ? null : this.player);
    if (!this.isPersonsTurn && !this.isHeld && !this.thinker) this.think();
    this.send("change");
  }

  think() {
    const { game, board } = this.line;
    this.thought = null;
    const thinker = startJob(
      {
        kind: "think",
        game,
        board,
        moves: this.line.moves(),
        agent: this.players[this.player],
        seed: Math.floor(Math.random() * MOST_SEED),
        turn: true,
        ...this.timeToThink(),
      },
      (job) => this.take(thinker, job),
      (error) => this.fail(thinker, error),
    );
    this.thinker = thinker;
    this.send("change");
  }

  /** Where a time is set, an agent gets a share of what it has left. */
  timeToThink() {
    if (!this.clock.time) return {};
    return { seconds: Math.min(limits().seconds, this.clock.share(this.player)) };
  }

  /** A person whose time is over has lost; agents are never given more than they have. */
  checkTime() {
    if (this.isOver || !this.clock.hasFallen || !this.isPersonsTurnAtEnd) return;
    this.end({ by: "time", player: this.clock.player });
  }

  /** @param {Follower} thinker @param {JobData<DecisionData>} job */
  take(thinker, job) {
    if (thinker !== this.thinker) return;
    this.thought = job.latest || this.thought;
    if (job.state === "failed") this.fail(thinker, new Error(job.error || "The agent failed."));
    else if (job.state === "done" || (job.state === "stopped" && !this.isHeld)) {
      this.thinker = null;
      if (this.thought) this.play(this.thought);
      else this.hold();
    } else if (job.state === "stopped") {
      this.thinker = null;
      this.next();
    }
    this.send("change");
  }

  /** @param {Follower} thinker @param {Error} error */
  fail(thinker, error) {
    if (thinker !== this.thinker) return;
    this.thinker = null;
    this.hold();
    this.send("error", error);
  }

  /** Play a move for whoever is to move. @param {PlaceData} move */
  play({ move, text, vertex }) {
    if (this.isOver) return;
    this.line.go(this.line.end);
    this.clock.press(this.player);
    this.line.play({ move, number: move, text, vertex, player: this.player, draw: "" });
    this.clock.mark(this.line.here.ply);
    this.send("move");
    this.load();
  }

  /** Let the agent play what it has found so far. */
  hurry() {
    if (this.thinker) this.thinker.stop();
  }

  /** Agents wait; one that thinks stops, and its move is not played. */
  hold() {
    this.isHeld = true;
    this.drop();
    if (this.view && !this.isPersonsTurn) this.clock.run(null);
    this.send("change");
  }

  goOn() {
    this.isHeld = false;
    this.line.go(this.line.end);
    this.load({ isAnimated: false });
  }

  /** End an agent's job. */
  drop() {
    if (this.thinker) this.thinker.close(true);
    this.thinker = null;
  }

  /** Take back to the last move of a person, or one move where only agents play. */
  undo() {
    this.drop();
    this.ending = null;
    this.thought = null;
    let node = this.line.go(this.line.end);
    const hasPerson = this.players.some(isHuman);
    do node = node.parent || node;
    while (hasPerson && node.parent && !isHuman(this.players[this.moverAt(node)]));
    const cut = node.next;
    this.line.go(node);
    if (cut) this.line.cut(cut);
    this.clock.rewind(node.ply);
    if (!hasPerson) this.isHeld = true;
    this.load({ isAnimated: false });
  }

  /** Who moved behind a node that is about to be cut. @param {LineNode} node */
  moverAt(node) {
    return (node.next && node.next.player) || 0;
  }

  resign() {
    const people = this.players
      .map((player, seat) => (isHuman(player) ? seat : -1))
      .filter((seat) => seat >= 0);
    const loser = people.includes(this.player) || !people.length ? this.player : people[0];
    this.end({ by: "resignation", player: loser });
  }

  /** @param {Ending} ending */
  end(ending) {
    this.drop();
    this.ending = ending;
    this.clock.run(null);
    this.send("change");
  }

  /** The status in one line. */
  get statusText() {
    if (!this.view) return "";
    const { players, player, result } = this.view;
    if (this.ending) return endingText(this.ending, players);
    if (this.view.over) return result ? result.text : "The game is over";
    return `${players[player]} to move`;
  }

  /** Go through the line: -Infinity, -1, 1 or Infinity. @param {number} step */
  walk(step) {
    const at = this.line.here.ply;
    const target = step === -Infinity ? 0 : step === Infinity ? this.line.end.ply : at + step;
    if (target < 0 || target > this.line.end.ply || target === at) return;
    this.line.goTo(target);
    this.load({ isAnimated: step === 1 });
  }

  /** Go to a node of the line. @param {LineNode} node */
  goTo(node) {
    this.line.go(node);
    this.load({ isAnimated: false });
  }

  close() {
    this.n_loads += 1;
    this.drop();
  }
}
