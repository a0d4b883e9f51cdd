"""Benchmarks and ablations: what they count and compare, and whole runs with tiny measurements."""

import contextlib
import io
import re
import subprocess
import sys

import pytest

from core.games import load_game
from measure import ablate, bench_exact, bench_speed
from measure.bench_table import ratio_cells
from models.netfiles.evaluator import OnnxEvaluator, default_net
from models.nets import export
from models.runs.config import named
from tests.core.games.test_games_counts import counts


def test_the_ratio_is_that_of_the_medians():
    # Medians 20 and 10; the rounds 10/1, 20/100 and 300/10.
    assert ratio_cells([10, 20, 300], [1, 100, 10]) == ("2.00", "0.20 to 30")
    assert ratio_cells([6.04], [1.0]) == ("6.0", "6.0 to 6.0")


def test_the_known_counts_are_those_of_the_table():
    known = {game: (depth, number) for game, depth, number in bench_exact.PERFT}
    for game, words in (("connect4", ""), ("othello", "a pass is a ply, ")):
        depth, number = known[game]
        assert number == counts(game, f"perft, {words}an early end one leaf")[depth - 1]
    assert known["gomoku"] == (3, 225 * 224 * 223)


def test_a_wrong_perft_count_raises(monkeypatch):
    monkeypatch.setattr(bench_exact, "PERFT", (("tictactoe", 2, 71),))
    with pytest.raises(ValueError, match="perft of tictactoe to depth 2 is 72; it must be 71"):
        bench_exact.perft_table(1, 0.001)


def test_without_openspiel_only_our_rates_are_measured(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.setattr(bench_speed, "BESIDE", (("tictactoe", "tic_tac_toe"),))
    table = bench_speed.rollout_table(1, 0.001)
    ((ours, theirs, rate, *others),) = table.rows
    assert (ours, theirs, others) == ("tictactoe", "tic_tac_toe", ["-", "-", "-"])
    assert int(rate.replace(",", "")) > 0
    assert "OpenSpiel is not installed" in table.note


def run_here(command, **options):
    """As ``subprocess.run``, of the command that writes a net: another process would import torch once more."""
    assert command[1:3] == ["-m", "models.nets.export"]
    with contextlib.redirect_stderr(io.StringIO()) as said, pytest.raises(SystemExit) as ended:
        export.main(command[3:])
    return subprocess.CompletedProcess(command, int(ended.value.code or 0), "", said.getvalue())


@pytest.mark.slow
def test_nets_of_every_size(monkeypatch, tmp_path):
    """One comes with the program; the other is written, of the size asked for."""
    game = load_game("connect4")
    monkeypatch.setattr(bench_speed, "SIZES", ((1, 4), (4, 48)))
    (_, tiny), (_, shipped), (further_game, _) = bench_speed.nets(
        tmp_path, [(str(default_net(load_game("tictactoe"))), "tictactoe")]
    )
    assert shipped == default_net(game)
    assert further_game == load_game("tictactoe")
    config = OnnxEvaluator(tiny, game).info.config
    assert (tiny.parent, config["blocks"], config["channels"]) == (tmp_path, 1, 4)
    monkeypatch.setattr(subprocess, "run", run_here)
    with pytest.raises(ValueError, match=r"no net of 1x0 for connect4 could be made: .*channels is 0"):
        bench_speed.write_untrained(game, 1, 0, tmp_path / "none.onnx")


def test_a_whole_run(monkeypatch, capsys):
    monkeypatch.setattr(
        bench_speed,
        "BESIDE",
        (("tictactoe", "tic_tac_toe"), ("nim(heaps=3-4-5)", "nim(pile_sizes=3;4;5,is_misere=False)")),
    )
    monkeypatch.setattr(bench_speed, "SIZES", ((4, 48),))
    monkeypatch.setattr(bench_speed, "BATCH_SIZES", (1, 8))
    monkeypatch.setattr(bench_exact, "PERFT", (("tictactoe", 9, 255168),))
    monkeypatch.setattr(bench_exact, "SOLVED", (("late", "connect4", 30, 1),))
    assert bench_speed.main(["--seconds", "0.01", "--rounds", "2", "--markdown"]) == 0
    page = capsys.readouterr().out
    assert page.startswith("# How fast\n")
    assert "2 rounds of 0.01 s each" in page
    tables = [part.splitlines() for part in re.findall(r"(?:^\|.*\n)+", page, re.M)]
    assert [len(table) - 2 for table in tables] == [2, 2, 1, 1]
    for table in tables:
        assert len({line.count("|") for line in table}) == 1
    ratios = [float(line.split("|")[-3]) for line in tables[1][2:]]
    assert all(0 < ratio < 20 for ratio in ratios)
    assert bench_speed.main(["--seconds", "0.01", "--rounds", "1"]) == 0
    assert "|" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "message"),
    [("--seconds=0", "--seconds is 0; it must be above 0"), ("--rounds=0", "--rounds is 0; it must be at least 1")],
)
def test_bad_options(option, message, capsys):
    with pytest.raises(SystemExit) as ended:
        bench_speed.main([option])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_a_missing_net_ends_the_benchmark_with_a_sentence(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(bench_speed, "BESIDE", ())
    monkeypatch.setattr(bench_speed, "SIZES", ())
    assert bench_speed.main(["--net", str(tmp_path / "no.onnx"), "connect4", "--seconds", "0.01", "--rounds", "1"]) == 1
    assert "no.onnx' does not exist" in capsys.readouterr().err


@pytest.mark.slow
def test_an_ablation_trains_measures_and_continues(tmp_path, capsys):
    words = ["tictactoe", "learning.batch_size=32", "--out", str(tmp_path), "--seeds", "1", "--evaluations", "400"]
    words += ["--games", "2", "--simulations", "8", "--rollouts", "8", "--positions", "5"]
    small = {
        "blocks": 1,
        "channels": 8,
        "games": 8,
        "samples_per_iteration": 64,
        "simulations": 8,
        "fast_simulations": 4,
    }
    words += [word for name, value in named(small).items() for word in ("--set", f"{name}={value}")]
    assert ablate.main(words) == 0
    written = [path.stat().st_mtime_ns for path in sorted(tmp_path.glob("*/" + ablate.RESULT))]
    page = capsys.readouterr().out
    variants = [
        line.split()[0] for line in page.splitlines() if line.strip().startswith(("base", "learning.batch_size=32"))
    ]
    assert variants == ["base", "learning.batch_size=32"]
    assert page.count("%") > 8
    assert ablate.main(words) == 0
    assert [path.stat().st_mtime_ns for path in sorted(tmp_path.glob("*/" + ablate.RESULT))] == written
    assert capsys.readouterr().out == page
    with pytest.raises(SystemExit, match="2"):
        ablate.main([word.replace("learning.batch_size=32", "learning.batch_size=16") for word in words])
    assert "holds the run of 'learning.batch_size=32', not of 'learning.batch_size=16'" in capsys.readouterr().err
