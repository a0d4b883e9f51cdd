"""The part of the room Inside that shows a net block by block, in a window with a real search."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from core.files import caches
from core.games import load_game
from gui.model.shown import CellsShown
from gui.model.sources import UniformSource
from gui.rooms.inside.blocks_part import FITTED, OWN, policy_cells
from gui.widgets.board.overlays.overlay import TOP, BoardContent
from gui.widgets.board.overlays.table import BY_NAME
from gui.widgets.figures import rough_percent
from gui.widgets.theme import DARK
from models.inside import lens as lenses
from models.inside.blocks import strip_of
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.shipped import default_net
from models.netfiles.tapped import TappedNet

GAME = load_game("tictactoe")


@pytest.fixture(autouse=True)
def small_lenses(monkeypatch, tmp_path):
    """Lenses of few positions, kept in a folder of their own."""
    monkeypatch.setattr(caches, "user_cache_dir", lambda: tmp_path)
    monkeypatch.setattr(lenses, "MOST_POSITIONS", 256)


@pytest.fixture
def part(open_part):
    return open_part("inside_blocks")


def shows(part, position):
    return lambda: part.strip is not None and part.strip.position == position and part.body.isVisible()


def choose_way(part, way):
    part.way.setCurrentIndex(part.way.findData(way))
    part.way.activated.emit(part.way.currentIndex())


def test_the_last_frame_is_the_nets_own_answer(window, part):
    net = OnnxEvaluator(default_net(GAME), GAME)
    logits, values = net.evaluate(window.state.position.planes()[None])
    policy = np.exp(logits[0] - logits[0].max())
    policy /= policy.sum()
    last = part.frames[-1]
    assert list(last.shares.values()) == pytest.approx(policy.tolist(), abs=1e-6)
    assert last.value == pytest.approx(float(values[0]), abs=1e-6)
    assert last.divergence == 0.0
    assert last.agrees
    assert [view.isVisible() for view in part.film.views] == [True] * 3


def test_the_strip_follows_the_position_selected(qtbot, window, part):
    window.state.select((4,))
    selected = window.state.position.play(4)
    qtbot.waitUntil(shows(part, selected))
    strip = strip_of(TappedNet(default_net(GAME), GAME), selected)
    assert part.frames[1].shares == {a: strip.own.policies[1, 0, a] for a in selected.legal_actions()}
    assert "is to move" in part.sentence.text()


def test_the_slider_drives_the_board_and_gives_it_back(qtbot, window, part):
    window.state.set_overlay("value")
    part.slider.setValue(0)
    assert window.state.overlay == "inside"
    assert part.on_board.isChecked()
    marks = {mark.action: mark for mark in window.room.board.marks()}
    shares = part.frames[0].shares
    assert {mark for mark in marks if marks[mark].ring == TOP} <= {max(shares, key=shares.get)}
    assert marks.keys() == {move for move, share in shares.items() if share >= 1e-3}
    assert "stem" in window.room.board.legend("").text
    window.state.play(4)
    assert window.room.board.marks() == []
    qtbot.waitUntil(shows(part, window.state.position))
    qtbot.waitUntil(lambda: window.state.cells.position == window.state.position)
    assert len(window.room.board.marks()) > 0
    part.slider.setValue(part.slider.maximum())
    assert window.state.overlay == "value"
    assert not part.on_board.isChecked()


def test_the_box_has_the_board_show_the_part_and_gives_it_back(qtbot, window, part):
    action = window.commands.context.actions["overlay_inside"]
    window.state.set_overlay("value")
    assert action.isVisible()
    part.on_board.click()
    assert window.state.overlay == "inside"
    last = {mark.action: mark.text for mark in window.room.board.marks()}
    assert last == {a: rough_percent(share) for a, share in part.frames[-1].shares.items() if share >= 1e-3}
    part.on_board.click()
    assert window.state.overlay == "value"
    action.trigger()
    assert part.on_board.isChecked()
    window.state.set_overlay("visits")
    assert not part.on_board.isChecked()


def test_the_box_brings_up_the_board_that_rooms_cover_and_leaves_the_part_beside_it(qtbot, window, part):
    window.state.set_overlay("value")
    window.workspaces.turn_to("nets")
    window.commands.open_dock("inside_blocks")
    assert not window.docks.has_board
    part.on_board.click()
    assert window.docks.has_board
    assert window.room.board.isVisible()
    assert part.isVisible()
    assert window.workspaces.shown.name == "search"
    assert (window.state.overlay, part.on_board.isChecked()) == ("inside", True)
    assert len(window.room.board.marks()) > 0
    part.on_board.click()
    assert (window.state.overlay, part.isVisible()) == ("value", True)


def test_nothing_is_shown_of_a_net_that_is_no_longer_the_searchs(window, part):
    part.on_board.click()
    assert len(window.room.board.marks()) > 0
    window.state.set_source(UniformSource())
    assert window.room.board.marks() == []
    assert "not read yet" in window.room.board.legend("").text


@pytest.mark.parametrize("way", ["hidden", "no net", "chosen"])
def test_leaving_gives_the_board_its_overlay_back(qtbot, window, part, way):
    part.slider.setValue(1)
    assert window.state.overlay == "inside"
    if way == "hidden":
        window.docks.hide_dock("inside")
    elif way == "no net":
        window.state.set_source(UniformSource())
        qtbot.waitUntil(lambda: window.state.cells is None)
    else:
        window.state.set_overlay("none")
        window.docks.hide_dock("inside")
    assert window.state.cells is None
    assert not window.commands.context.actions["overlay_inside"].isVisible()
    assert window.state.overlay == ("none" if way == "chosen" else "visits")


def test_a_click_on_a_board_chooses_its_block(qtbot, window, part):
    qtbot.mouseClick(part.film.views[1].board, Qt.MouseButton.LeftButton)
    assert part.slider.value() == 1
    assert part.film.views[1].chosen
    assert "block 1" in window.state.cells.text


def test_a_lens_is_fitted_beside_and_then_reads_the_blocks(qtbot, window, part):
    own = part.frames
    choose_way(part, FITTED)
    assert part._job.running
    assert part.sentence.text().startswith("Until the lens is fitted, by the net's own heads: ")
    qtbot.waitUntil(lambda: part.fitted)
    assert not part.sentence.text().startswith("Until")
    net = TappedNet(default_net(GAME), GAME)
    strip = strip_of(net, window.state.position, part._job.lens)
    assert part.frames[0].shares == {a: strip.fitted.policies[0, 0, a] for a in range(9)}
    assert part.frames[0] != own[0]
    assert part.frames[-1] == own[-1]
    assert "positions of play" in part.film.views[0].toolTip()
    choose_way(part, OWN)
    assert part.frames == own


def test_a_lens_is_not_fitted_for_a_room_that_is_closed(qtbot, window, part):
    choose_way(part, FITTED)
    window.docks.hide_dock("inside")
    assert not part._job.running


def test_the_overlay_shows_nothing_of_another_position():
    position = GAME.initial()
    cells = CellsShown(position, None, "Title", "text", policy_cells(position, {0: 0.75, 8: 0.25}), ramp="prior_ramp")
    overlay = BY_NAME["inside"]
    marks = overlay.marks(BoardContent(position, cells=cells), DARK)
    assert [(mark.action, mark.text, mark.ring) for mark in marks] == [
        (0, rough_percent(0.75), TOP),
        (8, rough_percent(0.25), ""),
    ]
    assert overlay.marks(BoardContent(position.play(0), cells=cells), DARK) == []
    assert overlay.marks(BoardContent(position), DARK) == []
