"""Sets of values of search settings under a name."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from core.search.settings import SearchSettings
from core.text import Text

KATAGO: Final = "katago-like"

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    # KataGo's defaults for play by GTP (cpp/program/setup.cpp), except that it asks about one symmetry of the root.
    KATAGO: {
        "selection": "puct",
        "c_puct": 1.0,
        "c_base": 500.0,
        "c_log": 0.45,
        "c_spread": 0.85,
        "fpu": "reduction",
        "fpu_reduction": 0.2,
        "root_fpu": "reduction",
        "root_fpu_reduction": 0.1,
        "score_utility": 0.1,
        "merge_symmetric": True,
        "root_symmetries": True,
        "root_temperature": 1.0,
        "final": "lcb",
        "lcb_z": 5.0,
        "lcb_share": 0.15,
        "noise_epsilon": 0.0,
    },
}


def preset_values(name: str) -> Mapping[str, Any]:
    """The values of a preset; ValueError for another name."""
    if name not in PRESETS:
        presets = ", ".join(PRESETS)
        raise ValueError(Text("there is no preset {name!r}; there are: {presets}", name=name[:60], presets=presets))
    return PRESETS[name]


def with_preset(settings: SearchSettings, name: str) -> SearchSettings:
    """``settings`` with the values of a preset; what that does not name stays."""
    return replace(settings, **preset_values(name))
