"""A whole tree painted as an icicle, of which a part is in view.  Uses an icicle and a path, no mouse and no key.

While the tree grows, the part in view stays on its node.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.glass.icicle import IcicleView
from core.text import Words
from gui.language.language import tr
from gui.model.timers import make_timer
from gui.widgets.board.playout_paint import EXPANSION, stage_color
from gui.widgets.figures import signed
from gui.widgets.icicle import icicle_paint as paint
from gui.widgets.icicle.icicle_camera import WHOLE, IcicleCamera, Window
from gui.widgets.icicle.icicle_colours import differences, figures_of
from gui.widgets.icicle.icicle_scene import IcicleScene
from gui.widgets.node_card import signs
from gui.widgets.text_size import by_font
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font
from gui.widgets.tree_canvas import FRAME_MS, TreeCanvas

if TYPE_CHECKING:
    from core.games import Position
    from core.glass.icicle import Icicle, Twin
    from gui.model.state import PathOf
    from gui.widgets.board.playout_paint import Simulation

    Searched: TypeAlias = tuple[Icicle | None, Position | None, PathOf, Twin | None]

GROWING_MS = 30  # between two frames while only the tree grows
REQUEST_MS = 30
UNSEEN = 1.5  # px: nodes as near to their places as this are put there
DRIFT = 0.1  # of the width in view, by which it may differ from what was laid out
WIDE = 24.0  # px to which a node brought into view is widened


class IcicleStage(TreeCanvas):
    """Paints an icicle and asks for the part in view."""

    _dress: paint.Dress | None  # made when next needed

    view_asked = Signal(object)  # IcicleView: what is in view, or soon will be
    focused = Signal(object)  # path of the node that fills the width in view

    MISSING: Words = "{line} · too narrow to draw"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("click selects · double click zooms", parent)
        self.scene = IcicleScene()
        self.camera = IcicleCamera()
        self._twin: Twin | None = None
        self._searched: Searched = (None, None, (), None)  # what is shown when there is no preview
        self._preview = ""  # what is said of the preview shown; "" for none
        self._mode, self._flipped = "value", False
        self._back: list[Window] = []  # what was in view before each zoom to a node
        self._focus: PathOf = ()
        self._asked = IcicleView()
        self._ask = make_timer(self, REQUEST_MS, self.ask, once=True)
        self.row = 24.0  # px
        by_font(self, self._measure)
        set_texts(self, accessibleName="Icicle of the search tree")

    def _measure(self) -> None:
        self._texts = paint.Texts(figure_font(self.font(), 0.95))
        self.row = float(QFontMetrics(self._texts.font).height() + 9)
        self._dress = None

    def _take_theme(self) -> None:
        self._palette = paint.IciclePalette(current_theme())
        self._dress = None

    # contents

    @property
    def nodes(self) -> Icicle | None:
        return self.scene.icicle

    @property
    def focus(self) -> PathOf:
        """The path of the node that fills the width in view."""
        return self._focus

    def set_mode(self, mode: str, flipped: bool = False) -> None:
        """Set what the colours stand for, one of ``icicle_colours.RANGES``.

        "share" needs a twin: by how much its share is larger, if ``flipped`` smaller."""
        self._mode, self._flipped = mode, flipped
        self._change_look()

    def set_player(self, player: int) -> None:
        super().set_player(player)
        self._dress = None

    def _change_look(self, paint: bool = True) -> None:
        self._dress = None
        super()._change_look(paint)

    def show_icicle(self, icicle: Icicle | None, root: Position | None, line: PathOf, twin: Twin | None = None) -> None:
        """Show the icicle of the search from ``root``; ``line`` are the record's moves to it.

        While there is a preview of this position, it is the ghost over it."""
        same_place = root == self._searched[1] and line == self._searched[2]
        self._searched = icicle, root, line, twin
        if self._preview and same_place:
            self.update()
            return
        self._preview = ""
        self._show(icicle, root, line, twin)

    @property
    def ghost(self) -> Icicle | None:
        """The tree of the search while a preview is shown instead; its nodes are outlined."""
        return self._searched[0] if self._preview else None

    def show_preview(self, icicle: Icicle | None, words: str = "") -> None:
        """Show the tree of another search of the position, under the outlines of the present one; None: that alone.

        ``words`` say what it is."""
        _, root, line, _ = self._searched
        if icicle is None:
            if self._preview:
                self._preview = ""
                self._show(*self._searched)
        elif root is not None:
            self._preview = words
            self._show(icicle, root, line, None)

    def _show(self, icicle: Icicle | None, root: Position | None, line: PathOf, twin: Twin | None) -> None:
        if icicle is self.scene.icicle and line == self.scene.line and twin is self._twin:
            return
        before = self.scene.icicle
        elsewhere = line != self.scene.line or before is None
        changed = icicle is not before
        self._twin, self._root = twin, root
        if changed or elsewhere:
            self.scene.show(icicle, line)
        if elsewhere or icicle is None:
            self._back.clear()
            self.camera.set(WHOLE)
            self.leave()
            self._ask.start()
        rows = self.scene.rows.size + 0.4
        self.camera.most_top = max(0.0, rows * self.row - self.height())
        if icicle is not None and (not self.scene.still or elsewhere):
            self._start_moving()
        self._change_look(paint=elsewhere or not self.moving)
        self._emit_description()

    def select_path(self, path: PathOf, of: Position | None) -> None:
        if (of, path) != self._chosen:
            super().select_path(path, of)
            self._ask.start()

    # what is in view

    def _next_frame(self) -> None:
        super()._next_frame()
        if self._frames.interval() != (interval := FRAME_MS if self.camera.moving else GROWING_MS):
            self._frames.setInterval(interval)

    def advance(self, seconds: float) -> bool:
        scene, camera = self.scene, self.camera
        if scene.icicle is None:
            return True
        anchor = scene.covering(camera.now.low, camera.now.high)
        before = float(scene.lefts[anchor]), float(scene.widths[anchor])
        if not scene.still:
            scene.move(seconds, UNSEEN * camera.now.width / camera.pixels)
        camera.carry(before, (float(scene.lefts[anchor]), float(scene.widths[anchor])))
        if camera.moving:
            camera.advance(seconds)
        self._take_focus()
        if self._drifted():
            self._ask.start()
        return scene.still and not camera.moving

    def _take_focus(self) -> None:
        """Report the node that fills the width in view."""
        scene, goal = self.scene, self.camera.goal
        path = scene.icicle.path_of(scene.covering(goal.low, goal.high)) if scene.icicle and not goal.whole else ()
        if path != self._focus:
            self._focus = path
            self.focused.emit(path)

    def view(self) -> IcicleView:
        """Return what will be in view, in the places of the present layout."""
        goal, scene = self.camera.goal, self.scene
        low, high = goal.low, goal.high
        if scene.icicle is not None and not scene.still:
            anchor = scene.covering(low, high)
            factor = float(scene.icicle.widths[anchor] / max(scene.widths[anchor], 1e-300))
            low, high = (float(scene.icicle.lefts[anchor] + (x - scene.lefts[anchor]) * factor) for x in (low, high))
        pixels = max(1, round(self.width() * self.devicePixelRatioF()))
        return IcicleView(max(0.0, low), min(1.0, high), pixels, self._path)

    def _drifted(self) -> bool:
        view, asked = self.view(), self._asked
        slack = DRIFT * (view.high - view.low)
        return abs(view.low - asked.low) > slack or abs(view.high - asked.high) > slack

    def ask(self) -> None:
        """Emit what is in view."""
        self._asked = self.view()
        self.view_asked.emit(self._asked)

    def _moved(self) -> None:
        """Handle that the user changed what is in view."""
        self._start_moving()
        if not self._ask.isActive():
            self._ask.start()
        self.update()

    def fit(self) -> None:
        self._back.clear()
        self.camera.go(WHOLE)
        self._moved()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        if at is None and (spot := self.spot_of(self._path)) is not None:
            at = spot.center()
        x = at.x() if at is not None else self.width() / 2
        self.camera.zoom(min(max(0.0, x), self.camera.pixels), factor)
        self._moved()

    def _pan(self, dx: float, dy: float) -> None:
        self.camera.pan(dx, dy)
        self._moved()

    def zoom_to(self, path: PathOf) -> None:
        """Let a node fill the width; Escape goes back."""
        place = self.scene.icicle.place_of(path) if self.scene.icicle is not None else -1
        if place >= 0:
            self._zoom_to(float(self.scene.lefts[place]), float(self.scene.widths[place]), len(path))

    def _zoom_to(self, left: float, width: float, depth: int) -> None:
        deep = depth * self.row > 0.4 * self.height()
        goal = Window(left, left + width, (depth - 1) * self.row if deep else 0.0)
        if goal != self.camera.goal:
            self._back.append(self.camera.goal)
            self.camera.go(goal)
            self._moved()

    def go_back(self) -> bool:
        """Return to what was in view before the last zoom, or to the whole tree; False when that is in view."""
        if self.camera.goal.whole:
            self._back.clear()
            return False
        self.camera.go(self._back.pop() if self._back else WHOLE)
        self._moved()
        return True

    def bring_into_view(self, path: PathOf) -> None:
        """Bring a node into view, wide enough to be seen."""
        scene, goal = self.scene, self.camera.goal
        if scene.icicle is None:
            return
        place = scene.nearest_to(path)
        left, width = float(scene.lefts[place]), float(scene.widths[place])
        least = WIDE / max(1.0, self.camera.pixels)
        span = min(goal.width, width / least)
        low = goal.low
        if span < goal.width or left + width < low or left > low + span:
            low = left + width / 2 - span / 2
        y, top = len(path) * self.row, goal.top
        top = min(max(top, y - self.height() + 2 * self.row), max(0.0, y - self.row)) if y else 0.0
        if (low, span, top) != (goal.low, goal.width, goal.top):
            self.camera.go(Window(low, low + span, top))
            self._moved()

    def spot_of(self, path: PathOf) -> QRectF | None:
        """Return where the node at ``path`` is in the widget; None if it is not laid out."""
        place = self.scene.icicle.place_of(path) if self.scene.icicle is not None else -1
        return paint.spot_of(self.scene, self.camera, self.row, place) if place >= 0 else None

    # painting

    def _look(self, icicle: Icicle) -> paint.Dress:
        if self._dress is None:
            twin = self._twin if self._mode == "share" else None
            mode = self._mode if twin is not None or self._mode != "share" else "value"
            to_move = self._root.to_move if self._root is not None else 0
            figures = (
                differences(twin, self._flipped) if twin is not None else figures_of(icicle, mode, to_move, self.player)
            )
            self._dress = paint.make_dress(icicle, figures, mode, signs(icicle, to_move, self.player))
            if self._answer is not None:
                self._dress.lit = np.zeros(len(icicle), np.bool_)
                self._dress.lit[self.matches] = True
        return self._dress

    def _paint_pixels(self, pixels: NDArray[np.uint32], ratio: float) -> None:
        assert self.scene.icicle is not None
        look = self._look(self.scene.icicle)
        paint.paint_rows(pixels, ratio, self.scene, self.camera, self.row, look, self._palette)

    def _paint_over(self, painter: QPainter) -> None:
        scene, icicle, root = self.scene, self.scene.icicle, self._root
        assert icicle is not None
        assert root is not None
        look = self._look(icicle)
        if self.ghost is not None:
            paint.paint_ghost(painter, self.ghost, self.camera, self.row, current_theme(), self.height())
        name = tr("Root")
        if look.mode != "share":
            name = tr("Root, for {player}").format(player=self.player_name)
        paint.paint_texts(
            painter, scene, self.camera, self.row, look, self._palette, self._texts, root.game, name, self.height()
        )
        chosen = scene.nearest_to(self._path), icicle.place_of(self._path) >= 0
        pointed, marked = self._pointed_spot(), self._marked
        paint.paint_outlines(
            painter,
            scene,
            self.camera,
            self.row,
            current_theme(),
            chosen,
            pointed,
            look.lit is not None,
            self.height(),
        )
        below = scene.rows.size * self.row - self.camera.now.top - self.height()
        paint.paint_fades(painter, QRectF(self.rect()), self.camera.now.top, below, current_theme())
        if self.ghost is not None:
            paint.paint_preview(painter, self._preview, self.camera.pixels, self.height(), current_theme())
        if marked is not None:
            colour = stage_color(marked.stage, current_theme())
            places = icicle.along(marked.path)
            paint.paint_path(painter, scene, self.camera, self.row, current_theme(), places, colour)
            if marked.stage >= EXPANSION and len(places) == len(marked.path):  # only the leaf is not in the tree yet
                spot = paint.spot_of_new(scene, self.camera, self.row, places[-1])
                paint.paint_new(painter, spot, self.camera, current_theme(), self._new_text(marked), colour)

    def _new_text(self, simulation: Simulation) -> tuple[str, str]:
        """Return the name of the leaf that a simulation adds, with its value where that is known and shown."""
        root = simulation.root
        name = root.game.action_name(simulation.path[-1])
        if self._mode != "value" or math.isnan(simulation.value):
            return name, name
        return f"{name}  {signed(simulation.value if self.player == root.to_move else -simulation.value, 2)}", name

    def _pointed_spot(self) -> QRectF | None:
        if self._pointed is None or self.scene.icicle is None:
            return None
        path, strip = self._pointed
        if not strip:
            return self.spot_of(path)
        number = self._strip_below(path)
        if number < 0:
            return None
        left = self.camera.x_of(float(self.scene.strip_lefts[number]))
        wide = float(self.scene.strip_widths[number]) / self.camera.now.width * self.camera.pixels
        return QRectF(left, (len(path) + 1) * self.row - self.camera.now.top, wide, self.row)

    def _strip_below(self, path: PathOf) -> int:
        icicle = self.scene.icicle
        if icicle is None:
            return -1
        strips = np.flatnonzero(icicle.strips.parents == icicle.place_of(path))
        return int(strips[0]) if strips.size else -1

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.camera.pixels = max(1.0, float(self.width()))
        self._ask.start()
