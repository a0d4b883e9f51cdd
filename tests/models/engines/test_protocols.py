"""Tests of outside engines under the Gomocup and NBoard protocols: what is sent, games, and engines that misbehave."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.games import GameSpec, load_game
from models.engines import engine, gomocup_client, nboard_client, process
from models.engines.engine import Engine, EngineOptions, read_options
from models.engines.nboard_client import write_ggf
from models.engines.opening import is_engine, open_text
from models.engines.process import EngineError

HERE = Path(__file__).parent
GOMOKU = load_game("gomoku(size=9)")
OTHELLO = load_game("othello")

Start = Callable[..., Engine]


def text(protocol: str, kind: str, *words: str, options: str = "") -> str:
    command = " ".join(f"'{word}'" for word in (sys.executable, str(HERE / f"fake_{protocol}.py"), kind, *words))
    return f"{protocol}{options}:{command}"


@pytest.fixture
def start() -> Iterator[Start]:
    engines = []

    def begin(game: GameSpec, described: str) -> Engine:
        engines.append(open_text(game, described))
        return engines[-1]

    yield begin
    for one in engines:
        one.close()
        assert not one.process.running


def sent(one: Engine) -> list[str]:
    return [line.text for line in one.process.dialogue if line.origin == "sent"]


def test_a_gomocup_engine_follows_a_game(start: Start) -> None:
    fake = start(GOMOKU, text("gomocup", "plays", options=",0.5s,memory=100"))
    assert fake.name == "fake"
    position = GOMOKU.initial()
    first = fake.move(position)
    position = position.play(first).play(GOMOKU.parse_action("e5"))
    second = fake.move(position)
    fake.move(position.play(second).play(GOMOKU.parse_action("f5")))
    assert sent(fake) == [
        "START 9", "ABOUT", "INFO game_type 1", "INFO rule 0", "INFO timeout_match 0", "INFO max_memory 104857600",
        "INFO timeout_turn 500", "BEGIN", "TURN 4,4", "TURN 5,4",
    ]  # fmt: skip
    assert [GOMOKU.action_name(move) for move in (first, second)] == ["a9", "b9"]


def test_a_gomocup_engine_is_given_another_line_as_a_board(start: Start) -> None:
    fake = start(GOMOKU, text("gomocup", "plays"))
    position = GOMOKU.position("e5 d5 f5")
    fake.move(position)
    fake.move(GOMOKU.position("e5 d4"))
    fake.move(GOMOKU.initial())
    said = sent(fake)
    assert said[said.index("RESTART") :] == [
        "RESTART", "BOARD", "4,4,2", "3,4,1", "5,4,2", "DONE",
        "RESTART", "BOARD", "4,4,1", "3,5,2", "DONE",
        "RESTART", "BEGIN",
    ]  # fmt: skip


def test_stones_set_up_come_by_turns_before_the_moves(start: Start) -> None:
    rows = ["......", ".x.o..", "..x...", "...o..", "......", "......"]
    game = load_game("gomoku(size=6)")
    fake = start(game, text("gomocup", "plays"))
    fake.move(game.position("\n".join(" ".join(row) for row in rows)).play(game.parse_action("a1")))
    said = sent(fake)
    assert said[said.index("BOARD") :] == ["BOARD", "1,1,2", "3,1,1", "2,2,2", "3,3,1", "0,5,2", "DONE"]


@pytest.mark.parametrize(("rule", "number"), [("freestyle", 0), ("standard", 1), ("renju", 4)])
def test_the_rule_has_its_number(start: Start, rule: str, number: int) -> None:
    fake = start(load_game(f"gomoku(size=9, rule={rule})"), text("gomocup", "plays"))
    assert f"INFO rule {number}" in sent(fake)


def play_two(fake: Engine) -> None:
    position = GOMOKU.position("e5")
    action = fake.move(position)
    fake.move(position.play(action).play(GOMOKU.parse_action("a1")))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("crashes", "the engine fake ended: 'out of luck'|the engine .* ended: 'out of luck'"),
        ("hangs", "gave no answer for 1 s"),
        ("cheats", "the engine fake played '4,4', which is not legal: "),
        ("rude", "refuses 'TURN 0,8': 'ERROR not now'"),
    ],
)
def test_a_gomocup_engine_that_misbehaves_is_named(
    start: Start, monkeypatch: pytest.MonkeyPatch, kind: str, sentence: str
) -> None:
    if kind == "hangs":
        monkeypatch.setattr(engine, "THINK_S", 1.0)
        monkeypatch.setattr(process, "END_S", 0.2)
    fake = start(GOMOKU, text("gomocup", kind))
    with pytest.raises(EngineError, match=sentence):
        play_two(fake)


def test_remarks_of_a_gomocup_engine_are_no_answers(start: Start) -> None:
    fake = start(GOMOKU, text("gomocup", "long"))
    assert GOMOKU.action_name(fake.move(GOMOKU.initial())) == "a9"


@pytest.mark.parametrize(
    ("kind", "game", "sentence"),
    [
        ("odd", "gomoku(size=9)", "answered 'hello' to START 9, which is not the Gomocup protocol"),
        ("small", "gomoku", "refuses 'START 15': 'ERROR too large'"),
        ("plays", "connectn(rows=6, cols=9, k=5)", "refuses 'RECTSTART 9,6': 'ERROR only squares'"),
        ("plays", "connect4", "connect4 cannot be played by the Gomocup protocol"),
        ("plays", "connectn(rows=9, cols=9, k=4)", "it needs five in a row"),
        ("plays", "othello", "it needs five in a row"),
    ],
)
def test_a_game_that_a_gomocup_engine_cannot_play(start: Start, kind: str, game: str, sentence: str) -> None:
    with pytest.raises(EngineError, match=sentence):
        start(load_game(game), text("gomocup", kind))


def test_an_nboard_engine_is_shown_the_game(start: Start) -> None:
    fake = start(OTHELLO, text("nboard", "plays", "D6", "c6/", options=",depth=4"))
    assert fake.name == "fake 7"
    position = OTHELLO.position("f5")
    assert OTHELLO.action_name(fake.move(position)) == "d6"
    assert sent(fake)[:2] == ["nboard 2", "set depth 4"]
    board = "-" * 27 + "O*" + "-" * 6 + "*O" + "-" * 27
    start_text = f"(;GM[Othello]PC[Plyscope]PB[Black]PW[White]RE[?]TY[8]BO[8 {board} *]"
    assert sent(fake)[-3:] == [f"set game {start_text}B[F5];)", "ping 2", "go"]


def test_an_nboard_engine_gets_a_clock_for_its_seconds(start: Start) -> None:
    fake = start(OTHELLO, text("nboard", "plays", options=",2s"))
    assert "set depth 26" in sent(fake)
    assert "RE[?]TI[1:02]TY[8]" in sent(fake)[2]  # 31 moves of 2 s


def test_a_pass_goes_as_pa(start: Start) -> None:
    # The shortest way to a pass by taking the first legal move each time.
    position = OTHELLO.initial()
    while OTHELLO.action_name(position.legal_actions()[0]) != "pass":
        position = position.play(position.legal_actions()[0])
    fake = start(OTHELLO, text("nboard", "plays", "PASS"))
    assert OTHELLO.action_name(fake.move(position)) == "pass"
    assert write_ggf(position.play(position.legal_actions()[0])).endswith(f"{'BW'[position.to_move]}[PA];)")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "moves", "sentence"),
    [
        ("plays", ["A1"], "played 'A1', which is not legal: "),
        ("plays", ["Z9"], "played 'Z9', which is not legal: it is no move of othello"),
        ("crashes", [], "ended: 'out of luck'"),
        ("hangs", [], "gave no answer for 1 s"),
        ("rude", [], "the engine fake 7 refuses go: 'error no book'"),
    ],
)
def test_an_nboard_engine_that_misbehaves_is_named(
    start: Start, monkeypatch: pytest.MonkeyPatch, kind: str, moves: list[str], sentence: str
) -> None:
    if kind == "hangs":
        monkeypatch.setattr(engine, "THINK_S", 1.0)
        monkeypatch.setattr(process, "END_S", 0.2)
    fake = start(OTHELLO, text("nboard", kind, *moves))
    with pytest.raises(EngineError, match=sentence):
        fake.move(OTHELLO.position("f5"))


def test_an_nboard_engine_that_overlooks_its_clock_is_told_to_move(start: Start) -> None:
    slow = start(OTHELLO, text("nboard", "slow", "D6", "C3", options=",0.05s"))
    position = OTHELLO.position("f5")
    first = slow.move(position)
    position = position.play(first)
    assert [position.game.action_name(action) for action in (first, slow.move(position))] == ["d6", "c3"]
    assert [line.split()[0] for line in sent(slow)[4:]] == ["set", "ping", "go", "ping"] * 2


def test_an_nboard_engine_is_asked_for_a_small_depth_first(start: Start) -> None:
    fake = start(OTHELLO, text("nboard", "plays", "D6", options=",1s"))
    position = OTHELLO.position("f5")
    assert len(list(fake.analysis(position, 60.0))) == 12
    fake.move(position)
    asked = [line for line in sent(fake) if line.startswith(("set depth", "hint", "go"))]
    depths = [f"set depth {depth}" for depth in (8, 14, 20, 26)]
    assert asked == ["set depth 26", *(line for depth in depths for line in (depth, "hint 10")), "go"]


def test_the_last_word_of_a_program_counts_without_an_end_of_line(start: Start) -> None:
    with pytest.raises(EngineError, match=r"in the folder .*, ended at its start: 'no eval\.dat'"):
        start(OTHELLO, text("nboard", "bare"))


def test_an_nboard_engine_that_does_not_answer_is_not_used(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nboard_client, "START_S", 0.5)
    with pytest.raises(EngineError, match=r"gave no answer for 0\.5 s"):
        start(OTHELLO, text("nboard", "mute"))
    with pytest.raises(EngineError, match="gomoku cannot be played by the NBoard protocol; it needs Othello"):
        start(load_game("gomoku"), text("nboard", "plays"))


def test_points_are_read_only_on_the_board() -> None:
    game = load_game("gomoku(size=9)")
    for action in range(81):
        assert gomocup_client.read_point(game, gomocup_client.point(game, action)) == action
    for word in ("9,0", "0,9", "-1,0", "1;2", "", "1,2,3", "1000,1"):
        assert gomocup_client.read_point(game, word) is None


def test_options_of_an_engine() -> None:
    assert read_options(["0.5s", " depth=6", "memory=256 "]) == EngineOptions(0.5, 6, 256)
    assert EngineOptions(2.0).patience == 16.0
    for word in ("0s", "4000s", "depth=0", "depth=1000", "depth=x", "memory=-1", "fast", "", "1e3s"):
        with pytest.raises(ValueError, match=r"must be|is no"):
            read_options([word])


def test_what_is_an_engine() -> None:
    assert all(map(is_engine, ("gtp:gnugo --mode gtp", "gomocup,1s:x", "engine:rapfi,1s", "nboard, depth=4:ntest x")))
    assert not any(map(is_engine, ("rollouts:100", "gtp", "net.onnx:200", "uniform", "C:\\net.onnx")))
