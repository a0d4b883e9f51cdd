"""Questions to a tree: lines such as ``N > 100 and abs(Q - V) > .5``, read into a formula over the figures of nodes.

A formula says yes or no of every node.  It is read here, never run as Python; a text that only names moves, such as
``d4 e5``, asks for the nodes whose last moves these are.  What the figures of a tree are: ``core.glass.ask``.

Letters: M nodes.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec
from core.search.proofs import LOSS, PROVED_DRAW, UNPROVED, WIN
from core.text import Text, Words

LONGEST: Final = 400  # characters of a question
DEEPEST: Final = 24  # levels of brackets, signs, functions and ``not``

# What a part of a formula is.
NUMBER: Final = "number"
TRUTH: Final = "truth"
MOVE: Final = "move"  # compared with a move of the game
RESULT: Final = "result"  # a proof: compared with one of ``RESULTS``, and true where there is one

NUMBERS: Final = ("N", "n", "share", "P", "W", "Q", "U", "score", "V", "lead", "rank", "depth", "player")
KINDS: Final[Mapping[str, str]] = {**dict.fromkeys(NUMBERS, NUMBER), "move": MOVE, "proof": RESULT, "over": TRUTH}
RESULTS: Final[Mapping[str, int]] = {"win": WIN, "draw": PROVED_DRAW, "loss": LOSS}
_FUNCTIONS: Final = {"abs": (1, 1), "min": (2, 9), "max": (2, 9)}  # the least and most numbers that each takes

Figures = NDArray[Any]
_OPERATIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "negative": np.negative,
    "abs": np.abs,
    "min": lambda *of: reduce(np.minimum, of),
    "max": lambda *of: reduce(np.maximum, of),
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
    "and": np.logical_and,
    "or": np.logical_or,
    "not": np.logical_not,
}
_COMPARISONS: Final = ("<=", ">=", "==", "!=", "<", ">")
_TOKEN: Final = re.compile(r"(\d+\.?\d*|\.\d+)|([^\W\d]\w*)|<=|>=|==|!=|[-+*/()<>,%]")
_SPACE: Final = re.compile(r"\s*")
_MOVE: Final = re.compile(r'"([^"]*)"|([^\s()"]+)')

_VALUE: Final[Words] = "a number, a bracket, not, abs, min, max, or one of {names}"
_NUMBER: Final[Words] = "a number or one of {names}"
_COMPARED: Final[Words] = "a comparison, as in N > 100"
_MOVES: Final[Words] = "== or != and a move, as in move == {move}"
_RESULT: Final[Words] = "win, draw or loss"
_NEXT: Final[Words] = "and, or, a comparison, one of + - * /, or the end"
_BRACKET: Final[Words] = "and, or, or )"
_CLOSED: Final[Words] = "one of + - * /, a comparison, or )"
_COUNT: Final[Words] = "{least} to {most} numbers in the brackets"


@dataclass(frozen=True)
class Formula:
    """A part of a question: a number, a figure of the nodes, or an operation on other parts."""

    operation: str  # one of ``_OPERATIONS``; "" for a number or a figure
    kind: str
    parts: "tuple[Formula, ...]" = ()
    figure: str = ""  # one of ``KINDS``
    number: float = 0.0

    def of(self, figures: Callable[[str], Figures]) -> Any:
        """Its values [M], or one number where it names no figure; ``figures`` gives those of the nodes by name."""
        if self.operation:
            with np.errstate(all="ignore"):
                return _OPERATIONS[self.operation](*(part.of(figures) for part in self.parts))
        return figures(self.figure).astype(np.float64) if self.figure else self.number


@dataclass(frozen=True)
class NodeQuestion:
    """What is asked of every node: a formula, or which moves lead there."""

    text: str
    formula: Formula | None = None
    line: tuple[int, ...] = ()  # the last moves of the nodes, where there is no formula


def read_question(text: str, game: GameSpec) -> NodeQuestion:
    """The question that a text asks of a tree of ``game``; ``ValueError`` shows the place that cannot be read."""
    text = text.strip()
    if len(text) > LONGEST:
        raise ValueError(Text("a question has at most {most} characters", most=LONGEST))
    words, actions = text.lower().split(), _actions(game)
    if words and all(word in actions for word in words):
        return NodeQuestion(text, line=tuple(actions[word] for word in words))
    return NodeQuestion(text, _Reader(text, game).question())


def _actions(game: GameSpec) -> dict[str, int]:
    return {name.lower(): action for action, name in enumerate(game.action_names)}


def _number(value: float) -> Formula:
    return Formula("", NUMBER, number=value)


class _Reader:
    """Reads one formula from left to right."""

    def __init__(self, text: str, game: GameSpec) -> None:
        self._text, self._game = text, game
        self._at = 0
        self._levels = 0
        self._skip(0)

    def _skip(self, length: int) -> None:
        """Go on behind what was read and the space after it."""
        space = _SPACE.match(self._text, self._at + length)
        self._at = space.end() if space else len(self._text)

    @property
    def _next(self) -> str:
        """The number, word or sign that comes next; "" for the end or what is none of these."""
        token = _TOKEN.match(self._text, self._at)
        return token[0] if token else ""

    def _take(self, *words: str) -> str:
        """Read what comes next if it is one of these."""
        token = self._next
        if not token or token not in words:
            return ""
        self._skip(len(token))
        return token

    def _fail(self, allowed: Words, at: int | None = None, **values: object) -> NoReturn:
        place = self._at if at is None else at
        before, rest = self._text[:place].strip(), self._text[place:]
        raise ValueError(
            Text(
                "“{before} ▸ {rest}” cannot be read at ▸; allowed there: {allowed}",
                before="…" + before[-40:] if len(before) > 41 else before,
                rest=rest[:40] + "…" if len(rest) > 41 else rest,
                allowed=Text(allowed, **values),
            )
        )

    def _truth(self, part: Formula, at: int) -> Formula:
        """A part as yes or no; ``at``: where a comparison would make it so."""
        if part.kind == RESULT:
            return Formula("!=", TRUTH, (part, _number(UNPROVED)))
        if part.kind == MOVE:
            self._fail(_MOVES, at, move=self._game.action_names[0])
        return part if part.kind == TRUTH else self._fail(_COMPARED, at)

    def question(self) -> Formula:
        """The whole text."""
        whole = self._truth(self._either(), self._at)
        return whole if self._at == len(self._text) else self._fail(_NEXT)

    def _either(self) -> Formula:
        return self._joined("or", self._both)

    def _both(self) -> Formula:
        return self._joined("and", self._denied)

    def _joined(self, word: str, read: Callable[[], Formula]) -> Formula:
        left = read()
        while self._next == word:
            left = self._truth(left, self._at)
            self._take(word)
            right = read()
            left = Formula(word, TRUTH, (left, self._truth(right, self._at)))
        return left

    def _denied(self) -> Formula:
        if not self._take("not"):
            return self._compared()
        part = self._deeper(self._denied)
        return Formula("not", TRUTH, (self._truth(part, self._at),))

    def _deeper(self, read: Callable[[], Formula]) -> Formula:
        self._levels += 1
        if self._levels > DEEPEST:
            raise ValueError(Text("a question has at most {most} levels of brackets", most=DEEPEST))
        part = read()
        self._levels -= 1
        return part

    def _compared(self) -> Formula:
        """A comparison, also of several numbers in a row, or what might be compared."""
        start = self._at
        left = self._sum()
        if left.kind in (MOVE, RESULT):
            return self._of_kind(left)
        if self._next not in _COMPARISONS:
            return left
        comparisons = []
        while sign := self._take(*_COMPARISONS):
            left, start, right_at = self._as_number(left, start), self._at, self._at
            right = self._as_number(self._sum(), right_at)
            comparisons.append(Formula(sign, TRUTH, (left, right)))
            left = right
        return reduce(lambda a, b: Formula("and", TRUTH, (a, b)), comparisons)

    def _of_kind(self, left: Formula) -> Formula:
        """A comparison of a move or a result, or that alone."""
        sign = self._take("==", "!=")
        if not sign:
            return left
        if left.kind == RESULT:
            word = self._next
            value = RESULTS.get(word.lower())
            if value is None:
                self._fail(_RESULT)
            self._skip(len(word))
        else:
            name = _MOVE.match(self._text, self._at)
            action = _actions(self._game).get((name[1] or name[2]).lower()) if name else None
            if name is None or action is None:
                self._fail(_MOVES, move=self._game.action_names[0])
            self._skip(len(name[0]))
            value = action
        return Formula(sign, TRUTH, (left, _number(value)))

    def _as_number(self, part: Formula, at: int) -> Formula:
        return part if part.kind == NUMBER else self._fail(_NUMBER, at, names=", ".join(NUMBERS))

    def _sum(self) -> Formula:
        return self._reckoned(("+", "-"), lambda: self._reckoned(("*", "/"), self._signed))

    def _reckoned(self, signs: tuple[str, ...], read: Callable[[], Formula]) -> Formula:
        start = self._at
        left = read()
        while sign := self._take(*signs):
            right_at = self._at
            right = read()
            left = Formula(sign, NUMBER, (self._as_number(left, start), self._as_number(right, right_at)))
        return left

    def _signed(self) -> Formula:
        if not self._take("-"):
            return self._single()
        start = self._at
        return Formula("negative", NUMBER, (self._as_number(self._deeper(self._signed), start),))

    def _single(self) -> Formula:
        """A number, a figure, a function or a bracket."""
        token, start = self._next, self._at
        if token[:1].isdigit() or token[:1] == ".":
            self._skip(len(token))
            return _number(float(token) / (100 if self._take("%") else 1))
        if self._take("("):
            part = self._deeper(self._either)
            return part if self._take(")") else self._fail(_BRACKET if part.kind == TRUTH else _CLOSED)
        if token.lower() in _FUNCTIONS and self._take(token):
            return self._function(token.lower(), start)
        folded = {name.lower(): name for name in KINDS if name != "n"}
        figure = token if token in KINDS else folded.get(token.lower(), "")
        if not figure:
            self._fail(_VALUE, names=", ".join(KINDS))
        self._skip(len(token))
        return Formula("", KINDS[figure], figure=figure)

    def _function(self, name: str, start: int) -> Formula:
        least, most = _FUNCTIONS[name]
        if not self._take("("):
            self._fail("(")
        parts: list[Formula] = []
        while not parts or self._take(","):
            at = self._at
            parts.append(self._as_number(self._deeper(self._sum), at))
        if len(parts) < least:
            self._fail(",")
        if not self._take(")"):
            self._fail(_CLOSED)
        if len(parts) > most:
            self._fail(_COUNT, start, least=least, most=most)
        return Formula(name, NUMBER, tuple(parts))
