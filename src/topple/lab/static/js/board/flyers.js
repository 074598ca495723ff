/** Flyers: small tokens that run from the vertex that acts to those it changes. */

import { s } from "../parts/dom.js";

const MOST = 40; // at once
const REST = 60; // kept for the next time

export class Flyers {
  constructor(layer) {
    this.layer = layer;
    this.idle = [];
    this.flying = 0;
  }

  fly(from, to, colour, radius, milliseconds) {
    if (this.flying >= MOST) return;
    const dot = this.idle.pop() || s("circle");
    dot.setAttribute("r", radius.toFixed(1));
    dot.setAttribute("class", `flyer player-${colour}`);
    this.layer.append(dot);
    this.flying += 1;
    const flight = dot.animate(
      [
        { transform: `translate(${from.x}px, ${from.y}px)`, opacity: 1 },
        { transform: `translate(${to.x}px, ${to.y}px)`, opacity: 0.85 },
      ],
      { duration: milliseconds, easing: "ease-out" },
    );
    const land = () => {
      dot.remove();
      this.flying -= 1;
      if (this.idle.length < REST) this.idle.push(dot);
    };
    flight.onfinish = land;
    flight.oncancel = land;
  }
}
