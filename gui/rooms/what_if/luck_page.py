"""The page of luck: both searches under many seeds, a strip of dots for each move and search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from core.text import Words
from gui.jobs.luck import MOST, SEEDS, LuckJob, Side
from gui.language.language import tr
from gui.widgets.bars import BarChart, BarRow, Bars, Dot
from gui.widgets.figures import count, percent, signed
from gui.widgets.form import ErrorLine
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from core.engine.luck import Run, Spread
    from core.games import GameSpec
    from gui.context import Context
    from gui.rooms.what_if.second_search import SecondSearch

MOVES: Final = 7  # at most
NAMES: Final[tuple[Words, Words]] = ("First search", "Second search")
COLOURS: Final = ("accent", "low")


class LuckPage(QWidget):
    """A button, what the seeds say in words, and the strips; a click on a strip chooses its move."""

    asked = Signal()  # start or stop
    selected = Signal(int)  # action

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.job = LuckJob(self)
        self._game: GameSpec | None = None
        self.run = QPushButton(self)
        set_texts(self.run, toolTip=self._tip)
        self.words = make_label(self, "dim", wrap=True)
        self.error = ErrorLine(self)
        self.bars = Bars(self, "Visits of the moves under many seeds")
        self.bars.chosen.connect(lambda key: self.selected.emit(key // 2))
        lay_column(
            lay_row(self.run, (self.words, 1), spacing=10),
            self.error,
            self.bars,
            1,
            of=self,
            margins=(12, 4, 12, 4),
            spacing=6,
        )
        self.run.clicked.connect(self.asked)
        self.job.changed.connect(self.renew)
        self.job.progressed.connect(lambda _: self.renew())
        self.job.failed.connect(self.error.say)
        on_language(self, self.renew)
        self.renew()

    @staticmethod
    def _tip() -> str:
        words = tr(
            "Search the position {seeds} times with each search, under other seeds, to at most {most} simulations"
        )
        return words.format(seeds=SEEDS, most=count(MOST))

    def set_game(self, game: GameSpec) -> None:
        """Set the game whose moves are named."""
        self._game = game

    def renew(self) -> None:
        """Show the runs so far."""
        from core.engine.luck import is_certain, spreads

        job, game = self.job, self._game
        self.run.setText(tr("Stop") if job.running else tr("Try {n} seeds", SEEDS).format(n=SEEDS))
        done = min(map(len, job.runs))
        if game is None or not done:
            self.words.setText(tr("How much of the result is chance: the same searches under other seeds."))
            self.bars.show_chart(BarChart((), 0.0, 1.0))
            return
        both = [spreads(runs) for runs in job.runs]
        lines = [
            _played_words(tr(name), of, len(runs), game) for name, of, runs in zip(NAMES, both, job.runs, strict=True)
        ]
        if not job.running and any(map(is_certain, job.runs)):
            lines.append(tr("Where all runs are the same, nothing in the search depends on the seed: add noise."))
        self.words.setText("\n".join(lines))
        self.bars.show_chart(_chart(both, job.runs, game))


def _played_words(name: str, moves: Sequence[Spread], runs: int, game: GameSpec) -> str:
    played = ", ".join(f"{game.action_name(move.action)} {move.played}" for move in moves if move.played)
    return tr("{search}: best move under {n} seeds: {moves}", runs).format(search=name, n=runs, moves=played)


def _chart(both: Sequence[Sequence[Spread]], runs: Sequence[Sequence[Run]], game: GameSpec) -> BarChart:
    """A row for each of the moves played or visited most, of each search."""
    weights: dict[int, float] = {}
    for moves in both:
        for move in moves:
            weights[move.action] = weights.get(move.action, 0.0) + move.played + sum(move.shares)
    actions = sorted(weights, key=lambda action: -weights[action])[:MOVES]
    rows: list[BarRow] = []
    for action in actions:
        for side, moves in enumerate(both):
            of = next((move for move in moves if move.action == action), None)
            if of is None:
                continue
            mean = sum(of.shares) / len(of.shares)
            rows.append(
                BarRow(
                    2 * action + side,
                    "" if rows and rows[-1].key == 2 * action else game.action_name(action),
                    ticks=((mean, COLOURS[side]),),
                    dots=tuple(Dot(share, COLOURS[side]) for share in of.shares),
                    words=_words(of, len(runs[side])),
                    note=f"{of.played}/{len(runs[side])}",
                )
            )
    legend = tuple((colour, tr(name)) for colour, name in zip(COLOURS, NAMES, strict=True))
    return BarChart(tuple(rows), 0.0, 1.0, legend, ends=("0", percent(1.0, 0)))


def _words(of: Spread, runs: int) -> str:
    return tr("best in {played} of {runs} runs; share of the visits {low} to {high}, Q {q_low} to {q_high}").format(
        played=of.played,
        runs=runs,
        low=percent(min(of.shares)),
        high=percent(max(of.shares)),
        q_low=signed(min(of.qs)),
        q_high=signed(max(of.qs)),
    )


def connect_luck(context: Context, second: SecondSearch, page: LuckPage) -> None:
    """Run the page's searches with the settings of both, and forget them with the position or a setting."""
    first, mine = context.state, second.state

    def turn() -> None:
        page.error.say("")
        position = mine.position
        settings = context.session.settings, mine.settings
        if page.job.running:
            page.job.stop()
        elif position is not None and settings[0] is not None and settings[1] is not None:
            page.set_game(position.game)
            sides = Side(context.session.source, settings[0], first.limit), Side(mine.source, settings[1], mine.limit)
            page.job.start(position, context.session.only, sides)

    page.asked.connect(turn)
    for changed in (mine.position_changed, mine.search_changed, first.search_changed):
        changed.connect(page.job.forget)
    context.events.escaped.connect(page.job.stop)
    context.events.closing.connect(page.job.stop)
