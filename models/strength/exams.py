"""Exams: accuracy of nets on solved positions.

The solved positions are in ``resources/exams``, one JSON file per game, made by ``models.strength.exam_tables``.
Letters: n questions, A actions, C planes, H W board.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.checks import short
from core.engine.endings import Endings
from core.engine.evaluator import Evaluator, ask
from core.engine.lockstep import Lockstep
from core.files.reading import BadFile, read_json
from core.games import GameSpec, Position
from core.games.encoding import Inputs
from core.games.net_inputs import inputs_of_all
from core.search.settings import SearchSettings
from core.solve.solution import best_first
from models.strength.match import LEAST_SIMULATIONS, net_settings

BATCH: Final = 256  # questions evaluated or searched in parallel
MOST_BYTES: Final = 16 << 20  # of a table


@dataclass(frozen=True, slots=True)
class ExamQuestion:
    """A solved position.

    moves: actions from the game's first position.  keeping: the actions that keep the position's value (in threat
    exams: that start a proved win), ascending.  value: -1, 0 or +1 for the side to move.
    """

    moves: tuple[int, ...]
    keeping: tuple[int, ...]
    value: int


@dataclass(frozen=True, slots=True)
class Exam:
    """A set of questions.

    name: short, for reports.  about: where the positions are from and what counts as right, for the user.
    every: whether the choice of a move counts in every position, or only where some legal move is wrong.
    """

    name: str
    about: str
    every: bool
    questions: tuple[ExamQuestion, ...]


class ExamResult(NamedTuple):
    """Number of right answers of ``of`` questions."""

    right: int
    of: int

    @property
    def share(self) -> float:
        """right / of; NaN without questions."""
        return self.right / self.of if self.of else float("nan")


def exams_for(game: GameSpec) -> tuple[Exam, ...]:
    """The exams for ``game``, in a fixed order; none for most games."""
    return _read(game) if has_exams(game) else ()


def has_exams(game: GameSpec) -> bool:
    """Whether there are exams for ``game``."""
    return table_name(game) in _tables()


def run_exams(
    game: GameSpec,
    evaluator: Evaluator,
    positions: int,
    simulations: int = 0,
    should_stop: Callable[[], bool] = lambda: False,
    threat_proofs: bool = False,
    exact_empties: int = 0,
    exams: Sequence[Exam] | None = None,
) -> dict[str, ExamResult]:
    """Test ``evaluator`` on up to ``positions`` evenly spaced questions of every exam, those ``exams_for`` the game
    unless others are given; {} for a game without exams.

    The keys are the name of the exam and the test:
      ``"L2_R2 policy"``  the legal move with the highest logit keeps the value
      ``"L2_R2 value"``   the sign of the net's value is right; drawn positions are not counted
      ``"L2_R2 search"``  the move chosen by a search of ``simulations`` (when > 0) keeps the value; the search proves
                          results, with ``threat_proofs`` also by threats, and answers positions of at most
                          ``exact_empties`` empty cells by the exact solver
    ``should_stop`` is called between batches; exams unfinished by then are left out.  Raises ValueError when
    ``positions`` is not positive, ``simulations`` is 1 or negative, or ``exact_empties`` is no such setting.
    """
    if positions < 1:
        raise ValueError(f"positions is {positions!r}; it must be a whole number from 1")
    if simulations != 0 and simulations < LEAST_SIMULATIONS:
        raise ValueError(f"simulations is {simulations!r}; it must be 0, or a whole number from {LEAST_SIMULATIONS}")
    results: dict[str, ExamResult] = {}
    for exam in exams_for(game) if exams is None else exams:
        paper = _question_arrays(game, exam, positions)
        answers = _evaluated(evaluator, paper, should_stop)
        if answers is None:
            return results
        chosen, values = answers
        decided = paper.values != 0
        results[f"{exam.name} policy"] = _marked(paper, chosen)
        if decided.any():
            agree = np.sign(values[decided]) == paper.values[decided]
            results[f"{exam.name} value"] = ExamResult(int(agree.sum()), int(decided.sum()))
        if simulations:
            settings = replace(
                net_settings(game, min(BATCH, len(paper.moves)), simulations),
                threat_proofs=threat_proofs,
                exact_empties=exact_empties,
            )
            moves = _searched(evaluator, paper, simulations, settings, should_stop)
            if moves is None:
                return results
            results[f"{exam.name} search"] = _marked(paper, moves)
    return results


def evenly_spaced(number: int, most: int) -> list[int]:
    """At most ``most`` evenly spaced indices below ``number``, ascending from 0."""
    take = min(number, most)
    return [k * number // take for k in range(take)]


def table_name(game: GameSpec) -> str:
    """The name of the file with the exams of ``game``: ``connect4.json``, ``othello-size-6.json``."""
    return re.sub(r"[^a-z0-9]+", "-", game.text).strip("-") + ".json"


class _QuestionArrays(NamedTuple):
    """The selected questions of one exam, as arrays."""

    game: GameSpec
    moves: tuple[tuple[int, ...], ...]  # n
    planes: NDArray[np.int8]  # [n, C, H, W]
    legal: NDArray[np.bool_]  # [n, A]
    keeping: NDArray[np.bool_]  # [n, A]
    values: NDArray[np.int8]  # [n]
    has_choice: NDArray[np.bool_]  # [n] whether the choice of a move counts


@lru_cache(maxsize=1)
def _tables() -> frozenset[str]:
    folder = files("resources") / "exams"
    return frozenset(entry.name for entry in folder.iterdir()) if folder.is_dir() else frozenset()


@lru_cache(maxsize=4)
def _read(game: GameSpec) -> tuple[Exam, ...]:
    with as_file(files("resources") / "exams" / table_name(game)) as path:
        return read_exams(path, game)


def read_exams(path: Path, game: GameSpec) -> tuple[Exam, ...]:
    """The exams of a table, the file that ``models.strength.exam_tables`` writes.  BadFile when it is none, or of
    another game, ``OSError`` when it cannot be read; whether moves are legal is seen when they are played."""
    try:
        table = read_json(path, MOST_BYTES)
    except BadFile as error:
        raise BadFile(f"{short(str(path))} is no table of exams: {error}") from None
    try:
        if table["game"] != game.text:
            raise BadFile(f"the exams of {short(str(path))} are of {short(str(table['game']))}, not of {game.text}")
        return tuple(
            Exam(
                exam["name"],
                exam["about"],
                exam["every"],
                tuple(parse_question(game, line) for line in exam["questions"]),
            )
            for exam in table["exams"]
        )
    except (TypeError, KeyError, AttributeError):
        raise BadFile(f"{short(str(path))} is no table of exams") from None


def parse_question(game: GameSpec, line: str) -> ExamQuestion:
    """Parse ``"moves | keeping | value"``, the format of :func:`print_question`; ValueError quotes a bad line."""
    fields = [field.strip() for field in line.split("|")]
    if len(fields) != 3 or fields[2] not in ("-1", "0", "+1"):
        raise ValueError(f"bad question {line!r}: it must be MOVES | KEEPING MOVES | -1, 0 or +1")
    moves, keeping = (
        tuple(game.action_names.index(name) for name in (field if _letters(game) else field.split()))
        for field in fields[:2]
    )
    return ExamQuestion(moves, keeping, int(fields[2]))


def print_question(game: GameSpec, question: ExamQuestion) -> str:
    """A question as a line of a table; single-letter moves are written without spaces."""
    gap = "" if _letters(game) else " "
    moves, keeping = (
        gap.join(game.action_name(action) for action in actions) for actions in (question.moves, question.keeping)
    )
    return f"{moves} | {keeping} | {question.value:+d}".replace("+0", "0")


def _letters(game: GameSpec) -> bool:
    return all(len(name) == 1 for name in game.action_names)


@lru_cache(maxsize=32)
def _question_arrays(game: GameSpec, exam: Exam, positions: int) -> _QuestionArrays:
    questions = [exam.questions[i] for i in evenly_spaced(len(exam.questions), positions)]
    n = len(questions)
    planes = np.zeros((n, game.num_planes, *game.shape), np.int8)
    legal = np.zeros((n, game.num_actions), np.bool_)
    keeping = np.zeros_like(legal)
    for i, question in enumerate(questions):
        position = after(game, question.moves)
        planes[i] = position.planes()
        legal[i, list(position.legal_actions())] = True
        keeping[i, list(question.keeping)] = True
    return _QuestionArrays(
        game,
        tuple(question.moves for question in questions),
        planes,
        legal,
        keeping,
        np.array([question.value for question in questions], np.int8),
        np.logical_or((legal & ~keeping).any(axis=1), exam.every),
    )


def after(game: GameSpec, moves: tuple[int, ...]) -> Position:
    """The position after ``moves``; IllegalMove when one is not legal."""
    position = game.initial()
    for action in moves:
        position = position.play(action)
    return position


def _evaluated(
    evaluator: Evaluator, paper: _QuestionArrays, should_stop: Callable[[], bool]
) -> tuple[NDArray[np.int64], NDArray[np.float32]] | None:
    """(legal move with the highest logit [n], value [n]) of the net without search; None when stopped."""
    chosen, values = [], []
    encoding = evaluator.encoding
    for start in range(0, len(paper.planes), BATCH):
        if should_stop():
            return None
        part = slice(start, start + BATCH)
        if encoding.planes:
            inputs = inputs_of_all([after(paper.game, moves) for moves in paper.moves[part]], encoding)
        else:
            planes = paper.planes[part].astype(np.float32)
            inputs = Inputs(planes, np.zeros((len(planes), 0), np.float32))
        logits, value, _ = ask(evaluator, inputs, paper.game.num_actions)
        chosen.append(np.where(paper.legal[part], logits, -np.inf).argmax(axis=1))
        values.append(value)
    return np.concatenate(chosen), np.concatenate(values)


def _searched(
    evaluator: Evaluator,
    paper: _QuestionArrays,
    simulations: int,
    settings: SearchSettings,
    should_stop: Callable[[], bool],
) -> NDArray[np.int64] | None:
    """The move chosen by a search of each question [n], which solves few empty cells exactly; None when stopped."""
    chosen = np.zeros(len(paper.moves), np.int64)
    endings = Endings(paper.game, settings)
    open_questions = []
    for i, line in enumerate(paper.moves):
        position = after(paper.game, line)
        if not endings.holds(position):
            open_questions.append(i)
        elif (solution := endings.solve(position, should_stop)) is not None:
            chosen[i] = best_first(solution)[0].action
        else:
            return None
    for start in range(0, len(open_questions), BATCH):
        part = open_questions[start : start + BATCH]
        moves = [paper.moves[i] for i in part]
        lockstep = Lockstep(paper.game, evaluator, len(moves), settings)
        for g, line in enumerate(moves):
            lockstep.restart(g, line)
            lockstep.set_target(g, simulations, noise=False)
        while len(lockstep.step()) < len(moves):
            if should_stop():
                return None
        chosen[part] = [lockstep.best(g) for g in range(len(moves))]
    return chosen


def _marked(paper: _QuestionArrays, chosen: NDArray[np.int64]) -> ExamResult:
    right = paper.keeping[np.arange(len(chosen)), chosen] & paper.has_choice
    return ExamResult(int(right.sum()), int(paper.has_choice.sum()))
