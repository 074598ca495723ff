/** The candidates of a decision: a list that is updated in place, with small bars. */

import { h, s } from "../parts/dom.js";
import { count, percent, signed } from "../parts/table.js";

const MOST = 30; // rows
/** @type {Record<string, string>} of columns that not every decision has */
const CLASSES = { "95%": "within", Prior: "prior" };

/** @typedef {{element: HTMLElement, update: (now: CandidateData, scale: Point, isBest: boolean) => void}} CandidateRow */

export class Candidates {
  /**
   * `onHover` is called with a candidate or null, `onPlay` with the chosen one.
   * @param {{onHover: (candidate: CandidateData | null) => void, onPlay: (candidate: CandidateData) => void}} options
   */
  constructor({ onHover, onPlay }) {
    this.onHover = onHover;
    this.onPlay = onPlay;
    /** @type {Map<number, CandidateRow>} by move */
    this.rows = new Map();
    this.body = h("tbody");
    const heads = ["Move", "Value", "95%", "Visits", "Share", "Prior"].map((name, i) =>
      h("th", { scope: "col", class: i ? CLASSES[name] : "words" }, name),
    );
    this.element = h(
      "div",
      { class: "scroll candidates", role: "region", "aria-label": "Candidates", tabindex: "0" },
      h("table", {}, h("thead", {}, h("tr", {}, heads)), this.body),
    );
  }

  /** @param {DecisionData | null} decision */
  show(decision) {
    const shown = decision ? decision.candidates.slice(0, MOST) : [];
    const scale = scaleOf(
      shown.filter((each) => each.judged),
      decision ? decision.unit : "return",
    );
    const hasPriors = shown.some(({ prior }) => prior !== null);
    this.element.classList.toggle("with-priors", hasPriors); // a network's values have no interval
    const kept = new Set(shown.map((candidate) => candidate.move));
    for (const [move, row] of this.rows) {
      if (kept.has(move)) continue;
      row.element.remove();
      this.rows.delete(move);
    }
    shown.forEach((candidate, place) => {
      let row = this.rows.get(candidate.move);
      if (!row) {
        row = this.makeRow(candidate);
        this.rows.set(candidate.move, row);
      }
      row.update(candidate, scale, decision !== null && decision.judged && candidate.move === decision.move);
      if (this.body.children[place] !== row.element)
        this.body.insertBefore(row.element, this.body.children[place] || null);
    });
  }

  /** @param {CandidateData} first */
  makeRow(first) {
    let candidate = first;
    const [value, visits, share] = [h("td"), h("td"), h("td")];
    const prior = h("td", { class: CLASSES.Prior });
    const bar = intervalBar();
    const name = h(
      "button",
      { type: "button", class: "button quiet", onclick: () => this.onPlay(candidate) },
      first.text,
    );
    const element = h(
      "tr",
      {
        class: "live",
        onpointerenter: () => this.onHover(candidate),
        onpointerleave: () => this.onHover(null),
        onfocusin: () => this.onHover(candidate),
        onfocusout: () => this.onHover(null),
      },
      h("th", { scope: "row", class: "words" }, name),
      value,
      h("td", { class: CLASSES["95%"] }, bar.element),
      visits,
      share,
      prior,
    );
    return {
      element,
      /** @param {CandidateData} now @param {Point} scale @param {boolean} isBest */
      update: (now, scale, isBest) => {
        candidate = now;
        element.classList.toggle("on", isBest);
        value.textContent = now.proven || (now.judged ? `${now.exact ? "" : "≤ "}${signed(now.value)}` : "–");
        visits.textContent = now.visits ? count(now.visits) : "–";
        share.textContent = now.visits ? percent(now.share, now.share < 0.1 ? 1 : 0) : "–";
        prior.textContent = percent(now.prior, (now.prior ?? 1) < 0.1 ? 1 : 0);
        bar.update(now.judged ? now : { ...now, value: null, interval: null }, scale);
      },
    };
  }
}

/** @param {CandidateData[]} candidates @param {string} unit @returns {Point} */
function scaleOf(candidates, unit) {
  if (unit === "return") return [-1, 1];
  const values = candidates
    .flatMap((each) => [each.value, ...(each.interval || [])])
    .filter((value) => value !== null);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (!values.length) return [-1, 1];
  return most > least ? [least, most] : [least - 1, most + 1];
}

/** A value as a dot and its interval as a line. */
function intervalBar() {
  const line = s("line", { class: "whisker", y1: 9, y2: 9 });
  const dot = s("circle", { class: "dot", cy: 9, r: 5 });
  const middle = s("line", { class: "rule", y1: 2, y2: 16 });
  const element = s(
    "svg",
    { class: "chart interval", viewBox: "0 0 100 18", role: "img" },
    middle,
    line,
    dot,
  );
  return {
    element,
    /** @param {CandidateData} candidate @param {Point} scale the least and the most value */
    update: ({ value, interval }, [least, most]) => {
      /** @param {number} number */
      const x = (number) => (5 + (90 * (number - least)) / (most - least)).toFixed(1);
      const isKnown = value !== null && value !== undefined;
      dot.setAttribute("visibility", isKnown ? "visible" : "hidden");
      if (isKnown) dot.setAttribute("cx", x(value));
      const zero = least < 0 && most > 0 ? 0 : least;
      middle.setAttribute("x1", x(zero));
      middle.setAttribute("x2", x(zero));
      line.setAttribute("visibility", interval ? "visible" : "hidden");
      if (interval) {
        line.setAttribute("x1", x(interval[0]));
        line.setAttribute("x2", x(interval[1]));
      }
      element.setAttribute(
        "aria-label",
        interval ? `from ${signed(interval[0])} to ${signed(interval[1])}` : "no interval",
      );
    },
  };
}
