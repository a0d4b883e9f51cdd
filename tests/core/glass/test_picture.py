"""The picture of a tree holds its most visited nodes with their own figures."""

import heapq

import numpy as np
import pytest

from core.engine import Search
from core.games import load_game
from core.glass.picture import picture_of
from core.search import Limit, SearchSettings
from tests.core.search.fakes import HashEvaluator
from tests.tiers import slow_but


def searched(name, simulations=3000, seed=3):
    game = load_game(name)
    search = Search(game.initial(), HashEvaluator(game.num_actions), SearchSettings(memory_mb=16), seed)
    search.run(Limit(simulations=simulations))
    return search


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
    assert picture.wanted == wanted
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
