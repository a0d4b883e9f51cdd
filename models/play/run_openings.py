"""The positions from which a run starts some of its games, in a list in its folder that can grow and shrink."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from core.files.atomic import write_atomically
from core.files.reading import read_bytes
from core.games import GameSpec
from models.play.openings import MOST_BYTES, openings_text
from models.runs.config import TrainConfig, read_settings, to_toml, usable
from models.runs.folder import OPENINGS, RUN_TOML

_SETTING: Final = "self_play.openings"


def starts_at(run: Path, game: GameSpec, openings: Sequence[Sequence[int]]) -> bool:
    """Whether the run in a folder starts games from all of these positions from its next start on."""
    return set(_lines(game, openings)) <= set(_listed(run))


def start_at(run: Path, game: GameSpec, openings: Sequence[Sequence[int]], wanted: bool = True) -> int:
    """Have the run in a folder start games from these positions too, or, not ``wanted``, no more, from its next start
    on; how many it then has.  BadFile, ``OSError``."""
    had = _listed(run)
    lines = _lines(game, openings)
    kept = list(dict.fromkeys([*had, *lines])) if wanted else [line for line in had if line not in lines]
    config = TrainConfig.from_dict(usable(read_settings(run / RUN_TOML)))
    path = (run / OPENINGS).resolve()
    if kept:
        text = "\n".join([openings_text(game, ()).rstrip(), *kept, ""])
        write_atomically(path, text.encode(), make_folder=False)
    else:
        path.unlink(missing_ok=True)
    changed = config.changed(openings=str(path) if kept else "")
    write_atomically(run / RUN_TOML, to_toml(changed).encode(), make_folder=False)
    return len(kept)


def _lines(game: GameSpec, openings: Sequence[Sequence[int]]) -> list[str]:
    return openings_text(game, openings).splitlines()[1:]


def _listed(run: Path) -> list[str]:
    """The lines of the positions that the run's settings name, without comments."""
    name = str(read_settings(run / RUN_TOML).get(_SETTING, ""))
    if not name:
        return []
    lines = read_bytes(Path(name), MOST_BYTES).decode("utf-8", "replace").splitlines()
    moves = (" ".join(line.partition("#")[0].split()) for line in lines)
    return [line for line in moves if line]
