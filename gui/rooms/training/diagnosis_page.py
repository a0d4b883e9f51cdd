"""What is wrong with a run: a card for each finding of its doctor, with the experiment that shows it."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget

from core.text import Text, Words
from gui.jobs.newest import Newest, Report, Stale
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.rooms.training.run_model import RunModel
from gui.rooms.training.run_page import RunPage
from gui.widgets.bars import BarChart, BarRow, Bars, Span, scale_of
from gui.widgets.figures import count, plain
from gui.widgets.labels import make_frame, make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from pathlib import Path

    from models.doctor.diagnosis import Diagnosis
    from models.doctor.findings import Experiment, Finding
    from models.inside.probes import Score

_LOOKS = {"proved": "error", "shown": "error", "likely": "dim"}  # of the words for how sure a finding is
_AS_IT_IS: Words = "as it is"
_CHANGED: Words = "changed"


class FindingCard(QFrame):
    """One finding."""

    def __init__(self, number: int, finding: Finding, parent: QWidget) -> None:
        super().__init__(parent)
        from models.doctor.findings import CERTAINTIES

        self.setObjectName("card")
        self.finding = finding
        title = set_texts(QLabel(self), text=lambda: f"{number}  {_capital(core_text(finding.title))}")
        title.setObjectName("heading")
        certainty = make_label(self, _LOOKS[finding.certainty], CERTAINTIES[finding.certainty])
        sentence = set_texts(QLabel(self), text=lambda: _capital(core_text(finding.sentence)))
        sentence.setWordWrap(True)
        body = lay_column(
            lay_row((title, 1), certainty, spacing=12), sentence, of=self, margins=(14, 10, 14, 12), spacing=6
        )
        if finding.since is not None:
            body.addWidget(make_label(self, "dim", Text("seen from iteration {iteration} on", iteration=finding.since)))
        if finding.experiment is not None:
            body.addSpacing(4)
            self._add_experiment(body, finding.experiment)

    def _add_experiment(self, body: QVBoxLayout, experiment: Experiment) -> None:
        change = make_label(self, "dim", wrap=True)
        set_texts(change, text=lambda: _experiment_words(experiment))
        body.addWidget(change)
        self.bars = Bars(self, experiment.figure)
        on_language(self.bars, lambda: self.bars.show_chart(_chart(experiment)))
        self.bars.show_chart(_chart(experiment))
        body.addWidget(self.bars)


def _experiment_words(experiment: Experiment) -> str:
    change, figure = core_text(experiment.change), core_text(experiment.figure)
    return tr("Experiment: {change}. Below: {figure}").format(change=change, figure=figure)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _chart(experiment: Experiment) -> BarChart:
    """The figure as it is and changed, with 95 % intervals, on a scale from 0."""
    before, after = experiment.before, experiment.after
    values = [value for score in (before, after) for value in score if math.isfinite(value)]
    low, high = scale_of(values)
    rows = (_row(0, tr(_AS_IT_IS), before, "warn"), _row(1, tr(_CHANGED), after, "accent"))
    return BarChart(rows, low, high)


def _row(key: int, name: str, score: Score, colour: str) -> BarRow:
    value, low, high = score
    known = math.isfinite(low) and math.isfinite(high)
    words = plain(value, 2)
    if known:
        words = tr("{value} ({low} to {high})").format(value=words, low=plain(low, 2), high=plain(high, 2))
    return BarRow(
        key,
        name,
        (Span(0.0, value, colour),),
        words=words,
        note=plain(value, 2),
        whisker=(low, high) if known else None,
    )


class DiagnosisPage(RunPage):
    """The page; a run is looked at when it is shown here for the first time, and when the button is pressed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run: RunModel | None = None
        self.diagnosis: Diagnosis | None = None
        self.cards: list[FindingCard] = []
        self.words = make_label(self, "dim", wrap=True)
        self.job = Newest(self)
        self.job.answered.connect(self._show)
        self.job.failed.connect(self._fail)
        self.job.progressed.connect(lambda words: set_texts(self.words, text=words))
        self.again = QPushButton(self)
        set_texts(self.again, text="Look again", toolTip="Look at the newest samples, nets and reports of this run")
        self.again.clicked.connect(self._look)
        self.healthy = make_frame(self, "card")
        nothing = make_label(self.healthy, "", "Nothing that is looked for is wrong with this run.", wrap=True)
        lay_column(nothing, of=self.healthy, margins=14)
        self.healthy.hide()
        self._list = lay_column(margins=0, spacing=8)
        lay_column(
            lay_row((self.words, 1), self.again, spacing=12), self.healthy, self._list, 1, of=self, margins=0, spacing=8
        )

    def show_run(self, run: RunModel) -> None:
        """Look at a run, once."""
        if run is not self._run:
            self._run, self.diagnosis = run, None
            self._clear()
            self._look()

    def _look(self) -> None:
        if self._run is None:
            return
        self.again.setEnabled(False)
        set_texts(self.words, text="reading samples")
        path = self._run.path
        self.job.put(lambda stale, report: _diagnose(path, stale, report))

    def _clear(self) -> None:
        for card in self.cards:
            self._list.removeWidget(card)
            card.deleteLater()
        self.cards = []
        self.healthy.hide()

    def _fail(self, sentence: str) -> None:
        self.again.setEnabled(True)
        set_texts(self.words, text=sentence)

    def _show(self, diagnosis: Diagnosis) -> None:
        self.diagnosis = diagnosis
        self.again.setEnabled(True)
        self._clear()
        for number, finding in enumerate(diagnosis.findings, 1):
            card = FindingCard(number, finding, self)
            self.cards.append(card)
            self._list.addWidget(card)
        self.healthy.setVisible(not self.cards and bool(diagnosis.samples))
        set_texts(self.words, text=partial(_about, diagnosis))


def _diagnose(path: Path, stale: Stale, report: Report) -> Diagnosis:
    from models.doctor.diagnosis import diagnose

    return diagnose(path, stale, report)


def _about(diagnosis: Diagnosis) -> str:
    """What was looked at, and what could not be."""
    looked_at = tr("looked at {samples} samples of {iterations} iterations").format(
        samples=count(diagnosis.samples), iterations=count(diagnosis.iterations)
    )
    return " · ".join([_capital(looked_at), *(core_text(note) for note in diagnosis.notes)])
