"""The part Concepts: the net is examined at a press, and a cell of the grid shows what a block reads."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.files import caches
from core.files.record import GameRecord
from core.files.sgf import write_sgf
from core.games import load_game
from gui.jobs.inside import PLAYED, OpenNet
from gui.language.language import CHINESE, ENGLISH
from gui.model.sources import default_source
from gui.rooms.inside import source_choice
from gui.rooms.inside.concepts_grid import Place
from gui.rooms.inside.source_choice import FOLDER, SourceChoice
from gui.widgets.form import show_value
from gui.widgets.texts import switch_language
from models.inside import examined
from models.inside.concepts import concepts_of, labels_of
from models.inside.knowledge import examine, positions_at_most, read
from models.inside.sources import sample_of

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
    assert "are played first" in part.about.text(), "no share of the work before there is one"
    part.job.take(0.25)
    part.job.progressed.emit(0.25)
    assert part.about.text() == "Examining: 25.0\u202f%"
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


def test_the_net_is_examined_in_the_positions_chosen_in_the_room(qtbot, part, tmp_path, monkeypatch):
    folder = tmp_path / "games"
    folder.mkdir()
    rng = np.random.default_rng(1)
    (folder / "my.sgf").write_bytes(write_sgf([GameRecord.of(random_game(rng)) for _ in range(80)]))
    monkeypatch.setattr(source_choice, "ask_folder", lambda *_: folder)
    choose(part, FOLDER)
    qtbot.waitUntil(lambda: part.body.isVisible() and "positions chosen" in part.about.text(), timeout=60_000)
    part.button.click()
    qtbot.waitUntil(lambda: part.examined is not None, timeout=120_000)
    report, net = part.examined.report, OpenNet(default_source(GAME), GAME).tapped
    sample = sample_of(net, folder, positions_at_most(net))
    wanted = examine(net, sample, concepts_of(GAME))
    assert report.sample.positions == sample.positions
    assert [row.board for row in report.concepts] == [row.board for row in wanted.concepts]
    assert [row.blocks for row in report.concepts] == [row.blocks for row in wanted.concepts]
    qtbot.waitUntil(lambda: part.table.listed.rows != [])
    judged = {report.sample.positions[i] for i in report.judged.tolist()}
    assert {row.place.position for row in part.table.listed.rows} <= judged
    choose(part, PLAYED)  # of games played for it nothing is known: what was found is no answer to that
    qtbot.waitUntil(lambda: part.grid.report is None and part.body.isVisible(), timeout=60_000)
    assert part.examined is None
    assert part.button.isVisible()


def test_another_choice_stops_the_work_on_the_one_before(qtbot, part, tmp_path, monkeypatch):
    part.button.click()
    monkeypatch.setattr(source_choice, "ask_folder", lambda *_: tmp_path / "none")
    choose(part, FOLDER)
    assert not part.job.running
    qtbot.waitUntil(part.body.isVisible, timeout=60_000)
    part.button.click()
    qtbot.waitUntil(lambda: not part.job.running, timeout=60_000)
    english = part.about.text()
    assert "none" in english  # which place cannot be read
    assert part.examined is None
    switch_language(CHINESE)  # it stays until the next press, in every language
    assert "none" in part.about.text()
    assert part.about.text() != english
    switch_language(ENGLISH)
    part._state.play(4)
    qtbot.waitUntil(lambda: part.answered[0] == part._state.position)
    assert part.about.text() == english
    part.button.click()
    assert part.about.text() != english
    part.job.stop()


def random_game(rng):
    """A position at the end of a random game but for its last move."""
    position = GAME.initial()
    while True:
        after = position.play(int(rng.choice(position.legal_actions())))
        if after.is_over:
            return position
        position = after


def choose(part, kind):
    """Choose a kind of source as a person does."""
    choice = part.findChild(SourceChoice)
    show_value(choice.kind, kind)
    choice.kind.activated.emit(choice.kind.currentIndex())


def test_the_grid_keeps_its_share_of_a_low_room(qtbot, part):
    part.button.click()
    qtbot.waitUntil(lambda: part.examined is not None)
    for height in (800, 360):
        part.window().resize(900, height)
        part.body.resize(900, height - 30)
        part.body.layout().activate()
        assert part.area.height() >= 0.5 * (part.area.height() + part.below.height())
        assert part.area.height() >= part.area.minimumSizeHint().height()


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
