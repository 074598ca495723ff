/** Solver: the exact value of the position and of each move, where it can be found. */

import { JobRunner } from "../jobs.js";
import { button } from "../parts/buttons.js";
import { clear, h } from "../parts/dom.js";

const SECONDS = 60;
const MOST = 60;

export class Solver {
  /** @param {AnalysePage} host */
  constructor(host) {
    this.host = host;
    /** @type {SolutionData | null} */
    this.found = null;
    this.work = new JobRunner(
      (job) => this.take(job),
      (error) => this.fail(error),
    );
    this.runner = button("Solve", () =>
      this.work.isRunning ? this.work.stop() : this.start(),
    );
    this.message = h("p", { role: "status" });
    this.list = h("div", { class: "exact" });
    this.element = h(
      "section",
      { class: "panel", "aria-label": "Exact value" },
      h("div", { class: "row spread" }, h("h2", {}, "Exact value"), this.runner),
      this.message,
      this.list,
    );
    this.show();
  }

  start() {
    const { game, board } = this.host.line;
    this.moved();
    this.work.start({ kind: "solve", game, board, moves: this.host.line.moves(), seconds: SECONDS });
    this.show();
  }

  /** @param {JobData} job */
  take(job) {
    this.found = job.latest || this.found;
    if (job.state === "failed") this.fail(new Error(job.error || "The solver failed."));
    else this.show();
  }

  /** @param {Error} error */
  fail(error) {
    this.work.end();
    this.show();
    this.message.textContent = error.message;
  }

  moved() {
    this.close();
    this.found = null;
    this.show();
  }

  show() {
    const { found } = this;
    const { isRunning } = this.work;
    this.runner.textContent = isRunning ? "Stop" : "Solve";
    this.runner.disabled = !isRunning && !this.host.canThink;
    this.message.textContent = found
      ? found.value_text
      : isRunning
        ? this.work.waitText || "solving …"
        : `Proves the outcome of perfect play, if ${SECONDS} s are enough.`;
    const moves = (found && found.moves) || [];
    const best = new Set((found && found.best) || []);
    if (best.size === moves.length) best.clear(); // where all are equal, none stands out
    clear(
      this.list,
      moves.slice(0, MOST).map((each) =>
        h(
          "button",
          {
            type: "button",
            class: `move ${best.has(each.move) ? "best" : ""}`,
            onclick: () => this.host.playMove(each),
            onpointerenter: () => this.host.showVariation([each]),
            onpointerleave: () => this.host.showVariation([]),
          },
          each.text,
          h("small", {}, ` ${each.text_value ?? each.value}`),
        ),
      ),
    );
  }

  close() {
    this.work.end();
  }
}
