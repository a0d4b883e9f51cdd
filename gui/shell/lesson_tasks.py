"""What the steps of a lesson wait for: each kind of task in words, whether it is done, and what does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from core.files.lesson import ANY, Command
from core.glass.snapshot import OVER, PROVED
from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.shell.lesson_points import show_room
from gui.widgets.board.overlays.table import BY_NAME
from gui.widgets.board.playout_paint import BACKUP
from gui.widgets.figures import count

if TYPE_CHECKING:
    from core.games import Position
    from gui.shell.commands import Commands
    from gui.shell.lesson_figures import LessonFigures


ON_BOARD: Final = ("play", "select", "search", "pause", "simulations", "moment", "overlay", "playout", "predict")


@dataclass(frozen=True)
class LessonTask:
    """One kind of task; the functions are given what stands behind its name, such as a move."""

    words: Callable[[str], str]
    done: Callable[[str], bool]
    do: Callable[[str], object]


class LessonTasks:
    """The tasks of a step that began at the position ``start``."""

    def __init__(self, commands: Commands, figures: LessonFigures) -> None:
        self._commands, self._context, self._figures = commands, commands.context, figures
        state, session = commands.context.state, commands.context.session
        workspaces = commands.workspaces
        self.start: Position | None = None
        self._kinds: Final[dict[str, LessonTask]] = {
            "play": LessonTask(_words_of_play, self._played, self._play),
            "select": LessonTask(_words_of_select, self._selected, self._select),
            "search": LessonTask(
                _fixed("Start the search: press Space or Analyse."),
                lambda _: session.searching,
                lambda _: session.continue_search(),
            ),
            "pause": LessonTask(
                _fixed("Stop the search: press Space or Stop."),
                lambda _: not session.searching and session.present is not None,
                lambda _: session.stop(),
            ),
            "simulations": LessonTask(self._words_of_simulations, self._searched, self._search),
            "moment": LessonTask(
                _counted("In the timeline, go to simulation {rest}."), self._looked_back, self._look_back
            ),
            "dock": LessonTask(self._words_of_dock, self._is_open, lambda name: show_room(commands, name)),
            "overlay": LessonTask(
                lambda name: tr("Choose the overlay “{rest}”.").format(rest=tr(BY_NAME[name].title)),
                lambda name: state.overlay == name,
                state.set_overlay,
            ),
            "workspace": LessonTask(
                lambda name: tr("Go to the workspace {rest}.").format(rest=core_text(workspaces.all[name].shown_title)),
                lambda name: workspaces.shown.name == name,
                workspaces.turn_to,
            ),
            "picture": LessonTask(self._words_of_picture, self._experimented, self._experiment),
            "slider": LessonTask(
                lambda place: tr("Move the slider below the picture to {rest}.").format(rest=place),
                self._slid,
                self._slide,
            ),
            "playout": LessonTask(
                _fixed("Play a simulation: press the last button below the board."),
                lambda _: commands.time.by_stages,
                lambda _: commands.time.play_on_board(),
            ),
            "predict": LessonTask(
                _counted("Press ◎ below the board and guess until {rest} guesses were right."),
                lambda number: commands.time.prediction.right >= int(number),
                self._predict,
            ),
            "cause": LessonTask(
                lambda move: tr("In *What would it take?*, press Find the cause for {rest}.").format(rest=move),
                lambda move: self._cause.examined[:1] == (self._action(move),),
                self._find_cause,
            ),
            "block": LessonTask(
                _words_of_block,
                lambda number: figures.inside.shown_block == int(number),
                lambda number: figures.inside.show_block(int(number)),
            ),
            "examined": LessonTask(
                _fixed("Press Examine the net, and wait: it takes a minute or more."),
                lambda _: figures.inside.examined is not None,
                lambda _: figures.inside.examine(),
            ),
            "diagnosis": LessonTask(
                _fixed("Above the page of the run, choose “Diagnosis”, and wait for what it finds."),
                lambda _: figures.diagnosis is not None,
                lambda _: commands.open_dock("training").view.show_page("diagnosis"),
            ),
            "run": LessonTask(
                self._words_of_run,
                lambda number: figures.iterations >= int(number),
                self._start_run,
            ),
        }

    def _words_of_dock(self, name: str) -> str:
        docks = self._commands.views.docks
        row = docks[docks.room_of(name)].row
        if row.name == name:
            return tr("Open “{rest}” in the View menu.").format(rest=tr(row.title))
        part = next(part for part in row.parts if part.name == name)
        return tr("In the room “{room}”, choose “{part}”.").format(room=tr(row.title), part=tr(part.title))

    def _is_open(self, name: str) -> bool:
        docks = self._commands.views.docks
        room = docks.room_of(name)
        if room == name or room not in docks.shown:
            return room in docks.shown
        parts: Any = docks[room].fill()
        return bool(parts.part_shown(name))

    def _find_cause(self, move: str) -> None:
        self._cause.examine(move)

    @property
    def _cause(self) -> Any:
        """The part of the room Why that finds causes."""
        room: Any = self._commands.views.docks["why"].fill()
        return room.cause

    def words(self, wait: Command) -> str:
        """What is to be done, in words."""
        return self._kinds[wait.words[0]].words(" ".join(wait.words[1:]))

    def is_done(self, wait: Command) -> bool:
        """Whether the task is done."""
        return self._kinds[wait.words[0]].done(" ".join(wait.words[1:]))

    def do(self, wait: Command) -> None:
        """Do the task; one whose outcome the board shows brings the board in sight."""
        if wait.words[0] in ON_BOARD:
            self._commands.workspaces.show_board()
        self._kinds[wait.words[0]].do(" ".join(wait.words[1:]))

    # moves

    def _action(self, name: str) -> int:
        """A move by name; for "any" the engine's, else the first."""
        state, session = self._context.state, self._context.session
        assert state.game is not None
        if name != ANY:
            return state.game.parse_action(name)
        best = session.move_to_play()
        return best if best >= 0 or self.start is None else self.start.legal_actions()[0]

    def _played(self, name: str) -> bool:
        position, before = self._context.state.position, self.start
        if before is None or position is None:
            return False
        if name == ANY:
            return position.ply == before.ply + 1
        action = self._action(name)
        return action in before.legal_actions() and position == before.play(action)

    def _play(self, name: str) -> None:
        self._commands.time.to_now()
        state = self._context.state
        if self.start is not None and state.position != self.start:
            state.go(self.start.ply - (state.start or self.start).ply)
        self._context.play_line((self._action(name),))

    def _selected(self, name: str) -> bool:
        chosen = self._context.state.selected
        return bool(chosen) and (name == ANY or chosen[0] == self._action(name))

    def _select(self, name: str) -> None:
        self._commands.views.docks.show_dock("tree")
        self._context.state.select((self._action(name),))

    # the search

    def search_to(self, simulations: int) -> None:
        """Search the position shown to so many simulations in all."""
        from core.search import Limit

        self._context.session.search_to(Limit(simulations=max(1, simulations)))

    def search_on(self, more: int) -> None:
        """Make so many simulations more, with the board in sight."""
        self._commands.workspaces.show_board()
        present = self._context.session.present
        self._commands.time.to_now()
        self.search_to((present.simulations if present is not None else 0) + more)

    def _words_of_simulations(self, number: str) -> str:
        if number == "1":
            return tr("Make one simulation.")
        settings = self._context.state.settings
        if settings is not None and (settings.prove or settings.threat_proofs):
            return tr("Search until {rest} simulations, or until a proof.").format(rest=count(int(number)))
        return tr("Search until there are {rest} simulations.").format(rest=count(int(number)))

    def _searched(self, number: str) -> bool:
        present = self._context.session.present
        if present is None:
            return False
        return present.simulations >= int(number) or present.reason in (PROVED, OVER)

    def _search(self, number: str) -> None:
        self._commands.time.to_now()
        self.search_to(int(number))

    def _looked_back(self, number: str) -> bool:
        time = self._commands.time
        return time.past is not None and time.past.simulation == int(number) and time.stage == BACKUP

    def _look_back(self, number: str) -> None:
        self._commands.views.docks.show_dock("timeline")
        self._commands.time.pause()
        self._commands.time.go(int(number))

    def _predict(self, number: str) -> None:
        """Begin to guess, or make one right guess."""
        time = self._commands.time
        if not time.prediction.on:
            time.toggle_prediction()
        elif time.past is not None:
            time.guess(time.past.snapshot.root.next_action)

    # pictures and runs

    def _words_of_picture(self, number: str) -> str:
        picture = self._figures.picture
        if picture is not None and picture.slider is not None:
            return tr("Move the slider below the picture.")
        words = tr("Use the buttons below the picture until there are {rest} {units}.")
        return words.format(rest=count(int(number)), units="" if picture is None else tr(picture.kind.units))

    def _experimented(self, number: str) -> bool:
        picture = self._figures.picture
        return picture is not None and picture.experiment.count >= int(number)

    def _experiment(self, number: str) -> None:
        picture = self._figures.picture
        if picture is not None:
            picture.stop()
            picture.add(max(1, int(number) - picture.experiment.count))

    def _slid(self, place: str) -> bool:
        picture = self._figures.picture
        return picture is not None and picture.place == float(place)

    def _slide(self, place: str) -> None:
        if self._figures.picture is not None:
            self._figures.picture.slide_to(float(place))

    def _words_of_run(self, number: str) -> str:
        if number == "1":
            return tr("Start a run and wait for its first iteration.")
        if self._figures.iterations:
            return tr("Wait until the run has made {rest} iterations.").format(rest=count(int(number)))
        return tr("Start a run and wait for {rest} iterations.").format(rest=count(int(number)))

    def _start_run(self, number: str) -> None:
        """Start a run of the game with the preset's settings, unless one is shown already."""
        commands = self._commands
        game = commands.context.state.game
        tab = commands.open_dock("training")
        if game is not None and not (tab.model is not None and tab.model.game == game.text):
            tab.show_new()
            tab.form.game.setCurrentText(game.text)
            tab.form.start.click()


def _fixed(words: Words) -> Callable[[str], str]:
    return lambda _: tr(words)


def _counted(words: Words) -> Callable[[str], str]:
    return lambda number: tr(words).format(rest=count(int(number)))


def _words_of_block(number: str) -> str:
    block = tr("stem") if number == "0" else tr("block {number}").format(number=number)
    return tr("Move the slider “As if it ended here” to “{rest}”.").format(rest=block)


def _words_of_play(name: str) -> str:
    if name == ANY:
        return tr("Play any move: click it on the board.")
    return tr("Play {rest}: click it on the board.").format(rest=name)


def _words_of_select(name: str) -> str:
    if name == ANY:
        return tr("Click any row of the moves.")
    return tr("Click the row of {rest} among the moves.").format(rest=name)
