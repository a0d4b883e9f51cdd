"""Exact accuracy: what a net chooses where the right answers are known.  Knows no torch, no solver and no net file.

The questions lie solved in ``resources/exams``, one JSON file a game; ``models.strength.exam_tables`` makes them.
Letters: n questions, A actions, C planes, H W board.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.engine.evaluator import Evaluator
from core.engine.lockstep import Lockstep
from core.games import GameSpec, Position
from core.search.settings import SearchSettings
from models.strength.bout import LEAST_SIMULATIONS, net_settings

BATCH: Final = 256  # questions evaluated or searched side by side


@dataclass(frozen=True, slots=True)
class Question:
    """A position and what is known of it.

    moves: actions from the game's first position.  keeping: the actions that keep the position's value (in threat
    exams: that start a proved win), ascending.  value: -1, 0 or +1 for the side to move.
    """

    moves: tuple[int, ...]
    keeping: tuple[int, ...]
    value: int


@dataclass(frozen=True, slots=True)
class Exam:
    """A set of questions.

    name: short, as reports use it.  about: where the positions are from and what counts as right, for people.
    every: whether the choice of a move is asked at every position, or only where some legal move is wrong.
    """

    name: str
    about: str
    every: bool
    questions: tuple[Question, ...]


class ExamResult(NamedTuple):
    """``right`` answers of ``of``."""

    right: int
    of: int

    @property
    def share(self) -> float:
        """right / of; NaN without questions."""
        return self.right / self.of if self.of else float("nan")


def exams_for(game: GameSpec) -> tuple[Exam, ...]:
    """The exams that exist for ``game``, in a fixed order; none for most games."""
    return _read(game) if table_name(game) in _tables() else ()


def run_exams(
    game: GameSpec,
    evaluator: Evaluator,
    positions: int,
    simulations: int = 0,
    should_stop: Callable[[], bool] = lambda: False,
    threat_proofs: bool = False,
) -> dict[str, ExamResult]:
    """Ask ``evaluator`` up to ``positions`` questions of every exam, evenly spaced; {} for a game without exams.

    The keys are an exam's name and what was asked of it:
      ``"L2_R2 policy"``  the legal move with the highest logit is one that keeps the value
      ``"L2_R2 value"``   the sign of the net's value is right; drawn positions are not asked
      ``"L2_R2 search"``  the move a search of ``simulations`` (when > 0) plays keeps the value; it proves what it can,
                          with ``threat_proofs`` by threats, too
    ``should_stop`` is asked between batches; exams not finished by then are left out.  Raises ValueError when
    ``positions`` is not positive, or ``simulations`` is 1 or negative.
    """
    if positions < 1:
        raise ValueError(f"positions is {positions!r}; it must be a whole number from 1")
    if simulations != 0 and simulations < LEAST_SIMULATIONS:
        raise ValueError(f"simulations is {simulations!r}; it must be 0, or a whole number from {LEAST_SIMULATIONS}")
    results: dict[str, ExamResult] = {}
    for number, exam in enumerate(exams_for(game)):
        paper = _paper(game, number, positions)
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
                net_settings(game, min(BATCH, len(paper.moves)), simulations), threat_proofs=threat_proofs
            )
            found = _searched(evaluator, paper, simulations, settings, should_stop)
            if found is None:
                return results
            results[f"{exam.name} search"] = _marked(paper, found)
    return results


def evenly_spaced(number: int, wanted: int) -> list[int]:
    """At most ``wanted`` indices below ``number``, ascending and evenly spaced, the first among them."""
    take = min(number, wanted)
    return [k * number // take for k in range(take)]


def table_name(game: GameSpec) -> str:
    """The file that holds the exams of ``game``: ``connect4.json``, ``othello-size-6.json``."""
    return re.sub(r"[^a-z0-9]+", "-", game.text).strip("-") + ".json"


class _Paper(NamedTuple):
    """The questions asked of one exam, as arrays."""

    game: GameSpec
    moves: tuple[tuple[int, ...], ...]  # n
    planes: NDArray[np.int8]  # [n, C, H, W]
    legal: NDArray[np.bool_]  # [n, A]
    keeping: NDArray[np.bool_]  # [n, A]
    values: NDArray[np.int8]  # [n]
    asked: NDArray[np.bool_]  # [n] whether the choice of a move counts


@lru_cache(maxsize=1)
def _tables() -> frozenset[str]:
    folder = files("resources") / "exams"
    return frozenset(entry.name for entry in folder.iterdir()) if folder.is_dir() else frozenset()


@lru_cache(maxsize=4)
def _read(game: GameSpec) -> tuple[Exam, ...]:
    text = (files("resources") / "exams" / table_name(game)).read_text(encoding="utf-8")
    table = json.loads(text)
    return tuple(
        Exam(
            exam["name"],
            exam["about"],
            exam["every"],
            tuple(parse_question(game, line) for line in exam["questions"]),
        )
        for exam in table["exams"]
    )


def parse_question(game: GameSpec, line: str) -> Question:
    """``"moves | keeping | value"``, as :func:`print_question` writes it; ValueError quotes a bad line."""
    fields = [field.strip() for field in line.split("|")]
    if len(fields) != 3 or fields[2] not in ("-1", "0", "+1"):
        raise ValueError(f"bad question {line!r}: it must be MOVES | KEEPING MOVES | -1, 0 or +1")
    moves, keeping = (
        tuple(game.action_names.index(name) for name in (field if _letters(game) else field.split()))
        for field in fields[:2]
    )
    return Question(moves, keeping, int(fields[2]))


def print_question(game: GameSpec, question: Question) -> str:
    """One line of a table; names of a single letter are written without spaces."""
    gap = "" if _letters(game) else " "
    moves, keeping = (
        gap.join(game.action_name(action) for action in actions) for actions in (question.moves, question.keeping)
    )
    return f"{moves} | {keeping} | {question.value:+d}".replace("+0", "0")


def _letters(game: GameSpec) -> bool:
    return all(len(name) == 1 for name in game.action_names)


@lru_cache(maxsize=32)
def _paper(game: GameSpec, number: int, positions: int) -> _Paper:
    exam = exams_for(game)[number]
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
    return _Paper(
        game,
        tuple(question.moves for question in questions),
        planes,
        legal,
        keeping,
        np.array([question.value for question in questions], np.int8),
        np.logical_or((legal & ~keeping).any(axis=1), exam.every),
    )


def after(game: GameSpec, moves: tuple[int, ...]) -> Position:
    """The position after ``moves``; IllegalMove when one cannot be played."""
    position = game.initial()
    for action in moves:
        position = position.play(action)
    return position


def _evaluated(
    evaluator: Evaluator, paper: _Paper, should_stop: Callable[[], bool]
) -> tuple[NDArray[np.int64], NDArray[np.float32]] | None:
    """(legal move of the highest logit [n], value [n]) of the raw net; None when stopped."""
    chosen, values = [], []
    for start in range(0, len(paper.planes), BATCH):
        if should_stop():
            return None
        part = slice(start, start + BATCH)
        logits, value = evaluator.evaluate(paper.planes[part].astype(np.float32))
        chosen.append(np.where(paper.legal[part], logits, -np.inf).argmax(axis=1))
        values.append(value)
    return np.concatenate(chosen), np.concatenate(values)


def _searched(
    evaluator: Evaluator,
    paper: _Paper,
    simulations: int,
    settings: SearchSettings,
    should_stop: Callable[[], bool],
) -> NDArray[np.int64] | None:
    """The move a search of each question plays [n]; None when stopped."""
    chosen = np.zeros(len(paper.moves), np.int64)
    for start in range(0, len(chosen), BATCH):
        moves = paper.moves[start : start + BATCH]
        lockstep = Lockstep(paper.game, evaluator, len(moves), settings)
        for g, line in enumerate(moves):
            lockstep.restart(g, line)
            lockstep.aim(g, simulations, noise=False)
        while len(lockstep.step()) < len(moves):
            if should_stop():
                return None
        chosen[start : start + len(moves)] = [lockstep.best(g) for g in range(len(moves))]
    return chosen


def _marked(paper: _Paper, chosen: NDArray[np.int64]) -> ExamResult:
    right = paper.keeping[np.arange(len(chosen)), chosen] & paper.asked
    return ExamResult(int(right.sum()), int(paper.asked.sum()))
