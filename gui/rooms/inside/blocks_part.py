"""The part that shows what the net wants of the position after each of its blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSlider, QWidget

from core.text import Words
from gui.jobs.inside import LensJob
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.shown import BlockAnswer
from gui.rooms.inside.film_strip import BlockFrame, FilmStrip, frames_of
from gui.rooms.inside.part import InsidePart
from gui.widgets.board.board_paint import kind_of
from gui.widgets.figures import count, percent, plain
from gui.widgets.form import choice_box
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.room import scroll_down
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from core.games import Position
    from gui.context import Context
    from gui.jobs.inside import InsideReader, OpenNet
    from gui.jobs.newest import Report, Stale
    from models.inside.blocks import Strip
    from models.inside.lens import Reading

OWN, FITTED = "own", "fitted"
WAYS: Final[tuple[tuple[str, Words], ...]] = (
    (OWN, "Read by the net's own heads"),
    (FITTED, "Read through a fitted lens"),
)
OWN_NOTE: Final[Words] = (
    "The net's heads were trained with the last block alone: an early block may know more than they read."
)
FITTED_NOTE: Final[Words] = (
    "A straight map of each block's channels to the last one's, fitted to {fitted} positions of play: KL and agreement "
    "on {others} other positions stand in the tips of the boards."
)


class BlocksPart(InsidePart):
    """A sentence, the film strip, and a slider that shows one of the blocks on the board of the window."""

    def __init__(self, context: Context, reader: InsideReader) -> None:
        super().__init__(reader)
        self._state = context.state
        self._job = LensJob(self)
        self.strip: Strip | None = None
        self.sentence = make_label(self.body, "strong", wrap=True)
        self.note = make_label(self.body, "dim", wrap=True)
        self.way = choice_box(self.body, WAYS, self._choose_way, "How the blocks are read")
        self.film = FilmStrip()
        self.film.chosen.connect(self._choose_block)
        self.slider = set_texts(
            QSlider(Qt.Orientation.Horizontal, self.body),
            accessibleName="As if the net ended here",
            toolTip="Shows on the board what the net would want if it ended after this block; at the right end it is "
            "the net's own answer, and the board shows what it showed before.",
        )
        self.ends = QLabel(self.body)
        self.slider.setPageStep(1)
        self.slider.valueChanged.connect(self._drive)
        words = QWidget(self.body)
        lay_column(self.sentence, self.note, of=words, margins=0, spacing=2)
        top = lay_row((words, 1), self.way, margins=(12, 4, 10, 2), spacing=10)
        low = lay_row(
            set_texts(QLabel(self.body), text="As if it ended here:"),
            (self.slider, 1),
            self.ends,
            margins=(12, 2, 10, 6),
        )
        lay_column(
            top,
            low,
            (scroll_down(self.film, self.body, "What each block wants"), 1),
            of=self.body,
            margins=0,
            spacing=2,
        )
        self._job.changed.connect(self._lens_changed)
        self._job.progressed.connect(lambda _: self._write_note())
        context.events.closing.connect(self._leave)
        context.events.escaped.connect(self._job.stop)
        self.in_sight.connect(lambda seen: None if seen else self._leave())
        on_language(self, self._show)

    # the answer

    def look(self, net: OpenNet, position: Position, stale: Stale, report: Report) -> Strip | None:
        from models.inside.blocks import strip_of

        lens = self._job.lens_of(net.source, net.game)
        return None if stale() else strip_of(net.tapped, position, lens)

    def show_answer(self, answer: Strip) -> None:
        blocks = self.strip.blocks if self.strip is not None else ()
        self.strip = answer
        last = len(answer.blocks) - 1
        if answer.blocks != blocks:
            self.slider.blockSignals(True)
            self.slider.setRange(0, last)
            self.slider.setValue(last)
            self.slider.blockSignals(False)
        self._ask_lens()
        self._show()

    def forget_answer(self) -> None:
        self.strip = None
        self._leave()

    @property
    def fitted(self) -> bool:
        """Whether the lens reads the blocks shown."""
        return self.way.currentData() == FITTED and self.strip is not None and self.strip.fitted is not None

    @property
    def frames(self) -> tuple[BlockFrame, ...]:
        """What is shown of each block."""
        if self.strip is None:
            return ()
        views = self.strip.fitted if self.fitted else self.strip.own
        assert views is not None
        return frames_of(self.strip.position, self.strip.blocks, views)

    def _show(self) -> None:
        strip, frames = self.strip, self.frames
        if strip is None:
            return
        from models.inside.blocks import turning

        views = strip.fitted if self.fitted else strip.own
        assert views is not None
        mover = kind_of(strip.position.game.name).players[strip.position.to_move]
        words = core_text(turning(strip.position, strip.blocks, views))
        self.sentence.setText(tr("{mover} is to move. {sentence}").format(mover=mover, sentence=words))
        place = self.slider.value()
        self.film.show_frames(strip.position, frames, place, [self._tip(k) for k in range(len(frames))])
        self.film.describe(frames, strip.position)
        self._write_note()
        self._drive()

    def _tip(self, block: int) -> str:
        """How well a block reads on positions of other games, once that was measured."""
        lens = None if self.strip is None else self._job.lens_of(self.reader.source, self.strip.position.game)
        if lens is None:
            return ""
        reading: Reading = (lens.fitted if self.fitted else lens.own)[block]
        kl, same = reading.divergence, reading.agreement
        return tr(
            "On {positions} positions of play: KL {kl} ({low} to {high}) from the net's answer, the same first move in "
            "{share} ({least} to {most})"
        ).format(
            positions=count(lens.held_out),
            kl=plain(kl.mean, 2),
            low=plain(kl.low, 2),
            high=plain(kl.high, 2),
            share=percent(same.mean, 0),
            least=percent(same.low, 0),
            most=percent(same.high, 0),
        )

    def _write_note(self) -> None:
        lens = None if self.strip is None else self._job.lens_of(self.reader.source, self.strip.position.game)
        if self._job.running:
            self.note.setText(core_text(self._job.words) or tr("Fitting the lens…"))
        elif self.fitted and lens is not None:
            self.note.setText(tr(FITTED_NOTE).format(fitted=count(lens.positions), others=count(lens.held_out)))
        else:
            self.note.setText(core_text(self._job.error) or tr(OWN_NOTE))

    # the lens

    def _choose_way(self) -> None:
        if self.way.currentData() == OWN:
            self._job.stop()
        self._ask_lens()
        self._show()

    def _ask_lens(self) -> None:
        """Fit the lens where it is wished and there is none."""
        source, strip = self.reader.source, self.strip
        if self.way.currentData() == FITTED and source is not None and strip is not None and strip.fitted is None:
            if self._job.lens_of(source, strip.position.game) is not None:
                self.ask()
            else:
                self._job.fit(source, strip.position.game)

    def _lens_changed(self) -> None:
        self._write_note()
        if self._job.lens is not None and not self._job.running:
            self.ask()

    # the board of the window

    def _choose_block(self, place: int) -> None:
        self.slider.setValue(place)

    def _drive(self) -> None:
        """Show the block of the slider on the board; the last one is the net itself."""
        strip, place = self.strip, self.slider.value()
        if strip is None:
            return
        frames = self.frames
        self.ends.setText(tr("the whole net") if place == len(frames) - 1 else core_text(frames[place].name))
        for i, view in enumerate(self.film.views[: len(frames)]):
            if view.chosen != (i == place):
                view.chosen = i == place
                view.update()
        shown = place < len(frames) - 1 and self._in_sight
        frame = frames[place]
        self._state.show_block(BlockAnswer(strip.position, frame.name, frame.shares, self.fitted) if shown else None)

    def _leave(self) -> None:
        """Give the board its own overlay back, and fit no lens for a room that nobody sees."""
        self._job.stop()
        self.slider.setValue(self.slider.maximum())
        self._state.show_block(None)
