/**
 * Viewport: zoom and pan by wheel, drag, pinch and keys. While it moves, the picture is only transformed, which
 * needs no drawing; when it rests, the board is drawn again where it now is.
 */

/** @typedef {{x: number, y: number, fromX: number, fromY: number}} DownPointer a finger or a pressed mouse */

const MOST_ZOOM = 12;
const KEY_ZOOM = 1.3;
const REST = 160; // milliseconds without movement after which the board is drawn anew
const SLACK = 6; // pixels that a click may wander

export class Viewport {
  /**
   * @param {HTMLElement} slide the element around the picture, which is moved; SVG itself would lay out its texts each time
   * @param {SVGGElement} world the group that holds all that is drawn
   * @param {(scale: number) => void} onRest called with the scale once the board is drawn with it
   * @param {SVGSVGElement} svg
   */
  constructor(slide, svg, world, onRest) {
    this.slide = slide;
    this.svg = svg;
    this.world = world;
    this.onRest = onRest;
    /** @type {Map<number, DownPointer>} */
    this.pointers = new Map();
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.drawn = { scale: 1, x: 0, y: 0 }; // what the board was last drawn with
    /** @type {{matrix: DOMMatrix, left: number, top: number} | null} where the picture lay then; null while it rests */
    this.base = null;
    /** @type {Box} */
    this.box = { x: 0, y: 0, width: 1, height: 1 };
    this.hasMoved = false;
    this.isAsked = false;
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"]))
      svg.addEventListener(name, (event) => this.up(event));
  }

  /** @param {Box} box */
  setBox(box) {
    this.box = box;
    const { x, y, width, height } = box;
    // Twice as wide and as tall as what is seen, so that something is there when it is moved.
    this.svg.setAttribute("viewBox", `${x - width / 2} ${y - height / 2} ${2 * width} ${2 * height}`);
    this.fit();
  }

  fit() {
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.draw();
  }

  /** The transformation from the picture, before zooming, to the screen. */
  get matrix() {
    return this.base ? this.base.matrix : this.svg.getScreenCTM();
  }

  /**
   * Where a point of the screen lies in the picture, before zooming.
   * @param {number} clientX @param {number} clientY
   */
  point(clientX, clientY) {
    const { matrix } = this;
    return matrix ? new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse()) : { x: 0, y: 0 };
  }

  /**
   * Where a point of the screen lies on the board.
   * @param {number} clientX @param {number} clientY
   */
  boardPoint(clientX, clientY) {
    const { x, y } = this.point(clientX, clientY);
    return { x: (x - this.x) / this.scale, y: (y - this.y) / this.scale };
  }

  /** @param {number} factor @param {{x: number, y: number}} [centre] */
  zoom(factor, centre) {
    const about = centre || { x: this.box.x + this.box.width / 2, y: this.box.y + this.box.height / 2 };
    const scale = Math.max(1, Math.min(MOST_ZOOM, this.scale * factor));
    const ratio = scale / this.scale;
    this.x = about.x - (about.x - this.x) * ratio;
    this.y = about.y - (about.y - this.y) * ratio;
    this.scale = scale;
    this.draw();
  }

  /** @param {number} dx @param {number} dy */
  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.draw();
  }

  /** Whether the picture is held by a pointer and what is there still covers the frame: it need not be drawn again. */
  get isHeld() {
    const { scale, x, y, drawn, box } = this;
    if (!this.pointers.size || scale !== drawn.scale) return false;
    return Math.abs(x - drawn.x) < box.width / 2 && Math.abs(y - drawn.y) < box.height / 2;
  }

  /** Part of the board always stays in sight. */
  hold() {
    const { x, y, width, height } = this.box;
    /** @param {number} value @param {number} least @param {number} most */
    const clamp = (value, least, most) => Math.min(most, Math.max(least, value));
    this.x = clamp(this.x, (x + width) * (1 - this.scale), x * (1 - this.scale));
    this.y = clamp(this.y, (y + height) * (1 - this.scale), y * (1 - this.scale));
  }

  draw() {
    clearTimeout(this.rest);
    if (!this.isHeld) this.rest = setTimeout(() => this.settle(), REST);
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      this.hold();
      this.shift();
      this.svg.classList.toggle("zoomed", this.scale > 1.01);
    });
  }

  /** Move the picture that is there to where the board should be seen. */
  shift() {
    const matrix = this.base ? null : this.svg.getScreenCTM(); // it lays out the page: asked once, not for each frame
    if (matrix) {
      const { left, top } = this.svg.getBoundingClientRect();
      this.base = { matrix, left: matrix.e - left, top: matrix.f - top };
    }
    if (!this.base) return;
    const { left, top, matrix: drawn } = this.base;
    const ratio = this.scale / this.drawn.scale;
    const dx = (1 - ratio) * left + drawn.a * (this.x - ratio * this.drawn.x);
    const dy = (1 - ratio) * top + drawn.d * (this.y - ratio * this.drawn.y);
    this.slide.style.transform = `translate(${Math.round(dx)}px, ${Math.round(dy)}px) scale(${ratio.toFixed(5)})`;
  }

  /** Draw the board where it now is. */
  settle() {
    clearTimeout(this.rest);
    const { scale, x, y } = this;
    this.drawn = { scale, x, y };
    this.base = null;
    this.slide.style.transform = "";
    this.world.style.transform = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) scale(${scale.toFixed(4)})`;
    this.onRest(scale);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!event.ctrlKey && !event.metaKey && this.scale === 1 && event.deltaY > 0) return; // the page scrolls on
    event.preventDefault();
    const step = event.deltaMode === 1 ? 20 * event.deltaY : event.deltaY;
    this.zoom(Math.exp(-0.0016 * step), this.point(event.clientX, event.clientY));
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.pointerType === "mouse" && event.button !== 0 && event.button !== 1) return;
    if (!this.pointers.size) this.hasMoved = false;
    this.pointers.set(event.pointerId, {
      x: event.clientX,
      y: event.clientY,
      fromX: event.clientX,
      fromY: event.clientY,
    });
  }

  /** @param {PointerEvent} event */
  move(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    if (this.pointers.size === 2) this.pinch(event, pointer);
    else this.drag(event, pointer);
    pointer.x = event.clientX;
    pointer.y = event.clientY;
  }

  /** @param {PointerEvent} event @param {DownPointer} pointer */
  drag(event, pointer) {
    if (!this.hasMoved && Math.hypot(event.clientX - pointer.fromX, event.clientY - pointer.fromY) < SLACK)
      return;
    this.hasMoved = true;
    if (this.scale === 1) return;
    if (!this.svg.hasPointerCapture(event.pointerId)) this.svg.setPointerCapture(event.pointerId);
    const [before, after] = [this.point(pointer.x, pointer.y), this.point(event.clientX, event.clientY)];
    this.pan(after.x - before.x, after.y - before.y);
  }

  /** @param {PointerEvent} event @param {DownPointer} pointer */
  pinch(event, pointer) {
    this.hasMoved = true;
    const other = [...this.pointers.values()].find((each) => each !== pointer) || pointer;
    const before = Math.hypot(pointer.x - other.x, pointer.y - other.y) || 1;
    const after = Math.hypot(event.clientX - other.x, event.clientY - other.y) || 1;
    this.zoom(after / before, this.point((event.clientX + other.x) / 2, (event.clientY + other.y) / 2));
  }

  /** @param {PointerEvent} event */
  up(event) {
    const wasDown = this.pointers.delete(event.pointerId);
    if (wasDown && this.hasMoved && this.base) this.settle();
  }

  /**
   * Keys while the board has the focus; returns whether the key was used.
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (event.key === "+" || event.key === "=") this.zoom(KEY_ZOOM);
    else if (event.key === "-") this.zoom(1 / KEY_ZOOM);
    else if (event.key === "0") this.fit();
    else return false;
    return true;
  }
}
