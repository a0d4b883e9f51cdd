"""Looking back: every earlier moment is what a search stopped there shows, and each simulation is what it did."""

import dataclasses

import numpy as np
import pytest

from core.engine import Search
from core.engine.extras import Drawn
from core.engine.look_back import ENDED, NET, PROOF, ROLLOUT, LookBack
from core.games import load_game
from core.glass import history as history_module
from core.glass.icicle import IcicleView
from core.search import Limit, SearchSettings
from core.search.settings import PRESETS
from tests.core.search.fakes import HashEvaluator
from tests.tiers import slow_but

CASES = [
    ("tictactoe", "puct", True, {}),
    ("tictactoe", "ucb1", False, {}),
    ("tictactoe", "gumbel", True, {"gumbel_simulations": 90}),
    ("tictactoe", "puct", True, {"noise_epsilon": 0.25, "merge_symmetric": True}),
    ("connect4(rows=4, cols=5, k=3)", "puct", True, {"prove": False}),
    ("connect4(rows=4, cols=5, k=3)", "ucb1", False, {"expansion_threshold": 4}),
    ("connect4(rows=4, cols=5, k=3)", "ucb1_tuned", False, {}),
    ("connect4(rows=4, cols=5, k=3)", "flat", False, {"flat_games": 0}),
    ("gomoku(size=7)", "puct", True, {"threat_proofs": True}),
    ("nim(heaps=3-4-5)", "ucb1", False, {"rollout_policy": "tactical"}),
    ("othello(size=4)", "puct", True, {"final": "lcb"}),
    (
        "connect4(rows=4, cols=5, k=3)",
        "puct",
        True,
        {k: v for k, v in PRESETS["katago-like"].items() if k != "selection"},
    ),
]


def a_search(name="tictactoe", selection="puct", net=True, moves="", seed=5, **given):
    game = load_game(name)
    chosen = SearchSettings(**{"selection": selection, "max_batch": 1, "memory_mb": 16, **given})
    evaluator = HashEvaluator(game.num_actions) if net else None
    return Search(game.position(moves), evaluator, chosen, seed=seed)


def assert_same(one, other, name=""):
    """Equal in every figure; NaN is equal to NaN."""
    if dataclasses.is_dataclass(one):
        for field in dataclasses.fields(one):
            if field.name not in ("counters", "reason", "now", "request"):
                assert_same(getattr(one, field.name), getattr(other, field.name), f"{name}.{field.name}")
    elif isinstance(one, dict):
        assert one.keys() == other.keys(), name
        for key in one:
            assert_same(one[key], other[key], f"{name}[{key}]")
    elif hasattr(one, "_fields") and name.endswith((".node", ".strips")):
        for part in one._fields:
            if part not in ("counts", "child"):
                assert_same(getattr(one, part), getattr(other, part), f"{name}.{part}")
    elif isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other, name)
    elif isinstance(one, float):
        assert one == other or (np.isnan(one) and np.isnan(other)), name
    else:
        assert one == other, name


DRAWN = Drawn(nodes=60, icicles=(("", IcicleView(pixels=40)),))


def stopped(search, opened):
    snapshot = search.snapshot(opened)
    last = LookBack(search).past(search.simulations).playout
    path = last.path if last is not None else ()
    snapshot = DRAWN.added(search, snapshot, path=path)
    assert snapshot.icicles[""].place_of(path) >= 0
    return unnumbered(snapshot)


def looked(back, k, opened):
    return unnumbered(back.past(k, opened, DRAWN).snapshot)


def unnumbered(snapshot):
    picture, icicle = snapshot.picture, snapshot.icicles[""]
    icicles = {"": dataclasses.replace(icicle, tree=0)}
    return dataclasses.replace(snapshot, picture=dataclasses.replace(picture, tree=0), icicles=icicles)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "selection", "net", "given"), CASES)
def test_every_moment_equals_a_search_stopped_there(monkeypatch, name, selection, net, given):
    monkeypatch.setattr(history_module, "FIRST_GAP", 16)
    monkeypatch.setattr(history_module, "RESTORED", 1 << 30)  # the nearest kept moment, whenever there is one
    long = a_search(name, selection, net, **given)
    long.run(Limit(simulations=150))
    last = long.simulations
    back = LookBack(long)
    assert len(back) == last
    opened = [(row.action,) for row in long.snapshot().moves[:3]]
    for k in (last, 1, 2, last // 2, last // 2 - 1, 17, 40, 39, 33, 0, last - 1, 64, 16, 15)[::1]:
        if k > last:
            continue
        short = a_search(name, selection, net, **given)
        if k:
            short.run(Limit(simulations=k))
        assert_same(stopped(short, opened), looked(back, k, opened), f"{k}")
    assert back.past(0, before=True).playout is None
    assert back.past(3).snapshot.now == last
    assert back.past(3).before is None
    before, two = back.past(3, before=True).before, back.past(2).snapshot
    assert_same(before.root, two.root, "before the third")


@pytest.mark.parametrize("given", [{"max_batch": 8}, {"max_batch": 4, "batches_in_flight": 3}])
def test_look_back_shows_batches_in_order_of_return(given):
    search = a_search("connect4(rows=4, cols=5, k=3)", moves="c", prove=False, **given)
    moments = {}
    for k in (1, 5, 60, 200, 333):
        search.run(Limit(simulations=k))
        moments[k] = stopped(search, [])
    back = LookBack(search)
    for k in (333, 60, 200, 5, 1, 333):
        assert_same(moments[k], looked(back, k, []), f"{k}")


def test_look_back_works_after_the_search_continued():
    search = a_search("gomoku(size=7)", "ucb1", net=False)
    search.run(Limit(simulations=300))
    moments = {300: stopped(search, [])}
    back = LookBack(search)
    first = looked(back, 120, [])
    for k in (700, 1500):
        search.run(Limit(simulations=k))
        moments[k] = stopped(search, [])
        assert back.fits(search)
        assert_same(first, looked(back, 120, []), f"120 at {k}")
    for k, moment in moments.items():
        assert_same(moment, looked(back, k, []), f"{k}")


@pytest.mark.parametrize("net", [True, False])
@pytest.mark.parametrize("prove", [True, False])
def test_a_kept_subtree_and_the_way_back(net, prove):
    search = a_search("connect4(rows=4, cols=5, k=3)", "puct" if net else "ucb1", net, prove=prove)
    top = search.position
    moments = []
    search.run(Limit(simulations=300))
    action = search.best_action()
    search.advance(action)
    kept = search.simulations
    search.run(Limit(simulations=kept + 150))
    moments.append((search.position, search.simulations, stopped(search, [])))
    back = LookBack(search)
    assert len(back) == search.simulations
    assert_same(moments[0][2], looked(back, search.simulations, []), "here")
    early = back.past(kept).snapshot
    assert early.simulations == kept
    search.go_to(top)
    assert not back.fits(search)
    back = LookBack(search)
    assert len(back) == search.simulations == 300
    # what was proved below since then is known here now, and at no earlier moment
    assert_same(stopped(search, []), looked(back, 300, []), "top")
    assert_same(looked(back, 299, []), looked(LookBack(search), 299, []), "299")


def test_a_compacted_tree_keeps_its_history():
    search = a_search("connect4", "ucb1", net=False, memory_mb=1)
    search.run(Limit(simulations=10**6))
    search.advance(search.best_action())
    search.run(Limit(simulations=search.simulations + 500))
    back = LookBack(search)
    assert len(back) == search.simulations
    assert_same(stopped(search, []), looked(back, search.simulations, []))


def test_a_playout_has_its_path_and_its_changes():
    search = a_search(prove=True)
    search.run(Limit(simulations=400))
    back = LookBack(search)
    kinds = set()
    for k in range(1, search.simulations + 1):
        before, past = back.past(k - 1).snapshot, back.past(k)
        playout = past.playout
        kinds.add(playout.kind)
        assert playout.simulation == k
        assert [step.path for step in playout.backed] == [playout.path[:i] for i in range(len(playout.path) + 1)]
        assert all(step.visits == step.visits_before + 1 for step in playout.backed)
        assert playout.created == (playout.backed[-1].visits_before == 0)
        assert playout.leaf.moves == playout.path
        if playout.path:
            rows = {row.action: row for row in past.snapshot.moves}
            first, step = rows[playout.path[0]], playout.backed[1]
            assert (first.visits, first.proof) == (step.visits, step.proof)
            assert first.q == pytest.approx(step.q, abs=1e-6)
            assert before.root.next_action == playout.path[0]
        if playout.kind == ENDED:
            assert playout.leaf.is_over
        if playout.expanded is not None:
            assert playout.expanded == playout.path
            assert playout.moves == len(playout.leaf.legal_actions())
    assert kinds >= {NET, ENDED}


def test_a_proved_position_is_a_leaf():
    search = a_search("tictactoe", net=True, moves="a1 b1 a2", max_batch=8)
    search.run(Limit(simulations=300))
    back = LookBack(search)
    kinds = {back.past(k).playout.kind for k in range(1, search.simulations + 1)}
    assert kinds <= {NET, ENDED, PROOF}
    assert PROOF in kinds


GAMES = [
    "tictactoe",
    "connectn(rows=4, cols=5, k=3)",
    "connect4(rows=4, cols=5, k=3)",
    "connect4",
    "gomoku(size=7)",
    "gomoku(size=9, rule=renju)",
    "nim(heaps=3-4-5)",
    "othello(size=6)",
    "othello",
    "othello(size=6, passes=no)",
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", slow_but(("tictactoe", "connect4", "gomoku(size=7)", "nim(heaps=3-4-5)", "othello(size=6)"), GAMES)
)
def test_the_random_game_is_drawn_again(name):
    search = a_search(name, "ucb1", net=False, prove=False, expansion_threshold=2)
    search.run(Limit(simulations=400))
    back = LookBack(search)
    seen = 0
    for k in (1, 2, 3, 37, 38, 200, 399, 400):
        playout = back.past(k).playout
        if playout.kind != ROLLOUT:
            continue
        seen += 1
        assert playout.note == ""
        position = playout.leaf
        mover = position.to_move
        for action in playout.game:
            position = position.play(action)
        assert position.is_over
        assert playout.value == position.returns[mover]
    assert seen >= 3


@pytest.mark.parametrize("given", [{"rollout_policy": "tactical"}, {"threads": 2}])
def test_a_game_that_cannot_be_redrawn_is_left_out(given):
    search = a_search("connect4(rows=4, cols=5, k=3)", "ucb1", net=False, prove=False, **given)
    search.run(Limit(simulations=100))
    playout = next(p for k in range(1, 99) if (p := LookBack(search).past(k).playout).kind == ROLLOUT)
    assert playout.game == ()
    assert playout.note.startswith("Only its result was kept")


def test_missing_simulations_are_quoted():
    search = a_search()
    search.run(Limit(simulations=10))
    back = LookBack(search)
    with pytest.raises(ValueError, match="simulation 11 is not there to look at; there are 0 to 10"):
        back.past(11)
    with pytest.raises(ValueError, match="simulation -1 is not there"):
        back.past(-1)
