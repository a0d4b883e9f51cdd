"""The boards of a run as its setting lists them, and what is refused."""

import pytest

from models.runs.config import TrainConfig, named, problems
from models.runs.game_conflicts import played_sizes

GO = "go(size=9, komi=7)"
POOLED = {"game": GO, "inputs": "points", "heads": "pooled", "iterations": 1}


@pytest.mark.parametrize(
    ("sizes", "games", "shares"),
    [
        ("", [GO], [1.0]),
        ("9", [GO], [1.0]),
        ("7, 9", [GO, "go(size=7, komi=7)"], [0.5, 0.5]),
        ("9,7 komi 9", [GO, "go(size=7, komi=9)"], [0.5, 0.5]),
        ("7x9 share 1,9 Komi 7 share 3", [GO, "go(rows=7, cols=9, komi=7)"], [0.75, 0.25]),
        ("5 komi 24.5, 9 share 2, 7", [GO, "go(size=5, komi=24.5)", "go(size=7, komi=7)"], [0.5, 0.25, 0.25]),
    ],
)
def test_the_boards_of_a_run(sizes: str, games: list[str], shares: list[float]) -> None:
    found = played_sizes(GO, sizes)
    assert [one.game for one in found] == games
    assert [one.share for one in found] == pytest.approx(shares)
    assert problems(named({**POOLED, "sizes": sizes})) == {}


def test_the_rules_of_the_game_are_kept() -> None:
    game = "go(size=5, rules=chinese, komi=9, suicide=yes)"
    assert [one.game for one in played_sizes(game, "4,5")] == [game, game.replace("size=5", "size=4")]


@pytest.mark.parametrize(
    ("sizes", "why"),
    [
        ("7", "it must list the board of go(size=9, komi=7) as well"),
        ("9, 7, 7", "it lists 7×7 twice"),
        ("9, 25", "cannot load the game 'go(size=25, komi=7)': size is '25'; it must be a whole number from 2 to 19"),
        ("9 komi 8, 7", "the komi of go(size=9, komi=7) is a part of the game"),
        ("9, 7 share 0", "a share is 0, and a board that is not played must be left out"),
        ("9 and 7", "it must be a list as in 7, 9 or in 7 komi 9 share 1, 9 share 3"),
        (",".join(map(str, range(2, 40))), "it lists 38 boards, and at most 32 are allowed"),
    ],
)
def test_what_is_no_list_of_boards(sizes: str, why: str) -> None:
    (message,) = problems(named({**POOLED, "sizes": sizes})).values()
    assert message.startswith("sizes is '")
    assert message.endswith(f"; {why}")


@pytest.mark.parametrize("other", [{"heads": "dense"}, {"inputs": "board"}, {"game": "gomoku", "inputs": "board"}])
def test_nets_for_one_size_alone(other: dict[str, str]) -> None:
    wrong = problems(named({**POOLED, **other, "sizes": "7, 9"}))
    sentence = "sizes is '7, 9'; only nets with inputs 'points' and heads 'pooled' take boards of several sizes"
    assert wrong == {"self_play.sizes": sentence}


def test_a_game_without_points() -> None:
    wrong = problems(named({**POOLED, "game": "gomoku", "sizes": "9, 15"}))
    assert wrong["self_play.sizes"] == "sizes is '9, 15'; gomoku has no points, so its nets are for one size alone"


def test_a_run_of_old_has_no_sizes() -> None:
    values = TrainConfig.of(game=GO, iterations=1).to_dict()
    del values["self_play.sizes"]
    assert TrainConfig.from_dict(values).self_play.sizes == ""
