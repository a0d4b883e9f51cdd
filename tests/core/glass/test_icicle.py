"""The layout of an icicle: widths are shares of visits, nothing is lost in the strips, and the work is bounded."""

import json

import numpy as np
import pytest

from core.engine import Search
from core.games import load_game
from core.glass.icicle import BESIDE, IcicleView, find_twins, lay_out
from core.search import Limit, SearchSettings
from core.search.tree import NODES, allocate, node_at
from models.commands.printing import report_json
from tests.core.search.fakes import HashEvaluator

GAMES = ["tictactoe", "connect4", "gomoku(size=7)"]


def searched(name, simulations=3000, seed=3):
    game = load_game(name)
    search = Search(game.initial(), HashEvaluator(game.num_actions), SearchSettings(memory_mb=16), seed)
    search.run(Limit(simulations=simulations))
    return search


def ten_each(plies):
    """A tree in which every node down to ``plies`` has ten children, all equal."""
    nodes = sum(10**ply for ply in range(plies + 1))
    inner = sum(10**ply for ply in range(plies))
    tree = allocate(10, nodes=nodes, slots=nodes, edges=10 * inner, records=0, squares=False)
    every, below = np.arange(nodes), np.arange(1, nodes)
    tree.parent[0], tree.parent[1:] = -1, (below - 1) // 10
    tree.slot[:] = tree.child[:] = every
    tree.action[1:] = (below - 1) % 10
    tree.child_start[:], tree.num_children[:], tree.num_edges[:] = -1, 0, 0
    tree.child_start[:inner], tree.edge_start[:inner] = 10 * every[:inner] + 1, 10 * every[:inner]
    tree.num_children[:inner] = tree.num_edges[:inner] = 10
    tree.edge_prior[:] = 6553
    for name in ("begun", "threats", "value", "was_root", "total", "inflight", "proof", "distance"):
        getattr(tree, name)[:] = 0
    size = 1
    for ply in range(plies, -1, -1):
        first = sum(10**above for above in range(ply))
        tree.visits[first : first + 10**ply] = size
        size = 10 * size + 1
    tree.counts[NODES] = nodes
    return tree


def inside(outer_left, outer_width, left, width):
    slack = 1e-12
    return (left >= outer_left - slack).all() and (left + width <= outer_left + outer_width + slack).all()


@pytest.mark.parametrize("name", GAMES)
def test_children_and_strip_fill_what_did_not_end_at_the_node(name):
    search = searched(name)
    icicle = lay_out(search.tree, search.root, IcicleView(pixels=300))
    tree, strips = search.tree, icicle.strips
    assert strips.parents.size > 0
    assert (np.diff(icicle.depths) >= 0).all()
    above = icicle.parents[1:]
    assert inside(icicle.lefts[above], icicle.widths[above], icicle.lefts[1:], icicle.widths[1:])
    assert inside(icicle.lefts[strips.parents], icicle.widths[strips.parents], strips.lefts, strips.widths)
    strip_of = {int(parent): i for i, parent in enumerate(strips.parents)}
    for place in range(len(icicle)):
        below = np.flatnonzero(icicle.parents == place)
        strip = strip_of.get(place)
        if not below.size and strip is None:
            continue
        node = int(icicle.ids[place])
        start = int(tree.child_start[node])
        visits = tree.visits[start : start + int(tree.num_children[node])]
        share = icicle.widths[place] / icicle.seen[place]
        drawn = np.concatenate([icicle.widths[below], strips.widths[[] if strip is None else [strip]]])
        assert drawn.sum() == pytest.approx(visits.sum() * share)
        assert (np.diff(icicle.visits[below]) <= 0).all()
        assert np.diff(icicle.lefts[below]) == pytest.approx(icicle.widths[below][:-1])
        if strip is not None:
            narrow = visits[visits * share < 1 / 300]
            assert (strips.nodes[strip], strips.visits[strip]) == (np.count_nonzero(narrow), narrow.sum())
            assert strips.lefts[strip] == pytest.approx(icicle.lefts[place] + icicle.widths[below].sum())


@pytest.mark.parametrize("name", GAMES)
def test_figures_are_those_of_the_snapshot_and_of_analyze(name):
    search = searched(name)
    snapshot = search.snapshot()
    icicle = lay_out(search.tree, search.root, IcicleView(pixels=4000), snapshot.pv)
    answer = json.loads(json.dumps(report_json(snapshot, search.settings, 3)))
    rows = {row["name"]: row for row in answer["moves"] if row["visits"]}
    drawn = np.flatnonzero(icicle.depths == 1)
    assert icicle.visits[0] == answer["simulations"]
    assert {search.game.action_name(int(icicle.actions[place])) for place in drawn} == set(rows)
    for place in drawn.tolist():
        row = rows[search.game.action_name(int(icicle.actions[place]))]
        assert icicle.visits[place] == row["visits"]
        assert icicle.qs[place] == pytest.approx(row["q"], abs=1e-4)
        assert icicle.widths[place] == pytest.approx(row["visits"] / answer["simulations"])
    assert [icicle.path_of(place) for place in icicle.pv.tolist()][-1] == snapshot.pv


def test_a_million_nodes_make_as_many_pieces_as_there_are_pixels():
    tree = ten_each(6)
    assert tree.parent.size > 1_000_000
    whole = lay_out(tree, 0, IcicleView(pixels=1500), (), 1)
    assert len(whole) == 1111
    assert whole.strips.parents.size == 1000
    assert whole.strips.nodes.sum() == 10_000
    place = whole.place_of((3, 3, 3))
    left, width = float(whole.lefts[place]), float(whole.widths[place])
    near = lay_out(tree, 0, IcicleView(left, left + width, 1500), (), 1)
    assert near.place_of((3, 3, 3, 3, 3, 3)) > 0
    assert near.place_of((4, 4, 4)) > 0, "the overview stays"
    assert near.place_of((8, 8, 8, 8)) < 0
    assert len(near) < 1111 + 2 * 1111 * (1 + 2 * BESIDE)


def test_a_selected_node_is_laid_out_however_narrow():
    tree = ten_each(5)
    path = (9, 8, 7, 6, 5)
    assert lay_out(tree, 0, IcicleView(pixels=100), (), 1).place_of(path) < 0
    icicle = lay_out(tree, 0, IcicleView(pixels=100, path=path), (), 1)
    place = icicle.place_of(path)
    assert icicle.ids[place] == node_at(tree, 0, path)
    assert icicle.widths[place] < 1e-4
    plain = lay_out(tree, 0, IcicleView(pixels=100), (), 1)
    assert len(icicle) == len(plain) + 4
    assert icicle.strips.visits[icicle.strips.parents == icicle.place_of(path[:2])] == 9 * 111
    assert lay_out(tree, 0, IcicleView(path=(3, 99)), (), 1).place_of((3,)) > 0


def test_an_unsearched_root_is_laid_out_alone():
    game = load_game("connect4")
    search = Search(game.initial(), HashEvaluator(game.num_actions), SearchSettings(memory_mb=16))
    icicle = lay_out(search.tree, search.root, IcicleView())
    assert (len(icicle), icicle.visits[0], icicle.strips.parents.size) == (1, 0, 0)
    twin = find_twins(search.tree, search.root, icicle)
    assert (twin.chosen, twin.visits.tolist()) == (0, [0])


@pytest.mark.parametrize("name", GAMES)
def test_a_twin_has_the_other_searchs_figures(name):
    search, other = searched(name), searched(name, 1800, seed=8)
    icicle = lay_out(search.tree, search.root, IcicleView(pixels=500))
    same = find_twins(search.tree, search.root, icicle)
    assert np.array_equal(same.visits, icicle.visits)
    assert np.array_equal(same.qs, icicle.qs)
    assert np.array_equal(same.strips, icicle.strips.visits)
    twin, tree = find_twins(other.tree, other.root, icicle), other.tree
    assert twin.chosen == sum(row.visits for row in other.snapshot().root.rows)
    assert icicle.chosen == sum(row.visits for row in search.snapshot().root.rows)
    for place in range(len(icicle)):
        node = node_at(tree, other.root, icicle.path_of(place))
        expected = 0 if node < 0 else 1800 if place == 0 else int(tree.visits[tree.slot[node]])
        assert twin.visits[place] == expected
        assert np.isnan(twin.qs[place]) == (node < 0)
    for strip, place in enumerate(icicle.strips.parents.tolist()):
        node = node_at(tree, other.root, icicle.path_of(place))
        start = int(tree.child_start[node])
        total = int(tree.visits[start : start + int(tree.num_children[node])].sum()) if node >= 0 else 0
        assert twin.strips[strip] == total - int(twin.visits[icicle.parents == place].sum())


def test_after_a_move_back_every_row_still_fits():
    """Simulations begun at a child count for its Q alone: its width stays its share of the parent's visits."""
    search = searched("connect4", 300)
    best = search.best_action()
    start = search.position
    search.advance(best)
    search.run(Limit(simulations=900))
    search.go_to(start)
    icicle = lay_out(search.tree, search.root, IcicleView(pixels=2000))
    place = icicle.place_of((best,))
    assert icicle.seen[place] > icicle.visits[place]
    assert icicle.widths[place] == pytest.approx(icicle.visits[place] / icicle.seen[0])
    above = icicle.parents[1:]
    assert inside(icicle.lefts[above], icicle.widths[above], icicle.lefts[1:], icicle.widths[1:])
