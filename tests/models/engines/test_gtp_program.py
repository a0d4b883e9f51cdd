"""``plyscope gtp`` in a process of its own: live analysis, the end of the input, two programs against each other."""

import os
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.games import load_game

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
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self) -> list[str]:
        """The lines up to a blank one."""
        lines = []
        while line := self.lines.get(timeout=120):
            lines.append(line)
        return lines

    def close(self) -> int:
        assert self.process.stdin is not None
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
        assert process.stdin is not None
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
