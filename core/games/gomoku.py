"""Gomoku under its three rules: the free game, exactly five, and Renju.  The rules run in the kernel files."""

from collections.abc import Mapping
from typing import Any

from core.games.connectn import MAX_SIDE, line_game
from core.games.renju import renju
from core.games.spec import ChoiceParameter, GameFamily, GameSpec, IntParameter
from core.text import Text


def _gomoku(text: str, params: Mapping[str, Any]) -> GameSpec:
    size, rule = params["size"], params["rule"]
    if rule == "renju":
        return renju(text, Text("Renju {size}×{size}", size=size), params, size)
    title = Text("Gomoku {size}×{size}" + (", exactly five" if rule == "standard" else ""), size=size)
    return line_game("gomoku", text, title, params, size, size, 5, overlines=rule == "freestyle")


GOMOKU = GameFamily(
    "gomoku",
    "Gomoku",
    (
        IntParameter("size", 5, MAX_SIDE, 15),
        ChoiceParameter("rule", ("freestyle", "standard", "renju"), "freestyle"),
    ),
    _gomoku,
)
