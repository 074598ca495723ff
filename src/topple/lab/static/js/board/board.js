/** BoardView: a board drawn once, then only what changes. It reports which vertex was picked and knows no rules. */

import { h, isMoving, s } from "../parts/dom.js";
import { networkAt, shareText } from "./edges.js";
import { Cursor, watchBoard } from "./input.js";
import { hexes, squares } from "./cells.js";
import { PLAIN_LOOKS } from "./looks.js";
import { Marks } from "./marks.js";
import { network as networkLayout } from "./network.js";
import { describeCell, drawPieces, FlyingTokens } from "./pieces.js";
import { Viewport } from "./viewport.js";

/** @type {Record<BoardData["form"], (board: BoardData, looks: Looks, isNarrow: boolean) => Layout>} */
const LAYOUTS = { squares, hexes, network: networkLayout };
const LABELLED = 2.2; // zoom from which labels show by themselves
const GROWTH = 0.7; // how much less labels and edges grow than the board
const LEAST_NAME = 10.5; // pixels on the screen below which no name can be read
const MOST_TOLD = 8; // edges of a vertex that are told one by one
const CROWD = 200; // vertices beyond which empty ones are drawn more plainly
const NOTHING = [-1, 0];
/** @type {BoardData} */
const NO_BOARD = {
  board: "",
  spec: "",
  form: "squares",
  wraps: false,
  rows: 0,
  columns: 0,
  directed: false,
  labels: [],
  edges: [],
  places: [],
  thresholds: [],
  accept: [],
  later: [],
  communities: [],
  sides: "",
  notes: [],
  has_net: false,
  vertices: 0,
  n_edges: 0,
};
const NARROW = matchMedia("(max-width: 640px)");

export class BoardView {
  /**
   * @param {HTMLElement} host the element to draw into
   * @param {object} [options]
   * @param {(vertex: number) => void} [options.onPick] called with a vertex that was clicked, touched or entered
   * @param {(vertex: number | null, words?: string) => void} [options.onTip] called with the vertex to describe, null for none, or words on what is no vertex
   * @param {() => void} [options.onLaid] called when the board was laid out anew
   * @param {boolean} [options.isStill] a picture only: nothing can be picked
   */
  constructor(host, { onPick = () => {}, onTip = () => {}, onLaid = () => {}, isStill = false } = {}) {
    this.host = host;
    this.onPick = onPick;
    this.onTip = onTip;
    this.onLaid = onLaid;
    this.isStill = isStill;
    const layer = (/** @type {string} */ name) => s("g", { class: `layer-${name}` });
    this.layers = {
      behind: layer("behind"),
      edges: layer("edges"),
      vertices: layer("vertices"),
      labels: layer("labels"),
      arrows: layer("arrows"),
      variation: layer("variation"),
      tokens: layer("tokens"),
    };
    this.world = s("g", { class: "world" }, Object.values(this.layers));
    this.svg = s(
      "svg",
      { class: "board", role: isStill ? "img" : "group", "aria-label": "Board" },
      this.world,
    );
    this.slide = h("div", { class: "board-slide" }, this.svg);
    host.append(this.slide);
    this.board = NO_BOARD;
    this.looks = PLAIN_LOOKS;
    this.layout = LAYOUTS[NO_BOARD.form](NO_BOARD, PLAIN_LOOKS, false);
    this.radius = this.layout.radius;
    /** @type {number[]} */
    this.degrees = [];
    /** @type {import("./edges.js").Edges | null} */
    this.edges = null;
    this.network = 0; // which of the board's networks is drawn
    /** @type {Spot[][]} by vertex: the spot itself, then its ghosts */
    this.spots = [];
    /** @type {(Cell | null)[]} what is drawn on each vertex */
    this.cells = [];
    this.viewport = new Viewport(this.slide, this.svg, this.world, (scale) => this.suit(scale));
    this.marks = new Marks(this);
    this.cursor = new Cursor(this);
    this.flying = new FlyingTokens(this.layers.tokens);
    this.onTurn = () => this.turn();
    NARROW.addEventListener("change", this.onTurn);
    if (!isStill) watchBoard(this);
  }

  /** The screen has become narrow or wide: lay the board out again, with everything on it. */
  turn() {
    if (this.board === NO_BOARD || this.board.form === "squares") return;
    const cells = /** @type {Cell[]} */ (this.cells);
    this.setBoard(this.board, this.looks, this.network);
    this.show(cells);
    this.onLaid();
  }

  /**
   * Labels and edges grow less than the board, which leaves room between them.
   * @param {number} scale
   */
  suit(scale) {
    this.svg.classList.toggle("near", scale > LABELLED);
    this.world.style.setProperty("--zoom", (scale ** GROWTH).toFixed(3));
    const { matrix } = this.viewport;
    if (matrix) this.world.style.setProperty("--least", `${(LEAST_NAME / (matrix.a * scale)).toFixed(2)}px`);
  }

  /**
   * Draw another board, or the same with other looks.
   * @param {BoardData} board @param {Looks} [looks] @param {number} [index] which of its networks
   */
  setBoard(board, looks = PLAIN_LOOKS, index = 0) {
    this.board = board;
    this.looks = looks;
    this.layout = LAYOUTS[board.form](board, looks, NARROW.matches);
    this.radius = this.layout.radius;
    this.marks.clear();
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
    this.layout.behind(this.layers.behind);
    this.edges = this.layout.edges ? this.layout.edges(this.layers.edges) : null;
    this.network = index;
    const network = networkAt(board, index);
    if (this.edges) this.edges.show(network);
    if (this.layout.labels) this.layout.labels(this.layers.labels);
    this.degrees = countDegrees(network.edges, board);
    this.spots = board.labels.map(() => []);
    this.cells = board.labels.map(() => null);
    const drawn = this.layout.spots.map((spot) => this.makeSpot(spot));
    this.layers.vertices.replaceChildren(...drawn);
    for (const spots of this.spots) spots.sort((a, b) => Number(a.isGhost) - Number(b.isGhost));
    this.svg.setAttribute(
      "class",
      [
        `board form-${board.form} kind-${this.layout.kind}`,
        this.isStill ? "still" : "",
        looks.owns ? "owning" : "",
        board.vertices > CROWD ? "crowded" : "",
      ].join(" "),
    );
    this.svg.setAttribute("aria-label", `Board ${board.spec}, ${board.vertices} vertices`);
    this.viewport.setBox(this.layout.box);
    if (!this.isStill) this.cursor.setHome(0);
    this.show(board.labels.map(() => NOTHING));
  }

  /**
   * Draw another network of the board: its edges, thresholds and sinks. What lies on the vertices stays.
   * @param {number} index @param {Options} [options]
   */
  setNetwork(index, { isAnimated = false } = {}) {
    if (!this.edges || index === this.network || !networkAt(this.board, index)) return;
    this.network = index;
    const network = networkAt(this.board, index);
    this.edges.show(network, { isAnimated });
    this.degrees = countDegrees(network.edges, this.board);
    for (const spots of this.spots) for (const spot of spots) Object.assign(spot, this.limits(spot.vertex));
    this.cells.forEach((cell, vertex) => this.draw(vertex, cell || NOTHING));
  }

  /** What the network sets for a vertex. @param {number} vertex */
  limits(vertex) {
    const { thresholds } = networkAt(this.board, this.network);
    const isSink = this.looks.gauge === "threshold" && !this.degrees[vertex];
    const capacity = this.looks.gauge === "degree" ? this.degrees[vertex] : thresholds[vertex];
    return { isSink, capacity: isSink ? 0 : capacity };
  }

  /** @param {Place} place */
  makeSpot({ vertex, x, y, isGhost }) {
    const body = this.layout.body();
    const pieces = s("g", { class: "pieces", "aria-hidden": "true" });
    const hint = s("circle", { class: "hint", r: (0.15 * this.radius).toFixed(1) });
    const group = s(
      "g",
      {
        class: isGhost ? "vertex ghost" : "vertex",
        "data-vertex": vertex,
        transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
      },
      body,
      hint,
      pieces,
    );
    if (isGhost || this.isStill) group.setAttribute("aria-hidden", "true");
    else {
      // The body alone is what is focused and heard: the texts on it say less than its label.
      body.setAttribute("role", "button");
      body.setAttribute("tabindex", "-1");
      body.setAttribute("aria-disabled", "true");
    }
    this.spots[vertex].push({
      vertex,
      x,
      y,
      isGhost,
      group,
      body,
      pieces,
      radius: this.radius,
      isCrowded: this.board.vertices > CROWD,
      ...this.limits(vertex),
      side: this.board.sides ? this.board.sides[vertex] : "",
      taker: -1,
    });
    return group;
  }

  /**
   * Show these cells; only those that differ are drawn again.
   * @param {Cell[]} cells
   */
  show(cells) {
    cells.forEach((cell, vertex) => {
      const old = this.cells[vertex];
      if (old && old.length === cell.length && old.every((number, i) => number === cell[i])) return;
      this.draw(vertex, cell);
    });
  }

  /**
   * Show only some vertices of these cells.
   * @param {Cell[]} cells @param {Iterable<number>} vertices
   */
  showSome(cells, vertices) {
    for (const vertex of vertices) this.draw(vertex, cells[vertex]);
  }

  /** @param {number} vertex @param {Cell} cell */
  draw(vertex, cell) {
    const old = this.cells[vertex];
    const wasGone = old ? old[1] : 0;
    this.cells[vertex] = cell;
    for (const spot of this.spots[vertex]) {
      drawPieces(spot.pieces, cell, spot, this.looks);
      spot.group.classList.toggle("gone", Boolean(cell[1]));
      const owner = cell[0] >= 0 && !cell[1] ? this.looks.colours[cell[0]] : "";
      const sink = spot.isSink ? " sink" : "";
      spot.body.setAttribute("class", owner ? `body owned player-${owner}${sink}` : `body${sink}`);
    }
    if (!this.isStill) this.label(vertex);
    if (Boolean(wasGone) !== Boolean(cell[1]) && this.edges)
      this.edges.fade((each) => (this.cells[each] || NOTHING)[1] > 0);
  }

  /** @param {number} vertex */
  label(vertex) {
    const { body } = this.spots[vertex][0];
    body.setAttribute("aria-label", this.describe(vertex));
    const sends = this.sends(vertex);
    if (sends) body.setAttribute("aria-description", sends);
    else body.removeAttribute("aria-description");
  }

  /**
   * Where a vertex sends its tokens, in words; empty where that is plain to see.
   * @param {number} vertex
   */
  sends(vertex) {
    const { edges, board, looks } = this;
    if (!edges || !looks.gauge || !(board.directed || edges.isUnsure)) return "";
    const all = edges.from(vertex);
    if (!all.length) return "";
    const told = all.slice(0, MOST_TOLD).map(({ to, share }) =>
      share < 1 ? `${board.labels[to]} (${shareText(share)})` : board.labels[to],
    );
    return `sends to ${told.join(", ")}${all.length > MOST_TOLD ? ` and ${all.length - MOST_TOLD} more` : ""}`;
  }

  /**
   * An edge in words, for tips.
   * @param {number} i
   */
  describeEdge(i) {
    const { edges, board } = this;
    const edge = edges && edges.list[i];
    if (!edge) return "";
    const [tail, head] = [board.labels[edge.tail], board.labels[edge.head]];
    return `${tail} ${board.directed ? "→" : "–"} ${head}: takes a token with probability ${shareText(edge.share)}`;
  }

  /** Write the probabilities of what leaves a vertex, null for none. @param {number | null} vertex */
  showShares(vertex) {
    if (this.edges) this.edges.number(vertex);
  }

  /** @param {number} vertex */
  describe(vertex) {
    const cell = this.cells[vertex] || NOTHING;
    return describeCell(this.board.labels[vertex], cell, this.spots[vertex][0], this.looks);
  }

  /**
   * Colour the sides of Hex's rhombus: `borders` names the player who joins top and bottom, then the one who joins left and right.
   * @param {number[]} borders
   */
  showBorders(borders) {
    if (!this.looks.sides) return;
    const [top, left] = borders && borders.length === 2 ? borders : [0, 1];
    /** @param {"top" | "left"} pair */
    const colour = (pair) => this.looks.colours[pair === "top" ? top : left];
    for (const band of this.layers.behind.querySelectorAll(".side")) {
      const pair = band.classList.contains("side-top") ? "top" : "left";
      band.setAttribute("class", `side side-${pair} player-${colour(pair)}`);
    }
  }

  /** What a game that is over has left to see. @param {{takers: number[], chain: number[]}} ending */
  showEnding({ takers, chain }) {
    this.marks.chain.set(chain);
    this.spots.forEach((spots, vertex) => {
      const taker = takers[vertex] ?? -1;
      if (spots[0].taker === taker) return;
      for (const spot of spots) spot.taker = taker;
      this.draw(vertex, this.cells[vertex] || NOTHING);
    });
  }

  /** @param {boolean} isOn */
  showLabels(isOn) {
    this.svg.classList.toggle("labels", isOn);
  }

  /**
   * Let small tokens run from the vertex that acts to the others that change.
   * @param {number | null} vertex @param {Change[]} changes @param {number} milliseconds
   */
  flyFrom(vertex, changes, milliseconds) {
    if (vertex === null || !isMoving() || milliseconds < 60) return;
    const from = this.spots[vertex][0];
    for (const [other, cell] of changes) {
      if (other === vertex) continue;
      const holder = cell[0] >= 0 ? cell[0] : cell.slice(2).findIndex((count) => count > 0);
      /** @param {Spot} spot */
      const far = (spot) => Math.hypot(spot.x - from.x, spot.y - from.y);
      const to = this.spots[other].reduce((best, spot) => (far(spot) < far(best) ? spot : best));
      this.flying.fly(
        from,
        to,
        this.looks.colours[Math.max(0, holder)] || "black",
        0.26 * this.radius,
        milliseconds,
      );
    }
  }

  /**
   * The vertex nearest to a point of the screen, if it is close enough.
   * @param {number} clientX @param {number} clientY
   */
  vertexAt(clientX, clientY) {
    const point = this.viewport.boardPoint(clientX, clientY);
    const { matrix } = this.viewport;
    const pixel = matrix ? 1 / (matrix.a * this.viewport.scale) : 1;
    const reach = this.layout.kind === "network" ? Math.max(1.15 * this.radius, 22 * pixel) : 0.62 * 100;
    let best = null;
    let least = reach;
    for (const spots of this.spots) {
      for (const spot of spots) {
        const distance = Math.hypot(spot.x - point.x, spot.y - point.y);
        if (distance < least) [best, least] = [spot.vertex, distance];
      }
    }
    return best;
  }

  close() {
    NARROW.removeEventListener("change", this.onTurn);
    this.slide.remove();
  }
}

/** @param {Point[]} edges @param {BoardData} board */
function countDegrees(edges, { labels, directed }) {
  const degrees = new Array(labels.length).fill(0);
  for (const [tail, head] of edges) {
    degrees[tail] += 1;
    if (!directed) degrees[head] += 1;
  }
  return degrees;
}
