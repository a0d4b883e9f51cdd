"""Sets the window up for the steps of a lesson: tasks, figures, what it points at, and the settings of before."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QWidget

from core.files.lesson import ANY, FIGURE, PICTURE, Command, LessonStep, settings_from, whole
from core.glass.snapshot import OVER, PROVED
from core.text import Words
from gui.jobs.truth import TruthReader
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model import sources
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.overlays import BY_NAME
from gui.widgets.board.playout_paint import BACKUP
from gui.widgets.figures import THIN, count, percent, signed
from gui.widgets.theme import current_theme

if TYPE_CHECKING:
    from core.files.lesson import Command
    from core.games import GameSpec, Position
    from core.glass import MoveRow, Snapshot
    from gui.rooms.lessons.picture import Picture
    from gui.shell.arrangement import Arrangement
    from gui.shell.commands import Commands

NONE: Final = "–"  # a figure that there is not yet
UNBROKEN: Final = (  # where no line may end: within numbers, fractions, short formulas
    (re.compile(rf"(?<=\d)[ {THIN}](?=\d{{3}}|%)"), THIN),
    (re.compile(r"(?<=\S) (?=[=·≈/−+≤≥] )"), "\u00a0"),
    (re.compile(r"(?<= [=·≈/−+≤≥]|[\u00a0][=·≈/−+≤≥]) (?=\S)"), "\u00a0"),
    (re.compile(r"(?<=\w)/(?=\w)"), "/\u2060"),
)
RESULTS: Final[dict[int, Words]] = {1: "win", 0: "draw", -1: "loss"}


class LessonFigures:
    """The figures that a lesson's texts name, as they are now."""

    def __init__(self, commands: Commands) -> None:
        self._commands, self._context = commands, commands.context
        self.picture: Picture | None = None
        self._truth = TruthReader(commands.window)

    def solve(self, position: Position | None) -> None:
        """Compute the exact results of a position in the background; None: stop."""
        self._truth.ask(position)

    @property
    def iterations(self) -> int:
        """Iterations of the run that is shown on the training page."""
        tab = self._commands.training
        return tab.model.iterations if tab is not None and tab.model is not None else 0

    def filled(self, text: str) -> str:
        """A text with its figures, as they are now."""
        return FIGURE.sub(lambda found: self.figure(found[1]), text)

    def rich(self, text: str) -> str:
        """The same as HTML: figures and **words** in bold."""
        parts = FIGURE.split(html.escape(text, quote=False))
        for place in range(1, len(parts), 2):
            parts[place] = f"<b>{html.escape(self.figure(html.unescape(parts[place])), quote=False)}</b>"
        pieces = "".join(parts).split("**")
        if len(pieces) % 2 == 0:  # one without its second
            last = pieces.pop()
            pieces[-1] += f"**{last}"
        return unbroken("".join(f"<b>{one}</b>" if place % 2 else one for place, one in enumerate(pieces)))

    def known(self, text: str) -> bool:
        """Whether there is each figure that a text names."""
        return all(self.figure(found[1]) != NONE for found in FIGURE.finditer(text))

    def figure(self, inside: str) -> str:
        """One figure; "–" while there is none."""
        name, _, rest = inside.strip().partition(" ")
        if name == PICTURE:
            return self.picture.figure(rest.strip()) if self.picture is not None else NONE
        if name in ("truth", "winning"):
            return self._exact(name, rest.strip())
        if name == "iterations":
            return count(self.iterations)
        snapshot = self._context.session.snapshot
        if name in _OF_MOVES:
            row = next((r for r in snapshot.moves if r.name == rest.strip()), None) if snapshot is not None else None
            return NONE if row is None else _OF_MOVES[name](row)
        return self._of_position(name, snapshot)

    def _exact(self, name: str, move: str) -> str:
        solution, game = self._truth.solution, self._context.state.game
        if solution is None or game is None:
            return NONE
        if name == "winning":
            won = [game.action_name(one.action) for one in solution.moves if one.value == 1]
            return ", ".join(won) or tr("none")
        values = {game.action_name(one.action): one.value for one in solution.moves}
        value = values.get(move)
        return NONE if value is None else tr(RESULTS[value])

    def _of_position(self, name: str, snapshot: Snapshot | None) -> str:
        position = self._context.state.shown.preview
        time = self._commands.time
        if position is not None and name == "legal":
            return str(len(position.legal_actions()))
        if position is not None and name == "player":
            return tr(kind_of(position.game.name).players[position.to_move])
        if name == "moment":
            return count(time.place)
        if name == "path":
            if time.playout is None or time.root is None:
                return NONE
            return " ".join(time.root.game.action_name(a) for a in time.playout.path) or tr("none")
        if snapshot is None:
            return NONE
        names = snapshot.position.game.action_names
        figures: dict[str, Callable[[], str]] = {
            "n": lambda: count(snapshot.simulations),
            "value": lambda: signed(snapshot.value, 2) or NONE,
            "V0": lambda: signed(snapshot.root.value, 2) or NONE,
            "best": lambda: names[snapshot.best] if snapshot.best >= 0 else NONE,
            "next": lambda: names[snapshot.root.next_action] if snapshot.root.next_action >= 0 else NONE,
            "searched": lambda: str(len(snapshot.moves)),
            "nodes": lambda: count(snapshot.counters.nodes),
            "line": lambda: " ".join(names[a] for a in snapshot.pv) or NONE,
        }
        return figures[name]() if name in figures else NONE


def unbroken(text: str) -> str:
    """The text, whose lines do not end within a number or a short formula."""
    for pattern, by in UNBROKEN:
        text = pattern.sub(by, text)
    return text


def _number(value: float, places: int = 2) -> str:
    return NONE if math.isnan(value) else "∞" if math.isinf(value) else f"{value:.{places}f}"


_OF_MOVES: Final[dict[str, Callable[[MoveRow], str]]] = {
    "N": lambda row: count(row.visits),
    "Q": lambda row: (signed(row.q, 2) if row.visits else "") or NONE,
    "U": lambda row: _number(row.u),
    "score": lambda row: _number(row.score),
    "P": lambda row: NONE if math.isnan(row.prior) else percent(row.prior),
    "net": lambda row: NONE if math.isnan(row.net_prior) else percent(row.net_prior),
    "V": lambda row: signed(row.value, 2) or NONE,
    "share": lambda row: percent(row.share, 0),
    "wins": lambda row: NONE if not row.visits else f"{(row.q + 1) / 2 * row.visits:g}",
    "rate": lambda row: NONE if not row.visits else percent((row.q + 1) / 2, 0),
}


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
        docks, state, session = commands.views.docks, commands.context.state, commands.context.session
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
            "dock": LessonTask(
                lambda name: tr("Open “{rest}” in the View menu.").format(rest=tr(docks[name].row.title)),
                lambda name: name in docks.shown,
                docks.show_dock,
            ),
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
                _fixed("Play a simulation: press ▶ below the board."),
                lambda _: commands.time.by_stages,
                lambda _: commands.time.play_on_board(),
            ),
            "predict": LessonTask(
                _counted("Press ? below the board and guess until {rest} guesses were right."),
                lambda number: commands.time.prediction.right >= int(number),
                self._predict,
            ),
            "run": LessonTask(
                self._words_of_run,
                lambda number: figures.iterations >= int(number),
                self._start_run,
            ),
        }

    def words(self, wait: Command) -> str:
        """What is to be done, in words."""
        return self._kinds[wait.words[0]].words(" ".join(wait.words[1:]))

    def is_done(self, wait: Command) -> bool:
        """Whether the task is done."""
        return self._kinds[wait.words[0]].done(" ".join(wait.words[1:]))

    def do(self, wait: Command) -> None:
        """Do the task."""
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
        """Make so many simulations more."""
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


def _words_of_play(name: str) -> str:
    if name == ANY:
        return tr("Play any move: click it on the board.")
    return tr("Play {rest}: click it on the board.").format(rest=name)


def _words_of_select(name: str) -> str:
    if name == ANY:
        return tr("Click any row of the moves.")
    return tr("Click the row of {rest} among the moves.").format(rest=name)


def _timeline(commands: Commands) -> Any:
    return commands.views.docks["timeline"].fill()


RING: Final = 3  # px
TARGETS: Final[dict[str, Callable[[Commands], QWidget]]] = {
    "board": lambda c: c.views.room.board,
    "value": lambda c: c.views.room.player,
    "game": lambda c: c.views.toolbar.game,
    "net": lambda c: c.views.toolbar.net,
    "run": lambda c: c.views.toolbar.run,
    "limit": lambda c: c.views.toolbar.limit,
    "overlays": lambda c: c.views.room.overlays,
    "workspaces": lambda c: c.views.toolbar.workspaces,
    "charts": lambda c: _timeline(c).page,
    "settings": lambda c: c.views.toolbar.settings,
    "record": lambda c: c.views.room.record,
    "playout": lambda c: c.views.room.navigation["play_on_board"],
    "predict": lambda c: c.views.room.navigation["predict"],
}


class Ring(QWidget):
    """A rounded frame over the window."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def put(self, box: QRect) -> None:
        """Show it round a rectangle of the window; an empty one hides it."""
        if box.isEmpty():
            self.hide()
            return
        outer = box.adjusted(-RING, -RING, RING, RING)
        if outer != self.geometry():
            self.setGeometry(outer)
            inner = self.rect().adjusted(2 * RING, 2 * RING, -2 * RING, -2 * RING)
            self.setMask(QRegion(self.rect()) - QRegion(inner))
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(current_theme().color("warn"), RING))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 7, 7)


def place_of(commands: Commands, point: Command) -> QRect:
    """The rectangle that a lesson points at, in the window; empty while it cannot be seen."""
    kind, name = point.words
    if kind == "part":
        widget = TARGETS[name](commands)
        return _in_window(widget, widget.rect())
    if kind == "dock":
        dock = commands.views.docks[name]
        return _in_window(dock, dock.rect())
    position = commands.context.state.shown.preview
    if position is None or name not in position.game.action_names:
        return QRect()
    action = position.game.action_names.index(name)
    if kind == "row":
        table = commands.views.tree
        box = table.visualRect(table.nodes.index_of((action,)))
        if box.isEmpty():
            return QRect()
        view = table.viewport()
        return _in_window(view, QRect(0, box.top(), view.width(), box.height()) & view.rect())
    board, cells = commands.views.room.board, QRectF()
    geometry = board.geometry_of_board()
    for cell in kind_of(position.game.name).places.cells_of(position, action):
        cells = cells.united(geometry.rect(cell))
    return _in_window(board, cells.toAlignedRect())


def _in_window(widget: QWidget, box: QRect) -> QRect:
    if not widget.isVisible() or widget.visibleRegion().isEmpty():
        return QRect()
    return QRect(widget.mapTo(widget.window(), QPoint(0, 0)) + box.topLeft(), box.size())


LASTING: Final = ("game", "moves", "leaves", "settings", "search", "seed", "docks", "overlay", "workspace")
OF_SEARCH: Final = ("game", "moves", "leaves", "settings", "search", "seed")
SEARCHED: Final = ("game", "moves", "leaves", "settings")  # commands after which a picture begins anew


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
        if self._before is not None:
            self._set_automatic(self._before[2])

    def set_up(self, steps: Sequence[LessonStep], number: int, onward: bool) -> None:
        """Bring the window to where a step begins; ``onward``: from the step before, which is done."""
        step = steps[number]
        commands = {c.name: c for c in step.commands} if onward else effective(steps, number)
        self._prepare(step.game, commands, [] if onward else moves_before(steps, number))
        searched = 0 if onward else searched_before(steps, number)
        if searched:  # what earlier steps searched, which this one speaks of
            self.tasks.search_to(searched)
        for point in (one for one in step.commands if one.name == "point"):  # bring it in front
            if point.words == ("part", "charts"):
                self._commands.views.docks.show_dock("timeline")
                _timeline(self._commands).show_charts()
            elif point.words[0] in ("dock", "row"):
                self._commands.views.docks.show_dock(point.words[1] if point.words[0] == "dock" else "tree")
        self.tasks.start = self._context.state.position
        wait = step.command("wait")
        if self._commands.time.prediction.on and (wait is None or wait.words[0] != "predict"):
            self._commands.time.toggle_prediction()
        wanted = any(word in text for text in _texts(step) for word in ("{truth", "{winning"))
        self.figures.solve(self.tasks.start if wanted else None)

    def _prepare(self, game: GameSpec | None, commands: dict[str, Command], played: Sequence[str]) -> None:
        workspaces, context = self._commands.workspaces, self._commands.context
        state, session = context.state, context.session
        if "workspace" in commands:
            workspaces.turn_to(commands["workspace"].words[0])
        elif "game" in commands:
            workspaces.show_board()
        if any(name in commands for name in OF_SEARCH):
            self._note_settings()
            self._set_automatic(False)
            session.stop()
            seed = whole(commands["seed"].words[0]) if "seed" in commands else session.seed
            position = state.position
            if game is not None and ("game" in commands or "moves" in commands):
                position = game.position(commands["moves"].rest if "moves" in commands else "")
            if "leaves" in commands and game is not None:
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
        if "overlay" in commands:
            self._note_settings()
            state.set_overlay(commands["overlay"].words[0])

    def show_docks(self, names: Sequence[str]) -> None:
        """Open these rooms and no others."""
        docks, workspaces = self._commands.views.docks, self._commands.workspaces
        if self._before_docks is None:
            self._before_docks = workspaces.shown.name, docks.arrangement()
        workspaces.turn_to(self._before_docks[0])
        for name in docks.shown:
            if name not in names and not docks[name].row.stays:
                docks.hide_dock(name)
        for name in names:
            docks.show_dock(name)

    def restore_docks(self) -> None:
        """Arrange the rooms as before the lesson."""
        before, self._before_docks = self._before_docks, None
        if before is not None:
            self._commands.workspaces.give_back(*before)

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
    found: dict[str, Command] = {}
    for step in steps[: number + 1]:
        if step.command("game") is not None:
            found.pop("moves", None)
        found |= {one.name: one for one in step.commands if one.name in LASTING}
    return found | {one.name: one for one in steps[number].commands}


def moves_before(steps: Sequence[LessonStep], number: int) -> list[str]:
    """The moves that earlier steps asked for since the game was opened."""
    played: list[str] = []
    for step in steps[: number + 1]:
        if step.command("game") is not None or step.command("moves") is not None:
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
    asked = [] if question is None else [question.text.text, question.answer, question.praise.text, question.hint.text]
    return [*(words.text for words in step.paragraphs), *asked]


def _source(leaves: str, game: GameSpec) -> Any:
    if leaves == "rollouts":
        return None
    return sources.UniformSource() if leaves == "uniform" else sources.default_source(game)
