"""Traces of other programs' searches: read, cut off, damaged, and shown as the same tree."""

import importlib.util
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.engine import Search
from core.engine.look_back import LookBack
from core.files.reading import BadFile
from core.files.trace_file import read_trace
from core.files.trace_tree import tree_of
from core.files.tree_file import SavedSearch, dump_tree, load_tree, saved
from core.games import load_game
from core.glass.lint import lint
from core.glass.lint_report import sentence_of
from core.search import SearchSettings
from core.search.tree import NODES, PRIOR_ONE, node_at
from tests.core.glass.toy_search import Toy
from tests.core.search.fakes import HashEvaluator, run_search

RESOURCES = Path(__file__).parents[3] / "resources"
WRITER = RESOURCES / "examples" / "trace_openspiel.py"
GAME = "connect4(rows=4, cols=5, k=3)"


def header(**more: Any) -> bytes:
    return json.dumps({"format": "plyscope trace", "version": 1, "game": "tictactoe", **more}).encode() + b"\n"


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_example_of_the_guide_is_a_trace_without_faults(language: str) -> None:
    page = (RESOURCES / "guide" / language / "traces.md").read_text(encoding="utf-8")
    trace = read_trace(page[page.index("{") : page.index("```", page.index("{"))].encode())
    assert len(trace.events) == 4
    assert lint(trace) == ()


def test_a_trace_that_was_cut_off_opens_to_its_last_whole_record() -> None:
    data = Toy().run(40).text()
    whole = read_trace(data)
    cut = read_trace(data[: data.rindex(b"\ns ") + 4])
    assert whole.notes == ()
    assert cut.notes == ("the last line is cut off, and left out",)
    assert cut.events == whole.events[: len(cut.events)]
    assert len(cut.events) > 60


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "it is not JSON"),
        (b"[]\n", "it is no trace"),
        (header(rule="minimax"), "minimax"),
        (header(values=[1, -1]), "below that of a win"),
        (header(told=["W"]), "told begins with N"),
        (header() + b"s 0 b2\n", "its line 2 is wrong"),
        (header() + b"s 1 b2 0\n", "there is no node '1' yet"),
        (header() + b"s 0 d9 0\n", "the game has no move 'd9'"),
        (header() + b"n 1 0\n", "follows the simulation"),
        (header() + b"s 0 b2 0\nn 1 0\n", "it is of 1 nodes, and the path has 2"),
        (header() + b"x\n", "a record begins with one of"),
        (header() + b"\n", "its line 2 is wrong"),
        (header() + b"p 0 a1\n", "is no record"),
        (header() + b"s 0 - 0\ns 0 " + b",".join([b"a1"] * 30) + b" 0\n", "a game has at most"),
    ],
)
def test_a_damaged_trace_gets_one_sentence(data: bytes, words: str) -> None:
    with pytest.raises(BadFile, match=words.replace("(", r"\(")):
        read_trace(data)


def trace_of(search: SavedSearch, **declared: Any) -> bytes:
    """The trace that a search of ours would have written."""
    tree, game = search.state.tree, search.position.game
    names, nodes = game.action_names, 0
    lines = [json.dumps({"format": "plyscope trace", "version": 1, "game": game.text, **declared})]
    for leaf, value in zip(tree.leaf.tolist(), tree.leaf_value.tolist(), strict=True):
        is_new = leaf == nodes and leaf > 0
        lines.append(
            f"s {tree.parent[leaf]} {names[tree.action[leaf]]} {value!r}" if is_new else f"s {leaf} - {value!r}"
        )
        edges = max(0, int(tree.num_edges[leaf]))
        if leaf == nodes and edges:
            places = range(tree.edge_start[leaf], tree.edge_start[leaf] + edges)
            priors = (f"{names[tree.edge_action[place]]} {tree.edge_prior[place] / PRIOR_ONE}" for place in places)
            lines.append(" ".join([f"p {leaf}", *priors]))
        nodes += leaf == nodes
    return "\n".join([*lines, ""]).encode()


def test_a_search_of_ours_has_the_same_tree_from_its_trace() -> None:
    game = load_game(GAME)
    settings = SearchSettings(prove=False, fpu="reduction", max_batch=1, memory_mb=8)
    search = run_search(game.initial(), HashEvaluator(game.num_actions), 300, settings)
    kept = saved(search)
    trace = read_trace(trace_of(kept, rule="puct", c=1.5, fpu="parent", fpu_reduction=0.25))
    assert [str(sentence_of(one)) for one in lint(trace)] == []
    made, notes = tree_of(trace)
    assert (notes, made.settings.selection) == ((), "puct")
    ours, theirs = made.state.tree, kept.state.tree
    for name in ("parent", "action", "num_edges", "num_children", "leaf", "leaf_value"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), name)
    np.testing.assert_allclose(ours.value, theirs.value, atol=1e-7)
    for name in ("visits", "total", "proof"):
        np.testing.assert_array_equal(getattr(ours, name)[ours.slot], getattr(theirs, name)[theirs.slot], name)
    again = Search(game.initial(), HashEvaluator(game.num_actions), settings)
    made.resume(again)
    assert [row.visits for row in again.snapshot().moves] == [row.visits for row in search.snapshot().moves]
    assert load_tree(dump_tree(made)).state.tree.leaf.tolist() == ours.leaf.tolist()


def test_a_tree_of_a_trace_goes_to_any_simulation() -> None:
    toy = Toy(noise=0.25).run(120)
    toy.advance()
    toy.run(40)
    made, _ = tree_of(read_trace(toy.text()))
    assert made.position.moves == toy.root.position.moves
    again = Search(made.position, HashEvaluator(made.position.game.num_actions), made.settings)
    made.resume(again)
    view = again.snapshot()
    assert {row.action: row.visits for row in view.moves if row.visits} == {
        action: child.n for action, child in toy.root.children.items()
    }
    assert view.root.noisy
    past = LookBack(again).past(view.simulations - 40)
    assert past.snapshot.root.visits == view.simulations - 40


def test_the_tree_ends_where_the_rules_are_broken() -> None:
    lines = b"s 0 - 0\ns 0 a1 0\ns 0 a1,b1,a2,b2,a3 -1\ns 0 a1,b1,a2,b2,a3,c3 0\ns 0 c3 0\n"
    trace = read_trace(header() + lines)
    (finding,) = lint(trace)
    assert (finding.kind, finding.simulation) == ("rules", 4)
    made, notes = tree_of(trace)
    assert notes == ("the tree ends before simulation 4, which breaks the rules",)
    assert made.state.tree.counts[NODES] == 6


@pytest.mark.parametrize("puct", [False, True])
@pytest.mark.parametrize("solve", [False, True])
@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four"])
def test_openspiels_bot_agrees_node_for_node(name: str, solve: bool, puct: bool) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    spec = importlib.util.spec_from_file_location("trace_openspiel", WRITER)
    writer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(writer)
    node_of_theirs = writer.mcts.SearchNode
    game, draws, file = pyspiel.load_game(name), np.random.RandomState(3), io.StringIO()
    bot = writer.TracedBot(
        game,
        file,
        uct_c=1.5,
        max_simulations=300,
        evaluator=writer.mcts.RandomRolloutEvaluator(random_state=draws),
        solve=solve,
        random_state=draws,
        child_selection_fn=node_of_theirs.puct_value if puct else node_of_theirs.uct_value,
    )
    state = game.new_initial_state()
    state.apply_action(3)
    top = bot.mcts_search(state)
    trace = read_trace(file.getvalue().encode())
    assert [str(sentence_of(one)) for one in lint(trace)] == []
    tree = tree_of(trace)[0].state.tree
    waiting, count = [(top, 0)], 0
    while waiting:
        theirs, ours = waiting.pop()
        slot, count = tree.slot[ours], count + 1
        assert tree.visits[slot] + tree.begun[ours] == theirs.explore_count
        assert tree.total[slot] * (1 if ours else -1) == pytest.approx(theirs.total_reward)
        waiting += [(child, node_at(tree, ours, [child.action])) for child in theirs.children if child.explore_count]
    assert count == tree.counts[NODES]
