/** Charts in SVG: a curve over the plies of a game, ratings with intervals. */

import { h, s } from "./dom.js";

const [WIDE, NARROW] = [640, 350]; // as wide as the screen allows, so that texts keep their size
const HEIGHT = 170;
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 10, 12, 24];

/**
 * The value over the plies.
 * @param {(number | null)[]} values
 * @param {object} options
 * @param {{ply: number, text: string}[]} [options.marks]
 * @param {number} [options.at] the ply that is shown
 * @param {(ply: number) => void} [options.onGo] called with a ply that was clicked
 * @param {string[]} [options.names] what a value above and below 0 means
 * @param {(value: number) => string} [options.tick] a value as it stands on the axis
 * @param {string} [options.label]
 */
export function curve(values, { marks = [], at = 0, onGo = () => {}, names = ["", ""], tick = shortNumber, label = "" }) {
  const width = chartWidth();
  const known = values.flatMap((value) => value ?? []);
  const most = known.every((value) => Math.abs(value) <= 1) ? 1 : Math.max(...known.map(Math.abs));
  const last = Math.max(1, values.length - 1);
  /** @param {number} ply */
  const x = (ply) => LEFT + (ply / last) * (width - LEFT - RIGHT);
  /** @param {number} value */
  const y = (value) => TOP + ((most - value) / (2 * most)) * (HEIGHT - TOP - BOTTOM);
  const points = values.flatMap((value, ply) => (value === null || value === undefined ? [] : [[x(ply), y(value)]]));
  const line = points.map(([px, py], i) => `${i ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
  const area = points.length
    ? `${line}L${points[points.length - 1][0].toFixed(1)} ${y(0)}L${points[0][0].toFixed(1)} ${y(0)}Z`
    : "";
  const svg = s(
    "svg",
    { viewBox: `0 0 ${width} ${HEIGHT}`, class: "chart", role: "img", "aria-label": label },
    [most, 0, -most].map((value) => [
      s("line", { class: value ? "rule" : "axis", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
      s("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, tick(value)),
    ]),
    s("text", { x: LEFT + 4, y: y(most) + 12 }, names[0]),
    s("text", { x: LEFT + 4, y: y(-most) - 5 }, names[1]),
    plies(last).map((ply) => s("text", { x: x(ply), y: HEIGHT - 6, "text-anchor": "middle" }, String(ply))),
    area && s("path", { class: "area", d: area }),
    line && s("path", { class: "line", d: line }),
    s("line", { class: "at", x1: x(at), x2: x(at), y1: TOP - 4, y2: HEIGHT - BOTTOM + 4 }),
    marks
      .filter(({ ply }) => values[ply - 1] !== null && values[ply - 1] !== undefined)
      .map(({ ply, text }) =>
        s(
          "circle",
          { class: "mistake", r: 5, cx: x(ply), cy: y(values[ply] ?? values[ply - 1] ?? 0) },
          s("title", {}, text),
        ),
      ),
  );
  const reach = s("rect", { class: "reach", x: LEFT, y: 0, width: width - LEFT - RIGHT, height: HEIGHT });
  reach.addEventListener("click", (event) => {
    const box = reach.getBoundingClientRect();
    onGo(Math.round(((event.clientX - box.left) / box.width) * last));
  });
  svg.append(reach);
  return svg;
}

const chartWidth = () => (matchMedia("(max-width: 640px)").matches ? NARROW : WIDE);

/** @param {string} text @param {number} most */
const shortened = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** @param {number} last */
function plies(last) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((each) => last / each <= 10) || 2000;
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step);
}

/** @param {number} value */
const shortNumber = (value) =>
  `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value) >= 10 ? Math.abs(value).toFixed(0) : String(Number(Math.abs(value).toFixed(2)))}`;

/**
 * Rows of a value with its interval on one scale: `[{name, value, interval}]`.
 * @param {{name: string, value: number | null, interval: Interval | null}[]} rows
 * @param {{label?: string, unit?: string}} [options]
 */
export function whiskers(rows, { label = "", unit = "" } = {}) {
  const width = chartWidth();
  const ends = rows.flatMap((row) => [row.value, ...(row.interval || [])]).flatMap((value) => value ?? []);
  if (!ends.length) return h("p", { class: "empty" }, "Nothing to compare yet.");
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const room = (most - least) * 0.06 || 1;
  const [tall, from] = [30, width > NARROW ? 190 : 130];
  /** @param {number} value */
  const x = (value) => from + ((value - least + room) / (most - least + 2 * room)) * (width - from - 14);
  const high = tall * rows.length + 22;
  return s(
    "svg",
    { viewBox: `0 0 ${width} ${high}`, class: "chart", role: "img", "aria-label": label },
    ticks(least, most).map((value) => [
      s("line", { class: "rule", x1: x(value), x2: x(value), y1: 0, y2: high - 18 }),
      s("text", { x: x(value), y: high - 5, "text-anchor": "middle" }, `${shortNumber(value)}${unit}`),
    ]),
    rows.map((row, i) => {
      const y = tall * i + tall / 2;
      const [from95, to95] = row.interval || [];
      return [
        s(
          "text",
          { x: from - 12, y: y + 4, "text-anchor": "end" },
          shortened(row.name, width > NARROW ? 30 : 20),
          s("title", {}, row.name),
        ),
        row.interval &&
          s("line", {
            class: "whisker",
            x1: x(from95 ?? least - room),
            x2: x(to95 ?? most + room),
            y1: y,
            y2: y,
          }),
        row.value !== null && s("circle", { class: "dot", cx: x(row.value), cy: y, r: 6 }),
      ];
    }),
  );
}

/** @param {number} least @param {number} most */
function ticks(least, most) {
  const span = most - least || 1;
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000].find((each) => span / each <= 7) || 5000;
  const first = Math.ceil(least / step) * step;
  return Array.from({ length: Math.floor((most - first) / step) + 1 }, (_, i) => first + i * step);
}
