/** Standings as tables and charts: ratings, crosstables with intervals, what moves have cost. */

import { whiskers } from "../parts/chart.js";
import { h } from "../parts/dom.js";
import { count, percent, signed, table } from "../parts/table.js";

/** @param {StandingsData | null} standings @param {Record<string, string>} [letters] */
export function standingsParts(standings, letters = {}) {
  if (!standings || !standings.games) return [h("p", { class: "empty" }, "No game has been played yet.")];
  return [
    h(
      "section",
      { class: "panel" },
      h("h2", {}, "Ratings"),
      ratingsChart(standings.ratings),
      ratingsTable(standings),
    ),
    ...standings.contests.map((contest) =>
      h(
        "section",
        { class: "panel" },
        h("h2", {}, `${contest.game} on ${contest.board}`),
        h(
          "p",
          { class: "faint" },
          `${count(contest.games)} games, ${contest.mean_plies.toFixed(1)} moves on average${firstMove(contest)}`,
        ),
        crosstable(contest, standings.ratings, letters),
      ),
    ),
    h("section", { class: "panel" }, h("h2", {}, "Effort"), effortTable(standings.agents)),
  ];
}

/** @param {ContestData} contest */
function firstMove({ first_move: worth, first_move_interval: interval }) {
  if (worth === null || worth === undefined) return "";
  return `; the first move is worth ${signed(worth, 0)} Elo${interval ? ` (${signed(interval[0], 0)} to ${signed(interval[1], 0)})` : ""}`;
}

/** @param {RatingData[]} ratings */
const ratingsChart = (ratings) =>
  whiskers(
    ratings.map((row) => ({ name: row.agent, value: row.elo, interval: row.elo_interval })),
    { label: "Ratings in Elo with 95% intervals" },
  );

/** @param {StandingsData} standings */
function ratingsTable({ ratings }) {
  /** @param {Interval | null} interval @param {(end: number | null) => string} write */
  const range = (interval, write) => (interval ? `${write(interval[0])} to ${write(interval[1])}` : "");
  return table(
    [
      { name: "Agent", words: true, value: (row) => row.agent },
      {
        name: "Elo",
        value: (row) => [
          signed(row.elo, 0),
          h(
            "small",
            {},
            range(row.elo_interval, (end) => signed(end, 0)),
          ),
        ],
      },
      {
        name: "Score",
        value: (row) => [
          percent(row.score, 1),
          h(
            "small",
            {},
            range(row.score_interval, (end) => percent(end, 1)),
          ),
        ],
      },
      { name: "Games", value: (row) => count(row.games) },
    ],
    ratings,
    { caption: "Elo with a mean of 0; below each value its 95% interval.", label: "Ratings" },
  );
}

/**
 * Row against column: the row's share of points, with a stronger colour where it is high.
 * @param {ContestData} contest @param {RatingData[]} ratings @param {Record<string, string>} letters
 */
function crosstable(contest, ratings, letters) {
  const order = ratings
    .map((row) => row.agent)
    .filter((agent) => contest.agents.some((each) => each.agent === agent));
  const names = order.length ? order : contest.agents.map((each) => each.agent);
  /** @param {string} agent @param {number} i */
  const short = (agent, i) => letters[agent] || String.fromCharCode(65 + i);
  const met = new Map();
  for (const pairing of contest.pairings) {
    const [first, second] = pairing.agents;
    met.set(`${first}\n${second}`, {
      score: pairing.score,
      interval: pairing.score_interval,
      text: `${pairing.wins}-${pairing.draws}-${pairing.losses}`,
    });
    if (first === second) continue;
    const turned = pairing.score_interval
      ? pairing.score_interval.map((end) => (end === null ? null : 1 - end)).reverse()
      : null;
    met.set(`${second}\n${first}`, {
      score: pairing.score === null ? null : 1 - pairing.score,
      interval: turned,
      text: `${pairing.losses}-${pairing.draws}-${pairing.wins}`,
    });
  }
  /** @param {string} row @param {string} column */
  const cell = (row, column) => {
    const found = met.get(`${row}\n${column}`);
    if (!found) return h("td", { class: "none" }, "·");
    const made = h(
      "td",
      { class: "score", title: `${row} against ${column}: ${found.text}` },
      percent(found.score),
      h(
        "small",
        {},
        found.interval ? `${percent(found.interval[0])} to ${percent(found.interval[1])}` : found.text,
      ),
    );
    if (found.score !== null) made.style.setProperty("--score", `${Math.round(100 * found.score)}%`);
    return made;
  };
  return h(
    "div",
    { class: "scroll", role: "region", "aria-label": `Crosstable of ${contest.game}`, tabindex: "0" },
    h(
      "table",
      { class: "crosstable" },
      h("caption", {}, "The row's share of points against the column, with its 95% interval."),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col", class: "words" }, "Agent"),
          names.map((agent, i) => h("th", { scope: "col", title: agent }, short(agent, i))),
          h("th", { scope: "col" }, "All"),
        ),
      ),
      h(
        "tbody",
        {},
        names.map((agent, i) => {
          const own = contest.agents.find((each) => each.agent === agent);
          return h(
            "tr",
            {},
            h("th", { scope: "row", class: "words" }, `${short(agent, i)}  ${agent}`),
            names.map((other) => (other === agent ? h("td", { class: "none" }, "–") : cell(agent, other))),
            h(
              "td",
              {},
              percent(own && own.score, 1),
              h("small", {}, own ? `${own.wins}-${own.draws}-${own.losses}` : ""),
            ),
          );
        }),
      ),
    ),
  );
}

/** @param {AgentTotalsData[]} agents */
function effortTable(agents) {
  return table(
    [
      { name: "Agent", words: true, value: (row) => row.agent },
      { name: "Moves", value: (row) => count(row.moves) },
      { name: "Seconds a move", value: (row) => row.seconds_per_move.toPrecision(2) },
      { name: "Games simulated", value: (row) => count(Math.round(row.simulations_per_move)) },
      { name: "Positions visited", value: (row) => count(Math.round(row.nodes_per_move)) },
      {
        name: "Forfeits",
        value: (row) => [
          count(Object.values(row.forfeits).reduce((sum, each) => sum + each, 0)),
          Object.entries(row.forfeit_reasons ?? {}).map(([kind, why]) => h("small", {}, `first ${kind}: ${why}`)),
        ],
      },
    ],
    agents,
    { label: "Effort" },
  );
}
