"""A breach of the house rules is found; that the code keeps them is checked by ``make lint``."""

import importlib.util
from pathlib import Path

import pytest
from grimp import ImportGraph

from core.games import GAMES

spec = importlib.util.spec_from_file_location("rules", Path(__file__).parent / "rules.py")
assert spec.loader is not None
rules = importlib.util.module_from_spec(spec)
spec.loader.exec_module(rules)


@pytest.mark.parametrize(
    "source",
    [
        "item = layout.itemAt(0)",
        "while row.takeAt(0):\n    pass",
        "view.paintEvent = paint",
        "one.sizeHint = hint",
        "box = QComboBox(self)",
        "closes = event.type() == QEvent.Type.Close",
    ],
)
def test_a_breach_is_seen(source: str) -> None:
    assert [line for line, _ in rules.breaches(rules.Source(source))] == [1]


@pytest.mark.parametrize("source", ["label.setToolTip(words)", "QToolTip.showText(at, words, self)"])
def test_a_tooltip_in_one_line_is_seen(source: str) -> None:
    assert [line for line, _ in rules.long_tips(rules.Source(source))] == [1]


def test_other_names_are_free() -> None:
    assert list(rules.breaches(rules.Source("self.event = ''\nself.data: int\nrow.removeWidget(one)"))) == []


@pytest.mark.parametrize(
    "source",
    [
        "raise ValueError(tr('{net} is none').format(net=net))",
        "self.failed.emit(core_text(sentence))",
        "failed(tr('none'))",
        "banner.show_error(f'{tr(name)}: none')",
        "Text('{game} is none', game=game_title(game))",
    ],
)
def test_a_message_translated_before_it_is_shown_is_seen(source: str) -> None:
    assert {line for line, _ in rules.translated_early(rules.Source(source))} == {1}


def test_what_translates_when_it_is_shown_is_free() -> None:
    source = "self.failed.emit(lambda: tr('none'))\nraise ValueError(Text('none'))\nlabel.setText(tr('none'))"
    assert list(rules.translated_early(rules.Source(source))) == []


def imports(*pairs: str) -> ImportGraph:
    graph = ImportGraph()
    for pair in pairs:
        graph.add_import(importer=pair[0], imported=pair[1])
    return graph


def test_a_circle_of_three_files_is_found() -> None:
    assert rules.circles(imports("ab", "bc", "ca", "cd", "xa")) == [["a", "b", "c"]]


def test_circles_that_share_a_file_are_merged() -> None:
    assert rules.circles(imports("ab", "ba", "bc", "cb")) == [["a", "b", "c"]]


def test_two_files_may_import_each_other() -> None:
    assert rules.circles(imports("ab", "ba", "bc")) == []


@pytest.mark.parametrize(
    "source", ["game.name == 'othello'", "load('gomoku(size=9, rule=renju)')", "TITLES = {'Nim': 1}"]
)
def test_the_name_of_a_game_is_seen(source: str) -> None:
    assert [line for line, _ in rules.named_games(rules.Source(source), rules.families())] == [1]


def test_comments_and_docstrings_may_name_games() -> None:
    source = rules.Source('"""In Othello a pass."""\nprint("as gomoku(size=9)")')
    assert list(rules.named_games(source, rules.families())) == []


def test_ray_is_loaded_by_functions_alone() -> None:
    source = (
        "import ray\nfrom ray.util import x\nif 1:\n    import ray.data as d\ndef f():\n    import ray\nimport raylib"
    )
    assert [line for line, _ in rules.loads_ray(rules.Source(source))] == [1, 2, 4]


def test_every_place_that_may_name_games_does() -> None:
    games = rules.families()
    for place in rules.NAME_GAMES:
        path = rules.ROOT / place
        files = path.rglob("*.py") if place.endswith("/") else [path]
        sources = [rules.Source(file.read_text(encoding="utf-8")) for file in files]
        assert any(list(rules.named_games(source, games)) for source in sources), place


def test_the_games_are_those_of_the_catalog() -> None:
    assert rules.families() == frozenset(GAMES)


def test_two_classes_of_one_name_are_seen() -> None:
    inner = "class Tree:\n    class Node: ..."
    sources = {"a.py": "class Tree: ...\nclass _Node: ...", "b.py": "class _Node: ...", "c.py": inner}
    assert rules.same_names(sources) == [("Tree", ["a.py", "c.py"])]


def test_names_of_classes_inside_others_are_free() -> None:
    assert rules.same_names({"a.py": "class Node: ...", "b.py": "class Tree:\n    class Node: ..."}) == []
