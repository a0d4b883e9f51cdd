"""Tests of sessions saved with their tree: reopened, they show the same results at once, or the reason why not."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog
from pytestqt.qtbot import QtBot

from core.engine import Evaluator
from core.games import GameSpec
from core.glass import Snapshot
from gui.jobs.kept_trees import KeepingAnalysis
from gui.model import sources
from gui.model.sources import UniformSource
from gui.shell.document_files import digest_of
from gui.shell.filing import SessionDialog
from gui.window import MainWindow
from tests.gui.conftest import open_window


@pytest.fixture
def make(qtbot: QtBot) -> Callable[[], MainWindow]:
    """Returns a function that makes windows with real searches on a small Connect Four, 300 simulations each."""

    def one() -> MainWindow:
        window = open_window(qtbot, KeepingAnalysis(), "connect4(rows=4, cols=5, k=3)")
        window.state.set_limit(300)  # before what begins a search, so that none gets larger
        window.state.set_source(UniformSource())
        return window

    return one


def rested(qtbot: QtBot, window: MainWindow) -> Snapshot:
    qtbot.waitUntil(lambda: window.session.snapshot is not None and bool(window.session.snapshot.reason))
    assert window.session.snapshot is not None
    return window.session.snapshot


def searched(qtbot: QtBot, window: MainWindow) -> Snapshot:
    window.state.play(2)
    qtbot.waitUntil(lambda: window.session.snapshot is not None)
    return rested(qtbot, window)


def save(qtbot: QtBot, window: MainWindow, path: Path, with_tree: bool = True) -> None:
    with qtbot.waitSignal(window.commands.filing.used):
        window.commands.filing.save_session(path, with_trees=with_tree)


def same_figures(a: Snapshot, b: Snapshot) -> None:
    assert a.position == b.position
    assert a.simulations == b.simulations
    for name in ("actions", "visits_of", "qs", "us", "scores", "priors", "values"):
        np.testing.assert_array_equal(getattr(a.root, name), getattr(b.root, name), err_msg=name)
    assert a.pv == b.pv
    assert a.counters.nodes == b.counters.nodes
    assert a.counters.evaluations == b.counters.evaluations


@pytest.mark.slow
def test_a_saved_tree_is_shown_at_once_and_its_search_continues(
    qtbot: QtBot, make: Callable[[], MainWindow], tmp_path: Path
) -> None:
    first = make()
    before = searched(qtbot, first)
    path = tmp_path / "with.plyscope"
    save(qtbot, first, path)
    second = make()
    rested(qtbot, second)
    with qtbot.waitSignal(second.commands.filing.used):
        second.commands.filing.open_file(path)
    after = rested(qtbot, second)
    same_figures(before, after)
    assert second.banner.text == ""
    second.state.set_limit(500)
    qtbot.waitUntil(lambda: rested(qtbot, second).simulations >= 500)
    grown = rested(qtbot, second).root
    assert (grown.visits_of >= before.root.visits_of).all()


@pytest.mark.slow
def test_a_session_without_tree_is_small_and_searches_again(
    qtbot: QtBot, make: Callable[[], MainWindow], tmp_path: Path
) -> None:
    window = make()
    searched(qtbot, window)
    save(qtbot, window, tmp_path / "with.plyscope")
    save(qtbot, window, tmp_path / "without.plyscope", with_tree=False)
    assert 4 * (tmp_path / "without.plyscope").stat().st_size < (tmp_path / "with.plyscope").stat().st_size


@pytest.mark.slow
def test_a_running_search_is_saved_and_continues(qtbot: QtBot, make: Callable[[], MainWindow], tmp_path: Path) -> None:
    window = make()
    searched(qtbot, window)
    window.session.continue_search()
    save(qtbot, window, tmp_path / "running.plyscope")
    # The last snapshot of a search follows a moment after it has ended.
    qtbot.waitUntil(lambda: window.session.searching or rested(qtbot, window).reason == "proved")
    second = make()
    second.state.set_limit(1)
    with qtbot.waitSignal(second.commands.filing.used):
        second.commands.filing.open_file(tmp_path / "running.plyscope")
    assert rested(qtbot, second).simulations >= 300


@pytest.mark.slow
def test_a_tree_of_another_net_is_left_out_with_a_note(
    qtbot: QtBot, make: Callable[[], MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make()
    searched(qtbot, window)
    monkeypatch.setattr("gui.shell.document_files.digest_of", lambda source: "another")
    save(qtbot, window, tmp_path / "net.plyscope")
    monkeypatch.undo()
    window.commands.filing.open_file(tmp_path / "net.plyscope")
    qtbot.waitUntil(lambda: "tree is left out" in window.banner.text)
    rested(qtbot, window)


def test_a_source_that_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (Path("/dev/zero"), tmp_path / "pipe"):
        with pytest.raises(ValueError, match="is not a file"):
            sources.net_source(path)
        assert digest_of(str(path)) is None


@pytest.mark.slow
def test_a_tree_of_other_settings_is_refused_in_a_sentence(qtbot: QtBot, make: Callable[[], MainWindow]) -> None:
    window = make()
    searched(qtbot, window)
    analysis: Any = window.session.analysis
    copies: list[Any] = []
    analysis.take(copies.append, copies.append)
    qtbot.waitUntil(lambda: bool(copies))
    kept, message = copies[0], []
    analysis.offer(replace(kept, settings=replace(kept.settings, c_puct=9.0)), UniformSource().label, message.append)
    window.state.go(0)
    window.state.go(1)
    qtbot.waitUntil(lambda: message == ["it was searched with other settings"])
    assert rested(qtbot, window).simulations >= 300


def test_there_is_no_tree_before_a_search(qtbot: QtBot) -> None:
    with closing(KeepingAnalysis()) as analysis:
        copies: list[object] = []
        analysis.take(copies.append, copies.append)
        from core.games import load_game

        class Broken(UniformSource):
            def load(self, game: GameSpec) -> Evaluator:
                raise ValueError("it cannot be loaded")

        analysis.start(load_game("tictactoe").initial(), Broken())
        qtbot.waitUntil(lambda: copies == [None])


@pytest.mark.slow
def test_the_session_dialog_offers_the_tree_with_its_size(
    qtbot: QtBot, make: Callable[[], MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make()
    searched(qtbot, window)
    chosen = tmp_path / "asked"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(chosen), ""))
    window.context.actions["save_session"].trigger()
    dialog = window.findChild(SessionDialog)
    assert isinstance(dialog, SessionDialog)
    assert "MB" in dialog.tree.text()
    dialog.tree.click()
    buttons = dialog.findChild(QDialogButtonBox)
    assert isinstance(buttons, QDialogButtonBox)
    with qtbot.waitSignal(window.commands.filing.used):
        buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    from core.files.session import open_session

    assert len(open_session(tmp_path / "asked.plyscope").session.games[0].searches) == 1


@pytest.mark.slow
def test_without_a_tree_only_the_file_dialog_opens(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "asked.plyscope"), ""))
    with qtbot.waitSignal(window.commands.filing.used):
        window.context.actions["save_session"].trigger()
    assert window.findChild(SessionDialog) is None
