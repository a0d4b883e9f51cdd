"""A grid of charts: made and drawn a few at a time, with a common x range and crosshair, each can be enlarged."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QMenu, QScrollArea, QToolButton, QWidget

from core.text import Words
from gui.model.timers import make_timer
from gui.widgets.charts.chart import PLOT_HEIGHT, Chart
from gui.widgets.charts.lines import ACROSS, ChartSpec, Drawing, Span, View, nearest
from gui.widgets.keys import ENTER
from gui.widgets.layouts import lay_row
from gui.widgets.room import hold
from gui.widgets.text_size import by_font, px, scale
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import set_icon

FRAME_MS = 16
WORK_MS = 8  # of a frame for drawing charts
HEAD = 32  # px of a chart beside its plot and two lines of text
KEY_ZOOM = 0.7  # share of the range that + leaves
FAR = 10  # places that the crosshair is moved with Shift
SAVE_PNG, COPY_PNG, SAVE_CSV, COPY_CSV = "save_png", "copy_png", "save_csv", "copy_csv"
EXPORTS: dict[str, Words] = {
    SAVE_PNG: "Picture as PNG…",
    COPY_PNG: "Copy a picture",
    SAVE_CSV: "Figures as CSV…",
    COPY_CSV: "Copy the figures",
}
SHOWING = (QEvent.Type.Enter, QEvent.Type.Leave, QEvent.Type.FocusIn, QEvent.Type.FocusOut)


class ChartGrid(QScrollArea):
    """The charts of a table in as many columns as fit, or one of them enlarged.

    Each is made in a pass of the event loop of its own.  Of new contents it draws what can be seen, for a part of a
    frame at a time, so that the window stays responsive.
    """

    pressed = Signal(str, float)  # id of a chart, x
    viewed = Signal(object)  # View: zoomed, or another axis logarithmic
    asked = Signal(object, str)  # Chart, what to do with it: one of EXPORTS
    enlarged = Signal(bool)
    resized = Signal()

    def __init__(
        self,
        specs: Sequence[ChartSpec[Any]],
        parent: QWidget | None = None,
        narrowest: int = 330,
        height: int = PLOT_HEIGHT,
        pace_ms: int = 0,
        tracks: bool = False,
    ) -> None:
        """``narrowest``: px of a chart's width; ``height``: of its plot; ``pace_ms``: least time between two passes;
        ``tracks``: one below the other with a common x axis, on which a drag chooses a place and zooms nothing."""
        super().__init__(parent)
        self.specs = {spec.id: spec for spec in specs}
        self.charts: dict[str, Chart] = {}  # made one after the other
        self.view = View()
        self.large: Chart | None = None
        self.model: Any = None
        self.whole: Span = (0.0, 1.0)  # of the x axis
        self._nothing = ""  # why there are no figures
        self._narrowest, self._height, self._tracks = narrowest, height, tracks
        self._chosen: frozenset[str] | None = None  # the ids of the charts to show, None for all
        self._sides = (0, 0)  # px of a track's head and legend
        self._places: tuple[float, ...] = ()  # what the places of the charts follow from
        set_texts(self, accessibleName="Charts")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.body = QWidget()
        self._grid = QGridLayout(self.body)
        self._grid.setContentsMargins(0, 0, 4, 0)
        self._grid.setSpacing(8)
        hold(self, self.body)
        self._marked = self._hover = math.nan
        self._hovering = make_timer(self, FRAME_MS, self._show_hover, once=True)
        self._stale: list[Chart] = []
        self._drawing = make_timer(self, FRAME_MS, self.draw, once=True)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._drawing.start())
        self._waiting = False  # a model arrived since the current pass began
        self._passes = make_timer(self, pace_ms, self._end_pass, once=True)
        self._making = make_timer(self, 0, self._make_next)
        by_font(self, self._arrange)
        on_language(self, self._draw_again)

    @property
    def ready(self) -> bool:
        """Whether all charts are made and those in sight are drawn."""
        visible = [chart for chart in self._stale if not chart.visibleRegion().isEmpty()]
        return len(self.charts) == len(self.specs) and not visible

    def chart(self, name: str) -> Chart:
        """Return a chart of ``specs``; it is made now unless it has been made before."""
        while name not in self.charts:
            self._make_next()
        return self.charts[name]

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if len(self.charts) < len(self.specs):
            self._making.start()
        self._drawing.start()

    def _make_next(self) -> None:
        """Make one chart, so that the window stays responsive."""
        spec = list(self.specs.values())[len(self.charts)]
        alone = not spec.zooms
        chart = Chart(spec.title, spec.meaning, self.body, spec.entries, self._height, alone, self._tracks)
        chart.id = spec.id
        if self._tracks:
            chart.set_sides(*self._sides)
        plot = chart.plot
        plot.pointed.connect(lambda x: self.point_at(x if spec.zooms else math.nan))
        plot.pressed.connect(lambda x: self.pressed.emit(spec.id, x))
        if spec.zooms:
            plot.zooms, plot.drags = True, self._tracks
            plot.setCursor(Qt.CursorShape.PointingHandCursor if spec.presses else Qt.CursorShape.CrossCursor)
            plot.dragged.connect(lambda left, right: self.set_zoom((left, right)))
            plot.scaled.connect(self.scale_zoom)
            plot.reset.connect(lambda: self.set_zoom(None))
        if spec.presses:
            chart.set_marker(self._marked)
        ChartTools(chart, self)
        self.charts[spec.id] = chart
        self._arrange()
        self._draw_chart(chart)
        chart.setVisible(self._is_wanted(chart))
        if len(self.charts) == len(self.specs):
            self._making.stop()

    # what they show

    def show_model(self, model: Any, whole: Span, now: bool = True) -> None:
        """Draw a model of the table, with this whole range of the x axis; ``now``: not only in the next pass."""
        self.model, self.whole = model, whole
        if now:
            self._passes.stop()
        if self.large is not None and not self._has_chart(self.large):
            self.enlarge(None)
        if self._passes.isActive():
            self._waiting = True
        else:
            self._begin_pass()

    def set_nothing(self, text: str) -> None:
        """Set why there are no figures."""
        if text != self._nothing:
            self._nothing = text
            for chart in self.charts.values():
                if chart.plot.is_empty:
                    self._draw_chart(chart)

    def _has_chart(self, chart: Chart) -> bool:
        optional = self.specs[chart.id].optional
        return optional is None or (self.model is not None and optional(self.model))

    def _is_wanted(self, chart: Chart) -> bool:
        chosen = self._chosen is None or chart.id in self._chosen
        return chosen and self._has_chart(chart) and self.large in (None, chart)

    def choose(self, ids: Collection[str]) -> None:
        """Show these charts of the table and no others."""
        self._chosen = frozenset(ids)
        if self.large is not None and self.large.id not in ids:
            self.enlarge(None)
        self._begin_pass()
        self._arrange()

    def set_sides(self, left: int, right: int) -> None:
        """Set the widths of the heads and legends of tracks, in px: their plots lie between."""
        if (left, right) != self._sides:
            self._sides = (left, right)
            for chart in self.charts.values():
                chart.set_sides(left, right)

    def _begin_pass(self) -> None:
        self._waiting = False
        self._stale = []
        for chart in self.charts.values():
            shown = self._is_wanted(chart)
            if shown and chart.isHidden() and self.specs[chart.id].optional is not None:
                self._draw_chart(chart)  # one that appears is not seen empty
            elif shown:
                self._stale.append(chart)
            chart.setVisible(shown)
        self._share_axis()
        self._passes.start()
        self._drawing.start()

    def _end_pass(self) -> None:
        if self._waiting:
            self._begin_pass()

    def _draw_chart(self, chart: Chart) -> None:
        drawing = Drawing() if self.model is None else self.specs[chart.id].draw(self.model, self.view)
        chart.show_drawing(replace(drawing, nothing=drawing.nothing or self._nothing), self.view)

    def draw(self) -> None:
        """Draw the outdated charts in sight, for a part of a frame."""
        clock = QElapsedTimer()
        clock.start()
        for chart in [chart for chart in self._stale if not chart.visibleRegion().isEmpty()]:
            if clock.elapsed() >= WORK_MS:
                self._drawing.start()
                return
            self._stale.remove(chart)
            self._draw_chart(chart)

    def draw_all(self) -> None:
        """Draw all outdated charts, as for a picture."""
        while self._stale:
            self._draw_chart(self._stale.pop())

    def _draw_again(self) -> None:
        self._stale = list(self.charts.values())
        self.draw_all()

    def set_marker(self, x: float) -> None:
        """Show a line at a chosen place on the charts where a click chooses one; NaN for none."""
        self._marked = x
        for chart in self.charts.values():
            if self.specs[chart.id].presses:
                chart.set_marker(x)

    # how they are shown

    def set_view(self, view: View) -> None:
        """Draw the charts in another way."""
        if view.axis != self.view.axis:
            view = replace(view, zoom=None)
            self.point_at(math.nan)
        if view != self.view:
            self.view = view
            self.viewed.emit(view)
        self._begin_pass()

    @property
    def span(self) -> Span:
        """The range of the x axis."""
        return self.view.zoom or self.whole

    def set_zoom(self, zoom: Span | None) -> None:
        """Show a range of the x axis; None for the whole."""
        if zoom is not None:
            left, right = max(zoom[0], self.whole[0]), min(zoom[1], self.whole[1])
            length = self.whole[1] - self.whole[0]
            if right - left < 1e-6 * length:
                return
            zoom = (left, right) if right - left < length else None
        self.set_view(replace(self.view, zoom=zoom))

    def scale_zoom(self, x: float, share: float) -> None:
        """Leave a share of the range, or more than the whole of it, with ``x`` at its place."""
        left, right = self.span
        self.set_zoom((x - share * (x - left), x + share * (right - x)))

    def toggle_log(self, chart: Chart) -> None:
        """Switch one chart between a linear and a logarithmic axis."""
        self.set_view(replace(self.view, logs=self.view.logs ^ {chart.id}))

    def enlarge(self, chart: Chart | None) -> None:
        """Let one chart fill the page; None for all charts."""
        if chart is self.large:
            return
        for resized, large in ((self.large, False), (chart, True)):
            if resized is not None:
                resized.set_large(large)
        before, self.large = self.large, chart
        self._begin_pass()
        self._arrange()
        self.enlarged.emit(chart is not None)
        focused = chart or before
        if focused is not None:
            self._grid.activate()
            self.ensureWidgetVisible(focused)
            focused.setFocus()

    # the crosshair

    def point_at(self, x: float) -> None:
        """Move the common crosshair; NaN for none."""
        self._hover = x
        if not self._hovering.isActive():
            self._hovering.start()

    def _show_hover(self) -> None:
        for chart in self.charts.values():
            if self.specs[chart.id].zooms and (not chart.visibleRegion().isEmpty() or math.isnan(self._hover)):
                chart.set_hover(self._hover)

    def _step(self, chart: Chart, by: int) -> None:
        """Move the crosshair by some figures of a chart's first line."""
        at = next((line.x for line in chart.drawing.lines if line.name and len(line.x)), None)
        if at is None:
            return
        place = nearest(at, self._hover) + by if math.isfinite(self._hover) else len(at) - 1
        x = float(at[max(0, min(len(at) - 1, place))])
        zoom = self.view.zoom
        if zoom is not None and not zoom[0] <= x <= zoom[1]:
            half = (zoom[1] - zoom[0]) / 2
            self.set_zoom((x - half, x + half))
        self.point_at(x)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        chart = next((chart for chart in self.charts.values() if chart.hasFocus()), self.large)
        if not self._obey(Qt.Key(event.key()), event.modifiers(), chart):
            super().keyPressEvent(event)

    def _obey(self, key: Qt.Key, keys: Qt.KeyboardModifier, chart: Chart | None) -> bool:
        """Carry out a key; return whether it is one of the charts'."""
        middle = self._hover if math.isfinite(self._hover) else self.span[1]
        if key == Qt.Key.Key_Escape and (self.large is not None or self.view.zoom is not None):
            if self.large is not None:
                self.enlarge(None)
            else:
                self.set_zoom(None)
        elif chart is None:
            return False
        elif key in ENTER:
            self.enlarge(None if chart is self.large else chart)
        elif key == Qt.Key.Key_L:
            self.toggle_log(chart)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self.scale_zoom(middle, 1 / KEY_ZOOM if key == Qt.Key.Key_Minus else KEY_ZOOM)
        elif key == Qt.Key.Key_0:
            self.set_zoom(None)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            far = FAR if keys & Qt.KeyboardModifier.ShiftModifier else 1
            self._step(chart, -far if key == Qt.Key.Key_Left else far)
        else:
            return False
        return True

    # layout

    def sizeHint(self) -> QSize:
        return QSize(900, 270)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
        self.resized.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and self._stale and not self._drawing.isActive():
            self._drawing.start()  # the layout of the charts may bring an outdated one into sight
        return super().eventFilter(watched, event)

    def _arrange(self) -> None:
        """Arrange the charts in full rows if these are in sight at once, else in as many columns as fit.

        The rows in sight share the height, so that none is cut.
        """
        charts, spacing = list(self.charts.values()), self._grid.spacing()
        if self._tracks:
            self._grid.setSpacing(0)
            self._grid.setContentsMargins(0, 0, 0, 0)
            for place, chart in enumerate(charts):
                self._grid.addWidget(chart, place, 0)
            self._share_axis()
            return
        columns = max(1, min(self.viewport().width() // px(self._narrowest), len(self.specs)))
        least = px(self._height + HEAD) + 2 * self.fontMetrics().height()
        rows = max(1, (self.viewport().height() + spacing) // (least + spacing))
        full = next(n for n in range(columns, 0, -1) if len(self.specs) % n == 0)
        if self.large is not None:
            columns = rows = 1
        elif len(self.specs) // full <= rows:
            columns = full
        rows = min(rows, -(-len(self.specs) // columns))
        height = 0
        if self.large is None:
            height = max(least, (self.viewport().height() + spacing) // rows - spacing)
        if (columns, scale(), height, len(charts)) == self._places:
            return
        self._places = columns, scale(), height, len(charts)
        for place, chart in enumerate(charts):
            chart.setMinimumHeight(height)
            self._grid.addWidget(chart, *divmod(place, columns))
        for column in range(max(12, columns)):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
            self._grid.setColumnMinimumWidth(column, px(self._narrowest - 20) if column < columns else 0)
        for row in range(len(self.specs)):
            self._grid.setRowStretch(row, 1 if self.large is not None and charts.index(self.large) == row else 0)
        self._grid.setRowStretch(len(self.specs), 1 if self.large is None else 0)

    def _share_axis(self) -> None:
        """Let only the lowest track with the common x axis have its figures, and where there is room for that, all
        plots be equally high."""
        if not self._tracks:
            return
        shown = [chart for chart in self.charts.values() if self._is_wanted(chart)]
        lowest = next((chart for chart in reversed(shown) if self.specs[chart.id].zooms), None)
        feet = dict.fromkeys(self.charts.values(), 0)
        for chart in shown:
            chart.set_footed(chart is lowest or not self.specs[chart.id].zooms)
            feet[chart] = chart.plot.foot if chart.plot.footed else 0
        height = (self.viewport().height() - sum(feet.values())) // max(1, len(shown))
        roomy = height >= px(self._height)
        for place, (chart, foot) in enumerate(feet.items()):
            share = height + foot if roomy else 1
            self._grid.setRowStretch(place, share if chart in shown else 0)


class ChartTools(QWidget):
    """Two buttons in the head of a chart, seen while the pointer or the focus is in it, and its menu."""

    def __init__(self, chart: Chart, grid: ChartGrid) -> None:
        super().__init__(chart)
        self._chart, self._grid = chart, grid
        row = lay_row(of=self, margins=0, spacing=0)
        self._enlarge, self._more = self._button("enlarge"), self._button("more")
        set_texts(self._enlarge, toolTip="Enlarge, and back (Enter)", accessibleName="Enlarge")
        set_texts(self._more, toolTip="Axis, picture, figures", accessibleName="More")
        for button in (self._enlarge, self._more):
            row.addWidget(button)
        self._enlarge.clicked.connect(self._switch_size)
        self._more.clicked.connect(lambda: self.open_menu(self._more.mapToGlobal(QPoint(0, self._more.height()))))
        chart.head.addWidget(self, 0, 3)
        by_font(self, lambda: chart.head.setRowMinimumHeight(0, self.sizeHint().height()))
        chart.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        chart.installEventFilter(self)
        self.hide()

    def _button(self, icon: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("small")
        button.setIconSize(QSize(14, 14))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys of the chart do the same
        set_icon(button, icon)
        return button

    def _switch_size(self) -> None:
        self._grid.enlarge(None if self._chart.large else self._chart)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in SHOWING:
            self.setVisible(self._chart.underMouse() or self._chart.hasFocus())
        elif isinstance(event, QContextMenuEvent):
            self.open_menu(event.globalPos())
            return True
        return super().eventFilter(watched, event)

    def open_menu(self, at: QPoint) -> None:
        """Open the chart's menu."""
        chart, grid = self._chart, self._grid
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_texts(menu.addAction("", self._switch_size), text="All charts" if chart.large else "Enlarge")
        if chart.plot.zooms:
            whole = set_texts(menu.addAction("", lambda: grid.set_zoom(None)), text="Whole range")
            whole.setEnabled(chart.view.zoom is not None)
        if chart.drawing.reads == ACROSS:
            log = set_texts(menu.addAction("", lambda: grid.toggle_log(chart)), text="Logarithmic axis")
            log.setCheckable(True)
            log.setChecked(chart.log)
            log.setEnabled(chart.drawing.can_be_log)
        menu.addSeparator()
        for what, text in EXPORTS.items():
            set_texts(menu.addAction("", partial(grid.asked.emit, chart, what)), text=text)
        menu.popup(at)
