"""Reading traces: text files in which another program writes what its search does (resources/guide/en/traces.md).

The first line is a JSON object, each other one a record that begins with a letter.  A file is only appended to, so one
that was cut off is read up to its last whole line.
"""

import math
from pathlib import Path
from typing import Final

from core.checks import short
from core.files.reading import BadFile, Fields, parse_json, read_bytes
from core.files.texts import start_from
from core.games import GameSpec
from core.glass.trace import (
    COLUMNS,
    FINALS,
    MOVED,
    NET_VALUE,
    NO_SOLVER,
    OTHER,
    PARENT,
    RULES,
    SOLVERS,
    TO_MOVE,
    TRIED_FIRST,
    VIEWS,
    Children,
    Declared,
    Descent,
    Event,
    Gumbels,
    Played,
    Priors,
    Reported,
    RootMove,
    Simulation,
    Trace,
)
from core.text import Text, text_of

FORMAT: Final = "plyscope trace"
VERSION: Final = 1
SUFFIX: Final = ".trace"
MAX_FILE_BYTES: Final = 256 << 20
MOST_NODES: Final = 2_000_000  # and of records: each takes some 300 bytes of memory

_MAX_HEADER_BYTES: Final = 1 << 20
_FPU_WORDS: Final = (TRIED_FIRST, PARENT, NET_VALUE)
_NOTHING: Final = "-"
_LARGEST: Final = 1e12  # of any number reported


def open_trace(path: Path) -> Trace:
    """Read a trace file.  Raises OSError, and BadFile (a ValueError) when it cannot be opened."""
    try:
        return read_trace(read_bytes(path, MAX_FILE_BYTES))
    except BadFile as error:
        raise BadFile(Text("{file} cannot be opened: {error}", file=path.name, error=text_of(error))) from None


def read_trace(data: bytes) -> Trace:
    """Read a trace from the bytes of its file; BadFile when it is none."""
    header, _, body = data.partition(b"\n")
    if len(header) > _MAX_HEADER_BYTES:
        raise BadFile("its first line is too long for a trace")
    fields = parse_json(header)
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise BadFile(f"it is no trace: its first line does not say {FORMAT!r}")
    about = Fields(fields)
    version = about.whole("version", 0, 1 << 31)
    if version != VERSION:
        raise BadFile(
            Text(
                "it is of format {version}, and this program reads format {readable}", version=version, readable=VERSION
            )
        )
    try:
        position = start_from(about)
        moves = _Moves(position.game)
        for name in about.list("moves", []):
            position = position.play(moves[name])
        declared = _declared(about)
    except BadFile:
        raise
    except ValueError as error:
        raise BadFile(f"its first line is wrong: {text_of(error)}") from None
    try:
        lines = body.decode("ascii").split("\n")
    except UnicodeDecodeError:
        raise BadFile("its records are not ASCII text") from None
    cut = lines.pop()  # empty where the last line is whole
    if len(lines) > 2 * MOST_NODES:
        raise BadFile(f"it has more than {2 * MOST_NODES} records")
    reader = _Records(Trace(position, about.text("program", ""), declared, [-1], [-1], ()), moves)
    for number, line in enumerate(lines, 2):
        try:
            reader.take(line.split())
        except (BadFile, ValueError, IndexError) as error:
            why = text_of(error) if isinstance(error, BadFile) else f"{short(line)} is no record"
            raise BadFile(f"its line {number} is wrong: {why}") from None
    notes = (Text("the last line is cut off, and left out"),) if cut else ()
    trace = reader.trace
    return Trace(position, trace.program, declared, trace.parents, trace.actions, tuple(reader.events), notes)


def _declared(about: Fields) -> Declared:
    rule = about.choice("rule", RULES, OTHER)
    values = about.list("values", [-1.0, 1.0])
    if len(values) != 2 or not all(isinstance(number, int | float) and abs(number) <= 1e6 for number in values):
        raise BadFile("values is the value of a loss and that of a win, as in [-1, 1]")
    if not values[0] < values[1]:
        raise BadFile("in values the value of a loss must be below that of a win")
    columns = about.list("told", ["N", "W"])
    names = set(map(str, columns))
    if not columns or len(names) < len(columns) or not names <= set(COLUMNS) or columns[0] != "N":
        raise BadFile("told begins with N, and W or Q or both follow")
    fpu = about.values.get("fpu", TRIED_FIRST if rule in ("ucb1", "ucb1_tuned") else 0.0)
    if fpu not in _FPU_WORDS and not (isinstance(fpu, int | float) and not isinstance(fpu, bool) and abs(fpu) <= 1e6):
        raise BadFile(f"fpu is {short(fpu)}; it is a number or one of {', '.join(_FPU_WORDS)}")

    def number(name: str, default: float) -> float:
        return about.number(name, 0.0, 1e9, default)

    return Declared(
        rule=rule,
        c=number("c", 1.0),
        c_base=number("c_base", 0.0),
        c_log=number("c_log", 1.0),
        c_scale=number("c_scale", 1.0),
        considered=about.whole("considered", 0, MOST_NODES, 0),
        simulations=about.whole("simulations", 0, MOST_NODES, 0),
        total=about.choice("total", ("children", "node"), "children"),
        fpu=fpu if isinstance(fpu, str) else float(fpu),
        fpu_reduction=number("fpu_reduction", 0.0),
        noise=about.number("noise", 0.0, 1.0, 0.0),
        virtual_loss=number("virtual_loss", 0.0),
        virtual_visits=number("virtual_visits", 0.0),
        solver=about.choice("solver", SOLVERS, NO_SOLVER),
        value_for=about.choice("value_for", VIEWS, TO_MOVE),
        w_for=about.choice("w_for", VIEWS, MOVED),
        values=(float(values[0]), float(values[1])),
        final=about.choice("final", FINALS, "visits"),
        columns=tuple(columns),
    )


class _Moves:
    """The moves of a game by their names, or by their numbers where no name is one."""

    def __init__(self, game: GameSpec) -> None:
        self._actions = {name: action for action, name in enumerate(game.action_names)}
        if not any(name.isdecimal() for name in game.action_names):
            self._actions |= {str(action): action for action in range(game.num_actions)}

    def __getitem__(self, name: object) -> int:
        action = self._actions.get(str(name))
        if action is None:
            raise BadFile(f"the game has no move {short(name)}")
        return action


class _Records:
    """Reads the records one by one, and numbers the nodes."""

    def __init__(self, trace: Trace, moves: _Moves) -> None:
        self.trace = trace
        self.events: list[Event] = []
        self._moves = moves
        self._deepest = trace.position.game.max_plies + 1
        self._depths = [0]
        self._children: dict[tuple[int, int], int] = {}
        self._root = 0
        self._take = {
            "s": self._simulation,
            "d": self._descent,
            "n": self._reported,
            "p": self._priors,
            "e": self._priors,
            "g": self._gumbels,
            "c": self._reported_children,
            "r": self._root_move,
            "m": self._played,
        }

    def take(self, words: list[str]) -> None:
        """Read one record; BadFile, ValueError or IndexError for one that is wrong."""
        take = self._take.get(words[0])
        if take is None:
            raise BadFile(f"a record begins with one of {' '.join(self._take)}, and this with {short(words[0])}")
        take(words)

    def _node(self, word: str) -> int:
        node = int(word) if word.isdecimal() else -1
        if not 0 <= node < len(self.trace.parents):
            raise BadFile(f"there is no node {short(word)} yet")
        return node

    def _leaf(self, start: str, moves: str) -> int:
        """The node that moves lead to; those reached for the first time get the next numbers."""
        node = self._node(start)
        for name in () if moves == _NOTHING else moves.split(","):
            key = node, self._moves[name]
            child = self._children.get(key)
            if child is None:
                child = self._add(*key)
                self._children[key] = child
            node = child
        self._depth_below_root(node)
        return node

    def _add(self, parent: int, action: int) -> int:
        child, depth = len(self.trace.parents), self._depths[parent] + 1
        if child >= MOST_NODES:
            raise BadFile(f"it has more than {MOST_NODES} nodes")
        if depth > self._deepest:
            raise BadFile(f"it plays {depth} moves, and a game has at most {self._deepest - 1}")
        self.trace.parents.append(parent)
        self.trace.actions.append(action)
        self._depths.append(depth)
        return child

    def _depth_below_root(self, node: int) -> int:
        above, plies = node, self._depths[node] - self._depths[self._root]
        for _ in range(plies):
            above = self.trace.parents[above]
        if above != self._root:
            raise BadFile("the simulation ended at no node below the root")
        return plies

    def _simulation(self, words: list[str]) -> None:
        _, start, moves, value = words
        self.events.append(Simulation(self._leaf(start, moves), _number(value), ()))

    def _descent(self, words: list[str]) -> None:
        _, start, moves = words
        self.events.append(Descent(self._leaf(start, moves), ()))

    def _reported(self, words: list[str]) -> None:
        last = self.events[-1] if self.events else None
        if not isinstance(last, Simulation | Descent) or last.reported:
            raise BadFile("what the program says of a path follows the simulation or the descent that took it")
        reported = self._rows(words[1:])
        nodes = self._depth_below_root(last.leaf) + 1
        if len(reported) != nodes:
            raise BadFile(f"it is of {len(reported)} nodes, and the path has {nodes}")
        self.events[-1] = last._replace(reported=tuple(reported))

    def _rows(self, words: list[str]) -> list[Reported]:
        columns = self.trace.declared.columns
        if len(words) % len(columns):
            raise BadFile(f"it has {len(words)} numbers, and of each node are told {' '.join(columns)}")
        numbers = [math.nan if word == _NOTHING else _number(word) for word in words]
        size = len(columns)
        rows = (dict(zip(columns, numbers[i : i + size], strict=True)) for i in range(0, len(numbers), size))
        return [Reported(*(row.get(name, math.nan) for name in COLUMNS)) for row in rows]

    def _priors(self, words: list[str]) -> None:
        self.events.append(Priors(self._node(words[1]), self._of_moves(words[2:]), words[0] == "e"))

    def _gumbels(self, words: list[str]) -> None:
        self.events.append(Gumbels(self._node(words[1]), self._of_moves(words[2:])))

    def _of_moves(self, words: list[str]) -> dict[int, float]:
        """A number of each move."""
        actions = [self._moves[name] for name in words[::2]]
        if len(set(actions)) < len(actions):
            raise BadFile("it names a move twice")
        return dict(zip(actions, map(_number, words[1::2]), strict=True))

    def _reported_children(self, words: list[str]) -> None:
        size = 1 + len(self.trace.declared.columns)
        moves = {}
        for place in range(2, len(words), size):
            (moves[self._moves[words[place]]],) = self._rows(words[place + 1 : place + size])
        self.events.append(Children(self._node(words[1]), moves))

    def _root_move(self, words: list[str]) -> None:
        _, node = words
        self._root = self._node(node)
        self.events.append(RootMove(self._root))

    def _played(self, words: list[str]) -> None:
        _, name = words
        self.events.append(Played(self._moves[name]))


def _number(word: str) -> float:
    """A number; infinite and undefined ones come from programs with faults."""
    if "_" in word:
        raise ValueError(word)
    number = float(word)
    return max(-_LARGEST, min(_LARGEST, number)) if not math.isnan(number) else number
