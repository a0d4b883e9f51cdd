"""Tests that no exception leaves an override of a Qt method: all classes in ``gui`` are guarded."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPersistentModelIndex, QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QDialog, QPushButton, QTableView, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import Shiboken, delete

import gui
from gui.guard import is_guarded, overrides, subclasses

ROOT = Path(__file__).parents[2]
NO_MODEL = QModelIndex()
NONE: list[int] = []


class Failing(QWidget):
    def paintEvent(self, event: QPaintEvent) -> None:
        NONE[1]

    def sizeHint(self) -> QSize:
        return QSize(int("x"), 1)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            int("y")
        return super().event(event)


class FailingModel(QAbstractItemModel):
    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = NO_MODEL) -> int:
        return NONE[1]

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = NO_MODEL) -> int:
        return dict[int, int]()[1]

    def index(self, row: int, column: int, parent: QModelIndex | QPersistentModelIndex = NO_MODEL) -> QModelIndex:
        return dict[int, QModelIndex]()[2]

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> object:
        return NONE[2]


class Mixin:
    """Not a Qt class; its overrides are found in the classes that inherit it."""

    def accept(self) -> None:
        NONE[3]


class MixedDialog(Mixin, QDialog):
    pass


def test_every_class_in_gui_is_guarded() -> None:
    for module in pkgutil.walk_packages(gui.__path__, "gui."):
        importlib.import_module(module.name)
    ours = [cls for cls in subclasses(Shiboken.Object) if cls.__module__.partition(".")[0] == "gui"]
    found = [(cls, name, method) for cls in ours for name, (method, _) in overrides(cls).items()]
    assert len(found) > 150
    bare = [f"{cls.__module__}.{cls.__qualname__}.{name}" for cls, name, method in found if not is_guarded(method)]
    assert bare == []


def test_a_failing_override_reports_and_qt_gets_an_answer(qtbot: QtBot) -> None:
    widget = Failing()
    qtbot.addWidget(widget)
    view = QTableView()
    model = FailingModel()
    with qtbot.captureExceptions() as caught:
        widget.show()
        qtbot.waitExposed(widget)
        widget.repaint()
        assert widget.sizeHint() == QWidget().sizeHint()
        assert widget.isVisible()
        assert model.rowCount() == 0
        assert not model.index(0, 0).isValid()
        assert model.data(QModelIndex()) is None
        view.setModel(model)
        view.show()
        view.repaint()
        delete(view)  # otherwise it would keep asking
        widget.close()
    kinds = {kind for kind, _, _ in caught}
    assert kinds == {IndexError, ValueError, KeyError}


def test_a_guarded_slot_gets_the_arguments_it_accepts(qtbot: QtBot) -> None:
    """``clicked`` passes a bool, ``accept`` takes no argument."""
    dialog = MixedDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    button = QPushButton(dialog)
    button.clicked.connect(dialog.accept)
    with qtbot.captureExceptions() as caught:
        button.click()
    assert [kind for kind, _, _ in caught] == [IndexError]
    assert not dialog.isVisible()  # Qt's own ``accept`` was called


CRASH = """
import sys
from PySide6.QtWidgets import QApplication, QWidget
if {guarded}:
    from gui.guard import guard_overrides
    guard_overrides()
app = QApplication([])
class Failing(QWidget):
    def paintEvent(self, event):
        [][1]
widget = Failing()
widget.show()
app.processEvents()
widget.repaint()
print("survived")
"""


def run(guarded: bool) -> subprocess.CompletedProcess[str]:
    code = CRASH.format(guarded=guarded)
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_exception_that_crashes_pyside_on_python_3_11() -> None:
    done = run(guarded=True)
    assert (done.returncode, done.stdout) == (0, "survived\n"), done.stderr
    assert "IndexError" in done.stderr


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="only Python 3.11 crashes")
def test_without_the_guard_the_process_crashes() -> None:
    """When this fails, PySide has fixed the crash and the guard only reports."""
    assert run(guarded=False).returncode < 0
