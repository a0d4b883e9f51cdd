"""Sentences about a position and a search: who won, why the search rests.  Knows no widget."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gui.board_paint import kind_of
from gui.figures import count, signed, size

if TYPE_CHECKING:
    from core.games import Position
    from core.search import NodeView, Snapshot

WIN = 1  # core.search.formulas.WIN
PROVED_VALUES = {WIN: 1.0, 2: 0.0, 3: -1.0}  # by the codes of core.search: win, draw, loss
MOST_NAMES = 4  # of the moves searched, in a heading


def outcome_text(position: Position, players: tuple[str, str]) -> tuple[str, int]:
    """Who is to move or how the game ended, and whose stone goes with it (-1: nobody's)."""
    if not position.is_over:
        return f"{players[position.to_move]} to move", position.to_move
    if position.returns[0] == position.returns[1]:
        return "Draw", -1
    winner = 0 if position.returns[0] > 0 else 1
    return f"{players[winner]} wins", winner


def moves_title(position: Position | None, snapshot: Snapshot | None) -> str:
    """What the table shows and whose values they are, with the net's own value of the position."""
    if position is None or position.is_over:
        return "Moves"
    mover = kind_of(position.game.name).players[position.to_move]
    title = f"Moves{only_words(snapshot)} · values for {mover}, who is to move"
    if snapshot is None or math.isnan(snapshot.root.value):
        return title
    return f"{title} · the net says {signed(snapshot.root.value, 2)}"


def only_words(snapshot: Snapshot | None) -> str:
    """Which moves alone are searched: " · only d4, e5", " · without d4"; "" for all."""
    if snapshot is None or not snapshot.root.left_out:
        return ""
    name, legal = snapshot.position.game.action_name, snapshot.position.legal_actions()
    told, without = fewer(tuple(action for action in legal if action not in snapshot.root.left_out), legal)
    more = f" and {len(told) - MOST_NAMES} more" if len(told) > MOST_NAMES else ""
    return f" · {'without' if without else 'only'} {', '.join(map(name, told[:MOST_NAMES]))}{more}"


def fewer(only: tuple[int, ...], legal: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
    """The moves searched or, where those are fewer, the moves left out; and whether it is these.  () for all."""
    chosen = set(only or legal)
    left_out = tuple(action for action in legal if action not in chosen)
    return (left_out, True) if only and len(left_out) < len(only) else (only, False)


def lock_words(position: Position, searching: bool) -> str:
    """What the search does while another position is shown."""
    move = f"move {position.ply + 1}"
    return f"analysing {move} · locked" if searching else f"{move} is analysed · locked"


def proof_words(node: NodeView | None, mover: str) -> str:
    """A proved result for the side to move: "win in 7 for X (to move)"; "" when nothing is proved or left to play."""
    if node is None or not node.proof or node.position.is_over:
        return ""
    words = f"{('', 'win', 'draw', 'loss')[node.proof]} in {node.distance} for {mover} (to move)"
    return f"{words}, by the moves searched" if node.left_out and node.proof != WIN else words


def proof_sentence(snapshot: Snapshot) -> str:
    """What is proved of the position: "proved: Red wins in 7 plies"."""
    root = snapshot.root
    players = kind_of(snapshot.position.game.name).players
    to_move = snapshot.position.to_move
    # 1 win, 2 draw, 3 loss, for the side to move
    who = {1: players[to_move], 3: players[1 - to_move]}.get(root.proof)
    plies = f" in {root.distance} {'ply' if root.distance == 1 else 'plies'}" if root.distance else ""
    if root.left_out and root.proof != WIN:  # a win needs no other move
        return f"proved of the moves searched: {who} wins{plies}" if who else "proved of the moves searched: a draw"
    return f"proved: {who} wins{plies}" if who else "proved: a draw with best play"


def state_text(phase: str, searching: bool, snapshot: Snapshot | None, mode: str) -> str:
    """What the search does, or why it rests and how it goes on."""
    if phase and phase != "searching":
        return phase
    if searching or (snapshot is not None and not snapshot.reason):
        return "searching without bound" if mode == "unbounded" else "searching"
    if snapshot is None:
        return "not analysed — Space starts"
    reason = snapshot.reason
    if reason == "limit reached":
        return f"limit reached: {count(snapshot.simulations)} simulations — Space goes on"
    if reason == "proved":
        return proof_sentence(snapshot)
    if reason == "memory budget full":
        return f"memory budget full: {size(snapshot.counters.bytes_budget)} — the search settings hold a larger one"
    if reason == "game over":
        return "game over"
    return "stopped — Space goes on"
