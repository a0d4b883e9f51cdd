"""Engines on another machine, by a program named ssh that runs the command in a shell here."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.games import load_game
from core.ssh import SSH, program_over_ssh
from models.commands.program import main
from models.engines.engine_list import EngineEntry, find_engine
from models.engines.opening import open_listed, try_engine
from models.engines.process import EngineError

FAKE = Path(__file__).parent / "fake_engine.py"
GAME = load_game("tictactoe")


@pytest.fixture
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Put a program named ssh on the path that notes its arguments, a line each, and then does what is given."""
    told = tmp_path / "told"

    def put(does: str) -> Path:
        program = tmp_path / "bin" / "ssh"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > '{told}'\n{does}\n")
        program.chmod(0o755)
        return told

    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr("models.engines.engine_list.data_home", lambda: tmp_path)
    return put


RUNS = 'for last; do :; done; exec sh -c "$last"'


def entry(command: str, folder: str = "", host: str = "me@server:2222") -> EngineEntry:
    return EngineEntry("far", "gtp", command, folder, host=host)


def test_an_engine_is_asked_on_its_machine_in_its_folder(ssh: Callable[[str], Path], tmp_path: Path) -> None:
    """The folder has letters that a shell would heed, and is not there on this machine before."""
    told, folder = ssh(RUNS), tmp_path / "it's $HOME; really"
    folder.mkdir()
    (folder / "engine.py").write_text(FAKE.read_text())
    trial = try_engine(entry(f"'{sys.executable}' engine.py plays", str(folder)), GAME)
    assert trial.passed, trial.sentence
    assert trial.sentence.startswith("far plays tictactoe: its first move is ")
    words = told.read_text().splitlines()
    assert words[:-1] == [*SSH[1:], "-p", "2222", "--", "me@server"]
    assert words[-1].startswith("cd ")


def test_words_arrive_as_they_are(ssh: Callable[[str], Path], tmp_path: Path) -> None:
    told = tmp_path / "words"
    ssh(RUNS)
    odd = ["$HOME", "*", "a b", "it's", ";", "`id`"]
    command = program_over_ssh("server", [sys.executable, "-c", "import sys; print(sys.argv[1:])", *odd])
    assert os.spawnvp(os.P_WAIT, "sh", ["sh", "-c", f"\"$@\" > '{told}'", "sh", *command]) == 0
    assert told.read_text().strip() == str(odd)
    assert program_over_ssh("server", ["~/bin/x y"], "~/nets")[-1] == "cd ~/nets && exec ~/'bin/x y'"


@pytest.mark.parametrize(
    ("does", "sentence"),
    [
        (
            "echo 'ssh: connect to host server port 2222: Connection refused' >&2; exit 255",
            "the engine far: me@server cannot be reached (ssh: connect to host server port 2222: Connection refused); "
            "the command ssh -p 2222 me@server must get there without asking for anything",
        ),
        (
            "exit 255",
            "the engine far: me@server cannot be reached (exit code 255); the command ssh -p 2222 me@server must get "
            "there without asking for anything",
        ),
        (
            "echo 'sh: 1: gnugo: not found' >&2; exit 127",
            "the engine far ended at its start: 'sh: 1: gnugo: not found'",
        ),
    ],
)
def test_what_ssh_says_is_one_sentence(ssh: Callable[[str], Path], does: str, sentence: str) -> None:
    ssh(does)
    with pytest.raises(EngineError) as error:
        open_listed(GAME, entry("gnugo --mode gtp", "/not/here"))
    assert str(error.value) == sentence


def test_a_connection_lost_while_it_thinks_is_said(ssh: Callable[[str], Path]) -> None:
    ssh('for last; do :; done; sh -c "$last"; echo "Connection to server closed by remote host." >&2; exit 255')
    engine = open_listed(GAME, entry(f"'{sys.executable}' '{FAKE}' crashes"))
    with pytest.raises(EngineError) as error:
        engine.move(GAME.initial())
    engine.close()
    assert str(error.value) == (
        "the engine far: the connection to me@server was lost (Connection to server closed by remote host.)"
    )


@pytest.mark.parametrize("host", ["-oProxyCommand=id", "a b", "host;id", "me@", "server/opt"])
def test_an_address_that_is_none_is_refused(host: str) -> None:
    with pytest.raises(ValueError, match="is no address of a machine; it must be HOST, USER@HOST or USER@HOST:PORT"):
        entry("gnugo --mode gtp", host=host)


def test_the_list_keeps_the_machine(ssh: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    ssh(RUNS)
    assert main(["engines", "add", "far", "gtp", "gnugo --mode gtp", "--host", "me@server", "--folder", "~/go"]) == 0
    assert find_engine("far").host == "me@server"
    assert main(["engines"]) == 0
    assert "  host: me@server\n  folder: ~/go\n" in capsys.readouterr().out
