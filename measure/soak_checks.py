"""What the soak does and checks at once: closes that are cancelled, the wheel over forms, drops, and what is kept.

Each function returns what went wrong, in sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QWidget
from shiboken6 import isValid

from gui.rooms.board.overlay_link import OverlayLink
from gui.rooms.opponents.match_view import MatchView
from gui.shell.document_files import SESSION
from gui.shell.lessons import Lessons
from gui.shell.recovery import recovery_home
from gui.widgets.page_switch import ANALYSIS
from measure.soak_events import name_of

if TYPE_CHECKING:
    from gui.window import MainWindow


def cancel_close(window: MainWindow) -> list[str]:
    """Close the window by its title bar and cancel that, as a person does in the dialog about a run that trains."""
    closing = False

    def note() -> None:
        nonlocal closing
        closing = True

    window.context.events.closing.connect(note)
    before = _going_on(window)
    window.pages.may_leave = lambda: False  # type: ignore[method-assign]
    try:
        QApplication.sendEvent(window.windowHandle(), QCloseEvent())
    finally:
        del window.pages.may_leave
        window.context.events.closing.disconnect(note)
    stopped = sorted(before - _going_on(window))
    return [
        *(["a close that was cancelled closed the window"] if closing or not window.isVisible() else []),
        *(f"a close that was cancelled ended {what}" for what in stopped),
    ]


def _going_on(window: MainWindow) -> set[str]:
    """What a close would end, of what begins and ends in this thread."""
    match, lessons, link = (window.findChild(kind) for kind in (MatchView, Lessons, OverlayLink))
    play, review = window.commands.games._play, window.commands.games._review
    found = {
        "play": play is not None and play.running,
        "the analysis of the game": review is not None and review.analysis.running,
        "a match": isinstance(match, MatchView) and match.job.running and not match.job.stopping,
        "a lesson": isinstance(lessons, Lessons) and lessons._clock.isActive(),
        "exact results": isinstance(link, OverlayLink) and link.truth.solution is not None,
    }
    return {what for what, goes_on in found.items() if goes_on}


def turn_wheel(top: QWidget, turn: int) -> list[str]:
    """Turn the wheel over each choice and number that is seen and has not the focus: none may change."""
    fields: list[QComboBox | QAbstractSpinBox] = [*top.findChildren(QComboBox), *top.findChildren(QAbstractSpinBox)]
    wrong = []
    for field in fields:
        if not isValid(field) or not field.isEnabled() or field.visibleRegion().isEmpty() or _has_focus(field):
            continue
        before, point = _value(field), QPointF(field.rect().center())
        where, steps = QPointF(field.mapToGlobal(point)), QPoint(0, turn)
        plain, phase = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
        event = QWheelEvent(point, where, QPoint(), steps, Qt.MouseButton.NoButton, plain, phase, False)
        QApplication.sendEvent(field, event)
        if isValid(field) and _value(field) != before:
            wrong.append(f"the wheel changed {name_of(field)} without the focus")
    return wrong


def _has_focus(field: QWidget) -> bool:
    """Whether a field has the focus of its window, also while another window is the active one."""
    focus = field.window().focusWidget()
    return focus is not None and (focus is field or field.isAncestorOf(focus))


def _value(field: QComboBox | QAbstractSpinBox) -> str:
    return field.currentText() if isinstance(field, QComboBox) else field.text()


def drop(window: MainWindow, paths: Sequence[Path]) -> list[str]:
    """Drop files and folders on the page shown; a folder or several games have to be listed where they are seen."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    button, plain = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    place, copy = window.rect().center(), Qt.DropAction.CopyAction
    enter = QDragEnterEvent(place, copy, mime, button, plain)
    QApplication.sendEvent(window, enter)
    if enter.isAccepted():
        QApplication.sendEvent(window, QDropEvent(QPointF(place), copy, mime, button, plain))
    many = any(path.is_dir() for path in paths) or len(paths) > 1
    if many and (window.pages.page != ANALYSIS or window.docks["library"].widget_made is None):
        return ["a folder or several files were dropped, and nothing is seen of them"]
    return []


def games_to_offer(window: MainWindow) -> int:
    """How many games the next start has to offer when the window closes now."""
    return len(window.commands.workspace.closed) + window.commands.workspace.unsaved


def check_kept(expected: int) -> list[str]:
    """After the end: whether so many games are kept for the next start."""
    count = len(list(recovery_home().glob(f"*{SESSION}")))
    return [] if count == expected else [f"{count} games are kept for the next start instead of {expected}"]
