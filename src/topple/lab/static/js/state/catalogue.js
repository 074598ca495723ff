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

/** The kinds of boards that a game can be played on, its own first. */
export const kindsFor = (game) => game.boards.map(findKind);
