"""A row of small boards, one for each block of a net: its policy as heat, its value as a bar, its figures below."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from gui.language.core_words import core_text
from gui.language.language import begun, tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.small_board import SmallBoard
from gui.widgets.figures import percent, plain, signed
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column
from gui.widgets.text_size import px
from gui.widgets.theme import current_theme, figure_font, on_theme, ramp
from gui.widgets.tips import set_tip

if TYPE_CHECKING:
    from core.games import Position
    from models.inside.views import Views

NARROWEST, WIDEST = 116, 210  # px of a board where the strip scrolls
LARGEST: Final = 380  # px of a board where all are in sight
APART: Final = 10  # px between boards
BAR: Final = 8  # px, height of a value's bar
MARGIN, SPACING = 4, 3  # px round a frame and between its parts
EDGES: Final = (10, 2, 10, 6)  # px round the strip


class BlockFrame(NamedTuple):
    """What one block wants of a position; values for the side to move."""

    name: str  # a Text
    shares: dict[int, float]  # of each legal move
    first: int  # the move with the largest share
    value: float
    divergence: float  # from the net's own answer, in nats
    agrees: bool  # whether its first move is the net's


def frames_of(position: Position, names: Sequence[str], views: Views) -> tuple[BlockFrame, ...]:
    """The frames of the first position of ``views``."""
    legal = position.legal_actions()
    return tuple(
        BlockFrame(
            name,
            {action: float(views.policies[k, 0, action]) for action in legal},
            int(views.firsts[k, 0]),
            float(views.values[k, 0]),
            float(views.divergences[k, 0]),
            bool(views.agreements[k, 0]),
        )
        for k, name in enumerate(names)
    )


class ValueLine(QWidget):
    """A value in [-1, 1] as a bar from the middle."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.value = 0.0
        self.setFixedHeight(BAR)
        on_theme(self, self.update)

    def show_value(self, value: float) -> None:
        self.value = value
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, middle = current_theme(), self.width() / 2
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("raised"))
        end = middle * (1 + max(-1.0, min(1.0, self.value)))
        left, right = min(middle, end), max(middle, end)
        painter.fillRect(QRectF(left, 0, right - left, self.height()), ramp(theme.value_ramp, (self.value + 1) / 2))
        painter.fillRect(QRectF(middle - 0.5, 0, 1, self.height()), theme.color("dim"))


class FrameView(QWidget):
    """One frame of the strip."""

    clicked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.title = QLabel(self)
        self.title.setFont(figure_font(self.font(), bold=True))
        self.board = SmallBoard(self)
        self.bar = ValueLine(self)
        self.wants = QLabel(self)
        self.figures = make_label(self, "dim")
        for label in (self.title, self.wants, self.figures):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.board.clicked.connect(self.clicked)
        self._column = (self.title, self.board, self.bar, self.wants, self.figures)
        lay_column(*self._column, of=self, margins=MARGIN, spacing=SPACING)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.chosen = False

    @property
    def around(self) -> int:
        """The height in px of what stands above and below the board."""
        texts = (self.title, self.wants, self.figures)
        high = BAR + sum(label.sizeHint().height() for label in texts)
        return high + 2 * MARGIN + (len(self._column) - 1) * SPACING

    def show_frame(self, position: Position, frame: BlockFrame, chosen: bool, tip: str) -> None:
        """Show a block's policy and value; ``chosen``: the board of the window shows the same."""
        name = position.game.action_name(frame.first)
        self.title.setText(begun(core_text(frame.name)))
        self.board.show_position(position, frame.shares, "prior_ramp")
        self.bar.show_value(frame.value)
        words = tr("{move} {share}, as the net") if frame.agrees else tr("{move} {share}")
        self.wants.setText(words.format(move=name, share=percent(frame.shares[frame.first], 0)))
        self.figures.setText(f"V {signed(frame.value, 2)} · KL {plain(frame.divergence, 2)}")
        set_tip(self, tip)
        if chosen != self.chosen:
            self.chosen = chosen
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.chosen:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(current_theme().color("accent"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)


class FilmStrip(QWidget):
    """The frames beside each other, in lines that make their boards largest.  ``chosen``: the place of the one clicked.

    It lies in a view that scrolls, and fills it.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.views: list[FrameView] = []
        self._position: Position | None = None
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(*EDGES)
        self._grid.setSpacing(APART)
        self._grid.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)

    def show_frames(self, position: Position, frames: Sequence[BlockFrame], chosen: int, tips: Sequence[str]) -> None:
        """Show the frames of a position; ``chosen``: the place of the marked one, -1 for none."""
        before, self._position = self._position, position
        while len(self.views) < len(frames):
            view = FrameView(self)
            view.clicked.connect(partial(self.chosen.emit, len(self.views)))
            self.views.append(view)
        changed = sum(view.isVisibleTo(self) for view in self.views) != len(frames)
        for place, view in enumerate(self.views):
            view.setVisible(place < len(frames))
            if place < len(frames):
                view.show_frame(position, frames[place], place == chosen, tips[place])
        if changed or before is None or before.game != position.game:
            self._arrange()

    def describe(self, frames: Sequence[BlockFrame], position: Position) -> None:
        """Say for screen readers what is drawn."""
        mover = kind_of(position.game.name).players[position.to_move]
        words = [
            f"{core_text(frame.name)}: {position.game.action_name(frame.first)} "
            f"{percent(frame.shares[frame.first])}, V {signed(frame.value, 2)}"
            for frame in frames
        ]
        self.setAccessibleDescription(f"{mover}: {'; '.join(words)}")

    def fill(self, view: QWidget) -> None:
        """Follow the size of the view in which the strip lies; called once."""
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._arrange()
        return super().eventFilter(watched, event)

    def _arrange(self) -> None:
        """Put the frames into lines, with their boards as large as the view allows."""
        shown, area = [view for view in self.views if not view.isHidden()], self.parentWidget()
        if self._position is None or not shown or area is None:
            return
        rows, columns = self._position.game.shape
        flat = min(1.0, rows / columns)  # height of a board by its width
        across, side = best_lines(
            len(shown),
            area.width() - EDGES[0] - EDGES[2],
            area.height() - EDGES[1] - EDGES[3],
            2 * MARGIN,
            shown[0].around,
            flat,
        )
        high = max(px(60), round(side * flat))
        for place, view in enumerate(shown):
            view.board.setFixedSize(side, high)
            view.setFixedWidth(side + 2 * MARGIN)
            self._grid.addWidget(view, place // across, place % across)

    def minimumSizeHint(self) -> QSize:
        return QSize(px(NARROWEST) + 20, super().minimumSizeHint().height())


def best_lines(count: int, width: int, height: int, beside: int, around: int, flat: float) -> tuple[int, int]:
    """How many of ``count`` boards stand in a line so that all are in sight and as large as possible, and their width.

    Where that makes them too small, as many as fit stand in a line, and the lines scroll.  All in px: ``width`` and
    ``height`` of the view, what a frame has ``beside`` and ``around`` (above and below) its board; ``flat``: the height
    of a board by its width."""
    best = (0, 0)
    for across in range(1, count + 1):
        lines = -(-count // across)
        wide = (width + APART) // across - APART - beside
        high = (height + APART) // lines - APART - around
        side = min(px(LARGEST), wide, int(high / flat))
        if side > best[1]:
            best = across, side
    if best[1] >= px(NARROWEST):
        return best
    most = max(1, (width + APART) // (px(NARROWEST) + beside + APART))
    lines = -(-count // most)
    across = -(-count // lines)
    return across, max(px(60), min(px(WIDEST), (width + APART) // across - APART - beside))
