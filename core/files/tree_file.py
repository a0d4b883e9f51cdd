"""Files of a search with its whole tree (.npz).

The arrays have the names of ``core.search.tree.Tree`` and their used length; ``about.json`` holds the position, the
settings and the counters.  A tree takes 30 to 1000 bytes per node before compression.  Loading checks everything, so
that an invalid tree never reaches a kernel: kernels do not check their input.

In the file ``visits`` are n, all simulations through a node (core.search.tree).  The number that each root began
follows from the records, so that files of older versions, which did not count them separately, can be read.
"""

import tempfile
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from core.engine import Search, SearchState
from core.files.arrays import BadFile, Unpacked, as_json, pack
from core.files.reading import Fields, read_bytes, whole_numbers
from core.files.texts import position_from, position_json, settings_from
from core.files.tree_moves import check_moves
from core.games import Position
from core.search import SearchSettings
from core.search.proofs import LOSS, UNPROVED
from core.search.root import Restriction, chosen_moves
from core.search.tree import (
    EDGES,
    NODES,
    OWN_RULE,
    PENDING,
    PRIOR_ONE,
    RECORDS,
    SCHEDULED,
    SLOTS,
    TERMINAL,
    UNEXPANDED,
    Tree,
    allocate,
    backups,
    backups_of,
)
from core.search.work import NUM_STATS
from core.text import Text, text_of

FORMAT: Final = "plyscope tree"
VERSION: Final = 1
ABOUT: Final = "about.json"
MAX_FILE_BYTES: Final = 8 << 30

_MAX_ABOUT_BYTES: Final = 16 << 20
_MOST: Final = (1 << 63) - 1  # of any count
_LONGEST_S: Final = 1e12

# Field -> (dimension, type in the file).
_ARRAYS: Final[dict[str, tuple[int, type[np.generic]]]] = {
    "parent": (NODES, np.int32),
    "slot": (NODES, np.int32),
    "edge_start": (NODES, np.int32),
    "child_start": (NODES, np.int32),
    "value": (NODES, np.float32),
    "action": (NODES, np.int16),
    "num_edges": (NODES, np.int16),
    "num_children": (NODES, np.int16),
    "total": (SLOTS, np.float64),
    "child": (SLOTS, np.int32),
    "visits": (SLOTS, np.int32),
    "distance": (SLOTS, np.int16),
    "proof": (SLOTS, np.int8),
    "edge_action": (EDGES, np.int16),
    "edge_prior": (EDGES, np.uint16),
    "leaf": (RECORDS, np.int32),
    "leaf_value": (RECORDS, np.float32),
}
_OF_SLOTS: Final = {name for name, (counted_by, _) in _ARRAYS.items() if counted_by == SLOTS} | {
    "squares",
    "lead_sum",
    "inflight",
    "was_root",
}


def check(
    tree: Tree, top: Position, position: Position, root: int, changes: Sequence[tuple[int, int]], own_root: int
) -> None:
    """Check that ``tree`` is valid, starts at ``top`` and has ``root`` at ``position``; else BadFile."""
    nodes = tree.parent.size
    if not nodes or not tree.child.size:
        raise BadFile("its tree has no node")
    _check_nodes(tree, top.game.num_actions)
    _check_blocks(tree)
    _check_figures(tree)
    if not 0 <= root < nodes or not -1 <= own_root < nodes:
        raise BadFile(f"its root is node {root}, and its nodes are 0 to {nodes - 1}")
    records = [record for record, _ in changes]
    if records != sorted(records) or any(not 0 <= r <= tree.leaf.size or not 0 <= n < nodes for r, n in changes):
        raise BadFile("the places where its search went on from another move are not in it")
    path = []
    node = root
    while node != 0:
        path.append(int(tree.action[node]))
        node = int(tree.parent[node])
    if (*top.moves, *reversed(path)) != position.moves:
        raise BadFile("its root is not reached by the moves that it names")
    count = max(0, int(tree.num_edges[root]))
    edges = tree.edge_action[tree.edge_start[root] :][:count]
    if not set(edges.tolist()) <= set(position.legal_actions()):
        raise BadFile("the root has moves that cannot be played there")


def _all(right: NDArray[np.bool_] | bool, what: str) -> None:
    if not np.all(right):
        at = int(np.argmin(right)) if isinstance(right, np.ndarray) and right.ndim else 0
        raise BadFile(f"its tree is damaged: {what} (the first at {at})")


def _within(values: NDArray[Any], low: int, high: int, what: str) -> None:
    """Check that every value is in [low, high)."""
    _all((values >= low) & (values < high), what)


def _check_nodes(tree: Tree, num_actions: int) -> None:
    nodes, slots, edges = tree.parent.size, tree.child.size, tree.edge_action.size
    ids = np.arange(nodes)
    if tree.parent[0] != -1 or tree.action[0] != -1:
        raise BadFile("its tree is damaged: its first node is not its top")
    _all((tree.parent[1:] >= 0) & (tree.parent[1:] < ids[1:]), "a node comes before its parent")
    _within(tree.slot, 0, slots, "a node has no place for its figures")
    _all(tree.child[tree.slot] == ids, "a place for figures belongs to another node")
    allowed = (tree.num_edges >= 0) | np.isin(tree.num_edges, (UNEXPANDED, PENDING, TERMINAL))
    _all(allowed & (tree.num_edges != PENDING), "a node is in no known state")
    count = np.maximum(tree.num_edges.astype(np.int64), 0)
    _within(tree.edge_start, 0, edges + 1, "a node's moves are out of reach")
    _within(tree.edge_start + count, 0, edges + 1, "a node's moves are out of reach")
    _all(count <= num_actions, "a node has more moves than the game")
    _all((tree.num_children >= 0) & (tree.num_children <= count), "a node has more children than moves")
    _within(tree.edge_action, 0, num_actions, "a move is none of the game's")
    _within(tree.edge_prior, 1, 1 << 16, "a prior is 0")


def _check_blocks(tree: Tree) -> None:
    """Check that the children of each node are adjacent, in a separate block whose size is a power of two."""
    slots = tree.child.size
    has = np.flatnonzero(tree.num_children > 0)
    start, count = tree.child_start[has].astype(np.int64), tree.num_children[has].astype(np.int64)
    _within(start, 0, slots, "a node's children are out of reach")
    block = np.int64(1) << np.ceil(np.log2(count)).astype(np.int64)
    begins = np.concatenate([start, tree.slot[:1]])
    ends = begins + np.concatenate([block, [1]])
    order = np.argsort(begins, kind="stable")
    _all(ends <= slots, "a node's children are out of reach")
    _all(ends[order][:-1] <= begins[order][1:], "two nodes have the same children")
    children = tree.parent.size - 1
    if int(count.sum()) != children:
        raise BadFile(f"its tree is damaged: its nodes have {int(count.sum())} children, and {children} have a parent")
    place = tree.slot[1:] - tree.child_start[tree.parent[1:]]
    _all((place >= 0) & (place < tree.num_children[tree.parent[1:]]), "a node is not among its parent's children")
    edge = tree.edge_start[tree.parent[1:]] + place
    _all(tree.edge_action[edge] == tree.action[1:], "a node's move is not the one that leads to it")


def _check_figures(tree: Tree) -> None:
    used = tree.slot
    visits, total = tree.visits[used], tree.total[used]
    _all(visits >= 0, "a number of visits is below 0")
    _all(np.isfinite(total), "a sum of values is no number")
    _within(tree.proof[used], 0, LOSS + 1, "a proof is no known one")
    _all(tree.distance[used] >= 0, "a distance is below 0")
    _all(np.isnan(tree.value) | (np.abs(tree.value) <= 1.001), "a value is beyond -1 to +1")
    _within(tree.leaf, 0, tree.parent.size, "a simulation ended at no node")
    _all(np.abs(tree.leaf_value) <= 1.001, "a simulation's value is beyond -1 to +1")
    for array in (tree.node_lead, tree.lead_sum[used] if tree.lead_sum.size else tree.lead_sum):
        _all(np.isfinite(array), "a score lead is no number")
    if tree.squares.size:
        _all(np.isfinite(tree.squares[used]), "a sum of squares is no number")


@dataclass(frozen=True)
class SavedSearch:
    """A stopped search with its own copy of the tree."""

    state: SearchState
    settings: SearchSettings
    evaluator: str  # description of the evaluator
    source: str = ""  # the evaluator: a net's file, "uniform", or "" for rollouts
    seed: int = 0

    @property
    def position(self) -> Position:
        """The position at the root."""
        return self.state.position

    def resume(self, search: Search) -> None:
        """Put the tree into ``search``, of the same game and settings; ValueError when they differ."""
        search.load_state(self.state)


def saved(search: Search, source: str = "", seed: int = 0) -> SavedSearch:
    """A copy of the state of ``search``; to be called in the thread of the search."""
    state = search.state()
    copied = state._replace(
        tree=trimmed(state.tree),
        net_priors=None if state.net_priors is None else state.net_priors.copy(),
        same=dict(state.same),
        restriction=state.restriction._replace(left_out=dict(state.restriction.left_out)),
        stats=state.stats.copy(),
    )
    return SavedSearch(copied, search.settings, search.snapshot().evaluator, source, seed)


def trimmed(tree: Tree) -> Tree:
    """A copy with arrays of their used length and no simulations in flight."""
    counts = tree.counts
    copy = allocate(
        tree.gumbel.size,
        nodes=int(counts[NODES]),
        slots=int(counts[SLOTS]),
        edges=int(counts[EDGES]),
        records=int(counts[RECORDS]),
        squares=bool(tree.squares.size),
        leads=bool(tree.lead_sum.size),
    )
    used = tree.slot[: counts[NODES]]
    copy.block[:] = 0
    for name in (*_ARRAYS, "begun", "threats", "squares", "node_lead", "lead_sum", "inflight", "was_root"):
        source, target = getattr(tree, name), getattr(copy, name)
        if name in _OF_SLOTS:
            # Clear freed blocks, which hold stale data.
            target[:] = 0
            if source.size and name != "inflight":
                target[used] = source[used]
        else:
            target[:] = source[: len(target)]
    copy.gumbel[:] = tree.gumbel
    copy.schedule[:] = tree.schedule
    # The list of freed blocks is dropped: their slots are not used again.
    for count in (NODES, SLOTS, EDGES, RECORDS, OWN_RULE, SCHEDULED):
        copy.counts[count] = counts[count]
    return copy


def dump_tree(search: SavedSearch) -> bytes:
    """The bytes of a tree file."""
    state, tree = search.state, search.state.tree
    about = {
        "format": FORMAT,
        "version": VERSION,
        "top": position_json(state.top),
        "path": list(state.position.moves[len(state.top.moves) :]),
        "root": state.root,
        "root_changes": [list(change) for change in state.root_changes],
        "own_root": int(tree.counts[OWN_RULE]),
        "same": [[action, list(others)] for action, others in state.same.items()],
        "only": list(state.restriction.only),
        "left_out": [list(pair) for pair in state.restriction.left_out.items()],
        "mass": state.restriction.mass,
        "prepared": state.prepared,
        "earlier": state.earlier,
        "elapsed_s": state.elapsed_s,
        "settings": asdict(search.settings),
        "evaluator": search.evaluator,
        "source": search.source,
        "seed": search.seed,
    }
    members: dict[str, NDArray[Any] | bytes] = {ABOUT: as_json(about)}
    arrays = {name: (getattr(tree, name), dtype) for name, (_, dtype) in _ARRAYS.items()}
    used = tree.slot[: int(tree.counts[NODES])]
    visits = tree.visits.copy()
    visits[used] = backups_of(tree, used)
    arrays["visits"] = (visits, np.int32)
    arrays["threats"] = (tree.threats, np.int16)
    arrays["squares"] = (tree.squares, np.float64)
    if tree.lead_sum.size:
        arrays["node_lead"] = (tree.node_lead.ravel(), np.float32)
        arrays["lead_sum"] = (tree.lead_sum.ravel(), np.float64)
    arrays["gumbel"] = (tree.gumbel, np.float32)
    arrays["schedule"] = (tree.schedule[: max(0, int(tree.counts[SCHEDULED]))], np.int32)
    arrays["stats"] = (state.stats, np.int64)
    arrays["net_priors"] = (np.zeros(0, np.uint16) if state.net_priors is None else state.net_priors, np.uint16)
    for name, (array, dtype) in arrays.items():
        members[f"{name}.npy"] = array.astype(np.dtype(dtype).newbyteorder("<"))
    return pack(members)


def open_tree(path: Path) -> SavedSearch:
    """Read a tree file.  Raises OSError, and BadFile (a ValueError) when it cannot be opened."""
    try:
        return load_tree(read_bytes(path, MAX_FILE_BYTES))
    except BadFile as error:
        raise BadFile(Text("{file} cannot be opened: {error}", file=path.name, error=text_of(error))) from None


def load_tree(data: bytes, within: Unpacked | None = None) -> SavedSearch:
    """Read a search from the bytes of a file, perhaps a part of the zip ``within``; BadFile (a ValueError) when it is
    not valid."""
    archive = Unpacked(data, within)
    if ABOUT not in archive.names():
        raise BadFile(f"it is no saved tree: it has no {ABOUT}")
    about = archive.json(ABOUT, _MAX_ABOUT_BYTES)
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise BadFile(f"it is no saved tree: its {ABOUT} does not say {FORMAT!r}")
    fields = Fields(about)
    version = fields.whole("version", 0, _MOST)
    if version != VERSION:
        raise BadFile(
            Text(
                "it is of format {version}, and this program reads format {readable}",
                version=version,
                readable=VERSION,
            )
        )
    try:
        return _search(archive, fields)
    except BadFile:
        raise
    except ValueError as error:
        raise BadFile(f"its {ABOUT} is wrong: {text_of(error)}") from None


def _search(archive: Unpacked, about: Fields) -> SavedSearch:
    top = position_from(about.object("top"))
    actions = top.game.num_actions
    position = top
    for action in about.wholes("path", 0, actions - 1):
        position = position.play(action)
    tree = _tree(archive, actions)
    nodes = tree.parent.size
    root = about.whole("root", 0, nodes - 1)
    changes = tuple(_pair(change, tree.leaf.size, nodes - 1) for change in about.list("root_changes"))
    own_root = about.whole("own_root", -1, nodes - 1)
    schedule = archive.array("schedule.npy", np.int32)
    if len(schedule) > tree.schedule.size or (schedule < 0).any():
        raise BadFile("its schedule is too long or below 0")
    check(tree, top, position, root, changes, own_root)
    _separate_root_visits(tree, changes)
    check_moves(tree, top)
    tree.schedule[: len(schedule)] = schedule
    tree.counts[OWN_RULE] = own_root
    tree.counts[SCHEDULED] = len(schedule)
    stats = archive.array("stats.npy", np.int64, (NUM_STATS,))
    if (stats < 0).any():
        raise BadFile("its counts of simulations are below 0")
    priors = archive.array("net_priors.npy", np.uint16)
    if len(priors) not in (0, max(0, int(tree.num_edges[root]))):
        raise BadFile("the net's priors are not one for each move of the root")
    state = SearchState(
        top=top,
        position=position,
        tree=tree,
        root=root,
        root_changes=changes,
        net_priors=priors if len(priors) else None,
        same=_same(about, actions),
        stats=stats,
        earlier=about.whole("earlier", 0, _MOST),
        elapsed_s=about.number("elapsed_s", 0.0, _LONGEST_S),
        restriction=_restriction(about, position),
        # Older files do not say it.
        prepared=about.flag("prepared", bool(tree.num_children[root] > 0)),
    )
    settings = settings_from(about.object("settings").values)
    seed = about.whole("seed", 0, _MOST)
    return SavedSearch(state, settings, about.text("evaluator"), about.text("source"), seed)


def _separate_root_visits(tree: Tree, changes: tuple[tuple[int, int], ...]) -> None:
    """Move the simulations that each root began from the visits of the move to it to its own count."""
    ends = [record for record, _ in changes[1:]]
    tree.begun[:] = 0
    for (first, node), last in zip(changes, [*ends, tree.leaf.size] if changes else [], strict=True):
        tree.begun[node] += last - first
    tree.was_root[:] = 0
    tree.was_root[tree.slot] = tree.begun > 0
    tree.visits[tree.slot] -= tree.begun
    if (tree.visits[tree.slot] < 0).any():
        raise BadFile("its tree is damaged: a root began more simulations than were seen there")


def _pair(value: Any, first: int, second: int) -> tuple[int, int]:
    """Check a pair of whole numbers, each from 0 to its bound."""
    pair = whole_numbers(value, 0, max(first, second), "a pair of numbers")
    if len(pair) != 2 or pair[0] > first or pair[1] > second:
        raise BadFile(f"a pair of numbers in its {ABOUT} is out of reach")
    return pair[0], pair[1]


def _same(about: Fields, actions: int) -> dict[int, tuple[int, ...]]:
    """Moves that represent symmetric ones: action -> the actions left out."""
    same = {}
    for entry in about.list("same"):
        if not isinstance(entry, list) or len(entry) != 2:
            raise BadFile("its symmetric moves are no pairs of a move and others")
        (action,) = whole_numbers(entry[:1], 0, actions - 1, "same")
        same[action] = whole_numbers(entry[1], 0, actions - 1, "same")
    return same


def _restriction(about: Fields, position: Position) -> Restriction:
    """The restriction of the root to some moves; files of older versions have none."""
    actions = position.game.num_actions
    left_out = dict(_pair(entry, actions - 1, PRIOR_ONE) for entry in about.list("left_out", []))
    if not set(left_out) <= set(position.legal_actions()):
        raise BadFile("the moves left out of its search cannot be played at its root")
    only = chosen_moves(position, about.wholes("only", 0, actions - 1, ()))
    return Restriction(only, left_out, about.number("mass", 1e-9, 2.0, 1.0))


def _tree(archive: Unpacked, num_actions: int) -> Tree:
    arrays = {name: archive.array(f"{name}.npy", dtype) for name, (_, dtype) in _ARRAYS.items()}
    squares = archive.array("squares.npy", np.float64)
    gumbel = archive.array("gumbel.npy", np.float32, (num_actions,))
    if np.isnan(gumbel).any():
        raise BadFile("the noise of its root is no number")
    sizes = {counted_by: len(arrays[name]) for name, (counted_by, _) in _ARRAYS.items()}
    for name, (counted_by, _) in _ARRAYS.items():
        if len(arrays[name]) != sizes[counted_by]:
            raise BadFile(
                f"its parts are not of one tree: {name} has {len(arrays[name])} entries, not {sizes[counted_by]}"
            )
    leads: tuple[NDArray[Any], NDArray[Any]] | None = None
    if "lead_sum.npy" in archive.names():
        node_lead = archive.array("node_lead.npy", np.float32, (2 * sizes[NODES],))
        leads = node_lead, archive.array("lead_sum.npy", np.float64, (2 * sizes[SLOTS],))
    if len(squares) not in (0, sizes[SLOTS]):
        raise BadFile("its parts are not of one tree")
    tree = allocate(
        num_actions,
        nodes=sizes[NODES],
        slots=sizes[SLOTS],
        edges=sizes[EDGES],
        records=sizes[RECORDS],
        squares=bool(len(squares)),
        leads=leads is not None,
    )
    for name, array in arrays.items():
        getattr(tree, name)[:] = array
    tree.squares[:] = squares
    if leads is not None:
        tree.node_lead[:], tree.lead_sum[:] = (array.reshape(-1, 2) for array in leads)
    if "threats.npy" in archive.names():
        threats = archive.array("threats.npy", np.int16)
        if len(threats) != sizes[NODES] or (threats == np.iinfo(np.int16).min).any():
            raise BadFile("its parts are not of one tree")
        tree.threats[:] = threats
    else:
        # Older files lack them; a leaf without moves has no other proof.
        slots = tree.slot.clip(0, sizes[SLOTS] - 1)
        plies = np.where(tree.proof[slots] == LOSS, tree.distance[slots], -tree.distance[slots])
        tree.threats[:] = np.where((tree.num_edges == UNEXPANDED) & (tree.proof[slots] != UNPROVED), plies, 0)
    tree.gumbel[:] = gumbel
    tree.inflight[:] = tree.block[:] = 0
    for counted_by, size in sizes.items():
        tree.counts[counted_by] = size
    return tree


class StoredTree:
    """A saved search with what a list of trees shows of it; ``search`` may be called in any thread."""

    def __init__(self, search: SavedSearch) -> None:
        tree, root = search.state.tree, search.state.root
        self.position: Position = search.position
        self.nodes = int(tree.counts[NODES])
        self.simulations = int(backups(tree, int(tree.slot[root])))
        self.memory = sum(array.nbytes for array in tree if isinstance(array, np.ndarray))  # bytes
        self.only = search.state.restriction.only
        self._search: SavedSearch | None = search
        self._file: IO[bytes] | None = None
        self._lock = threading.Lock()

    @property
    def in_memory(self) -> bool:
        return self._search is not None

    def search(self) -> SavedSearch:
        """The search, read from its file if it is there.  OSError or BadFile when it cannot be read."""
        search = self._search
        return search if search is not None else load_tree(self.packed())

    def packed(self) -> bytes:
        """The bytes of a tree file."""
        with self._lock:
            if self._file is not None:
                self._file.seek(0)
                return self._file.read()
            search = self._search
        assert search is not None
        return dump_tree(search)

    def put_away(self, folder: Path, packed: bytes | None = None) -> None:
        """Move the tree from memory to a temporary file in ``folder``; it stays in memory on an OSError.

        ``packed``: its bytes, where the caller has them."""
        if self._search is None:
            return
        data = self.packed() if packed is None else packed
        folder.mkdir(parents=True, exist_ok=True)
        file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 (open as long as the tree is kept)
        try:
            file.write(data)
            file.flush()
        except OSError:
            file.close()
            raise
        with self._lock:
            self._file, self._search = file, None
