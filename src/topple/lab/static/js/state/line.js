/** Line: the moves of a game as a tree, with the node that is shown. It knows no rules. */

let nextId = 1;

/** @param {LineNode | null} parent @param {LineEntry} entry @returns {LineNode} */
function makeNode(parent, entry) {
  return { id: nextId++, parent, ply: parent ? parent.ply + 1 : 0, children: [], next: null, ...entry };
}

export class Line {
  /**
   * The `move` of a node is what the server is told: a number, in a game with chance a text with its draw. A move
   * that was made but not drawn yet is a number there, too, until `settle` says what was drawn.
   * @param {string} game @param {string} board
   */
  constructor(game, board) {
    this.game = game;
    this.board = board;
    this.root = makeNode(null, { move: null, number: null, text: "", vertex: null, player: null, draw: "" });
    this.here = this.root;
  }

  /** The nodes from the first move to `node`. */
  path(node = this.here) {
    /** @type {LineNode[]} */
    const found = [];
    for (let each = node; each.parent; each = each.parent) found.push(each);
    return found.reverse();
  }

  moves(node = this.here) {
    return this.path(node).map((each) => /** @type {Move} */ (each.move));
  }

  /** The last node of the branch that is shown. */
  get end() {
    let node = this.here;
    while (node.next) node = node.next;
    return node;
  }

  get isAtEnd() {
    return !this.here.next;
  }

  /**
   * Add a move after the shown node, as a branch if there is another one, and go to it. A move without a draw leads
   * to what was drawn for it before, if it was made there.
   * @param {LineEntry} entry
   */
  play(entry) {
    const isOpen = entry.move === entry.number;
    const { children } = this.here;
    let child =
      children.find((each) => each.move === entry.move) ||
      children.find((each) => isOpen && each.number === entry.number);
    if (!child) {
      child = makeNode(this.here, entry);
      children.push(child);
    }
    return this.go(child);
  }

  /**
   * Go to a node; from now on `forward` follows the path to it.
   * @param {LineNode} node
   */
  go(node) {
    for (let each = node; each.parent; each = each.parent) each.parent.next = each;
    this.here = node;
    return node;
  }

  back() {
    return this.here.parent ? this.go(this.here.parent) : this.here;
  }

  forward() {
    return this.here.next ? this.go(this.here.next) : this.here;
  }

  /**
   * Go to a ply of the shown branch.
   * @param {number} ply
   */
  goTo(ply) {
    return this.go(this.path(this.end)[ply - 1] || this.root);
  }

  /**
   * Take a node with all that follows it out of the tree.
   * @param {LineNode} node
   */
  cut(node) {
    const { parent } = node;
    if (!parent) return;
    const isOnPath = this.path().includes(node);
    parent.children = parent.children.filter((each) => each !== node);
    if (parent.next === node) parent.next = parent.children[0] || null;
    if (isOnPath) this.go(parent);
  }

  /**
   * Make the branch that leads to a node the main one.
   * @param {LineNode} node
   */
  promote(node) {
    for (let each = node; each.parent; each = each.parent) {
      const last = each;
      each.parent.children = [last, ...each.parent.children.filter((other) => other !== last)];
    }
  }

  /**
   * Take over what a view says of the moves up to a node: their words, and in a game with chance what was drawn.
   * @param {LineNode} node @param {LineEntry[]} entries
   */
  settle(node, entries) {
    this.path(node).forEach((each, i) => Object.assign(each, entries[i]));
  }

  /**
   * Add the moves of a view; returns the node of its last move.
   * @param {LineEntry[]} entries
   */
  follow(entries) {
    const stand = this.here;
    this.here = this.root;
    for (const entry of entries) Object.assign(this.play(entry), entry);
    const last = this.here;
    this.here = stand;
    return last;
  }

  /**
   * The node that the moves lead to from the root, or null if one of them is missing.
   * @param {Move[]} moves
   */
  find(moves) {
    /** @type {LineNode | undefined} */
    let node = this.root;
    for (const move of moves) {
      node = node.children.find((each) => each.move === move || each.text === move);
      if (!node) return null;
    }
    return node;
  }
}
