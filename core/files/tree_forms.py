"""The forms in which the tree of a search is written to a file, by the file's suffix."""

from collections.abc import Callable
from typing import Final

from core.files.tree_drawing import to_html, to_svg
from core.files.tree_export import to_csv, to_dot, to_json
from core.files.tree_file import SavedSearch, dump_tree
from core.files.tree_pick import TreeNode, pick
from core.games import Position

SAVED: Final = ".npz"  # the whole search; every other form has its most visited nodes
# Default numbers of nodes: in a drawing, in a list.
DRAWN: Final = 200
LISTED: Final = 10_000

Writer = Callable[[tuple[TreeNode, ...], Position], str]

# Suffix -> (writer, default number of nodes).
FORMS: Final[dict[str, tuple[Writer, int]]] = {
    ".json": (to_json, LISTED),
    ".csv": (lambda nodes, _: to_csv(nodes), LISTED),
    ".dot": (to_dot, DRAWN),
    ".svg": (to_svg, DRAWN),
    ".html": (to_html, 2000),
}
SUFFIXES: Final = (SAVED, *FORMS)


def tree_bytes(search: SavedSearch, suffix: str) -> bytes:
    """The bytes of a file with this suffix, with the usual number of nodes.  ValueError for another suffix."""
    if suffix == SAVED:
        return dump_tree(search)
    if suffix not in FORMS:
        raise ValueError(f"{suffix!r} is no form of a tree's file; there are {', '.join(SUFFIXES)}")
    writer, most = FORMS[suffix]
    return writer(pick(search.state, search.settings, most), search.position).encode("utf-8")
