"""Gomoku with its three rules: freestyle, standard (exactly five), and Renju.  The kernels are in other files."""

import re
from collections.abc import Mapping
from typing import Any, Final

from core.games.connectn import BOTH, MAX_SIDE, line_game
from core.games.lines import FIVE_IN_A_ROW
from core.games.renju import renju
from core.games.spec import ChoiceParameter, GameFamily, GameSpec, IntParameter, Lines, SgfReader, SgfRules
from core.text import Text

_GOMOCUP: Final = {"0": "freestyle", "1": "standard", "4": "renju"}  # numbers of rules in Gomocup's protocol


def _gomoku(text: str, params: Mapping[str, Any]) -> GameSpec:
    size, rule = params["size"], params["rule"]
    if rule == "renju":
        return renju(text, Text("Renju {size}×{size}", size=size), params, size)
    title = Text("Gomoku {size}×{size}" + (", exactly five" if rule == "standard" else ""), size=size)
    free = rule == "freestyle"
    lines = Lines(5, () if free else BOTH)
    return line_game("gomoku", text, title, params, (size, size), lines, "" if free else rule)


def _from_sgf(rows: int, cols: int, sgf: SgfRules) -> str:
    if (sgf.rules.isdigit() and sgf.rules not in _GOMOCUP) or "caro" in sgf.rules:
        raise ValueError(
            Text("its rules {rules!r} are none of {names}", rules=sgf.rules, names="freestyle, standard, renju")
        )
    if rows != cols or rows < 5:
        return f"connectn(rows={rows}, cols={cols}, k={min(5, max(rows, cols))})"
    rules = _GOMOCUP.get(sgf.rules, sgf.rules)
    rule = (
        "renju"
        if re.search(r"renju|\brif\b", rules)
        else "standard"
        if re.search("standard|exact", rules)
        else "freestyle"
    )
    return f"gomoku(size={rows}, rule={rule})"


GOMOKU = GameFamily(
    "gomoku",
    "Gomoku",
    (
        IntParameter("size", 5, MAX_SIDE, 15),
        ChoiceParameter("rule", ("freestyle", "standard", "renju"), "freestyle"),
    ),
    _gomoku,
    states=("gomoku", "gomoku(rule=renju)"),
    sgf=SgfReader(FIVE_IN_A_ROW, 15, _from_sgf, grows=True),
)
