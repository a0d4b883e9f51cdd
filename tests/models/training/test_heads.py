"""Policy heads that only training has: their losses by hand, what they teach the tower, checkpoints."""

import copy
import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from core.games import load_game
from models.nets.checkpoint import load_checkpoint
from models.nets.net import PolicyValueNet
from models.play.replay import Batch
from models.runs.config import TrainConfig
from models.training.heads import REPLY, SOFT, head_losses, make_heads, soft_target
from models.training.iteration import Trainer
from models.training.learning import Learner, losses
from models.training.run import train

GAME = load_game("tictactoe")
TINY = TrainConfig(
    game="tictactoe", blocks=1, channels=8, batch_size=16, warmup_steps=2, iterations=1, device="cpu",
    games=4, samples_per_iteration=24, simulations=6, fast_simulations=4, full_share=0.6, evaluator="torch",
    replay_positions=100, ladder_games=0, exam_positions=0, threads=1, train_ratio=2.0,
)  # fmt: skip
BOTH = dataclasses.replace(TINY, soft_policy_weight=8.0, reply_weight=0.15)
CPU = torch.device("cpu")


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> None:
    """Several threads of torch on a busy machine make a step many times slower."""
    torch.set_num_threads(1)


def batch(count: int = 16, seed: int = 0) -> Batch:
    rng = np.random.default_rng(seed)
    planes = (rng.random((count, 4, 3, 3)) < 0.5).astype(np.float32)
    result = rng.integers(-1, 2, count).astype(np.float32)
    policy, reply = (rng.dirichlet(np.ones(9), count).astype(np.float32) for _ in range(2))
    reply[::2] = 0.0
    return Batch(planes, policy, result, result, reply=reply)


def test_the_soft_target_by_hand() -> None:
    """1/16, 0 and 1/16^2 times 256: roots of the fourth order 1/2 and 1/4."""
    found = soft_target(torch.tensor([[1 / 16, 0.0, 1 / 256]]))
    assert found.tolist() == [pytest.approx([2 / 3, 0.0, 1 / 3])]


@pytest.mark.parametrize("heads", ["dense", "pooled"])
def test_losses_of_heads_by_a_slow_sum(heads: str) -> None:
    config = dataclasses.replace(BOTH, heads=heads)
    torch.manual_seed(1)
    net = PolicyValueNet.for_game(GAME, config.net_config()).eval()
    extra = make_heads(GAME, config).eval()
    drawn = batch()
    with torch.no_grad():
        for head in extra.values():
            nn.init.normal_(head.policy_out.weight)
        features = net.tower([(torch.from_numpy(drawn.planes), None)])
        found = head_losses(extra, features, [drawn])
        logits = {name: head.policies(features)[0].double().numpy() for name, head in extra.items()}
        whole, plain = (losses(net, [drawn], config, False, which) for which in (extra, None))
    logs = {name: x - np.log(np.exp(x).sum(axis=1, keepdims=True)) for name, x in logits.items()}
    soft = drawn.policy.astype(np.float64) ** 0.25
    by_hand = -(soft / soft.sum(axis=1, keepdims=True) * logs[SOFT]).sum(axis=1).mean()
    assert found[SOFT].item() == pytest.approx(by_hand, rel=1e-5)
    assert drawn.reply is not None
    assert found[REPLY].item() == pytest.approx(-(drawn.reply * logs[REPLY]).sum(axis=1)[1::2].mean(), rel=1e-5)
    assert whole.policy.item() == pytest.approx(plain.policy.item())
    added = 8.0 * found[SOFT].item() + 0.15 * found[REPLY].item()
    assert whole.total.item() == pytest.approx(plain.total.item() + added, rel=1e-5)


def test_a_batch_without_replies_has_no_loss_of_them() -> None:
    learner = Learner(GAME, BOTH, CPU)
    drawn = batch()
    assert drawn.reply is not None
    drawn.reply[:] = 0.0
    found = losses(learner.net, [drawn], BOTH, False, learner.heads)
    assert found.heads[REPLY].item() == 0.0
    assert torch.isfinite(found.total)


def test_heads_leave_the_net_its_layers_and_teach_its_tower() -> None:
    plain, more = Learner(GAME, TINY, CPU), Learner(GAME, BOTH, CPU)
    names = list(plain.net.state_dict())
    assert list(more.net.state_dict()) == names
    for name in names:  # the heads are made last: the same seed, the same net
        assert torch.equal(plain.net.state_dict()[name], more.net.state_dict()[name])
    assert (len(plain.heads), plain.extra()) == (0, {})
    before = copy.deepcopy(more.heads.state_dict())

    def draw(count: int, rng: np.random.Generator) -> list[Batch]:
        return [batch(count, int(rng.integers(1 << 30)))]

    figures = more.learn(4, draw, lambda: 0.0).figures
    plain.learn(4, draw, lambda: 0.0)
    assert not torch.equal(plain.net.stem.conv.weight, more.net.stem.conv.weight)
    moved = [name for name, tensor in more.heads.named_parameters() if not torch.equal(tensor, before[name])]
    assert len(moved) == len(list(more.heads.parameters()))
    soft, reply = figures["soft_policy_loss"], figures["reply_loss"]
    assert soft is not None
    assert reply is not None
    parts = [figures[name] for name in ("policy_loss", "value_loss", "regularisation")]
    assert figures["total"] == pytest.approx(sum(parts) + 8.0 * soft + 0.15 * reply)  # type: ignore[arg-type]


def test_the_soft_head_learns_its_target() -> None:
    learner = Learner(GAME, dataclasses.replace(BOTH, learning_rate=0.02), CPU)
    one = batch()
    figures = [learner.learn(30, lambda *_: [one], lambda: 0.0).figures["soft_policy_loss"] for _ in range(3)]
    target = soft_target(torch.from_numpy(one.policy))
    floor = -(target * target.log()).sum(dim=1).mean().item()
    assert figures[0] is not None
    assert figures[-1] is not None
    assert floor <= figures[-1] < floor + 0.5 * (figures[0] - floor)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A run without heads and one with both, of one iteration."""
    folder = tmp_path_factory.mktemp("runs")
    for name, config in (("plain", TINY), ("both", BOTH)):
        train(dataclasses.replace(config, iterations=2), folder / name)
    return {name: folder / name for name in ("plain", "both")}


@pytest.mark.parametrize(
    ("run", "settings", "heads", "steps"),
    [
        ("both", {}, [SOFT, REPLY], True),
        ("both", {"reply_weight": 0.0}, [SOFT], False),  # another set of heads: their optimizer begins anew
        ("both", {"soft_policy_weight": 0.0, "reply_weight": 0.0}, [], False),
        ("plain", {}, [SOFT, REPLY], False),  # a checkpoint of a run without heads
        ("both", {"optimizer": "sgd"}, [SOFT, REPLY], False),
    ],
)
def test_runs_resume_with_other_heads(
    runs: dict[str, Path], run: str, settings: dict[str, Any], heads: list[str], steps: bool
) -> None:
    before = load_checkpoint(runs[run] / "checkpoint.pt")
    trainer = Trainer(dataclasses.replace(BOTH, iterations=3, **settings), runs[run], resume=True)
    learner = trainer.learner
    assert list(learner.heads) == heads
    for name, tensor in learner.net.state_dict().items():
        assert torch.equal(tensor, before.net[name])
    if run == "both":
        for name in heads:
            for key, tensor in learner.heads[name].state_dict().items():
                assert torch.equal(tensor, before.extra["heads"][name][key])
    else:
        assert "heads" not in before.extra
    optimizer = learner.heads_optimizer
    assert (optimizer is not None) == bool(heads)
    if optimizer is not None:
        assert bool(optimizer.state_dict()["state"]) == steps
