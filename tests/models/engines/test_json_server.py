"""The server of JSON lines: requests in its own words and in KataGo's."""

import io
import json
import random
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import Any

import pytest

from core.engine.evaluator import Evaluator
from core.engine.search import Search
from core.files.reading import BadFile, Fields
from core.games import GameSpec, load_game
from core.search import Limit, SearchSettings
from models.commands.program import main
from models.commands.serving import _net_of_other_rules
from models.engines import json_katago
from models.engines.json_server import JsonServer, Request
from models.engines.our_engine import Options

ENDLESS = "gomoku(size=9)"  # no search of seconds proves it


def _load(game: GameSpec) -> Evaluator | None:
    if game.gravity:
        raise ValueError("no such net")
    return None


def _settings(evaluator: Evaluator | None, own: Mapping[str, Any]) -> SearchSettings:
    return SearchSettings(**{"selection": "ucb1", "memory_mb": 8, **own})


def _describe(search: Search, request: Request) -> dict[str, Any]:
    if request.id == "broken":
        raise KeyError("describe")
    best = search.best_action()
    return {"best": search.position.game.action_names[best] if best >= 0 else "", "simulations": search.simulations}


def serve(*requests: object, parallel: int = 1, game: str | None = "tictactoe") -> list[dict[str, Any]]:
    lines = [one if isinstance(one, str) else json.dumps(one) for one in requests]
    output = io.StringIO()
    options = Options(Limit(simulations=20), SearchSettings(), seed=1, version="1.2")
    spec = None if game is None else load_game(game)
    server = JsonServer(spec, _load, _settings, _describe, options, output, parallel)
    server.run(io.StringIO("".join(line + "\n" for line in lines)))
    return [json.loads(line) for line in output.getvalue().splitlines()]


def test_each_turn_of_a_request_is_answered() -> None:
    found = serve({"id": "a", "moves": "a1 b1 a2 b2", "turns": [0, 4, 2], "simulations": 60})
    assert [one["turn"] for one in found] == [0, 4, 2]
    assert all((one["id"], one["isDuringSearch"]) == ("a", False) for one in found)
    assert found[1]["best"] == "a3"
    assert found[0]["simulations"] == 60


def test_requests_of_a_higher_priority_come_first() -> None:
    # The first search waits for the lines after it, which are read meanwhile.
    requests = [{"id": name, "priority": priority} for name, priority in (("low", -1), ("a", 0), ("high", 5), ("b", 0))]
    first = {"id": "first", "game": ENDLESS, "seconds": 600, "priority": 9}
    found = serve(first, *requests, {"id": "end", "action": "terminate", "terminateId": "first"})
    assert [one["id"] for one in found] == ["end", "first", "high", "a", "b", "low"]
    assert found[0]["ended"] == 1
    assert found[1]["terminated"] is True


def test_all_searches_are_ended() -> None:
    requests = [{"id": str(i), "game": ENDLESS, "seconds": 600} for i in range(5)]
    found = serve(*requests, {"id": "end", "action": "terminate_all"}, parallel=2)
    assert next(one["ended"] for one in found if one["id"] == "end") == 5
    assert sorted(one["id"] for one in found) == ["0", "1", "2", "3", "4", "end"]


def test_reports_come_during_a_search() -> None:
    came = threading.Event()

    class Output(io.StringIO):
        def write(self, text: str) -> int:
            if '"isDuringSearch": true' in text:
                came.set()
            return super().write(text)

    class Source(io.StringIO):
        def readline(self, size: int = -1) -> str:  # type: ignore[override]
            line = super().readline(size)
            if "terminate" in line:
                assert came.wait(60.0)
            return line

    output = Output()
    options = Options(Limit(simulations=20), SearchSettings(), seed=1)
    server = JsonServer(load_game(ENDLESS), _load, _settings, _describe, options, output)
    server.run(Source('{"id":"a","seconds":600,"reportEvery":0.05}\n{"id":"t","action":"terminate_all"}\n'))
    found = [json.loads(line) for line in output.getvalue().splitlines()]
    assert found[0]["isDuringSearch"] is True
    assert found[-1]["terminated"] is True


@pytest.mark.slow
def test_the_figures_are_those_of_analyze(capsys: pytest.CaptureFixture[str]) -> None:
    request = {"id": "x", "moves": ["d", "d"], "simulations": 64, "includePolicy": True, "tree": {"depth": 1}}
    done = subprocess.run(
        [sys.executable, "-m", "gui.app", "serve", "connect4", "--seed", "3", "--max-batch", "1"],
        input=json.dumps(request) + "\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    answer = json.loads(done.stdout)
    words = ["analyze", "connect4", "d d", "--simulations", "64", "--seed", "3", "--max-batch", "1", "--json"]
    assert main(words) == 0
    expected = json.loads(capsys.readouterr().out)
    for name in ("simulations", "value", "best", "pv", "moves", "evaluator"):
        assert answer[name] == expected[name], name
    assert answer["policy"] == {row["name"]: row["prior"] for row in expected["moves"]}
    children = answer["tree"]["children"]
    assert {one["name"]: one["visits"] for one in children} == {
        row["name"]: row["visits"] for row in expected["moves"] if row["visits"]
    }
    assert not any(one["children"] for one in children)


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ("[1]", "a request is [1]; it must be an object"),
        ("{", "it is not JSON"),
        ({}, "id is missing"),
        ({"id": "a", "foo": 1}, "'foo' is unknown; a request has id, action"),
        ({"id": "a", "action": "stop"}, "'stop' is no action"),
        ({"id": "a", "game": "chess"}, "cannot load the game 'chess'"),
        ({"id": "a", "game": "connect4"}, "no such net"),
        ({"id": "a", "moves": "a1 a1"}, "the place is taken"),
        ({"id": "a", "moves": [1]}, "moves has 1; it must be a list of moves"),
        ({"id": "a", "position": "x x x"}, "unknown move 'x'"),
        ({"id": "a", "turns": [1]}, "turns is 1; it must be a whole number from 0 to 0"),
        ({"id": "a", "turns": []}, "turns has 0 numbers; it must have 1 to 1000"),
        ({"id": "a", "simulations": 0}, "simulations is 0; it must be a whole number from 1 to"),
        ({"id": "a", "settings": {"speed": 1}}, "'speed' is no search setting"),
        ({"id": "a", "settings": {"c_puct": -1}}, "c_puct is -1"),
        ({"id": "a", "settings": {"c_puct": [1]}}, "the setting c_puct is [1]"),
        ({"id": "a", "only": ["z9"]}, "unknown move 'z9'"),
        ({"id": "a", "tree": {"depth": -1}}, "depth is -1"),
        ({"id": "a", "reportEvery": 0}, "reportEvery is 0"),
        ("x" * (1 << 20), "it has more than 1048576 characters"),
    ],
)
def test_a_bad_request_is_answered_with_a_sentence(request_: object, sentence: str) -> None:
    found = serve(request_, {"id": "good"})
    errors = [one for one in found if "error" in one]
    assert len(errors) == 1
    assert sentence in errors[0]["error"]
    assert len(errors[0]["error"]) < 900
    assert any(one.get("id") == "good" and "best" in one for one in found)


def test_an_error_of_ours_ends_no_other_request(capsys: pytest.CaptureFixture[str]) -> None:
    found = serve({"id": "broken"}, {"id": "good"})
    assert found[0]["error"] == "an error of the program, which is printed on standard error: KeyError"
    assert found[1]["best"]
    assert "KeyError: 'describe'" in capsys.readouterr().err


def test_random_requests_are_answered() -> None:
    rng = random.Random(2)
    keys = ["id", "action", "game", "moves", "turns", "simulations", "seconds", "only", "settings", "tree", "priority"]
    values = ["a", "a1 b2", "tictactoe", 3, -1, 0.01, None, True, [], ["a1"], [0, 1], {}, {"depth": 2}, {"c_ucb": 1}]
    values += ["terminate", "query_version", "nim", 1e308, {"selection": "flat"}, {"memory_mb": "x"}, {"prove": 3}]
    requests = []
    for _ in range(1500):
        one = {"id": "r"} if rng.random() < 0.8 else {}
        requests.append({**one, **{rng.choice(keys): rng.choice(values) for _ in range(rng.randint(0, 3))}})
        if requests[-1].get("seconds") == 3:
            requests[-1]["seconds"] = 0.01
    found = serve(*requests, parallel=2)
    assert len(found) >= len(requests)
    assert sum("best" in one for one in found) > 100
    assert sum("error" in one for one in found) > 100


def test_options_that_do_not_go_with_serving(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--only", "a1"]) == 2
    assert main(["serve", "--parallel", "0"]) == 2
    assert "--parallel is 0; it must be a whole number from 1 to 64" in capsys.readouterr().err


GO = load_game("go(size=3)")


def request(**values: object) -> Fields:
    return Fields({"id": "1", "boardXSize": 3, "boardYSize": 3, "moves": [["B", "B2"]], **values}, "a request")


def limit(player: str, *moves: str, depth: int = 1) -> dict[str, object]:
    return {"player": player, "moves": list(moves), "untilDepth": depth}


def only(*positions: str, **values: object) -> list[str]:
    position = GO.position(" ".join(positions))
    return [GO.action_name(action) for action in json_katago.read_only(request(**values), position)]


def test_moves_are_left_out_for_the_side_to_move() -> None:
    assert only() == []
    avoided = [limit("W", "A1", "A2", "A3", "C1", "C2"), limit("B", "C3")]
    assert only("b2", avoidMoves=avoided) == ["b3", "c3", "b1", "pass"]
    assert only("b2", avoidMoves=[limit("B", "C3")]) == []
    assert only(allowMoves=[limit("b", "C3", "pass")]) == ["c3", "pass"]


def test_a_request_that_leaves_no_move_is_refused() -> None:
    with pytest.raises(BadFile, match="avoidMoves and allowMoves leave no move after move 0"):
        only(allowMoves=[limit("b", "C3")], avoidMoves=[limit("b", "C3")])


def test_what_is_not_followed_is_named() -> None:
    asked = request(avoidMoves=[limit("W", "A1", depth=3)], humanSLProfile="rank_1k", overrideSettings={"pda": 1})
    assert json_katago.not_followed(asked) == [
        ("humanSLProfile", "it is not followed"),
        ("overrideSettings.pda", "it is not followed"),
        ("avoidMoves", "it is followed for the first move alone"),
    ]


def test_the_net_of_the_usual_rules_answers_for_others(capsys: pytest.CaptureFixture[str]) -> None:
    found = _net_of_other_rules(load_game("go(size=9, rules=japanese)"))
    assert found is not None
    assert "that of go(size=9) plays it" in capsys.readouterr().err
    assert _net_of_other_rules(load_game("go(size=8, rules=japanese)")) is None
