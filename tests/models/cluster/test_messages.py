"""What travels is the same on both sides, and refused in one sentence when it is damaged."""

from __future__ import annotations

import io
import zlib
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from core.engine import UniformEvaluator
from core.engine.extras import Drawn
from core.engine.policy import view_of
from core.engine.request import Agenda, Request
from core.games import load_game
from core.glass.icicle import IcicleView
from core.glass.snapshot import Snapshot
from core.glass.watch import CROSSED, Watch
from core.search import Limit, SearchSettings
from core.text import Text
from models.cluster import messages
from models.cluster.messages import (
    Assignment,
    Question,
    SentSource,
    SnapshotReader,
    encode,
    for_window,
    from_window,
    pack,
    read_frame,
)
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.recipe import for_profile
from tests.core.search.fakes import run_search

GAME = load_game("tictactoe")
ROOT = GAME.position("b2")


def shown() -> Snapshot:
    search = run_search(ROOT, UniformEvaluator(GAME.num_actions), 60)
    drawn = Drawn(40, (("icicle", IcicleView()),), question="N > 2")
    snapshot = drawn.added(search, search.snapshot([(0,), (0, 1)]))
    return replace(snapshot, curves=search.curves(), evaluator_note=Text("no GPU on {name}", name="x"))


def test_a_snapshot_arrives_as_it_was() -> None:
    before = shown()
    after = SnapshotReader(ROOT).snapshot(pack(before), 7)
    assert after.request == 7
    assert repr(after.moves) == repr(before.moves)  # NaN is not equal to itself
    assert after.opened.keys() == before.opened.keys() != set()
    for path, view in before.opened.items():
        assert repr(after.opened[path].rows) == repr(view.rows)
        assert after.opened[path].position == view.position
        assert after.opened[path].choice.switch == view.choice.switch
    assert repr(after.counters) == repr(before.counters)
    assert after.picture.visits.tolist() == before.picture.visits.tolist()
    assert after.icicles["icicle"].widths.tolist() == before.icicles["icicle"].widths.tolist()
    assert after.answer.ids.tolist() == before.answer.ids.tolist()
    assert (after.answer.sums, after.answer.rows) == (before.answer.sums, before.answer.rows)
    assert after.answer.before == before.answer.before
    assert after.curves.visits.tolist() == before.curves.visits.tolist()
    assert after.evaluator_note == "no GPU on x"
    assert isinstance(after.evaluator_note, Text)


def test_what_is_asked_for_arrives_as_it_was() -> None:
    request = Request(1, ROOT, SentSource("net", digest="0"), SearchSettings(c_puct=2.0), 3, (1, 2))
    drawn = Drawn(20, (("icicle", IcicleView(path=(1,))),), question="N > 2", player=0)
    agenda = Agenda(request, 1, True, Limit(10), ((1,), ()), drawn, True, 4, True, Watch(CROSSED, (1,), 0.5))
    assignment = Assignment(5, agenda, Question(2, {"why": "b2"}))
    assert from_window(encode(assignment)) == assignment


def test_damaged_snapshots_are_refused_in_one_sentence() -> None:
    body = zlib.decompress(pack(shown()))
    refused = 0
    for at in range(0, len(body), len(body) // 200):
        damaged = bytearray(body)
        damaged[at] ^= 0x41
        try:
            SnapshotReader(ROOT).snapshot(zlib.compress(bytes(damaged)), 1)
        except ValueError as error:
            refused += len(str(error)) < 300
    assert refused
    for rubbish in (b"", b"hello", pack(shown())[:-20]):
        with pytest.raises(ValueError, match="cannot be read"):
            SnapshotReader(ROOT).snapshot(rubbish, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "status", "number": "7"},
        {"type": "status", "searching": 1},
        {"type": "status", "number": 1 << 70},
        {"type": "assignment"},
        [1, 2],
        "hello",
    ],
)
def test_messages_of_another_type_are_refused(wrong: object) -> None:
    try:
        data = msgspec.msgpack.encode(wrong)
    except OverflowError:
        data = b"\xcf"
    with pytest.raises(ValueError, match="the other machine sent something that cannot be read"):
        for_window(data)


def test_what_is_too_large_is_refused_before_it_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="a message that begins with b'hell'"):
        read_frame(io.BytesIO(b"hello, this is a shell"))
    data = pack(shown())
    monkeypatch.setattr(messages, "MOST_UNPACKED", 5000)
    with pytest.raises(ValueError, match="a snapshot of more than"):
        SnapshotReader(ROOT).snapshot(data, 1)


def test_a_node_whose_figures_do_not_belong_together_is_refused() -> None:
    snapshot = shown()
    for wrong in (
        replace(snapshot.root, visits_of=snapshot.root.visits_of[:-1]),
        replace(snapshot.root, actions=snapshot.root.actions + np.int16(9)),
        replace(snapshot.root, best_index=100),
    ):
        with pytest.raises(ValueError, match="do not belong together"):
            SnapshotReader(ROOT).snapshot(pack(replace(snapshot, root=wrong)), 1)


def test_the_players_that_a_human_net_imitates_travel_with_it() -> None:
    net = Path(__file__).parents[2] / "data" / "katago" / "tiny" / "human-b2c16nbt.bin.gz"
    game = load_game("go(size=5)")
    policies = []
    for profile in ("rank_9d", "rank_20k"):
        recipe = for_profile(profile)
        request = Request(
            1, game.initial(), SentSource("net", str(net), "0", recipe.to_json()), SearchSettings(), 3, ()
        )
        agenda = Agenda(request, 1, True, Limit(10), (), Drawn())
        came = from_window(encode(Assignment(5, agenda)))
        assert isinstance(came, Assignment)
        there = came.agenda.request.source
        assert isinstance(there, SentSource)
        here = OnnxEvaluator(net, game, recipe=recipe, device="cpu")
        policies.append(view_of(there.load(game), game.initial()).policy)
        assert policies[-1] == pytest.approx(view_of(here, game.initial()).policy, abs=1e-4)
    assert max(abs(policies[0][move] - policies[1][move]) for move in policies[0]) > 1e-3
