"""The scene keeps every node's place while the tree grows, and the lens keeps the point under the cursor."""

from itertools import pairwise

import numpy as np
import pytest

from core.games import load_game
from core.glass.picture import picture_of
from core.search import Limit
from gui.rooms.tree.picture_lens import ROW, Lens, fit
from gui.rooms.tree.picture_look import Placed, palette, place, steps_of
from gui.rooms.tree.picture_raster import Edges, Nodes, paint_edges, paint_nodes
from gui.rooms.tree.picture_scene import Scene, radii_of
from gui.widgets.theme import DARK, LIGHT, ramp
from tests.core.search.fakes import HashEvaluator, run_search


@pytest.fixture
def search():
    game = load_game("connect4")
    return run_search(game.initial(), HashEvaluator(7), 300, seed=3, memory_mb=16)


def places_of(scene):
    return {scene.path_of(v): (float(scene.x[v]), float(scene.y[v])) for v in range(len(scene))}


def test_nodes_move_from_their_place_and_new_ones_from_their_parent(search):
    scene = Scene()
    scene.show(picture_of(search.tree, search.root, 100), ())
    before = places_of(scene)
    search.run(Limit(simulations=900))
    scene.show(picture_of(search.tree, search.root, 300), ())
    after = places_of(scene)
    assert len(after) == 300
    for path, at in after.items():
        if path in before:
            assert at == before[path]
        else:
            assert at == after[path[:-1]]
    scene.move(0.02)
    assert not scene.still
    for _ in range(200):
        scene.move(0.02)
    assert scene.still
    assert np.array_equal(scene.x, scene.to_x)


def test_siblings_keep_their_order(search):
    scene = Scene()
    order: dict[tuple, list] = {}
    for simulations in (300, 500, 900, 1600):
        search.run(Limit(simulations=simulations))
        scene.show(picture_of(search.tree, search.root, 150), ())
        scene.settle()
        for v in range(len(scene)):
            children = [scene.path_of(int(c)) for c in scene.children_of(v)]
            xs = [scene.x[scene.index_of(child)] for child in children]
            assert xs == sorted(xs)
            known = order.get(scene.path_of(v), [])
            assert [c for c in known if c in children] == [c for c in children if c in known]
            order[scene.path_of(v)] = children


def test_playing_on_keeps_the_nodes_below_on_their_way(search):
    scene = Scene()
    line = search.snapshot().pv
    scene.show(picture_of(search.tree, search.root, 200, line, number=search.numbering), ())
    before = places_of(scene)
    search.advance(line[0])
    scene.show(picture_of(search.tree, search.root, 200, number=search.numbering), line[:1])
    shared = [path for path in places_of(scene) if (line[0], *path) in before]
    assert len(shared) > 20
    assert all(places_of(scene)[path] == before[(line[0], *path)] for path in shared)
    search._compact()  # the nodes are renumbered
    scene.show(picture_of(search.tree, search.root, 200, number=search.numbering), line[:1])
    assert all(places_of(scene)[path] == before[(line[0], *path)] for path in shared)


def test_folding_hides_descendants_and_survives_a_move(search):
    scene = Scene()
    picture = picture_of(search.tree, search.root, 200)
    scene.show(picture, ())
    path = picture.path_of(2)
    below = [p for p in places_of(scene) if len(p) > len(path) and p[: len(path)] == path]
    assert below
    assert scene.fold(path)
    scene.show(picture, ())
    assert len(scene) == 200 - len(below)
    assert scene.shut[scene.index_of(path)]
    assert scene.nearest_to(below[0]) == scene.index_of(path)
    search.advance(path[0])
    scene.show(picture_of(search.tree, search.root, 200), path[:1])
    assert scene.shut[scene.index_of(path[1:])] == bool(scene.picture.num_children[scene.picture.place_of(path[1:])])
    assert not scene.fold(path[1:])
    scene.show(scene.picture, path[:1])
    assert not scene.shut.any()


def test_arrow_keys_move_along_the_tree(search):
    scene = Scene()
    line = search.snapshot().pv
    scene.show(picture_of(search.tree, search.root, 200, line), ())
    assert scene.walk((), "down") == line[:1]
    assert scene.walk(line[:2], "up") == line[:1]
    assert scene.walk(line[:2], "home") == ()
    first = scene.path_of(int(scene.children_of(0)[0]))
    second = scene.path_of(int(scene.children_of(0)[1]))
    assert scene.walk(first, "left") == first
    assert scene.walk(first, "right") == second
    assert scene.walk(second, "left") == first
    assert scene.walk((), "up") == ()
    leaf = max(places_of(scene), key=len)
    assert scene.walk(leaf, "down") == leaf
    assert Scene().walk((1, 2), "down") == ()


def test_size_follows_the_logarithm_of_the_visits():
    radii = radii_of(np.array([1, 2, 1000, 1023, 1024, 10**9], np.int32))
    assert (np.diff(radii) >= 0).all()
    assert radii[2] == radii[3] < radii[4]
    assert radii[-1] == 30


@pytest.mark.parametrize("factor", [0.3, 0.9, 1.25, 7.0])
@pytest.mark.parametrize("extent", [(-3000.0, 5000.0, 30.0), (-20.0, 30.0, 12.0), (-200.0, 200.0, 3.0)])
def test_zooming_keeps_the_point_under_the_cursor(extent, factor):
    lens = fit(extent, 900, 500)
    for step in (factor, 1 / factor):
        x, y = (412.0 - lens.x) / lens.column, (133.0 - lens.y) / lens.row
        lens = lens.zoomed(412, 133, step)
        assert lens.at(x, y) == pytest.approx((412, 133))


def test_the_whole_tree_fits_and_zooming_is_continuous():
    lens = fit((-3000.0, 5000.0, 30.0), 900, 500)
    assert 0 <= lens.at(-3000, 0)[0] < lens.at(5000, 0)[0] <= 900
    assert 0 <= lens.at(0, 0)[1] < lens.at(0, 30)[1] <= 500
    rows = []
    for _ in range(60):
        rows.append(lens.row)
        lens = lens.zoomed(450, 250, 1.15)
    assert (np.diff(rows) >= 0).all()
    assert max(b / a for a, b in pairwise(rows)) < 1.2
    assert max(rows) < 2 * ROW
    goal = fit((-10.0, 10.0, 2.0), 900, 500)
    for _ in range(100):
        lens = lens.towards(goal, 0.2)
    assert lens == goal


def test_the_node_under_the_pointer_is_found():
    placed = Placed(*(np.array(values, np.float32) for values in ([10, 60], [10, 10], [8, 8])))
    assert [placed.at(12, 12), placed.at(61, 22), placed.at(35, 10, 20), placed.at(35, 80)] == [0, 1, 0, -1]
    assert Placed(*(np.zeros(0, np.float32) for _ in range(3))).at(0, 0) == -1


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_a_disc_has_its_fill_its_border_and_a_smooth_edge(theme):
    pixels = np.full((41, 41), 0xFF000000, np.uint32)
    colours = palette(theme)
    one = lambda value, kind=np.float32: np.array([value], kind)  # noqa: E731
    fills, borders = steps_of(one(0.8)), steps_of(one(np.nan))
    nodes = Nodes(one(20.5), one(20.5), one(12), one(3), fills, borders, one(0, bool))
    paint_nodes(pixels, one(0, np.int32), nodes, colours)
    assert pixels[20, 20] == colours[fills[0]] == ramp(theme.value_ramp, 0.9).rgb()
    assert pixels[20, 31] == colours[borders[0]] == theme.color("faint").rgb()
    assert pixels[20, 34] == 0xFF000000
    assert (pixels >> 24 == 255).all()
    assert np.unique(pixels).size > 6


def test_edges_are_painted_without_gaps_and_only_inside():
    for x0, x1, y1 in ((10, 90, 60), (10, 12, 60), (90, 5, 20), (5, 95, 12)):
        pixels = np.full((70, 100), 0xFF000000, np.uint32)
        xs, ys = np.array([x0, x1], np.float32), np.array([2, y1], np.float32)
        order, parents = np.arange(2, dtype=np.int32), np.array([-1, 0], np.int32)
        ones, tints = np.ones(2, np.float32), np.zeros(2, np.uint8)
        white = np.full(1, 0xFFFFFFFF, np.uint32)
        paint_edges(pixels, order, Edges(parents, xs, ys, 2 * ones, ones, tints), white, ones.copy())
        assert (pixels[3 : y1 - 1] & 255).max(axis=1).min() > 90
        left, right = sorted((x0, x1))
        assert (pixels[:, left + 2 : right - 2] & 255).max(axis=0).min(initial=255) > 90
        far = np.zeros((70, 100), np.uint32)
        paint_edges(far, order, Edges(parents, xs + 500, ys, ones, ones, tints), white, ones.copy())
        assert not far.any()


def test_nodes_are_painted_where_the_lens_maps_them(search):
    scene = Scene()
    scene.show(picture_of(search.tree, search.root, 50), ())
    lens = Lens(0.5, 100, 20)
    placed = place(scene, lens)
    for v in range(50):
        assert (placed.xs[v], placed.ys[v]) == pytest.approx(lens.at(scene.x[v], scene.y[v]), abs=1e-3)
