"""The part Concepts: the net is examined at a press, and a cell of the grid shows what a block reads."""

from __future__ import annotations

import math

import pytest

from core.games import load_game
from gui.jobs.inside import OpenNet
from gui.model.sources import default_source
from gui.rooms.inside.concepts_grid import Place
from models.inside import caches, examined
from models.inside.concepts import concepts_of, labels_of
from models.inside.knowledge import read

GAME = load_game("tictactoe")


@pytest.fixture
def part(monkeypatch, open_part, tmp_path):
    """The part, which examines few positions, and with nothing kept."""
    monkeypatch.setattr(examined, "positions_at_most", lambda net: 300)
    monkeypatch.setattr(caches, "user_cache_dir", lambda: tmp_path)
    return open_part("inside_concepts")


def test_nothing_is_examined_before_a_press_and_then_the_grid_has_each_concept(qtbot, part):
    assert (part.examined, part.button.text(), part.grid.report) == (None, "Examine the net", None)
    part.button.click()
    assert part.button.text() == "Stop"
    qtbot.waitUntil(lambda: part.examined is not None, timeout=120_000)
    report = part.examined.report
    assert [row.name for row in report.concepts] == [concept.name for concept in concepts_of(GAME)]
    assert part.grid.report is report
    assert str(len(report.judged)) in part.about.text()
    qtbot.waitUntil(lambda: part.shown is not None and part.shown.readings is not None)
    measured, place = report.concepts[part.grid.place.concept], part.grid.place
    net = OpenNet(default_source(GAME), GAME).tapped
    position = part.reader.position
    expected = read(net, measured, place.block, [position])[0]
    assert part.shown.readings == pytest.approx(expected, nan_ok=True)
    labels = labels_of(part.examined.concepts[measured.name], [position])[0]
    assert part.shown.labels == pytest.approx(labels, nan_ok=True)
    for row in part.table.listed.rows:
        assert not math.isnan(row.place.reading)
    part.grid.choose(Place(0, 1))
    qtbot.waitUntil(lambda: part._state.cells is not None and len(part._state.cells.cells) > 0)
    labels = labels_of(part.examined.concepts[report.concepts[0].name], [position])[0]
    ringed = {one.cell for one in part._state.cells.cells if one.outer}
    assert ringed == {cell for cell, label in enumerate(labels.ravel().tolist()) if label == 1.0}
    # what was found of a net is shown again at once for another position
    part._state.play(4)
    qtbot.waitUntil(lambda: part.answered[0] == part._state.position)
    assert part.grid.report is report
    # and so it is when the program is started again
    part.job._kept.clear()
    part.reader._net = None
    part._state.play(0)
    qtbot.waitUntil(lambda: part.examined is not None)
    assert part.examined.report is not report
    assert part.examined.report.concepts[0].board == report.concepts[0].board


def test_a_second_press_stops(qtbot, part):
    part.button.click()
    part.button.click()
    qtbot.waitUntil(lambda: not part.job.running)
    assert (part.examined, part.button.text()) == (None, "Examine the net")


def test_a_selection_that_is_too_small_is_refused_in_a_sentence(qtbot, part, tmp_path):
    place = tmp_path / "mine.txt"
    place.write_text("b2 a1\nb2 c3\n")
    part.add_selection(place)
    qtbot.waitUntil(lambda: not part.job.running, timeout=60_000)
    assert "The selection “mine.txt” has 1 different positions" in part.about.text()  # the two are mirrored
    assert part.select.isVisibleTo(part)
