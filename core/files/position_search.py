"""Finds the games of a collection in which a position occurs, all at once where boards can be made of many games.

Games of stones that stay, and of Othello on 8×8, are compared as arrays.  Others, and games with stones set up, are
played one by one, after those are left out that lack a stone of the position.  Knows no window.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.files.collection import Listed, Progress, open_listed
from core.files.outline import PASSED, UNKNOWN, Outline
from core.files.record import GameRecord
from core.games import GameSpec, Position
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
    same = [i for i, one in enumerate(games) if one.outline.game is not None and _is_like(one.outline.game, spec)]
    boards = _images(position, symmetric)
    fast = [i for i in same if games[i].outline.is_plain] if _has_arrays(spec) else []
    found = _at_once([games[i].outline for i in fast], fast, position, boards)
    slow = sorted(set(same) - set(fast))
    for done, i in enumerate(slow):
        if stop():
            break
        progress(done, len(slow))
        ply = _one_by_one(games[i], position, boards)
        if ply != _NONE:
            found.append(Found(i, ply))
    return sorted(found)


def _is_like(game: GameSpec, other: GameSpec) -> bool:
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
    rows, kept, plies = [], [], []
    for number, outline in zip(numbers, outlines, strict=True):
        cells = [cell for _, cell in outline.moves if cell != PASSED]
        if len(cells) < placed or (spec.stones_alternate and not _alternates(outline, placed)):
            continue
        rows.append(cells[:placed])
        kept.append(number)
        plies.append(_ply_after(outline, placed))
    if not kept:
        return []
    moves = np.array(rows, np.int16).reshape(len(kept), placed)
    if spec.board.replay is not None:
        made, last = spec.board.replay(moves)
    else:
        made = np.zeros((len(kept), spec.num_cells), np.int8)
        for ply in range(placed):
            made[np.arange(len(kept)), moves[:, ply]] = 1 + ply % 2
        last = np.where((made != 0).sum(axis=1) == placed, (placed - 1) % 2, _NONE).astype(np.int8)
    hit = np.zeros(len(kept), bool)
    for board in boards:
        hit |= (made == board).all(axis=1)
    turn = last == 1 - position.to_move
    if _passed(position):
        turn |= last == position.to_move
    hit &= turn & (last >= 0)
    return [Found(kept[i], plies[i]) for i in np.flatnonzero(hit).tolist()]


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


def _passed(position: Position) -> bool:
    """Whether the other side may have passed just before: it has no other move on this board."""
    game = position.game
    if PASS not in game.action_names or game.captures:
        return False
    try:
        before = game.set_up(position.cells(), 1 - position.to_move)
    except ValueError:
        return False
    return before.legal_actions() == (game.action_names.index(PASS),)


def _one_by_one(listed: Listed, position: Position, boards: NDArray[np.int8]) -> int:
    """The ply at which the position occurs in a game; -1 where it does not."""
    outline, spec = listed.outline, position.game
    if outline.is_plain and outline.game is not None:
        if not _has_stones(outline, spec, boards):
            return _NONE
        walk = Walk.of(outline.game.initial())
        steps: Sequence[tuple[int, int]] = outline.moves
        least = int(np.count_nonzero(boards[0])) - int(np.count_nonzero(walk.cells()))
        passes = spec.action_names.index(PASS) if PASS in spec.action_names else _NONE
        for ply in range(len(steps) + 1):
            if ply >= least and walk.to_move == position.to_move and _is_there(walk.cells(), boards):
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


def node_of(record: GameRecord, position: Position, boards: NDArray[np.int8] | None = None) -> int:
    """The first node of the main line with the position or, without ``boards``, an image of it; -1 for none."""
    boards = _images(position, True) if boards is None else boards
    if not _is_like(record.game, position.game):
        return _NONE
    for node in record.main_line():
        here = record.position(node)
        if here.to_move == position.to_move and _is_there(here.cells(), boards):
            return node
    return _NONE


def _has_stones(outline: Outline, spec: GameSpec, boards: NDArray[np.int8]) -> bool:
    """Whether each stone of one of the boards is on a cell where its player moved; not where moves change stones."""
    if not spec.captures:
        return True
    cells = np.zeros(boards.shape[1], np.int8)  # bit 1 black, bit 2 white
    for i, (player, cell) in enumerate(outline.moves):
        if cell != PASSED:
            cells[cell] |= 1 << (player if player != UNKNOWN else i % 2)
    return bool(((boards & cells) == boards).all(axis=1).any())


def _is_there(cells: NDArray[np.int8], boards: NDArray[np.int8]) -> bool:
    return bool((boards == cells.ravel()).all(axis=1).any())
