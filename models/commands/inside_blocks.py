"""A net block by block for ``plyscope inside``: as JSON and as lines of text.  Values are for the side to move."""

from collections.abc import Sequence
from typing import Any, Final

from models.commands.printing import aligned, signed
from models.inside.blocks import Strip
from models.inside.lens import Lens, Reading
from models.inside.views import Views

_SHOWN: Final = 3  # moves of a block


def blocks_data(strip: Strip, lens: Lens | None) -> dict[str, Any]:
    """The blocks of a position, and how well the lens reads, for JSON."""
    rows = [
        {
            "name": name,
            "own": _view(strip, strip.own, i),
            "lens": None if strip.fitted is None else _view(strip, strip.fitted, i),
        }
        for i, name in enumerate(strip.blocks)
    ]
    data: dict[str, Any] = {"sentence": strip.sentence, "blocks": rows, "lens": None}
    if lens is not None:
        data["lens"] = {
            "positions": lens.positions,
            "held_out": lens.held_out,
            "own": [_reading(reading) for reading in lens.own],
            "lens": [_reading(reading) for reading in lens.fitted],
        }
    return data


def _view(strip: Strip, views: Views, block: int) -> dict[str, Any]:
    """One block's view of the position: probabilities by move, the most probable first."""
    name, shares = strip.position.game.action_name, views.policies[block, 0]
    moves = sorted(strip.position.legal_actions(), key=lambda action: -shares[action])
    return {
        "value": float(views.values[block, 0]),
        "kl": float(views.divergences[block, 0]),
        "agrees": bool(views.agreements[block, 0]),
        "policy": {name(action): float(shares[action]) for action in moves},
    }


def _reading(reading: Reading) -> dict[str, Any]:
    return {"kl": reading.divergence._asdict(), "agreement": reading.agreement._asdict()}


def blocks_lines(strip: Strip, lens: Lens | None) -> list[str]:
    """The blocks as a table, and the sentence."""
    rows: list[Sequence[str]] = [
        ("after", "V", "KL", "moves", *(("V of lens", "KL", "moves") if strip.fitted is not None else ()))
    ]
    for i, name in enumerate(strip.blocks):
        parts = [strip.own] if strip.fitted is None else [strip.own, strip.fitted]
        rows.append((name, *(cell for views in parts for cell in _cells(strip, views, i))))
    lines = aligned(rows)
    if lens is not None:
        lines += ["", f"on {lens.held_out} positions of other games than the lens is fitted to"]
        for name, own, fitted in zip(strip.blocks, lens.own, lens.fitted, strict=True):
            lines.append(f"  {name}: {_measured('own heads', own)}; {_measured('lens', fitted)}")
    return [*lines, "", str(strip.sentence)]


def _cells(strip: Strip, views: Views, block: int) -> tuple[str, str, str]:
    view = _view(strip, views, block)
    first = list(view["policy"].items())[:_SHOWN]
    return signed(view["value"]), f"{view['kl']:.2f}", " ".join(f"{move} {share:.0%}" for move, share in first)


def _measured(what: str, reading: Reading) -> str:
    kl, same = reading
    return (
        f"{what} KL {kl.mean:.2f} ({kl.low:.2f} to {kl.high:.2f}), "
        f"same first move {same.mean:.0%} ({same.low:.0%} to {same.high:.0%})"
    )
