"""Exports nodes of a search as an SVG drawing or an HTML page.  It reads rows and a position.

Both are self-contained: no scripts, fonts or links.  All text is escaped.
"""

import math
from collections.abc import Sequence
from html import escape
from typing import Final

from core.files.tree_export import SIDES, caption, proof_words, signed
from core.files.tree_pick import TreeNode
from core.games import Position

_COLUMN: Final = 118  # between depths, pixels
_ROW: Final = 22  # between leaves
_MARGIN: Final = 28
_TOP: Final = 58
_BAD: Final = (201, 98, 29)  # -1: orange
_EVEN: Final = (236, 236, 232)
_GOOD: Final = (36, 104, 172)  # +1: blue, as readable to the colour-blind

_STYLE: Final = """
:root{color-scheme:light dark;--ink:#1d2329;--soft:#66717c;--line:#d8dde2;--ground:#fff;--main:#2468ac}
@media(prefers-color-scheme:dark){:root{--ink:#e3e7ea;--soft:#98a3ad;--line:#3a424a;--ground:#171b1f;--main:#6fb1f2}}
body{margin:2rem auto;max-width:64rem;padding:0 1rem;background:var(--ground);color:var(--ink);
font:15px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
h1{font-size:1.25rem;margin:0 0 .25rem}p{color:var(--soft);margin:0 0 1rem}
pre{font:14px/1.25 ui-monospace,monospace;padding:.75rem 1rem;border:1px solid var(--line);border-radius:6px;
width:max-content}
details details,.leaf{margin-left:.55rem;padding-left:1rem;border-left:1px solid var(--line)}
summary,.leaf{cursor:pointer;padding-top:.1rem;padding-bottom:.1rem;white-space:nowrap}
.leaf{cursor:default}.leaf::before{content:"";display:inline-block;width:1.05rem}
summary:hover,.leaf:hover{background:color-mix(in srgb,var(--main) 10%,transparent)}
b{display:inline-block;min-width:3.4rem}.main>summary>b,.leaf.main>b{color:var(--main)}
i{display:inline-block;width:.8rem;height:.8rem;border-radius:50%;vertical-align:-1px;margin-right:.5rem;
border:1px solid var(--line)}
span{display:inline-block;min-width:6.2rem;color:var(--soft)}span em{font-style:normal;color:var(--ink)}
.more{color:var(--soft)}
"""


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


def to_html(nodes: Sequence[TreeNode], position: Position) -> str:
    """An HTML page with foldable nodes; the principal variation is open."""
    title = escape(caption(position))
    root = nodes[0]
    parts = [
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{_STYLE}</style></head>\n<body><h1>{title}</h1>",
        f"<p>{escape(_explained(root))}</p>\n<pre>{escape(position.diagram())}</pre>\n",
    ]
    stack: list[int | str] = [0]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        node = nodes[item]
        main = " main" if node.main else ""
        row = _html_row(node, root)
        more = f'<div class="leaf more">… {node.hidden} more</div>\n' if node.hidden else ""
        if not node.children:
            parts.append(f'<div class="leaf{main}">{row}</div>\n')
            continue
        opened = " open" if node.main else ""
        parts.append(f'<details class="node{main}"{opened}><summary>{row}</summary>\n')
        stack.append(f"{more}</details>\n")
        stack.extend(reversed(node.children))
    return "".join([*parts, "</body></html>\n"])


def _html_row(node: TreeNode, root: TreeNode) -> str:
    cells = [
        f"N <em>{node.visits}</em>",
        f"<em>{100 * node.share:.1f}</em>%",
        f"Q <em>{signed(node.q)}</em>",
    ]
    if not math.isnan(node.prior) and node.parent >= 0:
        cells.append(f"P <em>{100 * node.prior:.1f}</em>%")
    if not math.isnan(node.value):
        cells.append(f"V <em>{signed(node.value)}</em>")
    if node.proof:
        cells.append(f"<em>{escape(node.proof)}</em>{proof_words(node).removeprefix(node.proof)}")
    name = escape(node.name) if node.name else "root"
    dot = f'<i style="background:{colour(for_root(node, root))}"></i>'
    return f"{dot}<b>{SIDES[node.side]} {name}</b>" + "".join(f"<span>{cell}</span>" for cell in cells)
