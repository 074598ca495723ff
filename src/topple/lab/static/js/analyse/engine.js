/** Engine: one agent asked about the position, again whenever the position changes while it is on. */

import { JobRunner } from "../jobs.js";
import { button } from "../parts/buttons.js";
import { clear, h } from "../parts/dom.js";
import { showError } from "../parts/notice.js";
import { PlayerChooser } from "../parts/player_chooser.js";
import { count, signed, winChance } from "../parts/table.js";
import { findAgent } from "../state/catalogue.js";
import { Candidates } from "./candidates.js";
import { MoreSearch } from "./more_search.js";

const WAIT = 120; // milliseconds that a position must stay before the agent is asked

export class Engine {
  /**
   * @param {AnalysePage} host @param {string} name @param {string} spec @param {(spec: string) => void} onSpec
   */
  constructor(host, name, spec, onSpec) {
    this.host = host;
    this.isOn = false;
    /** @type {DecisionData | null} */
    this.decision = null;
    this.work = new JobRunner(
      (job) => this.take(job),
      (error) => this.fail(error),
    );
    this.timer = 0;
    this.chooser = new PlayerChooser(spec, {
      withPerson: false,
      label: "Agent",
      onChange: (shown, isChosen) => {
        if (isChosen) onSpec(shown);
        if (this.name) this.name.textContent = shown;
      },
    });
    this.name = h("b", {}, this.chooser.spec);
    this.runner = button("Think", () => (this.isOn ? this.stop() : this.start()), { kind: "main" });
    this.message = h("p", { class: "thought", role: "status" });
    this.variation = h("div", { class: "variation" });
    this.more = new MoreSearch((longer) => {
      this.chooser.choose(longer);
      this.start();
    });
    this.candidates = new Candidates({
      onHover: (candidate) => host.showVariation(candidate ? this.lineOf(candidate) : []),
      onPlay: (candidate) => host.playMove(candidate),
    });
    this.element = h(
      "section",
      { class: "panel engine", "aria-label": name },
      h("div", { class: "row spread" }, this.name, this.runner),
      h("details", {}, h("summary", {}, "Choose the agent"), this.chooser.element),
      this.message,
      this.more.element,
      this.variation,
      this.candidates.element,
    );
    this.show();
  }

  /**
   * What is expected after a candidate: the whole variation for the best, the move alone for others.
   * @param {CandidateData} candidate
   */
  lineOf(candidate) {
    const variation = this.decision?.judged ? this.decision.variation : [];
    return variation.length && variation[0].move === candidate.move ? variation : [candidate];
  }

  /** Offer the agents that can be asked about the game. @param {ViewData} view */
  offer(view) {
    this.chooser.offer({ hasNet: view.has_net });
  }

  start() {
    this.isOn = true;
    this.ask();
  }

  stop() {
    this.isOn = false;
    clearTimeout(this.timer);
    this.work.stop();
    this.show();
  }

  /** The position has changed. */
  moved() {
    this.work.end();
    this.decision = null;
    this.show();
    clearTimeout(this.timer);
    if (this.isOn) this.timer = setTimeout(() => this.ask(), WAIT);
  }

  ask() {
    this.work.end();
    if (!this.host.canThink) {
      this.show();
      return;
    }
    const { game, board } = this.host.line;
    this.work.start({ kind: "think", game, board, moves: this.host.line.moves(), agent: this.chooser.spec });
    this.show();
  }

  /** @param {JobData} job */
  take(job) {
    if (job.latest) this.decision = job.latest;
    if (job.state === "failed") this.fail(new Error(job.error || "The agent failed."));
    else this.show();
  }

  /** @param {Error} error */
  fail(error) {
    this.isOn = false;
    this.work.end();
    showError(error);
    this.show();
  }

  show() {
    const { decision } = this;
    const isThinking = this.work.isRunning;
    this.runner.textContent = this.isOn ? (isThinking ? "Stop" : "Switch off") : "Think";
    this.runner.classList.toggle("main", !this.isOn);
    this.message.textContent = this.words(isThinking);
    this.more.show(isThinking ? null : decision, this.chooser.spec, this.host.line.game);
    this.candidates.show(decision);
    this.candidates.element.hidden = !decision;
    clear(
      this.variation,
      decision && decision.judged && decision.variation.length > 1 ? this.variationButtons(decision.variation) : [],
    );
    this.host.showHeat();
  }

  /** @param {boolean} isThinking */
  words(isThinking) {
    if (this.decision) {
      const { value, unit, proven, judged, effort } = this.decision;
      const isNet = Boolean(findAgent(this.chooser.spec)?.needs_net);
      const work = [
        effort.simulations && `${count(effort.simulations)} ${isNet ? "simulations" : "games"}`,
        effort.nodes && `${count(effort.nodes)} positions`,
        effort.depth && `depth ${effort.depth}`,
        `${effort.seconds.toFixed(1)} s`,
      ];
      const worth = proven
        ? `proven ${proven}`
        : !judged
          ? "Too little search to say"
          : value === null
            ? ""
            : `${signed(value)}${isNet ? ` (win chance ${winChance(value)})` : unit === "return" ? "" : ` (${unit})`}`;
      return [worth, work.filter(Boolean).join(", "), isThinking ? "…" : ""].filter(Boolean).join(" · ");
    }
    if (!this.host.canThink) return "The game is over here.";
    return isThinking ? this.work.waitText || "thinking …" : this.isOn ? "" : "Ask this agent what it makes of the position.";
  }

  /** @param {PlaceData[]} variation */
  variationButtons(variation) {
    /** @param {number} length */
    const show = (length) => this.host.showVariation(length ? variation.slice(0, length) : []);
    return [
      h("span", { class: "faint" }, "Expected:"),
      ...variation.slice(0, 12).map((move, i) =>
        h(
          "button",
          {
            type: "button",
            class: "move",
            onclick: () => this.host.playMoves(variation.slice(0, i + 1)),
            onpointerenter: () => show(i + 1),
            onpointerleave: () => show(0),
            onfocus: () => show(i + 1),
            onblur: () => show(0),
          },
          move.text,
        ),
      ),
    ];
  }

  /** The heat of each vertex: its share of the effort, or how close its value is to the best. */
  heat() {
    /** @type {Map<number, number>} */
    const strengths = new Map();
    if (!this.decision || !this.decision.judged) return strengths;
    const candidates = this.decision.candidates.filter((each) => each.judged);
    const shares = candidates.map((each) => each.share || 0);
    const most = Math.max(...shares, 0);
    const values = candidates.flatMap(({ value }) => (value === null ? [] : [value]));
    const [least, best] = [Math.min(...values), Math.max(...values)];
    for (const each of candidates) {
      if (each.vertex === null) continue;
      const isUneven = most > 1.5 / Math.max(1, candidates.length);
      const strength =
        each.move === this.decision.move
          ? 1
          : isUneven
            ? each.share / most
            : best > least
              ? ((each.value ?? least) - least) / (best - least)
              : 1;
      if (strength > 0.03) strengths.set(each.vertex, Math.max(strength, strengths.get(each.vertex) || 0));
    }
    return strengths;
  }

  /** How likely the network finds a move on each vertex: the sum over its moves; empty without a network. */
  priors() {
    /** @type {Map<number, number>} */
    const sums = new Map();
    for (const { vertex, prior } of this.decision ? this.decision.candidates : [])
      if (vertex !== null && prior !== null) sums.set(vertex, (sums.get(vertex) || 0) + prior);
    return sums;
  }

  close() {
    clearTimeout(this.timer);
    this.work.end();
  }
}
