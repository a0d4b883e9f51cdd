"""Specification of a game: sizes, names, symmetries, parameters.

Letters: A actions, C planes, H W board, S symmetries.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.games import diagram
from core.games.counting import Count, Points
from core.games.dispatch import Spare, State
from core.games.encoding import OWN_ENCODING, Encoding
from core.games.grid import cell_names
from core.games.position import PASS as PASS
from core.games.position import Position
from core.text import Text, Words, text_of

ScalarT = TypeVar("ScalarT", bound=np.generic)

NAME: Final = re.compile("[a-z0-9]+")  # of a family of games
NUM_PLANES: Final = 4  # mover's stones, opponent's stones, last move, ones when player 0 is to move

PASS_SPELLINGS: Final = ((r"pass(es|ed)?|pa|ps|-{1,2}", PASS),)

# Kinds of exact solver.
MINIMAX: Final = "minimax"  # any game, where few cells are empty
FOUR_ON_BITS: Final = "four on bits"  # four in a row with gravity, on the boards of core.games.connect4
DISCS: Final = "discs"  # Othello's differences of discs, on the boards of core.games.othello_bits
NIM_SUM: Final = "nim sum"  # heaps, at once
NO_SOLVER: Final = "none"  # of games whose positions cannot be told apart by their cells
HISTORY: Final = "history"  # games whose future depends on earlier positions too, on tiny boards

# How the board of a game is drawn that the window does not know itself.
LOOKS: Final = ("marks", "stones", "felt", "columns", "heaps", "hexagons")
WORDS: Final = "words"  # of games whose positions are shown as text


class BadGame(ValueError):
    """A game's name or parameters cannot be read; the message quotes them and lists what is allowed."""


class Look(NamedTuple):
    """How a board is drawn, and what its players are called."""

    kind: str
    """``marks`` in cells, ``stones`` on lines, discs on ``felt`` that change sides, discs that fall in ``columns``,
    chips in ``heaps``, stones on ``hexagons`` that lean to the right: a cell touches those beside it in its row, the
    one below and the one below left, and so upwards."""
    players: tuple[str, str]
    """The names of the players, the first to move first."""
    goals: bool = False
    """Of ``hexagons``: whether the edges above and below are the first player's and the others the second's."""


Parameters = Mapping[str, Any]
"""Of a game, as ``load_game`` takes them."""
Fields = Mapping[str, str | bool]


class RuleNames(NamedTuple):
    """How a game's rules are named to other programs: by a word, or by a value for each of their fields.

    The functions raise ValueError for words and fields that name no rules."""

    fields: Callable[[Parameters], Fields]
    """The fields of a game with these parameters."""
    named: Callable[[str], Parameters]
    """The parameters of the rules that a word names; those that no rules touch are left out."""
    with_fields: Callable[[Mapping[str, Any]], Parameters]
    """The parameters of the rules with these fields."""
    changed: Callable[[Fields, str, str], Parameters]
    """(Fields, the name of one, another value of it in a word) -> the parameters."""


@dataclass(frozen=True)
class IntParameter:
    """A whole number from ``low`` to ``high``; required without a default."""

    name: str
    low: int
    high: int
    default: int | None = None


@dataclass(frozen=True)
class ChoiceParameter:
    """One word out of ``choices``."""

    name: str
    choices: tuple[str, ...]
    default: str


@dataclass(frozen=True)
class OpenParameter(ChoiceParameter):
    """A word that matches ``pattern``; ``choices`` are examples, ``allowed`` describes what matches.

    The game's ``build`` checks it further and, as several words may mean the same, may shorten the text.
    """

    pattern: str
    allowed: str


class SgfRules(NamedTuple):
    """What an SGF file says of its rules, in lower case; "" where it says nothing."""

    rules: str = ""
    """RU"""
    komi: str = ""
    """KM"""


class SgfReader(NamedTuple):
    """Which game of a family an SGF file is of that states only SGF's number of the game."""

    number: int
    """The value of GM."""
    usual_size: int
    """Rows and columns where SZ does not say."""
    text: Callable[[int, int, "SgfRules"], str]
    """(rows, columns, rules) -> the game as ``load_game`` takes it; ValueError says why none is."""
    grows: bool = False
    """Whether a board without SZ is as large as its moves need."""


class GameFamily(NamedTuple):
    """An entry of the table of games: a name, its parameters, and a function that builds the game from them.

    ``build(text, params)`` may raise ValueError with a phrase when the parameters do not go together.
    """

    name: str
    title: str
    parameters: tuple[IntParameter | ChoiceParameter, ...]
    build: Callable[[str, Mapping[str, Any]], "GameSpec"]
    states: tuple[str, ...] = ()
    """One game for each type of state that the family brings: what is compiled beforehand."""
    small: str = ""
    """A game that is solved at once, where solving the family compiles something of its own."""
    sgf: SgfReader | None = None
    look: Look | None = None
    """How the board of an installed game is drawn; None: as marks in cells."""
    whole: bool = False
    """Whether all that stands in the brackets is its one parameter."""


class Lines(NamedTuple):
    """Who first has ``k`` stones in a line wins."""

    k: int
    exact: tuple[int, ...] = ()
    """The stones (1, 2) with which only exactly ``k`` win; with the others longer lines do, too."""


class Sgf(NamedTuple):
    """How a game with a board of points is written in SGF."""

    number: int
    """The value of GM."""
    rules: str = ""
    """The value of RU; "" where the rules are the usual ones."""
    komi: str = ""
    """The value of KM; "" in games without komi."""
    handicap: Callable[[int], tuple[int, ...]] | None = None
    """The cells of so many handicap stones, for a file that gives their number alone; () where they have no places."""


class Counting(NamedTuple):
    """How players count a game whose result is points, and agree which stones are dead."""

    applies: Callable[[Position], bool]
    """Whether a position ended the game so that it is counted."""
    marks: bool
    """Whether the rules take dead stones off; else every stone on the board is alive."""
    chains_at: Callable[[Position, Collection[int]], frozenset[int]]
    """The cells of the stones that live or die with those on these cells."""
    dead_stones: Callable[[Position, NDArray[np.floating]], frozenset[int]]
    """The cells of the stones that are dead by ownership [H, W], +1 where a point is the first player's, -1 where it is
    the second's."""
    counted: Callable[[Position, Collection[int]], Count]
    """Counts a position, which need not have ended, without the stones on these cells."""


class Chain(NamedTuple):
    """Stones of one player that share their liberties, and are captured together."""

    player: int
    cells: tuple[int, ...]
    liberties: tuple[int, ...]
    caught: bool
    """Whether it is in atari and a ladder catches it, or has two liberties and does so after a move of ``catches``."""
    catches: tuple[int, ...] = ()
    """The liberties where a move of the opponent begins a ladder that catches it."""


Label = NDArray[np.float32] | float


class Concept(NamedTuple):
    """A question that players ask of a position that has not ended, answered for the side to move."""

    name: str
    """In results and on the command line; no two concepts of a game share one."""
    title: Words
    """On screen."""
    label: Callable[[Position], Label]
    """The answer: float32 [H, W] where ``per_cell``, else one number; NaN where the question makes no sense."""
    per_cell: bool = True
    yes_no: bool = True
    """Whether the answers are 0 and 1; else they are any numbers."""
    is_move: bool = False
    """Of cells with yes and no: whether a legal move on a cell with 1 is one to make."""


# What holds in most games: the defaults of ``Board``.


def taken(state: State, action: int) -> str:
    """The only reason why a move is illegal in most games."""
    return Text("the place is taken")


def nothing_forbidden(state: State) -> dict[int, str]:
    """No fouls, as in most games."""
    return {}


def never(state: State, action: int) -> bool:
    """No move is illegal for what came before, as in most games."""
    return False


def no_past(state: State) -> bytes:
    """Nothing: the future depends on no earlier position, as in most games."""
    return b""


def nothing_failed() -> None:
    """Nothing can fail in compiled rules."""


class Board(NamedTuple):
    """The rules that the kernels do not need, as picklable functions."""

    new_state: Callable[[], State]
    """A fresh state before the first move."""
    cells: Callable[[State], NDArray[np.int8]]
    """The board, int8 [H, W]: 0 empty, 1 player 0, 2 player 1."""
    from_cells: Callable[[NDArray[np.int8], int | None, int], State]
    """(cells, player to move or None, last action or -1) -> state; ValueError with a phrase when impossible."""
    winning_cells: Callable[[NDArray[np.int8]], tuple[int, ...]]
    """The cells that decide a finished board, ascending; empty when none do."""
    redraw: Callable[[Position, NDArray[np.uint64]], tuple[int, ...] | None]
    """Replays the rollout of ``dispatch.Kernels``: one of ``core.games.redraw``."""
    refusal: Callable[[State, int], str] = taken
    """Why an action that is not legal before the game is over is not, as the end of a sentence."""
    forbidden: Callable[[State], dict[int, str]] = nothing_forbidden
    """The actions that only a foul keeps from being legal, ascending, with the foul's name."""
    past: Callable[[State], bytes] = no_past
    """What the future depends on beside the board, the side to move and the last move."""
    repeats: Callable[[State, int], bool] = never
    """Whether an action on an empty cell that is not legal is so only because of an earlier position."""
    chains: Callable[[State], "tuple[Chain, ...]"] | None = None
    """The chains of a game with captures, each read for its liberties and for ladders."""
    replay: Callable[[NDArray[np.int16]], tuple[NDArray[np.int8], NDArray[np.int8]]] | None = None
    """Boards of many games at once, as ``core.games.othello_many.replay``, where moves change other stones."""
    text: Callable[[State], str] | None = None
    """The position as text, in games that have no cells to show; it may have many lines."""
    check: Callable[[], None] = nothing_failed
    """Raises what kept the rules from answering compiled code, in games whose rules are not compiled."""
    area: Callable[[State], NDArray[np.int8]] | None = None
    """Whose each cell is as the game would be counted now, int8 [H, W]: 0 nobody's, 1 or 2 as in ``cells``, and 3 or
    4 where it is held whatever the other side plays."""


@dataclass(frozen=True)
class GameSpec:
    """One game with its parameters; two are equal when their texts are.

    ``symmetries`` int16 [S, A] and ``cell_symmetries`` int16 [S, H*W] give the image of each action and of
    each cell; row 0 is the identity.  Both are read-only.
    """

    text: str
    """As ``load_game`` takes it, with the parameters that are not the default."""
    name: str = field(compare=False)
    """The family's name; where the family has many games ``family:game:look``, as ``core.games.spec`` names looks."""
    title: str = field(compare=False)
    params: Mapping[str, Any] = field(compare=False)
    shape: tuple[int, int] = field(compare=False)
    action_names: tuple[str, ...] = field(compare=False, repr=False)
    first_number: int = field(compare=False, repr=False)
    """What a bare number means as a move: this number is action 0."""
    max_plies: int = field(compare=False)
    symmetries: NDArray[np.int16] = field(compare=False, repr=False)
    cell_symmetries: NDArray[np.int16] = field(compare=False, repr=False)
    board: Board = field(compare=False, repr=False)
    num_planes: int = field(compare=False, default=NUM_PLANES)
    rows_from_top: bool = field(compare=False, default=False)
    """Whether players number the rows from the top; most number them from the bottom."""
    spellings: tuple[tuple[str, str], ...] = field(compare=False, repr=False, default=())
    """Other ways to write a move: a pattern for the whole word in lower case, and the name it expands to."""
    lines: Lines | None = field(compare=False, default=None)
    """How lines of stones win, and nothing else; None in other games."""
    gravity: bool = field(compare=False, default=False)
    """Whether an action is a column, in which the stone falls to the lowest empty cell."""
    stones_alternate: bool = field(compare=False, default=False)
    """Whether each move adds one stone of the player's and changes no other: the counts tell whose turn it is."""
    captures: bool = field(compare=False, default=False)
    """Whether chains of stones without a liberty leave the board: a board is legal when every chain has one."""
    suicide: bool = field(compare=False, default=False)
    """Whether a move may take its own stone off the board."""
    solver: str = field(compare=False, default=MINIMAX)
    """The kind of exact solver: a key of the table in ``core.solve.solver``."""
    sgf: Sgf | None = field(compare=False, repr=False, default=None)
    """None for a game that has no board of points."""
    counting: Counting | None = field(compare=False, repr=False, default=None)
    """None for a game without points that players count."""
    scoring: Points | None = field(compare=False, repr=False, default=None)
    """How points are counted; None in games without."""
    rule_names: RuleNames | None = field(compare=False, repr=False, default=None)
    """How other programs name its rules; None in games without such names."""
    encodings: tuple[Encoding, ...] = field(compare=False, repr=False, default=(OWN_ENCODING,))
    """The inputs of nets that can be made of its positions, its own planes first."""
    concepts: tuple[Concept, ...] = field(compare=False, repr=False, default=())
    """What players see in its positions, beside what ``models.inside.concepts`` asks of every game."""

    def __post_init__(self) -> None:
        self.symmetries.flags.writeable = False
        self.cell_symmetries.flags.writeable = False

    @property
    def num_actions(self) -> int:
        return len(self.action_names)

    @property
    def num_cells(self) -> int:
        """The number of cells of the board."""
        return self.shape[0] * self.shape[1]

    @property
    def moves_are_cells(self) -> bool:
        """Whether there is an action for each cell, in the order of the cells, and at most a pass beside them."""
        return self.num_actions - self.num_cells in (0, 1)

    @property
    def cell_names(self) -> tuple[str, ...]:
        """The name of each cell ``row * cols + col``, that of its move where there is one."""
        names = self.action_names if self.moves_are_cells else cell_names(*self.shape, self.rows_from_top)
        return names[: self.num_cells]

    @property
    def passing(self) -> int:
        """The action that is a pass; -1 in games without."""
        return self.action_names.index(PASS) if PASS in self.action_names else -1

    @property
    def has_free_pass(self) -> bool:
        """Whether a player may pass although moves on the board are left."""
        return self.captures and PASS in self.action_names

    @property
    def has_fouls(self) -> bool:
        """Whether a move on an empty cell may be forbidden."""
        return self.board.forbidden is not nothing_forbidden

    def action_name(self, action: int) -> str:
        """The name of ``action``, as players write it; IndexError outside [0, A)."""
        if not 0 <= action < self.num_actions:
            raise IndexError(
                Text(
                    "action {action} of {game} is not from 0 to {last}",
                    action=action,
                    game=self.text,
                    last=self.num_actions - 1,
                )
            )
        return self.action_names[action]

    def parse_action(self, text: str) -> int:
        """Parse an action: a name, another spelling or a number, in any case; ValueError quotes the text."""
        word = " ".join(text.lower().split())
        for pattern, name in self.spellings:
            if spelled := re.fullmatch(pattern, word):
                word = spelled.expand(name)
                break
        if word in self.action_names:
            return self.action_names.index(word)
        if re.fullmatch(r"[0-9]{1,6}", word):
            action = int(word) - self.first_number
            if 0 <= action < self.num_actions:
                return action
        raise self.unknown_move(text)

    def unknown_move(self, text: str) -> ValueError:
        """The error for a text that is no move."""
        text, moves = diagram.quote(text), self.moves_in_words()
        return ValueError(
            Text("unknown move {text} in {game}: a move is {moves}", text=text, game=self.text, moves=moves)
        )

    def moves_in_words(self) -> str:
        """What may be written for a move: ``a1 to h8, or pass, or a number from 0 to 64``."""
        last_number = self.first_number + self.num_actions - 1
        if self.action_names[0] == str(self.first_number):
            return Text("a number from {low} to {high}", low=self.first_number, high=last_number)
        if self.board.text is not None:
            return Text("the name of a legal move, or a number from {low} to {high}", low=0, high=last_number)
        names = sorted(set(self.action_names) - {PASS}, key=lambda name: (name[0], len(name), name))
        span = Text("{first} to {last}", first=names[0], last=names[-1])
        if PASS in self.action_names:
            span = Text("{moves} or {word}", moves=span, word=PASS)
        return Text(
            "{span}, or a number from {low} to {high}",
            span=span,
            low=self.first_number,
            high=last_number,
        )

    def new_state(self) -> State:
        """A fresh state before the first move, for the kernels."""
        return self.board.new_state()

    def new_spare(self) -> Spare:
        """Scratch of one thread's tactical random games."""
        moves, replies = np.zeros((2, self.num_actions), np.int16)
        return Spare(self.new_state(), self.new_state(), moves, replies)

    def initial(self) -> Position:
        """The position before the first move."""
        return Position(self, self.new_state())

    def set_up(self, cells: NDArray[np.int8], to_move: int | None, last: int = -1) -> Position:
        """The position of a board int8 [H, W] with that player to move (None: as the counts tell) and no moves.

        ``last``: the action that led there, -1 unknown.  ValueError with a phrase when it is none of the game.
        """
        return Position(self, self.board.from_cells(cells, to_move, last))

    def position(self, text: str) -> Position:
        """The position after moves separated by spaces or commas, or that of a diagram (several lines).

        What people write in other ways is for :func:`core.games.written.read`.  ValueError for a move or diagram that
        cannot be read, IllegalMove for a move that cannot be played.
        """
        if "\n" in text.strip():
            return self.parse_diagram(text)
        position = self.initial()
        for word in text.replace(",", " ").split():
            position = position.play(self.parse_action(word))
        return position

    def parse_diagram(self, text: str) -> Position:
        """The position of a diagram as ``Position.diagram`` writes it, with or without coordinates.

        Without its last line the side to move follows from the counts, in games where they tell.  ValueError
        quotes the text.
        """
        try:
            read = diagram.read(text, self.shape, self.rows_from_top)
            last = -1 if read.last is None else self.parse_action(read.last)
            return self.set_up(read.cells, read.to_move, last)
        except ValueError as error:
            raise ValueError(
                Text(
                    "bad diagram {text} for {game}: {error}",
                    text=diagram.quote(text),
                    game=self.text,
                    error=text_of(error),
                )
            ) from None

    def transform_planes(self, planes: NDArray[ScalarT], symmetry: int) -> NDArray[ScalarT]:
        """A copy of ``planes`` [..., H, W] with every cell moved to its image under row ``symmetry``."""
        flat = planes.reshape(*planes.shape[:-2], -1)
        moved = np.empty_like(flat)
        moved[..., self.cell_symmetries[symmetry]] = flat
        return moved.reshape(planes.shape)
