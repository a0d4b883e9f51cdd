"""The report of an audit: shapes of mistakes, the page, the CSV and the command that writes them."""

import base64
import csv
import io
import json
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from core.engine.evaluator import UniformEvaluator
from core.games import load_game
from models.audit import positions
from models.audit.answers import Audited, Exact
from models.audit.page import report_page, serious
from models.audit.pictures import Mark, board_svg, window_svg
from models.audit.positions import Item
from models.audit.results import Audit, NetFile, Plan, read_audit
from models.audit.searching import audit_positions
from models.audit.shapes import MINE, OUTSIDE, THEIRS, cell_of, groups_of, is_mistake, right_move, shape_of
from models.audit.summary import figures_of
from models.audit.table import audit_csv, mistake_openings
from models.commands import program
from models.netfiles.shipped import default_net
from models.play.openings import read_openings
from models.strength.exams import after
from tests.core.search.fakes import HashEvaluator

TTT, C4 = load_game("tictactoe"), load_game("connect4")
VOID = {"meta", "input", "br"}
HOSTILE = '</script><img src=x onerror=alert(1)>"&'


def make_audit(game, evaluators, items, simulations=30) -> Audit:
    done = audit_positions(game, evaluators, list(enumerate(items)), simulations, 5.0, 16)
    files = tuple(NetFile(f"/nets/{name}.onnx", name) for name in "ab"[: len(evaluators)])
    plan = Plan(game.text, files, simulations, 5.0, f"games of {HOSTILE}", (HOSTILE,))
    return Audit(plan, game, tuple(items), tuple(sorted(done, key=lambda one: one.number)))


@pytest.fixture(scope="module")
def audit() -> Audit:
    items = [item._replace(source=HOSTILE) for item in positions.random_items(TTT, 60, (1, 7), 1).items]
    return make_audit(TTT, [HashEvaluator(9, 2.0), UniformEvaluator(9)], items)


class Page(HTMLParser):
    """Checks that tags are balanced; collects rows, scripts and texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[dict[str, str | None]] = []
        self.tags: set[str] = set()
        self.scripts = ""
        self.policy = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        names = dict(attrs)
        assert not any(name.startswith("on") for name in names)
        if tag == "meta" and "http-equiv" in names:
            self.policy = names["content"]
        if tag == "tr" and "data-number" in names:
            self.rows.append(names)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts += data


def test_the_page_is_well_formed_and_shows_untrusted_text_as_text(audit: Audit) -> None:
    text = report_page(audit)
    page = Page(text)
    assert "img" not in page.tags
    assert "sort(head)" in page.scripts
    assert base64.b64encode(sha256(page.scripts.encode()).digest()).decode() in page.policy
    assert "default-src 'none'" in page.policy
    assert "prefers-color-scheme:dark" in text
    assert "http" not in text.replace("http-equiv", "")
    for start in (at for at in range(len(text)) if text.startswith("<svg", at)):
        ElementTree.fromstring(text[start : text.index("</svg>", start) + 6])


def test_the_pages_rows_are_the_positions_worst_first(audit: Audit) -> None:
    page = Page(report_page(audit))
    assert [int(row["data-number"]) for row in page.rows] == [one.number for one in serious(audit)]
    by_number = {one.number: one for one in audit.done}
    for row in page.rows:
        one = by_number[int(row["data-number"])]
        for net in (0, 1):
            assert float(row[f"data-kl{net}"]) == pytest.approx(one.nets[net].kl, abs=1e-4)
            assert float(row[f"data-loss{net}"]) == pytest.approx(one.loss(net), abs=1e-4)
        assert ("n" in row["data-kind"]) == (one.net_wrong(0) or one.net_wrong(1))
        assert ("d" in row["data-kind"]) == (one.nets[0].first != one.nets[1].first)
    assert len(Page(report_page(audit, 7)).rows) == 7
    empty = Audit(audit.plan, audit.game, audit.items, ())
    assert Page(report_page(empty)).rows == []


def test_the_csv_has_a_line_for_each_position(audit: Audit) -> None:
    rows = list(csv.DictReader(io.StringIO(audit_csv(audit))))
    assert len(rows) == len(audit.done) == 60
    assert sum(int(row["net_wrong"]) for row in rows) == figures_of(audit.done).net_wrong
    assert sum(int(row["search_wrong_2"]) for row in rows) == figures_of(audit.done, 1).search_wrong
    for row, one in zip(rows, audit.done, strict=True):
        assert TTT.position(row["moves"]).moves == one.item.moves
        assert float(row["kl_2"]) == pytest.approx(one.nets[1].kl, abs=1e-4)
        assert bool(row["shape"]) == bool(int(row["mistake"]))
    hostile = Audited(0, audit.items[0]._replace(source="=cmd()"), audit.done[0].nets)
    (row,) = csv.DictReader(io.StringIO(audit_csv(Audit(audit.plan, TTT, audit.items, (hostile,)))))
    assert row["source"] == "'=cmd()"


def test_mistakes_become_openings(audit: Audit) -> None:
    openings = mistake_openings(audit)
    assert openings == [one.item.moves for one in audit.done if is_mistake(one, 0) or is_mistake(one, 1)]
    assert 0 < len(openings) < 60


def test_shapes_of_lines() -> None:
    def words(moves: str, move: str, game=C4) -> str:
        position = game.position(moves)
        return shape_of(position, game.parse_action(move)).words

    assert words("a b a b a b", "a") == "wins: completes 4 in a row"
    assert words("a b a b a", "a") == "makes no line, stops 4 in a row"  # the column has no room for four more
    assert words("d d c", "e") == "makes 2 of 4, stops 3 of 4"
    assert words("", "d") == "makes no line"
    assert words("a1 b2", "a2", TTT) == "makes 2 of 3, stops 2 of 3"
    assert words("a1 b2 c3 a3", "c1", TTT) == "makes 2 of 3, stops 3 in a row"


def test_shapes_of_other_games_do_not_depend_on_symmetries() -> None:
    go = load_game("go(size=5)")
    moves = [go.parse_action(name) for name in ("c3", "c4", "b2", "d3", "a1")]
    last = go.parse_action("d4")
    shapes = {shape_of(after(go, tuple(int(row[a]) for a in moves)), int(row[last])).window for row in go.symmetries}
    assert len(shapes) == 1
    (window,) = shapes
    assert sorted(window) == sorted((MINE, MINE, THEIRS, 0, 0, 0, 0, 0, 0))
    corner = shape_of(go.position(""), go.parse_action("a1")).window
    assert corner.count(OUTSIDE) == 5
    assert shape_of(go.position(""), go.parse_action("pass")).words == "the move pass"
    assert ElementTree.fromstring(window_svg(window)).tag == "svg"


def test_a_mistake_is_grouped_by_the_right_move(audit: Audit) -> None:
    groups = groups_of(TTT, audit.done)
    mistakes = [one for one in audit.done if is_mistake(one)]
    assert sorted(one.number for group in groups for one in group.members) == [one.number for one in mistakes]
    for group in groups:
        assert group.loss == pytest.approx(np.mean([one.loss() for one in group.members]))
        for one in group.members:
            assert one.exact is not None
            assert right_move(one) not in one.exact.worse
            assert shape_of(after(TTT, one.item.moves), right_move(one)) == group.shape
    wins = [group for group in groups if group.shape.words.startswith("wins")]
    assert wins
    assert all(one.exact is not None and one.exact.value == 1 for one in wins[0].members)


def test_boards_hold_every_stone_and_mark() -> None:
    for text, moves in (("connect4", "d d c"), ("tictactoe", "b2 a1"), ("go(size=9)", "e5 c3"), ("othello", "d3 c3")):
        game = load_game(text)
        position = game.position(moves)
        legal = position.legal_actions()[0]
        root = ElementTree.fromstring(board_svg(position, [Mark(legal, "net"), Mark(legal, "search")]))
        looks = [one.get("class") for one in root]
        stones = sum(look in ("r", "y", "k", "o", "x", "n") for look in looks)
        assert stones == int((position.cells() > 0).sum())
        assert looks.count("net") == looks.count("search") == looks.count("last") == 1
    assert cell_of(C4.position("d d"), 3) == 3 * 7 + 3
    assert cell_of(C4.position("d d d d d d"), 3) is None


def test_where_the_exact_answer_is_unknown_the_search_decides(audit: Audit) -> None:
    one = next(one for one in audit.done if one.nets[0].loss > 0.3)
    unsolved = Audited(one.number, one.item, one.nets)
    assert is_mistake(unsolved)
    assert not is_mistake(unsolved, 0, least=2.5)
    assert right_move(unsolved) == one.nets[0].best
    solved = Audited(one.number, Item(()), one.nets, Exact(0, dict.fromkeys(one.nets[0].actions, 0)))
    assert not is_mistake(solved)


# The command.


def test_the_command_writes_all_and_resumes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = default_net(TTT)
    out, table, openings = tmp_path / "r.html", tmp_path / "r.csv", tmp_path / "r.txt"
    command = ["audit", "tictactoe", str(net), "--random", "20", "--plies", "2-5", "--simulations", "20"]
    files = ["--out", str(out), "--csv", str(table), "--openings", str(openings)]
    assert program.main([*command, *files]) == 0
    assert "20 of 20 positions" in capsys.readouterr().out
    whole, page = (tmp_path / "r.audit").read_bytes(), out.read_text()
    assert len(Page(page).rows) == len(table.read_text().splitlines()) - 1 == 20
    (tmp_path / "r.audit").write_bytes(whole[: -len(whole) // 4])
    out.unlink()
    assert program.main(["audit", "tictactoe", str(net), "--resume", *files]) == 0
    done = read_audit(tmp_path / "r.audit")
    assert sorted((tmp_path / "r.audit").read_bytes().splitlines()) == sorted(whole.splitlines())
    assert out.read_text() == page
    assert len(done.done) == 20
    if mistakes := [one for one in done.done if is_mistake(one)]:
        assert len(read_openings(openings, TTT)) == len(mistakes)
    other = tmp_path / "other.onnx"
    data = net.read_bytes()
    other.write_bytes(data)
    assert program.main(["audit", "tictactoe", str(other), "--resume", "--out", str(out)]) == 0  # the same content
    about = json.loads(whole.splitlines()[0]) | {"game": "connect4"}
    assert about["nets"][0]["sha256"] == sha256(data).hexdigest()
    capsys.readouterr()
    assert program.main(["audit", "connect4", str(default_net(C4)), "--resume", "--out", str(out)]) == 2
    assert "is an audit of tictactoe, not of connect4" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ([], "the positions are from one of"),
        (["--random", "5", "--games", "x"], "the positions are from one of"),
        (["--random", "0"], "--random is 0"),
        (["--random", "5", "--plies", "9-2"], "plies is '9-2'"),
        (["--random", "5", "--simulations", "1"], "--simulations is 1"),
        (["--random", "5", "--solve", "-1"], "--solve is -1"),
        (["--games", "/nowhere/at/all"], "/nowhere/at/all"),
    ],
)
def test_bad_options_are_refused(tmp_path: Path, options, why, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["audit", "tictactoe", str(default_net(TTT)), *options, "--out", str(tmp_path / "r.html")]
    assert program.main(command) == 2
    assert why in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
