"""The toolbar: game, net, run and limit on the left, overlay and switches on the right.

In a narrow window the number of simulations is hidden first, then the overlays become one menu, then the run button
shows only its icon, then the switch between the workspaces becomes one menu, then the theme button is hidden.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QToolButton, QWidget

from gui.language.core_words import game_title
from gui.language.language import tr
from gui.model.keymap import key_of, with_key
from gui.model.sources import NETS, source_title
from gui.shell.workspace_switch import WorkspaceSwitch
from gui.widgets.board.overlay_choice import OverlayChoice
from gui.widgets.dialogs import ask_number
from gui.widgets.figures import count, simulations_words
from gui.widgets.labels import FigureLabel, MenuButton, icon_button, make_frame
from gui.widgets.layouts import lay_row
from gui.widgets.text_size import by_font, px, scale
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font, set_icon
from gui.widgets.tips import set_tip

if TYPE_CHECKING:
    from gui.context import Context
    from gui.rooms.timeline.time_machine import TimeMachine

WHOLE, UNCOUNTED, FOLDED, SHORT_RUN, ONE_SWITCH, NO_THEME = range(6)
MOST_NAMED, LEAST_NAMED = 150, 80  # px kept for the names of game and limit, at most and in the narrowest bar
LEAST_NET = 76  # px kept for the name of the net
SHORTEST_RUN = 42  # px of the run button with only its icon
MOST_SIMULATIONS = 1_000_000_000
LIMITS = (100, 400, 1_000, 4_000, 10_000, 100_000, 1_000_000)


class SimulationsLabel(FigureLabel):
    """A number with a word, the number alone, or nothing, as space allows; never part of the number."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._number = ""
        self.setMinimumWidth(1)

    def show_text(self, words: str, number: str) -> None:
        self._number = number
        self.setText(words)

    def minimumSizeHint(self) -> QSize:
        return QSize(1, super().minimumSizeHint().height())

    def shown_text(self, width: int) -> str:
        width_of = self.fontMetrics().horizontalAdvance
        return next((text for text in (self.text(), self._number) if width_of(text) <= width), "")


class Toolbar(QFrame):
    """The toolbar; ``overlays`` is the board's choice of an overlay, which has its place here."""

    limit_chosen = Signal(int)
    no_limit_chosen = Signal()

    def __init__(self, overlays: OverlayChoice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolbar")
        self._running = self._at_limit = False
        self._has_board = True
        self._run_key = ""
        self._shown: object = None  # what the run button shows
        self._compactness = WHOLE
        self._dressed_anew = False  # its font, style or language has changed since it made room
        self._row = row = lay_row(of=self, margins=(8, 7, 8, 7), spacing=6)
        self.game = set_texts(MenuButton(self, "The game"), text="Connect Four")
        self.game.narrowest = MOST_NAMED
        self.net = set_texts(MenuButton(self, "What evaluates the positions"), text="loading…")
        self.net.spare_endings(NETS)
        self.run = QToolButton(self)
        self.run.setObjectName("run")
        self.run.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.run.setIconSize(QSize(16, 16))
        self.run.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._run_width = 0  # px of the run button with the longest of its texts
        by_font(self.run, self._give_run_room)
        self.limit = MenuButton(self, "Simulations for each new position; then Space continues without limit.")
        self.limit.setText("1 000")
        self.limit.narrowest = MOST_NAMED
        self.simulations = SimulationsLabel(self)
        self.simulations.setFont(figure_font(self.font()))
        self.simulations.setObjectName("dim")
        self.simulations.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        widest = "88 888 888 simulations"
        by_font(
            self.simulations,
            lambda: self.simulations.setMaximumWidth(self.simulations.fontMetrics().horizontalAdvance(widest)),
        )
        self.workspaces = WorkspaceSwitch(self)
        self.workspaces.resized.connect(self._make_room)
        self._rules = [make_frame(self, "rule") for _ in range(3)]
        for widget in (self.workspaces, self._rules[0], self.game, self.net, self._rules[1], self.run, self.limit):
            row.addWidget(widget)
        row.addWidget(self.simulations, 1000)  # it shrinks first in a narrow window
        row.addStretch(1)
        self.overlays = overlays
        self.overlays.width_changed.connect(self._make_room)
        row.addWidget(self.overlays)
        row.addWidget(self._rules[2])
        self.settings = icon_button(self, "settings", "Search settings (Ctrl+,)")
        self.settings.setCheckable(True)
        self.theme = icon_button(self, "contrast", "Light or dark (Ctrl+T)")
        row.addWidget(self.settings)
        row.addWidget(self.theme)
        self._limit = 0
        self._unlimited = False
        self.limit.menu().aboutToShow.connect(self._fill_limit_menu)

    def _fill_limit_menu(self) -> None:
        """Fill the menu with the usual limits, the current one ticked, and the entry for any other."""
        menu = self.limit.menu()
        menu.clear()
        for limit in sorted({*LIMITS, self._limit} - {0}):
            action = menu.addAction(simulations_words(limit))
            action.setCheckable(True)
            action.setChecked(limit == self._limit and not self._unlimited)
            action.triggered.connect(lambda _=False, n=limit: self.limit_chosen.emit(n))
        endless = menu.addAction(tr("No limit"), self.no_limit_chosen.emit)
        endless.setCheckable(True)
        endless.setChecked(self._unlimited)
        menu.addSeparator()
        menu.addAction(tr("Another number…"), self.ask_limit)

    def ask_limit(self) -> None:
        """Show the dialog for another limit."""
        words, now = tr("Simulations for each new position"), self._limit or LIMITS[0]
        ask_number(self, tr("Limit"), words, 1, MOST_SIMULATIONS, now, self.limit_chosen.emit)

    # narrow windows

    def _give_run_room(self) -> None:
        """Make the button as wide as with the longest of its texts, so that nothing moves when the search starts."""
        if self._compactness >= SHORT_RUN:
            self.run.setFixedWidth(px(SHORTEST_RUN))
            return
        shown, widths = self.run.text(), []
        for text in (tr("Analyse"), tr("Continue"), tr("Stop"), shown):
            self.run.setText(text)
            widths.append(self.run.sizeHint().width())
        self._run_width = max(widths)
        self.run.setFixedWidth(self._run_width)

    def _width_at(self, compactness: int) -> int:
        """Return the minimum width at a level of ``compactness``."""
        margins, gap = self._row.contentsMargins(), self._row.spacing()
        counted = self._counted(compactness)
        fixed = (self.settings, *self._rules)
        widths = [max(widget.minimumSizeHint().width(), widget.minimumWidth()) for widget in fixed]
        widths.append(min(self.net.sizeHint().width(), px(LEAST_NET)))
        for name in (self.game, self.limit):
            widths.append(min(name.sizeHint().width(), px(MOST_NAMED if compactness < ONE_SWITCH else LEAST_NAMED)))
        widths += [
            counted,
            self._run_width if compactness < SHORT_RUN else px(SHORTEST_RUN),
            self.overlays.least_width(compactness >= FOLDED),
            self.workspaces.least_width(compactness >= ONE_SWITCH),
        ]
        if compactness < NO_THEME:
            widths.append(self.theme.sizeHint().width())
        return margins.left() + margins.right() + sum(widths) + gap * (len(widths) - 1)

    def _counted(self, compactness: int) -> int:
        """Return the least width of the number of simulations."""
        return 1 if compactness >= UNCOUNTED else self.simulations.fontMetrics().horizontalAdvance("888 888")

    def minimumSizeHint(self) -> QSize:
        return QSize(self._width_at(NO_THEME), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        kinds = QEvent.Type.FontChange, QEvent.Type.StyleChange, QEvent.Type.LanguageChange
        if event.type() in kinds and hasattr(self, "theme") and not self._dressed_anew:
            self._dressed_anew = True  # one change of look brings several of these events
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.LayoutRequest))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # something in it has another text
            if self._dressed_anew:
                self._dressed_anew = False
                self._give_run_room()
            self._make_room()
        return super().event(event)

    def _make_room(self) -> None:
        """Choose the lowest level of ``compactness`` that fits."""
        levels = (WHOLE, UNCOUNTED, FOLDED, SHORT_RUN, ONE_SWITCH)
        compactness = next((n for n in levels if self._width_at(n) <= self.width()), NO_THEME)
        self.simulations.setMinimumWidth(self._counted(compactness))
        spare = max(0, self.width() - self._width_at(max(ONE_SWITCH, compactness)))  # before the net's name gets more
        for button in (self.game, self.limit):
            letters = (
                MOST_NAMED if compactness < ONE_SWITCH else min(MOST_NAMED, LEAST_NAMED + int(spare / 2 / scale()))
            )
            if letters != button.narrowest:
                button.narrowest = letters
                button.updateGeometry()
        self._name_net(compactness)
        if compactness != self._compactness:
            self._compactness = compactness
            self.overlays.fold(compactness >= FOLDED)
            style = Qt.ToolButtonStyle
            self.run.setToolButtonStyle(
                style.ToolButtonIconOnly if compactness >= SHORT_RUN else style.ToolButtonTextBesideIcon
            )
            self._give_run_room()
            self.theme.setVisible(compactness < NO_THEME)
            self.workspaces.fold(compactness >= ONE_SWITCH)

    def _name_net(self, compactness: int) -> None:
        """Give the net's name the room that is left before the overlays get more than their present names need."""
        spare = self.width() - self._width_at(compactness) + self.overlays.spare_width(compactness >= FOLDED)
        letters = LEAST_NET + int(max(0, spare) / scale())
        if letters != self.net.narrowest:
            self.net.narrowest = letters
            self.net.updateGeometry()

    def set_running(self, running: bool, at_limit: bool) -> None:
        """Show what the run button does; ``at_limit``: it searches on beyond the limit."""
        shown = (running, at_limit, self._unlimited, self._run_key, tr("Stop"))
        if shown == self._shown:
            return
        self._running, self._at_limit, self._shown = running, at_limit, shown
        self.run.setText(tr("Stop") if running else tr("Continue") if at_limit else tr("Analyse"))
        set_icon(self.run, "stop" if running else "play", "on_accent")
        key = f" ({self._run_key})" if self._run_key else ""
        tip = tr("Continue without limit") if at_limit or self._unlimited else tr("Search to the limit")
        set_tip(self.run, (tr("Stop searching") if running else tip) + key)
        self._show_search()

    def set_board_shown(self, shown: bool) -> None:
        """Show what belongs to the board; of a search that goes on while rooms cover it, the button that stops it."""
        self._has_board = shown
        self.overlays.setVisible(shown)
        self.limit.setVisible(shown)
        self._show_search()

    def _show_search(self) -> None:
        for widget in (self._rules[1], self.run, self.simulations):
            widget.setVisible(self._has_board or self._running)

    def set_run_key(self, key: str) -> None:
        """Set the key shown for the run button; "" for none."""
        self._run_key = key
        self.set_running(self._running, self._at_limit)

    def set_limit(self, simulations: int) -> None:
        self._limit = simulations
        self._show_limit()

    def set_unlimited(self, unlimited: bool) -> None:
        """Show whether the search goes on without limit."""
        if unlimited != self._unlimited:
            self._unlimited = unlimited
            self._show_limit()
            self.set_running(self._running, self._at_limit)

    def _show_limit(self) -> None:
        words = tr("no limit") if self._unlimited else tr("to {simulations}").format(simulations=count(self._limit))
        self.limit.setText(words)

    def set_simulations(self, simulations: int | None, now: int = 0) -> None:
        """Show the number of simulations; ``now`` > 0: out of so many, at an earlier moment."""
        if simulations is None:
            self.simulations.show_text("", "")
        elif now:
            self.simulations.show_text(
                tr("{simulations} of {now}").format(simulations=count(simulations), now=count(now)), count(simulations)
            )
        else:
            self.simulations.show_text(simulations_words(simulations), count(simulations))


def connect_toolbar(context: Context, bar: Toolbar, time: TimeMachine) -> None:
    """Show what is searched and how far, and do what is chosen there."""
    state, session, opener, actions = context.state, context.session, context.opener, context.actions

    def show_choices() -> None:
        if state.game is not None:
            bar.game.setText(game_title(state.game))
        trace = state.document.trace
        bar.net.setText(source_title(state.source) if trace is None else trace.file)
        bar.set_limit(state.limit)

    def show_run() -> None:
        bar.set_running(session.searching, session.at_limit)
        bar.set_unlimited(session.limit.unlimited)

    def show_simulations() -> None:
        snapshot = session.snapshot
        bar.set_simulations(snapshot.simulations if snapshot is not None else None, time.now if time.words else 0)

    def show_keys() -> None:
        key = key_of(actions["choose_game"]) or tr("no key")
        set_tip(bar.game, tr("The game ({key} for another size)").format(key=key))
        set_tip(bar.net, with_key(actions["open_net"], tr("What evaluates the positions")))
        for button, name, words in (
            (bar.settings, "settings", tr("Search settings")),
            (bar.theme, "theme", tr("Light or dark")),
        ):
            set_tip(button, with_key(actions[name], words))
            button.setAccessibleName(button.toolTip())
        bar.set_run_key(key_of(actions["toggle"]))

    def renew() -> None:
        show_choices()
        show_run()
        show_simulations()
        show_keys()

    state.position_changed.connect(show_choices)
    state.search_changed.connect(show_choices)
    session.state_changed.connect(show_run)
    session.snapshot_for_text.connect(lambda _: show_run())
    time.count_changed.connect(show_simulations)
    for name in ("choose_game", "open_net", "settings", "theme", "toggle"):
        actions[name].changed.connect(show_keys)
    on_language(bar, renew)
    bar.limit_chosen.connect(session.limit.choose)
    bar.no_limit_chosen.connect(session.continue_search)
    bar.run.clicked.connect(session.toggle)
    bar.settings.clicked.connect(actions["settings"].trigger)
    bar.theme.clicked.connect(actions["theme"].trigger)
    bar.game.menu().aboutToShow.connect(lambda: opener.fill_game_menu(bar.game.menu(), actions["choose_game"]))
    bar.net.menu().aboutToShow.connect(
        lambda: opener.fill_net_menu(bar.net.menu(), actions["open_net"], context.preferences.recent)
    )
    renew()
