"""The training process from outside: started, found again, its end reported.  Small scripts replace training."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.rooms.training.launcher import (
    DIED,
    EMPTY,
    ENDED,
    ENDING,
    PAUSED,
    STARTING,
    STOPPED,
    WORKING,
    Launcher,
    own_program,
)
from gui.rooms.training.run_commands import write_net
from gui.rooms.training.run_model import LOG, RunModel
from models.runs.config import TrainConfig, read_settings
from models.runs.folder import COMMAND, RUN_TOML, RUNNING_FILE, RunControl
from tests.gui.rooms.training.runs import write_reports, write_run, write_running

CONFIG = TrainConfig.of(game="tictactoe", minutes=2.0, games=64)


def script(text: str) -> Launcher:
    """Return a launcher whose program is this text, with the arguments of training in ``sys.argv``."""
    return Launcher((sys.executable, "-c", text))


def look(path: Path) -> RunModel:
    run = RunModel(path)
    run.look()
    return run


def log_lines(qtbot: QtBot, run: Path) -> list[str]:
    """Return the command and the line that the process wrote, once both are whole."""
    qtbot.waitUntil(lambda: (run / LOG).read_text().count("\n") == 2)
    return (run / LOG).read_text().splitlines()


def test_the_process_gets_folder_settings_and_log(tmp_path: Path, qtbot: QtBot) -> None:
    launcher = script("import sys, json; print(json.dumps(sys.argv[1:]))")
    run = tmp_path / "home" / "r"
    launcher.start(run, CONFIG)
    first, second = log_lines(qtbot, run)
    assert first.startswith("$ plyscope train tictactoe")
    assert json.loads(second) == ["train", "tictactoe", "--out", str(run), "--config", str(run / RUN_TOML)]
    assert TrainConfig.from_dict(read_settings(run / RUN_TOML)) == CONFIG


def test_a_run_is_starting_until_it_reports(tmp_path: Path, qtbot: QtBot) -> None:
    wait = "import sys, pathlib; sys.stdin; p = pathlib.Path(sys.argv[4], 'go')\nwhile not p.exists(): pass"
    launcher = script(wait)
    launcher.start(tmp_path / "r", CONFIG)
    assert launcher.state(look(tmp_path / "r")).kind == STARTING
    (tmp_path / "r" / "go").touch()
    qtbot.waitUntil(lambda: launcher.state(look(tmp_path / "r")).kind != STARTING)


@pytest.mark.parametrize("command", ["stop", "finish"])
def test_a_run_that_is_starting_is_stopped(tmp_path: Path, command: str) -> None:
    """Its process takes no commands yet."""
    launcher = Launcher((sys.executable, "-c", "import time; time.sleep(600)"))
    launcher.start(tmp_path, CONFIG)
    process = launcher._children[tmp_path].process
    launcher.command(tmp_path, command)
    assert process.poll() is not None
    assert launcher.state(RunModel(tmp_path)).kind == EMPTY
    assert not (tmp_path / COMMAND).exists()


def test_an_ended_run_is_not_starting(tmp_path: Path, qtbot: QtBot) -> None:
    """A process that has reported its end may continue to run for a while."""
    wait = "import pathlib, sys; p = pathlib.Path(sys.argv[4], 'go')\nwhile not p.exists(): pass"
    launcher = script(wait)
    run = write_run(tmp_path / "r", iterations=2, kept=0)
    write_reports(run, [{"event": "stopped", "reason": "stopped", "elapsed_s": 61.0}], "a")
    launcher.resume(look(run))
    assert launcher.state(look(run)).kind == STARTING
    write_running(run)
    assert launcher.state(look(run)).kind == WORKING
    write_reports(run, [{"event": "stopped", "reason": "stopped", "elapsed_s": 62.0}], "a")
    (run / RUNNING_FILE).unlink()
    state = launcher.state(look(run))
    assert (state.kind, state.words, state.alive) == (ENDING, "ending", True)
    (run / "go").touch()
    qtbot.waitUntil(lambda: launcher.state(look(run)).kind == STOPPED)


def test_a_run_whose_folder_has_gone_cannot_be_resumed(tmp_path: Path) -> None:
    run = look(write_run(tmp_path / "r", iterations=2, kept=0))
    run.path.rename(tmp_path / "elsewhere")
    launcher = Launcher()
    assert launcher.state(run).words == "its folder is not there any more"
    with pytest.raises(ValueError, match=r"The folder '.*r' is not there any more"):
        launcher.resume(run)
    assert not run.path.exists()


@pytest.mark.slow
def test_modules_of_our_names_in_the_working_folder_are_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Machine-learning folders often contain such modules; the child must still be this program."""
    for name in ("models", "core", "gui"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('the wrong one')")
    (tmp_path / "json.py").write_text("raise SystemExit('the wrong one')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep)  # empty entries, which mean the working folder
    with pytest.raises(ValueError, match=r"gone\.onnx' does not exist"):
        write_net(tmp_path / "gone.onnx", tmp_path / "net.onnx", "fp32", own_program())


def test_a_run_survives_the_window_and_its_terminal(tmp_path: Path, qtbot: QtBot) -> None:
    if sys.platform == "win32":
        pytest.skip("sessions are POSIX")
    launcher = script("import os; print('session', os.getsid(0), 'of', os.getpid())")
    launcher.start(tmp_path, CONFIG)
    words = log_lines(qtbot, tmp_path)[-1].split()
    assert words[1] == words[3]  # it is the leader of a session of its own


def test_a_failed_start_shows_its_error(tmp_path: Path, qtbot: QtBot) -> None:
    launcher = script("import sys; sys.exit('plyscope: there is no such game')")
    launcher.start(tmp_path, CONFIG)
    qtbot.waitUntil(lambda: launcher.state(look(tmp_path)).kind == DIED)
    assert launcher.state(look(tmp_path)).words == "died: there is no such game"


def test_the_error_of_a_run_is_shortened(tmp_path: Path) -> None:
    run = tmp_path / "r"
    run.mkdir()
    (run / LOG).write_text(f"$ plyscope train\nplyscope: {'x' * 4096} is no game\n")
    words = Launcher().state(look(run)).words
    assert words == f"died: {'x' * 50}…{'x' * 50} is no game"


def test_a_killed_process_is_reported_as_killed(tmp_path: Path, qtbot: QtBot) -> None:
    if sys.platform == "win32":
        pytest.skip("signals are POSIX")
    launcher = script("import os, signal; print('iteration 3'); os.kill(os.getpid(), signal.SIGKILL)")
    launcher.start(tmp_path, CONFIG)
    qtbot.waitUntil(lambda: launcher.state(look(tmp_path)).kind == DIED)
    assert "killed by signal 9" in launcher.state(look(tmp_path)).words


def test_a_run_of_another_window_is_found(tmp_path: Path) -> None:
    run = write_run(tmp_path / "r", iterations=2, kept=0)
    write_running(run, "iteration 3: playing and learning")
    state = Launcher().state(look(run))
    assert (state.kind, state.words, state.command) == (WORKING, "iteration 3: playing and learning", "")


def test_a_pending_command_is_shown(tmp_path: Path) -> None:
    run = write_run(tmp_path / "r", iterations=2, kept=0)
    write_running(run)
    launcher = Launcher()
    launcher.command(run, "pause")
    assert json.loads((run / COMMAND).read_text()) == {"command": "pause"}
    assert launcher.state(look(run)).command == "pause"
    (run / COMMAND).unlink()
    write_running(run, "paused")
    assert launcher.state(look(run)).kind == PAUSED
    with pytest.raises(ValueError, match="'halt'"):
        launcher.command(run, "halt")


def test_a_run_without_heartbeat_is_reported(tmp_path: Path) -> None:
    run = write_run(tmp_path / "r", iterations=2, kept=0)
    write_running(run, "playing", beat=1.0)
    assert "no response for" in Launcher().state(look(run)).words


def test_a_run_of_a_dead_process_is_reported(tmp_path: Path) -> None:
    run = write_run(tmp_path / "r", iterations=2, kept=0)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    write_running(run, pid=dead.pid)
    (run / LOG).write_text("$ plyscope train\n  1:00  iteration 2\n")
    state = Launcher().state(look(run))
    assert state.kind == DIED
    assert "its process has ended" in state.words
    assert "iteration 2" in state.words


def test_a_copy_of_a_running_run_is_not_running(tmp_path: Path) -> None:
    run, copy = write_run(tmp_path / "r", iterations=2, kept=0), tmp_path / "copy"
    with RunControl(run):
        shutil.copytree(run, copy)
        assert Launcher().state(look(run)).kind == WORKING
        state = Launcher().state(look(copy))
        assert (state.kind, state.words) == (STOPPED, "not running")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"pid": "x"}', '{"pid": -3, "started": 1, "beat": 1}'])
def test_an_incomplete_running_file_is_ignored(tmp_path: Path, content: str) -> None:
    run = write_run(tmp_path / "r", iterations=1, kept=0)
    (run / RUNNING_FILE).write_text(content)
    assert not Launcher().state(look(run)).alive


@pytest.mark.parametrize(
    ("event", "kind", "words"),
    [
        ({"event": "stopped", "reason": "stopped"}, STOPPED, "stopped"),
        ({"event": "stopped", "reason": "minutes reached"}, ENDED, "ended: minutes reached"),
        ({"event": "error", "sentence": "the loss is no number"}, DIED, "died: the loss is no number"),
        ({"event": "checkpoint", "step": 1, "net": "nets/step-00000001.onnx"}, STOPPED, "not running"),
    ],
)
def test_the_newest_event_gives_the_end_state(tmp_path: Path, event: dict[str, object], kind: str, words: str) -> None:
    run = write_run(tmp_path / "r", iterations=2, kept=0)
    write_reports(run, [{**event, "elapsed_s": 61.0}], "a")
    state = Launcher().state(look(run))
    assert (state.kind, state.words) == (kind, words)


def test_an_empty_folder_is_a_run_not_started(tmp_path: Path) -> None:
    assert Launcher().state(look(tmp_path)).kind == EMPTY


def test_training_yields_to_the_window(tmp_path: Path, qtbot: QtBot) -> None:
    if sys.platform == "win32":
        pytest.skip("niceness is POSIX")
    wait = "import sys, os, pathlib, time; p = pathlib.Path(sys.argv[4], 'go')\nwhile not p.exists(): pass\n"
    launcher = script(wait + "print('niceness', os.nice(0))")
    launcher.start(tmp_path, CONFIG)
    (tmp_path / "go").touch()
    assert int(log_lines(qtbot, tmp_path)[-1].split()[-1]) > os.nice(0)
