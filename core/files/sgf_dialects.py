"""What programs for gomoku and renju write in SGF that the format does not have.

Sources: KataGomo (github.com/hzyhhzy/KataGomo) writes gomoku as Go, ``GM[1]``, with ``RU[FREESTYLE]`` and the like;
c-gomoku-cli writes Gomocup's numbers of rules as ``RU``; GomokuQuest proposes an opening of three moves as
``QPR[hh,hg,jf]`` and the fourth as ``QSLW[ig]`` (as read by several public converters); records of renju name the
proposed fifth moves ``5A``, some of them with ``GM[5]``, which the format gives to Nine Men's Morris.
"""

import re
from collections.abc import Callable
from typing import Final

from core.files.sgf_text import SgfNode, SgfTree
from core.games import GameSpec
from core.games.lines import FIVE_IN_A_ROW
from core.text import Text

FIFTH_MOVES: Final = "5A"
_GO: Final = 1
_MORRIS: Final = 5
_FIVE: Final = re.compile(r"go-?moku|renju|five.in.a.row|五子|連珠|连珠", re.IGNORECASE)
_FIVE_RULES: Final = re.compile(r"free-?style|standard|exact|renju|go-?moku|caro|swap|\brif\b", re.IGNORECASE)
_SIZES_OF_FIVE: Final = (15, 20)  # usual ones that Go has not
_OPENINGS: Final = {"QPR": "BWB", "QSLW": "W"}

Report = Callable[[str], None]


def number_meant(tree: SgfTree, number: int | None, hint: GameSpec | None, report: Report) -> int | None:
    """The number of the game that a file is of, where a program wrote another one; says so."""
    root = tree[0].properties
    rules = " ".join(root.get("RU", ()))
    about = " ".join(word for ident in ("AP", "GN", "EV", "RU") for word in root.get(ident, ()))
    if number == _GO and (_FIVE.search(about) or (_FIVE_RULES.search(rules) and "tax" not in rules)):
        report(Text("it says that it is Go (GM[1]); by its rules or its program it was read as gomoku"))
        return FIVE_IN_A_ROW
    if number == _MORRIS and ("SZ" in root or is_renju(tree) or _FIVE.search(about)):
        report(Text("it says that it is Nine Men's Morris (GM[5]); it was read as gomoku or renju"))
        return FIVE_IN_A_ROW
    if number != _GO or {"KM", "RU", "HA"} & set(root) or _size(root) not in _SIZES_OF_FIVE:
        return number
    if hint is not None and hint.lines is not None and hint.lines.k == 5 and hint.shape == (_size(root),) * 2:
        report(
            Text("it says that it is Go (GM[1]) and has no komi; it was read as {game}, which is open", game=hint.title)
        )
        return None
    report(Text("it was read as Go (GM[1]); if it is gomoku, open a gomoku board of its size first"))
    return number


def is_renju(tree: SgfTree) -> bool:
    """Whether a node names proposed fifth moves, which only renju has."""
    return any(FIFTH_MOVES in node.properties for node in tree)


def _size(root: dict[str, list[str]]) -> int:
    word = root["SZ"][0].strip() if "SZ" in root else ""
    return int(word) if re.fullmatch("[0-9]{1,2}", word) else 0


def play_openings(tree: SgfTree) -> None:
    """Make the moves of a proposed opening ordinary ones, each in a node of its own before what its node has."""
    for raw in range(len(tree)):
        node = tree[raw]
        if len(node.properties) == 1 and ("B" in node.properties or "W" in node.properties):
            continue
        moves = [
            (colour, point)
            for ident, colours in _OPENINGS.items()
            if ident in node.properties
            for colour, point in zip(colours, ",".join(node.properties.pop(ident)).split(","), strict=False)
        ]
        if not moves:
            continue
        rest, children = node.properties, node.children
        if raw == 0:  # the root keeps what it says of the game
            node.properties = {ident: values for ident, values in rest.items() if ident not in ("B", "W")}
            rest = {ident: values for ident, values in rest.items() if ident in ("B", "W")}
            above = 0
        else:
            colour, point = moves.pop(0)
            node.properties, above = {colour: [point]}, raw
        for colour, point in moves:
            above = _add(tree, above, {colour: [point]})
        if rest:
            above = _add(tree, above, rest)
        if above != raw:
            tree[above].children = children
            for child in children:
                tree[child].parent = above


def _add(tree: SgfTree, above: int, properties: dict[str, list[str]]) -> int:
    tree.append(SgfNode(above, properties))
    tree[above].children = [len(tree) - 1]
    return len(tree) - 1
