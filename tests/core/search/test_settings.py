"""Settings refuse what they cannot mean, and say what is allowed."""

from typing import Any

import pytest

from core.files.texts import settings_from
from core.machine import machine_memory_mb
from core.search import Limit, SearchSettings
from core.search.settings import SETTINGS
from core.search.tree import make_tree


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("selection", "magic", "'magic'.*puct, ucb1"),
        ("fpu", None, "None.*reduction, loss, zero"),
        ("c_puct", -1.0, r"-1\.0.*0 to 100"),
        ("c_puct", float("nan"), "nan.*0 to 100"),
        ("c_puct", "2", "'2'.*number"),
        ("max_batch", 2.5, r"2\.5.*whole number"),
        ("max_batch", -1, "-1.*0 to 1024"),
        ("max_batch", True, "True"),
        ("noise_epsilon", 1.5, "0 to 1"),
        ("memory_mb", 0, "must be a whole number from 1 to 1048576"),
    ],
)
def test_bad_settings(name, value, message):
    with pytest.raises(ValueError, match=f"{name}.*{message}|{message}"):
        SearchSettings(**{name: value})


def test_no_more_memory_than_the_machine_has():
    most = machine_memory_mb()
    assert SearchSettings(memory_mb=most).memory_mb == most
    assert most < 1_000_000, "this test is for smaller machines"
    with pytest.raises(ValueError, match=f"^memory_mb is 1000000; this machine has {most} MiB of memory$"):
        SearchSettings(memory_mb=1_000_000)
    assert settings_from({"memory_mb": 1_000_000}).memory_mb == most, (
        "a file of a larger machine is opened all the same"
    )


def test_memory_that_the_system_does_not_give_is_one_sentence(monkeypatch):
    def refuse(*_, **__):
        raise MemoryError("Unable to allocate 32.0 GiB")

    monkeypatch.setattr("core.search.tree.np.empty", refuse)
    with pytest.raises(ValueError, match=r"^there is not enough memory for a tree of 64 MiB; memory_mb must be less$"):
        make_tree(9, 64 << 20)


@pytest.mark.parametrize("bad", [{"simulations": 0}, {"simulations": 2.5}, {"seconds": -1}])
def test_bad_limits(bad):
    with pytest.raises(ValueError, match="must"):
        Limit(**bad)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_settings_are_checked_by_their_declarations(setting):
    assert setting.meaning
    bad: Any = {"bool": 1, "choice": "none such"}.get(setting.kind, -1)  # no number below 0 is allowed
    good: Any = setting.choices or ((False, True) if setting.kind == "bool" else (setting.low, setting.default))
    for value in good:
        assert getattr(SearchSettings(**{setting.name: value}), setting.name) == value
    with pytest.raises(ValueError, match=f"^{setting.name} is "):
        SearchSettings(**{setting.name: bad})
