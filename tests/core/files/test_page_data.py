"""The data of a search's page: read by the page's own scripts it shows the program's figures of every moment."""

import dataclasses
import json
import math
import random
import zlib
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

from core.engine import Search
from core.engine.look_back import LookBack
from core.files import page_data as page_data_module
from core.files.page import search_page
from core.files.page_data import MOST_TEXT, PageNote, packed, page_data, page_record, piece
from core.files.trace_tree import open_search
from core.files.tree_file import saved
from core.games import load_game
from core.search import Limit, SearchSettings
from core.search.rules.table import NAMED, RULES, in_letters
from core.search.settings import PRESETS
from tests.core.files.browser import open_browser
from tests.core.files.page_reader import DRIVER, ask_node
from tests.core.search.fakes import HashEvaluator, LeadEvaluator, run_search
from tests.tiers import slow_but

KATAGO = {name: value for name, value in PRESETS["katago-like"].items() if name != "selection"}
# (game, moves, rule, evaluator, simulations, settings)
CASES = [
    ("connect4", "d d", "puct", HashEvaluator, 1500, {}),
    ("connect4", "", "ucb1", None, 3000, {"expansion_threshold": 3}),
    ("gomoku(size=7)", "d4", "ucb1_tuned", None, 2500, {}),
    ("gomoku(size=7)", "", "puct", HashEvaluator, 800, {"threat_proofs": True, "max_batch": 8}),
    ("othello(size=4)", "", "gumbel", HashEvaluator, 600, {"gumbel_simulations": 300, "noise_epsilon": 0.25}),
    ("othello(size=6)", "", "puct", HashEvaluator, 900, {"final": "lcb", "root_first": True}),
    ("go(size=5)", "c3 c2", "gumbel", HashEvaluator, 700, {"gumbel_simulations": 64}),
    ("go(size=5)", "c3", "puct", LeadEvaluator, 900, KATAGO),
    ("go(size=4)", "", "ucb1", None, 1500, {"c_ucb": 0.7}),
    ("tictactoe", "", "flat", None, 700, {"flat_games": 0}),
    ("nim(heaps=3-4-5)", "", "ucb1", None, 900, {"rollout_policy": "tactical"}),
    ("tictactoe", "", "puct", HashEvaluator, 400, {"prove": False, "merge_symmetric": True}),
    ("connect4", "d", "ucb1", None, 1500, {"threads": 2, "memory_mb": 128}),
    ("gomoku(size=6)", "", "ucb1", HashEvaluator, 500, {"noise_epsilon": 0.25}),
    ("othello(size=6)", "", "ucb1", None, 1500, {"exact_empties": 20}),
    ("gomoku(rule=renju)", "h8 h9", "puct", HashEvaluator, 400, {"c_spread": 0.8, "root_fpu": "loss", "fpu": "zero"}),
]
QUICK = (CASES[0], CASES[4], CASES[7])


def a_search(name, moves="", rule="puct", evaluator=HashEvaluator, simulations=300, settings=None):
    game = load_game(name)
    chosen = SearchSettings(**{"selection": rule, "max_batch": 1, "memory_mb": 64, **(settings or {})})
    net = None if evaluator is None else evaluator(game.num_actions)
    return run_search(game.position(moves), net, simulations, chosen, seed=3)


def all_paths(search):
    """The moves from the root to every node."""
    tree = search.tree
    paths: dict[int, tuple[int, ...]] = {search.root: ()}
    for node in range(search.root + 1, search.snapshot().counters.nodes):
        above = paths.get(int(tree.parent[node]))
        if above is not None:
            paths[node] = (*above, int(tree.action[node]))
    return list(paths.values())


def header_of(data):
    data = zlib.decompress(data)
    length = int.from_bytes(data[:4], "little")
    return json.loads(data[4 : 4 + length])


def questions_of(search, count, seed=1):
    """Pairs of a simulation and a path: often the path of that very simulation."""
    drawn, paths = random.Random(seed), all_paths(search)
    out = [[0, []], [1, []], [search.simulations, []]]
    while len(out) < count:
        out.append([drawn.randint(0, search.simulations), list(drawn.choice(paths)[: drawn.randint(0, 12)])])
    return out


def number(value):
    return float(value) if isinstance(value, str) else value


def same(mine, theirs):
    mine, theirs = number(mine), float(theirs)
    return mine == theirs or (math.isnan(mine) and math.isnan(theirs))


def compare(search, questions, said, playouts=True):
    """Compare every answer with what the program shows of that moment; returns how many figures were compared."""
    look_back, figures = LookBack(search), 0
    assert said["simulations"] == search.simulations
    for (n, path), answer in zip(questions, said["answers"], strict=True):
        past = look_back.past(n, [tuple(path)])
        if n and playouts:
            done, playout = answer["done"], past.playout
            assert tuple(done["path"]) == playout.path
            assert (done["value"], done["created"]) == (playout.value, playout.created)
            kinds = {"net": "net", "rollout": "rollout", "ended": "game over", "proof": "proof"}
            assert kinds[done["kind"]] == playout.kind
        if "missing" in answer:
            assert past.snapshot.node(tuple(path)) is None
            continue
        assert answer["first"] == [False, True]
        position = search.position
        for action in path:
            position = position.play(action)
        if answer["cells"] is not None:
            assert answer["cells"] == position.cells().ravel().tolist()
            assert answer["toMove"] == position.to_move
        view = past.snapshot.node(tuple(path))
        if view is None or not len(view.actions):
            assert not answer["rows"]
            continue
        assert len(answer["rows"]) + answer["hidden"] == len(view.actions)
        assert answer["hidden"] == 0 or path
        row = answer["node"]
        if not path:
            assert row["visits"] == view.visits
            assert same(row["value"], view.q)
        rows = {shown.action: shown for shown in view.rows}
        known = [shown.action for shown in view.rows if shown.action in {mine["move"] for mine in answer["rows"]}]
        assert [mine["move"] for mine in answer["rows"]] == known
        for mine in answer["rows"]:
            shown = rows[mine["move"]]
            assert mine["label"] == shown.name
            assert (mine["visits"], mine["backups"]) == (shown.visits, shown.backups)
            assert mine["share"] == pytest.approx(shown.share, abs=1e-15)
            for name, figure in (
                ("value", shown.q),
                ("prior", shown.prior),
                ("exploration", shown.u),
                ("score", shown.score),
                ("net", shown.value),
                ("radius", shown.radius),
                ("lead", shown.lead),
            ):
                assert same(mine[name], figure), (n, path, name, mine, shown)
            assert same(mine["s"], 0.0 if math.isnan(shown.s) else shown.s)
            assert (mine["proof"], mine["distance"]) == (shown.proof, shown.distance)
            assert mine["chosen"] == (shown.action == view.next_action), (n, path, mine, shown)
            assert mine["best"] == (shown.action == view.best_action)
            figures += 1
        choice = view.choice
        written = NAMED[view.rule].written(search.settings.c_form, choice.due >= 0)
        assert answer["formula"] == in_letters(written, search.settings.c_form)
        for name, figure in (
            ("total", choice.total),
            ("c", choice.c),
            ("unvisited", choice.unvisited),
            ("logTotal", choice.log_total),
            ("scale", choice.scale),
            ("logMass", choice.log_mass),
            ("due", choice.due),
        ):
            mine, theirs = number(answer["terms"][name]), float(figure)
            assert mine == pytest.approx(theirs, rel=1e-14, nan_ok=True), (n, path, name)
    return figures


@pytest.mark.parametrize("case", slow_but(QUICK, CASES), ids=lambda case: f"{case[0]}-{case[2]}")
def test_every_moment_is_the_programs(case, tmp_path: Path) -> None:
    search = a_search(*case)
    questions = questions_of(search, 200)
    said = ask_node(page_data(saved(search)), questions, tmp_path)
    assert compare(search, questions, said) >= 250


@pytest.mark.parametrize("case", slow_but(QUICK, CASES), ids=lambda case: f"{case[0]}-{case[2]}")
def test_pieces_of_a_search_that_goes_on_add_up_to_it(case, tmp_path: Path) -> None:
    name, moves, rule, evaluator, simulations, settings = case
    search = a_search(name, moves, rule, evaluator, 1, settings)
    records = [page_record(saved(search))]
    for part in (0.01, 0.3, 0.31, 1.0):
        search.run(Limit(simulations=max(1, round(part * simulations))))
        records.append(page_record(saved(search)))
    pieces = [piece(after, before) for before, after in pairwise(records)]
    assert len(pieces[2]) < len(pieces[3])
    questions = questions_of(search, 100)
    said = ask_node(packed(records[0]), questions, tmp_path, pieces)
    assert compare(search, questions, said) >= 100
    assert ask_node(packed(records[1]), questions, tmp_path, [piece(records[-1])])["answers"] == said["answers"]


def test_a_search_that_has_not_begun_grows_too(tmp_path: Path) -> None:
    game = load_game("connect4")
    search = Search(game.initial(), None, SearchSettings(selection="ucb1", max_batch=1))
    before = page_record(saved(search))
    search.run(Limit(simulations=50))
    said = ask_node(packed(before), [[50, []]], tmp_path, [piece(page_record(saved(search)), before)])
    assert compare(search, [[50, []]], said) >= 7


def test_every_rule_is_among_the_cases() -> None:
    assert {rule for _, _, rule, *_ in CASES} == set(RULES)


def test_passes_are_in_the_tree_of_othello() -> None:
    search = a_search(*CASES[4])
    assert (search.tree.action[: search.snapshot().counters.nodes] == search.game.passing).any()


@pytest.mark.parametrize("name", ["block", "win"])
def test_a_trace_of_another_program(name: str, tmp_path: Path) -> None:
    kept, _ = open_search(Path(str(files("resources"))) / "lessons" / f"{name}.trace")
    search = Search(kept.position, HashEvaluator(kept.position.game.num_actions), kept.settings)
    kept.resume(search)
    questions = questions_of(search, 100)
    said = ask_node(page_data(kept), questions, tmp_path)
    assert compare(search, questions, said, playouts=False) >= 100


def test_the_header_says_what_was_searched_and_no_path() -> None:
    game = load_game("othello")
    search = a_search("othello", "d3", "puct", HashEvaluator, 50)
    notes = [PageNote(ply, "", "x" * 15_000) for ply in range(60)] + [PageNote(60, "n" * 30_000, "last\ud800")]
    data = page_data(saved(search, "/home/someone/secret.onnx", 7), notes)
    header = header_of(data)
    assert (header["title"], header["words"]) == ("PUCT", [])
    assert header["position"]["cells"] == search.position.cells().ravel().tolist()
    assert header["position"]["moves"] == list(search.position.moves)
    assert header["names"] == list(game.action_names)
    assert header["evaluator"] == HashEvaluator.description
    assert "secret" not in str(header)
    assert header["notes"][-1]["comment"] == "last?"
    assert len(header["notes"][-1]["name"]) == MOST_TEXT
    assert 20 < len(header["notes"]) < 40


def test_a_game_without_a_board_has_texts(tmp_path: Path) -> None:
    pytest.importorskip("pyspiel")
    search = a_search("openspiel(mancala)", simulations=80)
    questions = [[80, []], [80, [search.best_action()]]]
    said = ask_node(page_data(saved(search)), questions, tmp_path)
    texts = [search.position.diagram(), search.position.play(search.best_action()).diagram()]
    assert [answer["text"] for answer in said["answers"]] == texts
    assert [answer["cells"] for answer in said["answers"]] == [None, None]


def test_a_search_that_no_page_can_show_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    search = saved(a_search("tictactoe", simulations=60))
    monkeypatch.setattr(page_data_module, "MOST_NODES", 10)
    with pytest.raises(ValueError, match=r"^a page holds at most 10 nodes, and this search has \d+$"):
        page_data(search)
    monkeypatch.setattr(page_data_module, "MOST_SIMULATIONS", 59)
    with pytest.raises(ValueError, match=r"^a page holds at most 59 simulations, and this search has 60$"):
        page_data(search)
    monkeypatch.undo()
    fewer = search.state.tree._replace(leaf=search.state.tree.leaf[:50], leaf_value=search.state.tree.leaf_value[:50])
    cut = dataclasses.replace(search, state=search.state._replace(tree=fewer))
    with pytest.raises(ValueError, match=r"^not every simulation of this search is recorded"):
        page_data(cut)


@pytest.mark.parametrize("moves", ["", "d3 c3"])
def test_after_the_root_moved_along_the_tree(moves: str, tmp_path: Path) -> None:
    """Down to a move, past it, and back up: simulations from above, below and beside the root."""
    search = a_search("gomoku(size=5)", moves, "puct", HashEvaluator, 200, {"threat_proofs": True, "prove": True})
    top, best = search.position, search.best_action()
    other = next(row.action for row in search.snapshot().moves if row.action != best and row.visits)
    reply = search.snapshot().pv[1]
    for position in (top.play(other), top, top.play(best), top.play(best).play(reply)):
        search.go_to(position)
        search.run(Limit(simulations=search.simulations + 60))
    search.go_to(top.play(best))
    search.run(Limit(simulations=search.simulations + 80))
    questions = questions_of(search, 150)
    said = ask_node(page_data(saved(search)), questions, tmp_path)
    assert compare(search, questions, said) >= 250


@pytest.mark.slow
def test_figures_in_a_browser_are_the_programs(tmp_path: Path) -> None:
    """More than a thousand, by the scripts of the page itself."""
    search = a_search(*CASES[1])
    questions = questions_of(search, 600)
    path = tmp_path / "search.html"
    path.write_bytes(search_page(saved(search)))
    data = "fromBase64(document.getElementById('search').textContent)"
    with open_browser(tmp_path) as tab:
        tab.open(path, "", "!document.getElementById('main').hidden")
        said = tab.value(f"(() => {{ {DRIVER}\nreturn answers({data}, {json.dumps(questions)}); }})()")
    assert compare(search, questions, said) >= 1000
