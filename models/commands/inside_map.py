"""What ``plyscope inside --part map`` prints: positions in the plane of a block, and those similar to one."""

import math
from collections.abc import Sequence
from typing import Any

from core.text import aligned
from models.commands.printing import signed
from models.inside.plane import EXACT, RESULT, Likeness, Located, Neighbour, NetMap, V
from models.inside.probes import Score
from models.inside.sample import Origin
from models.netfiles.tapped import TappedNet

_KINDS = {V: "V of the net", EXACT: "exact value", RESULT: "result of the game, or exact value"}


def map_data(net: TappedNet, plane: NetMap, here: Located, agreed: Sequence[Likeness]) -> dict[str, Any]:
    """The plane as a JSON object; values are for the side to move, what is not known is null."""
    x, y = here.point
    about = {"block": net.blocks[plane.block].name, "positions": len(plane.points), "shares": list(plane.shares)}
    similar = {
        "similar": [_neighbour(plane, one) for one in here.by_net],
        "similar_boards": [_neighbour(plane, one) for one in here.by_board],
    }
    return {
        **about,
        "here": {"x": x, "y": y, "value": here.value, **similar},
        "agreement": [
            {
                "of": one.kind,
                "positions": one.positions,
                "nearest_by_net": one.by_net._asdict(),
                "nearest_by_board": one.by_board._asdict(),
                "any_two": one.at_random._asdict(),
            }
            for one in agreed
        ],
        "points": [_point(plane, place) for place in range(len(plane.points))],
    }


def _neighbour(plane: NetMap, one: Neighbour) -> dict[str, Any]:
    return {"distance": one.distance, "equal_cells": one.equal, **_point(plane, one.place)}


def _point(plane: NetMap, place: int) -> dict[str, Any]:
    position = plane.sample.positions[place]
    origin = plane.sample.origins[place] if plane.sample.origins else Origin()
    name = position.game.action_name
    x, y = plane.points[place].tolist()
    return {
        "x": x,
        "y": y,
        "value": float(plane.values[place]),
        "known": None if math.isnan(origin.value) else origin.value,
        "exact": origin.is_exact,
        "mistake": origin.mistake,
        "game": int(plane.sample.games[place]),
        "source": str(origin.words),
        "moves": [name(action) for action in position.moves],
    }


def map_lines(data: dict[str, Any]) -> list[str]:
    """The position's place, its neighbours as two tables, and how far values agree between neighbours."""
    first, second = data["shares"]
    here = data["here"]
    lines = [
        f"map of {data['positions']} positions by {data['block']}: its axes show {first:.1%} and {second:.1%} of what "
        "differs",
        f"here: {here['x']:+.2f} {here['y']:+.2f}, V {signed(here['value'])}",
    ]
    for title, key in (("similar by the block:", "similar"), ("similar by the bare board:", "similar_boards")):
        rows: list[Sequence[str]] = [("distance", "equal cells", "V", "known", "from", "after")]
        rows += [_row(one) for one in here[key]]
        lines += ["", title, *aligned(rows)]
    rows = [("mean difference between", "nearest by the block", "nearest by the board", "any two")]
    for one in data["agreement"]:
        scores = (Score(**one[key]) for key in ("nearest_by_net", "nearest_by_board", "any_two"))
        rows.append((_KINDS[one["of"]], *(f"{s.value:.2f} ({s.low:.2f} to {s.high:.2f})" for s in scores)))
    return [*lines, "", *aligned(rows)] if len(rows) > 1 else lines


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    known = "?" if one["known"] is None else f"{one['known']:+.0f}".replace("+0", "0").replace("-0", "0")
    if one["known"] is not None and not one["exact"]:
        known += " (game)"
    moves = " ".join(one["moves"]) or "no move"
    source = one["source"] or "play"
    return f"{one['distance']:.3f}", f"{one['equal_cells']:.0%}", signed(one["value"]), known, source, moves
