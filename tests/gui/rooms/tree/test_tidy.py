"""A tidy tree: no overlaps, parents centred, order kept, and equal subtrees drawn alike."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gui.rooms.tree.picture_layout import tidy

GAP = 2.0


@st.composite
def trees(draw):
    """Draw random parents (each before its children) and widths."""
    n = draw(st.integers(1, 60))
    parents = [-1] + [draw(st.integers(0, place - 1)) for place in range(1, n)]
    widths = [draw(st.integers(1, 9)) for _ in range(n)]
    return np.array(parents, np.int32), np.array(widths, np.float64)


def levels_of(parents):
    depths = np.zeros(parents.size, int)
    for place in range(1, parents.size):
        depths[place] = depths[parents[place]] + 1
    return depths


def ordered(parents):
    """Return for each level its places from left to right, in the order of siblings, and the children of each place."""
    children = [np.flatnonzero(parents == place).tolist() for place in range(parents.size)]
    level, levels = [0], []
    while level:
        levels.append(level)
        level = [child for place in level for child in children[place]]
    return levels, children


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(trees())
def test_no_two_nodes_overlap_and_parents_stand_over_the_middle_of_their_children(tree):
    parents, widths = tree
    xs = tidy(parents, widths, GAP)
    levels, children_of = ordered(parents)
    for level in levels:
        for left, right in pairwise(level):
            assert xs[right] - xs[left] >= (widths[left] + widths[right]) / 2 + GAP - 1e-6
    assert xs[0] == 0
    for place, children in enumerate(children_of):
        if children:
            assert abs(xs[place] - (xs[children[0]] + xs[children[-1]]) / 2) <= 1e-6


@settings(max_examples=100, deadline=None)
@given(trees())
def test_a_mirrored_tree_is_the_mirrored_drawing(tree):
    """The order of places is that of siblings, so the mirror image numbers each level from the other side."""
    parents, widths = tree
    levels, _ = ordered(parents)
    forth = [place for level in levels for place in level]
    back = [place for level in levels for place in reversed(level)]

    def drawn(order):
        at = {place: i for i, place in enumerate(order)}
        numbered = np.array([at[parents[place]] if parents[place] >= 0 else -1 for place in order], np.int32)
        xs = tidy(numbered, widths[order], GAP)
        return np.array([xs[at[place]] for place in range(parents.size)])

    a, b = drawn(forth), drawn(back)
    for level in levels[1:2]:
        assert a[level[-1]] - a[level[0]] == pytest.approx(b[level[0]] - b[level[-1]], abs=1e-6)


def test_equal_subtrees_have_equal_drawings():
    half = [-1, 0, 0, 0, 1, 1, 3]  # a subtree of seven
    parents = [-1, 0, 0]
    for root in (1, 2):
        at = {0: root}
        for place, parent in enumerate(half[1:], 1):
            at[place] = len(parents)
            parents.append(at[parent])
    xs = tidy(np.array(parents, np.int32), np.ones(len(parents)), GAP)
    first, second = xs[3:9] - xs[1], xs[9:15] - xs[2]
    assert first == pytest.approx(second)


def test_small_subtrees_between_large_ones_are_spread():
    """Two fans of five at the ends, three leaves between them: all five children are equally spaced."""
    parents = np.array([-1, 0, 0, 0, 0, 0, *[1] * 5, *[5] * 5], np.int32)
    xs = tidy(parents, np.ones(parents.size), GAP)
    assert np.diff(xs[1:6]) == pytest.approx(np.full(4, (xs[5] - xs[1]) / 4))


def test_a_chain_is_laid_out_straight_and_an_empty_tree_is_empty():
    assert tidy(np.array([-1, 0, 1, 2], np.int32), np.array([9.0, 1, 4, 2]), GAP).tolist() == [0, 0, 0, 0]
    assert tidy(np.zeros(0, np.int32), np.zeros(0), GAP).size == 0
