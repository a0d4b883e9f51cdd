"""The guide: its pages lead to each other and its scripts run; F1, links, search and the language of its window."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.language.language import CHINESE, ENGLISH
from gui.shell.docks import ROWS
from gui.shell.guide import BOARD, PAGES, TRAIN, Guide, page_of
from gui.shell.guide_pages import anchor, find_page, html, pages, picture, search
from gui.widgets.texts import switch_language

LANGUAGES = (ENGLISH, CHINESE)
EVERY = [pytest.param(page, id=f"{page.language}-{page.name}") for one in LANGUAGES for page in pages(one)]


def headings(text: str) -> set[str]:
    return {anchor(line.lstrip("# ")) for line in text.splitlines() if line.startswith("#")}


@pytest.mark.parametrize("page", EVERY)
def test_each_link_and_picture_of_a_page_is_there(page) -> None:
    for name, part in re.findall(r"\]\((\w*)(?:\.md)?(?:#([\w-]+))?\)", page.text):
        target = find_page(name or page.name, page.language)
        assert target.name == (name or page.name)
        assert not part or part in headings(target.text)
    for link in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.text):
        assert picture(link).startswith(b"\x89PNG"), link
        assert picture(link, dark=True).startswith(b"\x89PNG"), link


@pytest.mark.parametrize("page", EVERY)
def test_no_sign_of_markdown_is_left_in_a_page(page) -> None:
    """As where a mark of emphasis stands between a Chinese full stop and a letter."""
    assert "*" not in re.sub(r"<(pre|code).*?</\1>", "", html(page), flags=re.DOTALL)


def test_each_file_is_in_the_list_of_pages_and_begins_with_its_title() -> None:
    folder = files("resources") / "guide"
    listed = {page.name for page in pages(ENGLISH)}
    for language in LANGUAGES:
        found = {path.name.removesuffix(".md") for path in (folder / language).iterdir() if path.name.endswith(".md")}
        assert found <= listed
    assert {path.name for path in (folder / ENGLISH).iterdir()} == {f"{name}.md" for name in listed}
    assert all(page.text.startswith("# ") for language in LANGUAGES for page in pages(language))
    lists = [find_page("index", language).text.partition("```{toctree}")[2] for language in LANGUAGES]
    assert lists[0] == lists[1]  # the website's


def test_f1_opens_pages_that_there_are() -> None:
    names = {page.name for page in pages(ENGLISH)}
    assert {*PAGES.values(), BOARD, TRAIN} <= names
    assert all(row.name in PAGES or all(part.name in PAGES for part in row.parts) for row in ROWS)


@pytest.mark.slow
def test_the_scripts_of_the_guide_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # they write files
    scripts = re.findall(r"```python\n(.*?)```", find_page("scripts", ENGLISH).text, re.DOTALL)
    names: dict[str, object] = {}
    for number, script in enumerate(scripts):
        exec(script.replace("2000", "40"), names)
        if number == 0:
            assert len(capsys.readouterr().out.splitlines()) == 8  # the best move, and seven moves
    said = capsys.readouterr().out
    assert len(scripts) == 6
    assert "The net gave e P" in said
    assert {path.name for path in tmp_path.iterdir()} == {"tree.npz", "tree.html"}


@pytest.mark.parametrize("name", [page.name for page in pages(ENGLISH)])
def test_both_languages_have_the_same_commands(name: str) -> None:
    """Their remarks alone are translated; a page refers to the same pages and shows the same pictures."""
    command = re.compile(r"^ *(plyscope \S.*?)(?: {3,}.*)?$|^([^#\n]*[=(][^#\n]*?)(?:  #.*)?$", re.MULTILINE)
    english, chinese = (
        command.findall("\n".join(re.findall(r"```\w*\n(.*?)```", find_page(name, one).text, re.DOTALL)))
        for one in LANGUAGES
    )
    assert english == chinese
    shown = [
        sorted({link.replace("zh_CN/", "") for link in re.findall(r"\]\(([^)#]*)", find_page(name, one).text)} - {""})
        for one in LANGUAGES
    ]
    assert shown[0] == shown[1]


def test_f1_reads_of_the_dock_with_the_keyboard(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    dock = QWidget()
    qtbot.addWidget(dock)
    dock.setObjectName("lessons")
    for focus, name in ((QWidget(dock), "lessons"), (None, BOARD)):
        monkeypatch.setattr(QApplication, "focusWidget", lambda focus=focus: focus)
        assert page_of(BOARD) == name


def test_the_list_for_the_website_is_not_shown() -> None:
    assert "toctree" in find_page("index", ENGLISH).text
    assert "toctree" not in html(find_page("index", ENGLISH))


def test_search_counts_places_regardless_of_case() -> None:
    found = search("PUCT", ENGLISH)
    assert found[0].count == max(page.text.casefold().count("puct") for page in pages(ENGLISH))
    assert "puct" in found[0].line.casefold()
    assert search("  ", ENGLISH) == search("no such words", ENGLISH) == []


@pytest.fixture
def guide(qtbot: QtBot) -> Iterator[Guide]:
    parent = QWidget()
    qtbot.addWidget(parent)
    guide = Guide(parent)
    yield guide
    guide.close()


def test_links_are_followed_and_gone_back_on(guide: Guide) -> None:
    guide.read()
    guide.text.anchorClicked.emit(QUrl("numbers.md#proofs"))
    assert guide.page == find_page("numbers", ENGLISH)
    assert "Each number has one meaning" in guide.text.toPlainText()
    assert guide.list.currentItem().text() == guide.page.title
    guide.back.click()
    assert guide.page.name == "index"
    assert not guide.back.isEnabled()
    guide.forward.click()
    assert guide.page.name == "numbers"
    assert not guide.forward.isEnabled()


def test_an_unknown_page_is_the_first_one(guide: Guide) -> None:
    guide.read("no such page")
    assert guide.page.name == "index"


def test_search_lists_pages_and_goes_from_place_to_place(guide: Guide) -> None:
    guide.read()
    guide.words.setText("first-play urgency")
    assert [guide.list.item(row).text() for row in range(guide.list.count())] == ["The numbers  (1)"]
    guide.list.setCurrentRow(0)
    assert guide.text.textCursor().selectedText().casefold() == "first-play urgency"
    guide.words.setText("no such words")
    assert guide.list.count() == 0
    assert guide.note.text()
    guide.words.clear()
    assert guide.list.count() == len(pages(ENGLISH))


def test_the_guide_follows_the_language(guide: Guide) -> None:
    guide.read("numbers")
    switch_language(CHINESE)
    assert guide.page == find_page("numbers", CHINESE)
    assert guide.windowTitle() == "指南"
    switch_language(ENGLISH)
    assert guide.page == find_page("numbers", ENGLISH)
