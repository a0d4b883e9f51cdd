"""Rules of Go as KataGo names them: by a word, or by a value for each of their fields.

D. Wu, https://lightvector.github.io/KataGo/rules.html.  A word stands for the nearest rules that there are here.
"""

from collections.abc import Mapping
from typing import Any, Final

from core.games.go_rule_sets import KO_RULES, RULES, TAXES, USUAL_RULES, RuleSet
from core.games.spec import Fields, Parameters, RuleNames
from core.text import Text, joined

_KO, _SCORING, _TAX, _SUICIDE = "ko", "scoring", "tax", "suicide"
_BUTTON, _HANDICAP, _FRIENDLY = "hasButton", "whiteHandicapBonus", "friendlyPassOk"
_FLAGS: Final = {"true": True, "false": False}
_BONUSES: Final = ("0", "N", "N-1")  # as RuleSet.handicap counts
_SCORINGS: Final = ("AREA", "TERRITORY")
_VALUES: Final[Mapping[str, tuple[str | bool, ...]]] = {
    _KO: tuple(name.upper() for name in KO_RULES),
    _SCORING: _SCORINGS,
    _TAX: tuple(name.upper() for name in TAXES),
    _HANDICAP: _BONUSES,
    **dict.fromkeys((_SUICIDE, _BUTTON, _FRIENDLY), (True, False)),
}
_OTHER_NAMES: Final[Mapping[str, Parameters]] = {
    "chinese-ogs": {"rules": "chinese", "ko": "positional"},
    "chinese-kgs": {"rules": "chinese", "ko": "positional"},
    "stone-scoring": {"rules": USUAL_RULES, "ko": "simple", "suicide": "no", "tax": "all"},
    "bga": {"rules": "aga"},
    "aga-button": {"rules": "aga", "button": "yes"},
    "nz": {"rules": "new-zealand"},
}
_USUAL: Final = {"ko": "usual", "suicide": "usual", "tax": "usual", "button": "no"}


def _named(name: str) -> Parameters:
    """The parameters of the rules that a word names; ValueError for another."""
    word = name.lower().replace("_", "-").replace(" ", "-")
    if word not in RULES and word not in _OTHER_NAMES:
        names = joined((*RULES, *_OTHER_NAMES))
        raise ValueError(Text("the rules {name!r} are not known; there are {names}", name=name[:40], names=names))
    return {**_USUAL, **_OTHER_NAMES.get(word, {"rules": word})}


def _fields(params: Parameters) -> Fields:
    """KataGo's fields for the parameters of a game."""
    rules = RULES[params["rules"]]
    return {
        _FRIENDLY: rules.friendly,
        _BUTTON: bool(params["button"]),
        _KO: params["ko"].upper(),
        _SCORING: _SCORINGS[rules.territory],
        _SUICIDE: bool(params["suicide"]),
        _TAX: params["tax"].upper(),
        _HANDICAP: _BONUSES[rules.handicap],
    }


def _changed(fields: Fields, name: str, word: str) -> Parameters:
    """The parameters after a change of one field; the tax goes with the scoring."""
    value = _FLAGS.get(word.lower(), word) if name in (_SUICIDE, _BUTTON, _FRIENDLY) else word.upper()
    fields_left = {key: old for key, old in fields.items() if key != _TAX or name != _SCORING or value == fields[name]}
    return _with_fields({**fields_left, name: value})


def _with_fields(fields: Mapping[str, Any]) -> Parameters:
    """The parameters for KataGo's fields; missing ones are as Tromp and Taylor have them."""
    for name, value in fields.items():
        if name not in _VALUES:
            allowed = joined(_VALUES)
            raise ValueError(Text("rules have no field {name!r}; they have {fields}", name=name[:40], fields=allowed))
        if not any(value is flag or (value == flag and isinstance(value, str)) for flag in _VALUES[name]):
            words = ", ".join(str(word).lower() if isinstance(word, bool) else word for word in _VALUES[name])
            raise ValueError(
                Text("{name} is {value!r}; it must be one of {words}", name=name, value=str(value)[:40], words=words)
            )
    territory = fields.get(_SCORING, _SCORINGS[0]) == _SCORINGS[1]
    bonus = _BONUSES.index(fields.get(_HANDICAP, _BONUSES[0]))
    names = [name for name, rules in RULES.items() if _fits(rules, territory, bonus, fields.get(_FRIENDLY))]
    if not names:
        raise ValueError(
            Text(
                "no rules here have {handicap} {bonus} with {scoring} {area} and {friendly} {value}",
                handicap=_HANDICAP,
                bonus=_BONUSES[bonus],
                scoring=_SCORING,
                area=_SCORINGS[territory],
                friendly=_FRIENDLY,
                value=str(fields.get(_FRIENDLY, False)).lower(),
            )
        )
    return {
        "rules": names[0],
        "ko": fields.get(_KO, "POSITIONAL").lower(),
        "suicide": "yes" if fields.get(_SUICIDE, not territory) else "no",
        "tax": fields.get(_TAX, "SEKI" if territory else "NONE").lower(),
        "button": "yes" if fields.get(_BUTTON, False) else "no",
    }


def _fits(rules: RuleSet, territory: bool, bonus: int, friendly: bool | None) -> bool:
    """Whether a set of rules differs from fields only in what parameters change; territory is always counted by marked
    stones."""
    agreed = friendly is None or territory or rules.friendly == friendly
    return rules.territory == territory and rules.handicap == bonus and agreed


KATAGO_NAMES: Final = RuleNames(_fields, _named, _with_fields, _changed)
