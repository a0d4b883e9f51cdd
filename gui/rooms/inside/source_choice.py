"""The choice of the positions over which a net is looked into, the same for all parts of the room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QLabel, QWidget

from core.files import GAME_SUFFIXES
from core.files.session import SUFFIX as SESSION
from core.text import Words
from gui.jobs.inside import PLAYED
from gui.language.language import tr
from gui.widgets.folding_row import FoldingRow
from gui.widgets.form import choice_box, show_value
from gui.widgets.labels import ShortLabel
from gui.widgets.layouts import lay_row
from gui.widgets.saving import ask_folder, ask_open_name
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from gui.jobs.inside import InsideReader
    from gui.rooms.inside.part import InsidePart

AUDIT, RUN, FOLDER, GAMES = "audit", "run", "folder", "games"
KINDS: Final[tuple[tuple[str, Words], ...]] = (
    (PLAYED, "Games played for it"),
    (AUDIT, "An audit…"),
    (RUN, "Games of a training run…"),
    (FOLDER, "A folder of games…"),
    (GAMES, "A file of games…"),
)
PLAYED_WORDS: Final[Words] = "Half of them at random, half by the policy of the net."


class SourceChoice(QWidget):
    """The kind of source, and which file or folder it is."""

    def __init__(self, reader: InsideReader, parent: QWidget) -> None:
        super().__init__(parent)
        self._reader = reader
        self.kind = choice_box(self, KINDS, self._choose, "Source of the positions")
        self.where = ShortLabel(self, "dim")
        row = FoldingRow(self, spare=lambda: self.where.sizeHint().width())
        row.left.addWidget(set_texts(QLabel(row), text="Positions:"))
        row.left.addWidget(self.kind)
        row.left.addStretch(1)
        row.right.addWidget(self.where, 1)
        row.set_stretch(0, 1)
        lay_row(row, of=self, margins=(12, 4, 10, 0))
        reader.chosen_changed.connect(self._show)
        self._show()
        on_language(self, self._show)

    def _choose(self) -> None:
        kind, title = self.kind.currentData(), self.kind.currentText()
        if kind == PLAYED:
            self._reader.choose(PLAYED, None)
            return
        if kind == AUDIT:
            place = ask_open_name(
                self, title, "nets", tr("Audits ({patterns});;All files (*)").format(patterns="*.audit")
            )
        elif kind == GAMES:
            patterns = " ".join(f"*{suffix}" for suffix in (*GAME_SUFFIXES, SESSION))
            place = ask_open_name(
                self, title, "games", tr("Games ({patterns});;All files (*)").format(patterns=patterns)
            )
        else:
            place = ask_folder(self, title, "games" if kind == FOLDER else "nets")
        if place is None:
            self._show()
        else:
            self._reader.choose(kind, place)

    def _show(self) -> None:
        show_value(self.kind, self._reader.chosen.kind)
        place = self._reader.chosen.place
        self.where.setText(tr(PLAYED_WORDS) if place is None else str(place))


def put_choice(part: InsidePart) -> SourceChoice:
    """Put the choice above a part, which then asks again when another one is made."""
    choice = SourceChoice(part.reader, part)
    part.put_above(choice)
    part.reader.chosen_changed.connect(part.ask_anew)
    return choice
