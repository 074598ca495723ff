/** Review: an agent's value of every position of the game as a curve, with slips, mistakes and blunders marked. */

import { listJobs, readJob, JobRunner } from "../jobs.js";
import { button } from "../parts/buttons.js";
import { curve } from "../parts/chart.js";
import { clear, h, newId } from "../parts/dom.js";
import { showError } from "../parts/notice.js";
import { percent, signed, winChance } from "../parts/table.js";
import { findAgent } from "../state/catalogue.js";

/** @type {Record<MistakeData["grade"], string>} */
const SYMBOLS = { slip: "?!", mistake: "?", blunder: "??" };

export class Review {
  /**
   * @param {AnalysePage} host
   */
  constructor(host) {
    this.host = host;
    /** @type {ReviewData | null} */
    this.found = null;
    /** @type {LineNode[]} the nodes that were reviewed */
    this.path = [];
    this.isChance = false; // whether values are chances to win, as a network sees them
    this.work = new JobRunner((job) => this.take(job), showError);
    const id = newId("seconds");
    this.seconds = h(
      "select",
      { id },
      [
        [5, "5 s"],
        [20, "20 s"],
        [60, "1 min"],
        [300, "5 min"],
      ].map(([value, text]) => h("option", { value, selected: value === 20 }, text)),
    );
    this.runner = button("Review the game", () =>
      this.work.isRunning ? this.work.stop() : this.start(),
    );
    this.message = h("p", { class: "faint", role: "status" });
    this.chart = h("div", {});
    this.list = h("ul", { class: "mistakes" });
    this.element = h(
      "section",
      { class: "panel course", "aria-label": "Course of the game" },
      h(
        "div",
        { class: "row spread" },
        h("h2", {}, "Course of the game"),
        h(
          "div",
          { class: "row" },
          h("label", { for: id, class: "faint" }, "for"),
          h("div", {}, this.seconds),
          this.runner,
        ),
      ),
      this.message,
      this.chart,
      this.list,
    );
    this.show();
  }

  start() {
    const { line } = this.host;
    this.path = line.path(line.end);
    if (!this.path.length) return;
    this.found = null;
    this.work.start({
      kind: "review",
      game: line.game,
      board: line.board,
      moves: line.moves(line.end),
      agent: this.host.agent,
      seconds: Number(this.seconds.value),
    });
    this.show();
  }

  /** Find the review of this game again, if there was one. */
  async findAgain() {
    const { line } = this.host;
    const moves = line.moves(line.end);
    /** @param {JobData} job */
    const isSame = ({ kind, asked }) =>
      kind === "review" &&
      asked.game === line.game &&
      asked.board === line.board &&
      String(asked.moves) === String(moves);
    const found = moves.length ? (await listJobs()).filter(isSame).pop() : null;
    if (!found || this.work.follower) return;
    this.path = line.path(line.end);
    const job = await readJob(found.id); // lists leave out what is long
    this.work.follow(job);
    this.show();
  }

  /** @param {JobData} job */
  take(job) {
    this.found = job.latest || this.found;
    this.isChance = Boolean(findAgent(job.asked.agent || "")?.needs_net);
    if (job.state === "failed") showError(new Error(job.error || "The review failed."));
    this.show();
    this.host.showNotes();
    this.host.showRemark();
  }

  /** Notes for the list of moves, by node. */
  notes() {
    const notes = new Map();
    for (const mistake of this.found ? this.found.mistakes : []) {
      const node = this.path[mistake.ply - 1];
      if (node)
        notes.set(node.id, {
          symbol: SYMBOLS[mistake.grade],
          text: `${mistake.grade}: gives away ${this.lossText(mistake)}; better ${mistake.best_text}`,
        });
    }
    return notes;
  }

  /** What a mistake has cost, with its interval. @param {MistakeData} mistake */
  lossText({ loss, interval: [low, high] }) {
    /** @param {number | null} value */
    const text = (value) => (this.isChance && value !== null ? percent(value / 2) : signed(value).replace("+", ""));
    return low === high || low === null || high === null ? text(loss) : `${text(loss)} (${text(low)} to ${text(high)})`;
  }

  /** What to say of the move that led to a node, if it was a mistake. @param {LineNode} node @returns {Remark | null} */
  remarkOn(node) {
    const mistake = this.found?.mistakes.find(({ ply }) => this.path[ply - 1] === node);
    if (!mistake) return null;
    const who = this.host.view ? `${this.host.view.players[mistake.player]}'s ` : "";
    return {
      text: `${who}${mistake.text} is a ${mistake.grade}: it gives away ${this.lossText(mistake)}. Better: ${mistake.best_text}`,
      played: mistake.vertex,
      better: mistake.best_vertex,
    };
  }

  /** The chance to win at the ply that is shown, if values are chances. @param {ReviewData} found */
  chanceText({ values }) {
    const value = values[this.host.line.here.ply] ?? null;
    const { view } = this.host;
    return this.isChance && value !== null && view ? ` · win chance ${winChance(value)} for ${view.players[0]}` : "";
  }

  show() {
    const { line, view } = this.host;
    const { isRunning } = this.work;
    this.runner.textContent = isRunning ? "Stop" : "Review the game";
    this.runner.disabled = !isRunning && !line.end.ply;
    const { found } = this;
    this.message.textContent = !found
      ? isRunning
        ? this.work.waitText || "looking at every position …"
        : "An agent looks at every position and marks what was given away."
      : found.done < found.of
        ? `${isRunning ? "" : "Stopped: "}${found.done} of ${found.of} positions`
        : isRunning && found.weighed < found.doubts
          ? `weighing the moves in doubt: ${found.weighed} of ${found.doubts}`
          : `${found.mistakes.length || "No"} ${found.mistakes.length === 1 ? "mistake" : "mistakes"} found beyond doubt${this.chanceText(found)}`;
    clear(
      this.chart,
      found && view
        ? curve(found.values, {
            at: line.here.ply,
            onGo: (ply) => this.go(ply),
            ...(this.isChance
              ? { names: [`win chance of ${view.players[0]}`, ""], tick: winChance }
              : { names: [`better for ${view.players[0]}`, `better for ${rivals(view.players)}`] }),
            marks: found.mistakes.map((each) => ({
              ply: each.ply,
              text: `${each.ply}. ${each.text}: better ${each.best_text}`,
            })),
            label: `${this.isChance ? "Win chance of" : "Value for"} ${view.players[0]} over the game, with mistakes`,
          })
        : [],
    );
    clear(
      this.list,
      found
        ? found.mistakes.map((each) =>
            h(
              "li",
              {},
              h(
                "button",
                {
                  type: "button",
                  class: `move noted ${each.grade}`,
                  onclick: () => this.go(each.ply),
                  onpointerenter: () => this.host.panel.light(each.vertex),
                  onpointerleave: () => this.host.panel.light(null),
                },
                h("span", { class: "ply" }, each.ply),
                `${each.text} ${SYMBOLS[each.grade]}`,
              ),
              h("span", { class: "faint" }, ` ${each.grade}: gives away ${this.lossText(each)}; better ${each.best_text}`),
            ),
          )
        : [],
    );
  }

  /** Go to a ply, with the board in view. @param {number} ply */
  go(ply) {
    this.host.panel.frame.scrollIntoView({ block: "nearest" });
    if (ply) this.host.goToNode(this.path[ply - 1]);
    else this.host.goToNode(this.host.line.root);
  }

  /** Stop following; the job goes on and can be found again. */
  close() {
    this.work.leave();
  }
}

/** @param {string[]} players */
const rivals = (players) => (players.length === 2 ? players[1] : "the others");
