"""The parts of the window and the commands that use them.  ``gui.window`` creates and connects the parts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtWidgets import QMainWindow, QWidget

from core.text import text_of
from gui.language.language import mark, tr
from gui.shell.pages import Pages
from gui.widgets.board.board_paint import kind_of
from gui.widgets.dressing import Dressing
from gui.widgets.page_switch import ANALYSIS
from gui.widgets.theme import current_theme, set_current_theme, style_sheet

if TYPE_CHECKING:
    from PySide6.QtCore import QTimer
    from PySide6.QtGui import QAction

    from core.games import Position
    from gui.context import Context
    from gui.jobs.opener import Opener
    from gui.model.keymap import KeyMap
    from gui.model.session import Session
    from gui.model.state import AppState, PathOf
    from gui.rooms.compare.scope import Scope
    from gui.rooms.past.time_machine import TimeMachine
    from gui.rooms.play.play import Play
    from gui.rooms.review.game_review import GameReview
    from gui.rooms.training.tab import TrainingTab
    from gui.shell.dock_area import DockArea
    from gui.shell.filing import Filing
    from gui.shell.layout import CentralView
    from gui.shell.log_view import Log
    from gui.shell.machine import Machine
    from gui.shell.open_trees import OpenTrees
    from gui.shell.presenter import Presenter
    from gui.shell.previous_games import PreviousGames
    from gui.shell.strips import Banner
    from gui.shell.tree_files import TreeFiles
    from gui.widgets.preferences import Preferences

REPORT = "report"  # dock of the game review


class Frame(QMainWindow):
    """A window's parts, by name, and its commands."""

    context: Context
    state: AppState
    session: Session
    preferences: Preferences
    opener: Opener
    filing: Filing
    trees: TreeFiles
    open_trees: OpenTrees
    previous_games: PreviousGames
    machine: Machine
    views: CentralView
    docks: DockArea
    pages: Pages
    dressing: Dressing
    banner: Banner
    presenter: Presenter
    log: Log
    keymap: KeyMap
    time: TimeMachine
    scope: Scope
    actions_by_name: dict[str, QAction]
    escaped = Signal()  # all background work stops
    closing = Signal()  # the window closes, and nobody can cancel that any more

    _theme_choice: str
    _steps: int
    _stepping: QTimer
    _play: Play | None = None  # None until the first game is played
    _review: GameReview | None = None  # None until a game is analysed

    # pages

    @property
    def training(self) -> TrainingTab | None:
        """The Training tab; None until it is first shown."""
        return self.pages.training

    @property
    def page(self) -> str:
        """The name of the page shown."""
        return self.pages.page

    def show_page(self, name: str) -> None:
        """Show the analysis or the training page."""
        self.pages.turn_to(name)

    def leave(self) -> None:
        """Close the window on the user's command."""
        if self._may_leave():
            self.close()

    def _may_leave(self) -> bool:
        """Whether no run trains; else ask what becomes of them, and close the window then."""
        return self.training is None or not self.training.ask_before_leaving(self.close)

    def toggle_dock(self, name: str) -> None:
        """Show or hide a dock; on the training page, go to the analysis page and show it."""
        if self.page != ANALYSIS:
            self.open_dock(name)
        else:
            self.docks.toggle(name)

    def open_dock(self, name: str) -> QWidget:
        """Turn to the analysis page, open a dock in front there and return its widget."""
        self.show_page(ANALYSIS)
        self.docks.show_dock(name)
        self.mark_dock(name, True)
        return self.docks[name].fill()

    def mark_dock(self, name: str, shown: bool) -> None:
        """Check or uncheck a dock's action and button."""
        if shown:
            self.dressing.dress(self.docks[name])
        self.actions_by_name[name].setChecked(shown)
        if name == "settings":
            self.views.toolbar.settings.setChecked(shown)

    # themes

    @property
    def theme_choice(self) -> str:
        """The user's choice: "dark", "light" or "system"."""
        return self._theme_choice

    def set_theme(self, choice: str) -> None:
        """Apply a theme: "dark", "light" or the "system"'s."""
        self._theme_choice = choice
        set_current_theme(self.preferences.theme(choice))
        self.setUpdatesEnabled(False)  # so that all is painted at once
        try:
            self.dressing.set_sheet(style_sheet(current_theme()))
            self.docks.dress_separators()
        finally:
            self.setUpdatesEnabled(True)
            # A plot may have used up the request pending by then (gui/widgets/plot.py); Qt would send no other.
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.UpdateRequest), Qt.EventPriority.LowEventPriority.value)
        for name in ("system", "dark", "light"):
            self.actions_by_name[f"theme_{name}"].setChecked(name == choice)

    def toggle_theme(self) -> None:
        """Switch between dark and light."""
        self.set_theme("light" if current_theme().dark else "dark")

    # moves

    def pass_move(self) -> None:
        """Play a pass on the board where the rules allow one; else say that they do not."""
        from core.games.spec import PASS

        position = self.presenter.shown
        names = position.game.action_names if position is not None else ()
        if position is None or PASS not in names or names.index(PASS) not in position.legal_actions():
            self.banner.show_notice(mark("There is no pass in this position."))
        else:
            self.play_line((*self.state.selected, names.index(PASS)))

    def resign(self) -> None:
        """Record that the side to move, or while an engine thinks the person, gives up; a game is paused."""
        position = self.state.position
        if position is None or position.is_over:
            self.banner.show_notice(mark("The game is over."))
            return
        loser = position.to_move if self._play is None else self._play.resigning
        self.pause_play()
        self.state.write_info({"result": ("W+R", "B+R")[loser]})
        kind = kind_of(position.game.name)
        self.banner.show_notice(lambda: tr("{player} resigns.").format(player=kind.players[loser]))

    def play_line(self, path: PathOf, of: Position | None = None) -> None:
        """Play moves below the position ``of``; nothing is played if another position is shown by now."""
        try:
            if of in (None, self.state.position):
                self.state.play_line(path)
        except ValueError as error:
            self.banner.show_error(text_of(error))

    def engine_move(self) -> None:
        """Play the move the search would play here."""
        action = self.session.move_to_play()
        if action < 0:
            self.banner.show_notice(
                mark("There is no move to play: the game is over or the search has not begun here.")
            )
            return
        self.play_line((action,))

    def step(self, plies: int) -> None:
        """Move through the record; steps of a held key are summed and applied once per frame."""
        self._steps += plies
        if not self._stepping.isActive():
            self._apply_steps()

    def _apply_steps(self) -> None:
        steps, self._steps = self._steps, 0
        if steps:
            self._stepping.start()
            self.state.go(self.state.cursor + steps)

    def escape(self) -> None:
        """Leave the preview, else return to the present, else stop all work."""
        if self.state.selected and not self.time.looking_back:
            self.state.select(())
        elif not self.time.to_now():
            self.session.stop()
            self.banner.hide()
            self.escaped.emit()

    # play

    @property
    def play(self) -> Play:
        """The game against the engine, created when first needed."""
        if self._play is None:
            from gui.rooms.play.play import Play

            play = self._play = Play(self.context)
            play.notified.connect(self.banner.show_notice)
            play.ended.connect(self._offer_analysis)
            for sentence in play.recall():
                play.notified.emit(sentence)
        return self._play

    def _offer_analysis(self, position: Position) -> None:
        """Show how a game ended, with a button to analyse it."""
        from gui.rooms.play.play_words import result_words

        analyse = self.actions_by_name["analyse_game"].trigger
        self.banner.show_offer(partial(result_words, position), mark("Analyse this game"), analyse)

    def pause_play(self) -> None:
        """Pause a game being played."""
        if self._play is not None:
            self._play.pause()

    def start_play(self) -> None:
        """Start or pause play and show its room."""
        self.docks.show_dock("play")
        self.play.toggle()

    def undo(self) -> None:
        """Undo the last change of settings or record; in a game against the engine, back to the person's turn."""
        if not self.state.undo_settings():
            (self.state if self._play is None else self._play).undo()

    def redo(self) -> None:
        """Redo the change undone last."""
        if not self.state.redo_settings():
            self.state.redo()

    def take_back(self) -> None:
        """Take back one move; in a game against the engine, with its reply."""
        (self.state if self._play is None else self._play).take_back()

    # review

    @property
    def review(self) -> GameReview:
        """The review of the game, created when first needed."""
        if self._review is None:
            from gui.rooms.review.game_review import GameReview

            self._review = GameReview(self.context)
            self._review.signs_changed.connect(self.views.record.set_marks)
        return self._review

    def analyse_game(self) -> None:
        """Show the report and analyse the positions missing in it."""
        self.docks.show_dock(REPORT)
        self.review.analyse()
