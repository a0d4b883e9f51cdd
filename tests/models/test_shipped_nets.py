"""The shipped nets: their cards match the files."""

import json

import pytest

from core.games import load_game
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.net_file import read_net_info
from models.netfiles.shipped import default_net, nets_dir
from tests.core import exact
from tests.core.search.fakes import run_search

SHIPPED = [
    "tictactoe", "connect4", "connect4(rows=7, cols=8)", "othello", "othello(size=6)", "gomoku", "gomoku(size=9)",
    "gomoku(rule=renju)", "connectn(rows=8, cols=8, k=5)",
]  # fmt: skip


@pytest.mark.parametrize("name", SHIPPED)
def test_each_game_has_a_small_net_with_a_card(name):
    game = load_game(name)
    path = default_net(game)
    assert path.stat().st_size < 2_000_000
    card = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    info = read_net_info(path)
    assert (card["game"], card["step"]) == (info.game, info.step)
    sizes = ("blocks", "channels")
    settings = {key.removeprefix("net."): value for key, value in card["settings"].items()}  # without tables earlier
    assert [settings[name] for name in sizes] == [info.config[name] for name in sizes]
    assert card["strength"]
    assert all(set(entry) == {"measured", "result", "how"} for entry in card["strength"])


def test_every_net_has_a_card():
    assert {path.stem for path in nets_dir().glob("*.onnx")} == {path.stem for path in nets_dir().glob("*.json")}


@pytest.fixture(scope="module")
def tictactoe():
    game = load_game("tictactoe")
    path = default_net(game)
    assert path is not None
    return OnnxEvaluator(path, game, device="cpu")


@pytest.mark.slow
@pytest.mark.parametrize("prove", [True, False])
def test_the_tictactoe_net_keeps_every_value_with_100_simulations(tictactoe, prove):
    for position in exact.unfinished_classes():
        search = run_search(position, tictactoe, 100, prove=prove, memory_mb=2)
        assert exact.keeps_value(position, search.best_action()), position.diagram()


def test_the_tictactoe_net_plays_the_win_with_q_1(tictactoe):
    search = run_search(load_game("tictactoe").position("0 3 1 4"), tictactoe, 100, memory_mb=2)
    snapshot = search.snapshot()
    assert snapshot.best == 2
    assert next(m.q for m in snapshot.moves if m.action == 2) == 1.0


@pytest.mark.parametrize(
    ("moves", "answers"),
    [
        ("d a d b d", {"d"}),  # four in a column is threatened
        ("c c d d e a", {"b", "f"}),  # a win at once
        ("a c b d g e", {"f"}),  # a row with one open end must be blocked
    ],
)
def test_the_connect4_net_sees_wins_and_threats(moves, answers):
    game = load_game("connect4")
    path = default_net(game)
    assert path is not None
    search = run_search(game.position(moves), OnnxEvaluator(path, game, device="cpu"), 50, memory_mb=4)
    assert game.action_name(search.best_action()) in answers
