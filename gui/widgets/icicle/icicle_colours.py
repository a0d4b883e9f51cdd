"""The colours of a drawn tree: what each node's colour stands for, as places in a palette.

Values are for one fixed player.  Letters: M nodes, S strips.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.search.proofs import LOSS, PROVED_DRAW, WIN
from gui.widgets.node_card import signs
from gui.widgets.theme import Theme, ink, mix, ramp

if TYPE_CHECKING:
    from core.glass.icicle import Icicle, Twin
    from core.glass.nodes import TreeNodes

STEPS: Final = 128  # of the ramp
PLAIN: Final = STEPS + 1  # place of the colour of what has no value
RANGES: Final = {"value": 1.0, "change": 0.5, "net": 0.5, "proof": 1.0, "share": 1.0}  # value at the ramp's ends
Floats = NDArray[np.float32]


class Figures(NamedTuple):
    """What colours stand for, for one player; NaN where there is nothing."""

    nodes: Floats  # [M]
    strips: Floats  # [S]


def palette(theme: Theme) -> NDArray[np.uint32]:
    """Return the colours as 0xFFRRGGBB: the ramp of values in steps, then the one of what has none."""
    colours = [ramp(theme.value_ramp, i / STEPS) for i in range(STEPS + 1)]
    colours.append(mix(theme.color("panel"), theme.color("faint"), 0.28))
    return np.array([colour.rgb() & 0xFFFFFFFF for colour in colours], np.uint32)


def dark_inks(colours: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Return for each colour whether dark text is the more readable on it."""
    from PySide6.QtGui import QColor

    return np.array([ink(QColor.fromRgb(int(colour))).lightnessF() < 0.5 for colour in colours.tolist()])


def places_of(figures: Floats, most: float) -> NDArray[np.uint8]:
    """Return the places in the palette of figures from -most to +most."""
    steps = np.rint((np.clip(np.nan_to_num(figures) / most, -1, 1) + 1) * (STEPS / 2))
    return np.where(np.isnan(figures), PLAIN, steps).astype(np.uint8)


def node_figures(nodes: TreeNodes, mode: str, sign: Floats) -> Floats:
    """Return what the colours of ``mode`` stand for, [M]; ``sign``: -1 where values are for the other player."""
    qs = sign * nodes.qs
    if mode == "change":
        return np.asarray(qs - qs[np.maximum(nodes.parents, 0)])
    if mode == "net":
        return np.where(nodes.terminals, np.float32(np.nan), sign * nodes.values - qs)  # no net judged an end
    if mode == "proof":
        worth = np.full(4, np.nan, np.float32)
        worth[[WIN, PROVED_DRAW, LOSS]] = 1, 0, -1
        return np.asarray(sign * worth[nodes.proofs])
    return qs


def figures_of(icicle: Icicle, mode: str, to_move: int, player: int) -> Figures:
    """Return what the colours of ``mode`` stand for, in strips too."""
    sign = signs(icicle, to_move, player)
    of = icicle.strips.parents
    below = -sign[of] * icicle.strips.qs
    if mode == "change":
        below = below - sign[of] * icicle.qs[of]
    elif mode in ("net", "proof"):
        below = np.full(of.size, np.nan, np.float32)
    return Figures(node_figures(icicle, mode, sign), below)


def differences(twin: Twin, flipped: bool) -> Figures:
    """Return by how much the share of the simulations that chose a move is larger in the other search, if ``flipped``
    smaller: for the root's moves the change of ``MoveRow.share``."""
    total, twin_total = max(1, twin.of.chosen), max(1, twin.chosen)
    sign = -1 if flipped else 1
    shares = sign * (twin.visits / twin_total - twin.of.visits / total)
    shares[0] = 0.0
    return Figures(
        shares.astype(np.float32),
        (sign * (twin.strips / twin_total - twin.of.strips.visits / total)).astype(np.float32),
    )
