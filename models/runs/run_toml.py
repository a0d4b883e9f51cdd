"""The TOML file of a run's settings, with unit, range and meaning as comments."""

import json
import tomllib
from pathlib import Path
from typing import Any, Final

from core.checks import short
from core.files.reading import BadFile, read_bytes
from core.text import Text, text_of
from models.runs.config import SETTINGS, TrainConfig, TrainSetting, named

_MOST_BYTES: Final = 1 << 20


def to_toml(config: TrainConfig) -> str:
    """The settings as a TOML text of tables with comments; :func:`read_settings` reads it."""
    lines = ["# A training run of Plyscope.  Values may be changed before it is resumed, but for the game and the net."]
    written = ""
    for setting, value in zip(SETTINGS, config.to_dict().values(), strict=True):
        table, _, name = setting.name.rpartition(".")
        if table != written:
            written = table
            lines += ["", f"[{table}]  # {setting.group}"]
        lines += ["", f"# {setting.in_words()}", f"{name} = {_value(setting, value)}"]
    return "\n".join(lines) + "\n"


def read_settings(path: Path) -> dict[str, Any]:
    """Read the settings in a TOML file by name, unchecked; also those that earlier versions wrote without tables.

    BadFile when it is not one, ``OSError`` when it cannot be read."""
    data = read_bytes(path, _MOST_BYTES)
    try:
        values = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        why = Text("it is nested too deep") if isinstance(error, RecursionError) else text_of(error)
        raise BadFile(
            Text("{path} is not a TOML file of settings: {why:.120}", path=short(str(path)), why=why)
        ) from None
    plain: dict[str, Any] = {}
    for name, value in values.items():
        plain |= {f"{name}.{key}": one for key, one in value.items()} if isinstance(value, dict) else {name: value}
    return named(plain)


def _value(setting: TrainSetting, value: Any) -> str:
    if setting.kind == "bool":
        return "true" if value else "false"
    if setting.kind == "float":
        return repr(float(value))
    # JSON's strings are valid in TOML, except for the control character DEL, which JSON does not escape.
    return str(value) if setting.kind == "int" else json.dumps(value).replace("\x7f", "\\u007f")
