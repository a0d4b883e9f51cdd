"""The games there are: the program's own, and those that installed packages bring along.

A package names its games in the entry point group ``plyscope.games``, each a ``GameFamily``.  They are looked for when
a game is asked for that is not the program's own, or all are.
"""

import logging
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from core.games.spec import LOOKS, NAME, GameFamily
from core.text import text_of

GROUP: Final = "plyscope.games"
log = logging.getLogger(__name__)


class Games(Mapping[str, GameFamily]):
    """Name -> family of games: first the program's own, then the installed ones by their names."""

    def __init__(self, families: Mapping[str, GameFamily]) -> None:
        self._families = families
        self._installed: dict[str, GameFamily] | None = None
        self._failures: dict[str, str] = {}

    def __getitem__(self, name: str) -> GameFamily:
        return self._families[name] if name in self._families else self._installed_families()[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._families
        yield from self._installed_families()

    def __len__(self) -> int:
        return len(self._families) + len(self._installed_families())

    def failure(self, name: str) -> str | None:
        """Why the installed game of this name cannot be used; None where there is no such game."""
        return None if name in self._installed_families() else self._failures.get(name)

    def _installed_families(self) -> dict[str, GameFamily]:
        if self._installed is None:
            installed: dict[str, GameFamily] = {}
            for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
                try:
                    family = _load(point)
                    if family.name in self._families or family.name in installed:
                        raise ValueError(f"there is a game {family.name} already")
                except Exception as error:  # whatever is wrong with the package
                    self._failures[point.name] = _reason(error)
                    log.warning("the installed game %s (%s) is left out: %s", point.name, point.value, _reason(error))
                else:
                    installed[family.name] = family
            self._installed = installed
        return self._installed


def _load(point: EntryPoint) -> GameFamily:
    family = point.load()
    if not isinstance(family, GameFamily):
        raise ValueError(f"{point.value} is no GameFamily")
    if not NAME.fullmatch(family.name) or family.name != point.name:
        raise ValueError(
            f"its family is named {family.name!r} and its entry point {point.name!r}; both must be the "
            "same small letters and digits"
        )
    if family.look is not None and family.look.kind not in LOOKS:
        looks = ", ".join(LOOKS)
        raise ValueError(f"its look is {family.look.kind!r}; a look is one of {looks}")
    return family


def _reason(error: Exception) -> str:
    return text_of(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
