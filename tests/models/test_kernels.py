"""Compiling beforehand: every game is in it, workers end with their parent process, and a failure is reported."""

import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core import event

from core._kernel_files import are_whole, mark_whole
from core.engine import warm_up
from core.files import tree_moves
from core.files.tree_file import dump_tree, load_tree, saved
from core.games import branching, load_game
from core.games.dispatch import _TABLE
from core.glass.picture import picture_of
from core.search import SearchSettings
from core.search.tree import NODES
from models import kernels
from models.commands.program import main
from models.kernels import TEXTS, BuildError, build, parts, worker_environment
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.shipped import default_net
from tests.core.search.fakes import run_search

ECHO = "import sys\nfor line in sys.stdin:\n    print('done', flush=True)\n"


def test_every_kind_of_state_is_compiled_for() -> None:
    own = {state for state in _TABLE if state.__module__.startswith("core.")}  # a test may have installed a game
    assert {type(load_game(text).new_state()) for text in TEXTS} == own


@pytest.mark.parametrize("workers", [1, 3])
def test_every_part_is_done_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    monkeypatch.setattr(kernels, "worker_command", lambda: [sys.executable, "-c", ECHO])
    assert sorted(name for name, _ in build(workers, tmp_path)) == sorted(parts())
    assert [path.name[:6] for path in tmp_path.rglob("*") if path.is_file()] == ["whole-"]


def test_parts_can_be_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kernels, "worker_command", lambda: [sys.executable, "-c", ECHO])
    command = ["kernels", "--into", str(tmp_path), "--processes", "1"]
    assert main([*command, "--without", "go: *", "--without", "*: training"]) == 0
    done = {line.split(" s  ")[1] for line in capsys.readouterr().err.splitlines() if " s  " in line}
    assert done == {name for name in parts() if not name.startswith("go: ") and not name.endswith(": training")}
    assert list(tmp_path.iterdir()) == []  # not marked as whole
    assert main([*command, "--without", "chess: *"]) != 0
    assert "--without 'chess: *' is the name of no part" in capsys.readouterr().err


def test_a_failing_worker_is_reported_and_nothing_is_marked_as_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "worker_command", lambda: [sys.executable, "-c", "input()"])
    with pytest.raises(BuildError, match="connect4: search"):
        list(build(1, tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_worker_ends_when_its_input_closes() -> None:
    code = (
        "import threading\n"
        "from models import kernels\n"
        "kernels.parts = lambda: {'long': lambda: (print('begun', flush=True), threading.Event().wait())}\n"
        "kernels.work()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=worker_environment(),
    ) as worker:
        assert worker.stdout is not None
        worker.stdin.write("long\n")
        worker.stdin.flush()
        assert worker.stdout.readline() == "begun\n"
        worker.stdin.close()
        assert worker.wait(60) == 0


def test_a_mark_records_that_all_kernels_are_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYSCOPE_KERNELS", str(tmp_path))
    assert not are_whole()
    mark_whole()
    assert are_whole()


class _Compiled(event.Listener):
    def __init__(self) -> None:
        self.names: list[str] = []

    def on_start(self, what: event.Event) -> None:
        self.names.append(str(what.data["dispatcher"]))

    def on_end(self, what: event.Event) -> None:
        pass


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_a_search_with_a_net_compiles_nothing_new() -> None:
    parts()["connect4: search"]()
    game, compiled = load_game("connect4"), _Compiled()
    net = default_net(game)
    assert net is not None
    evaluator = OnnxEvaluator(net, game)
    with event.install_listener("numba:compile", compiled):
        warm_up(game, evaluator, SearchSettings())
        search = run_search(game.initial(), evaluator, 100, batches_in_flight=2)
        search.advance(search.best_action())
        picture_of(search.tree, search.root, 20, search.snapshot().pv)
        search.curves()
    assert compiled.names == []


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_loading_a_large_tree_compiles_nothing_new() -> None:
    parts()["connect4: tree from a file"]()
    game, compiled = load_game("connect4"), _Compiled()
    search = run_search(game.initial(), None, 1000, selection="ucb1")
    assert search.tree.counts[NODES] > tree_moves._FEW
    data = dump_tree(saved(search))
    with event.install_listener("numba:compile", compiled):
        load_tree(data)
    assert compiled.names == []


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_games_from_files_compile_nothing_new() -> None:
    parts()["connect4: games from files"]()
    game, compiled = load_game("connect4"), _Compiled()
    moves = branching.MoveTree.line(np.zeros(3, np.int16))
    with event.install_listener("numba:compile", compiled):
        found = branching._play(game, game.new_state(), game.new_state(), moves, compiled=True)
    assert (found == branching.LEGAL).all()
    assert compiled.names == []
