/** Cursor: one vertex at a time can have the focus; arrow keys carry it to the next one over. */

/** @type {Record<string, Point>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Cursor {
  /** @param {BoardView} board */
  constructor(board) {
    this.board = board;
    this.vertex = 0;
  }

  /**
   * Let the tab key lead to a vertex.
   * @param {number} vertex
   */
  setHome(vertex) {
    const old = this.board.spots[this.vertex];
    if (old) old[0].body.setAttribute("tabindex", "-1");
    this.vertex = this.board.spots[vertex] ? vertex : 0;
    const now = this.board.spots[this.vertex];
    if (now) now[0].body.setAttribute("tabindex", "0");
  }

  /** @param {number} vertex */
  focus(vertex) {
    this.setHome(vertex);
    this.board.spots[this.vertex][0].body.focus({ preventScroll: true });
  }

  /**
   * Take a key; tells whether it was one of the cursor's.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const direction = DIRECTIONS[event.key];
    if (direction) {
      const next = this.next(direction);
      if (next !== null) this.focus(next);
      return true;
    }
    if (event.key === "Home" || event.key === "End") {
      this.focus(event.key === "Home" ? 0 : this.board.spots.length - 1);
      return true;
    }
    return false;
  }

  /**
   * The vertex that lies next in a direction: near, and not far off the line.
   * @param {Point} direction
   */
  next([dx, dy]) {
    const here = this.board.spots[this.vertex][0];
    /** @type {number | null} */
    let best = null;
    let least = Infinity;
    this.board.spots.forEach(([spot], vertex) => {
      if (vertex === this.vertex) return;
      const along = (spot.x - here.x) * dx + (spot.y - here.y) * dy;
      const across = Math.abs((spot.x - here.x) * dy) + Math.abs((spot.y - here.y) * dx);
      if (along < 1 || across > 2 * along) return;
      const cost = Math.hypot(along, across) + across / 2 + (dy && spot.x < here.x ? 0.01 : 0);
      if (cost < least) [best, least] = [vertex, cost];
    });
    return best;
  }
}
