"""The writer for mctx, with arrays that numpy fills as mctx does (its _src/search.py: expand, backward)."""

import importlib.util
import io
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from core.files.trace_file import read_trace
from core.files.trace_tree import tree_of
from core.games import load_game
from core.glass.lint import lint
from core.search.tree import node_at

WRITER = Path(__file__).parents[3] / "resources" / "examples" / "trace_mctx.py"
ACTIONS = 9


def searched(simulations: int, discount: float = -1.0) -> SimpleNamespace:
    """The tree of a search of tic-tac-toe after b2 a1 c3; ``discount``: of moves that do not end the game."""
    rng = np.random.default_rng(4)
    n = simulations + 1
    tree = SimpleNamespace(
        node_visits=np.zeros((1, n), np.int32),
        node_values=np.zeros((1, n), np.float32),
        raw_values=np.zeros((1, n), np.float32),
        parents=np.full((1, n), -1, np.int32),
        action_from_parent=np.full((1, n), -1, np.int32),
        children_index=np.full((1, n, ACTIONS), -1, np.int32),
        children_prior_logits=np.zeros((1, n, ACTIONS), np.float32),
        children_visits=np.zeros((1, n, ACTIONS), np.int32),
        children_values=np.zeros((1, n, ACTIONS), np.float32),
        children_rewards=np.zeros((1, n, ACTIONS), np.float32),
        children_discounts=np.zeros((1, n, ACTIONS), np.float32),
    )
    one = SimpleNamespace(**{name: array[0] for name, array in vars(tree).items()})
    positions = [load_game("tictactoe").position("b2 a1 c3")]

    def evaluate(node: int) -> None:
        legal = list(positions[node].legal_actions())
        one.children_prior_logits[node] = -1e9
        one.children_prior_logits[node, legal or [0]] = rng.normal(size=len(legal) or 1)
        one.raw_values[node] = one.node_values[node] = rng.uniform(-0.9, 0.9)
        one.node_visits[node] += 1

    evaluate(0)
    for node in range(1, n):
        parent, action = -1, -1
        below = 0
        while below >= 0:
            parent = below
            weights = np.exp(one.children_prior_logits[parent] - one.children_prior_logits[parent].max())
            bonus = 1.5 * weights / weights.sum() * np.sqrt(one.node_visits[parent]) / (1 + one.children_visits[parent])
            scores = one.children_rewards[parent] + one.children_discounts[parent] * one.children_values[parent] + bonus
            action = int(np.argmax(np.where(weights > 0, scores, -np.inf)))
            below = int(one.children_index[parent, action])
        before = positions[parent]
        after = before if before.is_over else before.play(action)
        positions.append(after)
        one.children_index[parent, action] = node
        one.parents[node], one.action_from_parent[node] = parent, action
        one.children_rewards[parent, action] = 0 if before.is_over else after.returns[before.to_move]
        one.children_discounts[parent, action] = 0 if after.is_over else discount
        evaluate(node)
        value, index = one.node_values[node], node
        while index:
            above, action = one.parents[index], one.action_from_parent[index]
            value = one.children_rewards[above, action] + one.children_discounts[above, action] * value
            count = one.node_visits[above]
            one.node_values[above] = (one.node_values[above] * count + value) / (count + 1)
            one.node_visits[above] += 1
            one.children_values[above, action] = one.node_values[index]
            one.children_visits[above, action] += 1
            index = above
    return tree


def written(tree: SimpleNamespace) -> bytes:
    spec = importlib.util.spec_from_file_location("trace_mctx", WRITER)
    writer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(writer)
    file = io.StringIO()
    writer.write_trace(tree, "tictactoe", ["b2", "a1", "c3"], file)
    return file.getvalue().encode()


def test_the_tree_of_mctx_has_its_visits_and_values() -> None:
    theirs = searched(300)
    trace = read_trace(written(theirs))
    assert lint(trace) == ()
    tree = tree_of(trace)[0].state.tree
    for action in np.flatnonzero(theirs.children_visits[0, 0]).tolist():
        slot = tree.slot[node_at(tree, 0, [action])]
        assert tree.visits[slot] == theirs.children_visits[0, 0, action]
        mean = theirs.children_rewards[0, 0, action] - theirs.children_values[0, 0, action]
        assert tree.total[slot] / tree.visits[slot] == pytest.approx(mean, abs=1e-5)


def test_a_discount_of_one_is_a_sign_that_never_changes() -> None:
    findings = lint(read_trace(written(searched(300, discount=1.0))))
    assert findings
    assert {finding.kind for finding in findings} <= {"sign", "sum", "mean"}
