/** What a person does to a board: clicks, touches, keys, the vertex that has the focus, the tip beside the pointer. */

/** @param {BoardView} board */
export function watchBoard(board) {
  const { slide, svg } = board; // SVG that listens for the focus would take it itself
  svg.addEventListener("mousedown", (event) => event.preventDefault()); // a click leaves the focus where it is
  svg.addEventListener("click", (event) => {
    const isPressed = event.detail === 0; // by a screen reader, at no place of the screen
    if (board.viewport.hasMoved && !isPressed) return;
    const vertex = isPressed ? vertexOf(event.target) : board.vertexAt(event.clientX, event.clientY);
    if (vertex !== null) board.onPick(vertex);
  });
  svg.addEventListener("dblclick", (event) => event.preventDefault());
  svg.addEventListener("keydown", (event) => takeKey(board, event));
  slide.addEventListener("focusin", (event) => {
    const vertex = vertexOf(event.target);
    if (vertex === null) return;
    board.cursor.setHome(vertex);
    board.onTip(vertex);
  });
  slide.addEventListener("focusout", () => board.onTip(null));
  svg.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    board.onTip(vertexOf(event.target), edgeWords(board, event.target));
  });
  svg.addEventListener("pointerleave", () => board.onTip(null));
}

/** @param {BoardView} board @param {KeyboardEvent} event */
function takeKey(board, event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const isPick = event.key === "Enter" || event.key === " ";
  if (isPick) board.onPick(board.cursor.vertex);
  else if (!board.cursor.key(event) && !board.viewport.key(event)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** @param {EventTarget | null} target */
function vertexOf(target) {
  const group = target instanceof Element ? target.closest("[data-vertex]") : null;
  return group ? Number(group.getAttribute("data-vertex")) : null;
}

/** What is said of an edge that is not sure. @param {BoardView} board @param {EventTarget | null} target */
function edgeWords(board, target) {
  const group = target instanceof Element ? target.closest(".unsure[data-edge]") : null;
  return group ? board.describeEdge(Number(group.getAttribute("data-edge"))) : "";
}

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
   * Handle a key; returns whether it was one of the cursor's.
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
   * The next vertex in a direction: near, and close to the line; null if there is none.
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
