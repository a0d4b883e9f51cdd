"""The main window: lays the views out, carries state and snapshots to them and their wishes back.

Every view is a function of what it is given here; no view knows another.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QSize, QTimer
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMainWindow

from gui import sources
from gui.actions import make_actions
from gui.board_paint import kind_of
from gui.dialogs import KeysDialog
from gui.figures import value_text
from gui.layout import CentralView
from gui.opening import Opening
from gui.session import Session
from gui.state import AppState, PathOf
from gui.theme import THEMES, apply_theme, icon, system_theme
from gui.words import PROVED_VALUES, moves_title, outcome_text, proof_words, state_text

if TYPE_CHECKING:
    from core.games import Position
    from core.search import NodeView, Snapshot

NARROW_BOARD = 440  # px the board keeps when the settings open
ORDER_MS = 1000
TREE_MS = 90  # after the other texts
STEP_MS = 16  # held arrow keys are summed and applied once a frame


class MainWindow(QMainWindow):
    """The one window.  ``theme`` is "dark", "light" or "system"."""

    state: AppState
    session: Session
    opening: Opening
    actions_by_name: dict[str, QAction]

    def __init__(self, state: AppState | None = None, session: Session | None = None, theme: str = "system") -> None:
        super().__init__()
        self.state = state or AppState(self)
        self.session = session or Session(self.state, self)
        self.opening = Opening(self.state, self.session, self)
        self.theme = THEMES["dark"]
        self._theme_choice = theme
        self._shown: Position | None = None  # what the board shows: the position or a preview
        self._lent = 0  # px of the board that the settings panel took
        self._tree_next: tuple[Snapshot | None, bool] = (None, False)
        self._tree_opened: set[PathOf] = set()
        self._tree_later = QTimer(self)
        self._tree_later.setSingleShot(True)
        self._tree_later.setInterval(TREE_MS)
        self._tree_later.timeout.connect(self._show_tree)
        self._arranged = QElapsedTimer()  # since the rows were last put in order
        self._arranged_at = 0  # simulations then
        self._steps = 0
        self._stepping = QTimer(self)
        self._stepping.setSingleShot(True)
        self._stepping.setInterval(STEP_MS)
        self._stepping.timeout.connect(self._apply_steps)
        self.setWindowTitle("Plyscope")
        self.setAcceptDrops(True)
        self._take_views(CentralView(self))
        self.actions_by_name = make_actions(self)
        self._connect()
        self.set_theme(theme)
        self._show_state()
        self.board.setFocus()

    def _take_views(self, views: CentralView) -> None:
        self.setCentralWidget(views)
        self.toolbar, self.banner, self.status, self.settings = (
            views.toolbar,
            views.banner,
            views.status,
            views.settings,
        )
        self.board, self.value_bar, self.player, self.record = views.board, views.value_bar, views.player, views.record
        self.moves, self.tree = views.moves, views.tree
        self.moves_title, self.splitter = views.moves_title, views.splitter
        self._navigation = views.navigation

    def sizeHint(self) -> QSize:
        return QSize(1480, 860)

    # connections

    def _connect(self) -> None:
        state, session, actions = self.state, self.session, self.actions_by_name
        for name, action in (
            ("first", "start"),
            ("previous", "back"),
            ("next", "forward"),
            ("last", "end"),
            ("undo", "take_back"),
            ("engine", "engine_move"),
        ):
            button = self._navigation[name]
            button.clicked.connect(actions[action].trigger)
            tip = f"{actions[action].text().replace('&', '')} ({actions[action].shortcut().toString()})"
            button.setToolTip(tip)
            button.setAccessibleName(tip)
        state.game_changed.connect(self.tree.forget)
        self.opening.complained.connect(self.banner.say)
        self.opening.noted.connect(self.banner.note)
        state.position_changed.connect(self._position_changed)
        state.search_changed.connect(self._search_changed)
        state.overlay_changed.connect(self._overlay_changed)
        state.coordinates_changed.connect(self._coordinates_changed)
        state.selection_changed.connect(self._selection_changed)
        session.pictured.connect(self._picture)
        session.figured.connect(self._figures)
        session.state_changed.connect(self._show_state)
        session.failed.connect(self.banner.say)
        self.board.chosen.connect(self._play_on_board)
        self.board.refused.connect(self._refuse)
        self.board.scrolled.connect(self.step)
        self.board.laid_out.connect(self.value_bar.set_span)
        self.moves.selected.connect(lambda action: state.select((action,)))
        self.moves.played.connect(lambda action: self._play_line((action,)))
        self.moves.pointed.connect(self._show_line_of)
        self.tree.selected.connect(state.select)
        self.tree.played.connect(self._play_line)
        self.tree.opened.connect(session.want)
        self.record.chosen.connect(state.go)
        self.settings.changed.connect(state.set_settings)
        self.settings.limit_changed.connect(state.set_limit)
        bar = self.toolbar
        bar.overlay_chosen.connect(state.set_overlay)
        bar.limit_chosen.connect(state.set_limit)
        bar.run.clicked.connect(session.toggle)
        bar.settings.clicked.connect(actions["settings"].trigger)
        bar.theme.clicked.connect(actions["theme"].trigger)
        bar.game.menu().aboutToShow.connect(
            lambda: self.opening.fill_game_menu(bar.game.menu(), actions["choose_game"])
        )
        bar.net.menu().aboutToShow.connect(lambda: self.opening.fill_net_menu(bar.net.menu(), actions["open_net"]))
        bar.set_overlay(state.overlay)
        bar.set_limit(state.limit)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_theme_changed)

    # appearance

    def set_theme(self, choice: str) -> None:
        """Dress the window: "dark", "light" or as the "system" does."""
        self._theme_choice = choice
        self.theme = THEMES.get(choice) or system_theme()
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        apply_theme(app, self.theme)
        for view in (
            self.toolbar,
            self.banner,
            self.board,
            self.value_bar,
            self.player,
            self.record,
            self.moves,
            self.tree,
            self.status,
        ):
            view.set_theme(self.theme)
        for name, button in self._navigation.items():
            button.setIcon(icon(name, self.theme))
        for name in ("system", "dark", "light"):
            self.actions_by_name[f"theme_{name}"].setChecked(name == choice)

    @property
    def theme_choice(self) -> str:
        return self._theme_choice

    def toggle_theme(self) -> None:
        self.set_theme("light" if self.theme.dark else "dark")

    def _system_theme_changed(self) -> None:
        if self._theme_choice == "system":
            self.set_theme("system")

    def toggle_settings(self) -> None:
        shown = self.settings.isHidden()
        board, figures, _ = self.splitter.sizes()
        if shown:
            wanted = self.settings.width() + self.splitter.handleWidth()
            self._lent = min(wanted, max(0, board - NARROW_BOARD))  # the board gives way first
            sizes = [board - self._lent, figures - (wanted - self._lent), self.settings.width()]
        else:
            sizes = [board + self._lent, figures + self.settings.width() - self._lent, 0]
        self.settings.setVisible(shown)
        self.splitter.setSizes(sizes)
        self.toolbar.settings.setChecked(shown)
        self.actions_by_name["settings"].setChecked(shown)

    def _overlay_changed(self, overlay: str) -> None:
        self.board.set_overlay(overlay)
        self.toolbar.set_overlay(overlay)

    def _coordinates_changed(self, shown: bool) -> None:
        self.board.set_coordinates(shown)
        self.actions_by_name["coordinates"].setChecked(shown)

    # state -> views

    def _position_changed(self) -> None:
        if not self.banner.lasting:
            self.banner.hide()
        state = self.state
        position = state.position
        assert position is not None
        game = position.game
        self.toolbar.game.setText(game.title)
        self.setWindowTitle(f"{game.title} — Plyscope")
        self.tree.set_line(state.line)
        self._show_position()
        self._show_choices()
        self.session.want(self.tree.wanted())
        self._show_state()

    def _search_changed(self) -> None:
        self._show_choices()
        self._show_state()

    def _show_choices(self) -> None:
        state = self.state
        self.toolbar.net.setText(sources.source_title(state.source))
        self.toolbar.set_limit(state.limit)
        if state.settings is not None:
            self.settings.show_settings(state.settings, state.limit)
        actions = self.actions_by_name
        for name, enabled in (
            ("start", state.cursor > 0),
            ("back", state.cursor > 0),
            ("forward", state.cursor < len(state.moves)),
            ("end", state.cursor < len(state.moves)),
            ("take_back", state.cursor > 0),
            ("redo", state.can_redo),
        ):
            actions[name].setEnabled(enabled)
        for name, action in (
            ("first", "start"),
            ("previous", "back"),
            ("next", "forward"),
            ("last", "end"),
            ("undo", "take_back"),
        ):
            self._navigation[name].setEnabled(actions[action].isEnabled())

    def _selection_changed(self, path: PathOf) -> None:
        self._show_position()
        self.moves.select_action(path[0] if path else -1)
        self.tree.select_path(path)
        if self.session.snapshot is not None or (self._shown is not None and self._shown.is_over):
            self._picture(self.session.snapshot)
            self._show_value(self.session.snapshot)

    def _show_position(self) -> None:
        """Board and player label: the position, or the preview of the selected node."""
        position = self.state.position
        if position is None:
            return
        path = self.state.selected
        for action in path:
            position = position.play(action)
        self._shown = position
        self.board.set_position(position)
        game = position.game
        players = kind_of(game.name).players
        title, player = outcome_text(position, players)
        if path:
            note = "preview · Esc returns"
        else:
            note = f"move {position.ply + 1}" if not position.is_over else f"after {position.ply} moves"
        names = tuple(game.action_name(a) for a in self.state.moves)
        self.record.set_record(names, self.state.cursor, tuple(game.action_name(a) for a in path))
        self.player.set_position(game.name, player, title, note, preview=bool(path))

    # snapshots -> views

    def _node(self, snapshot: Snapshot | None) -> NodeView | None:
        """The node of what the board shows; None while the search does not tell it."""
        if snapshot is None:
            return None
        path = self.state.selected
        return snapshot.opened.get(path) if path else snapshot.root

    def _picture(self, snapshot: Snapshot | None, with_text: bool = False) -> None:
        node = self._node(snapshot)
        self.board.set_figures(node, node.best_action if node is not None else -1, with_text)
        position = self._shown
        if position is not None:
            value = self._value(snapshot)
            if position.is_over:
                value = float(position.returns[position.to_move])
            player = kind_of(position.game.name).players[position.to_move]
            self.value_bar.set_value(position.game.name, value, position.to_move, value_text(value, player))

    def _value(self, snapshot: Snapshot | None) -> float:
        """Searched value of what is shown, for the side to move there."""
        node = self._node(snapshot)
        if node is not None:
            return PROVED_VALUES.get(node.proof, node.q)
        path = self.state.selected
        above = (
            None
            if snapshot is None or not path
            else (snapshot.root if len(path) == 1 else snapshot.opened.get(path[:-1]))
        )
        if above is None:
            return math.nan
        return next((-row.q for row in above.rows if row.action == path[-1] and row.visits), math.nan)

    def _show_value(self, snapshot: Snapshot | None) -> None:
        position = self._shown
        if position is None:
            return
        value = self._value(snapshot)
        player = kind_of(position.game.name).players[position.to_move]
        known = not math.isnan(value) and not position.is_over
        proved = proof_words(self._node(snapshot), player)
        self.player.set_value(proved or (value_text(value, player) if known else ""))

    def _figures(self, snapshot: Snapshot | None) -> None:
        """All that is text, four times a second."""
        self._picture(snapshot, with_text=True)
        self._show_value(snapshot)
        keep_order = self._keeps_order(snapshot)
        self.moves.show_node(
            snapshot.root if snapshot is not None else None, snapshot.best if snapshot is not None else -1, keep_order
        )
        self.moves_title.setText(moves_title(self.state.position, snapshot))
        path = self.state.selected
        self.moves.select_action(path[0] if path else -1)
        opened = set(snapshot.opened) if snapshot is not None else set()
        self._tree_next = (snapshot, keep_order)
        if snapshot is None or snapshot.reason or opened != self._tree_opened:
            self._show_tree()
        elif not self._tree_later.isActive():
            self._tree_later.start()
        self._tree_opened = opened
        self.toolbar.set_simulations(snapshot.simulations if snapshot is not None and snapshot.moves else None)
        self.status.set_counters(snapshot.counters if snapshot is not None else None)
        if snapshot is not None:
            self.status.set_evaluator(snapshot.evaluator, snapshot.evaluator_note)
        self._show_state()

    def _show_tree(self) -> None:
        """Apart from the other texts while the search runs, so that a click never waits for both."""
        self._tree_later.stop()
        self.tree.show_snapshot(*self._tree_next)
        self.tree.select_path(self.state.selected)

    def _keeps_order(self, snapshot: Snapshot | None) -> bool:
        """Rows change places once a second while the search runs, when it has grown by half, and at its end."""
        simulations = snapshot.simulations if snapshot is not None else 0
        recent = self._arranged.isValid() and self._arranged.elapsed() < ORDER_MS
        ended = snapshot is None or bool(snapshot.reason)
        if recent and not ended and self._arranged_at <= simulations < 1.5 * self._arranged_at:
            return True
        self._arranged.start()
        self._arranged_at = simulations
        return False

    def _show_state(self) -> None:
        """Whether and why the search runs or not."""
        session = self.session
        self.toolbar.set_running(session.searching)
        text = state_text(session.phase, session.searching, session.snapshot, session.mode)
        self.status.set_state(text, session.searching)
        self.moves.set_note(text)

    # wishes of the views

    def _play_on_board(self, action: int) -> None:
        self._play_line((*self.state.selected, action))

    def _play_line(self, path: PathOf) -> None:
        try:
            self.state.play_line(path)
        except ValueError as error:
            self.banner.say(str(error))

    def _refuse(self, action: int) -> None:
        position = self._shown
        if position is None:
            return
        try:
            position.play(action)
        except ValueError as error:
            self.banner.note(str(error))

    def _show_line_of(self, action: int) -> None:
        """The line of the row under the pointer, as it stands now: it does not change while it is looked at."""
        snapshot = self.session.snapshot
        if self.state.selected or snapshot is None or action < 0:
            self.board.show_line(())
            return
        self.board.show_line(next((row.pv for row in snapshot.moves if row.action == action and row.visits), ()))

    def engine_move(self) -> None:
        """Play the move the search would play here."""
        action = self.session.move_to_play()
        if action < 0:
            self.banner.note("There is no move to play: the game is over or the search has not begun.")
            return
        self._play_line((action,))

    def escape(self) -> None:
        """Leave the preview, else stop searching."""
        if self.state.selected:
            self.state.select(())
        else:
            self.session.stop()
            self.banner.hide()

    def step(self, plies: int) -> None:
        """Walk the record; held keys add up and are applied once a frame."""
        self._steps += plies
        if not self._stepping.isActive():
            self._stepping.start()

    def _apply_steps(self) -> None:
        steps, self._steps = self._steps, 0
        self.state.go(self.state.cursor + steps)

    def show_keys(self) -> None:
        KeysDialog(list(self.actions_by_name.values()), self).open()

    # files dropped, closing

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped_net(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = _dropped_net(event)
        if path is not None:
            event.acceptProposedAction()
            self.opening.open_net(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._stepping.stop()
        self._tree_later.stop()
        self.session.close()
        super().closeEvent(event)


def _dropped_net(event: QDropEvent) -> Path | None:
    """The first .onnx file of a drop."""
    for url in event.mimeData().urls():
        if url.isLocalFile() and url.toLocalFile().lower().endswith(".onnx"):
            return Path(url.toLocalFile())
    return None
