"""The written sum equals the score that selection maximises, under every rule."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.engine import Search
from core.games import load_game
from core.search import Limit, SearchSettings
from gui.rooms.inspector import arithmetic as sums
from gui.widgets.figures import divergence
from tests.core.search.fakes import HashEvaluator

FORMS = ("c", "inside", "uctk")
RULES = {
    "puct": st.builds(
        SearchSettings,
        c_puct=st.floats(0.1, 5),
        c_base=st.sampled_from([0.0, 50.0, 19652.0]),
        fpu=st.sampled_from(["reduction", "loss", "zero"]),
        noise_epsilon=st.sampled_from([0.0, 0.25]),
        memory_mb=st.just(16),
    ),
    "ucb1": st.builds(
        SearchSettings,
        selection=st.just("ucb1"),
        c_ucb=st.floats(0.1, 3),
        c_form=st.sampled_from(FORMS),
        memory_mb=st.just(16),
    ),
    "ucb1_tuned": st.builds(
        SearchSettings, selection=st.just("ucb1_tuned"), c_ucb=st.floats(0.1, 3), memory_mb=st.just(16)
    ),
    "gumbel": st.builds(
        SearchSettings,
        selection=st.just("gumbel"),
        gumbel_considered=st.integers(1, 8),
        gumbel_simulations=st.sampled_from([16, 400]),
        c_scale=st.floats(0.01, 1),
        memory_mb=st.just(16),
    ),
    "flat": st.builds(SearchSettings, selection=st.just("flat"), memory_mb=st.just(16)),
}


def worth(numbers):
    """Return the value of a written sum."""
    text = numbers.replace("·", "*").replace("−", "-").replace("\u00a0", " ").replace("∞", "math.inf")
    text = re.sub(r"√(\d[\d.]*)", r"math.sqrt(\1)", text).replace("√(", "math.sqrt(")
    text = re.sub(r"ln (\d[\d.]*)", r"math.log(\1)", text).replace("exp(", "math.exp(")
    return eval(text, {"math": math, "min": min})


def view_of(chosen, simulations, seed, path_of=None):
    position = load_game("connect4(rows=4, cols=5, k=3)").initial()
    evaluator = None if chosen.selection == "flat" else HashEvaluator(5)
    search = Search(position, evaluator, chosen, seed=seed)
    search.run(Limit(simulations=simulations))
    snapshot = search.snapshot([(a,) for a in range(5)])
    return [snapshot.root, *snapshot.opened.values()]


@pytest.mark.parametrize("rule", RULES)
@settings(max_examples=20, deadline=None)
@given(data=st.data(), simulations=st.integers(2, 120), seed=st.integers(0, 50))
def test_the_sum_shown_is_the_score(rule, data, simulations, seed):
    chosen = data.draw(RULES[rule])
    for view in view_of(chosen, simulations, seed):
        choice = view.choice
        for edge in range(len(view.actions)):
            exact = sums.written_sum(choice, rule, edge, chosen.c_form, digits=15)
            assert worth(sums.unbroken(exact.numbers)) == pytest.approx(float(choice.scores[edge]), abs=1e-9)
            shown = sums.written_sum(choice, rule, edge, chosen.c_form)
            assert exact.symbols == shown.symbols == sums.formula(rule, chosen.c_form, choice.due >= 0)


@settings(max_examples=20, deadline=None)
@given(chosen=RULES["puct"], simulations=st.integers(2, 60), seed=st.integers(0, 50))
def test_fpu_and_growing_c_shown_are_those_used(chosen, simulations, seed):
    for view in view_of(chosen, simulations, seed):
        choice = view.choice
        if chosen.c_base:
            text = sums.constant_words(choice, "puct").split(" = ")[1].replace("\u2009", "")
            text = text.replace("ln(", "math.log(")
            assert eval(text, {"math": math}) == pytest.approx(choice.c, rel=1e-4)
        words = sums.unvisited_words(choice, "puct", chosen.fpu)
        if (choice.visits > 0).all():
            assert "every move has been tried" in words
        elif chosen.fpu == "reduction":
            assert worth(words.split(" = ")[0]) == pytest.approx(choice.unvisited, abs=2e-3)
        else:
            assert words.startswith(("−1.000", "0.000"))
            assert choice.unvisited == (-1.0 if chosen.fpu == "loss" else 0.0)


def test_entropy_and_divergence():
    even, sharp = np.array([0.5, 0.5]), np.array([3.0, 1.0])
    assert sums.entropy(even) == pytest.approx(math.log(2))
    assert sums.entropy(np.array([1.0, 0.0])) == 0.0
    assert divergence(sharp, even) == pytest.approx(0.75 * math.log(1.5) + 0.25 * math.log(0.5))
    assert divergence(even, np.array([1.0, 0.0])) == math.inf
    assert math.isnan(sums.entropy(np.zeros(2)))
    assert math.isnan(divergence(np.zeros(2), even))
