"""The options of the window on the command line.  Imports no Qt before they are read, so that commands need none."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final, NoReturn

from core.checks import short
from core.files.reading import in_short

THEMES: Final = ("system", "dark", "light")
BOARD: Final = "board"  # the part of the window that is no room
BAD_INPUT: Final = 2  # exit code


class _Parser(argparse.ArgumentParser):
    """Reports errors of the command line in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"plyscope: {in_short(message)} (plyscope --help explains)\n")


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{short(text)} is no whole number from 1")
    return int(text)


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(f"{short(text)} is no size; write it as 1480x860")
    return int(width), int(height)


def _file(text: str) -> Path:
    if not Path(text).is_file():
        raise argparse.ArgumentTypeError(f"{short(text)} is no file")
    return Path(text)


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the window's options."""
    from gui.language.language import LANGUAGES  # imports Qt, which the commands do not need
    from gui.model.state import QUICK_GAMES
    from gui.shell.docks import BEGIN, WORKSPACES
    from gui.widgets.board.overlays import NAMES as OVERLAYS

    parser = _Parser(prog="plyscope", description="Open the window.", allow_abbrev=False)
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        type=Path,
        help="a game, session, tree or net; folders, archives and several games are listed",
    )
    parser.add_argument("--game", default=QUICK_GAMES[0], help='the game, such as "gomoku(size=9)" (default: connect4)')
    parser.add_argument("--moves", default="", help='moves to begin with, such as "d d c"')
    parser.add_argument("--net", type=_file, help="a net file (default: the one that ships for the game)")
    parser.add_argument("--limit", type=_count, help="simulations a new position gets by itself (default: 1000)")
    parser.add_argument("--theme", choices=THEMES, help="the look (default: as last time)")
    parser.add_argument("--language", choices=LANGUAGES, help="the language (default: as last time)")
    parser.add_argument("--overlay", choices=OVERLAYS, help="the overlay to begin with")
    parser.add_argument("--size", type=_size, help="the window's size, such as 1480x860")
    names = [row[0] for row in WORKSPACES]
    parser.add_argument("--workspace", choices=names, help=f"the workspace to begin with (default: {BEGIN})")
    parser.add_argument("--runs", type=Path, help="where training runs are kept (default: the user's data folder)")
    parser.add_argument("--dock", action="append", default=[], help="a room to open, such as charts; may be repeated")
    parser.add_argument("--look-back", type=_count, help="show the search as it was after so many simulations")
    parser.add_argument("--screenshot", type=Path, help="save a picture when the analysis has ended, then leave")
    parser.add_argument("--part", metavar="ROOM", help=f"the picture shows this room alone; {BOARD} for the board")
    return parser
