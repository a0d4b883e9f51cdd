"""Benchmark of an NVIDIA GPU: accuracy and speed of nets, search, self-play and learning on it (``make bench-gpu``).

Takes ten minutes at most on a machine with nothing else installed.  What cannot be measured is listed with the reason,
and what there is no time for is left out.  Each table is printed and written as soon as it is measured, as Markdown
for BENCH.md and as JSON.
"""

import argparse
import json
import math
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from core.games import load_game
from measure.bench_speed import write_untrained
from measure.bench_table import Table, machine_lines
from measure.gpu_devices import Cuda, Device, Fake
from measure.gpu_measures import (
    IN_FLIGHT,
    SEARCH_BATCHES,
    Row,
    Rows,
    Subject,
    answers,
    collectors,
    learner,
    rates,
    searches,
    self_play,
    size_of,
)
from measure.gpu_messages import message_rows
from measure.gpu_serving import plans, served_play, whole_run

SIZES: Final = ("4x48", "10x128", "20x256")
BATCH_SIZES: Final = tuple(1 << i for i in range(11))

_BAD_INPUT: Final = 2
_MIB: Final = ("GPU MiB", ",.0f")
_NET: Final = {"size": ("net", ""), "kind": ("by", "")}

_SEARCHED: Final = {
    "simulations": ("simulations/s", ",.0f"),
    "evaluations": ("evaluations/s", ",.0f"),
    "mean": ("mean batch", ".1f"),
    "cached": ("cached", ".0%"),
    "share": ("of the net alone", ".2f"),
}

Columns = dict[str, tuple[str, str]]  # key of a row -> title and format


class Pages:
    """Output of the benchmark: each table is printed, then all so far are written to a folder, so that an abort loses
    only the table being measured."""

    def __init__(self, out: Path, ends: float, machine: list[str]) -> None:
        """``ends``: the ``perf_counter`` time after which no row is begun."""
        self._out, self._ends = out, ends
        self._markdown = ["# On a GPU", "", *(f"{line}  " for line in machine)]
        self._found: dict[str, Any] = {"machine": machine}
        out.mkdir(parents=True, exist_ok=True)
        print("\n".join(machine), flush=True)

    def add(self, name: str, title: str, columns: Columns, rows: Rows, note: str, words: int = 2) -> None:
        """Measure ``rows`` until the time is over; print and write their table."""
        print(f"\nmeasuring: {title} …", file=sys.stderr, flush=True)
        kept: list[Row] = []
        left_out: list[str] = []
        try:
            while time.perf_counter() < self._ends:
                row = next(rows)
                left_out.append(row) if isinstance(row, str) else kept.append(row)
            left_out.append("the time was over")
        except StopIteration:
            pass
        except Exception as error:  # the other tables are worth having without this one
            left_out.append(f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")
        cells = tuple(tuple(_cell(row[key], form) for key, (_, form) in columns.items()) for row in kept)
        table = Table(title, tuple(title for title, _ in columns.values()), cells, note, words)
        reasons = [f"Left out: {reason}" for reason in dict.fromkeys(left_out)]
        print("\n".join(["", *table.lines(markdown=False), *reasons]), flush=True)
        self._markdown += ["", *table.lines(markdown=True), *(line for one in reasons for line in ("", one))]
        self._found[name] = {"rows": kept, "left_out": left_out}
        self._write("md", "\n".join(self._markdown))
        self._write("json", json.dumps(_plain(self._found), indent=1))

    def _write(self, suffix: str, text: str) -> None:
        (self._out / f"bench-gpu.{suffix}").write_text(text + "\n", encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit code: 0, or 2 for bad input or without a GPU."""
    parser = argparse.ArgumentParser(prog="make bench-gpu ARGS=...", description=__doc__)
    parser.add_argument("--minutes", type=float, default=9.0, help="after which nothing more is begun (default 9)")
    parser.add_argument("--seconds", type=float, default=0.4, help="of each measurement (default 0.4)")
    parser.add_argument("--game", default="connect4", help="whose positions are evaluated (default connect4)")
    parser.add_argument("--size", action="append", help=f"blocks x channels; may be repeated ({', '.join(SIZES)})")
    parser.add_argument("--batch", type=int, action="append", help="may be repeated (default 1, 2, 4 ... 1024)")
    parser.add_argument("--games", type=int, default=1024, help="of self-play, side by side (default 1024)")
    parser.add_argument("--run-minutes", type=float, default=2.0, help="of a training run (default 2)")
    parser.add_argument("--out", type=Path, default=Path("build/bench-gpu"), help="the folder for the results")
    parser.add_argument("--fake", action="store_true", help="a stand-in for the GPU, to try the command without one")
    args = parser.parse_args(argv)
    ends = time.perf_counter() + 60.0 * args.minutes
    try:
        for name, least in (("games", 1), ("seconds", 0.001), ("minutes", 0.0), ("run_minutes", 0.01), ("batch", 1)):
            given = getattr(args, name)
            for value in given if isinstance(given, list) else [given]:
                if value is not None and not value >= least:
                    raise ValueError(f"--{name.replace('_', '-')} is {value}; it must be at least {least}")
        game, sizes = load_game(args.game), {size: size_of(size) for size in args.size or SIZES}
        device: Device = Fake() if args.fake else Cuda()
        with tempfile.TemporaryDirectory() as folder:
            pages = Pages(args.out, ends, [*machine_lines(), *device.facts()])
            nets = {size: Path(folder) / f"untrained-{size}.onnx" for size in sizes}
            for size, path in nets.items():
                print(f"an untrained net of {size} …", file=sys.stderr, flush=True)
                write_untrained(game, *sizes[size], path)
            batches = sorted(set(args.batch or BATCH_SIZES))
            measure(Subject(device, game, nets, batches, args.games, args.seconds), pages, args.run_minutes)
    except (ValueError, OSError) as error:
        print(f"bench-gpu: {error}", file=sys.stderr)
        return _BAD_INPUT
    print(f"\nwritten to {args.out / 'bench-gpu.md'} and {args.out / 'bench-gpu.json'}")
    return 0


def measure(subject: Subject, pages: Pages, minutes: float = 2.0) -> None:
    """Measure all tables, the most important first; ``minutes``: of a training run."""
    pages.add(
        "answers",
        "answers beside the processor's",
        {
            "net": ("net", ""),
            "kind": ("by", ""),
            "policy": ("policy", ".1e"),
            "value": ("value", ".1e"),
            "same": ("same best move", ".1%"),
        },
        answers(subject),
        "positions by random play; the largest difference of a legal move's probability and of the value, and in how "
        "many the most probable move is the same",
    )
    pages.add(
        "rates",
        "the nets alone",
        {**_NET, **{str(batch): (str(batch), ",.0f") for batch in subject.batches}, "mib": _MIB},
        rates(subject),
        "positions per second by batch, the copies to the device and back included; untrained nets of blocks x "
        f"channels for {subject.game.text}; all of the GPU's memory that is in use",
    )
    pages.add(
        "search",
        "search of one tree",
        {
            **_NET,
            "batch": ("batch", ""),
            "flight": ("in flight", ""),
            **_SEARCHED,
        },
        searches(subject),
        "PUCT from the first position; beside the net alone at the batch asked for, to which a tree's batches grow",
    )
    pages.add(
        "collectors",
        "several collectors on one tree",
        {**_NET, "collectors": ("collectors", ""), **_SEARCHED},
        collectors(subject),
        f"as above, with batches of up to {SEARCH_BATCHES[-1]} leaves, {IN_FLIGHT[-1]} in flight, whose leaves several "
        "threads collect",
    )
    pages.add(
        "selfplay",
        "self-play",
        {
            **_NET,
            "threads": ("threads", ""),
            "games": ("games", ""),
            "moves": ("moves/s", ",.0f"),
            "evaluations": ("evaluations/s", ",.0f"),
            "mean": ("mean batch", ".1f"),
            "share": ("of the net alone", ".2f"),
            "best": ("of its best", ".2f"),
        },
        self_play(subject),
        "each thread works on the trees of half its games while the net has the others; beside the net alone at the "
        "mean batch, and at its best batch",
    )
    pages.add(
        "learner",
        "learner",
        {
            "size": ("net", ""),
            "how": ("torch", ""),
            "batch": ("batch", ""),
            "steps": ("steps/s", ",.1f"),
            "positions": ("positions/s", ",.0f"),
            "mib": _MIB,
        },
        learner(subject),
        "alone, on positions made up; the most memory that torch held",
    )
    _measure_serving(subject, pages, minutes)
    nets = list(subject.nets.values())
    pages.add(
        "says",
        "what the program says",
        {"asked": ("asked", ""), "answer": ("answer", "")},
        message_rows(subject.device, subject.game, nets[0], nets[-1]),
        "as its user reads it",
    )


def _measure_serving(subject: Subject, pages: Pages, minutes: float) -> None:
    """Measure the tables of the inference server and what belongs to it."""
    by: Columns = {"size": ("net", ""), "by": ("by", "")}
    pages.add(
        "plans",
        "the nets alone as the server runs them",
        {**by, "batch": ("batch", ""), "rate": ("positions/s", ",.0f")},
        plans(subject),
        "two buffers in turn, the copies to the device and back included; TensorRT in 16 bits",
    )
    pages.add(
        "served",
        "self-play by the inference server",
        {
            **by,
            "games": ("games", ""),
            "processes": ("processes", ""),
            "moves": ("moves/s", ",.0f"),
            "samples": ("samples/s", ",.1f"),
            "evaluations": ("evaluations/s", ",.0f"),
            "mean": ("mean batch", ".0f"),
            "padding": ("padding", ".0%"),
            "best": ("of its best", ".2f"),
        },
        served_play(subject),
        "trees in processes of their own, one server; beside the best rate of the net alone by torch",
    )
    with tempfile.TemporaryDirectory() as folder:
        pages.add(
            "run",
            "a training run",
            {
                "size": ("net", ""),
                "games": ("games", ""),
                "minutes": ("minutes", ".1f"),
                "samples": ("samples/s", ",.1f"),
                "steps": ("steps", ",.0f"),
            },
            whole_run(subject, minutes, Path(folder) / "run"),
            "self-play by the server and learning at the same time",
            words=1,
        )


def _cell(value: Any, form: str) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "-"
    return format(value, form)


def _plain(value: Any) -> Any:
    """``value`` with NaN and infinities replaced by None, as JSON has no such numbers."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


if __name__ == "__main__":
    raise SystemExit(main())
