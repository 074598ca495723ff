/** What is on a vertex, drawn and in words: tokens, stacks, stones, letters, owners, by shape and colour. */

import { s } from "../parts/dom.js";
import { drawSectors } from "./sectors.js";

/** @param {number} corners */
function polygon(corners, turn = 0, stretch = 1) {
  const points = Array.from({ length: corners }, (_, i) => {
    const angle = turn + (i * 2 * Math.PI) / corners;
    return `${(stretch * Math.sin(angle)).toFixed(3)} ${(-stretch * Math.cos(angle)).toFixed(3)}`;
  });
  return `M${points.join("L")}Z`;
}

/** @param {number} points @param {number} inner */
function star(points, inner) {
  const corners = Array.from({ length: 2 * points }, (_, i) => {
    const [angle, far] = [(i * Math.PI) / points, i % 2 ? inner : 1.18];
    return `${(far * Math.sin(angle)).toFixed(3)} ${(-far * Math.cos(angle)).toFixed(3)}`;
  });
  return `M${corners.join("L")}Z`;
}

export const SHAPES = [
  "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0 -2 0Z", // circle
  polygon(4, 0, 1.22), // diamond
  polygon(4, Math.PI / 4, 1.2), // square
  polygon(3, 0, 1.28), // triangle
  polygon(5, 0, 1.12), // pentagon
  polygon(6, Math.PI / 6, 1.08), // hexagon
  star(6, 0.78),
  "M-.42 -1.08H.42V-.42H1.08V.42H.42V1.08H-.42V.42H-1.08V-.42H-.42Z", // cross
];

const MOST_SEGMENTS = 16; // of a gauge; more become a smooth ring
const MOST_FLYING = 40; // tokens at once
const MOST_IDLE = 60; // tokens that are kept for the next time
const SIZES = [1.15, 0.98, 0.74, 0.58]; // of the text, by its number of letters

/**
 * Draw a cell `[owner, gone, counts…]` into a group; `spot` has radius, capacity, side.
 * @param {SVGGElement} group @param {Cell} cell @param {Spot} spot @param {Looks} looks
 */
export function drawPieces(group, cell, spot, looks) {
  group.replaceChildren();
  const [owner, gone, ...counts] = cell;
  if (gone) {
    if (spot.taker >= 0) group.append(token(spot.taker, 0.66 * spot.radius, "", looks));
    return;
  }
  const holders = counts
    .map((count, player) => /** @type {Holder} */ ([player, count]))
    .filter(([, count]) => count > 0);
  if (looks.letters && spot.side)
    group.append(token(spot.side === "L" ? 0 : 1, 0.72 * spot.radius, spot.side, looks));
  else if (!counts.length) drawStone(group, owner, spot, looks);
  else if (looks.owns && owner >= 0) drawOwned(group, owner, counts[owner], spot, looks);
  else {
    if (spot.isSink) drawSink(group, holders.length > 0, spot);
    if (looks.gauge && spot.capacity > 0 && (holders.length || !spot.isCrowded))
      drawGauge(group, holders, spot, looks);
    drawHolders(group, holders, spot, looks);
    if (looks.gauge === "threshold" && !spot.isSink && holders.length < 3) drawThreshold(group, holders.length > 0, spot);
  }
}

/** @param {SVGGElement} group @param {number} owner @param {Spot} spot @param {Looks} looks */
function drawStone(group, owner, spot, looks) {
  if (owner >= 0) group.append(token(owner, 0.82 * spot.radius, "", looks));
}

/** @param {SVGGElement} group @param {Holder[]} holders @param {Spot} spot @param {Looks} looks */
function drawHolders(group, holders, spot, looks) {
  if (holders.length > 2) drawSectors(group, holders, spot, looks);
  if (holders.length === 2) drawSeveral(group, holders, spot, looks);
  if (holders.length !== 1) return;
  const [player, count] = holders[0];
  if (looks.stacks) drawStack(group, player, count, spot, looks);
  else {
    const radius = hasFoot(spot, looks) ? 0.47 : looks.gauge ? 0.58 : 0.72;
    group.append(token(player, radius * spot.radius, String(count), looks, 0, lift(spot, looks)));
  }
}

/**
 * Tokens make room for the small threshold below them, where that can be read.
 * @param {Spot} spot @param {Looks} looks
 */
const hasFoot = (spot, looks) => looks.gauge === "threshold" && !spot.isCrowded && !spot.isSink;
/** @param {Spot} spot @param {Looks} looks */
const lift = (spot, looks) => (hasFoot(spot, looks) ? -0.17 * spot.radius : 0);

/**
 * A sink never fires: it has a second rim instead of a gauge, and a word while nothing lies there.
 * @param {SVGGElement} group @param {boolean} hasTokens @param {Spot} spot
 */
function drawSink(group, hasTokens, spot) {
  group.append(s("circle", { class: "sink-rim", r: (0.8 * spot.radius).toFixed(1) }));
  if (hasTokens || spot.isCrowded) return;
  group.append(s("text", { class: "capacity", "font-size": (0.46 * spot.radius).toFixed(1) }, "sink"));
}

/**
 * How many tokens a vertex takes: as 0/3 on an empty one, since 3 alone might be its name; below those that are there.
 * @param {SVGGElement} group @param {boolean} hasTokens @param {Spot} spot
 */
function drawThreshold(group, hasTokens, spot) {
  if (hasTokens && spot.isCrowded) return;
  const text = hasTokens ? `of ${spot.capacity}` : `0/${spot.capacity}`;
  const [size, y] = hasTokens ? [0.29, 0.6] : [text.length > 3 ? 0.46 : 0.54, 0];
  group.append(
    s(
      "text",
      {
        class: hasTokens ? "capacity small" : "capacity",
        y: (y * spot.radius).toFixed(1),
        "font-size": (size * spot.radius).toFixed(1),
      },
      text,
    ),
  );
}

/**
 * A vertex that belongs to a player for good: its body has the player's colour, with the shape and a count on it.
 * @param {SVGGElement} group @param {number} owner @param {number} count @param {Spot} spot @param {Looks} looks
 */
function drawOwned(group, owner, count, spot, looks) {
  const radius = 0.56 * spot.radius;
  const text = count ? String(count) : "";
  group.append(
    s(
      "g",
      { class: `seal player-${looks.colours[owner]}` },
      s("path", {
        d: SHAPES[owner % SHAPES.length],
        transform: `scale(${radius.toFixed(2)})`,
        "vector-effect": "non-scaling-stroke",
      }),
      text && s("text", { "font-size": (radius * (SIZES[text.length - 1] || 0.5)).toFixed(1) }, text),
    ),
  );
}

/**
 * A player's shape with a text on it.
 * @param {number} player
 * @param {number} radius
 * @param {string} text
 * @param {Looks} looks
 * @param {number} [x]
 * @param {number} [y]
 */
function token(player, radius, text, looks, x = 0, y = 0) {
  const size = radius * (SIZES[text.length - 1] || 0.5);
  return s(
    "g",
    {
      class: `token player-${looks.colours[player] || "black"}`,
      transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
    },
    s("path", {
      d: SHAPES[player % SHAPES.length],
      transform: `scale(${radius.toFixed(2)})`,
      "vector-effect": "non-scaling-stroke",
    }),
    text && s("text", { "font-size": size.toFixed(1) }, text),
  );
}

/**
 * A pile of coins, as high as its power.
 * @param {SVGGElement} group @param {number} player @param {number} count @param {Spot} spot @param {Looks} looks
 */
function drawStack(group, player, count, spot, looks) {
  const radius = 0.62 * spot.radius;
  const step = 0.12 * spot.radius;
  const foot = ((count - 1) * step) / 2;
  for (let i = 0; i < count - 1; i += 1) group.append(token(player, radius, "", looks, 0, foot - i * step));
  group.append(token(player, radius, String(count), looks, 0, foot - (count - 1) * step));
}

/** @param {SVGGElement} group @param {Holder[]} holders @param {Spot} spot @param {Looks} looks */
function drawSeveral(group, holders, spot, looks) {
  const radius = 0.36 * spot.radius;
  holders.forEach(([player, count], i) => {
    const angle = (i / holders.length) * 2 * Math.PI + Math.PI;
    const far = 0.37 * spot.radius;
    const [x, y] = [far * Math.cos(angle), far * Math.sin(angle) + lift(spot, looks)];
    group.append(token(player, radius, String(count), looks, x, y));
  });
}

/**
 * A ring of as many segments as the vertex takes; the filled ones have the colours of the tokens.
 * @param {SVGGElement} group @param {Holder[]} holders @param {Spot} spot @param {Looks} looks
 */
function drawGauge(group, holders, spot, looks) {
  const { capacity } = spot;
  const radius = 0.87 * spot.radius;
  const width = 0.17 * spot.radius;
  const isSmooth = capacity > MOST_SEGMENTS;
  /** @param {string} dashes @param {string} name @param {number} thick @param {number} [offset] */
  const ring = (dashes, name, thick, offset = 0) =>
    s("circle", {
      r: radius.toFixed(2),
      class: name,
      pathLength: capacity,
      "stroke-width": thick.toFixed(2),
      "stroke-dasharray": dashes,
      "stroke-dashoffset": -offset,
      transform: "rotate(-90)",
    });
  const gap = isSmooth ? 0 : Math.min(0.3, 0.045 * capacity);
  /** @param {number} count */
  const filled = (count) => {
    if (isSmooth) return `${count} ${capacity}`;
    const each = `${(1 - gap).toFixed(3)} ${gap.toFixed(3)}`;
    return `${Array(count).fill(each).join(" ")} 0 ${capacity}`;
  };
  const track = isSmooth ? "none" : `${(1 - gap).toFixed(3)} ${gap.toFixed(3)}`;
  group.append(ring(track, "gauge-track", 0.55 * width));
  let from = 0;
  for (const [player, count] of holders) {
    const shown = Math.min(count, capacity - from);
    if (shown <= 0) break;
    const colour = `player-${looks.colours[player] || "black"}`;
    group.append(
      ring(filled(shown), "gauge-rim", 1.35 * width, from),
      ring(filled(shown), `gauge ${colour}`, width, from),
    );
    from += shown;
  }
}

/**
 * A player's emblem for lists and panels.
 * @param {number} player @param {Looks} looks
 */
export function emblem(player, looks) {
  return s(
    "svg",
    { viewBox: "-1.4 -1.4 2.8 2.8", class: "emblem", "aria-hidden": "true" },
    token(player, 1, looks.signs[player] || "", looks),
  );
}

/**
 * What is on a vertex, in words, for screen readers and tips.
 * @param {string} label @param {Cell} cell @param {Spot} spot @param {Looks} looks
 */
export function describeCell(label, cell, spot, looks) {
  const [owner, gone, ...counts] = cell;
  if (gone) return spot.taker < 0 ? `${label}: taken` : `${label}: taken by ${looks.players[spot.taker]}`;
  const held = counts
    .map((count, player) => (count ? `${count} ${looks.players[player]}` : ""))
    .filter(Boolean);
  const parts = [];
  if (held.length) parts.push(held.join(", "));
  if (!counts.length && owner >= 0) parts.push(looks.players[owner]);
  if (counts.length && owner >= 0 && !(held.length === 1 && counts[owner]))
    parts.push(`${looks.gauge === "threshold" && !looks.owns ? "coloured" : "owned by"} ${looks.players[owner]}`);
  if (!parts.length) parts.push("empty");
  if (looks.gauge && spot.capacity) parts.push(`full at ${spot.capacity}`);
  if (spot.isSink) parts.push(`a sink, where tokens ${looks.drops ? "leave the game" : "stay"}`);
  return `${label}: ${parts.join(", ")}`;
}

/** Small tokens that run from the vertex that acts to those it changes. */
export class FlyingTokens {
  /** @param {SVGGElement} layer */
  constructor(layer) {
    this.layer = layer;
    /** @type {SVGCircleElement[]} */
    this.idle = [];
    this.flying = 0;
  }

  /**
   * @param {Spot} from
   * @param {Spot} to
   * @param {string} colour
   * @param {number} radius
   * @param {number} milliseconds
   */
  fly(from, to, colour, radius, milliseconds) {
    if (this.flying >= MOST_FLYING) return;
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
      if (this.idle.length < MOST_IDLE) this.idle.push(dot);
    };
    flight.onfinish = land;
    flight.oncancel = land;
  }
}
