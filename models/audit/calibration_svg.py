"""The calibration of values as a small SVG chart, coloured by the page that holds it."""

import math
from html import escape
from typing import Final

from models.audit.summary import Calibration

STYLE: Final = """
.c text{fill:var(--soft);font-size:11px}.c .f{fill:none;stroke:var(--line)}
.c .d{stroke:var(--soft);stroke-dasharray:4 4}
.c .v{fill:#e8730c;stroke:#e8730c}.c .q{fill:#1d7fe0;stroke:#1d7fe0}.c .t{fill:var(--ink);font-weight:600}
"""
_SIDE: Final = 200
_LEFT: Final = 30
_TOP: Final = 40


def calibration_svg(net: Calibration, search: Calibration, title: str) -> str:
    """The values of a net (orange) and of the search (blue) against results, with 95 % intervals; "" without any."""
    if not net.bins:
        return ""
    parts = [
        f'<svg class="c" width="{_SIDE + _LEFT + 10}" height="{_SIDE + _TOP + 24}" role="img">',
        f'<text class="t" x="{_LEFT}" y="12">{escape(title)}, {net.positions}</text>',
        f'<circle class="v" cx="{_LEFT + 4}" cy="26" r="3.5"/>'
        f'<text x="{_LEFT + 12}" y="30">net, error {net.error:.3f}</text>',
        f'<circle class="q" cx="{_LEFT + 112}" cy="26" r="3.5"/>'
        f'<text x="{_LEFT + 120}" y="30">search, {search.error:.3f}</text>',
        f'<rect class="f" x="{_LEFT}" y="{_TOP}" width="{_SIDE}" height="{_SIDE}"/>',
        f'<path class="d" d="M{_x(-1):.1f} {_y(-1):.1f}L{_x(1):.1f} {_y(1):.1f}"/>',
    ]
    for tick, words in ((-1, "-1"), (0, "0"), (1, "+1")):
        parts.append(f'<text x="{_x(tick):.1f}" y="{_TOP + _SIDE + 15}" text-anchor="middle">{words}</text>')
        parts.append(f'<text x="{_LEFT - 6}" y="{_y(tick) + 4:.1f}" text-anchor="end">{words}</text>')
    for kind, found in (("q", search), ("v", net)):
        most = max((one.positions for one in found.bins), default=1)
        for one in found.bins:
            x, radius = _x(one.predicted), 2 + 3 * math.sqrt(one.positions / most)
            parts.append(
                f'<g class="{kind}"><path d="M{x:.1f} {_y(one.low):.1f}V{_y(one.high):.1f}"/>'
                f'<circle cx="{x:.1f}" cy="{_y(one.result):.1f}" r="{radius:.1f}"/>'
                f"<title>predicted {one.predicted:+.2f}, result {one.result:+.2f}, positions: {one.positions}</title>"
                "</g>"
            )
    return "".join([*parts, "</svg>"])


def _x(value: float) -> float:
    return _LEFT + (value + 1.0) / 2.0 * _SIDE


def _y(value: float) -> float:
    return _TOP + (1.0 - value) / 2.0 * _SIDE
