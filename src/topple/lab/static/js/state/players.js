/** Who plays: `human` or an agent's spec, one for each seat. */

import { findAgent } from "./catalogue.js";
import { parseSpec } from "./spec.js";

export const HUMAN = "human";

/**
 * The agent that is offered first, with so many seconds for a move: the one with a network, where one is shipped.
 * @param {boolean} hasNet @param {number | string} seconds
 */
export const usualAgent = (hasNet, seconds) => `${hasNet ? "puct" : "uct"}:time=${seconds}`;

/**
 * Whether an agent can play a game.
 * @param {AgentData} agent
 * @param {{players?: number, hasNet?: boolean}} game how many play it, and whether a network is shipped for it
 */
export const fits = (agent, { players = 2, hasNet = true }) =>
  (!agent.most_players || agent.most_players >= players) && (hasNet || !agent.needs_net);

/**
 * Whoever was chosen where that can play the game, else the usual agent with the same time.
 * @param {string} spec
 * @param {{players?: number, hasNet?: boolean}} game
 */
export function fitting(spec, game) {
  const agent = findAgent(spec);
  if (!agent || fits(agent, game)) return spec;
  return usualAgent(Boolean(game.hasNet), parseSpec(spec).options.time || 1);
}

/**
 * Split `human,uct:time=1,c=1.4`: a part such as `c=1.4` belongs to the agent before it.
 * @param {string} text
 */
export function parsePlayers(text) {
  const players = [];
  for (const part of text
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean)) {
    if (/^[\w-]+=/.test(part) && players.length) players[players.length - 1] += `,${part}`;
    else players.push(part);
  }
  return players;
}

/** @param {string[]} players */
export const formatPlayers = (players) => players.join(",");

/**
 * Anyone who is not an agent is a person, whatever name a record has for them.
 * @param {string | undefined} player
 */
export const isHuman = (player) => !player || !findAgent(player);

/**
 * One player for each seat: the given ones, then people.
 * @param {string[]} players @param {number} count
 */
export const seated = (players, count) => Array.from({ length: count }, (_, seat) => players[seat] || HUMAN);

/** @param {string | undefined} player */
export const playerText = (player) => (!player || player === HUMAN ? "Person" : player);
