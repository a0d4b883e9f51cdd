"""``plyscope analyze`` with hesitations, explanations and exact results: the JSON and the lines of one search."""

import json

import pytest

from models.commands import program

WORDS = ("analyze", "tictactoe", "a3", "--net", "rollouts", "--simulations", "2000", "--why", "b3", "--exact")


def run(capsys, *words):
    code = program.main(list(words))
    done = capsys.readouterr()
    return code, done.out, done.err


def test_the_json_has_what_the_lines_say(capsys):
    code, out, _ = run(capsys, *WORDS, "--json")
    assert code == 0
    data = json.loads(out)
    moves = {row["name"]: row for row in data["moves"]}
    why, truth, exact = data["why"], data["truth"], data["exact"]
    assert why["move"] == "b3"
    assert why["line"][0]["visits"] == moves["b3"]["visits"]
    assert why["best_line"][0]["name"] == why["best"] == data["best"]["name"]
    assert why["sentences"][0]["figures"]["visits"] == {"value": moves["b3"]["visits"], "node": [1]}
    assert (exact["value"], exact["moves"]["b2"]["value"]) == (0, 0)
    assert set(truth["wrong_moves"]) == {name for name, move in exact["moves"].items() if move["value"] < 0}
    visited = sum(row["visits"] for row in data["moves"])
    on_wrong = sum(moves[name]["visits"] for name in truth["wrong_moves"])
    assert truth["visits_on_wrong_moves"][-1] == pytest.approx(on_wrong / visited)
    assert truth["prior_on_wrong_moves"] is None
    _, printed, _ = run(capsys, *WORDS)
    for sentence in (*why["sentences"], truth["sentence"], *truth["wrong"]):
        assert f"  {sentence['text']}" in printed.splitlines()
    for turn in data["turns"]:
        assert 0 < turn["begun"] <= turn["simulation"] <= 2000


def test_bad_requests(capsys):
    assert run(capsys, "analyze", "tictactoe", "--why", "z9", "--simulations", "5")[0] != 0
    assert "z9" in run(capsys, "analyze", "tictactoe", "--why", "z9", "--simulations", "5")[2]
    code, _, err = run(capsys, "analyze", "gomoku(size=9)", "--simulations", "5", "--net", "uniform", "--exact")
    assert code != 0
    assert "solv" in err
    code, out, _ = run(capsys, "analyze", "tictactoe", "a1 b1 a2 b2 a3", "--json")
    assert code == 0
    assert json.loads(out)["turns"] == []
