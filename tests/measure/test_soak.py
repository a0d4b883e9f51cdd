"""The soak: what it counts, what it prints, and that its processes cannot reach the user's own things."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from core.files.page import search_page
from core.files.page_data import packed, page_record
from core.files.tree_file import saved
from core.games import load_game
from gui.rooms.opponents.play_seats import Seat
from gui.widgets.form import ComboBox
from gui.window import MainWindow
from measure import soak
from measure.soak import ACTS_SHOWN, Outcome, environment, judge, read_journal
from measure.soak_acts import cancel_close, check_page, drop, turn_wheel
from tests.core.search.fakes import run_search
from tests.gui.conftest import open_window
from tests.gui.fakes import FakeAnalysis


@pytest.fixture
def outcome(tmp_path: Path) -> Outcome:
    """Of a process that met an exception twice, wrote half a line and died."""
    lines: list[dict[str, Any]] = [{"act": f"play {n}"} for n in range(40)]
    lines.insert(30, {"kind": "exception", "what": "KeyError: 7"})
    lines.append({"kind": "exception", "what": "KeyError: 7"})
    lines += [{"said": "a1 is taken"}, {"memory": 300.0}, {"memory": 350.0}]
    journal = tmp_path / soak.JOURNAL
    journal.write_text("\n".join(map(json.dumps, lines)) + '\n{"act": "pl', encoding="utf-8")
    found = Outcome(7, -11, 12.0, stderr="Fatal Python error: Segmentation fault\nException ignored in: 3")
    read_journal(found, journal)
    judge(found)
    return found


def test_a_journal_is_counted(outcome: Outcome) -> None:
    counts = {kind: outcome.count(kind) for kind in soak.FAULTS}
    assert counts == {"exception": 2, "crash": 1, "error": 1, "warning": 0, "thread": 0}
    assert len(outcome.acts) == 40
    assert outcome.growth == 50.0
    assert outcome.messages["a1 is taken"] == 1
    assert outcome.last_acts["exception", "KeyError: 7"] == [f"play {n}" for n in range(30 - ACTS_SHOWN, 30)]


def test_every_fault_makes_the_exit_code_1(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(soak, "soak", lambda seed, *_: Outcome(seed, 0, 1.0))
    assert soak.main(["--seeds", "3", "--no-training"]) == 0

    def third_fails(seed: int, *_: object) -> Outcome:
        found = Outcome(seed, 0, 1.0)
        if seed == 3:
            found.add_fault("warning", "Qt: QPainter::begin: Paint device returned engine == 0")
        return found

    monkeypatch.setattr(soak, "soak", third_fails)
    assert soak.main(["--seeds", "3", "--no-training"]) == 1
    assert "seed 3, warning, 1 times: Qt: QPainter::begin" in capsys.readouterr().out


def test_soak_processes_have_folders_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    env = environment(tmp_path)
    assert "DISPLAY" not in env
    assert env["QT_QPA_PLATFORM"] == "offscreen"
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "TMPDIR"):
        assert Path(env[name]).is_relative_to(tmp_path)


class Hasty(QObject):
    """Ends play at every attempt to close, also at one that is refused."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Close and isinstance(watched, MainWindow):
            watched.commands.games.play.pause()
        return False


def test_what_ends_with_a_cancelled_close_is_a_fault(qtbot: QtBot) -> None:
    window = open_window(qtbot, FakeAnalysis(), "tictactoe")
    window.commands.games.play.seat(1, Seat(engine=True))
    window.commands.games.play.start()
    assert cancel_close(window) == []
    hasty = Hasty(window)
    window.installEventFilter(hasty)
    assert cancel_close(window) == ["a close that was cancelled ended play"]


@pytest.mark.parametrize(("kind", "count"), [(QComboBox, 1), (ComboBox, 0)])
def test_a_field_that_the_wheel_changes_without_the_focus_is_a_fault(
    qtbot: QtBot, kind: type[QComboBox], count: int
) -> None:
    form = QWidget()
    qtbot.addWidget(form)
    box = kind(form)
    box.addItems(["a", "b"])
    QVBoxLayout(form).addWidget(box)
    form.show()
    assert len(turn_wheel(form, -120)) == count


def test_a_folder_that_is_dropped_is_listed(qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(qtbot, FakeAnalysis(), "tictactoe")
    assert drop(window, [tmp_path]) == []


def test_a_page_that_lacks_something_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "search.html"
    assert check_page(path) == []
    search = run_search(load_game("tictactoe").initial(), None, 40, selection="ucb1")
    record = page_record(saved(search))
    path.write_bytes(search_page(saved(search)))
    assert check_page(path) == []
    page, whole = path.read_text("utf-8"), base64.b64encode(packed(record)).decode()
    assert whole in page
    kind, values = record.columns["leaf"]
    less = record._replace(columns={**record.columns, "leaf": (kind, values[:-1])})
    path.write_text(page.replace(whole, base64.b64encode(packed(less)).decode()), "utf-8")
    assert check_page(path) == ["the page search.html lacks parts of its record"]
    path.write_text(page.replace(whole, whole[: len(whole) // 2]), "utf-8")
    (said,) = check_page(path)
    assert said.startswith("the page search.html cannot be read: ")
