"""Files in the user's caches that hold what takes long to be found; they are only ever a way to be quick."""

import hashlib
from contextlib import suppress
from pathlib import Path

from core.files.atomic import write_atomically
from core.machine import user_cache_dir


def cache_path(folder: str, suffix: str, *about: str) -> Path:
    """The file for what ``about`` names, whose texts decide whether it may be used again."""
    digest = hashlib.sha256("\n".join(about).encode()).hexdigest()
    return user_cache_dir() / folder / f"{digest[:32]}.{suffix}"


def keep(path: Path, data: bytes, most_files: int) -> None:
    """Write a file, and remove the oldest of its kind beyond ``most_files``; nothing happens where this fails."""
    with suppress(OSError):
        write_atomically(path, data)
        files = list(path.parent.glob(f"*{path.suffix}"))
        if len(files) > most_files:
            files.sort(key=lambda file: file.stat().st_mtime_ns, reverse=True)
            for file in files[most_files:]:
                file.unlink()
