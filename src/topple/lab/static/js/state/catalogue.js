/** The catalogue: games, agents and boards, as the server lists them. */

import { parseSpec } from "./spec.js";

/** @type {CatalogueData} */
let catalogue = { version: "", games: [], agents: [], boards: [], limits: {} };

/** @param {CatalogueData} found */
export function setCatalogue(found) {
  catalogue = found;
}

export const version = () => catalogue.version;
export const games = () => catalogue.games;
export const agents = () => catalogue.agents;
export const limits = () => catalogue.limits;
/** @param {string} spec */
export const findGame = (spec) => catalogue.games.find((game) => game.name === parseSpec(spec).name);
/** @param {string} spec */
export const findAgent = (spec) => catalogue.agents.find((agent) => agent.name === parseSpec(spec).name);
/** @param {string} spec */
export const findKind = (spec) => catalogue.boards.find((kind) => kind.name === parseSpec(spec).name);

/**
 * The kinds of boards that a game can be played on, its own first.
 * @param {GameData} game
 */
export const kindsFor = (game) => game.boards.flatMap((name) => findKind(name) || []);
