"""The table of the search settings on screen: title, unit, meaning, choices.  Knows no widget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Field:
    """One setting on screen: a choice, a truth value where ``check`` stands beside its box, else a number."""

    name: str
    title: str
    unit: str
    meaning: str
    choices: tuple[tuple[str, str], ...] = ()
    check: str = ""


@dataclass(frozen=True)
class Group:
    title: str
    fields: tuple[Field, ...]


GROUPS: Final = (
    Group(
        "Selection",
        (
            Field(
                "selection",
                "Rule",
                "",
                "How the next move to explore is chosen: PUCT weighs a prior (AlphaGo Zero, 2017), UCB1 only the "
                "visits (UCT, 2006), tuned UCB1 their spread too; flat plays equally many games of each move; Gumbel "
                "halves the field (2022).",
                (
                    ("puct", "PUCT"),
                    ("ucb1", "UCB1 (UCT)"),
                    ("ucb1_tuned", "UCB1 tuned"),
                    ("flat", "flat Monte Carlo"),
                    ("gumbel", "Gumbel"),
                ),
            ),
            Field("c_puct", "c_puct", "", "Weight of the exploration term. AlphaZero: 1.25."),
            Field("c_base", "c_base", "visits", "Lets c grow with the visits. AlphaZero: 19 652; 0 keeps c constant."),
            Field("c_ucb", "c_ucb", "", "Weight of the exploration term, on values from 0 to 1. UCB1: √2."),
            Field(
                "c_form",
                "UCB1 formula",
                "",
                "How the constant of UCB1 is written: c before the root, C inside it (C = c²), UCTK (c = √2 · UCTK).",
                (("c", "c √(ln ΣN / N)"), ("inside", "√(C ln ΣN / N)"), ("uctk", "UCTK √(2 ln ΣN / N)")),
            ),
            Field(
                "fpu",
                "Unvisited moves",
                "",
                "The Q assumed for a move without visits: the parent's value minus a reduction, a loss, or 0.",
                (("reduction", "parent value − reduction"), ("loss", "loss"), ("zero", "zero")),
            ),
            Field("fpu_reduction", "Reduction", "value", "Times the square root of the prior mass tried so far."),
        ),
    ),
    Group(
        "Gumbel and flat",
        (
            Field("gumbel_considered", "Candidates", "moves", "Moves that enter Gumbel's sequential halving."),
            Field("gumbel_simulations", "Planned", "sims", "Simulations over which sequential halving is planned."),
            Field(
                "c_visit", "c_visit", "visits", "c_visit in Gumbel's σ(Q) = (c_visit + max N) · c_scale · Q. Paper: 50."
            ),
            Field("c_scale", "c_scale", "", "c_scale in the same formula, for values from 0 to 1. Paper: 1."),
            Field(
                "flat_games",
                "Games per move",
                "",
                "Flat Monte Carlo stops after so many games per move; 0 leaves the end to the limit.",
            ),
        ),
    ),
    Group(
        "Root",
        (
            Field(
                "root_first", "Moves", "", "Try every move once before any is tried again.", check="try each once first"
            ),
            Field(
                "merge_symmetric",
                "Merge",
                "",
                "Search one of the moves that a symmetry of the board carries into one another.",
                check="symmetric",
            ),
            Field(
                "final",
                "Move played",
                "",
                "By most visits, highest mean, or highest lower bound of the mean; auto is the mean with "
                "flat Monte Carlo, else the visits.",
                (("auto", "auto"), ("visits", "most visits"), ("mean", "highest mean"), ("lcb", "lower bound")),
            ),
            Field("lcb_z", "Bound width", "σ", "How far below its mean a move's lower bound lies."),
            Field(
                "noise_epsilon",
                "Noise share ε",
                "0–1",
                "Share of random noise in the root's priors. 0: none, usual for analysis; AlphaZero's self-play: 0.25.",
            ),
            Field(
                "noise_alpha",
                "Noise α",
                "",
                "Concentration of the Dirichlet noise; small values make it spiky. 0 means 10 / legal moves.",
            ),
            Field(
                "temperature",
                "Temperature τ",
                "",
                "How freely the engine's move is drawn from the visits; 0 plays the best.",
            ),
        ),
    ),
    Group(
        "Engine",
        (
            Field(
                "expansion_threshold",
                "Expand at",
                "visits",
                "Visits a position needs before its moves enter the tree, with rollouts.",
            ),
            Field(
                "rollout_policy",
                "Rollout policy",
                "",
                "How rollouts choose moves: uniformly at random, or tactically, taking an immediate win "
                "and blocking the opponent's.",
                (("uniform", "uniform"), ("tactical", "tactical")),
            ),
            Field("max_batch", "Batch", "leaves", "Most leaves valued at once; it grows with the tree up to this."),
            Field(
                "batches_in_flight",
                "In flight",
                "batches",
                "Batches under way at once: with 2 the next is collected while the net works on one.",
            ),
            Field(
                "threads",
                "Threads",
                "",
                "Processor threads for rollouts; 0 uses all. Worthwhile where games are long, as in Othello.",
            ),
            Field(
                "prove",
                "Prove",
                "",
                "Back up won, lost and drawn ends exactly, and stop when the position is solved.",
                check="solved positions",
            ),
            Field(
                "threat_proofs",
                "Threats",
                "",
                "In k-in-a-row games and Connect Four, prove positions that fours or an open four decide.",
                check="prove by fours",
            ),
            Field(
                "threat_priors",
                "",
                "",
                "In k-in-a-row games, raise the prior of moves that make or deny threats.",
                check="raise priors",
            ),
            Field("memory_mb", "Memory", "MB", "Budget of the tree; when it is full the search stops and says so."),
        ),
    ),
)
FIELDS: Final = {field.name: field for group in GROUPS for field in group.fields}
