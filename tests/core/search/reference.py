"""A slow recursive MCTS on Positions and dictionaries, from the formulas alone: what the kernels are held against.

Figures of a node are for the side that moved into it, as in the tree.  Proofs: 1 win, 2 draw, 3 loss, 0 none.
N of a move counts simulations from its node or above; those begun at a node as root are in its mean, w / seen, alone.
"""

import math

import numpy as np

from core.games import dispatch
from core.rng import make_rng, random_below


def score_of(position):
    """The score of a finished game for the side that would move."""
    return float(dispatch.margin(position.state)) * (1 if position.to_move == 0 else -1)


class Node:
    def __init__(self, position):
        self.position, self.edges, self.children = position, None, []
        self.n, self.begun, self.w, self.squares, self.leads, self.lead = 0, 0, 0.0, 0.0, 0.0, 0.0
        self.proof, self.distance, self.value = 0, 0, None

    @property
    def backups(self):
        return self.n + self.begun

    @property
    def q(self):
        return self.w / self.backups

    def score(self, settings):
        """S of the node: what its mean lead adds to Q."""
        rows, cols = self.position.game.shape
        mean = self.leads / self.backups if self.backups else 0.0
        return settings.score_utility * math.atan(mean / (2 * math.sqrt(rows * cols))) / (math.pi / 2)


class Reference:
    def __init__(self, position, evaluator, settings, seed=0):
        self.top, self.evaluator, self.s, self.rng = Node(position), evaluator, settings, make_rng(seed)
        self.root, self.path, self.lead = self.top, (), 0.0
        self.threshold = 10**9 if settings.selection == "flat" else settings.expansion_threshold
        self.numpy_rng, self.schedule = np.random.default_rng(seed), None
        self.scored = evaluator is not None and evaluator.encoding.leads

    def expand(self, node):
        legal = list(node.position.legal_actions())
        if self.evaluator is None:
            for i in range(len(legal) - 1, 0, -1):
                j = random_below(self.rng, i + 1)
                legal[i], legal[j] = legal[j], legal[i]
            node.edges = [(a, max(1, 65535 // len(legal)) / 65535) for a in legal]
            if node is self.root:
                self.prepare(node)
            return None
        logits, values, *leads = self.answer(node)
        if leads:
            node.lead = math.floor(float(leads[0][0, 0]) * 64 + 0.5) / 64
        e = [math.exp(float(logits[0, a]) - max(float(logits[0, b]) for b in legal)) for a in legal]
        priors = [max(1, int(x / sum(e) * 65535 + 0.5)) for x in e]
        order = sorted(range(len(legal)), key=lambda i: (-priors[i], i))
        node.edges = [(legal[i], priors[i] / 65535) for i in order]
        if node is self.root:
            self.prepare(node)
        node.value = float(values[0])
        return node.value

    def answer(self, node):
        """The evaluator's answer to one position, at the root the mean over the symmetries where that is set."""
        game, planes = node.position.game, node.position.planes()
        if not (node is self.root and self.s.root_symmetries):
            return self.evaluator.evaluate(planes[None])
        legal = list(node.position.legal_actions())
        shares, rest = np.zeros(game.num_actions), []
        for s in range(len(game.symmetries)):
            logits, *others = self.evaluator.evaluate(game.transform_planes(planes, s)[None])
            e = {a: math.exp(float(logits[0, game.symmetries[s][a]])) for a in legal}
            for a in legal:
                shares[a] += e[a] / sum(e.values()) / len(game.symmetries)
            rest.append(others)
        with np.errstate(divide="ignore"):
            logs = np.log(shares).astype(np.float32)
        means = [np.mean(parts, axis=0, dtype=np.float64).astype(np.float32) for parts in zip(*rest, strict=True)]
        return (logs[None], *means)

    def prepare(self, node):
        """The root's priors: P^(1 / temperature), and one move for each class of those that are alike."""
        if self.s.root_temperature != 1.0:
            powers = [p ** (1 / self.s.root_temperature) for _, p in node.edges]
            node.edges = [
                (a, max(1, round(p / sum(powers) * 65535)) / 65535)
                for (a, _), p in zip(node.edges, powers, strict=True)
            ]
        if self.s.merge_symmetric:
            game, classes = node.position.game, {}
            board = node.position.cells().ravel()
            for a, p in node.edges:
                images = {
                    int(game.symmetries[s][a])
                    for s, moved in enumerate(game.cell_symmetries)
                    if all(board[moved[i]] == board[i] for i in range(len(board)))
                }
                classes.setdefault(min(images), []).append((a, p))
            node.edges = [
                (alike[0][0], min(65535, round(65535 * sum(p for _, p in alike))) / 65535) for alike in classes.values()
            ]
        node.edges.sort(key=lambda edge: -edge[1])

    def plan(self):
        """Gumbel's order of the root's moves, and the visits due at each simulation."""
        g = self.numpy_rng.gumbel(size=len(self.root.edges))
        keys = [-(g[i] + math.log(p)) for i, (_, p) in enumerate(self.root.edges)]
        order = sorted(range(len(g)), key=lambda i: (keys[i], i))
        m, n = min(self.s.gumbel_considered, len(order)), self.s.gumbel_simulations
        self.schedule, done, moves = [], 0, m
        while len(self.schedule) < n:
            rounds = n if m == 1 else max(1, int(n / (math.ceil(math.log2(m)) * moves)))
            for r in range(rounds):
                self.schedule += [done + r] * moves
            done, moves = done + rounds, 1 if m == 1 else max(2, moves // 2)
        self.schedule = self.schedule[:n]
        considered = self.schedule.count(0)
        order[considered:] = sorted(order[considered:], key=lambda i: -self.root.edges[i][1])
        self.root.edges, self.g = [self.root.edges[i] for i in order], [g[i] for i in order]

    def improved(self, node):
        """(Q or v_mix of every edge, log of the improved policy, factor of sigma)."""
        visited = [(p, c) for (_, p), c in zip(node.edges, node.children, strict=False) if c.n]
        total, most = sum(c.n for _, c in visited), max((c.n for _, c in visited), default=0)
        value = node.value if node.value is not None else (-node.q if node.backups else 0.0)
        mixed = value
        if visited:
            weighted = sum(p * c.q for p, c in visited) / sum(p for p, _ in visited)
            mixed = (value + total * weighted) / (1 + total)
        qs = [c.q if c.n else mixed for c in node.children] + [mixed] * (len(node.edges) - len(node.children))
        scale = (self.s.c_visit + most) * self.s.c_scale / 2
        logits = [math.log(p) + scale * q for (_, p), q in zip(node.edges, qs, strict=True)]
        norm = math.log(sum(math.exp(x - max(logits)) for x in logits)) + max(logits)
        return qs, [x - norm for x in logits], scale

    def scores(self, node):
        s, k = self.s, len(node.children)
        total = sum(c.n for c in node.children)
        if s.selection == "gumbel":
            yield from self.gumbel_scores(node, total)
            return
        if s.selection in ("flat", "ucb1", "ucb1_tuned"):
            yield from ((i, self.ucb1_score(child, total)) for i, child in enumerate(node.children))
            yield from ((i, 0 if s.selection == "flat" else math.inf) for i in range(k, len(node.edges)))
            return
        parent = -node.q if node.backups else 0.0
        mass = sum(p for _, p in node.edges[:k])
        rule, reduction = s.fpu, s.fpu_reduction
        if node is self.root and s.root_fpu != "same":
            rule, reduction = s.root_fpu, s.root_fpu_reduction
        fpu = {"loss": -1.0, "zero": 0.0, "reduction": parent - reduction * math.sqrt(mass)}[rule]
        fpu += {"loss": -s.score_utility * self.scored, "zero": 0.0, "reduction": -node.score(s)}[rule]
        c = s.c_puct + (s.c_log * math.log((1 + total + s.c_base) / s.c_base) if s.c_base else 0.0)
        c *= 1 + s.c_spread * (self.deviation(node) / 0.4 - 1)
        for i, (_, prior) in enumerate(node.edges):
            child = node.children[i] if i < k else None
            n = child.n if child else 0
            yield i, (child.q + child.score(s) if n else fpu) + c * prior * math.sqrt(total) / (1 + n)

    def ucb1_score(self, child, total):
        """The score of a move that was tried."""
        s, n = self.s, child.n
        if s.selection == "flat":
            return -n
        if n == 0:
            return math.inf
        share = math.log(total) / n
        if s.selection == "ucb1":
            return child.q + 2 * s.c * math.sqrt(share)
        variance = max(0.0, child.squares / child.backups - child.q**2) / 4
        return child.q + 2 * s.c * math.sqrt(share * min(0.25, variance + math.sqrt(2 * share)))

    def gumbel_scores(self, node, total):
        """The scores of the moves that are due."""
        qs, logs, scale = self.improved(node)
        planned = node is self.root and self.schedule and total < len(self.schedule)
        for i, (_, prior) in enumerate(node.edges):
            n = node.children[i].n if i < len(node.children) else 0
            if not planned:
                yield i, math.exp(logs[i]) - n / (1 + total)
            elif n == self.schedule[total]:
                yield i, self.g[i] + math.log(prior) + scale * qs[i]

    @staticmethod
    def deviation(node):
        """Of the node's values, beside two more of deviation 0.4."""
        if node.backups <= 1:
            return 0.4
        square = (2 * (node.q**2 + 0.16) + node.squares) / (node.backups + 1)
        return math.sqrt(max(0.0, square - node.q**2))

    def enter(self, node):
        """One simulation from ``node``; returns its value for the side to move there."""
        value, below = None, False
        if node.position.is_over:
            value = float(node.position.returns[node.position.to_move])
            if self.scored:
                node.lead = score_of(node.position)
            node.proof = {1.0: 3, 0.0: 2, -1.0: 1}[value]
        elif self.s.prove and node.proof:
            pass
        elif node.edges is None and self.evaluator is not None:
            value = self.expand(node)
            if node is self.root and self.s.selection == "gumbel":
                self.plan()
        elif node is not self.root and self.evaluator is None and node.n < self.threshold and not node.edges:
            state = node.position.game.new_state()
            dispatch.copy(state, node.position.state)
            if self.s.rollout_policy == "tactical":
                result = dispatch.tactical_rollout(state, self.rng, node.position.game.new_spare())
            else:
                result = dispatch.rollout(state, self.rng)
            value = 0.0 if result == dispatch.DRAW else (1.0 if result == node.position.to_move + 1 else -1.0)
        else:
            if not node.edges:
                self.expand(node)
                if node is self.root and self.s.selection == "gumbel":
                    self.plan()
            allowed = [
                (i, x)
                for i, x in self.scores(node)
                if not (self.s.prove and i < len(node.children) and node.children[i].proof == 3)
            ]
            if not allowed:  # every move due is proved lost: the most visited other one
                others = [(c.n, -i) for i, c in enumerate(node.children) if c.proof != 3]
                allowed = [(-max(others)[1] if others else len(node.children), 0.0)]
            best = max(allowed, key=lambda pair: (pair[1], -pair[0]))[0]
            if self.s.root_first and node is self.root and len(node.children) < len(node.edges):
                best = len(node.children)
            if best >= len(node.children):
                assert best == len(node.children), "untried moves do not stand in the order in which they are tried"
                node.children.append(Node(node.position.play(node.edges[best][0])))
            value = -self.enter(node.children[best])
            self.lead = -self.lead
            if self.s.prove:
                self.prove(node)
            below = True
        if self.s.prove and node.proof:
            value = float(node.proof - 2)
        node.begun, node.n = node.begun + (node is self.root), node.n + (node is not self.root)
        if not below:
            self.lead = node.lead
        node.leads -= self.lead
        node.w -= float(np.float32(value))
        node.squares += float(np.float32(value)) ** 2
        return value

    def prove(self, node):
        proofs = [child.proof for child in node.children]
        if 1 in proofs:
            node.proof = 3
            node.distance = 1 + min(c.distance for c in node.children if c.proof == 1)
        elif len(proofs) == len(node.edges) and all(proofs):
            best = min(proofs)
            node.proof = 4 - best
            node.distance = 1 + max(c.distance for c in node.children if c.proof == best)

    def go_to(self, path):
        """Move the root; what was proved of it goes up as far as the first node above both."""
        above = [self.top]
        for action in self.path:
            moves = [a for a, _ in above[-1].edges]
            above.append(above[-1].children[moves.index(action)])
        common = next((i for i, (a, b) in enumerate(zip(self.path, path, strict=False)) if a != b), None)
        common = min(len(self.path), len(path)) if common is None else common
        for node in reversed(above[common:-1]):
            if self.s.prove and not node.proof:
                self.prove(node)
        if self.schedule:  # gumbel's order was for one root
            k = len(self.root.children)
            self.root.edges[k:] = sorted(self.root.edges[k:], key=lambda edge: -edge[1])
        self.root, self.path, self.schedule = above[common], path, None
        for action in path[common:]:
            moves = [a for a, _ in self.root.edges]
            self.root = self.root.children[moves.index(action)]
        if self.evaluator is None and not self.root.edges:
            self.expand(self.root)

    def run(self, simulations):
        while self.root.backups < simulations and not (self.s.prove and self.root.proof):
            self.enter(self.root)
        return self
