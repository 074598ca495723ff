/** The edges of a network: lines, arrows that end at the rim, probabilities; and one network fading into another. */

import { isMoving, s } from "../parts/dom.js";

const MOST_LINES = 1500; // edges beyond this number are drawn as one path
const FEW = 24; // edges whose probabilities are written on them, where they differ
const FADE = 900; // milliseconds in which edges come and go

/**
 * The probability that an edge takes a token: one for all edges, or its own.
 * @param {NetworkData} drawn @param {number} i @param {number | null} all
 */
const shareOf = ({ accept }, i, all) => all ?? accept[i] ?? 1;

/** @param {number} share */
export const shareText = (share) => String(Number(share.toFixed(3)));

/**
 * The network of a board with an index; the first is the board itself.
 * @param {BoardData} board @param {number} index
 * @returns {NetworkData}
 */
export const networkAt = (board, index) => (index ? board.later[index - 1] : board);

export class Edges {
  /**
   * @param {SVGGElement} layer @param {Point[]} places @param {number} radius of the vertices
   * @param {boolean} isDirected @param {number | null} accept the probability of all edges, null: each has its own
   */
  constructor(layer, places, radius, isDirected, accept) {
    this.layer = layer;
    this.places = places;
    this.radius = radius;
    this.isDirected = isDirected;
    this.accept = accept;
    /** @type {DrawnEdge[]} */
    this.list = [];
    /** @type {Map<string, SVGElement>} what is drawn, by what it shows */
    this.drawn = new Map();
    this.numbers = s("g", { class: "shares" });
    layer.style.setProperty("--size", `${Math.max(15, Math.min(0.42 * radius, 26)).toFixed(1)}px`);
  }

  /**
   * Draw a network; what was drawn before and is not in it fades.
   * @param {NetworkData} network
   * @param {Options} [options]
   */
  show(network, { isAnimated = false } = {}) {
    const pairs = new Set(this.isDirected ? network.edges.map(([tail, head]) => `${tail} ${head}`) : []);
    this.list = network.edges.map(([tail, head], i) => ({
      tail,
      head,
      share: shareOf(network, i, this.accept),
      isBent: pairs.has(`${head} ${tail}`),
    }));
    const crowd = Math.min(1, 400 / Math.max(1, this.list.length));
    this.layer.style.setProperty("--thick", `${(1 + 1.6 * crowd).toFixed(2)}px`);
    this.layer.setAttribute("opacity", Math.max(0.25, crowd ** 0.5).toFixed(2));
    const wanted = this.list.length > MOST_LINES ? this.together() : this.oneByOne();
    const moves = isAnimated && isMoving();
    for (const [key, element] of this.drawn) {
      if (wanted.has(key)) continue;
      if (moves) fadeOut(element);
      else element.remove();
    }
    for (const [key, make] of wanted) {
      if (this.drawn.has(key)) continue;
      const element = make();
      this.layer.append(element);
      if (moves) element.animate(APPEARING, { duration: FADE, easing: "ease-out" });
    }
    this.drawn = new Map([...wanted.keys()].map((key) => [key, this.find(key)]));
    this.layer.append(this.numbers);
    this.number(null);
  }

  /** @param {string} key */
  find(key) {
    const found = this.layer.querySelectorAll(`[data-key="${key}"]`);
    return /** @type {SVGElement} */ (found[found.length - 1]);
  }

  /** Each edge by itself. @returns {Map<string, () => SVGElement>} */
  oneByOne() {
    return new Map(
      this.list.map((edge, i) => {
        const key = `${edge.tail}-${edge.head}-${edge.share}-${edge.isBent}`;
        return [key, () => this.draw(edge, i, key)];
      }),
    );
  }

  /** All edges as one picture. @returns {Map<string, () => SVGElement>} */
  together() {
    const shapes = this.list.map((edge) => this.shape(edge));
    const key = `all-${this.list.length}-${shapes[0].line}-${Date.now()}`;
    const make = () =>
      s(
        "g",
        { class: "edge", "data-key": key },
        s("path", { class: "line", d: shapes.map((shape) => shape.line).join("") }),
        this.isDirected && s("path", { class: "head", d: shapes.map((shape) => shape.head).join("") }),
      );
    return new Map([[key, make]]);
  }

  /** @param {DrawnEdge} edge @param {number} i @param {string} key */
  draw(edge, i, key) {
    const { line, head } = this.shape(edge);
    const isSure = edge.share >= 1;
    const opacity = isSure ? null : (0.4 + 0.6 * edge.share).toFixed(2);
    return s(
      "g",
      { class: isSure ? "edge" : "edge unsure", "data-key": key, "data-edge": i },
      s("path", { class: "line", d: line, opacity, "stroke-dasharray": isSure ? null : dashes(edge.share) }),
      this.isDirected && s("path", { class: "head", d: head, opacity }),
      !isSure && s("path", { class: "reach", d: line }),
    );
  }

  /**
   * The line of an edge and its arrow head, whose tip is on the rim. Arcs in both directions bend away from each other.
   * @param {DrawnEdge} edge
   */
  shape(edge) {
    const [x1, y1] = this.places[edge.tail];
    const [x2, y2] = this.places[edge.head];
    if (!this.isDirected) return { line: `M${text([x1, y1])}L${text([x2, y2])}`, head: "" };
    const bend = this.bend(edge);
    const [startX, startY] = towards([x1, y1], bend, this.radius);
    const size = Math.max(5, Math.min(0.5 * this.radius, 16));
    const tip = towards([x2, y2], bend, this.radius + 1.5);
    const back = towards([x2, y2], bend, this.radius + 1.5 + size);
    const [ax, ay] = [(tip[0] - back[0]) / size, (tip[1] - back[1]) / size];
    const wing = 0.5 * size;
    const left = text([back[0] - ay * wing, back[1] + ax * wing]);
    const right = text([back[0] + ay * wing, back[1] - ax * wing]);
    return {
      line: `M${text([startX, startY])}Q${text(bend)} ${text(back)}`,
      head: `M${text(tip)}L${left}L${right}Z`,
    };
  }

  /** The point that an edge bends towards: its middle, or beside it. @param {DrawnEdge} edge @returns {Point} */
  bend({ tail, head, isBent }) {
    const [[x1, y1], [x2, y2]] = [this.places[tail], this.places[head]];
    const [middleX, middleY] = [(x1 + x2) / 2, (y1 + y2) / 2];
    if (!isBent) return [middleX, middleY];
    const long = Math.hypot(x2 - x1, y2 - y1) || 1;
    const far = Math.min(0.16 * long, 1.5 * this.radius);
    return [middleX + (far * (y2 - y1)) / long, middleY - (far * (x2 - x1)) / long];
  }

  /** Where the number of an edge stands: on its curve, nearer to where it leads. @param {DrawnEdge} edge @returns {Point} */
  middle(edge) {
    const [from, bend, to] = [this.places[edge.tail], this.bend(edge), this.places[edge.head]];
    const at = 0.58;
    /** @param {0 | 1} axis */
    const on = (axis) => (1 - at) ** 2 * from[axis] + 2 * at * (1 - at) * bend[axis] + at ** 2 * to[axis];
    return [on(0), on(1)];
  }

  /**
   * Write the probabilities of the edges that leave a vertex, and of all where they are few and differ.
   * @param {number | null} vertex
   */
  number(vertex) {
    const isPlain = this.list.length <= FEW && new Set(this.list.map((edge) => edge.share)).size > 1;
    const shown = this.list.filter((edge) => edge.share < 1 && (isPlain || this.leaves(edge, vertex)));
    this.numbers.replaceChildren(
      ...shown.map((edge) => {
        const [x, y] = this.middle(edge);
        return s("text", { class: "share", x: x.toFixed(1), y: y.toFixed(1) }, shareText(edge.share));
      }),
    );
  }

  /** @param {DrawnEdge} edge @param {number | null} vertex */
  leaves({ tail, head }, vertex) {
    return tail === vertex || (!this.isDirected && head === vertex);
  }

  /** Where a vertex sends tokens, with the probabilities. @param {number} vertex */
  from(vertex) {
    return this.list
      .filter((edge) => this.leaves(edge, vertex))
      .map(({ tail, head, share }) => ({ to: tail === vertex ? head : tail, share }));
  }

  get isUnsure() {
    return this.list.some((edge) => edge.share < 1);
  }

  /** Fade the edges of vertices that are gone. @param {(vertex: number) => boolean} isGone */
  fade(isGone) {
    for (const element of this.layer.querySelectorAll("[data-edge]")) {
      const edge = this.list[Number(element.getAttribute("data-edge"))];
      if (edge) element.classList.toggle("gone", isGone(edge.tail) || isGone(edge.head));
    }
  }
}

const APPEARING = [
  { opacity: 0, stroke: "var(--accent)", fill: "var(--accent)" },
  { opacity: 1, stroke: "var(--accent)", fill: "var(--accent)", offset: 0.6 },
  { opacity: 1 },
];

/** @param {SVGElement} element */
function fadeOut(element) {
  element.removeAttribute("data-key");
  element.removeAttribute("data-edge");
  const fading = element.animate([{ opacity: 1 }, { opacity: 0 }], { duration: FADE, easing: "ease-in" });
  const remove = () => element.remove();
  fading.onfinish = remove;
  fading.oncancel = remove;
}

/** The less sure, the shorter the dashes. @param {number} share */
const dashes = (share) => `${(3 + 11 * share).toFixed(1)} ${(4 + 6 * (1 - share)).toFixed(1)}`;

/** @param {Point} point */
const text = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** The point so far from one towards another. @param {Point} from @param {Point} to @param {number} far @returns {Point} */
function towards([x, y], [toX, toY], far) {
  const long = Math.hypot(toX - x, toY - y) || 1;
  return [x + (far * (toX - x)) / long, y + (far * (toY - y)) / long];
}
