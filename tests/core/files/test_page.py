"""The page of a search: its parts and policy, and in a real browser what it shows and what keys and clicks do."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from core.engine import UniformEvaluator
from core.files.board_svg import empty_board, look_of
from core.files.page import content_hash, notes_of, page_file, search_page
from core.files.page_data import PageNote
from core.files.record import GameRecord
from core.files.tree_file import SavedSearch, saved
from core.games import load_game
from tests.core.files.browser import Tab, open_browser
from tests.core.search.fakes import run_search

SIMULATIONS = 300
HOSTILE = "</script><img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>\u2028<!--"
SHOWN = "!document.getElementById('main').hidden"


def searched(name: str, moves: str = "", simulations: int = SIMULATIONS) -> SavedSearch:
    game = load_game(name)
    search = run_search(game.position(moves), UniformEvaluator(game.num_actions), simulations)
    return saved(search)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "search.html"
    path.write_bytes(search_page(searched("connect4", "d d c"), [PageNote(2, HOSTILE, HOSTILE)]))
    return path


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with open_browser(tmp_path_factory.mktemp("browser")) as tab:
        yield tab


class Parts(HTMLParser):
    """The policy of a page, its style, its scripts by type, and the addresses it names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.policy, self.tag, self.kind = "", "", ""
        self.texts: dict[tuple[str, str], str] = {}
        self.addresses: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name: value or "" for name, value in attrs}
        self.tag, self.kind = tag, names.get("type", "")
        self.addresses += [names[name] for name in ("src", "action", "data") if name in names]
        self.addresses += [names["href"]] if not names.get("href", "#").startswith("#") else []
        self.inline += [name for name in names if name == "style" or name.startswith("on")]
        if names.get("http-equiv") == "Content-Security-Policy":
            self.policy = names["content"]

    def handle_data(self, data: str) -> None:
        if self.tag in ("style", "script"):
            key = self.tag, self.kind
            self.texts[key] = self.texts.get(key, "") + data

    def handle_endtag(self, tag: str) -> None:
        self.tag = ""


def test_the_page_has_all_it_needs_and_its_policy_names_all_that_runs(page: Path) -> None:
    text = page.read_text("utf-8")
    parts = Parts(text)
    style, script = parts.texts["style", ""], parts.texts["script", ""]
    assert parts.policy == (
        f"default-src 'none'; style-src '{content_hash(style)}'; script-src '{content_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert {kind for tag, kind in parts.texts if tag == "script"} == {"", "application/octet-stream;base64"}
    assert (parts.addresses, parts.inline) == ([], [])
    assert not re.search(r"@import|url\((?!#)|\b(fetch|eval|innerHTML|XMLHttpRequest|import)\b\s*[(=]", style + script)
    assert "onerror" not in text
    assert "run'" not in text


@pytest.mark.parametrize(
    "name", [*("words.js", "page.js", "live.js", "growing.js", "run.js"), "page.html", "run.html", "scripted.html"]
)
def test_every_text_of_the_page_is_there_in_both_languages(name: str) -> None:
    english, _, chinese = page_file("words.js").partition("\n  zh: {")
    keys = re.compile(r"(?<=[{,\s])(\w+): [\"`]")
    known = set(keys.findall(english.partition("\n  en: {")[2]))
    assert known == set(keys.findall(chinese.partition("\n};")[0]))
    used = re.findall(r'(?:say\(|sayLive\(|data-(?:text|label)=)"(\w+)"', page_file(name))
    assert set(used) <= known


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("connect4", "columns"),
        ("tictactoe", "marks"),
        ("gomoku", "stones"),
        ("go(size=9)", "stones"),
        ("othello", "felt"),
        ("nim", "heaps"),
    ],
)
def test_each_game_has_its_board(name: str, kind: str) -> None:
    game = load_game(name)
    assert look_of(game).kind == kind
    board = empty_board(game, "board")
    assert f'data-kind="{kind}"' in board
    assert f'data-rows="{game.shape[0]}"' in board
    labels = re.findall(r'<text class="t"[^>]*>([^<]*)</text>', board)
    assert len(labels) == {"columns": game.shape[1], "heaps": 0}.get(kind, sum(game.shape))


def test_notes_are_those_of_the_positions_that_led_there() -> None:
    record = GameRecord.of(load_game("tictactoe").position("a1 b2 c3"))
    line = record.main_line()
    record.set_comment(line[0], "At first.")
    record.set_name(line[2], "Middle")
    record.set_comment(record.play(line[1], 0), "Elsewhere.")
    record.set_comment(line[3], "Later.")
    assert notes_of(record, line[2]) == [PageNote(0, "", "At first."), PageNote(2, "Middle", "")]


def rows(tab: Tab) -> list[list[str]]:
    """The figures of the table, by rows."""
    script = "[...document.querySelectorAll('#moves tbody tr')].map(row => [...row.cells].map(one => one.textContent))"
    return [list(map(str, row)) for row in tab.value(script)]


def test_the_table_is_the_programs(tab: Tab, page: Path) -> None:
    tab.open(page, "language=en", SHOWN)
    game = load_game("connect4")
    search = run_search(game.position("d d c"), UniformEvaluator(game.num_actions), SIMULATIONS)
    shown = rows(tab)
    moves = search.snapshot().moves
    assert [row[0].split(" ")[0].removesuffix("best") for row in shown] == [move.name for move in moves]
    assert [int(row[1].replace("\u2009", "")) for row in shown] == [move.visits for move in moves]
    for row, move in zip(shown, moves, strict=True):
        for text, figure in zip(row[3:], (move.q, 100 * move.prior, move.u, move.score), strict=True):
            assert float(text.replace("−", "-").replace(" %", "")) == pytest.approx(figure, abs=0.051)
    (entered,) = [row for row in shown if "▸" in row[0]]
    best = search.snapshot().root.next_action
    assert entered[0].startswith(game.action_name(best))
    assert tab.problems == []


def test_what_files_say_is_shown_as_text_and_never_runs(tab: Tab, page: Path) -> None:
    tab.open(page, "language=en", SHOWN)
    assert tab.value("document.querySelector('#notes .comment').textContent") == HOSTILE
    assert HOSTILE in tab.value("document.querySelector('#notes h3').textContent")
    assert tab.value("document.images.length") == 0
    assert tab.value("document.title") == "Connect Four: d d c"


def test_one_selection_is_shown_everywhere(tab: Tab, page: Path) -> None:
    tab.open(page, "language=en", SHOWN)
    tab.value("document.querySelector('#moves button:enabled').click()")
    move = str(tab.value("document.querySelector('#path [aria-current]').textContent"))
    assert move == tab.value("document.querySelector('#path li:nth-child(2)').textContent")
    assert f"After {move}" in tab.value("document.getElementById('board').getAttribute('aria-label')")
    assert f"{move}: N" in tab.value("document.getElementById('icicle').getAttribute('aria-label')")
    assert f"{move} selected" in tab.value("document.getElementById('said').textContent")
    tab.value("document.getElementById('icicle').focus()")
    tab.key("ArrowDown")
    assert tab.value("document.querySelectorAll('#path li').length") == 3
    tab.key("ArrowUp")
    tab.key("ArrowUp")
    assert tab.value("document.querySelectorAll('#path li').length") == 1


def test_a_click_on_the_icicle_and_on_the_board_selects(tab: Tab, page: Path) -> None:
    tab.size(1280, 800)
    tab.open(page, "language=en", SHOWN)
    x, y = tab.value(
        "(box => [box.left + 20, box.top + 30])(document.getElementById('icicle').getBoundingClientRect())"
    )
    tab.click(x, y)
    first = tab.value("document.querySelector('#path [aria-current]').textContent")
    assert first == tab.value("document.querySelector('#path li:nth-child(2)').textContent")
    tab.value("document.querySelector('#path button').click()")
    x, y = tab.value(
        "(box => [(box.left + box.right) / 2, (box.top + box.bottom) / 2])"
        "(document.querySelector('#board .mark.best').getBoundingClientRect())"
    )
    tab.click(x, y)
    assert tab.value("document.querySelector('#path [aria-current]').textContent") == first


def test_the_keys_go_through_the_simulations(tab: Tab, page: Path) -> None:
    tab.open(page, "language=en", SHOWN)
    tab.value("document.activeElement.blur()")
    tab.key("Home")
    assert tab.value("document.getElementById('number').value") == "0"
    assert rows(tab) == [["No move was entered here yet, or the game is over."]]
    tab.key("ArrowRight")
    tab.key("ArrowRight")
    assert tab.value("document.getElementById('slider').valueAsNumber") == 2
    assert "simulation 2 went" in tab.value("document.getElementById('said').textContent")
    tab.key("End")
    assert tab.value("document.getElementById('number').value") == str(SIMULATIONS)


def test_a_playout_is_played_part_by_part(tab: Tab, page: Path) -> None:
    tab.prefer(prefers_reduced_motion="no-preference")
    tab.open(page, "language=en&simulation=200", SHOWN)
    tab.value("document.activeElement.blur()")
    tab.key("Space")
    for words in ("Selection: simulation 201", "Evaluation: the net", "Backup: simulation 201"):
        tab.until(f"document.getElementById('stage').textContent.startsWith({words!r})")
    tab.key("Space")
    assert tab.value("document.getElementById('play').title") == "Play (space)"


def test_without_motion_a_playout_is_its_result(tab: Tab, page: Path) -> None:
    tab.prefer(prefers_reduced_motion="reduce")
    tab.open(page, "language=en&simulation=200", SHOWN)
    tab.value("document.activeElement.blur()")
    tab.key("Space")
    tab.key("Space")
    assert tab.value("document.getElementById('stage').textContent").startswith("Backup: simulation 201")
    tab.prefer(prefers_reduced_motion="no-preference")


def test_the_curves_end_at_the_shares_of_the_moves(tab: Tab, page: Path) -> None:
    tab.size(1280, 800)
    tab.open(page, "language=en", f"{SHOWN} && !document.getElementById('shares').hidden")
    words = str(tab.value("document.getElementById('curve').getAttribute('aria-label')")).partition(": ")[2]
    total = sum(int(row[1]) for row in rows(tab))
    for text, row in zip(words.split(", "), rows(tab), strict=False):
        name, share = text.split()[:2]
        assert row[0].startswith(name)
        assert int(share) == pytest.approx(100 * int(row[1]) / total, abs=0.51)
    x, y = tab.value("(box => [box.left + 1, box.top + 20])(document.getElementById('curve').getBoundingClientRect())")
    tab.click(x, y)
    assert int(tab.value("document.getElementById('number').value")) < SIMULATIONS / 20


def test_language_and_theme_can_be_switched(tab: Tab, page: Path) -> None:
    tab.open(page, "language=zh&theme=light", SHOWN)
    assert tab.value("document.documentElement.lang") == "zh-CN"
    assert "模拟次数" in tab.value("document.getElementById('position').textContent")
    light = tab.value("getComputedStyle(document.body).backgroundColor")
    tab.value(
        "for (const [id, value] of [['language', 'en'], ['theme', 'dark']]) { const box = document.getElementById(id);"
        " box.value = value; box.dispatchEvent(new Event('change')); }"
    )
    assert tab.value("getComputedStyle(document.body).backgroundColor") != light
    assert "Simulations" in tab.value("document.getElementById('position').textContent")


def test_the_page_says_game_net_and_rule_in_its_language(tab: Tab, tmp_path: Path) -> None:
    path = tmp_path / "search.html"
    game = load_game("connect4")
    search = run_search(game.position("d d"), None, 20, selection="flat")
    path.write_bytes(search_page(saved(search)))
    shown = "[document.title, document.querySelector('h1').textContent, document.getElementById('about').textContent]"
    tab.open(path, "language=en", SHOWN)
    assert tab.value(shown) == [
        *["Connect Four: d d"] * 2,
        f"20 simulations · {search.snapshot().evaluator} · flat Monte Carlo",
    ]
    tab.open(path, "language=zh", SHOWN)
    title, head, about = tab.value(shown)
    assert title == head == "四子棋: d d"
    assert re.fullmatch(r"20 次模拟 · CPU 随机走子.* · 平面蒙特卡洛", about)


@pytest.mark.parametrize("width", [390, 760, 1280])
def test_the_speeds_fit_into_their_box(tab: Tab, page: Path, width: int) -> None:
    tab.size(width, 800)
    for language in ("en", "zh"):
        tab.open(page, f"language={language}", SHOWN)
        # What a box needs that nothing holds back, its arrow among it.
        assert tab.value(
            "(box => { const free = document.body.appendChild(box.cloneNode(true)); free.style.maxWidth = 'none';"
            " free.style.position = 'absolute'; const needed = free.offsetWidth; free.remove();"
            " return box.offsetWidth >= needed; })(document.getElementById('speed'))"
        )
    tab.size(1280, 800)


@pytest.mark.parametrize("width", [320, 390, 760, 1480])
def test_nothing_is_wider_than_the_window(tab: Tab, page: Path, width: int) -> None:
    tab.size(width, 800)
    for place in ("language=en", "language=zh&simulation=200&playout"):
        tab.open(page, place, SHOWN)
        assert tab.value("document.documentElement.scrollWidth") <= width
    assert tab.value(
        "[...document.querySelectorAll('button, input, select')].filter(one => one.offsetParent)"
        ".every(one => one.getBoundingClientRect().height >= 24)"
    )
    tab.size(1280, 800)


def test_everything_that_can_be_used_has_a_name(tab: Tab, page: Path) -> None:
    tab.open(page, "language=en", SHOWN)
    script = (
        "[...document.querySelectorAll('button, input, select, canvas, svg[role], [role=region]')]"
        ".filter(one => !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length))"
        ".map(one => one.outerHTML)"
    )
    assert tab.value(script) == []


@pytest.mark.parametrize("name", ["othello", "go(size=5)", "nim", "tictactoe"])
def test_other_games_are_shown_too(tab: Tab, tmp_path: Path, name: str) -> None:
    path = tmp_path / "search.html"
    path.write_bytes(search_page(searched(name, simulations=60)))
    before = len(tab.problems)
    tab.open(path, "language=en&simulation=60&playout", SHOWN)
    assert len(rows(tab)) >= 3
    assert tab.value("document.getElementById('stage').textContent").startswith("Backup: simulation 60")
    assert tab.problems[before:] == []
