"""What lessons read and do in the room Inside the net."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gui.shell.lesson_points import inside_parts, show_room
from gui.widgets.figures import percent, plain, signed

if TYPE_CHECKING:
    from collections.abc import Callable

    from gui.shell.commands import Commands
    from models.inside.blocks import Strip
    from models.inside.knowledge import ConceptReport
    from models.inside.stones import Stones


class InsideFigures:
    """The figures of the room, and the tasks that are done in it."""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    def figure(self, text: str) -> str:
        """A figure by its name and what stands behind it, such as "first 3"; "" while there is none."""
        name, _, rest = text.partition(" ")
        if name in ("reads", "bare"):
            report = self._concept(rest.strip())
            score = None if report is None or not report.blocks else report.board
            if report is not None and score is not None and name == "reads":
                score = report.blocks[-1].score
            return "" if score is None else plain(score.value, 2)
        if name in ("stone", "reason"):
            return self._of_stones(name)
        strip = self._strip
        if strip is None:
            return ""
        firsts = strip.own.firsts[:, 0].tolist()
        if name == "turns":
            return str(max((block + 1 for block, move in enumerate(firsts) if move != firsts[-1]), default=0))
        block = int(rest)
        if block >= len(firsts):
            return ""
        figures: dict[str, Callable[[], str]] = {
            "first": lambda: strip.position.game.action_name(firsts[block]),
            "share": lambda: percent(float(strip.own.policies[block, 0, firsts[block]]), 0),
            "V": lambda: signed(float(strip.own.values[block, 0]), 2),
        }
        return figures[name]()

    def _of_stones(self, name: str) -> str:
        stones = self._stones
        if stones is None:
            return ""
        if name == "stone":
            most = max(stones.stones, key=lambda stone: stone.sarfa, default=None)
            return "" if most is None else stones.position.game.cell_names[most.cell]
        return "" if stones.reason is None else plain(stones.reason.score, 2)

    # what the parts show of the position selected

    def _part(self, name: str) -> Any:
        return inside_parts(self._commands).get(name)

    @property
    def _strip(self) -> Strip | None:
        part = self._part("inside_blocks")
        return part.strip if part is not None and self._is_here(part.strip) else None

    @property
    def _stones(self) -> Stones | None:
        part = self._part("inside_stones")
        return part.found if part is not None and self._is_here(part.found) else None

    def _is_here(self, answer: Strip | Stones | None) -> bool:
        return answer is not None and answer.position == self._commands.context.state.shown.preview

    def _concept(self, name: str) -> ConceptReport | None:
        examined = self.examined
        concepts = () if examined is None else examined.report.concepts
        return next((concept for concept in concepts if concept.name == name), None)

    # tasks

    @property
    def shown_block(self) -> int:
        """The block that the slider shows on the board; -1 while there is none."""
        return -1 if self._strip is None else int(self._part("inside_blocks").slider.value())

    def show_block(self, number: int) -> None:
        """Move the slider to a block."""
        show_room(self._commands, "inside_blocks")
        self._part("inside_blocks").slider.setValue(number)

    @property
    def examined(self) -> Any:
        """What Concepts found of the net; None where it was not examined."""
        part = self._part("inside_concepts")
        return None if part is None else part.examined

    def examine(self) -> None:
        """Examine the net, unless that is being done."""
        show_room(self._commands, "inside_concepts")
        part = self._part("inside_concepts")
        if not part.job.running:
            part.button.click()
