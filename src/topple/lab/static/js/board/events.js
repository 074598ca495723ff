/** What a person does to a board: clicks, touches, keys; and the tip that follows the pointer. */

export function watchBoard(board) {
  const { slide, svg } = board; // SVG that listens for the focus would take it itself
  svg.addEventListener("mousedown", (event) => event.preventDefault()); // a click leaves the focus where it is
  svg.addEventListener("click", (event) => {
    const isPressed = event.detail === 0; // by a screen reader, at no place of the screen
    if (board.viewport.hasMoved && !isPressed) return;
    const vertex = isPressed ? vertexOf(event.target) : board.vertexAt(event.clientX, event.clientY);
    if (vertex !== null) pick(board, vertex);
  });
  svg.addEventListener("dblclick", (event) => event.preventDefault());
  svg.addEventListener("keydown", (event) => takeKey(board, event));
  slide.addEventListener("focusin", (event) => {
    const vertex = vertexOf(event.target);
    if (vertex === null) return;
    board.cursor.setHome(vertex);
    if (board.onTip) board.onTip(vertex);
  });
  slide.addEventListener("focusout", () => board.onTip && board.onTip(null));
  svg.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse" && board.onTip) board.onTip(vertexOf(event.target));
  });
  svg.addEventListener("pointerleave", () => board.onTip && board.onTip(null));
}

function takeKey(board, event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const isPick = event.key === "Enter" || event.key === " ";
  if (isPick) pick(board, board.cursor.vertex);
  else if (!board.cursor.key(event) && !board.viewport.key(event)) return;
  event.preventDefault();
  event.stopPropagation();
}

function pick(board, vertex) {
  if (board.onPick) board.onPick(vertex);
}

function vertexOf(target) {
  const group = target.closest && target.closest("[data-vertex]");
  return group ? Number(group.dataset.vertex) : null;
}
