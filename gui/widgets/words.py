"""Texts about a position and a search: who won, why the search has stopped."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from core.text import Text, Words
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.figures import OTHER_PROOF, count, plies_words, result_words, signed, simulations_words, size

if TYPE_CHECKING:
    from core.games import Position
    from core.games.counting import Count
    from core.glass import NodeView, Snapshot
    from core.solve import Solution
    from gui.model.document import TraceFaults

WIN = 1  # core.search.proofs.WIN
PROOFS: Sequence[Words] = ("", "win", "draw", "loss")  # by core.search.proofs' codes
PROVED_VALUES = {WIN: 1.0, 2: 0.0, 3: -1.0}  # by core.search.proofs' codes: win, draw, loss
MOST_NAMES = 4  # number of searched moves named in a heading


def waiting_text(phase: str) -> str:
    """Return in English what is shown while there are no figures: the phase, without one how to start a search."""
    if phase == "searching":
        return Text("the search has only begun")
    return phase or Text("not analysed yet — Space starts a search")


def outcome_text(position: Position, players: tuple[str, str]) -> tuple[str, int]:
    """Return who is to move or how the game ended, and the player whose stone to show (-1: none)."""
    if not position.is_over:
        return tr("{players} to move").format(players=players[position.to_move]), position.to_move
    if position.returns[0] == position.returns[1]:
        return tr("Draw"), -1
    winner = 0 if position.returns[0] > 0 else 1
    return won_text(players[winner]), winner


def won_text(player: str) -> str:
    """Return that a player, or a side named as "players", has won."""
    return tr("{players} wins").format(players=player)


def ended_text(position: Position, players: tuple[str, str]) -> tuple[str, int]:
    """Return what ``outcome_text`` does, without a winner where the players agree on the result."""
    return (tr("Both have passed"), -1) if position.is_agreed else outcome_text(position, players)


def lead_words(margin: float, players: tuple[str, str]) -> tuple[str, int]:
    """Return by how many points a counted game is won: "Black wins by 3.5", and the winner, -1 for none."""
    if not margin:
        return tr("Draw"), -1
    winner = 0 if margin > 0 else 1
    return tr("{player} wins by {points:g}").format(player=players[winner], points=abs(margin)), winner


def count_words(count: Count, players: tuple[str, str]) -> str:
    """Return what each player's points are made of, a line each: "Black 34: territory 30, prisoners 4"."""
    sides = []
    for player, name in enumerate(players):
        parts = [(part.title, part.points[player]) for part in count.parts if part.points[player]]
        made = ", ".join(f"{core_text(title)} {points:g}" for title, points in parts)
        words = tr("{player} {total:g}: {parts}") if made else "{player} {total:g}"
        sides.append(words.format(player=name, total=count.totals[player], parts=made))
    return "\n".join(sides)


def disc_count(position: Position) -> str:
    """Return "Black 12 : 9 White" in games decided by the number of pieces; "" in others."""
    kind = kind_of(position.game.name)
    if not kind.turns:
        return ""
    cells = position.cells()
    first, second = kind.players
    return f"{first} {int((cells == 1).sum())} : {int((cells == 2).sum())} {second}"


def handicap_words(position: Position) -> str:
    """Return "handicap 4" where the game began with stones of the first player alone; "" elsewhere."""
    game, cells = position.game, position.start.cells()
    stones = int((cells == 1).sum())
    given = game.sgf is not None and game.sgf.handicap is not None and stones > 1 and not (cells == 2).any()
    return tr("handicap {stones}").format(stones=stones) if given else ""


def trace_words(trace: TraceFaults) -> str:
    """Return whose search a trace is, and of which file."""
    return tr("search of {program}, read from {file}").format(
        program=trace.program or tr("another program"), file=trace.file
    )


def moves_detail(
    position: Position | None, snapshot: Snapshot | None, player: int = -1, trace: TraceFaults | None = None
) -> str:
    """Return what stands beside the title "Moves": whose values they are, and the net's own value of the position.

    ``player``: the one chosen; -1: the side to move."""
    if position is None or position.is_over:
        return ""
    is_mover = player in (-1, position.to_move)
    who = kind_of(position.game.name).players[position.to_move if is_mover else player]
    only = only_words(snapshot)
    title = (tr("{only} · values for {mover}") if only else tr("values for {mover}")).format(only=only, mover=who)
    if trace is not None:
        return f"{trace_words(trace)} · {title}"
    if snapshot is None or math.isnan(snapshot.root.value):
        return title
    value = snapshot.root.value if is_mover else -snapshot.root.value
    return tr("{title} · the net says {value}").format(title=title, value=signed(value, 2))


def only_words(snapshot: Snapshot | None) -> str:
    """Return the restriction of the search: "only d4, e5", "without d4"; "" for none."""
    if snapshot is None or not snapshot.root.left_out:
        return ""
    name, legal = snapshot.position.game.action_name, snapshot.position.legal_actions()
    listed, without = searched_or_left_out(
        tuple(action for action in legal if action not in snapshot.root.left_out), legal
    )
    names, more = ", ".join(map(name, listed[:MOST_NAMES])), len(listed) - MOST_NAMES
    if more > 0:
        names = tr("{moves} and {more} more").format(moves=names, more=more)
    return (tr("without {moves}") if without else tr("only {moves}")).format(moves=names)


def searched_or_left_out(only: tuple[int, ...], legal: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
    """Return the moves searched or, if fewer, the moves left out; and whether it is the latter.  () for all."""
    chosen = set(only or legal)
    left_out = tuple(action for action in legal if action not in chosen)
    return (left_out, True) if only and len(left_out) < len(only) else (only, False)


def proof_words(node: NodeView | None, player: str, sign: int = 1) -> str:
    """Return a proved result: "win in 7 for X"; "" when nothing is proved or the game is over.

    ``sign`` -1: ``player`` is the one who is not to move."""
    if node is None or not node.proof or node.position.is_over:
        return ""
    proof = PROOFS[node.proof] if sign > 0 else OTHER_PROOF[PROOFS[node.proof]]
    result = result_words(proof, node.distance, node.distance_at_most)
    words = tr("{result} for {player}")
    if node.left_out and node.proof != WIN:
        words = tr("{words}, by the moves searched").format(words=words)
    elif node.most_discs:
        result = tr("{result} by {discs} discs").format(result=tr(proof), discs=abs(node.most_discs))
    return words.format(result=result, player=player)


def proof_sentence(snapshot: Snapshot) -> str:
    """Return the sentence about a proved position: "proved: Red wins in 7 plies"."""
    root = snapshot.root
    players = kind_of(snapshot.position.game.name).players
    to_move = snapshot.position.to_move
    # 1 win, 2 draw, 3 loss, for the side to move
    who = {1: players[to_move], 3: players[1 - to_move]}.get(root.proof)
    limited = root.left_out and root.proof != WIN  # a win needs no other move
    if who is None and root.solved and not limited:
        return tr("solved exactly: a draw with best play")
    if who is None:
        return tr("proved for the moves searched: a draw") if limited else tr("proved: a draw with best play")
    result = _win_words(who, root.distance, root.distance_at_most, root.most_discs or 0)
    words = tr("solved exactly: {result}") if root.solved else tr("proved: {result}")
    return (tr("proved for the moves searched: {result}") if limited else words).format(result=result)


def exact_words(solution: Solution, position: Position) -> str:
    """Return the exact result of a position: "exact: Red wins in 41 plies"."""
    if not solution.value:
        return tr("exact: a draw")
    winner = kind_of(position.game.name).players[position.to_move if solution.value > 0 else 1 - position.to_move]
    return tr("exact: {result}").format(result=_win_words(winner, solution.distance or 0, False, solution.score or 0))


def _win_words(winner: str, distance: int, at_most: bool, discs: int) -> str:
    if discs:
        return tr("{player} wins by {discs} discs").format(player=winner, discs=abs(discs))
    if not distance:
        return tr("{player} wins").format(player=winner)
    words = tr("{player} wins in {plies} plies", distance)
    return words.format(player=winner, plies=plies_words(distance, at_most))


def state_text(phase: str, searching: bool, snapshot: Snapshot | None, mode: str, limit: int) -> str:
    """Return what the search is doing, or why it has stopped and how to continue; ``limit``: of simulations."""
    if phase and phase != "searching":
        return core_text(phase)
    if searching or (snapshot is not None and not snapshot.reason):
        return tr("searching without limit") if mode == "unbounded" else tr("searching")
    if snapshot is None:
        return tr("not analysed — Space starts")
    reason = snapshot.reason
    if reason == "limit reached":
        words = tr("limit reached: {simulations} — Space continues without limit")
        if snapshot.simulations > limit:  # made before the position was played, or under another limit
            words = tr("{simulations}, over the limit of {limit} — Space continues without limit")
        return words.format(simulations=simulations_words(snapshot.simulations), limit=count(limit))
    if reason == "proved":
        return proof_sentence(snapshot)
    if reason == "memory budget full":
        return tr("memory budget full: {bytes_budget} — raise it in the search settings").format(
            bytes_budget=size(snapshot.counters.bytes_budget)
        )
    if reason == "game over":
        return tr("game over")
    return tr("stopped — Space continues")


_PROFILE: Final = re.compile(r"(rank|preaz)_([0-9]+)([dk])(?:_([0-9]+)([dk]))?|proyear_([0-9]{4})")


def profile_words(profile: str) -> Text:
    """Return whom a profile of KataGo's human nets stands for: "5 kyu", "5 kyu before AlphaZero"."""
    match = _PROFILE.fullmatch(profile)
    if match is None:
        return Text("players {profile}", profile=profile)
    if match[6]:
        return Text("professionals of {year}", year=match[6])
    ranks = _rank(match[2], match[3])
    if match[4]:
        ranks = Text("Black {black}, White {white}", black=_rank(match[2], match[3]), white=_rank(match[4], match[5]))
    return Text("{ranks} before AlphaZero", ranks=ranks) if match[1] == "preaz" else ranks


def _rank(number: str, kind: str) -> Text:
    return Text("{number} dan", number=number) if kind == "d" else Text("{number} kyu", number=number)
