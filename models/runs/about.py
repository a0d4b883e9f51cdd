"""What a person keeps about a run beside its figures: a note, and whether it is archived.

Both lie in the run's folder, so that they move with it.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from core.files.atomic import write_atomically
from core.files.reading import Fields, read_json
from core.text import Text

ABOUT: Final = "about.json"
LONGEST_NOTE: Final = 4000  # characters

_MOST_BYTES: Final = 64 << 10


@dataclass(frozen=True, slots=True)
class About:
    """A note in plain text, and whether the run is archived: left out of lists until it is asked for."""

    note: str = ""
    archived: bool = False


def read_about(folder: Path) -> About:
    """What is kept about the run in ``folder``; nothing where there is no file or it cannot be read."""
    try:
        content = Fields(read_json(folder / ABOUT, _MOST_BYTES))
        note, archived = content.text("note", ""), content.values.get("archived", False)
    except (OSError, ValueError):
        return About()
    return About(note[:LONGEST_NOTE], archived is True)


def write_about(folder: Path, about: About) -> None:
    """Keep it in the run's folder, which must exist.  ValueError for a note that is too long; ``OSError``."""
    if len(about.note) > LONGEST_NOTE:
        raise ValueError(
            Text("the note has {count} characters; it may have {most}", count=len(about.note), most=LONGEST_NOTE)
        )
    if about == About():
        (folder / ABOUT).unlink(missing_ok=True)
        return
    data = json.dumps(asdict(about), ensure_ascii=False, indent=2) + "\n"
    write_atomically(folder / ABOUT, data.encode(), make_folder=False)
