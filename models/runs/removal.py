"""How much a run's folder holds, and its removal."""

import os
import shutil
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.text import Text
from models.runs.folder import (
    ABOUT,
    BEST,
    CHECKPOINT,
    COMMAND,
    LEFT_OUT,
    LIVE,
    NETS,
    NEWEST_NET,
    OPENINGS,
    REPLAY,
    REPORTS,
    RUN_TOML,
    RUNNING_FILE,
    RunError,
    running,
)

WRITTEN: Final = frozenset(  # what training and the window write into a run's folder
    {ABOUT, BEST, CHECKPOINT, COMMAND, LEFT_OUT, LIVE, NETS, NEWEST_NET, OPENINGS, REPLAY, REPORTS, RUN_TOML}
    | {RUNNING_FILE, "best.json", "ladder.jsonl", "net.json", "play", "tensorboard", "train.log"}
)
ASIDE: Final = ".removed-"  # start of the name of a folder that is being removed
_TEMPORARY: Final = (".tmp", ".playing.onnx", ".playing-int8.onnx")  # ends of names


@dataclass(frozen=True, slots=True)
class Contents:
    """What a folder holds.  others: names in it that no run has."""

    files: int
    bytes: int
    others: tuple[str, ...]


def contents(folder: Path) -> Contents:
    """Count the files in a run's folder; links are not followed."""
    files = size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                size += os.lstat(os.path.join(place, name)).st_size
            except OSError:
                continue  # removed meanwhile
            files += 1
    others = sorted(name for name in os.listdir(folder) if name not in WRITTEN and not name.endswith(_TEMPORARY))
    return Contents(files, size, tuple(others))


def check_idle(folder: Path) -> None:
    """:class:`RunError` when a process trains in ``folder``."""
    process = running(folder)
    if process is not None:
        raise RunError(Text("“{name}” is training (process {pid}); stop it first", name=folder.name, pid=process.pid))


def remove(folder: Path) -> None:
    """Remove a run's folder for good.  RunError while it trains; ``OSError``.

    It is renamed first, so that a removal that is cut short leaves no half of a run under its name.
    """
    check_idle(folder)
    if folder.is_symlink():
        folder.unlink()
        return
    aside = folder.with_name(f"{ASIDE}{uuid.uuid4().hex[:8]}")
    folder.rename(aside)
    for aside_folder in folder.parent.glob(f"{ASIDE}*"):  # also of earlier removals
        shutil.rmtree(aside_folder, ignore_errors=aside_folder != aside)


def rename(folder: Path, name: str) -> Path:
    """Rename a run's folder; its new path.  RunError while it trains or when the name is taken; ``OSError``."""
    check_idle(folder)
    target = folder.with_name(name)
    if target.exists() and not (name != folder.name and target.samefile(folder)):  # as "A" for "a" on some systems
        raise RunError(Text("there is a run “{name}” already", name=name))
    folder.rename(target)
    return target
