"""Faults of a search, found in its trace: each with the first simulation that shows it.

The trace is gone through once.  What the program says of its nodes is compared with the sums of the values that it
backed up, and each move that it entered with the one that its rule takes by its own figures; what it is wrong about is
then the base for what follows, so that a fault shows where it is made and not in all that comes of it.

Values lie in [-1, +1] here; ``w`` of a node is for the side that moved into it, the owner.
"""

import math
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from core.glass.lint_choice import (
    CHOICE,
    ENDS,
    NO_NOISE,
    SIGN,
    TOLERANCE,
    UNTRIED,
    ChoiceMade,
    Edge,
    Untried,
    Variant,
    halving,
    variants,
)
from core.glass.trace import (
    EXACT,
    GUMBEL,
    MOVED,
    NO_SOLVER,
    ROOT,
    TO_MOVE,
    Children,
    Descent,
    Gumbels,
    Played,
    Positions,
    Priors,
    Reported,
    RootMove,
    Simulation,
    Trace,
    is_reported,
    result_for,
)
from core.text import Text, Words

RULES_BROKEN: Final = "rules"
RANGE: Final = "range"
PRIORS: Final = "priors"
VISITS: Final = "visits"
SUM: Final = "sum"
MEAN: Final = "mean"
LOSS: Final = "virtual loss"
INNER_NOISE: Final = "inner noise"
OLD_NOISE: Final = "old noise"
NOISE: Final = "noise"
HALVING: Final = "halving"
MOVE: Final = "move"

# Kind -> what is wrong, in the order of causes before what comes of them.
KINDS: Final[dict[str, Words]] = {
    RULES_BROKEN: "a move that the rules do not allow",
    PRIORS: "priors that are no distribution",
    INNER_NOISE: "noise below the root",
    OLD_NOISE: "noise of another root",
    NOISE: "noise that is not as declared",
    NO_NOISE: "no noise at the root",
    ENDS: "the result of a finished game, for the wrong side",
    RANGE: "a value out of range",
    LOSS: "virtual loss that is not as declared",
    VISITS: "visits that do not sum",
    SIGN: "the sign of values",
    SUM: "values that do not sum",
    MEAN: "Q is not W / N",
    UNTRIED: "the Q of moves without visits",
    HALVING: "another move at the root than the one due",
    CHOICE: "another move than the one of greatest score",
    MOVE: "another move played than the one declared",
}
_ORDER: Final = {kind: place for place, kind in enumerate(KINDS)}
_EXPLAINED: Final = 10_000  # choices by which other rules are tried
_TELLING: Final = 3  # choices against the rule that it takes to name another
_ALL: Final = 1 << 31
_NO_MOVES: Final = Untried(0, 0.0, 0.0)
_PRIOR_SLACK: Final = 5e-3  # of a sum of priors: programs print few digits


@dataclass(frozen=True)
class Finding:
    """A fault, where it shows first, and how often."""

    kind: str
    simulation: int  # the first that shows it, from 1; 0: before any
    node: int
    path: tuple[str, ...]  # the moves from the first root to the node
    sentence: str
    count: int = 1

    @property
    def title(self) -> str:
        """What is wrong, in a few words."""
        return Text(KINDS[self.kind])


def lint(trace: Trace, most: int = _ALL) -> tuple[Finding, ...]:
    """The faults that the first simulations of a trace show, ``most`` at most; each kind once, by where it is first."""
    first = _Lint(trace, variants(trace.declared, False)[:1])
    first.run(most)
    if CHOICE in first.findings:
        others = variants(trace.declared, first.reports_sums)
        compared = _Lint(trace, others, first.findings[CHOICE].simulation)
        compared.run(most)
        first.explain(others, compared.choices)
    return tuple(sorted(first.findings.values(), key=lambda finding: (finding.simulation, _ORDER[finding.kind])))


@dataclass(slots=True)
class _Node:
    """A node: its sums by the records, and how far what the program says differs from them."""

    parent: int
    action: int
    owner: int  # the side that moved into it
    to_move: int
    over: bool = False
    legal: int = -1  # the number of its legal moves; -1 before it is asked for
    children: list[int] = field(default_factory=list)
    priors: dict[int, float] | None = None
    clean: dict[int, float] | None = None
    value: float = math.nan  # its first evaluation, for the side to move
    n: float = 0.0
    w: float = 0.0
    squares: float = 0.0
    ended: int = 0  # simulations that ended here
    unturned: float = 0.0  # the sum as it would be without changes of sign
    ends: float = 0.0  # the part of w that finished games gave
    inflight: int = 0
    off_n: float = 0.0  # what the program says less the sums
    off_w: float = 0.0
    has_base: bool = False
    proof: float = math.nan  # its exact value for the side to move
    was_root: bool = False
    noisy: bool = False


class _Lint:
    """Goes through a trace once."""

    def __init__(self, trace: Trace, rules: list[Variant], since: int = 0) -> None:
        self._trace, self._declared = trace, trace.declared
        self._positions = Positions(trace)
        self._rules = rules
        self._since = since  # the simulation from which on rules are to explain the choices
        self.choices = 0  # by which rules were tried
        self._root = 0
        self._simulation = 0
        self._nodes: dict[int, _Node] = {}
        self._waiting: dict[int, int] = {}  # leaf -> descents in flight there
        self._noises: list[tuple[float, ...]] = []  # of the roots so far
        self._gumbels: dict[int, dict[int, float]] = {}
        self._halves = trace.declared.considered > 0  # whether the root's choices are those of sequential halving
        self._root_noise_due = trace.declared.noise > 0
        self._root_offset: float | None = None
        self.reports_sums = False
        self.findings: dict[str, Finding] = {}
        self._add(0, -1)
        self._node(0).was_root = True

    # Findings.

    def _find(self, kind: str, node: int, sentence: str) -> None:
        earlier = self.findings.get(kind)
        if earlier is not None:
            self.findings[kind] = replace(earlier, count=earlier.count + 1)
            return
        self.findings[kind] = Finding(kind, self._simulation, node, self._trace.names(node), sentence)

    def explain(self, rules: list[Variant], tried: int) -> None:
        """Say which other rule explains the moves entered, where one does; ``tried``: so many of them."""
        finding = self.findings.pop(CHOICE)
        best = min(rules[1:], key=lambda variant: (variant.missed, variant.missed_before))
        if best.missed > rules[0].missed // 50 or rules[0].missed < _TELLING or best.words is None:
            self.findings[CHOICE] = finding
            return
        words: Words = (
            "{sentence}; from here on {agreeing} of the {tried} moves entered that were compared agree if {cause}"
            if best.missed or tried > _EXPLAINED
            else "{sentence}; from here on all moves entered agree if {cause}"
        )
        agreeing = tried - best.missed
        sentence = Text(words, sentence=finding.sentence, cause=best.words, agreeing=agreeing, tried=tried)
        if best.kind not in self.findings or self.findings[best.kind].simulation > finding.simulation:
            self.findings[best.kind] = replace(finding, kind=best.kind, sentence=sentence)

    # Nodes.

    def _add(self, number: int, parent: int) -> None:
        position = self._positions[number]
        assert position is not None
        owner = 1 - position.to_move if parent < 0 else self._nodes[parent].to_move
        self._nodes[number] = _Node(parent, self._trace.actions[number], owner, position.to_move, position.is_over)
        if parent >= 0:
            self._nodes[parent].children.append(number)
        if position.is_over:
            self._nodes[number].proof = result_for(position, position.to_move)

    def _node(self, number: int) -> _Node:
        return self._nodes[number]

    def _entered(self, leaf: int) -> list[int]:
        """The path to ``leaf``; [] where the rules do not allow it, which is then a finding."""
        path = self._trace.path(leaf, self._root)
        for before, number in pairwise(path):
            if number in self._nodes:
                continue
            if self._positions[number] is None:
                name = self._trace.position.game.action_name(self._trace.actions[number])
                words: Words = (
                    "{move} is played, and the game is over there"
                    if self._nodes[before].over
                    else "{move} is played, which the rules do not allow there"
                )
                self._find(RULES_BROKEN, before, Text(words, move=name))
                return []
            self._add(number, before)
        return path

    def _name(self, action: int) -> str:
        return self._trace.position.game.action_name(action)

    def _legal(self, number: int) -> int:
        node = self._nodes[number]
        if node.legal < 0:
            position = self._positions[number]
            node.legal = 0 if position is None else len(position.legal_actions())
        return node.legal

    # Points of view.

    def _sign(self, view: str, node: _Node) -> float:
        """+1 where a number in this ``view`` is for the owner of the node, else -1."""
        if view == MOVED:
            return 1.0
        side = {TO_MOVE: node.to_move, ROOT: self._nodes[self._root].to_move}.get(view, 0)
        return 1.0 if side == node.owner else -1.0

    # Events.

    def run(self, most: int) -> None:
        """Go through the records up to so many simulations."""
        for event in self._trace.events:
            if self._simulation >= most or (len(self._rules) > 1 and self.choices > _EXPLAINED):
                return
            if isinstance(event, Simulation):
                self._take_simulation(event)
            elif isinstance(event, Priors):
                self._take_priors(event)
            elif isinstance(event, Descent):
                self._take_descent(event)
            elif isinstance(event, Gumbels):
                self._gumbels[event.node] = event.noise
            elif isinstance(event, Children):
                self._take_children(event)
            elif isinstance(event, RootMove):
                self._take_root(event.node)
            else:
                self._take_played(event)

    def _take_root(self, number: int) -> None:
        if number not in self._nodes and not self._entered(number):
            return
        self._root = number
        self._root_offset = None
        self._root_noise_due = self._declared.noise > 0
        self._nodes[number].was_root = True
        self._halves = self._declared.considered > 0 and not self._nodes[number].children
        self._check_noise(number)

    def _take_descent(self, event: Descent) -> None:
        self._simulation += 1
        path = self._entered(event.leaf)
        if path:
            self._check_choices(path)
            self._fly(path, 1)
            self._waiting[event.leaf] = self._waiting.get(event.leaf, 0) + 1
            self._compare(path, event.reported, 0.0, lands=False)
        self._simulation -= 1

    def _fly(self, path: list[int], times: int) -> None:
        for number in path:
            self._nodes[number].inflight += times

    def _take_simulation(self, event: Simulation) -> None:
        self._simulation += 1
        path = self._entered(event.leaf)
        if not path:
            return
        if self._waiting.get(event.leaf, 0):
            self._waiting[event.leaf] -= 1
            self._fly(path, -1)
        else:
            self._check_choices(path)
        leaf = self._nodes[event.leaf]
        value = self._leaf_value(event.leaf, leaf, event.value)
        leaf.ended += 1
        if math.isnan(leaf.value):
            leaf.value = -value
        exact = self._declared.solver != NO_SOLVER and self._prove(path)
        v = value
        for number in reversed(path):
            node = self._nodes[number]
            v = value if node.owner == leaf.owner else -value
            node.n += 1.0
            node.w += v
            node.squares += v * v
            node.unturned += value
            node.ends += v if leaf.over else 0.0
        if not exact or self._declared.solver != EXACT:
            self._compare(path, event.reported, value, lands=True)
        else:
            self._compare(path, tuple(Reported(row.n, math.nan, math.nan) for row in event.reported), value, lands=True)
            for number, row in zip(path, event.reported, strict=False):
                self._base(self._nodes[number], *self._reported_figures(self._nodes[number], row))

    def _leaf_value(self, number: int, leaf: _Node, stated: float) -> float:
        """The value of a simulation for the owner of its leaf, by the program."""
        low, high = self._declared.values
        if math.isnan(stated):
            self._find(RANGE, number, Text("its value is no number"))
            return 0.0
        slack = 1e-3 * (high - low)
        if not low - slack <= stated <= high + slack:
            self._find(
                RANGE,
                number,
                Text("its value is {value:g}, and allowed are {low:g} to {high:g}", value=stated, low=low, high=high),
            )
        value = self._sign(self._declared.value_for, leaf) * self._declared.even(stated)
        if leaf.over:
            position = self._positions[number]
            assert position is not None
            right = result_for(position, leaf.owner)
            if abs(value - right) > 1e-3:
                self._find(
                    ENDS if abs(value + right) <= 1e-3 else RANGE,
                    number,
                    Text(
                        "the game is over, and its value for the side that moved is {right:+g}, not {value:+g}",
                        right=right,
                        value=value,
                    ),
                )
        return value

    def _prove(self, path: list[int]) -> bool:
        """Carry proofs up the path; whether a node of it is proved."""
        for number in reversed(path):
            node = self._nodes[number]
            if math.isnan(node.proof):
                proofs = [self._nodes[child].proof for child in node.children]
                if any(proof == -1.0 for proof in proofs):
                    node.proof = 1.0
                elif proofs and len(proofs) == self._legal(number) and not any(map(math.isnan, proofs)):
                    node.proof = max(-proof for proof in proofs)
        return any(not math.isnan(self._nodes[number].proof) for number in path)

    # What the program says of its nodes.

    def _expected(self, node: _Node) -> tuple[float, float]:
        """N and W as the program should say them, if what it said before holds."""
        lost, visits = self._declared.virtual_loss * node.inflight, self._declared.virtual_visits * node.inflight
        return node.n + lost + visits + node.off_n, node.w - lost + node.off_w

    def _base(self, node: _Node, n: float, w: float) -> None:
        """Take what the program says as the base of what follows."""
        expected_n, expected_w = self._expected(node)
        node.off_n += n - expected_n if is_reported(n) else 0.0
        node.off_w += w - expected_w if is_reported(w) else 0.0
        node.has_base = True

    def _reported_figures(self, node: _Node, row: Reported) -> tuple[float, float]:
        """N, and W for the owner in [-1, +1] per simulation, as the program says them; NaN where it does not."""
        n = row.n
        if is_reported(row.w):
            middle, scale = sum(self._declared.values) / 2.0, 2.0 / self._declared.width
            w = (row.w - (n if is_reported(n) else node.n) * middle) * scale
        elif is_reported(row.q):
            w = self._declared.even(row.q) * (n if is_reported(n) else node.n)
        else:
            return n, math.nan
        return n, self._sign(self._declared.w_for, node) * w

    def _compare(self, path: list[int], rows: tuple[Reported, ...], value: float, lands: bool) -> None:
        """Compare what the program says of the nodes of a path with what it should have become."""
        if not rows or len(rows) != len(path):
            return
        self.reports_sums = True
        wrong_signs = []
        compared = [(number, self._nodes[number], row) for number, row in zip(path, rows, strict=True)]
        for number, node, row in compared:
            n, w = self._reported_figures(node, row)
            self._check_mean(number, row)
            expected_n, expected_w = self._expected(node)
            excess, extra = n - expected_n if is_reported(n) else 0.0, w - expected_w if is_reported(w) else 0.0
            if number == self._root and self._root_offset is None and is_reported(n):
                self._root_offset = excess
                if excess in (0.0, 1.0):  # programs count the root's own evaluation or not
                    excess = 0.0
                    extra = 0.0 if abs(extra) <= 1.0 else extra
            slack = 2e-3 + 1e-5 * node.n
            if abs(excess) > 0.5 or abs(extra) > slack:
                change = self._change(path, number, value) if lands else 0.0
                kind = self._kind_of(node, excess, extra, change, slack, lands, is_reported(row.w))
                if kind == SIGN:
                    wrong_signs.append(number)
                else:
                    self._find(kind, number, self._sum_words(kind, row, node, expected_n, expected_w))
            self._base(node, n, w)
        if wrong_signs:
            every = len(wrong_signs) == len([1 for _, _, row in compared if is_reported(row.w) or is_reported(row.q)])
            words: Words = (
                "W grows by the value for the other side at every ply"
                if every
                else "W grows by the value for the other side"
            )
            self._find(SIGN, wrong_signs[-1], Text(words))

    def _change(self, path: list[int], number: int, value: float) -> float:
        leaf, node = self._nodes[path[-1]], self._nodes[number]
        return value if node.owner == leaf.owner else -value

    def _kind_of(
        self, node: _Node, excess: float, extra: float, change: float, slack: float, lands: bool, reports_w: bool
    ) -> str:
        """What kind of fault it is that N is too large by ``excess`` and W by ``extra`` after W should have changed by
        ``change``."""
        loss = self._declared.virtual_loss
        if not lands:
            return LOSS
        if abs(excess) > 0.5:
            return LOSS if excess > 0 and abs(abs(extra) - excess) <= slack + 1e-3 else VISITS
        if change and abs(extra + 2.0 * change) <= slack:
            return SIGN
        if loss and min(abs(abs(extra) - times * loss) for times in (1, 2)) <= slack:
            return LOSS
        if not reports_w:
            return MEAN
        return SUM

    def _sum_words(self, kind: str, row: Reported, node: _Node, expected_n: float, expected_w: float) -> Text:
        n, w = self._reported_figures(node, row)
        if kind == LOSS:
            return Text(
                "N is {n:g} and W {w:+.3f}; with those in flight as declared they are {right_n:g} and {right_w:+.3f}",
                n=n,
                w=w,
                right_n=expected_n,
                right_w=expected_w,
            )
        if kind == VISITS:
            return Text("N is {n:g}, and {right:g} simulations passed here", n=n, right=expected_n)
        if kind == MEAN:
            mean = expected_w / max(1.0, expected_n)
            return Text("Q is {q:+.4f}, and the mean of the values is {mean:+.4f}", q=w / max(1.0, n), mean=mean)
        return Text("W is {w:+.4f}, and the values sum to {right:+.4f}", w=w, right=expected_w)

    def _check_mean(self, number: int, row: Reported) -> None:
        if is_reported(row.w) and is_reported(row.q) and row.n > 0 and is_reported(row.n):
            mean = row.w / row.n
            if abs(mean - row.q) > 1e-3 * self._declared.width + 1e-5 * abs(mean):
                self._find(MEAN, number, Text("Q is {q:+.4f}, and W / N is {mean:+.4f}", q=row.q, mean=mean))

    def _take_children(self, event: Children) -> None:
        node = self._nodes.get(event.node)
        if node is None:
            return
        children = {self._nodes[child].action: child for child in node.children}
        total = 0.0
        for action, row in event.moves.items():
            total += row.n if is_reported(row.n) else 0.0
            child = children.get(action)
            if child is not None:
                self._compare([child], (row,), 0.0, lands=True)
            elif row.n > 0.5:
                self._find(
                    VISITS,
                    event.node,
                    Text("N of {move} is {n:g}, and no simulation entered it", move=self._name(action), n=row.n),
                )
            elif is_reported(row.w) and abs(row.w) > 1e-6:
                self._find(
                    UNTRIED, event.node, Text("W of {move} is {w:g} without a visit", move=self._name(action), w=row.w)
                )
        ended = node.n + node.off_n - sum(self._nodes[child].n for child in node.children)
        if node.has_base and abs(total + ended - (node.n + node.off_n)) > 1.5:
            self._find(
                VISITS,
                event.node,
                Text("N of its moves sum to {sum:g}, and its own is {n:g}", sum=total, n=node.n + node.off_n),
            )

    def _take_played(self, event: Played) -> None:
        if self._declared.final == "any":
            return
        root = self._nodes[self._root]
        by_mean = self._declared.final == "mean"
        figures = {}
        for child in root.children:
            n, w = self._expected(self._nodes[child])
            figures[self._nodes[child].action] = (w / n if by_mean and n else n) if n else -math.inf
        played = figures.get(event.action, -math.inf)
        best = max(figures, key=figures.__getitem__, default=event.action)
        if figures and played < figures[best] - (TOLERANCE if by_mean else 0.5):
            proved = any(not math.isnan(self._nodes[child].proof) for child in root.children)
            if self._declared.solver == NO_SOLVER or not proved:
                words: Words = (
                    "{move} is played with Q {n:g}, and {best} has {most:g}"
                    if by_mean
                    else "{move} is played with N {n:g}, and {best} has {most:g}"
                )
                n = max(played, 0.0) if not by_mean else played
                self._find(
                    MOVE,
                    self._root,
                    Text(words, move=self._name(event.action), n=n, best=self._name(best), most=figures[best]),
                )

    # Priors and noise.

    def _take_priors(self, event: Priors) -> None:
        node = self._nodes.get(event.node)
        if node is None:
            if not self._entered(event.node):
                return
            node = self._nodes[event.node]
        position = self._positions[event.node]
        assert position is not None
        legal = set(position.legal_actions())
        total = sum(event.priors.values())
        at = event.node
        if any(math.isnan(prior) or prior < -1e-6 for prior in event.priors.values()):
            self._find(PRIORS, at, Text("a prior is below 0 or no number"))
        elif not set(event.priors) <= legal:
            illegal = next(action for action in event.priors if action not in legal)
            self._find(PRIORS, at, Text("{move} has a prior, which the rules do not allow", move=self._name(illegal)))
        elif abs(total - 1.0) > _PRIOR_SLACK:
            self._find(PRIORS, at, Text("its priors sum to {sum:.4g}", sum=total))
        if event.clean:
            node.clean = event.priors
        else:
            node.priors = event.priors
        self._check_noise(at)

    def _check_noise(self, number: int) -> None:
        """Compare the priors of a node with those without noise, where both are known."""
        node, share = self._nodes[number], self._declared.noise
        if node.priors is None or node.clean is None:
            return
        actions = sorted(node.priors)
        changes = [node.priors[action] - node.clean.get(action, 0.0) for action in actions]
        node.noisy = max(map(abs, changes), default=0.0) > 1e-3
        if not node.noisy:
            return
        if number != self._root:
            if not node.was_root:
                self._find(INNER_NOISE, number, Text("its priors are not the net's, and it is not the root"))
            return
        if not share:
            self._find(NOISE, number, Text("the priors of the root are not the net's, and no noise is declared"))
            return
        noise = [change / share + node.clean.get(action, 0.0) for action, change in zip(actions, changes, strict=True)]
        slack = 2e-3 / share
        same = any(
            len(other) == len(noise) and all(abs(a - b) <= slack for a, b in zip(other, noise, strict=True))
            for other in self._noises
        )
        if same and len(noise) > 1:
            self._find(OLD_NOISE, number, Text("its noise is that of an earlier root"))
        elif min(noise) < -slack or abs(sum(noise) - 1.0) > slack * math.sqrt(len(noise)):
            words: Words = "its priors are not those of the net with a share of {share:g} of noise"
            self._find(NOISE if not self._noises else OLD_NOISE, number, Text(words, share=share))
        self._noises.append(tuple(noise))
        self._root_noise_due = False

    # Choices.

    def _check_choices(self, path: list[int]) -> None:
        if len(path) > 1:
            root = self._nodes[self._root]
            if self._root_noise_due and root.priors is not None and root.clean is not None:
                self._root_noise_due = False
                if not root.noisy:
                    self._find(NO_NOISE, self._root, Text("the priors of the root are those of the net"))
        for number, below in pairwise(path):
            node = self._nodes[number]
            if node.noisy and node.was_root and number != self._root:
                self._find(OLD_NOISE, number, Text("it is no longer the root, and has its noise yet"))
            if not self._rules:
                continue
            if self._declared.solver != NO_SOLVER and any(
                not math.isnan(self._nodes[child].proof) for child in node.children
            ):
                continue
            if self._declared.rule != GUMBEL or number != self._root:
                self._check_choice(number, node, below)
            elif self._halves and node.priors is not None and not node.inflight:
                self._check_halving(node, node.priors, below)

    def _check_halving(self, root: _Node, priors: dict[int, float], below: int) -> None:
        choice = self._choice(self._root, root, below)
        right = halving(self._declared, choice, priors, self._gumbels.get(self._root, {}))
        if right is None or not right.gap:
            return
        entered = self._name(choice.entered)
        if math.isinf(right.gap):
            edge = choice.edges.get(choice.entered)
            n = 0 if edge is None else edge.visits
            sentence = Text(
                "{move} is entered with N {n:g}, and a move with N {due} is due", move=entered, n=n, due=right.visits
            )
        else:
            sentence = Text(
                "{move} is entered, and G + ln P + σ(Q) of {best} is greater by {gap:.3g}",
                move=entered,
                best=self._name(right.best),
                gap=right.gap,
            )
        self._find(HALVING, self._root, sentence)

    def _check_choice(self, number: int, node: _Node, below: int) -> None:
        choice = self._choice(number, node, below)
        since = self._simulation >= self._since
        self.choices += since
        for variant in self._rules:
            gap, best = variant.gap(choice)
            if gap <= TOLERANCE:
                continue
            variant.missed += since
            variant.missed_before += not since
            if variant is self._rules[0]:
                words: Words = (
                    "{move} is entered, and the score of {best} is greater by {gap:.3g}"
                    if best >= 0
                    else "{move} is entered, and the score of a move without visits is greater by {gap:.3g}"
                )
                sentence = Text(words, move=self._name(choice.entered), best=self._name(max(best, 0)), gap=gap)
                self._find(CHOICE, number, sentence)

    def _choice(self, number: int, node: _Node, below: int) -> ChoiceMade:
        priors, entered = node.priors, self._trace.actions[below]
        equal = 1.0 / max(1, self._legal(number)) if priors is None else 0.0
        clean = node.clean if node.clean is not None else priors
        edges = {}
        for child in (self._nodes[number] for number in node.children):
            n, w = self._expected(child)
            if n <= 0.0:
                continue
            finished, action, count = (
                n - self._declared.virtual_visits * child.inflight,
                child.action,
                max(1.0, child.n),
            )
            edges[action] = Edge(
                n,
                w / finished if finished > 0.0 else math.nan,
                max(0.0, child.squares / count - (child.w / count) ** 2),
                equal if priors is None else priors.get(action, 0.0),
                equal if clean is None else clean.get(action, 0.0),
                child.unturned / count,
                (child.w - 2.0 * child.ends) / count,
            )

        def untried_moves(shares: dict[int, float] | None) -> Untried:
            if shares is None:
                count = self._legal(number) - len(edges)
                return Untried(count, equal, count * equal)
            if len(edges) == len(shares):
                return _NO_MOVES
            rest = [prior for action, prior in shares.items() if action not in edges]
            return Untried(len(rest), max(rest, default=0.0), sum(rest))

        n, w = self._expected(node)
        finished = n - self._declared.virtual_visits * node.inflight
        return ChoiceMade(
            edges=edges,
            untried=(untried := untried_moves(priors)),
            untried_clean=untried if clean is priors else untried_moves(clean),
            entered=entered,
            entered_prior=equal if priors is None else priors.get(entered, 0.0),
            entered_clean=equal if clean is None else clean.get(entered, 0.0),
            n=n,
            q=-w / finished if finished > 0 else 0.0,
            value=0.0 if math.isnan(node.value) else node.value,
            for_root=node.to_move == self._nodes[self._root].to_move,
        )
