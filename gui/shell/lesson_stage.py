"""Sets the window up for the steps of a lesson, and gives back the rooms and settings of before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from core.files.lesson import ANY, Command, LessonStep, settings_from, whole
from core.files.lesson_beside import run_files
from core.text import text_of
from gui.model import sources
from gui.shell.document_files import read_trace
from gui.shell.lesson_figures import LessonFigures
from gui.shell.lesson_points import bring_in_front, show_room
from gui.shell.lesson_tasks import LessonTasks

if TYPE_CHECKING:
    from core.games import GameSpec, Position
    from gui.shell.arrangement import Arrangement
    from gui.shell.commands import Commands

LASTING: Final = (
    *("game", "trace", "moves", "leaves", "settings", "search", "seed", "docks", "overlay", "workspace"),
    "training",
)
OF_SEARCH: Final = ("game", "trace", "moves", "leaves", "settings", "search", "seed")
_ENDS: Final = {  # command -> those of earlier steps that it ends
    "game": ("moves", "trace"),
    "trace": OF_SEARCH,
    **dict.fromkeys(("moves", "leaves", "seed"), ("trace",)),
}
SEARCHED: Final = ("game", "trace", "moves", "leaves", "settings")  # commands after which a picture begins anew


class Stage:
    """The window as the steps of a lesson use it, with its tasks and figures."""

    def __init__(self, commands: Commands) -> None:
        self._commands, self._context = commands, commands.context
        self.figures = LessonFigures(commands)
        self.tasks = LessonTasks(commands, self.figures)
        self.touched = False  # whether a lesson has changed the window's game or settings
        self._opened: object = None  # the record that the lesson opened last
        self._openings = 0
        self._before: tuple[Any, ...] | None = None  # settings, limit, automatic, overlay
        self._before_docks: tuple[str, Arrangement] | None = None  # the workspace and its rooms before the lesson
        self._turned_to = ""  # the workspace that a step has turned to
        self._runs: TemporaryDirectory[str] | None = None  # copies of the lesson's training runs, which may be resumed
        self._laid: set[str] = set()  # the rooms that were open before the lesson or that a step has opened

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
        self._set_automatic(automatic)
        if settings is not None:
            state.set_settings(settings)
        state.set_limit(limit)
        state.set_overlay(overlay)

    def leave(self) -> None:
        """Keep game and settings; new positions are analysed as before the lesson."""
        if self._is_here:
            self._context.session.seed = 0
        self.figures.picture = None
        self.figures.solve(None)
        self.restore_docks()
        self._forget_runs()
        if self._before is not None:
            self._set_automatic(self._before[2])

    def set_up(self, steps: Sequence[LessonStep], number: int, onward: bool) -> None:
        """Bring the window to where a step begins; ``onward``: from the step before, which is done."""
        step, docks = steps[number], self._commands.views.docks
        commands = {c.name: c for c in step.commands} if onward else effective(steps, number)
        open_before = set(docks.shown)
        self._prepare(step.game, commands, [] if onward else moves_before(steps, number))
        searched = 0 if onward else searched_before(steps, number)
        if searched:  # what earlier steps searched, which this one speaks of
            self.tasks.search_to(searched)
        for command in step.commands:
            if command.name == "point":
                bring_in_front(self._commands, command)
        self._laid |= set(docks.shown) - open_before
        self.tasks.start = self._context.state.position
        wait = step.command("wait")
        if self._commands.time.prediction.on and (wait is None or wait.words[0] != "predict"):
            self._commands.time.toggle_prediction()
        exact = any(word in text for text in _texts(step) for word in ("{truth", "{winning"))
        self.figures.solve(self.tasks.start if exact else None)
        asks = any(one.command(name) for one in steps for name in ("ask", "wait"))  # the tour does not
        self._context.truth.withhold("lesson", asks)

    def _prepare(self, game: GameSpec | None, commands: dict[str, Command], played: Sequence[str]) -> None:
        workspaces, context = self._commands.workspaces, self._commands.context
        state, session = context.state, context.session
        if "workspace" in commands:
            self._note_docks()
            self._turned_to = commands["workspace"].words[0]
            workspaces.turn_to(self._turned_to)
        elif "game" in commands or "trace" in commands:
            workspaces.show_board()
        if any(name in commands for name in OF_SEARCH):
            self._note_settings()
            self._set_automatic(False)
            session.stop()
            seed = whole(commands["seed"].words[0]) if "seed" in commands else session.seed
            position = state.position
            if game is not None and ("game" in commands or "moves" in commands):
                position = game.position(commands["moves"].rest if "moves" in commands else "")
            if "trace" in commands:
                self._open_trace(*commands["trace"].words)
            elif "leaves" in commands and game is not None:
                self._open(position, _source(commands["leaves"].words[0], game), seed)
            elif position is not state.position:
                self._open(position, state.source, seed)
            elif self._is_here:
                session.seed = seed
            for name in played:
                assert state.game is not None
                state.play_line((state.game.parse_action(name),))
            if "settings" in commands:
                state.set_settings(settings_from(commands["settings"]))
            self._search(commands.get("search"))
        if "docks" in commands:
            self.show_docks(commands["docks"].words)
        if "training" in commands:
            self._show_training(*commands["training"].words)
        if "overlay" in commands:
            self._note_settings()
            state.set_overlay(commands["overlay"].words[0])

    def show_docks(self, names: Sequence[str]) -> None:
        """Open these rooms, perhaps at a part, and no others."""
        docks, workspaces = self._commands.views.docks, self._commands.workspaces
        workspaces.turn_to(self._note_docks())
        rooms = [docks.room_of(name) for name in names]
        for name in docks.shown:
            if name not in rooms and not docks[name].row.stays:
                docks.hide_dock(name)
        for name in names:
            show_room(self._commands, name)

    def _note_docks(self) -> str:
        """Note what ``restore_docks`` gives back; return the workspace in which the lesson began."""
        if self._before_docks is None:
            docks = self._commands.views.docks
            self._before_docks = self._commands.workspaces.shown.name, docks.arrangement()
            self._laid = set(docks.shown)
        return self._before_docks[0]

    def restore_docks(self) -> None:
        """Arrange the rooms as before the lesson; those that the person has opened stay, and so does a workspace that
        the person has turned to or opened a room in."""
        self._context.truth.withhold("lesson", False)
        before, self._before_docks = self._before_docks, None
        if before is not None:
            workspaces, docks = self._commands.workspaces, self._commands.views.docks
            if self._turned_to == workspaces.shown.name and not self._opened_by_person:
                workspaces.turn_to(before[0])
            opened = self._opened_by_person
            workspaces.give_back(*before)
            for name in opened:
                docks.show_dock(name)
        self._turned_to = ""

    @property
    def _opened_by_person(self) -> list[str]:
        """The rooms on the desk that neither the lesson nor the workspace had opened."""
        return [name for name in self._commands.views.docks.shown if name not in self._laid]

    def strayed(self, step: LessonStep) -> bool:
        """Whether the window shows another position than the step speaks of."""
        start, position = self.tasks.start, self._context.state.position
        wait = step.command("wait")
        if step.game is None or start is None or position == start or not self._commands.views.docks.has_board:
            return False
        return wait is None or wait.words[0] != "play" or not self.tasks.is_done(wait)

    @property
    def _is_here(self) -> bool:
        """Whether the window shows the lesson's own game, not one of the user's."""
        return self._opened is not None and self._context.state.record is self._opened

    def _open(self, position: Position | None, source: Any, seed: int) -> None:
        """Open a position in a new tree; the lesson's own last game is not kept as the user's."""
        commands, state = self._commands, self._context.state
        if position is None:
            return
        if self._is_here:
            state.document.mark_saved()
        commands.time.to_now()
        state.open_position(position, source, seed + (self._openings > 0))  # another seed makes a new tree
        self._openings += 1
        self._opened = state.record

    def _open_trace(self, path: str, lint: str = "") -> None:
        """Open the search of a trace as it was written; ``lint``: with its faults."""
        commands, state = self._commands, self._context.state
        try:
            bundle = read_trace(Path(path), bool(lint), self._openings)
        except (OSError, ValueError) as error:  # the file has changed since the lesson was read
            self._context.messages.show_error(text_of(error))
            return
        if self._is_here:
            state.document.mark_saved()
        commands.time.to_now()
        commands.documents.open(bundle)
        self._openings += 1
        self._opened = state.record
        self.tasks.search_to(bundle.document.limit)  # those of the trace: shows them, and adds none

    def _show_training(self, path: str, page: str, sample: str = "0") -> None:
        """Show a copy of the training run in a folder at a page of the room Training, perhaps at a sample."""
        self._note_docks()
        tab = self._commands.open_dock("training")
        if self._runs is None:
            self._runs = TemporaryDirectory(prefix="plyscope-lesson-", ignore_cleanup_errors=True)
        source, copy = Path(path), Path(self._runs.name) / Path(path).name
        if not copy.exists():
            try:
                for file in run_files(source):
                    to = copy / file.relative_to(source)
                    to.parent.mkdir(parents=True, exist_ok=True)
                    copyfile(file, to)
            except OSError as error:  # the folder has changed since the lesson was read
                self._context.messages.show_error(text_of(error))
                return
        tab.view.show_page(page)
        tab.open_folder(copy)
        if whole(sample):
            tab.view.samples.wish(whole(sample))

    def _forget_runs(self) -> None:
        """Take the lesson's training runs off the list."""
        runs, self._runs = self._runs, None
        if runs is None:
            return
        if (tab := self._commands.training) is not None:
            for path in [path for path in tab.known_runs.models if path.parent == Path(runs.name)]:
                tab.known_runs.forget(path)
        runs.cleanup()

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


def effective(steps: Sequence[LessonStep], number: int) -> dict[str, Command]:
    """The lasting commands in force at a step, and its own."""
    in_force: dict[str, Command] = {}
    for step in steps[: number + 1]:
        for opens, ends in _ENDS.items():
            if step.command(opens) is not None:
                in_force = {name: command for name, command in in_force.items() if name not in ends}
        in_force |= {command.name: command for command in step.commands if command.name in LASTING}
    return in_force | {command.name: command for command in steps[number].commands}


def moves_before(steps: Sequence[LessonStep], number: int) -> list[str]:
    """The moves that earlier steps asked for since the game was opened."""
    played: list[str] = []
    for step in steps[: number + 1]:
        if any(step.command(name) is not None for name in ("game", "trace", "moves")):
            played = []
        wait = step.command("wait")
        if step is not steps[number] and wait is not None and wait.words[0] == "play" and wait.words[1] != ANY:
            played.append(wait.words[1])
    return played


def searched_before(steps: Sequence[LessonStep], number: int) -> int:
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


def experimented_before(steps: Sequence[LessonStep], number: int) -> int:
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


def _texts(step: LessonStep) -> list[str]:
    question = step.question
    texts = [] if question is None else [question.text.text, question.answer, question.praise.text, question.hint.text]
    return [*(words.text for words in step.paragraphs), *texts]


def _source(leaves: str, game: GameSpec) -> Any:
    if leaves == "rollouts":
        return None
    return sources.UniformSource() if leaves == "uniform" else sources.default_source(game, in_lesson=True)
