/** Picking: from the vertices that a person picks to a legal move, by the view's list alone. */

export class Picking {
  constructor(legal = []) {
    this.byVertex = new Map();
    this.others = []; // moves made on no vertex, such as a swap
    for (const move of legal) {
      if (move.vertex === null || move.vertex === undefined) this.others.push(move);
      else if (this.byVertex.has(move.vertex)) this.byVertex.get(move.vertex).push(move);
      else this.byVertex.set(move.vertex, [move]);
    }
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
   * Pick a vertex. Answers `{play: move}`, `{choose: [moves]}` where one vertex has several moves to nowhere else,
   * `{picked: true}` where a second pick must follow, or `{}`.
   */
  pick(vertex) {
    const onward = this.targets.filter((move) => move.to === vertex);
    if (onward.length) return this.settle(onward);
    const moves = this.byVertex.get(vertex) || [];
    const leads = moves.some((move) => move.to !== null && move.to !== undefined);
    const wasPicked = this.picked === vertex;
    this.picked = null;
    if (!moves.length || wasPicked) return {};
    if (!leads) return this.settle(moves);
    this.picked = vertex;
    return { picked: true };
  }

  settle(moves) {
    this.picked = null;
    return moves.length === 1 ? { play: moves[0] } : { choose: moves };
  }

  drop() {
    this.picked = null;
  }
}
