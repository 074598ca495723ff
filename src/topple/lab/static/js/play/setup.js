/** Setting up a game: which game, which board, who plays. */

import { BoardChooser } from "../parts/board_chooser.js";
import { button } from "../parts/buttons.js";
import { clear, h } from "../parts/dom.js";
import { GameChooser } from "../parts/game_chooser.js";
import { PlayerChooser } from "../parts/player_chooser.js";
import { TimeChooser } from "../parts/time_chooser.js";
import { emblem } from "../board/pieces.js";
import { looksOf } from "../board/looks.js";
import { HUMAN, isHuman, usualAgent } from "../state/players.js";
import { parseSpec } from "../state/spec.js";

/** A form that starts a game; `onStart` gets `{game, board, players, time}`. */
export class Setup {
  /** @param {Partial<FullLine>} given @param {(chosen: import("../state/settings.js").GameChoice) => void} onStart */
  constructor(given, onStart) {
    this.onStart = onStart;
    this.seats = h("div", { class: "seats" });
    /** @type {PlayerChooser[]} */
    this.choosers = [];
    this.hasNet = true; // whether a network is shipped for the game and its board
    this.specs = given.players && given.players.length ? given.players : [HUMAN, usualAgent(true, 1)];
    this.time = new TimeChooser(given.time);
    this.start = button("Start the game", () => this.begin(), { kind: "main", symbol: "play" });
    this.board = new BoardChooser((board) => {
      this.start.disabled = !board;
      if (!board || board.has_net === this.hasNet) return;
      this.hasNet = board.has_net;
      this.offer();
    });
    this.game = new GameChooser(given.game || "", (spec, game) => this.setGame(spec, game));
    if (given.board && given.game) this.board.setSpec(given.board);
    this.players = h("section", { class: "stack" }, h("h2", {}, "Players"), this.seats, this.time.element);
    this.element = h(
      "div",
      { class: "setup" },
      h("section", {}, h("h2", {}, "Game"), this.game.element),
      h("section", {}, h("h2", {}, "Board"), this.board.element),
      this.players,
    );
  }

  /** @param {string} spec @param {GameData} game */
  setGame(spec, game) {
    this.board.setGame(spec, game);
    this.seat(spec, game);
  }

  /**
   * One seat for each player; an option called `players` says how many there are.
   * @param {string} spec @param {GameData} game
   */
  seat(spec, game) {
    const most = game.options.find((option) => option.name === "players")?.most ?? game.players.length;
    const count = Math.min(Number(parseSpec(spec).options.players) || game.players.length, most);
    const names = Array.from({ length: count }, (_, i) => game.seats[i] || String.fromCharCode(65 + i));
    const looks = looksOf(spec, names);
    if (this.choosers.length) this.specs = this.choosers.map((chooser) => chooser.wanted);
    this.choosers = names.map(
      (_, i) => new PlayerChooser(this.specs[i] || this.lastAgent(), { label: "Who plays" }),
    );
    this.hasNet = game.has_net; // until the board is there
    this.offer();
    clear(
      this.seats,
      names.map((name, i) =>
        h("fieldset", { class: "seat" }, h("legend", {}, emblem(i, looks), name), this.choosers[i].element),
      ),
    );
  }

  /** Offer in each seat those who can play. */
  offer() {
    const { hasNet } = this;
    for (const chooser of this.choosers) chooser.offer({ players: this.choosers.length, hasNet });
  }

  lastAgent() {
    return [...this.specs].reverse().find((player) => !isHuman(player)) || HUMAN;
  }

  begin() {
    if (!this.board.board) return;
    this.onStart({
      game: this.game.spec,
      board: this.board.board.board,
      players: this.choosers.map((chooser) => chooser.spec),
      time: this.time.value,
    });
  }
}
