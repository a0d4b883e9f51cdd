"""The house rules hold in ``gui``, and a breach is seen."""

import importlib.util
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location("rules", Path(__file__).parent / "rules.py")
assert spec is not None
assert spec.loader is not None
rules = importlib.util.module_from_spec(spec)
spec.loader.exec_module(rules)


def test_they_hold(capsys: pytest.CaptureFixture[str]) -> None:
    assert rules.main() == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    "source",
    ["item = layout.itemAt(0)", "while row.takeAt(0):\n    pass", "view.paintEvent = paint", "one.sizeHint = hint"],
)
def test_a_breach_is_seen(source: str) -> None:
    assert [line for line, _ in rules.breaches(source)] == [1]


def test_other_names_are_free() -> None:
    assert list(rules.breaches("self.event = ''\nself.data: int\nrow.removeWidget(one)")) == []
