"""Small tables of figures: no figure is ever cut off."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from gui.rooms.training.run_page import FigureTable


def test_columns_are_as_wide_as_their_texts_and_share_the_rest(qtbot: QtBot) -> None:
    table = FigureTable((("Move", ""), ("π", ""), ("P", ""), ("Change", "")))
    qtbot.addWidget(table)
    table.show()
    table.show_rows([("b3", "100.0 %", "23.3 %", "+76.7")])
    least, header = table.least_widths(), table.horizontalHeader()
    assert table.minimumWidth() >= sum(least)
    table.resize(800, 200)
    widths = [header.sectionSize(column) for column in range(4)]
    assert sum(widths) == table.viewport().width()
    assert all(width > needed for width, needed in zip(widths, least, strict=True))
    table.setColumnHidden(3, True)
    table.fit_columns()
    assert sum(widths[:3]) < sum(header.sectionSize(column) for column in range(3)) == table.viewport().width()
