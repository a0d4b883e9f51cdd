"""A row of controls folds part by part as its width shrinks, and never cuts a control that has room below."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.folding_row import FoldingRow


@pytest.fixture
def row(qtbot: QtBot) -> tuple[QWidget, FoldingRow, list[QWidget]]:
    """A row of three parts, 100, 80 and 60 px wide, with 10 px between them, at the top of a widget."""
    whole = QWidget()
    qtbot.addWidget(whole)
    made = FoldingRow(whole, 10)
    inner = made.fold_right()
    boxes = []
    for part, width in ((made.left, 100), (inner.left, 80), (inner.right, 60)):
        box = QWidget(whole)
        box.setFixedSize(width, 20)
        part.addWidget(box)
        boxes.append(box)
    whole.show()
    return whole, made, boxes


@pytest.mark.parametrize(("width", "lines"), [(260, 1), (259, 2), (150, 2), (149, 3), (100, 3)])
def test_parts_move_below_one_another_as_the_width_shrinks(qtbot: QtBot, row, width: int, lines: int) -> None:
    _, made, boxes = row
    assert made.minimumSizeHint().width() == 100

    def laid_out() -> None:
        made.resize(width, max(20, made.minimumSizeHint().height()))
        tops = {box.mapTo(made.parentWidget(), box.rect().topLeft()).y() for box in boxes}
        rights = [box.mapTo(made.parentWidget(), box.rect().topRight()).x() for box in boxes]
        assert len(tops) == lines
        assert max(rights) < width

    qtbot.waitUntil(laid_out)


def test_parts_fold_before_the_room_that_they_like_is_gone(qtbot: QtBot) -> None:
    row = FoldingRow(apart=10, spare=lambda: 30)
    qtbot.addWidget(row)
    for part, width in ((row.left, 100), (row.right, 80)):
        box = QWidget(row)
        box.setFixedSize(width, 20)
        part.addWidget(box)
    row.show()
    assert row.minimumSizeHint().width() == 100
    for width, folded in ((220, False), (219, True)):
        row.resize(width, 60)
        assert row.folded is folded
