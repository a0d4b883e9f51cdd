"""Watchpoints: every moment found is one at which, by the snapshots before and after it, the thing happened."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.engine import Search
from core.engine.look_back import LookBack, watcher_of
from core.games import load_game
from core.glass import Snapshot
from core.glass.watch import BEST, CROSSED, ENTERED, OVERRULED, PROVED, Watch
from core.search import Limit
from tests.core.search.fakes import HashEvaluator, run_search

GAME = load_game("connect4(rows=4, cols=5, k=3)")
LAST = 260


def searched(final: str = "visits", net: bool = True) -> Search:
    rule = "puct" if net else "ucb1"
    evaluator = HashEvaluator(GAME.num_actions) if net else None
    return run_search(GAME.initial(), evaluator, LAST, seed=5, selection=rule, final=final)


def figure_of(watch: Watch, snapshot: Snapshot) -> object:
    """What is watched, from a snapshot; None before there is anything."""
    root = snapshot.root
    best = root.best_index if root.visits > 1 and root.visits_of.any() else -1
    if watch.kind == BEST:
        return best if best >= 0 else None
    if watch.kind == OVERRULED:
        return best != root.net_priors.argmax() if best >= 0 else None
    if not watch.path:
        q = root.q
        return bool(root.proof) if watch.kind == PROVED else None if math.isnan(q) else q >= watch.value
    above = snapshot.node(watch.path[:-1])
    row = None if above is None else next((r for r in above.rows if r.action == watch.path[-1]), None)
    if watch.kind == ENTERED:
        return row is not None and row.visits > 0
    if watch.kind == PROVED:
        return row is not None and bool(row.proof)
    return None if row is None or not row.backups else row.w / row.backups >= watch.value


def slowly(search: Search, watch: Watch) -> list[int]:
    """The moments, by a snapshot after each simulation."""
    back, found, before = LookBack(search), [], None
    opened = [watch.path[:length] for length in range(1, len(watch.path))]
    for simulation in range(len(back) + 1):
        figure = figure_of(watch, back.past(simulation, opened).snapshot)
        happened = figure if watch.kind in (OVERRULED, ENTERED, PROVED) else True
        if before is not None and figure is not None and figure != before and happened:
            found.append(simulation)
        before = figure
    return found


@pytest.mark.parametrize("net", [True, False])
def test_the_moments_are_those_of_the_snapshots(net: bool) -> None:
    search = searched(net=net)
    line = search.snapshot().pv
    watches = [
        Watch(BEST),
        Watch(OVERRULED),
        Watch(CROSSED, (), 0.0517),
        Watch(CROSSED, line[:1], 0.0917),
        Watch(CROSSED, line[:2], -0.113),
        Watch(ENTERED, line[:1]),
        Watch(ENTERED, line[:3]),
        Watch(PROVED, ()),
        *(Watch(PROVED, (row.action,)) for row in search.snapshot().moves),
    ]
    lengths = set()
    for watch in watches:
        moments = LookBack(search).moments(watch).tolist()
        assert moments == slowly(search, watch), watch
        lengths.add(min(2, len(moments)))
    assert lengths == {0, 1, 2}, "none, one and several"


@pytest.mark.parametrize("final", ["mean", "lcb"])
def test_the_best_move_is_the_one_that_would_be_played(final: str) -> None:
    search = searched(final)
    assert LookBack(search).moments(Watch(BEST)).tolist() == slowly(search, Watch(BEST))


def test_simulations_are_counted_from_the_root_that_is_searched_now() -> None:
    search = searched()
    search.advance(search.best_action())
    search.run(Limit(simulations=search.simulations + 80))
    for watch in (Watch(BEST), Watch(ENTERED, search.snapshot().pv[:2]), Watch(CROSSED, (), 0.0117)):
        assert LookBack(search).moments(watch).tolist() == slowly(search, watch), watch


def test_a_node_that_is_not_there_has_no_moments() -> None:
    search = searched()
    for kind in (ENTERED, CROSSED, PROVED):
        assert not LookBack(search).moments(Watch(kind, (0, 0, 0, 0, 0))).size


def test_a_look_back_goes_on_after_it_has_looked_for_moments() -> None:
    search = searched()
    back, fresh = LookBack(search), LookBack(search)
    back.approach(100, math.inf)
    back.moments(Watch(BEST))
    for simulation in (LAST, 17, 120):
        assert back.past(simulation).snapshot.root.visits_of.tolist() == (
            fresh.past(simulation).snapshot.root.visits_of.tolist()
        )
        assert np.array_equal(
            back.past(simulation).snapshot.root.qs, fresh.past(simulation).snapshot.root.qs, equal_nan=True
        )


def test_a_running_search_tells_that_it_has_happened() -> None:
    search = searched()
    moments = LookBack(search).moments(Watch(BEST)).tolist()
    again = run_search(GAME.initial(), HashEvaluator(GAME.num_actions), 2, search.settings, seed=5)
    watcher, told = watcher_of(again, Watch(BEST)), []
    for simulation in range(3, LAST + 1):
        again.run(Limit(simulations=simulation))
        if watcher.has_happened():
            told.append(simulation)
    assert told == [moment for moment in moments if moment > 2]
    line = search.snapshot().pv[:2]
    newer = Search(GAME.initial(), HashEvaluator(GAME.num_actions), search.settings, seed=5)
    entered = watcher_of(newer, Watch(ENTERED, line))
    newer.run(Limit(simulations=LAST))
    assert entered.has_happened()
    assert not entered.has_happened()
