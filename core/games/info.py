"""Where every game's state keeps what all of them have: entries of its ``info`` int64 array.  Knows no game."""

from typing import Final

PLY: Final = 0  # moves played since the game began
RESULT: Final = 1  # result code of core.games.dispatch
LAST: Final = 2  # last action, -1 when none is known
INFO_SIZE: Final = 3
