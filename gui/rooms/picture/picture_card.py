"""Texts about one node of a tree's picture: a card with a small board, and one line of text.  Knows no painting."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gui.language.language import tr
from gui.model.shown import position_at
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.small_board import SmallBoard
from gui.widgets.figures import count, percent, plies_words, signed
from gui.widgets.labels import make_label
from gui.widgets.text_size import px
from gui.widgets.theme import figure_font
from gui.widgets.words import PROOFS

if TYPE_CHECKING:
    from core.games import Position
    from core.glass.picture import TreePicture
    from gui.model.state import PathOf


LEAST_WIDTH = 404  # px


def facts(picture: TreePicture, place: int) -> list[tuple[str, str]]:
    """Return (name, figure) pairs of a node; its values are for the side that plays into it."""
    visits, above = int(picture.visits[place]), int(picture.parents[place])
    shown = count(visits)
    if above >= 0:
        share = percent(visits / max(1, int(picture.seen[above])))
        shown = tr("{visits} · {share} of its parent").format(visits=shown, share=share)
    if picture.seen[place] > visits:
        shown = tr("{visits} · Q of {seen}").format(visits=shown, seen=count(int(picture.seen[place])))
    result = [
        (tr("visits N"), shown),
        (tr("searched Q"), signed(float(picture.qs[place]))),
        (tr("net V"), signed(float(picture.values[place]))),
    ]
    if above >= 0 and not math.isnan(picture.priors[place]):
        result.append((tr("prior P"), percent(float(picture.priors[place]))))
    proof = tr(PROOFS[picture.proofs[place]])
    if picture.terminals[place]:
        ending = tr("the game is over: {proofs}").format(proofs=proof or tr("ended"))
        result.append((tr("proof"), ending))
    elif proof:
        plies = int(picture.distances[place])
        words = tr("{result}, 1 ply on") if plies == 1 else tr("{proofs}, {distances} plies on")
        distance = plies_words(plies, bool(picture.distances_at_most[place]))
        result.append((tr("proof"), words.format(result=proof, proofs=proof, distances=distance)))
    return result


def mover(picture: TreePicture, place: int, root: Position) -> str:
    """Return the player that a node's figures are for."""
    above = int(picture.parents[place])
    players = kind_of(root.game.name).players
    if above < 0:
        return players[1 - root.to_move]
    return players[position_at(root, picture.path_of(above)).to_move]


def path_text(picture: TreePicture, path: PathOf, root: Position) -> str:
    """Return a node in one line: its moves from the root, and its figures with the player they are for."""
    line = " ".join(root.game.action_name(action) for action in path) or tr("current position")
    place = picture.place_of(path)
    if place < 0:
        return tr("{line} · not among the {picture} most visited nodes").format(line=line, picture=len(picture))
    figures = " · ".join(f"{what} {figure}" for what, figure in facts(picture, place))
    return tr("{line} · for {picture}: {figures}").format(
        line=line, picture=mover(picture, place, root), figures=figures
    )


class NodeCard(QFrame):
    """A card beside the pointer that ignores the mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("hover_card")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAutoFillBackground(True)
        self.board = SmallBoard(self)
        self.board.setFixedSize(124, 118)
        self.title = QLabel(self)
        self.title.setFont(figure_font(self.font(), bold=True))
        self.title.setWordWrap(True)
        self.side = make_label(self, "dim")
        self.hint = make_label(self, "faint", "click selects · double click plays there")
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(1)
        self._rows = [(QLabel(self), QLabel(self)) for _ in range(5)]
        for row, (what, figure) in enumerate(self._rows):
            what.setObjectName("dim")
            figure.setFont(figure_font(self.font()))
            self._grid.addWidget(what, row, 0)
            self._grid.addWidget(figure, row, 1)
        self._grid.setColumnStretch(1, 1)
        column = QVBoxLayout()
        column.setSpacing(3)
        for widget in (self.title, self.side):
            column.addWidget(widget)
        column.addLayout(self._grid)
        column.addStretch(1)
        column.addWidget(self.hint)
        row_ = QHBoxLayout(self)
        row_.setContentsMargins(8, 8, 12, 8)
        row_.setSpacing(10)
        row_.addWidget(self.board, 0, Qt.AlignmentFlag.AlignTop)
        row_.addLayout(column, 1)
        self._line = row_
        self.hide()

    def show_node(self, picture: TreePicture, place: int, root: Position) -> None:
        """Show the figures of one node of ``picture``."""
        path = picture.path_of(place)
        names = [root.game.action_name(action) for action in path]
        self.title.setText((" ".join(names[-12:]) if len(names) <= 12 else "… " + " ".join(names[-12:])) or tr("Root"))
        self.side.setText(tr("values for {picture}, who plays the move").format(picture=mover(picture, place, root)))
        rows = facts(picture, place)
        for i, (what, figure) in enumerate(self._rows):
            what.setText(rows[i][0] if i < len(rows) else "")
            figure.setText(rows[i][1] if i < len(rows) else "")
            what.setVisible(i < len(rows))
            figure.setVisible(i < len(rows))
        self.board.show_position(position_at(root, path), {}, "prior_ramp")

    def move_beside(self, point: QPoint, area: QRect) -> None:
        """Move beside a point, inside ``area``, never over the point itself."""
        self.setFixedWidth(max(px(LEAST_WIDTH), self._line.minimumSize().width()))
        self.adjustSize()
        away, wide, high = 24, self.width(), self.height()
        x = max(area.left() + 6, min(point.x() - wide // 2, area.right() - 6 - wide))
        y = min(max(area.top() + 6, point.y() - high // 3), area.bottom() - high - 6)
        if point.x() + away + wide <= area.right():
            x = point.x() + away
        elif point.x() - away - wide >= area.left():
            x = point.x() - away - wide
        else:  # narrow dock: above or below
            y = point.y() + away if point.y() + away + high <= area.bottom() else point.y() - away - high
        self.move(x, y)
        self.raise_()
