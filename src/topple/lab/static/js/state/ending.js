/** An ending that does not come from the rules: `{by, player}`, as records have it. */

/** @type {Record<string, string>} */
const WORDS = {
  resignation: "resigned",
  time: "ran out of time",
  crash: "failed",
  illegal: "tried an illegal move",
};

/** @param {Ending} ending */
const loserOf = ({ player }) => player ?? null;

/**
 * Who won by it, alone or together: all but the loser, or nobody.
 * @param {Ending} ending @param {string[]} players
 */
export function winnersBy(ending, players) {
  const loser = loserOf(ending);
  return loser === null ? [] : players.map((_, seat) => seat).filter((seat) => seat !== loser);
}

/**
 * One line on how it ended.
 * @param {Ending} ending @param {string[]} players
 */
export function endingText(ending, players) {
  const loser = loserOf(ending);
  if (loser === null) return "The game was broken off";
  const others = players.filter((_, seat) => seat !== loser);
  const how = WORDS[ending.by] || "gave up";
  return `${others.join(", ")} ${others.length > 1 ? "share the win" : "wins"}: ${players[loser]} ${how}`;
}
