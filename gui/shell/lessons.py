"""Runs lessons in a window: shows their steps in a panel beside the pages, waits for the learner, keeps the place.

Holds the lesson's texts and decides when to turn; what a step does with the window is the stage's.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QRect

from core.files.lesson import (
    Command,
    Lesson,
    LessonChoice,
    LessonStep,
    Question,
    Vocabulary,
    Words,
    load_lesson,
    options_from,
    settings_from,
    whole,
)
from core.search import SearchSettings
from core.text import Text, text_of
from gui.language.language import ENGLISH, TRANSLATED, chosen, language_of, tr
from gui.model.timers import make_timer
from gui.rooms.lessons.panel import LessonPanel, ListRow
from gui.rooms.lessons.picture import PICTURES, Picture
from gui.shell.docks import ROWS, WORKSPACES
from gui.shell.lesson_figures import NONE, unbroken
from gui.shell.lesson_points import TARGETS, Ring, place_of
from gui.shell.lesson_stage import SEARCHED, Stage, effective, experimented_before
from gui.widgets.board.overlays.table import NAMES as OVERLAYS
from gui.widgets.saving import ask_open_name
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from gui.shell.commands import Commands

TICK_MS: Final = 100
ORDER: Final = "order.txt"  # the names of the lessons, one a line
TOUR: Final = "tour.txt"  # which is in no list
VOCABULARY: Final = Vocabulary(
    tuple(name for row in ROWS for name in (row.name, *(part.name for part in row.parts))),
    tuple(row[0] for row in WORKSPACES),
    OVERLAYS,
    tuple(TARGETS),
    PICTURES,
    [code[:2] for code in (ENGLISH, *TRANSLATED)],
)


def lessons_home() -> Path:
    """Return the folder of the lessons that come with the program."""
    return Path(str(files("resources").joinpath("lessons")))


def own_lessons() -> list[Path]:
    """Return the files of those lessons, in their order."""
    home = lessons_home()
    return [home / f"{name}.txt" for name in (home / ORDER).read_text(encoding="utf-8").split()]


class Lessons(QObject):
    """The lessons of one window."""

    def __init__(self, commands: Commands) -> None:
        super().__init__(commands.window)
        self._commands, self._context = commands, commands.context
        self.stage = Stage(commands)
        self.lesson: Lesson | None = None
        self.number = 0  # of the step shown, from 0
        self.done = False  # the step's task is done
        self._pictured = ""  # what the picture shown was made of
        self._files = own_lessons()
        self._loaded: dict[Path, Lesson] = {}
        self._docks = commands.views.docks
        self.ring = Ring(commands.window, self._docks.frames, self._pointed_at)
        self.panel = LessonPanel(commands.window)
        self._docks.dock_toggled.connect(self._toggled)
        self._clock = make_timer(self, TICK_MS, self.tick)
        panel, step = self.panel, self.panel.step
        panel.listed.connect(self.show_list)
        panel.list.opened.connect(lambda place: self._open(self._files[place]))
        panel.open.clicked.connect(self.choose_file)
        panel.went_on.connect(self.turn_on)
        panel.more_asked.connect(self.stage.tasks.search_on)
        step.back.clicked.connect(lambda: self.turn_to(self.number - 1))
        step.next.clicked.connect(self.turn_on)
        step.do_it.clicked.connect(self.do_it)
        step.question.chosen.connect(self._choose)
        step.question.entered.connect(self.answer)
        on_language(panel, self._show_again)
        commands.context.events.closing.connect(self._end)

    # opening and leaving

    def show(self) -> None:
        """Show the panel: the lesson that is open, or the list."""
        if self.lesson is None:
            self.show_list()
        else:
            self._show_panel()

    def _show_panel(self) -> None:
        self._docks.show_dock("lessons")
        self._clock.start()

    @property
    def open(self) -> bool:
        """Whether the panel is open."""
        return self._docks["lessons"].open

    def _toggled(self, name: str, shown: bool) -> None:
        if name == "lessons" and not shown:
            self._left()

    def show_list(self) -> None:
        """Show the list of lessons; a lesson that was open is left where it is."""
        self.lesson = None
        self.stage.figures.picture = None
        self.stage.restore_docks()
        self.ring.hide()
        self.panel.show_list([self._row(path) for path in self._files])
        self._show_panel()
        self.panel.list.show_row(self._following)
        self.panel.list.setFocus()

    @property
    def _following(self) -> int:
        """The first lesson that is not finished, in the list."""
        rows = [self._row(path) for path in self._files]
        return next((place for place, row in enumerate(rows) if row.reached < row.steps), 0)

    def _row(self, path: Path) -> ListRow:
        lesson, code = self.read(path), language_of(chosen())
        reached = self._context.preferences.steps_done(lesson.name)
        title, about = lesson.title.in_language(code), lesson.about.in_language(code)
        return ListRow(title, about, lesson.minutes, reached, len(lesson.steps))

    def read(self, path: Path) -> Lesson:
        """The lesson in a file; BadFile or OSError when it cannot be read."""
        if path not in self._loaded:
            self._loaded[path] = load_lesson(path, VOCABULARY)
        return self._loaded[path]

    def choose_file(self) -> None:
        """Show the dialog to open a lesson's file."""
        filters = tr("Lessons (*.txt);;All files (*)")
        path = ask_open_name(self._commands.window, tr("&Open a lesson…"), "games", filters)
        if path is not None:
            self.open_file(path)

    def open_file(self, path: Path) -> None:
        """Open a lesson of a teacher's; what is wrong in it is said in one sentence."""
        self._loaded.pop(path, None)
        self._open(path)

    def _open(self, path: Path) -> None:
        if self._context.session.loading:
            self._context.messages.show_notice("The engine is still being loaded: open the lesson in a moment.")
            return
        try:
            lesson = self.read(path)
        except (ValueError, OSError) as error:
            self._context.messages.show_error(text_of(error))
            return
        reached = self._context.preferences.steps_done(lesson.name)
        self.start(lesson, reached if reached < len(lesson.steps) else 0)

    def start(self, lesson: Lesson, number: int = 0) -> None:
        """Begin a lesson at a step."""
        self.lesson = lesson
        self._show_panel()
        self._begin(number, onward=number == 0)

    def start_tour(self) -> None:
        """Begin the lesson that shows the workspaces."""
        self._context.preferences.tour_seen = True
        self.start(self.read(lessons_home() / TOUR))

    def leave(self) -> None:
        """Close the panel; the game stays, and the settings of before can be restored."""
        self._docks.hide_dock("lessons")

    def _left(self) -> None:
        self._clock.stop()
        self.lesson = None
        self.panel.step.set_picture(None)
        self.ring.hide()
        self.stage.leave()
        if self.stage.touched:
            words = Text("The lesson's game and settings stay until you change them.")
            self._context.messages.show_offer(words, "Restore my settings", self.stage.restore)
        self._commands.views.room.board.setFocus()

    def _end(self) -> None:
        """Stop with the window, whose docks are saved as they were before the lesson."""
        self._clock.stop()
        self.panel.step.set_picture(None)
        self.stage.restore_docks()

    # steps

    @property
    def step(self) -> LessonStep | None:
        """The step shown."""
        return None if self.lesson is None else self.lesson.steps[self.number]

    @property
    def wait(self) -> Command | None:
        """What the step waits for."""
        return None if self.step is None else self.step.command("wait")

    @property
    def passed(self) -> bool:
        """Whether the step was done before."""
        lesson = self.lesson
        return lesson is not None and self.number < self._context.preferences.steps_done(lesson.name)

    @property
    def strayed(self) -> bool:
        """Whether the window shows another position than the step speaks of."""
        return self.step is not None and self.stage.strayed(self.step)

    def turn_to(self, number: int) -> None:
        """Show a step, with the window as it begins."""
        if self.lesson is not None and 0 <= number < len(self.lesson.steps):
            self._begin(number, onward=False)

    def turn_on(self) -> None:
        """Go on to the next step; after the last one back to the list."""
        if self.lesson is None or not (self.done or self.passed):
            return
        preferences, lesson = self._context.preferences, self.lesson
        onward = self.done and not self.strayed
        reached = max(self.number + 1, preferences.steps_done(lesson.name))
        preferences.set_steps_done(lesson.name, reached)
        if self.number + 1 == len(lesson.steps):
            self.show_list()
        else:
            self._begin(self.number + 1, onward)

    def _begin(self, number: int, onward: bool) -> None:
        assert self.lesson is not None
        self.number, self.done = number, False
        step, page = self.lesson.steps[number], self.panel.step
        self.stage.set_up(self.lesson.steps, number, onward)
        picture = step.command("picture")
        changed = not onward or any(step.command(name) is not None for name in SEARCHED)
        if changed or picture is None or self._pictured != picture.rest:  # else it goes on
            self.stage.figures.picture = None if picture is None else self._make_picture(picture)
            page.set_picture(self.stage.figures.picture)
        self._pictured = "" if picture is None else picture.rest
        buttons = step.command("buttons")
        self.panel.set_more([] if buttons is None else [whole(word) for word in buttons.words])
        page.question.set_choices(len(step.question.choices) if step.question is not None else 0)
        page.question.setVisible(step.question is not None)
        page.progress.show_step(number, len(self.lesson.steps))
        page.back.setEnabled(number > 0)
        page.fit_width()
        page.area.verticalScrollBar().setValue(0)
        if self.wait is None and step.question is None:
            self.done = True
        self._show_again()
        entered = step.question is not None and not step.question.choices
        (page.next if self.done else page.question.field if entered else page.area).setFocus()

    def _make_picture(self, command: Command) -> Picture:
        """Make the picture of a step, with the position shown and the settings that the lesson gave."""
        assert self.lesson is not None
        changed = effective(self.lesson.steps, self.number).get("settings")
        settings = settings_from(changed) if changed is not None else SearchSettings(selection="ucb1")
        picture = Picture(command.words[0], options_from(command), self._context.state.position, settings)
        before = experimented_before(self.lesson.steps, self.number)
        if before:
            picture.add(before)
        picture.changed.connect(self.tick)
        return picture

    def _show_again(self) -> None:
        """Show the list or the step in the language in force."""
        if self.lesson is None:
            if self.open:
                self.panel.show_list([self._row(path) for path in self._files])
            return
        code, step, page = language_of(chosen()), self.step, self.panel.step
        assert step is not None
        self.panel.show_lesson(self.lesson.title.in_language(code))
        page.title.setText(step.title.in_language(code))
        last = self.number + 1 == len(self.lesson.steps)
        set_texts(page.next, text="Done" if last else "Next step")
        self.tick()

    def tick(self) -> None:
        """Update figures, the task and the ring."""
        step, page = self.step, self.panel.step
        if step is None or not self.open:
            return
        wait = self.wait
        if wait is not None and not self.done:
            self.done = self.stage.tasks.is_done(wait)
        figures = self.stage.figures
        texts = [self._in_language(words) for words in step.paragraphs]
        page.show_text("".join(f"<p>{figures.rich(text)}</p>" for text in texts if figures.has_figures(text)))
        if step.question is not None:
            self._show_question(step.question)
        task = "" if wait is None else unbroken(self.stage.tasks.words(wait))
        if self.strayed:
            page.show_task(tr("The board shows another position than this step."), False)
        else:
            page.show_task(tr("✓ {task}").format(task=task) if task and self.done else task, self.done)
        page.next.setEnabled(self.done or self.passed)
        set_texts(page.do_it, text="Put it back" if self.strayed else "Do it for me")
        page.do_it.setVisible(self.strayed or not self.done)
        page.fit_picture()
        self.ring.renew()

    def _in_language(self, words: Words) -> str:
        return words.in_language(language_of(chosen()))

    def _show_question(self, question: Question) -> None:
        fill = self.stage.figures.filled
        self.panel.step.question.show_words(
            fill(self._in_language(question.text)),
            [fill(self._in_language(choice.words)) for choice in question.choices],
        )

    def _pointed_at(self) -> QRect:
        """What the step points at, in the window; empty for nothing in sight."""
        if self.step is None or not self.open:
            return QRect()
        points = [point for point in self.step.commands if point.name == "point"]
        boxes = [place_of(self._commands, point) for point in points]
        return next((box for box in boxes if not box.isEmpty()), QRect())

    # tasks and answers

    def do_it(self) -> None:
        """Do the task, or give the answer; where the board was left, bring it back first."""
        step = self.step
        if step is None:
            return
        if self.strayed:
            self.turn_to(self.number)
            return
        if self.wait is not None:
            self.stage.tasks.do(self.wait)
        elif step.question is not None and step.question.choices:
            self._choose(next(place for place, choice in enumerate(step.question.choices) if choice.right))
        elif step.question is not None:
            expected = self.stage.figures.filled(step.question.answer)
            if expected != NONE:
                self.panel.step.question.field.setText(expected)
            self.answer(expected)
        self.tick()

    def _choose(self, place: int) -> None:
        question = self.step.question if self.step is not None else None
        if question is not None and place < len(question.choices):
            choice: LessonChoice = question.choices[place]
            self.panel.step.question.mark_choice(place, choice.right)
            self._judge(question, choice.right)

    def answer(self, text: str) -> None:
        """Judge what was entered."""
        question = self.step.question if self.step is not None else None
        if question is None or not text.strip():
            return
        expected = self.stage.figures.filled(question.answer)
        if expected == NONE:
            self.panel.step.question.say(tr("There is no figure to compare with yet; wait for the search."))
            return
        self._judge(question, agrees(text, expected, question.within))

    def _judge(self, question: Question, right: bool) -> None:
        answer = question.praise if right else question.hint
        words = self.stage.figures.filled(self._in_language(answer))
        begun = tr("Right.") if right else tr("Not yet.")
        self.panel.step.question.say(f"{begun} {words}".strip(), right)
        self.done = self.done or right
        self.tick()
        if right:
            self.panel.step.next.setFocus()


def agrees(text: str, expected: str, within: float) -> bool:
    """Whether an answer is the expected one: as a number within a distance, else as a word."""
    entered, right = _plain_number(text), _plain_number(expected)
    if entered is not None and right is not None:
        return abs(entered - right) <= within + 1e-9
    return text.strip().lower() == expected.strip().lower()


def _plain_number(text: str) -> float | None:
    """A number as it may be typed: with spaces, a comma, a sign, a percent sign."""
    plain = "".join(text.split()).replace("\u2212", "-").replace(",", ".").rstrip("%")
    try:
        return float(plain)
    except ValueError:
        return None


def lessons_of(commands: Commands) -> Lessons:
    """Return the lessons of a window, created when first needed."""
    lessons = commands.window.findChild(Lessons)
    return lessons if isinstance(lessons, Lessons) else Lessons(commands)
