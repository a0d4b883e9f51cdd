"""Goes back to the moment at which something last happened in the search, and pauses it when something happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from core.text import Words, text_of
from gui.language.language import tr
from gui.model.keymap import plain_title
from gui.model.timers import make_timer
from gui.widgets.dialogs import TextDialog
from gui.widgets.figures import count
from gui.widgets.player_choice import PLAYERS

if TYPE_CHECKING:
    from core.engine import Search
    from core.glass.watch import Watch
    from gui.context import Context
    from gui.rooms.timeline.time_machine import TimeMachine

POLL_MS: Final = 30
CROSSED: Final = "crossed"
WATCHES: Final[Mapping[str, Words]] = {  # kinds of ``core.glass.watch``
    "best": "Change of the best &move",
    "overruled": "&Prior overruled",
    CROSSED: "&Q of the selected move crossing a value…",
    "entered": "&First visit of the selected move",
    "proved": "P&roof of the selected move",
}
_OF_ROOT: Final = ("best", "overruled")
BACK: Final[Words] = "Go back to the &last"
PAUSE: Final[Words] = "Pause at the ne&xt"


class Watching(QObject):
    """Looks for moments in the records of the search, in its thread; one thing at a time pauses it."""

    def __init__(self, context: Context, machine: TimeMachine) -> None:
        super().__init__(context.window)
        self._context, self._machine = context, machine
        self._watch: Watch | None = None  # what pauses the search
        self._searching, self._from = False, 0  # whether it ran, and its simulations when it began to
        self._results: list[list[int] | str] | None = None  # filled by the thread of the search: moments or an error
        self._then: Callable[[list[int]], object] = len
        self._polls = make_timer(self, POLL_MS, self._poll)
        context.session.state_changed.connect(self._see_rest)
        context.state.position_changed.connect(lambda: self._pause_at(None))
        context.events.closing.connect(self._polls.stop)

    # what the commands ask for

    def go_back(self, kind: str) -> None:
        """Go back to where something last happened before the moment shown; ``kind``: of ``WATCHES``."""
        self._make(kind, self._go_back)

    def pause_at(self, kind: str) -> None:
        """Pause the search when something happens, or no longer."""
        if self._watch is not None and self._watch.kind == kind:
            self._pause_at(None)
        else:
            self._show_checked()
            self._make(kind, self._pause_at)

    def _make(self, kind: str, use: Callable[[Watch], object]) -> None:
        """Call ``use`` with what is to be watched of the selected move, once the user has named the value."""
        if kind != CROSSED:
            self._use(kind, 0.0, use)
            return
        title = plain_title(tr(WATCHES[kind]))
        dialog = TextDialog(
            self._context.window,
            title,
            tr("A value from −1 to +1, for the player whose values are shown."),
            "",
            lambda text: self._use(kind, float(text.replace("−", "-")), use),
            _problem,
        )
        dialog.open()

    def _use(self, kind: str, value: float, use: Callable[[Watch], object]) -> None:
        from core.glass.watch import Watch

        state = self._context.state
        if state.position is None:
            return
        path = () if kind in _OF_ROOT else state.selected
        player = PLAYERS[self._context.preferences.values_for]
        owner = (state.position.to_move + (len(path) + 1 if path else 0)) % 2
        use(Watch(kind, path, value if player in (-1, owner) else -value))

    # back

    def _go_back(self, watch: Watch) -> None:
        machine = self._machine
        before = machine.place if machine.looking_back else machine.now + 1

        def go(moments: list[int]) -> None:
            earlier = [moment for moment in moments if moment < before]
            if earlier:
                machine.go(earlier[-1])
            else:
                self._say("There is no such moment before the one shown: {title}.", watch)

        self._find(watch, go)

    def _find(self, watch: Watch, then: Callable[[list[int]], object]) -> None:
        """Call ``then`` with the simulations at which it happened."""
        session, root = self._context.session, self._context.state.position
        analysis = session.analysis
        if analysis is None or session.elsewhere or session.away or not self._machine.now:
            words: Words = "Earlier moments of a search on another machine cannot be looked for."
            self._context.messages.show_notice(words if session.elsewhere else lambda: self._machine.why_none)
            return
        results: list[list[int] | str] = []
        self._results, self._then = results, then

        def visit(search: Search | None) -> None:
            results.append(_moments(search, root, watch))

        analysis.visit(visit)
        self._polls.start()

    def _poll(self) -> None:
        if not self._results:
            return
        self._polls.stop()
        moments, self._results = self._results[0], None
        if isinstance(moments, str):
            self._context.messages.show_error(moments)
        else:
            self._then(moments)

    def _say(self, words: Words, watch: Watch, **values: str) -> None:
        self._context.messages.show_notice(
            lambda: tr(words).format(title=plain_title(tr(WATCHES[watch.kind])), **values)
        )

    # forward

    def _pause_at(self, watch: Watch | None) -> None:
        analysis = self._context.session.analysis
        if watch != self._watch and analysis is not None:
            analysis.pause_when(watch)
            self._watch, self._from = watch, self._machine.now
            if watch is not None:
                self._say("The search will pause: {title}.", watch)
        self._show_checked()

    def _show_checked(self) -> None:
        for kind in WATCHES:
            if (action := self._context.actions.get(f"pause_{kind}")) is not None:
                action.setChecked(self._watch is not None and self._watch.kind == kind)

    def _see_rest(self) -> None:
        """Show the exact moment once the search has paused."""
        was, self._searching = self._searching, self._context.session.searching
        if self._searching and not was:
            self._from = self._machine.now
            if self._watch is not None and (analysis := self._context.session.analysis) is not None:
                analysis.pause_when(self._watch)  # it may be another one than was told
        if was and not self._searching and self._watch is not None and not self._context.session.elsewhere:
            self._find(self._watch, partial(self._show_pause, self._watch, self._from))

    def _show_pause(self, watch: Watch, begun: int, moments: list[int]) -> None:
        if moments and moments[-1] > begun:
            self._machine.go(moments[-1])
            self._say("Paused after simulation {n}: {title}. Space continues.", watch, n=count(moments[-1]))


def _problem(text: str) -> str:
    try:
        fits = -1 <= float(text.replace("−", "-")) <= 1
    except ValueError:
        fits = False
    return "" if fits else tr("a number from {low:g} to {high:g}").format(low=-1, high=1)


def _moments(search: Search | None, root: object, watch: Watch) -> list[int] | str:
    """The moments, in the thread of the search, or why there are none, in a sentence."""
    from core.engine.look_back import LookBack

    if search is None or search.position != root:
        return []
    try:
        return [int(moment) for moment in LookBack(search).moments(watch)]
    except ValueError as error:
        return text_of(error)
