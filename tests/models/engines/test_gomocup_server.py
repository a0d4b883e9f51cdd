"""Tests of what we answer under a Gomocup manager: moves, boards, rules, time, and bad or random lines."""

import io
import random

import pytest

from core.engine.evaluator import Evaluator
from core.games import GameSpec, load_game
from core.search import Limit, SearchSettings
from models.commands.program import main
from models.engines.gomocup_server import GomocupServer
from models.engines.our_engine import Options
from models.engines.process import EngineError

SETTINGS = SearchSettings(selection="ucb1", memory_mb=8)


def answers(*lines: str, limit: Limit = Limit(simulations=20), game: str = "gomoku(size=9)") -> list[str]:  # noqa: B008
    output = io.StringIO()
    options = Options(limit, SETTINGS, seed=1, version="1.2")
    GomocupServer(load_game(game), _load, options, output).run(io.StringIO("\r\n".join(lines) + "\r\n"))
    return output.getvalue().splitlines()


def _load(game: GameSpec) -> Evaluator | None:
    if game.shape[0] > 15:
        raise ValueError(f"no net for {game.text}")
    return None


def is_point(text: str, size: int) -> bool:
    x, _, y = text.partition(",")
    return x.isdigit() and y.isdigit() and int(x) < size and int(y) < size


def test_a_game_is_played() -> None:
    found = answers("START 7", "INFO timeout_match 1000", "BEGIN", "TURN 0,0", "ABOUT", "END", "START 9")
    assert found[0] == "OK"
    assert all(is_point(one, 7) for one in found[1:3])
    assert found[3] == 'name="Plyscope", version="1.2", author="Plyscope"'
    assert len(found) == 4


def test_five_in_a_row_is_completed() -> None:
    row = [f"{x},4,1" for x in range(1, 5)] + [f"{x},8,2" for x in range(4)]
    by_turns = [line for pair in zip(row[:4], row[4:], strict=True) for line in pair]
    for stones in (row, by_turns):
        found = answers("START 9", "BOARD", *stones, "DONE", limit=Limit(simulations=400))
        assert found[1] in ("0,4", "5,4")


def test_a_move_is_taken_back() -> None:
    found = answers("START 7", "PLAY 3,3", "TAKEBACK 3,3", "TAKEBACK 3,3", "TURN 3,3")
    assert found[:3] == ["OK", "3,3", "OK"]
    assert found[3] == "ERROR '3,3' is not the last move"
    assert is_point(found[4], 7)


def test_the_rule_is_the_managers() -> None:
    # Black makes two fours at once by 4,4: a foul in Renju, else a move like others.
    black = ["1,4", "2,4", "3,4", "4,1", "4,2", "4,3"]
    white = ["8,8", "8,6", "6,8", "6,0", "0,8", "8,0"]
    plays = [f"PLAY {cell}" for pair in zip(black, white, strict=True) for cell in pair]
    for rule in (0, 1, 4):
        found = answers("START 9", f"INFO rule {rule}", *plays, "PLAY 4,4")
        assert len(found) == 14
        assert ("is not legal" in found[-1]) == (rule == 4)
    assert answers("START 9", "INFO rule 7") == ["OK", "ERROR rule 7 is not played; the rules are 0, 1, 4"]
    found = answers("START 9", "TURN 1,1", "INFO rule 1")
    assert found[2] == "ERROR the rule cannot change during a game"


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["TURN 1,1"], "no game has begun"),
        (["BEGIN"], "no game has begun"),
        (["START"], "'' is no size of a board"),
        (["START -5"], "'-5' is no size of a board"),
        (["START 3"], "size is '3'; it must be"),
        (["START 19"], "no net for gomoku(size=19)"),
        (["RECTSTART 7,8"], "only square boards are played"),
        (["START 9", "TURN 9,0"], "'9,0' is no point of the board"),
        (["START 9", "PLAY 4,4", "TURN 4,4"], "the place is taken"),
        (["START 9", "BOARD", "1,1,3", "DONE"], "'1,1,3' is no stone; it must be x,y,1 or x,y,2"),
        (["START 9", "BOARD", "1,1,1", "1,1,2", "DONE"], "a point is named twice"),
        (["START 9", "BOARD", "1,1,1", "DONE"], "1 stones of the side to move and 0 of the other"),
        (["START 9", "BOARD", *["1,1,1"] * 90, "DONE"], "more stones than points"),
        (["START 9", "BOARD", *[f"{x},0,2" for x in range(5)], *[f"{x},8,1" for x in range(4)]], "the game is over"),
    ],
)
def test_what_cannot_be_done_is_an_error(lines: list[str], sentence: str) -> None:
    found = answers(*lines)
    assert found[-1].startswith("ERROR ")
    assert sentence in found[-1]


def test_unknown_commands_are_named_and_unknown_information_passed_over() -> None:
    assert answers("SWAP2BOARD", "", "INFO folder /tmp", "INFO timeout_turn x", "info x 3") == ["UNKNOWN 'SWAP2BOARD'"]


def test_the_time_of_a_turn_is_kept() -> None:
    for limits in (["INFO timeout_turn 200", "INFO time_left 2147483647"], ["INFO time_left 500"]):
        found = answers("START 9", *limits, "BEGIN", limit=Limit(simulations=10**9))  # which would take hours
        assert is_point(found[1], 9)


def test_the_end_of_the_dialogue_ends_a_search() -> None:
    assert len(answers("START 9", "BEGIN", "end", limit=Limit(simulations=10**9))) == 2


def test_random_lines_are_answered() -> None:
    rng = random.Random(3)
    words = ["START", "RECTSTART", "BEGIN", "TURN", "BOARD", "DONE", "INFO", "RESTART", "TAKEBACK", "PLAY", "ABOUT"]
    words += ["1,1", "2,2,1", "3,4,2", "rule", "timeout_turn", "9", "7", "-1", "1e9", "\x00", "é" * 50, ",", "4"]
    lines = [" ".join(rng.choices(words, k=rng.randint(1, 4))) for _ in range(3000)]
    found = answers(*lines, limit=Limit(simulations=2))
    assert len(found) > 500
    assert all(one.split()[0] in ("OK", "ERROR", "UNKNOWN") or "Plyscope" in one or "," in one for one in found)
    assert max(map(len, found)) < 1000


def test_other_games_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(EngineError, match="it needs five in a row"):
        answers("START 9", game="connect4")
    assert main(["gomocup", "gomoku", "--only", "h8"]) == 2
    assert "--only does not go with gomocup" in capsys.readouterr().err
