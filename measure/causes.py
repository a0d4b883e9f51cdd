"""``python -m measure.causes``: how right the post-mortem is.

Two bars, on Connect Four with its shipped net.  Foretold first visits: a random prior of a random node is changed, and
the first visit of its move, foretold from the search as it was, is compared with that of the search run again.  Damaged
nets: a net that finds the only right move is damaged, in one prior or in the values of one pattern of stones, until it
misses it; the post-mortem must blame what was damaged, and of a prior the ply.
"""

import argparse
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.engine import Evaluator, Search
from core.engine.corrections import Corrections, PriorAt
from core.engine.evaluator import Array
from core.engine.postmortem import POLICY, VALUE, PostMortem, node_log, post_mortem
from core.games import Position, load_game
from core.glass.first_visit import foretell
from core.search import Limit, SearchSettings
from core.search.tree import NODES, node_at
from core.solve import Solver
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.shipped import default_net

LEAST_VISITS: Final = 50  # of a node whose prior is changed
EDITS_A_SEARCH: Final = 4
PRIORS: Final = (1e-3, 0.5)  # a changed prior lies between these, on a logarithmic scale
FAR: Final = 9.0  # logits by which a damaged prior lies below the highest
WRONG_VALUE: Final = 0.95
PLIES: Final = 4  # of a line

Sign = Callable[[Array], int]  # planes [C, H, W] -> 0, or +-1 where a damaged value is +-WRONG_VALUE


class Damaged(Evaluator):
    """A net with one fault: the prior of one action, or the value, of the positions that ``sign`` picks."""

    def __init__(self, net: Evaluator, sign: Sign, action: int = -1) -> None:
        self._net, self._sign, self._action = net, sign, action
        self.encoding = net.encoding

    @property
    def description(self) -> str:
        return f"{self._net.description}, damaged"

    def evaluate(self, planes: Array, features: Array | None = None) -> tuple[Array, ...]:
        logits, values = (part.copy() for part in self._net.evaluate(planes, features)[:2])
        for place, sign in enumerate(map(self._sign, planes)):
            if sign and self._action >= 0:
                logits[place, self._action] = logits[place].max() - FAR
            elif sign:
                values[place] = sign * WRONG_VALUE
        return logits, values


def only_this(position: Position) -> Sign:
    """Pick one position."""
    planes = position.planes()
    return lambda other: int(np.array_equal(other, planes))


def with_stones_of(position: Position) -> Sign:
    """Pick the positions that have all stones of ``position``; +1 where its side to move is to move."""
    ours, theirs = (plane > 0 for plane in position.planes()[:2])

    def sign(planes: Array) -> int:
        mine, other = planes[0] > 0, planes[1] > 0
        return int((mine >= ours).all() and (other >= theirs).all()) - int(
            (mine >= theirs).all() and (other >= ours).all()
        )

    return sign


def shipped_net() -> OnnxEvaluator:
    """The net of Connect Four."""
    game = load_game("connect4")
    path = default_net(game)
    assert path is not None
    return OnnxEvaluator(path, game)


class Foretold(NamedTuple):
    """One changed prior: the visits of the node's moves at the first visit of the move whose prior it is."""

    foretold: float
    happened: float  # inf: not within the visits that the node has
    visits: int  # that the moves of the node have in the end
    raised: bool


def foretell_edits(count: int, simulations: int, seed: int = 0) -> Iterator[Foretold]:
    """Change ``count`` random priors, each in a search of its own."""
    net, chance = shipped_net(), np.random.default_rng(seed)
    settings = SearchSettings(collectors=1, max_batch=1)
    while count > 0:
        position = random_position(chance, int(chance.integers(0, 16)))
        before = Search(position, net, settings, corrections=Corrections())
        before.run(Limit(simulations=simulations))
        tree = before.tree
        nodes = int(tree.counts[NODES])
        busy = np.flatnonzero((tree.visits[tree.slot[:nodes]] >= LEAST_VISITS) & (tree.num_edges[:nodes] >= 2))
        for node in chance.choice(busy, min(EDITS_A_SEARCH, count, len(busy)), replace=False) if len(busy) else ():
            actions, log = node_log(before, int(node))
            move, prior = int(chance.integers(len(actions))), float(np.exp(chance.uniform(*np.log(PRIORS))))
            path = path_to(before, int(node))
            after = Search(position, net, settings, corrections=Corrections([PriorAt(path, int(actions[move]), prior)]))
            after.run(Limit(simulations=simulations))
            again = node_at(after.tree, after.root, path)
            if again < 0:
                continue
            actions_again, taken = node_log(after, again)
            visits = np.flatnonzero(taken.moves == np.flatnonzero(actions_again == actions[move])[0])
            happened = float(visits[0] + 1) if len(visits) else math.inf
            foretold = foretell(log, move, prior, before.params)
            yield Foretold(foretold, happened, len(taken.moves), prior > log.priors[move])
            count -= 1


def path_to(search: Search, node: int) -> tuple[int, ...]:
    """The actions from the root of a search to one of its nodes."""
    path: list[int] = []
    while node != search.root:
        path.insert(0, int(search.tree.action[node]))
        node = int(search.tree.parent[node])
    return tuple(path)


def random_position(chance: np.random.Generator, plies: int) -> Position:
    """A position of Connect Four after random moves that do not end the game."""
    position = load_game("connect4").initial()
    for _ in range(plies):
        going_on = [action for action in position.legal_actions() if not position.play(action).is_over]
        if not going_on:
            break
        position = position.play(int(chance.choice(going_on)))
    return position


def errors_of(edits: list[Foretold]) -> NDArray[np.float64]:
    """The relative errors of those first visits that happened; of a move that had none, and was foretold one in less
    than nine tenths of the visits, infinite."""
    errors = [abs(edit.foretold - edit.happened) / edit.happened for edit in edits if math.isfinite(edit.happened)]
    wrong = [math.inf for edit in edits if math.isinf(edit.happened) and edit.foretold < 0.9 * edit.visits]
    return np.array(errors + wrong)


class Judged(NamedTuple):
    """One damaged net."""

    kind: str  # what was damaged: POLICY or VALUE
    ply: int  # of the damaged prior
    report: PostMortem
    seconds: float

    @property
    def right(self) -> bool:
        """Whether the blame is."""
        repair = self.report.repair
        at = self.kind == VALUE or (repair is not None and repair.ply == self.ply)
        return self.report.blame == self.kind and at


def judge_damaged(count: int, simulations: int, seed: int = 0) -> Iterator[Judged]:
    """Damage ``count`` nets, the policy and the value in turns, and have each examined."""
    game = load_game("connect4")
    net, solver, chance = shipped_net(), Solver(game), np.random.default_rng(seed)
    settings = SearchSettings(collectors=1)

    def results(position: Position) -> dict[int, int]:
        solution = solver.solve(position)
        assert solution is not None
        return {move.action: move.value for move in solution.moves if move.value is not None}

    def choice(position: Position, evaluator: Evaluator) -> tuple[int, list[int]]:
        search = Search(position, evaluator, settings)
        search.run(Limit(simulations=simulations))
        best = search.best_action()
        row = next(row for row in search.snapshot().moves if row.action == best)
        return best, [game.parse_action(name) for name in row.pv_names[:PLIES]]

    kind = POLICY
    while count > 0:
        position = random_position(chance, int(chance.integers(22, 30)))
        if len(position.legal_actions()) < 3:
            continue
        exact = results(position)
        right = [action for action, value in exact.items() if value == max(exact.values())]
        best, line = choice(position, net)
        if right != [best] or len(line) < 3:
            continue
        ply = int(chance.choice([0, 2])) if kind == POLICY else 0
        damaged = Damaged(net, with_stones_of(position.play(best)))
        if kind == POLICY:
            damaged = Damaged(net, only_this(after(position, line[:ply])), line[ply])
        if choice(position, damaged)[0] == best:
            continue
        end = after(position, line)
        values = [None] * (len(line) - 1) + [None if end.is_over else float(max(results(end).values()))]
        began = time.perf_counter()
        report = post_mortem(position, line, damaged, settings, simulations, exact=exact, values=values)
        assert report is not None
        yield Judged(kind, ply, report, time.perf_counter() - began)
        count, kind = count - 1, VALUE if kind == POLICY else POLICY


def after(position: Position, line: list[int]) -> Position:
    """The position after some moves."""
    for action in line:
        position = position.play(action)
    return position


def main() -> None:
    """Print both bars."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=1000, help="changed priors (default 1000)")
    parser.add_argument("--nets", type=int, default=200, help="damaged nets (default 200)")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    edits = list(foretell_edits(args.edits, 1000, args.seed))
    for name, part in (("all", edits), ("raised", [edit for edit in edits if edit.raised])):
        errors = errors_of(part)
        print(
            f"first visits foretold, priors {name}: {len(part)} edits, {len(errors)} with a first visit; median error "
            f"{np.median(errors):.1%}, within 10 %: {(errors <= 0.1).mean():.1%}   [bars: 2 %, 95 %]"
        )
    judged = list(judge_damaged(args.nets, 400, args.seed))
    counts = Counter((case.kind, case.report.blame, case.right) for case in judged)
    print(f"damaged nets: {sum(case.right for case in judged)} of {len(judged)} blamed rightly   [bar: 95 %]; {counts}")
    repairs = sum(len(case.report.repairs) for case in judged)
    seconds = sum(case.seconds for case in judged)
    print(f"{repairs} repairs in {seconds:.1f} s: 20 in {20 * seconds / repairs:.1f} s   [bar: 10 s]")


if __name__ == "__main__":
    main()
