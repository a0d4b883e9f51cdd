"""The concepts of a game: those that its file declares, those that every game of its kind has, those of packages.

A package adds concepts by the entry point group ``plyscope.concepts``: each entry is a function that is given a
``GameSpec`` and returns its ``Concept``\\ s for that game, perhaps none.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache, partial
from importlib.metadata import entry_points
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec, Position
from core.games.grid import marked
from core.games.spec import DISCS, Concept, Label
from core.solve.othello import boards
from core.solve.othello_last import make_rules, stable_places
from core.solve.solution import Solution
from core.solve.solver import Solver, empty_cells, instant_empties
from core.solve.threats import has_threat_proofs, make_scout, refusal
from core.solve.threats_leaf import follow_board, leaf_outcome
from core.solve.threats_lines import FIVE, FOUR, OPEN_FOUR, OPEN_THREE
from core.text import Text, Words, text_of
from models.audit.positions import key_of

GROUP: Final = "plyscope.concepts"
_SOON: Final = 9  # plies within which a win is called near
_SOLVE_S: Final = 2.0
log = logging.getLogger(__name__)


def concepts_of(game: GameSpec) -> tuple[Concept, ...]:
    """All concepts of ``game``, no two with one name; the game's own first, then those of its kind and of packages."""
    usual = (*game.concepts, *_stones(game), *_threats(game), *_exact(game), *_parity(game))
    return (*usual, *_installed(game, {concept.name for concept in usual}))


def selection(title: str, positions: Iterable[Position]) -> Concept:
    """The concept "is one of these positions", as they are or mirrored."""
    keys = frozenset(key_of(position) for position in positions)
    return Concept(title, title, partial(_is_among, keys), per_cell=False)


class Stopped(Exception):
    """The labels are no longer wanted."""


def labels_of(
    concept: Concept, positions: Sequence[Position], stop: Callable[[], bool] = lambda: False
) -> NDArray[np.float32]:
    """The labels of positions that have not ended, float32 [N, H, W] or [N]; NaN where a concept is not defined.

    :class:`Stopped` as soon as ``stop`` says so.  ValueError, which names the concept, for another shape, for
    infinities, and for numbers but 0 and 1 where it says that it answers yes or no."""
    shape = positions[0].game.shape if concept.per_cell and positions else ()
    labels = np.empty((len(positions), *shape), np.float32)
    for row, position in enumerate(positions):
        if stop():
            raise Stopped
        label = np.asarray(concept.label(position), np.float32)
        if label.shape != shape:
            words = {"shape": label.shape, "wanted": shape}
            raise _bad(concept, Text("its labels have the shape {shape}, not {wanted}", **words))
        labels[row] = label
    known = labels[~np.isnan(labels)]
    if concept.yes_no and not np.isin(known, (0.0, 1.0)).all():
        raise _bad(concept, Text("its labels are not all 0, 1 or NaN"))
    if np.isinf(known).any():
        raise _bad(concept, Text("a label is infinite"))
    return labels


def _bad(concept: Concept, reason: Text) -> ValueError:
    return ValueError(Text("the concept {name!r} cannot be used: {reason}", name=concept.name[:60], reason=reason))


def _is_among(keys: frozenset[bytes], position: Position) -> Label:
    return float(key_of(position) in keys)


def _installed(game: GameSpec, taken: set[str]) -> list[Concept]:
    """The concepts of installed packages; what raises or repeats a name is left out, with a line in the log."""
    concepts: list[Concept] = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            for concept in point.load()(game):
                if not isinstance(concept, Concept) or concept.name in taken:
                    raise ValueError(f"{concept!r} is no Concept, or there is one of its name already")
                taken.add(concept.name)
                concepts.append(concept)
        except Exception as error:  # whatever is wrong with the package
            reason = text_of(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
            log.warning("the concepts of %s (%s) are left out: %s", point.name, point.value, reason)
    return concepts


# Threats of games of k in a row on a free board.

_KINDS: Final = ((FIVE, "completes"), (OPEN_FOUR, "open four"), (FOUR, "four"), (OPEN_THREE, "open three"))
_OWN_TITLES: Final[dict[int, Words]] = {
    FIVE: "a stone of the side to move completes a line here",
    OPEN_FOUR: "a stone of the side to move makes an open four here, or two fours",
    FOUR: "a stone of the side to move makes a four here",
    OPEN_THREE: "a stone of the side to move makes an open three here",
}
_THEIR_TITLES: Final[dict[int, Words]] = {
    FIVE: "a stone of the other side completes a line here",
    OPEN_FOUR: "a stone of the other side makes an open four here, or two fours",
    FOUR: "a stone of the other side makes a four here",
    OPEN_THREE: "a stone of the other side makes an open three here",
}


def _threats(game: GameSpec) -> list[Concept]:
    concepts: list[Concept] = []
    if not refusal(game):
        scout = make_scout(game)

        def strongest(own: bool, kind: int, position: Position) -> Label:
            follow_board(scout, position.state.cells)
            side = position.to_move if own else 1 - position.to_move
            return marked(position.cells(), scout.best[side].reshape(game.shape) == kind)

        for own, whose, titles in ((True, "own", _OWN_TITLES), (False, "their", _THEIR_TITLES)):
            for kind, name in _KINDS:
                is_move = own and kind >= OPEN_FOUR
                concepts.append(
                    Concept(f"{whose} {name}", titles[kind], partial(strongest, own, kind), is_move=is_move)
                )
    if has_threat_proofs(game):
        plies = lru_cache(1 << 15)(partial(_outcome, make_scout(game)))

        def sign(wanted: int, position: Position) -> Label:
            return float(plies(position) * wanted > 0)

        concepts += [
            Concept("wins by threats", "the side to move wins within three plies", partial(sign, 1), per_cell=False),
            Concept("loses by threats", "the side to move loses within two plies", partial(sign, -1), per_cell=False),
        ]
    return concepts


def _outcome(scout: object, position: Position) -> int:
    return int(leaf_outcome(scout, position.state))


# Exact values, where a solver answers at once.


class _Answers:
    """The exact answers of one game's solver to positions with few empty cells."""

    def __init__(self, game: GameSpec) -> None:
        self._game, self._most = game, instant_empties(game)
        self.of: Callable[[Position], Solution | None] = lru_cache(1 << 15)(self._solved)

    @cached_property
    def _solver(self) -> Solver:
        return Solver(self._game)

    def _solved(self, position: Position) -> Solution | None:
        return self._solver.solve(position, seconds=_SOLVE_S) if empty_cells(position) <= self._most else None

    def won(self, position: Position) -> Label:
        solution = self.of(position)
        return float("nan") if solution is None else float(solution.value > 0)

    def soon(self, sign: int, position: Position) -> Label:
        """Whether the side to move wins (``sign`` 1) or loses (-1) soon."""
        solution = self.of(position)
        if solution is None or (solution.value == sign and solution.distance is None):
            return float("nan")
        return float(solution.value == sign and (solution.distance or 0) <= _SOON)


def _exact(game: GameSpec) -> list[Concept]:
    if not instant_empties(game):
        return []
    answers = _Answers(game)
    concepts = [Concept("won", "the side to move wins, by the solver", answers.won, per_cell=False)]
    if game.solver != DISCS:
        wins, loses = partial(answers.soon, 1), partial(answers.soon, -1)
        concepts += [
            Concept("wins soon", "the side to move wins within nine plies, by the solver", wins, per_cell=False),
            Concept("loses soon", "the side to move loses within nine plies, by the solver", loses, per_cell=False),
        ]
    return concepts


# Stones that stay, fouls, parity.


def _stones(game: GameSpec) -> list[Concept]:
    concepts = []
    if game.solver == DISCS:
        rules = make_rules(game.shape[0], True)

        def stable(own: bool, position: Position) -> Label:
            discs = boards(position) if own else boards(position)[::-1]
            places, cells = int(stable_places(*discs, rules)), position.cells()
            rows, cols = np.indices(cells.shape)
            marks = np.array([places >> int(bit) & 1 for bit in (8 * rows + cols).flat], np.bool_).reshape(cells.shape)
            side = position.to_move if own else 1 - position.to_move
            return marked(cells, marks, cells == side + 1)

        concepts += [
            Concept("own stable", "a disc of the side to move that can never be turned", partial(stable, True)),
            Concept("their stable", "a disc of the other side that can never be turned", partial(stable, False)),
        ]
    if game.has_fouls:
        concepts.append(Concept("foul", "a point that is forbidden to the side to move", _foul))
    return concepts


def _foul(position: Position) -> Label:
    marks = np.zeros(position.game.shape, np.bool_)
    marks.flat[list(position.forbidden())] = True
    return marked(position.cells(), marks)


def _parity(game: GameSpec) -> list[Concept]:
    if game.captures or game.board.text is not None:
        return []
    return [Concept("parity", "the number of empty cells is odd", _odd, per_cell=False)]


def _odd(position: Position) -> Label:
    return float(empty_cells(position) % 2)
