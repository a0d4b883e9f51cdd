"""Random lines for each protocol in which we are the engine: ``python -m measure.dialogues``.

Lines as other programs write them, with words changed, dropped, repeated or taken from elsewhere, and noise.  Each must
be answered as its protocol has it, without an exception, without an error of the program, and in time.  Lines that ask
for a long search, or end the dialogue, are left out.
"""

import argparse
import contextlib
import faulthandler
import io
import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.engine.evaluator import Evaluator
from core.engine.search import Search
from core.games import load_game
from core.search import Limit, SearchSettings
from measure.damage_changes import in_text
from measure.damage_gtp import dialogues
from models.commands.serve import _figures
from models.engines.gomocup_server import GomocupServer
from models.engines.gtp_params import Options
from models.engines.gtp_server import GtpServer
from models.engines.json_server import JsonServer, Request
from models.engines.nboard_client import write_ggf
from models.engines.nboard_server import NBoardServer

LINES: Final = 200_000
BATCH: Final = 1000  # lines of one dialogue
MOST_SECONDS: Final = 300.0  # for a batch
_SETTINGS: Final = SearchSettings(selection="ucb1", memory_mb=8)
_OPTIONS: Final = Options(Limit(simulations=2), _SETTINGS, seed=1, version="1")


@dataclass(frozen=True)
class Protocol:
    """What is written under it, and how it is answered."""

    seeds: tuple[str, ...]
    """Lines that are right."""
    answer: Callable[[str], str]
    """Lines -> what our engine answers to all of them."""
    wrong: Callable[[str], str]
    """An answer that the protocol does not have, "" for none."""
    left_out: str = "$^"
    """Pattern of lines that take long, or end the dialogue."""


def _run(make: Callable[[io.StringIO], Any], lines: str) -> str:
    output = io.StringIO()
    make(output).run(io.StringIO(lines))
    return output.getvalue()


def _wrong_lines(pattern: str) -> Callable[[str], str]:
    known = re.compile(pattern)
    return lambda text: next((line for line in text.splitlines() if not known.match(line)), "")


def _wrong_gtp(text: str) -> str:
    *answers, rest = text.split("\n\n")
    return rest or next((one for one in answers if not re.match(r"[=?][0-9]*( |\n|$)", one)), "")


def _serve(lines: str) -> str:
    def settings(evaluator: Evaluator | None, own: Mapping[str, Any]) -> SearchSettings:
        return SearchSettings(**{"selection": "ucb1", **own, "memory_mb": 8})

    def describe(search: Search, request: Request) -> dict[str, Any]:
        return _figures(search, request, 1)

    end = '\n{"id":"end","action":"terminate_all"}\n'
    return _run(
        lambda output: JsonServer(load_game("go(size=5)"), lambda _: None, settings, describe, _OPTIONS, output),
        lines + end,
    )


def _wrong_json(text: str) -> str:
    for line in text.splitlines():
        answer = json.loads(line)
        if "error of the program" in str(answer.get("error", "")):
            return line
        if not answer.keys() & {"error", "warning", "action", "isDuringSearch"}:
            return line
    return ""


def _gtp_seeds() -> tuple[str, ...]:
    return tuple(line for data in dialogues(Path()) for line in data.decode().splitlines())


_POSITIONS: Final = ("f5", "f5 d6 c3 d3", "f5 f6 e6 f4 g6")
_OTHELLO: Final = load_game("othello")
_GO: Final = load_game("go(size=5)")
PROTOCOLS: Final = {
    "gtp": Protocol(
        _gtp_seeds(),
        lambda lines: _run(lambda output: GtpServer(_GO, lambda _: None, _OPTIONS, output), lines),
        _wrong_gtp,
        r"(?i).*(quit|max(Visits|Time))",
    ),
    "gomocup": Protocol(
        (
            *("START 9", "START 15", "RECTSTART 7,7", "RESTART", "BEGIN", "TURN 3,3", "TURN 4,4", "TAKEBACK 3,3"),
            *("PLAY 2,2", "ABOUT", "INFO timeout_turn 10", "INFO time_left 20", "INFO rule 1", "INFO rule 4"),
            *("INFO max_memory 1000", "BOARD\n3,3,1\n4,4,2\nDONE", "BOARD\n1,1,2\nDONE", "INFO folder /tmp"),
        ),
        lambda lines: _run(
            lambda output: GomocupServer(load_game("gomoku(size=9)"), lambda _: None, _OPTIONS, output), lines
        ),
        _wrong_lines(r"OK$|ERROR |UNKNOWN |name=|\S.*,"),
        r"(?i)\s*end\b",
    ),
    "nboard": Protocol(
        (
            *("nboard 2", "set depth 4", "set contempt 0", "move F5", "move D6/1.2/3", "move PA", "hint 3", "go"),
            *("ping 7", "learn", *(f"set game {write_ggf(_OTHELLO.position(moves), 60.0)}" for moves in _POSITIONS)),
            f"set game {write_ggf(load_game('othello(size=6)').initial())}",
        ),
        lambda lines: _run(lambda output: NBoardServer(_OTHELLO, lambda _: None, _OPTIONS, output), lines),
        _wrong_lines("set myname|pong|===|search|status|nodestats|learned"),
        r"\s*quit\b",
    ),
    "serve": Protocol(
        (
            '{"id":"1","game":"connect4","moves":"d d c","simulations":3}',
            '{"id":"2","moves":["c3","b2"],"turns":[0,1,2],"seconds":0.01,"reportEvery":0.5,"includeOwnership":true}',
            '{"id":"3","game":"tictactoe","position":"X . .\\n. O .\\n. . .","includePolicy":true,"tree":{"depth":2}}',
            '{"id":"4","action":"terminate","terminateId":"2"}',
            '{"id":"5","action":"terminate_all"}',
            '{"id":"6","action":"query_version"}',
            '{"id":"7","moves":"c3","only":["b2"],"settings":{"c_ucb":2.5},"priority":3}',
            '{"id":"8","boardXSize":5,"boardYSize":4,"rules":"japanese","komi":6.5,"initialStones":[["B","A1"]],'
            '"moves":[["W","C3"],["B","pass"]],"analyzeTurns":[0,1,2],"maxVisits":3,"includePolicy":true}',
            '{"id":"9","boardXSize":3,"boardYSize":3,"moves":[],"initialPlayer":"W","rules":{"ko":"SIMPLE"},'
            '"overrideSettings":{"maxVisits":3,"maxTime":0.1,"reportAnalysisWinratesAs":"WHITE"}}',
        ),
        _serve,
        _wrong_json,
    ),
}


def random_line(rng: random.Random, protocol: Protocol) -> str:
    """A line, or a few that belong together."""
    line = rng.choice(protocol.seeds)
    kind = rng.random()
    if kind < 0.25:
        return line
    if kind < 0.65:
        words = re.findall(r"\w+|\s+|[^\w\s]", line)
        others = re.findall(r"\w+|[^\w\s]", rng.choice(protocol.seeds))
        for _ in range(rng.choice((1, 1, 2, 4))):
            at = rng.randrange(len(words)) if words else 0
            words[at : at + rng.choice((0, 1, 1, 2))] = rng.choice(([], [rng.choice(others)], words[at : at + 1] * 2))
        return "".join(words)
    if kind < 0.95:
        return in_text(rng, line.encode()).decode("utf-8", "replace")
    return "".join(chr(rng.choice((rng.randrange(128), rng.randrange(0x3000)))) for _ in range(rng.randrange(80)))


def batch(name: str, seed: int, count: int) -> str:
    """So many random lines of a protocol."""
    protocol, rng = PROTOCOLS[name], random.Random(f"{name} {seed}")
    left_out = re.compile(protocol.left_out)
    lines: list[str] = []
    while len(lines) < count:
        made = random_line(rng, protocol).splitlines() or [""]
        lines += [line for line in made if not left_out.match(line)]
    return "".join(f"{line}\n" for line in lines)


def fault(name: str, lines: str) -> str:
    """What is wrong with the answers to these lines; "" for nothing."""
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), contextlib.redirect_stderr(said):
        answers = PROTOCOLS[name].answer(lines)
    return said.getvalue() if "Traceback" in said.getvalue() else PROTOCOLS[name].wrong(answers)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Random lines for each protocol in which we are the engine.")
    parser.add_argument("protocols", nargs="*", metavar="PROTOCOL", help=f"of {', '.join(PROTOCOLS)} (default: all)")
    parser.add_argument("--lines", type=int, default=LINES, metavar="N", help=f"of each (default {LINES})")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the first batch (default 1)")
    args = parser.parse_args(arguments)
    if wrong := [name for name in args.protocols if name not in PROTOCOLS]:
        parser.error(f"{wrong[0]!r} is no protocol; they are {', '.join(PROTOCOLS)}")
    faults = 0
    for name in args.protocols or PROTOCOLS:
        began, longest = time.process_time(), 0.0
        for seed in range(args.seed, args.seed + -(-args.lines // BATCH)):
            lines, before = batch(name, seed, BATCH), time.monotonic()
            faulthandler.dump_traceback_later(MOST_SECONDS, exit=True)
            try:
                found = fault(name, lines)
            except Exception as error:
                found = f"{type(error).__name__}: {error}"
            faulthandler.cancel_dump_traceback_later()
            longest = max(longest, time.monotonic() - before)
            if found:
                faults += 1
                print(f"{name}, seed {seed}: {found[:2000]}", flush=True)
        spent = time.process_time() - began
        print(f"{name}: {args.lines} lines, {spent:.0f} s of processor time, longest batch {longest:.1f} s", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
