"""Which settings of a run have no effect, given the others and the game, and why.

Games are imported only when needed, as in models.runs.conflicts.
"""

from collections.abc import Mapping
from typing import Any, Final

from core.text import Text
from models.runs.config import SETTING, problem
from models.runs.conflicts import useless_in

_POINTS_ONLY: Final = ("self_play.sizes", "self_play.komi_spread")


def unused(values: Mapping[str, Any], exams: bool = True) -> dict[str, str]:
    """The settings without effect among ``values``, which may be bad ones, each with the reason in one sentence.

    exams: whether the game has exams.  No two settings are unused because of one another, so that each can be put to
    use by changing one that is used.
    """
    full = {name: _valid(name, values.get(name, setting.default)) for name, setting in SETTING.items()}
    reasons: dict[str, str] = {}

    def add(condition: bool, names: tuple[str, ...], why: str) -> None:
        if condition:
            reasons.update(dict.fromkeys(names, why))

    only_puct = ("self_play.c_puct", "self_play.noise_epsilon")
    add(full["self_play.search"] != "puct", only_puct, Text("Only the search puct uses it"))
    only_fast = Text("No search is a fast one: full_share is 1")
    add(full["self_play.full_share"] == 1, ("self_play.fast_simulations",), only_fast)
    no_resigning = Text("No side resigns: resign_below is 0")
    add(not full["self_play.resign_below"], ("self_play.resign_check_share",), no_resigning)
    no_match = Text("No match is played: ladder_games and gate are 0")
    has_match = full["strength.ladder_games"] or full["strength.gate"]
    add(not has_match, ("strength.ladder_simulations",), no_match)
    add(full["net.inputs"] != "points", _POINTS_ONLY, Text("Only nets with inputs points use it"))
    add(
        full["net.inputs"] == "points" and full["net.heads"] != "pooled",
        ("self_play.sizes",),
        Text("Only nets with pooled heads play on several sizes"),
    )
    if not problem("game", full["game"]):
        from core.games import load_game

        reasons |= useless_in(load_game(full["game"]))
        add(not exams, ("strength.exam_positions",), Text("{game} has no exams", game=full["game"]))
    return reasons


def _valid(name: str, value: Any) -> Any:
    """The value, or the default in place of a bad one."""
    return value if name == "game" or not problem(name, value) else SETTING[name].default
