"""The bench: its tables as text and Markdown, what it counts and compares, and a whole run with tiny measurements."""

import contextlib
import io
import re
import subprocess
import sys

import pytest

from core.games import load_game
from core.solve import solve
from models.bench import exact, speed
from models.bench.table import Table, machine_lines, ratio_cells
from models.netfiles.evaluator import OnnxEvaluator, default_net
from models.nets import export
from tests.core.games.test_games_counts import counts

TABLE = Table("some figures", ("game", "per s"), (("nim", "1,234"), ("connect4", "5")), "of one round")


def test_a_table_as_text():
    assert TABLE.lines(markdown=False) == [
        "some figures",
        "(of one round)",
        "  game      per s",
        "  nim       1,234",
        "  connect4      5",
    ]


def test_a_table_as_markdown():
    assert TABLE.lines(markdown=True) == [
        "## Some figures",
        "",
        "Of one round.",
        "",
        "| game | per s |",
        "| --- | ---: |",
        "| nim | 1,234 |",
        "| connect4 | 5 |",
    ]


def test_the_ratio_is_that_of_the_medians():
    # Medians 20 and 10; the rounds 10/1, 20/100 and 300/10.
    assert ratio_cells([10, 20, 300], [1, 100, 10]) == ("2.00", "0.20 to 30")
    assert ratio_cells([6.04], [1.0]) == ("6.0", "6.0 to 6.0")


def test_machine_lines_have_date_and_versions():
    first, second = machine_lines()
    assert re.match(r"20\d\d-\d\d-\d\d, .+, \d+ cores?, ", first)
    assert re.search(r"Python 3\.\d+\.\d+, numpy \d.*numba \d", second)


def test_the_known_counts_are_those_of_the_table():
    known = {game: (depth, number) for game, depth, number in exact.PERFT}
    for game, words in (("connect4", ""), ("othello", "a pass is a ply, ")):
        depth, number = known[game]
        assert number == counts(game, f"perft, {words}an early end one leaf")[depth - 1]
    assert known["gomoku"] == (3, 225 * 224 * 223)


def test_a_wrong_perft_count_raises(monkeypatch):
    monkeypatch.setattr(exact, "PERFT", (("tictactoe", 2, 71),))
    with pytest.raises(ValueError, match="perft of tictactoe to depth 2 is 72; it must be 71"):
        exact.perft_table(1, 0.001)


def test_random_positions_are_the_same_every_time_and_go_on():
    game = load_game("connect4")
    positions = [exact.random_position(game, 12, seed) for seed in range(5)]
    assert positions == [exact.random_position(game, 12, seed) for seed in range(5)]
    assert len(set(positions)) == 5
    assert {(p.ply, p.is_over) for p in positions} == {(12, False)}


def test_exact_answers_are_counted_over_all_positions(monkeypatch):
    monkeypatch.setattr(exact, "SOLVED", (("middle", "connect4", 16, 3), ("law", "nim", 0, 1)))
    game = load_game("connect4")
    nodes = [solve(exact.random_position(game, 16, seed)).nodes for seed in range(3)]
    rows = exact.solver_table(1).rows
    assert [row[:2] for row in rows] == [("middle", "3"), ("law", "1")]
    assert int(rows[0][2].replace(",", "")) == sum(nodes) > 0


def test_without_openspiel_only_our_rates_are_measured(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.setattr(speed, "BESIDE", (("tictactoe", "tic_tac_toe"),))
    table = speed.rollout_table(1, 0.001)
    ((ours, theirs, rate, *others),) = table.rows
    assert (ours, theirs, others) == ("tictactoe", "tic_tac_toe", ["-", "-", "-"])
    assert int(rate.replace(",", "")) > 0
    assert "OpenSpiel is not installed" in table.note


def run_here(command, **options):
    """As ``subprocess.run``, of the command that writes a net: another process would import torch once more."""
    assert command[1:3] == ["-m", "models.nets.export"]
    with contextlib.redirect_stderr(io.StringIO()) as said, pytest.raises(SystemExit) as ended:
        export.main(command[3:])
    return subprocess.CompletedProcess(command, ended.value.code, "", said.getvalue())


@pytest.mark.slow
def test_nets_of_every_size(monkeypatch, tmp_path):
    """One comes with the program; the other is written, of the size asked for."""
    game = load_game("connect4")
    monkeypatch.setattr(speed, "SIZES", ((1, 4), (4, 48)))
    (_, tiny), (_, shipped), (further_game, _) = speed.nets(
        tmp_path, [(str(default_net(load_game("tictactoe"))), "tictactoe")]
    )
    assert shipped == default_net(game)
    assert further_game == load_game("tictactoe")
    config = OnnxEvaluator(tiny, game).info.config
    assert (tiny.parent, config["blocks"], config["channels"]) == (tmp_path, 1, 4)
    monkeypatch.setattr(subprocess, "run", run_here)
    with pytest.raises(ValueError, match=r"no net of 1x0 for connect4 could be made: .*channels is 0"):
        speed.write_untrained(game, 1, 0, tmp_path / "none.onnx")


def test_a_whole_run(monkeypatch, capsys):
    monkeypatch.setattr(
        speed, "BESIDE", (("tictactoe", "tic_tac_toe"), ("nim(heaps=3-4-5)", "nim(pile_sizes=3;4;5,is_misere=False)"))
    )
    monkeypatch.setattr(speed, "SIZES", ((4, 48),))
    monkeypatch.setattr(speed, "BATCH_SIZES", (1, 8))
    monkeypatch.setattr(exact, "PERFT", (("tictactoe", 9, 255168),))
    monkeypatch.setattr(exact, "SOLVED", (("late", "connect4", 30, 1),))
    assert speed.main(["--seconds", "0.01", "--rounds", "2", "--markdown"]) == 0
    page = capsys.readouterr().out
    assert page.startswith("# How fast\n")
    assert "2 rounds of 0.01 s each" in page
    tables = [part.splitlines() for part in re.findall(r"(?:^\|.*\n)+", page, re.M)]
    assert [len(table) - 2 for table in tables] == [2, 2, 1, 1]
    for table in tables:
        assert len({line.count("|") for line in table}) == 1
    ratios = [float(line.split("|")[-3]) for line in tables[1][2:]]
    assert all(0 < ratio < 20 for ratio in ratios)
    assert speed.main(["--seconds", "0.01", "--rounds", "1"]) == 0
    assert "|" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "message"),
    [("--seconds=0", "--seconds is 0; it must be above 0"), ("--rounds=0", "--rounds is 0; it must be at least 1")],
)
def test_bad_options(option, message, capsys):
    with pytest.raises(SystemExit) as ended:
        speed.main([option])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_a_missing_net_ends_the_benchmark_with_a_sentence(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(speed, "BESIDE", ())
    monkeypatch.setattr(speed, "SIZES", ())
    assert speed.main(["--net", str(tmp_path / "no.onnx"), "connect4", "--seconds", "0.01", "--rounds", "1"]) == 1
    assert "no.onnx' does not exist" in capsys.readouterr().err
