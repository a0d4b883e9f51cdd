"""Learning: losses by hand, optimizers, the schedule, averages, and steps that are no numbers."""

import dataclasses
import math

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from core.games import load_game
from models.nets.net import NetConfig, PolicyValueNet
from models.play.replay import Batch
from models.runs.config import TrainConfig
from models.training.learning import (
    WARMUP_STEPS,
    Diverged,
    Learner,
    learning_rate,
    losses,
    make_optimizer,
    regularisation,
    update_average,
)

GAME = load_game("tictactoe")
TINY = TrainConfig.of(game="tictactoe", blocks=1, channels=8, batch_size=16, iterations=2, device="cpu")
SETTINGS = TINY.learning
CPU = torch.device("cpu")


class Fixed(nn.Module):
    """Answers the same for every position: policy (1/2, 1/4, 1/4), win 1/2, draw 1/4, loss 1/4."""

    def __init__(self) -> None:
        super().__init__()
        self.logits = nn.Parameter(torch.tensor([2.0, 1.0, 1.0]).log())

    def together(self, sizes: list[tuple[Tensor, None]]) -> list[tuple[Tensor, Tensor, Tensor]]:
        answers = []
        for planes, _ in sizes:
            rows = self.logits.expand(len(planes), 3)
            chances = rows.softmax(dim=1)
            answers.append((rows, chances[:, 0] - chances[:, 2], rows))
        return answers


def batch(results: list[float], root_values: list[float], policies: list[list[float]]) -> Batch:
    count = len(results)
    return Batch(
        np.zeros((count, 4, 1, 3), np.float32),
        np.array(policies, np.float32),
        np.array(results, np.float32),
        np.array(root_values, np.float32),
    )


LN2 = math.log(2.0)


@pytest.mark.parametrize(
    ("share", "result", "root_value", "wanted"),
    [
        (0.0, 1.0, 0.0, LN2),  # -ln 1/2
        (0.0, 0.0, 0.5, 2 * LN2),  # -ln 1/4
        (0.0, -1.0, 0.5, 2 * LN2),
        (0.5, 1.0, -0.5, 0.5 * LN2 + 0.5 * 2 * LN2),  # half (1, 0, 0), half (0, 1/2, 1/2)
    ],
)
def test_losses_by_hand(share: float, result: float, root_value: float, wanted: float) -> None:
    drawn = batch([result] * 2, [root_value] * 2, [[1, 0, 0], [0, 0.5, 0.5]])
    with torch.no_grad():
        got = losses(Fixed(), [drawn], share, bf16=False)  # type: ignore[arg-type]
    assert float(got.value) == pytest.approx(wanted, abs=1e-6)
    assert float(got.policy) == pytest.approx((LN2 + 2 * LN2) / 2, abs=1e-6)
    assert float(got.total) == pytest.approx(1.5 * LN2 + wanted, abs=1e-5)
    assert float(got.entropy) == pytest.approx(0.5 * LN2 + 0.5 * 2 * LN2, abs=1e-6)


def test_the_policy_over_the_legal_moves_by_hand() -> None:
    """Of 1/2, 1/4, 1/4 the first is illegal in one position: 1/2 and 1/2 are left.  Its logit has no gradient."""
    drawn = batch([0.0, 0.0], [0.0, 0.0], [[0.5, 0.5, 0], [0, 0.25, 0.75]])
    drawn = drawn._replace(legal=np.array([[True] * 3, [False, True, True]]))
    net = Fixed()
    got = losses(net, [drawn], 0.0, bf16=False)  # type: ignore[arg-type]
    assert got.policy.item() == pytest.approx((1.5 * LN2 + LN2) / 2, abs=1e-6)
    assert float(got.entropy) == pytest.approx((1.5 * LN2 + LN2) / 2, abs=1e-6)
    (gradient,) = torch.autograd.grad(got.policy, net.logits)
    whole = torch.tensor([0.5 - 0.5, 0.25 - 0.5, 0.25])  # of the position in which all are legal: policy less target
    assert gradient.tolist() == pytest.approx((0.5 * (whole + torch.tensor([0.0, 0.25, -0.25]))).tolist(), abs=1e-6)


def test_learning_reduces_both_losses() -> None:
    """A few steps on one batch bring both losses near their least."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    game = load_game("tictactoe")
    net = PolicyValueNet.for_game(game, NetConfig(1, 8)).train()
    rng = np.random.default_rng(0)
    planes = (rng.random((32, 4, 3, 3)) < 0.5).astype(np.float32)
    result = rng.integers(-1, 2, 32).astype(np.float32)
    drawn = Batch(planes, np.eye(9, dtype=np.float32)[rng.integers(9, size=32)], result, result)
    optimizer = make_optimizer(net, dataclasses.replace(SETTINGS, rate=0.02))
    first = losses(net, [drawn], 0.0, bf16=False)
    for _ in range(60):
        loss = losses(net, [drawn], 0.0, bf16=False)
        optimizer.zero_grad()
        loss.total.backward()
        optimizer.step()
    assert loss.policy.item() < 0.25 * first.policy.item()
    assert loss.value.item() < 0.25 * first.value.item()


def test_decay_spares_biases_and_normalisations() -> None:
    net = PolicyValueNet.for_game(load_game("tictactoe"), NetConfig(1, 8))
    decayed, others = make_optimizer(net, SETTINGS).param_groups
    names = {id(parameter): name for name, parameter in net.named_parameters()}
    assert (decayed["weight_decay"], others["weight_decay"]) == (SETTINGS.weight_decay, 0.0)
    assert {names[id(p)] for p in others["params"]} == {n for n in names.values() if n.endswith("bias") or "norm" in n}
    assert len(decayed["params"]) + len(others["params"]) == len(names)


def test_learning_rate() -> None:
    assert learning_rate(0.101, 0, 0.0) == pytest.approx(0.001)
    assert learning_rate(0.1, WARMUP_STEPS, 0.0) == pytest.approx(0.1)
    assert learning_rate(0.1, 500, 0.5) == pytest.approx(0.1 * (0.05 + 0.95 * 0.5))
    assert learning_rate(0.1, 500, 1.0) == pytest.approx(0.005)


def test_average_moves_by_the_decay() -> None:
    average, net = nn.BatchNorm1d(2), nn.BatchNorm1d(2)
    with torch.no_grad():
        net.weight.fill_(3.0)
        net.running_mean.fill_(10.0)
        net.num_batches_tracked.fill_(5)
    update_average(average, net, 0.9)
    assert average.weight.tolist() == pytest.approx([1.2, 1.2])
    assert average.running_mean.tolist() == pytest.approx([1.0, 1.0])
    assert int(average.num_batches_tracked) == 5


def random_batch(count: int, seed: int = 0) -> Batch:
    rng = np.random.default_rng(seed)
    planes = (rng.random((count, 4, 3, 3)) < 0.5).astype(np.float32)
    result = rng.integers(-1, 2, count).astype(np.float32)
    return Batch(planes, rng.dirichlet(np.ones(9), count).astype(np.float32), result, result)


def draw(count: int, rng: np.random.Generator) -> list[Batch]:
    return [random_batch(count, int(rng.integers(1 << 30)))]


def test_figures_of_a_bout() -> None:
    learner = Learner(GAME, TINY, CPU)
    learned = learner.learn(3, draw, lambda: 0.0)
    figures = learned.figures
    assert (learned.steps, learner.step) == (3, 3)
    assert learned.rate == pytest.approx(SETTINGS.rate * 3 / (WARMUP_STEPS + 1))
    assert figures["kl"] == pytest.approx(figures["policy_loss"] - figures["target_entropy"])
    assert 0.0 < figures["kl"] < figures["policy_loss"]
    assert 0.0 < figures["entropy"] <= math.log(9) + 1e-6
    assert figures["total"] == pytest.approx(
        figures["policy_loss"] + figures["value_loss"] + figures["regularisation"], abs=1e-9
    )
    nothing = learner.learn(0, draw, lambda: 0.0)
    assert nothing.steps == 0
    assert set(nothing.figures) == set(figures)
    assert set(nothing.figures.values()) == {None}


def test_regularisation_is_that_of_the_weights() -> None:
    net = nn.Linear(2, 1)
    with torch.no_grad():
        net.weight.copy_(torch.tensor([[3.0, 4.0]]))
        net.bias.fill_(100.0)
    assert regularisation(net, 0.1) == pytest.approx(0.05 * 25.0)


def test_a_learner_learns() -> None:
    torch.set_num_threads(1)
    learner = Learner(GAME, TINY.changed(rate=0.1, ema_samples=32), CPU)
    batch = random_batch(16)
    first = learner.learn(1, lambda *_: [batch], lambda: 0.0)
    learner.learn(80, lambda *_: [batch], lambda: 0.0)
    last = learner.learn(1, lambda *_: [batch], lambda: 0.0)
    assert last.figures["policy_loss"] + last.figures["value_loss"] < (
        first.figures["policy_loss"] + first.figures["value_loss"]
    )
    assert np.abs(learner.values(batch.planes)).max() <= 1.0


def test_gradients_are_clipped(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = Learner(GAME, TINY, CPU)
    monkeypatch.setattr("models.training.learning.CLIP_NORM", 1e-3)
    assert learner.learn(1, draw, lambda: 0.0).figures["gradient_norm"] > 1e-2
    gradients = [p.grad for p in learner.net.parameters() if p.grad is not None]
    assert math.sqrt(sum(float(gradient.square().sum()) for gradient in gradients)) == pytest.approx(1e-3, rel=1e-3)


@pytest.mark.parametrize("what", ["loss", "gradient"])
def test_a_step_that_is_no_number_changes_nothing(what: str) -> None:
    learner = Learner(GAME, TINY, CPU)
    learner.learn(1, draw, lambda: 0.0)
    bad = random_batch(16)
    if what == "loss":
        bad.planes[3, 1, 0, 2] = np.nan
    else:
        next(iter(learner.net.parameters())).register_hook(lambda gradient: gradient * float("inf"))
    weights = {name: tensor.clone() for name, tensor in learner.net.named_parameters()}
    with pytest.raises(Diverged, match=f"the {what} is no longer a number at step 1"):
        learner.learn(5, lambda *_: [bad], lambda: 0.0)
    assert learner.step == 1
    assert all(torch.equal(tensor, weights[name]) for name, tensor in learner.net.named_parameters())


def test_stops_between_steps() -> None:
    learner = Learner(GAME, TINY, CPU)
    assert learner.learn(10, draw, lambda: 0.0, lambda: learner.step == 2).steps == 2


def test_values_are_the_averaged_nets() -> None:
    learner = Learner(GAME, TINY, CPU)
    learner.learn(2, draw, lambda: 0.0)
    planes = random_batch(300).planes
    with torch.inference_mode():
        want = learner.average(torch.from_numpy(planes))[1].numpy()
    np.testing.assert_allclose(learner.values(planes.astype(np.int8)), want, atol=1e-5)
    assert learner.values(planes[:0]).shape == (0,)
