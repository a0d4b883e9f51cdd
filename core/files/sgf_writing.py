"""Writes game records as SGF.  Knows what all games' SGF share, and no file on a disk."""

from collections.abc import Sequence

import numpy as np

from core.files import sgf_text
from core.files.record import ROOT, GameRecord
from core.files.sgf import INFO, MARKS
from core.files.sgf_game import GAME, LAST_MOVE, as_size, number_of, rule_of
from core.files.sgf_points import cell_of, point
from core.files.sgf_setup import COLOURS, setup_properties
from core.files.sgf_text import SgfNode, SgfTree, escape
from core.games.spec import PASS


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
