/** What a person does to a board: clicks, touches, keys; and the tip that follows the pointer. */

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
    if (event.pointerType === "mouse") board.onTip(vertexOf(event.target));
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
