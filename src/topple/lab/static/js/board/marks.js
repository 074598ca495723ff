/** Marks on the board: last move, legal moves, what is picked, heat, variations, arrows. */

import { s } from "../parts/dom.js";

/** Keeps one class on a set of vertices and touches only those that change. */
class Flag {
  /** @param {BoardView} board @param {string} name */
  constructor(board, name) {
    this.board = board;
    this.name = name;
    /** @type {Set<number>} */
    this.on = new Set();
  }

  /** @param {Iterable<number>} vertices */
  set(vertices) {
    const wanted = new Set(vertices);
    for (const vertex of this.on) if (!wanted.has(vertex)) this.toggle(vertex, false);
    for (const vertex of wanted) if (!this.on.has(vertex)) this.toggle(vertex, true);
    this.on = wanted;
  }

  /** @param {number} vertex @param {boolean} isOn */
  toggle(vertex, isOn) {
    for (const spot of this.board.spots[vertex] || []) spot.group.classList.toggle(this.name, isOn);
  }
}

/** Also tells screen readers which vertices are legal. */
class LegalFlag extends Flag {
  /** @param {number} vertex @param {boolean} isOn */
  toggle(vertex, isOn) {
    super.toggle(vertex, isOn);
    const [spot] = this.board.spots[vertex] || [];
    if (spot) spot.body.setAttribute("aria-disabled", String(!isOn));
  }
}

/** Vertices whose names are shown, whether the others have theirs or not. */
class NameFlag extends Flag {
  /** @param {number} vertex @param {boolean} isOn */
  toggle(vertex, isOn) {
    super.toggle(vertex, isOn);
    const name = this.board.layers.labels.children[vertex];
    if (name) name.classList.toggle(this.name, isOn);
  }
}

export class Marks {
  /** @param {BoardView} board */
  constructor(board) {
    this.board = board;
    this.last = new Flag(board, "last");
    this.changed = new Flag(board, "changed");
    this.legal = new LegalFlag(board, "legal");
    this.picked = new Flag(board, "picked");
    this.acting = new Flag(board, "acting");
    this.chain = new Flag(board, "chain"); // what has won by being joined
    this.mistaken = new Flag(board, "mistaken"); // a move that was a mistake
    this.better = new NameFlag(board, "better"); // and the better one
    this.named = new NameFlag(board, "named"); // the vertex that is pointed at
    this.lit = new NameFlag(board, "lit"); // the vertex of an entry in a list that is pointed at
    /** @type {SVGGElement[]} the groups that a picked piece may go to */
    this.aims = [];
    /** @type {Map<number, SVGCircleElement>} by vertex */
    this.hot = new Map();
  }

  clear() {
    const { last, changed, legal, picked, acting, chain, mistaken, better, named, lit } = this;
    for (const flag of [last, changed, legal, picked, acting, chain, mistaken, better, named, lit]) flag.set([]);
    this.heat(new Map());
    this.variation([]);
    this.arrows([]);
  }

  /**
   * A coloured disc on each vertex, with a strength from 0 to 1.
   * @param {Map<number, number>} strengths
   * @param {HeatKind} [kind] its colour
   */
  heat(strengths, kind = "value") {
    for (const [vertex, disc] of this.hot) {
      if (strengths.has(vertex)) continue;
      disc.remove();
      this.hot.delete(vertex);
    }
    for (const [vertex, strength] of strengths) {
      const spot = this.board.spots[vertex] && this.board.spots[vertex][0];
      if (!spot) continue;
      let disc = this.hot.get(vertex);
      if (!disc) {
        disc = s("circle", { r: (0.98 * this.board.radius).toFixed(1), class: "heat" });
        spot.body.after(disc);
        this.hot.set(vertex, disc);
      }
      disc.classList.toggle("prior", kind === "prior");
      disc.setAttribute("opacity", (0.12 + 0.78 * strength).toFixed(2));
    }
  }

  /**
   * Numbers on the vertices of expected moves: `[{vertex, player, to}]`.
   * @param {PlaceData[]} moves
   */
  variation(moves) {
    const layer = this.board.layers.variation;
    layer.replaceChildren();
    const seen = new Map();
    moves.forEach((move, i) => {
      if (move.vertex === null || move.vertex === undefined) return;
      const spot = this.board.spots[move.vertex] && this.board.spots[move.vertex][0];
      if (!spot) return;
      const before = seen.get(move.vertex) || 0;
      seen.set(move.vertex, before + 1);
      const radius = Math.max(0.36 * this.board.radius, 7);
      layer.append(
        s(
          "g",
          {
            class: "badge",
            transform: `translate(${spot.x + (0.62 - 0.5 * before) * this.board.radius} ${spot.y - 0.68 * this.board.radius})`,
          },
          s("circle", { r: radius.toFixed(1) }),
          s("text", { "font-size": (1.15 * radius).toFixed(1) }, String(i + 1)),
        ),
      );
    });
  }

  /**
   * Arrows of moves that lead from a vertex to another, each to the nearest copy of its target, which is marked.
   * @param {LegalMove[]} moves
   */
  arrows(moves) {
    const layer = this.board.layers.arrows;
    layer.replaceChildren();
    for (const group of this.aims) group.classList.remove("target");
    this.aims = [];
    for (const { vertex, to } of moves) {
      const [start] = this.board.spots[vertex ?? -1] || [];
      const ends = this.board.spots[to ?? -1];
      if (!start || !ends) continue;
      /** @param {Spot} spot */
      const far = (spot) => Math.hypot(spot.x - start.x, spot.y - start.y);
      const end = ends.reduce((best, spot) => (far(spot) < far(best) ? spot : best));
      end.group.classList.add("target");
      this.aims.push(end.group);
      layer.append(s("path", { d: arrowPath(start, end, this.board.radius), class: "arrow-mark" }));
    }
  }
}

/** @param {Spot} start @param {Spot} end @param {number} radius */
function arrowPath(start, end, radius) {
  const long = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const [ax, ay] = [(end.x - start.x) / long, (end.y - start.y) / long];
  const [tip, back, wing] = [long - 0.35 * radius, long - 0.75 * radius, 0.3 * radius];
  /** @param {number} along @param {number} across */
  const at = (along, across) =>
    `${(start.x + ax * along - ay * across).toFixed(1)} ${(start.y + ay * along + ax * across).toFixed(1)}`;
  const thin = 0.09 * radius;
  return `M${at(0.85 * radius, thin)}L${at(back, thin)}L${at(back, wing)}L${at(tip, 0)}L${at(back, -wing)}L${at(back, -thin)}L${at(0.85 * radius, -thin)}Z`;
}
