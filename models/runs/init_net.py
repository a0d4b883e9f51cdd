"""Whether the net file that a new run is to begin with can be used, known before anything starts.  Knows no torch."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.text import Text, text_of
from models.netfiles.net_file import BadNet, NetInfo, read_net_info


def init_problem(values: Mapping[str, Any]) -> str:
    """What is wrong with the setting ``init`` beside the others, quoting it; empty when it is good or not set."""
    text = str(values.get("init", ""))
    if not text:
        return ""
    path = Path(text)
    try:
        info = _info(path, path.stat().st_mtime_ns if path.is_file() else 0)
    except (BadNet, OSError, ValueError) as error:
        return Text("init: {error}", error=text_of(error))
    if info.is_foreign:
        return Text("init is {text!r}; that is not a Plyscope net", text=text)
    wanted = values.get("blocks"), values.get("channels")
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
    """What a file says of itself; ``stamp``: when it was written, so that one written anew is read anew."""
    return read_net_info(path)
