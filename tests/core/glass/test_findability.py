"""Findability: only moves by proofs, values and visits, on trees made by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.games import Position, load_game
from core.glass import NodeView
from core.glass.findability import Findability, findability
from core.search.proofs import LOSS, WIN
from tests.core.search.fakes import run_search

GAME = load_game("nim(heaps=3-4)")
LINE = (0, 4, 1)


def node(position: Position, figures: dict[int, tuple[int, float, int]], same: dict[int, tuple[int, ...]]) -> NodeView:
    """A node with visits, Q and proof of each move; the others are not visited."""
    search = run_search(position, None, 1)
    root = search.snapshot().root
    rows = [figures.get(action, (0, math.nan, 0)) for action in root.actions.tolist()]
    visits, qs, proofs = zip(*rows, strict=True)
    return replace(
        root,
        visits_of=np.array(visits, np.int32),
        qs=np.array(qs, np.float32),
        proofs=np.array(proofs, np.int8),
        same=same,
    )


def judge(
    first: dict[int, tuple[int, float, int]],
    third: dict[int, tuple[int, float, int]] | None,
    side: int = 0,
    same: dict[int, tuple[int, ...]] | None = None,
    policy: dict[int, float] | None = None,
) -> Findability:
    """Judge three moves of Nim, of which the first player makes two."""
    position = GAME.initial()
    after = position.play(LINE[0]).play(LINE[1])
    nodes = {0: node(position, first, same or {}), 1: node(position.play(LINE[0]), {4: (50, 0.2, 0)}, {})}
    if third is not None:
        nodes[2] = node(after, third, {})
    policies = {0: {0: 0.25, 1: 0.5, 2: 0.125}, 1: {4: 0.4}, 2: {1: 0.5, 4: 0.5}} if policy is None else {0: policy}
    return findability(LINE, nodes.get, policies.get, side)


WINS = {0: (90, 0.6, 0), 1: (10, 0.3, 0)}
DRAWS = {1: (90, 0.6, 0), 4: (10, 0.5, 0)}


def test_the_product_is_over_the_only_moves_alone() -> None:
    """The first move is worth 0.3 more than any other, the third one 0.1 more, which is no only move."""
    found = judge(WINS, DRAWS)
    assert [(move.ply, move.action, move.chance) for move in found.only] == [(0, 0, 0.25)]
    assert (found.chance, found.moves, found.judged) == (0.25, 2, 3)
    both = judge(WINS, {**DRAWS, 4: (10, 0.39, 0)})
    assert [move.ply for move in both.only] == [0, 2]
    assert both.chance == 0.25 * 0.5
    assert both.only[1].value == pytest.approx(0.6)


def test_a_proof_comes_before_the_value_searched() -> None:
    """Another move of a high Q that is proved lost is no equal; one that is proved won is, whatever its Q."""
    lost = judge({0: (90, 0.6, 0), 1: (10, 0.9, LOSS)}, None)
    assert [move.action for move in lost.only] == [0]
    won = judge({0: (90, 0.6, WIN), 1: (1, -0.9, WIN)}, None)
    assert won.only == ()
    assert won.chance == 1.0
    proved = judge({0: (2, 0.0, WIN), 1: (1, 0.7, 0)}, None)
    assert [(move.action, move.exact, move.value) for move in proved.only] == [(0, True, 1.0)]


def test_symmetric_moves_count_together() -> None:
    assert judge(WINS, None, same={0: (2,)}).chance == 0.375


def test_the_other_side_has_only_moves_of_its_own() -> None:
    found = judge(WINS, DRAWS, side=1)
    assert [(move.ply, move.chance) for move in found.only] == [(1, 0.4)]


def test_the_line_ends_where_the_search_says_too_little() -> None:
    few = judge(WINS, {1: (5, 0.6, 0), 4: (4, -0.9, 0)})
    assert (few.moves, few.judged, len(few.only)) == (1, 2, 1)
    assert judge(WINS, {4: (90, 0.1, 0)}).judged == 2  # the line's move was not visited
    assert judge(WINS, None).judged == 2
    assert judge({0: (5, 0.6, 0), 1: (4, -0.9, 0)}, None).judged == 0


def test_without_a_policy_the_chance_is_not_known() -> None:
    found = judge(WINS, {**DRAWS, 4: (10, 0.0, 0)}, policy={0: 0.25})
    assert [move.chance for move in found.only[:1]] == [0.25]
    assert math.isnan(found.chance)
