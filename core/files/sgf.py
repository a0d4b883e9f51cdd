"""Reads and writes game records as SGF.

The format's own games here are gomoku and renju (GM[4]) and Othello (GM[2]).  Connect Four, tic-tac-toe and other
k in a row have no number of their own and are written as GM[4], whose form they share: stones on the points of a
board.  The first player is always B, points are two letters from the top left, a move of Connect Four is the point
where its disc comes to rest.  ``PLYGAME`` names the exact game as ``load_game`` takes it, ``PLYLAST`` the move that
led to a set-up position.  Nim has no board of points and no SGF.

Reading is tolerant: each error is reported in a sentence, and illegal variations are kept for writing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from core.files import sgf_text
from core.files.reading import Complaints
from core.files.record import ROOT, GameRecord, Mark, RecordBuilder
from core.files.sgf_meaning import (
    COLOURS,
    GAME,
    LAST_MOVE,
    SETUP,
    STONES,
    BadPoint,
    Unreadable,
    as_size,
    cell_of,
    find_game,
    first_movers,
    has_move,
    is_done_by_move,
    number_of,
    play_openings,
    point,
    read_action,
    read_cells,
    read_mover,
    read_size,
    read_stones,
    rule_of,
    setup_for,
    setup_properties,
    split,
)
from core.files.sgf_text import SgfNode, SgfTree, escape, unescape
from core.games import GameSpec, IllegalMove, Position, diagram
from core.games.branching import AFTER_PASS, ILLEGAL, MoveTree
from core.games.spec import PASS
from core.games.walk import Walk
from core.text import Text, text_of

INFO: Final = {
    "black": "PB",
    "white": "PW",
    "result": "RE",
    "title": "GN",
    "event": "EV",
    "round": "RO",
    "date": "DT",
    "place": "PC",
    "rules": "RU",
    "source": "SO",
    "author": "US",
    "annotator": "AN",
    "comment": "GC",
}
MARKS: Final = {"label": "LB", "triangle": "TR", "square": "SQ", "circle": "CR", "cross": "MA"}
_MARK_OF: Final = {ident: kind for kind, ident in MARKS.items()}
_OF_FORMAT: Final = ("FF", "GM", "CA", "AP", "SZ", GAME, LAST_MOVE)
_OF_GO: Final = ("KM", "HA")  # written anew in games with komi
_NO_MOVE: Final = -1
_SKIPPED: Final = -2  # in a node that needs more than its one move


class SgfFile(NamedTuple):
    """The content of a file of games, with a sentence for each error in it.

    ``games``: their number; ``records`` may be only some of them: ``numbers`` says which, from 1.
    """

    records: tuple[GameRecord, ...]
    errors: tuple[str, ...]
    games: int = 0
    numbers: tuple[int, ...] = ()


def read_sgf(
    data: bytes | str, game: GameSpec | None = None, most: int | None = None, only: int | None = None
) -> SgfFile:
    """Read the games of an SGF file; ``game`` is used where they do not name one.  Never raises for the content.

    ``most``: limit of the records made, of the first games, as replaying a game takes much longer than parsing it.
    ``only``: the one game, from 1, that is made a record.
    """
    report = Complaints()
    if len(data) > sgf_text.MAX_BYTES:
        report(
            Text(
                "it has {size} MiB, and at most {most} are read",
                size=len(data) >> 20,
                most=sgf_text.MAX_BYTES >> 20,
            )
        )
        return SgfFile((), report.all())
    text = sgf_text.decode(data, report) if isinstance(data, bytes) else data
    trees = sgf_text.parse(text, report)
    if not trees:
        report(Text("there is no SGF game in it: a game begins with '(;'"))
    return read_trees(trees, game, most, only, report)


def read_trees(
    trees: Sequence[SgfTree], game: GameSpec | None, most: int | None, only: int | None, report: Complaints
) -> SgfFile:
    """The games of trees, which are changed; as ``read_sgf``, with the sentences that ``report`` has already."""
    records: list[GameRecord] = []
    numbers: list[int] = []
    for i, tree in enumerate(trees):
        report.where = Text("game {number}", number=i + 1) if len(trees) > 1 else ""
        if most is not None and len(records) >= most:
            break
        if only not in (None, i + 1):
            continue
        try:
            records.append(_Reading(tree, game, report).record)
            numbers.append(i + 1)
        except Unreadable as error:
            report(text_of(error))
    return SgfFile(tuple(records), report.all(), len(trees), tuple(numbers))


@dataclass
class _Notes:
    """Notes of SGF nodes that belong to one node of the record."""

    names: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    extra: dict[str, list[str]] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)


class _Place(NamedTuple):
    """A node of the record with the game there, which is only copied."""

    node: int
    walk: Walk


class _Reading:
    """Converts one SGF tree to a record."""

    def __init__(self, tree: SgfTree, hint: GameSpec | None, report: Complaints) -> None:
        self._tree = tree
        self._report = report
        play_openings(tree)
        root = tree[0].properties
        self._game = find_game(tree, hint, report)
        self._width = read_size(root, self._game, report)
        self._setups = self._leading_setups()
        self.record = GameRecord(self._start(root))
        self._read_info(root)
        self._split_root()
        self._movers: list[int | None] | None = None
        self._notes: dict[int, _Notes] = {}
        self._builder = RecordBuilder(self.record.start)
        self._read_nodes()
        self._take_notes()
        self._builder.fill(self.record)
        if "result" in self.record.info and self._is_computed("result"):
            self.record.set_info("result", "")
        self.record.forget_undo()

    def _leading_setups(self) -> tuple[int, ...]:
        """The root and, as some servers write handicaps, the nodes right after it that only set up stones.

        A file of our own has its start in the root.
        """
        setups = [0]
        while GAME not in self._tree[0].properties and not has_move(self._tree[setups[-1]].properties):
            children = self._tree[setups[-1]].children
            if len(children) != 1 or not any(ident in self._tree[children[0]].properties for ident in STONES):
                break
            setups.append(children[0])
        if has_move(self._tree[setups[-1]].properties):
            setups.pop()
        return tuple(setups) or (0,)

    def _start(self, root: dict[str, list[str]]) -> Position:
        """The start position: the game's first, or the one the file sets up."""
        game = self._game
        setups = [self._tree[raw].properties for raw in self._setups]
        stated = (read_mover(node, self._report) for node in reversed(setups))
        to_move = next((player for player in stated if player is not None), None)
        placed = any(ident in node for node in setups for ident in STONES)
        handicap = () if placed and "AB" not in root else self._handicap(root)
        first = next((node.properties for node in self._tree if has_move(node.properties)), {})
        if not handicap and not placed and (to_move != 1 or game.stones_alternate or "B" in first):
            if to_move == 1:
                self._report(Text("it lets W begin, which the game does not; PL was left out"))
            return game.initial()
        cells = game.initial().cells()
        cells.flat[list(handicap)] = 1
        for node in setups:
            stones = read_stones(node, game, self._report)
            cells.flat[list(stones)] = list(stones.values())
        if to_move is None and not game.stones_alternate:
            only_black = bool((cells == 1).sum() > 1 and not (cells == 2).any())
            to_move = 1 if "B" not in first and ("W" in first or only_black) else 0
        last = None
        if LAST_MOVE in root:
            last = unescape(root[LAST_MOVE][0], one_line=True)
        counts = to_move if to_move is not None else int((cells == 1).sum() > (cells == 2).sum())
        try:
            return game.parse_diagram(diagram.write(cells, counts, last))
        except ValueError as error:
            raise Unreadable(
                Text("the position it sets up is none of {game}: {error}", game=game.title, error=text_of(error))
            ) from None

    def _handicap(self, root: dict[str, list[str]]) -> tuple[int, ...]:
        """The cells of handicap stones of which the file gives only the number, before white moves."""
        stated = root.get("HA", [""])[0].strip()
        usual = self._game.sgf.handicap if self._game.sgf is not None else None
        if usual is None or "AB" in root or not stated.isdigit() or not 2 <= int(stated) <= 9:
            return ()
        first = next((n.properties for n in self._tree if "B" in n.properties or "W" in n.properties), {})
        if "B" in first:  # black's moves are the handicap
            return ()
        return usual(int(stated))

    def _read_info(self, root: dict[str, list[str]]) -> None:
        for key, ident in INFO.items():
            if ident in root:
                separator = "\n" if key == "comment" else " "
                text = separator.join(unescape(raw, one_line=key != "comment") for raw in root[ident])
                self.record.set_info(key, text)
        if self.record.info.get("rules") == rule_of(self._game):
            self.record.set_info("rules", "")

    def _is_computed(self, key: str) -> bool:
        """Whether a stated result is the one that the main line gives anyway."""
        stated = self.record.info[key]
        self.record.set_info(key, "")
        computed = self.record.outcome()
        self.record.set_info(key, stated)
        return computed == stated

    def _split_root(self) -> None:
        """Move the moves in the root, which the format discourages, to a new node."""
        root = self._tree[0]
        moves: dict[str, list[str]] = {
            ident: root.properties.pop(ident) for ident in COLOURS if ident in root.properties
        }
        if moves:
            self._tree.append(SgfNode(0, moves, root.children))
            root.children = [len(self._tree) - 1]

    def _read_nodes(self) -> None:
        """Read all nodes in the file's order."""
        tree, steps, play = self._tree, Steps(self._tree, self._width), self._builder.play
        # Each with the node of the record above it, and a place further up where the game is known.
        stack = [(0, ROOT, _Place(ROOT, Walk.of(self.record.start)))]
        while stack:
            raw, above, place = stack.pop()
            actions = steps.get(raw)
            if actions is None:
                read = self._read_node(raw, above, self._walk_to(above, place))
                if read is None:
                    continue
                place = _Place(*read)
                node = place.node
                steps.look_below(raw, place.walk)
            else:
                node = above
                for action in actions:
                    node = play(node, action)
                properties = tree[raw].properties
                if len(properties) > 1 or node == above:
                    self._annotate(node, properties, is_root=False, starts=False)
            for child in reversed(tree[raw].children):
                stack.append((child, node, place))

    def _walk_to(self, node: int, place: "_Place") -> Walk:
        """The game at a node of the record below ``place``."""
        walk = place.walk.copy()
        walk.play_line(self._builder.moves(node, place.node))
        return walk

    def _read_node(self, raw: int, above: int, walk: Walk) -> tuple[int, Walk] | None:
        """Read one SGF node: the record's node and the game there.

        None when its move or position is impossible and the variation is kept as text.
        """
        properties = self._tree[raw].properties
        node = above
        try:
            starts = raw in self._setups
            if not starts and ("AB" in properties or "AW" in properties or "AE" in properties or "PL" in properties):
                node, walk = self._set_up(raw, node, walk)
                starts = node != above
            for ident, values in properties.items():
                if ident in COLOURS:
                    node = self._play(node, COLOURS.index(ident), values[0], walk)
        except BadPoint as error:
            self._notes.setdefault(above, _Notes()).unread.append(sgf_text.write_tree(self._tree, raw))
            self._report(
                Text(
                    "{after}, {error}; that variation is kept but not shown",
                    after=self._after(above),
                    error=text_of(error),
                )
            )
            return None
        if raw == 0 or len(properties) > 1 or node == above:
            self._annotate(node, properties, is_root=raw == 0, starts=starts)
        return node, walk

    def _set_up(self, raw: int, node: int, walk: Walk) -> tuple[int, Walk]:
        """Set up what an SGF node does: the record's new node and the game there, or those given for no change."""
        properties = self._tree[raw].properties
        stones = read_stones(properties, self._game, self._report)
        stated = read_mover(properties, self._report)
        moves = has_move(properties)
        if not stones and (moves or stated in (None, walk.to_move) or self._game.has_free_pass):
            return node, walk  # a pass is played before the next move if it is the other player's
        if moves:
            if is_done_by_move(properties, stones, walk, self._width):
                return node, walk
            split(self._tree, raw)
        if self._movers is None:
            self._movers = first_movers(self._tree)
        try:
            setup, walk = setup_for(self._game, stones, stated, self._movers[raw], walk)
        except ValueError as error:
            raise BadPoint(
                Text("the position set up is none of {game}: {error}", game=self._game.title, error=text_of(error))
            ) from None
        return self._builder.set_up(node, setup), walk

    def _after(self, node: int) -> str:
        moves = [self._game.action_name(a) for a in self._builder.moves(node)]
        if not moves:
            return Text("at the start")
        return Text("after {moves}", moves=("… " if len(moves) > 4 else "") + " ".join(moves[-4:]))

    def _play(self, node: int, player: int, raw: str, walk: Walk) -> int:
        action = read_action(raw, walk, self._width, self._report)
        names = self._game.action_names
        if walk.to_move != player and not walk.is_over:
            # Programs leave out the passes that Othello's rules demand, and in Go those between moves of one colour.
            passes = [legal for legal in walk.legal_actions() if names[legal] == PASS]
            if not passes or names[action] == PASS:
                raise BadPoint(
                    Text(
                        "{player} plays {move} and it is {other}'s turn",
                        player=COLOURS[player],
                        move=names[action],
                        other=COLOURS[1 - player],
                    )
                )
            walk.play(passes[0])
            node = self._builder.play(node, passes[0])
        if not walk.allows(action):
            raise BadPoint(
                Text("{move} cannot be played: {reason}", move=names[action], reason=self._refusal(walk, action))
            )
        walk.play(action)
        return self._builder.play(node, action)

    def _refusal(self, walk: Walk, action: int) -> str:
        try:
            walk.position().play(action)
        except IllegalMove as error:
            return error.reason
        return ""

    def _annotate(self, node: int, properties: dict[str, list[str]], is_root: bool, starts: bool) -> None:
        notes = self._notes.setdefault(node, _Notes())
        for ident, values in properties.items():
            if ident in COLOURS or (ident in SETUP and (starts or self._builder.sets_up(node))):
                continue
            if is_root and (ident in _OF_FORMAT or ident in INFO.values()):
                continue
            if is_root and ident in _OF_GO and self._game.sgf is not None and self._game.sgf.komi:
                continue
            if ident == "C":
                notes.comments += filter(None, map(unescape, values))
            elif ident == "N":
                notes.names += [unescape(raw, one_line=True) for raw in values]
            else:
                kind = _MARK_OF.get(ident)
                unread = values if kind is None else [raw for raw in values if not self._mark(notes.marks, kind, raw)]
                if unread:
                    notes.extra.setdefault(ident, []).extend(unread)

    def _take_notes(self) -> None:
        for node, notes in self._notes.items():
            self._builder.note(node, " ".join(notes.names), "\n\n".join(notes.comments), notes.marks)
            extra = [(ident, tuple(values)) for ident, values in notes.extra.items()]
            self._builder.keep_of_file(node, extra, notes.unread)

    def _mark(self, marks: list[Mark], kind: str, raw: str) -> bool:
        """Add one mark; False when its point is not on the board."""
        place, text = (raw[:2], raw[3:]) if kind == "label" and raw[2:3] == ":" else (raw, "")
        try:
            marks.extend(
                Mark(cell, kind, unescape(text, one_line=True)) for cell in read_cells(place, self._game.shape)
            )
        except BadPoint as error:
            self._report(Text("{name}: {error}", name=MARKS[kind], error=text_of(error)))
            return False
        return True


class Steps:
    """The nodes of a tree whose moves are known to be legal, or that have none and set up nothing."""

    def __init__(self, tree: SgfTree, width: int) -> None:
        self._tree = tree
        self._width = width  # of the file's board
        self._actions: dict[str, int] = {}  # by the values of moves
        self._played: dict[int, tuple[int, ...]] = {}

    def get(self, raw: int) -> tuple[int, ...] | None:
        """The actions of a node, a pass that the file leaves out before its move among them; None when not known."""
        return self._played.get(raw)

    def look_below(self, top: int, walk: Walk) -> None:
        """Try the moves below the node ``top``, where the game is that of ``walk``, which stays there."""
        if walk.game.gravity:  # a point that is not where the disc falls is told of
            return
        tree, played, step = self._tree, self._played, self._step
        of: list[int] = []  # the nodes of the moves
        parents: list[int] = []
        players: list[int] = []
        actions: list[int] = []
        without: list[tuple[int, int]] = []  # nodes without a move, and the move above
        stack = [(child, -1) for child in tree[top].children]
        while stack:
            raw, above = stack.pop()
            while True:
                player, action = step(tree[raw].properties, walk)
                if action == _SKIPPED:
                    break
                if action == _NO_MOVE:
                    without.append((raw, above))
                else:
                    parents.append(above)
                    players.append(player)
                    actions.append(action)
                    above = len(of)
                    of.append(raw)
                children = tree[raw].children
                if len(children) != 1:
                    stack.extend([(child, above) for child in reversed(children)])
                    break
                raw = children[0]
        moves = MoveTree(np.array(parents, np.int32), np.array(players, np.int8), np.array(actions, np.int16))
        legal = walk.try_moves(moves).tolist() if of else []
        for raw, action, how in zip(of, actions, legal, strict=True):
            if how != ILLEGAL:
                played[raw] = (walk.game.passing, action) if how == AFTER_PASS else (action,)
        for raw, above in without:
            if above < 0 or legal[above] != ILLEGAL:
                played[raw] = ()

    def _step(self, properties: Mapping[str, list[str]], walk: Walk) -> tuple[int, int]:
        """The player and the action of a node; _NO_MOVE, or _SKIPPED."""
        if len(properties) > 1 and not properties.keys().isdisjoint(SETUP):
            return 0, _SKIPPED
        if "B" in properties:
            if "W" in properties:
                return 0, _SKIPPED
            player, raw = 0, properties["B"][0]
        elif "W" in properties:
            player, raw = 1, properties["W"][0]
        else:
            return 0, _NO_MOVE if properties.keys().isdisjoint(SETUP) else _SKIPPED
        action = self._actions.get(raw)
        if action is None:
            try:
                action = read_action(raw, walk, self._width, lambda _: None)
            except BadPoint:
                action = _SKIPPED
            self._actions[raw] = action
        return player, action


def write_sgf(records: Sequence[GameRecord]) -> bytes:
    """Write records as one UTF-8 SGF file.  ValueError for a game without SGF."""
    return "".join(sgf_text.write_tree(_tree_of(record)) + "\n" for record in records).encode("utf-8")


def _tree_of(record: GameRecord) -> SgfTree:
    tree: SgfTree = []
    index: dict[int, int] = {}
    movers = {ROOT: record.start.to_move}  # who is to move after each node: every action, a pass too, is a turn
    for i in record.preorder():
        node = record.node(i)
        if i == ROOT:
            properties = _root_properties(record)
        elif node.setup is not None:
            movers[i] = node.setup.to_move
            properties = setup_properties(node.setup, record.game.shape[1])
        else:
            movers[i] = 1 - movers[node.parent]
            # Only where stones fall does the cell depend on the position, which is costly to find.
            cell = cell_of(record.position(node.parent), node.action) if record.game.gravity else node.action
            if cell < record.game.num_cells:
                move = point(cell, record.game.shape[1])
            else:
                name = record.game.action_names[node.action]
                move = "" if name == PASS else name
            properties = {COLOURS[1 - movers[i]]: [move]}
        if node.name:
            properties["N"] = [escape(node.name)]
        if node.comment:
            properties["C"] = [escape(node.comment)]
        for mark in node.marks:
            place = point(mark.cell, record.game.shape[1])
            value = f"{place}:{escape(mark.text, composed=True)}" if mark.kind == "label" else place
            properties.setdefault(MARKS[mark.kind], []).append(value)
        for ident, values in node.extra:
            properties.setdefault(ident, []).extend(values)
        parent = index.get(node.parent, -1)
        tree.append(SgfNode(parent, properties))
        index[i] = len(tree) - 1
        if parent >= 0:
            tree[parent].children.append(index[i])
    for i, at in index.items():
        for text in record.node(i).unread:
            _graft(tree, at, text)
    return tree


def _graft(tree: SgfTree, at: int, text: str) -> None:
    """Append the variations in ``text`` to node ``at``."""
    for part in sgf_text.parse(text, lambda _: None):
        first = len(tree)
        for node in part:
            parent = at if node.parent < 0 else first + node.parent
            tree.append(SgfNode(parent, node.properties, [first + child for child in node.children]))
        tree[at].children.append(first)


def _root_properties(record: GameRecord) -> dict[str, list[str]]:
    game, start = record.game, record.start
    properties = {
        "FF": ["4"],
        "GM": [str(number_of(game))],
        "CA": ["UTF-8"],
        "AP": ["Plyscope"],
        "SZ": [as_size(game.shape)],
        GAME: [escape(game.text)],
    }
    info = dict(record.info)
    if rule_of(game):
        info.setdefault("rules", rule_of(game))
    if game.sgf is not None and game.sgf.komi:
        properties["KM"] = [game.sgf.komi]
    if outcome := record.outcome():
        info["result"] = outcome
    for key, ident in INFO.items():
        if key in info:
            properties[ident] = [escape(info[key])]
    if start != game.initial():
        cells = start.cells()
        for ident, stone in (("AB", 1), ("AW", 2)):
            points = [point(int(cell), game.shape[1]) for cell in np.flatnonzero(cells == stone)]
            if points:
                properties[ident] = points
        handicap = properties.get("AB", []) if game.sgf is not None and game.sgf.handicap is not None else []
        if len(handicap) > 1 and "AW" not in properties:
            properties["HA"] = [str(len(handicap))]
        properties["PL"] = [COLOURS[start.to_move]]
        if start.last_action >= 0:
            properties[LAST_MOVE] = [game.action_name(start.last_action)]
    return properties
