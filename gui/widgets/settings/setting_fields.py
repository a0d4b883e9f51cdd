"""The table of the search settings on screen: groups, titles, titles of choices, what each needs to have an effect.

Units, ranges, defaults and meanings are those of ``core.search.settings``.
"""

from __future__ import annotations

from typing import Final

from core.search.rules.table import RULES, in_letters
from core.search.settings import SETTING, SearchSettings
from core.text import Text, Words
from gui.widgets.form import number_text
from gui.widgets.settings.settings_form import NONZERO, Field, FieldGroup, Need

LOWER_BOUND: Final = Need("final", ("lcb",))


def setting_field(
    name: str,
    title: Words,
    choices: tuple[tuple[str, Words], ...] = (),
    check: Words = "",
    needs: tuple[Need, ...] = (),
) -> Field:
    """One setting on screen: a choice, a truth value where ``check`` stands beside its box, else a number.

    Beside its ``needs``, a setting that some rules alone use needs one of these."""
    one = SETTING[name]
    if rules := tuple(rule for rule, known in RULES.items() if name in known.settings):
        needs = (Need("selection", rules), *needs)
    return Field(name, title, one.kind, one.unit, one.meaning, one.default, choices, check=check, needs=needs)


PRESET_TITLES: Final[dict[str, Words]] = {"katago-like": "KataGo-like"}  # of core.search.presets
# U of UCB1 by the form of its constant, see SearchSettings.c_form.
UCB1_BONUS: Final = {form: in_letters(bonus, form) for form, bonus in RULES["ucb1"].bonuses.items()}
GROUPS: Final = (
    FieldGroup(
        "Selection",
        (
            setting_field("selection", "Rule", tuple((name, rule.title) for name, rule in RULES.items())),
            setting_field("c_puct", "c_puct"),
            setting_field("c_base", "c_base"),
            setting_field(
                "c_log",
                "c_log",
                needs=(Need("c_base", NONZERO),),
            ),
            setting_field("c_spread", "Spread share"),
            setting_field("c_ucb", "c_ucb"),
            setting_field(
                "c_form",
                "UCB1 formula",
                tuple(UCB1_BONUS.items()),
            ),
            setting_field(
                "fpu",
                "Unvisited moves",
                (("reduction", "parent value − reduction"), ("loss", "loss"), ("zero", "zero")),
            ),
            setting_field(
                "fpu_reduction",
                "Reduction",
                needs=(Need("fpu", ("reduction",)),),
            ),
            setting_field("score_utility", "Score utility"),
        ),
    ),
    FieldGroup(
        "Gumbel and flat",
        (
            setting_field("gumbel_considered", "Candidates"),
            setting_field("gumbel_simulations", "Planned"),
            setting_field("c_visit", "c_visit"),
            setting_field("c_scale", "c_scale"),
            setting_field("flat_games", "Games per move"),
        ),
    ),
    FieldGroup(
        "Root",
        (
            setting_field("root_first", "Moves", check="try each once first"),
            setting_field("merge_symmetric", "Merge", check="symmetric"),
            setting_field("root_symmetries", "Net", check="mean of symmetries"),
            setting_field("root_temperature", "Root temperature"),
            setting_field(
                "root_fpu",
                "Root, unvisited",
                (
                    ("same", "as elsewhere"),
                    ("reduction", "parent value − reduction"),
                    ("loss", "loss"),
                    ("zero", "zero"),
                ),
            ),
            setting_field(
                "root_fpu_reduction",
                "Root reduction",
                needs=(Need("root_fpu", ("reduction",)),),
            ),
            setting_field(
                "final",
                "Move played",
                (("auto", "auto"), ("visits", "most visits"), ("mean", "highest mean"), ("lcb", "lower bound")),
            ),
            setting_field("lcb_z", "Bound width", needs=(LOWER_BOUND,)),
            setting_field("lcb_share", "Bound share", needs=(LOWER_BOUND,)),
            setting_field("noise_epsilon", "Noise share ε"),
            setting_field("noise_alpha", "Noise α", needs=(Need("noise_epsilon", NONZERO),)),
            setting_field("temperature", "Temperature τ"),
        ),
    ),
    FieldGroup(
        "Engine",
        (
            setting_field("expansion_threshold", "Expand at"),
            setting_field("rollout_policy", "Rollout policy", (("uniform", "uniform"), ("tactical", "tactical"))),
            setting_field("max_batch", "Batch"),
            setting_field("batches_in_flight", "In flight"),
            setting_field("threads", "Threads"),
            setting_field("collectors", "Collectors"),
            setting_field("prove", "Prove", check="solved positions"),
            setting_field("threat_proofs", "Threats", check="prove by fours"),
            setting_field("threat_priors", "", check="raise priors"),
            setting_field("exact_empties", "Exact endings"),
            setting_field("memory_mb", "Memory"),
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
