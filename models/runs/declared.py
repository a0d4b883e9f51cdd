"""How a setting of a training run is declared: its group, kind, range, unit and meaning.  Knows no setting."""

from dataclasses import dataclass
from typing import Any, Final

from core.search.settings import Setting, declare

GROUPS: Final = ("Game & net", "Self-play", "Data", "Learning", "Measuring", "Run")
GAME, SELF_PLAY, DATA, LEARNING, MEASURING, RUN = GROUPS


@dataclass(frozen=True, slots=True)
class TrainSetting(Setting):
    """One setting of a run, with its group."""

    group: str


def int_setting(group: str, default: int, low: int, high: int, unit: str, meaning: str) -> Any:
    return declare("int", default, meaning, low, high, unit, group=group)


def float_setting(group: str, default: float, low: float, high: float, unit: str, meaning: str) -> Any:
    return declare("float", default, meaning, low, high, unit, group=group)


def choice_setting(group: str, choices: tuple[str, ...], meaning: str) -> Any:
    """The first choice is the default."""
    return declare("choice", choices[0], meaning, choices=choices, group=group)


def bool_setting(group: str, default: bool, meaning: str) -> Any:
    return declare("bool", default, meaning, group=group)
