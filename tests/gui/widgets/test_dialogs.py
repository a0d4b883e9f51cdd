"""Dialogs on a desktop that gives buttons icons."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QProxyStyle, QStyle, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.dialogs import OK_CANCEL, Dialog, Question


class IconStyle(QProxyStyle):
    """Puts icons on the buttons of dialogs, as many desktops do."""

    def styleHint(self, hint, *rest):
        wanted = hint == QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons
        return 1 if wanted else super().styleHint(hint, *rest)


@pytest.fixture
def icons(qapp: QApplication) -> Iterator[None]:
    before = qapp.style().name()
    qapp.setStyle(IconStyle("Fusion"))
    yield
    qapp.setStyle(before)


@pytest.mark.usefixtures("icons")
def test_buttons_have_no_icons_that_would_cut_their_texts(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    box = QDialogButtonBox(OK_CANCEL, page)
    assert not box.buttons()[0].icon().isNull(), "this desktop gives none"
    question = Question(page, "Title", "Words", "Details", [("Do it", lambda: None)])
    for buttons in (Dialog("Title", page, OK_CANCEL).buttons.buttons(), question.buttons()):
        assert len(buttons) == 2
        assert all(button.icon().isNull() for button in buttons)
