"""A saved tree equals the searched one, can be resumed, and damage is found before any kernel reads it."""

import io
import json
import zipfile
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.engine import Search, UniformEvaluator
from core.engine.look_back import LookBack
from core.files import tree_moves
from core.files.arrays import BadFile
from core.files.tree_file import SavedSearch, dump_tree, load_tree, saved
from core.games import load_game
from core.glass.history import History
from core.search import Limit, SearchSettings
from core.search.tree import NODES, RECORDS
from tests.core.search.fakes import run_search

GAME = load_game("tictactoe")


def searched(**given: Any) -> Search:
    """A search that has gone on from a second move, with noise at its root."""
    chosen = SearchSettings(**{"selection": "puct", "noise_epsilon": 0.25, "memory_mb": 8, **given})
    search = run_search(GAME.position("a1"), UniformEvaluator(GAME.num_actions), 150, chosen, seed=1)
    search.advance(4)
    search.run(Limit(simulations=100))
    return search


def figures(search: Search | SavedSearch) -> dict[str, Any]:
    """Everything that is read of a tree."""
    state = search.state() if isinstance(search, Search) else search.state
    tree = state.tree
    nodes = int(tree.counts[NODES])
    slots = tree.slot[:nodes]
    of_nodes = ("parent", "action", "num_edges", "num_children", "value")
    out = {name: getattr(tree, name)[:nodes].tolist() for name in of_nodes}
    out |= {name: getattr(tree, name)[slots].tolist() for name in ("visits", "total", "proof", "distance")}
    out["edges"] = [
        (tree.edge_action[s : s + n].tolist(), tree.edge_prior[s : s + n].tolist())
        for s, n in zip(tree.edge_start[:nodes].tolist(), tree.num_edges[:nodes].tolist(), strict=True)
        if n > 0
    ]
    records = int(tree.counts[RECORDS])
    out["records"] = (tree.leaf[:records].tolist(), tree.leaf_value[:records].tolist())
    out["value"] = np.nan_to_num(tree.value[:nodes], nan=9.0).tolist()
    priors = None if state.net_priors is None else state.net_priors.tolist()
    return {**out, "root": state.root, "changes": state.root_changes, "priors": priors, "top": state.top.moves}


@pytest.fixture(scope="module")
def search() -> Search:
    return searched()


@pytest.fixture(scope="module")
def data(search: Search) -> bytes:
    return dump_tree(saved(search, source="uniform", seed=1))


def test_a_saved_tree_is_loaded_unchanged(search: Search, data: bytes) -> None:
    loaded = load_tree(data)
    assert figures(loaded) == figures(search)
    assert loaded.settings == search.settings
    assert loaded.position == search.position
    assert loaded.position.moves == search.position.moves
    assert (loaded.evaluator, loaded.source, loaded.seed) == (search.snapshot().evaluator, "uniform", 1)
    assert dump_tree(loaded) == data


def test_a_search_resumes_from_a_saved_tree(search: Search, data: bytes) -> None:
    loaded = load_tree(data)
    again = Search(GAME.initial(), UniformEvaluator(GAME.num_actions), loaded.settings)
    loaded.resume(again)
    before, after = search.snapshot(), again.snapshot()
    assert after.root.rows == before.root.rows
    assert after.counters.simulations == before.counters.simulations
    assert after.counters.mean_depth == before.counters.mean_depth
    assert figures(again) == figures(search)
    again.run(Limit(simulations=300))
    assert again.simulations == 300
    assert again.go_to(GAME.position("a1"))  # the way back is there
    assert again.simulations == 150


def test_a_loaded_tree_has_its_history(search: Search, data: bytes) -> None:
    state = load_tree(data).state
    params = search.settings.params()
    for simulation in (0, 40, int(state.tree.counts[RECORDS])):
        then = History(state.tree, state.root_changes, params).seek(simulation)
        there = History(search.tree, search.root_changes, params).seek(simulation)
        nodes = int(state.tree.counts[NODES])
        mine, its = then.visits[state.tree.slot[:nodes]], there.visits[search.tree.slot[:nodes]]
        assert mine.tolist() == its.tolist()


@pytest.mark.parametrize(
    "given",
    [
        {"selection": "ucb1_tuned", "noise_epsilon": 0.0},
        {"selection": "gumbel", "gumbel_simulations": 60, "noise_epsilon": 0.0},
        {"selection": "puct", "merge_symmetric": True},
    ],
)
def test_every_selection_rule_resumes_from_a_saved_tree(given: dict[str, Any]) -> None:
    rollouts = given["selection"] == "ucb1_tuned"
    evaluator = None if rollouts else UniformEvaluator(GAME.num_actions)
    chosen = SearchSettings(memory_mb=8, **given)
    search = run_search(GAME.initial(), evaluator, 40, chosen)
    again = Search(GAME.initial(), evaluator, chosen)
    load_tree(dump_tree(saved(search))).resume(again)
    assert repr(again.snapshot().root.rows) == repr(search.snapshot().root.rows)  # there are NaN in it
    assert again.snapshot().root.same == search.snapshot().root.same
    again.run(Limit(simulations=80))
    assert again.simulations == 80


def test_a_file_from_before_the_preset_goes_on_as_it_was() -> None:
    """It lacks the settings that the preset brought, and whether the root's edges were prepared."""
    chosen = SearchSettings(noise_epsilon=0.25, merge_symmetric=True, memory_mb=8)
    search = run_search(GAME.initial(), UniformEvaluator(GAME.num_actions), 40, chosen, seed=4)
    data = dump_tree(saved(search))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        about = json.loads(archive.read("about.json"))
    del about["prepared"]
    for name in ("c_log", "c_spread", "root_fpu", "root_fpu_reduction", "score_utility", "root_symmetries"):
        del about["settings"][name]
    for name in ("root_temperature", "lcb_share"):
        del about["settings"][name]
    old = load_tree(changed(data, "about.json", json.dumps(about).encode()))
    assert old.settings == chosen
    assert old.state.prepared
    again = Search(GAME.initial(), UniformEvaluator(GAME.num_actions), chosen, seed=4)
    old.resume(again)
    for one in (search, again):
        one.run(Limit(simulations=90))
    assert repr(again.snapshot().root.rows) == repr(search.snapshot().root.rows)
    assert again.snapshot().root.same == search.snapshot().root.same != {}


@pytest.mark.slow
def test_a_file_without_threats_is_completed() -> None:
    position = load_game("connect4(rows=4, cols=5, k=3)").initial()
    search = run_search(position, None, 60, selection="ucb1", threat_proofs=True, memory_mb=8)
    data = dump_tree(saved(search))
    before = load_tree(changed(data, "threats.npy", None)).state.tree
    assert before.threats.any()
    assert before.threats.tolist() == load_tree(data).state.tree.threats.tolist()


def test_a_search_not_begun_is_begun() -> None:
    search = Search(GAME.position("a1"), None, SearchSettings(selection="ucb1", memory_mb=8))
    loaded = load_tree(dump_tree(saved(search)))
    again = Search(GAME.initial(), None, loaded.settings)
    loaded.resume(again)
    assert (again.position.moves, again.simulations) == ((6,), 0)
    again.run(Limit(simulations=20))
    assert again.simulations == 20


def test_resuming_in_another_search_is_refused(data: bytes) -> None:
    loaded = load_tree(data)
    with pytest.raises(ValueError, match="the search is of tictactoe"):
        loaded.resume(Search(load_game("connect4").initial(), None))
    with pytest.raises(ValueError, match="sums of squares"):
        loaded.resume(Search(GAME.initial(), None, SearchSettings(selection="ucb1_tuned")))


def changed(data: bytes, name: str, content: bytes | None) -> bytes:
    """The zip with one member replaced or removed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for entry in old.namelist():
            if entry != name:
                new.writestr(entry, old.read(entry))
        if content is not None:
            new.writestr(name, content)
    return out.getvalue()


def array(data: bytes, name: str) -> Any:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return np.load(io.BytesIO(archive.read(f"{name}.npy")), allow_pickle=False)


def with_array(data: bytes, name: str, values: Any) -> bytes:
    out = io.BytesIO()
    np.save(out, values, allow_pickle=True)
    return changed(data, f"{name}.npy", out.getvalue())


def test_a_tree_file_is_readable_by_numpy(data: bytes) -> None:
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        assert file["parent"][0] == -1


INDICES = ("parent", "slot", "edge_start", "child_start", "child", "num_edges", "num_children", "edge_action", "leaf")


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(name=st.sampled_from(INDICES), value=st.integers(-(2**15), 2**15 - 1), draw=st.data())
def test_invalid_indices_are_refused(data: bytes, name: str, value: int, draw: st.DataObject) -> None:
    values = array(data, name)
    at = draw.draw(st.integers(0, len(values) - 1))
    values[at] = value
    try:
        loaded = load_tree(with_array(data, name, values))
    except BadFile:
        return
    # What is taken can be searched.
    again = Search(GAME.initial(), UniformEvaluator(GAME.num_actions), loaded.settings)
    loaded.resume(again)
    again.run(Limit(simulations=150))
    assert again.snapshot().root.rows


@settings(max_examples=100, deadline=None)
@given(draw=st.data())
def test_a_damaged_tree_file_is_refused(data: bytes, draw: st.DataObject) -> None:
    at = draw.draw(st.integers(0, len(data) - 1))
    broken = data[:at] if draw.draw(st.booleans()) else data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]
    if len(broken) < len(data):
        with pytest.raises(BadFile, match="it is no zip archive"):
            load_tree(broken)
    else:
        with suppress(BadFile):  # not every byte of a zip says something
            assert figures(load_tree(broken)) == figures(load_tree(data))


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("about.json", None, "it is no saved tree: it has no about.json"),
        ("about.json", b"[]", "does not say 'plyscope tree'"),
        ("about.json", b"[" * 100_000, "its part 'about.json' cannot be read: it is not JSON"),
        ("about.json", b'{"format": "plyscope tree", "version": 2}', "it is of format 2"),
        ("about.json", b'{"format": "plyscope tree", "version": 1}', "top is missing"),
        ("about.json", b'{"format": "plyscope tree", "version": 1, "top": {"game": "chess"}}', "cannot load the game"),
        ("parent.npy", None, "its part 'parent.npy' is missing"),
        ("parent.npy", b"no array", "its part 'parent.npy' is no array of numpy"),
    ],
)
def test_invalid_arrays_are_refused(data: bytes, name: str, content: bytes | None, sentence: str) -> None:
    with pytest.raises(BadFile, match=sentence):
        load_tree(changed(data, name, content))


def test_an_array_of_objects_is_never_unpickled(data: bytes) -> None:
    with pytest.raises(BadFile, match="is no array of plain numbers"):
        load_tree(with_array(data, "visits", np.array([print], object)))


def chain(moves: int) -> bytes:
    """A tree whose arrays fit together: one line of ``moves`` moves on 25 cells, the last ones on taken cells."""
    game = load_game("connectn(rows=5, cols=5, k=5)")
    search = run_search(game.initial(), None, 3, selection="ucb1", memory_mb=8)
    data = dump_tree(saved(search))
    n, one = moves + 1, np.ones(moves + 1, np.int32)
    ids = np.arange(n, dtype=np.int32)
    nodes = {
        "parent": ids - 1,
        "slot": ids,
        "child": ids,
        "edge_start": np.minimum(ids, moves - 1).astype(np.int32),
        "child_start": np.where(ids < moves, ids + 1, -1).astype(np.int32),
        "threats": np.zeros(n, np.int16),
        "value": np.zeros(n, np.float32),
        "action": np.concatenate([[-1], np.arange(moves) % 25]).astype(np.int16),
        "num_edges": np.where(ids < moves, 1, -1).astype(np.int16),
        "num_children": np.where(ids < moves, 1, 0).astype(np.int16),
        "edge_action": (np.arange(moves) % 25).astype(np.int16),
        "edge_prior": np.full(moves, 65535, np.uint16),
        "total": np.zeros(n),
        "visits": one,
        "distance": np.zeros(n, np.int16),
        "proof": np.zeros(n, np.int8),
        "leaf": np.zeros(0, np.int32),
        "leaf_value": np.zeros(0, np.float32),
        "squares": np.zeros(0),
        "net_priors": np.zeros(0, np.uint16),
    }
    for name, values in nodes.items():
        data = with_array(data, name, values)
    return data


def test_moves_that_the_rules_forbid_are_refused() -> None:
    assert load_tree(chain(3)).state.tree.parent.size == 4
    with pytest.raises(BadFile, match="the rules do not allow what it has at node"):
        load_tree(chain(30))


@pytest.mark.slow
def test_compiled_and_interpreted_move_checks_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_moves, "_FEW", 0)
    search = searched(selection="ucb1", noise_epsilon=0.0)
    loaded = load_tree(dump_tree(saved(search)))
    tree = loaded.state.tree
    twice = np.flatnonzero(tree.num_edges > 1)[-1]
    start = tree.edge_start[twice]
    tree.edge_action[start + 1] = tree.edge_action[start]
    with pytest.raises(BadFile, match=f"at node {twice}$"):
        tree_moves.check_moves(tree, loaded.state.top)


@pytest.mark.slow
def test_a_small_file_cannot_fill_the_memory(data: bytes) -> None:
    zeros = np.zeros(1 << 16, np.float64)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in zipfile.ZipFile(io.BytesIO(data)).namelist():
            content = zipfile.ZipFile(io.BytesIO(data)).read(name)
            if name in ("total.npy", "squares.npy"):
                with archive.open(name, "w", force_zip64=True) as part:
                    np.lib.format.write_array_header_1_0(
                        part, {"descr": "<f8", "fortran_order": False, "shape": (zeros.size << 8,)}
                    )
                    for _ in range(1 << 8):
                        part.write(zeros.tobytes())
            else:
                archive.writestr(name, content)
    assert len(out.getvalue()) < 1 << 20
    with pytest.raises(BadFile, match="unpacks to more than"):
        load_tree(out.getvalue())


def test_a_tree_resumed_in_a_search_with_another_one_has_its_own_curves_and_past() -> None:
    chosen = SearchSettings(selection="ucb1", memory_mb=8)
    first, second = (Search(GAME.initial(), None, chosen, seed=seed) for seed in (1, 2))
    for search in (first, second):
        search.run(Limit(simulations=300))
    shown, back = first.curves(), LookBack(first)
    saved(second).resume(first)
    assert not back.fits(first)
    np.testing.assert_array_equal(first.curves().visits, second.curves().visits)
    assert not np.array_equal(first.curves().visits, shown.visits)
