"""Training as a process: killed at any moment it resumes, and in two minutes it learns tic-tac-toe."""

import multiprocessing
import os
import random
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.games import load_game
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.net_file import read_net_info
from models.nets.checkpoint import load_checkpoint
from models.play.replay import load_shard
from models.runs.config import TrainConfig, read_settings
from models.runs.folder import kept_nets
from models.runs.presets import preset
from models.runs.reports import parse_report, read_reports
from models.strength.exams import ExamResult, run_exams
from models.training.run import train
from tests.models.training.iterations import TINY

KILLS = int(os.environ.get("PLYSCOPE_KILLS", "6"))
CONFIG = TINY.changed(replay_positions=300, checkpoint_minutes=0.01)
COUNTERS = ("iteration", "step", "games", "samples", "elapsed_s")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")


def deadly(call: Callable[..., Any], countdown: int) -> Callable[..., Any]:
    """``call``, which at its ``countdown``-th time kills the process before it is done."""
    left = countdown

    def called(*args: Any, **kwargs: Any) -> Any:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*args, **kwargs)

    return called


def live(out: Path, place: str, countdown: int) -> None:
    """One life of the run, in a process of its own, that ends in ``place`` at the latest after so many visits."""
    if place == "write":  # a file is written but not yet in its place
        os.replace = deadly(os.replace, countdown)
    elif place == "line":  # a line of reports is there in part
        write = os.write
        last = deadly(lambda *_: None, countdown)

        def half(file: int, data: Any) -> int:
            write(file, data[: len(data) // 2])
            last()
            return len(data) // 2 + write(file, data[len(data) // 2 :])

        os.write = half
    elif place == "step":
        from torch.optim import AdamW

        AdamW.step = deadly(AdamW.step, countdown)
    train(TrainConfig.from_dict({**CONFIG.to_dict(), "iterations": 10_000}), out, resume=True)


def counters(out: Path) -> list[float]:
    progress = load_checkpoint(out / "checkpoint.pt").meta["progress"]
    return [progress[name] for name in COUNTERS]


def check_whole(out: Path) -> None:
    """Every file that is in its place is whole; of the reports at most the last line is not."""
    game = load_game("tictactoe")
    assert read_settings(out / "run.toml")["game"] == "tictactoe"
    for path in (out / "replay").rglob("*.npz"):
        assert len(load_shard(path, game))
    for step, path in kept_nets(out):
        assert read_net_info(path).step == step
    read_net_info(out / "net.onnx")
    lines = (out / "reports.jsonl").read_bytes().split(b"\n")
    assert all(parse_report(line) is not None for line in lines[:-1])


@pytest.mark.slow
def test_training_resumes_after_a_kill_at_any_moment(tmp_path: Path) -> None:
    train(CONFIG, tmp_path)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["models.training.run"])
    chance = random.Random(1)
    places = ["write", "step", "line", "anywhere"]
    before = first = counters(tmp_path)
    for kill in range(KILLS):
        place = places[kill % len(places)]
        life = context.Process(target=live, args=(tmp_path, place, chance.randint(1, 25)))
        life.start()
        while place == "anywhere" and life.is_alive() and not (tmp_path / "running.json").exists():
            life.join(0.01)
        life.join(chance.uniform(0.0, 2.0) if place == "anywhere" else 60.0)
        life.kill()
        life.join()
        assert life.exitcode == -signal.SIGKILL
        check_whole(tmp_path)
        now = counters(tmp_path)
        assert all(new >= old for new, old in zip(now, before, strict=True))
        before = now
    assert before[0] > first[0]

    last = train(TrainConfig.from_dict({**CONFIG.to_dict(), "iterations": int(before[0]) + 1}), tmp_path, resume=True)
    assert last.iterations == before[0] + 1
    check_whole(tmp_path)
    assert not list(tmp_path.rglob(".*.tmp"))
    reports = [one for one in read_reports(tmp_path / "reports.jsonl") if one["event"] == "iteration"]
    assert [one["iteration"] for one in reports] == list(range(1, last.iterations + 1))
    made = 0
    for report in reports:
        made += report["samples"]
        assert report["samples_total"] == made
    steps = [report["step"] for report in reports]
    assert steps == sorted(steps)


@pytest.mark.slow
def test_tictactoe_is_learned_in_two_minutes(tmp_path: Path) -> None:
    """All 627 unfinished positions: the move that 100 simulations with the net choose keeps the value of each.

    Proofs are found by search alone; so the net's own first choice must keep nearly all of them too.
    """
    game = load_game("tictactoe")
    config = preset("small", "tictactoe").changed(
        minutes=2.0,
        checkpoint_minutes=0.1,
        ladder_games=0,
        exam_positions=0,
        device="cpu",
    )
    found: list[dict[str, ExamResult]] = []

    def perfect() -> bool:
        return bool(found) and found[-1]["all search"].share == 1.0 and found[-1]["all policy"].share > 0.98

    def report(event: dict[str, Any]) -> None:
        if event["event"] == "checkpoint" and not perfect():
            evaluator = OnnxEvaluator(tmp_path / event["net"], game, device="cpu", threads=1)
            found.append(run_exams(game, evaluator, 1000, simulations=100))

    train(config, tmp_path, report=report, should_stop=perfect)
    assert found[0]["all policy"].of == 627
    assert found[0]["all policy"].share < 0.9  # there was something to learn
    assert perfect(), found[-1]
