"""The human net beside the engine's: its policy at the positions shown, asked for in a thread and kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from gui.jobs.newest import Newest, Report, Stale

if TYPE_CHECKING:
    from core.engine import Evaluator
    from core.games import Position
    from gui.model.sources import NetSource
    from gui.model.state import AppState

MOST_KEPT: Final = 4000  # policies
LAST_MOVES: Final = 8  # those that a net of Go is shown, and some more

Policy = Mapping[int, float]  # probability of each legal move
_Key = tuple[str, "Position", tuple[int, ...]]  # net with profile, position, its last moves


class HumanNet(QObject):
    """Asks the human net of the document shown about positions, one after the other, beside the search.

    Each room that shows its policies says by ``want`` which positions it needs, the most urgent one first; the answers
    of all are kept.  ``note`` says in one sentence why there is none; "" while nothing is wrong.
    """

    changed = Signal()  # another net, another policy is known, or ``note`` changed

    def __init__(self, state: AppState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._kept: OrderedDict[_Key, Policy] = OrderedDict()
        self._wanted: dict[str, tuple[Position, ...]] = {}
        self._loaded: tuple[object, Evaluator] | None = None  # game and net; used by the thread alone
        self._refused: object = None  # game and net that cannot be used
        self.note = ""
        self._reader = Newest(self)
        self._reader.progressed.connect(self._take)
        self._reader.answered.connect(lambda _: self._ask())
        self._reader.failed.connect(self._refuse)
        self._asking: _Key | None = None
        state.human_changed.connect(self._renew)
        state.game_changed.connect(self._renew)

    @property
    def source(self) -> NetSource | None:
        """The human net; None: there is none."""
        return self._state.human

    @property
    def profile(self) -> str:
        """The players that it imitates, as KataGo names them; "" without a net."""
        return "" if self.source is None else self.source.profile

    def policy(self, position: Position) -> Policy | None:
        """Its policy of a position, if it is known; the game must not be over."""
        if self.source is None:
            return None
        return self._kept.get(self._key(position))

    def want(self, who: str, positions: Iterable[Position]) -> None:
        """Ask for the policies of these positions on behalf of ``who``, in place of those that it wanted before."""
        wanted = tuple(position for position in positions if not position.is_over)
        if wanted != self._wanted.get(who, ()):
            self._wanted[who] = wanted
            self._ask()

    def stop(self) -> None:
        """Ask for nothing any more."""
        self._wanted.clear()
        self._reader.forget()

    def _key(self, position: Position) -> _Key:
        assert self.source is not None
        return self.source.label, position, tuple(position.moves[-LAST_MOVES:])

    def _renew(self) -> None:
        """Another net, or another game."""
        self._reader.forget()
        self._asking, self._refused, self.note = None, None, ""
        if self.source is None:
            self._loaded = None
            self._kept.clear()
        self.changed.emit()
        self._ask()

    def _ask(self) -> None:
        """Ask about the first position wanted whose policy is not known."""
        source = self.source
        if source is None or self._refused is not None:
            return
        few_first = sorted(self._wanted.values(), key=len)  # a position on the screen before a whole game
        for position in (position for wanted in few_first for position in wanted):
            key = self._key(position)
            if key not in self._kept:
                if key != self._asking:
                    self._asking = key
                    self._reader.put(partial(self._work, source, position, key))
                return
        self._asking = None

    def _take(self, answer: tuple[_Key, Policy]) -> None:
        key, policy = answer
        self._kept[key] = policy
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        self._asking = None
        self.changed.emit()

    def _refuse(self, sentence: str) -> None:
        self._refused, self._asking, self.note = self.source, None, sentence
        self.changed.emit()

    # in the thread

    def _work(self, source: NetSource, position: Position, key: _Key, stale: Stale, report: Report) -> None:
        from core.engine.policy import view_of

        of = position.game.text, source.label
        if self._loaded is None or self._loaded[0] != of:
            self._loaded = None
            self._loaded = of, source.load_beside(position.game)
        report((key, view_of(self._loaded[1], position).policy))
