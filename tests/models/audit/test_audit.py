"""Audits of tic-tac-toe against plain minimax; the searches, their file and its resuming after a kill."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.engine.evaluator import UniformEvaluator
from core.files.record import GameRecord
from core.files.sgf import write_sgf
from core.games import load_game
from models.audit import positions, results
from models.audit.answers import Audited, Exact, NetAnswer
from models.audit.positions import Item, key_of
from models.audit.results import Audit, AuditWriter, NetFile, Plan, begin, read_audit
from models.audit.searching import audit_positions
from models.audit.summary import calibrate, differing, figures_of, phase_of
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
        assert one.exact is not None
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
    assert (figures.known, figures.net_wrong) == (300, wrong)
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
    with AuditWriter(path, TTT) as writer:
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
        with AuditWriter(path, TTT) as writer:
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
