"""What is to blame for the mistakes of a search: a post-mortem of each, with the move that was right."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.engine.evaluator import Evaluator
from core.engine.postmortem import DIFFERS, FOUND, HORIZON, POLICY, UNKNOWN, VALUE, post_mortem
from core.games import Position
from core.solve import Solver, refusal
from core.solve.solution import best_first
from core.text import Text
from models.audit.answers import Audited, Blame
from models.audit.positions import Stop
from models.audit.results import Audit, AuditWriter
from models.audit.searching import audit_settings
from models.strength.exams import after
from models.strength.rating import wilson_interval

MOST: Final = 50  # mistakes that are examined where no other number is given
PLIES: Final = 4  # of the line that the search missed
WORDS: Final[Mapping[str, Text]] = {
    POLICY: Text("Policy"),
    VALUE: Text("Value"),
    HORIZON: Text("Horizon"),
    FOUND: Text("Chance"),
    UNKNOWN: Text("Not known"),
}


def mistakes(audit: Audit, net: int) -> list[Audited]:
    """The positions where the search with a net chose a move that loses something for certain."""
    return [audited for audited in audit.done if audited.search_wrong(net)]


def chosen(positions: Sequence[Audited], most: int) -> list[Audited]:
    """At most so many of the ``positions``, evenly spread over them."""
    count = len(positions)
    return [positions[i * count // most] for i in range(most)] if count > most else [*positions]


def left_over(audit: Audit, net: int, most: int = MOST) -> list[Audited]:
    """The mistakes with a net that are still to be examined, of ``most`` that are chosen."""
    examined = {blame.number for blame in audit.blames if blame.net == net}
    return [audited for audited in chosen(mistakes(audit, net), most) if audited.number not in examined]


def examine(path: Path, audit: Audit, evaluators: Sequence[Evaluator], most: int, should_stop: Stop) -> Iterator[Blame]:
    """Examine up to ``most`` mistakes of each net of the audit in ``path``; each is in the file when it is yielded."""
    with AuditWriter(path) as writer:
        for blame in find_blames(audit, evaluators, most, should_stop):
            writer.add_blame(blame)
            yield blame


def find_blames(audit: Audit, evaluators: Sequence[Evaluator], most: int, should_stop: Stop) -> Iterator[Blame]:
    """Examine up to ``most`` mistakes of each net, less those that were; ends early when ``should_stop``."""
    solver = Solver(audit.game)
    settings = audit_settings(audit.game, 1, audit.plan.simulations)
    for net, evaluator in enumerate(evaluators):
        for audited in left_over(audit, net, most):
            assert audited.exact is not None
            position = after(audit.game, audited.item.moves)
            line, values = right_line(audited, net, position, solver, audit.plan.solve_s, should_stop)
            exact = dict(audited.exact.moves)
            report = post_mortem(
                position,
                line,
                evaluator,
                settings,
                audit.plan.simulations,
                exact=exact,
                values=values,
                shown=audited.nets[net].best,
                should_stop=should_stop,
            )
            if report is None:
                return
            kind = FOUND if report.blame == DIFFERS else report.blame
            yield Blame(audited.number, net, kind, report.sentence)


def right_line(
    audited: Audited, net: int, position: Position, solver: Solver, seconds: float, should_stop: Stop
) -> tuple[list[int], list[float]]:
    """Return the right move that the net likes most, then the best moves of both sides, at most ``PLIES`` in all, and
    the exact values of the positions after each, for the side to move there, as far as they are solved within so many
    ``seconds``."""
    assert audited.exact is not None
    liked = [action for action in audited.nets[net].actions if action not in audited.exact.worse]
    right = liked or [action for action in audited.exact.moves if action not in audited.exact.worse]
    line, values = [right[0]], list[float]()
    position = position.play(right[0])
    while not position.is_over and refusal(position) is None:
        solution = solver.solve(position, should_stop, seconds=seconds)
        if solution is None:
            break
        values.append(float(solution.value))
        move = best_first(solution)[0]
        if len(line) == PLIES or move.value is None:
            break
        line.append(move.action)
        position = position.play(move.action)
    if position.is_over:
        values.append(float(position.returns[position.to_move]))
    return line, values


class Share(NamedTuple):
    """How many of the examined mistakes one thing is to blame for."""

    kind: str
    mistakes: int
    of: int

    @property
    def share(self) -> float:
        return self.mistakes / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """Of the share, 95 %."""
        return wilson_interval(self.share, self.of)

    @property
    def words(self) -> str:
        """The share with its interval."""
        low, high = self.interval
        return f"{WORDS[self.kind].lower()} {self.share:.0%} ({low:.0%} to {high:.0%})"


def shares(blames: Sequence[Blame], net: int) -> list[Share]:
    """The shares of all that is to blame for the mistakes of one net, in a fixed order; [] without mistakes."""
    kinds = [blame.kind for blame in blames if blame.net == net]
    return [Share(kind, kinds.count(kind), len(kinds)) for kind in WORDS if kind in kinds]


def blame_line(audit: Audit, net: int) -> str:
    """The sum of one net as a sentence."""
    parts, count = shares(audit.blames, net), len(mistakes(audit, net))
    name = audit.plan.nets[net].name
    if not count:
        return f"{name}: the search made no mistake that is known"
    if not parts:
        return f"{name}: none of {count} mistakes of the search was examined"
    words = ", ".join(part.words for part in parts)
    return f"{name}: to blame for {parts[0].of} of {count} mistakes of the search: {words}"


def blame_json(audit: Audit, net: int) -> dict[str, Any]:
    """What is to blame for the mistakes of one net, for JSON; positions are numbered from 1."""
    blames = [blame for blame in audit.blames if blame.net == net]
    return {
        "mistakes": len(mistakes(audit, net)),
        "examined": len(blames),
        "shares": [
            {"kind": part.kind, "mistakes": part.mistakes, "share": part.share, "interval": list(part.interval)}
            for part in shares(audit.blames, net)
        ],
        "positions": [
            {"number": blame.number + 1, "kind": blame.kind, "sentence": str(blame.sentence)} for blame in blames
        ],
    }
