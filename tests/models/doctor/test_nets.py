"""The checks of nets, by answers made from the samples that they are to have learned."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from core.engine.evaluator import Evaluator
from core.games import load_game
from models.doctor import nets
from models.doctor.findings import SHOWN, Finding
from models.doctor.nets import SampleAnswers
from models.doctor.rows import Rows

GAME = load_game("tictactoe")
Floats = NDArray[np.float64]


@pytest.fixture(scope="module")
def rows() -> Rows:
    """600 samples of 100 games whose result shows in the planes: more own stones win."""
    rng = np.random.default_rng(2)
    count, cells = 600, GAME.num_cells
    planes = (rng.random((count, 4, 3, 3)) < 0.35).astype(np.int8)
    balance = planes[:, 0].sum(axis=(1, 2)) - planes[:, 1].sum(axis=(1, 2))
    result = np.sign(balance + rng.normal(0.0, 0.8, count)).astype(np.float64)
    policy = rng.dirichlet(np.full(cells, 0.2), count).astype(np.float32)
    return Rows(
        planes=planes,
        policy=policy,
        result=result,
        root_value=np.clip(0.3 * balance, -1.0, 1.0).astype(np.float64),
        legal=np.ones((count, cells), np.bool_),
        game=np.arange(count) // 6,
        ply=np.arange(count) % 6,
        mover=np.arange(count) % 2,
        last=np.full(count, 6),
        iteration=np.ones(count, np.int64),
        features=np.zeros((count, 0), np.float32),
    )


def _learned(rows: Rows) -> SampleAnswers:
    """What a net answers that learned these samples well, but not by heart."""
    policy = 0.8 * rows.policy.astype(np.float64) + 0.2 / rows.policy.shape[1]
    return SampleAnswers(100, policy, 0.7 * rows.result)


def _kinds(net: SampleAnswers, rows: Rows) -> list[str]:
    checks = (*nets.CHECKS, nets.learned_boards)
    return [finding.kind for check in checks if (finding := check(net, rows, GAME)) is not None]


def test_a_net_that_learned_has_no_finding(rows: Rows) -> None:
    assert _kinds(_learned(rows), rows) == []


def _turned(policy: Floats) -> Floats:
    """Policies averaged over the game's symmetries, as a net learns them whose boards were turned without them."""
    total = np.zeros_like(policy)
    for symmetry in GAME.symmetries:
        turned = np.empty_like(policy)
        turned[:, symmetry] = policy
        total += turned
    return total / len(GAME.symmetries)


SICK: dict[str, tuple[Callable[[SampleAnswers, Rows], SampleAnswers], str]] = {
    "turned values": (lambda net, rows: SampleAnswers(1, net.policy, -net.value), "net sign"),
    "second's turned": (
        lambda net, rows: SampleAnswers(1, net.policy, np.where(rows.mover == 1, -net.value, net.value)),
        "net owner",
    ),
    "no value": (lambda net, rows: SampleAnswers(1, net.policy, np.zeros(len(rows))), "value constant"),
    "certain": (
        lambda net, rows: SampleAnswers(
            1, net.policy, np.where(np.arange(len(rows)) % 3 == 0, -1.0, 1.0) * np.sign(net.value)
        ),
        "value saturated",
    ),
    "noise": (
        lambda net, rows: SampleAnswers(1, net.policy, np.random.default_rng(1).uniform(-0.9, 0.9, len(rows))),
        "value unlearned",
    ),
    "one policy": (
        lambda net, rows: SampleAnswers(1, np.tile(np.eye(9)[0] * 0.82 + 0.02, (len(rows), 1)), net.value),
        "policy constant",
    ),
    "turned boards": (lambda net, rows: SampleAnswers(1, _turned(net.policy), net.value), "net symmetry"),
    "its own policy": (
        lambda net, rows: SampleAnswers(1, rows.policy.astype(np.float64), 0.4 * net.value),
        "nothing to learn",
    ),
}


@pytest.mark.parametrize("name", SICK)
def test_a_sick_net_is_named(name: str, rows: Rows) -> None:
    sicken, kind = SICK[name]
    assert kind in _kinds(sicken(_learned(rows), rows), rows)


def test_a_constant_value_beside_a_search_that_knows_results_of_which_the_planes_say_nothing(rows: Rows) -> None:
    net = SampleAnswers(300, rows.policy.astype(np.float64), np.full(len(rows), 0.03))
    silent = replace(rows, planes=np.zeros_like(rows.planes))
    finding = nets.learned_value(net, silent, GAME)
    assert (finding.kind, finding.certainty) == ("value constant", SHOWN)
    assert "search" in finding.experiment.change
    assert finding.experiment.after.high < finding.experiment.before.low
    ignorant = replace(silent, root_value=np.random.default_rng(3).normal(0.0, 0.3, len(rows)))
    assert nets.learned_value(net, ignorant, GAME) is None
    assert nets.learned_value(net, replace(silent, root_value=np.full(len(rows), np.nan)), GAME) is None


def test_a_search_that_is_worse_than_its_net_near_the_end_of_games(rows: Rows) -> None:
    net = SampleAnswers(300, rows.policy.astype(np.float64), 0.3 * rows.result)
    assert nets.search_beside_net(net, rows) is None
    assert nets.search_beside_net(net, replace(rows, root_value=net.value)) is None, "equally good"
    finding = nets.search_beside_net(net, replace(rows, root_value=rows.root_value * (-1.0) ** rows.ply))
    assert (finding.kind, finding.certainty) == ("search worse", SHOWN)
    assert finding.experiment.after.value == pytest.approx(0.49 * np.square(rows.result).mean(), rel=0.05)
    assert finding.experiment.after.high < finding.experiment.before.low
    assert nets.search_beside_net(net, replace(rows, last=np.full(len(rows), -1))) is None, "where games end is unknown"


def test_an_earlier_net_that_predicts_new_games_better(rows: Rows) -> None:
    rng = np.random.default_rng(5)
    before, later = (SampleAnswers(step, rows.policy.astype(np.float64), 0.5 * rows.result) for step in (10, 200))
    by_heart = SampleAnswers(300, before.policy, np.where(rng.random(len(rows)) < 0.3, -1.0, 1.0) * rows.result)
    finding = nets.overfitted([before, later], by_heart, rows)
    assert finding.kind == "overfitted"
    assert "step 10 " in finding.sentence
    assert "step 300" in finding.sentence
    assert finding.experiment.before.value == pytest.approx(1.2 * np.square(rows.result).mean(), rel=0.15)
    assert finding.experiment.after.value == pytest.approx(0.25 * np.square(rows.result).mean(), rel=0.05)
    assert nets.overfitted([by_heart], later, rows) is None
    assert nets.overfitted([before], later, rows) is None, "equally good"
    assert nets.overfitted([], later, rows) is None
    noise = rng.normal(0.0, 0.3, len(rows))
    assert nets.overfitted([before], SampleAnswers(300, before.policy, before.value + noise), rows) is not None


class ByHeart(Evaluator):
    """A net that knows by heart the targets of samples on all turned boards: turned with them, or left as they were."""

    description = "targets by heart"

    def __init__(self, rows: Rows, with_targets: bool) -> None:
        self._logits: dict[bytes, NDArray[np.float32]] = {}
        for planes, policy in zip(rows.planes, rows.policy, strict=True):
            logits = np.log(0.8 * policy + 0.2 / len(policy))
            for number, symmetry in enumerate(GAME.symmetries):
                board = GAME.transform_planes(planes, number).astype(np.float32)
                self._logits[board.tobytes()] = logits[np.argsort(symmetry)] if with_targets else logits

    def evaluate(
        self, planes: NDArray[np.float32], features: NDArray[np.float32] | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return np.stack([self._logits[board.tobytes()] for board in planes]), np.zeros(len(planes), np.float32)


def test_a_net_that_knows_its_boards_by_heart_is_asked_on_turned_ones(rows: Rows) -> None:
    sick, sound = ByHeart(rows, with_targets=False), ByHeart(rows, with_targets=True)
    assert nets.learned_boards(nets.answers_of(1, sick, rows), rows, GAME) is None
    finding = nets.learned_boards(nets.answers_of_turned(1, sick, rows, GAME), rows, GAME)
    assert finding.kind == "net symmetry"
    assert finding.experiment.before.value == pytest.approx(0.0, abs=1e-6)
    assert finding.experiment.after.value == pytest.approx(0.8, abs=1e-6)
    assert nets.learned_boards(nets.answers_of_turned(1, sound, rows, GAME), rows, GAME) is None


def test_the_experiment_of_turned_values(rows: Rows) -> None:
    net = _learned(rows)
    finding = nets.learned_signs(SampleAnswers(1, net.policy, -net.value), rows, GAME)
    assert isinstance(finding, Finding)
    assert finding.experiment.before.value == pytest.approx(1.7 * np.abs(rows.result).mean())
    assert finding.experiment.after.value == pytest.approx(0.3 * np.abs(rows.result).mean())


def test_weights_that_do_not_move_and_those_that_hardly_do(rows: Rows) -> None:
    last = _learned(rows)
    first = SampleAnswers(0, last.policy.copy(), last.value.copy())
    formed, still = np.full(40, 0.3), np.full(40, 1e-4)
    stuck = nets.moved([first, last], formed, rows, 2e-3)
    assert stuck.kind == "weights"
    slow = SampleAnswers(5000, 0.999 * last.policy + 0.001 / 9, last.value)
    crawling = nets.moved([last, slow], formed, rows, 1e-6)
    assert crawling.kind == "rate low"
    other = SampleAnswers(5000, np.full_like(last.policy, 1 / 9), last.value)
    assert nets.moved([last, other], formed, rows, 1e-3) is None
    assert nets.moved([last], formed, rows, 1e-3) is None
    kinds = [f and f.kind for f in (nets.moved([last, other], still, rows, rate) for rate in (1e-3, 1e-6))]
    assert kinds == ["weights", "rate low"]
    few = SampleAnswers(150, other.policy, other.value)
    kinds = [f and f.kind for f in (nets.moved([first, few], turned, rows, 1e-3) for turned in (still, np.zeros(40)))]
    assert kinds == [None, "weights"], "statistics of the normalisation alone changed"
