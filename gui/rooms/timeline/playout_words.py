"""Words and numbers for one simulation, stage by stage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.language.language import mark, tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.figures import OTHER_PROOF, count, signed, value_text
from gui.widgets.words import outcome_text

if TYPE_CHECKING:
    from core.engine.look_back import BackupStep, Playout
    from core.games import Position

ARROW = "→"
NOTES = (  # notes of the engine
    mark("Only its result was kept: tactical rollouts cannot be replayed."),
    mark("Only its result was kept: its random numbers are no longer known."),
    mark("Only its result was kept: its random game could not be replayed with certainty."),
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
