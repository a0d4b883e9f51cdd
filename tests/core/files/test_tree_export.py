"""Exports of a tree: the same figures in each, those that the search itself shows, and nothing unescaped."""

import csv
import io
import json
import math
import re
from dataclasses import replace
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from core.engine import Search, UniformEvaluator
from core.files.tree_export import TreeNode, colour, pick, to_csv, to_dot, to_json, to_svg, to_text
from core.games import load_game
from tests.core.search.fakes import run_search

NASTY = "<b>\"&'\\\n]]>"


@pytest.fixture(scope="module")
def search() -> Search:
    game = load_game("tictactoe")
    return run_search(game.position("a1"), UniformEvaluator(game.num_actions), 400, memory_mb=8)


@pytest.fixture(scope="module")
def nodes(search: Search) -> tuple[TreeNode, ...]:
    return pick(search.state(), search.settings, 60)


def test_the_figures_are_those_the_search_shows(search: Search) -> None:
    everything = pick(search.state(), search.settings, 10_000)
    names: dict[tuple[int, ...], Any] = {(): everything[0]}
    for node in everything[1:]:
        parent = next(path for path, other in names.items() if other is everything[node.parent])
        names[(*parent, node.action)] = node
    opened = [path for path, node in names.items() if node.children]
    snapshot = search.snapshot(opened)
    assert (everything[0].visits, everything[0].q) == (snapshot.simulations, snapshot.root.q)
    assert len(opened) > 20
    for path in opened:
        view = snapshot.opened[path] if path else snapshot.root
        for row in view.rows:
            node = names.get((*path, row.action))
            assert (node is None) == (row.visits == 0)
            if node is not None:
                mine = (node.name, node.visits, node.q, node.u, node.score, node.proof, node.distance)
                assert mine == (row.name, row.visits, row.q, row.u, row.score, row.proof, row.distance)
                assert node.prior == pytest.approx(row.prior)
                assert node.value == row.value or (math.isnan(node.value) and math.isnan(row.value))
                assert node.next == (row.action == view.next_action)
                assert node.best == (row.action == view.best_action)
    main = [node.action for node in everything if node.main][1:]
    assert tuple(main)[: len(snapshot.pv)] == snapshot.pv


def test_the_most_visited_are_picked(search: Search) -> None:
    everything = pick(search.state(), search.settings, 10_000)
    few = pick(search.state(), search.settings, 30)
    assert len(few) == 30
    assert sorted(n.visits for n in few) == sorted((n.visits for n in everything), reverse=True)[:30][::-1]
    assert all(child.parent < i for i, child in enumerate(few))
    assert all(few[c].parent == i for i, node in enumerate(few) for c in node.children)
    for node in few:
        visits = [few[c].visits for c in node.children]
        assert visits == sorted(visits, reverse=True)
    assert sum(n.hidden for n in everything) == 0
    shallow = pick(search.state(), search.settings, 10_000, depth=1)
    assert {n.depth for n in shallow} == {0, 1}
    assert shallow[1].hidden > 0
    assert min(n.visits for n in pick(search.state(), search.settings, 10_000, min_visits=5)) >= 5
    with pytest.raises(ValueError, match="most is 0; it must be at least 1"):
        pick(search.state(), search.settings, 0)


def test_json_is_nested_and_whole(search: Search, nodes: tuple[TreeNode, ...]) -> None:
    data = json.loads(to_json(nodes, search.position))
    assert data["game"] == "tictactoe"
    assert data["moves"] == ["a1"]
    found: list[dict[str, Any]] = []
    stack = [data["tree"]]
    while stack:
        found.append(stack.pop())
        stack += found[-1]["children"]
    assert sorted(n["visits"] for n in found) == sorted(n.visits for n in nodes)
    best = max(data["tree"]["children"], key=lambda n: n["visits"])
    assert best["q"] == pytest.approx(nodes[nodes[0].children[0]].q)


def test_the_deepest_allowed_line_is_valid_json() -> None:
    row = TreeNode(-1, 0, 0, -1, "", 1, 1, 1.0, 1.0, 0.0, 0.0, 0.0, math.nan, "", 0, False, True, True, True, (), 0)
    line = tuple(replace(row, parent=i - 1, depth=i, children=(i + 1,) if i < 200 else ()) for i in range(201))
    data = json.loads(to_json(line, load_game("gomoku").initial()))
    assert data["tree"]["children"][0]["value"] is None


def test_csv_has_a_line_for_each_node(nodes: tuple[TreeNode, ...]) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(nodes))))
    assert [int(row["visits"]) for row in rows] == [node.visits for node in nodes]
    assert [float(row["q"]) for row in rows] == pytest.approx([node.q for node in nodes])
    for i, row in enumerate(rows):
        assert int(row["id"]) == i
        assert len(row["path"].split()) == nodes[i].depth == int(row["depth"])
        assert row["parent"] == ("" if i == 0 else str(nodes[i].parent))


def test_dot_names_every_node_and_edge(search: Search, nodes: tuple[TreeNode, ...]) -> None:
    text = to_dot(nodes, search.position)
    assert len(re.findall(r"^  n\d+ \[label", text, re.M)) == len(nodes)
    assert len(re.findall(r"^  n\d+ -> n\d+", text, re.M)) == len(nodes) - 1
    named = to_dot((replace(nodes[0], name=NASTY, children=()),), search.position)
    assert "\\\"&'\\\\\\n]]>" in named


def test_svg_is_xml_with_a_disc_for_each_node(search: Search, nodes: tuple[TreeNode, ...]) -> None:
    tree = ElementTree.fromstring(to_svg((nodes[0], replace(nodes[1], name=NASTY), *nodes[2:]), search.position))
    space = "{http://www.w3.org/2000/svg}"
    discs = [(float(e.get("cx", "")), float(e.get("cy", ""))) for e in tree.iter(f"{space}circle")]
    assert len(set(discs)) == len(discs) == len(nodes)
    assert len(list(tree.iter(f"{space}path"))) == len(nodes) - 1
    width, height = float(tree.get("width", "")), float(tree.get("height", ""))
    assert all(0 < x < width and 0 < y < height for x, y in discs)
    assert any(NASTY.split("\n")[0] in "".join(e.itertext()) for e in tree.iter(f"{space}title"))


def test_text_shows_each_node_once(nodes: tuple[TreeNode, ...]) -> None:
    lines = to_text(nodes)
    assert len([line for line in lines if "N " in line]) == len(nodes)
    assert len([line for line in lines if "more" in line]) == sum(
        bool(n.hidden and (n.children or not i)) for i, n in enumerate(nodes)
    )
    assert lines[0].startswith("O to move  N 400")
    first = nodes[nodes[0].children[0]]
    assert lines[1].startswith(f"├─ O {first.name}  N {first.visits}")
    for above, line in pairwise(lines):
        # A branch hangs from a sign that goes on, or from the first letter of the node above.
        at = max(line.rfind("├"), line.rfind("└"))
        assert above[at] in "├│" or above[at].isalpha(), (above, line)


def test_the_colour_has_a_fixed_middle() -> None:
    assert colour(0.0) == "#ecece8"
    assert colour(1.0) != colour(-1.0)
    assert colour(math.nan) == "#bbbbbb"
