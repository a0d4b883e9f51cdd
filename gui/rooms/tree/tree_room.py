"""The room of the tree: the table of moves, which unfolds, the icicle and the picture, one below the other.

They have one selection, one search field, one choice of colours and one point of view.  The drawn trees are made when
they are first shown.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QLabel,
    QMenu,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QWidget,
)

from core.text import Words, text_of
from gui.language.language import tr
from gui.model.timers import make_timer
from gui.rooms.tree import legend
from gui.rooms.tree.answer_strip import AnswerStrip, question_of
from gui.rooms.tree.search_box import SearchBox
from gui.widgets.folding_row import FoldingRow
from gui.widgets.labels import BETWEEN as PARTED
from gui.widgets.labels import ShortButton, ShortLabel
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.parts import PartedRoom
from gui.widgets.player_choice import PLAYERS, PlayerChoice
from gui.widgets.preferences import TREE_PARTS
from gui.widgets.segments import TITLES, segments
from gui.widgets.text_size import fit, px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font
from gui.widgets.tips import set_tip
from gui.widgets.tree_legend import LegendEntry, TreeLegend
from gui.widgets.words import waiting_text

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import Snapshot
    from core.glass.ask import Matches
    from gui.context import Context
    from gui.model.state import PathOf
    from gui.rooms.tree.drawn_tree import DrawnTree
    from gui.widgets.board.playout_paint import Simulation
    from gui.widgets.icicle.icicle_canvas import IcicleCanvas
    from gui.widgets.tables.tree_view import TreeView

LATE_MS: Final = 150  # from the first position to the drawn trees: the first figures come before
MOST_SHARE: Final = 0.45  # of the height, for the table above a drawn tree
NARROWEST: Final = 322  # px that the fewest columns of the table need
DRAWN_HEIGHT: Final = 230  # px that the drawn trees keep beside the table, as far as this keeps half of the height
BETWEEN: Final = " › "  # two parts of a way
NODE: Final = 130  # px that the node under the pointer keeps beside its figures
LEGEND: Final[Words] = "What colours, widths and marks mean"
PART_TIPS: Final[dict[str, Words]] = {
    "table": "The moves with their figures; each unfolds to its replies",
    "icicle": "The whole tree, each move as wide as its visits (Ctrl+J)",
    "picture": "The most visited nodes as a picture (Ctrl+P)",
}


class Reading(ShortLabel):
    """The node and its figures: where there is no room, the last figures are left out, then the middle of the way."""

    def shown_text(self, width: int) -> str:
        metrics = self.fontMetrics()
        if width < px(NODE) / 2:  # for nothing that could be read
            set_tip(self, self.text())
            return ""
        node, *figures = self.text().split(PARTED)
        elided, kept = metrics.elidedText(node, Qt.TextElideMode.ElideMiddle, px(NODE)), figures
        while kept and metrics.horizontalAdvance(PARTED.join((elided, *kept))) > width:
            kept = kept[:-1]
        rest = PARTED.join(("", *kept))
        shown = metrics.elidedText(node, Qt.TextElideMode.ElideMiddle, width - metrics.horizontalAdvance(rest)) + rest
        set_tip(self, self.text() if shown != self.text() else "")
        return shown


class Crumbs(QLabel):
    """The way from the whole tree to what fills the width, as links; its middle is left out where it does not fit."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._names: tuple[str, ...] = ()
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        set_texts(self, toolTip="The way to what fills the width; Esc goes back")
        on_language(self, self._write)
        self.hide()

    def show_way(self, names: tuple[str, ...]) -> None:
        """Show the moves of the way; () hides it."""
        self._names = names
        self._write()
        self.setVisible(bool(names))

    def _write(self) -> None:
        whole, names = tr("Whole tree"), self._names
        if not names:
            self.clear()
            self.setMinimumWidth(0)
            return
        first, last = 0, len(names) - 1
        while first < last and self._width_from(first) > self.width():
            first += 1
        self.setMinimumWidth(self._width_from(last))  # both ends stay whole
        links = [f'<a href="0">{whole}</a>', *(["…"] if first else [])]
        links += [f'<a href="{at + 1}">{names[at]}</a>' for at in range(first, last)]
        self.setText(BETWEEN.join((*links, f"<b>{names[-1]}</b>")))

    def _width_from(self, first: int) -> int:
        """Return the px that the way needs when the moves before the one at ``first`` are left out."""
        bold = QFont(self.font())
        bold.setBold(True)
        before = BETWEEN.join((tr("Whole tree"), *(["…"] if first else []), *self._names[first:-1], ""))
        ends = self.fontMetrics().horizontalAdvance(before) + QFontMetrics(bold).horizontalAdvance(self._names[-1])
        return ends + 2

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._write()


class Stack(QSplitter):
    """The table above the drawn trees: as high as its rows as long as nobody dragged the line between them."""

    shared = Signal(float)  # the table's share of the height, as the user dragged it

    def __init__(self, table: TreeView, share: float, parent: QWidget) -> None:
        """``share``: of the height, for the table; 0: what its rows need."""
        super().__init__(Qt.Orientation.Vertical, parent)
        self._table, self._share = table, share
        self.setChildrenCollapsible(False)
        self.setHandleWidth(5)
        self.setMinimumWidth(px(NARROWEST))
        self.addWidget(table)
        table.height_changed.connect(self.share)
        self.splitterMoved.connect(self._note_share)

    def share(self) -> None:
        """Give the table its height and the others the rest."""
        parts = [self.widget(i) for i in range(self.count())]
        shown = [part is not None and not part.isHidden() for part in parts]
        if not shown or not shown[0] or sum(shown) < 2:
            return
        total = self.height() - self.handleWidth() * (sum(shown) - 1)
        most = min(total * MOST_SHARE, max(total / 2, total - px(DRAWN_HEIGHT)))
        table = round(total * self._share) if self._share else self._table.height_within(most)
        now = self.sizes()[1:]
        weights = [(size or max(now) or 1) if visible else 0 for size, visible in zip(now, shown[1:], strict=True)]
        self.setSizes([table, *(round((total - table) * weight / sum(weights)) for weight in weights)])

    def _note_share(self) -> None:
        if not self._table.isHidden() and self.height():
            self._share = self._table.height() / self.height()
            self.shared.emit(self._share)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share()


class TreeRoom(PartedRoom):
    """The search tree in up to three views."""

    def __init__(self, context: Context, table: TreeView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("table")  # the guide opens at its page
        self._context, self.table = context, table
        self._drawn: dict[str, DrawnTree] = {}
        self._icicle: IcicleCanvas | None = None
        self._controls: QWidget | None = None  # of the picture
        self._simulation: Simulation | None = None
        self._question = ""  # asked of the tree; "" for none, or while it cannot be read
        self._answer: Matches | None = None
        self._answer_root: Position | None = None  # the position that the answer's paths start from
        self._mode = "value"
        self._ready = False  # whether the drawn trees can be made: the engine is loaded
        self._open_parts = set(context.preferences.tree_parts)
        self._make_toolbar()
        self._make_footer()
        preferences = context.preferences
        self.stack = Stack(table, preferences.table_share, self)
        self.stack.shared.connect(lambda share: setattr(preferences, "table_share", share))
        self.legend = TreeLegend(self._entries, self._meaning, self)
        self.answer = AnswerStrip(self)
        self.answer.asked.connect(self.box.setText)
        lay_column(
            self._toolbar, (self.stack, 1), self.answer, self.legend, self._footer, of=self, margins=0, spacing=0
        )
        self.legend.hide()
        self._late = make_timer(self, LATE_MS, self._make_drawn, once=True)
        self._show_parts()
        on_language(self, self._renew)

    def _make_toolbar(self) -> None:
        self.parts = segments(self, TREE_PARTS)
        self.box = SearchBox(self._context.preferences, self)
        line = FoldingRow(self, spare=self.box.lacking)
        self._toolbar = lay_row(line, margins=(8, 2, 8, 4))
        line.left.addLayout(lay_row(*self.parts.values(), spacing=1))
        for name, button in self.parts.items():
            button.group().setExclusive(False)
            set_texts(button, toolTip=PART_TIPS[name])
            button.clicked.connect(lambda shown, part=name: self._turn_part(part, shown))
        self.colours = ShortButton(self)
        self.colours.setObjectName("choice")
        self.colours.narrowest = 84
        self.colours.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.colours.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.colours.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QMenu(self.colours)
        menu.aboutToShow.connect(lambda: self._list_modes(menu))
        self.colours.setMenu(menu)
        self.players = PlayerChoice(self)
        self.wants_legend = set_texts(QAction(self), text=LEGEND)
        self.wants_legend.setCheckable(True)
        self.wants_legend.toggled.connect(lambda _: self._renew())
        line.left.addWidget(self.box, 100)
        line.left.addStretch(1)
        line.right.addWidget(self.colours)
        line.right.addWidget(self.players)
        line.right.addStretch(1)
        for part in (line.left, line.right):
            part.setSpacing(8)
        line.set_stretch(1, 0)
        self.box.textChanged.connect(lambda _: self.ask())
        self.box.walked.connect(self._go_to_match)

    def _make_footer(self) -> None:
        self.crumbs = Crumbs(self)
        self.crumbs.linkActivated.connect(self._follow_crumb)
        self.reading = Reading(self, "dim")
        self.reading.setFont(figure_font(self.font()))
        self.reading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        set_texts(self.reading, accessibleName="Node under the pointer or selected")
        self._footer = lay_row((self.crumbs, 1), (self.reading, 2), margins=(10, 2, 8, 4), spacing=10)

    # the parts

    def part_shown(self, name: str) -> bool:
        return name in self._open_parts

    def show_part(self, name: str) -> QWidget:
        self._turn_part(name, True)
        if name == "table":
            return self.table
        self._make_drawn()
        return self._drawn[name]

    def hide_part(self, name: str) -> bool:
        self._turn_part(name, False)
        return name not in self._open_parts

    def _turn_part(self, name: str, shown: bool) -> None:
        """Turn a part on or off; one is always on."""
        if shown == (name in self._open_parts):
            return
        parts = self._open_parts | {name} if shown else self._open_parts - {name}
        self._open_parts = parts or self._open_parts
        self._context.preferences.tree_parts = tuple(part for part in TREE_PARTS if part in self._open_parts)
        self._show_parts()

    def _show_parts(self) -> None:
        if self._ready:
            self._make_drawn()
        for name, button in self.parts.items():
            button.setChecked(name in self._open_parts)
        self.table.setVisible("table" in self._open_parts)
        for name, part in self._drawn.items():
            part.setVisible(name in self._open_parts)
        self.show_phase()
        self.stack.share()
        self._renew()

    def _make_drawn(self) -> None:
        """Make the drawn trees that are wanted and not there."""
        self._ready = True
        for name in TREE_PARTS:
            if name in self._open_parts and name not in ("table", *self._drawn):
                self._connect(name, self._make(name))
        self.stack.share()
        self._renew()

    def _make(self, name: str) -> DrawnTree:
        extras = self._context.session.extras
        if name == "icicle":
            from gui.rooms.tree.icicle_part import IciclePart

            icicle = IciclePart(extras, self)
            icicle.canvas.focused.connect(self._show_way)
            self._context.preview.changed.connect(icicle.canvas.show_preview)
            self._icicle = icicle.canvas
            return icicle
        from gui.rooms.tree.picture_part import PicturePart

        picture = PicturePart(extras, self)
        picture.canvas.played.connect(lambda path: self._context.play_line(path, picture.canvas.root))
        self._controls = picture.controls
        self._footer.addWidget(picture.controls)
        return picture

    def _connect(self, name: str, part: DrawnTree) -> None:
        """Put a new part in its place and show the present state in it."""
        state, session, preferences = self._context.state, self._context.session, self._context.preferences
        self._drawn[name] = part
        part.setObjectName(name)
        self.stack.insertWidget(
            sum(TREE_PARTS.index(part_name) < TREE_PARTS.index(name) for part_name in self._drawn) + 1, part
        )
        canvas = part.canvas
        canvas.selected.connect(lambda path: state.select(path, canvas.root))
        canvas.described.connect(lambda _: self._show_reading())
        part.in_sight.connect(lambda _: self._renew())
        canvas.set_mode(self._mode)
        canvas.set_player(PLAYERS[preferences.values_for])
        canvas.select_path(state.selected, state.position)
        canvas.look_for(self._answer)
        canvas.mark_simulation(self._simulation)
        part.set_waiting(self._waiting_in(name))
        fit(part)
        part.show()
        part.set_in_sight(part.isVisible())
        part.show_snapshot(session.snapshot, state.line)

    # what they show

    def show_snapshot(self, snapshot: Snapshot | None, line: PathOf) -> None:
        """Show a snapshot in the drawn trees; ``line``: the moves from the record's start to its position."""
        if snapshot is not None:
            self.players.set_game(snapshot.position.game.name)
        for part in self._drawn.values():
            part.show_snapshot(snapshot, line)
        if snapshot is None or snapshot.answer is None or snapshot.answer.question != self._question:
            self._show_answer(None)
        else:
            self._show_answer(snapshot.answer, snapshot.position)
        self.legend.renew()

    def mark_simulation(self, simulation: Simulation | None) -> None:
        """Mark the path of a simulation in the drawn trees; None: no path."""
        self._simulation = simulation
        for part in self._drawn.values():
            part.canvas.mark_simulation(simulation)

    def show_selection(self) -> None:
        """Mark the selected node in the drawn trees."""
        state = self._context.state
        for part in self._drawn.values():
            part.canvas.select_path(state.selected, state.position)

    def show_phase(self) -> None:
        """Say in the drawn trees what goes on before there is a tree."""
        for name, part in self._drawn.items():
            part.set_waiting(self._waiting_in(name))

    def _waiting_in(self, name: str) -> str:
        """What a drawn tree says before there is a tree: nothing below a part that says so already."""
        session = self._context.session
        first = next(part for part in TREE_PARTS if part in self._open_parts)
        return "" if session.snapshot is None and name != first else waiting_text(session.phase)

    def show_player(self, whose: str) -> None:
        """Show the values for one of ``VALUES_FOR``."""
        self.players.show_choice(whose)
        for part in self._drawn.values():
            part.canvas.set_player(PLAYERS[whose])
        self.legend.renew()
        self.ask()

    def open_engine(self) -> None:
        """Make the drawn trees soon: the first position is there, and with it the engine."""
        if not self._ready and not self._late.isActive():
            self._late.start()

    def stop(self) -> None:
        """Make no drawn trees any more."""
        self._late.stop()

    @property
    def _shown(self) -> list[DrawnTree]:
        """The drawn trees that are on."""
        return [self._drawn[name] for name in TREE_PARTS if name in self._open_parts and name in self._drawn]

    def _renew(self) -> None:
        """Show only the controls that have something to act on."""
        drawn = self._shown
        set_texts(self.colours, text=TITLES[self._mode], toolTip=legend.MODE_TIPS[self._mode])
        for widget in (self.colours, self.reading):
            widget.setVisible(bool(drawn))
        self.legend.setVisible(bool(drawn) and self.wants_legend.isChecked())
        if self._controls is not None:
            self._controls.setVisible("picture" in self._open_parts)
        if self._icicle is not None:
            self._show_way(self._icicle.focus)
        self._show_reading()
        self.legend.renew()

    def _show_reading(self) -> None:
        canvas = self._shown[0].canvas if self._shown else None
        self.reading.setText(canvas.accessibleDescription() if canvas is not None else "")

    # colours and legend

    def _list_modes(self, menu: QMenu) -> None:
        menu.clear()
        for mode in legend.MODE_TIPS:
            action = menu.addAction(tr(legend.MODE_TIPS[mode]), partial(self.set_mode, mode))
            action.setCheckable(True)
            action.setChecked(mode == self._mode)
        menu.addSeparator()
        menu.addAction(self.wants_legend)

    def set_mode(self, mode: str) -> None:
        """Set what the colours of the drawn trees mean, one of ``legend.MODE_TIPS``."""
        self._mode = mode
        for part in self._drawn.values():
            part.canvas.set_mode(mode)
        self._renew()

    def _player_name(self) -> str:
        return self._shown[0].canvas.player_name if self._shown else tr("To move")

    def _entries(self) -> tuple[LegendEntry, ...]:
        return legend.entries(self._shown, self._mode, self._player_name())

    def _meaning(self) -> str:
        return legend.meaning(self._shown, self._mode, self._player_name())

    # the way back

    def _show_way(self, path: PathOf) -> None:
        root = self._icicle.root if self._icicle is not None and "icicle" in self._open_parts else None
        self.crumbs.show_way(tuple(root.game.action_name(action) for action in path) if root is not None else ())

    def _follow_crumb(self, link: str) -> None:
        """Zoom to the node of a crumb: so many moves of the way there."""
        if (canvas := self._icicle) is not None:
            canvas.zoom_to(canvas.focus[: int(link)]) if int(link) else canvas.fit()

    # the search field

    def ask(self) -> None:
        """Ask the tree what is in the search field."""
        session, preferences, position = self._context.session, self._context.preferences, self._context.state.position
        text, error = self.box.text().strip(), ""
        if text and position is not None:
            from core.glass.question import read_question

            try:
                read_question(text, position.game)
            except ValueError as problem:
                text, error = "", text_of(problem)
        self.box.readable, self._question = not error, text
        session.extras.request_answer(text, PLAYERS[preferences.values_for])
        self._show_answer(None)
        if error:
            self.answer.show_error(error)

    def ask_for_move(self, move: str) -> None:
        """Ask for a move wherever it occurs in the tree, with what comes before and after it."""
        self.box.setText(question_of(move))
        self.answer.turn(True)

    def _show_answer(self, answer: Matches | None, root: Position | None = None) -> None:
        """Light the nodes of an answer about the tree of a root, and show its sums."""
        self._answer, self._answer_root = answer, root
        self.table.look_for(frozenset() if answer is None else answer.rows)
        for part in self._drawn.values():
            part.canvas.look_for(answer)
        if self._question:
            player = PLAYERS[self._context.preferences.values_for]
            to_move = 0 if root is None else root.to_move
            self.answer.show_answer(answer, root, to_move if player < 0 else player)
        elif self.box.readable:
            self.answer.hide()

    def _go_to_match(self, step: int) -> None:
        """Select the next node of the answer, or the one before (-1)."""
        paths = () if self._answer is None else self._answer.paths
        if not paths:
            return
        selected, state = self._context.state.selected, self._context.state
        path = paths[(paths.index(selected) + step) % len(paths) if selected in paths else 0]
        state.select(path, self._answer_root)
        for part in self._shown:
            part.canvas.bring_into_view(path)


def connect_tree(context: Context, room: TreeRoom) -> None:
    """Join the room to the search, the selection and the choice of a player, and show their present state."""
    state, session, preferences = context.state, context.session, context.preferences

    def show(*_: object) -> None:
        room.show_snapshot(session.snapshot, state.line)

    session.state_changed.connect(room.show_phase)
    room.players.chosen.connect(lambda whose: setattr(preferences, "values_for", whose))
    preferences.values_for_changed.connect(room.show_player)
    room.show_player(preferences.values_for)
    state.selection_changed.connect(lambda _: room.show_selection())
    state.game_changed.connect(room.ask)
    state.move_asked.connect(room.ask_for_move)
    session.snapshot_for_text.connect(show)
    state.position_changed.connect(room.open_engine)
    context.events.closing.connect(room.stop)
    if state.position is not None:
        room.open_engine()
    show()
