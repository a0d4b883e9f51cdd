"""Each measurement runs to its end at its smallest size; how large its figures are is not tested."""

from __future__ import annotations

import ctypes
import shutil
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from core.games import load_game
from measure import ablate, bench_speed, bench_tree, gpu, inside, window
from measure.window_inside import PARTS
from measure.window_probes import median_interval
from models.netfiles.shipped import default_net
from models.runs.config import named
from tests.core import exact
from tests.gui.rooms.training.runs import write_run


def rows_of(page: str) -> dict[str, list[list[str]]]:
    """The rows of each Markdown table of a page, by its title."""
    tables: dict[str, list[list[str]]] = {}
    for line in page.splitlines():
        if line.startswith("## "):
            rows = tables.setdefault(line.removeprefix("## "), [])
        elif line.startswith("| "):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return {title: rows[2:] for title, rows in tables.items()}


def test_the_speed_of_search_rules_and_solvers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = {
        "BESIDE": (("tictactoe", "tic_tac_toe"), ("nim(heaps=3-4-5)", "nim(pile_sizes=3;4;5,is_misere=False)")),
        "SIZES": ((4, 48),),
        "BATCH_SIZES": (1, 8),
        "PERFT": (("tictactoe", 9, 255168),),
        "SOLVED": (("late", "connect4", 30, 1),),
    }
    for name, value in small.items():
        monkeypatch.setattr(bench_speed, name, value)
    assert bench_speed.main(["--seconds", "0.01", "--rounds", "2"]) == 0
    assert [len(rows) for rows in rows_of(capsys.readouterr().out).values()] == [2, 2, 1, 1, 1]
    tiny = Path(__file__).parents[1] / "data" / "katago" / "tiny"
    human = ["--human", str(tiny / "human-b2c16nbt.bin.gz"), "--net", str(tiny / "rect15-b2c16.bin.gz"), "go(size=5)"]
    assert bench_speed.main(["--seconds", "0.01", "--rounds", "1", "--only", "human", *human]) == 0
    assert [len(rows) for rows in rows_of(capsys.readouterr().out).values()] == [1]
    assert bench_speed.main(["--seconds", "0.01", "--rounds", "1", "--only", "human"]) == 1
    assert "needs --human FILE and --net FILE GAME" in capsys.readouterr().err
    monkeypatch.setattr(bench_speed, "PERFT", (("tictactoe", 2, 71),))
    assert bench_speed.main(["--seconds", "0.01", "--rounds", "1", "--only", "perft"]) == 1
    assert "must be 71" in capsys.readouterr().err


def test_the_tree_side_is_measured_and_its_trees_compared() -> None:
    case = bench_tree.Case("tictactoe", 8)
    assert bench_tree.cost(case, 0.01) > 0
    assert (
        bench_tree.trees(case, 100)
        == bench_tree.trees(case, 100)
        != bench_tree.trees(bench_tree.Case("tictactoe", 4), 100)
    )


@pytest.mark.slow
def test_a_gpu_or_the_processor_in_its_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    net = default_net(load_game("tictactoe"))
    assert net is not None
    (tmp_path / "nets").mkdir()
    shutil.copy(net, tmp_path / "nets")
    monkeypatch.setattr(gpu, "nets_dir", lambda: tmp_path / "nets")
    monkeypatch.setattr(gpu, "write_untrained", lambda game, blocks, channels, path: shutil.copy(net, path))
    small = {"SEARCHES": ((8, 1, 1), (8, 2, 2)), "LEARNER_BATCHES": (4,), "SERVED_GAMES": (4,), "COMPARED": 8}
    for name, value in {**small, "PLAY_TIMES": 60}.items():
        monkeypatch.setattr(gpu, name, value)
    words = "--device cpu --game tictactoe --size 1x8 --batch 2 --batch 8 --seconds 0.005 --games 4"
    assert gpu.main([*words.split(), "--out", str(tmp_path)]) == 0
    page = (tmp_path / "bench-gpu.md").read_text()
    assert "Left out" not in page
    assert all(rows_of(page).values())


def test_without_a_gpu_its_measurement_ends_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(name: str, *_: object) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", load)
    assert gpu.main(["--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err.startswith("bench-gpu: no NVIDIA driver found")


@pytest.mark.slow
def test_the_window(qtbot: QtBot, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def written_run(home: Path) -> Path:
        write_run(home / "runs" / "first")
        return home / "runs"

    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)  # else each process compiles all modules
    monkeypatch.setattr("measure.window_measures.ROUNDS", 1)
    monkeypatch.setattr("measure.window_measures.LEAF_S", 0.5)
    monkeypatch.setattr("measure.window_measures.SETTLE_S", 0.01)
    monkeypatch.setattr("measure.window_first.SETTLE_S", 0.01)
    monkeypatch.setattr("measure.window_first.make_run", written_run)  # training one is left to the soak
    assert window.main(["--seconds", "0.05", "--minutes", "0", "--nodes", "600"]) == 0
    page = capsys.readouterr().out
    for name in ("input to paint", "open window and headless", "picture of", "icicle of", "time machine", "table-tree"):
        assert name in page
    for name in PARTS:
        assert f"{name} opened" in page
    assert page.count("asked again 0 times in 12 turns") == len(PARTS) * len(window.GAMES)
    for name in ("start, warm: first figures", "first click, slowest", "language changed", "memory over"):
        assert name in page
    assert "failed" not in page


def test_the_interval_of_a_median_leaves_out_as_many_values_at_each_end_as_the_sign_test_allows() -> None:
    # Twelve values: 79 of the 4096 ways in which they lie about the median have at most two below it, 299 at most three
    assert median_interval([float(value) for value in range(12, 0, -1)]) == (6.5, 3.0, 10.0)
    assert median_interval([2.0, 1.0, 4.0]) == (2.0, 1.0, 4.0)
    shift, seen = np.random.default_rng(0), 0
    for _ in range(400):
        _, low, high = median_interval(shift.exponential(1.0, 12).tolist())
        seen += low <= np.log(2.0) <= high
    assert seen / 400 >= 0.94


@pytest.mark.slow
def test_an_ablation_trains_measures_and_continues(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tictactoe", "learning.batch_size=32", "--out", str(tmp_path), "--seeds", "1", "--evaluations", "400"]
    words += ["--games", "2", "--simulations", "8", "--rollouts", "8", "--positions", "5"]
    small = {"blocks": 1, "channels": 8, "games": 8, "samples_per_iteration": 64, "simulations": 8}
    for name, value in named({**small, "fast_simulations": 4}).items():
        words += ["--set", f"{name}={value}"]
    assert ablate.main(words) == 0
    written = [path.stat().st_mtime_ns for path in sorted(tmp_path.glob("*/" + ablate.RESULT))]
    page = capsys.readouterr().out
    ((base, *changes),) = ([name for name, *_ in rows] for rows in rows_of(page).values())
    assert (base, changes) == ("base", ["learning.batch_size=32"])
    assert ablate.main(words) == 0
    assert [path.stat().st_mtime_ns for path in sorted(tmp_path.glob("*/" + ablate.RESULT))] == written
    assert capsys.readouterr().out == page


def test_what_the_room_inside_says_is_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ("inside", "deletion", "--game", "connect4(rows=4, cols=5)", "--positions", "5")
    monkeypatch.setattr("sys.argv", [*small, "--net", str(default_net(load_game("connect4")))])
    with pytest.raises(ValueError, match="connect4"):  # the net of another board
        inside.main()
    monkeypatch.setattr("sys.argv", ["inside", "deletion", "--positions", "5"])
    inside.main()
    monkeypatch.setattr("sys.argv", ["inside", "replies", "--plies", "1", "--scrambled", "1"])
    inside.main()
    lines = capsys.readouterr().out.splitlines()
    assert "5 positions, one to 3 stones" in lines[0]
    assert "of 1 winning lines seen" in lines[3]
    assert lines[4].startswith("1 nets with its weights in random order: ")


def test_a_winning_line_has_one_right_first_move_and_ends_in_a_win() -> None:
    game = load_game("connect4(rows=4, cols=5)")
    for position, line in islice(inside.winning_lines(game, 0), 5):
        values = [exact.value(position.play(action)) for action in position.legal_actions()]
        assert values.count(-1) == 1
        for action in line:
            assert not position.is_over
            position = position.play(action)
        assert position.is_over
        assert len(line) % 2 == 1


def test_a_line_of_fours_begins_with_the_only_move_that_wins_by_fours() -> None:
    game = load_game("gomoku(size=9)")
    crossing = game.position("d5 c5 e5 a9 f5 i1 g2 a7 g3 i8 g4 c8")  # g5 makes two fours at once
    assert game.action_name(inside._line_of_fours(crossing)[0]) == "g5"
    open_three = game.position("d5 a1 e5 a9 f5 i1")  # two moves win
    assert inside._line_of_fours(open_three) == ()
    assert inside._line_of_fours(game.initial()) == ()
