"""What SGF's properties mean here: which game a file is of, points and moves, stones set up, counted points.

A point is two letters, the column and the row from the top left: ``a`` to ``z``, then ``A`` to ``Z``.

What programs for gomoku and renju write that the format does not have: KataGomo (github.com/hzyhhzy/KataGomo) writes
gomoku as Go, ``GM[1]``, with ``RU[FREESTYLE]`` and the like; c-gomoku-cli writes Gomocup's numbers of rules as ``RU``;
GomokuQuest proposes an opening of three moves as ``QPR[hh,hg,jf]`` and the fourth as ``QSLW[ig]`` (as read by several
public converters); records of renju name the proposed fifth moves ``5A``, some of them with ``GM[5]``, which the
format gives to Nine Men's Morris.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from string import ascii_letters, ascii_lowercase
from typing import Final

import numpy as np

from core.files.record import RecordNode, Setup
from core.files.sgf_text import Report, SgfNode, SgfTree, unescape
from core.games import GAMES, BadGame, GameSpec, Position, load_game
from core.games.counting import Count
from core.games.lines import FIVE_IN_A_ROW
from core.games.spec import PASS, SgfReader, SgfRules
from core.games.walk import Walk
from core.text import Text, joined, text_of

_LONGEST_POINT = 16  # with spaces round it
GO_PASS = "tt"  # how FF[3] wrote a pass on boards up to 19x19
COLOURS: Final = ("B", "W")
STONES: Final = {"AB": 1, "AW": 2, "AE": 0}
SETUP: Final = (*STONES, "PL")

Properties = Mapping[str, Sequence[str]]
FIFTH_MOVES: Final = "5A"
_GO: Final = 1
_MORRIS: Final = 5
_FIVE: Final = re.compile(r"go-?moku|renju|five.in.a.row|五子|連珠|连珠", re.IGNORECASE)
_FIVE_RULES: Final = re.compile(r"free-?style|standard|exact|renju|go-?moku|caro|swap|\brif\b", re.IGNORECASE)
_SIZES_OF_FIVE: Final = (15, 20)  # usual ones that Go has not
_OPENINGS: Final = {"QPR": "BWB", "QSLW": "W"}

GAME: Final = "PLYGAME"  # our own property: the game as load_game takes it
LAST_MOVE: Final = "PLYLAST"  # our own property: the move that led to the position set up

_NAMES: Final = {
    3: "chess",
    5: "Nine Men's Morris",
    6: "backgammon",
    7: "Chinese chess",
    8: "shogi",
    9: "Lines of Action",
    10: "Ataxx",
    11: "Hex",
    18: "Amazons",
    21: "Twixt",
}

_UNSTATED: Final = 1  # the game of a file without GM, as the format has it: Go

OWNERS: Final = ("TB", "TW")  # points of black and of white


class BadPoint(ValueError):
    """A value is not a point of the board, or not a move."""


def point(cell: int, width: int) -> str:
    """The SGF point of cell ``row * width + col``."""
    return ascii_letters[cell % width] + ascii_letters[cell // width]


@lru_cache(maxsize=4096)
def _cell_of(word: str, shape: tuple[int, int]) -> int:
    """The cell of a point; -1 when it is not on the board.  On boards to 26×26 capitals are small letters."""
    height, width = shape
    if re.fullmatch("[A-Za-z]{2}", word):
        word = word if max(shape) > len(ascii_lowercase) else word.lower()
        col, row = (ascii_letters.index(letter) for letter in word)
        if col < width and row < height:
            return row * width + col
    return -1


def read_point(text: str, shape: tuple[int, int]) -> int:
    """The cell of a point; BadPoint when it is not on a board [H, W]."""
    cell = _cell_of(text.strip(), shape) if len(text) < _LONGEST_POINT else -1
    if cell >= 0:
        return cell
    height, width = shape
    last = point(height * width - 1, width)
    raise BadPoint(Text("{text!r} is no point of this board, which are aa to {last}", text=text[:20], last=last))


def read_cells(text: str, shape: tuple[int, int]) -> tuple[int, ...]:
    """The cells of a point, or of a rectangle ``aa:cc`` (FF[4], compressed point lists)."""
    first, colon, second = text.partition(":")
    a = read_point(first, shape)
    if not colon:
        return (a,)
    b = read_point(second, shape)
    (top, left), (bottom, right) = (divmod(cell, shape[1]) for cell in (a, b))
    rows, cols = sorted((top, bottom)), sorted((left, right))
    return tuple(r * shape[1] + c for r in range(rows[0], rows[1] + 1) for c in range(cols[0], cols[1] + 1))


def cell_of(position: Position | Walk, action: int) -> int:
    """The cell where ``action`` puts a stone in ``position``; -1 for a pass."""
    game = position.game
    if game.action_name(action) == PASS:
        return -1
    if not game.gravity:
        return action
    column = position.cells()[:, action]
    return int((column == 0).sum() - 1) * game.shape[1] + action


def read_action(raw: str, position: Position | Walk, width: int, report: Callable[[str], None]) -> int:
    """Parse the value of a move to an action in ``position``, legal or not; BadPoint when it is not a move.

    ``width`` is that of the file's board.  Besides points it accepts the usual names of moves.
    """
    game = position.game
    word = raw.strip()
    if word == "" or (word.lower() == GO_PASS and width <= 19 and _outside(word, game.shape)):
        if PASS in game.action_names:
            return game.action_names.index(PASS)
        raise BadPoint("there is a pass, and this game has none")
    try:
        cell = read_point(word, game.shape)
    except BadPoint:
        try:
            return game.parse_action(word) if not word.isdigit() else _no_number(word)
        except ValueError:
            pass
        raise
    if not game.gravity:
        return cell
    column = cell % game.shape[1]
    landing = cell_of(position, column)
    if landing >= 0 and landing != cell:
        report(
            Text(
                "a disc is at {word!r}, and in its column it falls to {point!r}",
                word=word,
                point=point(landing, game.shape[1]),
            )
        )
    return column


def _outside(word: str, shape: tuple[int, int]) -> bool:
    try:
        read_point(word, shape)
    except BadPoint:
        return True
    return False


def _no_number(word: str) -> int:
    raise BadPoint(f"{word!r} is a number and no point")


def read_stones(node: Properties, game: GameSpec, report: Report) -> dict[int, int]:
    """Cell -> 0, 1 or 2 for what a node places and takes away."""
    stones: dict[int, int] = {}
    for ident in (ident for ident in node if ident in STONES):  # a later one counts where two name a cell
        for raw in node[ident]:
            try:
                stones.update(dict.fromkeys(_cells(raw, game), STONES[ident]))
            except BadPoint as error:
                report(Text("{name}: {error}", name=ident, error=text_of(error)))
    return stones


def _cells(raw: str, game: GameSpec) -> tuple[int, ...]:
    """The cells of a point or rectangle; also of a name such as ``e4``, as edax writes them."""
    try:
        return read_cells(raw, game.shape)
    except BadPoint:
        if not game.moves_are_cells or raw.strip().lower() not in game.action_names[: game.num_cells]:
            raise
        return (game.action_names.index(raw.strip().lower()),)


def read_mover(node: Properties, report: Report) -> int | None:
    """The player to move that a node names."""
    if "PL" not in node:
        return None
    word = node["PL"][0].strip().upper()[:1]
    if word in COLOURS:
        return COLOURS.index(word)
    report(f"PL[{node['PL'][0][:20]}] names no player, which is B or W")
    return None


def first_movers(tree: SgfTree) -> list[int | None]:
    """Of each node the player of the first move in it or, by first children, below it."""
    movers: list[int | None] = [None] * len(tree)
    for raw in range(len(tree) - 1, -1, -1):
        node = tree[raw]
        players = [player for player, ident in enumerate(COLOURS) if ident in node.properties]
        movers[raw] = players[0] if players else movers[node.children[0]] if node.children else None
    return movers


def has_move(node: Properties) -> bool:
    """Whether a node has a move."""
    return any(ident in node for ident in COLOURS)


def is_done_by_move(node: Properties, stones: Mapping[int, int], walk: Walk, width: int) -> bool:
    """Whether a node's move alone makes what the node sets up besides, as when captured stones are taken off again."""
    after = walk.copy()
    try:
        for ident in (ident for ident in node if ident in COLOURS):
            action = read_action(node[ident][0], after, width, lambda _: None)
            if after.to_move != COLOURS.index(ident) or not after.allows(action):
                return False
            after.play(action)
    except BadPoint:
        return False
    cells = after.cells().ravel()
    return all(cells[cell] == stone for cell, stone in stones.items())


def split(tree: SgfTree, raw: int) -> None:
    """Move the move of a node, and what else the node says, to a new one below it."""
    node = tree[raw]
    rest = {ident: node.properties.pop(ident) for ident in [*node.properties] if ident not in SETUP}
    tree.append(SgfNode(raw, rest, node.children))
    node.children = [len(tree) - 1]


def setup_for(
    game: GameSpec, stones: Mapping[int, int], stated: int | None, usual: int | None, walk: Walk
) -> tuple[Setup, Walk]:
    """The change of the board of ``walk`` by ``stones``, and the game there; ValueError when there is none.

    ``stated``: the player to move; else the stones tell, ``usual`` does, or it stays as it was.
    """
    if stated is None and not game.stones_alternate:
        stated = walk.to_move if usual is None else usual
    change = Setup.of(stones, game.num_cells, 0)
    position = game.set_up(change.board(walk.cells()), stated)
    return change._replace(to_move=position.to_move), Walk.of(position)


def setup_properties(setup: Setup, width: int) -> dict[str, list[str]]:
    """The properties of a node that sets up stones on a board of that width."""
    properties: dict[str, list[str]] = {}
    stones = np.frombuffer(setup.cells, np.int8)
    for ident, stone in STONES.items():
        if points := [point(cell, width) for cell in np.flatnonzero(stones == stone).tolist()]:
            properties[ident] = points
    properties["PL"] = [COLOURS[setup.to_move]]
    return properties


def number_meant(tree: SgfTree, number: int | None, hint: GameSpec | None, report: Report) -> int | None:
    """The number of the game that a file is of, where a program wrote another one; says so."""
    root = tree[0].properties
    rules = " ".join(root.get("RU", ()))
    about = " ".join(word for ident in ("AP", "GN", "EV", "RU") for word in root.get(ident, ()))
    if number == _GO and (_FIVE.search(about) or (_FIVE_RULES.search(rules) and "tax" not in rules)):
        report(Text("it says that it is Go (GM[1]); by its rules or its program it was read as gomoku"))
        return FIVE_IN_A_ROW
    if number == _MORRIS and ("SZ" in root or is_renju(tree) or _FIVE.search(about)):
        report(Text("it says that it is Nine Men's Morris (GM[5]); it was read as gomoku or renju"))
        return FIVE_IN_A_ROW
    if number != _GO or {"KM", "RU", "HA"} & set(root) or _size(root) not in _SIZES_OF_FIVE:
        return number
    if hint is not None and hint.lines is not None and hint.lines.k == 5 and hint.shape == (_size(root),) * 2:
        report(
            Text("it says that it is Go (GM[1]) and has no komi; it was read as {game}, which is open", game=hint.title)
        )
        return None
    report(Text("it was read as Go (GM[1]); if it is gomoku, open a gomoku board of its size first"))
    return number


def is_renju(tree: SgfTree) -> bool:
    """Whether a node names proposed fifth moves, which only renju has."""
    return any(FIFTH_MOVES in node.properties for node in tree)


def _size(root: dict[str, list[str]]) -> int:
    word = root["SZ"][0].strip() if "SZ" in root else ""
    return int(word) if re.fullmatch("[0-9]{1,2}", word) else 0


def play_openings(tree: SgfTree) -> None:
    """Make the moves of a proposed opening ordinary ones, each in a node of its own before what its node has."""
    for raw in range(len(tree)):
        node = tree[raw]
        if len(node.properties) == 1 and ("B" in node.properties or "W" in node.properties):
            continue
        moves = [
            (colour, point)
            for ident, colours in _OPENINGS.items()
            if ident in node.properties
            for colour, point in zip(colours, ",".join(node.properties.pop(ident)).split(","), strict=False)
        ]
        if not moves:
            continue
        rest, children = node.properties, node.children
        if raw == 0:  # the root keeps what it says of the game
            node.properties = {ident: values for ident, values in rest.items() if ident not in ("B", "W")}
            rest = {ident: values for ident, values in rest.items() if ident in ("B", "W")}
            above = 0
        else:
            colour, point = moves.pop(0)
            node.properties, above = {colour: [point]}, raw
        for colour, point in moves:
            above = _add(tree, above, {colour: [point]})
        if rest:
            above = _add(tree, above, rest)
        if above != raw:
            tree[above].children = children
            for child in children:
                tree[child].parent = above


def _add(tree: SgfTree, above: int, properties: dict[str, list[str]]) -> int:
    tree.append(SgfNode(above, properties))
    tree[above].children = [len(tree) - 1]
    return len(tree) - 1


class Unreadable(ValueError):
    """A game of an SGF file cannot be shown; the message is one sentence."""


_loaded = lru_cache(maxsize=64)(load_game)  # thousands of files are of one game


def _readers() -> dict[int, tuple[str, SgfReader]]:
    """SGF's number of a game -> title and reader of the first family that has it."""
    readers: dict[int, tuple[str, SgfReader]] = {}
    for family in GAMES.values():
        if family.sgf is not None:
            readers.setdefault(family.sgf.number, (family.title, family.sgf))
    return dict(sorted(readers.items()))


def number_of(game: GameSpec) -> int:
    """The value of GM for a game; ValueError for one that cannot be written as points."""
    if game.sgf is None:
        raise ValueError(
            Text("{game} has no board of points and cannot be written as SGF; a session file keeps it", game=game.title)
        )
    return game.sgf.number


def rule_of(game: GameSpec) -> str:
    """The value of RU for a game whose rule is not freestyle; else ""."""
    return game.sgf.rules if game.sgf is not None else ""


def as_size(shape: tuple[int, int]) -> str:
    """The value of SZ for a board [H, W]."""
    return str(shape[0]) if shape[0] == shape[1] else f"{shape[1]}:{shape[0]}"


def find_game(tree: SgfTree, hint: GameSpec | None, report: Report) -> GameSpec:
    """The game of a tree: by our own property, else by GM, SZ and RU, else ``hint``.  Raises Unreadable."""
    root = tree[0].properties
    if GAME in root:
        try:
            named = _loaded(unescape(root[GAME][0], one_line=True))
            number_of(named)
        except ValueError as error:
            report(Text("{name}: {error}", name=GAME, error=text_of(error)))
        else:
            return named
    number = number_meant(tree, _number(root, report), hint, report)
    if number is None and hint is not None and _may_be(root, hint):
        return hint
    if number is None:
        number = _UNSTATED
    readers = _readers()
    if number not in readers:
        name = _NAMES.get(number, Text("another game"))
        choices = (Text("{title} (GM[{number}])", number=n, title=Text(title)) for n, (title, _) in readers.items())
        games = joined(choices, " and ")
        raise Unreadable(
            Text(
                "it is of {name} (GM[{number}]); of SGF's games {games} are known",
                name=name,
                number=number,
                games=games,
            )
        )
    reader = readers[number][1]
    shape = _shape(root) or (reader.usual_size,) * 2
    if reader.grows and "SZ" not in root:
        shape = (max(shape[0], _extent(tree)),) * 2
    rules, komi = (
        " ".join(unescape(raw, one_line=True).lower() for raw in root.get(name, ())) for name in ("RU", "KM")
    )
    if is_renju(tree) and not rules:
        rules = "renju"
        report(Text("it proposes fifth moves ({name}) and was read as renju", name=FIFTH_MOVES))
    try:
        return _loaded(reader.text(*shape, SgfRules(rules, komi)))
    except BadGame as error:
        raise Unreadable(Text("its board cannot be played on: {error}", error=text_of(error))) from None
    except ValueError as error:
        raise Unreadable(text_of(error)) from None


def _may_be(root: dict[str, list[str]], game: GameSpec) -> bool:
    """Whether a file that names no game may be of ``game``: by its size, and by having a komi."""
    shape = _shape(root)
    return shape in (None, game.shape) and ("KM" not in root or (game.sgf is not None and bool(game.sgf.komi)))


def _number(root: dict[str, list[str]], report: Report) -> int | None:
    if "GM" not in root:
        return None
    word = root["GM"][0].strip()
    if re.fullmatch("[0-9]{1,4}", word):
        return int(word)
    report(f"GM[{word[:20]}] is no number of a game")
    return None


def _shape(root: dict[str, list[str]]) -> tuple[int, int] | None:
    """The board's size by SZ as (height, width); None without a valid one."""
    match = re.fullmatch(r"\s*([0-9]{1,4})\s*(?::\s*([0-9]{1,4})\s*)?", root["SZ"][0]) if "SZ" in root else None
    if match is None:
        return None
    return int(match[2] or match[1]), int(match[1])


def _extent(tree: SgfTree) -> int:
    """The size of the smallest board that contains all points of the moves."""
    words = [raw.strip() for node in tree for ident in ("B", "W") for raw in node.properties.get(ident, ())]
    letters = "".join(word for word in words if re.fullmatch("[a-zA-Z]{2}", word))
    return 1 + max((ascii_letters.index(letter) for letter in letters), default=0)


def read_size(root: dict[str, list[str]], game: GameSpec, report: Report) -> int:
    """The width of the file's board; complains when it differs from the game's."""
    if "SZ" not in root:
        return game.shape[1]
    shape = _shape(root)
    if shape is None:
        report(f"SZ[{root['SZ'][0][:20]}] is no size of a board; {as_size(game.shape)} was taken")
        return game.shape[1]
    if shape != game.shape:
        report(
            Text(
                "SZ[{size}] is not the board of {game}, which is {board}",
                size=as_size(shape),
                game=game.title,
                board=as_size(game.shape),
            )
        )
    return shape[1]


def result_of(count: Count) -> str:
    """The result as ``B+3.5``, ``W+0.5`` or ``0``."""
    return f"{'B' if count.margin > 0 else 'W'}+{abs(count.margin):g}" if count.margin else "0"


def points_of(position: Position, count: Count) -> dict[str, tuple[str, ...]]:
    """The properties for the empty points and the dead stones of each owner."""
    owners, cells = count.owners.ravel(), position.cells().ravel()
    cols = position.game.shape[1]
    free = [cell for cell in range(len(owners)) if not cells[cell] or cell in count.dead]
    return {
        ident: tuple(point(cell, cols) for cell in free if owners[cell] == owner)
        for owner, ident in enumerate(OWNERS, 1)
    }


def dead_of(position: Position, node: RecordNode) -> frozenset[int] | None:
    """The stones that lie on points of the other side, by the properties of ``node``; None where it has none."""
    properties: Mapping[str, tuple[str, ...]] = dict(node.extra)
    if not any(ident in properties for ident in OWNERS):
        return None
    cells = position.cells().ravel()
    dead: set[int] = set()
    for owner, ident in enumerate(OWNERS, 1):
        for value in properties.get(ident, ()):
            try:
                dead.update(cell for cell in read_cells(value, position.game.shape) if cells[cell] == 3 - owner)
            except BadPoint:
                continue
    counting = position.game.counting
    assert counting is not None
    return counting.chains_at(position, dead)
