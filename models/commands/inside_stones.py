"""On which stones a net's move depends, for ``plyscope inside``: as JSON and as lines of text."""

from collections.abc import Sequence
from typing import Any

from models.commands.inside_channels import names_of_cells
from models.commands.printing import aligned, signed
from models.inside.stones import Stone, Stones


def stones_data(found: Stones) -> dict[str, Any]:
    """The stones of a position, for JSON; V for the side to move."""
    game, reason = found.position.game, found.reason
    cells, names = found.position.cells().ravel().tolist(), names_of_cells(game)
    return {
        "sentence": found.sentence,
        "move": game.action_name(found.move),
        "prior": found.prior,
        "value": found.value,
        "counterfactuals": len(found.effects),
        "right": found.is_right,
        "reason": None if reason is None else reason._asdict(),
        "stones": [
            {
                "cell": names[stone.cell],
                "player": cells[stone.cell] - 1,
                "sarfa": stone.sarfa,
                "value": stone.value,
                "tests": stone.tests,
                "truth": stone.truth,
            }
            for stone in found.stones
        ],
    }


def stones_lines(found: Stones) -> list[str]:
    """The stones as a table, those on which the move depends most first, and the sentence."""
    rows: list[Sequence[str]] = [("stone", "SARFA", "V without it", "exact answer differs", "tests")]
    rows += [_row(found, stone) for stone in sorted(found.stones, key=lambda stone: -abs(stone.sarfa))]
    return [*aligned(rows), "", str(found.sentence)]


def _row(found: Stones, stone: Stone) -> tuple[str, ...]:
    name = names_of_cells(found.position.game)[stone.cell]
    if not stone.tests:
        return name, "-", "-", "-", "0"
    truth = "?" if stone.truth is None else f"{stone.truth:.0%}"
    return name, signed(stone.sarfa), signed(found.value + stone.value), truth, str(stone.tests)
