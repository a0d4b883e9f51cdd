"""What is wanted of an analysis on another machine, whole each time, so that nothing depends on what came before."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

from core.engine.request import EvaluatorSource
from core.games import Position
from core.glass.icicle import IcicleView
from core.search.settings import Limit, SearchSettings
from core.search.tree import Path as TreePath
from core.text import Text, text_of

MOST_NET: Final = 1 << 29  # bytes of a net file that is sent


@runtime_checkable
class NetFile(Protocol):
    """An evaluator source that is a net file of this machine."""

    @property
    def path(self) -> Path: ...

    @property
    def recipe(self) -> Any: ...

    @property
    def runtime(self) -> str: ...


@dataclass(frozen=True)
class SentSource:
    """An evaluator source of the window's machine, for another; without a digest the uniform prior."""

    label: str  # there as here
    name: str = ""  # of the net file
    digest: str = ""  # SHA-256 of its bytes
    recipe: Any = None
    runtime: str = "auto"


@dataclass(frozen=True)
class Order:
    """A position to be analysed, and how."""

    request: int
    position: Position
    source: SentSource | None  # None: random rollouts
    settings: SearchSettings
    seed: int
    only: tuple[int, ...]


@dataclass(frozen=True)
class Wish:
    """All that the window wants at one moment."""

    number: int = 0  # a wish replaces those of smaller numbers
    order: Order | None = None
    runs: int = 0  # how often the search was started or resumed
    limit: Limit = field(default_factory=Limit)
    wanted: bool = False  # the search should be running
    opened: frozenset[TreePath] = frozenset()
    picture: int = 0  # nodes
    icicles: tuple[tuple[str, IcicleView], ...] = ()
    curves: bool = False
    look: int | None = None  # the simulation shown as past


class NetBytes:
    """The net files that were asked for, each read once."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[str, Path]] = {}  # digest and file by label

    def sent(self, source: EvaluatorSource | None) -> SentSource | None:
        """What is sent in place of a source; ``ValueError`` when its file cannot be read or is too large."""
        if source is None:
            return None
        if not isinstance(source, NetFile):
            return SentSource(source.label)
        if source.label not in self._read:
            self._read[source.label] = hashlib.sha256(_bytes_of(source.path)).hexdigest(), source.path
        return SentSource(source.label, source.path.name, self._read[source.label][0], source.recipe, source.runtime)

    def data(self, digest: str) -> tuple[str, bytes] | None:
        """The file's name and bytes; None for a digest that is not known.  ``ValueError`` when it has changed."""
        path = next((path for known, path in self._read.values() if known == digest), None)
        if path is None:
            return None
        data = _bytes_of(path)
        if hashlib.sha256(data).hexdigest() != digest:
            raise ValueError(Text("{net} has changed since it was opened; open it again", net=path.name))
        return path.name, data


def _bytes_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_NET + 1)
    except OSError as error:
        raise ValueError(
            Text("{path!r} cannot be read: {strerror}", path=str(path), strerror=error.strerror or str(error))
        ) from None
    if len(data) > MOST_NET:
        raise ValueError(
            Text("{net} is too large to be sent; a net may have {most} MB", net=path.name, most=MOST_NET >> 20)
        )
    return data


@dataclass(frozen=True)
class ReceivedSource:
    """A source at the other end."""

    sent: SentSource
    file: Path | None

    @property
    def label(self) -> str:
        return self.sent.label

    def load(self, game: Any) -> Any:
        if self.file is None:
            from core.engine import UniformEvaluator

            return UniformEvaluator(game.num_actions)
        from models.netfiles.recipe_guess import open_evaluator

        sent = self.sent
        try:
            return open_evaluator(self.file, game, recipe=sent.recipe, runtime=sent.runtime)[0]
        except ValueError as error:
            raise ValueError(_by_label(error, self.file, sent.label)) from error


def _by_label(error: ValueError, file: Path, label: str) -> str:
    """The sentence of an error with the ``label`` in place of a received file, whose folder the user does not know."""
    text = text_of(error)
    if isinstance(text, Text) and text.values.get("path") == str(file):
        return text.having(path=label)
    return text
