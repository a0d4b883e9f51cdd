"""Reads lessons: text files of steps, each with texts in several languages and a few commands.

A lesson in short (``resources/guide/en/lessons.md`` explains every command)::

# Title
    zh: the same in Chinese: a line ``zh:`` translates the line before it
    What the lesson is about.

## Title of a step
    One paragraph a line, with figures read live from the search: {N b2}
    @game tictactoe
    @wait play b2

Everything is checked when the file is read; a fault is a BadFile of one sentence with the number of its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from core.checks import short
from core.files.lesson_beside import BesideLesson
from core.files.reading import BadFile, read_bytes
from core.games import GameSpec, load_game
from core.search.settings import SETTING, SearchSettings
from core.text import Text, text_of

MOST_SIMULATIONS: Final = 1_000_000
ANY: Final = "any"  # any move
LEAVES: Final = ("rollouts", "uniform", "net")
POSITIONS: Final = ("game", "moves", "leaves", "seed")  # what a trace has itself
LINT: Final = "lint"  # behind the name of a trace: with its faults
RUN_PAGES: Final = ("charts", "games", "samples", "checkpoints", "diagnosis", "settings")  # behind that of a run
MAX_BYTES: Final = 256 << 10
MOST_STEPS: Final = 100
LONGEST_LINE: Final = 2000

# The figures that a text may name in braces, and whether a move follows.
FIGURES: Final = {
    "N": True,  # visits of a move
    "Q": True,  # searched value, -1 to +1
    "U": True,  # exploration term
    "score": True,  # Q + U
    "P": True,  # prior that the search uses, noise included
    "net": True,  # the net's prior
    "V": True,  # the net's value of the move
    "share": True,  # of the visits
    "wins": True,  # (Q + 1) / 2 · N: games won, a draw as half
    "rate": True,  # wins / N
    "truth": True,  # exact result of a move: win, draw, loss
    "n": False,  # simulations
    "value": False,  # of the position for the side to move
    "V0": False,  # the net's value of the position
    "best": False,  # the move that would be played
    "next": False,  # the move of the next simulation
    "winning": False,  # the moves that win by force, by exact solution
    "legal": False,  # number of legal moves
    "searched": False,  # number of moves in the table, symmetric ones counted once
    "player": False,  # the side to move
    "nodes": False,  # nodes in the tree
    "line": False,  # the principal variation
    "moment": False,  # the simulation looked at
    "path": False,  # the moves of that simulation
    "iterations": False,  # of the training run
    "diagnosis": False,  # what the doctor finds first in the training run, in a few words
    "fault": False,  # the first that lint finds in the trace, as a sentence
}
PICTURE: Final = "picture"  # {picture NAME}: a figure of the picture in the panel
INSIDE: Final = "inside"  # {inside NAME …}: a figure of the room Inside the net
FIGURE: Final = re.compile(r"\{([^{}]*)\}")
_LANGUAGE: Final = re.compile(r"([a-z]{2}):(?:\s+|$)(.*)")


@dataclass(frozen=True)
class Command:
    """One command: ``words`` are those behind its name, ``rest`` the same as one text."""

    line: int
    name: str
    words: tuple[str, ...]
    rest: str


Check = Callable[[str, GameSpec | None, "Vocabulary"], object]


def whole(text: str, most: int = MOST_SIMULATIONS) -> int:
    """A whole number from 0; ValueError else."""
    if not (text.isascii() and text.isdecimal()) or int(text[:12]) > most:
        raise ValueError(f"{short(text)} is no whole number from 0 to {most}")
    return int(text)


def _number(text: str, game: GameSpec | None, vocabulary: Vocabulary) -> None:
    whole(text)


def _decimal(text: str, game: GameSpec | None, vocabulary: Vocabulary) -> None:
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9])?", text):
        raise ValueError(f"{short(text)} is no place of the slider; write a number such as 1 or 0.5")


def _move(text: str, game: GameSpec | None, vocabulary: Vocabulary) -> None:
    if game is None:
        raise ValueError("a move needs a game before it: @game")
    if text not in game.action_names:
        raise ValueError(f"there is no move {short(text)} in {game.text}; a move looks like {game.action_names[0]}")


MOVE: Final[Check] = _move


def _move_or_any(text: str, game: GameSpec | None, vocabulary: Vocabulary) -> None:
    if text != ANY:
        _move(text, game, vocabulary)


def _concept(text: str, game: GameSpec | None, vocabulary: Vocabulary) -> None:
    names = [] if game is None else [concept.name for concept in game.concepts]
    if text not in names:
        raise ValueError(f"there is no concept {short(text)} here; there are {', '.join(names) or 'none'}")


def _one_of(names_in: Callable[[Vocabulary], Collection[str]]) -> Check:
    def check(text: str, game: GameSpec | None, vocabulary: Vocabulary) -> None:
        names = names_in(vocabulary)
        if text not in names:
            raise ValueError(f"there is no {short(text)} here; there are {', '.join(names)}")

    return check


def _in(names: tuple[str, ...]) -> Check:
    return _one_of(lambda _: names)


# What a step waits for -> what stands behind it; None: nothing.
WAITS: Final[dict[str, Check | None]] = {
    "play": _move_or_any,
    "select": _move_or_any,
    "search": None,
    "pause": None,
    "simulations": _number,
    "moment": _number,
    "dock": _one_of(lambda vocabulary: vocabulary.docks),
    "overlay": _one_of(lambda vocabulary: vocabulary.overlays),
    "workspace": _one_of(lambda vocabulary: vocabulary.workspaces),
    "picture": _number,
    "slider": _decimal,
    "block": _number,
    "examined": None,
    "run": _number,
    "diagnosis": None,
    "playout": None,
    "predict": _number,
    "cause": _move,
}
# Figures of the room Inside the net -> what stands behind each; None: nothing.
INSIDE_FIGURES: Final[dict[str, Check | None]] = {
    "turns": None,  # the block from which on the net's move is the first; 0: the stem
    "first": _number,  # the first move after a block
    "share": _number,  # its P
    "V": _number,  # the value after a block
    "stone": None,  # the stone that the net's move needs most
    "reason": None,  # how far the move is right for the right reason
    "reads": _concept,  # how well the last block tells a concept
    "bare": _concept,  # how well the bare board does
}
# What can be pointed at -> what stands behind it.
POINTS: Final[dict[str, Check]] = {
    "dock": _one_of(lambda vocabulary: vocabulary.docks),
    "cell": _move,
    "row": _move,
    "part": _one_of(lambda vocabulary: vocabulary.targets),
}


@dataclass(frozen=True)
class _Kind:
    """How a command is written."""

    check: Callable[[Command, GameSpec | None, Vocabulary], object]
    once: bool = True


def _each(check: Check) -> Callable[[Command, GameSpec | None, Vocabulary], object]:
    def run(command: Command, game: GameSpec | None, vocabulary: Vocabulary) -> None:
        if not command.words:
            raise ValueError(f"@{command.name} needs something after it")
        for word in command.words:
            check(word, game, vocabulary)

    return run


def _single(check: Check) -> Callable[[Command, GameSpec | None, Vocabulary], object]:
    def run(command: Command, game: GameSpec | None, vocabulary: Vocabulary) -> None:
        if len(command.words) != 1:
            raise ValueError(f"@{command.name} needs one word after it")
        check(command.words[0], game, vocabulary)

    return run


def _pair(table: dict[str, Any]) -> Callable[[Command, GameSpec | None, Vocabulary], object]:
    def run(command: Command, game: GameSpec | None, vocabulary: Vocabulary) -> None:
        kind = command.words[0] if command.words else ""
        if kind not in table:
            raise ValueError(f"@{command.name} {short(kind)}: there are {', '.join(table)}")
        check = table[kind]
        if len(command.words) != (1 if check is None else 2):
            raise ValueError(f"@{command.name} {kind} takes {'nothing after it' if check is None else 'one word more'}")
        if check is not None:
            check(command.words[1], game, vocabulary)

    return run


def _opened(command: Command, game: GameSpec | None, vocabulary: Vocabulary) -> None:
    assert game is not None  # the reader has loaded it


def _moves(command: Command, game: GameSpec | None, vocabulary: Vocabulary) -> None:
    if game is None:
        raise ValueError("@moves needs a game before it: @game")
    game.position(command.rest)


def _settings(command: Command, game: GameSpec | None, vocabulary: Vocabulary) -> None:
    settings_from(command)


def settings_from(command: Command) -> SearchSettings:
    """The settings that ``@settings name=value …`` names, all others at their defaults; ValueError for a bad one."""
    values: dict[str, Any] = {}
    for word in command.words:
        name, equals, text = word.partition("=")
        setting = SETTING.get(name)
        if setting is None or not equals:
            raise ValueError(f"{short(word)} is no search setting; write name=value")
        values[name] = _value(setting.kind, text)
    return SearchSettings(**values)


def _value(kind: str, text: str) -> Any:
    if kind == "bool":
        return {"true": True, "false": False}.get(text, text)
    try:
        return int(text) if kind == "int" else float(text) if kind == "float" else text
    except ValueError:
        return text  # SearchSettings refuses it in words


def options_from(command: Command) -> dict[str, float | tuple[float, ...]]:
    """The numbers that ``@picture NAME name=value …`` gives, lists with commas; ValueError for a bad one."""
    options: dict[str, float | tuple[float, ...]] = {}
    for word in command.words[1:]:
        name, equals, text = word.partition("=")
        try:
            numbers = tuple(float(part) for part in text.split(","))
        except ValueError:
            numbers = ()
        if not equals or not numbers or not all(abs(number) < 1e9 for number in numbers) or len(numbers) > 20:
            raise ValueError(f"{short(word)} is no option of a picture; write name=number")
        options[name] = numbers if len(numbers) > 1 else numbers[0]
    return options


def _picture(command: Command, game: GameSpec | None, vocabulary: Vocabulary) -> None:
    name = command.words[0] if command.words else ""
    if name not in vocabulary.pictures:
        raise ValueError(f"there is no picture {short(name)}; there are {', '.join(vocabulary.pictures)}")
    options_from(command)


def _trace(command: Command, game: GameSpec | None, vocabulary: Vocabulary) -> None:
    if len(command.words) > 2 or command.words[1:] not in ((), (LINT,)):
        raise ValueError(f"@trace needs the name of a file beside the lesson after it, and perhaps {LINT}")


def _training(command: Command, game: GameSpec | None, vocabulary: Vocabulary) -> None:
    if not 2 <= len(command.words) <= 3 or command.words[1] not in RUN_PAGES:
        raise ValueError(
            f"@training needs the name of a run's folder beside the lesson after it, a page of {', '.join(RUN_PAGES)}, "
            "and perhaps the number of a sample"
        )
    if command.words[2:]:
        whole(command.words[2])


COMMANDS: Final[dict[str, _Kind]] = {
    "game": _Kind(_opened),
    "trace": _Kind(_trace),
    "training": _Kind(_training),
    "moves": _Kind(_moves),
    "leaves": _Kind(_single(_in(LEAVES))),
    "settings": _Kind(_settings),
    "search": _Kind(_single(_number)),
    "seed": _Kind(_single(_number)),
    "buttons": _Kind(_each(_number)),
    "docks": _Kind(_each(_one_of(lambda vocabulary: vocabulary.docks))),
    "overlay": _Kind(_single(_one_of(lambda vocabulary: vocabulary.overlays))),
    "workspace": _Kind(_single(_one_of(lambda vocabulary: vocabulary.workspaces))),
    "picture": _Kind(_picture),
    "point": _Kind(_pair(POINTS), once=False),
    "wait": _Kind(_pair(WAITS)),
}


def check_command(command: Command, game: GameSpec | None, vocabulary: Vocabulary) -> None:
    """ValueError for a command that cannot be carried out."""
    COMMANDS[command.name].check(command, game, vocabulary)


@dataclass(frozen=True)
class Words:
    """A text in the language that it was written in, and its translations by language ("zh")."""

    text: str
    others: Mapping[str, str] = field(default_factory=dict)

    def in_language(self, code: str) -> str:
        """The text in a language such as "zh_CN"; as it was written where there is no translation."""
        return self.others.get(code.partition("_")[0], self.text)


@dataclass(frozen=True)
class LessonChoice:
    """One answer to choose."""

    words: Words
    right: bool


@dataclass(frozen=True)
class Question:
    """A question: one of ``choices``, or a number or move compared with ``answer``, in which figures may stand."""

    text: Words
    choices: tuple[LessonChoice, ...]
    answer: str
    within: float  # how far a number may be off
    praise: Words  # shown after the right answer
    hint: Words  # shown after a wrong one


@dataclass(frozen=True)
class LessonStep:
    """One step: its texts, what it sets up, points at and waits for."""

    title: Words
    paragraphs: tuple[Words, ...]
    commands: tuple[Command, ...]
    game: GameSpec | None  # the game of this step, opened here or in an earlier one
    question: Question | None = None

    def command(self, name: str) -> Command | None:
        """The command of a name; None when the step has none."""
        return next((command for command in self.commands if command.name == name), None)


@dataclass(frozen=True)
class Lesson:
    """A lesson; ``name`` is its file's, by which progress is kept."""

    name: str
    title: Words
    about: Words
    minutes: int  # 0: not said
    steps: tuple[LessonStep, ...]


@dataclass(frozen=True)
class Vocabulary:
    """The names that a window knows."""

    docks: Collection[str]
    workspaces: Collection[str]
    overlays: Collection[str]
    targets: Collection[str]
    pictures: Mapping[str, Collection[str]]  # the figures of each
    languages: Collection[str]  # two letters of each


@dataclass
class _Text:
    """A text while it is being read."""

    line: int
    text: str
    others: dict[str, str] = field(default_factory=dict)

    def words(self) -> Words:
        return Words(self.text, self.others)


def load_lesson(path: Path, vocabulary: Vocabulary) -> Lesson:
    """Read a lesson's file; BadFile or OSError when it cannot be read."""
    return read_lesson(read_bytes(path, MAX_BYTES), path.name, vocabulary, path.parent)


def read_lesson(data: bytes, file: str, vocabulary: Vocabulary, folder: Path | None = None) -> Lesson:
    """Read a lesson; ``file`` names it in errors, in ``folder`` are its traces.  BadFile with the line of the first
    fault."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadFile(f"{file}, line {line}: it is not UTF-8") from error
    reader = _Reader(file, vocabulary, folder)
    try:
        for number, written in enumerate(text.splitlines(), 1):
            reader.line = number
            reader.take(written.strip())
        return reader.lesson()
    except ValueError as error:
        line = reader.line
        raise BadFile(
            Text("{file}, line {line}: {error}", file=short_name(file), line=line, error=text_of(error))
        ) from error


def short_name(file: str) -> str:
    """A file's name for a message."""
    return file if len(file) <= 60 else short(file)


class _Reader:
    """Reads line by line; ``line`` is the present one's number."""

    def __init__(self, file: str, vocabulary: Vocabulary, folder: Path | None) -> None:
        self._file, self._vocabulary = file, vocabulary
        self._beside = BesideLesson(folder)
        self.line = 1
        self._title: _Text | None = None
        self._about: list[_Text] = []
        self._minutes = 0
        self._steps: list[LessonStep] = []
        self._step: _StepReader | None = None
        self._last: _Text | None = None  # what a translation is of
        self._game: GameSpec | None = None

    def take(self, line: str) -> None:
        if len(line) > LONGEST_LINE:
            raise ValueError(f"the line is longer than {LONGEST_LINE} characters")
        if not line:
            return
        translated = _LANGUAGE.fullmatch(line)
        if self._title is None and not line.startswith("# "):
            raise ValueError("a lesson begins with its title: # Title")
        if line.startswith("## "):
            self._finish_step()
            self._last = _Text(self.line, line[3:].strip())
            self._step = _StepReader(self._last, self._game, self._vocabulary, self._beside)
        elif line.startswith("# "):
            if self._title is not None:
                raise ValueError("a lesson has one title; steps begin with ##")
            self._title = self._last = _Text(self.line, line[2:].strip())
        elif translated and translated[1] in self._vocabulary.languages:
            if self._last is None or translated[1] in self._last.others:
                raise ValueError(f"{short(line)}: there is no text before it to translate")
            self._last.others[translated[1]] = translated[2]
            self._note(translated[2])
        elif line.startswith("@"):
            self._command(line)
        else:
            self._last = _Text(self.line, line)
            (self._step.paragraphs if self._step is not None else self._about).append(self._last)
            self._note(line)

    def _note(self, text: str) -> None:
        """Note a text of the step, whose figures are checked at the step's end: a game or picture may follow it."""
        if self._step is not None:
            self._step.written.append((self.line, text))

    def _command(self, line: str) -> None:
        name, _, rest = line[1:].partition(" ")
        self._last = None
        if name == "minutes" and self._step is None:
            if not rest.strip().isdecimal() or not 1 <= int(rest) <= 600:
                raise ValueError("@minutes needs a whole number from 1 to 600")
            self._minutes = int(rest)
            return
        if self._step is None:
            raise ValueError(f"@{short(name)[1:-1]} belongs into a step, which begins with ## Title")
        self._last = self._step.take(self.line, name, rest.strip())
        if self._last is not None or name == "answer":
            self._note(rest)

    def _finish_step(self) -> None:
        if self._step is not None:
            if len(self._steps) >= MOST_STEPS:
                raise ValueError(f"a lesson has at most {MOST_STEPS} steps")
            end = self.line
            for line, text in self._step.written:
                self.line = line
                check_figures(text, self._step.game, self._vocabulary, self._step.picture)
            self.line = self._step.asked_at or end
            self._steps.append(self._step.step())
            self.line = end
            self._game = self._step.game

    def lesson(self) -> Lesson:
        self._finish_step()
        if self._title is None or not self._steps:
            raise ValueError("a lesson has a title (# Title) and at least one step (## Title)")
        about = self._about[0].words() if self._about else Words("")
        return Lesson(Path(self._file).stem, self._title.words(), about, self._minutes, tuple(self._steps))


class _StepReader:
    """One step while it is being read."""

    def __init__(self, title: _Text, game: GameSpec | None, vocabulary: Vocabulary, beside: BesideLesson) -> None:
        self._title, self.game, self._vocabulary, self._beside = title, game, vocabulary, beside
        self.paragraphs: list[_Text] = []
        self.written: list[tuple[int, str]] = []  # line and text of all that may hold figures
        self.picture = ""
        self._commands: list[Command] = []
        self._texts: dict[str, _Text] = {}  # ask, praise, hint
        self._choices: list[tuple[_Text, bool]] = []
        self._answer = ""
        self._within = 0.0

    @property
    def asked_at(self) -> int:
        """The line of the question; 0 without one."""
        return self._texts["ask"].line if "ask" in self._texts else 0

    def take(self, line: int, name: str, rest: str) -> _Text | None:
        """Take a command; returns its text where it can be translated."""
        if name in ("ask", "praise", "hint"):
            if name in self._texts:
                raise ValueError(f"@{name} stands twice in this step")
            return self._take_text(line, name, rest)
        if name in ("right", "wrong"):
            if "ask" not in self._texts:
                raise ValueError(f"@{name} needs a question before it: @ask")
            text = _Text(line, _needed(name, rest))
            self._choices.append((text, name == "right"))
            return text
        if name == "answer":
            self._take_answer(_needed(name, rest))
            return None
        if name not in COMMANDS:
            commands = ", ".join(
                f"@{command}" for command in (*COMMANDS, "ask", "right", "wrong", "answer", *_FEEDBACK)
            )
            raise ValueError(f"there is no command @{short(name)[1:-1]}; there are {commands}")
        if COMMANDS[name].once and any(command.name == name for command in self._commands):
            raise ValueError(f"@{name} stands twice in this step")
        if name == "game":
            self.game = load_game(_needed(name, rest))
        command = Command(line, name, tuple(rest.split()), rest)
        check_command(command, self.game, self._vocabulary)
        if name in ("trace", "training"):
            read = self._beside.trace if name == "trace" else self._beside.run
            path, self.game = read(_needed(name, rest).split()[0])
            command = replace(command, words=(str(path), *command.words[1:]))
        if name == "picture":
            self.picture = command.words[0]
        self._commands.append(command)
        return None

    def _take_text(self, line: int, name: str, rest: str) -> _Text:
        text = self._texts[name] = _Text(line, _needed(name, rest))
        return text

    def _take_answer(self, rest: str) -> None:
        if "ask" not in self._texts:
            raise ValueError("@answer needs a question before it: @ask")
        answer, _, within = rest.partition(" within ")
        try:
            self._within = float(within or 0)
        except ValueError:
            raise ValueError(f"{short(within)} is no number") from None
        self._answer = answer.strip()

    def step(self) -> LessonStep:
        if self._commands and any(command.name == "wait" for command in self._commands) and "ask" in self._texts:
            raise ValueError("a step waits for one thing: it has both @wait and @ask")
        names = [command.name for command in self._commands]
        if "trace" in names and (twice := next((name for name in names if name in POSITIONS), None)):
            raise ValueError(f"a trace has its game and moves: @{twice} cannot stand beside @trace")
        return LessonStep(
            self._title.words(), tuple(p.words() for p in self.paragraphs), tuple(self._commands), self.game,
            self._question(),
        )  # fmt: skip

    def _question(self) -> Question | None:
        if "ask" not in self._texts:
            return None
        rights = sum(right for _, right in self._choices)
        if self._choices and self._answer:
            raise ValueError("a question has either choices (@right, @wrong) or an @answer")
        if not self._answer and (rights != 1 or len(self._choices) < 2):
            raise ValueError("a question needs one @right and at least one @wrong choice, or an @answer")
        empty = _Text(0, "")
        return Question(
            self._texts["ask"].words(),
            tuple(LessonChoice(text.words(), right) for text, right in self._choices),
            self._answer,
            self._within,
            self._texts.get("praise", empty).words(),
            self._texts.get("hint", empty).words(),
        )


_FEEDBACK: Final = ("praise", "hint")


def _needed(name: str, rest: str) -> str:
    if not rest:
        raise ValueError(f"@{name} needs something after it")
    return rest


def check_figures(text: str, game: GameSpec | None, vocabulary: Vocabulary, picture: str) -> None:
    """ValueError for a figure in braces that there is not, or of a move that the game does not have."""
    for inside in FIGURE.findall(text):
        name, _, rest = inside.strip().partition(" ")
        rest = rest.strip()
        if name == PICTURE:
            figures = vocabulary.pictures.get(picture, ())
            if rest not in figures:
                raise ValueError(
                    f"the picture of this step has no figure {short(rest)}; it has {', '.join(figures) or 'none'}"
                )
        elif name == INSIDE:
            _check_inside(rest, game, vocabulary)
        elif name not in FIGURES:
            raise ValueError(f"there is no figure {short(inside)}; there are {', '.join((*FIGURES, PICTURE, INSIDE))}")
        elif FIGURES[name]:
            MOVE(rest, game, vocabulary)
        elif rest:
            raise ValueError(f"the figure {name} is of the position, not of a move")


def _check_inside(text: str, game: GameSpec | None, vocabulary: Vocabulary) -> None:
    name, _, rest = text.partition(" ")
    if name not in INSIDE_FIGURES:
        raise ValueError(f"the room Inside the net has no figure {short(name)}; it has {', '.join(INSIDE_FIGURES)}")
    check = INSIDE_FIGURES[name]
    if check is not None:
        check(rest.strip(), game, vocabulary)
    elif rest:
        raise ValueError(f"nothing stands behind the figure {INSIDE} {name}")


__all__ = [
    "FIGURE",
    "FIGURES",
    "WAITS",
    "Lesson",
    "LessonChoice",
    "LessonStep",
    "Question",
    "Vocabulary",
    "Words",
    "load_lesson",
    "read_lesson",
]  # fmt: skip
