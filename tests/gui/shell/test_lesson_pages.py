"""Lessons as pages: what is written of each step, in both languages, with its search and the figures of the window."""

from __future__ import annotations

import base64
import html
import re
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.files.page import PAGE
from gui.jobs.kept_trees import KeepingAnalysis
from gui.shell.lesson_pages import LessonPages
from gui.shell.lessons import lessons_home, own_lessons
from tests.core.files.test_page_data import header_of
from tests.gui.conftest import open_window

MINE = """\
# Mine <b>
zh: 我的
About mine.

## Before
The game of before is not the lesson's.

## Search
There are {n} simulations; {player} plays {best}.
zh: 有 {n} 次模拟；{player}走 {best}。
@game tictactoe
@moves b2
@leaves uniform
@settings selection=puct max_batch=1
@search 0
@wait simulations 40

## Ask
b1 has {N b1} visits, and the picture {picture points}.
@picture pi
@ask How many moves are left?
zh: 还有几步棋？
@answer {legal}
@praise Well done.
@hint Count again.

## On
@wait simulations 90

## The end
Nothing to do & no search of its own.
"""


def written(qtbot: QtBot, paths: list[Path], folder: Path) -> str:
    """Write the lessons in a window of their own; what it says of it."""
    window = open_window(qtbot, KeepingAnalysis(), "tictactoe")
    pages = LessonPages(window.commands, paths, folder)
    with qtbot.waitSignal(pages.finished, timeout=180_000) as ended:
        pages.start()
    window.close()
    return str(ended.args[0])


def words_of(page: Path) -> str:
    """The text of a page without its marks."""
    return html.unescape(re.sub(r"<style>.*?</style>|<[^>]*>", "", page.read_text("utf-8"), flags=re.DOTALL))


def test_a_lesson_is_written_with_its_searches_in_both_languages(qtbot: QtBot, tmp_path: Path) -> None:
    lesson, folder = tmp_path / "mine.txt", tmp_path / "pages"
    lesson.write_text(MINE, encoding="utf-8")
    assert written(qtbot, [lesson], folder) == ""
    names = {path.name for path in folder.iterdir()}
    assert names == {"index.html", "index.zh.html", "mine.html", "mine.zh.html", "mine-2.html", "mine-4.html"}
    english, chinese = words_of(folder / "mine.html"), words_of(folder / "mine.zh.html")
    assert "There are 40 simulations; O plays" in english
    assert "有 40 次模拟；" in chinese
    assert "{" not in english + chinese
    assert "How many moves are left?" in english
    assert "还有几步棋？" in chinese
    assert "Answer8. Well done" in english
    assert "Nothing to do & no search of its own." in english
    for page, language in (("mine.html", "en"), ("mine.zh.html", "zh")):
        text = (folder / page).read_text("utf-8")
        assert re.findall(r'href="(mine-\d\.html#language=\w+)"', text) == [
            f"mine-{step}.html#language={language}" for step in (2, 2, 4, 4)
        ]
        assert "<title>" in text
        assert "<script" not in text
        (picture,) = re.findall(r'src="data:image/png;base64,([^"]+)"', text)
        assert base64.b64decode(picture).startswith(b"\x89PNG")
    assert "Mine &lt;b&gt;" in (folder / "index.html").read_text("utf-8")
    for step, simulations in ((2, 40), (4, 90)):
        text = (folder / f"mine-{step}.html").read_text("utf-8")
        data = base64.b64decode(text.partition(';base64">')[2].partition("<")[0])
        assert header_of(data)["records"] == simulations
        assert header_of(data)["position"]["moves"] == [4]


def test_lessons_that_need_a_training_are_left_out(qtbot: QtBot, tmp_path: Path) -> None:
    assert written(qtbot, [lessons_home() / "selfplay.txt"], tmp_path) == ""
    assert {path.name for path in tmp_path.iterdir()} == {"index.html", "index.zh.html"}


def test_a_folder_that_cannot_be_written_is_said(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    assert "taken" in written(qtbot, [], tmp_path / "taken")


@pytest.mark.slow
def test_every_lesson_of_the_program_can_be_written(qtbot: QtBot, tmp_path: Path) -> None:
    lessons = [path for path in own_lessons() if path.stem not in ("selfplay", "inside")]
    assert written(qtbot, lessons, tmp_path) == ""
    for path in lessons:
        english, chinese = words_of(tmp_path / f"{path.stem}{PAGE}"), words_of(tmp_path / f"{path.stem}.zh{PAGE}")
        assert "{" not in english + chinese
        assert "–" not in re.findall(r"Answer(.*)", english)
        links = re.findall(r'href="([^"#]+)[#"]', (tmp_path / f"{path.stem}{PAGE}").read_text("utf-8"))
        assert [link for link in links if not (tmp_path / link).exists()] == []
