"""Where a search with a stack of its own stands between two slices.

Each kernel keeps these numbers in ``control`` of its Run; ``core.solve.solution.Pace`` runs it slice by slice.
"""

from typing import Final

# Indices into Run.control.
DEPTH: Final = 0
PHASE: Final = 1
VALUE: Final = 2
SEARCHED: Final = 3
NUM_CONTROL: Final = 4

ENTER: Final = 0  # examine the position at DEPTH
ADVANCE: Final = 1  # play its next move
RETURN: Final = 2  # VALUE is the answer for the position at DEPTH
