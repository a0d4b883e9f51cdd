"""What values the leaves, as the engine asks for it: net files and the uniform prior.  Loads nothing until asked.

The engine calls ``load`` in its own thread and keeps a tree while the source's ``label`` stays the same.
"""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gui.language.language import mark, tr

if TYPE_CHECKING:
    from core.engine import Evaluator
    from core.games import GameSpec


@dataclass(frozen=True)
class NetSource:
    """An ONNX file.  ``stamp`` is its modification time, so that a file written anew counts as another net."""

    path: Path
    stamp: int
    conventions: Any = None  # models.netfiles.evaluator.ForeignConventions for a file without our metadata

    @property
    def title(self) -> str:
        return self.path.name

    @property
    def label(self) -> str:
        return f"{self.path}@{self.stamp}" + (f" {self.conventions}" if self.conventions is not None else "")

    def load(self, game: GameSpec) -> Evaluator:
        """The net, checked against the game; ``ValueError`` says what does not fit, or that the file is another by now:
        a tree of the one must not go on with the other."""
        if self.path.is_file() and self.path.stat().st_mtime_ns != self.stamp:
            raise ValueError(tr("{net} was written anew since it was opened; open it again").format(net=self.title))
        from models.netfiles.evaluator import OnnxEvaluator

        return OnnxEvaluator(self.path, game, foreign=self.conventions)


@dataclass(frozen=True)
class UniformSource:
    """Equal priors and value 0: the bare search."""

    title: str = mark("uniform prior")
    label: str = "uniform prior, value 0"

    def load(self, game: GameSpec) -> Evaluator:
        from core.engine import UniformEvaluator

        return UniformEvaluator(game.num_actions)


UNIFORM: Final = "uniform"
ROLLOUTS_TITLE = mark("random rollouts")


def source_title(source: Any) -> str:
    """How a source is called on screen."""
    return tr(ROLLOUTS_TITLE) if source is None else tr(str(source.title))


def source_text(source: Any) -> str:
    """A source in a file: a net's path, "uniform", or "" for rollouts."""
    if source is None:
        return ""
    return str(source.path) if isinstance(source, NetSource) else UNIFORM


def source_from(text: str) -> NetSource | UniformSource | None:
    """What :func:`source_text` made; ``ValueError`` when a net is not there."""
    if not text:
        return None
    return UniformSource() if text == UNIFORM else net_source(Path(text))


def net_source(path: Path, conventions: Any = None) -> NetSource:
    """The source for a file; ``ValueError`` when there is none."""
    try:
        status = path.stat()
    except OSError as error:
        raise ValueError(
            tr("{path!r} cannot be read: {strerror}").format(path=str(path), strerror=error.strerror or error)
        ) from error
    if not stat.S_ISREG(status.st_mode):
        raise ValueError(tr("{path!r} is not a file").format(path=str(path)))
    return NetSource(path, status.st_mtime_ns, conventions)


def default_source(game: GameSpec) -> NetSource | None:
    """The shipped net for a game, or None: random rollouts."""
    from models.netfiles.evaluator import default_net

    path = default_net(game)
    return None if path is None else net_source(path)


def shipped_nets(game: GameSpec) -> list[Path]:
    """The net files that ship with the program and fit the game, by name."""
    from importlib.resources import files

    from models.netfiles.evaluator import read_net_info

    fitting = []
    for path in sorted(Path(str(files("resources"))).joinpath("nets").glob("*.onnx")):
        try:
            info = read_net_info(path)
        except ValueError:
            continue
        if info.game == game.text:
            fitting.append(path)
    return fitting
