/** Setting up a tournament: agents, games and boards, how many games. */

import { BoardChooser } from "../parts/board_chooser.js";
import { button, iconButton } from "../parts/buttons.js";
import { clear, h, newId } from "../parts/dom.js";
import { GameChooser } from "../parts/game_chooser.js";
import { PlayerChooser } from "../parts/player_chooser.js";
import { limits } from "../state/catalogue.js";

/** @typedef {{game: string, board: string}} Contest */

export class TournamentSetup {
  /**
   * `onStart` is called with the form for the server.
   * @param {(form: JobForm & {name: string}) => void} onStart
   */
  constructor(onStart) {
    this.onStart = onStart;
    /** @type {Contest[]} those that were added */
    this.contests = [];
    /** @type {{chooser: PlayerChooser, box: HTMLElement}[]} */
    this.agents = [];
    this.rows = h("div", { class: "seats" });
    this.added = h("div", { class: "row" });
    this.error = h("p", { class: "error", role: "alert", hidden: true });
    this.board = new BoardChooser();
    this.game = new GameChooser("", (spec, game) => this.board.setGame(spec, game));
    const [name, nameField] = field(
      "Name",
      "text",
      "the store that the games go into; the same name goes on with it",
      { value: `Tournament ${new Date().toISOString().slice(0, 10)}`, maxlength: limits().name },
    );
    const [games, gamesField] = field("Games per pairing", "number", "half of them with sides swapped", {
      value: 20,
      min: 2,
      step: 2,
      max: limits().tournament_games,
    });
    const [plies, pliesField] = field("Opening", "number", "random moves before the agents take over", {
      value: 2,
      min: 0,
      max: limits().tournament_plies,
    });
    const [seed, seedField] = field("Seed", "number", "fixes openings and all random choices", {
      value: 1,
      min: 0,
    });
    this.name = name;
    this.games = games;
    this.plies = plies;
    this.seed = seed;
    for (const spec of ["random", "montecarlo:samples=20", "uct:iterations=200"]) this.addAgent(spec);
    this.start = button("Start the tournament", () => this.begin(), { kind: "main", symbol: "play" });
    this.element = h(
      "div",
      { class: "setup" },
      h("div", { class: "fields" }, nameField, gamesField, pliesField, seedField),
      h(
        "section",
        {},
        h("h2", {}, "Agents"),
        this.rows,
        h(
          "p",
          {},
          button("Add an agent", () => this.addAgent("uct:time=0.1"), { symbol: "plus" }),
        ),
      ),
      h(
        "section",
        {},
        h("h2", {}, "Games and boards"),
        this.game.element,
        h("p", {}),
        this.board.element,
        h(
          "p",
          {},
          button("Add this game and board", () => this.addContest(), { symbol: "plus" }),
        ),
        this.added,
      ),
      this.error,
    );
  }

  /** @param {string} spec */
  addAgent(spec) {
    const most = limits().tournament_agents || 16;
    if (this.agents.length >= most) return;
    const chooser = new PlayerChooser(spec, { withPerson: false, label: "Agent" });
    const box = h(
      "div",
      { class: "seat" },
      iconButton("close", "Remove this agent", () => this.removeAgent(box), {
        class: "icon-button seat-remove",
      }),
      chooser.element,
    );
    this.agents.push({ chooser, box });
    this.rows.append(box);
  }

  /** @param {HTMLElement} box */
  removeAgent(box) {
    this.agents = this.agents.filter((each) => each.box !== box);
    box.remove();
  }

  /** The game and board that are shown, once the board is there. */
  get shownContest() {
    return this.board.board ? { game: this.game.spec, board: this.board.board.board } : null;
  }

  addContest() {
    const shown = this.shownContest;
    if (!shown) return;
    /** @param {Contest} each */
    const isSame = (each) => each.game === shown.game && each.board === shown.board;
    if (this.contests.some(isSame)) return;
    this.contests.push(shown);
    this.showContests();
  }

  /** @param {Contest} contest */
  removeContest(contest) {
    this.contests = this.contests.filter((each) => each !== contest);
    this.showContests();
  }

  showContests() {
    clear(
      this.added,
      this.contests.map((contest) => {
        const text = `${contest.game} on ${contest.board}`;
        const remove = () => this.removeContest(contest);
        return h("span", { class: "tag" }, text, iconButton("close", `Remove ${text}`, remove));
      }),
    );
  }

  /** What is played: the contests that were added, or the one that is shown if none were. */
  get chosen() {
    const shown = this.shownContest;
    if (this.contests.length) return this.contests;
    return shown ? [shown] : [];
  }

  /** What is missing, in one sentence; empty if nothing is. */
  get problem() {
    if (!this.name.value.trim()) return "Give the tournament a name.";
    if (this.agents.length < 2) return "Two agents at least.";
    return this.chosen.length ? "" : "Choose a game and a board.";
  }

  begin() {
    const { chosen, problem } = this;
    this.error.hidden = !problem;
    this.error.textContent = problem;
    if (problem) return;
    /** @param {string[]} values */
    const unique = (values) => [...new Set(values)];
    this.onStart({
      kind: "tournament",
      name: this.name.value.trim(),
      games: unique(chosen.map((each) => each.game)),
      boards: unique(chosen.map((each) => each.board)),
      agents: unique(this.agents.map(({ chooser }) => chooser.spec)),
      games_per_pairing: Number(this.games.value) || 2,
      plies: Number(this.plies.value) || 0,
      seed: Number(this.seed.value) || 0,
    });
  }
}

/**
 * @param {string} name @param {string} type @param {string} words @param {Attributes} more
 * @returns {[HTMLInputElement, HTMLElement]}
 */
function field(name, type, words, more) {
  const id = newId("field");
  const input = h("input", { id, type, "aria-describedby": `${id}-words`, ...more });
  return [
    input,
    h(
      "div",
      { class: "field" },
      h("label", { for: id }, name),
      input,
      h("small", { id: `${id}-words` }, words),
    ),
  ];
}
