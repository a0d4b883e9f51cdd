"""What CONTRIBUTING.md says of the code: its scripts run, and the files and folders it names exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SCRIPTS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("script", SCRIPTS, ids=range(len(SCRIPTS)))
def test_a_script_runs(script: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(script, "CONTRIBUTING.md", "exec"), {"__name__": "script"})
    assert capsys.readouterr().out.strip()


def test_there_are_scripts() -> None:
    assert len(SCRIPTS) >= 3


def test_every_file_named_exists() -> None:
    named = re.findall(r"`((?:core|models|gui|measure|tests|resources)/[\w/.]+)`", TEXT)
    assert len(named) > 20
    assert [name for name in named if not (ROOT / name).exists() and not (ROOT / f"{name}.py").exists()] == []


def test_every_name_after_a_file_is_in_it() -> None:
    found = []
    for file, words in re.findall(r"`([\w/]+/\w+\.py)` \(([^)]*)\)", TEXT):
        source = (ROOT / file).read_text(encoding="utf-8")
        found += [(file, name, bool(re.search(rf"\b{name}\b", source))) for name in re.findall(r"`(\w+)`", words)]
    assert len(found) > 10
    assert [(file, name) for file, name, known in found if not known] == []


def test_a_change_is_made_in_at_most_four_places() -> None:
    table = TEXT[TEXT.index("## Where do I change") :].split("\n## ")[0]
    rows = [line.split("|")[1:3] for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 20
    places = {wish.strip(): set(re.findall(r"`([\w/.]+/[\w.]+|\w+\.(?:py|md|txt))`", place)) for wish, place in rows}
    assert {wish: sorted(files) for wish, files in places.items() if len(files) > 4} == {}
