"""Pictures of a tree: its nodes in a plane, and the icicle."""

import heapq
import json

import numpy as np
import pytest

from core.engine import Search
from core.games import load_game
from core.glass import icicle as icicle_module
from core.glass.icicle import BESIDE, IcicleView, find_twins, lay_out
from core.glass.picture import picture_of
from core.search import Limit, SearchSettings
from core.search.tree import NODES, allocate, node_at
from models.commands.printing import report_json
from tests.core.search.fakes import HashEvaluator, run_search
from tests.tiers import slow_but


def searched(name, simulations=3000, seed=3):
    game = load_game(name)
    return run_search(game.initial(), HashEvaluator(game.num_actions), simulations, seed=seed, memory_mb=16)


def slowly(search, wanted):
    """The most visited nodes, best first, by a heap of everything."""
    tree, waiting, taken = search.tree, [(0, search.root)], []
    while waiting and len(taken) < wanted:
        node = heapq.heappop(waiting)[1]
        taken.append(node)
        for slot in range(int(tree.child_start[node]), int(tree.child_start[node]) + int(tree.num_children[node])):
            if tree.visits[slot]:
                heapq.heappush(waiting, (-int(tree.visits[slot]), int(tree.child[slot])))
    return taken


@pytest.mark.parametrize("name", slow_but(("connect4",), ("tictactoe", "connect4", "gomoku(size=6)")))
@pytest.mark.parametrize("wanted", slow_but((1, 25, 333), (1, 2, 25, 333, 20_000)))
def test_picked_nodes_equal_a_plain_sort_by_visits(name, wanted):
    search = searched(name)
    picture = picture_of(search.tree, search.root, wanted)
    assert picture.ids.tolist() == slowly(search, wanted)
    assert picture.most == wanted
    assert (np.diff(picture.visits) <= 0).all()


def test_a_small_frontier_loses_no_children():
    """A flat tree: the root's children alone are more than the frontier holds."""
    search = searched("gomoku(size=15)", 600)
    assert picture_of(search.tree, search.root, 30).ids.tolist() == slowly(search, 30)


def test_every_figure_is_the_one_the_tables_show():
    search = searched("connect4")
    snapshot = search.snapshot()
    picture = picture_of(search.tree, search.root, 400, snapshot.pv)
    assert picture.parents[0] == -1
    assert (picture.parents[1:] < np.arange(1, len(picture))).all()
    opened = search.snapshot([picture.path_of(place) for place in range(1, len(picture))]).opened
    nodes = {**opened, (): snapshot.root}
    seen = 0
    for place in range(1, len(picture)):
        path = picture.path_of(place)
        assert picture.depths[place] == len(path)
        row = next(row for row in nodes[path[:-1]].rows if row.action == path[-1])
        assert picture.visits[place] == row.visits
        if not row.proof:
            assert picture.qs[place] == pytest.approx(row.q, abs=1e-6)
        assert picture.priors[place] == pytest.approx(row.prior, abs=1e-6)
        assert picture.values[place] == pytest.approx(row.value, abs=1e-6, nan_ok=True)
        assert ("", "win", "draw", "loss")[picture.proofs[place]] == row.proof
        seen += 1
    assert seen == 399
    assert picture.visits[0] == snapshot.simulations


def test_paths_lead_to_places_and_back():
    search = searched("connect4")
    picture = picture_of(search.tree, search.root, 200)
    for place in range(len(picture)):
        assert picture.place_of(picture.path_of(place)) == place
    deepest = int(np.argmax(picture.depths))
    assert picture.place_of((*picture.path_of(deepest), 3, 3, 3)) == -1


def test_the_pv_is_marked_as_far_as_it_is_drawn():
    search = searched("connect4")
    line = search.snapshot().pv
    picture = picture_of(search.tree, search.root, 2000, line)
    assert len(picture.pv) > 1
    assert picture.path_of(int(picture.pv[-1])) == line[: len(picture.pv) - 1]
    assert picture_of(search.tree, search.root, 1, line).pv.tolist() == [0]


def test_a_proved_node_shows_its_exact_value():
    search = searched("tictactoe", 100_000)
    picture = picture_of(search.tree, search.root, 20_000)
    exact = {1: 1.0, 2: 0.0, 3: -1.0}
    proved = np.flatnonzero(picture.proofs)
    assert proved.size > 20
    assert all(picture.qs[place] == exact[picture.proofs[place]] for place in proved)
    assert picture.terminals.any()


def test_nodes_keep_their_numbers_while_the_tree_grows_and_lose_them_when_it_is_compacted():
    search = searched("connect4", 500)
    before = picture_of(search.tree, search.root, 50, number=search.numbering)
    paths = {before.path_of(place): int(before.ids[place]) for place in range(len(before))}
    search.run(Limit(simulations=2500))
    after = picture_of(search.tree, search.root, 400, number=search.numbering)
    assert after.tree == before.tree
    for path, node in paths.items():
        place = after.place_of(path)
        assert place < 0 or after.ids[place] == node
    search._compact()
    assert picture_of(search.tree, search.root, 50, number=search.numbering).tree != after.tree


def test_a_tree_not_searched_is_its_root():
    search = Search(load_game("connect4").initial(), HashEvaluator(7), SearchSettings(memory_mb=16))
    picture = picture_of(search.tree, search.root, 100)
    assert (len(picture), picture.pv.tolist(), np.isnan(picture.values[0])) == (1, [0], True)
    assert picture.place_of(()) == 0


GAMES = ["tictactoe", "connect4", "gomoku(size=7)"]


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
        share = icicle.widths[place] / icicle.backups[place]
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


def test_more_nodes_than_there_is_room_for_at_first_are_laid_out_too(monkeypatch):
    search = searched("connect4")
    icicle = lay_out(search.tree, search.root, IcicleView(pixels=2000))
    monkeypatch.setattr(icicle_module, "PLACES", 16)
    again = lay_out(search.tree, search.root, IcicleView(pixels=2000))
    assert len(icicle) > 64
    for name in ("ids", "parents", "depths", "lefts", "widths"):
        assert np.array_equal(getattr(again, name), getattr(icicle, name))
    for name in icicle.strips._fields:
        assert np.array_equal(getattr(again.strips, name), getattr(icicle.strips, name))


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
    assert icicle.backups[place] > icicle.visits[place]
    assert icicle.widths[place] == pytest.approx(icicle.visits[place] / icicle.backups[0])
    above = icicle.parents[1:]
    assert inside(icicle.lefts[above], icicle.widths[above], icicle.lefts[1:], icicle.widths[1:])
