"""Settings refuse what they cannot mean, and say what is allowed."""

import pytest

from core.search import Limit, SearchSettings


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("selection", "magic", "'magic'.*puct, ucb1"),
        ("fpu", None, "None.*reduction, loss, zero"),
        ("c_puct", -1.0, r"-1\.0.*0 to 100"),
        ("c_puct", float("nan"), "nan.*0 to 100"),
        ("c_puct", "2", "'2'.*number"),
        ("max_batch", 2.5, r"2\.5.*whole number"),
        ("max_batch", 0, "0.*1 to 1024"),
        ("max_batch", True, "True"),
        ("noise_epsilon", 1.5, "0 to 1"),
        ("memory_mb", 0, "must lie from 1 to 1048576"),
    ],
)
def test_bad_settings(name, value, said):
    with pytest.raises(ValueError, match=f"{name}.*{said}|{said}"):
        SearchSettings(**{name: value})


@pytest.mark.parametrize("bad", [{"simulations": 0}, {"simulations": 2.5}, {"seconds": -1}])
def test_bad_limits(bad):
    with pytest.raises(ValueError, match="must"):
        Limit(**bad)
