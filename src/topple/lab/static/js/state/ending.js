/** An ending that the rules did not bring: `{by, player}`, as records have it. */

const WORDS = {
  resignation: "resigned",
  time: "ran out of time",
  crash: "failed",
  illegal: "tried an illegal move",
};

const hasLoser = ({ player }) => player !== null && player !== undefined;

/** Who won by it, where that is one player; null otherwise. */
export const winnerBy = (ending, players) =>
  hasLoser(ending) && players.length === 2 ? 1 - ending.player : null;

/** One line on how it ended. */
export function endingText(ending, players) {
  if (!hasLoser(ending)) return "The game was broken off";
  const others = players.filter((_, seat) => seat !== ending.player);
  const how = WORDS[ending.by] || "gave up";
  return `${others.join(", ")} ${others.length > 1 ? "win" : "wins"}: ${players[ending.player]} ${how}`;
}
