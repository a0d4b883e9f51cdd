"""Tests of KataGo's words in requests as KaTrain sends them: moves left out, rules, and which net answers."""

import pytest

from core.files.reading import BadFile, Fields
from core.games import load_game
from models.commands.serving import _net_of_other_rules
from models.engines import json_katago

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


def test_rules_as_other_programs_write_them() -> None:
    position = json_katago.read_positions(None, request(rules="new zealand", komi=7))[-1]
    assert position.game.params["rules"] == "new-zealand"


def test_the_net_of_the_usual_rules_answers_for_others(capsys: pytest.CaptureFixture[str]) -> None:
    found = _net_of_other_rules(load_game("go(size=9, rules=japanese)"))
    assert found is not None
    assert "that of go(size=9) plays it" in capsys.readouterr().err
    assert _net_of_other_rules(load_game("go(size=8, rules=japanese)")) is None
