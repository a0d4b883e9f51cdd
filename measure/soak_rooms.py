"""The acts of the soak's random user in single rooms, which clicks by chance would rarely put together."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from gui.rooms.timeline.watching import CROSSED, WATCHES
from gui.rooms.tree.search_box import EXAMPLES
from gui.rooms.tree.tree_room import TreeRoom
from gui.rooms.why.why import WhyRoom

if TYPE_CHECKING:
    from gui.window import MainWindow

QUESTIONS: Final = (
    *(question for question, _ in EXAMPLES),
    "rank == 1 and U > .1 or not (proof or over)",
    "move == b2",
    "share / P > 2 and lead > -1",
    "a1 pass",
    "N >",
    "",
)

Act = tuple[str, Callable[[], object]]


class RoomActs:
    """Chooses among the acts in rooms; ``weighted`` has how often each is chosen, beside those of ``Acts``."""

    def __init__(self, window: MainWindow, chance: random.Random) -> None:
        self._window, self._random = window, chance
        self.weighted: tuple[tuple[int, Callable[[], Act]], ...] = (
            (3, self._ask),
            (3, self._watch),
            (2, self._find_cause),
        )

    def _ask(self) -> Act:
        question, open_rest = self._random.choice(QUESTIONS), self._random.random() < 0.5

        def ask() -> None:
            self._window.context.docks.show_dock("tree")
            room = self._window.docks["tree"].fill()
            assert isinstance(room, TreeRoom)
            room.box.setText(question)
            room.answer.turn(open_rest)

        return f"ask the tree {question!r}", ask

    def _watch(self) -> Act:
        kind = self._random.choice([kind for kind in WATCHES if kind != CROSSED])  # that opens a dialog
        watching = self._window.commands.watching
        if self._random.random() < 0.5:
            return f"pause at {kind}", lambda: watching.pause_at(kind)
        return f"go back to {kind}", lambda: watching.go_back(kind)

    def _find_cause(self) -> Act:
        names: list[str] = []
        position = self._window.state.position
        while position is not None and len(legal := position.legal_actions()) and len(names) < 4:
            action = int(self._random.choice(list(legal)))
            names.append(position.game.action_name(action))
            position = position.play(action)

        def examine() -> None:
            self._window.context.docks.show_dock("why")
            room = self._window.docks["why"].fill()
            assert isinstance(room, WhyRoom)
            room.show_cause()
            room.cause.examine(" ".join(names))

        return f"find the cause for {names}", examine
