"""Tests of KataGo's analysis protocol: as its client, as its engine, and both over one pipe."""

import io
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from core.engine.evaluator import Evaluator
from core.engine.search import Search
from core.games import GameSpec, load_game
from core.search import Limit, SearchSettings
from models.commands.serve import _figures
from models.engines import katago_client, process
from models.engines.engine import Engine, judged
from models.engines.json_server import JsonServer, Request
from models.engines.katago_client import query
from models.engines.opening import open_text
from models.engines.our_engine import Options, in_slices
from models.engines.process import EngineError

GO = load_game("go(size=9, rules=chinese, komi=6.5)")
FAKE = Path(__file__).parent / "fake_katago.py"
Start = Callable[..., Engine]


@pytest.fixture
def start() -> Iterator[Start]:
    engines = []

    def begin(kind: str, options: str = "", game: GameSpec = GO) -> Engine:
        engines.append(open_text(game, f"katago{options}:'{sys.executable}' '{FAKE}' {kind}"))
        return engines[-1]

    yield begin
    for one in engines:
        one.close()
        assert not one.process.running


def sent(one: Engine) -> list[dict[str, Any]]:
    return [json.loads(line.text) for line in one.process.dialogue if line.origin == "sent"]


def test_a_position_is_sent_with_its_rules_stones_and_moves() -> None:
    start = GO.position(
        "\n".join([". . . . . . . . ."] * 7 + [". O . . . . . . .", "X . . . . . . . ."]) + "\nO to move"
    )
    found = query(start.play(GO.parse_action("e5")).play(GO.parse_action("pass")))
    assert found["initialStones"] == [["W", "B2"], ["B", "A1"]]
    assert (found["initialPlayer"], found["moves"]) == ("W", [["W", "E5"], ["B", "pass"]])
    assert (found["boardXSize"], found["boardYSize"], found["komi"]) == (9, 9, 6.5)
    assert (found["rules"]["ko"], found["rules"]["scoring"]) == ("SIMPLE", "AREA")


def test_an_opinion_is_read_best_first(start: Start) -> None:
    fake = start("plays", ",visits=50")
    (opinion,) = fake.analysis(GO.position("e5"), 60.0)
    best, second = opinion.rows
    # The line of play ends at its first illegal move, the stone that is there already.
    assert [GO.action_name(action) for action in best.pv] == ["d4", "pass"]
    assert (best.visits, best.value, best.lead, best.prior) == (9, 0.5, 2.5, 0.5)
    assert (GO.action_name(second.action), second.value) == ("c3", pytest.approx(-0.2))
    assert sent(fake)[1]["maxVisits"] == 50
    assert sent(fake)[1]["overrideSettings"] == {"reportAnalysisWinratesAs": "SIDETOMOVE"}
    assert fake.move(GO.position("e5")) == GO.parse_action("d4")


def test_a_search_is_ended_when_it_should_stop_and_when_its_time_is_over(start: Start) -> None:
    fake = start("thinks")
    said = []
    for opinion in fake.analysis(GO.initial(), 60.0, lambda: bool(said)):
        said.append(opinion)
    assert len(said) == 1
    assert len(list(fake.analysis(GO.initial(), 0.0))) == 1  # the last answer, to its end
    assert [one["terminateId"] for one in sent(fake) if one.get("action") == "terminate"] == ["2", "4"]
    assert fake.score(GO.initial()) == ""


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("rude", "refuses the query: 'Could not parse rules'"),
        ("crashes", "ended: 'out of luck'"),
        ("empty", "named no move"),
    ],
)
def test_an_engine_that_misbehaves_is_named(start: Start, kind: str, sentence: str) -> None:
    fake = start(kind)
    with pytest.raises(EngineError, match=sentence):
        fake.move(GO.initial())


def test_an_engine_of_another_protocol_or_without_an_answer_is_not_used(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EngineError, match="to query_version, which is not KataGo's analysis protocol"):
        start("gtp")
    with pytest.raises(EngineError, match="gomoku cannot be played by KataGo's analysis engine; it needs a game of Go"):
        start("plays", game=load_game("gomoku"))
    monkeypatch.setattr(katago_client, "START_S", 0.3)
    monkeypatch.setattr(process, "END_S", 0.2)
    with pytest.raises(EngineError, match=r"gave no answer for 0\.3 s"):
        start("mute")


def test_figures_that_are_none_are_left_out(start: Start) -> None:
    (opinion,) = start("odd").analysis(GO.initial(), 60.0)
    (row,) = opinion.rows
    assert GO.action_name(row.action) == "e5"
    assert (row.visits, math.isnan(row.value), math.isnan(row.prior)) == (-1, True, True)


def test_a_game_is_judged_by_an_engine(start: Start) -> None:
    over = GO.position("e5 pass pass")
    positions = [GO.initial(), GO.position("e5"), over]
    found = dict(judged(start("plays"), positions, 60.0, lambda: False))
    assert list(found) == positions
    first = found[positions[0]]
    assert (first.best, first.best_value, first.visits) == ((GO.parse_action("d4"),), 0.5, 11)
    assert abs(found[over].lead) == 81 - 6.5
    assert not list(judged(start("plays"), positions, 60.0, lambda: True))


# As the engine.


def asked(game: str = "tictactoe", **fields: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The answers to a query, and the figures of our own that they say."""
    query = {"id": "q", "boardXSize": 3, "boardYSize": 3, "moves": [], "rules": "chinese", "maxVisits": 30, **fields}
    figures: list[dict[str, Any]] = []
    output = io.StringIO()

    def describe(search: Search, request: Request) -> dict[str, Any]:
        figures.append(_figures(search, request, 1))
        return figures[-1]

    def settings(evaluator: Evaluator | None, own: Mapping[str, Any]) -> SearchSettings:
        return SearchSettings(selection="ucb1", memory_mb=8)

    options = Options(Limit(simulations=20), SearchSettings(), seed=1)
    JsonServer(load_game(game), lambda _: None, settings, describe, options, output).run(
        io.StringIO(json.dumps(query) + "\n")
    )
    return [json.loads(line) for line in output.getvalue().splitlines()], figures


def test_a_query_of_katagos_words_is_answered_in_them() -> None:
    moves = [["B", "C3"], ["W", "C4"]]
    size = {"boardXSize": 5, "boardYSize": 4, "komi": 0.5}
    answers, figures = asked(
        "go(size=9)",
        **size,
        moves=moves,
        analyzeTurns=[1, 2],
        includePolicy=True,
        priorities=[1],
        includeOwnership=True,
    )  # which random games do not give
    assert {one["field"] for one in answers if "warning" in one} == {"priorities", "scoreLead"}
    found = [one for one in answers if "warning" not in one]
    assert [one["turnNumber"] for one in found] == [1, 2]
    answer, expected = found[0], figures[0]
    assert expected["game"] == "go(rows=4, cols=5, rules=chinese, komi=0.5)"
    rows = {row["name"]: row for row in expected["moves"] if row["visits"]}
    assert {info["move"].lower(): info["visits"] for info in answer["moveInfos"]} == {
        name: row["visits"] for name, row in rows.items()
    }
    best = answer["moveInfos"][0]
    assert best["move"].lower() == expected["best"]["name"]
    # White is to move, and the win rates are Black's.
    assert best["winrate"] == pytest.approx((1 - rows[best["move"].lower()]["q"]) / 2)
    assert answer["rootInfo"]["currentPlayer"] == "W"
    assert answer["rootInfo"]["winrate"] == pytest.approx((1 - expected["value"]) / 2)
    assert len(answer["policy"]) == 21


def test_a_board_of_another_game_is_asked_in_katagos_words_too() -> None:
    view = {"reportAnalysisWinratesAs": "SIDETOMOVE"}
    (warning, answer), (figures,) = asked(moves=[["B", "B2"], ["W", "A1"]], overrideSettings=view)
    assert warning["field"] == "scoreLead"  # which random games do not give
    assert answer["turnNumber"] == 2
    assert answer["rootInfo"]["winrate"] == pytest.approx((1 + figures["value"]) / 2)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"boardXSize": 0}, "boardXSize is 0; it must be a whole number from 1 to"),
        ({"boardXSize": 4}, "unacceptable size"),
        ({"moves": [["B"]]}, "moves has ['B']; it must be a list as in"),
        ({"moves": [["X", "A1"]]}, "moves has ['X', 'A1']"),
        ({"moves": None}, "moves is missing"),
        ({"moves": [["B", "Q99"]]}, "invalid coordinate 'Q99'"),
        ({"initialPlayer": "green"}, "initialPlayer is 'green'; it must be b or w"),
        ({"initialStones": [["B", "A1"], ["W", "A1"]]}, "a point is named twice"),
        ({"analyzeTurns": [1]}, "analyzeTurns is 1; it must be a whole number from 0 to 0"),
        ({"maxVisits": 0}, "maxVisits is 0"),
        ({"overrideSettings": 3}, "overrideSettings is 3"),
        ({"overrideSettings": {"reportAnalysisWinratesAs": "us"}}, "it must be BLACK, WHITE or SIDETOMOVE"),
    ],
)
def test_a_bad_query_is_refused(fields: dict[str, Any], sentence: str) -> None:
    (answer,), _ = asked(**fields)
    assert sentence in answer["error"]


def test_client_and_server_understand_each_other() -> None:
    game = load_game("go(size=5)")
    command = f"'{sys.executable}' -m gui.app serve --net uniform --simulations 30"
    engine = open_text(game, f"katago:{command}")
    try:
        opinion = list(engine.analysis(game.position("c3"), 60.0))[-1]
        assert sum(row.visits for row in opinion.rows) == 29
        assert engine.move(game.position("c3 pass")) in game.position("c3 pass").legal_actions()
    finally:
        engine.close()


def test_a_search_in_slices_reaches_its_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.engines.our_engine.SLICE_S", 1e-4)
    search = Search(load_game("connect4").initial(), None, SearchSettings(selection="ucb1"))
    slices = sum(1 for _ in in_slices(search, Limit(simulations=3000), lambda: False))
    assert search.simulations == 3000
    assert slices > 1
