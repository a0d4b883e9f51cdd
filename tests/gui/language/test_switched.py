"""A window that was switched to a language shows exactly the texts of a window that was opened in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.games import load_game
from core.search import SearchSettings
from gui.language.language import CHINESE, ENGLISH, set_language
from gui.rooms.training.run_view import PAGES
from gui.rooms.training.tab import TrainingTab
from gui.shell.docks import ROWS
from gui.shell.retranslate import switch_language
from gui.widgets.chart_table import CHARTS
from gui.window import MainWindow
from tests.gui.fakes import FakeAnalysis
from tests.gui.language.shown_texts import shown_texts
from tests.gui.rooms.training.runs import write_run

# figures of the clock
MEASURED = ("frame ", "帧 ")


@pytest.fixture
def open_in(qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[[str], MainWindow]]:
    """Opens a window in a language, with a game that is searched, every dock and the page of training."""
    write_run(tmp_path / "runs" / "first")
    opened: list[MainWindow] = []

    def open_in(language: str) -> MainWindow:
        set_language(language)
        analysis = FakeAnalysis()
        window = MainWindow(theme="dark", training=lambda state: TrainingTab(state, tmp_path / "runs"))
        opened.append(window)
        qtbot.addWidget(window)
        window.resize(1400, 840)
        window.show()
        window.state.settings = SearchSettings()
        window.session.attach(analysis)
        window.state.open_position(load_game("connect4(rows=5, k=3)").position("d d c"), None)
        analysis.publish(1000)
        analysis.finish()
        all_texts(qtbot, window)
        return window

    yield open_in
    for window in opened:
        window.close()
    set_language(ENGLISH)


def all_texts(qtbot: QtBot, window: MainWindow) -> dict[str, str]:
    """Those of every room, after it came in sight; a room renews what is live when it does."""
    window.show_page("analysis")
    for row in ROWS:
        window.docks.show_dock(row.name)
        QApplication.processEvents()
    found = shown_texts(window)
    window.show_page("training")
    assert window.training is not None
    view = window.training.view
    window.training._leave_form()
    for page in PAGES:
        view.show_page(page)
        window.training.tick()
        qtbot.waitUntil(lambda: len(view.charts.charts) == len(CHARTS))
        for _ in range(20):
            QApplication.processEvents()
    window.training.show_new()
    return found | shown_texts(window)


def differences(one: dict[str, str], other: dict[str, str]) -> list[str]:
    places = sorted(one.keys() | other.keys())
    return [
        f"{place}: {one.get(place)!r} instead of {other.get(place)!r}"
        for place in places
        if one.get(place) != other.get(place) and not str(one.get(place, other.get(place))).startswith(MEASURED)
    ]


@pytest.mark.parametrize(("before", "now"), [(ENGLISH, CHINESE), (CHINESE, ENGLISH)])
def test_a_switched_window_shows_what_a_fresh_one_shows(
    qtbot: QtBot, open_in: Callable[[str], MainWindow], before: str, now: str
) -> None:
    window = open_in(before)
    switch_language(now)
    switched = all_texts(qtbot, window)
    window.close()
    fresh = all_texts(qtbot, open_in(now))
    assert len(fresh) > 500
    open(f"/tmp/dump-{now}", "w").write("\n".join(f"{k}: {v}" for k, v in fresh.items()))
    found = differences(switched, fresh)
    open(f"/tmp/diff-{now}", "w").write("\n".join(found))
    assert found == []
