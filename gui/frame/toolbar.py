"""The bar on top: game, net, run and limit at the left, overlay and switches at the right.  Knows titles, no search."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from gui.board.overlay_buttons import OverlayButtons
from gui.frame.page_switch import ANALYSIS, PageSwitch
from gui.language.language import tr
from gui.look.figures import count
from gui.look.short_button import ShortButton
from gui.look.text_size import by_font, px
from gui.look.theme import Theme, figure_font, icon

LIMITS = (100, 400, 1_000, 4_000, 10_000, 100_000, 1_000_000)


class Toolbar(QFrame):
    """Tells choices by signals; menus are filled by the window."""

    overlay_chosen = Signal(str)
    limit_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolbar")
        self._running = False
        self._run_key = ""
        self._shown: object = None  # of the run button
        self._icons = (QIcon(), QIcon())
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 7, 10, 7)
        row.setSpacing(8)
        self.game = self._menu_button("Connect Four", tr("The game"))
        self.game.narrowest = 86
        self.net = self._menu_button(tr("loading…"), tr("What values the positions"))
        self.run = QToolButton(self)
        self.run.setObjectName("run")
        self.run.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.run.setIconSize(QSize(16, 16))
        self.run.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        by_font(
            self.run, lambda: self.run.setMinimumWidth(self.run.fontMetrics().horizontalAdvance(tr("Analyse")) + px(46))
        )
        self.limit = self._menu_button("1 000", tr("Simulations each new position gets; Space goes on without bound"))
        self.limit.narrowest = 140
        self.simulations = QLabel(self)
        self.simulations.setFont(figure_font(self.font()))
        self.simulations.setObjectName("dim")
        self.simulations.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.simulations.setMinimumWidth(1)
        widest = "88 888 888 simulations"
        by_font(
            self.simulations,
            lambda: self.simulations.setMaximumWidth(self.simulations.fontMetrics().horizontalAdvance(widest)),
        )
        self.pages = PageSwitch(ANALYSIS, self)
        for widget in (
            self.pages,
            self._rule(),
            self.game,
            self.net,
            self._rule(),
            self.run,
            self.limit,
        ):
            row.addWidget(widget)
        row.addWidget(self.simulations, 1000)  # it gives way first where the window is narrow
        row.addStretch(1)
        self.overlay_buttons = OverlayButtons(self)
        self.overlay_buttons.chosen.connect(self.overlay_chosen)
        row.addWidget(self.overlay_buttons)
        row.addWidget(self._rule())
        self.settings = self._icon_button(tr("Search settings (Ctrl+,)"))
        self.settings.setCheckable(True)
        self.theme = self._icon_button(tr("Light or dark (Ctrl+T)"))
        row.addWidget(self.settings)
        row.addWidget(self.theme)
        for limit in LIMITS:
            action = QAction(tr("{limit} simulations").format(limit=count(limit)), self)
            action.triggered.connect(lambda _=False, n=limit: self.limit_chosen.emit(n))
            self.limit.menu().addAction(action)

    def _menu_button(self, text: str, tip: str) -> ShortButton:
        button = ShortButton(self)
        button.setObjectName("choice")
        button.setText(text)
        button.setToolTip(tip)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        button.setMenu(QMenu(button))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _icon_button(self, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setIconSize(QSize(18, 18))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _rule(self) -> QFrame:
        rule = QFrame(self)
        rule.setObjectName("rule")
        return rule

    def set_theme(self, theme: Theme) -> None:
        self._icons = (icon("play", theme, "on_accent"), icon("stop", theme, "on_accent"))
        self.settings.setIcon(icon("settings", theme))
        self.theme.setIcon(icon("contrast", theme))
        self.set_running(self._running)

    def set_running(self, running: bool) -> None:
        shown = (running, self._run_key, self._icons, tr("Stop"))
        if shown == self._shown:
            return
        self._running, self._shown = running, shown
        self.run.setText(tr("Stop") if running else tr("Analyse"))
        self.run.setIcon(self._icons[1 if running else 0])
        key = f" ({self._run_key})" if self._run_key else ""
        self.run.setToolTip((tr("Stop searching") if running else tr("Search on without bound")) + key)

    def set_run_key(self, key: str) -> None:
        """The key that the run button has as well; "" for none."""
        self._run_key = key
        self.set_running(self._running)

    def set_overlay(self, overlay: str) -> None:
        self.overlay_buttons.set_overlay(overlay)

    def set_limit(self, simulations: int) -> None:
        self.limit.setText(tr("to {simulations}").format(simulations=count(simulations)))

    def set_simulations(self, simulations: int | None, now: int = 0) -> None:
        """How many there are; ``now`` > 0: of so many, at an earlier moment."""
        words = tr("{simulations} of {now}") if now else tr("{simulations} simulations")
        self.simulations.setText(
            "" if simulations is None else words.format(simulations=count(simulations), now=count(now))
        )
