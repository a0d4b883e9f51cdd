"""Sets the window up for the steps of a lesson, and gives back the settings of before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QByteArray, Qt

from core.files.lesson import ANY, Command, Step, settings_from, whole
from gui.model import sources
from gui.shell.dock import RIGHT
from gui.shell.lesson_figures import LessonFigures
from gui.shell.lesson_tasks import Tasks
from gui.widgets.page_switch import ANALYSIS

if TYPE_CHECKING:
    from core.games import GameSpec, Position
    from gui.shell.commands import Commands

LASTING: Final = ("game", "moves", "leaves", "settings", "search", "seed", "docks", "overlay", "page")
OF_SEARCH: Final = ("game", "moves", "leaves", "settings", "search", "seed")
SEARCHED: Final = ("game", "moves", "leaves", "settings")  # commands after which a picture begins anew
BOARD_SHARE: Final = 0.42  # of the width beside the panel, which the board gets at least


class Stage:
    """The window as the steps of a lesson use it, with its tasks and figures."""

    def __init__(self, commands: Commands) -> None:
        self._commands, self._context = commands, commands.context
        self.figures = LessonFigures(commands)
        self.tasks = Tasks(commands, self.figures)
        self.touched = False  # whether a lesson has changed the window's game or settings
        self._opened: object = None  # the record that the lesson opened last
        self._openings = 0
        self._before: tuple[Any, ...] | None = None  # settings, limit, automatic, overlay
        self._layout: QByteArray | None = None  # of the docks before the lesson

    def _note_settings(self) -> None:
        """Note what :meth:`restore` gives back."""
        self.touched = True
        state, session = self._context.state, self._context.session
        if self._before is None:
            self._before = (state.settings, state.limit, session.automatic, state.overlay)

    def restore(self) -> None:
        """Give back the settings, the limit and the overlay of before the lesson."""
        if self._before is None:
            return
        settings, limit, automatic, overlay = self._before
        self._before = None
        self.touched = False
        state = self._context.state
        self._context.session.seed = 0
        self._set_automatic(automatic)
        if settings is not None:
            state.set_settings(settings)
        state.set_limit(limit)
        state.set_overlay(overlay)

    def leave(self) -> None:
        """Keep game and settings; new positions are analysed as before the lesson."""
        self._context.session.seed = 0
        self.figures.picture = None
        self.figures.solve(None)
        self.restore_docks()
        if self._before is not None:
            self._set_automatic(self._before[2])

    def set_up(self, steps: Sequence[Step], number: int, onward: bool) -> None:
        """Bring the window to where a step begins; ``onward``: from the step before, which is done."""
        step = steps[number]
        commands = {c.name: c for c in step.commands} if onward else effective(steps, number)
        self._prepare(step.game, commands, [] if onward else moves_before(steps, number))
        searched = 0 if onward else searched_before(steps, number)
        if searched:  # what earlier steps searched, which this one speaks of
            self.tasks.search_to(searched)
        for point in (one for one in step.commands if one.name == "point"):  # bring it in front
            if point.words[0] in ("dock", "row"):
                self._commands.views.docks.show_dock(point.words[1] if point.words[0] == "dock" else "moves")
        self.tasks.start = self._context.state.position
        wanted = any(word in text for text in _texts(step) for word in ("{truth", "{winning"))
        self.figures.solve(self.tasks.start if wanted else None)

    def _prepare(self, game: GameSpec | None, commands: dict[str, Command], played: Sequence[str]) -> None:
        pages, context = self._commands.pages, self._commands.context
        state, session = context.state, context.session
        if "page" in commands:
            pages.turn_to(commands["page"].words[0])
        elif pages.page != ANALYSIS and "game" in commands:
            pages.turn_to(ANALYSIS)
        if any(name in commands for name in OF_SEARCH):
            self._note_settings()
            self._set_automatic(False)
            session.stop()
            if "seed" in commands:
                session.seed = whole(commands["seed"].words[0])
            position = state.position
            if game is not None and ("game" in commands or "moves" in commands):
                position = game.position(commands["moves"].rest if "moves" in commands else "")
            if "leaves" in commands and game is not None:
                self._open(position, _source(commands["leaves"].words[0], game))
            elif position is not state.position:
                self._open(position, state.source)
            for name in played:
                assert state.game is not None
                state.play_line((state.game.parse_action(name),))
            if "settings" in commands:
                state.set_settings(settings_from(commands["settings"]))
            self._search(commands.get("search"))
        if "docks" in commands:
            self.show_docks(commands["docks"].words)
        if "overlay" in commands:
            self._note_settings()
            state.set_overlay(commands["overlay"].words[0])

    def show_docks(self, names: Sequence[str]) -> None:
        """Open these docks and no others, and leave the board room beside them."""
        docks = self._commands.views.docks
        if self._layout is None:
            self._layout = docks.save()
        for name in docks.shown:
            if name not in names:
                docks[name].hide()
        for name in names:
            docks.show_dock(name)
        self.spare_board()
        beside = [docks[name] for name in names if docks.dockWidgetArea(docks[name]) == RIGHT]
        docks.resizeDocks(beside, [docks.height() // max(1, len(beside))] * len(beside), Qt.Orientation.Vertical)

    def spare_board(self) -> None:
        """Leave the board its share of the width beside the panel."""
        docks = self._commands.views.docks
        here = (dock for dock in docks.docks.values() if not dock.isHidden() and not dock.isFloating())
        beside = next((dock for dock in here if docks.dockWidgetArea(dock) == RIGHT), None)
        most = round(docks.width() * (1 - BOARD_SHARE))
        if beside is not None and beside.width() > most:
            docks.resizeDocks([beside], [most], Qt.Orientation.Horizontal)

    def restore_docks(self) -> None:
        """Give back the docks of before the lesson."""
        docks, self._layout, before = self._commands.views.docks, None, self._layout
        if before is not None and not docks.restore(before):
            docks.reset()  # it was the initial layout

    def strayed(self, step: Step) -> bool:
        """Whether the window shows another position than the step speaks of."""
        start, position = self.tasks.start, self._context.state.position
        wait = step.command("wait")
        if step.game is None or start is None or position == start or self._commands.pages.page != ANALYSIS:
            return False
        return wait is None or wait.words[0] != "play" or not self.tasks.is_done(wait)

    def _open(self, position: Position | None, source: Any) -> None:
        """Open a position in a new tree; the lesson's own last game is not kept as the user's."""
        commands, state = self._commands, self._context.state
        if position is None:
            return
        if state.record is not None and state.record is self._opened:
            commands.previous_games.mark_as_kept()
        self._openings += 1
        commands.context.session.seed += self._openings > 1  # another seed makes a new tree
        commands.time.to_now()
        state.open_position(position, source)
        self._opened = state.record

    def _search(self, command: Command | None) -> None:
        """Search the position to a limit, and each one that follows; 0: only when asked."""
        limit = 0 if command is None else whole(command.words[0])
        if limit:
            self._context.session.limit.choose(limit)
            self._set_automatic(True)
            self.tasks.search_to(limit)

    def _set_automatic(self, automatic: bool) -> None:
        self._context.session.automatic = automatic
        self._context.actions["automatic"].setChecked(automatic)


def effective(steps: Sequence[Step], number: int) -> dict[str, Command]:
    """The lasting commands in force at a step, and its own."""
    found: dict[str, Command] = {}
    for step in steps[: number + 1]:
        if step.command("game") is not None:
            found.pop("moves", None)
        found |= {one.name: one for one in step.commands if one.name in LASTING}
    return found | {one.name: one for one in steps[number].commands}


def moves_before(steps: Sequence[Step], number: int) -> list[str]:
    """The moves that earlier steps asked for since the game was opened."""
    played: list[str] = []
    for step in steps[: number + 1]:
        if step.command("game") is not None or step.command("moves") is not None:
            played = []
        wait = step.command("wait")
        if step is not steps[number] and wait is not None and wait.words[0] == "play" and wait.words[1] != ANY:
            played.append(wait.words[1])
    return played


def searched_before(steps: Sequence[Step], number: int) -> int:
    """The simulations that earlier steps asked for in the position that a step speaks of."""
    most = 0
    for step in steps[: number + 1]:
        if any(step.command(name) is not None for name in OF_SEARCH):
            most = 0
        wait = step.command("wait")
        if step is not steps[number] and wait is not None:
            if wait.words[0] == "play":
                most = 0
            elif wait.words[0] == "simulations":
                most = max(most, whole(wait.words[1]))
    return most


def experimented_before(steps: Sequence[Step], number: int) -> int:
    """How much earlier steps asked for in the picture that a step goes on with."""
    picture, most = steps[number].command("picture"), 0
    while number and picture is not None and not any(steps[number].command(name) is not None for name in SEARCHED):
        number -= 1
        earlier, wait = steps[number].command("picture"), steps[number].command("wait")
        if earlier is None or earlier.rest != picture.rest:
            break
        if wait is not None and wait.words[0] == "picture":
            most = max(most, whole(wait.words[1]))
    return most


def _texts(step: Step) -> list[str]:
    question = step.question
    asked = [] if question is None else [question.asked.text, question.answer, question.praise.text, question.hint.text]
    return [*(words.text for words in step.paragraphs), *asked]


def _source(leaves: str, game: GameSpec) -> Any:
    if leaves == "rollouts":
        return None
    return sources.UniformSource() if leaves == "uniform" else sources.default_source(game)
