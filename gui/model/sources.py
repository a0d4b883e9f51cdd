"""Evaluator sources for the engine: net files and the uniform prior.  Loads nothing until asked.

The engine calls ``load`` in its own thread and keeps a tree while the source's ``label`` stays the same.
"""

from __future__ import annotations

import stat
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core.search.rules.table import usual_rule
from core.text import Text, Words
from gui.language.language import tr

if TYPE_CHECKING:
    from core.engine import Evaluator, EvaluatorSource
    from core.engine.policy import PolicyPlayer
    from core.games import GameSpec
    from core.search import SearchSettings
    from models.engines.engine import Engine
    from models.netfiles.net_file import NetInfo
    from models.netfiles.recipe import Recipe


AUTO: Final = "auto"
_runtime = AUTO  # of sources made from now on


def set_runtime(runtime: str) -> None:
    """Set what evaluates the nets of sources made from now on."""
    global _runtime  # noqa: PLW0603
    _runtime = runtime


@dataclass(frozen=True)
class NetSource:
    """An ONNX file.  ``stamp`` is its modification time, so that a changed file counts as another net."""

    path: Path
    stamp: int
    recipe: Recipe | None = None  # of a net of another program, or with the players that it imitates; None: that in the
    # file or beside it, or a guess
    runtime: str = field(default_factory=lambda: _runtime)  # one of models.netfiles.runtimes.RUNTIMES

    @property
    def title(self) -> str:
        return f"{self.profile} · {self.path.name}" if self.profile else self.path.name

    @property
    def profile(self) -> str:
        """The players that a human net imitates, as KataGo names them; "" for another net."""
        return self.recipe.profile if self.recipe is not None else ""

    @property
    def label(self) -> str:
        recipe = f" {self.recipe}" if self.recipe is not None else ""
        return f"{self.path}@{self.stamp}{recipe}" + (f" in {self.runtime}" if self.runtime != AUTO else "")

    def load(self, game: GameSpec) -> Evaluator:
        """Load the net and check it against the game.

        ``ValueError`` says what does not fit, or that the file has changed: one tree must not mix two nets.
        """
        self.check_unchanged()
        from models.netfiles.recipe_guess import open_evaluator

        return open_evaluator(self.path, game, recipe=self.recipe, runtime=self.runtime)[0]

    def load_beside(self, game: GameSpec) -> Evaluator:
        """As ``load``, to be used beside a search: on one thread of the processor."""
        self.check_unchanged()
        from models.netfiles.evaluator import OnnxEvaluator

        return OnnxEvaluator(self.path, game, recipe=self.recipe, device="cpu", threads=1)

    def check_unchanged(self) -> None:
        """``ValueError`` where the file has changed since it was opened."""
        if self.path.is_file() and self.path.stat().st_mtime_ns != self.stamp:
            raise ValueError(Text("{net} has changed since it was opened; open it again", net=self.title))


@dataclass(frozen=True)
class UniformSource:
    """Equal priors and value 0: search without a net's knowledge."""

    title: Words = "uniform prior"
    label: str = "uniform prior, value 0"

    def load(self, game: GameSpec) -> Evaluator:
        from core.engine import UniformEvaluator

        return UniformEvaluator(game.num_actions)


@dataclass(frozen=True)
class OutsideSource:
    """An outside engine of the user's list, which chooses moves by itself and evaluates nothing for our search."""

    name: str

    @property
    def title(self) -> str:
        return tr("{name} (outside engine)").format(name=self.name)

    def open(self, game: GameSpec, seconds: float | None) -> Engine:
        """Start the engine; ``ValueError`` or ``OSError`` when it cannot be started or is not in the list."""
        from models.engines.engine_list import find_engine
        from models.engines.opening import open_listed

        entry = find_engine(self.name)
        return open_listed(game, entry, replace(entry.read_options(), seconds=seconds))


@dataclass(frozen=True)
class RankSource:
    """The players that a human net imitates: its policy chooses the moves, without search."""

    net: NetSource

    @property
    def title(self) -> str:
        return tr("{net} (by its policy, no search)").format(net=self.net.title)

    def open(self, game: GameSpec, seed: int) -> PolicyPlayer:
        """Load the net as a player; ``ValueError`` when it is none for the game or imitates nobody."""
        from core.engine.policy import PolicyPlayer

        return PolicyPlayer(self.net.load_beside(game), seed)


def outside_sources(game: GameSpec | None) -> list[OutsideSource]:
    """Return the engines of the list that may play a game; none when the list cannot be read."""
    from models.engines.engine_list import read_engines

    try:
        engines = read_engines()
    except (ValueError, OSError):
        return []
    return [
        OutsideSource(engine.name)
        for engine in engines
        if game is None or not engine.games or game.name in engine.games
    ]


UNIFORM: Final = "uniform"
NETS: Final = (".onnx", ".bin.gz", ".txt.gz")  # ends of the names of net files
ROLLOUTS_TITLE: Words = "random rollouts"


def source_title(source: Any) -> str:
    """Return a source's name for the screen."""
    return tr(ROLLOUTS_TITLE) if source is None else tr(str(source.title))


def source_text(source: Any) -> str:
    """Return a source as saved in files: a net's path, "uniform", or "" for rollouts."""
    if source is None:
        return ""
    return str(source.path) if isinstance(source, NetSource) else UNIFORM


def source_from(text: str, profile: str = "") -> NetSource | UniformSource | None:
    """Return the source of a text made by :func:`source_text`, which imitates the players of a ``profile`` where one
    is given; ``ValueError`` when the net file is missing or the profile unknown."""
    if not text:
        return None
    return UniformSource() if text == UNIFORM else net_source(Path(text), _recipe_for(profile))


def _recipe_for(profile: str) -> Recipe | None:
    """The recipe by which a human net imitates players; None without a profile."""
    if not profile:
        return None
    from models.netfiles.recipe import for_profile

    return for_profile(profile)


def human_source(path: Path, profile: str = "") -> NetSource:
    """Return the source for a human net beside the search's, the usual players where no profile is given.

    ``ValueError`` when the file does not exist or the profile is unknown."""
    from models.netfiles.katago_metadata import USUAL

    return net_source(path, _recipe_for(profile or USUAL))


def net_source(path: Path, recipe: Recipe | None = None) -> NetSource:
    """Return the source for a file; ``ValueError`` when it does not exist."""
    try:
        status = path.stat()
    except OSError as error:
        raise ValueError(
            Text("{path!r} cannot be read: {strerror}", path=str(path), strerror=error.strerror or error)
        ) from error
    if not stat.S_ISREG(status.st_mode):
        raise ValueError(Text("{path} is not a file", path=repr(str(path))))
    return NetSource(path, status.st_mtime_ns, recipe)


def fitting(settings: SearchSettings, source: EvaluatorSource | None) -> SearchSettings:
    """Return the settings with a rule that suits the source: theirs if it does, else the usual one."""
    net = source is not None
    return settings if settings.rule.fits(net) else replace(settings, selection=usual_rule(net))


def default_source(game: GameSpec, in_lesson: bool = False) -> NetSource | None:
    """Return the shipped net for a game, or the one that lessons show, or None: random rollouts."""
    from models.netfiles.shipped import default_net, lesson_net

    path = lesson_net(game) if in_lesson else default_net(game)
    return None if path is None else net_source(path)


def source_at_once(path: Path, game: GameSpec, profile: str = "") -> NetSource | None:
    """Return the source for a net file that says it fits the game; None for another net, about which more has to be
    asked.  ``ValueError`` when it cannot be read or the ``profile`` of players that it is to imitate is unknown."""
    from models.netfiles.opened import is_for, net_info

    info = net_info(path)
    return known_source(info, profile) if not info.is_foreign and is_for(info, game) else None


def known_source(info: NetInfo, profile: str = "") -> NetSource:
    """Return the source for a net whose file says what it is; a human net imitates the usual players where no others
    are named.

    ``ValueError`` when the file does not exist any more or the profile is unknown."""
    from models.netfiles.katago_metadata import HUMAN_ENCODING

    return human_source(info.path, profile) if profile or info.encoding == HUMAN_ENCODING else net_source(info.path)


def source_for(game: GameSpec, present: Any) -> Any:
    """Return the net in use where it takes games of several sizes and rules and this is one, else the shipped net."""
    if isinstance(present, NetSource):
        from models.netfiles.opened import is_for, net_info

        try:
            info = net_info(present.path)
        except ValueError:
            return default_source(game)
        if not info.game and not info.is_foreign and is_for(info, game):
            return present
    return default_source(game)


def shipped_nets() -> list[tuple[Path, GameSpec]]:
    """Return the net files that come with the program, each with its game, by name."""
    from core.games import load_game
    from models.netfiles.net_file import listed_net_info
    from models.netfiles.shipped import nets_dir

    nets = []
    for path in sorted(nets_dir().glob("*.onnx")):
        with suppress(ValueError):
            nets.append((path, load_game(listed_net_info(path).game)))
    return nets
