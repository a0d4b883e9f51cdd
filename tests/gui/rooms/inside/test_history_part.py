"""The part When learnt: the nets of a run are examined at a press, one column after another."""

from __future__ import annotations

import pytest

from core.files import caches
from gui.model.sources import default_source, net_source
from gui.rooms.inside.concepts_grid import Place
from models.inside import history
from models.runs.folder import net_path
from tests.models.inside.planted import ROW, run_that_learns


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A run with three nets, of which few positions are asked, and with nothing kept."""
    monkeypatch.setattr(caches, "user_cache_dir", lambda: tmp_path / "caches")
    monkeypatch.setattr(history, "positions_at_most", lambda net: 400)
    monkeypatch.setattr(history, "_SEARCHED", 3)
    return run_that_learns(tmp_path / "run")


@pytest.fixture
def part(qtbot, window, folder):
    window.state.open_position(ROW.initial())
    window.state.set_source(net_source(folder / net_path(30)))
    window.docks.show_dock("inside")
    part = window.docks["inside"].widget_made.show_part("inside_history")
    qtbot.waitUntil(lambda: part.run is not None and not part.reader.refusal, timeout=60_000)
    return part


def test_the_nets_of_the_run_are_examined_at_a_press(qtbot, window, folder, part):
    assert (part.run.folder, len(part.run.nets)) == (folder, 3)
    assert (part.history, part.button.text(), part.button.isHidden()) == (None, "Examine the nets", False)
    part.button.click()
    assert part.button.text() == "Stop"
    qtbot.waitUntil(lambda: part.history is not None and len(part.history.columns) == 3, timeout=170_000)
    qtbot.waitUntil(lambda: not part.job.running)
    assert part.grid.report is part.history
    assert part.button.isHidden()
    assert "the same for all" in part.about.text()
    concepts = part.history.concepts
    part.grid.choose(Place(next(row for row, concept in enumerate(concepts) if concept.blocks), 1))
    assert part.sentence.text().endswith("Iteration 1")
    assert "above the best of them" in part.words.text()
    part.grid.choose(Place([concept.name for concept in concepts].index("own completes"), 1))
    assert "knows it" in part.words.text()
    assert part.grid.grab().width() > 0
    # another net that is of no run has nothing to be shown
    window.state.set_source(default_source(ROW))
    qtbot.waitUntil(lambda: part.run is None)
    assert "belongs to no training run" in part.message.text()
