"""Game records, saved searches, and their file formats."""

from typing import Final

GAME_SUFFIXES: Final = (".sgf", ".psq", ".ggf", ".wtb", ".lib")  # as dialogs name them
