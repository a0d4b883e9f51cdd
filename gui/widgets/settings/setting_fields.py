"""The table of the search settings on screen: groups, titles, titles of choices.

Units, ranges, defaults and meanings are those of ``core.search.settings``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.search.settings import SETTING, SearchSettings
from core.text import Text
from gui.widgets.form import number_text


@dataclass(frozen=True)
class Field:
    """One setting on screen: a choice, a truth value where ``check`` stands beside its box, else a number."""

    name: str
    title: str
    choices: tuple[tuple[str, str], ...] = ()
    check: str = ""

    @property
    def unit(self) -> str:
        return SETTING[self.name].unit

    @property
    def meaning(self) -> str:
        return SETTING[self.name].meaning


@dataclass(frozen=True)
class Group:
    title: str
    fields: tuple[Field, ...]


PRESET_TITLES: Final = {"katago-like": "KataGo-like"}  # of core.search.presets
UCB1_BONUS: Final = {  # U of UCB1 by the form of its constant, see SearchSettings.c_form
    "c": "2 · c · √(ln ΣN / N)",
    "inside": "2 · √(C · ln ΣN / N)",
    "uctk": "2 · K · √(2 · ln ΣN / N)",
}
GROUPS: Final = (
    Group(
        "Selection",
        (
            Field(
                "selection",
                "Rule",
                (
                    ("puct", "PUCT"),
                    ("ucb1", "UCB1 (UCT)"),
                    ("ucb1_tuned", "UCB1 tuned"),
                    ("flat", "flat Monte Carlo"),
                    ("gumbel", "Gumbel"),
                ),
            ),
            Field("c_puct", "c_puct"),
            Field("c_base", "c_base"),
            Field("c_log", "c_log"),
            Field("c_spread", "Spread share"),
            Field("c_ucb", "c_ucb"),
            Field(
                "c_form",
                "UCB1 formula",
                tuple(UCB1_BONUS.items()),
            ),
            Field(
                "fpu",
                "Unvisited moves",
                (("reduction", "parent value − reduction"), ("loss", "loss"), ("zero", "zero")),
            ),
            Field("fpu_reduction", "Reduction"),
            Field("score_utility", "Score utility"),
        ),
    ),
    Group(
        "Gumbel and flat",
        (
            Field("gumbel_considered", "Candidates"),
            Field("gumbel_simulations", "Planned"),
            Field("c_visit", "c_visit"),
            Field("c_scale", "c_scale"),
            Field("flat_games", "Games per move"),
        ),
    ),
    Group(
        "Root",
        (
            Field("root_first", "Moves", check="try each once first"),
            Field("merge_symmetric", "Merge", check="symmetric"),
            Field("root_symmetries", "Net", check="mean of symmetries"),
            Field("root_temperature", "Root temperature"),
            Field(
                "root_fpu",
                "Root, unvisited",
                (
                    ("same", "as elsewhere"),
                    ("reduction", "parent value − reduction"),
                    ("loss", "loss"),
                    ("zero", "zero"),
                ),
            ),
            Field("root_fpu_reduction", "Root reduction"),
            Field(
                "final",
                "Move played",
                (("auto", "auto"), ("visits", "most visits"), ("mean", "highest mean"), ("lcb", "lower bound")),
            ),
            Field("lcb_z", "Bound width"),
            Field("lcb_share", "Bound share"),
            Field("noise_epsilon", "Noise share ε"),
            Field("noise_alpha", "Noise α"),
            Field("temperature", "Temperature τ"),
        ),
    ),
    Group(
        "Engine",
        (
            Field("expansion_threshold", "Expand at"),
            Field("rollout_policy", "Rollout policy", (("uniform", "uniform"), ("tactical", "tactical"))),
            Field("max_batch", "Batch"),
            Field("batches_in_flight", "In flight"),
            Field("threads", "Threads"),
            Field("collectors", "Collectors"),
            Field("prove", "Prove", check="solved positions"),
            Field("threat_proofs", "Threats", check="prove by fours"),
            Field("threat_priors", "", check="raise priors"),
            Field("exact_empties", "Exact endings"),
            Field("memory_mb", "Memory"),
        ),
    ),
)
FIELDS: Final = {field.name: field for group in GROUPS for field in group.fields}


def change_words(before: SearchSettings, after: SearchSettings) -> Text:
    """What was changed: one setting with its new value, or that there are several."""
    changed = [field for name, field in FIELDS.items() if getattr(before, name) != getattr(after, name)]
    if len(changed) != 1:
        return Text("other settings")
    field, value = changed[0], getattr(after, changed[0].name)
    if field.check:
        return Text("{title}: on" if value else "{title}: off", title=Text(field.check))
    written = Text(dict(field.choices)[value]) if field.choices else number_text(value)
    return Text("{title} = {value}", title=Text(field.title), value=written)
