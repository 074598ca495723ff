"""A student's agent, written to the course's interface: it takes what it can, else spawns."""

import random

from referee.game import HexDir, HexPos, PlayerColor, SpawnAction, SpreadAction

SIZE = 7
CELLS = [HexPos(r, q) for r in range(SIZE) for q in range(SIZE)]


class Agent:
    """Looks one move ahead."""

    def __init__(self, color: PlayerColor, **referee: dict):
        self.color = color
        self.stacks = {}  # cell: (color, power)
        print(f"I am {color}")

    def action(self, **referee: dict):
        """Spread where most is taken; where nothing is, spawn out of reach."""
        own = [cell for cell, (color, _) in self.stacks.items() if color == self.color]
        spreads = [SpreadAction(cell, direction) for cell in own for direction in HexDir]
        best = max(spreads, key=self.taken, default=None)
        is_full = sum(power for _, power in self.stacks.values()) >= SIZE * SIZE
        if is_full or (best is not None and self.taken(best) > 0):
            return best
        empty = [cell for cell in CELLS if cell not in self.stacks]
        safe = [cell for cell in empty if not self.is_beside_the_other(cell)]
        return SpawnAction(random.choice(safe or empty))

    def turn(self, color: PlayerColor, action, **referee: dict):
        """Keep the board up to date."""
        match action:
            case SpawnAction(cell):
                self.stacks[cell] = (color, 1)
            case SpreadAction(cell, _):
                targets = self.targets(action)
                del self.stacks[cell]
                for target in targets:
                    power = self.stacks.pop(target, (color, 0))[1] + 1
                    if power < SIZE:
                        self.stacks[target] = (color, power)

    def targets(self, spread: SpreadAction) -> list[HexPos]:
        """The cells that a spread reaches."""
        power = self.stacks[spread.cell][1]
        return [spread.cell + spread.direction * far for far in range(1, power + 1)]

    def taken(self, spread: SpreadAction) -> int:
        """The power that a spread takes."""
        reached = [self.stacks.get(cell, (self.color, 0)) for cell in self.targets(spread)]
        return sum(power for color, power in reached if color != self.color)

    def is_beside_the_other(self, cell: HexPos) -> bool:
        """Whether a stack of the other's is next to a cell."""
        beside = [self.stacks.get(cell + direction, (None, 0))[0] for direction in HexDir]
        return self.color.opponent in beside
