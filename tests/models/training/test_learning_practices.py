"""The optimizer and the averages: beside plain arithmetic, and resumed from another optimizer's state."""

import copy
import dataclasses

import numpy as np
import pytest
import torch
from torch import nn

from models.runs.config import LearningSettings
from models.training.learning import average_decay, load_optimizer, make_optimizer, update_average

TINY = LearningSettings(batch_size=16)


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
    optimizer = make_optimizer(net, TINY)
    assert optimizer.param_groups[0]["fused"]
    groups = [{"params": list(layer), "weight_decay": decay} for layer, decay in _by_decay(plain)]
    stepped(net, optimizer, range(30))
    stepped(plain, torch.optim.AdamW(groups, lr=TINY.rate, fused=False, foreach=False), range(30))
    for one, other in zip(net.parameters(), plain.parameters(), strict=True):
        assert torch.allclose(one, other, atol=1e-6)


def _by_decay(net: nn.Module) -> list[tuple[list[nn.Parameter], float]]:
    weights = [p for p in net.parameters() if p.ndim > 1]
    return [(weights, TINY.weight_decay), ([p for p in net.parameters() if p.ndim <= 1], 0.0)]


def test_a_state_of_the_plain_optimizer_goes_on_in_the_fused_one() -> None:
    """As a run of an older version does when it is resumed; what is set now counts, such as the weight decay."""
    torch.manual_seed(0)
    net = nn.Linear(5, 1)
    whole = copy.deepcopy(net)
    stepped(whole, make_optimizer(whole, TINY), range(12))
    groups = [{"params": params, "weight_decay": 7.0} for params, _ in _by_decay(net)]
    older = torch.optim.AdamW(groups, lr=TINY.rate)
    for group, (_, decay) in zip(older.param_groups, _by_decay(net), strict=True):
        group["weight_decay"] = decay
    stepped(net, older, range(6))
    older.param_groups[0]["weight_decay"] = 7.0
    resumed = make_optimizer(net, TINY)
    load_optimizer(resumed, older.state_dict())
    assert [group["fused"] for group in resumed.param_groups] == [True, True]
    assert resumed.param_groups[0]["weight_decay"] == TINY.weight_decay
    stepped(net, resumed, range(6, 12))
    for one, other in zip(net.parameters(), whole.parameters(), strict=True):
        assert torch.allclose(one, other, atol=1e-6)


def test_a_state_of_other_groups_is_refused() -> None:
    net = nn.Linear(5, 1)
    with pytest.raises(ValueError, match="argument"):
        load_optimizer(make_optimizer(net, TINY), torch.optim.AdamW(net.parameters()).state_dict())


@pytest.mark.parametrize("samples", [160, 800, 10])
def test_the_average_is_the_weighted_mean_of_all_steps(samples: int) -> None:
    """By hand: each step's weight is 1 - its decay times the decays after it."""
    config = dataclasses.replace(TINY, ema_samples=samples)
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
        config = dataclasses.replace(TINY, batch_size=batch_size, ema_samples=51_200)
        old = average_decay(config, 10**6) ** (51_200 / batch_size)  # what is left after as many positions
        assert old == pytest.approx(np.exp(-1.0), abs=2e-3)
    assert average_decay(LearningSettings(), 10**6) == 0.995
