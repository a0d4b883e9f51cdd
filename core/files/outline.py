"""The main line of games as cells, with players and result, read without the rules: for lists of thousands of games.

A game that is opened is read again with the rules.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from core.files import ggf, psq, renlib, sgf_text, wthor
from core.files.game_files import Beside, names_beside, nothing_beside, read_games
from core.files.record import ROOT, GameRecord
from core.files.sgf import INFO
from core.files.sgf_dialects import play_openings
from core.files.sgf_game import Unreadable, find_game
from core.files.sgf_points import BadPoint, read_point
from core.files.sgf_setup import COLOURS, SETUP, read_stones
from core.files.sgf_text import SgfTree, unescape
from core.games import GameSpec, load_game
from core.games.spec import PASS
from core.text import text_of

UNKNOWN: Final = -1  # a player that the file does not name
PASSED: Final = -1  # in place of a cell
_SHOWN: Final = ("black", "white", "date", "result", "event")
_MOST_TEXT: Final = 100  # characters of a name
_VALUE: Final = r"\[(?:[^\]\\]++|\\.)*+\]"
_ROOT: Final = re.compile(rf"\(\s*+;(?:\s*+[A-Za-z]++(?:\s*+{_VALUE})++)*+", re.DOTALL)
_NODE: Final = re.compile(
    rf"\s*+;([BW])\[([a-z]{{2}}|)\](?:\s*+(?:[BW]L|O[BW]|C|N|MN|LB|TR|SQ|CR|MA)(?:\s*+{_VALUE})++)*+", re.DOTALL
)
_LINE: Final = re.compile(rf"(?:{_NODE.pattern})*+\s*+\)\s*+", re.DOTALL)
_ERRORS: Final = lambda _: None  # noqa: E731  faults are told when the game is opened


class Outline(NamedTuple):
    """One game of a file: what a list shows of it, and its moves."""

    number: int
    """Of the game in its file, from 1."""
    game: GameSpec | None
    info: Mapping[str, str]
    moves: tuple[tuple[int, int], ...] = ()
    """(player or UNKNOWN, cell or PASSED)"""
    is_plain: bool = True
    """Whether the game begins at its first position and no stones are set up on the way."""
    fault: str = ""
    """Why it cannot be opened."""


def outlines(data: bytes, name: str, hint: GameSpec | None = None, beside: Beside = nothing_beside) -> list[Outline]:
    """The games of a file; one with a fault where it cannot be read."""
    try:
        if data.startswith(psq.BEGINNING):
            game, info, points, _ = psq.parse(data)
            return [Outline(1, game, info, tuple((i % 2, cell) for i, cell in enumerate(points)))]
        if name.lower().endswith(".wtb"):
            return _of_wthor(wthor.read_wtb(data, *names_beside(beside)))
        if ggf.BEGINNING.match(data) or data.startswith(renlib.BEGINNING):
            file = read_games(data, name, hint)
            return [_of_record(number, record) for number, record in enumerate(file.records, 1)]
        text = sgf_text.decode(data, _ERRORS)
        if (one := _of_line(text, hint)) is not None:
            return [one]
        trees = sgf_text.parse(text, _ERRORS)
        return [_of_tree(number, tree, hint) for number, tree in enumerate(trees, 1)] or [_fault("no game")]
    except ValueError as error:
        return [_fault(text_of(error))]


def _fault(sentence: str) -> Outline:
    return Outline(1, None, {}, fault=sentence)


def _of_wthor(games: list[wthor.WthorGame]) -> list[Outline]:
    spec = load_game(wthor.GAME)
    return [
        Outline(
            number,
            spec,
            {"black": g.black, "white": g.white, "event": g.tournament, "date": str(g.year), "result": g.result},
            tuple((UNKNOWN, cell) for cell in g.cells),
        )
        for number, g in enumerate(games, 1)
    ]


def _of_record(number: int, record: GameRecord) -> Outline:
    game, walk = record.game, record.start.to_move
    moves = []
    for node in record.main_line()[1:]:
        action = record.node(node).action
        moves.append((walk, action if action < game.num_cells else PASSED))
        walk = 1 - walk
    plain = record.start == game.initial() and all(record.node(node).setup is None for node in record.main_line())
    return Outline(number, game, {**record.info, "result": record.outcome()}, tuple(moves), plain)


class _Steps(dict[tuple[str, str], tuple[int, int] | None]):
    """(B or W, value) -> (player, cell or PASSED) on one board; None for a value that is neither."""

    def __init__(self, game: GameSpec) -> None:
        self._game = game

    def __missing__(self, key: tuple[str, str]) -> tuple[int, int] | None:
        cell = _cell(key[1], self._game)
        self[key] = None if cell is None else (COLOURS.index(key[0]), cell)
        return self[key]


@lru_cache(maxsize=16)
def _steps_of(game: GameSpec) -> _Steps:
    return _Steps(game)


def _of_line(text: str, hint: GameSpec | None) -> Outline | None:
    """The one game of a file that has no variations and sets nothing up after its root, as most have; else None."""
    root = _ROOT.search(text)
    if root is None or _LINE.fullmatch(text, root.end()) is None:
        return None
    (tree,) = sgf_text.parse(root[0] + ")", _ERRORS)
    if len(tree) != 1 or "SZ" not in tree[0].properties:
        return None
    outline = _of_tree(1, tree, hint)
    if len(tree) != 1 or outline.game is None or outline.game.gravity or outline.moves:
        return None
    nodes = _NODE.findall(text, root.end())
    steps = _steps_of(outline.game)
    moves = tuple(step for node in nodes if (step := steps[node]) is not None)
    return outline._replace(moves=moves) if len(moves) == len(nodes) else None


def _of_tree(number: int, tree: SgfTree, hint: GameSpec | None) -> Outline:
    play_openings(tree)
    root = tree[ROOT].properties
    info = {key: unescape(root[INFO[key]][0][:_MOST_TEXT], one_line=True) for key in _SHOWN if INFO[key] in root}
    try:
        game = find_game(tree, hint, _ERRORS)
    except Unreadable as error:
        return Outline(number, None, info, fault=text_of(error))
    moves: list[tuple[int, int]] = []
    plain = True
    heights = [0] * game.shape[1]
    at = 0
    while True:
        properties = tree[at].properties
        if any(ident in properties for ident in SETUP) and not (at == 0 and _is_start(properties, game)):
            plain = False
        for ident in properties:
            if ident in COLOURS:
                cell = _cell(properties[ident][0], game)
                if cell is None:
                    return Outline(number, game, info, tuple(moves), plain)
                if game.gravity and cell != PASSED:
                    col = cell % game.shape[1]
                    heights[col] += 1
                    cell = (game.shape[0] - heights[col]) * game.shape[1] + col
                    if cell < 0:
                        return Outline(number, game, info, tuple(moves), plain)
                moves.append((COLOURS.index(ident), cell))
        if not tree[at].children:
            return Outline(number, game, info, tuple(moves), plain and "HA" not in root)
        at = tree[at].children[0]


def _is_start(properties: Mapping[str, list[str]], game: GameSpec) -> bool:
    """Whether a root sets up what the game begins with anyway, as edax does."""
    cells = np.zeros(game.num_cells, np.int8)
    for cell, stone in read_stones(properties, game, _ERRORS).items():
        cells[cell] = stone
    first = game.initial()
    mover = properties.get("PL", ["B"])[0].strip()[:1].upper()
    return mover == COLOURS[first.to_move] and bool((cells == first.cells().ravel()).all())


def _cell(raw: str, game: GameSpec) -> int | None:
    """The cell of a move's value, PASSED; None for what is neither."""
    word = raw.strip()
    if not word:
        return PASSED
    try:
        return read_point(word, game.shape)
    except BadPoint:
        pass
    try:
        action = game.parse_action(word)
    except ValueError:
        return PASSED if word == "tt" and PASS in game.action_names else None
    return action if action < game.num_cells else PASSED
