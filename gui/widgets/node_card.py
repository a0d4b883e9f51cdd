"""Texts about one node of a drawn tree: a card with a small board, and one line of text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QWidget

from core.search.proofs import flip
from core.text import Words
from gui.language.language import tr
from gui.model.shown import position_at
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.small_board import SmallBoard
from gui.widgets.figures import count, percent, plies_words, signed
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.text_size import px
from gui.widgets.theme import figure_font
from gui.widgets.words import PROOFS

if TYPE_CHECKING:
    from core.games import Position
    from core.glass.nodes import TreeNodes
    from gui.model.state import PathOf


LEAST_WIDTH = 404  # px


def facts(nodes: TreeNodes, place: int, sign: int = 1) -> list[tuple[str, str]]:
    """Return (name, figure) pairs of a node; its values are for the side that plays into it, for the other if ``sign``
    is -1."""
    visits, above = int(nodes.visits[place]), int(nodes.parents[place])
    shown = count(visits)
    if above >= 0:
        share = percent(visits / max(1, int(nodes.backups[above])))
        shown = tr("{visits} · {share} of its parent").format(visits=shown, share=share)
    if nodes.backups[place] > visits:
        shown = tr("{visits} · Q of {backups}").format(visits=shown, backups=count(int(nodes.backups[place])))
    result = [
        (tr("visits N"), shown),
        (tr("searched Q"), signed(sign * float(nodes.qs[place]))),
        (tr("net V"), signed(sign * float(nodes.values[place]))),
    ]
    if above >= 0 and not math.isnan(nodes.priors[place]):
        result.append((tr("prior P"), percent(float(nodes.priors[place]))))
    proof = tr(PROOFS[proof_for(int(nodes.proofs[place]), sign)])
    if nodes.terminals[place]:
        ending = tr("the game is over: {proofs}").format(proofs=proof or tr("ended"))
        result.append((tr("proof"), ending))
    elif proof:
        plies = int(nodes.distances[place])
        distance = plies_words(plies, bool(nodes.distances_at_most[place]))
        words = tr("{result}, {distance} plies on", plies) if plies else "{result}"
        result.append((tr("proof"), words.format(result=proof, distance=distance)))
    return result


def proof_for(proof: int, sign: int) -> int:
    """Return a proof for the side that plays into the node, or for the other if ``sign`` is -1."""
    return proof if sign > 0 else flip(proof)


def mover(nodes: TreeNodes, place: int, root: Position) -> int:
    """Return the player that plays into a node; of the root the one who is not to move."""
    return (root.to_move + int(nodes.depths[place]) + 1) % 2


def signs(nodes: TreeNodes, to_move: int, player: int) -> NDArray[np.float32]:
    """Return +1 for the nodes whose values are for ``player``, else -1; ``to_move``: the player at the root."""
    return np.where((to_move + nodes.depths.astype(np.int64) - 1) % 2 == player, 1, -1).astype(np.float32)


def view_words(nodes: TreeNodes, place: int, root: Position, player: int) -> str:
    """Return whose values are shown: those of ``player``, of the one who plays the move if -1."""
    players = kind_of(root.game.name).players
    who = mover(nodes, place, root)
    if player in (-1, who):
        return tr("values for {picture}, who plays the move").format(picture=players[who])
    return tr("values for {player}").format(player=players[player])


def sign_of(nodes: TreeNodes, place: int, root: Position, player: int) -> int:
    """Return -1 where a node's own values are not for ``player``; -1 as a player stands for the one who moves."""
    return 1 if player in (-1, mover(nodes, place, root)) else -1


def path_text(nodes: TreeNodes, path: PathOf, root: Position, missing: str, player: int = -1) -> str:
    """Return a node in one line: its moves from the root, and its figures with the player they are for.

    ``missing``: the sentence, translated, for a node that is not among ``nodes``."""
    line = " ".join(root.game.action_name(action) for action in path) or tr("current position")
    place = nodes.place_of(path)
    if place < 0:
        return missing.format(line=line, picture=len(nodes))
    sign = sign_of(nodes, place, root, player)
    figures = " · ".join(f"{what} {figure}" for what, figure in facts(nodes, place, sign))
    who = kind_of(root.game.name).players[mover(nodes, place, root) if player < 0 else player]
    return tr("{line} · for {picture}: {figures}").format(line=line, picture=who, figures=figures)


class NodeCard(QFrame):
    """A card beside the pointer that ignores the mouse."""

    def __init__(self, parent: QWidget, hint: Words) -> None:
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
        self.hint = make_label(self, "faint", hint)
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
        column = lay_column(self.title, self.side, self._grid, 1, self.hint, spacing=3)
        row_ = lay_row(of=self, margins=(8, 8, 12, 8), spacing=10)
        row_.addWidget(self.board, 0, Qt.AlignmentFlag.AlignTop)
        row_.addLayout(column, 1)
        self._line = row_
        self.hide()

    def show_node(self, nodes: TreeNodes, place: int, root: Position, player: int = -1) -> None:
        """Show the figures of one node of ``nodes``, for ``player``; -1: for the one who plays the move."""
        path = nodes.path_of(place)
        names = [root.game.action_name(action) for action in path]
        title = (" ".join(names[-12:]) if len(names) <= 12 else "… " + " ".join(names[-12:])) or tr("Root")
        rows = facts(nodes, place, sign_of(nodes, place, root, player))
        self.show_facts(title, view_words(nodes, place, root, player), rows, position_at(root, path))

    def show_facts(self, title: str, side: str, rows: list[tuple[str, str]], position: Position) -> None:
        """Show a title, whose values they are, up to five (name, figure) pairs and a position."""
        self.title.setText(title)
        self.side.setText(side)
        for i, (what, figure) in enumerate(self._rows):
            what.setText(rows[i][0] if i < len(rows) else "")
            figure.setText(rows[i][1] if i < len(rows) else "")
            what.setVisible(i < len(rows))
            figure.setVisible(i < len(rows))
        self.board.show_position(position, {}, "prior_ramp")

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
