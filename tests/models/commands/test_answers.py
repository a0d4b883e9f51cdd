"""The commands with exact answers, explanations and trees say what is true, refuse in a sentence, and speak JSON."""

import base64
import json
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from core.files.tree_export import FORMS
from core.files.tree_file import load_tree
from core.solve import threats_win
from core.solve.threats_attack import NO_WIN_AT_ANY_DEPTH
from models.commands import program
from tests.models.commands.running import run


def test_solve_prints_value_distance_and_every_move(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "solve", "tictactoe", "0 3 1 4")
    assert code == 0
    assert "value     win in 1 ply for X, to move" in out
    assert out.splitlines()[-5:] == [
        "c3  win in 1 ply",
        "c2  draw in 5 plies",
        "a1  loss in 2 plies",
        "b1  loss in 2 plies",
        "c1  loss in 2 plies",
    ]


def test_solve_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "solve", "nim", "--json")
    data = json.loads(out)
    assert (code, data["value"], data["best"]) == (0, 1, ["3"])
    assert [move["value"] for move in data["moves"]] == [-1, -1, 1]


def test_a_counted_game_is_won_by_points(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "solve", "go(size=2, komi=0.5)", "a1 pass pass")
    assert out.splitlines()[-1] == "the game is over: X has won by 3.5"
    _, out, _ = run(capsys, "solve", "go(size=2, rules=japanese, komi=3.5)", "a1 pass pass")
    assert out.splitlines()[-1] == "the game is over: O has won by 0.5 if every stone on the board is alive"


def test_the_search_for_wins_is_compiled_before_its_clock_starts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[int] = []

    def search(*given: object) -> int:
        searched.append(len(capsys.readouterr().out))
        return NO_WIN_AT_ANY_DEPTH

    monkeypatch.setattr(threats_win, "search", search)
    run(capsys, "threats", "gomoku", "h8 a1", "--depth", "2", "--seconds", "0")
    assert searched == [0], "once, before anything was printed"


def test_threats_are_named_and_won_by(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "threats", "gomoku", "d8 a1 e8 o1 f8 a15")
    assert code == 0
    assert any(line.startswith("X  open three  d8 e8 f8") for line in out.splitlines())
    last = out.splitlines()[-1]
    assert last.startswith(("X wins by threes and fours within", "X wins by continuous fours within"))
    code, out, _ = run(capsys, "threats", "gomoku", "h8 a1", "--depth", "2")
    assert code == 0
    assert out.splitlines()[-1].startswith("X was not found to win by threes and fours (2 moves deep")


def test_count_and_perft(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "count", "tictactoe")
    assert code == 0
    assert " all          5,478" in out
    code, out, _ = run(capsys, "perft", "othello", "--depth", "5")
    assert code == 0
    assert [line.split()[1] for line in out.splitlines()] == ["4", "12", "56", "244", "1,396"]


@pytest.mark.slow
def test_ctrl_c_ends_a_count_that_would_take_years() -> None:
    command = [sys.executable, "-c", "from models.commands.program import main; raise SystemExit(main())"]
    with subprocess.Popen(
        [*command, "perft", "connect4", "--depth", "30"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        for _ in range(5):
            assert child.stdout.readline()
        child.send_signal(signal.SIGINT)
        try:
            _, err = child.communicate(timeout=60)
        finally:
            child.kill()
    assert (child.returncode, err) == (130, "interrupted\n")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("solve", "gomoku"), "225 empty cells, exact solving is offered up to"),
        (("solve", "tictactoe", "0 0"), "tictactoe"),
        (("count", "othello"), "not for othello"),
        (("perft", "tictactoe", "--depth", "0"), "--depth is 0; it must be at least 1"),
        (("count", "tictactoe", "--plies", "-1"), "plies is -1; it must be at least 0"),
        (("threats", "gomoku", "--seconds", "-1"), "--seconds is -1; it must be a number from 0"),
        (("match", "tictactoe", "uniform:5,selectio=gumbel", "rollouts:5"), "'selectio=gumbel' is no search setting"),
        (("match", "tictactoe", "uniform:5,prove=maybe", "rollouts:5"), "prove is 'maybe'; it must be yes or no"),
        (("match", "tictactoe", "uniform:5,c_puct=much", "rollouts:5"), "c_puct is 'much'; it must be a number"),
    ],
)
def test_refusals(capsys: pytest.CaptureFixture[str], argv: tuple[str, ...], message: str) -> None:
    code, _, err = run(capsys, *argv)
    assert code == 2
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_players_of_a_match_may_have_settings_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, "match", "tictactoe", "uniform:30,selection=gumbel,prove=no", "rollouts:30", "--games", "2"
    )
    assert code == 0
    assert "uniform:30,selection=gumbel,prove=no against rollouts:30:" in out.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "code", "found"),
    [
        (("solve", "go(size=2)"), 0, "value     "),
        (("solve", "go(size=5)"), 2, "exact solving is offered up to 9"),
        (("count", "go(size=2)"), 0, " all             57 "),
        (("perft", "go(rows=5, cols=9)", "--depth", "2"), 0, "2,071"),
        (("analyze", "go(rows=5, cols=9)", "--simulations", "10"), 0, "Go 5×9"),
        (("tree", "go(rows=5, cols=9)", "--net", "rollouts", "--simulations", "10"), 0, "N 10"),
    ],
)
def test_commands_answer_for_go(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, found: str
) -> None:
    got, out, err = run(capsys, *words)
    assert got == code
    assert found in (err if code else out)
    assert "Traceback" not in err


WORDS = ("analyze", "tictactoe", "a3", "--net", "rollouts", "--simulations", "2000", "--why", "b3", "--exact")
ASKED = ("--ask", "depth == 2 and N > 10")


def test_the_json_has_what_the_lines_say(capsys):
    code, out, _ = run(capsys, *WORDS, *ASKED, "--json")
    assert code == 0
    data = json.loads(out)
    asked = data["ask"]
    assert asked["question"] == ASKED[1]
    assert asked["nodes"] == len(asked["found"]) == asked["by_player"]["X"]["nodes"]
    assert asked["visits"] == sum(move["visits"] for move in asked["before"]) <= 2000
    moves = {row["name"]: row for row in data["moves"]}
    why, truth, exact = data["why"], data["truth"], data["exact"]
    assert why["move"] == "b3"
    assert why["line"][0]["visits"] == moves["b3"]["visits"]
    assert why["best_line"][0]["name"] == why["best"] == data["best"]["name"]
    assert why["sentences"][0]["figures"]["visits"] == {"value": moves["b3"]["visits"], "node": [1]}
    assert (exact["value"], exact["moves"]["b2"]["value"]) == (0, 0)
    assert set(truth["wrong_moves"]) == {name for name, move in exact["moves"].items() if move["value"] < 0}
    visited = sum(row["visits"] for row in data["moves"])
    on_wrong = sum(moves[name]["visits"] for name in truth["wrong_moves"])
    assert truth["visits_on_wrong_moves"][-1] == pytest.approx(on_wrong / visited)
    assert truth["prior_on_wrong_moves"] is None
    _, printed, _ = run(capsys, *WORDS, *ASKED)
    assert f"{asked['nodes']} nodes, {asked['visits']} visits" in printed
    assert "  " + " ".join(asked["found"][0]) in printed.splitlines()
    for sentence in (*why["sentences"], truth["sentence"], *truth["wrong"]):
        assert f"  {sentence['text']}" in printed.splitlines()
    for turn in data["turns"]:
        assert 0 < turn["begun"] <= turn["simulation"] <= 2000


def test_bad_requests(capsys):
    code, _, err = run(capsys, "analyze", "tictactoe", "--ask", "N > 1 nd Q", "--simulations", "5")
    assert code == 2
    assert "N > 1 ▸ nd Q" in err
    assert run(capsys, "analyze", "tictactoe", "--why", "z9", "--simulations", "5")[0] != 0
    assert "z9" in run(capsys, "analyze", "tictactoe", "--why", "z9", "--simulations", "5")[2]
    code, _, err = run(capsys, "analyze", "gomoku(size=9)", "--simulations", "5", "--net", "uniform", "--exact")
    assert code != 0
    assert "solv" in err
    code, out, _ = run(capsys, "analyze", "tictactoe", "a1 b1 a2 b2 a3", "--json")
    assert code == 0
    assert json.loads(out)["turns"] == []


SEARCH = ["tictactoe", "b2", "--net", "rollouts", "--simulations", "300", "--memory-mb", "8", "--threads", "1"]


def printed(capsys: pytest.CaptureFixture[str], *argv: str, code: int = 0) -> tuple[str, str]:
    assert program.main(argv) == code
    out, err = capsys.readouterr()
    return out, err


def test_tree_prints_the_picked_nodes(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = printed(capsys, "tree", *SEARCH, "--nodes", "12", "--depth", "2")
    lines = out[out.index("O to move  N 300") :].splitlines()
    assert len([line for line in lines if " N " in line]) == 12
    below, _ = printed(capsys, "analyze", *SEARCH, "--tree", "12")
    assert below.index("move ") < below.index("O to move  N 300")


@pytest.mark.parametrize("suffix", sorted(FORMS))
def test_tree_writes_files(capsys: pytest.CaptureFixture[str], tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"deep/tree{suffix.upper()}"
    out, _ = printed(capsys, "tree", *SEARCH, "--nodes", "30", "--out", str(path))
    assert out == f"wrote 30 of {out.split()[3]} nodes to {path}\n"
    assert path.stat().st_size > 1000


@pytest.mark.parametrize(("suffix", "begins"), [(".html", b"<!DOCTYPE html>"), (".png", b"\x89PNG")])
def test_tree_writes_the_whole_search(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, suffix: str, begins: bytes
) -> None:
    path = tmp_path / f"search{suffix}"
    out, _ = printed(capsys, "tree", *SEARCH, "--out", str(path))
    assert out.startswith("wrote the search with ")
    assert path.read_bytes().startswith(begins)


def test_the_page_of_a_game_in_a_file_has_its_comments(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    game, path = tmp_path / "game.sgf", tmp_path / "search.html"
    game.write_text("(;GM[4]PLYGAME[connect4]SZ[7:6]C[First.];B[df]C[Second.];W[dd]C[Third.])")
    words = ("connect4", "--sgf", str(game), "--move", "1", "--simulations", "20", "--net", "rollouts")
    printed(capsys, "tree", *words, "--out", str(path))
    data = zlib.decompress(base64.b64decode(path.read_text("utf-8").partition(';base64">')[2].partition("<")[0]))
    assert b'"comment":"First."' in data
    assert b'"comment":"Second."' in data
    assert b"Third" not in data


def test_a_saved_search_gives_the_figures_of_analyze(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path, listed = tmp_path / "s.npz", tmp_path / "s.json"
    printed(capsys, "tree", *SEARCH, "--out", str(path))
    assert load_tree(path.read_bytes()).position.moves == (4,)
    printed(capsys, "tree", str(path), "--out", str(listed))
    tree = json.loads(listed.read_text("utf-8"))["tree"]
    moves = json.loads(printed(capsys, "analyze", *SEARCH, "--json")[0])["moves"]
    mine = sorted((n["name"], n["visits"], round(n["q"], 6), round(n["u"], 6)) for n in tree["children"])
    assert mine == sorted((m["name"], m["visits"], round(m["q"], 6), round(m["u"], 6)) for m in moves if m["visits"])


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["tictactoe", "--out", "tree.gif"], "--out is 'tree.gif'; its suffix says the form: .npz, .html, .png, .json"),
        (["tictactoe", "--nodes", "0"], "--nodes is 0; it must be at least 1"),
        (["tictactoe", "--depth", "-1"], "--depth is -1; it must be at least 0"),
        (["none.npz"], "none.npz: No such file"),
        (["none.npz", "a1"], "none.npz is a search of its own position; omit the moves 'a1'"),
    ],
)
def test_invalid_arguments_are_reported(capsys: pytest.CaptureFixture[str], argv: list[str], sentence: str) -> None:
    _, err = printed(capsys, "tree", *argv, code=2)
    assert err.startswith(f"plyscope: {sentence}")


def test_a_file_that_is_no_search_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "words.npz"
    path.write_text("words")
    _, err = printed(capsys, "tree", str(path), code=2)
    assert err == f"plyscope: {path.name} cannot be opened: it is no zip archive, or its end is missing\n"
    _, err = printed(capsys, "analyze", *SEARCH, "--tree", "0", code=2)
    assert "--tree is 0" in err
