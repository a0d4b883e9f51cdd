"""The legend below the board: what colours and figures mean, and for which player.  Knows values, no board."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QLinearGradient, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.language.language import mark, tr
from gui.model.overlay_table import BY_NAME, OWNERSHIPS, in_words
from gui.widgets.board.board_layers import paint_chip
from gui.widgets.board.board_paint import NO_GAME, kind_of
from gui.widgets.board.overlays import MOST_DISCS, POINTS, POLICIES, Chip, figures_of, scale_of, threat_kinds
from gui.widgets.figures import COLUMN_INDEX, MINUS, column_words, percent, plain, signed
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font, ramp

if TYPE_CHECKING:
    from core.engine.ownership import Ownership
    from core.games import Position
    from core.glass import NodeView
    from core.solve import Solution
    from core.solve.threats import ThreatMap

RINGS: Final = mark("Rings: blue, the move to play; orange and dotted, a higher Q than the most visited move's.")
TOP_RING: Final = mark("Ring: the highest of them.")
BEST_RING: Final = mark("Ring: the move to play.")
SOLID: Final = mark("The more visits a value is based on (logarithmic), the more opaque it is.")
BAR: Final = 92  # px


@dataclass(frozen=True)
class Legend:
    """The legend's contents; ``ramp``: name of the theme's ramp between two labels; ``steps``: its named colours."""

    title: str = ""
    text: str = ""
    tip: str = ""
    ramp: str = ""
    low: str = ""
    high: str = ""
    centred: bool = False
    steps: tuple[tuple[float, str], ...] = ()
    chips: tuple[tuple[Chip, str], ...] = ()


def legend_of(
    overlay: str,
    position: Position,
    node: NodeView | None,
    solution: Solution | None = None,
    threats: ThreatMap | None = None,
    note: str = "",
    ownership: Ownership | None = None,
) -> Legend:
    """Return the legend of one overlay; ``note`` replaces its text if given."""
    row = in_words(BY_NAME[overlay])
    if overlay == "none":
        return Legend()
    if note:
        return Legend(row.title, note, row.tip)
    players = kind_of(position.game.name).players
    mover = tr("for the side to move, {players}").format(players=players[position.to_move])
    if overlay == "truth" and solution is not None and solution.bounds is not None:
        return Legend(
            row.title,
            tr("exact, in discs, {mover}").format(mover=mover) + (_worse(node, solution) if node is not None else ""),
            tr(
                "Discs that the side to move has more at the end with best play after each move; empty cells are the "
                "winner's; ringed: the best moves."
            ),
            "value_ramp",
            steps=tuple((0.5 + 0.5 * sign, signed(sign * MOST_DISCS, 0)) for sign in (1, 0, -1)),
        )
    if overlay == "truth":
        return Legend(
            row.title,
            tr("exact, {mover}").format(mover=mover)
            + (_worse(node, solution) if node is not None and solution is not None else ""),
            tr(
                "Result with best play after each move and the plies to the end, the move counted; "
                "ringed: the best moves."
            ),
            "value_ramp",
            steps=((1.0, tr("win")), (0.5, tr("draw")), (0.0, tr("loss"))),
        )
    if overlay == "threats":
        kinds = threat_kinds(threats).values() if threats is not None else ()
        chips = tuple((Chip(0, text, solid, wins), name) for text, solid, wins, name in kinds)
        return Legend(
            tr("Threats"),
            tr("made by {players} or {players_2}").format(players=players[0], players_2=players[1]),
            tr(
                "What a stone of either side would make on an empty point: filled when it wins or is open at both "
                "ends, else outlined."
            ),
            chips=chips,
        )
    if overlay == "chains":
        return Legend(
            row.title,
            tr("liberties of {players} and {players_2} · orange: in atari · red: caught in a ladder").format(
                players=players[0], players_2=players[1]
            ),
            tr(
                "A number gives a chain's liberties. Orange: in atari, with its last liberty. Red: caught, even if it "
                "runs or captures. Red and dashed: caught if the opponent plays at a triangle now."
            ),
        )
    if overlay == "area":
        return Legend(
            row.title,
            (
                tr("of {players} and {players_2}, as counted")
                if position.is_over
                else tr("held by {players} or {players_2} for certain")
            ).format(players=players[0], players_2=players[1]),
            tr(
                "A large square: held by chains that live even if their player passes from now on. "
                "Small: counted for that player at the end of the game."
            ),
        )
    if overlay in OWNERSHIPS:
        return _owners(overlay, ownership, players)
    if position.is_over:
        return Legend(row.title, tr("The game is over."))
    if node is None or len(node.actions) == 0:
        return Legend(row.title, tr("{mover}: not analysed yet").format(mover=mover))
    return _searched(overlay, node, mover)


def _owners(overlay: str, ownership: Ownership | None, players: tuple[str, str]) -> Legend:
    tip = f"{in_words(BY_NAME[overlay]).tip}."
    title = tr("Ownership") if overlay == "ownership" else tr("Mean ownership")
    if ownership is None:
        return Legend(title, tr("not analysed yet"), tip)
    text = tr("{first} or {second}, as the net expects it, without search")
    if ownership.positions > 1:
        text = tr("{first} or {second}, mean of {count} positions of the tree")
    text = text.format(first=players[0], second=players[1], count=ownership.positions)
    return Legend(title, text, tip)


def _searched(overlay: str, node: NodeView, mover: str) -> Legend:
    row = in_words(BY_NAME[overlay])
    if overlay == "visits":
        return Legend(
            tr("Visits"),
            tr("share and number, {mover}").format(mover=mover),
            f"{row.tip}. {tr(RINGS)} {tr(SOLID)}",
            "share_ramp",
            "0 %",
            "100 %",
        )
    figures = figures_of(node, overlay)
    no_net = math.isnan(node.value)
    if overlay in POLICIES:
        title, tip = row.title, row.tip
        if overlay == "prior":
            title = tr("P, changed") if node.noisy else "P"
            if not node.has_priors:
                return Legend(title, tr("this selection rule uses no priors"), tip)
        elif overlay == "policy":
            title, tip = policy_words(node.selection)
        if overlay != "policy" and no_net and max(figures) - min(figures) < 1e-4:
            return Legend(title, tr("no net: uniform policy"), tip)
        low = percent(scale_of(node, overlay)[0])
        return Legend(
            title, tr("{mover} · log").format(mover=mover), f"{tip}. {tr(TOP_RING)}", "prior_ramp", low, "100 %"
        )
    if overlay == "u":
        title, tip = column_words(COLUMN_INDEX["u"], node.selection)
        least, most = scale_of(node, overlay)
        return Legend(title, mover, tip, "prior_ramp", plain(least, 0), plain(most, 3 if most < 10 else 0))
    if overlay in POINTS:
        return _in_points(overlay, node, mover)
    if overlay == "net" and all(math.isnan(figure) for figure in figures):
        reason = (
            tr("leaves are evaluated by rollouts: no net") if no_net else tr("the net has not evaluated any move yet")
        )
        return Legend(row.title, reason, row.tip)
    tip = f"{row.tip}." if overlay == "net" else f"{row.tip}. {tr(RINGS)} {tr(SOLID)}"
    return Legend(row.title, mover, tip, "value_ramp", f"{MINUS}1", "+1", centred=True)


def _in_points(overlay: str, node: NodeView, mover: str) -> Legend:
    row = in_words(BY_NAME[overlay])
    if not node.leads.size:
        return Legend(row.title, tr("the net gives no score leads"), row.tip)
    low, high = scale_of(node, overlay)
    tip = f"{row.tip}. {tr(BEST_RING)} {tr(SOLID)}"
    text = tr("points, {mover}").format(mover=mover)
    if overlay == "lead":
        return Legend(tr("Lead"), text, tip, "value_ramp", signed(low, 0), signed(high, 0), centred=True)
    return Legend(tr("Points lost"), text, tip, "value_ramp", plain(high, 0), "0")


def policy_words(selection: str) -> tuple[str, str]:
    """Return title and meaning of the policy target of a search, as a net would learn it."""
    if selection == "gumbel":
        return "π′", tr("Improved policy: the prior, raised where Q is above the node's value and lowered below")
    if selection == "puct":
        return tr("π pruned"), tr(
            "Visits without those that only noise or early doubt explains, no proved loss among them"
        )
    return "π", tr("Visits without proved losses")


def _worse(node: NodeView, solution: Solution) -> str:
    """Return the share of visits that went to moves worse than the best, as text."""
    if node.position.legal_actions() != tuple(move.action for move in solution.moves) or not node.visits_of.sum():
        return ""
    worse = {move.action for move in solution.moves if move.value is not None and move.value < solution.value}
    if solution.score is not None:
        worse = {move.action for move in solution.moves} - {*solution.best}
    if not worse:
        return {1: tr(" · every move wins"), 0: tr(" · every move draws"), -1: tr(" · every move loses")}[
            solution.value
        ]
    wasted = sum(n for a, n in zip(node.actions.tolist(), node.visits_of.tolist(), strict=True) if a in worse)
    return tr(" · {wasted} of the visits on worse moves").format(wasted=percent(wasted / int(node.visits_of.sum())))


class OverlayLegend(QWidget):
    """A widget with the overlay's title, point of view and colour scale."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._game = NO_GAME
        self.legend = Legend()
        self.hint = ""  # shown instead of the legend while a line is shown
        self.setFixedHeight(24)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_texts(self, accessibleName="Overlay")

    def sizeHint(self) -> QSize:
        return QSize(400, 24)

    def show_legend(self, legend: Legend, game: str) -> None:
        if (legend, game) != (self.legend, self._game):
            self.legend, self._game = legend, game
            self._update_description()

    def show_hint(self, hint: str) -> None:
        if hint != self.hint:
            self.hint = hint
            self._update_description()

    @property
    def text(self) -> str:
        """The text shown."""
        if self.hint:
            return self.hint
        return " · ".join(part for part in (self.legend.title, self.legend.text) if part)

    def _update_description(self) -> None:
        self.setToolTip("\n".join(part for part in (self.text, self.legend.tip) if part))
        self.setAccessibleDescription(self.text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = figure_font(self.font(), 0.92)
        painter.setFont(font)
        left, middle = 8.0, Qt.AlignmentFlag.AlignVCenter
        right = self.width() - 6.0 if self.hint else self._paint_scale(painter, self.width() - 6.0)
        if self.legend.title and not self.hint:
            painter.setFont(figure_font(self.font(), 0.92, bold=True))
            painter.setPen(current_theme().color("text"))
            width = painter.fontMetrics().horizontalAdvance(self.legend.title)
            painter.drawText(QRectF(left, 0, width + 2, self.height()), middle, self.legend.title)
            left += width + 9
            painter.setFont(font)
        painter.setPen(current_theme().color("dim"))
        text = self.hint or self.legend.text
        text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(right - left - 10))
        painter.drawText(QRectF(left, 0, right - left, self.height()), middle, text)

    def _paint_scale(self, painter: QPainter, right: float) -> float:
        """Paint the scale at the right end; return its left edge."""
        legend, theme, height = self.legend, current_theme(), self.height()
        middle = Qt.AlignmentFlag.AlignVCenter
        width_of = painter.fontMetrics().horizontalAdvance
        painter.setPen(theme.color("dim"))
        for chip, name in reversed(legend.chips):
            if right < width_of(name) + px(34) + width_of(legend.title) * 1.1 + 17:
                break  # no room for the others; the tip has them all
            right -= width_of(name) + 2
            painter.setPen(theme.color("dim"))
            painter.drawText(QRectF(right, 0, width_of(name) + 2, height), middle, name)
            right -= px(14)
            paint_chip(
                painter, QPointF(right, height / 2), px(9), chip, kind_of(self._game), self.font(), theme, plain=True
            )
            right -= px(20)
        if not legend.ramp:
            return right
        stops = getattr(theme, legend.ramp)
        if legend.steps:
            for t, name in reversed(legend.steps):
                right -= width_of(name) + 2
                painter.setPen(theme.color("dim"))
                painter.drawText(QRectF(right, 0, width_of(name) + 2, height), middle, name)
                right -= px(17)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(ramp(stops, t))
                painter.drawRoundedRect(QRectF(right, height / 2 - px(6), px(12), px(12)), 3, 3)
                right -= px(12)
            return right
        right -= width_of(legend.high)
        painter.drawText(QRectF(right, 0, width_of(legend.high) + 2, height), middle, legend.high)
        right -= px(BAR) + 7
        bar = QRectF(right, height / 2 - px(5), px(BAR), px(10))
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        for i, colour in enumerate(stops):
            gradient.setColorAt(i / (len(stops) - 1), colour)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.setBrush(gradient)
        painter.drawRoundedRect(bar, 3, 3)
        if legend.centred:
            painter.setPen(QPen(theme.color("text"), 1.4))
            painter.drawLine(QPointF(bar.center().x(), bar.top() - 3), QPointF(bar.center().x(), bar.bottom() + 3))
        right -= width_of(legend.low) + 7
        painter.setPen(theme.color("dim"))
        painter.drawText(QRectF(right, 0, width_of(legend.low) + 2, height), middle, legend.low)
        return right - 8
