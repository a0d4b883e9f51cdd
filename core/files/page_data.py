"""The record of a search as the page that shows it reads it: its nodes and simulations in columns, deflated.

The page replays the simulations as ``core.glass.history`` does (``resources/page/moments.js``), so that it shows the
figures of every earlier moment and not one of them is in the file.  Of a node there are its parent, move, prior, number
of moves and, where a net valued it, its value; of a simulation where it ended and what is not known from there; of the
board what each move changes.  About 10 bytes a node, deflated.

Layout, before deflating: uint32 length of the header, the header as JSON, then each of its ``columns`` (name, type,
length) with the first bytes of all values, then the second ones and so on, least significant first.
"""

import json
import zlib
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.engine import SearchState
from core.files.page_boards import board_changes
from core.files.page_words import LANGUAGES, in_language, page_title
from core.files.tree_file import SavedSearch
from core.games import Position
from core.glass.choice import uses_score
from core.search import SearchSettings
from core.search.params import GUMBEL
from core.search.rules.table import NAMED, SCORED, in_letters
from core.search.tree import OWN_RULE, SCHEDULED, TERMINAL, Tree, backups, backups_of
from core.text import Text

FORMAT: Final = 1
MOST_NODES: Final = 1_000_000
MOST_SIMULATIONS: Final = 4_000_000
MOST_TEXT: Final = 20_000  # characters of one comment, or name
MOST_TEXTS: Final = 500_000  # characters of all comments
WORDED_NODES: Final = 1000  # whose positions are kept as text, where there are no boards
MOST_WORDS: Final = 500_000  # characters of them
MORE_MOVES: Final = 40_000  # moves never tried that are kept, those of the most visited nodes
_STEPS: Final = 2.0**24  # of a value to 1
_TYPES: Final[dict[str, np.dtype[Any]]] = {
    "u8": np.dtype("<u1"),
    "u16": np.dtype("<u2"),
    "u32": np.dtype("<u4"),
    "i16": np.dtype("<i2"),
    "i32": np.dtype("<i4"),
    "f32": np.dtype("<f4"),
}
Columns = dict[str, tuple[str, NDArray[Any]]]  # name -> (type, values)


class PageNote(NamedTuple):
    """What the record of a game says of one of its positions."""

    ply: int  # moves played before it since the record's first position
    name: str
    comment: str


class PageRecord(NamedTuple):
    """All that a page has of a search at one moment; nothing in it changes when the search goes on."""

    header: dict[str, Any]
    columns: Columns  # of the types that the file has


class _Part(NamedTuple):
    """The nodes at and below the root that is shown, N of them, in the order in which they were created."""

    nodes: NDArray[np.int32]  # [N] in the tree
    places: NDArray[np.int32]  # [nodes of the tree] in the part; -1 outside
    parents: NDArray[np.int32]  # [N] in the part; -1 for the root
    slots: NDArray[np.int32]  # [N]
    edges: NDArray[np.int64]  # [N] their number, 0 where there are none
    children: NDArray[np.int64]  # [N] visited ones


def page_data(search: SavedSearch, notes: Sequence[PageNote] = ()) -> bytes:
    """The deflated record of ``search``, which ``resources/page/data.js`` reads; as :func:`page_record`."""
    return packed(page_record(search, notes))


def page_record(search: SavedSearch, notes: Sequence[PageNote] = ()) -> PageRecord:
    """The record of ``search`` for its page; ``notes``: those of the game record.

    ValueError with one sentence for a search too large for a page, or of which not every simulation is recorded.
    """
    state = search.state
    tree, records = state.tree, len(state.tree.leaf)
    if records > MOST_SIMULATIONS:
        raise ValueError(
            Text(
                "a page holds at most {most} simulations, and this search has {count}",
                most=MOST_SIMULATIONS,
                count=records,
            )
        )
    part = _part_below(state)
    if len(part.nodes) > MOST_NODES:
        raise ValueError(
            Text(
                "a page holds at most {most} nodes, and this search has {count}", most=MOST_NODES, count=len(part.nodes)
            )
        )
    _check_complete(state, part)
    lazy = bool(np.isnan(tree.value[state.root_changes[0][1]])) if records else False
    columns = _node_columns(tree, part, lazy, search.settings)
    columns |= _record_columns(tree, part, lazy)
    columns |= _board_columns(state.position, tree, part)
    columns["schedule"] = "i32", tree.schedule[: max(0, int(tree.counts[SCHEDULED]))]
    columns["gumbel"] = "f32", tree.gumbel
    header = _header(search, part, lazy) | {"notes": _notes(notes)}
    return PageRecord(header, {name: (kind, values.astype(_TYPES[kind])) for name, (kind, values) in columns.items()})


def _part_below(state: SearchState) -> _Part:
    tree, root = state.tree, state.root
    parent = tree.parent
    inside = np.full(len(parent), root == 0)
    inside[root] = True
    before = 0
    while (count := int(inside.sum())) > before:
        before = count
        inside |= inside[parent] & (parent >= 0)
    nodes = np.flatnonzero(inside).astype(np.int32)
    places = np.full(len(parent), -1, np.int32)
    places[nodes] = np.arange(len(nodes))
    parents = places[parent[nodes]]
    parents[0] = -1
    edges = np.maximum(tree.num_edges[nodes].astype(np.int64), 0)
    return _Part(nodes, places, parents, tree.slot[nodes], edges, tree.num_children[nodes].astype(np.int64))


def _node_columns(tree: Tree, part: _Part, lazy: bool, settings: SearchSettings) -> Columns:
    nodes, parents, slots = part.nodes, part.parents, part.slots
    count = len(nodes)
    above = nodes[parents[1:]]
    place = slots[1:] - tree.child_start[above]
    order = np.argsort(parents[1:], kind="stable")
    grouped = parents[1:][order]
    firsts = np.searchsorted(grouped, grouped)
    if (place[order] != np.arange(count - 1) - firsts).any():
        raise ValueError(Text("this tree's moves are not in the order in which they were tried, which a page needs"))
    prior = np.zeros(count, np.uint16)
    prior[1:] = tree.edge_prior[tree.edge_start[above] + place]
    action = tree.action[nodes].copy()
    action[0] = 0
    ended = tree.num_edges[nodes] == TERMINAL
    columns: Columns = {
        "parent": ("u32", np.concatenate([[0], np.arange(1, count) - parents[1:]])),
        "action": ("u16", action),
        "prior": ("u16", prior),
        "edges": ("i16", tree.num_edges[nodes]),
        **_untried_columns(tree, part),
    }
    if ended.any():
        columns["ends"] = "u8", np.where(ended, tree.proof[slots], 0)
    if not lazy:
        columns["value"] = "f32", tree.value[nodes]
    if tree.threats[nodes].any():
        columns["threats"] = "i16", tree.threats[nodes]
    if tree.lead_sum.size:
        columns["leads"] = "f32", tree.node_lead[nodes].ravel()
    if settings.rule.code == GUMBEL:
        sums = np.concatenate([[0], np.cumsum(tree.edge_prior, dtype=np.int64)])
        begins = tree.edge_start[nodes].astype(np.int64)
        columns["priorSum"] = "u32", np.where(part.edges > 0, sums[begins + part.edges] - sums[begins], 0)
    return columns


def _untried_columns(tree: Tree, part: _Part) -> Columns:
    """Moves that no simulation took, in the order of the tree: all of the root and the most visited nodes; of others
    that were tried in part the next one, whose prior decides what is chosen."""
    rest = part.edges - part.children
    kept = np.minimum(rest, (part.children > 0).astype(np.int64))
    visits = backups_of(tree, part.slots)
    visits[0] = np.iinfo(np.int32).max
    order = np.argsort(-visits, kind="stable")
    whole = order[np.cumsum(rest[order]) <= max(MORE_MOVES, int(rest[0]))]
    kept[whole] = rest[whole]
    first = tree.edge_start[part.nodes].astype(np.int64) + part.children
    edges = np.repeat(first - (np.cumsum(kept) - kept), kept) + np.arange(int(kept.sum()))
    return {
        "more": ("u16", kept),
        "moreAction": ("u16", tree.edge_action[edges]),
        "morePrior": ("u16", tree.edge_prior[edges]),
    }


def _record_columns(tree: Tree, part: _Part, lazy: bool) -> Columns:
    """Where each simulation ended, from the node after the last one seen before, and by how much its value differs from
    the one of that node."""
    count = len(part.nodes)
    leaf = part.places[tree.leaf].astype(np.int64)
    seen = np.concatenate([[0], np.maximum.accumulate(leaf + 1)[:-1]]) if len(leaf) else leaf
    inside = leaf >= 0
    columns: Columns = {"leaf": ("i32", np.where(inside, leaf, count) - np.maximum(seen, 0))}
    values = tree.leaf_value.astype(np.float64)
    if (values * _STEPS == np.floor(values * _STEPS)).all():
        ended = tree.num_edges[tree.leaf] == TERMINAL
        known = tree.value[tree.leaf].astype(np.float64)
        if lazy:
            known = np.where(ended, tree.proof[tree.slot[tree.leaf]] - 2.0, 0.0)
        known = np.where(np.isnan(known), 0.0, known)
        steps = values * _STEPS - np.floor(known * _STEPS + 0.5)
        columns["steps"] = "i32", np.where(inside, steps, 0).astype(np.int64)
    else:
        columns["leafValue"] = "f32", tree.leaf_value
    return columns


def _board_columns(position: Position, tree: Tree, part: _Part) -> Columns:
    if position.game.board.text is not None:
        return {}
    changes = board_changes(position, part.parents, tree.action[part.nodes])
    return {
        "changes": ("u16", changes.counts),
        "changeCell": ("u16", changes.cells),
        "changeStone": ("u8", changes.stones),
    }


def _words(position: Position, tree: Tree, part: _Part) -> list[list[Any]]:
    """[node, its position as text] of the root and the most visited nodes, for games whose board is a text."""
    if position.game.board.text is None:
        return []
    positions = {0: position}
    order = np.argsort(-backups_of(tree, part.slots), kind="stable")
    room = MOST_WORDS
    words = []
    for node in np.unique(np.concatenate([[0], order[:WORDED_NODES]])).tolist():
        at = _position_of(node, positions, tree, part)
        words.append([node, at.diagram()])
        room -= len(words[-1][1])
        if room < 0:
            break
    return words


def _position_of(node: int, positions: dict[int, Position], tree: Tree, part: _Part) -> Position:
    """The position of a node, from the nearest of ``positions`` above it, which gets it and those between."""
    path = []
    while node not in positions:
        path.append(node)
        node = int(part.parents[node])
    position = positions[node]
    for below in reversed(path):
        position = positions[below] = position.play(int(tree.action[part.nodes[below]]))
    return position


def _header(search: SavedSearch, part: _Part, lazy: bool) -> dict[str, Any]:
    """The header but for the notes."""
    state, settings, position = search.state, search.settings, search.position
    tree, game, rule = state.tree, position.game, settings.rule
    own, params = int(tree.counts[OWN_RULE]), settings.params(game.num_cells)
    scored = uses_score(tree, params)
    return {
        "format": FORMAT,
        "names": list(game.action_names),
        # The root: cells row by row, row 0 on top, 0 empty, 1 the first player's, 2 the second's, null without a board;
        # the last move and those that led there since the record began.
        "position": {
            "cells": None if game.board.text is not None else position.cells().ravel().tolist(),
            "toMove": position.to_move,
            "last": position.last_action,
            "moves": list(position.moves),
        },
        # [node, text] of the positions that are kept as text.
        "words": _words(position, tree, part),
        # The rule: its title, its formula, that at a root with a plan; whether it has a prior and a score utility.
        "title": str(rule.title),
        "formula": in_letters((NAMED[SCORED] if scored else rule).written(settings.c_form), settings.c_form),
        "planned": in_letters(rule.planned),
        "priors": rule.priors,
        "scored": scored,
        "params": params._asdict(),
        "evaluator": _cut(search.evaluator),
        "game": page_title(position),
        # The texts above in the other languages.
        "texts": {
            language: {
                "title": in_language(rule.title, language),
                "evaluator": _cut(in_language(search.evaluator, language)),
                "game": page_title(position, language),
            }
            for language in LANGUAGES
        },
        # What the replay needs: whether leaves were valued by random games; [record, node] from which on simulations
        # began at that node, -1 above or beside the root that is shown; the node that has a rule of its own.
        "lazy": lazy,
        "squares": bool(tree.squares.size),
        "nodes": len(part.nodes),
        "records": len(tree.leaf),
        "roots": [[int(record), int(part.places[node])] for record, node in state.root_changes] or [[0, 0]],
        "ownRoot": int(part.places[own]) if own >= 0 else -1,
        "scheduled": max(0, int(tree.counts[SCHEDULED])),
    }


def _notes(notes: Sequence[PageNote]) -> list[dict[str, Any]]:
    """The notes for JSON: long comments end in ``…``, and the first ones are left out where all are too long."""
    kept: list[dict[str, Any]] = []
    room = MOST_TEXTS
    for note in reversed(notes):
        name, comment = _cut(note.name), _cut(note.comment)
        room -= len(name) + len(comment)
        if room < 0:
            break
        kept.append({"ply": note.ply, "name": name, "comment": comment})
    return kept[::-1]


def _cut(text: str) -> str:
    return text if len(text) <= MOST_TEXT else text[: MOST_TEXT - 1] + "…"


def _check_complete(state: SearchState, part: _Part) -> None:
    """ValueError where simulations of the root are not recorded."""
    tree, records = state.tree, len(state.tree.leaf)
    inside = part.places[tree.leaf] >= 0
    ends = [record for record, _ in state.root_changes[1:]]
    recorded = 0
    for (first, node), last in zip(state.root_changes, [*ends, records], strict=True):
        if part.places[node] <= 0:  # the root, or above it
            recorded += int(inside[first:last].sum())
    if recorded != backups(tree, int(tree.slot[state.root])):
        raise ValueError(Text("not every simulation of this search is recorded, so a page cannot show its moments"))


def packed(record: PageRecord) -> bytes:
    """The record as ``resources/page/data.js`` reads it."""
    arrays = {name: np.ascontiguousarray(values) for name, (_, values) in record.columns.items()}
    header = record.header | {"columns": [[name, record.columns[name][0], len(a)] for name, a in arrays.items()]}
    text = json.dumps(header, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")
    parts = [len(text).to_bytes(4, "little"), text]
    for array in arrays.values():
        parts.append(array.view(np.uint8).reshape(len(array), array.itemsize).T.tobytes())
    return zlib.compress(b"".join(parts), 6)


_NOTHING: Final = PageRecord({}, {})


def piece(after: PageRecord, before: PageRecord = _NOTHING) -> bytes:
    """What leads from the record ``before``, by default none, to ``after``, for a page of a search that goes on.

    Nodes and simulations are only ever added, but some columns change in places: a node gets moves, a prior gets noise.
    Its header is that of ``after`` with ``kept``: [name, number of values taken from before] of each column.  Of a
    column ``x`` it has the values added, and in ``x at`` and ``x to`` the places of others and what is there now.
    """
    kept: list[list[Any]] = []
    columns: Columns = {}
    for name, (kind, values) in after.columns.items():
        earlier = before.columns.get(name, (kind, values[:0]))[1]
        count = min(len(earlier), len(values))
        changed = _changed(earlier[:count], values[:count])
        kept.append([name, count])
        columns[name] = kind, values[count:]
        columns[f"{name} at"] = "u32", changed.astype("<u4")
        columns[f"{name} to"] = kind, values[changed]
    return packed(PageRecord(after.header | {"kept": kept}, columns))


def _changed(before: NDArray[Any], after: NDArray[Any]) -> NDArray[np.intp]:
    """The places at which the values differ, bit by bit: NaN is like NaN."""
    bits = f"<u{before.itemsize}"
    return np.flatnonzero(before.view(bits) != after.view(bits))
