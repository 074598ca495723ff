/** PlayGame: a game under way. It hands the turn to people and agents and keeps the line; it draws nothing. */

import { startJob } from "../jobs.js";
import { limits } from "../state/catalogue.js";
import { Clock } from "../state/clock.js";
import { endingText } from "../state/ending.js";
import { isHuman, seated } from "../state/players.js";

const MOST_SEED = 2 ** 31 - 1;

export class PlayGame {
  /**
   * @param desk shows positions
   * @param line the line of play
   * @param players a text for each seat
   * @param time `{base, increment}` for each player, or null
   * @param onChange called after everything that changes
   */
  constructor(desk, line, players, { time = null, onChange, onError }) {
    Object.assign(this, { desk, line, players, time, onChange, onError });
    this.ending = null; // {by, player} where something else than the rules has ended it
    this.view = null; // of the end of the line
    this.thinker = null;
    this.thought = null; // an agent's latest decision
    this.isHeld = false; // agents wait until they are told to go on
    this.clock = null;
  }

  get isOver() {
    return Boolean(this.ending || (this.view && this.view.over));
  }

  get isThinking() {
    return Boolean(this.thinker);
  }

  /** Whether the person at the page is to move, here and now. */
  get isPersonsTurn() {
    return Boolean(this.isPersonsTurnAtEnd && this.line.isAtEnd);
  }

  /** The same, wherever in the game the person looks. */
  get isPersonsTurnAtEnd() {
    return Boolean(this.view && !this.isOver && isHuman(this.players[this.view.player]));
  }

  /** Show where the line stands and let who is to move go on. */
  async show({ isAnimated = true } = {}) {
    const atEnd = this.line.isAtEnd;
    try {
      const view = await this.desk.show(this.line, { isAnimated, mayPlay: atEnd && !this.ending });
      if (!view) return;
      this.players = seated(this.players, view.players.length);
      if (!this.clock) this.clock = new Clock(view.players.length, this.time);
      if (atEnd) this.view = view;
      if (!atEnd || !this.isPersonsTurn) this.desk.mark(null);
      this.onChange();
      if (atEnd) this.next();
    } catch (error) {
      this.onError(error);
      this.takeBack();
    }
  }

  /** A move that the server refuses is not left in the line. */
  takeBack() {
    const shown = this.view ? this.view.ply : 0;
    if (this.line.here.ply <= shown) return;
    this.line.cut(this.line.here);
    this.isHeld = true;
    this.show({ isAnimated: false });
  }

  /** Whose clock runs, and who thinks. */
  next() {
    if (this.isOver) {
      this.clock.run(null);
      return;
    }
    this.clock.run(this.isHeld && !this.isPersonsTurn ? null : this.view.player);
    if (!this.isPersonsTurn && !this.isHeld && !this.thinker) this.think();
    this.onChange();
  }

  think() {
    const { game, board } = this.line;
    const ask = {
      kind: "think",
      game,
      board,
      moves: this.line.moves(),
      agent: this.players[this.view.player],
      seed: Math.floor(Math.random() * MOST_SEED),
      turn: true,
      ...this.timeToThink(),
    };
    this.thought = null;
    const thinker = startJob(
      ask,
      (job) => this.hear(thinker, job),
      (error) => this.fail(thinker, error),
    );
    this.thinker = thinker;
    this.onChange();
  }

  /** Where a time is set, an agent gets a share of what it has left. */
  timeToThink() {
    if (!this.clock.time) return {};
    return { seconds: Math.min(limits().seconds, this.clock.share(this.view.player)) };
  }

  /** A person whose time is over has lost; agents are never given more than they have. */
  checkTime() {
    if (!this.clock || this.isOver || !this.clock.hasFallen || !this.isPersonsTurnAtEnd) return;
    this.end({ by: "time", player: this.clock.player });
  }

  hear(thinker, job) {
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
    this.onChange();
  }

  fail(thinker, error) {
    if (thinker !== this.thinker) return;
    this.thinker = null;
    this.hold();
    this.onError(error);
  }

  /** Play a move for whoever is to move. */
  play(move) {
    if (this.isOver) return;
    this.desk.block(); // nothing else is played until the answer is there
    this.line.go(this.line.end);
    this.clock.press(this.view.player);
    this.line.play({ move: move.move, text: move.text, vertex: move.vertex, player: this.view.player });
    this.clock.mark(this.line.here.ply);
    this.desk.board.marks.last.set(move.vertex === null ? [] : [move.vertex]);
    this.show();
  }

  /** Let the agent play what it has found so far. */
  hurry() {
    if (this.thinker) this.thinker.stop();
  }

  /** Agents wait; one that thinks stops, and its move is not played. */
  hold() {
    this.isHeld = true;
    this.drop();
    if (this.clock && this.view && !this.isPersonsTurn) this.clock.run(null);
    this.onChange();
  }

  goOn() {
    this.isHeld = false;
    this.line.go(this.line.end);
    this.show({ isAnimated: false });
  }

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
    this.show({ isAnimated: false });
  }

  /** Who moved behind a node that is about to be cut. */
  moverAt(node) {
    return node.next ? node.next.player : 0;
  }

  resign() {
    const people = this.players
      .map((player, seat) => (isHuman(player) ? seat : -1))
      .filter((seat) => seat >= 0);
    const loser = people.includes(this.view.player) || !people.length ? this.view.player : people[0];
    this.end({ by: "resignation", player: loser });
  }

  end(ending) {
    this.drop();
    this.ending = ending;
    this.clock.run(null);
    this.desk.mark(null);
    this.onChange();
  }

  /** One line on how it stands. */
  get statusText() {
    if (!this.view) return "";
    const { players, player, result } = this.view;
    if (this.ending) return endingText(this.ending, players);
    if (this.view.over) return result ? result.text : "The game is over";
    return `${players[player]} to move`;
  }

  walk(step) {
    const at = this.line.here.ply;
    const target = step === -Infinity ? 0 : step === Infinity ? this.line.end.ply : at + step;
    if (target < 0 || target > this.line.end.ply || target === at) return;
    this.line.goTo(target);
    this.show({ isAnimated: step === 1 });
  }

  close() {
    this.drop();
  }
}
