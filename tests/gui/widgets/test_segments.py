"""A row of joined buttons wraps into lines, each with round ends, and is never narrower than it can show."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.layouts import lay_row
from gui.widgets.segments import Segments

NAMES = ("visits", "checkpoints", "value", "iteration", "net", "first_search")


def shown(qtbot: QtBot, wraps: bool) -> tuple[QWidget, Segments]:
    whole = QWidget()
    qtbot.addWidget(whole)
    made = Segments(NAMES, parent=whole, wraps=wraps)
    lay_row(made, 1, of=whole, margins=0)
    whole.show()
    return whole, made


def lines(made: Segments) -> list[list[str]]:
    """Return the names of each line, from the left to the right, as they are placed."""
    tops: dict[int, list[str]] = {}
    for name, button in sorted(made.buttons.items(), key=lambda item: (item[1].y(), item[1].x())):
        tops.setdefault(button.y(), []).append(name)
    return list(tops.values())


@pytest.mark.parametrize("wraps", [False, True])
def test_with_room_there_is_one_line(qtbot: QtBot, wraps: bool) -> None:
    whole, made = shown(qtbot, wraps)
    whole.resize(made.sizeHint().width(), 30)
    assert lines(made) == [list(NAMES)]
    assert [button.property("place") for button in made.buttons.values()] == ["first", "", "", "", "", "last"]


def test_with_one_px_less_there_are_two_of_about_equal_length(qtbot: QtBot) -> None:
    whole, made = shown(qtbot, True)
    one = made.sizeHint()
    whole.resize(one.width() - 1, one.height())

    def laid_out() -> None:
        assert made.height() == made.sizeHint().height() > 2 * one.height()

    qtbot.waitUntil(laid_out)
    first, second = lines(made)
    assert [*first, *second] == list(NAMES)
    assert max(made.buttons[line[-1]].geometry().right() for line in (first, second)) < made.minimumSizeHint().width()
    places = [made.buttons[name].property("place") for name in NAMES]
    ends = {0: "first", len(first) - 1: "last", len(first): "first", len(NAMES) - 1: "last"}
    assert places == [ends.get(place, "") for place in range(len(NAMES))]
    whole.resize(one.width(), one.height())
    qtbot.waitUntil(lambda: made.height() == one.height())
    assert lines(made) == [list(NAMES)]


def test_the_least_width_is_that_of_two_lines_or_of_one(qtbot: QtBot) -> None:
    _, made = shown(qtbot, True)
    least = made.minimumSizeHint().width()
    made.resize(least, 60)
    assert len(lines(made)) == 2
    made.resize(least - 1, 60)
    assert len(lines(made)) == 3
    _, other = shown(qtbot, False)
    assert other.minimumSizeHint() == other.sizeHint()
    assert least < other.sizeHint().width() < 2 * least


def test_a_button_alone_in_its_line_is_round_at_both_ends(qtbot: QtBot) -> None:
    _, made = shown(qtbot, True)
    made.resize(1, 300)
    assert lines(made) == [[name] for name in NAMES]
    assert {button.property("place") for button in made.buttons.values()} == {"alone"}


def test_another_text_is_given_room(qtbot: QtBot) -> None:
    whole, made = shown(qtbot, True)
    whole.resize(made.sizeHint().width() + 40, 60)
    before = made.sizeHint().width()
    made.buttons["net"].setText("a much longer name of a part than before")

    def laid_out() -> None:
        assert made.sizeHint().width() > before
        assert made.height() == made.sizeHint().height()
        assert len(lines(made)) == 2

    qtbot.waitUntil(laid_out)
    for button in made.buttons.values():
        assert button.width() == button.sizeHint().width()
