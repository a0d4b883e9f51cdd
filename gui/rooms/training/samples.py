"""The sample browser: one training position, its target beside the net's own policy.

Shards are read and the net is evaluated in background threads.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QWidget,
)

from core.text import Text, Words, text_of
from gui.jobs.nets import NetAnswer, NetReader
from gui.jobs.newest import Newest
from gui.language.language import tr
from gui.model.shown import position_at
from gui.rooms.training.run_model import Checkpoint, RunModel
from gui.rooms.training.run_page import FigureTable, RunPage
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.plane_boards import PlaneBoards
from gui.widgets.board.small_board import SmallBoard
from gui.widgets.figures import count, divergence, percent, plain, signed, value_text
from gui.widgets.form import ComboBox, SpinBox
from gui.widgets.labels import make_frame, make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font
from models.runs.folder import REPLAY, shard_name

if TYPE_CHECKING:
    from core.games import GameSpec, Position
    from models.play.samples import GameTrace, Samples


@dataclass(frozen=True)
class Sample:
    """One training position.  ``result`` and ``root_value`` are for the side to move."""

    position: Position
    planes: list[list[list[float]]]  # [C][H][W], as the net saw it
    plane_names: tuple[str, ...] | None  # in English; None where they are the game's own
    target: dict[int, float]  # share of each move
    result: int  # +1, 0, -1
    root_value: float
    weight: float
    game: int  # number within the shard
    trace: GameTrace | None  # None in shards written before games were kept

    @property
    def search(self) -> str:
        """The search that produced the target, in words; "" if unknown."""
        if self.trace is None:
            return ""
        searched = self.position.ply - len(self.trace.opening)
        return (
            tr("full search, move {searched} of the game").format(searched=searched + 1)
            if 0 <= searched < len(self.trace.full)
            else ""
        )

    @property
    def net(self) -> str:
        """The net that played, in words; "" if unknown."""
        return "" if self.trace is None else tr("of step {net_step}").format(net_step=count(self.trace.net_step))

    @property
    def ending(self) -> str:
        """Length and result of its game, in words; "" if unknown."""
        trace = self.trace
        if trace is None:
            return ""
        plies = len(trace.opening) + len(trace.moves)
        words = tr("{plies} plies; {ending}")
        if trace.opening:
            words = tr("{plies} plies, the first {opening} at random; {ending}")
        text = words.format(plies=plies, opening=len(trace.opening), ending=tr(trace.ending))
        return tr("{game}, to be played out").format(game=text) if trace.checked else text

    def end(self) -> Position:
        """Return the position at the end of its game, with all moves; the sample's own if the game was not kept."""
        if self.trace is None:
            return self.position
        return position_at(self.position.game.initial(), (*self.trace.opening, *self.trace.moves))


class Shard:
    """The samples of one iteration."""

    def __init__(self, path: Path, game: GameSpec, samples: Samples) -> None:
        self.path = path
        self._game = game
        self._samples = samples

    def __len__(self) -> int:
        return len(self._samples)

    def sample(self, number: int) -> Sample:
        """Return the sample of that number, from 0.  ``ValueError`` if it is not a position of the game."""
        samples = self._samples
        of = int(samples.game[number])
        trace = self._trace(of)
        policy = samples.policy[number]
        return Sample(
            position=self._position(number, trace),
            planes=samples.planes[number].tolist(),
            plane_names=self._plane_names(),
            target={int(a): float(policy[a]) for a in np.flatnonzero(policy)},
            result=int(samples.result[number]),
            root_value=float(samples.root_value[number]),
            weight=float(samples.weight[number]),
            game=of,
            trace=trace,
        )

    def _plane_names(self) -> tuple[str, ...] | None:
        from core.games.net_inputs import encoding_for

        return None if self._samples.points is None else encoding_for(self._game, "points").planes

    def _trace(self, number: int) -> GameTrace | None:
        """Return the game of that number; None if it was not kept or has illegal moves."""
        if number >= len(self._samples.traces):
            return None
        trace = self._samples.traces[number]
        try:
            position_at(self._first(trace), (*trace.opening, *trace.moves))
        except ValueError:
            return None
        return trace

    def _first(self, trace: GameTrace) -> Position:
        """Return the position before the first move of a game, which may have a komi of its own."""
        from core.games import load_game

        return load_game(trace.game).initial() if self._game.scoring is not None else self._game.initial()

    def _position(self, number: int, trace: GameTrace | None) -> Position:
        """Return the position from the moves of its game, else from the stones in its planes."""
        from core.games import Position

        if trace is not None:
            moves = (*trace.opening, *trace.moves)[: int(self._samples.ply[number])]
            return position_at(self._first(trace), moves)
        if self._samples.points is not None:
            raise ValueError(Text("its games were not kept"))
        mine, theirs, _, first = self._samples.planes[number]
        mover = 0 if first.all() else 1
        cells = np.where(mine > 0, mover + 1, np.where(theirs > 0, 2 - mover, 0)).astype(np.int8)
        return Position(self._game, self._game.board.from_cells(cells, mover, -1))


def list_shards(run: Path) -> list[Path]:
    """Return the shards of a run, oldest first, that of its own board before those of other sizes."""
    named = ((shard_name(path), path) for path in (run / REPLAY).glob("*.npz"))
    return [path for _, path in sorted((name, path) for name, path in named if name is not None)]


def shard_title(path: Path) -> str:
    """Return the iteration of a shard, with the size of its board where that is not the run's own."""
    iteration, label = shard_name(path) or (0, "")
    return f"{iteration} · {label.replace('x', '×')}" if label else str(iteration)


def read_shard(path: Path, game_text: str) -> Shard:
    """Read the samples of a shard; ``ValueError`` in one sentence if it cannot be read or is for another game."""
    from core.games import load_game
    from models.play.replay import load_shard

    game = load_game(game_text)
    label = (shard_name(path) or (0, ""))[1]
    if label and game.scoring is not None:
        rows, cols = map(int, label.split("x"))
        game = load_game(game.scoring.text(rows, cols, game.scoring.komi))
    return Shard(path, game, load_shard(path, game))


COLUMNS: Sequence[tuple[Words, Words]] = (
    ("Move", ""),
    ("π", "The target: the policy found by the search."),
    ("P", "The policy of the run's newest kept net."),
    ("π − P", ""),
)
CARD = (12, 8, 12, 10)  # px of its margins
NARROW = 800  # px of the page
FACTS = ("z", "root", "target", "policy", "weight", "search", "net", "game")


class SamplePage(RunPage):
    """The page, which shows one sample of one shard."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run: RunModel | None = None
        self._paths: list[Path] = []
        self._shard: Shard | None = None
        self._wished = 0  # number of the sample to be shown first
        self._reading: Path | None = None
        self._shards = Newest(self)
        self._shards.answered.connect(self._take_shard)
        self._shards.failed.connect(self._fail)
        self._net: Checkpoint | None = None
        self._answer: NetAnswer | None = None
        self._random = random.Random()
        self._narrow: bool | None = None
        self.reader = NetReader(self)
        self.reader.progressed.connect(self._take_answer)
        self.reader.failed.connect(self.failed)
        self.shards = ComboBox(self)
        self.shards.setMinimumWidth(92)
        set_texts(self.shards, accessibleName="Iteration")
        self.shards.activated.connect(lambda _: self._read(self.shards.currentData()))
        self.number = SpinBox(self)
        self.number.setMinimum(1)
        self.number.setMinimumWidth(92)
        set_texts(self.number, accessibleName="Sample")
        self.number.valueChanged.connect(lambda _: self._show())
        self.of = make_label(self, "dim")
        self.board = SmallBoard(self, coordinates=True)
        self.board.setMinimumSize(200, 190)
        self.table = FigureTable(COLUMNS, self)
        self.planes = PlaneBoards(self, largest_cell=36)
        self.title = make_label(self, "heading")
        self.facts = {name: QLabel(self) for name in FACTS}
        self.open = set_texts(QPushButton(self), text="Open its game")
        self.open.clicked.connect(self._open)
        self.empty = make_label(self, "dim", wrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        on_language(self, self._show_again)

    def _lay_out(self) -> None:
        bar = lay_row(
            make_label(self, "dim", "Iteration"),
            self.shards,
            make_label(self, "dim", "Sample"),
            self.number,
            self.of,
            spacing=8,
        )
        self.any = QToolButton(self)
        self.any.setObjectName("plain")
        set_texts(self.any, text="Any other")
        self.any.clicked.connect(self._draw)
        bar.addWidget(self.any)
        bar.addStretch(1)
        bar.addWidget(self.open)
        left, middle, self._right = (make_frame(self, "card") for _ in range(3))
        lay_column(self.title, (self.board, 1), of=left, margins=CARD)
        heading = make_label(middle, "heading", "Target and policy")
        lay_column(heading, (self.table, 1), of=middle, margins=CARD)
        self._about: QBoxLayout = lay_column(of=self._right, margins=CARD, spacing=14)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        titles: dict[str, tuple[Words, Words]] = {
            "z": ("Result z", "How the game ended, for the side to move here."),
            "root": ("Search", ""),
            "target": ("KL(π ‖ P)", "How far the target is from the net's policy, in nats."),
            "policy": ("P", "The net whose policy is compared with the target: the run's newest kept net."),
            "weight": ("Weight", ""),
            "search": ("Made by", ""),
            "net": ("Net", ""),
            "game": ("Game", ""),
        }
        for row, (name, label) in enumerate(self.facts.items()):
            title = make_label(self._right, "dim", titles[name][0])
            for part in (title, label):
                set_texts(part, toolTip=titles[name][1])
            label.setFont(figure_font(label.font()))
            label.setWordWrap(True)
            grid.addWidget(title, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label, row, 1, Qt.AlignmentFlag.AlignTop)
        heading = make_label(self._right, "heading", "Input planes")
        self._about.addLayout(lay_column(grid, 1))
        self._about.addLayout(lay_column(heading, self.planes, 1), 1)
        self._body = QWidget(self)
        self._cards = QGridLayout()
        self._cards.setSpacing(8)
        self._cards.addWidget(left, 0, 0)
        self._cards.addWidget(middle, 0, 1)
        for place, stretch in enumerate((5, 4, 4)):
            self._cards.setColumnStretch(place, stretch)
        self._cards.setRowStretch(0, 1)
        self._arrange()
        lay_column(bar, (self._cards, 1), of=self._body, margins=0, spacing=8)
        lay_column((self.empty, 1), (self._body, 1), of=self, margins=0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Arrange the facts beside the board and the table, or below them on a narrow page."""
        narrow = self.width() < px(NARROW)
        if narrow == self._narrow:
            return
        self._narrow = narrow
        sides = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._about.setDirection(sides[0] if narrow else sides[1])
        self._about.setStretch(0, 1 if narrow else 0)
        self._cards.removeWidget(self._right)
        self._cards.addWidget(self._right, *((1, 0, 1, 2) if narrow else (0, 2)))
        self._cards.setColumnStretch(2, 0 if narrow else 4)

    # contents

    def show_run(self, run: RunModel) -> None:
        """Show the shards of a run; an open shard stays open."""
        if run is not self._run:
            self._run, self._shard, self._reading = run, None, None
            self._shards.forget()
        paths = list_shards(run.path)
        nets = run.nets()
        net = nets[-1] if nets else None
        if net != self._net:
            self._net = net
            self._ask()
        if paths != self._paths:
            self._paths = paths
            open_one = self._shard.path if self._shard is not None else self._reading
            self.shards.clear()
            for path in reversed(paths):
                self.shards.addItem(shard_title(path), path)
            if open_one in paths:  # findData does not recognise equal paths
                self.shards.setCurrentIndex(len(paths) - 1 - paths.index(open_one))
            elif paths:
                self._read(paths[-1])
        self.empty.setVisible(not paths)
        self._body.setVisible(bool(paths))
        set_texts(self.empty, text="There are no samples yet. The first iteration produces them.")

    def wish(self, number: int) -> None:
        """Show the sample of this number of the newest shard, once that is read."""
        self._wished = number
        if self._shard is not None:
            self._take_shard(self._shard)

    def _read(self, path: Path) -> None:
        run = self._run
        if run is None or not run.game:
            return
        self._reading = path
        text = run.game
        self._shards.put(lambda stale, report: read_shard(path, text))

    def _fail(self, sentence: str) -> None:
        self._reading = None
        self.failed.emit(sentence)

    def _take_shard(self, shard: Shard) -> None:
        self._shard, self._reading = shard, None
        self.number.setMaximum(max(1, len(shard)))
        if self._wished:
            self.number.setValue(self._wished)
            self._wished = 0
        set_texts(self.of, text=Text("of {shard}", shard=count(len(shard))))
        self._show()

    @property
    def sample(self) -> Sample | None:
        """The sample shown."""
        if self._shard is None or not len(self._shard):
            return None
        try:
            return self._shard.sample(self.number.value() - 1)
        except ValueError as error:
            number, words = self.number.value(), text_of(error)
            self.failed.emit(Text("Sample {number} cannot be shown: {error}", number=number, error=words))
            return None

    def _draw(self) -> None:
        if self._shard is not None and len(self._shard):
            self.number.setValue(self._random.randrange(len(self._shard)) + 1)

    def _ask(self) -> None:
        sample = self.sample
        self._answer = None
        if sample is not None and self._net is not None:
            self.reader.ask(sample.position, [self._net.path])
        else:
            self.reader.forget()

    def _take_answer(self, answer: NetAnswer) -> None:
        sample = self.sample
        if sample is not None and answer.position == sample.position:
            self._answer = answer
            self._show_figures(sample)

    def _show(self) -> None:
        sample = self.sample
        self.open.setEnabled(sample is not None)
        if sample is None:
            self.board.show_position(None, {}, "share_ramp")
            self.table.show_rows([])
            return
        self.board.show_position(sample.position, sample.target, "share_ramp")
        self.planes.show_position(sample.position, sample.planes, sample.plane_names)
        self._ask()
        self._show_figures(sample)

    def _show_again(self) -> None:
        if (sample := self.sample) is not None:
            self._show_figures(sample)

    def _show_figures(self, sample: Sample) -> None:
        position = sample.position
        player = kind_of(position.game.name).players[position.to_move]
        policy = self._answer.policy if self._answer is not None else {}
        name = position.game.action_name
        rows = []
        legal = sorted(position.legal_actions(), key=lambda a: -sample.target.get(a, 0.0))
        pi = np.array([sample.target.get(action, 0.0) for action in legal])
        p = np.array([policy.get(action, math.nan) for action in legal])
        for action, target, prior in zip(legal, pi.tolist(), p.tolist(), strict=True):
            rows.append((name(action), percent(target), percent(prior), signed(100 * (target - prior), 1)))
        self.table.show_rows(rows)
        self.title.setText(tr("{player} to move · ply {ply} · heat: π").format(player=player, ply=position.ply))
        result = {1: tr("won"), 0: tr("drawn"), -1: tr("lost")}[sample.result]
        texts = {
            "z": tr("{result} for {player} ({value})").format(
                result=result, player=player, value=signed(sample.result, 0)
            ),
            "root": value_text(sample.root_value, player),
            "target": plain(divergence(pi, p), 3),
            "policy": tr("of the kept net of step {step}").format(step=count(self._net.step)) if self._net else "",
            "weight": f"{sample.weight:g}",
            "search": sample.search,
            "net": sample.net,
            "game": f"{count(sample.game + 1)}: {sample.ending}" if sample.ending else count(sample.game + 1),
        }
        for key, text in texts.items():
            self.facts[key].setText(text or "–")

    def _open(self) -> None:
        sample = self.sample
        if sample is not None:
            self.position_opened.emit(sample.end(), sample.position.ply)
