"""What lies beside a lesson and is opened by it: traces of searches, and folders of training runs."""

import re
import tomllib
from pathlib import Path
from typing import Final

from core.checks import short
from core.files.reading import read_bytes
from core.files.trace_file import SUFFIX, read_trace
from core.games import GameSpec, load_game
from core.text import Text, text_of

MAX_TRACE_BYTES: Final = 256 << 10  # it is read where it is shown, in a moment
MAX_RUN_BYTES: Final = 1 << 20  # it is copied where it is shown
RUN_FILES: Final = ("run.toml", "reports.jsonl", "replay/*.npz", "nets/*.onnx")
_NAME: Final = re.compile(r"[\w-]{1,60}")


class BesideLesson:
    """The traces and runs in the folder of a lesson; None: a lesson without a folder."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._games: dict[Path, GameSpec] = {}

    def trace(self, name: str) -> tuple[Path, GameSpec]:
        """The file of a trace, and its game; ValueError when it cannot be opened."""
        if self._folder is None or not _NAME.fullmatch(name):
            raise ValueError(
                f"{short(name)} is no name of a trace: it is that of a file beside the lesson, without {SUFFIX}"
            )
        path = self._folder / f"{name}{SUFFIX}"
        if path not in self._games:
            try:
                self._games[path] = read_trace(read_bytes(path, MAX_TRACE_BYTES)).position.game
            except (OSError, ValueError) as error:
                raise _cannot(path, error) from None
        return path, self._games[path]

    def run(self, name: str) -> tuple[Path, GameSpec]:
        """The folder of a training run, and its game; ValueError when it is none."""
        if self._folder is None or not _NAME.fullmatch(name):
            raise ValueError(f"{short(name)} is no name of a run: it is that of a folder beside the lesson")
        path = self._folder / name
        if path not in self._games:
            try:
                settings = tomllib.loads(read_bytes(path / RUN_FILES[0], MAX_RUN_BYTES).decode())
                self._games[path] = load_game(str(settings.get("game", "")))
                if sum(file.stat().st_size for file in run_files(path)) > MAX_RUN_BYTES:
                    raise ValueError(f"it has more than {MAX_RUN_BYTES >> 10} KiB")
            except (OSError, ValueError) as error:
                raise _cannot(path, error) from None
        return path, self._games[path]


def run_files(folder: Path) -> list[Path]:
    """The files of a run that a lesson shows."""
    return [file for pattern in RUN_FILES for file in sorted(folder.glob(pattern))]


def _cannot(path: Path, error: OSError | ValueError) -> ValueError:
    why = error.strerror if isinstance(error, OSError) else text_of(error)
    return ValueError(Text("{file} cannot be opened: {error}", file=path.name, error=why))
