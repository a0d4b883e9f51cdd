"""Which settings of a run have no effect, given the others and the game, and why.

Games are imported only when needed, as in models.runs.game_conflicts.
"""

from collections.abc import Mapping
from typing import Any, Final

from core.text import Text
from models.runs.config import SETTING, problem
from models.runs.game_conflicts import has_lines, most_exact_empties

_PUCT_ONLY: Final = ("c_puct", "fpu_reduction", "noise_epsilon", "prune_targets")
_NOISE_ONLY: Final = ("noise_alpha",)
_RESIGNING: Final = ("resign_turns", "resign_check_share", "playout_simulations")
_POINTS_ONLY: Final = ("sizes", "resign_lead", "komi_spread", "no_pass_plies", "score_weight", "ownership_weight")


def unused(values: Mapping[str, Any], exams: bool = True) -> dict[str, str]:
    """The settings without effect among ``values``, which may be bad ones, each with the reason in one sentence.

    exams: whether the game has exams.  No two settings are unused because of one another, so that each can be put to
    use by changing one that is used.
    """
    full = {name: _valid(name, values.get(name, one.default)) for name, one in SETTING.items()}
    found: dict[str, str] = {}

    def add(condition: bool, names: tuple[str, ...], why: str) -> None:
        if condition:
            found.update(dict.fromkeys(names, why))

    add(not full["noise_epsilon"], _NOISE_ONLY, Text("There is no noise: noise_epsilon is 0."))
    add(full["search"] != "puct", (*_PUCT_ONLY, *_NOISE_ONLY), Text("Only the search puct uses it."))
    add(full["search"] != "gumbel", ("gumbel_considered",), Text("Only the search gumbel uses it."))
    add(full["full_share"] == 1, ("fast_simulations",), Text("No search is a fast one: full_share is 1."))
    add(not full["temperature_plies"], ("temperature",), Text("No ply is sampled at it: temperature_plies is 0."))
    add(not full["opening_share"], ("opening_plies",), Text("No game starts with random moves: opening_share is 0."))
    add(not full["openings"], ("openings_share",), Text("There is no file of openings."))
    add(
        not full["resign_below"] and not full["resign_lead"],
        _RESIGNING,
        Text("No side resigns: resign_below and resign_lead are 0."),
    )
    add(bool(full["ema_samples"]), ("ema",), Text("The average goes back over ema_samples positions."))
    add(full["optimizer"] != "sgd", ("momentum",), Text("Only the optimizer sgd has momentum."))
    add(
        not full["ladder_games"] and not full["gate"],
        ("ladder_simulations",),
        Text("No match is played: ladder_games and gate are 0."),
    )
    add(full["inputs"] != "points", _POINTS_ONLY, Text("Only nets with inputs points use it."))
    add(
        full["inputs"] == "points" and full["heads"] != "pooled",
        ("sizes",),
        Text("Only nets with pooled heads play on several sizes."),
    )
    if not problem("game", full["game"]):
        found |= _by_game(full["game"])
        add(not exams, ("exam_positions",), Text("{game} has no exams.", game=full["game"]))
    return found


def _valid(name: str, value: Any) -> Any:
    """The value, or the default in place of a bad one."""
    return value if name == "game" or not problem(name, value) else SETTING[name].default


def _by_game(text: str) -> dict[str, str]:
    from core.games import load_game

    game = load_game(text)
    found: dict[str, str] = {}
    if game.scoring is None:
        found = dict.fromkeys(("inputs", *_POINTS_ONLY), Text("{game} is not decided by points.", game=text))
    if not game.moves_are_cells:
        found["heads"] = Text("The moves of {game} are not its cells, so its heads are dense.", game=text)
    if not most_exact_empties(game):
        found["exact_empties"] = Text("{game} has no quick exact solver of endings.", game=text)
    if not has_lines(game):
        found["threat_proofs"] = Text("{game} has no lines to make threats with.", game=text)
    return found
