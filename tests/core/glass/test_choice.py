"""The choice shown at a node is what selection does, now and for the predicted number of simulations."""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.engine import Search
from core.games import load_game
from core.glass.choice import Switch, choice_at, until_switch
from core.search import Limit, SearchSettings
from core.search.selection import edge_terms, next_edge, node_terms, select
from core.search.settings import PRESETS
from core.search.tree import NODES, backups, one_node
from tests.core.search.fakes import HashEvaluator, LeadEvaluator, run_search

SETTINGS = {
    "puct": SearchSettings(memory_mb=16),
    "puct, growing c, loss": SearchSettings(c_puct=1.25, c_base=30.0, fpu="loss", memory_mb=16),
    "puct, zero, noise": SearchSettings(fpu="zero", noise_epsilon=0.25, memory_mb=16),
    "puct, no proofs, root first": SearchSettings(prove=False, root_first=True, memory_mb=16),
    "puct, katago-like": SearchSettings(memory_mb=16, **PRESETS["katago-like"]),
    "puct, score, spread, loss": SearchSettings(score_utility=0.5, c_spread=1.0, fpu="loss", memory_mb=16),
    "ucb1": SearchSettings(selection="ucb1", c_ucb=0.8, memory_mb=16),
    "ucb1_tuned": SearchSettings(selection="ucb1_tuned", memory_mb=16),
    "gumbel": SearchSettings(selection="gumbel", gumbel_considered=4, gumbel_simulations=64, memory_mb=16),
    "flat": SearchSettings(selection="flat", memory_mb=16),
}
GAMES = ("tictactoe", "connect4(rows=4, cols=5, k=3)", "gomoku(size=7)")


def searched(kind, game, simulations, seed=0):
    position = load_game(game).initial()
    evaluator = None if kind == "flat" else HashEvaluator(position.game.num_actions)
    if SETTINGS[kind].score_utility:
        evaluator = LeadEvaluator(position.game.num_actions)
    return run_search(position, evaluator, simulations, SETTINGS[kind], seed=seed)


@pytest.mark.parametrize("kind", SETTINGS)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(game=st.sampled_from(GAMES), simulations=st.integers(2, 150), seed=st.integers(0, 99))
def test_the_choice_shown_is_the_next_simulation(kind, game, simulations, seed):
    search = searched(kind, game, simulations, seed)
    root = search.snapshot().root
    choice = root.choice
    tree, params = search.tree, search.params
    terms = node_terms(tree, search.root, params)
    for edge in range(len(root.actions)):
        told = (choice.qs[edge], choice.ss[edge], choice.us[edge], choice.scores[edge])
        assert told == pytest.approx(
            edge_terms(tree, search.root, edge, params, terms), rel=1e-6, abs=1e-6, nan_ok=True
        )
    np.testing.assert_allclose(choice.qs, root.qs, rtol=1e-6, atol=1e-6)
    np.testing.assert_array_equal(choice.visits, root.visits_of)
    assert choice.next_index == next_edge(tree, search.root, params)
    if search.step(search.simulations + 1):
        after = search.snapshot().root
        entered = {int(a) for a, n in zip(after.actions, after.visits_of, strict=True) if n}
        grown = [
            a
            for a, n in zip(after.actions.tolist(), after.visits_of.tolist(), strict=True)
            if n > dict(zip(root.actions.tolist(), root.visits_of.tolist(), strict=True))[a]
        ]
        assert not grown or (grown == [root.actions[choice.next_index]] and set(grown) <= entered)


def forward(choice, params):
    """Selection forward by plain lists, for puct: edges in order, the first of equal scores."""
    visits, priors = choice.visits.astype(float).tolist(), choice.priors.tolist()
    qs = [float(q) if n else None for q, n in zip(choice.qs, visits, strict=True)]
    own, mean, held = sum(visits) + 1.0, choice.mean, float(choice.qs[choice.next_index])
    done = 0
    while done < 20000:
        total, tried = sum(visits), [n > 0 for n in visits]
        mass = sum(p for p, t in zip(priors, tried, strict=True) if t)
        unvisited = mean - params.fpu_reduction * math.sqrt(mass) if not all(tried) else mean
        scores = [
            (q if q is not None else unvisited) + params.c * p * math.sqrt(total) / (1 + n)
            for q, p, n in zip(qs, priors, visits, strict=True)
        ]
        best = max((i for i in range(len(scores)) if choice.allowed[i]), key=lambda i: (scores[i], -i))
        if best != choice.next_index:
            return done, best
        visits[best] += 1
        qs[best] = held
        mean, own, done = (mean * own + held) / (own + 1), own + 1, done + 1
    return done, -1


@settings(max_examples=25, deadline=None)
@given(game=st.sampled_from(GAMES), simulations=st.integers(10, 400), seed=st.integers(0, 99))
def test_the_switch_is_where_simulated_selection_changes(game, simulations, seed):
    search = searched("puct", game, simulations, seed)
    if search.reason == "proved":
        return
    choice = search.snapshot().root.choice
    if choice.allowed.sum() > 1:
        assert (choice.switch.after, choice.switch.to) == pytest.approx(forward(choice, SETTINGS["puct"].params()))


@pytest.mark.parametrize("kind", SETTINGS)
def test_the_choice_stays_up_to_the_switch(kind):
    search = searched(kind, "gomoku(size=7)", 120)
    choice = search.snapshot().root.choice
    after, to = choice.switch
    assert after >= 1
    assert to != choice.next_index
    if to < 0:
        after, to = after + 1, choice.next_index  # it stays as far as was looked
    params = search.params
    for simulations, expected in ((after - 1, choice.next_index), (after, to)):
        copy = one_node(choice.node, 0)
        turned = expected != choice.next_index
        assert simulations == 0 or until_switch(copy, params, simulations) == (simulations, to if turned else -1)
        assert select(copy, 0, params) == expected
    assert backups(choice.node, 0) == 120, "the copy was changed, not the choice"


@pytest.mark.parametrize("kind", ["ucb1", "ucb1_tuned", "flat"])
def test_rules_without_first_play_urgency_assume_no_value(kind):
    root = searched(kind, "gomoku(size=7)", 20).snapshot().root
    tried = root.visits_of > 0
    assert math.isnan(root.choice.unvisited)
    assert np.isnan(root.qs[~tried]).all()
    assert np.isfinite(root.qs[tried]).all()
    assert (root.scores[~tried] == (0.0 if kind == "flat" else np.inf)).all()


def test_first_play_urgency_is_not_bounded_by_a_lost_game():
    """As in Leela Chess Zero and KataGo: in a lost position untried moves stay behind those tried."""

    class Lost(HashEvaluator):
        def evaluate(self, planes, features=None):
            logits, _ = super().evaluate(planes)
            return logits, np.where(planes[:, 3, 0, 0] > 0, -1.0, 1.0).astype(np.float32)

    search = run_search(load_game("gomoku(size=7)").initial(), Lost(49), 20, SETTINGS["puct"])
    choice = search.snapshot().root.choice
    assert choice.unvisited == pytest.approx(-1.0 - 0.25 * math.sqrt(choice.visited_prior))
    assert choice.qs[-1] == choice.unvisited < -1.0


def test_no_switch_is_predicted_for_the_last_untried_move():
    choice = searched("ucb1", "gomoku(size=7)", 49).snapshot().root.choice
    assert (choice.visits == 0).sum() == 1
    assert choice.switch == Switch(0, -1)
    assert searched("ucb1", "gomoku(size=7)", 48).snapshot().root.choice.switch.after == 1


def test_margin_and_second():
    choice = searched("puct", "gomoku(size=7)", 200).snapshot().root.choice
    ranked = sorted(range(len(choice.scores)), key=lambda i: -choice.scores[i])
    assert (choice.next_index, choice.second_index) == (ranked[0], ranked[1])
    assert choice.margin == choice.scores[ranked[0]] - choice.scores[ranked[1]] >= 0


def test_a_single_move_never_switches():
    position = load_game("tictactoe").position("a1 b2 c3 a3 c1 b1 b3 c2")
    search = run_search(position, HashEvaluator(9), 5, prove=False, memory_mb=16)
    choice = search.snapshot().root.choice
    assert (choice.next_index, choice.second_index, choice.switch) == (0, -1, Switch(0, -1))
    assert math.isnan(choice.margin)


def test_simulations_in_flight_count_as_visits_without_a_value():
    search = searched("puct", "gomoku(size=7)", 50)
    before = search.snapshot().root.choice
    slot = int(search.tree.child_start[search.root])
    search.tree.inflight[slot] += 3
    choice = choice_at(search.tree, search.root, SETTINGS["puct"].params())
    search.tree.inflight[slot] -= 3
    assert choice.inflight.tolist() == [3] + [0] * (len(before.qs) - 1)
    assert choice.total == before.total + 3
    assert choice.qs[0] == before.qs[0]
    n = before.visits[0]
    assert choice.us[0] / before.us[0] == pytest.approx((1 + n) / (1 + n + 3) * np.sqrt(choice.total / before.total))


def test_batches_in_flight_appear_only_in_the_choice():
    search = Search(
        load_game("gomoku(size=7)").initial(),
        HashEvaluator(49),
        SearchSettings(batches_in_flight=2, max_batch=4, memory_mb=16),
    )
    search.step(400, 0.0)
    while not search.reason and not search.snapshot().root.choice.inflight.any():
        search.step(400, 0.0)
    assert not search.reason
    root = search.snapshot().root
    assert root.choice.total == root.visits_of.sum() + root.choice.inflight.sum()
    search.run(Limit(simulations=400))
    assert not search.snapshot().root.choice.inflight.any()


def test_target_leaves_out_what_noise_alone_explains():
    search = searched("puct, zero, noise", "gomoku(size=7)", 300)
    root = search.snapshot().root
    pi = root.visits_of / root.visits_of.sum()
    target = root.choice.target
    assert target.sum() == pytest.approx(1.0)
    best = int(np.argmax(pi))
    assert target[best] > pi[best]
    assert (target[pi == 0] == 0).all()


@pytest.mark.parametrize(("text", "net"), [("gomoku(size=9)", True), ("gomoku(size=9)", False), ("connect4", True)])
def test_gumbels_policy_is_the_softmax_of_its_logits(text, net):
    """Of the priors as stored: rounded to 16 bits they do not sum to 1."""
    position = load_game(text).initial()
    evaluator = HashEvaluator(position.game.num_actions) if net else None
    settings_ = SearchSettings(selection="gumbel", gumbel_simulations=100, prove=False, memory_mb=16)
    search = run_search(position, evaluator, 300, settings_, seed=3)
    checked = 0
    for node in range(int(search.tree.counts[NODES])):
        if search.tree.num_edges[node] <= 0:
            continue
        choice = choice_at(search.tree, node, search.params)
        logits = [
            math.log(p) + choice.scale * q for p, q in zip(choice.priors.tolist(), choice.qs.tolist(), strict=True)
        ]
        weights = [math.exp(x - max(logits)) for x in logits]
        exact = [w / math.fsum(weights) for w in weights]
        assert choice.us == pytest.approx(exact, rel=1e-9, abs=0)
        checked += 1
    assert checked > 20
