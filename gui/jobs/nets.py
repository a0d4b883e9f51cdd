"""Evaluates a position with several nets of a run, one after the other in a thread."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject

from gui.jobs.newest import Newest, Report, Stale

if TYPE_CHECKING:
    from core.games import GameSpec, Position

MOST_LOADED: Final = 32  # nets kept in memory


@dataclass(frozen=True)
class NetAnswer:
    """One net's evaluation of one position: ``value`` for the side to move, ``policy`` over its legal moves."""

    path: Path
    position: Position
    policy: dict[int, float]
    value: float


class NetReader(Newest):
    """Evaluates one position with several nets; emits ``progressed(NetAnswer)`` for each."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._loaded: OrderedDict[tuple[Path, int], Any] = OrderedDict()

    def ask(self, position: Position, nets: Sequence[Path]) -> None:
        """Evaluate a position with these nets, in this order."""
        self.put(partial(self._work, position, tuple(nets)))

    # in the thread

    def _work(self, position: Position, nets: tuple[Path, ...], stale: Stale, report: Report) -> None:
        from core.engine.policy import view_of

        for path in nets:
            if stale():
                return
            try:
                view = view_of(self._net(path, position.game), position)
            except (ValueError, OSError) as error:
                report(error)
                continue
            report(NetAnswer(path, position, view.policy, view.value))

    def _net(self, path: Path, game: GameSpec) -> Any:
        from models.netfiles.evaluator import OnnxEvaluator

        key = (path, path.stat().st_mtime_ns)
        if key not in self._loaded:
            self._loaded[key] = OnnxEvaluator(path, game, device="cpu", threads=1)
            while len(self._loaded) > MOST_LOADED:
                self._loaded.popitem(last=False)
        self._loaded.move_to_end(key)
        return self._loaded[key]


def net_game(path: Path) -> str:
    """Return the game of a net file; "" when it has none.  ``ValueError`` when it is no net."""
    from models.netfiles.net_file import read_net_info

    return read_net_info(path).game
