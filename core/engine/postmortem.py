"""Why a search missed a line: its figures at each ply, and the smallest correction with which it finds the line.

Of a line that it plays, and rightly: the smallest correction with which it leaves it, and which moves it misjudges.
A correction is one prior or one value of the net, changed at one node (core.engine.corrections); the search
is run again with it from the same seed.  Values are those of a move, for the side that plays it.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.engine.corrections import Correction, Corrections, PriorAt, ValueBelow
from core.engine.endings import Stop, never
from core.engine.evaluator import Evaluator, ask
from core.engine.remembered import Remembered
from core.engine.search import Search
from core.games import Position
from core.games.net_inputs import inputs_of
from core.glass.curves import CurveMaker
from core.glass.first_visit import NodeLog, can_foretell, foretell
from core.glass.snapshot import Path
from core.glass.turns import LogReader
from core.search import Limit, SearchSettings
from core.search.root import merged_moves
from core.search.tree import PRIOR_ONE, RECORDS, Tree, backups, node_at, one_node
from core.solve.solver import refusal, solve
from core.text import Text, Words

POLICY: Final = "policy"  # one prior is to blame
VALUE: Final = "value"  # one value is
HORIZON: Final = "horizon"  # more simulations find it
FOUND: Final = "found"  # the search finds it as it is
DIFFERS: Final = "differs"  # searched again it decides otherwise than the search that is examined
CONSTANT: Final = "c"  # a larger c finds it
UNKNOWN: Final = "unknown"  # nothing that was tried helps
MORE: Final = 4  # times the simulations, to see whether the line lies beyond the horizon
HALF: Final = 0.5  # the prior that is tried where an equal share does not help
LARGEST_C: Final = 100.0  # that the settings allow
STEPS: Final = 5  # halvings of the way between a prior and the one that helps
SURE: Final = 0.5  # a mean value at least so far from 0 takes a move for won or lost
RESULTS: Final = {1: Text("won"), 0: Text("drawn"), -1: Text("lost")}


@dataclass(frozen=True)
class Ply:
    """One move of the line in the search as it is; NaN and -1 where the search has no such node.

    All values are for the side that plays the move."""

    path: Path  # of the node where it is played
    action: int
    prior: float  # P
    value: float  # the net's V after the move; NaN where the game is over
    visits: int  # N of the move
    q: float
    rank: int  # by visits, 1 the most; 0 without any
    tried: int  # the simulation that took it first; -1: none did
    foretold: float  # where it was not tried: the simulation that will; NaN unknown, inf hardly ever
    leader: int  # the most visited other move; -1: none
    alternatives: int  # moves of the node
    held: float  # value of the move in the search, or to the net where it was not tried
    exact: float  # right value of the move; NaN: not known

    @property
    def misjudged(self) -> bool:
        """Whether the move is taken for won or lost and is not."""
        return abs(self.held) >= SURE and not math.isnan(self.exact) and self.exact * self.held <= 0.0


class Repair(NamedTuple):
    """One run again: what was changed, and after how many simulations the root's choice was right for good."""

    kind: str  # POLICY: a prior; VALUE: a value; HORIZON: the simulations; CONSTANT: c
    ply: int  # from 0; -1: of every ply, or of none
    before: float  # as it is; of VALUE, the net's value after the move, for the side that plays it
    after: float  # as it was made
    right_from: int  # -1: not within the simulations
    keeps: bool = False  # the choice was right before, and this may make the search leave it


@dataclass(frozen=True)
class PostMortem:
    """What the search is like along a line, what repairs it, and what is to blame.

    Where the search rightly plays the line's first move, the repairs are what may make it leave that: each takes away
    one thing that speaks for the move.  Where it decides otherwise when it is made again, nothing is repaired.
    """

    line: tuple[int, ...]
    simulations: int
    refutes: bool  # the line refutes the search's own choice, which begins it; else the search should choose its start
    shown: int  # the choice of the search that is examined
    again: tuple[tuple[int, int], tuple[int, int]]  # the choice of the search made again and N, and what it is beside
    one_by_one: bool  # it evaluated each position alone
    right_from: int  # after so many simulations the choice of the search as it is was right for good; -1: it is wrong
    plies: tuple[Ply, ...]
    repairs: tuple[Repair, ...]
    blame: str  # POLICY, VALUE, HORIZON, FOUND, DIFFERS, UNKNOWN
    repair: Repair | None  # the smallest that helps, or with which a right choice is left
    sentence: Text
    worse: int | None = None  # the exact result of the line's first move where the search's choice has a better one
    reason: str = ""  # POLICY, VALUE, HORIZON, CONSTANT: the kind with which a right choice is left; "": none is known

    @property
    def keeps(self) -> bool:
        """Whether the repairs were tried to make the search leave a right choice."""
        return self.blame == FOUND and bool(self.repairs)


class _Runs:
    """Runs of one search, each with other corrections.

    They keep no cache of the net's answers (core.engine.corrections), so that their batches hold other positions than
    those of the search that is examined.  Where that decides, each position is evaluated alone."""

    def __init__(
        self,
        position: Position,
        line: Sequence[int],
        evaluator: Evaluator,
        settings: SearchSettings,
        seed: int,
        simulations: int,
        exact: Mapping[int, int] | None,
        values: Sequence[float | None],
        shown: int | None,
        should_stop: Stop,
    ) -> None:
        self.position, self.line = position, tuple(line)
        self.evaluator = Remembered(evaluator)
        self.settings = replace(settings, collectors=1, threads=1)  # the same simulations every time
        self.seed, self.simulations = seed, simulations
        self.should_stop = should_stop
        self.values = (*values, *[None] * (len(self.line) - len(values)))
        if shown is None:
            plain = Search(position, self.evaluator, self.settings, seed=seed)
            shown = self._finished(plain, simulations).best_action()
        self.base = self.search((), self.simulations)
        self.line = _as_merged(self.base, self.line)
        self.shown = _as_merged(self.base, (shown,))[0]
        self.refutes, self.right = self._question(exact)
        self._agree()

    def _question(self, exact: Mapping[int, int] | None) -> tuple[bool, frozenset[int]]:
        """Whether the line refutes the choice of the search that is examined, and which moves are right."""
        first, best = self.line[0], frozenset[int]()
        self.worse = exact[first] if exact is not None and exact[first] < exact[self.shown] else None
        if exact is not None:
            most = max(exact.values())
            best = frozenset(action for action, value in exact.items() if value == most)
        if first != self.shown:
            return False, best if first in best and self.shown not in best else frozenset({first})
        if exact is not None:
            return first not in best, best
        if len(self.line) > 1:
            return True, frozenset(self.position.legal_actions()) - {first}
        return False, frozenset({first})

    @property
    def differs(self) -> bool:
        """Whether the search made again decides so that the question does not arise."""
        best = self.base.best_action()
        return best != self.shown if self.line[0] == self.shown else best in self.right

    @property
    def compared(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The choice of the search made again with its N, and what it is compared with: the choice of the one that is
        examined, the line's first move, or its strongest rival."""
        best = self.base.best_action()
        visits = {row.action: row.visits for row in self.base.snapshot().moves}  # the most visited first
        others = [action for action in (self.shown, self.line[0], *visits) if action != best]
        other = others[0] if others else best
        return (best, visits.get(best, 0)), (other, visits.get(other, 0))

    def _agree(self) -> None:
        """Search one position at a time where that alone decides as the search that is examined."""
        one_by_one = replace(self.settings, max_batch=1, batches_in_flight=1)
        if self.base.best_action() == self.shown or one_by_one == self.settings:
            return
        batched, differed = (self.settings, self.base), self.differs
        self.settings = one_by_one
        self.base = self.search((), self.simulations)
        if self.base.best_action() != self.shown and (self.differs or not differed):
            self.settings, self.base = batched

    def search(
        self, corrections: Sequence[Correction], simulations: int, settings: SearchSettings | None = None
    ) -> Search:
        search = Search(
            self.position,
            self.evaluator,
            settings or self.settings,
            seed=self.seed,
            corrections=Corrections(corrections),
        )
        return self._finished(search, simulations)

    def _finished(self, search: Search, simulations: int) -> Search:
        search.run(Limit(simulations=simulations), self.should_stop)
        if self.should_stop():
            raise InterruptedError
        return search

    def right_from(self, search: Search) -> int:
        """After how many simulations the choice of a search is right for good; -1: it is wrong at the end."""
        if search.best_action() not in self.right:
            return -1
        curves = search.curves()
        since = 0
        for simulation, edge in reversed(LogReader(curves.log, curves.actions).leaders):
            if int(curves.actions[edge]) not in self.right:
                return since or search.simulations  # a proof alone made the choice right
            since = simulation
        return since

    def run(self, *corrections: Correction) -> int:
        """``right_from`` of the search with corrections."""
        return self.right_from(self.search(corrections, self.simulations))


def post_mortem(
    position: Position,
    line: Sequence[int],
    evaluator: Evaluator,
    settings: SearchSettings,
    simulations: int,
    seed: int = 0,
    exact: Mapping[int, int] | None = None,
    values: Sequence[float | None] = (),
    shown: int | None = None,
    should_stop: Stop = never,
    progress: Callable[[Repair], None] | None = None,
) -> PostMortem | None:
    """Find out why a search of ``position`` misses ``line``, a list of actions; None when ``should_stop`` ended it.

    ``exact``: the results of all moves of the position, -1, 0 or +1 for the side to move, where they are known: a right
    choice is then one of the best.  ``values``: the right values of the positions after each move of the line, for the
    side to move there, None where it is not known; that of the end is then what a search from there says.  ``shown``:
    the move that the search to be examined chooses; None: such a search is made first.  What is sought follows from it:
    a line that begins with another move is one that the search should choose.  ``progress`` is called with each repair
    as it was tried.
    ValueError for an empty line, a move that is not legal, or a finished game; what the evaluator raises.
    """
    if not line:
        raise ValueError(Text("the line has no move; it must have at least one"))
    if simulations < 1:
        raise ValueError(f"the simulations are {simulations}; they must be at least 1")
    _after(position, line)  # raises
    try:
        runs = _Runs(position, line, evaluator, settings, seed, simulations, exact, values, shown, should_stop)
        return _judge(runs, progress or (lambda repair: None))
    except InterruptedError:
        return None


def exact_results(position: Position, seconds: float, should_stop: Stop = never) -> dict[int, int] | None:
    """The exact result of every move, by action, for the side to move; None where the game is over, the position too
    large or not solved in so many ``seconds``."""
    if position.is_over or seconds <= 0.0 or refusal(position):
        return None
    solution = solve(position, should_stop, seconds=seconds)
    if solution is None:
        return None
    results = {move.action: move.value for move in solution.moves if move.value is not None}
    return results if len(results) == len(solution.moves) else None


def exact_values(
    position: Position, line: Sequence[int], seconds: float, should_stop: Stop = never
) -> list[float | None]:
    """The exact value of the position after each move of a line, for the side to move there; None for one that is not
    solved in so many ``seconds``, and for those before it."""
    positions = [_after(position, line[: place + 1]) for place in range(len(line))]
    values: list[float | None] = [None] * len(line)
    for place, at in reversed([*enumerate(positions)]):
        if at.is_over:
            values[place] = float(at.returns[at.to_move])
        elif results := exact_results(at, seconds, should_stop):
            values[place] = float(max(results.values()))
        else:
            break
    return values


def _after(position: Position, line: Sequence[int]) -> Position:
    for action in line:
        position = position.play(action)
    return position


def _as_merged(search: Search, line: Path) -> Path:
    """A line from the root, turned by a symmetry where its first move is merged, to begin with the one kept."""
    for kept, others in merged_moves(search.tree, search.root, search.position).items():
        if line[0] in others:
            images = search.game.symmetries
            turned = next(images[number] for number in search.position.symmetries() if images[number][line[0]] == kept)
            return tuple(turned[list(line)].tolist())
    return line


def _judge(runs: _Runs, progress: Callable[[Repair], None]) -> PostMortem:
    """Measure the line in the search as it is, try every repair, and choose the smallest that helps."""
    right_from = runs.right_from(runs.base)
    plies = tuple(_plies(runs))
    if runs.differs:
        return _report(runs, right_from, plies, (), DIFFERS, None, _differs_sentence(runs))
    if right_from >= 0:
        return _reason(runs, plies, right_from, progress)
    repairs: list[Repair] = []

    def tried(repair: Repair) -> Repair:
        repairs.append(repair)
        progress(repair)
        return repair

    policy = [tried(repair) for repair in _policy_repairs(runs, plies)]
    value = [tried(repair) for repair in _value_repairs(runs, plies)]
    if not any(repair.right_from >= 0 for repair in (*policy, *value)):
        policy += [tried(repair) for repair in _policy_repairs(runs, plies, HALF)]
    helping = [_smallest(runs, plies[repair.ply], repair) for repair in policy if repair.right_from >= 0]
    _replace(repairs, helping)
    repair: Repair | None
    low = [ply for ply in plies if ply.prior < 1.0 / ply.alternatives < 1.0]
    together = tried(_all_priors(runs, low)) if not helping and len(low) > 1 else None
    more = tried(_more_simulations(runs))
    tried(_doubled_c(runs))
    if helping:
        repair, blame = min(helping, key=lambda repair: repair.after / repair.before), POLICY
    elif any(repair.right_from >= 0 for repair in value):
        repair, blame = next(repair for repair in value if repair.right_from >= 0), VALUE
    elif together is not None and together.right_from >= 0:
        repair, blame = together, POLICY
    elif more.right_from >= 0:
        repair, blame = more, HORIZON
    else:
        repair, blame = None, UNKNOWN
    return _report(runs, right_from, plies, repairs, blame, repair, _sentence(runs, repair, blame))


def _report(
    runs: _Runs,
    right_from: int,
    plies: tuple[Ply, ...],
    repairs: Sequence[Repair],
    blame: str,
    repair: Repair | None,
    sentence: Text,
    reason: str = "",
) -> PostMortem:
    return PostMortem(
        line=runs.line,
        simulations=runs.simulations,
        refutes=runs.refutes,
        shown=runs.shown,
        again=runs.compared,
        one_by_one=runs.settings.max_batch == 1,
        right_from=right_from,
        plies=plies,
        repairs=tuple(repairs),
        blame=blame,
        repair=repair,
        sentence=sentence,
        worse=runs.worse,
        reason=reason,
    )


def _reason(runs: _Runs, plies: tuple[Ply, ...], right_from: int, progress: Callable[[Repair], None]) -> PostMortem:
    """Find what makes a search that rightly plays the first move of the line leave it."""
    repairs: list[Repair] = []
    for taking in _takings(runs, plies):
        tried = taking._replace(keeps=True)
        repairs.append(tried)
        progress(tried)
    leaving = [tried for tried in repairs if tried.right_from < 0]
    smallest = [_smallest(runs, plies[tried.ply], tried) for tried in leaving if tried.kind == POLICY]
    _replace(repairs, smallest)
    first = (tried for tried in leaving if tried.kind != POLICY)
    repair = min(smallest, key=lambda tried: abs(math.log(tried.after / tried.before)), default=next(first, None))
    sentence = _reason_sentence(runs, plies, right_from, repair)
    reason = "" if repair is None else repair.kind
    return _report(runs, right_from, plies, repairs, FOUND, repair, sentence, reason)


def _takings(runs: _Runs, plies: Sequence[Ply]) -> Iterator[Repair]:
    """What speaks for the first move is taken away: a prior of ours above the equal share, and one of a reply below it;
    then values set right, more simulations and a larger c."""
    for number, ply in enumerate(plies):
        prior = 1.0 / ply.alternatives
        if prior < ply.prior if number % 2 == 0 else ply.prior < prior < 1.0:
            yield Repair(POLICY, number, ply.prior, prior, runs.run(PriorAt(ply.path, ply.action, prior)))
    yield from _value_repairs(runs, plies)
    yield _more_simulations(runs)
    yield _doubled_c(runs)


def _replace(repairs: list[Repair], smallest: Sequence[Repair]) -> None:
    """Put the smallest priors in the places of those from which they were found."""
    for new in smallest:
        same = [
            place
            for place, old in enumerate(repairs)
            if old[:2] == new[:2] and (old.right_from < 0) == (new.right_from < 0)
        ]
        repairs[same[0]] = new


def _policy_repairs(runs: _Runs, plies: Sequence[Ply], least: float = 0.0) -> Iterator[Repair]:
    """At each ply whose move has less than its equal share of the prior, or than ``least``: that prior."""
    for number, ply in enumerate(plies):
        prior = max(least, 1.0 / ply.alternatives)
        if ply.prior < prior < 1.0:
            right_from = runs.run(PriorAt(ply.path, ply.action, prior))
            yield Repair(POLICY, number, ply.prior, prior, right_from)


def _smallest(runs: _Runs, ply: Ply, repair: Repair) -> Repair:
    """Return the repair with the smallest change of a prior that does the same, to a factor: the way there is halved
    ``STEPS`` times."""
    low, best = math.log(max(ply.prior, 1.0 / PRIOR_ONE)), repair
    for _ in range(STEPS):
        prior = math.exp((low + math.log(best.after)) / 2.0)
        right_from = runs.run(PriorAt(ply.path, ply.action, prior))
        if (right_from >= 0) == (repair.right_from >= 0):
            best = best._replace(after=prior, right_from=right_from)
        else:
            low = math.log(prior)
    return best


def _all_priors(runs: _Runs, low: Sequence[Ply]) -> Repair:
    """Every move of the line that has less gets its equal share of the prior."""
    right_from = runs.run(*(PriorAt(ply.path, ply.action, 1.0 / ply.alternatives) for ply in low))
    return Repair(POLICY, -1, min(ply.prior for ply in low), max(1.0 / ply.alternatives for ply in low), right_from)


def _value_repairs(runs: _Runs, plies: Sequence[Ply]) -> Iterator[Repair]:
    """After each move of the line, from the last one up: the right value there and below."""
    end_value = runs.values[-1]
    if end_value is None:
        end_value = _searched_value(runs, _after(runs.position, runs.line))
    for number in reversed(range(len(runs.line))):
        path = runs.line[: number + 1]
        position = _after(runs.position, path)
        if position.is_over:
            continue
        right = runs.values[number]
        if right is None:
            right = end_value if (len(runs.line) - len(path)) % 2 == 0 else -end_value
        yield Repair(VALUE, number, plies[number].value, 0.0 - right, runs.run(ValueBelow(path, right)))


def _searched_value(runs: _Runs, position: Position) -> float:
    """The value of a position for the side to move: of a finished game, or by a search as long as that of the line."""
    if position.is_over:
        return float(position.returns[position.to_move])
    search = Search(position, runs.evaluator, runs.settings, seed=runs.seed)
    search.run(Limit(simulations=runs.simulations), runs.should_stop)
    if runs.should_stop():
        raise InterruptedError
    return min(1.0, max(-1.0, search.snapshot().root.q))


def _more_simulations(runs: _Runs) -> Repair:
    most = MORE * runs.simulations
    return Repair(HORIZON, -1, runs.simulations, most, runs.right_from(runs.search((), most)))


def _doubled_c(runs: _Runs) -> Repair:
    c = runs.settings.c_puct
    doubled = replace(runs.settings, c_puct=min(2.0 * c, LARGEST_C))
    return Repair(CONSTANT, -1, c, doubled.c_puct, runs.right_from(runs.search((), runs.simulations, doubled)))


def _answer(runs: _Runs, position: Position) -> tuple[dict[int, float], float]:
    """The net's answer to a position: (priors by action, value for the side to move)."""
    logits, values, _ = ask(runs.evaluator, inputs_of(position, runs.evaluator.encoding), position.game.num_actions)
    actions = list(position.legal_actions())
    weights = np.exp((logits[0, actions] - logits[0, actions].max()).astype(np.float64))
    return dict(zip(actions, (weights / weights.sum()).tolist(), strict=True)), float(values[0])


def _plies(runs: _Runs) -> Iterator[Ply]:
    """The figures of each move of the line in the search as it is."""
    search, tree = runs.base, runs.base.tree
    position = runs.position
    for number, action in enumerate(runs.line):
        path = runs.line[:number]
        node = node_at(tree, search.root, path)
        after, right = position.play(action), runs.values[number]
        exact = math.nan if right is None else 0.0 - right
        if node >= 0 and tree.num_edges[node] > 0:
            ply = _ply(search, node, path, action, exact)
        else:
            nan, priors = math.nan, _answer(runs, position)[0]
            ply = Ply(path, action, priors[action], nan, 0, nan, 0, -1, nan, -1, len(priors), nan, exact)
        value = math.nan if after.is_over else 0.0 - _answer(runs, after)[1]
        held = ply.q
        if math.isnan(held):
            held = -float(after.returns[after.to_move]) if after.is_over else value
        yield replace(ply, value=value, held=held)
        position = after


def _ply(search: Search, node: int, path: Path, action: int, exact: float) -> Ply:
    """The figures of a move at a node that has moves, without its value."""
    tree, params = search.tree, search.params
    actions, log = node_log(search, node)
    place = int(np.flatnonzero(actions == action)[0])
    start, children = int(tree.child_start[node]), int(tree.num_children[node])
    visits = np.zeros(len(actions), np.int64)
    visits[:children] = tree.visits[start : start + children]
    count, total = backups(tree, start + place) if place < children else 0, tree.total[start + place]
    others = np.delete(np.arange(len(actions)), place)
    leader = others[visits[others].argmax()] if len(others) else -1
    first = math.nan
    if not count and can_foretell(params):
        first = _as_simulations(search, node, foretell(log, place, float(log.priors[place]), params))
    q = float(total / count) if count else math.nan
    return Ply(
        path=path,
        action=action,
        prior=float(log.priors[place]),
        value=math.nan,
        visits=int(visits[place]),
        q=q,
        rank=1 + int((visits > visits[place]).sum()) if visits[place] else 0,
        tried=first_record(tree, int(tree.child[start + place])) if count else -1,
        foretold=first,
        leader=int(actions[leader]) if leader >= 0 and visits[leader] else -1,
        alternatives=len(actions),
        held=math.nan,
        exact=exact,
    )


def node_log(search: Search, node: int) -> tuple[NDArray[np.int16], NodeLog]:
    """Return the moves [E] of a node of a search from one root, and the simulations that passed it."""
    tree = search.tree
    first, n = int(tree.edge_start[node]), int(tree.num_edges[node])
    log = CurveMaker(search.game.num_actions).curves(tree, node, search.root_changes, search.params, 0).log
    taken = log.edges >= 0
    return tree.edge_action[first : first + n], NodeLog(
        node=one_node(tree, node),
        priors=tree.edge_prior[first : first + n] / PRIOR_ONE,
        value=float(tree.value[node]),
        moves=log.edges[taken].astype(np.int64),
        values=log.values[taken].astype(np.float64),
    )


def first_record(tree: Tree, node: int) -> int:
    """The simulation, from 1, that was the first to end at a node: the one that made it."""
    return int(np.flatnonzero(tree.leaf[: int(tree.counts[RECORDS])] == node)[0]) + 1


def _as_simulations(search: Search, node: int, visits: float) -> float:
    """After about how many simulations of the root the moves of a node have so many visits, if the node keeps the share
    that it had in the second half of them."""
    tree = search.tree
    leaves = tree.leaf[: int(tree.counts[RECORDS])].copy()
    while (deeper := leaves > node).any():
        leaves[deeper] = tree.parent[leaves[deeper]]
    passed = np.flatnonzero(leaves == node)[1:]
    if visits <= len(passed):
        return float(passed[int(visits) - 1] + 1)
    share = (passed >= len(leaves) // 2).sum() / max(1, len(leaves) - len(leaves) // 2)
    return len(leaves) + (visits - len(passed)) / share if share > 0 else math.inf


def _sentence(runs: _Runs, repair: Repair | None, blame: str) -> Text:
    names = runs.position.game.action_names
    if repair is None:
        return Text("Nothing that was tried helps within {most:,} simulations.", most=MORE * runs.simulations)
    move = names[runs.line[repair.ply]]
    if blame == HORIZON:
        return Text(
            "Neither one prior nor one value is to blame: with more simulations the search finds it, after "
            "{right_from:,}.",
            right_from=repair.right_from,
        )
    if blame == VALUE:
        return Text(
            "The value is to blame after ply {ply}, {move}: the net says {before:+.2f} for the side that begins the "
            "line, right is {after:+.2f}; with that the search finds it after {right_from:,} simulations.",
            ply=repair.ply + 1,
            move=move,
            before=for_beginner(repair.ply, repair.before),
            after=for_beginner(repair.ply, repair.after),
            right_from=repair.right_from,
        )
    if repair.ply < 0:
        return Text(
            "The policy is to blame at several plies: with an equal share of the prior for every move of the line the "
            "search finds it after {right_from:,} simulations.",
            right_from=repair.right_from,
        )
    return Text(
        "The policy is to blame at ply {ply}, {move}: it has {before:.2%} of the prior; with {after:.2%} the search "
        "finds it after {right_from:,} simulations.",
        ply=repair.ply + 1,
        move=move,
        before=repair.before,
        after=repair.after,
        right_from=repair.right_from,
    )


def _differs_sentence(runs: _Runs) -> Text:
    """That the search made again decides otherwise, with its visits, and why that can be."""
    names, (again, visits), (other, others) = runs.position.game.action_names, *runs.compared
    return Text(
        "Searched again from the same seed to {simulations:,} simulations, {again} is chosen (N {visits:,}) and "
        "{other} has N {others:,}: there is nothing to repair. The two searches differ: this one asks the net anew at "
        "every node, and so about other positions at a time; another number of simulations, a pause, a tree that was "
        "kept and several threads change a search too.",
        simulations=runs.simulations,
        again=names[again],
        visits=visits,
        other=names[other],
        others=others,
    )


def sought(report: PostMortem, names: Sequence[str]) -> Text:
    """What the repairs are to bring about, with the choice of the search that is examined."""
    move, shown = names[report.line[0]], names[report.shown]
    words: Words = (
        "The search prefers {shown}, and rightly: {move} is {result}. Sought is what would make it choose {move}."
        if report.worse is not None
        else "The search prefers {shown}. Sought is what makes it choose {move}."
        if report.line[0] != report.shown
        else "The search itself prefers {shown}. Sought is what makes it choose another move."
        if report.refutes
        else "The search itself prefers {shown}. Sought is what makes it leave that move."
    )
    result = "" if report.worse is None else RESULTS[report.worse]
    return Text(words, shown=shown, move=move, result=result)


def for_beginner(ply: int, value: float) -> float:
    """The value of the move of a ply, from 0, for the side that begins the line."""
    return value if ply % 2 == 0 else 0.0 - value


def _reason_sentence(runs: _Runs, plies: Sequence[Ply], right_from: int, repair: Repair | None) -> Text:
    """What keeps a right choice, and the worst misjudgement of the line."""
    names = runs.position.game.action_names
    found = Text(
        "The search finds it: its choice is right for good after {right_from:,} simulations.", right_from=right_from
    )
    if repair is None:
        why = Text("Nothing that was tried makes it leave the move.")
    elif repair.kind == POLICY:
        words: Words = (
            "It does so because of the policy at ply {ply}, {move}: with {after:.2%} of the prior instead of "
            "{before:.2%} it leaves the move."
            if repair.ply % 2 == 0
            else "It does so because it hardly looks at ply {ply}, {move}: with {after:.2%} of the prior instead of "
            "{before:.2%} it leaves the move."
        )
        move = names[runs.line[repair.ply]]
        why = Text(words, ply=repair.ply + 1, move=move, before=repair.before, after=repair.after)
    elif repair.kind == VALUE:
        why = Text(
            "It does so because of a wrong value after ply {ply}, {move}: the net says {before:+.2f} for the side that "
            "begins the line, right is {after:+.2f}; with that it leaves the move.",
            ply=repair.ply + 1,
            move=names[runs.line[repair.ply]],
            before=for_beginner(repair.ply, repair.before),
            after=for_beginner(repair.ply, repair.after),
        )
    elif repair.kind == HORIZON:
        why = Text("With {most:,} simulations it leaves the move again.", most=round(repair.after))
    else:
        why = Text("With c = {c:.2f} it leaves the move.", c=repair.after)
    sentence = Text("{found} {why}", found=found, why=why)
    wrong = max((ply for ply in plies if ply.misjudged), key=lambda ply: abs(ply.held - ply.exact), default=None)
    if wrong is None:
        return sentence
    ply = len(wrong.path)
    value = for_beginner(ply, wrong.held)
    held = Text(
        "It plays the right move although it takes the position after ply {ply}, {move}, for {held} ({value:+.2f} for "
        "the side that begins the line), which is {exact}.",
        ply=ply + 1,
        move=names[wrong.action],
        held=RESULTS[1 if value > 0 else -1],
        value=value,
        exact=RESULTS[round(for_beginner(ply, wrong.exact))],
    )
    return Text("{sentence} {held}", sentence=sentence, held=held)
