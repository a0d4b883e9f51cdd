"""Icicles on screen: nodes move inside their parents, the camera keeps its place, pixels hold what is there."""

from __future__ import annotations

import numpy as np
import pytest

from core.engine import Search
from core.games import load_game
from core.glass.icicle import Icicle, IcicleView, lay_out
from core.search import Limit, SearchSettings
from gui.widgets.icicle import icicle_colours as colours
from gui.widgets.icicle.icicle_camera import WHOLE, IcicleCamera, Window
from gui.widgets.icicle.icicle_raster import Pieces, cover, fill_rows, mixed, paint_lines
from gui.widgets.icicle.icicle_scene import IcicleScene
from gui.widgets.node_card import signs
from gui.widgets.theme import COLOURS, Theme


@pytest.fixture(scope="module")
def growing() -> tuple[Icicle, Icicle]:
    """One tree at 300 and at 900 simulations."""
    game = load_game("connect4(rows=4, cols=5, k=3)")
    settings = SearchSettings(memory_mb=16, selection="ucb1", prove=False)
    search, found = Search(game.initial(), None, settings, 3), []
    for simulations in (300, 900):
        search.run(Limit(simulations=simulations))
        found.append(lay_out(search.tree, search.root, IcicleView(pixels=400), search.snapshot().pv))
    return found[0], found[1]


def test_nodes_move_to_their_places_inside_their_parents(growing: tuple[Icicle, Icicle]) -> None:
    before, after = growing
    scene = IcicleScene()
    scene.show(before, ())
    assert scene.still
    scene.show(after, ())
    assert not scene.still
    both, here, there = np.intersect1d(after.ids, before.ids, return_indices=True)
    assert both.size > 20
    assert scene.lefts[here[:6]] == pytest.approx(before.lefts[there[:6]], abs=0.05)
    assert not np.allclose(scene.widths[here], after.widths[here])
    for _ in range(3):
        scene.move(0.03)
        above = after.parents[1:]
        assert (scene.lefts[1:] >= scene.lefts[above] - 1e-9).all()
        assert (scene.lefts + scene.widths)[1:].max() <= 1 + 1e-9
    for _ in range(200):
        scene.move(0.03)
    assert scene.still
    assert np.array_equal(scene.lefts, after.lefts)
    assert np.array_equal(scene.strip_widths, after.strips.widths)
    scene.show(after, (3,))
    assert scene.still, "another position begins in its place"
    scene.show(None, ())
    assert (scene.node_at(0, 0.5), scene.nearest_to((1,)), scene.walk((1,), "up")) == (-1, -1, ())


def test_nodes_that_move_by_less_than_is_seen_are_in_place_at_once(growing: tuple[Icicle, Icicle]) -> None:
    before, after = growing
    for unseen, still in ((1.0, True), (1e-6, False)):
        scene = IcicleScene()
        scene.show(before, ())
        scene.show(after, ())
        scene.move(0.001, unseen)
        assert scene.still == still
        assert np.array_equal(scene.widths, after.widths) == still


def test_nodes_and_strips_are_found_by_their_place(growing: tuple[Icicle, Icicle]) -> None:
    icicle = growing[1]
    scene = IcicleScene()
    scene.show(icicle, ())
    for place in (0, 1, 4, len(icicle) - 1):
        middle = float(icicle.lefts[place] + icicle.widths[place] / 2)
        assert scene.node_at(int(icicle.depths[place]), middle) == place
    strip = icicle.strips
    assert strip.parents.size
    row = int(icicle.depths[strip.parents[0]]) + 1
    middle = float(strip.lefts[0] + strip.widths[0] / 2)
    assert (scene.strip_at(row, middle), scene.node_at(row, middle)) == (0, -1)
    assert scene.strip_at(row + 1, middle) != 0
    assert scene.node_at(99, 0.5) == scene.node_at(-1, 0.5) == -1
    right = float(icicle.lefts[1] + icicle.widths[1]) - 1e-9
    assert scene.node_at(2, right) == scene.strip_at(2, right) == -1, "a node's own visit is free"
    for place in (0, 1, 4):
        low, wide = float(icicle.lefts[place]), float(icicle.widths[place])
        assert scene.covering(low, low + wide) == place


def test_keys_walk_the_rows(growing: tuple[Icicle, Icicle]) -> None:
    icicle = growing[1]
    scene = IcicleScene()
    scene.show(icicle, ())
    line = icicle.path_of(int(icicle.pv[-1]))
    first = icicle.path_of(1)
    assert scene.walk((), "down") == line[:1]
    assert scene.walk(line[:1], "down") == line[:2]
    assert scene.walk(line[:2], "up") == line[:1]
    assert scene.walk(first, "left") == first
    assert scene.walk(first, "right") == icicle.path_of(2)
    assert scene.walk(icicle.path_of(2), "left") == first
    assert scene.walk((), "right") == ()
    assert scene.walk(line, "home") == ()


def test_the_camera_zooms_evenly_and_stays_inside() -> None:
    camera = IcicleCamera()
    camera.pixels = 1000.0
    camera.zoom(250.0, 4.0)
    assert camera.at(250.0) == pytest.approx(0.25)
    assert camera.now.width == pytest.approx(0.25)
    camera.pan(-1e6, 0)
    assert camera.now.high == pytest.approx(1.0)
    camera.pan(1e6, -50)
    assert (camera.now.low, camera.now.top) == (0.0, 0.0), "there is nothing to scroll to"
    camera.go(Window(0.4, 0.4001))
    widths = []
    while camera.moving:
        camera.advance(0.02)
        widths.append(camera.now.width)
    assert camera.now == camera.goal == Window(0.4, 0.4001)
    assert (np.diff(widths) < 0).all()
    camera.carry((0.4, 0.1), (0.6, 0.2))
    assert camera.now.low == pytest.approx(0.6)
    assert camera.goal.width == pytest.approx(0.0002)
    camera.zoom(0.0, 1e-9)
    assert camera.now.whole
    camera.carry((0.0, 0.5), (0.5, 0.5))
    assert camera.now == WHOLE


def pieces_of(*pieces: tuple[int, float, float, int]) -> Pieces:
    """Pieces from (row, left, width, colour)."""
    rows, lefts, widths, tints = zip(*pieces, strict=True) if pieces else [()] * 4
    colours = np.array(tints, np.uint32)
    return Pieces(np.array(rows, np.int64), np.array(lefts), np.array(widths), colours, colours)


def test_a_line_of_pixels_holds_the_piece_at_each_centre() -> None:
    pieces = pieces_of((0, -3.0, 9.0, 1), (0, 6.0, 4.4, 2), (0, 10.4, 0.9, 3))
    at = cover(pieces, 1, 14)
    assert at.spread(np.arange(3), -1).tolist() == [[0] * 6 + [1] * 4 + [2] + [-1] * 3]
    assert paint_lines(pieces, at, 7, 1).tolist() == [[1] * 5 + [7] + [2] * 3 + [7] + [3] + [7] * 3]
    over = cover(pieces_of((0, 4.0, 4.0, 1), (0, 0.0, 8.0, 2)), 1, 8)
    assert over.spread(np.arange(2), -1).tolist() == [[1] * 4 + [0] * 4]
    assert (cover(pieces_of(), 2, 5).spread(np.arange(0), -1) == -1).all()


def test_each_row_has_its_own_pieces_however_they_lie() -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        count, rows, width = int(rng.integers(1, 40)), 4, 30
        lefts, widths = rng.uniform(-40, 45, count), rng.uniform(0, 25, count)
        colours = np.zeros(count, np.uint32)
        pieces = Pieces(rng.integers(0, rows, count), lefts, widths, colours, colours)
        at = cover(pieces, rows, width).spread(np.arange(count), -1)
        for row in range(rows):
            for x in range(width):
                before = [one for one in range(count) if pieces.rows[one] == row and lefts[one] <= x + 0.5]
                last = max(before, key=lambda one: lefts[one], default=-1)
                assert at[row, x] == (last if last >= 0 and x + 0.5 < lefts[last] + widths[last] else -1)


def test_strips_are_striped_and_proved_nodes_hatched() -> None:
    white, black = 0xFFFFFFFF, 0xFF000000
    between = mixed(np.array([white], np.uint32), black, 0.5)
    pieces = pieces_of((0, 0.0, 9.0, white))._replace(between=between)
    line = paint_lines(pieces, cover(pieces, 1, 12), black, 1)
    assert [pixel == white for pixel in line[0].tolist()] == [True, True, False] * 3 + [False] * 3
    assert mixed(np.array([white], np.uint32), black, 0.5).tolist() == [0xFF808080]
    pixels = np.zeros((10, 12), np.uint32)
    hatched = np.arange(12)[None] < 6
    fill_rows(pixels, np.full((1, 12), white, np.uint32), np.array([-2, 8]), hatched, black, 1)
    assert (pixels[:7, 6:] == white).all()
    assert 0 < np.count_nonzero(pixels[:7, :6] != white) < 30
    assert (pixels[7] == black).all()
    assert (pixels[8:] == black).all()


@pytest.mark.parametrize("player", [0, 1])
def test_every_row_has_the_same_players_values(growing: tuple[Icicle, Icicle], player: int) -> None:
    icicle = growing[1]
    sign = signs(icicle, 0, player)
    assert (sign[icicle.depths == 1] == (1 if player == 0 else -1)).all()
    assert (sign[icicle.depths == 2] == (1 if player == 1 else -1)).all()
    value, change = (colours.figures_of(icicle, mode, 0, player) for mode in ("value", "change"))
    assert value.nodes == pytest.approx(sign * icicle.qs)
    below = icicle.parents[1:]
    assert change.nodes[1:] == pytest.approx(value.nodes[1:] - value.nodes[below])
    other = colours.figures_of(icicle, "value", 0, 1 - player)
    assert value.nodes == pytest.approx(-other.nodes)
    assert value.strips == pytest.approx(-other.strips)
    assert np.isnan(colours.figures_of(icicle, "net", 0, player).nodes).all(), "random games have no net"
    assert np.isnan(colours.figures_of(icicle, "proof", 0, player).strips).all()


@pytest.mark.parametrize("theme", [theme for themes in COLOURS.values() for theme in themes.values()])
def test_texts_can_be_read_on_every_colour(theme: Theme) -> None:
    table = colours.palette(theme)
    assert table.size == len(colours.dark_inks(table)) == colours.PLAIN + 1
    places = colours.places_of(np.array([-2, -1, 0, 1, np.nan], np.float32), 1.0)
    assert places.tolist() == [0, 0, colours.STEPS // 2, colours.STEPS, colours.PLAIN]
