"""Tests of the user's list of engines: the file, what is refused, and the command that edits it."""

import json
import sys
from pathlib import Path

import pytest

from core.files.reading import BadFile
from models.commands.program import main
from models.engines.engine_list import EngineEntry, find_engine, read_engines, write_engines

FAKE = Path(__file__).with_name("fake_gomocup.py")
COMMAND = f"'{sys.executable}' '{FAKE}'"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("models.engines.engine_list.data_home", lambda: tmp_path)
    return tmp_path / "plyscope" / "engines.json"


def test_the_list_is_kept(home: Path) -> None:
    assert read_engines() == ()
    engines = (
        EngineEntry("Rapfi 0.43", "gomocup", "./rapfi --x 'a b'", "/opt/rapfi", ("gomoku",), "1s, memory=350"),
        EngineEntry("Größe", "gtp", "gnugo --mode gtp"),
    )
    write_engines(engines)
    assert read_engines() == engines
    assert find_engine("rapfi 0.43") == engines[0]
    assert engines[0].read_options().memory_mb == 350
    with pytest.raises(ValueError, match=r"'katago' is no engine of the list; there are Rapfi 0\.43, Größe"):
        find_engine("katago")
    with pytest.raises(ValueError, match="two engines with the name 'Größe'"):
        write_engines([engines[1], engines[1]])
    assert read_engines() == engines


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"name": "a/b"}, "is no name for an engine"),
        ({"name": ""}, "is no name for an engine"),
        ({"protocol": "uci"}, "'uci' is no protocol; it must be one of gtp, katago, gomocup, nboard"),
        ({"command": "'open"}, "is no command"),
        ({"command": "x" * 5000}, "at most 4096 characters"),
        ({"options": "fast"}, "'fast' is no option"),
        ({"games": ["chess"]}, "'chess' is no name of a game; there are tictactoe, "),
        ({"games": [1]}, "it must be a list of names"),
        ({"folder": 7}, "folder is 7; it must be a text"),
    ],
)
def test_a_bad_entry_is_refused(home: Path, values: dict[str, object], sentence: str) -> None:
    entry = {"name": "x", "protocol": "gtp", "command": "x"} | values
    home.parent.mkdir(parents=True)
    home.write_text(json.dumps({"engines": [entry]}), encoding="utf-8")
    with pytest.raises(BadFile, match=sentence) as caught:
        read_engines()
    assert "is no list of engines: " in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"engines": {}}', '{"engines": [3]}', "\xff\xfe"])
def test_a_file_that_is_no_list_is_refused(home: Path, text: str) -> None:
    home.parent.mkdir(parents=True)
    home.write_text(text, encoding="latin-1")
    with pytest.raises(BadFile, match="is no list of engines"):
        read_engines()


def test_the_command_edits_the_list_and_tries_an_engine(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*words: str) -> tuple[int, str]:
        code = main(["engines", *words])
        found = capsys.readouterr()
        return code, found.out + found.err

    assert run() == (0, f"no engine is listed in {home}; plyscope engines add NAME PROTOCOL COMMAND adds one\n")
    assert run("add", "fake", "gomocup", f"{COMMAND} plays", "--options", "0.1s", "--games", "gomoku")[0] == 0
    code, text = run("test", "fake", "gomoku(size=9)")
    assert code == 0
    assert " > START 9\n" in text
    assert " < OK\n" in text
    assert "INFO timeout_turn 100" in text
    assert text.endswith("fake plays gomoku(size=9): its first move is a9\n")
    assert run("test", "fake", "othello") == (2, "plyscope: the engine fake is listed for gomoku, not for 'othello'\n")
    assert run("add", "Fake", "gomocup", f"{COMMAND} odd")[0] == 0  # replaces it
    code, text = run("test", "fake")
    assert code == 2
    assert " < hello\n" in text
    assert "answered 'hello' to START 15, which is not the Gomocup protocol" in text
    assert run()[1] == f"Fake: gomocup, {COMMAND} odd\n"
    code = main(["match", "gomoku(size=9)", "rollouts:20", f"gomocup:{COMMAND} plays", "--games", "2"])
    assert "rollouts:20 against fake: " in capsys.readouterr().out
    assert run("add", "x", "gtp", "y", "--games", "chess")[0] == 2
    assert run("remove", "fake") == (0, "Fake is not in the list any more\n")
    assert read_engines() == ()
