"""Matches in the window: any two players, the score, every game kept; stopped, and with engines that fail."""

import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QFileDialog

from core.files.sgf import read_sgf
from core.games import load_game
from gui.model.sources import OutsideSource, UniformSource, default_source
from models.engines.engine_list import EngineEntry, write_engines
from tests.gui.conftest import cancel_close, open_window

FAKE = Path(__file__).parents[3] / "models" / "engines" / "fake_engine.py"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    for place in ("models.engines.engine_list.data_home", "core.machine.data_home"):
        monkeypatch.setattr(place, lambda: tmp_path)
    monkeypatch.setattr("models.engines.process.END_S", 0.2)
    kinds = ("plays", "crashes", "hangs")
    write_engines([EngineEntry(kind, "gtp", f"'{sys.executable}' '{FAKE}' {kind}") for kind in kinds])
    return tmp_path


@pytest.fixture
def shown(qtbot, analysis):
    window = open_window(qtbot, analysis, "gomoku(size=5)")
    view = window.commands.open_dock("match")
    return window, view


def choose(view, *sources, games: int = 2) -> None:
    for fields, source in zip(view.players, sources, strict=True):
        fields.who.setCurrentIndex(next(i for i in range(fields.who.count()) if fields.who.itemData(i) == source))
        fields.who.activated.emit(fields.who.currentIndex())
        fields.amount.setText("1" if isinstance(source, OutsideSource) else "4")
    view.games.setText(str(games))


def cells(view) -> list[list[str]]:
    return [[column.text(row) for column in view.model.columns] for row in view.model.rows]


def test_an_engine_plays_our_search_and_every_game_is_kept(qtbot, shown, home, monkeypatch):
    window, view = shown
    choose(view, OutsideSource("plays"), UniformSource())
    assert not view.players[0].unit.isEnabled()
    view.run.click()
    assert view.run.text() == "Stop"
    qtbot.waitUntil(lambda: not view.job.running)
    assert view.run.text() == "Start"
    assert [row[1:3] for row in cells(view)] == [["plays, 1 s", "uniform prior, 4"], ["uniform prior, 4", "plays, 1 s"]]
    assert sum(view.job.score) == 2
    assert "plays, 1 s against uniform prior, 4: " in view.standing.text()
    assert "Elo" in view.standing.text()
    one_sided = {game.score for game in view.job.games} == {0.0, 1.0}
    assert view.job.one_sided == (int(one_sided), 1)
    assert ("In 1 of 1 openings the same side of the board won" in view.standing.text()) == one_sided
    (file,) = (home / "plyscope" / "matches").iterdir()
    kept = read_sgf(file.read_bytes(), window.state.game).records
    assert [record.info["black"] for record in kept] == ["plays, 1 s", "uniform prior, 4"]
    assert all(record.position(record.main_line()[-1]).is_over for record in kept)
    target = home / "out.sgf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", staticmethod(lambda *_, **__: (str(target), "")))
    view.save.click()
    qtbot.waitUntil(target.exists)
    assert target.read_bytes() == file.read_bytes()
    view.table.chosen.emit(view.model.rows[1])
    qtbot.waitUntil(lambda: window.state.moves == view.job.games[1].record.path(kept[1].main_line()[-1]))
    assert window.state.position.is_over


def test_the_net_of_the_window_plays_first_until_another_is_chosen(qtbot, analysis):
    window = open_window(qtbot, analysis, "gomoku(size=5)")
    window.context.actions["match"].trigger()
    view: Any = window.commands.open_dock("match")
    assert view.isVisible()
    assert [fields.who.currentData() for fields in view.players] == [None, UniformSource()]
    window.context.opener.open_game("tictactoe")
    net = default_source(load_game("tictactoe"))
    qtbot.waitUntil(lambda: view.players[0].who.currentData() == net)
    assert view.players[1].who.currentData() is None
    choose(view, UniformSource(), None)
    window.context.opener.listed.emit()
    assert [fields.who.currentData() for fields in view.players] == [UniformSource(), None]


def test_words_of_a_match_are_not_cut_in_a_low_dock(qtbot, shown):
    _, view = shown
    choose(view, UniformSource(), None, games=10)
    view.run.click()
    qtbot.waitUntil(lambda: len(view.job.games) >= 2)
    view.run.click()
    qtbot.waitUntil(lambda: not view.job.running)
    view.setParent(None)
    view.resize(500, view.minimumSizeHint().height() + 20)
    view.show()
    words = view.standing
    assert words.height() >= words.heightForWidth(words.width()) > words.fontMetrics().height()
    assert view.save.geometry().right() < view.width()
    view.close()


def test_a_match_is_stopped_at_any_time_and_the_game_that_is_played_stays(qtbot, shown):
    window, view = shown
    choose(view, OutsideSource("plays"), OutsideSource("hangs"))
    view.run.click()
    qtbot.waitUntil(lambda: len(view.job._table.engines) == 2 and view.job.ply >= 3)
    processes = [engine.process for engine in view.job._table.engines]
    cancel_close(window)
    assert not view.job.stopping
    view.run.click()
    qtbot.waitUntil(lambda: not view.job.running)
    assert [row[3] for row in cells(view)] == ["not finished"]
    assert view.job.games[0].plies == 3
    assert view.error.text() == ""
    assert not any(process.running for process in processes)


def test_an_engine_that_fails_ends_the_match_and_is_named(qtbot, shown):
    _, view = shown
    choose(view, OutsideSource("crashes"), None)
    view.run.click()
    qtbot.waitUntil(lambda: not view.job.running)
    assert view.error.text() == "the engine crashes ended: 'out of luck'"
    assert [row[3] for row in cells(view)] == ["not finished"]
    view.games.setText("many")
    view.run.click()
    assert view.error.text() == "Games is 'many'; it must be a whole number from 2 to 10000"
    assert not view.job.running
