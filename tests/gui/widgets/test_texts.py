"""Texts that follow the language: set again by Qt's event, left alone where something else is shown by then."""

from __future__ import annotations

import gc

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAction, QFont, QFontMetrics
from PySide6.QtWidgets import QComboBox, QLabel, QMenu, QPushButton, QTableWidget, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import Shiboken

from core.text import Text
from gui.language.language import CHINESE, ENGLISH
from gui.widgets.labels import main_button
from gui.widgets.texts import _Texts, on_language, renew_headers, set_choices, set_texts, switch_language


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    page = QWidget()
    qtbot.addWidget(page)
    return page


def test_texts_follow_the_language(page: QWidget) -> None:
    button = set_texts(QPushButton(page), text="Stop", toolTip="Stop searching")
    assert (button.text(), button.toolTip()) == ("Stop", "Stop searching")
    switch_language(CHINESE)
    assert (button.text(), button.toolTip()) == ("停止", "停止搜索")
    assert set_texts(QPushButton(page), text="Stop").text() == "停止"
    switch_language(ENGLISH)
    assert (button.text(), button.toolTip()) == ("Stop", "Stop searching")


def test_the_last_text_given_counts(page: QWidget) -> None:
    button = set_texts(QPushButton(page), text="Stop", toolTip="Stop searching")
    set_texts(button, text="Run")
    switch_language(CHINESE)
    assert (button.text(), button.toolTip()) == ("运行", "停止搜索")
    assert len(button.children()) == 1


def test_a_main_button_is_wide_enough_for_every_text_it_is_given(page: QWidget) -> None:
    button = main_button("Start", page)
    wide = QFont(button.font())
    wide.setWeight(QFont.Weight.DemiBold)
    for text in ("Train Connect Four 8×7 now", "Train Nim now"):
        set_texts(button, text=text)
        assert button.minimumWidth() > QFontMetrics(wide).horizontalAdvance(text)
    assert button.minimumWidth() < QFontMetrics(wide).horizontalAdvance("Train Connect Four 8×7 now")


def test_values_are_inserted_and_texts_among_them_translated(page: QWidget) -> None:
    label = set_texts(QLabel(page), text=Text("Set up a position — {title}", title=Text("Moves")))
    made = set_texts(QLabel(page), text=lambda: f"({label.text()})")
    assert (label.text(), made.text()) == ("Set up a position — Moves", "(Set up a position — Moves)")
    switch_language(CHINESE)
    assert (label.text(), made.text()) == ("摆设局面 — 着法", "(摆设局面 — 着法)")


def test_a_text_replaced_later_is_not_retranslated(page: QWidget) -> None:
    label = set_texts(QLabel(page), text="Stop", toolTip="Stop searching")
    label.setText("d4")
    switch_language(CHINESE)
    assert (label.text(), label.toolTip()) == ("d4", "停止搜索")


def test_actions_of_a_menu_follow(page: QWidget) -> None:
    menu = QMenu(page)
    action = QAction(menu)
    menu.addAction(action)
    assert set_texts(action, text="Stop") is action
    switch_language(CHINESE)
    assert action.text() == "停止"


def test_a_menu_that_is_filled_anew_forgets_the_actions_it_had(qtbot: QtBot, page: QWidget) -> None:
    menu = QMenu(page)
    for _ in range(2):
        menu.clear()
        action = set_texts(menu.addAction(""), text="Stop")
    switch_language(CHINESE)
    assert action.text() == "停止"
    qtbot.waitUntil(lambda: len(menu.findChildren(_Texts)) == 1)


def test_combo_boxes_keep_their_values_and_the_chosen_one(page: QWidget) -> None:
    box = QComboBox(page)
    set_choices(box, ((1, "Stop"), (2, "Run")))
    box.setCurrentIndex(1)
    switch_language(CHINESE)
    assert [box.itemText(i) for i in range(2)] == ["停止", "运行"]
    assert (box.currentData(), box.currentText()) == (2, "运行")


def test_column_titles_are_read_again(page: QWidget, qtbot: QtBot) -> None:
    table = QTableWidget(1, 2, page)
    renew_headers(table, table.model())
    with qtbot.waitSignal(table.model().headerDataChanged) as received:
        switch_language(CHINESE)
    assert received.args == [Qt.Orientation.Horizontal, 0, 1]


def test_nothing_is_run_for_a_widget_that_is_gone(page: QWidget) -> None:
    ran: list[str] = []
    label = QLabel(page)
    on_language(label, lambda: ran.append("label"))
    on_language(page, lambda: ran.append("page"))
    switch_language(CHINESE)
    assert sorted(ran) == ["label", "page"]
    label.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert not Shiboken.isValid(label)
    switch_language(ENGLISH)
    assert sorted(ran) == ["label", "page", "page"]


def test_a_failure_is_reported_and_the_rest_continues(page: QWidget, qtbot: QtBot) -> None:
    numbers = [1]
    on_language(page, lambda: numbers and numbers.pop() // 0)
    label = set_texts(QLabel(page), text="Stop")
    with qtbot.captureExceptions() as failures:
        switch_language(CHINESE)
    assert [kind for kind, _, _ in failures] == [ZeroDivisionError]
    assert label.text() == "停止"
