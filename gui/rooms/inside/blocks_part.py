"""The part that shows what the net wants of the position after each of its blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSlider, QWidget

from core.text import Words
from gui.jobs.inside import LensJob
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.shown import CellShown, CellsShown
from gui.rooms.inside.film_strip import BlockFrame, FilmStrip, frames_of
from gui.rooms.inside.part import InsidePart
from gui.widgets.board.board_paint import anchors, kind_of
from gui.widgets.board.overlays.overlay import LEAST_SHARE, MOST_TEXTS
from gui.widgets.board.overlays.policy import LOWEST_PRIOR, log_scale
from gui.widgets.figures import count, percent, plain, rough_percent
from gui.widgets.folding_row import FoldingRow
from gui.widgets.form import choice_box
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.room import scroll_down
from gui.widgets.text_size import px
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
LEAST_SLIDER: Final = 100  # px of the slider, beyond its least width, beside the box
MOVER: Final[Words] = "{mover} is to move. {sentence}"
WAITS: Final[Words] = "Until the lens is fitted, by the net's own heads: {mover} is to move. {sentence}"
MEANING: Final[Words] = (
    "P in percent by move; V: the value for the side to move; KL: how far P lies from the net's answer, in nats, 0 for "
    "the same. The stem is what comes before the first block."
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
        self.on_board = self.board_box(self.body)
        self.ends = QLabel(self.body)
        self.slider.setPageStep(1)
        self.slider.valueChanged.connect(self._turn_to)
        words = QWidget(self.body)
        lay_column(self.sentence, self.note, of=words, margins=0, spacing=2)
        top = self.lay_head(words, self.way)
        low = FoldingRow(self.body, spare=lambda: px(LEAST_SLIDER))
        for widget, stretch in (
            (set_texts(QLabel(low), text="As if it ended here:"), 0),
            (self.slider, 1),
            (self.ends, 0),
        ):
            low.left.addWidget(widget, stretch)
        low.right.addStretch(1)
        low.right.addWidget(self.on_board)
        low.set_stretch(1, 0)
        area = scroll_down(self.film, self.body, "What each block wants")
        self.film.fill(area.viewport())
        lay_column(
            top,
            lay_row(low, margins=(12, 2, 10, 6)),
            (area, 1),
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
        waits = self.way.currentData() == FITTED and not self.fitted and self._job.running
        self.sentence.setText(tr(WAITS if waits else MOVER).format(mover=mover, sentence=words))
        place = self.slider.value()
        self.film.show_frames(strip.position, frames, place, [self._tip(k) for k in range(len(frames))])
        self.film.describe(frames, strip.position)
        self._write_note()
        self._mark_block()
        self.offer_cells()

    def _tip(self, block: int) -> str:
        """What the figures mean, and once that was measured how well the block reads on positions of other games."""
        lens = None if self.strip is None else self._job.lens_of(self.reader.source, self.strip.position.game)
        if lens is None:
            return tr(MEANING)
        reading: Reading = (lens.fitted if self.fitted else lens.own)[block]
        kl, same = reading.divergence, reading.agreement
        measured = tr(
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
        return f"{tr(MEANING)} {measured}"

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
        self._show()
        if self._job.lens is not None and not self._job.running:
            self.ask()

    # the board of the window

    def _choose_block(self, place: int) -> None:
        self.slider.setValue(place)

    def _turn_to(self, place: int) -> None:
        """Show a block on the board; the last one is the net itself, with which the board has its overlay back."""
        self._mark_block()
        self.offer_cells()
        self._state.show_cells(self._state.cells is not None and place < self.slider.maximum())

    def _mark_block(self) -> None:
        """Name the block of the slider, and mark its frame."""
        frames, place = self.frames, self.slider.value()
        if not frames:
            return
        self.ends.setText(tr("the whole net") if place == len(frames) - 1 else core_text(frames[place].name))
        for i, view in enumerate(self.film.views[: len(frames)]):
            if view.chosen != (i == place):
                view.chosen = i == place
                view.update()

    def cells(self) -> CellsShown | None:
        strip, frames, place = self.strip, self.frames, self.slider.value()
        if strip is None:
            return None
        mover = tr("for {player}").format(player=kind_of(strip.position.game.name).players[strip.position.to_move])
        words = (
            tr("as if the net ended after {block}, through a lens · {mover} · log")
            if self.fitted
            else tr("as if the net ended after {block} · {mover} · log")
        )
        return CellsShown(
            strip.position,
            self.answered[1],
            tr("Net cut short"),
            words.format(block=core_text(frames[place].name), mover=mover),
            policy_cells(strip.position, frames[place].shares),
            "",  # the legend explains the ring
            ramp="prior_ramp",
            low=percent(LOWEST_PRIOR),
            high="100 %",
        )

    def _leave(self) -> None:
        """Give the board its own overlay back, and fit no lens for a room that nobody sees."""
        self._job.stop()
        self.slider.setValue(self.slider.maximum())


def policy_cells(position: Position, shares: Mapping[int, float]) -> tuple[CellShown, ...]:
    """The moves of a policy on a logarithmic scale, the largest ringed; without the least likely ones."""
    cells, most = anchors(position), max(shares.values(), default=0.0)
    alone = sum(share >= most * 0.999 for share in shares.values()) == 1
    named = sorted(shares, key=shares.__getitem__, reverse=True)[:MOST_TEXTS]
    shown = []
    for action, share in sorted(shares.items()):
        if share >= LOWEST_PRIOR:
            t = log_scale(share)
            text = rough_percent(share) if share >= LEAST_SHARE and action in named else ""
            opacity, ringed = 0.25 + 0.75 * t, alone and share == most
            shown.append(CellShown(cells.get(action, -1), t, text, action=action, opacity=opacity, ringed=ringed))
    return tuple(shown)
