"""Players, event and date of a game: a line about a record, and the dialog that edits it.  Uses a record, no file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from core.text import Words
from gui.language.core_words import game_title
from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.dialogs import OK_CANCEL, Dialog
from gui.widgets.form import Form
from gui.widgets.text_size import by_font, px
from gui.widgets.tips import set_tip
from gui.widgets.words import lead_words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from core.files.record import GameRecord
    from gui.context import Context

SIDES: Final = ("black", "white")  # the keys of the first and of the second player
TITLES: Final[dict[str, Words]] = {
    "result": "Result",
    "event": "Event",
    "round": "Round",
    "date": "Date",
    "place": "Place",
    "title": "Name of the game",
    "rules": "Rules",
    "source": "Source",
    "author": "Entered by",
    "annotator": "Comments by",
}
HINTS: Final = {"result": "B+, W+, 0", "date": "2026-11-30"}
COMMENT: Final = "comment"
LINES: Final = 4  # of the comment field
FEWEST_LINES: Final = 1


def info_words(record: GameRecord) -> str:
    """Return the line: "Ada (Red) – Grace (Yellow) · World Cup · 2026-11-30 · Red wins"; "" without any information."""
    info, players = record.info, kind_of(record.game.name).players
    parts = []
    if any(side in info for side in SIDES):
        parts.append(" – ".join(f"{info.get(side, '?')} ({name})" for side, name in zip(SIDES, players, strict=True)))
    parts += [info[key] for key in ("title", "event", "round", "date", "place") if key in info]
    if parts and (result := record.outcome()):
        parts.append(_result_words(result, players))
    return " · ".join(parts)


def _result_words(result: str, players: tuple[str, str]) -> str:
    """Return an SGF result in words where they are equivalent."""
    if result in ("0", "Draw"):
        return tr("Draw")
    if points := re.fullmatch(r"([BW])\+([0-9]{1,4}(?:\.[0-9]{1,2})?)", result):
        return lead_words(float(points[2]) if points[1] == "B" else -float(points[2]), players)[0]
    winner = {"B+": 0, "W+": 1}.get(result)
    return result if winner is None else tr("{players} wins").format(players=players[winner])


class GameInfoDialog(Dialog):
    """A dialog with a field for each piece of information about a game."""

    def __init__(self, record: GameRecord, parent: QWidget | None = None) -> None:
        title = tr("About this game — {title}").format(title=game_title(record.game))
        super().__init__(title, parent, OK_CANCEL)
        form = Form()
        self.fields: dict[str, QLineEdit] = {}
        first, second = kind_of(record.game.name).players
        sides = zip(SIDES, (first, second), strict=True)
        for key, title in [*sides, *TITLES.items()]:
            field = self.fields[key] = QLineEdit(record.info.get(key, ""), self)
            field.setPlaceholderText(HINTS.get(key, ""))
            form.add(title, field)
        how = tr("B+: {first} has won · W+: {second} has won · 0: a draw").format(first=first, second=second)
        set_tip(self.fields["result"], how)
        if "result" not in record.info and record.outcome():
            self.fields["result"].setPlaceholderText(tr("{result}, as it was played").format(result=record.outcome()))
        self.comment = QPlainTextEdit(record.info.get(COMMENT, ""), self)
        self.comment.setObjectName("written")
        self.comment.setTabChangesFocus(True)
        by_font(self.comment, self._measure)
        form.add("About the game", self.comment)
        self.lay_out(form)
        self.setMinimumWidth(px(460))

    def _measure(self) -> None:
        """Limit the comment's height to some lines; it may shrink on a low screen."""
        line = self.comment.fontMetrics().lineSpacing()
        self.comment.setMinimumHeight(FEWEST_LINES * line + px(12))
        self.comment.setMaximumHeight(LINES * line + px(12))

    def changes(self) -> dict[str, str]:
        """Return the edited fields, by core.files.record.INFO_KEYS; "" for a deleted one."""
        properties = {key: field.text() for key, field in self.fields.items() if field.isModified()}
        if self.comment.document().isModified():
            properties[COMMENT] = self.comment.toPlainText()
        return properties


def edit_info(context: Context) -> GameInfoDialog | None:
    """Command: edit players, event, date and place."""
    state = context.state
    record = state.record
    if record is None:
        return None
    dialog = GameInfoDialog(record, context.window)

    def accepted() -> None:
        if state.record is record:  # the dialog is modal, but a thread may open another game
            state.write_info(dialog.changes())

    dialog.accepted.connect(accepted)
    dialog.open()
    return dialog
