"""Measuring kept nets in a thread beside the run: events, gate, the best net, stops and errors."""

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.games import load_game
from models.netfiles.net_file import read_net_info
from models.netfiles.ort_session import BadNet
from models.nets.net import NetConfig, PolicyValueNet
from models.runs.config import TrainConfig
from models.runs.folder import net_path
from models.training.measuring import LocalJudge, Measurer
from models.training.playing_net import write_net

GAME = load_game("tictactoe")
CONFIG = TrainConfig.of(
    game="tictactoe", blocks=1, channels=8, ladder_games=2, ladder_simulations=4, exam_positions=5, iterations=1
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With the nets of the steps 0 and 7, which are the same but for their names."""
    (tmp_path / net_path(0)).parent.mkdir()
    for step in (0, 7):
        torch.manual_seed(0)
        write_net(PolicyValueNet.for_game(GAME, NetConfig(1, 8)).eval(), GAME, tmp_path / net_path(step), step)
    return tmp_path


class Events:
    """Collects what a measurer writes."""

    def __init__(self) -> None:
        self.all: list[dict[str, Any]] = []
        self.first_match = threading.Event()

    def __call__(self, event: str, **fields: Any) -> None:
        self.all.append({"event": event, **fields})
        if event == "match":
            self.first_match.set()

    def of(self, event: str) -> list[dict[str, Any]]:
        return [one for one in self.all if one["event"] == event]


def measurer(folder: Path, events: Events, elapsed_s: float = 0.0, **changes: Any) -> Measurer:
    options = {name: changes.pop(name) for name in ("should_stop", "promoted", "playing") if name in changes}
    stop = options.pop("should_stop", lambda: False)
    config = CONFIG.changed(**changes)
    return Measurer(LocalJudge(folder, GAME, config), config, events, lambda: elapsed_s, stop, **options)


def test_every_net_is_examined_and_plays(folder: Path) -> None:
    events = Events()
    measuring = measurer(folder, events)
    measuring.add(0)
    measuring.add(7)
    measuring.finish()
    assert [one["step"] for one in events.of("exam")] == [0, 7]
    for one in events.of("exam"):
        assert one["net"] == net_path(one["step"])
        assert one["results"]
        assert all(0 <= result["right"] <= result["of"] <= 5 for result in one["results"].values())
    assert [one["step"] for one in events.of("match")] == [0, 7]
    assert all(one["wins"] + one["draws"] + one["losses"] == 2 for one in events.of("match"))
    ratings = events.of("ladder")[-1]["ratings"]
    assert ratings["random"] == [0.0, 0.0, 0.0]
    assert {"step-00000000", "step-00000007"} <= set(ratings)
    assert all(np.isfinite(figures).all() for figures in ratings.values())
    best = events.of("ladder")[-1]["best"]
    assert read_net_info(folder / "best.onnx").step == int(best.removeprefix("step-"))


def test_measuring_can_be_switched_off(folder: Path) -> None:
    events = Events()
    measuring = measurer(folder, events, ladder_games=0, exam_positions=0)
    measuring.add(7)
    measuring.finish()
    assert events.all == []
    assert not (folder / "best.onnx").exists()


def test_measuring_continues_within_its_share_of_time(folder: Path) -> None:
    """An hour of the run leaves time for more than one bout of the only net."""
    events = Events()
    measuring = measurer(folder, events, elapsed_s=3600.0, exam_positions=0)
    measuring.add(7)
    while len(events.of("match")) < 3:
        assert events.first_match.wait(60)
        measuring.check()
    measuring.close()
    assert {one["step"] for one in events.of("match")} == {7}


@pytest.mark.parametrize(("gate", "passes"), [(0.001, True), (1.0, False)])
def test_nets_play_once_they_pass_the_gate(
    folder: Path, monkeypatch: pytest.MonkeyPatch, gate: float, passes: bool
) -> None:
    """The first net plays in any case, its equal only if little is asked of it."""
    monkeypatch.setattr("models.training.measuring.GATE_GAMES", 4)
    events, promoted = Events(), []
    measuring = measurer(folder, events, gate=gate, ladder_games=0, exam_positions=0, promoted=promoted.append)
    measuring.add(0)
    measuring.add(7)
    measuring.finish()
    assert promoted == ([0, 7] if passes else [0])
    (gated,) = events.of("gate")
    assert (gated["step"], gated["net"], gated["passed"]) == (7, net_path(7), passes)
    assert events.of("match")[0]["players"] == ["step-00000007", "step-00000000"]


def test_a_resumed_run_keeps_its_playing_net(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.training.measuring.GATE_GAMES", 2)
    events = Events()
    measuring = measurer(folder, events, gate=0.001, ladder_games=0, exam_positions=0, playing=0)
    measuring.add(7)
    measuring.finish()
    assert events.of("match")[0]["players"] == ["step-00000007", "step-00000000"]


def test_a_run_that_stops_is_not_held_up(folder: Path) -> None:
    events = Events()
    measuring = measurer(folder, events, should_stop=lambda: True)
    measuring.add(0)
    measuring.finish()
    assert events.all == []


def test_errors_of_measuring_are_raised(folder: Path) -> None:
    (folder / net_path(7)).write_bytes(b"no net")
    measuring = measurer(folder, Events())
    measuring.add(7)
    with pytest.raises(BadNet, match=r"step-00000007\.onnx"):
        measuring.finish()
    with pytest.raises(BadNet):
        measuring.check()
