"""Rules and parameters under GTP, in KataGo's form."""

import json

import pytest

from core.games import GAMES, load_game
from core.games.go_rule_sets import RULES
from models.engines.our_engine import NAMES
from tests.models.engines.gtp_dialogue import GO, OPTIONS, talk


def rules_after(*lines: str) -> dict[str, object]:
    """What kata-get-rules says after some commands, all of which succeed."""
    *answers, last = talk(*lines, "kata-get-rules")
    assert answers == ["="] * len(lines)
    found = json.loads(last.removeprefix("= "))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("name", "ko", "scoring", "suicide", "tax", "button", "bonus"),
    [
        ("tromp-taylor", "POSITIONAL", "AREA", True, "NONE", False, "0"),
        ("chinese", "SIMPLE", "AREA", False, "NONE", False, "N"),
        ("chinese-ogs", "POSITIONAL", "AREA", False, "NONE", False, "N"),
        ("chinese-kgs", "POSITIONAL", "AREA", False, "NONE", False, "N"),
        ("japanese", "SIMPLE", "TERRITORY", False, "SEKI", False, "0"),
        ("Korean", "SIMPLE", "TERRITORY", False, "SEKI", False, "0"),
        ("stone-scoring", "SIMPLE", "AREA", False, "ALL", False, "0"),
        ("aga", "SITUATIONAL", "AREA", False, "NONE", False, "N-1"),
        ("bga", "SITUATIONAL", "AREA", False, "NONE", False, "N-1"),
        ("new_zealand", "SITUATIONAL", "AREA", True, "NONE", False, "0"),
        ("aga-button", "SITUATIONAL", "AREA", False, "NONE", True, "N-1"),
    ],
)
def test_names_of_rules_are_katagos(
    name: str, ko: str, scoring: str, suicide: bool, tax: str, button: bool, bonus: str
) -> None:
    found = rules_after("kata-set-rules japanese", f"kata-set-rules {name}")
    friendly = found.pop("friendlyPassOk")
    assert friendly == (bonus != "0" or name == "new_zealand")
    assert found == {
        "ko": ko,
        "scoring": scoring,
        "suicide": suicide,
        "tax": tax,
        "hasButton": button,
        "whiteHandicapBonus": bonus,
    }


@pytest.mark.parametrize("name", RULES)
def test_rules_that_are_told_are_taken_again(name: str) -> None:
    said = rules_after(f"kata-set-rules {name}")
    assert rules_after("kata-set-rules aga-button", f"kata-set-rules {json.dumps(said)}") == said


def test_fields_may_be_missing_and_komi_and_stones_stay() -> None:
    answers = talk(
        "play b c3", 'kata-set-rules {"ko": "SIMPLE", "komi": 7.5}', "get_komi", "kata-get-rules", "showboard"
    )
    assert answers[1:3] == ["=", "= 0.5"]
    assert json.loads(answers[3].removeprefix("= "))["ko"] == "SIMPLE"
    assert "X" in answers[4]


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("ko simple", "ko", "SIMPLE"),
        ("suicide false", "suicide", False),
        ("tax ALL", "tax", "ALL"),
        ("hasButton true", "hasButton", True),
        ("whiteHandicapBonus N", "whiteHandicapBonus", "N"),
        ("friendlyPassOk true", "friendlyPassOk", True),
    ],
)
def test_one_rule_is_changed(line: str, field: str, value: object) -> None:
    begin = "kata-set-rules aga" if field == "whiteHandicapBonus" else "kata-set-rules tromp-taylor"
    before = rules_after(begin)
    assert rules_after(begin, f"kata-set-rule {line}") == {**before, field: value}


def test_the_tax_goes_with_the_scoring() -> None:
    assert rules_after("kata-set-rule scoring TERRITORY")["tax"] == "SEKI"
    assert rules_after("kata-set-rules japanese", "kata-set-rule scoring AREA")["tax"] == "NONE"
    assert rules_after("kgs-rules chinese")["ko"] == "POSITIONAL"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("kata-set-rules", "the rules is missing"),
        ("kata-set-rules house", "'house' are not known"),
        ("kata-set-rules {", "it is not JSON"),
        ('kata-set-rules {"colour": 1}', "no field 'colour'"),
        ('kata-set-rules {"ko": ["SIMPLE"]}', "it must be one of SIMPLE, POSITIONAL, SITUATIONAL"),
        ('kata-set-rules {"suicide": 1}', "it must be one of true, false"),
        ('kata-set-rules {"scoring": "TERRITORY", "whiteHandicapBonus": "N"}', "no rules here have"),
        ('kata-set-rules {"scoring": "TERRITORY", "hasButton": true}', "the button goes with"),
        ("kata-set-rule ko", "the value is missing"),
        ("kata-set-rule suicide maybe", "it must be one of true, false"),
    ],
)
def test_rules_that_there_are_not_change_nothing(line: str, words: str) -> None:
    answers = talk(line, "kata-get-rules")
    assert answers[0].startswith("? ")
    assert words in answers[0]
    assert answers[1] == talk("kata-get-rules")[0]


def test_games_without_such_rules_say_so() -> None:
    answers = talk("kata-get-rules", "kata-set-rules japanese", "kata-set-rule ko SIMPLE", game="othello")
    assert answers == ["? othello has no rules to name"] * 3
    assert load_game(GO.text).rule_names is not None
    assert len(GAMES) > 1


# parameters


def test_parameters_are_listed_read_and_set() -> None:
    names = talk("kata-list-params")[0].removeprefix("= ").split()
    assert names == list(NAMES)
    found = json.loads(talk("kata-get-params")[0].removeprefix("= "))
    assert list(found) == names
    assert (found["maxVisits"], found["resignThreshold"], found["c_puct"]) == ("60", "-1", "1.5")
    assert talk("kata-set-param cpuctExploration 1.1", "kata-get-param c_puct") == ["=", "= 1.1"]
    assert talk("kata-set-param root_symmetries true", "kata-get-param root_symmetries") == ["=", "= true"]
    assert talk("kata-set-param fpu absolute", "kata-get-param fpu")[1] in ("= absolute", "= parent", "= reduction")
    assert talk("kata-set-param maxTime 2.5", "kata-get-param maxTime") == ["=", "= 2.5"]
    for name, value in (("resignThreshold", "-0.9"), ("resignMinScoreDifference", "10"), ("resignConsecTurns", "3")):
        assert talk(f"kata-set-param {name} {value}", f"kata-get-param {name}") == ["=", f"= {value}"]


def test_a_parameter_changes_the_next_search() -> None:
    answer = talk("kata-set-param maxVisits 20", "lz-genmove_analyze b 1000")[1]
    last = answer.splitlines()[-2]
    visits = sum(int(words.split()[0]) for words in last.split(" visits ")[1:])
    assert visits in (19, 20)
    assert OPTIONS.limit.simulations == 60
    assert talk("genmove b", "clear_cache", "genmove w")[1] == "="


@pytest.mark.parametrize(
    "line",
    [
        "kata-get-param",
        "kata-get-param analysisWideRootNoise",
        "kata-set-param maxVisits",
        "kata-set-param maxVisits 0",
        "kata-set-param resignThreshold 0.5",
        "kata-set-param resignConsecTurns 0",
        "kata-set-param c_puct -1",
        "kata-set-param selection best",
        f"kata-set-param threads {'9' * 400}",
    ],
)
def test_other_parameters_and_values_are_refused(line: str) -> None:
    answers = talk(line, "kata-get-params")
    assert answers[0].startswith("? ")
    assert answers[1] == talk("kata-get-params")[0]
