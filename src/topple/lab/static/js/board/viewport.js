/** Viewport: zoom and pan by wheel, drag, pinch and keys. It moves one group and redraws nothing. */

const MOST_ZOOM = 12;
const KEY_ZOOM = 1.3;
const REST = 160; // milliseconds without movement after which all is drawn sharp
const SLACK = 6; // pixels that a click may wander

export class Viewport {
  constructor(svg, world, onZoom) {
    this.svg = svg;
    this.world = world;
    this.onZoom = onZoom;
    this.pointers = new Map();
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.hasMoved = false;
    this.isAsked = false;
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"])
      svg.addEventListener(name, (event) => this.up(event));
  }

  setBox(box) {
    this.box = box;
    this.svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
    this.fit();
  }

  fit() {
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.draw();
  }

  /** Where a point of the screen lies in the picture, before zooming. */
  point(clientX, clientY) {
    const matrix = this.svg.getScreenCTM();
    return matrix ? new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse()) : { x: 0, y: 0 };
  }

  /** Where a point of the screen lies on the board. */
  boardPoint(clientX, clientY) {
    const { x, y } = this.point(clientX, clientY);
    return { x: (x - this.x) / this.scale, y: (y - this.y) / this.scale };
  }

  zoom(factor, centre) {
    const about = centre || { x: this.box.x + this.box.width / 2, y: this.box.y + this.box.height / 2 };
    const scale = Math.max(1, Math.min(MOST_ZOOM, this.scale * factor));
    const ratio = scale / this.scale;
    this.x = about.x - (about.x - this.x) * ratio;
    this.y = about.y - (about.y - this.y) * ratio;
    this.scale = scale;
    this.draw();
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.draw();
  }

  /** Part of the board always stays in sight. */
  hold() {
    const { x, y, width, height } = this.box;
    const clamp = (value, least, most) => Math.min(most, Math.max(least, value));
    this.x = clamp(this.x, (x + width) * (1 - this.scale), x * (1 - this.scale));
    this.y = clamp(this.y, (y + height) * (1 - this.scale), y * (1 - this.scale));
  }

  draw() {
    if (this.isAsked) return;
    this.isAsked = true;
    this.svg.classList.add("moving"); // the picture is moved as it is, and drawn sharp when it rests
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.svg.classList.remove("moving"), REST);
    requestAnimationFrame(() => {
      this.isAsked = false;
      this.hold();
      this.world.style.transform = `translate(${this.x.toFixed(2)}px, ${this.y.toFixed(2)}px) scale(${this.scale.toFixed(4)})`;
      this.svg.classList.toggle("zoomed", this.scale > 1.01);
      this.onZoom(this.scale);
    });
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey && this.scale === 1 && event.deltaY > 0) return; // the page scrolls on
    event.preventDefault();
    const step = event.deltaMode === 1 ? 20 * event.deltaY : event.deltaY;
    this.zoom(Math.exp(-0.0016 * step), this.point(event.clientX, event.clientY));
  }

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

  move(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    if (this.pointers.size === 2) this.pinch(event, pointer);
    else this.drag(event, pointer);
    pointer.x = event.clientX;
    pointer.y = event.clientY;
  }

  drag(event, pointer) {
    if (!this.hasMoved && Math.hypot(event.clientX - pointer.fromX, event.clientY - pointer.fromY) < SLACK)
      return;
    this.hasMoved = true;
    if (this.scale === 1) return;
    if (!this.svg.hasPointerCapture(event.pointerId)) this.svg.setPointerCapture(event.pointerId);
    const [before, after] = [this.point(pointer.x, pointer.y), this.point(event.clientX, event.clientY)];
    this.pan(after.x - before.x, after.y - before.y);
  }

  pinch(event, pointer) {
    this.hasMoved = true;
    const other = [...this.pointers.values()].find((each) => each !== pointer);
    const before = Math.hypot(pointer.x - other.x, pointer.y - other.y) || 1;
    const after = Math.hypot(event.clientX - other.x, event.clientY - other.y) || 1;
    this.zoom(after / before, this.point((event.clientX + other.x) / 2, (event.clientY + other.y) / 2));
  }

  up(event) {
    this.pointers.delete(event.pointerId);
  }

  /** Keys while the board has the focus; tells whether the key was taken. */
  key(event) {
    if (event.key === "+" || event.key === "=") this.zoom(KEY_ZOOM);
    else if (event.key === "-") this.zoom(1 / KEY_ZOOM);
    else if (event.key === "0") this.fit();
    else return false;
    return true;
  }
}
