"""Checks the net file that initialises a new run (setting ``init``) before the run starts.  Knows no torch."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from models.netfiles.net_file import BadNet, NetInfo, read_net_info


def init_problem(values: Mapping[str, Any]) -> str:
    """The problem with the setting ``init`` together with the others, quoting it; empty when it is valid or not set."""
    text = str(values.get("init", ""))
    if not text:
        return ""
    path = Path(text)
    try:
        info = _info(path, path.stat().st_mtime_ns if path.is_file() else 0)
    except (BadNet, OSError, ValueError) as error:
        return f"init: {error}"
    if info.is_foreign:
        return f"init is {text!r}; that is not a Plyscope net"
    wanted = values.get("blocks"), values.get("channels")
    found = info.config.get("blocks"), info.config.get("channels")
    if found != wanted:
        return (
            f"init is {text!r}, a net of {found[0]} blocks of {found[1]} channels; blocks and channels are {wanted[0]} "
            f"and {wanted[1]} and must be the same"
        )
    return ""


@lru_cache(maxsize=8)
def _info(path: Path, stamp: int) -> NetInfo:
    """Metadata of a net file; ``stamp``, its modification time, makes the cache read a changed file again."""
    return read_net_info(path)
