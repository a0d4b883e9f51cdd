"""Tests of what outside engines say of a position: the lines of each protocol, and dialogues with small engines."""

import math
import random
import sys
from itertools import count
from pathlib import Path

import pytest

from core.games import GameSpec, load_game
from models.commands.program import main
from models.engines.engine import EngineOptions
from models.engines.gomocup_client import GomocupClient, read_point
from models.engines.gtp_client import GtpClient
from models.engines.nboard_client import NBoardClient, read_ggf_move
from models.engines.opinion import HintReader, InfoReader, Opinion, legal_line, read_gtp_line
from models.engines.process import EngineError

HERE = Path(__file__).parent
TTT = load_game("tictactoe")
GOMOKU = load_game("gomoku(size=9)")
OTHELLO = load_game("othello")


def command(name: str, kind: str) -> str:
    return f"'{sys.executable}' '{HERE / name}' {kind}"


def read(game: GameSpec, word: str) -> int | None:
    return game.action_names.index(word.lower()) if word.lower() in game.action_names else None


def moves(opinion: Opinion) -> list[str]:
    return [" ".join(opinion.position.game.action_name(action) for action in row.pv) for row in opinion.rows]


def test_katago_and_leela_zero_write_the_same_figures_in_their_own_units() -> None:
    kata = "info move B2 visits 7 winrate 0.9 prior 0.25 scoreLead -1.5 order 0 pv B2 A1 info move A1 visits 1 order 1"
    lz = "info move B2 visits 7 winrate 9000 prior 2500 order 0 pv B2 A1 info move A1 visits 1 order 1 pv A1"
    for line, scale in ((kata, 1.0), (lz, 10_000.0)):
        found = read_gtp_line(TTT.initial(), line, read, scale)
        assert moves(found) == ["b2 a1", "a1"]
        first = found.rows[0]
        assert (first.visits, first.value, first.prior) == (7, pytest.approx(0.8), 0.25)
        assert math.isnan(found.rows[1].value)
    assert read_gtp_line(TTT.initial(), kata, read, 1.0).rows[0].lead == -1.5
    flipped = read_gtp_line(TTT.initial(), kata, read, 1.0, flip=True).rows[0]
    assert (flipped.value, flipped.lead) == (pytest.approx(-0.8), 1.5)


def test_whose_win_rates_an_engine_gives() -> None:
    assert [EngineOptions(winrate=whose).flips(0) for whose in ("mover", "black", "white")] == [False, False, True]
    assert [EngineOptions(winrate=whose).flips(1) for whose in ("mover", "black", "white")] == [False, True, False]


def test_a_line_of_play_ends_at_its_first_bad_move() -> None:
    assert legal_line(TTT.initial(), ["a1", "a1", "b1"], read) == (TTT.parse_action("a1"),)
    assert legal_line(TTT.initial(), ["z9", "a1"], read) == ()
    won = TTT.position("a1 b1 a2 b2")
    assert len(legal_line(won, ["a3", "c3"], read)) == 1


def test_lines_that_say_nothing_are_passed_over() -> None:
    for line in ("", "info", "info ", "info move", "info move Z1 pv Z1", "info visits 3", "= ", "info move pass"):
        assert read_gtp_line(TTT.initial(), line, read, 1.0) is None
    found = read_gtp_line(TTT.initial(), "info move A1 visits x winrate 7 order nan pv", read, 1.0)
    assert moves(found) == ["a1"]
    assert (found.rows[0].visits, math.isnan(found.rows[0].value)) == (-1, True)


def test_random_words_never_fail() -> None:
    rng = random.Random(5)
    words = ["info", "move", "A1", "B2", "visits", "winrate", "0.5", "-1", "1e999", "nan", "order", "pv", "ownership"]
    words += ["INFO", "PV", "DONE", "0", "NODES", "BESTLINE", "1,1", "2,2", "search", "book", "f5", "D6", "é", "prior"]
    infos, hints = InfoReader(GOMOKU.initial(), read_point), HintReader(OTHELLO.initial(), read_ggf_move)
    heads = ["info move A1", "info", "INFO PV", "INFO PV DONE", "INFO BESTLINE 1,1", "search D6", "book", ""]
    found = 0
    for _ in range(20_000):
        line = " ".join([rng.choice(heads), *rng.choices(words, k=rng.randint(1, 9))])
        opinions = [read_gtp_line(TTT.initial(), line, read, 1.0), infos.take(line), hints.take(line)]
        for opinion in filter(None, opinions):
            found += 1
            for row in opinion.rows:
                assert row.pv[0] == row.action
                assert math.isnan(row.value) or -1.0 <= row.value <= 1.0
    assert found > 100


def test_gtp_analysis_of_an_engine() -> None:
    client = GtpClient(command("fake_engine.py", "analyses"), TTT)
    looks = count()
    found = list(client.analysis(TTT.position("b2"), 60.0, lambda: next(looks) > 3))
    assert moves(found[0]) == ["c3 b1", "a1"]
    best = found[0].rows[0]
    assert (best.visits, best.value, best.lead, best.prior) == (9, 0.5, 2.5, 0.5)
    assert client.move(TTT.position("b2")) == TTT.parse_action("a1")  # the dialogue goes on
    client.close()


def test_gtp_engine_without_analysis() -> None:
    client = GtpClient(command("fake_engine.py", "plays"), TTT)
    with pytest.raises(EngineError, match="the engine fake offers no analysis; it only plays"):
        next(client.analysis(TTT.initial(), 1.0))
    client.close()


def test_gomocup_analysis_of_an_engine() -> None:
    client = GomocupClient(command("fake_gomocup.py", "yixin"), GOMOKU, EngineOptions(0.5))
    looks = count()
    found = list(client.analysis(GOMOKU.position("e5 e6"), 60.0, lambda: next(looks) > 40))
    # 4,3 is e6, which is taken: its block names no move.  4,4 is e5, which ends the line of play.
    assert [moves(one) for one in found] == [["d6"], ["d6"]]
    best = found[-1].rows[0]
    assert (best.visits, best.value, best.evaluation, best.depth) == (90, pytest.approx(0.6), "20", "5")
    assert GOMOKU.action_name(client.move(GOMOKU.position("e5 e6"))) == "a9"
    sent = [line.text for line in client.process.dialogue if line.origin == "sent"]
    assert sent[sent.index("YXSTOP") + 1 :][:4] == [
        "INFO game_type 1", "INFO rule 0", "INFO timeout_match 0", "INFO timeout_turn 500",
    ]  # fmt: skip
    client.close()


def test_gomocup_engine_without_analysis() -> None:
    client = GomocupClient(command("fake_gomocup.py", "plays"), GOMOKU)
    with pytest.raises(EngineError, match="the engine fake offers no analysis"):
        list(client.analysis(GOMOKU.initial(), 5.0))
    client.close()


def test_nboard_analysis_of_an_engine() -> None:
    client = NBoardClient(command("fake_nboard.py", "plays D6"), OTHELLO)
    found = list(client.analysis(OTHELLO.position("f5"), 60.0))
    assert moves(found[-1]) == ["d6 c3 d3", "f4", "f6"]
    assert [row.lead for row in found[-1].rows] == [1.5, 0.5, -2.0]
    assert [row.depth for row in found[-1].rows] == ["7", "book", "7"]
    assert OTHELLO.action_name(client.move(OTHELLO.position("f5"))) == "d6"
    client.close()


def test_the_command_prints_an_opinion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("models.engines.engine_list.data_home", lambda: tmp_path)
    assert main(["engines", "add", "fake", "nboard", command("fake_nboard.py", "plays")]) == 0
    capsys.readouterr()
    assert main(["engines", "ask", "fake", "othello", "f5", "--seconds", "20"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "fake on othello; values are for the side to move, figures are the engine's own"
    assert lines[1].split() == ["move", "lead", "own", "depth", "line"]
    assert lines[2].split() == ["d6", "+1.50", "+1.5", "7", "d6", "c3", "d3"]
    assert main(["engines", "ask", "fake", "othello", "--seconds", "0"]) == 2
    assert main(["engines", "ask", "fake", "connect4"]) == 2
