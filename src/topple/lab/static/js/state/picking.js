/** Picking: turns the vertices that a person picks into a legal move, by the view's list alone. */

export class Picking {
  /** @param {LegalMove[]} [legal] */
  constructor(legal = []) {
    /** @type {Map<number, LegalMove[]>} */
    this.byVertex = new Map();
    /** @type {LegalMove[]} moves made on no vertex, such as a swap */
    this.others = [];
    for (const move of legal) {
      if (move.vertex === null || move.vertex === undefined) this.others.push(move);
      else this.byVertex.set(move.vertex, [...(this.byVertex.get(move.vertex) || []), move]);
    }
    /** @type {number | null} */
    this.picked = null;
  }

  get vertices() {
    return this.byVertex.keys();
  }

  /** The moves that lead from the picked vertex on to another. */
  get targets() {
    const moves = this.picked === null ? [] : this.byVertex.get(this.picked) || [];
    return moves.filter((move) => move.to !== null && move.to !== undefined);
  }

  /**
   * Pick a vertex. Returns the moves that this means: none if a second pick must follow (then `picked` is set) or
   * nothing can be played, one, or several that differ in neither vertex.
   * @param {number} vertex
   */
  pick(vertex) {
    const moves = this.byVertex.get(vertex) || [];
    const onward = this.targets.filter((move) => move.to === vertex);
    const wasPicked = this.picked === vertex;
    this.picked = null;
    if (onward.length) return onward;
    if (wasPicked || !moves.some((move) => move.to !== null && move.to !== undefined))
      return wasPicked ? [] : moves;
    this.picked = vertex;
    return [];
  }

  drop() {
    this.picked = null;
  }
}
