"""Which samples taught a net a mistake: against slow gradients of each sample, and on samples with planted labels."""

import copy
from dataclasses import replace

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from core.games import GameSpec, load_game
from core.games.net_inputs import encoding_for
from models.inside.concepts import Stopped
from models.inside.probes import area
from models.nets.net import PolicyValueNet, TorchEvaluator, folded
from models.play.replay import batch_of
from models.play.samples import Samples
from models.play.selfplay import SelfPlay
from models.runs.config import TrainConfig
from models.training.influence import (
    OUTCOMES,
    Mistake,
    Moment,
    Tracer,
    doses_of,
    layers_of,
    odds_gradient,
    odds_of,
    pushes,
)
from models.training.influence_trial import relearn, try_without
from models.training.learning import inputs_on, position_losses


def settings(game: str, **others: object) -> TrainConfig:
    return TrainConfig.of(
        game=game, blocks=2, channels=8, games=16, simulations=8, fast_simulations=4, full_share=1.0, iterations=2,
        batch_size=32, threads=1, device="cpu", **others,
    )  # fmt: skip


def samples_for(config: TrainConfig, count: int) -> Samples:
    game = load_game(config.game)
    encoding = encoding_for(game, config.net.inputs)
    net = TorchEvaluator(untrained(game, config), device="cpu", bf16=False, encoding=encoding)
    return SelfPlay(game, net, config, games=16, seed=1).play(net, count)[0]


def untrained(game: GameSpec, config: TrainConfig) -> PolicyValueNet:
    torch.manual_seed(3)
    net = PolicyValueNet.for_game(game, config.net_config())
    with torch.no_grad():  # the last layers begin near 0
        for weight in net.parameters():
            weight.add_(0.1 * torch.randn_like(weight))
    return folded(net.eval())


def slow_dots(net: PolicyValueNet, samples: Samples, mistake: Mistake, share: float) -> NDArray[np.float64]:
    """The dot products by gradients that torch makes of each sample alone."""
    direction = odds_gradient(net, mistake)
    net.requires_grad_(True)
    named = dict(net.named_parameters())
    found = []
    for row in range(len(samples)):
        batch = batch_of(samples, np.array([row]))
        loss = position_losses(net(*inputs_on(batch, torch.device("cpu"))), batch, share).sum()
        total = 0.0
        for name, parts in direction.items():
            for kind, part in zip(("weight", "bias"), parts, strict=True):
                if part is not None:
                    (gradient,) = torch.autograd.grad(loss, [named[f"{name}.{kind}"]], retain_graph=True)
                    total += float((gradient.double() * part.double()).sum())
        found.append(total)
    net.requires_grad_(False)
    return np.array(found)


@pytest.mark.parametrize(("game", "others"), [
    ("tictactoe", {}),
    ("connect4(rows=4, cols=5)", {"root_value_share": 0.3}),
    ("tictactoe", {"heads": "pooled"}),
    ("go(size=5)", {"heads": "pooled", "inputs": "points"}),
])  # fmt: skip
def test_dot_products_are_those_of_the_gradients_of_each_sample(game: str, others: dict[str, object]) -> None:
    config = settings(game, **others)
    spec = load_game(game)
    samples = samples_for(config, 24)
    net = untrained(spec, config)
    share = config.learning.root_value_share
    for is_outcome in (False, True):
        mistake = Mistake(spec.initial(), 1, 0, is_outcome)
        expected = slow_dots(net, samples, mistake, share)
        dots = Tracer(net, odds_gradient(net, mistake)).dots(batch_of(samples, slice(None)), share)
        assert np.abs(expected).max() > 1e-3
        assert np.abs(dots - expected).max() < 1e-5 * max(1.0, np.abs(expected).max())


def test_a_sample_is_learned_from_after_its_iteration_while_it_is_in_the_window() -> None:
    def report(iteration: int, step: int, replay: int, rate: float) -> dict[str, object]:
        return {
            "event": "iteration", "iteration": iteration, "step": step, "samples": 10, "replay": replay,
            "learning_rate": rate,
        }  # fmt: skip

    reports = [
        report(1, 0, 10, 0.0),
        report(2, 4, 15, 0.5),
        report(3, 10, 15, 0.25),
        {"event": "checkpoint", "step": 10},
    ]
    doses = doses_of(reports, [3, 9], {1: 10, 2: 10, 3: 10})
    expected = np.zeros((2, 30))
    expected[0, :10] = 4 * 0.5 / 10  # of the steps to 4, drawn from the ten of iteration 1
    expected[1, 5:20] = 6 * 0.25 / 15  # of those to 10, drawn from the newest 15 of iterations 1 and 2
    assert np.allclose(doses, expected)
    assert np.allclose(doses_of(reports, [3, 9], {2: 10, 3: 10}), expected[:, 10:])  # the oldest is no longer on disk


def test_planted_labels_are_blamed_and_learning_without_them_ends_the_mistake() -> None:
    config = settings("tictactoe", train_ratio=6.0, rate=0.01, ema_samples=256)
    game = load_game("tictactoe")
    samples = samples_for(config, 400)
    first = samples.ply == 0
    policy = samples.policy.copy()
    policy[first] = np.eye(9, dtype=np.float32)[4]  # the middle of the empty board, always
    samples = replace(samples, policy=policy)
    moments = relearn(samples, game, config, None, seed=0, moments=4)
    mistake = Mistake(game.initial(), game.parse_action("b2"), game.parse_action("a1"))
    assert odds_of(moments[-1].net, mistake).log_odds > 1.0
    push = pushes(moments, samples, mistake)
    assert area(push, first) > 0.95
    chosen = np.argsort(-push)[: int(first.sum())]
    (trial,) = try_without(samples, chosen, mistake, config, seeds=1)
    assert trial.without.log_odds < trial.without_others.log_odds - 0.5
    assert trial.whole.log_odds > 1.0


def test_a_step_on_the_samples_to_blame_makes_the_wrong_outcome_likelier() -> None:
    config = settings("tictactoe")
    game = load_game("tictactoe")
    samples = samples_for(config, 64)
    net = untrained(game, config)
    mistake = Mistake(game.position("a1 b1"), OUTCOMES.index("loss"), OUTCOMES.index("win"), is_outcome=True)
    order = np.argsort(-pushes([Moment(net, np.ones(len(samples)))], samples, mistake))
    for rows, sign in ((order[:8], 1.0), (order[-8:], -1.0)):
        stepped = copy.deepcopy(net).requires_grad_(True)
        batch = batch_of(samples, rows)
        answer = stepped(*inputs_on(batch, torch.device("cpu")))
        position_losses(answer, batch, config.learning.root_value_share).sum().backward()
        with torch.no_grad():
            for _, layer in layers_of(stepped):
                for weight in layer.parameters():
                    weight -= 1e-4 * weight.grad
        turned = odds_over_symmetries(stepped, mistake) - odds_over_symmetries(net, mistake)
        assert sign * turned > 0.0


def odds_over_symmetries(net: PolicyValueNet, mistake: Mistake) -> float:
    """The mean log-odds over the symmetries of tic-tac-toe, whose boards are asked one by one."""
    game = mistake.position.game
    odds = []
    for symmetry in np.asarray(game.symmetries).tolist():
        turned = game.initial()
        for action in mistake.position.moves:
            turned = turned.play(symmetry[action])
        odds.append(odds_of(net, replace(mistake, position=turned)).log_odds)
    return float(np.mean(odds))


def test_it_stops() -> None:
    config = settings("tictactoe")
    game = load_game("tictactoe")
    net = untrained(game, config)
    samples = samples_for(config, 8)
    with pytest.raises(Stopped):
        pushes([Moment(net, np.ones(len(samples)))], samples, Mistake(game.initial(), 0, 4), stop=lambda: True)
    with pytest.raises(Stopped):
        relearn(samples, game, config, None, 0, 1, stop=lambda: True)
