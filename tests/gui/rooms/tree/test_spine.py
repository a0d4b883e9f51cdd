"""The principal variation is drawn straight, and what hangs on it keeps its form, its side and its distance."""

import numpy as np
import pytest

from gui.rooms.tree.picture_layout import straightened, tidy

GAP = 7.0


def random_tree(seed, nodes=400):
    rng = np.random.default_rng(seed)
    parents = np.array([-1, *(int(rng.integers(max(0, v - 40), v)) for v in range(1, nodes))], np.int32)
    depths = np.zeros(nodes, np.int64)
    for v in range(1, nodes):
        depths[v] = depths[parents[v]] + 1
    line = [0]
    while (below := np.flatnonzero(parents == line[-1])).size and len(line) < 9:
        line.append(int(rng.choice(below)))
    return parents, depths, rng.uniform(5, 30, nodes), line


@pytest.mark.parametrize("seed", range(6))
def test_the_line_is_straight_and_nothing_overlaps(seed):
    parents, depths, radii, line = random_tree(seed)
    before = tidy(parents, 2 * radii, GAP)
    xs = straightened(before, radii, parents, depths, line, GAP)
    assert (xs[line] == 0).all()
    for ply in range(int(depths.max()) + 1):
        level = np.flatnonzero(depths == ply)
        level = level[np.argsort(xs[level])]
        gaps = (xs[level][1:] - radii[level][1:]) - (xs[level][:-1] + radii[level][:-1])
        assert (gaps >= GAP - 1e-6).all()
    for v in line[:-1]:
        children = np.flatnonzero(parents == v)
        assert (np.diff(xs[children]) > 0).all(), "siblings keep their order"
    hanging = [v for v in range(1, parents.size) if v not in line and parents[v] not in line]
    assert xs[hanging] - xs[parents[hanging]] == pytest.approx(before[hanging] - before[parents[hanging]])
    below = np.flatnonzero(parents == line[-1])
    assert xs[below] == pytest.approx(before[below] - before[line[-1]])


def test_a_root_alone_stays_where_it_is():
    parents, depths = np.array([-1], np.int32), np.zeros(1, np.int64)
    assert straightened(np.zeros(1), np.ones(1), parents, depths, [0], GAP).tolist() == [0]
