"""An index of games by position: which moves followed a position, how often, and with which results.

Positions are found by a code that turned and mirrored boards share (:mod:`core.files.opening_codes`); two boards of
10 000 games have the same code by chance less often than once in a million collections.  Ko is not checked.  What is
indexed is kept in the user's caches and used again for the same games.
"""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.files.arrays import Unpacked, pack
from core.files.caches import cache_path, keep
from core.files.collection import Listed, open_listed
from core.files.opening_codes import (
    CAPTURE,
    ENDED,
    PASSED,
    SKIPPED,
    STAY,
    TURN,
    Codes,
    Coding,
    Moves,
    Starts,
    code_games,
    codes_of_board,
    coding_of,
)
from core.files.position_search import is_like, may_follow_pass
from core.files.reading import BadFile, read_bytes
from core.files.record import RecordNode
from core.games import GameSpec, Position
from core.text import Text

_VERSION: Final = 1  # of the codes, and of the file
_SEED: Final = 20_261_127  # of the numbers that codes are made of
_MOST_POSITIONS: Final = 8_000_000  # of all games; of more only the first of each game are indexed
_LEAST_PLIES: Final = 30  # that are indexed of every game
_MOST_FILES: Final = 20
_MOST_BYTES: Final = 1 << 30

FIRST, DRAW, SECOND, OPEN = 0, 1, 2, 3  # who won; OPEN: the file does not say


class NextMove(NamedTuple):
    """A move that followed a position, and the results of the games in which it did."""

    action: int
    games: int
    first: int
    """Games that the first player won."""
    draws: int
    second: int


class Explored(NamedTuple):
    """What followed a position in a collection."""

    moves: tuple[NextMove, ...]
    """The most frequent first; moves that are images of each other in the position count as one."""
    games: tuple[int, ...]
    """The numbers of the games with the position."""
    ended: int
    """Games that end at the position, or go on with what the rules do not allow."""


class _Positions(NamedTuple):
    """The positions of an index, by ascending code."""

    codes: NDArray[np.uint64]
    images: NDArray[np.uint8]
    follows: NDArray[np.int16]
    games: NDArray[np.int32]
    """The places of games among those indexed."""


class OpeningIndex:
    """The positions of the games of a collection that are played on the board of ``game``.

    plies: the moves of each game that are compared; None: all."""

    def __init__(
        self,
        games: Sequence[Listed],
        game: GameSpec,
        progress: Callable[[int, int], object] = lambda done, of: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Read the index of these games from the caches, or make it and keep it there.

        What was done when ``stop`` is true counts, and is not kept.  ValueError, one sentence, for a game whose moves
        are no cells of a board."""
        if not (game.moves_are_cells or game.gravity):
            raise ValueError(Text("games of {game} have no openings by position", game=game.text))
        self.game = game
        numbers = [i for i, one in enumerate(games) if one.outline.game is not None and is_like(one.outline.game, game)]
        rule = _rule(game)
        fast = [i for i in numbers if rule is not None and games[i].outline.is_plain]
        slow = sorted(set(numbers) - set(fast))
        self._coding = coding_of(game.shape, rule or STAY, game.suicide, game.cell_symmetries, _SEED)
        self._results = np.array([_result(one) for one in games], np.uint8)
        lines, starts = _lines([games[i] for i in fast])
        most = max(_LEAST_PLIES, _MOST_POSITIONS // max(1, len(numbers)))
        longest = max((len(games[i].outline.moves) for i in numbers), default=0)
        self.plies = most if longest > most else None
        path = cache_path("openings", "openings", *_about(game, lines, starts, [games[i] for i in slow], most))
        with suppress(OSError, BadFile):
            self._take(read_bytes(path, _MOST_BYTES), np.array([*fast, *slow], np.int64))
            return
        codes = code_games(lines, starts, self._coding, most + 1)
        parts = [_placed(codes, lines)]
        for done, i in enumerate(slow):
            if stop():
                break
            progress(done, len(slow))
            parts.append(_coded(games[i], game, self._coding, len(fast) + done, most + 1))
        joined: list[NDArray[Any]] = [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]
        order = np.argsort(joined[0], kind="stable")
        found = _Positions(*(array[order] for array in joined))
        if not stop():
            keep(path, pack(found._asdict()), _MOST_FILES)
        self._found, self._numbers = found, np.array([*fast, *slow], np.int64)

    def _take(self, data: bytes, numbers: NDArray[np.int64]) -> None:
        """Take what is in a file; BadFile when it is damaged."""
        parts = Unpacked(data)
        kinds: tuple[type[np.generic], ...] = (np.uint64, np.uint8, np.int16, np.int32)
        found = _Positions(*(parts.array(name, kind) for name, kind in zip(_Positions._fields, kinds, strict=True)))
        count, cells = len(found.codes), self.game.num_cells
        if any(len(array) != count for array in found):
            raise BadFile("its parts are not as long as each other")
        if count and not (
            (found.codes[1:] >= found.codes[:-1]).all()
            and 0 <= found.games.min() <= found.games.max() < len(numbers)
            and found.images.max() < len(self._coding.symmetries)
            and SKIPPED - cells < found.follows.min() <= found.follows.max() < cells
        ):
            raise BadFile("a number of it is wrong")
        self._found, self._numbers = found, numbers

    def fits(self, game: GameSpec) -> bool:
        """Whether positions of ``game`` can be looked for."""
        return is_like(self.game, game) and self.game.suicide == game.suicide

    def explore(self, position: Position, symmetric: bool = True) -> Explored:
        """What followed ``position``, of the game of the index; each game counts once, where it first has it.

        symmetric: turned and mirrored boards count, too."""
        board = position.cells().ravel()
        codes = codes_of_board(self._coding, board)
        image = int(codes.argmin())
        rows = [self._rows(codes[image], position.to_move, skipped=False)]
        if may_follow_pass(position):
            rows.append(self._rows(codes[image], 1 - position.to_move, skipped=True))
        games, images, follows = (np.concatenate(part) for part in zip(*rows, strict=True))
        symmetries = self._coding.symmetries
        back = np.argsort(symmetries[image])  # the inverse of the symmetry that gives the position's code
        maps = back[symmetries]  # [T, S] for each image of a game's board: its cells in the position
        same = np.array([bool((board[cells] == board).all()) for cells in maps])
        if not symmetric:
            kept = same[images]
            games, images, follows = games[kept], images[kept], follows[kept]
        games, first = np.unique(games, return_index=True)
        images, follows = images[first], follows[first]
        cells = np.where(follows >= 0, maps[images, np.maximum(follows, 0)], follows)
        if symmetric:
            own = symmetries[[bool((board[cells] == board).all()) for cells in symmetries]]
            cells = np.where(cells >= 0, own[:, np.maximum(cells, 0)].min(axis=0), cells)
        numbers = self._numbers[games]
        return Explored(
            self._moves(cells, self._results[numbers]), tuple(sorted(numbers.tolist())), int((cells == ENDED).sum())
        )

    def _rows(self, code: np.uint64, to_move: int, skipped: bool) -> tuple[NDArray[Any], ...]:
        """The games, images and next cells of a board by its code, with a player to move.

        skipped: the player to move has passed since, which the file may leave out."""
        key = code ^ self._coding.sides[to_move]
        low, high = (np.searchsorted(self._found.codes, key, side) for side in ("left", "right"))
        games, images, follows = (
            array[low:high] for array in (self._found.games, self._found.images, self._found.follows)
        )
        if skipped:
            kept = follows <= SKIPPED
            return games[kept], images[kept], SKIPPED - follows[kept]
        return games, images, np.where(follows <= SKIPPED, PASSED, follows)

    def _moves(self, cells: NDArray[np.int64], results: NDArray[np.uint8]) -> tuple[NextMove, ...]:
        game = self.game
        actions = np.where(cells >= 0, cells % game.shape[1] if game.gravity else cells, cells)
        actions = np.where(cells == PASSED, game.passing, actions)
        counts = []
        for action in np.unique(actions[(cells != ENDED) & (actions >= 0)]).tolist():
            each = np.bincount(results[actions == action], minlength=OPEN + 1).tolist()
            counts.append(NextMove(action, sum(each), each[FIRST], each[DRAW], each[SECOND]))
        return tuple(sorted(counts, key=lambda move: (-move.games, move.action)))


def _rule(game: GameSpec) -> int | None:
    """What a move of a game does to other stones; None where its games are played one by one."""
    if game.captures:
        return CAPTURE
    if game.stones_alternate:
        return STAY
    return TURN if game.board.replay is not None else None


def _result(listed: Listed) -> int:
    """Who won, as the file says."""
    words = listed.outline.info.get("result", "").strip().upper()
    if words.startswith(("B+", "W+")):
        return FIRST if words[0] == "B" else SECOND
    return DRAW if words in ("0", "DRAW", "JIGO") else OPEN


def _lines(games: Sequence[Listed]) -> tuple[Moves, Starts]:
    """The moves of games that begin with the first position of their own game."""
    moves = [one.outline.moves for one in games]
    lengths = np.fromiter(map(len, moves), np.int64, len(moves))
    total = int(lengths.sum())
    flat = np.fromiter(chain.from_iterable(chain.from_iterable(moves)), np.int16, 2 * total).reshape(-1, 2)
    specs = [one.outline.game for one in games if one.outline.game is not None]
    places = {spec: place for place, spec in enumerate(dict.fromkeys(specs))}
    first = [spec.initial() for spec in places]
    size = first[0].game.num_cells if first else 0
    starts = Starts(
        np.array([position.cells().ravel() for position in first], np.int8).reshape(-1, size),
        np.array([position.to_move for position in first], np.int8),
    )
    lines = Moves(
        np.ascontiguousarray(flat[:, 1]),
        flat[:, 0].astype(np.int8),
        np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]),
        np.array([places[spec] for spec in specs], np.int32),
    )
    return lines, starts


def _placed(codes: Codes, lines: Moves) -> _Positions:
    """The positions of the kernel without the gaps behind games that were not replayed to their ends."""
    begins = lines.first[:-1] + np.arange(len(lines.start))
    games = np.repeat(np.arange(len(codes.lengths), dtype=np.int32), codes.lengths)
    before = np.cumsum(codes.lengths) - codes.lengths
    rows = np.arange(len(games)) + np.repeat(begins - before, codes.lengths)
    return _Positions(codes.codes[rows], codes.images[rows], codes.follows[rows], games)


def _coded(listed: Listed, game: GameSpec, coding: Coding, number: int, most: int) -> _Positions:
    """The first positions of a game that is played by its rules; none where the file cannot be read."""
    codes, images, follows = [], [], []
    with suppress(ValueError, OSError):
        record, _ = open_listed(listed, game)
        line = record.main_line()[:most]
        for node, after in zip(line, [*line[1:], None], strict=True):
            position = record.position(node)
            of_images = codes_of_board(coding, position.cells().ravel())
            image = int(of_images.argmin())
            codes.append(of_images[image] ^ coding.sides[position.to_move])
            images.append(image)
            follows.append(ENDED if after is None else _follows(position, record.position(after), record.node(after)))
    return _Positions(
        np.array(codes, np.uint64),
        np.array(images, np.uint8),
        np.array(follows, np.int16),
        np.full(len(codes), number, np.int32),
    )


def _follows(position: Position, after: Position, node: RecordNode) -> int:
    """The cell of the move that leads from a position to the next; PASSED or ENDED."""
    if node.setup is not None:
        return ENDED
    if node.action == position.game.passing:
        return PASSED
    if not position.game.gravity:
        return node.action
    return int(np.flatnonzero((position.cells().ravel() == 0) & (after.cells().ravel() != 0))[0])


def _about(game: GameSpec, lines: Moves, starts: Starts, others: Sequence[Listed], most: int) -> list[str]:
    """The texts by which an index is looked up in the caches."""
    digest = hashlib.sha256()
    for array in (*lines, *starts):
        digest.update(array.tobytes())
    words = [str(_VERSION), str(game.shape), str(_rule(game)), str(game.suicide), str(most), digest.hexdigest()]
    for one in others:
        with suppress(OSError):
            facts = one.path.stat()
            words.append(f"{one.path}/{one.member} {one.outline.number} {facts.st_mtime_ns} {facts.st_size}")
    return words
