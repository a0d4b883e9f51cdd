"""Words and numbers for one simulation, stage by stage."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from core.text import Words
from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.playout_paint import EVALUATION, EXPANSION, SELECTION
from gui.widgets.figures import MINUS, OTHER_PROOF, count, plain, signed, value_text
from gui.widgets.words import outcome_text

if TYPE_CHECKING:
    from core.engine.look_back import BackupStep, Playout
    from core.games import Position
    from core.glass import MoveRow, NodeView, Snapshot

ARROW = "→"
ROUNDED: Final = 0.0006  # by which figures of three decimals may differ
NOTES: tuple[Words, ...] = (  # notes of the engine
    "Only its result was kept: tactical rollouts cannot be replayed.",
    "Only its result was kept: its random numbers are no longer known.",
    "Only its result was kept: its random game could not be replayed with certainty.",
)


def names_of(position: Position, path: tuple[int, ...]) -> str:
    """Return a path's moves: "d › c › e"."""
    return " › ".join(position.game.action_name(action) for action in path)


def selection_words(playout: Playout, root: Position) -> str:
    """Describe the selection: the path from the root to the leaf."""
    if not playout.path:
        return tr("it ends at the root, which is the leaf")
    words = tr("{moves}  (1 ply)") if len(playout.path) == 1 else tr("{moves}  ({plies} plies)")
    return words.format(moves=names_of(root, playout.path), plies=len(playout.path))


def expansion_words(playout: Playout, root: Position) -> str:
    """Describe the expansion: nodes and moves added to the tree."""
    parts = []
    if playout.created:
        name = names_of(root, playout.path[-1:])
        parts.append(tr("new leaf {move}").format(move=name) if name else tr("new leaf at the root"))
    if playout.expanded is not None:
        name = names_of(root, playout.expanded[-1:]) or tr("the root")
        words = tr("{node} gets {moves} moves", playout.moves)
        if playout.expanded == playout.path:
            words = tr("it gets {moves} moves", playout.moves)
        parts.append(words.format(node=name, moves=count(playout.moves)))
    return " · ".join(parts) or tr("nothing new: the leaf was known")


def verdict_words(playout: Playout) -> str:
    """Write what the leaf is worth for whom it is better: "Red +0.79"; "0.00" for neither."""
    leaf, words = playout.leaf, signed(abs(playout.value), 2)
    if float(f"{playout.value:.2f}") == 0:
        return words
    better = leaf.to_move if playout.value > 0 else 1 - leaf.to_move
    return f"{kind_of(leaf.game.name).players[better]} {words}"


def evaluation_words(playout: Playout) -> str:
    """Describe the evaluation: what evaluated the leaf, and its value."""
    leaf = playout.leaf
    players = kind_of(leaf.game.name).players
    value = value_text(playout.value, players[leaf.to_move], 3)
    if playout.kind == "net":
        place = playout.place
        if place is None:
            return tr("net or its cache: {value}").format(value=value)
        if not place.batch:
            return tr("from the net's cache: {value}").format(value=value)
        words = tr("net, batch {batch}, leaf {leaf} of {leaves}: {value}")
        return words.format(batch=count(place.batch), leaf=place.leaf, leaves=place.leaves, value=value)
    if playout.kind == "game over":
        return tr("game over, {outcome}: {value}").format(outcome=outcome_text(leaf, players)[0], value=value)
    if playout.kind == "proof":
        return tr("proved before: {value}").format(value=value)
    if not playout.game:
        return tr("random game: {value}").format(value=value)
    winner = leaf.to_move if playout.value > 0 else 1 - leaf.to_move
    ended = tr("{players} wins").format(players=players[winner]) if playout.value else tr("Draw")
    words = tr("random game of {moves} moves, {ended}: {value}", len(playout.game))
    return words.format(moves=len(playout.game), ended=ended, value=value)


def backed_words(step: BackupStep, name: str) -> str:
    """Describe the backup at one node: "d N 41 → 42, Q +0.112 → +0.118"."""
    words = f"{name} N {count(step.visits_before)} {ARROW} {count(step.visits)}, "
    words += f"Q {signed(step.q_before)} {ARROW} {signed(step.q)}"
    if step.proof == step.proof_before:
        return words
    return tr("{figures}, proved {result}").format(figures=words, result=tr(step.proof))


def backup_lines(playout: Playout, root: Position, player: int) -> tuple[str, ...]:
    """Return a line per node, from first move to leaf, then the root; all values are for ``player``."""
    steps = [_step_for(step, root, player) for step in playout.backed]
    lines = [backed_words(step, names_of(root, step.path[-1:])) for step in steps[1:]]
    top = steps[0]
    words = tr("root {figures}").format(figures=f"N {count(top.visits_before)} {ARROW} {count(top.visits)}")
    if top.visits:
        figures = f"{signed(top.q_before)} {ARROW} {signed(top.q)}"
        words = tr("{root}, V {figures}").format(root=words, figures=figures)
    return (*lines, words)


def part_words(
    playout: Playout, root: Position, before: Snapshot | None, stage: int, part: int, brief: bool = False
) -> str:
    """Return one line for a part of a stage: the move chosen with its sum, the node backed up with its mean.

    ``brief``: the results alone."""
    if stage == EXPANSION:
        return expansion_words(playout, root)
    if stage == EVALUATION:
        if part < len(playout.game):
            return tr("random game: {moves}").format(moves=names_of(playout.leaf, playout.game[:part]))
        return evaluation_words(playout)
    if stage == SELECTION:
        if part:
            return choice_words(before, playout.path[:part], root, brief)
        if not playout.path:
            return selection_words(playout, root)
        return tr("always the highest score") if brief else tr("from the root, always the move with the highest score")
    return mean_words(playout, root, max(0, len(playout.backed) - part), brief)


def choice_words(before: Snapshot | None, path: tuple[int, ...], root: Position, brief: bool = False) -> str:
    """Describe why the last move of a path was chosen: "c: Q +0.112 + U 0.044 = 0.156, the highest".

    ``brief``: without the terms of the sum."""
    node = before.node(path[:-1]) if before is not None else None
    row = row_of(node, path[-1])
    if node is None or row is None:
        return names_of(root, path[-1:])
    words = f"{row.name}: {plain(row.score)}" if brief and math.isfinite(row.score) else score_words(row)
    return tr("{score}, the highest").format(score=words) if is_highest(node, row) else words


def row_of(node: NodeView | None, action: int) -> MoveRow | None:
    """Return the row of a move, or of the symmetric one that stands for it."""
    rows = node.rows if node is not None else ()
    return next((row for row in rows if row.action == action or action in row.same), None)


def is_highest(node: NodeView, row: MoveRow) -> bool:
    """Whether no move of the node has a higher score; of untried ones any may come next."""
    return all(row.score >= other.score - 1e-6 for other in node.rows if not math.isnan(other.score))


def score_words(row: MoveRow) -> str:
    """Write a move's score as a sum: "c: Q +0.112 + U 0.044 = 0.156"."""
    if math.isinf(row.u):
        return tr("{move}: not visited yet, U is infinite").format(move=row.name)
    if math.isnan(row.score) or abs(row.q + row.u - row.score) > ROUNDED:
        return f"{row.name}: {plain(row.score)}"
    return f"{row.name}: Q {signed(row.q)} + U {plain(row.u)} = {plain(row.score)}"


def mean_words(playout: Playout, root: Position, place: int, brief: bool = False) -> str:
    """Describe the backup at one node of the path, 0 the root, for who moved there: its new mean as a sum.

    ``brief``: the means alone."""
    step = playout.backed[min(place, len(playout.backed) - 1)]
    value = -playout.value if (len(playout.path) - len(step.path)) % 2 == 0 else playout.value
    before, q = step.q_before, step.q
    if not step.path:  # the root's are for the side to move
        before, q, value = -before, -q, -value
    name = names_of(root, step.path[-1:]) or tr("the root")
    n, q_before = step.visits_before, 0.0 if math.isnan(before) else before
    if brief or not n or step.visits != n + 1 or abs((n * q_before + value) / (n + 1) - q) > ROUNDED:
        return f"{name}: N {count(n)} {ARROW} {count(step.visits)}, Q {signed(before)} {ARROW} {signed(q)}"
    sign = "+" if value >= 0 else MINUS
    return f"{name}: Q = ({count(n)} · {signed(q_before)} {sign} {plain(abs(value))}) / {count(n + 1)} = {signed(q)}"


def _step_for(step: BackupStep, root: Position, player: int) -> BackupStep:
    """Return a step of the backup with the values of ``player`` instead of those of the side that moved there."""
    if (root.to_move + len(step.path)) % 2 != player:
        return step
    proofs = OTHER_PROOF[step.proof_before], OTHER_PROOF[step.proof]
    return step._replace(q_before=-step.q_before, q=-step.q, proof_before=proofs[0], proof=proofs[1])


def stage_words(playout: Playout, root: Position, player: int) -> tuple[str, str, str, str]:
    """Return one line for each stage; the backup's values are for ``player``."""
    lines = " · ".join(backup_lines(playout, root, player))
    return (
        selection_words(playout, root),
        expansion_words(playout, root),
        evaluation_words(playout),
        tr("for {player}: {figures}").format(player=kind_of(root.game.name).players[player], figures=lines),
    )


def stage_tips(
    playout: Playout, root: Position, words: tuple[str, str, str, str], player: int
) -> tuple[str, str, str, str]:
    """Return the tooltips: ``words`` with explanations."""
    batch = tr("With batches or several threads it may have begun before simulations that are counted ahead of it.")
    value = tr("Values are backed up with their sign turned at each ply; from a proved node on its exact value counts.")
    whose = tr("Here all are shown for {player}.").format(player=kind_of(root.game.name).players[player])
    return (
        tr("From the root to a leaf, taking the move with the best score at each node.") + f"\n{words[0]}\n{batch}",
        tr("The leaf enters the tree; a node that is passed gets its moves.") + f"\n{words[1]}",
        tr("What the leaf is worth for the side to move there.")
        + f"\n{words[2]}"
        + (f"\n{tr(playout.note)}" if playout.note else ""),
        f"{value} {whose}\n" + "\n".join(backup_lines(playout, root, player)),
    )
