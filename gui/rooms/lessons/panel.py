"""The panel of lessons: the list of them, or one step with its text, picture, question and buttons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from core.text import Text
from gui.language.language import tr
from gui.rooms.lessons.picture import Picture
from gui.rooms.lessons.question_view import QuestionView
from gui.widgets.figures import count
from gui.widgets.keys import ENTER, keeps_key
from gui.widgets.labels import ShortLabel, icon_button, main_button, make_frame, make_label, rename
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.room import scroll_down
from gui.widgets.text_size import by_font, px
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme

Index = QModelIndex | QPersistentModelIndex
WRAP: Final = int(Qt.TextFlag.TextWordWrap)
OPENS: Final = (*ENTER, Qt.Key.Key_Space)


@dataclass(frozen=True)
class ListRow:
    """A lesson in the list."""

    title: str
    about: str
    minutes: int
    reached: int  # steps behind the learner
    steps: int

    @property
    def state(self) -> str:
        """The learner's progress, else how long the lesson takes; "" where that is not known."""
        if self.reached >= self.steps:
            return tr("✓ done")
        if self.reached:
            return tr("step {step} of {steps}").format(step=self.reached + 1, steps=self.steps)
        return tr("about {minutes} minutes").format(minutes=self.minutes) if self.minutes else ""


class Progress(QWidget):
    """One short bar for each step: those behind, the present one, those ahead."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.step, self.steps = 0, 1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_texts(self, accessibleName="Progress")

    def sizeHint(self) -> QSize:
        return QSize(100, px(5))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, px(5))

    def show_step(self, step: int, steps: int) -> None:
        self.step, self.steps = step, steps
        set_texts(self, accessibleDescription=Text("step {step} of {steps}", step=step + 1, steps=steps))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        width = self.width() / self.steps
        for place in range(self.steps):
            painter.setBrush(
                theme.color("accent" if place <= self.step else "line", 0.55 if place < self.step else 1.0)
            )
            painter.drawRoundedRect(QRectF(place * width + 1, 0, width - 2, self.height()), 2, 2)


class LessonList(QListWidget):
    """The list; Return, Space and a click open a lesson."""

    opened = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setItemDelegate(LessonRow(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setObjectName("runs")
        set_texts(self, accessibleName="Lessons")
        self.itemClicked.connect(lambda item: self.opened.emit(self.row(item)))

    def event(self, event: QEvent) -> bool:
        """Keep the keys that open a lesson from the window's commands."""
        return keeps_key(event, OPENS) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in OPENS and self.currentRow() >= 0:
            self.opened.emit(self.currentRow())
        else:
            super().keyPressEvent(event)

    def show_rows(self, rows: Sequence[ListRow]) -> None:
        for place, row in enumerate(rows):
            item = self.item(place) if place < self.count() else QListWidgetItem(self)
            item.setText("\n".join((f"{place + 1}. {row.title}", row.about, row.state)))

    def show_row(self, place: int) -> None:
        """Make a row the current one, with the next below it in sight."""
        self.setCurrentRow(place)
        for row in (place + 1, place):
            if row < self.count():
                self.scrollToItem(self.item(row))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()  # the heights of the rows follow the width


class LessonRow(QStyledItemDelegate):
    """Paints a lesson's three lines: title in bold, what it is about in as many lines as it needs, progress."""

    def _parts(self, option: QStyleOptionViewItem, index: Index) -> tuple[list[str], QFont, int]:
        bold = QFont(option.font)
        bold.setWeight(QFont.Weight.DemiBold)
        view = option.widget
        width = view.viewport().width() if isinstance(view, QListWidget) else option.rect.width()
        return str(index.data()).split("\n"), bold, width - 2 * px(14)

    def _about_height(self, option: QStyleOptionViewItem, words: str, width: int) -> int:
        return option.fontMetrics.boundingRect(QRect(0, 0, max(40, width), 9999), WRAP, words).height()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        (_, about, state), bold, width = self._parts(option, index)
        lines = QFontMetrics(bold).height() * (1 + bool(state))
        return QSize(120, lines + self._about_height(option, about, width) + px(16))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, ((title, about, state), bold, width) = current_theme(), self._parts(option, index)
        plain = QStyleOptionViewItem(option)
        option.widget.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, plain, painter, option.widget)
        line = QFontMetrics(bold).height()
        box = QRect(option.rect.left() + px(14), option.rect.top() + px(7), width, line)
        painter.save()
        painter.setFont(bold)
        painter.setPen(theme.color("text"))
        shown = QFontMetrics(bold).elidedText(title, Qt.TextElideMode.ElideRight, width)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.setFont(option.font)
        painter.setPen(theme.color("dim"))
        height = self._about_height(option, about, width)
        painter.drawText(QRect(box.left(), box.bottom() + 1, width, height), WRAP, about)
        painter.setPen(theme.color("good" if state.startswith("✓") else "accent"))
        painter.drawText(
            QRect(box.left(), box.bottom() + 1 + height, width, line), Qt.AlignmentFlag.AlignVCenter, state
        )
        painter.restore()


class StepPage(QWidget):
    """One step."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.progress = Progress(self)
        self.title = make_label(self, "title", wrap=True)
        self.body = QWidget(self)
        self.text = make_label(self.body, "lesson")
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.RichText)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.task = QLabel(self.body)
        self.task.setWordWrap(True)
        by_font(self.task, lambda: self.task.setMargin(px(7)))
        self.picture: Picture | None = None
        self.more = QWidget(self.body)  # buttons for more simulations
        self._more_row = lay_row(of=self.more, margins=0, spacing=6)
        self.more_buttons: dict[int, QPushButton] = {}
        self.question = QuestionView(self.body)
        self.column = lay_column(
            self.text, self.task, self.more, self.question, 1, of=self.body, margins=(14, 4, 12, 8), spacing=12
        )
        self.back = set_texts(QPushButton(self), text="Step back")
        self.do_it = set_texts(QPushButton(self), text="Do it for me")
        self.next = main_button("Next step", self)
        rule = make_frame(self, "flat_rule")
        for button in (self.back, self.do_it, self.next):
            button.setObjectName("tight")
        buttons = lay_row(self.back, 1, self.do_it, self.next, margins=(14, 10, 14, 12), spacing=6)
        head = lay_column(self.progress, self.title, margins=(14, 2, 14, 6), spacing=10)
        self.area = scroll_down(self.body, self, "Text of the step")
        self.area.verticalScrollBar().rangeChanged.connect(self._keep_answer_in_sight)
        lay_column(head, (self.area, 1), rule, buttons, of=self, margins=0, spacing=0)

    def _keep_answer_in_sight(self, low: int, high: int) -> None:
        if self.question.isVisible() and self.question.verdict.text():
            self.area.verticalScrollBar().setValue(high)

    def set_picture(self, picture: Picture | None) -> None:
        """Show another picture below the text, or none."""
        if self.picture is not None:
            self.picture.stop()
            self.column.removeWidget(self.picture)
            self.picture.hide()
            self.picture.deleteLater()
        self.picture = picture
        if picture is not None:
            picture.setParent(self.body)
            self.column.insertWidget(self.column.indexOf(self.more), picture)
            picture.show()

    def fit_width(self) -> None:
        """Be as wide as the picture and the buttons need: the text scrolls up and down only."""
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        self.area.setMinimumWidth(self.body.minimumSizeHint().width() + bar)

    def fit_picture(self) -> None:
        """Draw the picture so low that all of the step is in sight, if that is possible."""
        if self.picture is not None:
            needed = self.body.heightForWidth(self.area.width())
            self.picture.canvas.grow(self.area.height() - needed)

    def show_text(self, html: str) -> None:
        if html != self.text.text():
            self.text.setText(html)
        self.text.setVisible(bool(html))

    def show_task(self, words: str, done: bool) -> None:
        """What the step waits for; "" when for nothing."""
        rename(self.task, "task_done" if done else "task")
        self.task.setText(words)
        self.task.setVisible(bool(words))


class LessonPanel(QWidget):
    """The list, or a step."""

    listed = Signal()  # back to the list
    more_asked = Signal(int)  # simulations
    went_on = Signal()  # by Return

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("inspector")
        self.heading = ShortLabel(self, "heading")
        self.all = icon_button(self, "previous", "All lessons", "small", 14, "faint")
        self.all.clicked.connect(self.listed)
        head = lay_row(self.all, (self.heading, 1), margins=(10, 7, 8, 4), spacing=6)
        self.list = LessonList(self)
        self.intro = make_label(
            self,
            "dim",
            "Each lesson takes about ten minutes and waits for you in the real window. Leave at any time.",
            wrap=True,
        )
        self.open = set_texts(QPushButton(self), text="Open a lesson file…")
        self.step = StepPage(self)
        listing = QWidget(self)
        column = lay_column(of=listing, margins=(0, 0, 0, 12), spacing=6)
        above = lay_column(self.intro, margins=(14, 2, 14, 6))
        column.addLayout(above)
        column.addWidget(self.list, 1)
        row = lay_row(self.open, 1, margins=(14, 0, 14, 0))
        column.addLayout(row)
        self.stack = QStackedWidget(self)
        self.stack.addWidget(listing)
        self.stack.addWidget(self.step)
        lay_column(head, (self.stack, 1), of=self, margins=0, spacing=0)

    def event(self, event: QEvent) -> bool:
        """Keep Return, which elsewhere in the window plays a move."""
        return keeps_key(event, ENTER) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and self.stack.currentIndex() == 1:
            self.went_on.emit()
        else:
            super().keyPressEvent(event)

    def show_list(self, rows: Sequence[ListRow]) -> None:
        set_texts(self.heading, text="Lessons")
        self.list.show_rows(rows)
        self.step.set_picture(None)
        self.all.hide()
        self.stack.setCurrentIndex(0)

    def show_lesson(self, title: str) -> None:
        self.heading.setText(title)
        self.all.show()
        self.stack.setCurrentIndex(1)

    def set_more(self, numbers: Sequence[int]) -> None:
        """The buttons for so many simulations more."""
        step = self.step
        for button in step.more_buttons.values():
            step._more_row.removeWidget(button)
            button.deleteLater()
        step.more_buttons = {}
        for more in numbers:
            words = Text("+1 simulation") if more == 1 else Text("+{more} simulations", more=count(more))
            button = set_texts(QPushButton(step.more), text=words)
            button.setObjectName("tight")
            button.clicked.connect(lambda _=False, n=more: self.more_asked.emit(n))
            step.more_buttons[more] = button
            step._more_row.addWidget(button)
            button.show()
        step.more.setVisible(bool(numbers))
