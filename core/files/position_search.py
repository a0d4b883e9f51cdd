"""Finds the games of a collection in which a position occurs, all at once where boards can be made of many games.

Games of stones that stay, and of Othello on 8×8, are compared as arrays.  Others, and games with stones set up, are
played one by one, those of Go only to where the position can be.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.files.collection import PASSED, UNKNOWN, Listed, Outline, Progress, open_listed
from core.files.record import GameRecord
from core.games import GameSpec, Position
from core.games.go_regions import regions
from core.games.spec import PASS
from core.games.walk import Walk

_NONE: Final = -1


class Found(NamedTuple):
    """A game of a collection, by its number there from 0, and the moves before the position."""

    game: int
    ply: int


def find_position(
    games: Sequence[Listed],
    position: Position,
    symmetric: bool = True,
    progress: Progress = lambda done, of: None,
    stop: Callable[[], bool] = lambda: False,
) -> list[Found]:
    """The games with the position on their main line, in their order, each where it first occurs.

    ``symmetric``: turned and mirrored ones count, too.  The board and the side to move are compared.
    """
    spec = position.game
    same = [
        i for i, listed in enumerate(games) if listed.outline.game is not None and is_like(listed.outline.game, spec)
    ]
    boards = _images(position, symmetric)
    fast = [i for i in same if games[i].outline.is_plain] if _has_arrays(spec) else []
    places = _at_once([games[i].outline for i in fast], fast, position, boards)
    slow = sorted(set(same) - set(fast))
    emptied = _emptied(boards, spec.shape) if spec.captures and slow else boards
    for done, i in enumerate(slow):
        if stop():
            break
        progress(done, len(slow))
        ply = _one_by_one(games[i], position, boards, emptied)
        if ply != _NONE:
            places.append(Found(i, ply))
    return sorted(places)


def is_like(game: GameSpec, other: GameSpec) -> bool:
    """Whether two games have the same boards and moves, whatever wins."""
    both_lines = game.lines is not None and other.lines is not None
    return game.shape == other.shape and game.gravity == other.gravity and (both_lines or game.name == other.name)


def _has_arrays(game: GameSpec) -> bool:
    return game.stones_alternate or game.board.replay is not None


def _images(position: Position, symmetric: bool) -> NDArray[np.int8]:
    """The board and its images, int8 [S, H * W], each once."""
    cells = position.cells().ravel()
    images = np.empty((len(position.game.cell_symmetries), len(cells)), np.int8)
    for image, symmetry in zip(images, position.game.cell_symmetries, strict=True):
        image[symmetry] = cells
    return np.unique(images, axis=0) if symmetric else cells[None, :]


def _at_once(
    outlines: Sequence[Outline], numbers: Sequence[int], position: Position, boards: NDArray[np.int8]
) -> list[Found]:
    spec = position.game
    placed = int(np.count_nonzero(boards[0])) - int(np.count_nonzero(spec.initial().cells()))
    if placed < 0 or not outlines:
        return []
    # The cells of the first moves without passes; a game that has fewer is left out.
    rows, compared, plies = [], [], []
    for number, outline in zip(numbers, outlines, strict=True):
        cells = [cell for _, cell in outline.moves if cell != PASSED]
        if len(cells) < placed or (spec.stones_alternate and not _alternates(outline, placed)):
            continue
        rows.append(cells[:placed])
        compared.append(number)
        plies.append(_ply_after(outline, placed))
    if not compared:
        return []
    moves = np.array(rows, np.int16).reshape(len(compared), placed)
    if spec.board.replay is not None:
        replayed, last = spec.board.replay(moves)
    else:
        replayed = np.zeros((len(compared), spec.num_cells), np.int8)
        for ply in range(placed):
            replayed[np.arange(len(compared)), moves[:, ply]] = 1 + ply % 2
        last = np.where((replayed != 0).sum(axis=1) == placed, (placed - 1) % 2, _NONE).astype(np.int8)
    hit = np.zeros(len(compared), bool)
    for board in boards:
        hit |= (replayed == board).all(axis=1)
    turn = last == 1 - position.to_move
    if may_follow_pass(position):
        turn |= last == position.to_move
    hit &= turn & (last >= 0)
    return [Found(compared[i], plies[i]) for i in np.flatnonzero(hit).tolist()]


def _alternates(outline: Outline, placed: int) -> bool:
    return all(player in (UNKNOWN, i % 2) for i, (player, _) in enumerate(outline.moves[:placed]))


def _ply_after(outline: Outline, placed: int) -> int:
    """How many moves, passes included, the file has up to the last of ``placed`` stones."""
    count = 0
    for ply, (_, cell) in enumerate(outline.moves, 1):
        count += cell != PASSED
        if count == placed:
            return ply
    return 0


def may_follow_pass(position: Position) -> bool:
    """Whether the other side may have passed just before: it has no other move on this board."""
    game = position.game
    if PASS not in game.action_names or game.captures:
        return False
    try:
        before = game.set_up(position.cells(), 1 - position.to_move)
    except ValueError:
        return False
    return before.legal_actions() == (game.action_names.index(PASS),)


def _one_by_one(listed: Listed, position: Position, boards: NDArray[np.int8], emptied: NDArray[Any]) -> int:
    """The ply at which the position occurs in a game; -1 where it does not."""
    outline, spec = listed.outline, position.game
    if outline.is_plain and outline.game is not None:
        steps: Sequence[tuple[int, int]] = outline.moves
        if outline.game.captures and all(player != UNKNOWN for player, _ in steps):
            return _by_last_stone(outline.game, steps, position, boards, emptied)
        walk = Walk.of(outline.game.initial())
        least = int(np.count_nonzero(boards[0])) - int(np.count_nonzero(walk.cells()))
        passes = spec.action_names.index(PASS) if PASS in spec.action_names else _NONE
        for ply in range(len(steps) + 1):
            if ply >= least and walk.to_move == position.to_move and _stands_on(walk.cells(), boards):
                return ply
            if ply == len(steps):
                break
            player, cell = steps[ply]
            action = passes if cell == PASSED else cell
            if player not in (UNKNOWN, walk.to_move) and passes != _NONE and walk.allows(passes):
                walk.play(passes)
            if action == _NONE or not walk.allows(action):
                break
            walk.play(action)
        return _NONE
    try:
        record, _ = open_listed(listed, spec)
    except (ValueError, OSError):
        return _NONE
    node = node_of(record, position, boards)
    return record.main_line().index(node) if node != _NONE else _NONE


@lru_cache(16)
def _start_cells(game: GameSpec) -> NDArray[np.int8]:
    return game.initial().cells().ravel()


def _emptied(boards: NDArray[np.int8], shape: tuple[int, int]) -> NDArray[np.int64]:
    """How many stones of each side a suicide at a cell took off if it left a board, [2, S, H * W]; 0: it did not.

    The stones filled an empty region beside which the other side alone has stones.
    """
    removed = np.zeros((2, *boards.shape), np.int64)
    for number, board in enumerate(boards.tolist()):
        for region in regions(board, shape):
            owners = {board[cell] for cell in region.beside}
            if board[region.cells[0]] == 0 and len(owners) == 1:
                removed[2 - owners.pop(), number, region.cells] = len(region.cells)
    return removed


def _by_last_stone(
    game: GameSpec,
    steps: Sequence[tuple[int, int]],
    position: Position,
    boards: NDArray[np.int8],
    emptied: NDArray[np.int64],
) -> int:
    """As ``_one_by_one`` where stones leave the board only when they are captured.

    Each stone of the position was played by its own side, and the last move is one of them, a suicide or a pass.
    """
    moves = np.fromiter(chain.from_iterable(steps), np.int16, 2 * len(steps)).reshape(-1, 2)
    players, cells = moves[:, 0], moves[:, 1]
    stones, start = np.flatnonzero(cells != PASSED), _start_cells(game)
    played = np.full((3, start.size), len(steps) + 1)  # by stone and cell: the number of moves up to it
    played[0] = 0
    np.minimum.at(played, (players[stones] + 1, cells[stones]), stones + 1)
    played[start, np.arange(start.size)] = 0
    complete = played[boards, np.arange(start.size)].max(axis=1)  # moves until all stones of a board were played
    if complete.min() > len(steps):
        return _NONE
    plies = np.arange(1, len(steps) + 1)
    last = (cells == PASSED) | (boards[:, cells] == players + 1)
    if game.suicide:
        removed = emptied[players, :, cells].T
        last |= (removed > 0) & (removed <= plies)
    possible = ((plies >= complete[:, None]) & last).any(axis=0) & (players == 1 - position.to_move)
    if not possible.any() and np.count_nonzero(boards[0]) != np.count_nonzero(start):
        return _NONE
    at, passing, walk = 0, game.passing, Walk.of(game.initial())
    for ply in (0, *plies[possible].tolist()):
        actions = [passing if cell == PASSED else cell for _, cell in steps[at:ply]]
        if walk.play_line(actions, [player for player, _ in steps[at:ply]])[0] < len(actions):
            break
        at = ply
        if walk.to_move == position.to_move and _stands_on(walk.cells(), boards):
            return int(ply)
    return _NONE


def node_of(record: GameRecord, position: Position, boards: NDArray[np.int8] | None = None) -> int:
    """The first node of the main line with the position or, without ``boards``, an image of it; -1 for none."""
    boards = _images(position, True) if boards is None else boards
    if not is_like(record.game, position.game):
        return _NONE
    for node in record.main_line():
        reached = record.position(node)
        if reached.to_move == position.to_move and _stands_on(reached.cells(), boards):
            return node
    return _NONE


def _stands_on(cells: NDArray[np.int8], boards: NDArray[np.int8]) -> bool:
    return bool((boards == cells.ravel()).all(axis=1).any())
