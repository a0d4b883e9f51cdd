"""What is to be audited: the source of the positions, their number, the simulations, a second net."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QPushButton, QVBoxLayout, QWidget

from core.text import Text, Words, text_of
from gui.language.language import mark, tr
from gui.widgets.folding_row import FoldingRow
from gui.widgets.form import NumberEdit, choice_box, mark_bad
from gui.widgets.labels import ShortLabel, main_button
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from models.audit.work import Source

RANDOM, POLICY, GAMES, FOLDER, REPLAY = "random", "policy", "games", "folder", "replay"
SOURCES: Final = (
    (RANDOM, mark("Random positions")),
    (POLICY, mark("Games by the net's policy")),
    (GAMES, mark("A file of games…")),
    (FOLDER, mark("A folder of games…")),
    (REPLAY, mark("Games of a training run…")),
)
NUMBER: Final = 500
SIMULATIONS: Final = 400
_MOST: Final = 1_000_000


class AuditForm(QWidget):
    """The fields and the button that begins, stops or continues, ``pressed``; ``begun_anew``: not continued."""

    pressed = Signal()
    begun_anew = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.place: Path | None = None
        self.second: Path | None = None
        self.kind: QComboBox = choice_box(self, SOURCES, self._choose_place)
        set_texts(self.kind, accessibleName="Source of the positions")
        self.where = ShortLabel(self)
        self.where.setObjectName("dim")
        self.number = self._number(str(NUMBER), "Number of positions")
        self.plies = self._number("", "Plies of the positions")
        set_texts(
            self.plies,
            placeholderText="all",
            toolTip="Moves played before the positions, as in 8-20; empty: the usual ones.",
        )
        self.simulations = self._number(str(SIMULATIONS), "Simulations for each position")
        self.other = set_texts(QPushButton(self), text="Second net…")
        self.other.clicked.connect(lambda _=False: self._choose_second())
        self.run = main_button("Find blind spots", self)
        self.run.clicked.connect(lambda _=False: self.pressed.emit())
        self.anew = set_texts(QPushButton(self), text="New audit")
        self.anew.clicked.connect(lambda _=False: self.begun_anew.emit())
        row = FoldingRow(self)
        inner = row.fold_right()
        words = [set_texts(QLabel(self), text=one) for one in (mark("positions"), mark("plies"), mark("simulations"))]
        for part, widgets in (
            (row.left, (self.kind, self.number, words[0], self.plies, words[1])),
            (inner.left, (self.simulations, words[2], self.other)),
            (inner.right, (self.where, self.anew, self.run)),
        ):
            part.setSpacing(8)
            for widget in widgets:
                part.addWidget(widget)
        row.left.addStretch(1)
        inner.left.addStretch(1)
        row.set_stretch(0, 1)
        inner.set_stretch(0, 1)
        inner.right.setStretch(0, 1)
        top = QVBoxLayout(self)
        top.setContentsMargins(10, 2, 8, 2)
        top.addWidget(row)
        on_language(self, self._show_where)

    def _number(self, text: str, name: Words) -> NumberEdit:
        field = NumberEdit(self, name)
        field.setFixedWidth(64)
        field.setText(text)
        return field

    def source(self) -> tuple[Source, int]:
        """The source entered, and the simulations; ``ValueError`` with one sentence for a wrong field."""
        from models.audit.work import Source, read_plies

        number, simulations = self.number.whole(1, _MOST), self.simulations.whole(2, _MOST)
        text = self.plies.text().strip()
        try:
            plies = read_plies(text) if text else None
        except ValueError as error:
            mark_bad(self.plies, True)
            raise ValueError(text_of(error)) from None
        mark_bad(self.plies, False)
        kind = self.kind.currentData()
        if kind in (GAMES, FOLDER, REPLAY) and self.place is None:
            raise ValueError(Text("Choose where the games are."))
        return Source(GAMES if kind == FOLDER else kind, number, self.place, plies), simulations

    def show_running(self, running: bool, resumable: bool, possible: bool) -> None:
        """What the button does; ``possible``: there is a net to audit."""
        words = mark("Stop") if running else mark("Continue") if resumable else mark("Find blind spots")
        set_texts(self.run, text=words)
        self.run.setEnabled(running or resumable or possible)
        self.anew.setVisible(resumable and possible)
        for field in (self.kind, self.number, self.plies, self.simulations, self.other):
            field.setEnabled(not running)

    def _choose_place(self) -> None:
        kind, title = self.kind.currentData(), self.kind.currentText()
        self.place = None
        if kind == GAMES:
            name, _ = QFileDialog.getOpenFileName(self, title, "", tr("Games (*.sgf *.plyscope);;All files (*)"))
            self.place = Path(name) if name else None
        elif kind in (FOLDER, REPLAY):
            name = QFileDialog.getExistingDirectory(self, title)
            self.place = Path(name) if name else None
        if self.place is None and kind in (GAMES, FOLDER, REPLAY):
            self.kind.setCurrentIndex(0)
        self._show_where()

    def _choose_second(self) -> None:
        """Choose a second net, or none where one is chosen."""
        if self.second is not None:
            self.second = None
        else:
            name, _ = QFileDialog.getOpenFileName(self, tr("Second net"), "", tr("Nets (*.onnx);;All files (*)"))
            self.second = Path(name) if name else None
        set_texts(self.other, text=mark("One net only") if self.second is not None else mark("Second net…"))
        self._show_where()

    def _show_where(self) -> None:
        parts = [str(self.place)] if self.place is not None else []
        if self.second is not None:
            parts.append(tr("second net: {net}").format(net=self.second.name))
        self.where.setText(" · ".join(parts))
