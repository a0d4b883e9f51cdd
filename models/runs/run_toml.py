"""The TOML file of a training run: every setting with its unit, range and meaning.  Knows no torch and no folder."""

import json
import tomllib
from pathlib import Path
from typing import Any, Final

from core.files.reading import BadFile, read_bytes, short
from models.runs.config import GROUPS, SETTINGS, TrainConfig, TrainSetting

_MOST_BYTES: Final = 1 << 20


def to_toml(config: TrainConfig) -> str:
    """All settings in the groups' order, commented; :func:`read_settings` reads it back."""
    values = config.to_dict()
    lines = ["# A training run of Plyscope.  Values may be changed before it is resumed, but for the game and the net."]
    for group in GROUPS:
        lines += ["", f"# ---- {group} ----"]
        for setting in SETTINGS:
            if setting.group == group:
                lines += ["", f"# {setting.in_words()}", f"{setting.name} = {_value(setting, values[setting.name])}"]
    return "\n".join(lines) + "\n"


def read_settings(path: Path) -> dict[str, Any]:
    """The settings in a TOML file, unchecked; ValueError when it is none, ``OSError`` when it cannot be read."""
    data = read_bytes(path, _MOST_BYTES)
    try:
        return tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        why = "it is nested too deep" if isinstance(error, RecursionError) else f"{error}"
        raise BadFile(f"{short(str(path))} is not a TOML file of settings: {why:.120}") from None


def _value(setting: TrainSetting, value: Any) -> str:
    if setting.kind == "bool":
        return "true" if value else "false"
    if setting.kind == "float":
        return repr(float(value))
    # JSON's strings are TOML's, but for the one control character that JSON leaves as it is.
    return str(value) if setting.kind == "int" else json.dumps(value).replace("\x7f", "\\u007f")
