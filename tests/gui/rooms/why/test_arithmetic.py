"""The written sum equals the score that selection maximises, under every rule."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.games import load_game
from core.search import SearchSettings
from core.search.rules.table import RULES, SCORED
from core.search.settings import FPU_RULES, SETTING, with_preset
from gui.rooms.why import arithmetic as sums
from gui.rooms.why.bars import score_chart
from gui.widgets.figures import divergence, signed
from gui.widgets.settings.setting_fields import FIELDS
from tests.core.search.fakes import HashEvaluator, LeadEvaluator, run_search

MOST = 3  # of the settings not named here
DRAWN = {
    "c_puct": st.floats(0.1, 5),
    "c_base": st.sampled_from([0.0, 50.0, 19652.0]),
    "c_log": st.sampled_from([1.0, 0.45]),
    "c_spread": st.sampled_from([0.0, 0.85]),
    "c_ucb": st.floats(0.1, 3),
    "c_visit": st.just(50.0),
    "c_scale": st.floats(0.01, 1),
    "gumbel_considered": st.integers(1, 8),
    "gumbel_simulations": st.sampled_from([16, 400]),
    "score_utility": st.sampled_from([0.0, 0.3]),
}


def any_of(setting):
    """Values of a setting that a rule uses, so that a new one is drawn, too."""
    if setting.choices:
        return st.sampled_from(setting.choices)
    if setting.kind == "int":
        return st.integers(int(setting.low), min(int(setting.high), MOST))
    return st.floats(setting.low, min(setting.high, MOST)).map(lambda value: round(value, 2))


def settings_of(rule):
    """Settings under a rule, with any values of those that it uses."""
    drawn = {name: DRAWN.get(name, any_of(SETTING[name])) for name in RULES[rule].settings}
    noise = st.sampled_from([0.0, 0.25] if rule == "puct" else [0.0])
    return st.builds(SearchSettings, selection=st.just(rule), noise_epsilon=noise, memory_mb=st.just(16), **drawn)


def worth(numbers):
    """Return the value of a written sum."""
    text = numbers.replace("·", "*").replace("−", "-").replace("\u00a0", " ").replace("∞", "math.inf")
    text = re.sub(r"√(\d[\d.]*)", r"math.sqrt(\1)", text).replace("√(", "math.sqrt(")
    text = re.sub(r"ln (\d[\d.]*)", r"math.log(\1)", text).replace("exp(", "math.exp(").replace("ln(", "math.log(")
    text = text.replace("atan(", "math.atan(").replace("π", "math.pi").replace("\u202f", "")
    return eval(text, {"math": math, "min": min})


def view_of(chosen, simulations, seed, path_of=None):
    position = load_game("connect4(rows=4, cols=5, k=3)").initial()
    evaluator = None if chosen.selection == "flat" else HashEvaluator(5)
    if chosen.score_utility:
        evaluator = LeadEvaluator(5)
    search = run_search(position, evaluator, simulations, chosen, seed=seed)
    snapshot = search.snapshot([(a,) for a in range(5)])
    return [snapshot.root, *snapshot.opened.values()]


@pytest.mark.parametrize("rule", RULES)
@settings(max_examples=20, deadline=None)
@given(data=st.data(), simulations=st.integers(2, 120), seed=st.integers(0, 50))
def test_the_sum_shown_is_the_score(rule, data, simulations, seed):
    chosen = data.draw(settings_of(rule))
    for view in view_of(chosen, simulations, seed):
        choice = view.choice
        for edge in range(len(view.actions)):
            exact = sums.written_sum(choice, rule, edge, chosen.c_form, digits=15)
            assert worth(sums.unbroken(exact.numbers)) == pytest.approx(float(choice.scores[edge]), abs=1e-9)
            shown = sums.written_sum(choice, rule, edge, chosen.c_form)
            named = SCORED if chosen.score_utility else rule
            assert exact.symbols == shown.symbols == sums.formula(named, chosen.c_form, choice.due >= 0)
            assert (" + S" in exact.symbols) == bool(chosen.score_utility)


@pytest.mark.parametrize(("form", "title"), FIELDS["c_form"].choices)
def test_the_settings_name_a_form_of_ucb1_by_its_formula(form, title):
    assert sums.formula("ucb1", form) == f"Q + {title}"


@settings(max_examples=20, deadline=None)
@given(chosen=settings_of("puct"), simulations=st.integers(2, 60), seed=st.integers(0, 50))
def test_fpu_and_growing_c_shown_are_those_used(chosen, simulations, seed):
    for view in view_of(chosen, simulations, seed):
        choice = view.choice
        if chosen.c_base or chosen.c_spread:
            text = sums.constant_words(choice, "puct").split(" = ")[1]
            assert worth(text) == pytest.approx(choice.c, rel=1e-3)
        own_rule = not view.path and chosen.root_fpu != "same"
        fpu = chosen.root_fpu if own_rule else chosen.fpu
        assert choice.fpu[0] == FPU_RULES[fpu]
        words = sums.unvisited_words(choice, "puct", fpu)
        if (choice.visits > 0).all():
            assert "every move has been tried" in words
        elif fpu == "reduction":
            assert f"{chosen.root_fpu_reduction if own_rule else chosen.fpu_reduction:g} · √" in words
            assert worth(words.split(" = ")[0]) == pytest.approx(choice.unvisited, abs=2e-3)
        else:
            assert words.startswith(("−1.000", "0.000"))
            assert choice.unvisited == (-1.0 if fpu == "loss" else 0.0)
        assert words.endswith(f"; S {signed(choice.unvisited_s)}") == (
            bool(chosen.score_utility) and not (choice.visits > 0).all()
        )


def test_the_root_says_what_was_done_to_its_priors_and_which_bound_decides():
    position = load_game("tictactoe").initial()
    chosen = with_preset(SearchSettings(memory_mb=16, root_temperature=1.2, prove=False), "katago-like")
    chosen = replace(chosen, root_temperature=1.2)
    search = run_search(position, HashEvaluator(9), 120, chosen)
    below = search.best_action()
    snapshot = search.snapshot([(below,)])
    words = sums.prior_words(chosen, snapshot.root)
    assert "under 8 symmetries" in words
    assert "P net^(1 / 1.2)" in words
    assert "2 stand for their 6 images" in words
    assert sums.prior_words(chosen, snapshot.opened[(below,)]) == ""
    assert sums.prior_words(SearchSettings(), snapshot.root).startswith("2 stand")
    row = snapshot.root.best_row
    played = sums.played_words(snapshot.root, chosen)
    assert played.startswith(
        f"{row.name}: Q {signed(row.q)} ± {row.radius:.3f}, lower bound {signed(row.q - row.radius)}"
    )
    assert "15\u202f%" in played
    plain = run_search(position, HashEvaluator(9), 20, memory_mb=16)
    assert sums.played_words(plain.snapshot().root, SearchSettings()) == ""


def test_entropy_and_divergence():
    even, sharp = np.array([0.5, 0.5]), np.array([3.0, 1.0])
    assert sums.entropy(even) == pytest.approx(math.log(2))
    assert sums.entropy(np.array([1.0, 0.0])) == 0.0
    assert divergence(sharp, even) == pytest.approx(0.75 * math.log(1.5) + 0.25 * math.log(0.5))
    assert divergence(even, np.array([1.0, 0.0])) == math.inf
    assert math.isnan(sums.entropy(np.zeros(2)))
    assert math.isnan(divergence(np.zeros(2), even))


@pytest.mark.parametrize("rule", RULES)
@settings(max_examples=20, deadline=None)
@given(data=st.data(), simulations=st.integers(2, 120), seed=st.integers(0, 50))
def test_the_bars_are_the_terms_of_the_score(rule, data, simulations, seed):
    """Each bar starts where the last one ended, the first at zero and the last at the score."""
    chosen = data.draw(settings_of(rule))
    for view in view_of(chosen, simulations, seed):
        chart = score_chart(view, view.choice, False)
        actions = view.actions.tolist()
        for row in chart.rows:
            score = float(view.choice.scores[actions.index(row.key)])
            at = 0.0
            for span in row.spans:
                assert span.start == pytest.approx(at, abs=1e-9)
                at = span.end
                assert chart.low <= at <= chart.high
            assert bool(row.ticks) == math.isfinite(score)
            if row.ticks:
                assert at == pytest.approx(score, abs=1e-9)
        if chart.band is not None:
            assert chart.band[1] - chart.band[0] == pytest.approx(view.choice.margin)


@pytest.mark.parametrize(
    ("margin", "words"),
    [(1.25, "1.250"), (0.012, "0.012"), (0.0045, "0.0045"), (5.5e-05, "0.000055"), (2e-7, "less than 0.000001")],
)
def test_a_margin_is_written_without_an_exponent(margin, words):
    assert sums.margin_text(margin) == words
