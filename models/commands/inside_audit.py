"""``plyscope inside --audit``: in which block a net's mistakes are made, over the positions of an audit, and which
right moves may have the wrong reason."""

import argparse
import json
import math
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from core.files.atomic import write_atomically
from core.text import aligned
from models.audit.results import Audit
from models.inside.lens import lens_for
from models.inside.mistakes import ByBlock, Counts, by_block
from models.inside.mistakes_page import mistakes_page
from models.inside.reasons import Reasons, reasons_of
from models.netfiles.tapped import TappedNet

_LOWEST: Final = 20  # right moves that are listed


def print_mistakes(args: argparse.Namespace, net: TappedNet, audit: Audit, should_stop: Callable[[], bool]) -> None:
    """Print what is found in the audit, and write the page that is asked for; nothing when ``should_stop`` says so."""
    found = by_block(net, audit, lens_for(net, should_stop), should_stop)
    if found is None:
        return
    reasons = reasons_of(net, found, should_stop)
    if args.json:
        print(json.dumps({**_audit_data(args, found), "reasons": _reasons_data(reasons)}))
    else:
        print("\n".join([*_audit_lines(found), "", *_reasons_lines(reasons)]))
    if args.out is not None:
        write_atomically(args.out, mistakes_page(args.net.name, audit, found, reasons).encode())
        print(f"wrote {args.out}", file=sys.stderr if args.json else sys.stdout)


def _audit_data(args: argparse.Namespace, found: ByBlock) -> dict[str, Any]:
    def counts(of: Counts) -> dict[str, Any]:
        rows = zip(found.blocks, of.right, of.overruled, of.made, strict=True)
        names = ("name", "right", "overruled", "made")
        return {"blocks": [dict(zip(names, row, strict=True)) for row in rows], "never": of.never}

    cases = [
        {
            "position": case.audited.number + 1,
            "moves": [case.position.game.action_name(action) for action in case.audited.item.moves],
            "exact": case.audited.exact is not None,
            "firsts": [case.position.game.action_name(action) for action in case.firsts],
            "right": list(case.own.right),
            "kind": case.own.kind,
            "block": found.blocks[case.own.block],
        }
        for case in found.cases
    ]
    return {
        "net": args.net.name,
        "audit": args.audit.name,
        "judge": found.judge,
        "sentence": found.sentence,
        "own": counts(found.own),
        "lens": None if found.fitted is None else counts(found.fitted),
        "positions": cases,
    }


def _audit_lines(found: ByBlock) -> list[str]:
    lines = [f"{len(found.cases)} positions in which a move can be wrong"]
    for title, counts in (("by the net's own heads", found.own), ("by the lens", found.fitted)):
        if counts is not None:
            rows: list[Sequence[str]] = [("after", "right", "overruled", "lost")]
            shown = zip(found.blocks, counts.right, counts.overruled, counts.made, strict=True)
            rows += [(name, *map(str, row)) for name, *row in shown]
            lines += ["", title, *(f"  {line}" for line in aligned(rows)), f"  never right: {counts.never}"]
    return [*lines, "", str(found.sentence)]


def _reasons_data(reasons: Reasons) -> dict[str, Any]:
    """The right moves and their reasons, the lowest figure first; ``mean`` null where there is none."""
    mean = None if reasons.mean is None else {name: _known(value) for name, value in reasons.mean._asdict().items()}
    positions = [
        {
            "position": one.audited.number + 1,
            "moves": [one.position.game.action_name(action) for action in one.audited.item.moves],
            "move": one.position.game.action_name(one.move),
            "score": one.reason.score,
            "tests_wrong": one.reason.wrong,
            "tests_right": one.reason.right,
        }
        for one in reasons.cases
    ]
    about = {"right": reasons.right, "looked_at": reasons.looked, "mean": mean, "sentence": reasons.sentence}
    return {**about, "positions": positions}


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _reasons_lines(reasons: Reasons) -> list[str]:
    """The mean, and the positions with the lowest figures."""
    rows: list[Sequence[str]] = [("position", "move", "right reason", "tests wrong", "right", "moves so far")]
    for one in reasons.cases[:_LOWEST]:
        name, moves = one.position.game.action_name, one.audited.item.moves
        tests = str(one.reason.wrong), str(one.reason.right)
        rows.append(
            (str(one.audited.number + 1), name(one.move), f"{one.reason.score:.2f}", *tests, " ".join(map(name, moves)))
        )
    table = ["right move, wrong reason", *(f"  {line}" for line in aligned(rows))] if len(rows) > 1 else []
    return [str(reasons.sentence), *table]
