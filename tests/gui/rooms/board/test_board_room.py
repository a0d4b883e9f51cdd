"""Tests of the buttons below the board."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gui.rooms.board.board_room import BoardRoom


@pytest.mark.parametrize("width", [310, 420, 480])
def test_the_button_of_a_playout_has_its_name_at_every_width(qtbot: QtBot, width: int) -> None:
    room = BoardRoom()
    qtbot.addWidget(room)
    room.resize(width, 600)
    room.show()
    button = room.navigation["play_on_board"]
    assert room.width() == width
    assert button.text() == ("Play a playout" if width == 480 else "Playout")
    needed = button.fontMetrics().horizontalAdvance(button.text()) + button.iconSize().width()
    qtbot.waitUntil(lambda: button.width() >= needed)
    assert room.navigation["start"].isVisible() == room.navigation["end"].isVisible() == (width == 480)
    assert room.record.width() > 0
