"""Audits: against plain minimax, their file and its resuming, the report and the command."""

import base64
import csv
import html
import io
import json
import math
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from core.engine.evaluator import UniformEvaluator
from core.engine.postmortem import FOUND, POLICY, VALUE
from core.files.reading import BadFile
from core.files.record import GameRecord
from core.files.sgf import write_sgf
from core.games import load_game
from core.solve import Solver
from core.text import Text
from measure.causes import Damaged, shipped_net
from models.audit import positions, results
from models.audit.answers import Audited, Exact, NetAnswer
from models.audit.blame import WORDS, blame_line, chosen, examine, find_blames, mistakes, right_line, shares
from models.audit.page import report_page, serious
from models.audit.pictures import Mark, board_svg, window_svg
from models.audit.positions import Item, key_of
from models.audit.results import Audit, AuditWriter, NetFile, Plan, begin, read_audit
from models.audit.searching import audit_positions
from models.audit.shapes import MINE, OUTSIDE, THEIRS, cell_of, groups_of, is_mistake, right_move, shape_of
from models.audit.summary import calibrate, differing, figures_of, phase_of
from models.audit.table import audit_csv, mistake_openings
from models.commands import program
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.shipped import default_net
from models.play.openings import read_openings, write_openings
from models.play.replay import save_shard
from models.play.selfplay import SelfPlay
from models.runs.config import TrainConfig
from models.strength.exams import after
from tests.core import exact
from tests.core.search.fakes import HashEvaluator

TTT = load_game("tictactoe")
C4 = load_game("connect4")
PLAN = Plan("tictactoe", (NetFile("/nets/a.onnx", "aa"),), 40, 1.0, "random positions")


def audit_all(game, evaluators, items, simulations=40, solve_s=5.0, games=16, **more):
    found = audit_positions(game, evaluators, list(enumerate(items)), simulations, solve_s, games, **more)
    return sorted(found, key=lambda one: one.number)


@pytest.fixture(scope="module")
def audited():
    """Every class of unfinished positions of tic-tac-toe with at least one stone, by a net of no sense."""
    items = positions.random_items(TTT, 300, (1, 8), 3).items
    return items, audit_all(TTT, [HashEvaluator(9, 2.0)], items)


def test_random_positions_are_each_there_once(audited) -> None:
    keys = [exact.key(after(TTT, item.moves).cells().tobytes()) for item in audited[0]]
    assert len(set(keys)) == len(keys) == 300
    assert {len(item.moves) for item in audited[0]} == set(range(1, 9))
    every = positions.random_items(TTT, 4000, (0, 3), 0)
    classes = [one for one in exact.unfinished_classes() if one.ply <= 3]
    assert len(every.items) == len(classes)
    assert "met again" in every.notes[0]


def test_the_key_is_that_of_every_image() -> None:
    moves, rng = [0, 4, 8, 2], np.random.default_rng(0)
    assert len({key_of(after(TTT, tuple(int(row[a]) for a in moves))) for row in TTT.symmetries}) == 1
    assert key_of(TTT.position("a1 b2")) != key_of(TTT.position("a1 b1"))
    go = load_game("go(size=5)")
    line = [int(a) for a in rng.permutation(25)[:8]]
    assert len({key_of(after(go, tuple(int(row[a]) for a in line))) for row in go.symmetries}) == 1
    assert key_of(go.position("a1 b2 c3")) != key_of(go.position("c3 b2 a1"))  # the earlier boards count


def test_exact_answers_and_mistakes_are_those_of_minimax(audited) -> None:
    items, found = audited
    assert [one.number for one in found] == list(range(len(items)))
    wrong = 0
    for one in found:
        position, answer = after(TTT, one.item.moves), one.nets[0]
        keeping = {a for a in position.legal_actions() if exact.keeps_value(position, a)}
        assert one.exact.value == exact.value(position) == one.result
        assert set(one.exact.moves) == set(position.legal_actions()) == set(answer.actions)
        assert one.exact.worse == set(position.legal_actions()) - keeping
        assert one.net_wrong() == (answer.first not in keeping)
        assert one.search_wrong() == (answer.best not in keeping)
        prior = sum(p for a, p in zip(answer.actions, answer.priors, strict=True) if a not in keeping)
        visits = sum(n for a, n in zip(answer.actions, answer.visits, strict=True) if a not in keeping)
        assert one.worse_mass() == pytest.approx((prior, visits / sum(answer.visits)))
        assert one.loss() == exact.value(position) + exact.value(position.play(answer.first))
        wrong += one.net_wrong()
    figures = figures_of(found)
    assert (figures.solved, figures.net_wrong) == (300, wrong)
    assert 50 < wrong < 250
    assert figures.search_wrong < wrong / 2


def test_each_answer_is_that_of_the_evaluator_and_a_search_alone(audited) -> None:
    net = HashEvaluator(9, 2.0)
    for one in audited[1][::40]:
        position, answer = after(TTT, one.item.moves), one.nets[0]
        logits, values = net.evaluate(position.planes()[None])
        legal = list(position.legal_actions())
        softmax = np.exp(logits[0, legal]) / np.exp(logits[0, legal]).sum()
        assert dict(zip(answer.actions, answer.priors, strict=True)) == pytest.approx(
            dict(zip(legal, softmax.tolist(), strict=True)), abs=1e-4
        )
        assert list(answer.priors) == sorted(answer.priors, reverse=True)
        assert answer.value == pytest.approx(float(values[0]))


def test_one_position_agrees_with_plyscope_analyze(capsys: pytest.CaptureFixture[str]) -> None:
    net = default_net(C4)
    for moves in ("d d c", "d c d d d c c e", "a b a b a"):
        assert program.main(["analyze", "connect4", moves, "--simulations", "90", "--max-batch", "1", "--json"]) == 0
        said = json.loads(capsys.readouterr().out)
        position = C4.position(moves)
        (one,) = audit_all(C4, [OnnxEvaluator(net, C4)], [Item(position.moves)], 90, 0.0)
        answer, rows = one.nets[0], {row["action"]: row for row in said["moves"]}
        assert one.exact is None
        assert answer.best == said["best"]["action"]
        assert answer.searched == pytest.approx(said["value"], abs=1e-6)
        assert answer.proved == bool(said["proof"])
        for action, prior, visits, q, share in zip(
            answer.actions, answer.priors, answer.visits, answer.qs, answer.policy, strict=True
        ):
            row = rows[action]
            assert (visits, prior) == (row["visits"], pytest.approx(row["prior"], abs=1e-6))
            if visits:
                assert q == pytest.approx(row["q"], abs=1e-6)
            if not said["proof"] and not any(row["proof"] for row in rows.values()):
                assert share == pytest.approx(row["share"], abs=1e-6)


def answer_of(**others) -> NetAnswer:
    given: dict[str, Any] = {
        "actions": (3, 1, 2),
        "priors": (0.5, 0.25, 0.25),
        "visits": (10, 60, 30),
        "qs": (-0.5, 0.25, 0.0),
        "policy": (0.1, 0.6, 0.3),
        "value": -0.25,
        "searched": 0.5,
        "best": 1,
        "proved": False,
    }
    return NetAnswer(**(given | others))


def test_the_figures_of_an_answer() -> None:
    answer = answer_of()
    assert answer.kl == pytest.approx(0.1 * math.log(0.2) + 0.6 * math.log(2.4) + 0.3 * math.log(1.2))
    assert (answer.swing, answer.first, answer.agrees, answer.among_three) == (0.75, 3, False, True)
    assert answer.loss == 0.75
    assert answer.mass({1, 2}) == (0.5, 0.9)
    assert answer_of(best=3).loss == 0.0
    one = Audited(0, Item((0,), 1), (answer,), Exact(0, {1: 0, 2: -1, 3: -1}))
    assert (one.loss(), one.net_wrong(), one.search_wrong(), one.result) == (1.0, True, False, 0)
    unsolved = replace(one, exact=None)
    assert (unsolved.result, unsolved.loss(), unsolved.net_wrong()) == (-1, 0.75, False)  # the second player to move
    assert math.isnan(unsolved.worse_mass()[0])


def test_calibration_bins_and_their_intervals() -> None:
    done = [
        Audited(i, Item((0, 1), result), (answer_of(value=0.5, searched=0.9),))
        for i, result in enumerate([1] * 60 + [-1] * 20)
    ]
    found = calibrate(done)
    (only,) = found.bins
    assert (only.predicted, only.result, only.positions, found.positions) == (0.5, 0.5, 80, 80)
    assert found.error == 0.0
    assert only.low < 0.5 < only.high
    assert (only.low, only.high) == pytest.approx((0.2903, 0.6640), abs=1e-3)  # Wilson's of 60 in 80, as -1 to 1
    assert calibrate(done, searched=True).error == pytest.approx(0.4)
    assert math.isnan(calibrate([replace(done[0], item=Item(()))]).error)
    assert [phase_of(TTT, ply) for ply in (0, 2, 3, 5, 6, 8)] == [0, 0, 1, 1, 2, 2]


def test_two_nets_side_by_side(audited) -> None:
    items = audited[0][:40]
    both = audit_all(TTT, [HashEvaluator(9, 2.0), UniformEvaluator(9)], items, games=7)
    assert repr([one.nets[0] for one in both]) == repr([one.nets[0] for one in audited[1][:40]])
    assert all(len(set(one.nets[1].priors)) == 1 for one in both)
    assert differing(both) == [one for one in both if one.nets[0].first != one.nets[1].first] != []


# Files.


def begun(path: Path, items, done) -> Audit:
    begin(path, PLAN, items)
    with AuditWriter(path) as writer:
        for one in done:
            writer.add(one)
    return read_audit(path)


def test_a_file_says_what_was_found(tmp_path: Path, audited) -> None:
    items, found = audited
    read = begun(tmp_path / "a.audit", items, found)
    assert (read.plan, read.items, read.missing) == (PLAN, items, [])
    for one, kept in zip(found, read.done, strict=True):
        assert (kept.exact, kept.item, kept.nets[0].visits) == (one.exact, one.item, one.nets[0].visits)
        assert kept.nets[0].kl == pytest.approx(one.nets[0].kl, abs=1e-3)


def test_killed_at_any_byte_it_goes_on_to_the_same_result(tmp_path: Path, audited) -> None:
    items, found = audited[0][:3], audited[1][:3]
    path = tmp_path / "a.audit"
    whole = begun(path, items, found)
    data = path.read_bytes()
    begin(path, PLAN, items)
    first = len(path.read_bytes())
    for cut in range(first, len(data), 7):
        path.write_bytes(data[:cut])
        left = [number for number, _ in read_audit(path).missing]
        assert left == list(range(data[first:cut].count(b"\n"), 3))
        with AuditWriter(path) as writer:
            for number in left:
                writer.add(found[number])
        assert path.read_bytes() == data
        assert read_audit(path) == whole


def test_a_stopped_audit_gives_whole_positions_only(audited) -> None:
    some: list[Audited] = []
    found = audit_positions(
        TTT, [HashEvaluator(9, 2.0)], list(enumerate(audited[0])), 40, 5.0, 16, should_stop=lambda: len(some) >= 5
    )
    for one in found:
        some.append(one)
    assert len(some) == 5
    assert all(repr(one) == repr(audited[1][one.number]) for one in some)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"version":1', b'"version":2'),
        (b'"moves":"', b'"moves":"z9 '),
        (b'"positions":3', b'"positions":900'),
        (b'"positions":3', b'"positions":1'),
        (b'"best":', b'"best":1'),
        (b'"number":0', b'"number":7'),
        (b'"value":', b'"value":1'),
        (b'"exact":{', b'"exact":[{'),
        (b'"nets":[{"value"', b'"nets":[{"value":0},{"value"'),
    ],
)
def test_a_damaged_file_is_refused_in_a_sentence(tmp_path: Path, audited, old: bytes, new: bytes) -> None:
    path = tmp_path / "a.audit"
    begun(path, audited[0][:3], audited[1][:3])
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new))
    with pytest.raises(ValueError, match="is not an audit, or is damaged"):
        read_audit(path)


def test_reading_is_bounded(tmp_path: Path, audited, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.audit"
    begun(path, audited[0][:3], audited[1][:3])
    monkeypatch.setattr(results, "MOST_BYTES", 100)
    with pytest.raises(ValueError, match="too large"):
        read_audit(path)
    monkeypatch.undo()
    with path.open("ab") as file:
        file.write(b"[" * (1 << 21) + b"\n")
    with pytest.raises(ValueError, match="too long"):
        read_audit(path)


# Sources.


def test_games_of_files_with_their_results(tmp_path: Path) -> None:
    won, drawn = TTT.position("a1 b1 a2 b2 a3"), GameRecord.of(TTT.position("a1 b2"))
    drawn.set_info("result", "Draw")
    (tmp_path / "below").mkdir()
    (tmp_path / "won.sgf").write_bytes(write_sgf([GameRecord.of(won)]))
    (tmp_path / "below" / "two.sgf").write_bytes(write_sgf([drawn, GameRecord.of(C4.position("d d"))]))
    (tmp_path / "bad.sgf").write_text("no game")
    games, notes = positions.file_games(tmp_path, TTT)
    assert [(game.moves, game.outcome) for game in games] == [(drawn.path(drawn.main_line()[-1]), 0), (won.moves, 1)]
    assert len(notes) == 2
    found = positions.game_items(TTT, games, 100, (0, 9), 0)
    assert len(found.items) == 6  # a1 is in both, the last position of one is over
    assert {(len(item.moves), item.outcome) for item in found.items if len(item.moves) > 2} == {(3, 1), (4, 1)}
    assert len(positions.game_items(TTT, games, 2, (2, 9), 0).items) == 2
    with pytest.raises(ValueError, match=r"not a game of go"):
        positions.file_games(tmp_path / "below", load_game("go(size=9)"))


def test_games_of_a_replay(tmp_path: Path) -> None:
    config = TrainConfig.of(game="tictactoe", simulations=8, fast_simulations=4, iterations=1)
    samples, _ = SelfPlay(TTT, UniformEvaluator(9), config, 4, 0).play(UniformEvaluator(9), 30)
    (tmp_path / "replay").mkdir()
    save_shard(tmp_path / "replay", 1, samples)
    (tmp_path / "replay" / "000002.npz").write_bytes(b"damaged")
    games, notes = positions.replay_games(tmp_path, TTT)
    assert [(game.moves, game.outcome) for game in games] == [
        ((*trace.opening, *trace.moves), trace.outcome) for trace in samples.traces
    ]
    assert "000002.npz" in notes[0]
    with pytest.raises(ValueError, match="damaged"):
        positions.replay_games(tmp_path, C4)


def test_positions_by_a_nets_policy() -> None:
    class Left(UniformEvaluator):
        """Wants the first column above all."""

        def evaluate(self, planes, features=None):
            logits, values = super().evaluate(planes)
            logits[:, 0] = 30.0
            return logits, values

    found = positions.policy_items(C4, Left(7), 100, (0, 6), 0)
    assert {item.moves for item in found.items} == {(0,) * plies for plies in range(7)}


# Openings.


def test_openings_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    write_openings(path, C4, [(3, 3, 2), (), (0,)], "mistakes\nof a net")
    assert read_openings(path, C4) == ((3, 3, 2), (0,))
    assert path.read_text() == "# openings of connect4\n# mistakes of a net\nd d c\na\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [("d d\nz\n", "line 2: unknown move"), ("# none\n", "no opening"), ("a b a b a b a", "line 1: the game is over")],
)
def test_bad_openings_are_refused(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "o.txt").write_text(text)
    with pytest.raises(ValueError, match=why):
        read_openings(tmp_path / "o.txt", C4)


def test_self_play_starts_from_openings() -> None:
    config = TrainConfig.of(game="tictactoe", simulations=8, fast_simulations=4, iterations=1, opening_plies=0)
    openings = ((0, 4, 8), (1, 2))
    net = UniformEvaluator(9)
    samples, _ = SelfPlay(TTT, net, config, 8, 0, openings=openings).play(net, 300)
    starts = [trace.opening for trace in samples.traces]
    assert set(starts) == {*openings, ()}
    assert 0.15 < sum(start != () for start in starts) / len(starts) < 0.45


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
    assert "light-dark(" in text
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


def test_the_blame_of_each_mistake_is_on_the_page_and_in_the_csv(audit: Audit) -> None:
    wrong = mistakes(audit, 0)
    assert len(wrong) > 4
    blames = list(find_blames(audit, [HashEvaluator(9, 2.0), UniformEvaluator(9)], 4, lambda: False))
    of_first = [blame for blame in blames if blame.net == 0]
    assert [blame.number for blame in of_first] == [one.number for one in chosen(wrong, 4)]
    assert all(blame.kind != FOUND for blame in of_first)  # the post-mortem's own search makes the same mistake
    assert sum(share.mistakes for share in shares(blames, 0)) == 4
    audit = replace(audit, blames=tuple(blames))
    text = report_page(audit)
    Page(text)
    line = blame_line(audit, 0)
    assert html.unescape(text).count(line) == 3  # the sentence, and the bar's name and title
    legend = text.partition('<p class="parts">')[2].partition("</p>")[0]
    assert [WORDS[share.kind] in legend for share in shares(blames, 0)] == [True] * len(shares(blames, 0))
    assert text.count('class="shares"') == len({blame.net for blame in blames})
    rows = {int(row["number"]) - 1: row for row in csv.DictReader(io.StringIO(audit_csv(audit)))}
    assert {number for number, row in rows.items() if row["blame"]} == {blame.number for blame in of_first}
    assert all(rows[blame.number]["blame"] == blame.kind for blame in of_first)


def test_mistakes_that_were_not_examined_are_not_denied(audit: Audit) -> None:
    blames = list(find_blames(audit, [HashEvaluator(9, 2.0), UniformEvaluator(9)], 4, lambda: True))
    assert blames == []
    assert f"none of {len(mistakes(audit, 0))} mistakes" in blame_line(audit, 0)


def test_what_was_examined_is_in_the_file_and_not_examined_again(audit: Audit, tmp_path: Path) -> None:
    path, nets = tmp_path / "kept.audit", [HashEvaluator(9, 2.0), UniformEvaluator(9)]
    begin(path, audit.plan, audit.items)
    with AuditWriter(path) as writer:
        for one in audit.done:
            writer.add(one)
    first = list(islice(examine(path, read_audit(path), nets, 4, lambda: False), 3))
    kept = read_audit(path)
    assert kept.blames == tuple(sorted(first, key=lambda blame: (blame.net, blame.number)))
    assert all(isinstance(blame.sentence, Text) for blame in kept.blames)  # which a window translates
    again = list(examine(path, kept, nets, 4, lambda: False))
    whole = read_audit(path)
    assert not {(blame.number, blame.net) for blame in again} & {(blame.number, blame.net) for blame in first}
    assert set(whole.blames) == set(find_blames(audit, nets, 4, lambda: False))
    assert list(examine(path, whole, nets, 4, lambda: False)) == []
    with path.open("ab") as file:
        file.write(b'{"blame":{"number":0,"net":0,"kind":"value","sente')
    assert read_audit(path) == whole


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"kind": "luck"}, "what is to blame is 'luck'"),
        ({"net": 2}, "net"),
        ({"number": 10**9}, "number"),
        ({"number": 999}, "of a position that was not searched"),
        ({"sentence": 3}, "sentence"),
    ],
)
def test_a_damaged_blame_is_refused(audit: Audit, tmp_path: Path, change: dict[str, Any], why: str) -> None:
    path = tmp_path / "kept.audit"
    begin(path, audit.plan, audit.items)
    with AuditWriter(path) as writer:
        writer.add(audit.done[0])
    blame = {"number": audit.done[0].number, "net": 0, "kind": "value", "sentence": "So."}
    with path.open("ab") as file:
        file.write(json.dumps({"blame": blame | change}).encode() + b"\n")
    with pytest.raises(BadFile, match=why):
        read_audit(path)


def _loser_by_the_fourth_row(planes: np.ndarray) -> int:
    """The sign of a value that is wrong: who has more stones in the fourth row seems to lose."""
    return int(np.sign((planes[1, 3] > 0).sum() - (planes[0, 3] > 0).sum()))


@pytest.mark.parametrize(
    ("kind", "sign", "action"), [(POLICY, lambda planes: 1, 3), (VALUE, _loser_by_the_fourth_row, -1)]
)
def test_the_sum_blames_what_was_damaged(kind, sign, action):
    net = Damaged(shipped_net(), sign, action)
    damaged = make_audit(C4, [net], positions.random_items(C4, 200, (16, 26), 1).items, 200)
    parts = shares(list(find_blames(damaged, [net], 20, lambda: False)), 0)
    assert parts[0].of >= 5
    assert max(parts, key=lambda share: share.mistakes).kind == kind


def test_the_line_that_was_missed_keeps_the_exact_value(audit: Audit) -> None:
    solver = Solver(TTT)
    for one in mistakes(audit, 0)[:10]:
        position = after(TTT, one.item.moves)
        line, values = right_line(one, 0, position, solver, 5.0, lambda: False)
        assert line[0] not in one.exact.worse
        assert values == [one.exact.value * (-1) ** ply for ply in range(1, len(line) + 1)]


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
    files = ["--out", str(out), "--csv", str(table), "--openings", str(openings), "--blame", "3"]
    assert program.main([*command, *files]) == 0
    printed = capsys.readouterr().out
    assert "20 of 20 positions" in printed
    assert "mistakes of the search" in printed or "made no mistake" in printed
    whole, page = (tmp_path / "r.audit").read_bytes(), out.read_text()
    assert program.main(["audit", "tictactoe", str(net), "--resume", "--json", *files]) == 0
    answer = capsys.readouterr()
    (of_net,) = json.loads(answer.out)["nets"]
    assert of_net["positions"] == 20
    assert of_net["blame"]["mistakes"] == of_net["search_wrong"]
    assert of_net["blame"]["examined"] == min(3, of_net["search_wrong"]) == len(of_net["blame"]["positions"])
    assert (tmp_path / "r.audit").read_bytes() == whole
    assert "wrote" in answer.err
    assert len(Page(page).rows) == len(table.read_text().splitlines()) - 1 == 20
    (tmp_path / "r.audit").write_bytes(whole[: -len(whole) // 4])
    out.unlink()
    assert program.main(["audit", "tictactoe", str(net), "--resume", *files]) == 0
    done = read_audit(tmp_path / "r.audit")
    assert sorted((tmp_path / "r.audit").read_bytes().splitlines()) == sorted(whole.splitlines())
    assert out.read_text() == page
    assert len(done.done) == 20
    if wrong := [one for one in done.done if is_mistake(one)]:
        assert len(read_openings(openings, TTT)) == len(wrong)
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
        (["--random", "5", "--blame", "0"], "--blame is 0"),
        (["--games", "/nowhere/at/all"], "/nowhere/at/all"),
    ],
)
def test_bad_options_are_refused(tmp_path: Path, options, why, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["audit", "tictactoe", str(default_net(TTT)), *options, "--out", str(tmp_path / "r.html")]
    assert program.main(command) == 2
    assert why in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
