"""The map in the window: points, colours, similar positions, and the choice of where positions are from."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from pytestqt.qtbot import QtBot

from core.engine.evaluator import UniformEvaluator
from core.files.record import GameRecord
from core.files.sgf import write_sgf
from core.games import load_game
from gui.rooms.inside import source_choice
from gui.rooms.inside.map_canvas import MapCanvas
from gui.rooms.inside.map_colours import COLOURINGS, GAME, KNOWN, MISTAKE, PLY, colours_of, legend_of
from gui.rooms.inside.source_choice import AUDIT, FOLDER, SourceChoice
from gui.widgets.form import show_value
from gui.widgets.theme import current_theme
from models.audit.positions import random_items
from models.audit.results import SUFFIX, AuditWriter, NetFile, Plan, begin
from models.audit.searching import audit_positions
from models.inside.plane import locate, make_plane
from models.netfiles.shipped import nets_dir
from models.netfiles.tapped import TappedNet

GAME_OF = load_game("tictactoe")
NET = nets_dir() / "tictactoe-2x32.onnx"


@pytest.fixture
def part(open_part):
    return open_part("inside_map")


@pytest.fixture
def audit(tmp_path: Path) -> Path:
    path = tmp_path / f"one{SUFFIX}"
    items = random_items(GAME_OF, 40, (1, 7), 0).items
    begun = begin(path, Plan("tictactoe", (NetFile("/nets/a.onnx", "aa"),), 8, 5.0, "somewhere"), items)
    with AuditWriter(path) as writer:
        for audited in audit_positions(GAME_OF, [UniformEvaluator(9)], begun.missing, 8, 5.0, 16):
            writer.add(audited)
    return path


def choose(part, kind):
    """Choose a kind of source as a person does."""
    choice = part.findChild(SourceChoice)
    show_value(choice.kind, kind)
    choice.kind.activated.emit(choice.kind.currentIndex())


def test_the_map_follows_the_position_and_a_click_opens_one(qtbot, window, part):
    plane = part.looked.plane
    net = TappedNet(NET, GAME_OF)
    again = make_plane(net, plane.sample, 2)
    np.testing.assert_allclose(part.canvas.points, again.points, atol=1e-5)
    assert part.canvas.here == pytest.approx(locate(net, again, GAME_OF.initial()).point, abs=1e-4)
    assert [board.position for board in part.similar.boards] == [
        plane.sample.positions[one.place] for one in part.looked.here.by_net
    ]
    assert part.similar.boards[0].title.startswith("0.00")
    window.state.select((4,))
    selected = window.state.position.play(4)
    qtbot.waitUntil(lambda: part.answered[0] == selected, timeout=60_000)
    assert part.canvas.here == pytest.approx(locate(net, again, selected).point, abs=1e-4)
    assert part.looked.plane is plane  # the same map, with another place ringed
    place = int(part.canvas.pixels()[: len(plane.points), 0].argmax())
    point = QPointF(*part.canvas.pixels()[place])
    place = part.canvas.place_at(point)  # another one may be drawn there too
    qtbot.mouseMove(part.canvas, point.toPoint())
    qtbot.waitUntil(lambda: part.canvas.at == place, timeout=60_000)
    assert part.board.position == plane.sample.positions[place]
    qtbot.mouseClick(part.canvas, Qt.MouseButton.LeftButton, pos=point.toPoint())
    wanted = plane.sample.positions[place]
    qtbot.waitUntil(lambda: part.answered[0] == wanted, timeout=60_000)
    assert window.state.position == wanted
    second = part.looked.here.by_net[1].place
    corner = part.similar.box(1).center()
    qtbot.mouseClick(part.similar, Qt.MouseButton.LeftButton, pos=corner.toPoint())
    assert window.state.position == plane.sample.positions[second]


def test_another_block_has_another_map(qtbot, part):
    before = part.looked.plane
    assert [part.blocks.itemText(i) for i in range(part.blocks.count())] == ["Stem", "Block 1", "Block 2"]
    part.blocks.activated.emit(0)
    qtbot.waitUntil(lambda: part.looked.plane is not before, timeout=60_000)
    assert (part.looked.plane.block, part.blocks.currentIndex()) == (0, 0)
    assert part.looked.plane.sample is before.sample


def test_positions_of_an_audit_are_shown_with_their_mistakes(qtbot, part, audit, monkeypatch):
    monkeypatch.setattr(source_choice, "ask_open_name", lambda *_: audit)
    choose(part, AUDIT)
    qtbot.waitUntil(lambda: part.looked.plane.sample.origins != (), timeout=60_000)
    plane, theme = part.looked.plane, current_theme()
    assert len(plane.points) == 40
    assert str(audit) in part.findChild(SourceChoice).where.text()
    assert "this net was not audited" in part.about.text()
    colours, order = colours_of(plane, MISTAKE)
    wrong = [origin.mistake for origin in plane.sample.origins]
    assert {colour.name() for colour, is_wrong in zip(colours, wrong, strict=True) if is_wrong} == {theme.warn}
    assert {colour.name() for colour, is_wrong in zip(colours, wrong, strict=True) if not is_wrong} == {theme.disabled}
    assert [wrong[place] for place in order] == sorted(wrong)  # mistakes lie above
    values = [origin.value for origin in plane.sample.origins]
    known = set(zip(values, [colour.name() for colour in colours_of(plane, KNOWN)[0]], strict=True))
    assert len(known) == len(set(values)) == len({colour for _, colour in known}) > 1
    for name, _ in COLOURINGS:
        assert legend_of(plane, name)
    place = wrong.index(True)
    part.canvas.pointed.emit(place)
    assert "exact value" in part.figures.text()
    assert "a mistake of the net" in part.figures.text()


def test_games_and_plies_have_their_colours(part):
    plane = part.looked.plane
    games, plies = colours_of(plane, GAME)[0], colours_of(plane, PLY)[0]
    for name, colours in (("games", games), ("ply", plies)):
        key = plane.sample.games.tolist() if name == "games" else [position.ply for position in plane.sample.positions]
        by_key = {}
        for one, colour in zip(key, colours, strict=True):
            assert by_key.setdefault(one, colour.name()) == colour.name()
    assert all(colour == current_theme().color("line") for colour in colours_of(plane, KNOWN)[0])


def test_a_source_that_cannot_be_read_is_named_and_another_can_be_chosen(qtbot, part, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(source_choice, "ask_folder", lambda *_: asked.append(1) or tmp_path)
    (tmp_path / "bad.sgf").write_text("no game")
    choose(part, FOLDER)
    qtbot.waitUntil(lambda: part.message.isVisible() and "bad.sgf" in part.message.text(), timeout=60_000)
    assert part.findChild(SourceChoice).isVisible()
    (tmp_path / "good.sgf").write_bytes(write_sgf([GameRecord.of(GAME_OF.position("b2 a1 c3"))]))
    choose(part, FOLDER)  # chosen again, it is read again
    qtbot.waitUntil(part.body.isVisible, timeout=60_000)
    assert len(part.looked.plane.points) == 4
    assert len(asked) == 2
    monkeypatch.setattr(source_choice, "ask_folder", lambda *_: None)
    choose(part, source_choice.RUN)  # the dialog is closed without a choice
    assert part.findChild(SourceChoice).kind.currentData() == FOLDER


def test_one_choice_serves_the_atlas_too(qtbot, window, part, tmp_path, monkeypatch):
    (tmp_path / "good.sgf").write_bytes(write_sgf([GameRecord.of(GAME_OF.position("b2 a1 c3"))]))
    monkeypatch.setattr(source_choice, "ask_folder", lambda *_: tmp_path)
    choose(part, FOLDER)
    channels = window.docks["inside"].widget_made.show_part("inside_channels")
    qtbot.waitUntil(lambda: channels.looked is not None, timeout=60_000)
    assert channels.looked.atlas.positions == 4
    assert channels.findChild(SourceChoice).kind.currentData() == FOLDER


def test_one_scale_for_both_axes(qtbot: QtBot) -> None:
    canvas = MapCanvas(None, "Map")
    qtbot.addWidget(canvas)
    canvas.resize(600, 300)
    points = np.array([[0, 0], [3, 0], [0, 1]], np.float32)
    colours = [current_theme().color("accent")] * 3
    canvas.show_points(points, colours, range(3), ("across", "up"))
    pixels = canvas.pixels()
    across, up = pixels[1] - pixels[0], pixels[2] - pixels[0]
    assert across[0] == pytest.approx(-3 * up[1])
    assert across[1] == up[0] == 0.0
    assert [canvas.place_at(QPointF(*pixel)) for pixel in pixels] == [0, 1, 2]
    canvas.show_here((30.0, 0.0))  # outside the others: all are still in the picture
    assert (canvas.pixels() > 0).all()
    assert (canvas.pixels() < [600, 300]).all()
    canvas.show_points(points[:1], colours[:1], range(1), ("", ""))
    assert np.isfinite(canvas.pixels()).all()
