"""Faults that are found in traces: those of published programs, and none where there are none."""

import re
from typing import Any

import numpy as np
import pytest

from core.files.trace_file import read_trace
from core.files.trace_tree import tree_of
from core.glass.lint import lint
from core.glass.lint_report import marks, sentence_of
from core.search.tree import Tree
from tests.core.glass.lesson_traces import BROKEN, broken_search, path_of
from tests.core.glass.toy_search import Toy

SEARCHES: dict[str, dict[str, Any]] = {
    "puct": {},
    "puct without its sums": {"tells": False},
    "puct, values from 0 to 1": {"values": (0.0, 1.0), "declares": {"c": 0.75, "fpu": 0.5}},
    "puct, W for the root, Q told": {"w_for": "root", "told": ("N", "Q")},
    "ucb1": {"rule": "ucb1", "fpu": "first", "rollouts": True},
    "ucb1 by N of the node": {"rule": "ucb1", "fpu": "first", "total": "node"},
    "tuned": {"rule": "ucb1_tuned", "fpu": "first", "rollouts": True, "c": 1.0},
    "gumbel": {"rule": "gumbel", "c": 50.0},
    "gumbel with its root": {"rule": "gumbel", "c": 50.0, "considered": 4, "planned": 149},
    "gumbel with all moves": {"rule": "gumbel", "c": 10.0, "considered": 16, "planned": 100, "tells": False},
    "solver that guides": {"solver": "guides", "game": "tictactoe", "moves": "b2 a1 c3"},
    "solver with exact values": {"solver": "exact", "game": "tictactoe", "moves": "b2 a1 c3"},
    "virtual loss": {"batch": 4, "loss": 1.0},
    "virtual loss of three": {"batch": 3, "loss": 3.0},
    "visits in flight without value": {"batch": 4, "visits": 1.0},
    "the same, fpu of a loss": {"batch": 3, "visits": 1.0, "fpu": -1.0, "c": 2.5},
    "fpu of a loss": {"fpu": -1.0},
    "fpu of the parent, reduced": {"fpu": "parent", "fpu_reduction": 0.25},
    "fpu of the evaluation": {"fpu": "value"},
    "symmetries": {"symmetries": True, "tells": False},
    "noise": {"noise": 0.25},
}

# Fault -> kind of finding, how it searches.
FAULTS: dict[str, tuple[str, dict[str, Any]]] = {
    "terminal value for the other side": ("terminal", {"game": "tictactoe", "moves": "b2 a1 c3"}),
    "terminal value for the root's side": ("terminal", {"game": "tictactoe", "moves": "b2 a1 c3"}),
    "no change of sign": ("sign", {}),
    "sign wrong everywhere": ("sign", {}),
    "selects for the root": ("sign", {}),
    "selects for the other side": ("sign", {}),
    "moving average": ("mean", {"told": ("N", "Q")}),
    "Q of the last value": ("mean", {"told": ("N", "W", "Q")}),
    "leaf not updated": ("visits", {}),
    "root's move not updated": ("visits", {}),
    "visits counted twice": ("visits", {}),
    "virtual loss stays": ("virtual loss", {"batch": 4, "loss": 1.0}),
    "virtual loss is a win": ("virtual loss", {"batch": 4, "loss": 1.0}),
    "softmax over the batch": ("priors", {}),
    "priors not renormalised": ("priors", {}),
    "noise everywhere": ("inner noise", {"noise": 0.25}),
    "no noise": ("no noise", {"noise": 0.25}),
    "no noise at the new root": ("no noise", {"noise": 0.25}),
    "noise of the old root": ("old noise", {"noise": 0.25}),
    "unvisited moves are draws": ("untried", {"fpu": -1.0}),
    "unvisited moves are wins": ("untried", {"fpu": 0.0}),
    "ignores the priors": ("choice", {}),
    "constant inside the root": ("choice", {"rule": "ucb1", "fpu": "first", "c": 2.0}),
    "never halves": ("halving", {"rule": "gumbel", "c": 50.0, "considered": 4, "planned": 149}),
    "Gumbels left out": ("halving", {"rule": "gumbel", "c": 50.0, "considered": 4, "planned": 149}),
    "plays another move": ("move", {}),
}


# The same where the program does not say its sums: what explains the moves that it entered.
SILENT = {
    "no change of sign": "without a change of sign",
    "sign wrong everywhere": "the value of the other side",
    "selects for the root": "the side at the root",
    "unvisited moves are wins": "the Q of a win",
    "ignores the priors": "does not use the priors",
}


def searched(fault: str = "", **given: Any) -> Toy:
    """A search of 150 simulations that goes on from its move for 60 more."""
    toy = Toy(fault=fault, **given).run(150)
    if toy.solver == "none":
        toy.advance()
        toy.run(60)
    toy.play()
    return toy


@pytest.mark.parametrize("name", SEARCHES)
def test_searches_without_faults_raise_no_alarm(name: str) -> None:
    assert [str(sentence_of(one)) for one in lint(searched(**SEARCHES[name]).trace())] == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_first(fault: str) -> None:
    kind, given = FAULTS[fault]
    trace = searched(fault, **given).trace()
    findings = lint(trace)
    assert findings
    assert findings[0].kind == kind, [str(sentence_of(one)) for one in findings]
    assert lint(trace, findings[0].simulation - 1) == ()


LATER = [
    "no change of sign",
    "sign wrong everywhere",
    "selects for the other side",
    "leaf not updated",
    "visits counted twice",
    "softmax over the batch",
    "ignores the priors",
]


@pytest.mark.parametrize("fault", LATER)
def test_the_first_simulation_with_a_fault_is_named(fault: str) -> None:
    toy = Toy().run(60)
    toy.fault = fault
    findings = lint(toy.run(60).trace())
    assert findings[0].kind == FAULTS[fault][0]
    assert 61 <= findings[0].simulation <= 70


@pytest.mark.parametrize("fault", SILENT)
def test_the_moves_entered_tell_a_fault_where_no_sums_are_told(fault: str) -> None:
    (finding,) = lint(searched(fault, tells=False).trace())
    assert finding.kind == FAULTS[fault][0]
    assert SILENT[fault] in finding.sentence


def test_the_sentence_says_how_many_moves_were_compared_where_not_all_are(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = searched("unvisited moves are wins").trace()
    assert "from here on all moves entered agree" in lint(trace)[0].sentence
    monkeypatch.setattr("core.glass.lint._EXPLAINED", 20)
    found = re.search(
        r"from here on (\d+) of the (\d+) moves entered that were compared agree", lint(trace)[0].sentence
    )
    agreeing, tried = map(int, found.groups())
    assert agreeing == tried > 20


def test_nims_winner_is_told_by_its_sums() -> None:
    """A notebook valued 15 chips, a win, at -0.538."""
    nim: dict[str, Any] = {"game": "nim(heaps=15,max_take=3)", "rule": "ucb1", "fpu": "first", "rollouts": True}
    assert lint(searched(**nim).trace()) == ()
    assert lint(searched("no change of sign", **nim).trace())[0].kind == "sign"


def test_the_faults_are_marked_in_the_tree_of_their_root() -> None:
    toy = searched("unvisited moves are wins")
    made, _ = tree_of(toy.trace())
    state = made.state
    findings = lint(toy.trace())
    assert findings[0].simulation == 5
    params = made.settings.params(made.position.game.num_cells)
    kept = np.flatnonzero(np.isin(state.tree.leaf[:150], below(state.tree, state.root)))
    expected = [int(np.flatnonzero(kept == 4)[0]) + 1] if 4 in kept else []
    assert [turn.simulation for turn in marks(findings, state.tree, state.root_changes, params)] == expected


@pytest.mark.parametrize("name", BROKEN)
def test_the_traces_of_the_lesson_are_those_of_its_broken_searches(name: str) -> None:
    written = path_of(name).read_bytes()
    assert written == broken_search(name).text()
    assert len(written) <= 40_000
    assert len(lint(read_trace(written))) == 1
    assert lint(broken_search(name, repaired=True).trace()) == ()


def below(tree: Tree, root: int) -> list[int]:
    """The nodes at or below ``root``."""
    found = [root]
    for node in range(root + 1, len(tree.parent)):
        if tree.parent[node] in found:
            found.append(node)
    return found
