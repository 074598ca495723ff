/** How each game is played, in a few words for people. The rules themselves are the server's. */

/** @type {Record<string, string[]>} */
const TEXTS = {
  "spread-it": [
    "Put a token of yours on any vertex. The ring around a vertex shows how many tokens it takes; when it is full, it fires: all its tokens turn to the colour that has most of them there, and one goes to each neighbour.",
    "What fires can make its neighbours fire. When all tokens are placed, whoever has more on the board wins; a cascade that never ends is won by the colour that takes it over.",
    "With full loyalty, a vertex that fires belongs to its winner for good, and more vertices win.",
  ],
  "chain-reaction": [
    "Put a piece on an empty square or on one of yours. A square with as many pieces as it has neighbours explodes: one piece goes to each neighbour, and all that lies there turns to your colour.",
    "Explosions set off others. Once everybody has moved, the last colour on the board wins.",
  ],
  infexion: [
    "Click an empty cell to put a stack of power 1 there, or a stack of yours and then one of its six directions to spread it: each of the next cells, as many as its power, gains one and becomes yours.",
    "A stack that grows beyond its bound is gone. The board wraps around. Whoever leaves the other without any power wins.",
  ],
  hex: [
    "Put a stone on any empty cell. Your colour is on two opposite sides of the board: join them by a chain of stones before the other joins theirs. There are no draws.",
  ],
  influence: [
    "Left takes a vertex marked L with all that can be reached from it along the arrows. Right takes one marked R with all that reach it.",
    "Each vertex that is taken is a point. Who cannot move waits; more points win.",
  ],
};

/** @param {string} game */
export const howToPlay = (game) => TEXTS[game] || [];
