"""Trees saved from the window and opened again, as the first and as the second search; pictures of docks."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from core.files.tree_export import SUFFIXES
from gui.shell.dock import save_picture
from gui.shell.filing import TREE_FORMS
from gui.window import MainWindow
from tests.gui.test_session_trees import make, rested, same_figures, searched

__all__ = ["make"]  # a fixture


def save(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    window.commands.filing.save_tree(path)
    qtbot.waitUntil(lambda: path.name in window.banner.text)


def test_the_dialog_offers_every_form() -> None:
    assert tuple(sorted(TREE_FORMS)) == tuple(sorted(SUFFIXES))


@pytest.mark.slow
def test_a_saved_tree_is_opened_with_its_figures_as_first_and_as_second_search(
    qtbot: QtBot, make: Callable[[], MainWindow], tmp_path: Path
) -> None:
    window = make()
    before = searched(qtbot, window)
    path = tmp_path / "tree.npz"
    save(qtbot, window, path)
    window.state.set_limit(before.simulations + 100)
    qtbot.waitUntil(lambda: rested(qtbot, window).simulations > before.simulations)
    window.commands.filing.open_second(path)
    qtbot.waitUntil(lambda: window.docks["what_if"].open)
    second = window.docks["what_if"].fill().searches.second  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: second.session.snapshot is not None)
    qtbot.waitUntil(lambda: bool(second.session.snapshot.reason))
    same_figures(before, second.session.snapshot)

    other = make()
    rested(qtbot, other)
    with qtbot.waitSignal(other.commands.filing.used):
        other.commands.filing.open_file(path)
    same_figures(before, rested(qtbot, other))
    other.state.play(0)
    other.commands.filing.open_second(path)
    qtbot.waitUntil(lambda: "another position" in other.banner.text)


@pytest.mark.slow
def test_a_tree_is_exported_in_the_form_of_its_suffix(
    qtbot: QtBot, make: Callable[[], MainWindow], tmp_path: Path
) -> None:
    window = make()
    snapshot = searched(qtbot, window)
    for suffix, begins in ((".json", "{"), (".svg", "<svg"), (".html", "<!"), (".csv", "id,"), (".dot", "digraph")):
        path = tmp_path / f"tree{suffix}"
        save(qtbot, window, path)
        assert path.read_text(encoding="utf-8").startswith(begins), suffix
    root = json.loads((tmp_path / "tree.json").read_text(encoding="utf-8"))
    while "children" not in root:
        root = root["tree"]
    assert {one["name"]: one["visits"] for one in root["children"]} == {
        row.name: row.visits for row in snapshot.moves if row.visits
    }


def test_a_search_is_shared_as_a_page_with_the_comments_of_its_game(
    qtbot: QtBot, make: Callable[[], MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make()
    searched(qtbot, window)
    window.state.record.set_comment(window.state.node, "A comment.")
    path = tmp_path / "search.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path.with_suffix("")), "A page (*.html)"))
    window.context.actions["share_search"].trigger()
    qtbot.waitUntil(lambda: path.name in window.banner.text)
    data = path.read_text("utf-8").partition(';base64">')[2].partition("</script>")[0]
    assert b'"comment":"A comment."' in zlib.decompress(base64.b64decode(data))


def test_a_search_that_no_page_can_hold_is_refused_with_a_sentence(
    qtbot: QtBot, make: Callable[[], MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make()
    searched(qtbot, window)
    monkeypatch.setattr("core.files.page_data.MOST_SIMULATIONS", 3)
    window.commands.filing.save_tree(tmp_path / "search.html")
    qtbot.waitUntil(lambda: "search.html is not written: a page holds at most 3 simulations" in window.banner.text)
    assert not (tmp_path / "search.html").exists()


def test_a_file_that_is_no_tree_is_refused_with_a_sentence(
    qtbot: QtBot, make: Callable[[], MainWindow], tmp_path: Path
) -> None:
    window = make()
    rested(qtbot, window)
    (tmp_path / "bad.npz").write_bytes(b"nothing")
    window.commands.filing.open_second(tmp_path / "bad.npz")
    qtbot.waitUntil(lambda: "bad.npz cannot be opened" in window.banner.text)


def test_a_name_without_suffix_gets_that_of_the_form_chosen(
    qtbot: QtBot, make: Callable[[], MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make()

    def answer(*given: object) -> tuple[str, str]:
        kinds = str(given[3])
        return str(tmp_path / "mine"), next(kind for kind in kinds.split(";;") if "*.csv" in kind)

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    searched(qtbot, window)
    window.commands.filing.choose_tree_file()
    qtbot.waitUntil((tmp_path / "mine.csv").exists)


def test_a_picture_of_a_dock_is_saved(qtbot: QtBot, make: Callable[[], MainWindow], tmp_path: Path) -> None:
    window = make()
    rested(qtbot, window)
    path, size = tmp_path / "moves.png", window.docks["tree"].fill().size()
    save_picture(window.context, window.docks["tree"], path)
    qtbot.waitUntil(path.exists)
    assert QImage(str(path)).size() == size  # the notice of it may change the window's layout
