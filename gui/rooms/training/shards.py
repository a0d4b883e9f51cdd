"""The samples of one shard as positions with their targets, for display.  Knows ``models.play.replay``, no widget."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.text import Text
from gui.language.language import tr
from gui.model.shown import position_at
from gui.widgets.figures import count
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
