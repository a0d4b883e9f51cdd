"""Learning: losses by hand, optimizers, the schedule, averages, and steps that are no numbers."""

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from core.games import load_game
from models.nets.net import NetConfig, PolicyValueNet
from models.play.replay import Batch
from models.runs.config import TrainConfig
from models.training.learning import (
    Diverged,
    Learner,
    learning_rate,
    losses,
    make_optimizer,
    regularisation,
    update_average,
)

GAME = load_game("tictactoe")
TINY = TrainConfig(game="tictactoe", blocks=1, channels=8, batch_size=16, warmup_steps=2, iterations=2, device="cpu")
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
    ("value_loss", "share", "result", "root_value", "wanted"),
    [
        ("wdl", 0.0, 1.0, 0.0, LN2),  # -ln 1/2
        ("wdl", 0.0, 0.0, 0.5, 2 * LN2),  # -ln 1/4
        ("wdl", 0.0, -1.0, 0.5, 2 * LN2),
        ("wdl", 0.5, 1.0, -0.5, 0.5 * LN2 + 0.5 * 2 * LN2),  # half (1, 0, 0), half (0, 1/2, 1/2)
        ("mse", 0.0, 1.0, 0.0, 0.75**2),  # v = 1/2 - 1/4
        ("mse", 0.0, -1.0, 0.0, 1.25**2),
        ("mse", 0.5, 1.0, -0.5, 0.0),  # target 1/4
    ],
)
def test_value_losses_by_hand(value_loss: str, share: float, result: float, root_value: float, wanted: float) -> None:
    config = dataclasses.replace(TINY, value_loss=value_loss, root_value_share=share, value_weight=3.0)
    drawn = batch([result] * 2, [root_value] * 2, [[1, 0, 0], [0, 0.5, 0.5]])
    with torch.no_grad():
        got = losses(Fixed(), [drawn], config, bf16=False)  # type: ignore[arg-type]
    assert float(got.value) == pytest.approx(wanted, abs=1e-6)
    assert float(got.policy) == pytest.approx((LN2 + 2 * LN2) / 2, abs=1e-6)
    assert float(got.total) == pytest.approx(1.5 * LN2 + 3.0 * wanted, abs=1e-5)
    assert float(got.entropy) == pytest.approx(0.5 * LN2 + 0.5 * 2 * LN2, abs=1e-6)


def test_the_policy_over_the_legal_moves_by_hand() -> None:
    """Of 1/2, 1/4, 1/4 the first is illegal in one position: 1/2 and 1/2 are left.  Its logit has no gradient."""
    config, over_all = (dataclasses.replace(TINY, legal_softmax=legal) for legal in (True, False))
    drawn = batch([0.0, 0.0], [0.0, 0.0], [[0.5, 0.5, 0], [0, 0.25, 0.75]])
    drawn = drawn._replace(legal=np.array([[True] * 3, [False, True, True]]))
    net = Fixed()
    got = losses(net, [drawn], config, bf16=False)  # type: ignore[arg-type]
    assert got.policy.item() == pytest.approx((1.5 * LN2 + LN2) / 2, abs=1e-6)
    assert float(got.entropy) == pytest.approx((1.5 * LN2 + LN2) / 2, abs=1e-6)
    (gradient,) = torch.autograd.grad(got.policy, net.logits)
    whole = torch.tensor([0.5 - 0.5, 0.25 - 0.5, 0.25])  # of the position in which all are legal: policy less target
    assert gradient.tolist() == pytest.approx((0.5 * (whole + torch.tensor([0.0, 0.25, -0.25]))).tolist(), abs=1e-6)
    everything = losses(net, [drawn], over_all, bf16=False)  # type: ignore[arg-type]
    assert everything.policy.item() == pytest.approx((1.5 * LN2 + 2 * LN2) / 2, abs=1e-6)


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
    optimizer = make_optimizer(net, dataclasses.replace(TINY, learning_rate=0.02))
    first = losses(net, [drawn], TINY, bf16=False)
    for _ in range(60):
        loss = losses(net, [drawn], TINY, bf16=False)
        optimizer.zero_grad()
        loss.total.backward()
        optimizer.step()
    assert loss.policy.item() < 0.25 * first.policy.item()
    assert loss.value.item() < 0.25 * first.value.item()


def test_decay_spares_biases_and_normalisations() -> None:
    net = PolicyValueNet.for_game(load_game("tictactoe"), NetConfig(1, 8))
    decayed, others = make_optimizer(net, TINY).param_groups
    names = {id(parameter): name for name, parameter in net.named_parameters()}
    assert (decayed["weight_decay"], others["weight_decay"]) == (TINY.weight_decay, 0.0)
    assert {names[id(p)] for p in others["params"]} == {n for n in names.values() if n.endswith("bias") or "norm" in n}
    assert len(decayed["params"]) + len(others["params"]) == len(names)


def test_learning_rate() -> None:
    config = dataclasses.replace(TINY, learning_rate=0.1, warmup_steps=9, final_rate_share=0.2)
    assert learning_rate(config, 0, 0.0) == pytest.approx(0.01)
    assert learning_rate(config, 9, 0.0) == pytest.approx(0.1)
    assert learning_rate(config, 500, 0.5) == pytest.approx(0.1 * (0.2 + 0.8 * 0.5))
    assert learning_rate(config, 500, 1.0) == pytest.approx(0.02)


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
    assert learned.rate == TINY.learning_rate
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
    assert regularisation(net, dataclasses.replace(TINY, weight_decay=0.1)) == pytest.approx(0.05 * 25.0)


@pytest.mark.parametrize(("optimizer", "kind"), [("adamw", torch.optim.AdamW), ("sgd", torch.optim.SGD)])
def test_both_optimizers_learn(optimizer: str, kind: type) -> None:
    torch.set_num_threads(1)
    config = dataclasses.replace(TINY, optimizer=optimizer, learning_rate=0.02, ema=0.5)
    learner = Learner(GAME, config, CPU)
    assert isinstance(learner.optimizer, kind)
    batch = random_batch(16)
    first = learner.learn(1, lambda *_: [batch], lambda: 0.0)
    learner.learn(40, lambda *_: [batch], lambda: 0.0)
    last = learner.learn(1, lambda *_: [batch], lambda: 0.0)
    assert last.figures["policy_loss"] + last.figures["value_loss"] < (
        first.figures["policy_loss"] + first.figures["value_loss"]
    )
    assert np.abs(learner.values(batch.planes)).max() <= 1.0


def test_sgd_has_nesterov_momentum() -> None:
    (decayed, others) = make_optimizer(nn.Linear(2, 1), dataclasses.replace(TINY, optimizer="sgd")).param_groups
    assert (decayed["momentum"], decayed["nesterov"], others["weight_decay"]) == (0.9, True, 0.0)
    plain = make_optimizer(nn.Linear(2, 1), dataclasses.replace(TINY, optimizer="sgd", momentum=0.0))
    assert plain.param_groups[0]["nesterov"] is False


def test_gradients_are_clipped() -> None:
    """With plain SGD a step is rate times gradient: its length is the clipped norm times the rate."""
    plain: dict[str, Any] = {
        "optimizer": "sgd",
        "momentum": 0.0,
        "weight_decay": 0.0,
        "learning_rate": 1.0,
        "warmup_steps": 0,
    }
    for clip in (1e-3, 0.0):
        learner = Learner(GAME, dataclasses.replace(TINY, clip_norm=clip, **plain), CPU)
        before = [p.detach().clone() for p in learner.net.parameters()]
        norm = learner.learn(1, draw, lambda: 0.0).figures["gradient_norm"]
        moved = math.sqrt(
            sum(
                float((p.detach() - old).square().sum())
                for p, old in zip(learner.net.parameters(), before, strict=True)
            )
        )
        assert norm > 1e-2
        assert moved == pytest.approx(clip or norm, rel=1e-3)


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
