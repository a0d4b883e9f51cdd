"""Looks into the net on the board: opens its file and works on the position selected, in a thread."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from PySide6.QtCore import QObject, Signal

from core.text import Text, Words
from gui.jobs.job import Job
from gui.jobs.net_answers import ELSEWHERE, GAME_OVER, NO_NET
from gui.jobs.newest import Newest, Report, Stale
from gui.model.session import CONCEALED
from gui.model.shown import positions_along
from gui.model.sources import NetSource
from gui.model.timers import make_timer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.games import GameSpec, Position
    from gui.model.session import Session
    from models.inside.graph import GraphReader
    from models.inside.lens import Lens
    from models.inside.sample import Sample
    from models.netfiles.tapped import TappedNet

    Work = Callable[["OpenNet", Position, Stale, Report], Any]

REST_MS: Final = 30  # a position is looked into when it has been selected so long
UNIFORM: Final[Words] = "The uniform prior ignores the board: there is no net to look into."
NO_POSITION: Final[Words] = "No game is open."
PLAYED: Final = "played"  # positions of games that are played for the look
_EVERY: Final = 50  # games between two reports
Kept = TypeVar("Kept")


class Chosen(NamedTuple):
    """The positions over which the net is looked into."""

    kind: str = PLAYED
    place: Path | None = None
    """An audit, the folder of a run, a file or folder of games; None where they are played."""
    times: int = 0
    """How often one has chosen: a place that is chosen again is read again."""


class OpenNet:
    """A net file for one game, of which each thing is made when it is first asked for.

    One thread at a time may use it.  ValueError, one sentence, from whatever cannot be made."""

    def __init__(self, source: NetSource, game: GameSpec) -> None:
        self.source, self.game = source, game
        self._kept: dict[str, Any] = {}

    @cached_property
    def tapped(self) -> TappedNet:
        """The net with the outputs of its blocks."""
        from models.netfiles.tapped import TappedNet

        return self._opened(partial(TappedNet, self.source.path, self.game))

    @cached_property
    def graph(self) -> GraphReader:
        """The operations of the net, and the values in it."""
        from models.inside.graph import GraphReader

        return self._opened(partial(GraphReader, self.source.path, self.game))

    def kept(self, name: str, make: Callable[[], Kept]) -> Kept:
        """What ``make`` returned when this was first asked for by ``name``."""
        if name not in self._kept:
            self._kept[name] = make()
        kept: Kept = self._kept[name]
        return kept

    def newest(self, name: str, key: object, make: Callable[[], Kept | None]) -> Kept | None:
        """What ``make`` returned for this ``key``, or its error again; of each ``name`` only the newest is kept.

        None, of work that was stopped, is not kept."""
        kept = self._kept.get(name)
        if kept is None or kept[0] != key:
            made: Kept | ValueError | OSError | None
            try:
                made = make()
            except (ValueError, OSError) as error:
                made = error
            if made is None:
                return None
            kept = self._kept[name] = key, made
        if isinstance(kept[1], Exception):
            raise kept[1]
        newest: Kept = kept[1]
        return newest

    def sample(self, chosen: Chosen, number: int, stale: Stale, report: Report) -> Sample | None:
        """At most ``number`` of the positions chosen; None when stopped.  What is read is reported as ``Text``."""
        from models.inside.sources import sample_of

        reported = 0

        def taken(games: int) -> None:
            nonlocal reported
            if games >= reported + _EVERY:
                reported = games
                report(Text("{count} games read…", count=games))

        def read() -> Sample | None:
            return sample_of(self.tapped, chosen.place, number, 0, stale, taken)

        return self.newest(f"{number} positions", chosen, read)

    def _opened(self, opened: Callable[..., Kept]) -> Kept:
        from models.netfiles.recipe_guess import open_guessed

        self.source.check_unchanged()
        return open_guessed(opened, self.source.path, self.game, self.source.recipe)[0]


class InsideReader(QObject):
    """What the room Inside looks into, and the thread in which it does.

    ``position`` is the one selected, or the last before it that has moves; ``source`` is the net of its search;
    ``refusal`` says why there is nothing to look into, "" when there is."""

    changed = Signal()  # another position or net, or another reason why there is none
    chosen_changed = Signal()  # other positions over which the net is looked into

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.state = session.state
        self.position: Position | None = None
        self.source: NetSource | None = None
        self.refusal: Words = NO_POSITION
        self.chosen = Chosen()
        self._choices = 0
        self._net: OpenNet | None = None  # touched by the thread alone, once it is made
        self._newest = Newest(self)
        self._asker: object = None
        self._done: Callable[[Any], object] = _nothing
        self._progressed: Callable[[Any], object] = _nothing
        self._failed: Callable[[Any], object] = _nothing
        self._newest.answered.connect(self._answer)
        self._newest.progressed.connect(self._progress)
        self._newest.failed.connect(self._fail)
        self._later = make_timer(self, REST_MS, self._look, once=True)
        state = session.state
        for signal in (
            state.position_changed,
            state.selection_changed,
            state.search_changed,
            session.state_changed,
            session.concealed_changed,
        ):
            signal.connect(lambda *_: self._later.start())
        self._look()

    def choose(self, kind: str, place: Path | None) -> None:
        """Choose over which positions the net is looked into."""
        self._choices += 1
        self.chosen = Chosen() if place is None else Chosen(kind, place, self._choices)
        self.chosen_changed.emit()

    def ask(
        self,
        asker: object,
        work: Work,
        done: Callable[[Any], object],
        failed: Callable[[Any], object],
        progressed: Callable[[Any], object] | None = None,
    ) -> None:
        """Do ``work(net, position, stale, report)`` in the thread as soon as it is free, instead of all asked before.

        done: gets its result here, failed: a sentence, progressed: what it reports."""
        if self.refusal or self.source is None or self.position is None:
            return
        self._asker, self._done, self._failed, self._progressed = asker, done, failed, progressed or _nothing
        if self._net is None or self._net.source != self.source or self._net.game != self.position.game:
            self._net = OpenNet(self.source, self.position.game)
        self._newest.put(partial(work, self._net, self.position))

    def stop(self, asker: object = None) -> None:
        """Drop what was asked: by ``asker``, or (None) by whomever."""
        if asker in (None, self._asker):
            self._newest.forget()
            self._asker, self._done, self._failed, self._progressed = None, _nothing, _nothing, _nothing

    def _answer(self, answer: Any) -> None:
        self._done(answer)

    def _progress(self, value: Any) -> None:
        self._progressed(value)

    def _fail(self, sentence: Any) -> None:
        self._failed(sentence)

    def _look(self) -> None:
        """Take the position and net as they are now."""
        state, source = self._session.state, self._session.source
        root = state.position
        line = [] if root is None else state.positions[: state.cursor] + positions_along(root, state.selected)
        position = next((at for at in reversed(line) if not at.is_over), None)
        refusal: Words = ""
        if root is None:
            refusal = NO_POSITION
        elif self._session.concealed:
            refusal = CONCEALED
        elif self._session.elsewhere:
            refusal = ELSEWHERE
        elif source is None:
            refusal = NO_NET
        elif not isinstance(source, NetSource):
            refusal = UNIFORM
        elif position is None:
            refusal = GAME_OVER
        net = source if isinstance(source, NetSource) else None
        if (position, net, refusal) != (self.position, self.source, self.refusal):
            self.stop()
            self.position, self.source, self.refusal = position, net, refusal
            self.changed.emit()


def _nothing(_: Any) -> None:
    pass


class LensJob(Job):
    """Fits the lens of a net, or reads it from the user's caches; ``lens`` is there when it has ended."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lens: Lens | None = None
        self.words: Words = ""  # what is being done
        self.error: Words = ""
        self._of: tuple[NetSource, GameSpec] | None = None

    def lens_of(self, source: NetSource | None, game: GameSpec) -> Lens | None:
        """The lens, if it is that of this net and game."""
        return self.lens if self._of == (source, game) else None

    def fit(self, source: NetSource, game: GameSpec) -> None:
        """Begin with a net, unless that is being done or has failed."""
        if self._of == (source, game) and (self.running or self.error):
            return
        self.lens, self.words, self.error, self._of = None, "", "", (source, game)
        self.run(partial(_fitted, OpenNet(source, game)))

    def take(self, value: Words) -> None:
        self.words = value

    def finish(self, result: Lens | None) -> None:
        self.lens = result

    def give_up(self, sentence: str) -> None:
        self.error = sentence


def _fitted(net: OpenNet, stale: Stale, report: Report) -> Lens | None:
    from core.engine.evaluator import telling
    from models.inside.lens import lens_for

    with telling(report):
        return lens_for(net.tapped, stale)
