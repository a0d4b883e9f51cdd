"""Corrected searches, first visits foretold, and what is blamed for a line that a search misses."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.engine.corrections import Corrections, PriorAt, ValueBelow
from core.engine.postmortem import (
    DIFFERS,
    FOUND,
    POLICY,
    UNKNOWN,
    VALUE,
    exact_results,
    exact_values,
    node_log,
    post_mortem,
    sought,
)
from core.engine.remembered import Remembered
from core.games import load_game
from core.games.position import IllegalMove
from core.glass.first_visit import can_foretell, foretell
from core.search import SearchSettings
from core.search.tree import NODES, node_at
from measure.causes import FAR, Damaged, errors_of, foretell_edits, judge_damaged, only_this, with_stones_of
from tests.core.search.fakes import HashEvaluator, run_search

GAME = load_game("connect4(rows=4, cols=5, k=3)")
ONE_BY_ONE = SearchSettings(collectors=1, max_batch=1, memory_mb=16)


def searched(*corrections, simulations=300, settings=ONE_BY_ONE, seed=0, position=None, evaluator=None):
    return run_search(
        position or GAME.initial(),
        evaluator or HashEvaluator(GAME.num_actions),
        simulations,
        settings,
        seed=seed,
        corrections=Corrections(corrections),
    )


def test_without_corrections_the_search_is_the_same():
    plain = run_search(GAME.initial(), HashEvaluator(GAME.num_actions), 400, ONE_BY_ONE)
    again = searched(simulations=400)
    for field in ("leaf", "leaf_value", "edge_prior"):
        assert (getattr(plain.tree, field)[:400] == getattr(again.tree, field)[:400]).all()


def test_a_corrected_prior_is_that_of_one_node_and_the_others_keep_their_ratios():
    plain, search = searched(), searched(PriorAt((2,), 4, 0.6))
    (before, log), (actions, corrected) = (node_log(one, node_at(one.tree, one.root, (2,))) for one in (plain, search))
    priors, now = dict(zip(before, log.priors, strict=True)), dict(zip(actions, corrected.priors, strict=True))
    assert now[4] == pytest.approx(0.6, abs=1e-4)
    for action in now:
        if action != 4:
            assert now[action] == pytest.approx(priors[action] * 0.4 / (1 - priors[4]), abs=1e-4)
    at_root = [node_log(one, one.root)[1] for one in (plain, search)]
    assert (at_root[0].priors == at_root[1].priors).all()
    assert at_root[0].value == at_root[1].value


def test_a_corrected_value_has_the_sign_of_the_side_to_move_at_each_node_below():
    search = searched(ValueBelow((1,), 0.25), settings=SearchSettings(collectors=1, max_batch=4, prove=False))
    tree, node = search.tree, node_at(search.tree, search.root, (1,))
    assert tree.value[node] == np.float32(0.25)
    below = [n for n in range(int(tree.counts[NODES])) if tree.num_edges[n] > 0 and tree.parent[n] == node]
    assert below
    assert {float(tree.value[n]) for n in below} == {-0.25}
    beside = node_at(tree, search.root, (2,))
    assert abs(tree.value[beside]) != np.float32(0.25)


@pytest.mark.parametrize(
    ("correction", "words"),
    [
        (PriorAt((), 0, 1.0), "between 0 and 1"),
        (PriorAt((), 0, math.nan), "between 0"),
        (ValueBelow((), 1.5), "-1 to 1"),
    ],
)
def test_a_correction_out_of_bounds_is_refused(correction, words):
    with pytest.raises(ValueError, match=words):
        Corrections([correction])


def test_answers_are_asked_for_once():
    net = HashEvaluator(GAME.num_actions)
    remembered = Remembered(net)
    first = searched(evaluator=remembered, simulations=200)
    asked = net.asked
    second = searched(evaluator=remembered, simulations=200)
    assert net.asked == asked > 0
    assert (first.tree.leaf_value[:200] == second.tree.leaf_value[:200]).all()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    fpu=st.sampled_from(["reduction", "loss", "zero"]),
    c_base=st.sampled_from([0.0, 40.0]),
    c_puct=st.floats(0.3, 3.0),
    plies=st.lists(st.integers(0, 4), max_size=3),
)
def test_a_first_visit_is_foretold_to_the_simulation_from_the_visits_before_it(fpu, c_base, c_puct, plies):
    rule = SearchSettings(collectors=1, max_batch=1, fpu=fpu, c_base=c_base, c_puct=c_puct, prove=False, memory_mb=16)
    search = searched(simulations=150, settings=rule, position=after(plies))
    for node in range(int(search.tree.counts[NODES])):
        if search.tree.num_edges[node] < 2 or search.tree.visits[search.tree.slot[node]] < 20:
            continue
        _, log = node_log(search, node)
        for move in range(len(log.priors)):
            visits = np.flatnonzero(log.moves == move)
            expected = visits[0] + 1 if len(visits) else len(log.moves) + 1
            predicted = foretell(log, move, float(log.priors[move]), search.params)
            assert predicted == expected if len(visits) else predicted >= expected


def after(plies):
    position = GAME.initial()
    for ply in plies:
        if not position.is_over:
            legal = position.legal_actions()
            position = position.play(legal[ply % len(legal)])
    return GAME.initial() if position.is_over else position


def test_beyond_the_end_of_the_search_the_first_visit_is_near_the_one_that_comes():
    """The values of a net without opinions do not move, so that nothing but the spread of the visits is foretold."""
    rule = SearchSettings(collectors=1, max_batch=1, prove=False, fpu="zero", memory_mb=64)
    game = load_game("gomoku(size=7)")
    near = 0
    for action, prior in ((3, 2e-3), (17, 1e-3), (30, 4e-3)):
        corrected = PriorAt((), action, prior)
        runs = [
            searched(corrected, simulations=n, settings=rule, position=game.initial(), evaluator=Flat(game.num_actions))
            for n in (60, 3000)
        ]
        actions, log = node_log(runs[0], runs[0].root)
        move = int(np.flatnonzero(actions == action)[0])
        again, whole = node_log(runs[1], runs[1].root)
        happened = np.flatnonzero(whole.moves == np.flatnonzero(again == action)[0])[0] + 1
        assert happened > len(log.moves)
        near += abs(foretell(log, move, float(log.priors[move]), runs[0].params) / happened - 1) <= 0.25
    assert near == 3


class Flat(HashEvaluator):
    """Equal priors and values."""

    def evaluate(self, planes, features=None):
        return np.zeros((len(planes), self.num_actions), np.float32), np.zeros(len(planes), np.float32)


def test_rules_without_priors_are_not_foretold():
    params = {rule: SearchSettings(selection=rule).params(20) for rule in ("puct", "ucb1", "gumbel")}
    assert {rule for rule in params if can_foretell(params[rule])} == {"puct"}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    plies=st.lists(st.integers(0, 4), max_size=4),
    moves=st.lists(st.integers(0, 4), min_size=1, max_size=4),
    scale=st.sampled_from([0.0, 0.3, 1.0, 3.0]),
    simulations=st.sampled_from([2, 20, 60]),
    solved=st.booleans(),
)
def test_every_line_gets_a_blame_that_its_repair_proves(plies, moves, scale, simulations, solved):
    position = after(plies)
    line, end = [], position
    for move in moves:
        if not end.is_over:
            legal = end.legal_actions()
            line.append(legal[move % len(legal)])
            end = end.play(line[-1])
    exact = {action: int(action == line[0]) for action in position.legal_actions()} if solved else None
    net = HashEvaluator(GAME.num_actions, scale)
    report = post_mortem(position, line, net, ONE_BY_ONE, simulations, exact=exact)
    assert len(report.plies) == len(line)
    assert (report.right_from >= 0) == (report.blame == FOUND)
    assert (report.repair is None) == (report.blame == UNKNOWN or (report.blame == FOUND and not report.reason))
    if report.blame == FOUND:
        assert all(repair.right_from >= 0 for repair in report.repairs) == (report.repair is None)
        assert report.repair is None or (report.repair in report.repairs and report.repair.kind == report.reason)
    elif report.repair is not None:
        assert report.repair in report.repairs
        assert report.repair.kind == report.blame
        assert report.repair.right_from >= 0
        assert not report.refutes or len(line) > 1 or solved


@pytest.mark.parametrize(("plies", "line", "scale"), [([1], [3, 4, 2], 0.3), ([2, 2, 3], [3, 2], 1.0)])
def test_a_line_whose_moves_all_have_their_share_of_the_prior_is_judged(plies, line, scale):
    position = after(plies)
    exact = {action: int(action == line[0]) for action in position.legal_actions()}
    report = post_mortem(position, line, HashEvaluator(GAME.num_actions, scale), ONE_BY_ONE, 20, exact=exact)
    assert all(ply.prior >= 1.0 / ply.alternatives for ply in report.plies)
    assert report.blame == UNKNOWN


def test_a_search_that_finds_the_line_has_nothing_to_blame():
    position = load_game("tictactoe").position("a1 b2 c1 a2")  # b1 wins at once
    report = post_mortem(
        position, [position.game.parse_action("b1")], HashEvaluator(position.game.num_actions), ONE_BY_ONE, 200
    )
    assert report.blame == FOUND
    assert report.keeps
    assert report.reason == ""
    assert 0 <= report.right_from <= 200


def test_a_damaged_prior_is_blamed_at_its_ply():
    position = load_game("connect4").position("d e d e d")  # only d stops four in a column
    right = position.game.parse_action("d")
    net = Damaged(Flat(position.game.num_actions), only_this(position), right)
    settings_ = SearchSettings(collectors=1, max_batch=1, prove=False, fpu="loss", memory_mb=16)
    report = post_mortem(position, [right], net, settings_, 60, values=[0.0])
    assert (report.right_from, report.blame) == (-1, POLICY)
    assert report.repair.ply == 0
    assert report.plies[0].prior < report.repair.after <= 0.5
    assert report.plies[0].tried == -1
    assert report.plies[0].foretold > 60


TICTACTOE = load_game("tictactoe")
NO_PROOF = SearchSettings(collectors=1, max_batch=1, prove=False, memory_mb=16)


def line_of(position, words):
    return [position.game.parse_action(word) for word in words.split()]


def examined(position, words, net, simulations):
    """The post-mortem of a line, with all exact results."""
    line, exact = line_of(position, words), exact_results(position, 20.0)
    return post_mortem(
        position, line, net, NO_PROOF, simulations, exact=exact, values=exact_values(position, line, 20.0)
    )


class Preferring(Damaged):
    """A net that has much prior for one action in the positions of a sign."""

    def evaluate(self, planes, features=None):
        logits, values = super().evaluate(planes)
        return np.where(logits < logits.max(axis=1, keepdims=True) - 1.0, logits + 2 * FAR, logits), values


def opposite(sign):
    return lambda planes: -sign(planes)


def test_a_right_move_that_only_the_policy_likes_is_played_because_of_that():
    position = TICTACTOE.position("a1")  # the middle alone is no loss
    middle = TICTACTOE.parse_action("b2")
    net = Preferring(Flat(TICTACTOE.num_actions), only_this(position), middle)
    report = examined(position, "b2", net, 10)
    assert (report.blame, report.reason, report.repair.ply) == (FOUND, POLICY, 0)
    assert 1 / 8 <= report.repair.after < report.plies[0].prior
    assert "because of the policy at ply 1, b2" in report.sentence
    assert report.plies[0].exact == 0
    with_less = PriorAt((), middle, report.repair.after)
    left = run_search(position, net, 10, NO_PROOF, corrections=Corrections([with_less]))
    assert left.best_action() != middle


def test_a_win_played_without_a_look_at_the_reply_that_it_takes_for_lost():
    position = TICTACTOE.position("a1 a2")
    first, second = (line_of(position, words) for words in ("b2", "b2 c3"))
    one, two = (with_stones_of(after_line(position, line)) for line in (first, second))
    right = Damaged(Flat(TICTACTOE.num_actions), opposite(one))  # knows that the move wins
    wrong = Damaged(right, opposite(two))  # but not after the best reply
    blind = Damaged(wrong, only_this(after_line(position, first)), second[-1])  # which it does not see
    report = examined(position, "b2 c3", blind, 24)
    assert (report.blame, report.reason, report.repair.ply) == (FOUND, POLICY, 1)
    assert "hardly looks at ply 2, c3" in report.sentence
    assert [ply.misjudged for ply in report.plies] == [False, True]
    assert "although it takes the position after ply 2, c3, for lost (-" in report.sentence
    assert report.sentence.endswith("which is won.")
    seeing = examined(position, "b2 c3", right, 24)
    assert (seeing.blame, seeing.reason) == (FOUND, "")
    assert not any(ply.misjudged for ply in seeing.plies)


def test_a_draw_played_because_it_is_taken_for_won_is_left_with_the_right_value():
    position = TICTACTOE.position("a1")
    middle, edge = (with_stones_of(after_line(position, line_of(position, words))) for words in ("b2", "a2"))
    liking_both = Half(Flat(TICTACTOE.num_actions), opposite(edge))
    net = Damaged(liking_both, opposite(middle))
    report = examined(position, "b2", net, 40)
    assert (report.blame, report.reason, report.repair.ply) == (FOUND, VALUE, 0)
    assert (report.repair.before, report.repair.after) == (pytest.approx(0.95), 0.0)
    assert "because of a wrong value after ply 1, b2" in report.sentence
    assert "for won" in report.sentence
    assert report.sentence.endswith("which is drawn.")


class Half(Damaged):
    """Half as wrong."""

    def evaluate(self, planes, features=None):
        logits, values = super().evaluate(planes)
        return logits, values / 2


def after_line(position, line):
    for action in line:
        position = position.play(action)
    return position


@pytest.mark.parametrize(("line", "error"), [([], ValueError), ([99], IllegalMove)])
def test_a_line_that_cannot_be_played_is_refused(line, error):
    with pytest.raises(error):
        post_mortem(GAME.initial(), line, HashEvaluator(GAME.num_actions), ONE_BY_ONE, 10)


def test_a_post_mortem_can_be_stopped():
    stop = iter([False] * 5)
    net = HashEvaluator(GAME.num_actions)
    assert post_mortem(GAME.initial(), [0], net, ONE_BY_ONE, 50_000, should_stop=lambda: next(stop, True)) is None


@pytest.mark.slow
def test_first_visits_under_the_shipped_net_are_foretold():
    edits = list(foretell_edits(100, 600))
    errors = errors_of(edits)
    assert len(errors) >= 30
    assert np.median(errors) <= 0.02
    assert (errors <= 0.1).mean() >= 0.9


@pytest.mark.slow
def test_what_was_damaged_in_a_net_is_blamed():
    judged = list(judge_damaged(10, 400))
    assert {one.kind for one in judged} == {POLICY, VALUE}
    assert sum(one.right for one in judged) >= 9


def test_a_line_that_begins_with_a_merged_move_is_turned_to_the_move_that_stands_for_it():
    """In the first position the board's mirror maps a onto e: a search that merges them keeps the first, with the mass
    of both."""
    settings = replace(ONE_BY_ONE, merge_symmetric=True)
    evaluator = HashEvaluator(GAME.num_actions)
    kept = {row.name: [GAME.action_name(a) for a in row.same] for row in searched(settings=settings).snapshot().moves}
    merged = "a" if "e" in kept else "e"
    mirrored = dict(zip("abcde", "edcba", strict=True))
    assert kept[mirrored[merged]] == [merged]
    line = [GAME.parse_action(name) for name in (merged, "b")]
    report = post_mortem(GAME.initial(), line, evaluator, settings, 200)
    assert [GAME.action_name(ply.action) for ply in report.plies] == [mirrored[merged], mirrored["b"]]
    assert report.plies[0].visits > 0


@pytest.mark.parametrize("line", ["b1", "c2 b1"])
def test_a_search_made_again_that_decides_otherwise_is_told_and_not_repaired(line):
    """The search shown is said to choose c2; the one made again wins by b1 at once."""
    position = TICTACTOE.position("a1 b2 c1 a2")
    won, shown = line_of(position, "b1 c2")
    net = HashEvaluator(TICTACTOE.num_actions)
    report = post_mortem(position, line_of(position, line), net, ONE_BY_ONE, 200, shown=shown)
    assert (report.blame, report.repairs, report.repair, report.keeps) == (DIFFERS, (), None, False)
    assert report.again[0][0] == won
    assert report.again[1][0] == shown
    assert "b1 is chosen" in report.sentence
    assert "there is nothing to repair" in report.sentence


@pytest.mark.parametrize("solved", [False, True])
def test_another_move_than_the_choice_shown_is_sought_itself_even_if_it_is_worse(solved):
    position = TICTACTOE.position("a1 b2 c1 a2")
    won, other = line_of(position, "b1 c2")
    exact = {action: int(action == won) for action in position.legal_actions()} if solved else None
    net = HashEvaluator(TICTACTOE.num_actions)
    report = post_mortem(position, [other], net, ONE_BY_ONE, 200, exact=exact, shown=won)
    assert not report.refutes
    assert report.right_from == -1
    assert report.blame not in (FOUND, DIFFERS)
    assert report.repairs
    wanted = "The search prefers b1. Sought is what makes it choose c2."
    if solved:
        wanted = "The search prefers b1, and rightly: c2 is drawn. Sought is what would make it choose c2."
    assert sought(report, TICTACTOE.action_names) == wanted


def test_where_batches_decide_otherwise_each_position_is_searched_alone():
    """The search shown is one without batches, whose choice that with batches does not share."""
    batched, net = replace(ONE_BY_ONE, max_batch=16, batches_in_flight=1), HashEvaluator(GAME.num_actions, 0.5)
    for start in range(5):
        position = GAME.initial().play(start)
        alone, many = (
            searched(settings=rule, evaluator=net, simulations=150, position=position).best_action()
            for rule in (ONE_BY_ONE, batched)
        )
        if alone != many:
            break
    assert alone != many
    report = post_mortem(position, [many, start], net, batched, 150, shown=alone)
    assert report.one_by_one
    assert report.again[0][0] == report.shown == alone
    assert report.again[1][0] == many
    assert not report.refutes
    assert report.blame not in (FOUND, DIFFERS)
