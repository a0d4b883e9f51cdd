"""Checks the net file that initialises a new run (setting ``init``) before the run starts."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.text import Text, text_of
from models.netfiles.net_file import NetInfo, read_net_info
from models.netfiles.ort_session import BadNet


def init_problem(values: Mapping[str, Any]) -> str:
    """The problem with the setting ``init`` together with the others, quoting it; empty when it is valid or not set."""
    text = str(values.get("net.init", ""))
    if not text:
        return ""
    path = Path(text)
    try:
        info = _info(path, path.stat().st_mtime_ns if path.is_file() else 0)
    except (BadNet, OSError, ValueError) as error:
        return Text("init: {error}", error=text_of(error))
    if info.is_foreign or not info.game:  # imported ones are for any board
        return Text("init is {text!r}; that is not a Plyscope net", text=text)
    wanted = values.get("net.blocks"), values.get("net.channels")
    found = info.config.get("blocks"), info.config.get("channels")
    if found != wanted:
        return Text(
            "init is {text!r}, a net of {blocks} blocks of {channels} channels; blocks and channels are "
            "{blocks_set} and {channels_set} and must be the same",
            text=text,
            blocks=found[0],
            channels=found[1],
            blocks_set=wanted[0],
            channels_set=wanted[1],
        )
    return ""


@lru_cache(maxsize=8)
def _info(path: Path, stamp: int) -> NetInfo:
    """Metadata of a net file; ``stamp``, its modification time, makes the cache read a changed file again."""
    return read_net_info(path)
