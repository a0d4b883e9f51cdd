"""One simulation in words and numbers, stage by stage.  Knows no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.board_paint import kind_of
from gui.figures import count, signed, value_text
from gui.words import outcome_text

if TYPE_CHECKING:
    from core.engine.look_back import Backed, Playout
    from core.games import Position

ARROW = "→"


def names_of(position: Position, path: tuple[int, ...]) -> str:
    """A path's moves: "d › c › e"."""
    return " › ".join(position.game.action_name(action) for action in path)


def selection_words(playout: Playout, root: Position) -> str:
    """Which way it went down the tree."""
    if not playout.path:
        return "it ends at the root, which is the leaf"
    plies = "1 ply" if len(playout.path) == 1 else f"{len(playout.path)} plies"
    return f"{names_of(root, playout.path)}  ({plies})"


def expansion_words(playout: Playout, root: Position) -> str:
    """What came into the tree with it."""
    parts = []
    if playout.created:
        parts.append(f"new leaf {names_of(root, playout.path[-1:]) or 'at the root'}")
    if playout.expanded is not None:
        whose = "it" if playout.expanded == playout.path else names_of(root, playout.expanded[-1:]) or "the root"
        parts.append(f"{whose} gets {count(playout.moves)} {'move' if playout.moves == 1 else 'moves'}")
    return ", ".join(parts) or "nothing new: the leaf was known"


def evaluation_words(playout: Playout) -> str:
    """What valued the leaf, and how high."""
    leaf = playout.leaf
    players = kind_of(leaf.game.name).players
    value = value_text(playout.value, players[leaf.to_move], 3)
    if playout.kind == "net":
        return f"net or its cache: {value}"
    if playout.kind == "game over":
        return f"game over, {outcome_text(leaf, players)[0]}: {value}"
    if playout.kind == "proof":
        return f"proved before: {value}"
    if not playout.game:
        return f"random game: {value}"
    winner = leaf.to_move if playout.value > 0 else 1 - leaf.to_move
    ended = f"{players[winner]} wins" if playout.value else "Draw"
    plies = "1 move" if len(playout.game) == 1 else f"{len(playout.game)} moves"
    return f"random game of {plies}, {ended}: {value}"


def backed_words(step: Backed, name: str) -> str:
    """What changed at one node: "d N 41 → 42, Q +0.112 → +0.118"."""
    words = f"{name} N {count(step.visits_before)} {ARROW} {count(step.visits)}, "
    words += f"Q {signed(step.q_before)} {ARROW} {signed(step.q)}"
    return words + (f", proved {step.proof}" if step.proof != step.proof_before else "")


def backup_lines(playout: Playout, root: Position) -> tuple[str, ...]:
    """A line for each node, from the first move to the leaf, then the root; values for the side that moves there."""
    lines = [backed_words(step, names_of(root, step.path[-1:])) for step in playout.backed[1:]]
    top = playout.backed[0]
    words = f"root N {count(top.visits_before)} {ARROW} {count(top.visits)}"
    if top.visits:
        was = -top.q_before if top.visits_before else top.q_before
        words += f", V {signed(was)} {ARROW} {signed(-top.q)} for the side to move"
    return (*lines, words)


def stage_words(playout: Playout, root: Position) -> tuple[str, str, str, str]:
    """One line for each stage."""
    return (
        selection_words(playout, root),
        expansion_words(playout, root),
        evaluation_words(playout),
        " · ".join(backup_lines(playout, root)),
    )


def stage_tips(playout: Playout, root: Position, words: tuple[str, str, str, str]) -> tuple[str, str, str, str]:
    """The same ``words`` at length."""
    batch = "With batches or several threads it may have begun before simulations that are counted ahead of it."
    value = "Values are backed up with their sign turned at each ply; from a proved node on its exact value counts."
    return (
        f"From the root to a leaf, at each node to the move of the best score.\n{words[0]}\n{batch}",
        f"The leaf enters the tree; a node that is passed gets its moves.\n{words[1]}",
        f"What the leaf is worth for the side to move there.\n{words[2]}"
        + (f"\n{playout.note}" if playout.note else ""),
        f"{value}\n" + "\n".join(backup_lines(playout, root)),
    )
