"""The positions of an audit as CSV, and its mistakes as openings."""

import csv
import io
import math

from models.audit.answers import Audited
from models.audit.results import Audit
from models.audit.shapes import is_mistake, right_move, shape_of
from models.audit.summary import PHASES, phase_of
from models.strength.exams import after

_OF_NET = (
    *("net_move", "net_prior", "net_value", "search_move", "search_share", "search_value", "proved", "kl", "swing"),
    *("among_three", "loss", "net_wrong", "search_wrong", "worse_prior", "worse_visits", "mistake", "shape"),
    "blame",
)


def audit_csv(audit: Audit) -> str:
    """A line for each position; the columns of a second net end in ``_2``."""
    kinds = {(blame.number, blame.net): blame.kind for blame in audit.blames}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    several = [("", "_2")[net] for net in range(len(audit.plan.nets))]
    head = ["number", "ply", "phase", "moves", "source", "neighbour_of", "exact", "right_moves", "result"]
    writer.writerow([*head, *(name + end for end in several for name in _OF_NET)])
    for audited in audit.done:
        writer.writerow(
            [
                *_about(audit, audited),
                *(
                    cell
                    for net in range(len(several))
                    for cell in (*_net_cells(audit, audited, net), kinds.get((audited.number, net), ""))
                ),
            ]
        )
    return out.getvalue()


def _about(audit: Audit, audited: Audited) -> list[object]:
    name = audit.game.action_name
    exact = audited.exact
    right = [] if exact is None else [name(a) for a in exact.moves if a not in exact.worse]
    return [
        audited.number + 1,
        audited.ply,
        PHASES[phase_of(audit.game, audited.ply)],
        " ".join(map(name, audited.item.moves)),
        _safe(audited.item.source),
        "" if audited.item.base is None else audited.item.base + 1,
        "" if exact is None else exact.value,
        " ".join(right),
        "" if audited.result is None else audited.result,
    ]


def _net_cells(audit: Audit, audited: Audited, net: int) -> list[object]:
    answer, name = audited.nets[net], audit.game.action_name
    share = answer.policy[answer.actions.index(answer.best)]
    mass = audited.worse_mass(net)
    mistake = is_mistake(audited, net)
    shape = shape_of(after(audit.game, audited.item.moves), right_move(audited, net)) if mistake else None
    is_solved = audited.exact is not None
    return [
        *(name(answer.first), _number(answer.priors[0]), _number(answer.value)),
        *(name(answer.best), _number(share), _number(answer.searched), int(answer.proved)),
        *(_number(answer.kl), _number(answer.swing), int(answer.among_three), _number(audited.loss(net))),
        *(int(audited.net_wrong(net)) if is_solved else "", int(audited.search_wrong(net)) if is_solved else ""),
        *map(_number, mass),
        int(mistake),
        "" if shape is None else shape.words or "".join(map(str, shape.window)),
    ]


def _number(value: float) -> str:
    return f"{value:.5g}" if math.isfinite(value) else ""


def _safe(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def mistake_openings(audit: Audit) -> list[tuple[int, ...]]:
    """The positions with a mistake of any net, as moves; the first position, which every game starts from, is left
    out."""
    nets = range(len(audit.plan.nets))
    return [
        audited.item.moves
        for audited in audit.done
        if audited.item.moves and any(is_mistake(audited, net) for net in nets)
    ]
