"""A whole tree as an interactive icicle: point, select, zoom into a subtree and back.  Uses an icicle and a path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from gui.language.language import tr
from gui.model.shown import position_at
from gui.widgets.figures import count, percent, signed
from gui.widgets.icicle.icicle_stage import IcicleStage
from gui.widgets.keys import ENTER
from gui.widgets.node_card import signs
from gui.widgets.tree_canvas import Pointed

if TYPE_CHECKING:
    from core.games import Position
    from core.glass.icicle import Icicle
    from core.glass.nodes import TreeNodes
    from gui.model.state import PathOf


class IcicleCanvas(IcicleStage):
    """The icicle with mouse and keys."""

    NEARER = (Qt.Key.Key_I, Qt.Key.Key_Plus, Qt.Key.Key_Equal)
    FARTHER = (Qt.Key.Key_O, Qt.Key.Key_Minus)
    OTHERS = ENTER

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clicked: PathOf | None = None

    # mouse

    def thing_at(self, point: QPointF) -> Pointed | None:
        scene = self.scene
        if scene.icicle is None:
            return None
        row, x = int((point.y() + self.camera.now.top) // self.row), self.camera.at(point.x())
        place = scene.node_at(row, x)
        if place >= 0:
            return Pointed(scene.icicle.path_of(place))
        strip = scene.strip_at(row, x)
        return Pointed(scene.icicle.path_of(int(scene.icicle.strips.parents[strip])), True) if strip >= 0 else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._clicked = None
        super().mousePressEvent(event)

    def _click(self, thing: Pointed) -> None:
        path = thing.path
        if thing.strip:
            number = self._strip_below(path)
            self.leave()
            self._zoom_to(float(self.scene.strip_lefts[number]), float(self.scene.strip_widths[number]), len(path) + 1)
        elif path == self._path and path:
            self.leave()
            self.zoom_to(path)
        else:
            self._clicked = path
            self._select(path)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._clicked is not None:
            self.leave()
            self.zoom_to(self._clicked)

    def wheelEvent(self, event: QWheelEvent) -> None:
        step = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.leave()
            self._pan(0, step.y() / 2 or step.x() / 2)
        elif step.x() and not step.y():
            self.leave()
            self._pan(step.x() / 2, 0)
        else:
            super().wheelEvent(event)

    def _fill_card(self, thing: Pointed, nodes: TreeNodes, root: Position) -> None:
        self.card.hint.setVisible(not thing.strip)
        if thing.strip and self.scene.icicle is not None:
            self._show_strip(self.scene.icicle, self._strip_below(thing.path), root)
        else:
            super()._fill_card(thing, nodes, root)

    def _show_strip(self, icicle: Icicle, number: int, root: Position) -> None:
        """Fill the card with what a strip stands for."""
        strips, place = icicle.strips, int(icicle.strips.parents[number])
        visits, moves = int(strips.visits[number]), int(strips.nodes[number])
        words = tr("{moves} moves too narrow to draw", moves)
        share = percent(visits / max(1, int(icicle.backups[place])))
        sign = -float(signs(icicle, root.to_move, self.player)[place])
        rows = [
            (tr("visits N"), tr("{visits} · {share} of its parent").format(visits=count(visits), share=share)),
            (tr("searched Q"), tr("{q} on average").format(q=signed(sign * float(strips.qs[number])))),
        ]
        side = tr("values for {player}").format(player=self.player_name)
        self.card.show_facts(words.format(moves=count(moves)), side, rows, position_at(root, icicle.path_of(place)))

    # keys

    def _owns(self, key: int) -> bool:
        return super()._owns(key) or (key == Qt.Key.Key_Escape and not self.camera.goal.whole)

    def _walk(self, step: str) -> PathOf:
        return self.scene.walk(self._path, step)

    def _take_key(self, key: Qt.Key) -> bool:
        if key in ENTER:
            self.zoom_to(self._path)
            return True
        return key == Qt.Key.Key_Escape and self.go_back()
