"""The commands with exact answers say what is true, refuse in a sentence, and speak JSON."""

import json
import signal
import subprocess
import sys

import pytest

from core.solve import threats_win
from core.solve.threats_attack import NO_WIN_AT_ANY_DEPTH
from models.commands.program import main


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = main(argv)
    out, err = capsys.readouterr()
    return code, out, err


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


def test_a_finished_game_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "solve", "tictactoe", "0 3 1 4 2")
    assert code == 0
    assert out.splitlines()[-1] == "the game is over: X has won"


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
        (("threats", "othello"), "there are no threats in 'othello'"),
        (("count", "gomoku(size=5, rule=standard)"), "not for gomoku(size=5, rule=standard)"),
        (("perft", "tictactoe", "--depth", "0"), "--depth is 0; it must be at least 1"),
        (("perft", "tictactoe", "0 0"), "tictactoe"),
        (("count", "tictactoe", "--plies", "-1"), "plies is -1; it must be at least 0"),
        (("solve", "nim", "--seconds", "0"), "--seconds is 0; it must be above 0"),
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
        (("solve", "go(rows=5, cols=9)"), 2, "has 45 cells"),
        (("count", "go(size=2)"), 0, " all             57 "),
        (("count", "go(rows=5, cols=9)"), 2, "too large to count its boards"),
        (("perft", "go(rows=5, cols=9)", "--depth", "2"), 0, "2,071"),
        (("perft", "go(size=19)", "--depth", "2"), 0, "130,683"),
        (("threats", "go(size=5)"), 2, "there are no threats in 'go(size=5)'"),
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
