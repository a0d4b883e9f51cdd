"""Exports nodes of a search as JSON, CSV, Graphviz or plain text. It reads rows and a position."""

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Final

from core.files.tree_pick import TreeNode
from core.games import Position
from core.games.diagram import SYMBOLS

SIDES: Final = SYMBOLS[1:]
_STRUCTURE: Final = ("parent", "children", "side", "depth")
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
    made: list[dict[str, Any]] = []
    for node in nodes:
        made.append(
            {"side": SIDES[node.side], **{name: _number(getattr(node, name)) for name in _FIGURES}, "children": []}
        )
        if node.parent >= 0:
            made[node.parent]["children"].append(made[-1])
    names = position.game.action_name
    return json.dumps(
        {
            "game": position.game.text,
            "moves": [names(a) for a in position.moves],
            "diagram": position.diagram(),
            "value_for": "side that plays the move; at the root, side to move",
            "tree": made[0],
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
