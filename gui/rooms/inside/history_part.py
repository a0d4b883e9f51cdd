"""The part of the room that shows when the nets of a training run learnt which concept, beside a search with them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtWidgets import QPushButton

from core.text import Text, Words
from gui.jobs.concepts import HistoryJob
from gui.language.core_words import core_text
from gui.language.language import begun, tr
from gui.rooms.inside.concepts_grid import NOT_ABOVE, ConceptsGrid, Place
from gui.rooms.inside.concepts_part import searched_words
from gui.rooms.inside.part import InsidePart
from gui.widgets.figures import percent
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.room import scroll_down
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from pathlib import Path

    from core.games import Position
    from gui.context import Context
    from gui.jobs.inside import InsideReader, OpenNet
    from gui.jobs.newest import Report, Stale
    from models.inside.history import History, KeptNet

HOW: Final[Words] = (
    "The last block of up to 20 kept nets of this run is asked for each concept, in the same positions, and a search "
    "with each net for its moves. It takes some seconds to a minute for each net, beside the search, and goes on where "
    "it was stopped."
)
LEGEND: Final[Words] = (
    "Colour: how far the last block tells the concept above its baselines; grey: {grey}. Ring: from here on a search "
    "of {count} simulations knows it, choosing a move of the concept in more than half of the positions that have one; "
    "dot: so does the net alone."
)


class RunOfNet(NamedTuple):
    """The run that the net on the board belongs to."""

    folder: Path
    nets: tuple[KeptNet, ...]


class HistoryPart(InsidePart):
    """A button that examines the nets of the run, and a grid of concepts and iterations."""

    asks_again = True  # a run may have kept more nets

    def __init__(self, context: Context, reader: InsideReader) -> None:
        super().__init__(reader)
        self.job = HistoryJob(self)
        self.run: RunOfNet | None = None
        self.about = make_label(self.body, "dim", wrap=True)
        self.button = QPushButton(self.body)
        self.legend = make_label(self.body, "dim", wrap=True)
        self.grid = ConceptsGrid("Concepts by iteration")
        self.area = scroll_down(self.grid, self.body, "Concepts by iteration")
        self.sentence = make_label(self.body, "strong", wrap=True)
        self.words = make_label(self.body, "dim", wrap=True)
        head = lay_row((self.about, 1), self.button, margins=(12, 4, 10, 2), spacing=8)
        line = lay_row((self.legend, 1), margins=(12, 0, 10, 0))
        below = lay_column(self.sentence, self.words, margins=(12, 2, 10, 8), spacing=3)
        lay_column(head, line, (self.area, 1), below, of=self.body, margins=0, spacing=2)
        self.button.clicked.connect(lambda _=False: self._press())
        self.grid.chosen.connect(self._write_chosen)
        self.job.changed.connect(self._renew)
        self.job.progressed.connect(self._progress)
        context.events.closing.connect(self.job.stop)
        self._renew()
        on_language(self, self._renew)

    @property
    def history(self) -> History | None:
        """What was found of the run's nets so far."""
        return None if self.run is None else self.job.history(self.run.folder)

    # what InsidePart asks

    def look(self, net: OpenNet, position: Position, stale: Stale, report: Report) -> RunOfNet:
        from models.inside.history import nets_of_run, run_of

        folder = run_of(net.source.path)
        if folder is None:
            raise ValueError(
                Text("the net on the board belongs to no training run that keeps two nets or more; open one of a run")
            )
        return RunOfNet(folder, nets_of_run(folder))

    def show_answer(self, answer: RunOfNet) -> None:
        self.run = answer
        self._renew()

    def forget_answer(self) -> None:
        self.run = None

    # implementation

    def _press(self) -> None:
        position = self.reader.position
        if self.job.running:
            self.job.stop()
        elif self.run is not None and position is not None:
            self.job.examine(self.run.folder, self.run.nets, position.game)

    def _progress(self, value: object) -> None:
        if isinstance(value, float):
            self._write_about()
        else:
            self._renew()

    def _renew(self) -> None:
        """Show what is known now."""
        history = self.history
        if history is not self.grid.report:
            self.grid.show_history(history)
        for widget in (self.area, self.legend, self.sentence, self.words):
            widget.setVisible(history is not None)
        is_whole = history is not None and self.run is not None and history.nets == self.run.nets
        set_texts(self.button, text="Stop" if self.job.running else "Examine the nets")
        self.button.setVisible(self.job.running or not is_whole)
        self._write_about()
        self._write_chosen()

    def _write_about(self) -> None:
        history = self.history
        if self.job.running and not self.job.part:
            self.about.setText(
                tr("Some thousand positions are played first, half of them at random and half by the last net…")
            )
        elif self.job.running:
            self.about.setText(tr("Examining: {share}").format(share=percent(self.job.part)))
        elif self.job.error and self.run is not None and self.job.folder == self.run.folder:
            self.about.setText(begun(core_text(self.job.error)))
        elif history is None or self.run is None:
            self.about.setText(tr(HOW))
        else:
            last = history.columns[-1]
            words = tr("{run}: {count} nets, judged by {judged} of {positions} positions, the same for all.")
            self.about.setText(
                words.format(
                    run=self.run.folder.name, count=len(history.nets), judged=last.judged, positions=last.positions
                )
            )

    def _write_chosen(self) -> None:
        history, concept, place = self.history, self.grid.concept, self.grid.place
        if history is None or concept is None:
            return
        from models.inside.uses import SIMULATIONS

        self.legend.setText(tr(LEGEND).format(grey=tr(NOT_ABOVE), count=SIMULATIONS[-1]))
        title, name, *rest = self.grid.words_of(Place(place.concept, place.block)).split("\n")
        self.sentence.setText(f"{title} · {name}")
        lines = [" · ".join(rest)]
        scores = history.columns[place.block].searched.get(concept.name)
        if scores is not None and not math.isnan(scores[0].value):
            lines += [searched_words(scores), self._known_words(history, concept.name)]
        self.words.setText("\n".join(lines))

    def _known_words(self, history: History, name: str) -> str:
        """Whether a search knows a concept before the net does."""
        from models.inside.uses import SIMULATIONS

        search, alone = (history.first_known(name, count) for count in (SIMULATIONS[-1], SIMULATIONS[0]))
        if search is None:
            return tr("Neither a search of {count} simulations nor the net alone knows it.").format(
                count=SIMULATIONS[-1]
            )
        first = core_text(history.blocks[search])
        if alone is None:
            words = tr("A search of {count} simulations knows it first at {search}; the net alone does not.")
            return words.format(count=SIMULATIONS[-1], search=first)
        words = tr("A search of {count} simulations knows it first at {search}, the net alone at {alone}.")
        return words.format(count=SIMULATIONS[-1], search=first, alone=core_text(history.blocks[alone]))
