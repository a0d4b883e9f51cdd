"""The table of the search settings on screen: groups, titles, titles of choices, what each needs to have an effect.

Units, ranges, defaults and meanings are those of ``core.search.settings``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.search.rules.table import RULES, in_letters
from core.search.settings import SETTING, SearchSettings
from core.text import Text, Words
from gui.model.document import DEFAULT_LIMIT
from gui.model.sources import ROLLOUTS_TITLE
from gui.widgets.settings.settings_form import NONZERO, Field, FieldGroup, Need, setting_words

if TYPE_CHECKING:
    from core.games import GameSpec

# What a search has to be beside its settings for some of them to have an effect, as fields for ``Need``.
FACTS: Final = {
    "source": Field("source", "Evaluation", "text", "", "", "", (("net", "by a net"), ("rollouts", ROLLOUTS_TITLE))),
    "lines": Field("lines", "Game", "text", "", "", "", (("yes", "k in a row"), ("", ""))),
    "endings": Field("endings", "Game", "text", "", "", "", (("yes", "with quick exact endings"), ("", ""))),
}
BY_NET: Final = Need("source", ("net",))
BY_ROLLOUTS: Final = Need("source", ("rollouts",))
BY_LINES: Final = Need("lines", ("yes",))
LOWER_BOUND: Final = Need("final", ("lcb",))


def facts_of(game: GameSpec | None, source: object) -> dict[str, str]:
    """The values of FACTS for a game and a source of evaluations, None for rollouts."""
    from models.runs.conflicts import has_lines, most_exact_empties

    return {
        "source": "rollouts" if source is None else "net",
        "lines": "yes" if game is None or has_lines(game) else "",
        "endings": "yes" if game is None or most_exact_empties(game) else "",
    }


def setting_field(
    name: str,
    title: Words,
    choices: tuple[tuple[str, Words], ...] = (),
    check: Words = "",
    needs: tuple[Need, ...] = (),
    slide: tuple[float, float] | None = None,
    also: str = "",
    zero: Words = "",
) -> Field:
    """One setting on screen: a choice, a truth value where ``check`` stands beside its box, else a number, of which
    ``zero`` says what 0 means.

    Beside its ``needs``, a setting that some rules alone use needs one of these."""
    setting = SETTING[name]
    if rules := tuple(rule for rule, entry in RULES.items() if name in entry.settings):
        needs = (Need("selection", rules), *needs)
    return Field(
        name,
        title,
        setting.kind,
        setting.unit,
        setting.meaning,
        setting.default,
        choices,
        check,
        needs,
        slide,
        f"{name} {also}",
        zero,
    )


PRESET_TITLES: Final[dict[str, Words]] = {"katago-like": "KataGo-like"}  # of core.search.settings
# U of UCB1 by the form of its constant, see SearchSettings.c_form.
UCB1_BONUS: Final = {form: in_letters(bonus, form) for form, bonus in RULES["ucb1"].bonuses.items()}
LIMIT: Final = Field(
    "limit",
    "Simulations",
    "int",
    "",
    "Simulations for each new position; then Space continues without limit.",
    DEFAULT_LIMIT,
    also="limit budget 上限",
)
CONSTANT: Final = (0.1, 10.0)  # ends of the sliders of constants
UNVISITED: Final[tuple[tuple[str, Words], ...]] = (
    ("reduction", "parent value − reduction"),
    ("loss", "loss"),
    ("zero", "zero"),
)
# The first group is in sight: whatever the rule, at most seven of it apply, beside the choice of the net.
GROUPS: Final = (
    FieldGroup(
        "",
        (
            setting_field(
                "selection",
                "Rule",
                tuple((name, rule.title) for name, rule in RULES.items()),
                also=f"selection algorithm uct {' '.join(RULES)}",
            ),
            setting_field("c_puct", "c_puct", slide=CONSTANT, also="exploration cpuct constant 探索"),
            setting_field("c_ucb", "c_ucb", slide=CONSTANT, also="exploration uct ucb1 constant 探索"),
            setting_field("gumbel_considered", "Candidates", also="gumbel"),
            setting_field("gumbel_simulations", "Planned", also="gumbel halving"),
            setting_field("flat_games", "Games per move", also="flat"),
            setting_field("fpu", "Unvisited moves", UNVISITED, also="first play urgency"),
            LIMIT,
            setting_field("max_batch", "Batch", needs=(BY_NET,), also="size", zero="automatic"),
            setting_field("threads", "Threads", needs=(BY_ROLLOUTS,), also="processors cores 线程"),
            setting_field("memory_mb", "Memory", also="ram budget 内存"),
            setting_field("prove", "Prove", check="solved positions", also="solver proof 证明"),
        ),
    ),
    FieldGroup(
        "Selection",
        (
            setting_field(
                "fpu_reduction",
                "Reduction",
                needs=(Need("fpu", ("reduction",)),),
                slide=(0.0, 1.0),
                also="fpu first play urgency",
            ),
            setting_field("c_base", "c_base", also="exploration growing"),
            setting_field("c_log", "c_log", needs=(Need("c_base", NONZERO),), also="exploration growing"),
            setting_field("c_spread", "Spread share", also="variance katago"),
            setting_field("c_form", "UCB1 formula", tuple(UCB1_BONUS.items())),
            setting_field("score_utility", "Score utility", needs=(BY_NET,), also="points katago"),
            setting_field("c_visit", "c_visit", also="exploration gumbel"),
            setting_field("c_scale", "c_scale", slide=CONSTANT, also="exploration gumbel"),
        ),
        folded=True,
    ),
    FieldGroup(
        "Root",
        (
            setting_field("noise_epsilon", "Noise share ε", slide=(0.0, 1.0), also="dirichlet epsilon 噪声"),
            setting_field("noise_alpha", "Noise α", needs=(Need("noise_epsilon", NONZERO),), also="dirichlet 噪声"),
            setting_field("root_temperature", "Root temperature", slide=(0.1, 10.0), also="softmax flatten 温度"),
            setting_field("temperature", "Temperature τ", also="random moves 温度"),
            setting_field("root_first", "Moves", check="each once first"),
            setting_field("merge_symmetric", "Merge", check="symmetric", also="symmetry"),
            setting_field("root_symmetries", "Net", check="all symmetries", needs=(BY_NET,)),
            setting_field("root_fpu", "Root, unvisited", (("same", "as elsewhere"), *UNVISITED)),
            setting_field("root_fpu_reduction", "Root reduction", needs=(Need("root_fpu", ("reduction",)),)),
            setting_field(
                "final",
                "Move played",
                (("auto", "auto"), ("visits", "most visits"), ("mean", "highest mean"), ("lcb", "lower bound")),
                also="final choice",
            ),
            setting_field("lcb_z", "Bound width", needs=(LOWER_BOUND,)),
            setting_field("lcb_share", "Bound share", needs=(LOWER_BOUND,)),
        ),
        folded=True,
    ),
    FieldGroup(
        "Engine",
        (
            setting_field("expansion_threshold", "Expand at", needs=(BY_ROLLOUTS,)),
            setting_field(
                "rollout_policy",
                "Rollout policy",
                (("uniform", "uniform"), ("tactical", "tactical")),
                needs=(BY_ROLLOUTS,),
                also="playout random",
            ),
            setting_field("batches_in_flight", "In flight", needs=(BY_NET,), also="gpu batches", zero="automatic"),
            setting_field("collectors", "Collectors", needs=(BY_NET,), also="threads"),
            setting_field("threat_proofs", "Threats", check="prove by fours", needs=(BY_LINES,)),
            setting_field("threat_priors", "", check="raise priors", needs=(BY_LINES,), also="threats"),
            setting_field("exact_empties", "Exact endings", needs=(Need("endings", ("yes",)),), also="endgame solver"),
        ),
        folded=True,
    ),
)
FIELDS: Final = {field.name: field for group in GROUPS for field in group.fields if field is not LIMIT}


def change_words(before: SearchSettings, after: SearchSettings) -> Text:
    """What was changed: one setting with its new value, or that there are several."""
    changed = [field for name, field in FIELDS.items() if getattr(before, name) != getattr(after, name)]
    if len(changed) != 1:
        return Text("other settings")
    field, value = changed[0], getattr(after, changed[0].name)
    if field.check:
        return Text("{title}: on" if value else "{title}: off", title=Text(field.check))
    return Text("{title} = {value}", title=Text(field.title), value=Text(setting_words(field, value)))
