/** One store: its standings, live while games are played into it, its charts and all its games. */

import { lineParams, visit } from "../address.js";
import { ApiError, get } from "../api.js";
import { followJob, hasEnded, listJobs, startJob } from "../jobs.js";
import { button } from "../parts/buttons.js";
import { clear, h } from "../parts/dom.js";
import { errorText, showError } from "../parts/notice.js";
import { picture } from "../parts/picture.js";
import { count, table } from "../parts/table.js";
import { standingsParts } from "./standings.js";

const PAGE = 25; // games in one look
/** @type {Record<string, string>} */
const PLOTS = {
  crosstable: "Crosstable",
  lengths: "Lengths of games",
  costs: "Strength and cost",
  choices: "Where agents play",
};
/** @type {(keyof JobForm)[]} */
const ASKED = ["name", "games", "boards", "agents", "games_per_pairing", "plies", "seed"];

export class StorePage {
  /** @param {HTMLElement} main @param {string} name */
  constructor(main, name) {
    this.name = name;
    this.path = `/stores/${encodeURIComponent(name)}`;
    /** @type {JobForm | null} what the tournament was, so that it can go on */
    this.asked = null;
    /** @type {Record<string, string>} */
    this.letters = {};
    /** @type {Follower | null} */
    this.follower = null;
    this.offset = 0;
    this.isStopping = false;
    this.message = h("p", { role: "status" });
    this.share = h("span");
    this.bar = h("div", { class: "bar", hidden: true }, this.share);
    this.stopper = button("Stop", () => this.stop(), {
      symbol: "stop",
      hidden: true,
    });
    this.goer = button("Go on", () => this.goOn(), { symbol: "play", kind: "main", hidden: true });
    this.standings = h(
      "div",
      { class: "stack" },
      h("p", { class: "loading" }, "Working out the standings …"),
    );
    this.plots = h("div", { class: "plots" });
    this.games = h("section", { class: "panel", hidden: true });
    clear(
      main,
      h(
        "div",
        { class: "prose stack" },
        h("p", {}, h("a", { href: "#compare" }, "All tournaments")),
        h(
          "div",
          { class: "row spread" },
          h("h1", {}, name),
          h("div", { class: "row" }, this.stopper, this.goer),
        ),
        this.message,
        this.bar,
        this.standings,
        this.plots,
        this.games,
      ),
    );
  }

  async begin() {
    await this.findJob();
    await Promise.all([this.load(), this.loadGames()]);
  }

  /** The tournament that plays into this store, if there is or was one. */
  async findJob() {
    const jobs = (await listJobs()).filter(
      (job) => job.kind === "tournament" && job.asked && job.asked.name === this.name,
    );
    const running = jobs.find((job) => !hasEnded(job));
    const last = running || jobs[jobs.length - 1];
    if (last) this.asked = last.asked;
    if (running) this.follow(followJob(running, (job) => this.take(job), showError));
    else this.showState(last || null);
  }

  /** @param {Follower} follower */
  follow(follower) {
    this.follower = follower;
    this.showState(follower.job);
  }

  /** @param {JobData<TournamentData>} job */
  take(job) {
    this.showState(job);
    if (job.latest && job.latest.standings)
      clear(this.standings, standingsParts(job.latest.standings, this.letters));
    if (job.state === "failed") showError(new Error(job.error || "The tournament failed."));
    if (hasEnded(job)) {
      this.load();
      this.loadGames();
    }
  }

  /** @param {JobData<TournamentData> | null} job */
  showState(job) {
    const isRunning = Boolean(job && !hasEnded(job));
    const { played = 0, of = 0 } = (job && job.latest) || {};
    this.stopper.hidden = !isRunning;
    this.goer.hidden = isRunning || !this.asked || (of > 0 && played >= of);
    this.bar.hidden = !isRunning;
    this.bar.classList.toggle("waiting", isRunning && !of);
    if (of) this.share.style.transform = `scaleX(${played / of})`;
    const words = {
      queued: `Waiting for the tournament before it${job && job.place ? `, place ${job.place}` : ""} …`,
      running: "Playing",
      done: "All games are played",
      stopped: "Stopped",
      failed: "Failed",
    };
    if (!isRunning) this.isStopping = false;
    this.stopper.disabled = this.isStopping;
    if (this.isStopping) words.running = "Stopping, once the games under way are over";
    this.message.textContent = job
      ? `${words[job.state]}${of ? `: ${count(played)} of ${count(of)} games` : ""}`
      : this.asked
        ? "Nothing is played into it now. Go on plays what is still missing of the last tournament."
        : "";
  }

  /**
   * Restore the tournament that was played before the server was last started: it can go on, unless it is complete.
   * @param {StoreReport} found
   */
  remember({ asked, planned, standings, tournaments }) {
    const played = standings ? standings.games : 0;
    const isComplete = tournaments.length < 2 && planned > 0 && played >= planned;
    if (!isComplete) this.asked = asked;
    this.showState(null);
    if (isComplete)
      this.message.textContent = `All games are played: ${count(planned)} of ${count(planned)} games`;
    else if (tournaments.length < 2 && planned)
      this.message.textContent = `Stopped: ${count(played)} of ${count(planned)} games`;
  }

  stop() {
    if (!this.follower) return;
    this.isStopping = true;
    this.follower.stop();
    this.showState(this.follower.job);
  }

  goOn() {
    const { asked } = this;
    if (!asked) return;
    const parts = Object.fromEntries(ASKED.filter((key) => key in asked).map((key) => [key, asked[key]]));
    this.follow(startJob({ kind: "tournament", ...parts }, (job) => this.take(job), showError));
  }

  async load() {
    try {
      /** @type {StoreReport} */
      const found = await get(this.path);
      this.letters = found.letters || {};
      if (!this.asked && found.asked) this.remember(found); // no job tells of it since the server was started
      if (!this.follower || !this.follower.isRunning)
        clear(this.standings, standingsParts(found.standings, this.letters));
      clear(
        this.plots,
        Object.entries(found.plots || {})
          .filter(([name]) => name !== "ratings")
          .map(([name, svg]) => picture(svg, PLOTS[name.replace(/-\d+$/, "")] || name)),
      );
    } catch (error) {
      clear(this.standings, h("p", { class: "error panel", role: "alert" }, errorText(error)));
    }
  }

  async loadGames() {
    try {
      /** @type {{total: number, rows: StoreGame[]}} */
      const { total, rows } = await get(`${this.path}/games?offset=${this.offset}&limit=${PAGE}`);
      clear(
        this.games,
        h("h2", {}, `Games (${count(total)})`),
        rows.length ? this.gamesTable(rows) : h("p", { class: "empty" }, "None yet."),
        this.pager(total),
      );
      this.games.hidden = false;
    } catch (error) {
      this.games.hidden = true; // what is wrong stands above, in place of the standings
      if (!(error instanceof ApiError)) showError(error);
    }
  }

  /** @param {StoreGame[]} rows */
  gamesTable(rows) {
    /** @param {StoreGame} row */
    const winner = (row) => {
      const best = Math.max(...row.returns);
      const winners = row.agents.filter((_, seat) => row.returns[seat] === best);
      return winners.length === row.agents.length ? "draw" : `${winners.join(", ")} won`;
    };
    return table(
      [
        { name: "Players", words: true, value: (row) => row.agents.join(" – ") },
        { name: "Game", words: true, value: (row) => [row.game, h("small", {}, row.board)] },
        {
          name: "Result",
          words: true,
          value: (row) => [winner(row), row.ending ? h("small", {}, `by ${row.ending}`) : ""],
        },
        { name: "Moves", value: (row) => String(row.plies) },
      ],
      rows,
      { onOpen: (row) => this.open(row), label: "Games" },
    );
  }

  /** @param {number} total */
  pager(total) {
    /** @param {number} offset */
    const go = (offset) => {
      this.offset = offset;
      this.loadGames();
    };
    return total > PAGE
      ? h(
          "div",
          { class: "row" },
          button("Earlier", () => go(Math.max(0, this.offset - PAGE)), { disabled: !this.offset }),
          h(
            "span",
            { class: "faint" },
            `${this.offset + 1} to ${Math.min(total, this.offset + PAGE)} of ${count(total)}`,
          ),
          button("Later", () => go(this.offset + PAGE), { disabled: this.offset + PAGE >= total }),
        )
      : null;
  }

  /** @param {StoreGame} row */
  async open(row) {
    try {
      visit(
        "analyse",
        lineParams({ ...(await get(`${this.path}/games/${encodeURIComponent(row.key)}`)), at: undefined }),
      );
    } catch (error) {
      showError(error);
    }
  }

  close() {
    if (this.follower) this.follower.close();
  }
}
