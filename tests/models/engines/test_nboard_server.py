"""Tests of what we answer under NBoard: games, moves, hints, clocks, and bad or random lines."""

import io
import random
import sys
from dataclasses import replace

import pytest

from core.engine.evaluator import Evaluator
from core.games import GameSpec, load_game
from core.search import Limit, SearchSettings
from models.commands.program import main
from models.engines.engine import EngineOptions
from models.engines.nboard_client import NBoardClient, read_ggf_move, write_ggf
from models.engines.nboard_server import NBoardServer, _time_left
from models.engines.our_engine import Options
from models.engines.process import EngineError

OTHELLO = load_game("othello")
SETTINGS = SearchSettings(selection="ucb1", memory_mb=8)


def _load(game: GameSpec) -> Evaluator | None:
    if game.shape[0] > 8:
        raise ValueError(f"no net for {game.text}")
    return None


def answers(*lines: str, simulations: int = 30, game: str = "othello", exact: int = 0) -> list[str]:
    output = io.StringIO()
    options = Options(Limit(simulations=simulations), replace(SETTINGS, exact_empties=exact), seed=1)
    NBoardServer(load_game(game), _load, options, output).run(io.StringIO("\n".join(lines) + "\n"))
    return output.getvalue().splitlines()


def test_it_moves_in_the_game_that_it_is_shown() -> None:
    position = OTHELLO.position("f5 d6 c3")
    found = answers("nboard 2", "set depth 6", f"set game {write_ggf(position)}", "ping 3", "go", "learn")
    assert found[:3] == ["set myname Plyscope", "pong 3", "status thinking"]
    word, value, seconds = found[4].removeprefix("=== ").split("/")
    assert read_ggf_move(OTHELLO, word) in position.legal_actions()
    assert -100.0 <= float(value) <= 100.0
    assert float(seconds) >= 0.0
    assert found[5] == "learned"


def test_moves_are_played_on_the_board_and_go_is_not() -> None:
    found = answers("go", "move F5/1.5/0.3", "move D6", "hint 30")
    hints = [line.split() for line in found if line.startswith("search ")]
    moves = {OTHELLO.action_name(action) for action in OTHELLO.position("f5 d6").legal_actions()}
    assert {words[1][:2].lower() for words in hints} <= moves
    assert len(hints) > 1
    assert all(-100.0 <= float(words[2]) <= 100.0 and words[3] == "0" and words[4][0].isdigit() for words in hints)
    assert found[-1] == "status"


def test_a_proved_move_says_so() -> None:
    small = load_game("othello(size=4)")
    found = answers("move B1", "hint 1", simulations=5000, game="othello(size=4)")
    assert [line for line in found if line.startswith("search")][-1].endswith(" 100%W")
    assert small.action_name(0) == "a1"


def test_a_solved_ending_says_its_discs() -> None:
    """Othello 4x4 with perfect play: the second player wins by 10 discs, two empty cells among them."""
    found = answers("move B1", "go", "hint 1", game="othello(size=4)", exact=12)
    assert next(line for line in found if line.startswith("===")).split("/")[1] == "10.00"
    assert [line for line in found if line.startswith("search")][-1].split()[2:] == ["10.00", "0", "100%"]


def test_a_ping_ends_a_search() -> None:
    found = answers("hint 1", "ping 7", "hint 1", "quit", simulations=10**9)
    assert found.count("pong 7") == 1
    assert found.index("pong 7") > 0


def test_the_clock_of_the_game_counts() -> None:
    text = "(;GM[Othello]TI[5:00]TY[8]BO[8 ... *]B[F5//2.5]W[D6/1.2/60]B[c3//7];)"
    assert _time_left(text, 0) == pytest.approx(290.5)
    assert _time_left(text, 1) == pytest.approx(240.0)
    assert _time_left("(;TI[1:00:00]TB[0:30];)", 0) == 30.0
    assert _time_left("(;GM[Othello];)", 0) is None
    position = OTHELLO.position("f5")
    found = answers(f"set game {write_ggf(position, 31.0)}", "go", simulations=10**9)
    assert found[-1].startswith("=== ")


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["set game (;GM[Chess];)"], "status the game cannot be used: it is a game of 'Chess'"),
        (["set game (;GM[Othello]TY[8]BO[8 ...];)"], "status the game cannot be used"),
        (["move Z9"], "status 'Z9' is no move of othello"),
        (["move A1"], "status move 'a1'"),
        ([f"set game {write_ggf(load_game('othello(size=10)').initial())}"], "status no net for othello(size=10)"),
    ],
)
def test_what_cannot_be_done_is_said_in_the_status(lines: list[str], sentence: str) -> None:
    found = answers(*lines)
    assert len(found) == 1
    assert found[0].startswith(sentence)


def test_random_lines_are_passed_over_or_answered() -> None:
    rng = random.Random(4)
    words = ["set", "game", "depth", "move", "hint", "go", "ping", "learn", "nboard", "F5", "d6", "PA", "3", "-1", "é"]
    words += ["(;GM[Othello]", "BO[8", "*];)", "/", "contempt", write_ggf(OTHELLO.position("f5"))]
    lines = [" ".join(rng.choices(words, k=rng.randint(1, 4))) for _ in range(1500)]
    found = answers(*lines, simulations=2)
    assert len(found) > 200
    known = ("set myname", "pong", "===", "search", "status", "nodestats", "learned")
    assert all(line.startswith(known) for line in found)


def test_our_client_and_our_server_play_a_game() -> None:
    command = f"'{sys.executable}' -m gui.app nboard 'othello(size=4)' --net rollouts --simulations 20"
    game = load_game("othello(size=4)")
    client = NBoardClient(command, game, EngineOptions(depth=4))
    assert client.name == "Plyscope"
    position = game.initial()
    while not position.is_over:
        position = position.play(client.move(position))
    hints = list(client.analysis(game.initial(), 20.0))
    assert {row.action for row in hints[-1].rows} <= set(game.initial().legal_actions())
    client.close()


def test_other_games_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(EngineError, match="it needs Othello"):
        answers("go", game="connect4")
    assert main(["nboard", "--only", "f5"]) == 2
    assert "--only does not go with nboard" in capsys.readouterr().err
