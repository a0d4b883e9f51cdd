"""The acts of the soak's random user in single rooms, which clicks by chance would rarely put together."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from core.games import load_game
from gui.jobs.inside import PLAYED
from gui.model.sources import default_source, net_source
from gui.rooms.inside.attention_part import AttentionPart
from gui.rooms.inside.blocks_part import BlocksPart
from gui.rooms.inside.channels_part import ChannelsPart
from gui.rooms.inside.concepts_grid import Place
from gui.rooms.inside.concepts_part import ConceptsPart
from gui.rooms.inside.graph_part import GraphPart
from gui.rooms.inside.head_grid import MOVES
from gui.rooms.inside.history_part import HistoryPart
from gui.rooms.inside.map_part import MapPart
from gui.rooms.inside.part import InsidePart
from gui.rooms.inside.reply_part import ReplyPart
from gui.rooms.inside.room import PARTS
from gui.rooms.inside.source_choice import FOLDER, GAMES, RUN
from gui.rooms.inside.stones_part import StonesPart
from gui.rooms.timeline.watching import CROSSED, WATCHES
from gui.rooms.tree.search_box import EXAMPLES
from gui.rooms.tree.tree_room import TreeRoom
from gui.rooms.why.why import WhyRoom
from measure.soak import NETS, TRAINING

if TYPE_CHECKING:
    from gui.rooms.inside.heat_boards import HeatBoards
    from gui.window import MainWindow

QUESTIONS: Final = (
    *(question for question, _ in EXAMPLES),
    "rank == 1 and U > .1 or not (proof or over)",
    "move == b2",
    "share / P > 2 and lead > -1",
    "a1 pass",
    "N >",
    "",
)

Act = tuple[str, Callable[[], object]]


class RoomActs:
    """Chooses among the acts in rooms; ``weighted`` has how often each is chosen, beside those of ``Acts``."""

    def __init__(self, window: MainWindow, chance: random.Random, home: Path) -> None:
        """``home``: a folder with games below ``games``, training runs below ``runs``, and net files of Go."""
        self._window, self._random, self._home = window, chance, home
        self._kept = sorted((home / "runs").glob("*/nets/step-*.onnx"))
        self._transformers = sorted((home / NETS).glob("transformer*"))
        self.weighted: tuple[tuple[int, Callable[[], Act]], ...] = (
            (3, self._ask),
            (3, self._watch),
            (2, self._find_cause),
            (3, self._turn_inside),
            (6, self._use_inside),
            (2, self._choose_positions),
            *([(2, self._show_learnt)] if self._kept else []),
            *([(2, self._show_attention)] if self._transformers else []),
        )

    def _ask(self) -> Act:
        question, open_rest = self._random.choice(QUESTIONS), self._random.random() < 0.5

        def ask() -> None:
            self._window.context.docks.show_dock("tree")
            room = self._window.docks["tree"].fill()
            assert isinstance(room, TreeRoom)
            room.box.setText(question)
            room.answer.turn(open_rest)

        return f"ask the tree {question!r}", ask

    def _watch(self) -> Act:
        kind = self._random.choice([kind for kind in WATCHES if kind != CROSSED])  # that opens a dialog
        watching = self._window.commands.watching
        if self._random.random() < 0.5:
            return f"pause at {kind}", lambda: watching.pause_at(kind)
        return f"go back to {kind}", lambda: watching.go_back(kind)

    def _find_cause(self) -> Act:
        names: list[str] = []
        position = self._window.state.position
        while position is not None and len(legal := position.legal_actions()) and len(names) < 4:
            action = int(self._random.choice(list(legal)))
            names.append(position.game.action_name(action))
            position = position.play(action)

        def examine() -> None:
            self._window.context.docks.show_dock("why")
            room = self._window.docks["why"].fill()
            assert isinstance(room, WhyRoom)
            room.show_cause()
            room.cause.examine(" ".join(names))

        return f"find the cause for {names}", examine

    # inside the net

    def _turn_inside(self) -> Act:
        name = self._random.choice(list(PARTS))
        return f"show {name}", lambda: self._window.commands.open_dock(name)

    def _use_inside(self) -> Act:
        """Do something in the part of the room that is shown, and perhaps take its net or game away at once."""
        name = self._window.docks["inside"].part or "inside_blocks"
        chance = random.Random(self._random.random())
        then = self._random.choices(("", "another game", "no net", "back"), (6, 1, 1, 1))[0]

        def use() -> None:
            use_inside(self._window.commands.open_dock(name), chance)
            state = self._window.state
            if state.position is None:
                return
            game = state.position.game
            if then == "another game":
                state.open_position(game.initial(), None if chance.random() < 0.3 else default_source(game))
            elif then == "no net":
                state.set_source(None)
            elif then == "back":
                state.set_source(default_source(game))

        return f"use {name}{f', then {then}' if then else ''}", use

    def _choose_positions(self) -> Act:
        """Look into the net over other positions, of which some cannot be read."""
        games, runs = self._home / "games", [net.parent.parent for net in self._kept[:1]]
        file = self._random.choice(sorted(games.iterdir()))
        places = (PLAYED, None), (GAMES, file), (FOLDER, games), *((RUN, run) for run in runs)
        kind, place = self._random.choice(places)
        name = self._random.choice(("inside_map", "inside_channels"))

        def choose() -> None:
            part = self._window.commands.open_dock(name)
            assert isinstance(part, InsidePart)
            part.reader.choose(kind, place)

        return f"{name} over {kind}", choose

    def _show_learnt(self) -> Act:
        """Open a net of a training run and show when the run learnt what."""
        net = self._random.choice(self._kept)
        game = load_game(str(TRAINING["game"]))

        def show() -> None:
            self._window.state.open_position(game.initial(), net_source(net))
            self._window.commands.open_dock("inside_history")

        return f"when {net.name} learnt", show

    def _show_attention(self) -> Act:
        """Open a transformer's net and show where its heads look."""
        net, game = self._random.choice(self._transformers), load_game(self._random.choice(("go(size=9)", "go")))

        def show() -> None:
            self._window.state.open_position(game.initial(), net_source(net))
            self._window.commands.open_dock("inside_attention")

        return f"attention of {net.name} in {game.text}", show


def use_inside(part: QWidget, chance: random.Random) -> None:
    """Use a part of the room Inside by its own means, as far as it shows something."""
    if isinstance(part, BlocksPart):
        part.slider.setValue(chance.randint(part.slider.minimum(), part.slider.maximum()))
        if chance.random() < 0.3:
            part.way.setCurrentIndex(chance.randrange(part.way.count()))
            part.way.activated.emit(part.way.currentIndex())
    elif isinstance(part, ConceptsPart):
        report = part.grid.report
        if report is not None and report.concepts:
            part.grid.choose(Place(chance.randrange(len(report.concepts)), chance.randrange(len(report.blocks))))
        if part.button.isVisible():
            part.button.click()
    elif isinstance(part, ChannelsPart):
        if part.blocks.count():
            part.blocks.setCurrentIndex(chance.randrange(part.blocks.count()))
            part.blocks.activated.emit(part.blocks.currentIndex())
        for boards in (part.grid, part.spots):
            click_board(boards, chance)
    elif isinstance(part, StonesPart):
        click_board(part.boards, chance)
    elif isinstance(part, ReplyPart):
        click_board(part.board, chance)
        chance.choice(list(part.lines.buttons.values())).click()
    elif isinstance(part, MapPart):
        for choice in (part.blocks, part.colouring):
            if choice.count():
                choice.setCurrentIndex(chance.randrange(choice.count()))
                choice.activated.emit(choice.currentIndex())
        points = part.canvas.pixels()[: len(part.canvas.points)]
        if len(points) and chance.random() < 0.6:
            QTest.mouseMove(part.canvas, QPointF(*points[chance.randrange(len(points))]).toPoint())
            click(part.canvas, QPointF(*points[chance.randrange(len(points))]).toPoint())
        else:
            click_board(chance.choice((part.similar, part.equal)), chance)
    elif isinstance(part, HistoryPart):
        history = part.history
        if history is not None and history.concepts:
            part.grid.choose(Place(chance.randrange(len(history.concepts)), chance.randrange(len(history.columns))))
        if part.button.isVisible():
            part.button.click()
    elif isinstance(part, AttentionPart):
        click_board(part.board, chance)
        chance.choice(list(part.way.buttons.values())).click()
        if part.looks is not None:
            QTest.mouseMove(part.board, place_in(part.board, chance))
            click(part.grid, place_in(part.grid, chance))
            QTest.keyClick(part.grid, chance.choice(list(MOVES)))
    elif isinstance(part, GraphPart):
        boxes = part.canvas.layout_shown.boxes
        if boxes:
            box = chance.choice(boxes)
            click(part.canvas, QPointF(box.left + box.width / 2, box.top + box.height / 2).toPoint())
        elif part.open_all.isVisible():
            part.open_all.click()


def click_board(boards: HeatBoards, chance: random.Random) -> None:
    """Click a point of one of the boards."""
    if boards.boards:
        box = boards.box(chance.randrange(len(boards.boards)))
        x, y = (low + chance.random() * size for low, size in ((box.left(), box.width()), (box.top(), box.height())))
        click(boards, QPointF(x, y).toPoint())


def click(widget: QWidget, point: QPoint) -> None:
    """Click a point of a widget."""
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)


def place_in(widget: QWidget, chance: random.Random) -> QPoint:
    """A point of a widget."""
    return QPoint(chance.randint(0, widget.width()), chance.randint(0, widget.height()))
