"""The rules of a game in a GTP dialogue, in KataGo's form: ``kata-get-rules`` and its like."""

import json
from collections.abc import Mapping
from typing import Any, Final

from core.files.reading import parse_json
from core.games import GameSpec
from core.games.rule_names import RuleNames
from models.engines.gtp_board import Refused
from models.engines.gtp_words import word_at

_KGS: Final = {"chinese": "chinese-kgs"}  # it plays Chinese rules with superko


def rules_text(game: GameSpec) -> str:
    """The rules in JSON, as KataGo writes them."""
    return json.dumps(_names(game).fields(game.params), sort_keys=True, separators=(",", ":"))


def read_rules(game: GameSpec, words: list[str]) -> dict[str, Any]:
    """The game's parameters for ``kata-set-rules``, by a name or by JSON; ValueError for what is neither."""
    names, text = _names(game), " ".join([word_at(words, 0, "rules"), *words[1:]])
    if not text.startswith("{"):
        return _with_board(game, names.named(words[0]))
    fields = parse_json(text)
    return _with_board(game, names.with_fields({name: fields[name] for name in fields if name != "komi"}))


def read_rule(game: GameSpec, words: list[str]) -> dict[str, Any]:
    """The game's parameters for ``kata-set-rule``, which changes one field."""
    names = _names(game)
    return _with_board(
        game, names.changed(names.fields(game.params), word_at(words, 0, "rule"), word_at(words, 1, "value"))
    )


def read_kgs_rules(game: GameSpec, words: list[str]) -> dict[str, Any]:
    """The game's parameters for ``kgs-rules``."""
    name = word_at(words, 0, "rules").lower()
    return read_rules(game, [_KGS.get(name, name)])


def _names(game: GameSpec) -> RuleNames:
    if game.rule_names is None:
        raise Refused(f"{game.name} has no rules to name")
    return game.rule_names


def _with_board(game: GameSpec, params: Mapping[str, Any]) -> dict[str, Any]:
    """With board and komi as they are."""
    return {**{key: game.params[key] for key in ("rows", "cols", "komi") if key in game.params}, **params}
