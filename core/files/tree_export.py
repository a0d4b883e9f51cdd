"""The most visited nodes of a search as JSON, CSV, Graphviz or an SVG drawing; the bytes of every form of its file."""

import csv
import heapq
import io
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from html import escape
from typing import Any, Final

from core.engine import SearchState
from core.files.page import PAGE, search_page
from core.files.page_data import PageNote
from core.files.tree_file import SavedSearch, dump_tree
from core.files.tree_film import FILM, film
from core.games import Position
from core.games.diagram import SYMBOLS
from core.glass.nodes import known_plies
from core.glass.snapshot import PROOF_NAMES
from core.glass.view import PV_LENGTH
from core.search import SearchSettings
from core.search.proofs import UNPROVED, flip, is_upper_bound
from core.search.selection import figures, make_figures
from core.search.tree import PRIOR_ONE, backups

MAX_DEPTH: Final = 200  # plies below the root; many readers refuse JSON nested deeper
SIDES: Final = SYMBOLS[1:]
_STRUCTURE: Final = ("parent", "children", "side", "depth")
_COLUMN: Final = 118  # between depths, pixels
_ROW: Final = 22  # between leaves
_MARGIN: Final = 28
_TOP: Final = 58
_BAD: Final = (201, 98, 29)  # -1: orange
_EVEN: Final = (236, 236, 232)
_GOOD: Final = (36, 104, 172)  # +1: blue, as readable to the colour-blind
SAVED: Final = ".npz"  # the whole search, as ``PAGE`` and ``FILM`` show it; every other form has its most visited nodes
# Default numbers of nodes: in a drawing, in a list.
DRAWN: Final = 200
LISTED: Final = 10_000


@dataclass(frozen=True, slots=True)
class TreeNode:
    """One node with the edge to it."""

    parent: int  # its place in the tuple; -1 for the root
    depth: int
    side: int  # the player for whom q and value are: who played the move, at the root who is to move
    action: int  # -1 for the root
    name: str  # "" for the root
    visits: int  # N of the move, simulations from its node or above; at the root all
    backups: int  # visits plus simulations begun at this node as root; q is their mean
    share: float  # of the visits of its parent's children
    prior: float  # as selection uses it; NaN under a rule without
    q: float
    u: float
    score: float
    value: float  # the net's own; NaN when there is none
    proof: str
    distance: int  # plies to the end under the proof, this move counted; 0 when unproved
    distance_at_most: bool  # best play may end sooner: the first win found is kept
    next: bool  # the next simulation selects it at its parent
    best: bool  # it is the move to play
    main: bool  # it is on the principal variation
    children: tuple[int, ...]  # places in the tuple, most visits first
    hidden: int  # visited children that were left out


def pick(
    state: SearchState, settings: SearchSettings, most: int = 1000, depth: int = MAX_DEPTH, min_visits: int = 1
) -> tuple[TreeNode, ...]:
    """The ``most`` most visited nodes, up to ``depth`` plies below the root and with at least ``min_visits``.

    In preorder-compatible order: the root first, parents before children.  ValueError for a limit that leaves nothing.
    """
    for name, value, low in (("most", most, 1), ("depth", depth, 0), ("min_visits", min_visits, 0)):
        if value < low:
            raise ValueError(f"{name} is {value!r}; it must be at least {low}")
    reader = _Reader(state, settings)
    rows = [reader.root()]
    nodes = [state.root]
    # (-visits, order of insertion, place of the parent, node, row without place)
    heap: list[tuple[int, int, int, int, TreeNode]] = []
    came = 0
    children: list[list[int]] = [[]]
    num_children = [0]

    def offer(place: int) -> None:
        nonlocal came
        if rows[place].depth >= min(depth, MAX_DEPTH):
            num_children[place] = int(state.tree.num_children[nodes[place]])
            return
        for node, row in reader.below(nodes[place], rows[place]):
            num_children[place] += 1
            if row.visits >= min_visits:
                came += 1
                heapq.heappush(heap, (-row.visits, came, place, node, row))

    offer(0)
    while heap and len(rows) < most:
        _, _, parent, node, row = heapq.heappop(heap)
        place = len(rows)
        rows.append(replace(row, parent=parent))
        nodes.append(node)
        children.append([])
        num_children.append(0)
        children[parent].append(place)
        offer(place)
    return _finished(rows, children, num_children)


def _finished(rows: list[TreeNode], children: list[list[int]], num_children: list[int]) -> tuple[TreeNode, ...]:
    """Fill in the children, the number of hidden ones, and the principal variation."""
    main = {0}
    out = []
    for place, row in enumerate(rows):
        if row.parent in main and row.best:
            main.add(place)
        below = tuple(children[place])
        out.append(replace(row, children=below, hidden=num_children[place] - len(below), main=place in main))
    return tuple(out)


class _Reader:
    """Reads the nodes of one tree, with buffers for their figures.  A actions."""

    def __init__(self, state: SearchState, settings: SearchSettings) -> None:
        self._tree, self._root, self._position = state.tree, state.root, state.position
        game = state.position.game
        self._params, self._with_priors = settings.params(game.num_cells), settings.rule.priors
        self._names = game.action_names
        self._figures = make_figures(game.num_actions, PV_LENGTH)

    def root(self) -> TreeNode:
        tree, node = self._tree, self._root
        slot = int(tree.slot[node])
        visits = backups(tree, slot)
        q = -float(tree.total[slot]) / visits if visits else float("nan")
        distance = int(known_plies(tree.distance[slot]))
        return TreeNode(
            parent=-1,
            depth=0,
            side=self._position.to_move,
            action=-1,
            name="",
            visits=visits,
            backups=visits,
            share=1.0,
            prior=1.0,
            q=q,
            u=0.0,
            score=q,
            value=float(tree.value[node]),
            proof=PROOF_NAMES[int(flip(int(tree.proof[slot])))],
            distance=distance,
            distance_at_most=bool(is_upper_bound(int(tree.proof[slot]), distance, True)),
            next=True,
            best=True,
            main=True,
            children=(),
            hidden=0,
        )

    def below(self, node: int, row: TreeNode) -> list[tuple[int, TreeNode]]:
        """The visited children of ``node``."""
        tree = self._tree
        count, first = int(tree.num_children[node]), int(tree.child_start[node])
        if count == 0:
            return []
        following, best = figures(tree, node, self._params, self._figures)
        slots = slice(first, first + count)
        edges = int(tree.edge_start[node])
        visits = tree.visits[slots].tolist()
        distances = known_plies(tree.distance[slots] + (tree.proof[slots] != UNPROVED)).tolist()
        total = max(1, sum(visits))
        side = self._position.to_move if row.depth == 0 else 1 - row.side
        out = []
        for i in range(count):
            child = int(tree.child[first + i])
            proof = int(tree.proof[first + i])
            action = int(tree.edge_action[edges + i])
            below = TreeNode(
                parent=-1,
                depth=row.depth + 1,
                side=side,
                action=action,
                name=self._names[action],
                visits=visits[i],
                backups=backups(tree, first + i),
                share=visits[i] / total,
                prior=float(tree.edge_prior[edges + i]) / PRIOR_ONE if self._with_priors else math.nan,
                q=float(self._figures.qs[i]),
                u=float(self._figures.us[i]),
                score=float(self._figures.scores[i]),
                value=-float(tree.value[child]),
                proof=PROOF_NAMES[proof],
                distance=distances[i],
                distance_at_most=bool(is_upper_bound(proof, distances[i] - 1, bool(tree.num_edges[child] > 0))),
                next=i == following,
                best=i == best,
                main=False,
                children=(),
                hidden=0,
            )
            out.append((child, below))
        return out


_FIGURES: Final = tuple(f.name for f in fields(TreeNode) if f.name not in _STRUCTURE)
_COLUMNS: Final = ("id", "parent", "depth", "path", "side", *_FIGURES)


def signed(value: float, digits: int = 3) -> str:
    """A value with its sign, such as ``+0.312``; ``-`` for NaN; no sign where it rounds to zero."""
    if math.isnan(value):
        return "-"
    if not math.isfinite(value):
        return "inf" if value > 0 else "-inf"
    return f"{0:.{digits}f}" if abs(value) < 0.5 / 10**digits else f"{value:+.{digits}f}"


def caption(position: Position) -> str:
    """A title for an exported tree: the game and its moves."""
    game = position.game
    moves = " ".join(game.action_name(a) for a in position.moves)
    return f"{game.title}, {f'after {moves}' if moves else 'no move yet'}, {SIDES[position.to_move]} to move"


def paths(nodes: Sequence[TreeNode]) -> list[str]:
    """The names of the moves from the root to each node."""
    out: list[str] = []
    for node in nodes:
        above = out[node.parent] if node.parent >= 0 else ""
        out.append(f"{above} {node.name}".strip())
    return out


def to_json(nodes: Sequence[TreeNode], position: Position) -> str:
    """The tree as JSON: nested objects with ``children``; NaN is null."""
    objects: list[dict[str, Any]] = []
    for node in nodes:
        objects.append(
            {"side": SIDES[node.side], **{name: _number(getattr(node, name)) for name in _FIGURES}, "children": []}
        )
        if node.parent >= 0:
            objects[node.parent]["children"].append(objects[-1])
    names = position.game.action_name
    return json.dumps(
        {
            "game": position.game.text,
            "moves": [names(a) for a in position.moves],
            "diagram": position.diagram(),
            "value_for": "side that plays the move; at the root, side to move",
            "tree": objects[0],
        },
        ensure_ascii=False,
        allow_nan=False,
        separators=(",", ":"),
    )


def to_csv(nodes: Sequence[TreeNode]) -> str:
    """The nodes as CSV, one line each, the root first; NaN is empty."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(_COLUMNS)
    for i, (node, path) in enumerate(zip(nodes, paths(nodes), strict=True)):
        figures = [_number(getattr(node, name)) for name in _FIGURES]
        parent = "" if node.parent < 0 else node.parent
        table.writerow([i, parent, node.depth, path, SIDES[node.side], *("" if f is None else f for f in figures)])
    return out.getvalue()


def to_dot(nodes: Sequence[TreeNode], position: Position) -> str:
    """The tree as a graph for Graphviz' ``dot``; the principal variation is drawn thick."""
    lines = [
        "digraph tree {",
        "  rankdir=LR;",
        f"  label={_quoted(caption(position))};",
        '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="Helvetica", fontsize=10];',
    ]
    for i, node in enumerate(nodes):
        label = "\n".join([node.name or f"{SIDES[node.side]} to move", *label_lines(node)])
        thick = ", penwidth=2" if node.main else ""
        lines.append(f"  n{i} [label={_quoted(label)}{thick}];")
        if node.parent >= 0:
            width = 0.5 + 4 * node.share
            lines.append(f"  n{node.parent} -> n{i} [penwidth={width:.2f}];")
    return "\n".join([*lines, "}", ""])


def proof_words(node: TreeNode) -> str:
    """``win in 3``, ``loss in at most 8``, or ``win`` where no plies are known: the proof of a node that has one."""
    if not node.distance:
        return node.proof
    return f"{node.proof} in {'at most ' if node.distance_at_most else ''}{node.distance}"


def label_lines(node: TreeNode) -> list[str]:
    """The lines of a node's label in a graph."""
    lines = [f"N {node.visits}", f"Q {signed(node.q, 2)}"]
    if node.proof:
        lines.append(proof_words(node))
    return lines


def to_text(nodes: Sequence[TreeNode]) -> list[str]:
    """The tree as indented lines, most visits first."""
    root = nodes[0]
    lines = [f"{SIDES[root.side]} to move  N {root.visits}  Q {signed(root.q)}{_proof(root)}"]
    # (node, prefix of its line, whether it is the last child)
    stack = [(child, "", child == root.children[-1] and not root.hidden) for child in reversed(root.children)]
    if root.hidden:
        stack.insert(0, (-root.hidden, "", True))
    while stack:
        place, indent, last = stack.pop()
        branch = f"{indent}{'└─' if last else '├─'} "
        if place < 0:
            lines.append(f"{branch}… {-place} more")
            continue
        node = nodes[place]
        prior = "" if not math.isfinite(node.prior) else f"  P {100 * node.prior:.1f}%"
        value = "" if math.isnan(node.value) else f"  V {signed(node.value)}"
        figures = f"N {node.visits} ({100 * node.share:.1f}%)  Q {signed(node.q)}{prior}{value}{_proof(node)}"
        lines.append(f"{branch}{SIDES[node.side]} {node.name}  {figures}{'  *' if node.main else ''}")
        inner = indent + ("   " if last else "│  ")
        if node.hidden and node.children:
            stack.append((-node.hidden, inner, True))
        for child in reversed(node.children):
            stack.append((child, inner, child == node.children[-1] and not node.hidden))
    return lines


def _proof(node: TreeNode) -> str:
    return f"  {proof_words(node)}" if node.proof else ""


def _number(value: Any) -> Any:
    """A number for JSON: NaN and infinities as None, floats with 9 digits, which identify a 32-bit number."""
    if isinstance(value, float):
        return float(f"{value:.9g}") if math.isfinite(value) else None
    return value


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def colour(q: float) -> str:
    """The colour of a value in [-1, +1] on a diverging scale; grey for NaN."""
    if not math.isfinite(q):
        return "#bbbbbb"
    end = _GOOD if q > 0 else _BAD
    share = min(1.0, abs(q))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(_EVEN, end, strict=True))


def for_root(node: TreeNode, root: TreeNode) -> float:
    """The node's Q for the side to move at the root."""
    return node.q if node.side == root.side else -node.q


def _explained(root: TreeNode) -> str:
    return (
        f"{root.visits} simulations. Q is for the side that plays the move, the colour for {SIDES[root.side]}: "
        "blue is good, orange bad. The principal variation (PV) is marked."
    )


def to_svg(nodes: Sequence[TreeNode], position: Position) -> str:
    """An SVG drawing from left to right: fill by value, size by log visits, lines as wide as their share."""
    ys = _rows(nodes)
    width = 2 * _MARGIN + _COLUMN * max(node.depth for node in nodes) + 110
    height = _TOP + _MARGIN + _ROW * max(1.0, *ys)
    root = nodes[0]
    most = math.log1p(max(1, root.visits))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height:.0f}" '
        f'viewBox="0 0 {width} {height:.0f}" font-family="Helvetica, Arial, sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{_MARGIN - 12}" y="20" font-size="14" font-weight="bold">{escape(caption(position))}</text>',
        f'<text x="{_MARGIN - 12}" y="37" fill="#66717c">{escape(_explained(root))}</text>',
    ]
    at = [(_MARGIN + _COLUMN * node.depth, _TOP + _ROW * y) for node, y in zip(nodes, ys, strict=True)]
    for node, (x, y) in zip(nodes, at, strict=True):
        if node.parent >= 0:
            px, py = at[node.parent]
            middle = (px + x) / 2
            stroke = "#c0392b" if node.main else "#b7bfc6"
            lines.append(
                f'<path d="M{px:.1f} {py:.1f}C{middle:.1f} {py:.1f} {middle:.1f} {y:.1f} {x:.1f} {y:.1f}" fill="none" '
                f'stroke="{stroke}" stroke-width="{0.6 + 4 * node.share:.2f}"/>'
            )
    for node, (x, y) in zip(nodes, at, strict=True):
        radius = 2.5 + 6 * math.log1p(node.visits) / most
        words = f"{node.name or SIDES[node.side] + ' to move'}  N {node.visits}  Q {signed(node.q)}"
        if node.proof:
            words += f"  {proof_words(node)}"
        place = f'x="{x + radius + 3:.1f}" y="{y - 5:.1f}"'
        label = _short(node)
        lines.append(
            f'<g><title>{escape(words)}</title><circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" '
            f'fill="{colour(for_root(node, root))}" stroke="{"#c0392b" if node.main else "#66717c"}"/>'
            # Drawn twice, first as a light outline, so that lines do not cross the text; few programs know paint-order.
            f'<text {place} fill="none" stroke="#ffffff" stroke-width="3">{label}</text>'
            f"<text {place}>{label}</text></g>"
        )
    return "\n".join([*lines, "</svg>", ""])


def _short(node: TreeNode) -> str:
    proof = f" · {node.proof}" if node.proof else ""
    name = f'<tspan font-weight="bold">{escape(node.name)}</tspan> ' if node.name else ""
    return f"{name}{node.visits}{escape(proof)}"


def _rows(nodes: Sequence[TreeNode]) -> list[float]:
    """The row of each node: one for each leaf, a parent in the middle of its children."""
    ys = [0.0] * len(nodes)
    order = []
    stack = [0]
    while stack:
        place = stack.pop()
        order.append(place)
        stack.extend(reversed(nodes[place].children))
    leaves = 0
    for place in order:
        if not nodes[place].children:
            ys[place] = float(leaves)
            leaves += 1
    for place in reversed(order):
        if children := nodes[place].children:
            ys[place] = (ys[children[0]] + ys[children[-1]]) / 2
    return ys


Writer = Callable[[tuple[TreeNode, ...], Position], str]

# Suffix -> (writer, default number of nodes).
FORMS: Final[dict[str, tuple[Writer, int]]] = {
    ".json": (to_json, LISTED),
    ".csv": (lambda nodes, _: to_csv(nodes), LISTED),
    ".dot": (to_dot, DRAWN),
    ".svg": (to_svg, DRAWN),
}
SUFFIXES: Final = (SAVED, PAGE, FILM, *FORMS)


def tree_bytes(search: SavedSearch, suffix: str, notes: Sequence[PageNote] = ()) -> bytes:
    """The bytes of a file with this suffix, with the usual number of nodes; ``notes``: for a page, those of the game.

    ValueError for another suffix, and for a search that no page can hold."""
    if suffix == SAVED:
        return dump_tree(search)
    if suffix == PAGE:
        return search_page(search, notes)
    if suffix == FILM:
        return film(search)
    if suffix not in FORMS:
        raise ValueError(f"{suffix!r} is no form of a tree's file; there are {', '.join(SUFFIXES)}")
    writer, most = FORMS[suffix]
    return writer(pick(search.state, search.settings, most), search.position).encode("utf-8")
