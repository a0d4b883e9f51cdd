"""Tests of English and Chinese: complete catalogue, switching both ways at run time, the search not affected."""

from __future__ import annotations

import ast
import subprocess
from collections import Counter
from pathlib import Path
from string import Formatter

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QSettings, QTranslator
from PySide6.QtGui import QAction, QFont, QFontInfo, QFontMetricsF
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from core.engine import Search
from core.engine.warm_up import Preparation
from core.games import GAMES as CATALOGUE
from core.games import GameFamily, load_game
from core.search import SearchSettings
from core.text import Text, text_of
from gui.app import _save
from gui.language import language
from gui.language.core_words import core_text, game_title
from gui.language.language import CHINESE, CONTEXT, ENGLISH, SYSTEM, set_language, tr
from gui.model import sources
from gui.model.keymap import title_of
from gui.rooms.opponents.play_hint import hint_words
from gui.rooms.opponents.play_view import PlayView
from gui.rooms.report.game_review import mistake_words
from gui.rooms.report.report_parts import JudgedMove, report_csv
from gui.rooms.timeline.search_charts import CHARTS, SearchedTree
from gui.rooms.what_if.what_if import WhatIf
from gui.shell import translations
from gui.shell.actions import ENTRIES
from gui.shell.docks import VIEWS
from gui.widgets.board.board_paint import kind_of
from gui.widgets.charts.lines import View
from gui.widgets.dialogs import PARAMETER_TITLES
from gui.widgets.text_size import CHINESE_FONTS, with_chinese
from gui.widgets.texts import switch_language
from gui.window import MainWindow

TS = language.translations() / f"plyscope_{CHINESE}.ts"


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


# catalogue


def test_every_text_is_in_the_catalogue_with_a_translation() -> None:
    pairs = translations.read(TS)
    assert sorted(pairs) == sorted(translations.texts()), "run python -m gui.shell.translations"
    assert [text for text, translation in pairs.items() if not translation] == []


def test_every_plural_has_a_singular_in_english() -> None:
    pairs = translations.read(language.translations() / f"plyscope_{ENGLISH}.ts")
    assert sorted(pairs) == sorted(translations.plurals()), "run python -m gui.shell.translations"
    assert [text for text, singular in pairs.items() if not singular or singular == text] == []


@pytest.mark.parametrize(
    ("chosen", "forms"), [(ENGLISH, ["1 move", "2 moves", "0 moves"]), (CHINESE, ["1 手棋", "2 手棋", "0 手棋"])]
)
def test_a_number_chooses_the_form_of_its_text(chosen: str, forms: list[str]) -> None:
    set_language(chosen)
    assert [tr("{moves} moves", n).format(moves=n) for n in (1, 2, 0)] == forms


def test_texts_are_collected_where_their_type_is_declared() -> None:
    source = """
Titles = Words | Callable[[], str]
TIPS: Final[Sequence[tuple[str, Words]]] = (("id", "Tip of a table"), *(("other", "Second tip"),))
NAMES: dict[str, Words] = {"key": "Name" if short else "Long name"}

@dataclass
class Row:
    id: str
    title: Words
    menu: MenuPath = "Game"

class Button:
    def __init__(self, name: str, text: Titles, **more: Titles) -> None: ...

class Small(Button):
    def __init__(self) -> None:
        super().__init__("name", "Text of a small button")

class Wide(Row):
    width: int

Row("row", "Title of a row", menu="-View/&Theme")
Wide("wide", "Title of a wide row")
Button("name", "Text of a button", tip="Tip of a button", made=lambda: "not this")
"""
    texts = set(translations.texts_of([ast.parse(source)]))
    of_tables = {"Tip of a table", "Second tip", "Name", "Long name"}
    assert texts - {""} == of_tables | {
        "Title of a row",
        "Title of a wide row",
        "&Game",
        "&View",
        "&Theme",
        "Text of a button",
        "Text of a small button",
        "Tip of a button",
    }


def test_translations_have_the_placeholders_of_their_texts() -> None:
    wrong = [(s, t) for s, t in translations.read(TS).items() if places(s) != places(t)]
    assert wrong == []


def test_no_two_texts_share_a_translation() -> None:
    """Every Chinese text in the window comes from exactly one English text."""
    shared = [text for text, n in Counter(translations.read(TS).values()).items() if n > 1]
    assert shared == []


def test_the_compiled_catalogue_is_that_of_the_file(qapp: QCoreApplication, tmp_path: Path) -> None:
    translator = QTranslator()
    assert translator.load(str(TS.with_suffix(".qm")))
    for source, translation in translations.read(TS).items():
        assert translator.translate(CONTEXT, source) == translation, "run python -m gui.shell.translations"


def test_the_tool_keeps_translations_and_marks_missing_ones(tmp_path: Path) -> None:
    path = tmp_path / "few.ts"
    translations.write(path, CHINESE, {"one & two": "一和二", "three": ""})
    assert translations.read(path) == {"one & two": "一和二", "three": ""}
    assert 'type="unfinished"' in path.read_text(encoding="utf-8")
    try:
        translations.release(path, path.with_suffix(".qm"))
    except (OSError, subprocess.SubprocessError):
        pytest.skip("this PySide6 comes without lrelease")
    translator = QTranslator()
    assert translator.load(str(path.with_suffix(".qm")))
    assert translator.translate(CONTEXT, "one & two") == "一和二"


@pytest.mark.parametrize("chosen", [ENGLISH, CHINESE])
def test_no_letter_opens_two_entries_of_one_menu(qtbot: QtBot, chosen: str) -> None:
    set_language(chosen)
    menus: dict[str, list[str]] = {}
    for entry in ENTRIES:
        text = tr(entry.text)
        if "&" in text:
            menus.setdefault(entry.menu.lstrip("-"), []).append(text[text.index("&") + 1].lower())
    assert {menu: letters for menu, letters in menus.items() if len(set(letters)) < len(letters)} == {}


def test_parameters_of_games_have_titles() -> None:
    names = {parameter.name for family in CATALOGUE.values() for parameter in family.parameters}
    assert names <= set(PARAMETER_TITLES)


# current language


def test_system_language_follows_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    for names, expected in (
        (["zh-Hans-CN", "zh-CN"], CHINESE),
        (["zh_SG"], CHINESE),
        (["zh-Hant-TW", "en-US"], ENGLISH),
        (["de-DE", "zh-CN"], CHINESE),
        (["en-HK", "zh-CN"], ENGLISH),
        (["C"], ENGLISH),
    ):
        monkeypatch.setattr(QLocale, "uiLanguages", lambda self, names=names: names)
        assert language.language_of(SYSTEM) == expected
    assert language.language_of(CHINESE) == CHINESE


def test_another_language_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'fr'.*system, en, zh_CN"):
        set_language("fr")


# games

GAMES = (
    "tictactoe",
    "connectn(rows=4, cols=5, k=3)",
    "gomoku",
    "gomoku(size=9, rule=standard)",
    "gomoku(rule=renju)",
    "connect4",
    "connect4(k=5)",
    "connect4(rows=4, cols=5)",
    "connect4(rows=4, cols=5, k=3)",
    "othello",
    "othello(size=6)",
    "othello(passes=no)",
    "othello(size=6, passes=no)",
    "go",
    "go(size=9, rules=chinese)",
    "go(rows=3, cols=5, rules=japanese)",
    "nim",
    "nim(heaps=3-4-5)",
    "nim(max_take=1)",
    "nim(max_take=1, misere=yes)",
    "nim(misere=yes)",
    "nim(heaps=3-4-5, misere=yes)",
)
TITLED = {name: family for name, family in CATALOGUE.items() if not family.whole}  # others have the titles of a package
EVERY_GAME = sorted({*GAMES, *(text for family in TITLED.values() for text in family.states)})


@pytest.mark.parametrize("text", EVERY_GAME)
def test_game_titles_are_translated(text: str) -> None:
    game = load_game(text)
    assert game_title(game) == game.title
    set_language(CHINESE)
    title = game_title(game)
    assert is_chinese(title)


def test_titles_of_all_games_are_tested() -> None:
    assert {load_game(text).name for text in EVERY_GAME} == set(TITLED)


@pytest.mark.parametrize("family", TITLED.values(), ids=TITLED)
def test_titles_of_game_families_are_translated(family: GameFamily) -> None:
    set_language(CHINESE)
    assert is_chinese(core_text(family.title))


# texts of a search and a game


def test_texts_of_the_engine_are_translated_by_their_templates() -> None:
    game = load_game("connect4(rows=4, cols=5, k=3)")
    rollouts = Search(game.initial(), None, SearchSettings(selection="ucb1", rollout_policy="tactical", threads=2))
    texts = (
        Preparation(game).text(),
        Text("loading {label}", label=Text("random rollouts on CPU")),
        rollouts.snapshot().evaluator,
    )
    assert [core_text(text) for text in texts] == list(texts)
    assert texts[2] == "tactical rollouts on CPU, 2 threads"
    set_language(CHINESE)
    assert core_text(texts[0]).startswith("正在为四子棋 4×5，连 3 子准备搜索：约 150 个函数中已编译 0 个")
    assert [text for text in texts if not is_chinese(core_text(text))] == []
    assert core_text(Text("{net} on CUDA", net="net.onnx in fp16")) == "net.onnx in fp16（CUDA）"
    assert core_text("words it does not know") == "words it does not know"


def test_search_hint_and_report_are_in_the_current_language(real_window: MainWindow, qtbot: QtBot) -> None:
    window, session = real_window, real_window.session
    window.state.open_position(load_game("connect4(rows=4, cols=5, k=3)").position("c c d"), None)
    review = window.commands.games.review
    review.set_simulations(30)
    review.analyse()
    qtbot.waitUntil(lambda: review.report is not None and review.report.complete)
    session.continue_search()
    qtbot.waitUntil(lambda: session.snapshot is not None and session.snapshot.simulations > 0)
    session.stop()
    qtbot.waitUntil(lambda: not session.searching)
    snapshot = session.snapshot
    assert snapshot is not None
    assert review.report is not None
    english = hint_words(snapshot)
    assert english.startswith("Hint: ")
    assert "on CPU" in window.views.status.evaluator.text()

    def saved() -> list[object]:
        assert review.report is not None
        searched = SearchedTree(snapshot, None, {})
        return [report_csv(review.report), *(chart.table(searched, View()) for chart in CHARTS)]

    files = saved()
    switch_language(CHINESE)
    qtbot.waitUntil(lambda: window.views.status.evaluator.text().startswith("CPU 随机走子"))
    assert hint_words(snapshot).startswith("提示：")
    players = kind_of("connect4").players
    qtbot.waitUntil(lambda: review.report is not None and review.report.players == players)
    move = JudgedMove(2, 0, "d", "b", -0.5, 0.5, 0.5, True, False, (), kind="blunder")
    words = f"第 3 手：{players[0]}的 d 是一次大失误：损失期望得分恰为 0.50；搜索会走 b。"
    assert mistake_words(review.report, move) == words
    assert saved() == files


def test_the_window_and_the_toolbar_name_the_game(window: MainWindow) -> None:
    switch_language(CHINESE)
    assert window.views.toolbar.game.text() == "四子棋"
    assert window.windowTitle().startswith("四子棋 — ")
    switch_language(ENGLISH)
    assert window.views.toolbar.game.text() == "Connect Four"
    assert window.windowTitle().startswith("Connect Four — ")


def test_an_error_on_the_screen_follows_the_language(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """Raised in a thread, where a net or a game is opened, and in a form."""
    window.commands.filing.open_file(tmp_path / "gone.sgf")
    qtbot.waitUntil(lambda: "cannot be opened" in window.banner.text)
    view = window.commands.open_dock("players")
    assert isinstance(view, PlayView)
    view.clock_form.main.setText("soon")
    view.clock_form.chosen.emit()
    assert view.clock_form.error.text() == "Main time is 'soon'; it must be a number from 0 to 1440"
    switch_language(CHINESE)
    assert "无法打开" in window.banner.text
    assert view.clock_form.error.text() == "基本用时 为 'soon'；必须是 0 至 1440 的数"
    with pytest.raises(ValueError, match="is not a file") as raised:
        sources.net_source(tmp_path)
    switch_language(ENGLISH)
    assert view.clock_form.error.text() == "Main time is 'soon'; it must be a number from 0 to 1440"
    window.banner.show_error(text_of(raised.value))
    assert window.banner.text.endswith("is not a file")


def test_chinese_fallback_fonts_come_after_the_original_families(qtbot: QtBot) -> None:
    """Latin letters keep the font that a family such as "Sans Serif" stands for."""
    for family in ("Sans Serif", "Some Sans"):
        plain = QFont(family)
        font = with_chinese(with_chinese(plain))
        assert font.families() == [*dict.fromkeys([family, QFontInfo(plain).family(), *CHINESE_FONTS])]
        assert QFontInfo(font).family() == QFontInfo(plain).family()
        width = QFontMetricsF(plain).horizontalAdvance("0123456789 Moves")
        assert QFontMetricsF(font).horizontalAdvance("0123456789 Moves") == width


# window


def menu_texts(window: MainWindow) -> list[str]:
    return [action.text() for action in window.findChildren(QAction) if action.text()]


def standing(window: MainWindow) -> dict[str, str]:
    """Return every text in the window, by the place of its widget."""
    found = {}
    for widget in window.findChildren(QWidget):
        parts = [widget.toolTip(), widget.accessibleName()]
        if isinstance(widget, QLabel | QAbstractButton):
            parts.append(widget.text())
        elif isinstance(widget, QMenu):
            parts.append(widget.title())
        if widget is not window.views.status._parts["sims"]:  # it shows the measured drawing time
            found[str(len(found))] = "|".join(parts)
    return found


def open_all_rooms(window: MainWindow) -> None:
    for name in VIEWS:
        window.commands.open_dock(name)


def is_chinese(text: str) -> bool:
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)


def test_every_menu_is_chinese_after_switching_and_english_after_switching_back(window: MainWindow) -> None:
    before = {name: action.text() for name, action in window.context.actions.items()}
    menus = [action.text() for action in window.menuBar().actions()]
    window.context.actions["language_zh_CN"].trigger()
    texts = {name: action.text() for name, action in window.context.actions.items()}
    assert [text for text in texts.values() if any(map(str.isalpha, text)) and not is_chinese(text)] == ["&English"]
    assert [action.text() for action in window.menuBar().actions() if not is_chinese(action.text())] == []
    assert title_of(window.context.actions["new_game"]) == "新对局"
    assert window.context.actions["language_zh_CN"].isChecked()
    window.context.actions["language_en"].trigger()
    assert {name: action.text() for name, action in window.context.actions.items()} == before
    assert [action.text() for action in window.menuBar().actions()] == menus


def test_switching_back_restores_every_english_text(window: MainWindow, qtbot: QtBot) -> None:
    open_all_rooms(window)
    before = standing(window)
    switch_language(CHINESE)
    assert window.views.toolbar.run.text() in ("停止", "分析局面")
    area = window.docks.area_of(window.docks["settings"])  # among so many rooms it is no drawer
    assert "搜索设置" in [area.tabs.tabText(i) for i in range(area.tabs.count())]
    switch_language(ENGLISH)
    assert standing(window) == before


def test_a_message_follows_the_language(window: MainWindow) -> None:
    banner = window.banner
    banner.show_notice("There is no move to analyse yet: play or open a game first.")
    switch_language(CHINESE)
    assert is_chinese(banner.text)
    banner.show_error(Text("{name} is saved.", name="a.sgf"))
    assert banner.text.startswith("a.sgf")
    switch_language(ENGLISH)
    assert banner.text == "a.sgf is saved."
    banner.show_offer(lambda: tr("{players} to move").format(players="Red"), "Open it", lambda: None)
    switch_language(CHINESE)
    assert is_chinese(banner.text)
    assert is_chinese(banner.offer_button.text())


@pytest.mark.slow
def test_the_search_continues_while_the_language_changes(real_window: MainWindow, qtbot: QtBot) -> None:
    window, session = real_window, real_window.session
    window.state.open_position(load_game("gomoku(size=7)").initial(), None)
    session.continue_search()
    qtbot.waitUntil(lambda: session.snapshot is not None and session.snapshot.simulations > 0)
    snapshot = session.snapshot
    window.state.select((24,))
    request, seen, turned = snapshot.request, snapshot.simulations, window.workspaces.shown
    switch_language(CHINESE)
    qtbot.waitUntil(lambda: session.snapshot is not None and session.snapshot.simulations > seen)
    assert session.searching
    assert session.snapshot.request == request
    assert (window.state.selected, window.workspaces.shown) == ((24,), turned)
    qtbot.waitUntil(lambda: "模拟" in window.views.toolbar.simulations.text())


def test_analysis_menus_are_disabled_in_training_in_chinese_too(window: MainWindow) -> None:
    switch_language(CHINESE)
    from gui.shell.actions import enable_analysis
    from gui.shell.entry import ANALYSIS_MENUS

    enable_analysis(window, False)
    assert sum(not action.isEnabled() for action in window.menuBar().actions()) == len(ANALYSIS_MENUS)
    enable_analysis(window, True)
    assert all(action.isEnabled() for action in window.menuBar().actions())


def test_the_language_is_remembered(window: MainWindow, tmp_path: Path) -> None:
    kept = QSettings(str(tmp_path / "kept.ini"), QSettings.Format.IniFormat)
    switch_language(CHINESE)
    _save(window, kept)
    assert kept.value("language") == CHINESE


def test_what_if_headings_are_translated(window: MainWindow) -> None:
    window.context.actions["what_if"].trigger()
    view = window.docks["what_if"].widget_made
    assert isinstance(view, WhatIf)

    def headings() -> list[str]:
        return [*view.table.groups.titles, *(label.text() for label in view.trees.titles)]

    english = headings()
    assert english[:2] == ["First search", "Second search"]
    assert english[:2] == english[2:]
    switch_language(CHINESE)
    assert all("search" not in text and any(letter >= "\u4e00" for letter in text) for text in headings())
    switch_language(ENGLISH)
    assert headings() == english


@pytest.mark.slow
def test_groups_of_a_new_run_are_translated(window: MainWindow, qtbot: QtBot) -> None:
    window.workspaces.turn_to("nets")
    window.commands.training.show_new()

    def names() -> list[str]:
        return [button.text() for button in window.commands.training.form._groups.values()]

    english = names()
    assert "Game && net" in english
    switch_language(CHINESE)
    qtbot.waitUntil(lambda: all(map(is_chinese, names())))
    switch_language(ENGLISH)
    qtbot.waitUntil(lambda: names() == english)
