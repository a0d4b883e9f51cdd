"""Writes lessons as pages: the window goes through them by itself, and keeps each step with its figures and its search.

A page has the texts of all steps, questions with their answers, pictures, and links to the searches, each of which is a
page of its own (``core.files.page``) with every moment of it.  There is a page for each language and a list of lessons.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from functools import partial
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject, Signal

from core.files.atomic import write_atomically
from core.files.lesson import Lesson, LessonStep
from core.files.page import PAGE, framed, page_file, search_page
from core.text import text_of
from gui.language.language import ENGLISH, TRANSLATED, chosen, set_language, tr
from gui.model.timers import make_timer
from gui.shell.lesson_figures import NONE, unbroken
from gui.shell.lessons import lessons_of
from gui.widgets.figures import count
from gui.widgets.saving import png

if TYPE_CHECKING:
    from core.files.tree_file import SavedSearch
    from gui.shell.commands import Commands

LOOK_MS: Final = 100
MOST_LOOKS: Final = 3000  # at one step, before it is kept as it is
OF_THE_PROGRAM: Final = ("run", "examined")  # tasks that take a training or minutes: such lessons are left out
LANGUAGES: Final = {ENGLISH: "English", **TRANSLATED}
INDEX: Final = "index"


class _KeptSearch(NamedTuple):
    name: str  # of its page
    simulations: int


class LessonPages(QObject):
    """Writes pages of lessons into a folder; the window is the lessons' until ``finished``."""

    finished = Signal(str)  # why not all could be written; "" when they are

    def __init__(self, commands: Commands, paths: Iterable[Path], folder: Path) -> None:
        super().__init__(commands.window)
        self._commands, self._context, self._folder = commands, commands.context, folder
        self._lessons = lessons_of(commands)
        self._left = list(paths)
        self._listed: list[Lesson] = []
        self._parts: dict[str, list[str]] = {}  # language -> the steps of the lesson so far
        self._asked = -1  # the step whose task was begun
        self._looks = 0  # at the step
        self._saving = False
        self._last: tuple[object, _KeptSearch | None] = (None, None)  # what was searched, and its page
        self._clock = make_timer(self, LOOK_MS, self._look)

    def start(self) -> None:
        """Begin once the engine is loaded."""
        self._clock.start()

    def _look(self) -> None:
        lessons = self._lessons
        if self._context.session.loading:
            return
        if self._saving:
            self._looks += 1
            if self._looks > MOST_LOOKS:  # the window has said why there is none
                self._saving = False
                self._keep_step(None)
            return
        try:
            if lessons.lesson is None:
                self._begin_next()
            elif self._is_done():
                self._keep_search()
        except (OSError, ValueError) as error:
            self._end(f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else text_of(error))

    def _begin_next(self) -> None:
        while self._left:
            lesson = self._lessons.read(self._left.pop(0))
            if not any((wait := step.command("wait")) and wait.words[0] in OF_THE_PROGRAM for step in lesson.steps):
                self._parts = {language: [] for language in LANGUAGES}
                self._asked, self._looks = -1, 0
                self._listed.append(lesson)
                self._lessons.start(lesson)
                return
        for language in LANGUAGES:
            self._write(INDEX, language, tr_in(language, "Lessons"), self._list_in(language))
        self._end("")

    def _end(self, problem: str) -> None:
        self._clock.stop()
        self.finished.emit(problem)

    # one step

    def _is_done(self) -> bool:
        """Whether the step's task is done and its figures are known; begins the task."""
        lessons, step = self._lessons, self._lessons.step
        assert step is not None
        self._looks += 1
        if step.command("trace") is not None and self._context.session.present is None:
            return self._looks > MOST_LOOKS
        if not lessons.done and (
            self._asked < lessons.number or lessons.wait is None or lessons.wait.words[0] == "predict"
        ):
            self._asked = lessons.number  # the answer to a question may still be computed; guesses are made one by one
            lessons.do_it()
        lessons.tick()
        known = all(lessons.stage.figures.has_figures(text) for text in _texts_of(step))
        return (lessons.done and known and not self._context.session.searching) or self._looks > MOST_LOOKS

    def _keep_search(self) -> None:
        """Write the search of the step where there is a new one, then the step."""
        present, state = self._context.session.present, self._context.state
        step = self._lessons.step
        assert step is not None
        shown = present is not None and present.simulations and present.position == state.position
        if present is None or not shown or step.game is None:  # without a game it is the one of before the lesson
            self._keep_step(None)
            return
        searched = state.document, id(state.record), present.position, present.simulations, state.settings
        if self._last[0] == searched:
            self._keep_step(self._last[1])
            return
        assert self._lessons.lesson is not None
        name = f"{self._lessons.lesson.name}-{self._lessons.number + 1}"
        self._saving = True
        self._commands.documents.with_search(
            state.document, partial(self._save, searched, _KeptSearch(name, present.simulations))
        )

    def _save(self, searched: object, kept: _KeptSearch, search: SavedSearch) -> None:
        if not self._saving:
            return
        self._saving = False
        try:
            data = search_page(search)
        except ValueError:  # a page cannot show it: another program's trace without its records
            self._last = searched, None
        else:
            write_atomically(self._folder / f"{kept.name}{PAGE}", data)
            self._last = searched, kept
        self._keep_step(self._last[1])

    def _keep_step(self, search: _KeptSearch | None) -> None:
        lesson, number = self._lessons.lesson, self._lessons.number
        assert lesson is not None
        before = chosen()
        for language, parts in self._parts.items():
            set_language(language)
            parts.append(self._step_in(language, lesson.steps[number], number, search))
        set_language(before)
        last, self._looks = number + 1 == len(lesson.steps), 0
        if last:
            for language, parts in self._parts.items():
                self._write(lesson.name, language, lesson.title.in_language(language), "\n".join(parts))
        self._lessons.done = True  # also where the task could not be done
        self._lessons.turn_on()

    def _step_in(self, language: str, step: LessonStep, number: int, search: _KeptSearch | None) -> str:
        figures, wait = self._lessons.stage.figures, step.command("wait")
        lines = [f"<section>\n<h2>{number + 1}. {escape(step.title.in_language(language))}</h2>"]
        texts = [words.in_language(language) for words in step.paragraphs]
        lines += [f"<p>{figures.rich(text)}</p>" for text in texts if figures.has_figures(text)]
        if wait is not None:
            lines.append(f'<p class="task">{escape(unbroken(self._lessons.stage.tasks.words(wait)))}</p>')
        if figures.picture is not None:
            picture = base64.b64encode(self._picture()).decode()
            alt = escape(step.title.in_language(language), quote=True)
            lines.append(f'<img src="data:image/png;base64,{picture}" alt="{alt}">')
        if step.question is not None:
            lines += self._question_in(language, step)
        if search is not None:
            words = tr("The search of this step: n = {simulations}").format(simulations=count(search.simulations))
            lines.append(
                f'<p class="search"><a href="{search.name}{PAGE}#language={language[:2]}">{escape(words)}</a></p>'
            )
        return "\n".join([*lines, "</section>"])

    def _question_in(self, language: str, step: LessonStep) -> list[str]:
        question, filled = step.question, self._lessons.stage.figures.filled
        assert question is not None
        lines = [f"<p><b>{escape(filled(question.text.in_language(language)))}</b></p>"]
        if question.choices:
            choices = [escape(filled(choice.words.in_language(language))) for choice in question.choices]
            lines.append(f"<ul>{''.join(f'<li>{choice}</li>' for choice in choices)}</ul>")
        right = next(
            (choice.words.in_language(language) for choice in question.choices if choice.right), question.answer
        )
        said = [filled(right), filled(question.praise.in_language(language))]
        answer = ". ".join(text.rstrip(".") for text in said if text and text != NONE)
        lines.append(f"<details><summary>{escape(tr('Answer'))}</summary><p>{escape(answer)}</p></details>")
        return lines

    def _picture(self) -> bytes:
        picture = self._lessons.stage.figures.picture
        assert picture is not None
        return png(picture.canvas.grab())

    # files

    def _write(self, name: str, language: str, title: str, body: str) -> None:
        others = [
            f'<a href="{page_name(name, other)}" lang="{other.replace("_", "-")}">{LANGUAGES[other]}</a>'
            for other in LANGUAGES
            if other != language
        ]
        home = (
            []
            if name == INDEX
            else [f'<a href="{page_name(INDEX, language)}">{escape(tr_in(language, "Lessons"))}</a>']
        )
        filled = Template(page_file("lesson.html")).substitute(
            title=escape(title), links=" · ".join([*home, *others]), body=body
        )
        page = framed(title, filled, "lesson.css", "img-src data:; ", language)
        write_atomically(self._folder / page_name(name, language), page)

    def _list_in(self, language: str) -> str:
        lines = [
            f'<li><a href="{page_name(lesson.name, language)}">{escape(lesson.title.in_language(language))}</a>'
            f"<br>{escape(lesson.about.in_language(language))}</li>"
            for lesson in self._listed
        ]
        return "\n".join(["<ol>", *lines, "</ol>"])


def page_name(name: str, language: str) -> str:
    """The file of a page in a language."""
    return f"{name}{PAGE}" if language == ENGLISH else f"{name}.{language[:2]}{PAGE}"


def tr_in(language: str, text: str) -> str:
    """The translation of a text into a language that need not be the one in force."""
    before = chosen()
    set_language(language)
    words = tr(text)
    set_language(before)
    return words


def _texts_of(step: LessonStep) -> Sequence[str]:
    question = step.question
    texts = [words.text for words in step.paragraphs]
    return texts if question is None else [*texts, question.text.text, question.answer, question.praise.text]
