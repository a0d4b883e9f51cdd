"""Where a run learned a mistake: the samples that pushed its nets there, as boards.

The run can leave them out and start games in such positions from now on.  The command ``plyscope influence`` traces
them, in a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QWidget

from core.text import Text, Words, text_of
from gui.jobs.newest import Newest, Stale
from gui.language.language import tr
from gui.rooms.training.launcher import child_environment, own_program
from gui.rooms.training.run_model import RunModel
from gui.rooms.training.samples import Sample, Shard, read_shard
from gui.widgets.board.small_board import SmallBoard
from gui.widgets.figures import count, percent
from gui.widgets.folding_row import FoldingRow
from gui.widgets.form import ComboBox
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column
from gui.widgets.texts import on_language, set_texts
from gui.widgets.tips import set_tip
from models.commands.to_window import error_in
from models.play.left_out import LeftOut, leave_out
from models.play.run_openings import start_at, starts_at
from models.runs.folder import LEFT_OUT, REPLAY

if TYPE_CHECKING:
    from core.games import Position

OUTCOME = "--outcome"  # among the moves: what the net expects is the mistake
RESULTS: tuple[Words, ...] = ("win", "draw", "loss")
SHOWN = 12  # boards
ACROSS = 6
_POLL_S = 0.2


@dataclass(frozen=True)
class Blamed:
    """A sample that pushed a run's nets towards a mistake."""

    shard: str  # name of the file without its ending
    iteration: int
    left_out: LeftOut
    push: float  # as a share of all pushes there
    sample: Sample | None  # of the first ones


@dataclass(frozen=True)
class Learned:
    """The samples to blame for a mistake, the strongest first."""

    position: Position
    wrong: str
    right: str
    is_outcome: bool  # both are: win, draw or loss
    share: float  # of all that pushed there
    looked_at: int
    blamed: tuple[Blamed, ...]
    openings: tuple[tuple[int, ...], ...]  # the position, and neighbours that the net gets wrong too


class BlamedCard(QFrame):
    """The board of a sample, with the target that was learned; a click opens its game."""

    opened = Signal()

    def __init__(self, blamed: Blamed, sample: Sample, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.board = SmallBoard(self)
        self.board.setMinimumSize(110, 100)
        self.board.setCursor(Qt.CursorShape.PointingHandCursor)
        self.board.show_position(sample.position, sample.target, "share_ramp")
        self.board.clicked.connect(self.opened)
        title = make_label(self, "dim")
        set_texts(
            title,
            text=lambda: tr("iteration {iteration}, game {game}\n{share} of the push").format(
                iteration=count(blamed.iteration), game=count(sample.game + 1), share=percent(blamed.push)
            ),
        )
        set_texts(self.board, toolTip="What was learned here, as heat. A click opens the game at this position.")
        lay_column((self.board, 1), title, of=self, margins=6, spacing=4)


class LearnedWhere(QFrame):
    """The question, its answer as boards, and the buttons that leave these samples out and add positions."""

    position_opened = Signal(object, int)
    failed = Signal(object)
    notified = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.program: Sequence[str] = own_program()
        self._run: RunModel | None = None
        self._position: Position | None = None
        self.learned: Learned | None = None
        self.cards: list[BlamedCard] = []
        self.job = Newest(self)
        self.job.answered.connect(self._take)
        self.job.failed.connect(self._fail)
        self.ask = set_texts(QPushButton(self), text="Where did it learn that?")
        set_texts(
            self.ask,
            toolTip="For a mistake of the newest net in this position: the samples of the run that pushed it there",
        )
        self.ask.clicked.connect(self._ask)
        self.wrong, self.right = ComboBox(self), ComboBox(self)
        self.wrong.currentIndexChanged.connect(lambda _: self._fill_right())
        set_texts(self.wrong, accessibleName="The mistake")
        set_texts(self.right, accessibleName="The better move")
        self.words = make_label(self, "dim", wrap=True)
        self.leave = set_texts(QPushButton(self), text="Leave these out")
        set_texts(self.leave, toolTip="From its next start on the run learns no more from any of these samples")
        self.leave.clicked.connect(self._leave_out)
        self.again = set_texts(QPushButton(self), text="Learn from all again")
        set_texts(self.again, toolTip="From its next start on the run learns from the samples that were left out, too")
        self.again.clicked.connect(self._take_back)
        self.add = QPushButton(self)
        self.add.clicked.connect(self._add_or_remove)
        row = FoldingRow(self)
        for part in (self.ask, self.wrong, make_label(self, "dim", "instead of"), self.right):
            row.left.addWidget(part)
        row.left.addStretch(1)
        for button in (self.leave, self.again, self.add):
            row.right.addWidget(button)
        for half in (row.left, row.right):
            half.setSpacing(8)
        self._boards = QWidget(self)
        self._grid = QGridLayout(self._boards)
        self._grid.setContentsMargins(0, 0, 0, 0)
        lay_column(row, self.words, self._boards, of=self, margins=(12, 7, 12, 7), spacing=6)
        on_language(self, self._show)
        self._say("")
        self._fill_moves()
        self._show()

    def show_case(self, run: RunModel | None, position: Position | None) -> None:
        """Ask about this run and position from now on."""
        if run is self._run and position == self._position:
            return
        self._run, self._position, self.learned = run, position, None
        self.job.forget()
        self._say("")
        self._fill_moves()
        self._show()

    def _fill_moves(self) -> None:
        self.wrong.clear()
        for name in ("", OUTCOME, *self._moves()):
            self.wrong.addItem(name, name)
        self._fill_right()

    def _moves(self) -> list[str]:
        position = self._position
        return [] if position is None else list(map(position.game.action_name, position.legal_actions()))

    def _fill_right(self) -> None:
        """Offer moves, or results where the mistake is one; what was chosen stays."""
        chosen = self.right.currentData()
        self.right.clear()
        for name in ("", *(RESULTS if self._asks_outcome else self._moves())):
            self.right.addItem(name, name)
        self.right.setCurrentIndex(max(0, self.right.findData(chosen)))
        self._name_choices()

    @property
    def _asks_outcome(self) -> bool:
        return bool(self.wrong.currentData() == OUTCOME)

    def _name_choices(self) -> None:
        self.wrong.setItemText(0, tr("the net's first move"))
        self.wrong.setItemText(1, tr("the result that it expects"))
        if not self._asks_outcome:
            self.right.setItemText(0, tr("the exact solver's move"))
            return
        self.right.setItemText(0, tr("the exact result"))
        for place, result in enumerate(RESULTS):
            self.right.setItemText(1 + place, tr(result))

    def _ask(self) -> None:
        run, position = self._run, self._position
        if run is None or position is None:
            return
        words = [*self.program, "influence", str(run.path), "--json", "--position", written(position)]
        if self._asks_outcome:
            words.append(OUTCOME)
        elif self.wrong.currentData():
            words += ["--wrong", self.wrong.currentData()]
        if self.right.currentData():
            words += ["--right", self.right.currentData()]
        self.learned = None
        self._show()
        self.ask.setEnabled(False)
        self._say(Text("asking the run's kept nets about its samples, which takes up to a minute"))
        path, game = run.path, run.game
        self.job.put(lambda stale, report: _traced(words, path, game, position, stale))

    def _say(self, words: Words | Callable[[], str]) -> None:
        set_texts(self.words, text=words)
        self.words.setVisible(words != "")

    def _fail(self, sentence: str) -> None:
        self._say(sentence)
        self._show()

    def _take(self, learned: Learned | None) -> None:
        self.learned = learned
        if learned is not None:
            self._say(partial(_about, learned))
        self._show()

    def _show(self) -> None:
        position, learned = self._position, self.learned
        self._name_choices()
        self.ask.setEnabled(position is not None and not position.is_over)
        for card in self.cards:
            self._grid.removeWidget(card)
            card.deleteLater()
        self.cards = []
        for blamed in () if learned is None else learned.blamed:
            if blamed.sample is not None:
                card = BlamedCard(blamed, blamed.sample, self._boards)
                card.opened.connect(partial(self._open, blamed.sample))
                self._grid.addWidget(card, len(self.cards) // ACROSS, len(self.cards) % ACROSS)
                self.cards.append(card)
        self._boards.setVisible(bool(self.cards))
        self.leave.setVisible(bool(learned is not None and learned.blamed))
        self.again.setVisible(self._run is not None and (self._run.path / LEFT_OUT).exists())
        self.add.setVisible(bool(learned and learned.openings))
        if learned is not None:
            self._show_adding(learned)

    def _show_adding(self, learned: Learned) -> None:
        added = self._starts_there(learned)
        self.add.setText(tr("Add them no more") if added else tr("Add such positions"))
        tip = tr(
            "From its next start on the run starts some of its games from {number} positions: this one, and neighbours "
            "two quiet moves further on that its newest net gets wrong too"
        )
        words = tr("From its next start on the run starts no games from these {number} positions") if added else tip
        set_tip(self.add, words.format(number=count(len(learned.openings))))

    def _starts_there(self, learned: Learned) -> bool:
        try:
            return self._run is not None and starts_at(self._run.path, learned.position.game, learned.openings)
        except (OSError, ValueError):  # which is said when a position is added
            return False

    def _open(self, sample: Sample) -> None:
        self.position_opened.emit(sample.end(), sample.position.ply)

    def _leave_out(self) -> None:
        if self._run is None or self.learned is None:
            return
        try:
            number = leave_out(self._run.path, [(blamed.shard, blamed.left_out) for blamed in self.learned.blamed])
        except (OSError, ValueError) as error:
            self.failed.emit(Text("The samples cannot be left out: {error}", error=text_of(error)))
            return
        self._show()
        self.notified.emit(
            Text("From its next start on the run learns from all samples but {number}", number=count(number))
        )

    def _add_or_remove(self) -> None:
        run, learned = self._run, self.learned
        if run is None or learned is None:
            return
        try:
            number = start_at(run.path, learned.position.game, learned.openings, not self._starts_there(learned))
        except (OSError, ValueError) as error:
            self.failed.emit(Text("The positions cannot be changed: {error}", error=text_of(error)))
            return
        self._show()
        self.notified.emit(
            Text(
                "From its next start on the run starts some of its games from {number} positions", number=count(number)
            )
            if number
            else Text("From its next start on the run starts its games from no given position")
        )

    def _take_back(self) -> None:
        if self._run is None:
            return
        (self._run.path / LEFT_OUT).unlink(missing_ok=True)
        self._show()
        self.notified.emit(Text("From its next start on the run learns from all its samples again"))


def written(position: Position) -> str:
    """A position as the command line reads it: its moves, or a diagram where it was set up."""
    game = position.game
    if position.start == game.initial():
        return " ".join(map(game.action_name, position.moves))
    return position.diagram()


def _about(learned: Learned) -> str:
    wrong, right = (tr(name) if learned.is_outcome else name for name in (learned.wrong, learned.right))
    if not learned.blamed:
        words = tr("None of {looked_at} samples pushed from {right} to {wrong}.")
    else:
        words = tr(
            "{count} of {looked_at} samples make {share} of all that pushed from {right} to {wrong}. The strongest:"
        )
    return words.format(
        count=count(len(learned.blamed)),
        looked_at=count(learned.looked_at),
        share=percent(learned.share),
        right=right,
        wrong=wrong,
    )


def _traced(words: Sequence[str], run: Path, game: str, position: Position, stale: Stale) -> Learned | None:
    """What the command says, with the first samples read; None when it is no longer asked."""
    process = subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        env={**child_environment(), "PYTHONIOENCODING": "utf-8"},
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0) if os.name == "nt" else 0,
    )
    while True:
        try:
            out, err = process.communicate(timeout=_POLL_S)
            break
        except subprocess.TimeoutExpired:
            if stale():
                process.kill()
                process.communicate()
                return None
    lines = [line.strip() for line in err.splitlines() if line.strip()]
    if process.returncode:
        reason = error_in(lines) or "".join(lines[-1:])
        raise ValueError(reason or Text("the command ended with {returncode}", returncode=process.returncode))
    return learned_of(json.loads(out), run, game, position)


def learned_of(data: dict[str, Any], run: Path, game: str, position: Position) -> Learned:
    """The answer of the command, with the first samples as they lie in the run's shards."""
    shards: dict[str, Shard] = {}
    total = sum(entry["push"] for entry in data["samples"]) / data["share"] if data["samples"] else 1.0
    blamed: list[Blamed] = []
    for entry in data["samples"]:
        name, sample = entry["shard"], None
        if len(blamed) < SHOWN:
            if name not in shards:
                shards[name] = read_shard(run / REPLAY / f"{name}.npz", game)
            sample = shards[name].sample(entry["row"])
        blamed.append(
            Blamed(name, entry["iteration"], LeftOut(entry["row"], entry["mark"]), entry["push"] / total, sample)
        )
    openings = tuple(tuple(map(position.game.parse_action, moves)) for moves in data["openings"])
    choice = data["wrong"], data["right"], data["outcome"]
    return Learned(position, *choice, data["share"], data["looked_at"], tuple(blamed), openings)
