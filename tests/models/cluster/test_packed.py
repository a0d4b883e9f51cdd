"""What travels: the same on both sides, as differences, and refused when it is damaged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.engine import Search, UniformEvaluator
from core.games import load_game
from core.glass.icicle import IcicleView, lay_out
from core.glass.picture import picture_of
from core.glass.snapshot import Snapshot
from core.search import Limit
from core.text import Text
from models.cluster import packed
from models.cluster.packed import Layout, Packer, Unpacker
from models.cluster.shown import Places, Report, check_report, nowhere, report_kind


def search_of(simulations: int) -> Search:
    game = load_game("tictactoe")
    search = Search(game.position("b2"), UniformEvaluator(game.num_actions))
    search.run(Limit(simulations=simulations))
    return search


def shown(search: Search) -> Snapshot:
    snapshot = search.snapshot([(0,), (0, 1)])
    extras: dict[str, Any] = {
        "picture": picture_of(search.tree, search.root, 40, snapshot.pv),
        "curves": search.curves(),
    }
    return replace(snapshot, icicles={"icicle": lay_out(search.tree, search.root, IcicleView(), snapshot.pv)}, **extras)


def report_of(snapshot: Snapshot | None, number: int = 1) -> Report:
    return Report(number, 3, True, Text("loading {label}", label="x"), "", "", "", "", snapshot, None)


def test_a_snapshot_arrives_as_it_was_and_the_next_one_as_a_difference() -> None:
    search = search_of(60)
    packer, unpacker = Packer(report_kind()), Unpacker(report_kind())
    sizes = []
    for _ in range(3):
        sent = report_of(shown(search))
        data = packer.pack(sent)
        sizes.append(len(data))
        got = unpacker.unpack(data, Places(search.position).at)
        before, after = sent.snapshot, got.snapshot
        assert repr(after.moves) == repr(before.moves)  # NaN is not equal to itself
        assert after.opened.keys() == before.opened.keys() != set()
        for path, view in before.opened.items():
            assert repr(after.opened[path].rows) == repr(view.rows)
            assert after.opened[path].position == view.position
            assert after.opened[path].choice.scores.tolist() == view.choice.scores.tolist()
        assert repr(after.counters) == repr(before.counters)
        assert after.picture.visits.tolist() == before.picture.visits.tolist()
        assert after.icicles["icicle"].widths.tolist() == before.icicles["icicle"].widths.tolist()
        assert after.curves.visits.tolist() == before.curves.visits.tolist()
        assert (got.phase, got.phase.template) == ("loading x", "loading {label}")
        search.run(Limit(simulations=search.simulations + 1))
    assert max(sizes[1:]) < 0.7 * sizes[0]


def test_a_record_that_is_passed_over_is_still_the_base_of_the_next() -> None:
    search = search_of(30)
    packer, unpacker = Packer(report_kind()), Unpacker(report_kind())
    assert unpacker.unpack(packer.pack(report_of(shown(search))), None) is None
    search.run(Limit(simulations=40))
    got = unpacker.unpack(packer.pack(report_of(shown(search))), Places(search.position).at)
    assert repr(got.snapshot.moves) == repr(search.snapshot().moves)


def test_damaged_records_are_refused_in_one_sentence() -> None:
    search = search_of(30)
    data = Packer(report_kind()).pack(report_of(shown(search)))
    refused = 0
    for at in range(0, len(data), max(1, len(data) // 60)):
        damaged = bytearray(data)
        damaged[at] ^= 0x41
        try:
            Unpacker(report_kind()).unpack(bytes(damaged), Places(search.position).at)
        except ValueError as error:
            refused += len(str(error)) < 200
    assert refused > 50
    with pytest.raises(ValueError, match=r"cannot be read|more than"):
        Unpacker(report_kind()).unpack(data[:-20], Places(search.position).at)


def test_what_is_too_large_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    data = Packer(report_kind()).pack(report_of(shown(search_of(30))))
    monkeypatch.setattr(packed, "MOST_BYTES", 5000)
    with pytest.raises(ValueError, match="more than"):
        Unpacker(report_kind()).unpack(data, nowhere)


def test_fields_of_another_type_are_refused() -> None:
    kind = report_kind()
    report: Any = report_of(None)
    for wrong in (
        replace(report, number="7"),
        replace(report, searching=1),
        replace(report, phase=3),
        replace(report, number=1 << 63),
        replace(report_of(None), phase="x" * 5000),
    ):
        with pytest.raises(ValueError, match=r"the other machine sent .* in place of"):
            Unpacker(kind).unpack(Packer(kind).pack(wrong), nowhere)


def test_a_node_whose_figures_do_not_belong_together_is_refused() -> None:
    snapshot = search_of(30).snapshot()
    check_report(report_of(snapshot))
    for wrong in (
        replace(snapshot.root, visits_of=snapshot.root.visits_of[:-1]),
        replace(snapshot.root, actions=snapshot.root.actions + np.int16(9)),
        replace(snapshot.root, best_index=100),
    ):
        with pytest.raises(ValueError, match="do not belong together"):
            check_report(report_of(replace(snapshot, root=wrong)))


def test_layouts_differ_where_records_do() -> None:
    names = {"Curves": int, "Icicle": int, "Twin": int, "TreePicture": int}
    one, other = (Layout(names, frozenset({"Snapshot.whole", *more})) for more in ((), ("Snapshot.ownership",)))
    one.kind(Snapshot)
    other.kind(Snapshot)
    assert one.lines != other.lines
