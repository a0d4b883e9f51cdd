"""Parameters of a GTP engine that are changed in the dialogue: ``kata-set-param`` and its like.

They are the search settings by their own names, and those of KataGo's names that mean the same here.
"""

import json
from dataclasses import dataclass, replace
from typing import Final

from core.search.settings import SETTING, SETTINGS, Limit, SearchSettings, Setting
from models.engines.gtp_board import Refused
from models.runs.resigning import NEVER, ResignRule

VISITS, TIME = "maxVisits", "maxTime"
RESIGN, RESIGN_LEAD, RESIGN_TURNS = "resignThreshold", "resignMinScoreDifference", "resignConsecTurns"
_KATAGO: Final = {
    "chosenMoveTemperature": "temperature",
    "cpuctExploration": "c_puct",
    "cpuctExplorationBase": "c_base",
    "cpuctExplorationLog": "c_log",
    "fpuReductionMax": "fpu_reduction",
    "lcbStdevs": "lcb_z",
    "minVisitPropForLCB": "lcb_share",
    "numSearchThreads": "threads",
    "rootFpuReductionMax": "root_fpu_reduction",
    "rootPolicyTemperature": "root_temperature",
}
NAMES: Final = (VISITS, TIME, RESIGN, RESIGN_LEAD, RESIGN_TURNS, *_KATAGO, *(setting.name for setting in SETTINGS))
_LONGEST_S: Final = 1e9  # stands for no limit
_PLAY: Final = {
    setting.name: setting
    for setting in (
        Setting(VISITS, "int", None, 1, 1 << 31, (), "", ""),
        Setting(TIME, "float", None, 0.0, _LONGEST_S, (), "", ""),
        Setting(RESIGN, "float", None, -1.0, 0.0, (), "", ""),
        Setting(RESIGN_LEAD, "float", None, 0.0, 400.0, (), "", ""),
        Setting(RESIGN_TURNS, "int", None, 1, 1000, (), "", ""),
    )
}


@dataclass(frozen=True)
class Options:
    """How the engine plays."""

    limit: Limit
    settings: SearchSettings
    resign: ResignRule = NEVER
    seed: int = 0
    version: str = ""


def get_param(options: Options, name: str) -> str:
    """The value of a parameter; Refused for a name that is none."""
    if name == VISITS:
        return str(options.limit.simulations or 1 << 31)
    if name == TIME:
        return f"{options.limit.seconds or _LONGEST_S:g}"
    rule = options.resign
    if name in (RESIGN, RESIGN_LEAD, RESIGN_TURNS):
        below = 1.0 if rule.below is None else rule.below
        return f"{ {RESIGN: -below, RESIGN_LEAD: rule.lead, RESIGN_TURNS: rule.turns}[name]:g}"
    value = getattr(options.settings, _setting(name).name)
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def all_params(options: Options) -> str:
    """All parameters in JSON."""
    return json.dumps({name: get_param(options, name) for name in NAMES}, separators=(",", ":"))


def set_param(options: Options, name: str, word: str) -> Options:
    """The options with another value of a parameter; ValueError for a name or value that is none."""
    setting = _PLAY.get(name) or _setting(name)
    value = replace(setting, name=name).parse(word)
    rule, limit = options.resign, options.limit
    if name == VISITS:
        return replace(options, limit=replace(limit, simulations=value))
    if name == TIME:
        return replace(options, limit=replace(limit, seconds=None if value >= _LONGEST_S else value))
    if name == RESIGN:
        return replace(options, resign=replace(rule, below=None if value <= -1.0 else -value))
    if name == RESIGN_LEAD:
        return replace(options, resign=replace(rule, lead=value))
    if name == RESIGN_TURNS:
        return replace(options, resign=replace(rule, turns=value))
    return replace(options, settings=replace(options.settings, **{setting.name: value}))


def _setting(name: str) -> Setting:
    found = SETTING.get(_KATAGO.get(name, name))
    if found is None:
        raise Refused(f"unknown parameter {name[:40]}; kata-list-params lists them")
    return found
