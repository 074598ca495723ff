/** Setting up a tournament: agents, games and boards, how many games. */

import { BoardChooser } from "../parts/board_chooser.js";
import { button, iconButton } from "../parts/buttons.js";
import { clear, h, newId } from "../parts/dom.js";
import { GameChooser } from "../parts/game_chooser.js";
import { PlayerChooser } from "../parts/player_chooser.js";
import { limits } from "../state/catalogue.js";

export class TournamentSetup {
  /** `onStart` gets what the server is asked. */
  constructor(onStart) {
    this.onStart = onStart;
    this.contests = []; // {game, board} that were added
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
      { value: `Tournament ${new Date().toISOString().slice(0, 10)}`, maxlength: 60 },
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
    Object.assign(this, { name, games, plies, seed });
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

  addAgent(spec) {
    const most = limits().tournament_agents || 16;
    if (this.agents.length >= most) return;
    const chooser = new PlayerChooser(spec, { withPerson: false, label: "Agent" });
    chooser.box = h(
      "div",
      { class: "seat" },
      h(
        "div",
        { class: "row spread" },
        h("span", {}),
        iconButton("close", "Remove this agent", () => this.removeAgent(chooser)),
      ),
      chooser.element,
    );
    this.agents.push(chooser);
    this.rows.append(chooser.box);
  }

  removeAgent(chooser) {
    this.agents = this.agents.filter((each) => each !== chooser);
    chooser.box.remove();
  }

  addContest() {
    if (!this.board.board) return;
    this.contests.push({ game: this.game.spec, board: this.board.board.board });
    clear(
      this.added,
      this.contests.map((contest) =>
        h(
          "span",
          { class: "tag" },
          `${contest.game} on ${contest.board}`,
          iconButton("close", `Remove ${contest.game} on ${contest.board}`, () => {
            this.contests = this.contests.filter((each) => each !== contest);
            this.contests.length ? this.addShown() : clear(this.added);
          }),
        ),
      ),
    );
  }

  addShown() {
    const [last] = this.contests.splice(-1);
    const { spec } = this.game;
    const { board } = this.board;
    this.game.spec = last.game;
    this.board.board = { board: last.board };
    this.addContest();
    this.game.spec = spec;
    this.board.board = board;
  }

  begin() {
    const chosen = this.contests.length
      ? this.contests
      : this.board.board
        ? [{ game: this.game.spec, board: this.board.board.board }]
        : [];
    const problem = !this.name.value.trim()
      ? "Give the tournament a name."
      : this.agents.length < 2
        ? "Two agents at least."
        : !chosen.length
          ? "Choose a game and a board."
          : "";
    this.error.hidden = !problem;
    this.error.textContent = problem;
    if (problem) return;
    const unique = (values) => [...new Set(values)];
    this.onStart({
      kind: "tournament",
      name: this.name.value.trim(),
      games: unique(chosen.map((each) => each.game)),
      boards: unique(chosen.map((each) => each.board)),
      agents: unique(this.agents.map((each) => each.spec)),
      games_per_pairing: Number(this.games.value) || 2,
      plies: Number(this.plies.value) || 0,
      seed: Number(this.seed.value) || 0,
    });
  }
}

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
