"""Game records, saved searches, and their file formats."""

from typing import Final, NamedTuple


class GameFormat(NamedTuple):
    """A format of game records, as dialogs and desktops know it; ``core.files.game_files`` reads it."""

    suffix: str
    title: str
    mime: str
    beginning: str = ""  # of each file, as shared-mime-info writes it; "" where nothing tells
    by_name: bool = True  # whether the suffix alone says that a file is one


GAME_FORMATS: Final = (
    GameFormat(".sgf", "Game record (SGF)", "application/x-go-sgf"),
    GameFormat(".psq", "Game of Gomocup", "application/x-gomocup-psq", "Piskvorky "),
    GameFormat(".ggf", "Games of Othello (GGF)", "application/x-othello-ggf", "(;GM[Othello]"),
    GameFormat(".wtb", "Games of Othello (WTHOR)", "application/x-wthor"),
    GameFormat(".gib", "Game of Go of Tygem", "application/x-tygem-gib", "\\\\HS"),
    GameFormat(".ngf", "Game of Go of WBaduk", "application/x-wbaduk-ngf"),
    GameFormat(".ugf", "Game of Go of PandaNet", "application/x-pandanet-ugf", "[Header]"),
    GameFormat(".ugi", "Game of Go of PandaNet", "application/x-pandanet-ugi", "[Header]"),
    # Libraries of programs have the suffix, too.
    GameFormat(".lib", "Library of RenLib", "application/x-renlib", "\\377RenLib\\377", by_name=False),
)
GAME_SUFFIXES: Final = tuple(each.suffix for each in GAME_FORMATS)  # as dialogs name them
