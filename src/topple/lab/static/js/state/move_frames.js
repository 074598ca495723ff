/** MoveFrames: a move as frames, each with only what it changes, that can be stepped through forwards and backwards. */

/** @param {Cell} one @param {Cell} other */
const same = (one, other) => one.length === other.length && one.every((number, i) => number === other[i]);

/**
 * @param before the cells before the move, or null where they are not known
 * @param view the view after it, with `placed` and `steps`
 */
export class MoveFrames {
  /** @param {Cell[] | null} before @param {MoveSteps} view */
  constructor(before, view) {
    /** @type {MoveFrame[]} */
    this.list = [];
    this.first = view.network_before;
    this.now = this.first; // the network while frames are added
    this.last = view.cells;
    const cells = (before || view.cells).slice();
    if (before) {
      this.add(cells, view.placed, null, "");
      for (const step of view.steps) {
        this.change(cells, step.network ?? this.now);
        this.add(cells, step.changes, step.vertex, step.text);
      }
      this.change(cells, view.network);
      this.close(cells, view.cells, view.steps_cut ? "the rest of the steps, all at once" : "");
    }
    this.cells = view.cells.slice();
    this.at = this.list.length;
  }

  get length() {
    return this.list.length;
  }

  /** @param {Cell[]} cells @param {Change[]} changes @param {number | null} vertex @param {string} text */
  add(cells, changes, vertex, text) {
    /** @type {Change[]} */
    const undo = [];
    for (const [changed, cell] of changes) {
      undo.push([changed, cells[changed]]);
      cells[changed] = cell;
    }
    this.list.push({ vertex, text, changes, undo: undo.reverse(), network: this.now });
  }

  /** Add a frame for a change of the network. @param {Cell[]} cells @param {number} network */
  change(cells, network) {
    if (network === this.now) return;
    this.now = network;
    this.add(cells, [], null, "the network changes");
  }

  /** The network that the frame is on. */
  get network() {
    return this.at ? this.list[this.at - 1].network : this.first;
  }

  /**
   * Add a last frame with what the steps left out, for they may have been cut.
   * @param {Cell[]} cells @param {Cell[]} end @param {string} text
   */
  close(cells, end, text) {
    /** @type {Change[]} */
    const left = [];
    end.forEach((cell, vertex) => {
      if (!same(cell, cells[vertex])) left.push([vertex, cell]);
    });
    if (!left.length) return;
    const frame = this.list[this.list.length - 1];
    if (this.list.length === 1 && !frame.changes.length) this.list.pop(); // nothing was placed
    this.add(cells, left, null, text);
  }

  /**
   * Go to the cells after so many frames; 0 is before the move. Returns the vertices that changed.
   * @param {number} at
   */
  goTo(at) {
    const touched = new Set();
    while (this.at < at) this.apply(this.list[this.at++].changes, touched);
    while (this.at > at) this.apply(this.list[--this.at].undo, touched);
    return touched;
  }

  /** @param {Change[]} changes @param {Set<number>} touched */
  apply(changes, touched) {
    for (const [vertex, cell] of changes) {
      this.cells[vertex] = cell;
      touched.add(vertex);
    }
  }

  /** All vertices that the move changed. */
  changed() {
    return new Set(this.list.flatMap((frame) => frame.changes.map(([vertex]) => vertex)));
  }
}
