/** Clock: the time that each player has used, and what is left of it if there is a limit. In milliseconds. */

const LEAST_SHARE = 0.05; // seconds: even an agent without any time left finds a move
const MOVES_TO_GO = 20; // that an agent saves its time for

/**
 * `180+2` is three minutes for each side and two seconds for each move; null for any other text.
 * @param {string} [text]
 * @returns {TimeControl | null}
 */
export function parseTime(text) {
  const [, base, increment = "0"] = /^(\d{1,5})(?:\+(\d{1,3}))?$/.exec(text || "") || [];
  return Number(base) ? { base: 1000 * Number(base), increment: 1000 * Number(increment) } : null;
}

/** @param {TimeControl} time */
export const formatTime = ({ base, increment }) => `${base / 1000}+${increment / 1000}`;

/**
 * `3 min + 2 s`.
 * @param {TimeControl} time
 */
export function timeText({ base, increment }) {
  const [minutes, seconds] = [Math.floor(base / 60000), (base % 60000) / 1000];
  const each = [minutes && `${minutes} min`, seconds && `${seconds} s`].filter(Boolean).join(" ");
  return increment ? `${each} + ${increment / 1000} s` : each;
}

export class Clock {
  /**
   * @param {number} count the number of players
   * @param {TimeControl | null} [time] `{base, increment}` for each player, or null: then the clocks only count
   */
  constructor(count, time = null) {
    this.time = time;
    /** @type {number[]} */
    this.used = new Array(count).fill(0);
    /** @type {number | null} whose clock runs */
    this.player = null;
    this.since = 0;
    /** @type {Map<number, number[]>} by ply: what had been used then, so that a move can be taken back */
    this.marks = new Map();
  }

  /**
   * Let the clock of one player run, or none.
   * @param {number | null} player @param {number} [now]
   */
  run(player, now = performance.now()) {
    if (this.player !== null) this.used[this.player] += now - this.since;
    this.player = player;
    this.since = now;
  }

  /**
   * A player has moved: stop the clock and add the increment.
   * @param {number} player @param {number} [now]
   */
  press(player, now = performance.now()) {
    this.run(null, now);
    if (this.time && this.left(player) > 0) this.used[player] -= this.time.increment;
  }

  /**
   * The time that a player has used so far.
   * @param {number} player @param {number} [now]
   */
  read(player, now = performance.now()) {
    return this.used[player] + (player === this.player ? now - this.since : 0);
  }

  /** @param {number} player @param {number} [now] */
  left(player, now = performance.now()) {
    return this.time ? Math.max(0, this.time.base - this.read(player, now)) : Infinity;
  }

  /** Whether the player whose clock runs has no time left. */
  get hasFallen() {
    return Boolean(this.time && this.player !== null && this.left(this.player) <= 0);
  }

  /**
   * The seconds that an agent may take for its next move: a part of what is left, plus the increment.
   * @param {number} player
   */
  share(player) {
    const [left, earned] = [this.left(player) / 1000, (this.time ? this.time.increment : 0) / 1000];
    return Math.max(LEAST_SHARE, Math.min(left / 2, left / MOVES_TO_GO + 0.8 * earned));
  }

  /**
   * Note what had been used when a ply was reached.
   * @param {number} ply
   */
  mark(ply) {
    this.marks.set(ply, this.used.slice());
  }

  /**
   * Give back what was used since a ply.
   * @param {number} ply
   */
  rewind(ply) {
    this.run(null);
    const used = this.marks.get(ply);
    if (used) this.used = used.slice();
    else if (this.time) this.used.fill(0);
  }
}

/**
 * `1:05`, or `4.2 s` while it is short.
 * @param {number} milliseconds
 */
export function clockText(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60);
  const hours = Math.floor(minutes / 60);
  /** @param {number} number */
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes % 60)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
