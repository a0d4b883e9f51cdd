"""Training: settings, losses by hand, optimiser, averages, and whole runs of tiny iterations."""

import dataclasses
import json
import math
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from core.games import load_game
from models import train as training
from models.checkpoint import load_checkpoint
from models.net import NetConfig, PolicyValueNet
from models.onnx_eval import OnnxEvaluator, read_net_info
from models.replay import Batch
from models.train import TrainConfig, Trainer, TrainError, learning_rate, losses, make_optimizer, train, update_average

TINY = TrainConfig(
    game="tictactoe",
    blocks=1,
    channels=8,
    games=8,
    samples_per_iteration=32,
    simulations=8,
    fast_simulations=4,
    full_share=0.5,
    replay_positions=200,
    batch_size=16,
    train_ratio=2.0,
    warmup_steps=2,
    iterations=2,
    threads=2,
    device="cpu",
)


class Fixed(nn.Module):
    """Answers the same for every position: policy (1/2, 1/4, 1/4), win 1/2, draw 1/4, loss 1/4."""

    def __init__(self) -> None:
        super().__init__()
        self.logits = nn.Parameter(torch.tensor([2.0, 1.0, 1.0]).log())

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        rows = self.logits.expand(len(planes), 3)
        chances = rows.softmax(dim=1)
        return rows, chances[:, 0] - chances[:, 2], rows


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
        got = losses(Fixed(), drawn, config, bf16=False)  # type: ignore[arg-type]
    assert float(got.value) == pytest.approx(wanted, abs=1e-6)
    assert float(got.policy) == pytest.approx((LN2 + 2 * LN2) / 2, abs=1e-6)
    assert float(got.total) == pytest.approx(1.5 * LN2 + 3.0 * wanted, abs=1e-5)
    assert float(got.entropy) == pytest.approx(0.5 * LN2 + 0.5 * 2 * LN2, abs=1e-6)


def test_losses_teach() -> None:
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
    first = losses(net, drawn, TINY, bf16=False)
    for _ in range(60):
        loss = losses(net, drawn, TINY, bf16=False)
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


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"games": 0}, "games is 0; it must be a whole number from 1 to 65536"),
        ({"games": 2.5}, "games is 2.5; it must be a whole number"),
        ({"learning_rate": float("nan")}, "learning_rate is nan; it must be a number from 1e-09 to 10"),
        ({"learning_rate": "fast"}, "learning_rate is 'fast'; it must be a number"),
        ({"value_loss": "l1"}, "value_loss is 'l1'; it must be one of wdl, mse"),
        ({"channels": 0}, "channels is 0; it must be a whole number from 1 to 1024"),
        ({"game": ""}, "game is ''; it must be a game as load_game takes it"),
        ({"iterations": 0, "minutes": 0.0}, "minutes and iterations are both 0"),
        ({"minuets": 3}, "'minuets' is no training setting; the settings are game, blocks"),
    ],
)
def test_bad_settings_are_quoted(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence.replace("(", r"\(")):
        TrainConfig.from_dict({**TINY.to_dict(), **changes})


def test_settings_round_trip() -> None:
    assert TrainConfig.from_dict(json.loads(json.dumps(TINY.to_dict()))) == TINY


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """A whole run of two iterations."""
    out = tmp_path_factory.mktemp("run") / "ttt"
    reports: list[dict[str, Any]] = []
    result = train(TINY, out, report=reports.append)
    assert (result.reason, result.iterations) == ("iterations done", 2)
    assert result.steps == reports[-1]["step"]
    return out, reports


def lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "reports.jsonl").read_text().splitlines()]


def test_run_reports(run: tuple[Path, list[dict[str, Any]]]) -> None:
    out, reports = run
    assert lines(out) == reports
    first, second = reports
    assert (first["iteration"], second["iteration"]) == (1, 2)
    assert first["steps"] == 0  # learning begins with what the first iteration made
    assert second["step"] == second["steps"] == int(first["samples_total"] * 2.0 / 16)
    assert second["samples_total"] == first["samples"] + second["samples"] == second["replay"]
    assert second["games_total"] == first["games"] + second["games"]
    assert 0.0 < second["policy_loss"] < 3.0
    assert 0.0 < second["value_loss"] < 2.0
    assert 0.0 <= second["target_entropy"] <= math.log(9)
    assert second["elapsed_s"] >= first["elapsed_s"]
    for report in reports:
        assert f"iteration {report['iteration']}" in training.report_line(report)


def test_run_leaves_a_net(run: tuple[Path, list[dict[str, Any]]]) -> None:
    out, reports = run
    game = load_game("tictactoe")
    info = read_net_info(out / "net.onnx")
    assert (info.game, info.step, info.config["channels"]) == ("tictactoe", reports[-1]["step"], 8)
    policy, value = OnnxEvaluator(out / "net.onnx", game, device="cpu").evaluate(game.initial().planes()[None])
    net = PolicyValueNet.for_game(game, TINY.net_config()).eval()
    net.load_state_dict(load_checkpoint(out / "checkpoint.pt").averaged)
    with torch.inference_mode():
        want_policy, want_value, _ = net(torch.from_numpy(game.initial().planes()[None]))
    np.testing.assert_allclose(policy, want_policy.numpy(), atol=1e-4)
    np.testing.assert_allclose(value, want_value.numpy(), atol=1e-4)


def test_run_resumes(run: tuple[Path, list[dict[str, Any]]], tmp_path: Path) -> None:
    """Killed after its checkpoint and before its report line, with a shard of the iteration it was in."""
    out = tmp_path / "copy"
    (out / "replay").mkdir(parents=True)
    for path in run[0].rglob("*"):
        if path.is_file():
            (out / path.relative_to(run[0])).write_bytes(path.read_bytes())
    whole = (out / "reports.jsonl").read_text().splitlines(keepends=True)
    (out / "reports.jsonl").write_text(whole[0] + whole[1][:20])
    (out / "replay" / "000003.npz").write_bytes((out / "replay" / "000002.npz").read_bytes())

    trainer = Trainer(TINY, out, resume=True)
    before = load_checkpoint(out / "checkpoint.pt")
    assert dataclasses.asdict(trainer.progress) == before.meta["progress"]
    assert len(trainer.replay) == run[1][-1]["replay"]
    assert trainer.rng.bit_generator.state == before.meta["rng"]
    assert all(torch.equal(t, before.net[name]) for name, t in trainer.net.state_dict().items())
    assert trainer.optimizer.state_dict()["state"][0]["step"] == before.optimizer["state"][0]["step"]
    assert lines(out) == run[1]
    assert not (out / "replay" / "000003.npz").exists()

    result = train(dataclasses.replace(TINY, iterations=3), out, resume=True)
    assert result.iterations == 3
    reports = lines(out)
    assert [report["iteration"] for report in reports] == [1, 2, 3]
    assert reports[2]["samples_total"] == reports[1]["samples_total"] + reports[2]["samples"]
    assert reports[2]["step"] == int(reports[1]["samples_total"] * 2.0 / 16)
    assert reports[2]["elapsed_s"] >= reports[1]["elapsed_s"]


def test_finished_run_is_not_begun_again(run: tuple[Path, list[dict[str, Any]]]) -> None:
    with pytest.raises(TrainError, match="already holds a run; resume it or give another folder"):
        train(TINY, run[0])


@pytest.mark.parametrize(("name", "value"), [("channels", 16), ("game", "connectn(rows=4, cols=4, k=3)")])
def test_resume_needs_the_same_net(run: tuple[Path, list[dict[str, Any]]], name: str, value: Any) -> None:
    with pytest.raises(TrainError, match=f"{name} is .*; the run in .* has"):
        train(dataclasses.replace(TINY, **{name: value}), run[0], resume=True)


def test_stop_saves(tmp_path: Path) -> None:
    """Ctrl-C ends a run with a checkpoint and a net, and is the program's own again afterwards."""
    reports: list[dict[str, Any]] = []
    before = signal.getsignal(signal.SIGINT)

    def report(figures: dict[str, Any]) -> None:
        reports.append(figures)
        signal.raise_signal(signal.SIGINT)

    result = train(dataclasses.replace(TINY, iterations=50), tmp_path, report=report)
    assert signal.getsignal(signal.SIGINT) is before
    assert (result.reason, result.iterations, len(reports)) == ("stopped", 1, 1)
    assert load_checkpoint(result.checkpoint).meta["progress"]["iteration"] == 1
    assert read_net_info(result.net).step == reports[0]["step"]


def test_minutes_end_a_run(tmp_path: Path) -> None:
    config = dataclasses.replace(TINY, iterations=0, minutes=0.002, samples_per_iteration=100_000)
    assert train(config, tmp_path).reason == "minutes reached"


def test_loss_that_is_no_number_ends_the_run(tmp_path: Path) -> None:
    trainer = Trainer(TINY, tmp_path, resume=False)
    trainer.iterate(lambda: False)
    with torch.no_grad():
        trainer.net.stem.conv.weight.fill_(float("nan"))
    with pytest.raises(TrainError, match="the loss is no longer a number at step 0; the last checkpoint is sound"):
        trainer.iterate(lambda: False)
    assert load_checkpoint(tmp_path / "checkpoint.pt").meta["progress"]["iteration"] == 1
    assert len(lines(tmp_path)) == 1


def test_error_in_self_play_comes_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer(TINY, tmp_path, resume=False)

    def fail(*_: object) -> None:
        raise ValueError("the evaluator gave up")

    monkeypatch.setattr(trainer.players[1], "play", fail)
    with pytest.raises(ValueError, match="the evaluator gave up"):
        trainer.iterate(lambda: False)
    assert not (tmp_path / "checkpoint.pt").exists()
