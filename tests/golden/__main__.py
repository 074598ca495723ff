"""Write golden files again: all of them, or those that are named."""

import sys

from tests.golden import CASES, write

for name in sys.argv[1:] or CASES:
    write(name)
    print(f"tests/golden/{name}.json")
