/** Clock: the time that each player has used, in milliseconds. */

export class Clock {
  constructor(count) {
    this.used = new Array(count).fill(0);
    this.player = null;
    this.since = 0;
  }

  /** Let the clock of one player run, or none. */
  run(player, now = performance.now()) {
    if (this.player !== null) this.used[this.player] += now - this.since;
    this.player = player;
    this.since = now;
  }

  read(player, now = performance.now()) {
    return this.used[player] + (player === this.player ? now - this.since : 0);
  }
}

/** `1:05`, or `4.2 s` while it is short. */
export function clockText(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60);
  const hours = Math.floor(minutes / 60);
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes % 60)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
