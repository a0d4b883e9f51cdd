"""Parameters of a GTP engine that are changed in the dialogue: ``kata-set-param`` and its like.

They are the search settings by their own names, and those of KataGo's names that mean the same here.
"""

import json
import re
from dataclasses import dataclass, replace
from typing import Any, Final

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
_NUMBER: Final = re.compile(r"-?[0-9]{1,12}(\.[0-9]{0,12})?", re.ASCII)
_LONGEST_S: Final = 1e9  # stands for no limit


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
    if name == VISITS:
        return replace(options, limit=replace(options.limit, simulations=int(_number(name, word, whole=True))))
    if name == TIME:
        seconds = _number(name, word)
        return replace(options, limit=replace(options.limit, seconds=None if seconds >= _LONGEST_S else seconds))
    if name in (RESIGN, RESIGN_LEAD, RESIGN_TURNS):
        return replace(options, resign=_with_rule(options.resign, name, word))
    setting = _setting(name)
    return replace(options, settings=replace(options.settings, **{setting.name: _value(setting, name, word)}))


def _with_rule(rule: ResignRule, name: str, word: str) -> ResignRule:
    low, high = {RESIGN: (-1.0, 0.0), RESIGN_LEAD: (0.0, 400.0), RESIGN_TURNS: (1.0, 1000.0)}[name]
    number = _number(name, word, whole=name == RESIGN_TURNS)
    if not low <= number <= high:
        raise Refused(f"{name} is {number:g}; it must be from {low:g} to {high:g}")
    if name == RESIGN:
        return replace(rule, below=None if number == low else -number)
    return replace(rule, lead=number) if name == RESIGN_LEAD else replace(rule, turns=int(number))


def _setting(name: str) -> Setting:
    found = SETTING.get(_KATAGO.get(name, name))
    if found is None:
        raise Refused(f"unknown parameter {name[:40]}; kata-list-params lists them")
    return found


def _value(setting: Setting, name: str, word: str) -> Any:
    if setting.kind == "bool":
        if word.lower() not in ("true", "false"):
            raise Refused(f"{name} is true or false")
        return word.lower() == "true"
    if setting.kind == "int":
        return int(_number(name, word, whole=True))
    return _number(name, word) if setting.kind == "float" else word


def _number(name: str, word: str, whole: bool = False) -> float:
    if not _NUMBER.fullmatch(word) or (whole and "." in word):
        raise Refused(f"{name} {word[:40]!r} is no {'whole ' if whole else ''}number")
    return float(word)
