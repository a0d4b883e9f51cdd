"""The tour: five short cards that point at parts of the workspaces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from core.text import Text, Words
from gui.language.language import tr
from gui.widgets.labels import main_button, make_frame
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.text_size import fit, px
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme

if TYPE_CHECKING:
    from gui.shell.commands import Commands

WIDTH: Final = 372  # px of a card
GAP: Final = 14  # px between a card and its target
_FORWARD: Final = (Qt.Key.Key_Right, Qt.Key.Key_PageDown)
_BACK: Final = (Qt.Key.Key_Left, Qt.Key.Key_PageUp)


@dataclass(frozen=True)
class Card:
    """One card, shown in a workspace; a ``dock`` is open meanwhile, and what it points at without a ``target``."""

    workspace: str
    title: Words
    text: Words
    dock: str = ""
    target: Callable[[Commands], QWidget] | None = None


CARDS: Final = (
    Card(
        "search",
        "Search: what the search thinks",
        "The search tries out moves and replies, a thousand times by itself. On the board each move is coloured by its "
        "visits, how often it was tried; the ring is the best move. Here are the figures of every move, and the whole "
        "tree; the timeline below goes back to any simulation. Space searches on or stops.",
        "tree",
    ),
    Card(
        "search",
        "Watch a single playout",
        "This button plays one playout on the board: its moves appear, N and Q count up on the nodes it visits, and "
        "each choice is written as a sum. Stop it, go step by step, or change its speed at any time.",
        target=lambda commands: commands.views.room.navigation["play_on_board"],
    ),
    Card(
        "play",
        "Play: a game against an engine",
        "Choose here who plays, how strong the engine is, its net and a clock; then Start, and click on the board. The "
        "record of the game, and a report that marks its mistakes, are the tabs beside.",
        "opponents",
    ),
    Card(
        "compare",
        "Compare: what if",
        "A second search of the same position, with another setting, another net or more simulations, stands beside "
        "the first: its moves, its tree, its icicle. Other engines give a second opinion in the tab beside.",
        "what_if",
    ),
    Card(
        "nets",
        "Nets: train one of your own",
        "A run plays against itself, learns and measures, also while you do something else; any net that it made opens "
        "in the search. Blind spots finds positions that a net judges wrongly. Help has the guide (F1), every key, and "
        "this tour.",
        "training",
    ),
)


class Tour(QWidget):
    """A dimmed overlay over the window with a hole at the card's target."""

    def __init__(self, commands: Commands) -> None:
        super().__init__(commands.views)
        commands.appearance.dress(self)  # before its texts are measured
        self._commands = commands
        self._before = commands.workspaces.shown.name
        self._opened = ""  # the dock opened for the current card
        self._watched: QWidget | None = None
        self.step = 0
        self.card = make_frame(self, "hover_card")
        self.title, self.text, self.count = QLabel(self.card), QLabel(self.card), QLabel(self.card)
        self.title.setObjectName("title")
        self.title.setWordWrap(True)
        self.text.setWordWrap(True)
        self.count.setObjectName("dim")
        self.skip = set_texts(QPushButton(self.card), text="Skip")
        self.back = set_texts(QPushButton(self.card), text="Back")
        self.next = main_button("Next", self.card)
        self.lessons = set_texts(QPushButton(self.card), text="New to tree search? Lessons…")
        set_texts(self.lessons, toolTip="Short lessons in this window (Ctrl+Shift+L)")
        self.lessons.installEventFilter(self)
        self.lessons.clicked.connect(self._show_lessons)
        self.skip.clicked.connect(self.end)
        self.back.clicked.connect(lambda: self.turn_to(self.step - 1))
        self.next.clicked.connect(lambda: self.turn_to(self.step + 1))
        buttons = lay_row(self.count, 1, spacing=8)
        for button in (self.skip, self.back, self.next):
            buttons.addWidget(button)
            button.installEventFilter(self)
        column = lay_column(self.title, self.text, self.lessons, of=self.card, margins=(18, 14, 18, 14), spacing=9)
        column.addSpacing(4)
        column.addLayout(buttons)
        fit(self)
        set_texts(self, accessibleName="Tour")
        commands.views.installEventFilter(self)
        self.turn_to(0)
        self.show()
        self.raise_()

    @property
    def target(self) -> QWidget:
        """The widget the card points at."""
        card = CARDS[self.step]
        return card.target(self._commands) if card.target else self._commands.views.docks[card.dock]

    def turn_to(self, step: int) -> None:
        """Show a card; after the last one the tour ends."""
        if step >= len(CARDS):
            self.end()
            return
        self.step = max(0, step)
        card = CARDS[self.step]
        self._close_dock()
        self._commands.workspaces.turn_to(card.workspace)
        docks = self._commands.views.docks
        if card.dock:
            if card.dock not in docks.shown:
                self._opened = card.dock
            docks.show_dock(card.dock)
        self._watch(self.target)
        self.raise_()
        set_texts(self.title, text=card.title)
        set_texts(self.text, text=card.text)
        set_texts(self.count, text=Text("{step} of {cards}", step=self.step + 1, cards=len(CARDS)))
        self.back.setEnabled(self.step > 0)
        self.lessons.setVisible(self.step in (0, len(CARDS) - 1))
        set_texts(self.next, text="Next" if self.step + 1 < len(CARDS) else "Done")
        set_texts(self, accessibleDescription=lambda: f"{tr(card.title)}. {tr(card.text)}")
        self.next.setFocus()
        self._place()

    def end(self, *_: object) -> None:
        """End the tour and restore the window."""
        self._close_dock()
        self._commands.workspaces.turn_to(self._before)
        self._watch(None)
        self._commands.views.removeEventFilter(self)
        self.hide()
        self.deleteLater()
        self._commands.views.room.board.setFocus()

    def _show_lessons(self) -> None:
        from gui.shell.lessons import lessons_of

        self.end()
        lessons_of(self._commands).show()

    def _close_dock(self) -> None:
        if self._opened:
            opened, self._opened = self._opened, ""
            self._commands.views.docks.hide_dock(opened)

    def _watch(self, target: QWidget | None) -> None:
        if self._watched is not None:
            self._watched.removeEventFilter(self)
        self._watched = target
        if target is not None:
            target.installEventFilter(self)

    # geometry

    @property
    def hole(self) -> QRect:
        """The visible part of the target."""
        corner = self.mapFromGlobal(self.target.mapToGlobal(QPoint(0, 0)))
        return QRect(corner, self.target.size()).adjusted(-3, -3, 3, 3) & self.rect()

    def _place(self) -> None:
        self.setGeometry(self._commands.views.rect())
        width = min(px(WIDTH), self.width() - 2 * GAP)
        self.card.setFixedWidth(width)
        self.card.adjustSize()
        height = max(self.card.heightForWidth(width), self.card.sizeHint().height())
        self.card.setFixedHeight(height)
        hole, room = self.hole, self.rect().adjusted(GAP, GAP, -GAP, -GAP)
        sides = {
            "right": (room.right() - hole.right() - width, QPoint(hole.right() + GAP, hole.center().y() - height // 2)),
            "left": (
                hole.left() - room.left() - width,
                QPoint(hole.left() - GAP - width, hole.center().y() - height // 2),
            ),
            "below": (
                room.bottom() - hole.bottom() - height,
                QPoint(hole.center().x() - width // 2, hole.bottom() + GAP),
            ),
            "above": (
                hole.top() - room.top() - height,
                QPoint(hole.center().x() - width // 2, hole.top() - GAP - height),
            ),
        }
        spare, corner = max(sides.values(), key=lambda side: side[0])
        if spare < GAP:  # no room beside it: place the card at its lower end
            corner = QPoint(hole.center().x() - width // 2, hole.bottom() - height - GAP)
        x = max(room.left(), min(corner.x(), room.right() - width))
        y = max(room.top(), min(corner.y(), room.bottom() - height))
        self.card.move(x, y)
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and not isinstance(watched, QPushButton):
            self._place()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in (*_FORWARD, *_BACK):
            self.keyPressEvent(event)  # otherwise a button would move the focus
            return True
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil, hole = QPainterPath(), QRectF(self.hole)
        veil.addRect(QRectF(self.rect()))
        veil.addRoundedRect(hole, 9, 9)
        painter.fillPath(veil, theme.color("window", 0.62))
        painter.setPen(QPen(theme.color("accent"), 2))
        painter.drawRoundedRect(hole.adjusted(1, 1, -1, -1), 9, 9)

    # keys

    def event(self, event: QEvent) -> bool:
        """Receive all keys while it is shown, including those of shortcuts."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        elif event.key() in _FORWARD:
            self.turn_to(self.step + 1)
        elif event.key() in _BACK:
            self.turn_to(self.step - 1)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            button = self.focusWidget()
            (button if isinstance(button, QPushButton) else self.next).click()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Cycle the focus through the card's buttons."""
        every = (self.next, self.skip, self.back, self.lessons)
        buttons = [button for button in every if button.isEnabled() and not button.isHidden()]
        at = next((i for i, button in enumerate(buttons) if button.hasFocus()), -1)
        buttons[(at + (1 if forward else -1)) % len(buttons)].setFocus(Qt.FocusReason.TabFocusReason)
        return True


def start_tour(commands: Commands) -> Tour:
    """Show the tour from its first card."""
    shown = commands.window.findChild(Tour)
    if isinstance(shown, Tour) and not shown.isHidden():
        shown.turn_to(0)
        return shown
    commands.context.preferences.tour_seen = True
    return Tour(commands)


def welcome(commands: Commands) -> None:
    """Show the tour to a user who has not seen it."""
    if not commands.context.preferences.tour_seen:
        start_tour(commands)
