"""The views of a window, and what its actions do with them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from gui.language.language import tr
from gui.model.keymap import KeyMap
from gui.model.record import RESIGNED
from gui.model.timers import make_timer
from gui.rooms.board.board_room import BoardRoom
from gui.rooms.timeline.time_machine import TimeMachine
from gui.rooms.timeline.watching import Watching
from gui.rooms.tree.table_link import TableLink
from gui.shell.appearance import Appearance
from gui.shell.desk import Desk
from gui.shell.dock import connect_pictures
from gui.shell.documents import Documents
from gui.shell.filing import Filing
from gui.shell.log_view import Log
from gui.shell.machine import Machine, connect_runtime
from gui.shell.recent import connect_recent
from gui.shell.status_strip import StatusStrip
from gui.shell.toolbar import Toolbar
from gui.shell.tree_tabs import TreeTabs
from gui.widgets.board.board_paint import kind_of
from gui.widgets.dressing import hold_parts
from gui.widgets.layouts import lay_column
from gui.widgets.parts import PartedRoom
from gui.widgets.tables.tree_view import TreeView

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMainWindow

    from core.games import Position
    from gui.context import Context
    from gui.model.state import AppState
    from gui.rooms.opponents.play import Play
    from gui.rooms.report.game_review import GameReview
    from gui.rooms.training.tab import TrainingTab
    from gui.shell.workspaces import Workspaces

TEXT_FIELDS = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox)
STEP_MS = 16  # the steps of held arrow keys are summed and applied once per frame


class CentralView(QWidget):
    """Creates the views of the analysis page that are there from the start and lays them out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        hold_parts(self)
        self.room = BoardRoom(self)
        self.toolbar: Toolbar = Toolbar(self.room.overlays, self)
        self.tabs = TreeTabs(self)
        self.tree: TreeView = TreeView()
        self.tree.hide()  # until its room is first shown
        self.tree.setParent(self)
        self.status = StatusStrip(self)
        self.docks = Desk(self.room, self)
        self.docks.spare_changed.connect(self.room.board.leave_free)
        content = lay_column(self.docks, margins=8)
        lay_column(self.toolbar, self.tabs, (content, 1), self.status, of=self, margins=0, spacing=0)


class Games:
    """The game against the engine and the review of the game, each created when first needed."""

    def __init__(self, context: Context, room: BoardRoom) -> None:
        self._context, self._room = context, room
        self._play: Play | None = None
        self._review: GameReview | None = None
        shown = context.actions["play_shown"]
        context.preferences.play_shown_changed.connect(shown.setChecked)
        shown.setChecked(context.preferences.play_shown)

    @property
    def play(self) -> Play:
        """The game against the engine."""
        if self._play is None:
            from gui.rooms.opponents.play import Play

            play = self._play = Play(self._context, self._room.board)
            play.ended.connect(self._offer_analysis)
            for sentence in play.recall():
                self._context.messages.show_notice(sentence)
        return self._play

    def _offer_analysis(self, position: Position) -> None:
        """Show how a game ended, with a button to analyse it."""
        from gui.rooms.opponents.play_view import result_words

        analyse = self._context.actions["analyse_game"].trigger
        self._context.messages.show_offer(partial(result_words, position), "Analyse this game", analyse)

    def pause(self) -> None:
        """Pause a game being played."""
        if self._play is not None:
            self._play.pause()

    def undo(self) -> None:
        """Undo the last change of settings or record; in a game against the engine, back to the person's turn."""
        if self._context.state.undo_settings():
            return
        if self._play is not None:
            self._play.undo()
        else:
            self._context.state.undo()

    def take_back(self) -> None:
        """Take back one move; in a game against the engine, with its reply."""
        if self._play is not None:
            self._play.take_back()
        else:
            self._context.state.take_back()

    def resign(self) -> None:
        """Record that the side to move, or while an engine thinks the person, gives up; a game is paused."""
        state, messages = self._context.state, self._context.messages
        position = state.position
        if position is None or position.is_over:
            messages.show_notice("The game is over.")
            return
        loser = position.to_move if self._play is None else self._play.resigning
        self.pause()
        state.write_info({"result": RESIGNED[loser]})
        kind = kind_of(position.game.name)
        messages.show_notice(lambda: tr("{player} resigns.").format(player=kind.players[loser]))

    @property
    def review(self) -> GameReview:
        """The review of the game."""
        if self._review is None:
            from gui.rooms.report.game_review import GameReview

            self._review = GameReview(self._context)
            self._review.signs_changed.connect(self._room.record.set_marks)
        return self._review


@dataclass(eq=False)
class Commands:
    """Is given to each ``Entry`` of ``gui.shell.actions``; what only some of them need is in the parts."""

    window: QMainWindow
    context: Context
    views: CentralView
    workspaces: Workspaces
    make_training: Callable[[AppState], TrainingTab]
    appearance: Appearance
    keymap: KeyMap
    log: Log
    table: TableLink
    time: TimeMachine
    watching: Watching
    games: Games
    documents: Documents
    filing: Filing
    machine: Machine

    def __post_init__(self) -> None:
        self.log.open()
        self._steps = 0
        self._stepping = make_timer(self.window, STEP_MS, self._apply_steps, once=True)
        for name in self.views.docks.shown:
            self.context.actions[name].setChecked(True)
        self.context.events.closing.connect(self._stepping.stop)

    # rooms

    @property
    def training(self) -> TrainingTab | None:
        """The room Training; None until it is first shown."""
        return cast("TrainingTab | None", self.views.docks["training"].widget_made)

    def may_leave(self) -> bool:
        """Whether no run trains; else ask what becomes of them, and close the window then."""
        return self.training is None or not self.training.ask_before_leaving(self.window.close)

    def leave(self) -> None:
        """Close the window, unless a run trains: what becomes of it is asked first."""
        if self.may_leave():
            self.window.close()

    def toggle_dock(self, name: str) -> None:
        """Show or hide a room, or a part of one, perhaps in another workspace."""
        docks, room = self.views.docks, self.views.docks.room_of(name)
        parts = docks[room].widget_made
        if not self._is_chosen(name):
            self.open_dock(name)
        elif name == room or not (isinstance(parts, PartedRoom) and docks[room].isVisible() and parts.hide_part(name)):
            docks.toggle(room)

    def _is_chosen(self, name: str) -> bool:
        """Whether a room is open, and at the part of this name."""
        room = self.views.docks.room_of(name)
        dock = self.views.docks[room]
        parts = dock.widget_made
        return dock.open and (name == room or (isinstance(parts, PartedRoom) and parts.part_shown(name)))

    def bring_in_sight(self, name: str) -> None:
        """Open a dock, perhaps at a part of it, unless it is in sight."""
        if not self._is_chosen(name) or not self.views.docks[self.views.docks.room_of(name)].isVisible():
            self.open_dock(name)

    def open_dock(self, name: str) -> Any:
        """Open a room, perhaps at a part of it, in front where it can be shown, and return its widget or the part's."""
        docks, room = self.views.docks, self.views.docks.room_of(name)
        self.workspaces.make_way(room)
        part = None
        if room != name:
            parts = docks[room].fill()
            assert isinstance(parts, PartedRoom)
            part = parts.show_part(name)
        docks.show_dock(room)
        self.mark_dock(room, True)
        return part or docks[room].fill()

    def show_board_beside(self, room: str) -> None:
        """Where rooms cover the board, bring it in sight with a room of these beside it."""
        if not self.views.docks.has_board:
            self.workspaces.show_board()
            self.open_dock(room)

    def mark_dock(self, name: str, shown: bool) -> None:
        """Check or uncheck a dock's action and button."""
        if shown:
            self.appearance.dress(self.views.docks[name])
        self.context.actions[name].setChecked(shown)
        if name == "settings":
            self.views.toolbar.settings.setChecked(shown)

    # moves

    def step(self, plies: int) -> None:
        """Move through the record; steps of a held key are summed and applied once per frame."""
        self._steps += plies
        if not self._stepping.isActive():
            self._apply_steps()

    def _apply_steps(self) -> None:
        steps, self._steps = self._steps, 0
        if steps:
            self._stepping.start()
            self.context.state.go(self.context.state.cursor + steps)

    def pass_move(self) -> None:
        """Play a pass on the board where the rules allow one; else say that they do not."""
        from core.games.spec import PASS

        shown = self.context.state.shown
        names = shown.preview.game.action_names if shown.preview is not None else ()
        if shown.preview is None or PASS not in names or names.index(PASS) not in shown.preview.legal_actions():
            self.context.messages.show_notice("There is no pass in this position.")
        else:
            self.context.play_line((*shown.selected, names.index(PASS)))

    def engine_move(self) -> None:
        """Play the move the search would play here."""
        action = self.context.session.move_to_play()
        if action < 0:
            self.context.messages.show_notice(
                "There is no move to play: the game is over or the search has not begun here."
            )
            return
        self.context.play_line((action,))

    def redo(self) -> None:
        """Redo the change undone last."""
        if not self.context.state.redo_settings():
            self.context.state.redo()

    def escape(self) -> None:
        """Leave a preview, else return to the present, else leave a text field, a position looked at or an overlay that
        is worked out, else stop all work."""
        if self.context.preview.end() or self.time.to_now():
            return
        state, field = self.context.state, QApplication.focusWidget()
        if state.overlay_before and isinstance(field, TEXT_FIELDS):
            self.views.room.board.setFocus()
        elif state.selected:
            state.select(())
        elif state.overlay_before:
            state.set_overlay(state.overlay_before)
        else:
            self.context.session.stop()
            self.context.messages.hide()
            self.context.events.escaped.emit()

    def start_play(self) -> None:
        """Start or pause play and show its room."""
        self.open_dock("players")
        self.games.play.toggle()

    def analyse_game(self) -> None:
        """Show the report and analyse the positions missing in it; keys go to the board, as the button may be gone."""
        self.views.room.board.setFocus()
        self.open_dock("report")
        self.games.review.analyse()


def make_commands(
    window: QMainWindow,
    context: Context,
    views: CentralView,
    workspaces: Workspaces,
    make_training: Callable[[AppState], TrainingTab],
    theme: str,
) -> Commands:
    """Make the parts of a window that its commands need, and the commands."""
    games = Games(context, views.room)
    documents = Documents(context, lambda: games.play, games.pause)
    filing = Filing(context, documents)
    connect_recent(context, filing)
    connect_runtime(context)
    connect_pictures(context, views.docks.docks.values())
    time = TimeMachine(context, views.room.board, views.tree)
    return Commands(
        window=window,
        context=context,
        views=views,
        workspaces=workspaces,
        make_training=make_training,
        appearance=Appearance(context, views.docks, theme),
        keymap=KeyMap(context.actions, window),
        log=Log(),
        table=TableLink(context, views.tree),
        time=time,
        watching=Watching(context, time),
        games=games,
        documents=documents,
        filing=filing,
        machine=Machine(context, views.status.set_machine),
    )
