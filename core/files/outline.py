"""The main line of games as cells, with players and result, read without the rules: for lists of thousands of games.

A game that is opened is read again with the rules.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from core.files import ggf, psq, renlib, sgf_text, wthor
from core.files.game_files import Beside, names_beside, nothing_beside, read_games
from core.files.record import ROOT, GameRecord
from core.files.sgf import INFO
from core.files.sgf_meaning import (
    COLOURS,
    SETUP,
    BadPoint,
    Unreadable,
    find_game,
    play_openings,
    point,
    read_point,
    read_stones,
)
from core.files.sgf_text import SgfTree, unescape
from core.games import GameSpec, load_game
from core.games.spec import PASS
from core.text import text_of

UNKNOWN: Final = -1  # a player that the file does not name
PASSED: Final = -1  # in place of a cell
_SHOWN: Final = ("black", "white", "date", "result", "event")
_MOST_TEXT: Final = 100  # characters of a name
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


@lru_cache(maxsize=16)
def _cells(shape: tuple[int, int]) -> dict[str, int]:
    """Point -> cell of a board [H, W]."""
    return {point(cell, shape[1]): cell for cell in range(shape[0] * shape[1])}


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
    cells, fallen = _cells(game.shape), [0] * game.shape[1]
    at = 0
    while True:
        properties = tree[at].properties
        if len(properties) > 1 and not properties.keys().isdisjoint(SETUP):
            plain = plain and at == 0 and _is_start(properties, game)
        for ident in properties:
            if ident in COLOURS:
                raw = properties[ident][0]
                cell = cells.get(raw)
                if cell is None:
                    cell = _cell(raw, game)
                if game.gravity and cell is not None and cell != PASSED:
                    column = cell % game.shape[1]
                    fallen[column] += 1
                    cell = (game.shape[0] - fallen[column]) * game.shape[1] + column
                if cell is None or cell < PASSED:
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
