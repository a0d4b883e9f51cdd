"""A plain search in Python that writes its trace, with the faults of published programs on request."""

import hashlib
import json
import math
import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.files.trace_file import read_trace
from core.games import Position, load_game
from core.glass.trace import Trace


@dataclass
class Node:
    """A node: W is for the side that moved into it."""

    number: int
    position: Position
    parent: "Node | None" = None
    action: int = -1
    n: int = 0
    w: float = 0.0
    q: float = 0.0  # of programs that keep it instead
    squares: float = 0.0
    inflight: int = 0
    priors: dict[int, float] = field(default_factory=dict)
    children: dict[int, "Node"] = field(default_factory=dict)
    value: float = 0.0
    proof: float = math.nan  # for the side to move

    @property
    def over(self) -> bool:
        return self.position.is_over


@dataclass
class Toy:
    """One search; ``fault``: what it does wrong."""

    game: str = "connect4(rows=4, cols=5)"
    moves: str = ""
    rule: str = "puct"
    c: float = 1.5
    fpu: float | str = 0.0
    fpu_reduction: float = 0.0
    noise: float = 0.0
    batch: int = 1
    loss: float = 0.0
    visits: float = 0.0  # without value, of a simulation in flight
    solver: str = "none"
    values: tuple[float, float] = (-1.0, 1.0)
    w_for: str = "moved"
    total: str = "children"
    told: tuple[str, ...] = ("N", "W")
    symmetries: bool = False
    rollouts: bool = False
    even: bool = False  # equal priors
    considered: int = 0  # moves that sequential halving begins with at the first root, and its simulations
    planned: int = 0
    tells: bool = True
    declares: dict[str, Any] = field(default_factory=dict)  # that its header says otherwise
    fault: str = ""

    def __post_init__(self) -> None:
        self.lines: list[str] = []
        self.random = random.Random(7)
        self.count = 0
        position = load_game(self.game).position(self.moves)
        self.root = self.new_node(position)
        self.first_side = position.to_move
        self.noise_of_root: list[float] = []
        self.gumbels: dict[int, float] = {}
        names = [position.game.action_name(action) for action in position.moves]
        about: dict[str, Any] = {"format": "plyscope trace", "version": 1, "game": position.game.text, "moves": names}
        about |= {
            "rule": self.rule,
            "c": self.c,
            "fpu": self.fpu,
            "fpu_reduction": self.fpu_reduction,
            "noise": self.noise,
        }
        about |= {"virtual_loss": self.loss, "virtual_visits": self.visits, "solver": self.solver}
        about |= {"values": self.values, "w_for": self.w_for}
        about |= {"total": self.total, "told": self.told, **self.declares}
        if self.considered:
            about |= {"considered": self.considered, "simulations": self.planned}
        self.write(json.dumps(about))

    # What the net says: a fixed function of the board.

    def evaluate(self, position: Position) -> tuple[dict[int, float], float]:
        """(Priors, value for the side to move)."""
        images = [position.cells()] + ([position.cells()[:, ::-1]] if self.symmetries else [])
        seeds = [hashlib.sha256(image.tobytes() + bytes([position.to_move])).digest() for image in images]
        rngs = [np.random.default_rng(list(seed)) for seed in seeds]
        legal = position.legal_actions()
        weights = np.mean([rng.exponential(size=position.game.num_actions)[list(legal)] for rng in rngs], axis=0)
        value = float(np.mean([rng.uniform(-0.9, 0.9) for rng in rngs]))
        weights /= weights.sum()
        if self.even:
            weights[:] = 1.0 / len(weights)
        if self.fault == "softmax over the batch":
            weights[:] = 1.0
        if self.fault == "priors not renormalised":
            weights *= 0.8
        if self.rollouts:
            value = self.play_out(position)
        return dict(zip(legal, weights.tolist(), strict=True)), value

    def play_out(self, position: Position) -> float:
        """The result of a random game for the side to move."""
        end = position
        while not end.is_over:
            end = end.play(self.random.choice(end.legal_actions()))
        return float(end.returns[position.to_move])

    # Writing.

    def write(self, line: str) -> None:
        self.lines.append(line)

    def name(self, action: int) -> str:
        return self.root.position.game.action_name(action)

    def own(self, value: float) -> float:
        return self.values[0] + (value + 1.0) * (self.values[1] - self.values[0]) / 2.0

    def tell(self, path: list[Node]) -> None:
        """What the program has of the nodes on a path."""
        if not self.tells:
            return
        words = []
        for node in path:
            sign = 1.0
            if self.w_for == "root":
                sides = path[0].position.to_move, 1 - node.position.to_move
                sign = 1.0 if sides[0] == sides[1] else -1.0
            n = self.counted(node)
            w = sign * (node.w - self.loss * node.inflight * (-1 if self.fault == "virtual loss is a win" else 1))
            w = w * (self.values[1] - self.values[0]) / 2 + n * sum(self.values) / 2
            q = node.q if self.fault in ("moving average", "Q of the last value") else (w / n if n else 0.0)
            figures = {"N": n, "W": w, "Q": q}
            words += [f"{figures[name]:.6g}" for name in self.told]
        self.write("n " + " ".join(words))

    def trace(self) -> Trace:
        return read_trace(self.text())

    def text(self) -> bytes:
        return ("\n".join(self.lines) + "\n").encode()

    # The search.

    def new_node(self, position: Position, parent: Node | None = None, action: int = -1) -> Node:
        node = Node(self.count, position, parent, action)
        self.count += 1
        if position.is_over:
            node.proof = float(position.returns[position.to_move])
        return node

    def expand(self, node: Node) -> None:
        node.priors, node.value = self.evaluate(node.position)
        if self.fault == "noise everywhere":
            self.say(node, "e")
            self.add_noise(node)
        elif node is self.root and (self.noise or "noise" in self.fault):
            self.prepare_root()
        if self.rule not in ("ucb1", "ucb1_tuned"):
            self.say(node, "p")
        if self.considered and not node.number:
            self.gumbels = {action: -math.log(-math.log(self.random.random())) for action in node.priors}
            words = " ".join(f"{self.name(action)} {noise:.5f}" for action, noise in self.gumbels.items())
            self.write(f"g {node.number} {words}")

    def say(self, node: Node, letter: str) -> None:
        words = " ".join(f"{self.name(action)} {prior:.5f}" for action, prior in node.priors.items())
        self.write(f"{letter} {node.number} {words}")

    def prepare_root(self) -> None:
        self.say(self.root, "e")
        if self.fault != "no noise":
            self.add_noise(self.root)

    def add_noise(self, node: Node, again: bool = False) -> None:
        actions = sorted(node.priors)
        if not (again and len(self.noise_of_root) == len(actions)):
            draws = [self.random.gammavariate(0.5, 1.0) for _ in actions]
            self.noise_of_root = [draw / sum(draws) for draw in draws]
        share = self.noise or 0.25
        for action, noise in zip(actions, self.noise_of_root, strict=True):
            node.priors[action] = (1 - share) * node.priors[action] + share * noise

    def counted(self, node: Node) -> float:
        """N with the simulations in flight."""
        return node.n + (self.loss + self.visits) * node.inflight

    def score(self, node: Node, child: Node | None, prior: float) -> float:
        n = self.counted(child) if child else 0.0
        finished = n - self.visits * child.inflight if child else 0.0
        vloss = -self.loss if self.fault == "virtual loss is a win" else self.loss
        q = (child.w - vloss * child.inflight) / finished if child and finished else self.assumed(node)
        if self.fault in ("moving average", "Q of the last value") and child:
            q = child.q
        if child and n and self.fault == "selects for the root" and node.position.to_move != self.root.position.to_move:
            q = -q
        if child and n and self.fault == "selects for the other side":
            q = -q
        own = self.counted(node)
        total = sum(map(self.counted, node.children.values()))
        total = own if self.total == "node" else total
        if self.rule == "puct":
            return q + self.c * prior * math.sqrt(total) / (1 + n)
        if not n:
            return math.inf
        log = math.log(max(1.0, total))
        if self.rule == "ucb1":
            if self.fault == "constant inside the root":
                return q + math.sqrt(self.c * log / n)
            return q + self.c * math.sqrt(log / n)
        share, variance = log / n, max(0.0, child.squares / n - (child.w / n) ** 2) / 4
        return q + 2 * self.c * math.sqrt(share * min(0.25, variance + math.sqrt(2 * share)))

    def assumed(self, node: Node) -> float:
        if self.fault == "unvisited moves are draws":
            return 0.0
        if self.fault == "unvisited moves are wins":
            return 1.0
        if self.fpu == "first":
            return math.inf
        if self.fpu == "parent":
            mass = sum(node.priors[action] for action, child in node.children.items() if child.n + child.inflight)
            own = node.n + self.loss * node.inflight
            return (-node.w + self.loss * node.inflight) / own - self.fpu_reduction * math.sqrt(mass)
        if self.fpu == "value":
            return node.value
        return float(self.fpu)

    def gumbel_score(self, node: Node, action: int) -> float:
        most = max((child.n for child in node.children.values()), default=0)
        sigma = 0.5 * (self.c + most)
        visited = [(node.priors[a], child) for a, child in node.children.items() if child.n]
        mixed = node.value
        if visited:
            mass = sum(prior for prior, _ in visited)
            mean = sum(prior * child.w / child.n for prior, child in visited) / mass
            count = sum(child.n for _, child in visited)
            mixed = (node.value + count * mean) / (1 + count)
        qs = dict.fromkeys(node.priors, mixed) | {a: c.w / c.n for a, c in node.children.items() if c.n}
        weights = {a: node.priors[a] * math.exp(sigma * qs[a]) for a in node.priors}
        n = node.children[action].n if action in node.children else 0
        total = sum(child.n for child in node.children.values())
        return weights[action] / sum(weights.values()) - n / (1 + total)

    def halved(self, node: Node) -> int:
        """Of the moves whose turn it is, the one of greatest noise + ln P + sigma(Q)."""
        moves, turn, visits = min(self.considered, len(node.priors)), 0, 0
        rounds, counts = [], dict.fromkeys(node.priors, 0) | {a: c.n for a, c in node.children.items()}
        phases = math.ceil(math.log2(moves))
        while turn < self.planned:
            for _ in range(max(1, self.planned // (phases * moves))):
                rounds += [visits] * moves
                turn, visits = turn + moves, visits + 1
            moves = max(2, moves // 2)
        if self.fault == "never halves":
            all_moves = min(self.considered, len(node.priors))
            rounds = [made // all_moves for made in range(self.planned)]
        due = [action for action in node.priors if counts[action] == rounds[sum(counts.values())]]
        sigma = 0.5 * (self.c + max(counts.values()))

        def score(action: int) -> float:
            child = node.children.get(action)
            noise = 0.0 if self.fault == "Gumbels left out" else self.gumbels[action]
            return noise + math.log(node.priors[action]) + (sigma * child.w / child.n if child and child.n else 0.0)

        return max(due, key=score)

    def choose(self, node: Node) -> int:
        made = sum(child.n for child in node.children.values())
        if self.considered and node is self.root and not node.number and made < self.planned:
            return self.halved(node)
        if self.solver != "none":
            lost = [a for a in node.priors if a in node.children and node.children[a].proof == 1.0]
            open_ = [a for a in node.priors if a not in lost] or lost
        else:
            open_ = list(node.priors)
        if self.rule == "gumbel":
            return max(open_, key=lambda action: self.gumbel_score(node, action))
        uniform = self.fault == "ignores the priors"
        return max(
            open_,
            key=lambda action: self.score(
                node, node.children.get(action), 1 / len(node.priors) if uniform else node.priors[action]
            ),
        )

    def descend(self) -> tuple[list[Node], str]:
        node, path, moves = self.root, [self.root], []
        start = self.root
        while node.priors:
            if self.solver == "exact" and node is not self.root and not math.isnan(node.proof):
                break
            action = self.choose(node)
            child = node.children.get(action)
            if child is None:
                child = self.new_node(node.position.play(action), node, action)
                node.children[action] = child
                moves.append(self.name(action))
            else:
                start = child
            node = child
            path.append(node)
        return path, f"{start.number} {','.join(moves) or '-'}"

    def value_of(self, leaf: Node) -> float:
        """For the side to move at the leaf."""
        if leaf.over:
            value = float(leaf.position.returns[leaf.position.to_move])
            if self.fault == "terminal value for the other side":
                return -value
            if self.fault == "terminal value for the root's side":
                return float(leaf.position.returns[self.root.position.to_move])
            return value
        if not math.isnan(leaf.proof) and self.solver == "exact":
            return leaf.proof
        return leaf.value

    def back_up(self, path: list[Node], value: float) -> None:
        leaf = path[-1]
        skipped = {"leaf not updated": leaf, "root's move not updated": path[min(1, len(path) - 1)]}.get(self.fault)
        if self.solver != "none":
            self.prove(path)
        for depth, node in reversed(list(enumerate(path))):
            if node is skipped and depth:
                continue
            v = -value if node.position.to_move == leaf.position.to_move else value
            if self.fault == "no change of sign":
                v = -value
            if self.fault == "sign wrong everywhere":
                v = -v
            if self.solver == "exact" and not math.isnan(node.proof):
                value = node.proof if node.position.to_move == leaf.position.to_move else -node.proof
                v = -node.proof
            node.n += 2 if self.fault == "visits counted twice" and node is leaf and depth else 1
            node.w += v
            node.squares += v * v
            if self.fault == "moving average":
                node.q += 0.5 * (v - node.q)
            if self.fault == "Q of the last value":
                node.q = v

    def prove(self, path: list[Node]) -> None:
        for node in reversed(path):
            if math.isnan(node.proof) and node.priors:
                proofs = [child.proof for child in node.children.values()]
                if -1.0 in proofs:
                    node.proof = 1.0
                elif len(proofs) == len(node.priors) and not any(map(math.isnan, proofs)):
                    node.proof = max(-proof for proof in proofs)

    def run(self, simulations: int) -> "Toy":
        """So many simulations, in batches."""
        made = 0
        while made < simulations and (self.solver == "none" or math.isnan(self.root.proof)):
            waiting = []
            for _ in range(min(self.batch, simulations - made)):
                path, where = self.descend()
                leaf = path[-1]
                if any(leaf is other[-1] for other, _ in waiting) and not leaf.over:
                    break
                if self.batch > 1:
                    for node in path:
                        node.inflight += 1
                    self.write(f"d {where}")
                    self.tell(path)
                waiting.append((path, where))
            for path, where in waiting:
                leaf, made = path[-1], made + 1
                self.finish(path, where, expands=not leaf.over and not leaf.priors)
        return self

    def finish(self, path: list[Node], where: str, expands: bool) -> None:
        leaf = path[-1]
        after: list[str] = []
        if expands:
            kept, self.lines = self.lines, after
            self.expand(leaf)
            self.lines = kept
        value = self.value_of(leaf)
        for node in path:
            if self.batch > 1:
                node.inflight -= 1
                if self.fault == "virtual loss stays" and node.parent:
                    node.n, node.w = node.n + 1, node.w - 1.0
        self.back_up(path, value)
        where = f"{leaf.number} -" if self.batch > 1 else where
        self.write(f"s {where} {self.own(value):.6g}")
        self.tell(path)
        self.lines += after

    def advance(self) -> None:
        """Play the move of most visits and keep its subtree."""
        child = max(self.root.children.values(), key=lambda one: one.n)
        self.root = child
        self.write(f"r {child.number}")
        if not self.noise or not child.priors:
            return
        if self.fault == "no noise at the new root":
            self.say(child, "e")
            return
        self.say(child, "e")
        self.add_noise(child, again=self.fault == "noise of the old root")
        self.say(child, "p")

    def play(self) -> None:
        children = sorted(self.root.children.values(), key=lambda one: one.n)
        self.write(f"m {self.name(children[0 if self.fault == 'plays another move' else -1].action)}")
