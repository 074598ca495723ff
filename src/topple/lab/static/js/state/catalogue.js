/** What there is: games, agents and boards, as the server lists them. */

import { parseSpec } from "./spec.js";

let catalogue = { version: "", games: [], agents: [], boards: [], limits: {} };

export function setCatalogue(found) {
  catalogue = found;
}

export const version = () => catalogue.version;
export const games = () => catalogue.games;
export const agents = () => catalogue.agents;
export const limits = () => catalogue.limits || {};
export const findGame = (spec) => catalogue.games.find((game) => game.name === parseSpec(spec).name);
export const findAgent = (spec) => catalogue.agents.find((agent) => agent.name === parseSpec(spec).name);
export const findKind = (spec) => catalogue.boards.find((kind) => kind.name === parseSpec(spec).name);
const boardKinds = () => catalogue.boards.filter((kind) => kind.name !== "file");

/**
 * The kinds of boards to offer for a game. The catalogue's own words tell: "… for INFLUENCE" belongs to that
 * game; a game that has kinds of its own is offered those first of all.
 */
export function kindsFor(game) {
  const meant = (kind, title) => new RegExp(`\\bfor ${title.replace(/[^\w ]/g, ".")}\\b`).test(kind.meaning);
  const own = boardKinds().filter((kind) => meant(kind, game.title));
  if (own.length) return own;
  const others = catalogue.games.filter((each) => each !== game);
  return boardKinds().filter((kind) => !others.some((other) => meant(kind, other.title)));
}
