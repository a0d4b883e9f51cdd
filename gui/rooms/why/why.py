"""The room that says why: why not the move selected, and of the node selected its next choice, values and policies."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QWidget

from gui.jobs.leaves import LeafReader
from gui.jobs.root_truth import exact_values
from gui.language.core_words import core_text
from gui.language.language import chosen, tr
from gui.model.timers import make_timer
from gui.rooms.why.arithmetic import Speaker, speaker
from gui.rooms.why.cause import SOURCES, CauseSection, connect_cause
from gui.rooms.why.choice_section import ChoiceSection
from gui.rooms.why.human_section import HumanSection, connect_human
from gui.rooms.why.net_sections import (
    InputSection,
    PolicySection,
    SymmetrySection,
    ValueSection,
    recipe_encoding,
)
from gui.rooms.why.why_not import TruthSection, WhyNotSection, connect_why_not
from gui.widgets.board.board_paint import kind_of
from gui.widgets.folding_row import FoldingRow
from gui.widgets.in_sight import SeenWidget
from gui.widgets.labels import ShortLabel
from gui.widgets.layouts import lay_column
from gui.widgets.player_choice import PLAYERS, PlayerChoice
from gui.widgets.room import scroll_down
from gui.widgets.sections import Section
from gui.widgets.text_size import by_font
from gui.widgets.texts import set_texts
from gui.widgets.theme import figure_font
from gui.widgets.words import ended_text, waiting_text

if TYPE_CHECKING:
    from core.engine import EvaluatorSource
    from core.games import Position
    from core.games.encoding import Encoding
    from core.glass import MoveRow, Snapshot
    from core.glass.leaf_values import LeafValues
    from core.search import SearchSettings
    from core.solve import Solution
    from gui.context import Context
    from gui.model.state import PathOf


KEPT_MS: Final = 120  # so long the figures stay while those of the next position are awaited


class WhyRoom(SeenWidget):
    """Explains a move of the root, and shows the node selected."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title, self.note = ShortLabel(self, elide=Qt.TextElideMode.ElideMiddle), QLabel(self)
        self.title.setMinimumWidth(120)
        self.title.setObjectName("strong")
        self.note.setObjectName("dim")
        by_font(self.title, lambda: self.title.setFont(figure_font(self.font(), 1.05, bold=True)))
        self.note.setWordWrap(True)
        for label in (self.title, self.note):
            label.setContentsMargins(12, 0, 10, 0)
        page = self._page = QWidget(self)
        page.setObjectName("inspector")
        self._column = column = lay_column(of=page, margins=(0, 4, 0, 8), spacing=2)
        self.players = PlayerChoice(page)
        head = FoldingRow(page, spare=self._lacking)
        head.left.addWidget(self.title, 1)
        head.right.addWidget(self.players)
        head.right.addSpacing(8)
        head.set_stretch(1, 0)
        column.addWidget(head)
        column.addWidget(self.note)
        self.why_not = WhyNotSection(page)
        self.cause = CauseSection(page)
        self.human = HumanSection(page)
        self.truth = TruthSection(page)
        self.choice = ChoiceSection(page)
        self.value = ValueSection(page)
        self.policies = PolicySection(page)
        self.input = InputSection(page)
        self.symmetries = SymmetrySection(page)
        self.sections = (
            self.why_not,
            self.cause,
            self.human,
            self.choice,
            self.truth,
            self.value,
            self.policies,
            self.input,
            self.symmetries,
        )
        for section in self.sections:
            column.addWidget(section)
        column.addStretch(1)
        self._scroll = scroll_down(page, self, "Why")
        lay_column(self._scroll, of=self, margins=0)
        set_texts(self, accessibleName="Why")
        self.player = -1  # whose values are shown; -1: those of the side to move
        self._who: Speaker | None = None
        self._net = math.nan
        self.show_node(None, (), None, None, None)

    def sizeHint(self) -> QSize:
        return QSize(320, 520)

    def minimumSizeHint(self) -> QSize:
        page, bar = self._page.minimumSizeHint(), self._scroll.verticalScrollBar().sizeHint()
        return QSize(page.width() + bar.width(), super().minimumSizeHint().height())

    def _lacking(self) -> int:
        """Return the px that the title needs beyond its least width."""
        return max(0, self.title.sizeHint().width() - self.title.minimumWidth())

    def show_choice(self) -> None:
        """Open the next choice and scroll to it."""
        self._show(self.choice)

    def show_cause(self, source: str = "") -> None:
        """Open *What would it take?* and scroll to it, perhaps with the line of a source."""
        self._show(self.cause)
        if source in SOURCES:
            self.cause.enter(source)

    def show_truth(self) -> None:
        """Open the comparison with the exact results and scroll to it."""
        self._show(self.truth)

    def _show(self, section: Section) -> None:
        section.fold.setChecked(True)
        self._column.activate()
        self._scroll.verticalScrollBar().setValue(section.y())

    def show_node(
        self,
        position: Position | None,
        path: PathOf,
        snapshot: Snapshot | None,
        settings: SearchSettings | None,
        source: EvaluatorSource | None,
        solution: Solution | None = None,
        phase: str = "",
    ) -> None:
        """Show a node; ``position`` is that of the node at ``path`` below the snapshot's, ``solution`` its exact
        results; ``phase``: what the search does."""
        view = None if snapshot is None else snapshot.node(path)
        self.input.show_input(position, _other_encoding(position, snapshot))
        self.symmetries.show_position(source, position)
        if position is None:
            set_texts(self.title, text="No position")
            self._show_note(tr("Open a game to inspect its search."))
            return
        who = speaker(position, self.player)
        self._who, self._net = who, view.value if view is not None else math.nan
        self.players.set_game(position.game.name)
        players = kind_of(position.game.name).players
        where = tr("After {moves}").format(moves=" ".join(_names(position, path))) if path else tr("Root")
        self.title.setText(f"{where} · {ended_text(position, players)[0]}")
        if view is None or view.choice is None or position.is_over:
            self._show_note(self._why_empty(position, path, snapshot, phase))
            self.value.show_leaf(_row_above(snapshot, path), who)
            return
        self._show_note("")
        self.choice.setVisible(True)
        self.policies.setVisible(True)
        self.choice.show_view(view, settings)
        self.policies.show_view(view, {} if solution is None else exact_values(solution))
        self.value.show_view(view, who)

    def show_leaves(self, leaves: LeafValues | None, elsewhere: bool = False) -> None:
        """Show the distribution of leaf values below the node; ``elsewhere``: they are on another machine."""
        self.value.show_leaves(leaves, self._who, self._net, elsewhere)

    def show_player(self, whose: str) -> None:
        """Show the values for one of ``VALUES_FOR``, from the next node on."""
        self.player = PLAYERS[whose]
        self.players.show_choice(whose)
        self.symmetries.set_player(self.player)

    def _why_empty(self, position: Position, path: PathOf, snapshot: Snapshot | None, phase: str) -> str:
        if position.is_over:
            return tr("The game is over here: there is nothing to choose.")
        if snapshot is None:
            return core_text(waiting_text(phase))
        root = snapshot.root
        if not path and root.choice is None and root.visits:
            return tr("The next choice is hidden until you have guessed it.")
        if not path:
            return tr("The search has not reached this position yet.")
        nodes = [snapshot.node(path[:i]) for i in range(len(path))]
        if any(
            node is not None and not any(row.visits for row in node.rows if row.action == action)
            for node, action in zip(nodes, path, strict=True)
        ):
            return tr("Not in the tree: no simulation has come here.")
        return tr("A leaf of the tree: its moves are not opened yet, so there is nothing to choose.")

    def _show_note(self, sentence: str) -> None:
        """Show why there are no figures; "" when there are."""
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))
        if sentence:
            for section in (self.choice, self.value, self.policies):
                section.setVisible(False)


def _other_encoding(position: Position | None, snapshot: Snapshot | None) -> Encoding | None:
    """Return how the net is shown positions; None: by the game's own planes."""
    if position is None or snapshot is None:
        return None
    others = {encoding.name: encoding for encoding in position.game.encodings[1:]}
    return others.get(snapshot.encoding) or recipe_encoding(position.game, snapshot.encoding)


def _row_above(snapshot: Snapshot | None, path: PathOf) -> MoveRow | None:
    """Return the parent's row for the move that leads to ``path``."""
    if snapshot is None or not path:
        return None
    above = snapshot.node(path[:-1])
    return None if above is None else next((row for row in above.rows if row.action == path[-1]), None)


def _names(position: Position, path: PathOf) -> list[str]:
    names = [position.game.action_name(a) for a in path]
    return names if len(names) <= 6 else ["…", *names[-5:]]


def connect_why(
    context: Context,
    room: QWidget,
    look_back: Callable[[int], None],
    open_path: Callable[[PathOf], None],
) -> None:
    """Update the room with the selected move and node while it is visible."""
    assert isinstance(room, WhyRoom)
    connect_why_not(context, room, look_back, open_path)
    connect_cause(context, room, room.cause, room.why_not.line_from)
    connect_human(context, room, room.human, room.cause)
    state, session = context.state, context.session
    leaves = LeafReader(session, room)
    leaves.changed.connect(lambda: room.show_leaves(leaves.values))
    room.value.toggled.connect(lambda _: renew())

    shown: tuple[Snapshot | None, tuple[object, ...], tuple[object, ...]] = None, (), ()  # what the node was made of

    def show() -> None:
        nonlocal shown
        kept.stop()
        position, snapshot, source = state.shown.preview, session.snapshot, session.source
        solution = state.solutions.get(position) if position is not None and not session.concealed else None
        before = shown
        phase = session.phase if snapshot is None else ""
        figures = position, state.selected, session.settings, room.player, chosen(), phase
        shown = snapshot, (source, solution), figures
        same = snapshot is before[0] and all(map(operator.is_, shown[1], before[1]))
        if not same or shown[2] != before[2]:
            room.show_node(position, state.selected, snapshot, session.settings, source, solution, phase)
        room.show_leaves(leaves.values, session.elsewhere)
        leaves.ask(snapshot if room.value.opened and not room.value.isHidden() else None, state.selected)

    kept = make_timer(room, KEPT_MS, show, once=True)

    def renew(*_: object) -> None:
        if not room.isVisible():
            return
        awaited = session.snapshot is None and session.searching and not (session.concealed or session.away)
        if not awaited or shown[0] is None:
            show()
        elif not kept.isActive():
            kept.start()

    def show_player(whose: str) -> None:
        room.show_player(whose)
        renew()

    room.players.chosen.connect(lambda whose: setattr(context.preferences, "values_for", whose))
    context.preferences.values_for_changed.connect(show_player)
    room.in_sight.connect(lambda seen: show() if seen else kept.stop())
    for signal in (
        session.snapshot_for_text,
        session.state_changed,
        state.position_changed,
        state.selection_changed,
        state.search_changed,
        state.solved,
    ):
        signal.connect(renew)
    show_player(context.preferences.values_for)
