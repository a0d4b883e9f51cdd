"""Questions to a tree: their figures are those of the tables, and every node is judged as in slow Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.engine import Search
from core.games import load_game
from core.glass import MoveRow
from core.glass.ask import Matches, NodeFigures, answer
from core.glass.history import History
from core.glass.question import DEEPEST, LONGEST, NUMBERS, read_question
from core.search import Limit
from core.search.proofs import LOSS, PROVED_DRAW, UNPROVED, WIN
from tests.core.search.fakes import HashEvaluator, run_search

GAME = load_game("connect4(rows=4, cols=5, k=3)")
PROOFS = {UNPROVED: "", WIN: "win", PROVED_DRAW: "draw", LOSS: "loss"}
Scalars = dict[str, Any]
Part = tuple[str, Callable[[Scalars], Any]]  # a text, and what it means for one node


def searched(selection: str = "puct", simulations: int = 300, net: bool = True) -> Search:
    evaluator = HashEvaluator(GAME.num_actions) if net else None
    return run_search(GAME.initial(), evaluator, simulations, selection=selection)


SEARCH = searched()


def asked(search: Search, text: str, **more: Any) -> Matches:
    question, priors = read_question(text, GAME), search.settings.rule.priors
    return answer(question, search.tree, search.root, search.params, search.position, priors=priors, **more)


def figures_of(search: Search, player: int = -1) -> NodeFigures:
    priors, to_move = search.settings.rule.priors, search.position.to_move
    return NodeFigures(search.tree, search.root, search.params, priors, to_move, player)


def rows_of(search: Search) -> Iterator[tuple[tuple[int, ...], MoveRow]]:
    """Every visited move below the root, as the tables show it."""
    paths: list[tuple[int, ...]] = [()]
    while paths:
        snapshot = search.snapshot(paths)
        children = []
        for path in paths:
            for row in snapshot.node(path).rows:
                if row.visits:
                    yield (*path, row.action), row
                    children.append((*path, row.action))
        paths = [path for path in children if search.snapshot([path]).node(path) is not None]


@pytest.mark.parametrize(("selection", "net"), [("puct", True), ("ucb1", False)])
def test_the_figures_are_those_of_the_tables(selection: str, net: bool) -> None:
    search = searched(selection, net=net)
    search.advance(search.best_action())  # a root that is not the top
    search.run(Limit(simulations=60))
    figures = figures_of(search)
    columns = {name: figures(name) for name in (*NUMBERS, "move", "proof", "over")}
    found = asked(search, "N > 0")
    place = {int(node): i for i, node in enumerate(figures.nodes.ids)}
    rows = dict(rows_of(search))
    assert found.sums.nodes == len(rows)
    for node, path in zip(found.ids.tolist(), found.paths, strict=False):
        row, of = rows[path], {name: column[place[node]] for name, column in columns.items()}
        assert (of["N"], of["n"], of["move"], PROOFS[of["proof"]]) == (row.visits, row.backups, row.action, row.proof)
        assert of["depth"] == len(path)
        assert of["player"] == 1 + (search.position.to_move + len(path) + 1) % 2
        for name, value in (("share", row.share), ("P", row.prior), ("W", row.w), ("Q", row.q), ("V", row.value)):
            assert of[name] == pytest.approx(value, abs=1e-4, nan_ok=True), name
        assert of["U"] == pytest.approx(row.u, rel=1e-5)
        assert of["score"] == pytest.approx(row.score, rel=1e-5, abs=1e-6)
        siblings = [other for at, other in rows.items() if at[:-1] == path[:-1]]
        assert of["rank"] == 1 + sum(other.visits > row.visits for other in siblings)


def test_values_are_for_the_player_chosen() -> None:
    own, of_first = figures_of(SEARCH), figures_of(SEARCH, 0)
    second = own.movers == 1
    for name in ("W", "Q"):
        assert np.array_equal(of_first(name), np.where(second, -own(name), own(name)))
    flipped = {WIN: LOSS, LOSS: WIN}
    theirs = [flipped.get(proof, proof) for proof in own("proof")[second].tolist()]
    assert of_first("proof")[second].tolist() == theirs
    assert np.array_equal(of_first("U"), own("U"))


def test_sums_count_each_simulation_once() -> None:
    found, figures = asked(SEARCH, "depth >= 1"), figures_of(SEARCH)
    at_root = figures.nodes.depths == 1
    assert found.sums.nodes == len(figures.nodes.ids)
    assert found.sums.visits == figures.nodes.visits[at_root].sum()
    assert found.sums.share == 1.0
    assert found.sums.q == pytest.approx(figures.nodes.totals[at_root].sum() / figures.nodes.backups[at_root].sum())
    assert found.before[0].action == -1 or found.before[0].visits >= found.sums.visits
    by_second = figures.nodes.depths % 2 == 0
    assert [side.nodes for side in found.sides] == [int((~by_second).sum()), int(by_second.sum())]
    twos = figures.nodes.depths == 2
    assert found.sides[1].visits == figures.nodes.visits[twos].sum()
    assert found.sides[1].q == pytest.approx(-figures.nodes.totals[twos].sum() / figures.nodes.backups[twos].sum())
    nothing = asked(SEARCH, "N < 0")
    assert nothing.sums[:3] == (0, 0, 0.0)
    assert math.isnan(nothing.sums.q)


def test_a_move_wherever_it_occurs_with_what_comes_before_and_after() -> None:
    found = asked(SEARCH, "move == c")
    action = GAME.parse_action("c")
    rows = dict(rows_of(SEARCH))
    of = {path: row for path, row in rows.items() if path[-1] == action}
    assert found.sums.nodes == len(of)
    assert found.rows == {(action,)}
    before: dict[int, list[int]] = {}
    for path, row in of.items():
        before.setdefault(path[-2] if len(path) > 1 else -1, []).append(row.visits)
    assert {one.action: (one.nodes, one.visits) for one in found.before} == {
        move: (len(visits), sum(visits)) for move, visits in before.items()
    }
    after: dict[int, int] = {}
    for path, row in rows.items():
        if path[:-1] in of:
            after[path[-1]] = after.get(path[-1], 0) + row.visits
    assert {one.action: one.visits for one in found.after} == after


def test_the_end_of_a_line_is_found_and_its_own_path_comes_first() -> None:
    line = SEARCH.snapshot().pv[:2]
    found = asked(SEARCH, " ".join(GAME.action_name(action).upper() for action in line))
    assert found.paths[0] == line
    assert {path[-2:] for path in found.paths} == {line}
    visits = [SEARCH.snapshot([path[:-1]]).node(path[:-1]).rows for path in found.paths[1:]]
    counts = [next(row.visits for row in rows if row.action == line[-1]) for rows in visits]
    assert counts == sorted(counts, reverse=True)


def test_an_earlier_moment_is_asked_as_it_was() -> None:
    history = History(SEARCH.tree, SEARCH.root_changes, SEARCH.params)
    past = history.seek(40)
    of_past = answer(read_question("N >= 1", GAME), past, SEARCH.root, SEARCH.params, SEARCH.position)
    smaller = searched(simulations=40)
    assert of_past.sums == asked(smaller, "N >= 1").sums


def test_an_earlier_moment_is_asked_while_the_search_has_gone_on() -> None:
    search = searched(simulations=30)
    history, one = (History(search.tree, search.root_changes, search.params) for _ in range(2))
    search.run(Limit(simulations=300))
    question = read_question("N >= 1 and U > -9 and rank > 0 and P > 0", GAME)
    past = answer(question, history.seek(20), search.root, search.params, search.position)
    assert past.sums == asked(searched(simulations=20), question.text).sums
    assert answer(question, one.seek(1), search.root, search.params, search.position).sums.nodes == 0
    alone = searched(simulations=1)  # a tree of one node
    beginning = History(alone.tree, alone.root_changes, alone.params)
    alone.run(Limit(simulations=200))
    assert not answer(question, beginning.seek(1), alone.root, alone.params, alone.position).ids.size


# Formulas, each with its meaning for one node.


def _apply(sign: str, a: Any, b: Any) -> Any:
    if sign == "/":
        return np.float64(a) / np.float64(b)
    return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b}[sign]()


def _compare(sign: str, a: Any, b: Any) -> bool:
    return bool(
        {
            "<": lambda: a < b,
            "<=": lambda: a <= b,
            ">": lambda: a > b,
            ">=": lambda: a >= b,
            "==": lambda: a == b,
            "!=": lambda: a != b,
        }[sign]()
    )


def _largest(sign: str, a: Any, b: Any) -> Any:
    if math.isnan(a) or math.isnan(b):
        return math.nan
    return min(a, b) if sign == "min" else max(a, b)


def _two(form: str, sign: str, a: Part, b: Part, of: Callable[[str, Any, Any], Any]) -> Part:
    return form.format(a=a[0], sign=sign, b=b[0]), lambda row: of(sign, a[1](row), b[1](row))


ARITHMETIC, ORDER = st.sampled_from("+-*/"), st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
NUMBER_PARTS: st.SearchStrategy[Part] = st.recursive(
    st.one_of(
        st.sampled_from(NUMBERS).map(lambda name: (name, lambda row: row[name])),
        st.integers(0, 300).map(lambda n: (str(n), lambda row: float(n))),
        st.integers(0, 99).map(lambda n: (f".{n:02}", lambda row: n / 100)),
        st.integers(0, 99).map(lambda n: (f"{n}%", lambda row: n / 100)),
    ),
    lambda part: st.one_of(
        st.builds(lambda a, sign, b: _two("({a} {sign} {b})", sign, a, b, _apply), part, ARITHMETIC, part),
        st.builds(
            lambda a, sign, b: _two("{sign}({a}, {b})", sign, a, b, _largest),
            part,
            st.sampled_from(["min", "max"]),
            part,
        ),
        part.map(lambda a: (f"abs({a[0]})", lambda row: abs(a[1](row)))),
        part.map(lambda a: (f"-{a[0]}", lambda row: -a[1](row))),
    ),
    max_leaves=5,
)
PROOF_PARTS = st.tuples(st.sampled_from(["==", "!="]), st.sampled_from([WIN, PROVED_DRAW, LOSS])).map(
    lambda pair: (f"proof {pair[0]} {PROOFS[pair[1]]}", lambda row: _compare(pair[0], row["proof"], pair[1]))
)
MOVE_PARTS = st.tuples(st.sampled_from(["==", "!="]), st.integers(0, GAME.num_actions - 1)).map(
    lambda pair: (
        f"move {pair[0]} {GAME.action_name(pair[1])}",
        lambda row: _compare(pair[0], row["move"], pair[1]),
    )
)
TRUTH_PARTS: st.SearchStrategy[Part] = st.recursive(
    st.one_of(
        st.builds(lambda a, sign, b: _two("{a} {sign} {b}", sign, a, b, _compare), NUMBER_PARTS, ORDER, NUMBER_PARTS),
        PROOF_PARTS,
        MOVE_PARTS,
        st.just(("proof", lambda row: row["proof"] != UNPROVED)),
        st.just(("over", lambda row: bool(row["over"]))),
    ),
    lambda part: st.one_of(
        st.builds(lambda a, b: _two("({a} {sign} {b})", "and", a, b, lambda _, x, y: x and y), part, part),
        st.builds(lambda a, b: _two("({a} {sign} {b})", "or", a, b, lambda _, x, y: x or y), part, part),
        part.map(lambda a: (f"not ({a[0]})", lambda row: not a[1](row))),
    ),
    max_leaves=4,
)


@given(part=TRUTH_PARTS, player=st.sampled_from([-1, 0, 1]))
@settings(max_examples=300, deadline=None)
def test_any_question_is_answered_as_node_by_node(part: Part, player: int) -> None:
    text, meaning = part
    if len(text) > LONGEST:
        return
    figures = figures_of(SEARCH, player)
    columns = {name: figures(name).astype(np.float64) for name in (*NUMBERS, "move", "proof", "over")}
    found = set(asked(SEARCH, text, player=player).ids.tolist())
    with np.errstate(all="ignore"):
        for place, node in enumerate(figures.nodes.ids.tolist()):
            assert (node in found) == meaning({name: column[place] for name, column in columns.items()}), text


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("N > 2 or N < 2 and depth == 1", lambda r: r["N"] > 2 or (r["N"] < 2 and r["depth"] == 1)),
        ("not N > 2 and Q < .1", lambda r: not r["N"] > 2 and r["Q"] < 0.1),
        ("1 < N <= 5 < 6", lambda r: 1 < r["N"] <= 5),
        ("2 + 3 * N - 1 > 10 / 2 / 1", lambda r: 2 + 3 * r["N"] - 1 > 5),
        ("-Q - -W > 0", lambda r: -r["Q"] + r["W"] > 0),
        ("DEPTH >= 2 and q > 0", lambda r: r["depth"] >= 2 and r["Q"] > 0),
        ("((N)) > (2)", lambda r: r["N"] > 2),
        ('move == "C"', lambda r: r["move"] == GAME.parse_action("c")),
        ("1 == 1", lambda r: True),
    ],
)
def test_what_binds_stronger(text: str, meaning: Callable[[Scalars], bool]) -> None:
    figures = figures_of(SEARCH)
    columns = {name: figures(name) for name in (*NUMBERS, "move", "proof", "over")}
    wanted = [
        node
        for place, node in enumerate(figures.nodes.ids.tolist())
        if meaning({name: column[place] for name, column in columns.items()})
    ]
    assert sorted(asked(SEARCH, text).ids.tolist()) == wanted


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("N > 100 nd Q > 0", 8),
        ("foo > 3", 0),
        ("N", 1),
        ("N + Q and proof", 6),
        ("move", 4),
        ("move == z9", 8),
        ("move > c", 5),
        ("proof == 3", 9),
        ("abs(N", 5),
        ("min(N) > 2", 5),
        ("(N > 3", 6),
        ("N + (Q > 2) > 1", 4),
        ("Q > .5 and", 10),
        ("not", 3),
        ("Q § 1", 2),
        ("N > __import__('os')", 4),
        ("N > (lambda: 1)()", 5),
        ("N = 3", 2),
        ("", 0),
    ],
)
def test_an_error_shows_the_place(text: str, place: int) -> None:
    with pytest.raises(ValueError, match="allowed there") as error:
        read_question(text, GAME)
    before = str(error.value).split("“")[1].split("▸")[0].strip()
    assert before == text[:place].strip()


def test_length_and_depth_have_a_limit() -> None:
    with pytest.raises(ValueError, match=str(LONGEST)):
        read_question("N > 1 or " * 50 + "N > 1", GAME)
    for deep in ("(" * 150 + "N", "-" * 200 + "N > 1", "not " * 90 + "over", "abs(" * 60 + "N"):
        with pytest.raises(ValueError, match=str(DEEPEST)):
            read_question(deep, GAME)
    flat = "1" + "+1" * 190 + "> N"
    assert asked(SEARCH, flat).sums.nodes > 0


@given(st.text(max_size=60))
def test_any_other_text_is_refused_in_one_sentence(text: str) -> None:
    with suppress(ValueError):
        question = read_question(text, GAME)
        assert question.line or question.formula is not None
