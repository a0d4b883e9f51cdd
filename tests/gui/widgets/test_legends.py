"""Legends beside a picture: what does not fit is left out, never cut."""

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.rooms.board.legend import OverlayLegend
from gui.widgets.bars import BarChart, BarRow, Bars
from gui.widgets.board.overlays.overlay import Legend
from gui.widgets.theme import figure_font
from gui.widgets.tree_legend import LegendEntry, TreeLegend, draw_nothing

LONG, SHORT = "a long entry that needs much room", "short"


def test_an_entry_wider_than_the_legend_is_left_out(qtbot: QtBot) -> None:
    entries = (LegendEntry(LONG, 0, draw_nothing, ""), LegendEntry(SHORT, 0, draw_nothing, ""))
    legend = TreeLegend(lambda: entries, "all of it")
    qtbot.addWidget(legend)
    width_of = QFontMetrics(figure_font(legend.font(), 0.92)).horizontalAdvance
    legend.resize(width_of(LONG) + 30, 60)
    assert legend.lines() == [[entries[0]], [entries[1]]]
    legend.resize(width_of(LONG) - 1, 60)
    assert legend.lines() == [[entries[1]]]
    assert legend.toolTip() == "all of it"


@pytest.mark.parametrize("lacking", [0, 1])
def test_the_legend_of_bars_has_whole_entries(qtbot: QtBot, lacking: int) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)

    def painted(*titles: str) -> object:
        bars = Bars(whole, "bars")
        bars.show_chart(BarChart((BarRow(0, "a"),), 0.0, 1.0, tuple(("high", title) for title in titles)))
        metrics = bars.fontMetrics()
        entries = sum(25 + metrics.horizontalAdvance(title) for title in (SHORT, LONG))
        bars.resize(entries - lacking * 80, 60)
        return bars.grab().toImage()

    assert (painted(SHORT, LONG) == painted(SHORT)) == bool(lacking)


def test_a_legend_that_lacks_room_leaves_words_out_and_cuts_none(qtbot: QtBot) -> None:
    legend = OverlayLegend()
    qtbot.addWidget(legend)
    legend.show_legend(Legend("Visits", "for Black · as searched", ramp="share_ramp"), "othello")
    whole, first = legend.legend.text, "for Black"
    room = next(px for px in range(2000) if legend.words_in(px) == whole)
    assert legend.words_in(room - 1) == first
    least = next(px for px in range(2000) if legend.words_in(px) == first)
    assert {legend.words_in(px) for px in range(least)} == {""}
    assert whole in legend.toolTip()
    legend.show_legend(Legend("Visits", "not analysed yet"), "othello")  # why there is nothing is never left out
    assert legend.words_in(60).endswith("…")
    legend.show_legend(Legend("Visits", first, ramp="share_ramp"), "othello")
    legend.show_hint("1. d3 c5 e6 f5 f6")
    assert legend.words_in(60).endswith("…")
    legend.show_hint("")
