"""Name and drawing of a record's move: its name on its player's colour, and its annotation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPen

from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of, stone_color
from gui.widgets.text_size import px, scale
from gui.widgets.theme import Theme, fainter_ink, ink, mix, with_alpha

if TYPE_CHECKING:
    from core.files.record import GameRecord

ASIDE = 0.6  # opacity of a move outside the current line
START, SET_UP = -1, -2  # what is drawn as no move
NO_MOVES: Final = {START: "○", SET_UP: "±"}


ANNOTATIONS: Final = {"TE": "!", "IT": "!?", "DO": "?!", "BM": "?"}  # properties of an SGF file that annotate a move
SIGN_TOKENS: Final = {"!": "good", "!!": "good", "!?": "accent"}  # theme colour of an annotation; "warn" for others


def step_name(record: GameRecord, node: int) -> str:
    """Return the name of a node's move, or "set up" where stones are."""
    record_node = record.node(node)
    return record.game.action_name(record_node.action) if record_node.setup is None else tr("set up")


def node_name(record: GameRecord, node: int) -> str:
    """Return a move with its number: "12. d4"; the first position is "the start"."""
    if record.node(node).parent < 0:
        return tr("the start")
    return f"{len(record.line(node)) - 1}. {step_name(record, node)}"


def sign_of(record: GameRecord, node: int) -> str:
    """Return the file's annotation of a move; "" for none."""
    return next((ANNOTATIONS[name] for name, _ in record.node(node).extra if name in ANNOTATIONS), "")


def paint_move(
    painter: QPainter, box: QRectF, record: GameRecord, action: int, player: int, on_line: bool, theme: Theme
) -> None:
    """Draw one move in its box; the start is action START, stones set up are SET_UP."""
    panel = theme.color("panel")
    fill = theme.color("raised") if action < 0 else stone_color(kind_of(record.game.name), player, theme)
    if not on_line:
        fill = mix(panel, fill, ASIDE)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(with_alpha(ink(panel), 0.3), 1.0))
    painter.setBrush(fill)
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
    painter.setPen(theme.color("dim") if action < 0 else fainter_ink(fill, 1.0 if on_line else 0.85))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, NO_MOVES.get(action) or record.game.action_name(action))


def paint_badge(painter: QPainter, corner: QPointF, sign: str, theme: Theme) -> None:
    """Draw the annotation on the corner of a move, or for "" the dot that marks a comment."""
    colour = theme.color(SIGN_TOKENS.get(sign, "warn") if sign else "accent")
    unit = scale()
    if not sign:
        box = QRectF(corner.x() - 6.5 * unit, corner.y() - 6.5 * unit, 7 * unit, 7 * unit)
    else:
        width = 13 if len(sign) == 1 else 18
        box = QRectF(corner.x() - 5 * unit, corner.y() - 7 * unit, width * unit, 13 * unit)
    painter.setPen(QPen(theme.color("panel"), 1.5))
    painter.setBrush(colour)
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
    if sign:
        font = QFont(painter.font())
        font.setPixelSize(px(10))
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(ink(colour))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, sign)
