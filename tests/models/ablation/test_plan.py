"""The variants and limits of an ablation."""

import re
from pathlib import Path

import pytest

from models.ablation.plan import BASE, Plan, make_variants

GAME = {"game": "tictactoe"}


def test_a_variant_is_a_text_of_settings_or_a_file_of_them(tmp_path: Path) -> None:
    (tmp_path / "wide.toml").write_text("channels = 64\nema = 0.9\n")
    base, text, file = make_variants(["ema=0.99  batch_size=128", str(tmp_path / "wide.toml")])
    assert (base.name, base.changes) == (BASE, {})
    assert (text.name, text.changes) == ("ema=0.99 batch_size=128", {"ema": 0.99, "batch_size": 128})
    assert (file.name, file.changes) == ("wide", {"channels": 64, "ema": 0.9})


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ([], "0 variants; give from 1 to 63"),
        (["nothing-here.toml"], "'nothing-here.toml' is no variant"),
        (["seed=3"], "'seed=3' changes seed, which is the same in every run"),
        (["minutes=3"], "'minutes=3' changes minutes, which is the same in every run"),
        (["ema=0.9", "ema=0.90"], "'ema=0.90' is there twice"),
        (["emma=0.9"], "'emma' is no training setting; did you mean ema?"),
        (["ema=x"], "ema is 'x'"),
    ],
)
def test_variants_that_cannot_be_compared_are_refused(texts: list[str], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        make_variants(texts)


def test_every_run_has_the_same_end_and_measures_nothing_while_it_trains() -> None:
    plan = Plan({**GAME, "minutes": 5.0, "ladder_games": 8}, make_variants(["ema=0.9"]), 2, 1000)
    configs = [plan.config(variant, seed) for variant in plan.variants for seed in (1, 2)]
    assert {(one.evaluations, one.minutes, one.iterations) for one in configs} == {(1000, 0.0, 0)}
    assert {(one.ladder_games, one.exam_positions) for one in configs} == {(0, 0)}
    assert [(one.seed, one.ema) for one in configs] == [(1, 0.995), (2, 0.995), (1, 0.9), (2, 0.9)]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"seeds": 0}, "seeds is 0"),
        ({"evaluations": 0}, "evaluations is 0"),
        ({"games": 7}, "games is 7; it must be an even"),
        ({"simulations": 1}, "simulations is 1"),
    ],
)
def test_limits_are_checked(changed: dict[str, int], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Plan(GAME, make_variants(["ema=0.9"]), **{"seeds": 1, "evaluations": 10, **changed})


def test_an_invalid_variant_is_named() -> None:
    with pytest.raises(ValueError, match=r"ema=2: ema is 2"):
        Plan(GAME, make_variants(["ema=2"]), 1, 10)
