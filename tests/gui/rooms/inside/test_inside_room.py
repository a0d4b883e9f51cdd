"""The room that looks into the net, in a window with a real search."""

import threading

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from core.games import load_game
from gui.jobs.inside import NO_POSITION, UNIFORM
from gui.jobs.net_answers import GAME_OVER, NO_NET
from gui.model.session import CONCEALED
from gui.model.sources import UniformSource, default_source
from gui.rooms.inside.graph_layout import lay_out
from gui.rooms.inside.room import PARTS, InsideRoom
from gui.shell.docks import ROWS
from models.inside.graph import GraphReader
from models.netfiles.shipped import nets_dir

GRAPH = "inside_graph"


@pytest.fixture
def room(window):
    """The room at the part with the graph."""
    window.docks.show_dock("inside")
    room = window.docks["inside"].widget_made
    assert isinstance(room, InsideRoom)
    room.show_part(GRAPH)
    return room


def graph_part(room):
    return room.made[GRAPH]


def answered(room, position):
    return lambda: graph_part(room).answered[0] == position and bool(graph_part(room).canvas.values)


def test_the_parts_of_the_table_can_all_be_made():
    assert tuple(PARTS) == tuple(part.name for part in next(row for row in ROWS if row.name == "inside").parts)


def test_the_graph_follows_the_position_selected(qtbot, window, room):
    part = graph_part(room)
    qtbot.waitUntil(answered(room, window.state.position))
    before = dict(part.canvas.values)
    assert "parameters" in part.totals.text()
    window.state.select((4,))
    selected = window.state.position.play(4)
    qtbot.waitUntil(answered(room, selected))
    reader = GraphReader(nets_dir() / "tictactoe-2x32.onnx", load_game("tictactoe"))
    assert part.canvas.values == reader.values(selected)
    assert part.canvas.values != before


def test_what_cannot_be_looked_into_is_said(qtbot, window, room):
    part = graph_part(room)
    qtbot.waitUntil(answered(room, window.state.position))

    def says(words):
        qtbot.waitUntil(lambda: words[1:-1] in part.message.text() and part.message.isVisible())

    window.state.set_source(UniformSource())
    says(UNIFORM)
    window.state.set_source(None)
    says(NO_NET)
    assert part.canvas.graph is None
    window.state.set_source(default_source(load_game("tictactoe")))
    qtbot.waitUntil(part.body.isVisible)
    window.session.conceal(True)
    says(CONCEALED)
    window.session.conceal(False)
    qtbot.waitUntil(part.body.isVisible)
    window.state.open_position(load_game("tictactoe").parse_diagram("XXX\nOO.\n..."))
    says(GAME_OVER)


def test_after_the_end_the_last_position_with_moves_is_looked_into(qtbot, window, room):
    before = load_game("tictactoe").position("a1 a2 b1 b2")
    window.state.open_position(before.play(before.game.parse_action("c1")))
    qtbot.waitUntil(answered(room, before))
    window.state.open_position(before)
    window.state.select((before.game.parse_action("c1"),))
    qtbot.waitUntil(lambda: room.reader.position == before)
    assert not room.reader.refusal


def test_a_room_without_a_game_says_so(qtbot, window, room):
    assert NO_POSITION.endswith(".")
    qtbot.waitUntil(lambda: not room.reader.refusal)


def test_nothing_is_asked_while_the_room_is_hidden(qtbot, window, room):
    qtbot.waitUntil(answered(room, window.state.position))
    window.docks.hide_dock("inside")
    asked = []
    room.reader.ask = lambda *args: asked.append(args)
    with qtbot.waitSignal(room.reader.changed):
        window.state.play(4)
    assert asked == []
    del room.reader.ask
    window.docks.show_dock("inside")
    qtbot.waitUntil(answered(room, window.state.position))


def test_a_changed_file_is_refused(qtbot, window, room, tmp_path):
    from gui.model.sources import net_source

    copy = tmp_path / "copy.onnx"
    copy.write_bytes((nets_dir() / "tictactoe-2x32.onnx").read_bytes())
    source = net_source(copy)
    copy.write_bytes(b"")
    window.state.set_source(source)
    qtbot.waitUntil(lambda: "copy.onnx" in graph_part(room).message.text())


def test_a_click_opens_a_block_and_the_keys_do_too(qtbot, window, room):
    canvas = graph_part(room).canvas
    qtbot.waitUntil(answered(room, window.state.position))
    block = next(box for box in canvas.layout_shown.boxes if box.group == 1)
    middle = QPoint(round(block.left + block.width / 2), round(block.top + block.height / 2))
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=middle)
    assert canvas.opened == {1}
    inner = [box for box in canvas.layout_shown.boxes if box.group == 1 and box.operation >= 0]
    assert len(inner) == len(canvas.graph.groups[1].operations)
    assert "Conv" in canvas.words_of(inner[0])[0]
    assert canvas.box_at(QPointF(inner[0].left + 1, inner[0].top + 1)) == inner[0]
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    assert canvas.opened == frozenset()
    qtbot.mouseClick(graph_part(room).open_all, Qt.MouseButton.LeftButton)
    assert len(canvas.opened) == len(canvas.graph.groups)


def test_the_keys_bring_the_box_that_they_come_to_in_sight(qtbot, window, room):
    part = graph_part(room)
    qtbot.waitUntil(answered(room, window.state.position))
    part.open_all.click()
    window.resize(1024, 700)
    canvas = part.canvas
    qtbot.waitUntil(lambda: canvas.height() > 2 * part.area.viewport().height())
    for key, place in ((Qt.Key.Key_Down, -1), (Qt.Key.Key_Up, 0)):
        for _ in canvas.layout_shown.boxes:
            qtbot.keyClick(canvas, key)
        box = canvas.layout_shown.boxes[place]
        middle = QPoint(round(box.left + box.width / 2), round(box.top + box.height / 2))
        assert canvas.visibleRegion().contains(middle)


@pytest.mark.parametrize("width", [300, 700, 1600])
def test_no_two_boxes_lie_on_each_other_and_arcs_go_down(width):
    for net, text in (("connect4-4x48", "connect4"), ("go9-5x64", "go(size=9)")):
        graph = GraphReader(nets_dir() / f"{net}.onnx", load_game(text)).graph
        for opened in (frozenset(), frozenset({1, 3}), frozenset(range(len(graph.groups)))):
            layout = lay_out(graph, opened, width)
            boxes = layout.boxes
            for place, box in enumerate(boxes):
                assert box.left >= 0
                assert box.left + box.width <= width
                assert box.top + box.height <= layout.height
                for other in boxes[place + 1 :]:
                    apart = box.left + box.width <= other.left or other.left + other.width <= box.left
                    assert apart or box.top + box.height <= other.top or other.top + other.height <= box.top
            assert all(boxes[arc.start].top <= boxes[arc.end].top for arc in layout.arcs)
            residual = [arc for arc in layout.arcs if arc.start == arc.end]
            blocks = [i for i, group in enumerate(graph.groups) if str(group.name).startswith("block")]
            assert len(residual) == len(set(blocks) - opened)


def test_closing_the_window_ends_the_work(qtbot, window, room):
    begun, go_on = threading.Event(), threading.Event()

    def work(net, position, stale, report):
        begun.set()
        go_on.wait()
        return stale()

    taken = []
    room.reader.ask(window, work, taken.append, taken.append)
    qtbot.waitUntil(begun.is_set)
    window.close()
    go_on.set()
    assert taken == []
