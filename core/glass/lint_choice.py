"""Which move the declared rule enters at a node of a trace, and which other rule explains the moves entered.

A program's figures are on its own scale; here values lie in [-1, +1], and those of a move are for the side to move at
its node.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

from core.glass.trace import GUMBEL, NET_VALUE, OTHER, PARENT, PUCT, TRIED_FIRST, TUNED, UCB1, Declared
from core.search.rules.gumbel import considered_visits, mixed_value, sigma_scale
from core.search.rules.terms import growing_c
from core.text import Text, Words

TOLERANCE: Final = 3e-4  # of a score: programs print few digits


class Edge(NamedTuple):
    """A visited move of a node as selection sees it."""

    visits: float  # those in flight as declared
    q: float  # NaN while its first simulation is in flight
    variance: float
    prior: float
    clean: float  # prior without noise
    q_unturned: float  # the mean if signs never changed on the way up
    q_ends: float  # the mean if finished games counted for the other side


class Untried(NamedTuple):
    """The moves of a node without visits."""

    moves: int
    best: float  # the greatest of their priors
    mass: float  # the sum of their priors


class ChoiceMade(NamedTuple):
    """A node at which a simulation chose a move."""

    edges: Mapping[int, Edge]  # by action
    untried: Untried
    untried_clean: Untried  # by the priors without noise
    entered: int
    entered_prior: float
    entered_clean: float
    n: float  # of the node, those in flight included
    q: float  # of the node, for the side to move
    value: float  # its own evaluation
    for_root: bool  # the side to move is that at the root


@dataclass
class Variant:
    """A rule of choice, and how many of the choices it does not explain."""

    kind: str  # a kind of finding
    words: Text | None  # how it differs from what is declared
    declared: Declared
    q_of: Callable[[Edge, ChoiceMade], float] = lambda edge, choice: edge.q
    clean: bool = False  # priors without noise
    equal: bool = False  # no priors
    more: float = 0.0  # added to sum N
    missed: int = 0
    missed_before: int = 0  # the first against the declared rule

    def gap(self, choice: ChoiceMade) -> tuple[float, int]:
        """(How far the move entered is below the best by this rule, the best; -1 = an untried one)."""
        score, scores = self._score(choice), {}
        for action, edge in choice.edges.items():
            q = self.q_of(edge, choice)
            scores[action] = score(self._assumed(choice) if math.isnan(q) else q, edge)
        best = max(scores, key=scores.__getitem__, default=-1)
        top, taken = scores.get(best, -math.inf), scores.get(choice.entered, -math.inf)
        untried = choice.untried_clean if self.clean else choice.untried
        if untried.moves:
            first, entered_prior = untried.best, choice.entered_clean if self.clean else choice.entered_prior
            assumed = self._assumed(choice)
            score_of_first = score(assumed, Edge(0.0, assumed, 0.0, first, first, 0.0, 0.0))
            if score_of_first > top:
                top, best = score_of_first, -1
            if choice.entered not in scores:
                taken = score(assumed, Edge(0.0, assumed, 0.0, entered_prior, entered_prior, 0.0, 0.0))
        return (0.0 if taken == top else top - taken), best

    def _total(self, choice: ChoiceMade) -> float:
        if self.declared.total == "node":
            return choice.n + self.more
        return sum(edge.visits for edge in choice.edges.values()) + self.more

    def _prior(self, edge: Edge, choice: ChoiceMade) -> float:
        if self.equal:
            return 1.0 / (len(choice.edges) + choice.untried.moves)
        return edge.clean if self.clean else edge.prior

    def _assumed(self, choice: ChoiceMade) -> float:
        """Q of a move without visits."""
        d = self.declared
        if d.rule == GUMBEL:
            return self._mixed(choice)
        if isinstance(d.fpu, float):
            return d.even(d.fpu)
        if d.fpu == TRIED_FIRST:
            return math.inf
        mass = sum(self._prior(edge, choice) for edge in choice.edges.values())
        base = choice.q if d.fpu == PARENT else choice.value
        return base - 2.0 / d.width * d.fpu_reduction * math.sqrt(max(0.0, mass))

    def _score(self, choice: ChoiceMade) -> Callable[[float, Edge], float]:
        """The score of a move from its Q and its other figures."""
        d, total = self.declared, self._total(choice)
        scale = 2.0 / d.width
        log = max(0.0, math.log(total)) if total > 0 else 0.0
        if d.rule == PUCT:
            factor = growing_c(d.c, d.c_base, d.c_log, total) * scale * math.sqrt(max(0.0, total))
            if not self.equal and not self.clean:
                return lambda q, edge: q + factor * edge.prior / (1.0 + edge.visits)
            return lambda q, edge: q + factor * self._prior(edge, choice) / (1.0 + edge.visits)
        if d.rule == UCB1:
            return lambda q, edge: q + d.c * scale * math.sqrt(log / edge.visits) if edge.visits > 0 else q

        def tuned(q: float, edge: Edge) -> float:
            if edge.visits <= 0:
                return q
            share = log / edge.visits
            return q + 2.0 * d.c * math.sqrt(share * min(0.25, edge.variance / 4.0 + math.sqrt(2.0 * share)))

        if d.rule == TUNED:
            return tuned
        most = max((edge.visits for edge in choice.edges.values()), default=0.0)
        sigma = sigma_scale(d.c, d.c_scale, most)

        def weight(q: float, prior: float) -> float:
            return prior * math.exp(sigma * (q - 1.0))

        norm = sum(weight(edge.q, self._prior(edge, choice)) for edge in choice.edges.values())
        norm = max(norm + weight(self._mixed(choice), choice.untried.mass), 1e-300)
        return lambda q, edge: weight(q, self._prior(edge, choice)) / norm - edge.visits / (1.0 + total)

    def _mixed(self, choice: ChoiceMade) -> float:
        edges = choice.edges.values()
        visits, mass = sum(edge.visits for edge in edges), sum(edge.prior for edge in edges)
        return mixed_value(choice.value, visits, mass, sum(edge.prior * edge.q for edge in edges))


class Halving(NamedTuple):
    """What sequential halving enters at the root."""

    visits: int  # that its move has
    best: int  # that move
    gap: float  # how far the move entered is below it; infinite where it has other visits


def halving(
    declared: Declared, choice: ChoiceMade, priors: Mapping[int, float], noise: Mapping[int, float]
) -> Halving | None:
    """What Gumbel's rule enters at a root with these priors and noise; None after the simulations that it plans."""
    due = _due(min(declared.considered, len(priors)), declared.simulations)
    made = round(sum(edge.visits for edge in choice.edges.values()))
    visits = dict.fromkeys(priors, 0) | {action: round(edge.visits) for action, edge in choice.edges.items()}
    due_moves = [action for action in priors if made < len(due) and visits[action] == due[made]]
    if not due_moves:
        return None
    sigma = sigma_scale(declared.c, declared.c_scale, max(visits.values()))

    def score(action: int) -> float:
        q = choice.edges[action].q if visits[action] else 0.0  # without visits all have the same
        return noise.get(action, 0.0) + math.log(max(priors[action], 1e-300)) + sigma * q

    best = max(due_moves, key=score)
    if choice.entered not in due_moves:
        return Halving(due[made], best, math.inf)
    digits = sum(1e-5 / max(priors[action], 1e-5) for action in (best, choice.entered)) + TOLERANCE * sigma
    gap = score(best) - score(choice.entered)
    return Halving(due[made], best, gap if gap > TOLERANCE + digits else 0.0)


@lru_cache(maxsize=8)
def _due(considered: int, simulations: int) -> list[int]:
    return [int(visits) for visits in considered_visits(considered, simulations)]


SIGN: Final = "sign"
UNTRIED: Final = "untried"
CHOICE: Final = "choice"
ENDS: Final = "terminal"
NO_NOISE: Final = "no noise"


# What a program may take a move without visits for, values from -1 to +1.
_UNTRIED: Final[Sequence[tuple[float | str, Words]]] = (
    (TRIED_FIRST, "moves without visits are tried before any other"),
    (0.0, "moves without visits have the Q of a draw"),
    (-1.0, "moves without visits have the Q of a loss"),
    (1.0, "moves without visits have the Q of a win"),
    (PARENT, "moves without visits have the Q of the position"),
    (NET_VALUE, "moves without visits have the evaluation of the position"),
)


def variants(declared: Declared, reported: bool) -> list[Variant]:
    """The declared rule, and others that a faulty program may follow, none where it is not known; ``reported``: the
    program's own figures are."""
    if declared.rule == OTHER:
        return []
    rules = [Variant(CHOICE, None, declared)]

    def add(kind: str, words: Words, **given: object) -> None:
        rules.append(Variant(kind, Text(words), **{"declared": declared, **given}))  # type: ignore[arg-type]

    add(
        SIGN,
        "the opponent's moves are chosen by the value of the side at the root",
        q_of=lambda edge, choice: edge.q if choice.for_root else -edge.q,
    )
    add(SIGN, "moves are chosen by the value of the other side", q_of=lambda edge, _: -edge.q)
    if not reported:
        add(SIGN, "values are added up without a change of sign from ply to ply", q_of=lambda edge, _: edge.q_unturned)
        add(SIGN, "values are added up without a change of sign from ply to ply", q_of=lambda edge, _: -edge.q_unturned)
        add(ENDS, "finished games are counted for the other side", q_of=lambda edge, _: edge.q_ends)
    for kind, words in _UNTRIED:
        fpu = kind if isinstance(kind, str) else declared.scaled(kind)
        if fpu != declared.fpu and declared.rule != GUMBEL:
            add(UNTRIED, words, declared=replace(declared, fpu=fpu, fpu_reduction=0.0))
    if declared.fpu_reduction:
        add(UNTRIED, "moves without visits are not reduced", declared=replace(declared, fpu_reduction=0.0))
    if declared.noise:
        add(NO_NOISE, "the choice does not use the noise in the priors", clean=True)
    if declared.rule in (PUCT, GUMBEL):
        add(CHOICE, "the choice does not use the priors", equal=True)
    if declared.rule != GUMBEL:
        other = "node" if declared.total == "children" else "children"
        add(CHOICE, "ΣN counts other simulations than declared", declared=replace(declared, total=other))
        add(CHOICE, "ΣN counts one simulation more", more=1.0)
        add(CHOICE, "the constant is squared", declared=replace(declared, c=declared.c**2))
        add(CHOICE, "the constant stands inside the root", declared=replace(declared, c=math.sqrt(declared.c)))
        add(CHOICE, "the constant is twice as large", declared=replace(declared, c=2.0 * declared.c))
        add(CHOICE, "the constant is half as large", declared=replace(declared, c=declared.c / 2.0))
        add(CHOICE, "the move of greatest Q is entered, without any bonus", declared=replace(declared, c=0.0))
    return rules
