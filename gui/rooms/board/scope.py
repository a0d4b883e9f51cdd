"""Restrictions of the search, to chosen moves or to a locked position, with their strip above the board."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QToolButton, QWidget

from core.text import Text
from gui.language.core_words import lock_words
from gui.language.language import begun, tr
from gui.widgets.labels import ShortLabel, make_label
from gui.widgets.layouts import lay_row
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import set_icon
from gui.widgets.tips import set_tip
from gui.widgets.words import searched_or_left_out

if TYPE_CHECKING:
    from gui.context import Context
    from gui.model.session import Session
    from gui.model.state import AppState, PathOf
    from gui.widgets.board.board import BoardView

MOST_CHIPS = 12


def scope_after(change: str, action: int, only: PathOf, legal: PathOf, twins: PathOf = ()) -> PathOf:
    """Return the moves searched after "only", "also" or "without" ``action``; () for all.

    ``twins`` are equal to ``action`` by symmetry and searched as it is: leaving it out leaves them out too.
    """
    if change == "only":
        return (action,)
    chosen = set(only or legal)
    chosen = chosen | {action} if change == "also" else chosen - {action, *twins}
    return tuple(sorted(chosen)) or only


def scope_choices(action: int, only: PathOf, legal: PathOf) -> tuple[str, ...]:
    """Return the changes that have an effect for ``action``: of "only", "also", "without" and "all"."""
    searched = action in (only or legal)
    return tuple(
        change
        for change, makes_sense in (
            ("only", len(legal) > 1 and only != (action,)),
            ("also", not searched),
            ("without", searched and len(only or legal) > 1),
            ("all", bool(only)),
        )
        if makes_sense
    )


def change_scope(context: Context, change: str, action: int) -> None:
    """Search "only", "also" or "without" a move of the position, or "all" moves."""
    state, snapshot = context.state, context.session.snapshot
    if change == "all" or state.position is None:
        state.restrict(())
        return
    twins = snapshot.root.same.get(action, ()) if snapshot is not None else ()
    state.restrict(scope_after(change, action, state.only, state.position.legal_actions(), twins))


def change_selected(context: Context, change: str) -> None:
    """Apply "only", "also" or "without" to the move selected in the table."""
    state, show = context.state, context.messages.show_notice
    legal = state.position.legal_actions() if state.position is not None else ()
    if context.session.away:
        show(Text("The search is locked on another position; unlock it to choose moves here."))
    elif not state.selected:
        show(Text("No move is selected; choose one in the table of moves first."))
    elif change not in scope_choices(state.selected[0], state.only, legal):
        show(Text("That changes nothing for the selected move."))
    else:
        change_scope(context, change, state.selected[0])


class ScopeStrip(QFrame):
    """A strip with the locked position and a chip for each move searched; hidden without restrictions.

    If fewer moves are left out than searched, the chips are those left out.
    """

    chip_clicked = Signal(int)  # action of a chip
    all_clicked = Signal()
    visit_clicked = Signal()
    unlock_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scope")
        self.row = lay_row(of=self, margins=(10, 2, 6, 2), spacing=4)
        self.lock = ShortLabel(self, "scope_lock")  # gives way before the strip widens the board's column
        self.lock.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.lock.setMinimumWidth(px(40))
        self.visit = set_texts(
            self._button(self.visit_clicked.emit), text="Go there", toolTip="Show the locked position"
        )
        self.unlock = set_texts(
            self._button(self.unlock_clicked.emit), text="Unlock", toolTip="Let the search follow the board again (L)"
        )
        self.title = make_label(self, "heading", "Only")
        self.chips: list[QToolButton] = []
        self._names = 0  # number of moves, including those without a chip
        self.more = make_label(self, "dim")
        self.all = set_texts(self._button(self.all_clicked.emit), text="All moves", toolTip="Search every move again")
        self._space = QWidget(self)
        self._space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self._lay_out()
        on_language(self, self._fit)
        self.hide()

    def _button(self, run: Callable[[], object]) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("chip")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda _=False: run())
        return button

    def _lay_out(self) -> None:
        for widget in (self.lock, self.visit, self.unlock, self.title, *self.chips, self.more, self.all, self._space):
            self.row.removeWidget(widget)
            self.row.addWidget(widget, 1 if widget is self._space else 0)

    def show_scope(self, names: tuple[tuple[int, str], ...], without: bool, locked: str, can_visit: bool) -> None:
        """Show the restrictions.

        ``names``: (action, name) of the moves searched or, if ``without``, of those left out; () for all.  ``locked``:
        the position analysed, "" without a lock.
        """
        for chip in self.chips:
            self.row.removeWidget(chip)
            chip.hide()
            chip.setParent(None)  # it is gone for whoever looks at the strip
            chip.deleteLater()
        self.chips = []
        for action, name in names[:MOST_CHIPS]:
            chip = self._button(partial(self.chip_clicked.emit, action))
            chip.setText(name)
            set_tip(chip, (tr("Search {name}, too") if without else tr("Leave {name} out")).format(name=name))
            set_icon(chip, "close", "dim")
            chip.setIconSize(QSize(11, 11))
            chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            chip.setEnabled(len(names) > 1 or without)
            self.chips.append(chip)
        self._lay_out()
        self.title.setText(tr("Without") if without else tr("Only"))
        self.title.setVisible(bool(names))
        self.all.setVisible(bool(names))
        self.lock.setText(locked)
        self.lock.setVisible(bool(locked))
        self.unlock.setVisible(bool(locked))
        self.visit.setVisible(can_visit)
        self._names = len(names)
        set_texts(self, accessibleName="What is searched")
        self.setAccessibleDescription(" ".join((locked, *(name for _, name in names))))
        self._fit()
        self.setVisible(bool(names) or bool(locked))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show as many chips as fit, and the number of the others."""
        rest = (self.lock, self.visit, self.unlock, self.title, self.all)
        room = self.width() - 24 - sum(w.sizeHint().width() + 4 for w in rest if not w.isHidden())
        room -= self.more.fontMetrics().horizontalAdvance(tr("and 888 more")) + 4
        shown = 0
        for chip in self.chips:
            room -= chip.sizeHint().width() + 4
            chip.setVisible(room >= 0)
            shown += room >= 0
        others = self._names - shown
        words = tr("and {count} more") if shown else tr("{count} moves")
        self.more.setText(words.format(count=others))
        self.more.setVisible(others > 0)


class Scope(QObject):
    """Shows the restrictions in their strip, and the menu of a move, which changes them."""

    def __init__(self, context: Context, strip: ScopeStrip) -> None:
        super().__init__(strip)
        self.context = context
        self.strip = strip
        self.menu: QMenu | None = None  # the last one opened
        self.strip.chip_clicked.connect(self._turn_chip)
        self.strip.all_clicked.connect(lambda: self._state.restrict(()))
        self.strip.visit_clicked.connect(self._visit)
        self.strip.unlock_clicked.connect(self._session.toggle_lock)
        for signal in (self._state.position_changed, self._state.search_changed, self._session.state_changed):
            signal.connect(self.show)
        self._shown: object = None
        on_language(self.strip, self._show_again)

    @property
    def _state(self) -> AppState:
        return self.context.state

    @property
    def _session(self) -> Session:
        return self.context.session

    @property
    def _legal(self) -> PathOf:
        position = self._state.position
        return position.legal_actions() if position is not None else ()

    def show(self) -> None:
        """Update the strip if something changed."""
        state, session = self._state, self._session
        locked, game = session.locked, state.game
        words = ""
        if locked is not None:
            words = begun(lock_words(locked, session.searching))
        chips, without = searched_or_left_out(state.only, self._legal)
        names = tuple((action, game.action_name(action)) for action in chips) if game is not None else ()
        shown = (names, without, words, self._can_visit)
        if shown != self._shown:
            self._shown = shown
            self.strip.show_scope(names, without, words, shown[3])
        self.context.actions["lock"].setChecked(locked is not None)

    def _show_again(self) -> None:
        self._shown = None
        self.show()

    def _turn_chip(self, action: int) -> None:
        """Leave out a searched move, or search one that is left out."""
        change_scope(self.context, "without" if action in self._state.only else "also", action)

    @property
    def _can_visit(self) -> bool:
        """Whether the locked position is another one of the record."""
        lock, record = self._state.document.lock, self._state.record
        if lock is None or record is None or not self._session.away:
            return False
        return lock.node in record and record.position(lock.node) == lock.position

    def _visit(self) -> None:
        lock = self._state.document.lock
        if lock is not None and self._can_visit:
            self._state.go_to(lock.node)

    def open_board_menu(self, board: BoardView, point: QPoint) -> None:
        """Open the menu of the move at a point of the board."""
        if not self._state.selected:  # a preview shows the moves of another position
            self.open_menu(board.action_at(QPointF(point)), board.mapToGlobal(point))

    def open_menu(self, action: int, at: QPoint) -> None:
        """Open the menu of one move of the position at a point of the screen."""
        if action not in self._legal:
            return
        menu = self.menu = QMenu(self.context.window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self._session.away:
            menu.addAction(tr("The search is locked on another position")).setEnabled(False)
            menu.addAction(tr("Unlock"), self._session.toggle_lock)
        else:
            self._fill(menu, action)
        menu.popup(at)

    def _explain(self, action: int) -> None:
        """Select a move and open the room that explains it."""
        self._state.select((action,))
        self.context.docks.show_dock("why")

    def _ask_for(self, name: str) -> None:
        """Ask the tree where a move occurs, in its room."""
        self.context.docks.show_dock("tree")
        self._state.move_asked.emit(name)

    def _fill(self, menu: QMenu, action: int) -> None:
        game = self._state.game
        assert game is not None
        name = game.action_name(action)
        titles = {
            "only": tr("Search only {name}").format(name=name),
            "also": tr("Search {name}, too").format(name=name),
            "without": tr("Leave {name} out").format(name=name),
            "all": tr("Search all moves"),
        }
        menu.addAction(tr("Why not {name}?").format(name=name), partial(self._explain, action))
        menu.addAction(tr("Where {name} occurs in the tree").format(name=name), partial(self._ask_for, name))
        menu.addSeparator()
        changes = scope_choices(action, self._state.only, self._legal)
        for change in changes:
            if change == "all":
                menu.addSeparator()
            menu.addAction(titles[change], partial(change_scope, self.context, change, action))
        if not changes:
            menu.addAction(tr("{name} is the only move").format(name=name)).setEnabled(False)
