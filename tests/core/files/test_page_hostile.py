"""A page made of a hostile game file: all that the file says is shown as text, and nothing of it runs or is fetched."""

import dataclasses
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.engine import UniformEvaluator
from core.files.game_files import read_games
from core.files.page import notes_of, search_page
from core.files.tree_file import saved
from tests.core.files.browser import Tab, open_browser
from tests.core.search.fakes import run_search

RUN = "window.ran=(window.ran||0)+1"
HOSTILE = (
    f"</script><script>{RUN}</script>",
    f'"><img src=x onerror="{RUN}"><svg onload="{RUN}">',
    f"--></style></title></textarea><iframe srcdoc='<script>parent.{RUN}</script>'>",
    f"javascript:{RUN}//<a href='javascript:{RUN}' autofocus onfocus='{RUN}'>",
    f"\u2028{RUN}\u2029;\u202e<base href='https://example.org/'><meta http-equiv=refresh content='0;url=x:'>",
    "$data $script ${title} $$ {{constructor.constructor}} ]]> <!-- \ufffe &#60;script&#62;",
)
SHOWN = "!document.getElementById('main').hidden"


def sgf_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page whose game, names, comments and evaluator are hostile."""
    texts = [sgf_text(text) for text in HOSTILE]
    infos = "".join(f"{name}[{text}]" for name, text in zip(("PB", "PW", "GN", "EV", "RO", "SO"), texts, strict=True))
    moves = "".join(
        f";{colour}[{cell}]N[{text}]C[{text}]LB[{cell}:{text}]"
        for colour, cell, text in zip("BWBWBW", ("dd", "ee", "de", "ed", "cc", "ff"), texts, strict=True)
    )
    file = f"(;GM[4]FF[4]SZ[9]CA[UTF-8]{infos}C[{texts[0]}]{moves})"
    (record,) = read_games(file).records
    node = record.main_line()[-1]
    search = run_search(record.position(node), UniformEvaluator(record.game.num_actions), 100)
    kept = dataclasses.replace(saved(search), evaluator=HOSTILE[1])
    path = tmp_path_factory.mktemp("hostile") / "search.html"
    path.write_bytes(search_page(kept, notes_of(record, node)))
    return path


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with open_browser(tmp_path_factory.mktemp("browser")) as tab:
        yield tab


def test_the_text_of_the_page_has_nothing_of_the_file(page: Path) -> None:
    text = page.read_text("utf-8")
    assert "window.ran" not in text
    assert "\u2028" not in text
    assert text.count("<script") == text.count("</script>") == 2
    policy = re.search(r'content="(default-src [^"]+)"', text)
    rules = re.findall(r"([\w-]+) ([^;]+)", policy[1])
    allowed = {name: re.sub(r"sha256-[^']+", "sha256", values) for name, values in rules}
    hashed, none = dict.fromkeys(("script-src", "style-src"), "'sha256'"), ("default-src", "base-uri", "form-action")
    assert allowed == hashed | dict.fromkeys(none, "'none'")
    assert "unsafe" not in text


@pytest.mark.parametrize("policy", [True, False])
def test_nothing_of_the_file_runs(page: Path, tab: Tab, tmp_path: Path, policy: bool) -> None:
    """Nor without the content policy, which is only the second lock."""
    text = page.read_text("utf-8")
    bare = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    assert len(bare) < len(text)
    path = tmp_path / "search.html"
    path.write_text(text if policy else bare, "utf-8")
    before = len(tab.problems)
    tab.open(path, "language=en", SHOWN)
    for place in ("language=zh&simulation=50&playout", f"language=en&simulation={RUN}&selected={RUN}"):
        tab.open(path, place, SHOWN)
    shown = tab.value("[...document.querySelectorAll('#notes .comment')].map(one => one.textContent)")
    assert [text for text in shown if "window.ran" in text or "$data" in text]
    assert len(shown) == 7
    for text in HOSTILE:
        assert any(text.split("<")[-1].strip() in one for one in shown), text
    assert tab.value("window.ran") is None
    assert tab.value("document.querySelectorAll('img, iframe, base, a[href]:not([href^=\"#\"])').length") == 0
    assert tab.value("document.scripts.length") == 2
    assert tab.value("performance.getEntriesByType('resource').length") == 0
    assert tab.value("location.pathname") == str(path)
    assert HOSTILE[1] in tab.value("document.getElementById('about').textContent")
    assert tab.problems[before:] == [], json.dumps(tab.problems[before:])
