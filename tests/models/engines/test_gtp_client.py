"""Outside engines under GTP, and our program as one."""

import os
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.games import Position, load_game
from core.search import Limit, SearchSettings
from models.commands.program import main
from models.engines import engine, process
from models.engines.engine import EngineOptions
from models.engines.gtp_client import GtpClient
from models.engines.process import EngineError, EngineProcess, split_command
from models.strength.exams import after
from models.strength.match import EngineSide, SearchSide, play_match

FAKE = Path(__file__).with_name("fake_engine.py")
TTT = load_game("tictactoe")

Start = Callable[..., GtpClient]


def command(kind: str) -> str:
    return f"'{sys.executable}' '{FAKE}' {kind}"


@pytest.fixture
def start() -> Iterator[Start]:
    clients = []

    def begin(kind: str, game: str = "tictactoe", seconds: float | None = None) -> GtpClient:
        clients.append(GtpClient(command(kind), load_game(game), EngineOptions(seconds)))
        return clients[-1]

    yield begin
    for client in clients:
        client.close()
        assert client.process._process.wait(60.0) is not None
    assert not [thread for thread in threading.enumerate() if thread.name.startswith(Path(sys.executable).name)]


def board(client: GtpClient) -> str:
    return client.ask("showboard")


def test_an_engine_follows_a_game_and_plays(start: Start) -> None:
    client = start("plays")
    position = TTT.position("b2")
    assert client.name == "fake"
    assert client.move(position) == TTT.parse_action("a1")
    assert board(client) == "B2 A1"
    position = position.play(TTT.parse_action("a1")).play(TTT.parse_action("b1"))
    assert client.move(position) == TTT.parse_action("c1")
    assert board(client) == "B2 A1 B1 C1"


def test_an_engine_goes_back_by_undo_and_over_to_another_line(start: Start) -> None:
    client = start("plays")
    client.follow(TTT.position("a1 b2 c3"))
    client.follow(TTT.position("a1 b3"))
    assert board(client) == "A1 B3"
    client.follow(TTT.initial())
    assert board(client) == ""


def test_an_engine_is_given_the_stones_of_a_position_set_up(start: Start) -> None:
    client = start("plays")
    position = TTT.position("x . .\n. o .\n. . x\no to move")
    client.follow(position)
    assert sorted(board(client).split()) == sorted(["A3", "B2", "C1"])
    client.follow(position.play(TTT.parse_action("c3")))
    assert board(client).split()[-1] == "C3"
    client.follow(TTT.position("a1"))
    assert board(client) == "A1"


def test_an_othello_engine_begins_as_the_game_does(start: Start) -> None:
    othello = load_game("othello(size=4)")
    client = start("plays", "othello(size=4)")
    after = othello.initial().play(othello.initial().legal_actions()[0])
    client.follow(after)
    assert board(client) == othello.action_name(after.last_action).upper()
    with pytest.raises(EngineError, match="GTP cannot set up a position of othello"):
        client.follow(Position(othello, othello.board.from_cells(after.cells(), 0, -1)))


def test_an_answer_may_have_a_space_before_its_number(start: Start) -> None:
    client = start("edax")
    assert client.name == "fake"
    assert client.move(TTT.initial()) == TTT.parse_action("a1")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("crashes", "ended: 'out of luck'"),
        ("hangs", "gave no answer for"),
        ("cheats", "played 'b2', which is not legal"),
        ("odd", "which is not GTP"),
    ],
)
def test_an_engine_that_misbehaves_is_named(
    start: Start, monkeypatch: pytest.MonkeyPatch, kind: str, sentence: str
) -> None:
    if kind == "hangs":
        monkeypatch.setattr(engine, "THINK_S", 2.0)
    client = start(kind)
    with pytest.raises(EngineError, match=sentence) as caught:
        client.move(TTT.position("b2"))
    assert str(caught.value).startswith("the engine ")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("kind", "sentence"), [("chatters", "lines that nobody asked for"), ("long", "a line of more")]
)
def test_an_engine_that_writes_without_end_is_ended(
    start: Start, monkeypatch: pytest.MonkeyPatch, kind: str, sentence: str
) -> None:
    monkeypatch.setattr(process, "MOST_UNREAD", 500)
    monkeypatch.setattr(process, "LONGEST_LINE", 1 << 17)
    client = start(kind)
    client.process.send("1 genmove b")
    client.process._threads[0].join(60.0)
    with pytest.raises(EngineError, match=sentence):
        client.process.read(1.0)
    assert client.process._process.wait(60.0) is not None


def test_an_engine_that_lacks_a_command_or_refuses_the_board_is_not_used(start: Start) -> None:
    with pytest.raises(EngineError, match="lacks the GTP command genmove"):
        start("poor")
    with pytest.raises(EngineError, match="refuses boardsize 15: 'unacceptable size'"):
        start("plays", "gomoku")
    with pytest.raises(EngineError, match="square board"):
        start("plays", "nim")


@pytest.mark.skipif(os.name == "nt", reason="process groups")
@pytest.mark.parametrize("kind", ["deaf", "child"])
def test_an_engine_is_ended_with_all_that_it_started(kind: str) -> None:
    client = GtpClient(command(kind), TTT)
    client.close()
    # The end of its output is read only when no program holds the pipe any more.
    assert not any(thread.is_alive() for thread in client.process._threads)


def test_a_program_that_does_not_exist_is_named() -> None:
    with pytest.raises(EngineError, match="the engine '/nonexistent' cannot be started: "):
        EngineProcess(["/nonexistent"])
    with pytest.raises(EngineError, match="is no command"):
        split_command("'open")
    with pytest.raises(EngineError, match="is no command"):
        split_command(" ")


def test_a_program_that_never_reads_does_not_block_its_questioner() -> None:
    """Pipes hold about 64 KiB."""
    asked = EngineProcess([sys.executable, "-c", "import time; time.sleep(600)"])
    faults: list[str] = []

    def ask() -> None:
        for _ in range(8):
            asked.send("x" * 100_000)
        try:
            asked.send("x" * 300_000)
        except EngineError as error:
            faults.append(str(error))

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(60)
    try:
        assert not thread.is_alive()
        name = Path(sys.executable).name
        assert faults == [f"the engine {name} failed: it does not read what it is sent"]
        with pytest.raises(EngineError, match="does not read what it is sent"):
            asked.read(60)
        with pytest.raises(EngineError, match="does not read what it is sent"):
            asked.send("again")
    finally:
        asked.close()
    assert not any(one.is_alive() for one in asked._threads)


def test_long_lines_arrive_whole_and_in_order() -> None:
    echo = EngineProcess([sys.executable, "-uc", "import sys\nfor line in sys.stdin: print(line[:3], len(line))"])
    try:
        for i in range(5):
            echo.send(f"{i:03}" + "x" * 150_000)
        assert [echo.read(60) for _ in range(5)] == [f"{i:03} 150004" for i in range(5)]
    finally:
        echo.close()


def test_an_engine_that_was_killed_is_not_blamed_for_what_it_said_before(start: Start) -> None:
    client = start("talks")
    client.process._kill()
    with pytest.raises(EngineError, match="was ended by signal 9"):
        client.move(TTT.initial())


def test_a_search_plays_a_match_against_an_engine(start: Start) -> None:
    client = start("plays")
    strong = SearchSide("search", None, Limit(simulations=200), SearchSettings(selection="ucb1", memory_mb=8))
    result = play_match(TTT, strong, EngineSide("fake", client), 4, opening_plies=1)
    assert len(result.games) == 4
    for game in result.games:
        position = after(TTT, game.moves)
        assert position.is_over


def test_an_engine_that_resigns_has_lost(start: Start) -> None:
    client = start("resigns")
    strong = SearchSide("search", None, Limit(simulations=20), SearchSettings(selection="ucb1", memory_mb=8))
    result = play_match(TTT, EngineSide("fake", client), strong, 2, opening_plies=0)
    assert [game.score for game in result.games] == [0.0, 0.0]
    assert all(game.resigned for game in result.games)


def test_the_match_command_takes_an_engine(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["match", "tictactoe", "rollouts:100", f"gtp:{command('resigns')}", "--games", "2"])
    out = capsys.readouterr().out
    assert code == 0
    assert "won by resignation in" in out
    assert "rollouts:100 against fake: 2 won" in out


def test_a_match_counts_by_the_rules_and_says_how_an_engine_counts(capsys: pytest.CaptureFixture[str]) -> None:
    engines = (f"gtp:{command('passes')}", f"gtp:{command('passes')}")
    assert main(["match", "go(size=3, komi=2.5)", *engines, "--games", "2", "--opening-plies", "1"]) == 0
    out = capsys.readouterr().out
    lines = [line for line in out.splitlines() if line.startswith("game ")]
    assert len(lines) == 2
    for line in lines:
        margin = 6.5 if " in 3 plies: pass" not in line else -2.5  # a stone owns the board
        assert line.endswith(f"pass pass; {'B' if margin > 0 else 'W'}+{abs(margin)}; fake counts W+99.5")


def test_the_match_command_names_an_engine_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["match", "tictactoe", "rollouts:100", f"gtp:{command('cheats')}", "--games", "2"])
    assert code == 2
    assert "the engine fake played 'a" in capsys.readouterr().err


CODE = "import sys; from models.commands.program import main; sys.exit(main())"


class Program:
    """``plyscope gtp`` in a process, with a thread that reads its answers."""

    def __init__(self, *options: str) -> None:
        root = str(Path(__file__).parents[3])
        code = "import sys; from models.commands.program import main; sys.exit(main())"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, "gtp", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": root},
        )
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def send(self, line: str) -> None:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self) -> list[str]:
        """The lines up to a blank one."""
        lines = []
        while line := self.lines.get(timeout=120):
            lines.append(line)
        return lines

    def close(self) -> int:
        self.process.stdin.close()
        code = self.process.wait(60)
        self._reader.join(60)
        return code


@pytest.fixture
def program() -> Iterator[Program]:
    program = Program("go(size=5)", "--net", "rollouts", "--memory-mb", "32")
    yield program
    program.process.kill()
    program.close()


@pytest.mark.slow
def test_sabakis_dialogue_with_a_live_analysis(program: Program) -> None:
    for line in ("name", "version", "protocol_version", "list_commands", "boardsize 5", "komi 0.5", "clear_board"):
        program.send(line)
        assert program.answer()[0].startswith("=")
    program.send("12 kata-analyze b 5 maxmoves 3 rootInfo true ownership true")
    assert program.lines.get(timeout=120) == "=12"
    for _ in range(3):
        line = program.lines.get(timeout=120)
        assert 1 <= line.count("info move") <= 3
        assert " rootInfo visits " in line
    program.send("play b c3")
    while program.lines.get(timeout=60):
        pass
    assert program.answer() == ["="]
    program.send("lz-analyze 5 avoid w d3,d4 1 allow w c2,d3 1")
    assert program.lines.get(timeout=120) == "="
    assert set(re.findall(r"info move (\w+)", program.lines.get(timeout=120))) == {"C2"}
    program.send("quit")
    while program.lines.get(timeout=60):
        pass
    assert program.answer() == ["="]
    assert program.process.wait(60) == 0


@pytest.mark.slow
def test_the_end_of_the_input_ends_the_program_amid_an_analysis(program: Program) -> None:
    program.send("kata-analyze 5")
    assert program.lines.get(timeout=120) == "="
    assert program.close() == 0


@pytest.mark.slow
def test_two_programs_play_each_other() -> None:
    from models.engines.gtp_client import GtpClient

    game = load_game("go(size=4, komi=0.5)")
    code = "import sys; from models.commands.program import main; sys.exit(main())"
    client = GtpClient(f'"{sys.executable}" -c "{code}" gtp go --net rollouts --simulations 30', game)
    try:
        position = game.initial()
        for _ in range(6):
            action = client.move(position)
            assert action is not None
            position = position.play(action)
    finally:
        client.close()


@pytest.mark.slow
def test_bytes_that_are_no_text_are_no_end_of_the_input(program: Program) -> None:
    pipe: Any = program.process.stdin
    pipe.buffer.write(b"# \xff\xfe\nkomi \xff\nname\n")
    pipe.flush()
    assert program.answer() == ["? komi '\ufffd' is no number"]
    assert program.answer() == ["= Plyscope"]


@pytest.mark.slow
def test_the_program_ends_when_nobody_reads(tmp_path: Path) -> None:
    with (tmp_path / "errors").open("w+") as errors:
        reader, writer = os.pipe()
        process = subprocess.Popen(
            [sys.executable, "-c", CODE, "gtp", "go(size=5)", "--net", "rollouts", "--memory-mb", "32"],
            stdin=subprocess.PIPE,
            stdout=writer,
            stderr=errors,
            text=True,
        )
        os.close(writer)
        process.stdin.write("kata-analyze 1\n")
        process.stdin.flush()
        os.read(reader, 1)
        os.close(reader)
        try:
            assert process.wait(60) == 0
        finally:
            process.kill()
            process.stdin.close()
        errors.seek(0)
        assert "Error" not in errors.read()
