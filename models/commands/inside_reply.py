"""What ``plyscope inside --part reply`` prints: the plies of a line on which the choice depends, and in which block."""

from typing import Any

from models.commands.inside_channels import names_of_cells
from models.commands.printing import aligned
from models.inside.reply import SeenLine


def reply_data(seen: SeenLine) -> dict[str, Any]:
    """The line as a JSON object; effects are changes of the log-odds of the first move, in nats."""
    game = seen.position.game
    cells = names_of_cells(game)
    plies = [
        {
            "ply": number,
            "move": game.action_name(ply.action),
            "cell": cells[ply.cell],
            "block": seen.blocks[ply.block] if ply.block >= 0 else None,
            "strength": ply.strength,
            "chance": ply.chance,
            "changes": [
                {
                    "moves": [game.action_name(action) for action in change.position.moves],
                    "cells": [cells[cell] for cell in change.cells],
                    "kind": change.kind,
                }
                for change in ply.changes
            ],
            "effects": [float(sizes.ravel()[ply.cell]) for sizes in ply.choice] if ply.changes else None,
            "effects_on_value": [float(sizes.ravel()[ply.cell]) for sizes in ply.value] if ply.changes else None,
        }
        for number, ply in enumerate(seen.plies, 2)
    ]
    line = [game.action_name(action) for action in seen.line]
    thresholds = dict(zip(seen.blocks, seen.thresholds, strict=True))
    about = {"sentence": str(seen.sentence), "line": line, "depth": seen.depth}
    return {**about, "thresholds": thresholds, "plies": plies}


def reply_lines(seen: SeenLine) -> list[str]:
    """A row for each ply: the effect of its square in each block, a star where it is beyond the threshold."""
    name = seen.position.game.action_name
    rows = [("ply", "move", "changes", *seen.blocks, "most", "chance")]
    for number, ply in enumerate(seen.plies, 2):
        sizes = [float(part.ravel()[ply.cell]) for part in ply.choice]
        beyond = ["*" if size > least else "" for size, least in zip(sizes, seen.thresholds, strict=True)]
        effects = [f"{size:.2f}{star}" if ply.changes else "-" for size, star in zip(sizes, beyond, strict=True)]
        most = (f"{ply.strength:.2f}", f"{ply.chance:.2f}")
        rows.append((str(number), name(ply.action), str(len(ply.changes)), *effects, *most))
    rows.append(("", "", "threshold", *(f"{least:.2f}" for least in seen.thresholds), "", ""))
    table = aligned(rows)
    line = " ".join(map(name, seen.line))
    return [
        f"the line {line}: how much the choice of {name(seen.line[0])} depends on each ply, in nats",
        *table,
        "",
        str(seen.sentence),
    ]
