"""Right moves and their reasons over an audit: a solver posing as a net has right ones, its opposite wrong ones."""

from collections.abc import Sequence

import numpy as np
import pytest

from core.engine.evaluator import UniformEvaluator
from core.games import Position, load_game
from core.search.work import Answer
from models.audit.positions import games_of, random_items
from models.audit.results import Audit
from models.inside.mistakes import ByBlock, by_block
from models.inside.mistakes_page import mistakes_page
from models.inside.probes import Scorer, score_of
from models.inside.reasons import reasons_of
from models.inside.stones import answers_of, stones_of, with_truth
from models.inside.truth import TruthFinder
from models.netfiles.shipped import nets_dir
from models.netfiles.tapped import TappedNet
from tests.models.audit.test_audit import HOSTILE, Page, make_audit
from tests.models.inside.test_stones import NO_LEADS, by_solver

TTT = load_game("tictactoe")


@pytest.fixture(scope="module")
def audit() -> Audit:
    return make_audit(TTT, [UniformEvaluator(9)], random_items(TTT, 60, (2, 5), 2).items, 20)


@pytest.fixture(scope="module")
def net() -> TappedNet:
    return TappedNet(nets_dir() / "tictactoe-2x32.onnx", TTT)


@pytest.fixture(scope="module")
def found(net: TappedNet, audit: Audit) -> ByBlock:
    return by_block(net, audit, None)


def test_the_figures_are_those_of_each_position_alone(net: TappedNet, found: ByBlock) -> None:
    reasons, judge = reasons_of(net, found), TruthFinder(TTT)
    right = [case for case in found.cases if case.own.right[-1]]
    assert (reasons.looked, reasons.right) == (len(right), len(right))
    wanted = {}
    for case in right:
        stones = with_truth(stones_of(case.position, answers_of(net)), judge, 60.0)
        assert stones.move == case.firsts[-1]
        if stones.reason is not None:
            wanted[case.audited.number] = stones.reason
    assert {one.audited.number: one.reason for one in reasons.cases} == wanted
    scores = [one.reason.score for one in reasons.cases]
    assert scores == sorted(scores)
    assert reasons.mean.value == pytest.approx(np.mean(scores))
    games = np.array(games_of([one.audited.item for one in reasons.cases]))
    assert reasons.mean == pytest.approx(score_of(*Scorer(games, 0).means(np.array(scores))), abs=0.05)
    assert f"{reasons.mean.value:.2f}" in reasons.sentence


def test_a_solver_has_the_right_reasons_and_its_opposite_the_wrong_ones(net: TappedNet, found: ByBlock) -> None:
    solver = by_solver(TruthFinder(TTT))
    solved = reasons_of(net, found, answers=solver)
    assert len(solved.cases) > 20
    assert {one.reason.score for one in solved.cases} == {1.0}
    assert tuple(solved.mean) == (1.0, 1.0, 1.0)

    def opposite(positions: Sequence[Position]) -> Answer:
        answer = solver(positions)
        return answer._replace(logits=-answer.logits)

    wrong = reasons_of(net, found, answers=opposite)
    assert wrong.mean.high < 0.2
    assert wrong.cases[0].reason.score == 0.0


def test_a_net_that_chooses_by_lot_has_the_figure_of_a_guess(net: TappedNet, found: ByBlock) -> None:
    rng = np.random.default_rng(0)

    def by_lot(positions: Sequence[Position]) -> Answer:
        return Answer(
            rng.normal(0, 1, (len(positions), 9)).astype(np.float32), np.zeros(len(positions), np.float32), NO_LEADS
        )

    means = [reasons_of(net, found, answers=by_lot).mean for _ in range(6)]
    assert np.mean([mean.value for mean in means]) == pytest.approx(0.5, abs=0.08)
    assert sum(mean.low < 0.5 < mean.high for mean in means) >= 4


def test_it_ends_when_it_is_told_to_or_its_time_is_over(net: TappedNet, found: ByBlock) -> None:
    assert reasons_of(net, found, lambda: True).looked == 0
    assert reasons_of(net, found, most=3).looked == 3
    ticks = iter(range(1000))
    assert reasons_of(net, found, seconds=5.0, clock=lambda: float(next(ticks))).looked == 4
    nothing = reasons_of(net, found, most=0)
    assert (nothing.mean, nothing.cases) == (None, ())
    assert "None of 0 right first moves" in nothing.sentence


def test_a_game_whose_stones_cannot_be_changed_is_refused_in_a_sentence() -> None:
    game = load_game("othello(size=6)")
    net = TappedNet(nets_dir() / "othello6-4x48.onnx", game)
    audit = make_audit(game, [UniformEvaluator(game.num_actions)], random_items(game, 10, (2, 6), 0).items, 8)
    reasons = reasons_of(net, by_block(net, audit, None))
    assert (reasons.looked, reasons.cases) == (0, ())
    assert "no stone of Othello" in reasons.sentence


def test_the_page_lists_the_lowest_figures_first(net: TappedNet, audit: Audit, found: ByBlock) -> None:
    reasons = reasons_of(net, found)
    text = mistakes_page(HOSTILE, audit, found, reasons, most=4)
    page = Page(text)
    assert page.scripts == ""
    assert "Right move, wrong reason" in text
    part = text[text.index("Right move, wrong reason") :]
    assert part.count("<svg") == min(4, len(reasons.cases))
    assert f"<td>{reasons.cases[0].reason.score:.2f}</td>" in part
    assert f"{reasons.mean.value:.2f}" in part
    assert "Right move, wrong reason" not in mistakes_page(HOSTILE, audit, found)
