"""``plyscope tree`` as a user types it."""

import json
from pathlib import Path

import pytest

from core.files.tree_export import FORMS
from core.files.tree_file import load_tree
from models.commands import program

SEARCH = ["tictactoe", "b2", "--net", "rollouts", "--simulations", "300", "--memory-mb", "8", "--threads", "1"]


def run(capsys: pytest.CaptureFixture[str], *argv: str, code: int = 0) -> tuple[str, str]:
    assert program.main(argv) == code
    out, err = capsys.readouterr()
    return out, err


def test_tree_prints_the_picked_nodes(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "tree", *SEARCH, "--nodes", "12", "--depth", "2")
    lines = out[out.index("O to move  N 300") :].splitlines()
    assert len([line for line in lines if " N " in line]) == 12
    below, _ = run(capsys, "analyze", *SEARCH, "--tree", "12")
    assert below.index("move ") < below.index("O to move  N 300")


@pytest.mark.parametrize("suffix", sorted(FORMS))
def test_tree_writes_files(capsys: pytest.CaptureFixture[str], tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"deep/tree{suffix.upper()}"
    out, _ = run(capsys, "tree", *SEARCH, "--nodes", "30", "--out", str(path))
    assert out == f"wrote 30 of {out.split()[3]} nodes to {path}\n"
    assert path.stat().st_size > 1000


def test_a_saved_search_gives_the_figures_of_analyze(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path, listed = tmp_path / "s.npz", tmp_path / "s.json"
    run(capsys, "tree", *SEARCH, "--out", str(path))
    assert load_tree(path.read_bytes()).position.moves == (4,)
    run(capsys, "tree", str(path), "--out", str(listed))
    tree = json.loads(listed.read_text("utf-8"))["tree"]
    moves = json.loads(run(capsys, "analyze", *SEARCH, "--json")[0])["moves"]
    mine = sorted((n["name"], n["visits"], round(n["q"], 6), round(n["u"], 6)) for n in tree["children"])
    assert mine == sorted((m["name"], m["visits"], round(m["q"], 6), round(m["u"], 6)) for m in moves if m["visits"])


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["tictactoe", "--out", "tree.png"], "--out is 'tree.png'; its suffix says the form: .json, .csv, .dot"),
        (["tictactoe", "--nodes", "0"], "--nodes is 0; it must be at least 1"),
        (["tictactoe", "--depth", "-1"], "--depth is -1; it must be at least 0"),
        (["none.npz"], "none.npz: No such file"),
        (["none.npz", "a1"], "none.npz is a search of its own position; omit the moves 'a1'"),
    ],
)
def test_invalid_arguments_are_reported(capsys: pytest.CaptureFixture[str], argv: list[str], sentence: str) -> None:
    _, err = run(capsys, "tree", *argv, code=2)
    assert err.startswith(f"plyscope: {sentence}")


def test_a_file_that_is_no_search_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "words.npz"
    path.write_text("words")
    _, err = run(capsys, "tree", str(path), code=2)
    assert err == f"plyscope: {path.name} cannot be opened: it is no zip archive, or its end is missing\n"
    _, err = run(capsys, "analyze", *SEARCH, "--tree", "0", code=2)
    assert "--tree is 0" in err
