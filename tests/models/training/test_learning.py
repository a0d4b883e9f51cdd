"""Learning: losses by hand, the optimizer beside plain arithmetic, averages, and steps that are no numbers."""

import copy
import dataclasses
import math

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from core.games import load_game
from models.nets.net import NetConfig, PolicyValueNet
from models.play.replay import Batch
from models.runs.config import LearningSettings, TrainConfig
from models.training.learning import (
    WARMUP_STEPS,
    Diverged,
    Learner,
    average_decay,
    learning_rate,
    load_optimizer,
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


SMALL = LearningSettings(batch_size=16)


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> None:
    """Several threads of torch on a busy machine make a step many times slower."""
    torch.set_num_threads(1)


def stepped(net: nn.Module, optimizer: torch.optim.Optimizer, steps: range) -> None:
    for step in steps:
        optimizer.zero_grad()
        generator = torch.Generator().manual_seed(step)
        net(torch.randn(8, 5, generator=generator)).square().mean().backward()
        optimizer.step()


def test_steps_are_those_of_the_plain_optimizer() -> None:
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(5, 7), nn.ReLU(), nn.Linear(7, 1))
    plain = copy.deepcopy(net)
    optimizer = make_optimizer(net, SMALL)
    assert optimizer.param_groups[0]["fused"]
    groups = [{"params": list(layer), "weight_decay": decay} for layer, decay in _by_decay(plain)]
    stepped(net, optimizer, range(30))
    stepped(plain, torch.optim.AdamW(groups, lr=SMALL.rate, fused=False, foreach=False), range(30))
    for one, other in zip(net.parameters(), plain.parameters(), strict=True):
        assert torch.allclose(one, other, atol=1e-6)


def _by_decay(net: nn.Module) -> list[tuple[list[nn.Parameter], float]]:
    weights = [p for p in net.parameters() if p.ndim > 1]
    return [(weights, SMALL.weight_decay), ([p for p in net.parameters() if p.ndim <= 1], 0.0)]


def test_a_state_of_the_plain_optimizer_goes_on_in_the_fused_one() -> None:
    """As a run of an older version does when it is resumed; what is set now counts, such as the weight decay."""
    torch.manual_seed(0)
    net = nn.Linear(5, 1)
    whole = copy.deepcopy(net)
    stepped(whole, make_optimizer(whole, SMALL), range(12))
    groups = [{"params": params, "weight_decay": 7.0} for params, _ in _by_decay(net)]
    older = torch.optim.AdamW(groups, lr=SMALL.rate)
    for group, (_, decay) in zip(older.param_groups, _by_decay(net), strict=True):
        group["weight_decay"] = decay
    stepped(net, older, range(6))
    older.param_groups[0]["weight_decay"] = 7.0
    resumed = make_optimizer(net, SMALL)
    load_optimizer(resumed, older.state_dict())
    assert [group["fused"] for group in resumed.param_groups] == [True, True]
    assert resumed.param_groups[0]["weight_decay"] == SMALL.weight_decay
    stepped(net, resumed, range(6, 12))
    for one, other in zip(net.parameters(), whole.parameters(), strict=True):
        assert torch.allclose(one, other, atol=1e-6)


def test_a_state_of_other_groups_is_refused() -> None:
    net = nn.Linear(5, 1)
    with pytest.raises(ValueError, match="argument"):
        load_optimizer(make_optimizer(net, SMALL), torch.optim.AdamW(net.parameters()).state_dict())


@pytest.mark.parametrize("samples", [160, 800, 10])
def test_the_average_is_the_weighted_mean_of_all_steps(samples: int) -> None:
    """By hand: each step's weight is 1 - its decay times the decays after it."""
    config = dataclasses.replace(SMALL, ema_samples=samples)
    decay = max(0.0, 1.0 - 16 / samples)
    steps = np.random.default_rng(0).normal(size=(200, 3))
    net, average = nn.Linear(3, 1), nn.Linear(3, 1)
    weights = np.zeros(201)
    weights[0] = 1.0
    first = average.weight.detach().numpy().astype(np.float64).copy()
    for step, row in enumerate(steps):
        with torch.no_grad():
            net.weight.copy_(torch.tensor(row)[None])
        update_average(average, net, average_decay(config, step))
        kept = min(decay, (1 + step) / (10 + step))
        weights *= kept
        weights[step + 1] = 1.0 - kept
    wanted = weights[0] * first + weights[1:] @ steps
    np.testing.assert_allclose(average.weight.detach().numpy(), wanted, atol=1e-5)


def test_the_horizon_in_samples_does_not_depend_on_the_batch() -> None:
    for batch_size in (16, 64, 256):
        config = dataclasses.replace(SMALL, batch_size=batch_size, ema_samples=51_200)
        old = average_decay(config, 10**6) ** (51_200 / batch_size)  # what is left after as many positions
        assert old == pytest.approx(np.exp(-1.0), abs=2e-3)
    assert average_decay(LearningSettings(), 10**6) == 0.995
