"""The text of the board's tooltip for the move under the pointer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gui.language.core_words import core_text
from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.overlays.overlay import HUMAN, INSIDE, OUTCOMES, OWNERSHIP, RESULTS, BoardContent, Overlay
from gui.widgets.board.overlays.points import leads_of, points_lost
from gui.widgets.board.overlays.value import interval
from gui.widgets.figures import count, percent, plain, signed

if TYPE_CHECKING:
    from core.engine.outcomes import Outcomes
    from core.engine.ownership import Ownership
    from core.games import Position
    from core.glass import NodeView
    from core.solve import Solution


def content_tip(content: BoardContent, overlay: Overlay, cell: int, action: int) -> str:
    """Return what is known of a cell, -1 for none, and of the move there, -1 for none."""
    if content.position is None:
        return ""
    first = ownership_tip(content.ownership, cell) if overlay.needs == OWNERSHIP else ""
    if overlay.needs == INSIDE and content.cells is not None and content.cells.position == content.position:
        first = "\n".join(one.tip for one in content.cells.cells if one.tip and one.cell == cell >= 0)
    if overlay.needs == OUTCOMES:
        first = outcomes_tip(content.outcomes, action)
    if overlay.needs == HUMAN and content.human is not None and action in content.human:
        words = tr("{action}: the players that the human net imitates play it with {share}, as that net claims")
        first = words.format(action=content.position.game.action_name(action), share=percent(content.human[action]))
    return board_tip(content.position, content.text_node, content.solution, content.forbidden, action, first)


def board_tip(
    position: Position,
    node: NodeView | None,
    solution: Solution | None,
    forbidden: dict[int, str],
    action: int,
    first: str = "",
) -> str:
    """Return all that is known of a move after the net's answer ``first``, one line each."""
    lines = [first]
    if action < 0:
        return first
    player = kind_of(position.game.name).players[position.to_move]
    if reason := position.repeating().get(action):
        lines.append(
            tr("{action}: {player} may not play here now, {reason}").format(
                action=position.game.action_name(action), player=player, reason=core_text(reason)
            )
        )
    if action in forbidden:
        lines.append(
            tr("{action}: forbidden to {player}, {forbidden}").format(
                action=position.game.action_name(action), player=player, forbidden=_article(forbidden[action])
            )
        )
    if node is not None:
        lines += [mark_tip(node, action), interval_tip(node, action)]
    if solution is not None:
        lines.append(truth_tip(position, solution, action))
    return "\n".join(line for line in lines if line)


def _article(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def mark_tip(node: NodeView, action: int) -> str:
    """Return one line with a move's statistics; "" when it is no move."""
    name = node.position.game.action_name
    for kept, others in node.same.items():
        if action in others:
            return tr("{action}: the same as {kept} by symmetry, searched as that").format(
                action=name(action), kept=name(kept)
            )
    if action in node.left_out:
        return tr("{action}: left out of the search, P {left_out}").format(
            action=name(action), left_out=percent(node.left_out[action])
        )
    for row in node.rows:
        if row.action == action:
            q = f"Q {signed(row.q)}"
            if row.backups > row.visits:
                q = tr("{q} of {backups}").format(q=q, backups=count(row.backups))
            return (
                f"{row.name}: N {count(row.visits)} ({percent(row.share)}), P {percent(row.prior)}, "
                f"{q}, V {signed(row.value)}{_points(node, action)}"
            )
    return ""


def _points(node: NodeView, action: int) -> str:
    """Return the words of a move's score lead and of the points it loses; "" where there is none."""
    if action not in (actions := node.actions.tolist()):
        return ""
    edge = actions.index(action)
    lead, lost = leads_of(node)[edge], points_lost(node)[edge]
    if math.isnan(lead):
        return ""
    words = tr(", lead {lead} points (standard deviation of the score {spread})").format(
        lead=signed(lead, 1), spread=plain(float(node.lead_spreads[edge]), 1)
    )
    return words if math.isnan(lost) else words + tr(", {lost} lost").format(lost=plain(lost, 1))


def ownership_tip(ownership: Ownership | None, cell: int) -> str:
    """Return the text of a point's ownership; "" off the board or where it is not known."""
    if ownership is None or cell < 0:
        return ""
    points, game = ownership.points.ravel(), ownership.position.game
    point = float(points[cell])
    name = game.action_names[cell] if game.moves_are_cells else str(cell)
    return tr("{point}: ownership {figure} for {player}").format(
        point=name, figure=plain(abs(point), 2), player=kind_of(game.name).players[point < 0]
    )


def outcomes_tip(outcomes: Outcomes | None, action: int) -> str:
    """Return what the net expects after a move; "" where that is not known."""
    if outcomes is None or action not in outcomes.actions:
        return ""
    win, draw, loss = (percent(share) for share in outcomes.chances[outcomes.actions.index(action)].tolist())
    words = tr("{action}: win {win}, draw {draw}, loss {loss}, as the net expects it")
    return words.format(action=outcomes.position.game.action_name(action), win=win, draw=draw, loss=loss)


def interval_tip(node: NodeView, action: int) -> str:
    """Return the text of the 95 % interval of a move's Q, if the search keeps the data for it."""
    edge = next((i for i, a in enumerate(node.actions.tolist()) if a == action), -1)
    ends = interval(node, edge) if edge >= 0 else None
    if ends is None:
        return ""
    return tr("Q lies in {ends} to {ends_2} with 95 %, were its simulations independent").format(
        ends=signed(ends[0], 2), ends_2=signed(ends[1], 2)
    )


def truth_tip(position: Position, solution: Solution, action: int) -> str:
    """Return the text of a move's exact result and its distance."""
    move = next((move for move in solution.moves if move.action == action), None)
    if move is None or move.value is None:
        return ""
    player = kind_of(position.game.name).players[position.to_move]
    if move.score is not None and solution.score is not None:
        words = tr("exact: {result} for {player}, {discs} discs, {lost} lost")
        return words.format(
            result=tr(RESULTS[move.value]),
            player=player,
            discs=signed(move.score, 0),
            lost=solution.score - move.score,
        )
    words = tr("exact: {result} for {player}, this move counted")
    if move.distance:
        words = tr("exact: {result} in {plies} plies for {player}, this move counted", move.distance)
    return words.format(result=tr(RESULTS[move.value]), plies=move.distance, player=player)
