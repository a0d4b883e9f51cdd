"""Which stones a net's choice depends on: against the paper's formula, a solver posing as a net, and random weights."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.games import Position, load_game
from core.search.work import Answer
from models.inside.counterfactuals import REMOVED, Counterfactual
from models.inside.stones import Answers, Effect, Stones, answers_of, sarfa, stones_of, with_proof, with_truth
from models.inside.truth import FOURS, PROVED, SOLVED, Truth, TruthFinder
from models.netfiles.shipped import nets_dir
from models.netfiles.tapped import TappedNet
from tests.models.inside.nets import at_random
from tests.models.inside.test_counterfactuals import random_position

SMALL = "connect4(rows=4, cols=5)"
NO_LEADS = np.zeros((0, 2), np.float32)


def by_solver(judge: TruthFinder) -> Answers:
    """A net that plays the best moves of a solver, each as probable as the others."""

    def answers(positions: Sequence[Position]) -> Answer:
        logits = np.full((len(positions), positions[0].game.num_actions), -20.0, np.float32)
        values = np.zeros(len(positions), np.float32)
        truths = judge.judge_all(positions, 60.0)
        assert truths is not None
        for i, truth in enumerate(truths):
            logits[i, list(truth.best)], values[i] = 0.0, truth.value
        return Answer(logits, values, NO_LEADS)

    return answers


def found(position: Position, answers: Answers, judge: TruthFinder, move: int | None = None) -> Stones:
    stones = stones_of(position, answers, move=move)
    assert stones is not None
    return with_truth(stones, judge, 60.0)


def test_the_formula_is_that_of_the_paper() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        before, after = rng.dirichlet(np.ones(6)), rng.dirichlet(np.ones(6))
        move = int(before.argmax())
        rest = [a for a in range(6) if a != move]
        p = [after[a] / sum(after[b] for b in rest) for a in rest]
        q = [before[a] / sum(before[b] for b in rest) for a in rest]
        k = 1 / (1 + sum(x * math.log(x / y) for x, y in zip(p, q, strict=True)))
        drop = before[move] - after[move]
        if drop > 0:
            assert sarfa(before, after, move) == pytest.approx(2 * k * drop / (k + drop))
        else:
            assert sarfa(before, after, move) <= 0.0


def test_a_solver_posing_as_a_net_is_right_for_the_right_reason() -> None:
    judge, scores = TruthFinder(load_game(SMALL)), []
    for seed in range(40):
        position = random_position(SMALL, seed, 12)
        if position is None:
            continue
        stones = found(position, by_solver(judge), judge)
        assert stones.is_right
        for stone in stones.stones:
            if stone.truth == 0.0 and stone.tests:
                assert abs(stone.value) < 1e-6
        if stones.reason is not None:
            scores.append(stones.reason.score)
            assert f"{stones.reason.score:.2f}" in str(stones.sentence)
    assert len(scores) >= 8
    assert scores == pytest.approx([1.0] * len(scores))


def test_random_weights_destroy_the_map(tmp_path: Path) -> None:
    game = load_game("connect4")
    net = TappedNet(nets_dir() / "connect4-4x48.onnx", game)
    noise = TappedNet(at_random("connect4-4x48.onnx", tmp_path / "noise.onnx"), game)
    same, other = [], []
    for seed in range(25):
        position = random_position("connect4", seed, 20)
        if position is None:
            continue
        first = stones_of(position, answers_of(net))
        again = stones_of(position, answers_of(net), partners=3, move=first.move)
        random = stones_of(position, answers_of(noise), move=first.move)
        assert again is not None
        assert random is not None
        if len(first.stones) >= 5:
            same.append(rank_correlation(first, again))
            other.append(rank_correlation(first, random))
    assert len(same) > 12
    assert float(np.mean(same)) > 0.8
    assert abs(float(np.mean(other))) < 0.3


def rank_correlation(a: Stones, b: Stones) -> float:
    first, second = ([stone.sarfa for stone in stones.stones] for stones in (a, b))
    ranks = [np.argsort(np.argsort(x)).astype(float) for x in (first, second)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def test_stones_that_matter_most_change_the_choice_sooner_than_random_ones() -> None:
    net = answers_of(TappedNet(nets_dir() / "connect4-4x48.onnx", load_game("connect4")))
    lead, rng = [], np.random.default_rng(0)
    for seed in range(40):
        position = random_position("connect4", seed, 20)
        stones = None if position is None else stones_of(position, net)
        if stones is None or len(stones.effects) < 6:
            continue
        # judged by the other half of the counterfactuals than the map was made of
        half = Stones(stones.position, stones.move, stones.prior, stones.value, stones.effects[::2])
        of = {stone.cell: stone.sarfa for stone in half.stones if stone.tests}
        rest = [(max(of.get(c, 0.0) for c in e.counterfactual.stones), e.drop) for e in stones.effects[1::2]]
        by_map = sorted(rest, key=lambda pair: -pair[0])[: len(rest) // 2]
        by_chance = [rest[i] for i in rng.permutation(len(rest))[: len(rest) // 2]]
        lead.append(float(np.mean([d for _, d in by_map]) - np.mean([d for _, d in by_chance])))
    assert len(lead) >= 20
    assert float(np.mean(lead)) > 2 * float(np.std(lead)) / math.sqrt(len(lead))


def test_a_mistake_has_no_right_reason_and_a_finished_game_no_question() -> None:
    game = load_game("tictactoe")
    judge = TruthFinder(game)
    position = game.position("a1 a3 b1 b3")  # X wins at c1
    uniform: Answers = lambda positions: Answer(  # noqa: E731
        np.zeros((len(positions), 9), np.float32), np.zeros(len(positions), np.float32), NO_LEADS
    )
    stones = found(position, uniform, judge, move=game.parse_action("c2"))
    assert (stones.is_right, stones.reason) == (False, None)
    assert "which is a mistake" in str(stones.sentence)
    with pytest.raises(ValueError, match="the game is over"):
        stones_of(game.position("a1 a3 b1 b3 c1"), uniform)


def test_where_fours_decide_nothing_no_move_is_called_a_mistake() -> None:
    game = load_game("gomoku(size=9)")
    position = game.position("e5 d4 d5 f5 c5 b5 d6 d7 e6")
    uniform: Answers = lambda positions: Answer(  # noqa: E731
        np.zeros((len(positions), 81), np.float32), np.zeros(len(positions), np.float32), NO_LEADS
    )
    stones = found(position, uniform, TruthFinder(game), move=game.parse_action("c6"))
    assert (stones.is_right, stones.reason) == (None, None)
    assert "there is no win by fours here" in str(stones.sentence)


@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        ({0}, ({0}, {0, 1}, None), "right in the 2 of 3 tests with an exact answer"),
        ({0}, ({1}, None, {2}), "wrong in the 2 of 3 tests with an exact answer"),
        ({0}, (None, None, None), "no test has an exact answer"),
    ],
)
def test_a_right_move_without_a_figure_says_how_many_tests_have_an_answer(
    here: set[int], there: Sequence[set[int] | None], expected: str
) -> None:
    position = load_game(SMALL).initial()
    effect = Effect(Counterfactual(position, (0,), REMOVED), 0.1, 0.1, 0.0)
    truths = tuple(None if best is None else Truth(SOLVED, 0, frozenset(best)) for best in there)
    stones = Stones(position, 0, 0.5, 0.0, (effect,) * 3, Truth(SOLVED, 0, frozenset(here)), truths)
    assert stones.reason is None
    assert expected in str(stones.sentence)


@pytest.mark.parametrize(
    ("truth", "sentence"),
    [
        (Truth(PROVED, 1, frozenset({0})), "which is right, as the search has proved"),
        (Truth(PROVED, 1, frozenset({1})), "which is a mistake, as the search has proved"),
        (Truth(PROVED, 1, frozenset({1, 2}), frozenset({0})), "of which nothing is proved; the search has proved that"),
        (Truth(PROVED, -1, frozenset(range(5))), "the search has proved that every move loses"),
    ],
)
def test_what_the_search_has_proved_is_named_as_its_proof(truth: Truth, sentence: str) -> None:
    position = load_game(SMALL).initial()
    effect = Effect(Counterfactual(position, (0,), REMOVED), 0.1, 0.1, 0.0)
    without = Stones(position, 0, 0.5, 0.0, (effect,) * 3)
    stones = with_proof(without, truth)
    assert sentence in str(stones.sentence)
    assert (stones.reason, stones.is_right) == (None, truth.allows(0))
    later = Truth(PROVED, 1, frozenset({0, 3}))
    assert with_proof(stones, later).truth == later  # more is proved by now
    assert with_proof(without, None) == without
    solved = Stones(position, 0, 0.5, 0.0, (effect,), Truth(FOURS, 0, frozenset()), (None,))
    assert with_proof(solved, truth) == solved
