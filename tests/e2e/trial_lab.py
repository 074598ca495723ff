"""A lab that also knows the boards of the tests: `python -m tests.e2e.trial_lab lab --port …`.

They are registered here, where the lab and its workers import this, and not in `trial_boards`,
which other tests may import.
"""

from tests.e2e.trial_boards import TRIAL
from topple.__main__ import main
from topple.boards import BOARDS

BOARDS[TRIAL.name] = TRIAL  # type: ignore[index]

if __name__ == "__main__":
    main()
