"""Whole runs of tiny iterations: what they leave, how they resume, obey, and end."""

import dataclasses
import errno
import json
import math
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.games import load_game
from core.text import Text
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.net_file import read_net_info
from models.nets.checkpoint import load_checkpoint, save_checkpoint
from models.nets.net import PolicyValueNet
from models.play import replay as replays
from models.play.replay import Batch
from models.play.samples import Samples
from models.runs.config import read_settings
from models.runs.folder import RunError, kept_nets, running, send
from models.runs.removal import contents
from models.runs.reports import read_reports, report_line
from models.training.iteration import Trainer
from models.training.learning import Learned, Learner
from models.training.run import TrainError, train
from tests.models.training.iterations import TINY, iterate

CONFIG = TINY.changed(
    full_share=0.5,
    replay_positions=200,
    train_ratio=2.0,
    carry_steps=False,
    exam_positions=4,
    iterations=2,
    threads=2,
)

Reports = list[dict[str, Any]]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Reports]:
    """A whole run of two iterations."""
    out = tmp_path_factory.mktemp("run") / "ttt"
    reports: Reports = []
    result = train(CONFIG, out, report=reports.append)
    assert (result.reason, result.iterations) == ("iterations done", 2)
    assert result.steps == load_checkpoint(result.checkpoint).meta["progress"]["step"]
    return out, reports


def of(reports: Reports, event: str) -> Reports:
    return [report for report in reports if report["event"] == event]


def test_run_reports(run: tuple[Path, Reports]) -> None:
    out, reports = run
    assert read_reports(out / "reports.jsonl") == json.loads(json.dumps(reports))
    assert all(report["time"] > 1e9 and report["elapsed_s"] >= 0.0 for report in reports)
    first, second = of(reports, "iteration")
    assert (first["iteration"], second["iteration"]) == (1, 2)
    assert first["steps"] == 0  # learning begins with what the first iteration made
    assert first["kl"] is None
    assert second["step"] == second["steps"] == int(first["samples_total"] * 2.0 / 16)
    assert second["samples_total"] == first["samples"] + second["samples"]
    assert second["replay"] == replays.window(second["samples_total"], CONFIG.learning.replay_positions)
    assert second["games_total"] == first["games"] + second["games"]
    assert 0.0 < second["policy_loss"] < 3.0
    assert 0.0 < second["value_loss"] < 2.0
    assert 0.0 <= second["target_entropy"] <= math.log(9)
    assert second["kl"] == pytest.approx(second["policy_loss"] - second["target_entropy"])
    assert second["elapsed_s"] >= first["elapsed_s"]
    assert first["replay_age"] == 0
    assert second["replay_age"] == 1
    for report in (first, second):
        assert f"iteration {report['iteration']}" in report_line(report)
        assert sum(count for _, _, count in report["calibration"]) == min(512, report["samples"])
        assert 0.0 <= report["calibration_error"] <= 2.0
        assert min(report[name] for name in ("games_per_s", "positions_per_s", "evaluations_per_s", "alone_per_s")) > 0
        assert report["memory_mb"] > 10


def test_new_positions_are_judged_before_they_are_learned_from(run: tuple[Path, Reports]) -> None:
    """The last iteration's positions have never been learned from: the averaged net that was saved has these losses."""
    out, reports = run
    learner = Learner(load_game("tictactoe"), CONFIG, torch.device("cpu"))
    learner.average.load_state_dict(load_checkpoint(out / "checkpoint.pt").averaged)
    samples = replays.load_shard(replays.shard_path(out / "replay", 2), load_game("tictactoe"))
    before = {name: tensor.clone() for name, tensor in learner.average.state_dict().items()}
    found = learner.held_out([replays.newest_batch(samples, 512)])
    report = of(reports, "iteration")[1]
    assert found == pytest.approx({name: report[name] for name in found}, abs=1e-5)
    assert set(found) == {"held_out_policy_loss", "held_out_value_loss", "held_out_kl"}
    assert report["held_out_kl"] > 0.0
    assert all(torch.equal(tensor, before[name]) for name, tensor in learner.average.state_dict().items())
    assert learner.held_out([replays.newest_batch(Samples.empty(load_game("tictactoe")), 512)]) == {}


def test_a_run_reports_start_and_end(run: tuple[Path, Reports]) -> None:
    folder, reports = run
    start = read_reports(folder / "reports.jsonl")[0]
    assert isinstance(start["evaluator"], Text)
    assert start == reports[0]
    assert (start["event"], start["resumed"], start["device"], start["threads"]) == ("start", False, "cpu", 2)
    assert start["config"] == CONFIG.to_dict()
    assert "evaluations/s alone at batch 4" in start["evaluator"]
    assert (reports[-1]["event"], reports[-1]["reason"]) == ("stopped", "iterations done")


def test_run_keeps_and_measures_nets(run: tuple[Path, Reports]) -> None:
    out, reports = run
    kept = of(reports, "checkpoint")
    last = of(reports, "iteration")[-1]["step"]
    assert [one["step"] for one in kept] == [0, last] == [step for step, _ in kept_nets(out)]
    assert [one["net"] for one in kept] == ["nets/step-00000000.onnx", f"nets/step-{last:08d}.onnx"]
    assert (out / "net.onnx").read_bytes() == (out / kept[-1]["net"]).read_bytes()
    matches = of(reports, "match")
    assert matches[0]["step"] == 0
    assert matches[-1]["step"] == last
    assert all(one["wins"] + one["draws"] + one["losses"] == 2 for one in matches)
    ratings = of(reports, "ladder")[-1]["ratings"]
    assert ratings["random"][0] == 0.0
    assert f"step-{last:08d}" in ratings
    assert read_net_info(out / "best.onnx").step in (0, last)


def test_run_leaves_a_net(run: tuple[Path, Reports]) -> None:
    out, reports = run
    game = load_game("tictactoe")
    info = read_net_info(out / "net.onnx")
    assert (info.game, info.step, info.config["channels"]) == ("tictactoe", of(reports, "iteration")[-1]["step"], 8)
    policy, value = OnnxEvaluator(out / "net.onnx", game, device="cpu").evaluate(game.initial().planes()[None])
    net = PolicyValueNet.for_game(game, CONFIG.net_config()).eval()
    net.load_state_dict(load_checkpoint(out / "checkpoint.pt").averaged)
    with torch.inference_mode():
        want_policy, want_value, _ = net(torch.from_numpy(game.initial().planes()[None]))
    np.testing.assert_allclose(policy, want_policy.numpy(), atol=1e-4)
    np.testing.assert_allclose(value, want_value.numpy(), atol=1e-4)


def test_a_run_leaves_its_settings_and_no_temporary_files(run: tuple[Path, Reports]) -> None:
    assert read_settings(run[0] / "run.toml") == CONFIG.to_dict()
    assert not (run[0] / "running.json").exists()
    assert not list(run[0].rglob(".*.tmp"))
    assert contents(run[0]).others == ()


def copied(source: Path, target: Path) -> Path:
    for path in source.rglob("*"):
        if path.is_file():
            (target / path.relative_to(source)).parent.mkdir(parents=True, exist_ok=True)
            (target / path.relative_to(source)).write_bytes(path.read_bytes())
    return target


def test_run_resumes(run: tuple[Path, Reports], tmp_path: Path) -> None:
    """Killed after its checkpoint and before its report line was whole, with unfinished files about."""
    out = copied(run[0], tmp_path / "copy")
    lines = [json.dumps(report) for report in run[1] if report["event"] == "iteration"]
    (out / "reports.jsonl").write_text(f"{lines[0]}\n{lines[1][:20]}")
    (out / "replay" / ".000003.npz.99.tmp").write_bytes(b"half")
    (out / "running.json").write_text('{"pid": 4194305, "started": 1.0, "phase": "", "beat": 1.0}')

    trainer = Trainer(CONFIG, out, resume=True)
    before = load_checkpoint(out / "checkpoint.pt")
    assert dataclasses.asdict(trainer.progress) == before.meta["progress"]
    assert len(trainer.replay) == of(run[1], "iteration")[-1]["replay"]
    assert trainer.learner.rng.bit_generator.state == before.meta["rng"]
    assert torch.equal(torch.get_rng_state(), before.extra["torch_rng"])
    assert all(torch.equal(t, before.net[name]) for name, t in trainer.learner.net.state_dict().items())
    assert trainer.learner.optimizer.state_dict()["state"][0]["step"] == before.optimizer["state"][0]["step"]
    assert read_reports(out / "reports.jsonl") == of(json.loads(json.dumps(run[1])), "iteration")

    result = train(CONFIG.changed(iterations=3), out, resume=True)
    assert result.iterations == 3
    assert not (out / "replay" / ".000003.npz.99.tmp").exists()
    reports = of(read_reports(out / "reports.jsonl"), "iteration")
    assert [report["iteration"] for report in reports] == [1, 2, 3]
    assert reports[2]["samples_total"] == reports[1]["samples_total"] + reports[2]["samples"]
    assert reports[2]["step"] == int(reports[1]["samples_total"] * 2.0 / 16)
    assert reports[2]["elapsed_s"] >= reports[1]["elapsed_s"]
    assert of(read_reports(out / "reports.jsonl"), "start")[-1]["resumed"] is True


def test_resuming_an_iteration_draws_other_games(run: tuple[Path, Reports], tmp_path: Path) -> None:
    out = copied(run[0], tmp_path / "copy")
    drawn = []
    for _ in range(3):
        trainer: Any = Trainer(CONFIG, out, resume=True)
        trainer.event("start")
        drawn.append([player._rng.random() for turns in trainer.pool.players for player in turns._players])
    assert len({number for numbers in drawn for number in numbers}) == 6


@pytest.mark.slow
def test_a_seeded_run_repeats_with_several_threads(tmp_path: Path) -> None:
    weights = []
    for name in ("a", "b"):
        trainer = Trainer(CONFIG, tmp_path / name, resume=False)
        for _ in range(2):
            iterate(trainer)
        weights.append(trainer.learner.net.state_dict())
    assert all(torch.equal(t, weights[1][name]) for name, t in weights[0].items())


def test_steps_due_are_carried_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A learner that takes no step owes more after each iteration, but not more than four iterations' steps."""
    config = CONFIG.changed(carry_steps=True, iterations=8)
    trainer = Trainer(config, tmp_path, resume=False)
    due = []

    def learn(steps: int, *_: Any) -> Learned:
        due.append(steps)
        return Learned(0, {}, 0.0, 0.0)

    monkeypatch.setattr(trainer.learner, "learn", learn)
    reports = [iterate(trainer) for _ in range(8)]
    of_one = int(config.self_play.samples_per_iteration * 2.0 / 16)
    assert due[0] == 0
    assert due[1] == int(reports[0]["samples_total"] * 2.0 / 16)
    assert due[-1] == max(due) == 4 * of_one
    assert reports[-1]["forgone"] == int(reports[-2]["samples_total"] * 2.0 / 16) - 4 * of_one
    trainer.close()
    again = Trainer(config, tmp_path, resume=True)
    assert again.progress.forgone == reports[-1]["forgone"]
    again.close()


def test_learning_stops_with_the_playing_but_in_the_last_iteration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = Trainer(CONFIG.changed(carry_steps=True, iterations=2), tmp_path, resume=False)
    play = trainer.pool.play
    played = threading.Event()

    def noted(*given: Any) -> Iterator[Any]:
        yield from play(*given)
        played.set()

    def learn(steps: int, draw: object, progress: object, should_stop: Callable[[], bool]) -> Learned:
        assert played.wait(60)
        while trainer.progress.iteration == 0 and not should_stop():
            pass
        return Learned(int(should_stop()), {}, 0.0, 0.0)

    monkeypatch.setattr(trainer.pool, "play", noted)
    monkeypatch.setattr(trainer.learner, "learn", learn)
    assert iterate(trainer)["steps"] == 1
    played.clear()
    assert iterate(trainer)["steps"] == 0
    trainer.close()


def test_a_run_with_another_optimizer_of_an_earlier_version_goes_on(run: tuple[Path, Reports], tmp_path: Path) -> None:
    out = copied(run[0], tmp_path / "copy")
    before = load_checkpoint(out / "checkpoint.pt")
    settings = {name.rpartition(".")[2]: value for name, value in before.meta["config"].items()}
    meta = {**before.meta, "config": {**settings, "optimizer": "sgd", "temperature": 0.5}}
    save_checkpoint(out / "checkpoint.pt", dataclasses.replace(before, optimizer={}, meta=meta))
    trainer = Trainer(CONFIG, out, resume=True)
    assert not trainer.learner.optimizer.state
    assert trainer.progress.step == before.meta["progress"]["step"]
    trainer.close()


@pytest.mark.parametrize(("name", "value"), [("channels", 16), ("game", "connectn(rows=4, cols=4, k=3)")])
def test_resume_needs_the_same_net(run: tuple[Path, Reports], name: str, value: Any) -> None:
    with pytest.raises(TrainError, match=f"{name} is .*; the run in .* has"):
        train(CONFIG.changed(**{name: value}), run[0], resume=True)


def test_stop_saves_a_checkpoint(tmp_path: Path) -> None:
    """Ctrl-C ends a run with a checkpoint and a net, and is the program's own again afterwards."""
    reports: Reports = []
    before = signal.getsignal(signal.SIGINT)

    def report(figures: dict[str, Any]) -> None:
        reports.append(figures)
        if figures["event"] == "iteration":
            signal.raise_signal(signal.SIGINT)

    result = train(CONFIG.changed(iterations=50), tmp_path, report=report)
    assert signal.getsignal(signal.SIGINT) is before
    assert (result.reason, result.iterations, len(of(reports, "iteration"))) == ("stopped", 1, 1)
    assert load_checkpoint(result.checkpoint).meta["progress"]["iteration"] == 1
    assert reports[-1]["reason"] == "stopped"


def test_commands_pause_resume_and_stop(tmp_path: Path) -> None:
    """Nothing advances while it is paused; the pause is not counted as the run's time."""
    reports: Reports = []
    happened: dict[str, threading.Event] = {name: threading.Event() for name in ("iteration", "paused", "resumed")}

    def report(figures: dict[str, Any]) -> None:
        reports.append(figures)
        if figures["event"] in happened:
            happened[figures["event"]].set()

    worker = threading.Thread(target=train, args=(CONFIG.changed(iterations=10_000), tmp_path, False, report))
    worker.start()
    try:
        assert happened["iteration"].wait(60)
        send(tmp_path, "pause")
        assert happened["paused"].wait(60)
        running = json.loads((tmp_path / "running.json").read_bytes())
        assert running["pid"] == os.getpid()
        send(tmp_path, "resume")
        assert happened["resumed"].wait(60)
        happened["iteration"].clear()
        assert happened["iteration"].wait(60)
    finally:
        send(tmp_path, "stop")
        worker.join(60)
    assert not worker.is_alive()
    assert reports[-1]["event"] == "stopped"
    events = [report["event"] for report in reports]
    # An iteration that was being saved may still be told.
    assert events[events.index("paused") : events.index("resumed")].count("iteration") <= 1
    paused, resumed = of(reports, "paused")[0], of(reports, "resumed")[0]
    assert resumed["elapsed_s"] == pytest.approx(paused["elapsed_s"], abs=0.11)
    assert not (tmp_path / "command.json").exists()
    assert not (tmp_path / "running.json").exists()


@pytest.mark.slow
def test_finish_ends_a_run_after_a_whole_iteration(tmp_path: Path) -> None:
    """The command to stop would end it within the iteration."""
    reports: Reports = []

    def report(figures: dict[str, Any]) -> None:
        reports.append(figures)
        if figures["event"] == "iteration" and figures["iteration"] == 1:
            send(tmp_path, "finish")

    result = train(CONFIG.changed(iterations=10_000, ladder_games=0), tmp_path, report=report)
    assert (result.reason, reports[-1]["event"]) == ("stopped", "stopped")
    iterations = of(reports, "iteration")
    assert 1 <= len(iterations) < 100
    assert all(one["samples"] >= CONFIG.self_play.samples_per_iteration for one in iterations)
    assert kept_nets(tmp_path)[-1][0] == iterations[-1]["step"]


def test_minutes_end_a_run(tmp_path: Path) -> None:
    config = CONFIG.changed(iterations=0, minutes=0.002, samples_per_iteration=100_000)
    assert train(config, tmp_path).reason == "minutes reached"


def poisoned(draw: Callable[..., tuple[Batch, ...]]) -> Callable[..., tuple[Batch, ...]]:
    """Gives batches whose first plane holds a number that is none."""

    def drawn(*args: Any) -> tuple[Batch, ...]:
        batches = draw(*args)
        batches[0].planes[0, 0, 0, 0] = np.nan
        return batches

    return drawn


@pytest.mark.slow
def test_loss_that_is_no_number_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weights are those of the last checkpoint again, which is kept, and the sentence mentions it."""
    train(CONFIG, tmp_path)
    before = load_checkpoint(tmp_path / "checkpoint.pt")
    step = before.meta["progress"]["step"]
    trainer = Trainer(CONFIG.changed(iterations=5), tmp_path, resume=True)
    monkeypatch.setattr(trainer.replay, "draw", poisoned(trainer.replay.draw))
    sentence = f"the loss is no longer a number at step {step}; the checkpoint of step {step} is kept"
    with pytest.raises(TrainError, match=sentence):
        iterate(trainer)
    assert all(torch.equal(t, before.net[name]) for name, t in trainer.learner.net.state_dict().items())
    assert load_checkpoint(tmp_path / "checkpoint.pt").meta == before.meta

    monkeypatch.setattr(replays.Replays, "draw", poisoned(replays.Replays.draw))  # as a run of its own
    with pytest.raises(TrainError, match=sentence):
        train(CONFIG.changed(iterations=5), tmp_path, resume=True)
    last = read_reports(tmp_path / "reports.jsonl")[-1]
    assert (last["event"], last["sentence"][:30]) == ("error", sentence[:30])
    assert isinstance(last["sentence"], Text)
    assert not (tmp_path / "running.json").exists()


def test_a_gpu_out_of_memory_ends_the_run_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB.")

    monkeypatch.setattr(Trainer, "play_and_learn", full)
    with pytest.raises(RunError, match=r"^the GPU's memory is full; what was saved is whole: resume with fewer games"):
        train(CONFIG, tmp_path)
    sentence = read_reports(tmp_path / "reports.jsonl")[-1]["sentence"]
    assert sentence.startswith("the GPU's memory is full")
    assert isinstance(sentence, Text)


def test_errors_in_self_play_are_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer: Any = Trainer(CONFIG, tmp_path, resume=False)

    def fail(*_: object) -> None:
        raise ValueError("the evaluator gave up")

    monkeypatch.setattr(trainer.pool.players[1], "play", fail)
    with pytest.raises(ValueError, match="the evaluator gave up"):
        iterate(trainer)
    assert not (tmp_path / "checkpoint.pt").exists()


def test_a_run_whose_folder_is_moved_stops_and_writes_nothing_there(tmp_path: Path) -> None:
    out, there = tmp_path / "run", tmp_path / "elsewhere"

    def move(report: dict[str, Any]) -> None:
        if report["event"] == "iteration" and out.exists():
            out.rename(there)

    with pytest.raises(RunError, match=r"^the run's folder '.*run' was moved or removed; the run stopped and can be"):
        train(CONFIG.changed(iterations=10_000, checkpoint_minutes=0.01), out, report=move)
    assert not out.exists()
    before = of(read_reports(there / "reports.jsonl"), "iteration")[-1]["iteration"]
    assert running(there) is not None  # only in a test: its process lives on
    resumed = train(CONFIG.changed(iterations=before + 1), there, resume=True)
    assert resumed.iterations == before + 1


@pytest.mark.slow
@pytest.mark.parametrize("full", [3, 5, 8])
def test_a_full_disk_stops_the_run_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: int) -> None:
    """The disk has room for so many whole files; the next write fails half-way."""
    left = full
    replace = os.replace

    def write(source: Any, target: Any) -> None:
        nonlocal left
        if Path(target).name != "running.json":
            left -= 1
            if left < 0:
                raise OSError(errno.ENOSPC, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", write)
    with pytest.raises(
        RunError, match=r"nothing more can be written into .*\(No space left on device\); the run stopped"
    ):
        train(CONFIG.changed(iterations=50), tmp_path)
    monkeypatch.undo()
    assert not list(tmp_path.rglob(".*.tmp"))
    assert read_reports(tmp_path / "reports.jsonl")[-1]["event"] == "error"
    resumed = train(CONFIG.changed(iterations=4), tmp_path, resume=True)
    assert resumed.reason == "iterations done"


def test_games_that_ended_are_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed before the end of an iteration, its finished games are part of it when it is begun again."""
    trainer = Trainer(CONFIG, tmp_path, resume=False)
    iterate(trainer)
    monkeypatch.setattr("models.training.boards.SAVE_S", 0.0)
    monkeypatch.setattr(trainer, "save", lambda *_: None)  # it does not come to its checkpoint
    lost = iterate(trainer)
    monkeypatch.undo()
    pending = tmp_path / "replay" / "pending"
    saved = sorted(pending.rglob("000002.npz"))
    kept = Samples.joined([replays.load_shard(path, trainer.game) for path in saved])
    assert 0 < len(kept) <= lost["samples"]
    (pending / "000001.npz").write_bytes(saved[0].read_bytes())  # of an iteration that is over

    again = Trainer(CONFIG.changed(samples_per_iteration=len(kept)), tmp_path, resume=True)
    figures = iterate(again, lambda: True)
    assert figures["samples"] == len(kept)
    assert figures["games"] == len(kept.traces)
    assert figures["games_total"] == again.progress.games
    assert figures["mean_plies"] == pytest.approx(np.mean([len(t.opening) + len(t.moves) for t in kept.traces]))
    assert not list(pending.iterdir())
    shard = replays.load_shard(tmp_path / "replay" / "000002.npz", trainer.game)
    np.testing.assert_array_equal(shard.policy, kept.policy)


def test_a_gate_lets_the_better_net_play(tmp_path: Path) -> None:
    """With a gate of nearly nothing every net passes and plays; the checkpoint knows which."""
    config = CONFIG.changed(gate=0.001, ladder_games=0, exam_positions=0, checkpoint_minutes=0.01)
    reports: Reports = []
    train(config, tmp_path, report=reports.append)
    gates = of(reports, "gate")
    assert [one["passed"] for one in gates] == [True] * len(gates)
    assert len(gates) == len(of(reports, "checkpoint")) - 1
    checkpoint = load_checkpoint(tmp_path / "checkpoint.pt")
    assert checkpoint.meta["gated_step"] == 0
    trainer: Any = Trainer(config, tmp_path, resume=True)
    assert trainer.playing_step == 0
    game = load_game("tictactoe")
    planes = game.initial().planes()[None]
    played = trainer.pool.evaluators(trainer.playing_net(), trainer.playing_step)[0][0].evaluate(planes)[0]
    first = OnnxEvaluator(tmp_path / "nets" / "step-00000000.onnx", game, device="cpu").evaluate(planes)[0]
    np.testing.assert_allclose(played, first, atol=0.02)  # bfloat16 where the processor has it


def test_onnxruntime_may_play(tmp_path: Path) -> None:
    trainer: Any = Trainer(CONFIG.changed(evaluator="onnxruntime"), tmp_path, resume=False)
    assert trainer.pool.words.startswith("onnxruntime on CPU, ")
    assert isinstance(trainer.pool.evaluators(trainer.playing_net(), trainer.playing_step)[0][0], OnnxEvaluator)
    figures = iterate(trainer)
    assert figures["samples"] >= 32


@pytest.mark.slow
def test_a_run_ends_near_its_budget_of_evaluations(tmp_path: Path) -> None:
    """A whole last iteration would exceed it by up to 1500 here."""
    config = CONFIG.changed(
        iterations=0, evaluations=5000, samples_per_iteration=400, games=4, threads=1, ladder_games=0
    )
    reports: Reports = []
    result = train(config, tmp_path / "run", report=reports.append)
    made = of(reports, "iteration")
    assert result.reason == "evaluations done"
    assert made[-1]["samples"] < made[0]["samples"]
    assert 5000 <= made[-1]["evaluations_total"] < 5300
