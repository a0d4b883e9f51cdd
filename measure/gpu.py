"""Benchmark of an NVIDIA GPU: accuracy and speed of nets, search, self-play and learning on it (``make bench-gpu``).

Takes ten minutes at most on a machine with nothing else installed.  What cannot be measured is listed with the reason,
and what there is no time for is left out.  Each table is printed and written, in Markdown, as soon as it is measured.
``--device cpu`` measures the same on the processor, to try the command without a GPU.
"""

import argparse
import math
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.engine import Evaluator, Search, warm_up
from core.games import GameSpec, Position, load_game
from core.games.encoding import OWN_ENCODING
from core.machine import processors
from core.search import Limit, SearchSettings
from measure.bench_speed import write_untrained
from measure.bench_table import Table, machine_lines
from models.netfiles.agreement import chances
from models.netfiles.cuda import missing_gpu
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.net_file import read_net_info
from models.netfiles.quantise import to_fp16
from models.netfiles.shipped import nets_dir
from models.play.games import PlayStats
from models.play.inference_server import BATCHES, PADDED, ROWS, InferenceServer
from models.play.leaf_lanes import LaneEnd, LaneShape, make_lanes
from models.play.openings import random_opening
from models.play.player_process import NetTurn, PlayerJob, ProcessPlayer
from models.play.replay import Batch
from models.play.selfplay import SelfPlay
from models.runs.config import TrainConfig
from models.runs.net_config import NetConfig
from models.runs.presets import preset_values

FP32, FP16, TORCH = "onnxruntime fp32", "onnxruntime fp16", "torch"
KINDS: Final = (FP32, FP16, TORCH)
SIZES: Final = ("4x48", "10x128", "20x256")
BATCH_SIZES: Final = tuple(1 << i for i in range(11))
SEARCHES: Final = tuple(  # batch, batches in flight, collectors
    [(batch, flight, 1) for batch in (8, 64, 256) for flight in (1, 2)] + [(256, 2, 4), (256, 2, 16)]
)
LEARNER_BATCHES: Final = (256, 1024)
SERVED_GAMES: Final = (256, 1024, 4096)
LANES: Final = 2
COMPARED: Final = 256  # positions
MOST_PLIES: Final = 30  # of a random position
SEARCH_TIMES: Final = 4  # a search needs time to grow its batch: this factor on the seconds of a measurement
PLAY_TIMES: Final = 6
MIB: Final = 1 << 20
PACKAGES: Final = ("torch", "onnxruntime", "onnxruntime-gpu", "onnx", "numpy", "numba")
BAD_INPUT: Final = 2

Row = dict[str, Any]
Rows = Iterator[Row | str]  # in place of a row that cannot be measured a sentence with the reason
Columns = dict[str, tuple[str, str]]  # key of a row -> title and format


@dataclass
class Subject:
    """What is measured, and the rates of the nets alone, for comparison."""

    device: str  # "cuda" or "cpu"
    game: GameSpec
    nets: dict[str, Path]  # by size, "4x48"
    batches: Sequence[int]
    games: int  # of self-play, side by side
    seconds: float  # of a measurement
    raw: dict[tuple[str, str, int], float] = field(default_factory=dict)  # positions/s by size, kind and batch

    def evaluator(self, kind: str, path: Path, game: GameSpec) -> Evaluator:
        """A net file by one of ``KINDS``; ``ValueError`` where the device cannot run it."""
        if kind == TORCH:
            from models.nets.net import TorchEvaluator

            return TorchEvaluator(torch_net(path, game), path.stem, self.device)
        if kind == FP16:
            lower = next(iter(self.nets.values())).with_name(f"{path.stem}.fp16.onnx")
            if not lower.exists():
                lower.write_bytes(to_fp16(path.read_bytes()))
            path = lower
        return OnnxEvaluator(path, game, device=self.device)

    def best(self, size: str, kind: str) -> float:
        """The highest rate of the net alone, positions per second; NaN without any."""
        return max((rate for key, rate in self.raw.items() if key[:2] == (size, kind)), default=float("nan"))

    def rate(self, evaluator: Evaluator, size: str, kind: str, batch: int) -> float:
        """Positions per second of the net alone at ``batch``, after two batches; measured once."""
        if (size, kind, batch) not in self.raw:
            shape = (batch, self.game.num_planes, *self.game.shape)
            positions = random_positions(self.game, min(batch, COMPARED))
            planes = np.resize(np.stack([position.planes() for position in positions]), shape)
            for _ in range(2):
                evaluator.evaluate(planes)
            self.raw[size, kind, batch] = batch * calls_per_s(lambda: evaluator.evaluate(planes), self.seconds)
        return self.raw[size, kind, batch]

    def runtimes(self) -> Iterator[tuple[str, Path, str]]:
        """Each net by the runtimes of the program: onnxruntime of the analysis and torch of self-play."""
        for size, path in self.nets.items():
            for kind in (FP32, TORCH):
                if not math.isnan(self.best(size, kind)):
                    yield size, path, kind


# The measurements


def answers(subject: Subject) -> Rows:
    """Compare the answers of every shipped net on the device with those on the processor."""
    for path in sorted(nets_dir().glob("*.onnx")):
        game = load_game(read_net_info(path).game)
        positions = random_positions(game, COMPARED)
        planes = np.stack([position.planes() for position in positions])
        legal = np.zeros((len(positions), game.num_actions), np.bool_)
        for row, position in zip(legal, positions, strict=True):
            row[list(position.legal_actions())] = True
        for kind in KINDS:
            try:
                logits, values = OnnxEvaluator(path, game, device="cpu").evaluate(planes)[:2]
                expected = chances(logits, legal)
                logits, value = subject.evaluator(kind, path, game).evaluate(planes)[:2]
            except ValueError as error:
                yield f"{path.name} by {kind}: {error}"
                continue
            policy = chances(logits, legal)
            yield {
                "size": path.name,
                "by": kind,
                "policy": float(np.abs(policy - expected).max()),
                "value": float(np.abs(value - values).max()),
                "same": float((policy.argmax(axis=1) == expected.argmax(axis=1)).mean()),
            }


def rates(subject: Subject) -> Rows:
    """Positions per second of the nets alone by batch, and the memory in use."""
    for size, path in subject.nets.items():
        for kind in KINDS:
            try:
                evaluator = subject.evaluator(kind, path, subject.game)
                row = {str(batch): subject.rate(evaluator, size, kind, batch) for batch in subject.batches}
            except ValueError as error:
                yield f"{size} by {kind}: {error}"
                continue
            yield {"size": size, "by": kind, **row, "mib": memory_mib()}


def searches(subject: Subject) -> Rows:
    """Search one tree from the first position, by batch, batches in flight and collectors."""
    for size, path, kind in subject.runtimes():
        evaluator = subject.evaluator(kind, path, subject.game)
        for batch, flight, collectors in SEARCHES:
            settings = SearchSettings(
                max_batch=batch, batches_in_flight=flight, collectors=collectors, prove=False, memory_mb=2048
            )
            warm_up(subject.game, evaluator, settings)
            search = Search(subject.game.initial(), evaluator, settings)
            search.run(Limit(seconds=SEARCH_TIMES * subject.seconds))
            counters = search.snapshot().counters
            evaluations = counters.evaluations / counters.elapsed_s
            yield {
                "size": size,
                "by": kind,
                "batch": batch,
                "flight": flight,
                "collectors": collectors,
                "simulations": search.simulations / counters.elapsed_s,
                "evaluations": evaluations,
                "mean": counters.evaluations / max(1, counters.batches),
                "cached": counters.cache_hits / max(1, counters.simulations),
                "share": evaluations / subject.rate(evaluator, size, kind, batch),
            }


def self_play(subject: Subject) -> Rows:
    """Self-play as in training, in one thread and in one per processor."""
    for size, path, kind in subject.runtimes():
        for threads in sorted({1, min(processors(), subject.games)}):
            games = subject.games // threads
            config = TrainConfig.from_dict({**preset_values("medium", subject.game.text), "games": games})
            evaluators = [subject.evaluator(kind, path, subject.game) for _ in range(threads)]
            players = [
                SelfPlay(subject.game, evaluator, config, games, seed, 2) for seed, evaluator in enumerate(evaluators)
            ]
            stats = play(players, evaluators, PLAY_TIMES * subject.seconds)
            if not stats.batches:
                yield f"{size} by {kind}, {threads} threads: no batch was evaluated in that time"
                continue
            spent = stats.play_s / threads
            evaluations = stats.evaluations / spent
            yield {
                "size": size,
                "by": kind,
                "games": games * threads,
                "players": threads,
                "moves": stats.moves / spent,
                "evaluations": evaluations,
                "mean": stats.evaluations / stats.batches,
                "padding": 0.0,
                "best": evaluations / subject.best(size, kind),
            }


def served_play(subject: Subject) -> Rows:
    """Self-play in processes whose leaves one server evaluates, with CUDA graphs and without."""
    import torch

    from models.nets.served_net import TorchServedNet

    for size, path in subject.nets.items():
        for games in SERVED_GAMES:
            for graphs in (True, False) if subject.device == "cuda" else (False,):
                by = "server, CUDA graphs" if graphs else "server, no graphs"
                count = min(processors(), games)
                batch = -(-games // (count * LANES))
                pairs = [make_lanes(LaneShape.of(subject.game, OWN_ENCODING, batch), LANES) for _ in range(count)]
                net = TorchServedNet(
                    torch_net(path, subject.game),
                    subject.game,
                    torch.device(subject.device),
                    count * batch,
                    graphs=graphs,
                )
                if net.note:
                    yield f"{size}, {games} games, {by}: {net.note}"
                    continue
                server = InferenceServer(net, [theirs for _, theirs in pairs])
                row = _served(subject, server, [ours for ours, _ in pairs], games)
                best = row["evaluations"] / subject.best(size, TORCH)
                yield {"size": size, "by": by, "games": games, "players": count, **row, "best": best}


def _served(subject: Subject, server: InferenceServer, ends: list[LaneEnd], games: int) -> Row:
    """Play for a while by a server, and return the figures of a row."""
    config = TrainConfig.from_dict({**preset_values("medium", subject.game.text), "games": games})
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    players = [
        ProcessPlayer(PlayerJob(config, LANES * end.shape.batch, seed, LANES), end) for seed, end in enumerate(ends)
    ]
    turn = NetTurn(0, "the server", "")
    try:
        for player in players:
            player.play(turn, 1)  # its process has begun and its kernels are there
        before, began = server.figures.copy(), time.perf_counter()
        stats = play(players, [turn] * len(players), PLAY_TIMES * subject.seconds)
        spent, figures = time.perf_counter() - began, server.figures - before
    finally:
        for player in players:
            player.close()
        server.stop()
        thread.join()
    rows = float(figures[ROWS])
    return {
        "moves": stats.moves / spent,
        "evaluations": rows / spent,
        "mean": rows / max(1.0, float(figures[BATCHES])),
        "padding": 1.0 - rows / max(1.0, float(figures[PADDED])),
    }


def learner(subject: Subject) -> Rows:
    """Optimizer steps per second without self-play, on random positions, eagerly and by ``torch.compile``."""
    import torch

    from models.training.learning import Learner

    for size in subject.nets:
        blocks, channels = size_of(size)
        for batch_size in LEARNER_BATCHES:
            values = preset_values("small", subject.game.text)
            config = TrainConfig.from_dict(values | {"blocks": blocks, "channels": channels, "batch_size": batch_size})
            batch = random_batch(subject.game, batch_size)
            for how in ("eager", "compiled") if subject.device == "cuda" else ("eager",):
                learning = Learner(subject.game, config, torch.device(subject.device))
                if how == "compiled":
                    learning.net.together = torch.compile(learning.net.together)  # type: ignore[method-assign]
                try:
                    _steps(learning, batch, 0.0)  # it compiles
                    began = time.perf_counter()
                    steps = _steps(learning, batch, began + 2 * subject.seconds)
                except (ValueError, RuntimeError) as error:
                    yield f"the learner of {size}, {how}: {' '.join(str(error).split())[:160]}"
                    continue
                rate = steps / (time.perf_counter() - began)
                yield {"size": size, "by": how, "batch": batch_size, "steps": rate, "positions": rate * batch_size} | {
                    "mib": torch.cuda.max_memory_allocated() / MIB if torch.cuda.is_available() else float("nan")
                }


def _steps(learning: Any, batch: Batch, until: float) -> int:
    """Learn until a time of ``perf_counter``; the losses are read at the end, so the GPU has finished."""
    report = learning.learn(
        1 << 30, lambda *_: [batch], lambda: 0.5, lambda: learning.step > 0 and time.perf_counter() >= until
    )
    return int(report.steps)


# The tables

NET: Final[Columns] = {"size": ("net", ""), "by": ("by", "")}
PLAY: Final[Columns] = {
    **NET,
    "games": ("games", ""),
    "players": ("threads or processes", ""),
    "moves": ("moves/s", ",.0f"),
    "evaluations": ("evaluations/s", ",.0f"),
    "mean": ("mean batch", ".0f"),
    "padding": ("padding", ".0%"),
    "best": ("of the net's best", ".2f"),
}


def measure(subject: Subject, pages: "Pages") -> None:
    """Measure all tables, the most important first."""
    pages.add(
        "answers beside the processor's",
        {**NET, "policy": ("policy", ".1e"), "value": ("value", ".1e"), "same": ("same best move", ".1%")},
        answers(subject),
        "positions by random play; the largest difference of a legal move's probability and of the value, and in how "
        "many the most probable move is the same",
    )
    pages.add(
        "the nets alone",
        {**NET, **{str(batch): (str(batch), ",.0f") for batch in subject.batches}, "mib": ("GPU MiB", ",.0f")},
        rates(subject),
        "positions per second by batch, the copies to the device and back included; untrained nets of blocks x "
        f"channels for {subject.game.text}; all of the GPU's memory that is in use",
    )
    pages.add(
        "search of one tree",
        {
            **NET,
            "batch": ("batch", ""),
            "flight": ("in flight", ""),
            "collectors": ("collectors", ""),
            "simulations": ("simulations/s", ",.0f"),
            "evaluations": ("evaluations/s", ",.0f"),
            "mean": ("mean batch", ".1f"),
            "cached": ("cached", ".0%"),
            "share": ("of the net alone", ".2f"),
        },
        searches(subject),
        "PUCT from the first position; beside the net alone at the batch asked for, to which a tree's batches grow",
    )
    pages.add("self-play", PLAY, self_play(subject), "each thread works on half its games while the net has the others")
    pages.add("self-play by the inference server", PLAY, served_play(subject), "trees in processes of their own")
    pages.add(
        "learner",
        {
            **NET,
            "batch": ("batch", ""),
            "steps": ("steps/s", ",.1f"),
            "positions": ("positions/s", ",.0f"),
            "mib": ("GPU MiB", ",.0f"),
        },
        learner(subject),
        "alone, on positions made up; the most memory that torch held",
    )


class Pages:
    """The tables of the benchmark: each is printed, then all so far are written, so that an abort loses only one."""

    def __init__(self, out: Path, ends: float, machine: list[str]) -> None:
        """``ends``: the ``perf_counter`` time after which no row is begun."""
        self._out, self._ends = out, ends
        self._markdown = ["# On a GPU", "", *(f"{line}  " for line in machine)]
        out.mkdir(parents=True, exist_ok=True)
        print("\n".join(machine), flush=True)

    def add(self, title: str, columns: Columns, rows: Rows, note: str) -> None:
        """Measure ``rows`` until the time is over; print and write their table."""
        print(f"\nmeasuring: {title} …", file=sys.stderr, flush=True)
        measured: list[Row] = []
        left_out: list[str] = []
        try:
            while time.perf_counter() < self._ends:
                row = next(rows)
                left_out.append(row) if isinstance(row, str) else measured.append(row)
            left_out.append("the time was over")
        except StopIteration:
            pass
        except Exception as error:  # the other tables are worth having without this one
            left_out.append(f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")
        cells = tuple(tuple(_cell(row[key], form) for key, (_, form) in columns.items()) for row in measured)
        table = Table(title, tuple(title for title, _ in columns.values()), cells, note, words=2)
        reasons = [f"Left out: {reason}" for reason in dict.fromkeys(left_out)]
        lines = ["", *table.lines(), *(line for reason in reasons for line in ("", reason))]
        print("\n".join(lines), flush=True)
        self._markdown += lines
        (self._out / "bench-gpu.md").write_text("\n".join(self._markdown) + "\n", encoding="utf-8")


def _cell(value: Any, form: str) -> str:
    return "-" if isinstance(value, float) and not math.isfinite(value) else format(value, form)


# Small parts


def size_of(text: str) -> tuple[int, int]:
    """Blocks and channels of "4x48"; ``ValueError`` for anything else."""
    blocks, _, channels = text.partition("x")
    if not (blocks.isdecimal() and channels.isdecimal()):
        raise ValueError(f"--size is {text!r}; it must be blocks x channels, such as 10x128")
    return int(blocks), int(channels)


def after(seconds: float) -> Callable[[], bool]:
    """A function that returns whether ``seconds`` have passed."""
    end = time.perf_counter() + seconds
    return lambda: time.perf_counter() >= end


def play(players: Sequence[Any], evaluators: Sequence[Any], seconds: float) -> PlayStats:
    """Let players of self-play play for a time, each in a thread with its evaluator."""
    over = after(seconds)
    with ThreadPoolExecutor(len(players)) as pool:
        parts = pool.map(lambda player, evaluator: player.play(evaluator, 1 << 40, over)[1], players, evaluators)
        return sum(parts, PlayStats())


def calls_per_s(call: Callable[[], object], seconds: float) -> float:
    """How often a function can be called in a second; at least one call is made."""
    calls, began, over = 0, time.perf_counter(), after(seconds)
    while not over() or not calls:
        call()
        calls += 1
    return calls / (time.perf_counter() - began)


def random_positions(game: GameSpec, count: int) -> list[Position]:
    rng = np.random.default_rng(0)
    return [random_opening(game, int(rng.integers(min(game.max_plies, MOST_PLIES))), rng) for _ in range(count)]


def random_batch(game: GameSpec, size: int) -> Batch:
    """A batch of random planes, policies and results, to learn from."""
    rng = np.random.default_rng(0)
    planes = (rng.random((size, game.num_planes, *game.shape)) < 0.3).astype(np.float32)
    policy = rng.random((size, game.num_actions)).astype(np.float32)
    result = rng.integers(-1, 2, size).astype(np.float32)
    return Batch(planes, policy / policy.sum(axis=1, keepdims=True), result, result)


def torch_net(path: Path, game: GameSpec) -> Any:
    """A torch net with the weights of a net file."""
    from models.nets.net import PolicyValueNet
    from models.nets.warm_start import load_matching_weights

    net = PolicyValueNet.for_game(game, NetConfig(**read_net_info(path).config))
    load_matching_weights(net, path, game)
    return net


def nvidia_smi(fields: str) -> list[str]:
    """The given fields of the first GPU as ``nvidia-smi`` prints them; empty without that program."""
    words = ["nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=30.0)
    except (OSError, subprocess.TimeoutExpired):
        return []
    first = done.stdout.strip().splitlines()[:1] if done.returncode == 0 else []
    return [word.strip() for word in first[0].split(",")] if first else []


def memory_mib() -> float:
    """GPU memory in use by all processes; NaN where unknown."""
    try:
        return float(nvidia_smi("memory.used")[0].split()[0])
    except (IndexError, ValueError):
        return float("nan")


def device_lines(device: str) -> list[str]:
    """The GPU and the installed packages, a line each; ``ValueError`` where ``device`` is a GPU and there is none."""
    if device == "cpu":
        return ["on the processor, not on a GPU"]
    # An onnxruntime without CUDA is no reason: torch may have it.
    if (why := missing_gpu()).startswith("no NVIDIA driver"):
        raise ValueError(f"{why}; --device cpu tries the command without a GPU")
    versions = {
        distribution.metadata["Name"].lower(): distribution.version
        for distribution in distributions()
        if distribution.metadata["Name"]
    }
    names = (*PACKAGES, *sorted(name for name in versions if name.startswith("nvidia-")))
    packages = [f"{name} {versions[name]}" for name in names if name in versions]
    return [
        ", ".join(nvidia_smi("name,memory.total,driver_version") or ["an NVIDIA GPU"]),
        ", ".join([f"Python {sys.version.split()[0]}", *packages]),
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit code: 0, or 2 for bad input or without a GPU."""
    parser = argparse.ArgumentParser(prog="make bench-gpu ARGS=...", description=__doc__)
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda", help="cpu tries the command without a GPU")
    parser.add_argument("--minutes", type=float, default=9.0, help="after which nothing more is begun (default 9)")
    parser.add_argument("--seconds", type=float, default=0.4, help="of each measurement (default 0.4)")
    parser.add_argument("--game", default="connect4", help="whose positions are evaluated (default connect4)")
    parser.add_argument("--size", action="append", help=f"blocks x channels; may be repeated ({', '.join(SIZES)})")
    parser.add_argument("--batch", type=int, action="append", help="may be repeated (default 1, 2, 4 ... 1024)")
    parser.add_argument("--games", type=int, default=1024, help="of self-play, side by side (default 1024)")
    parser.add_argument("--out", type=Path, default=Path("build/bench-gpu"), help="the folder for the results")
    args = parser.parse_args(argv)
    ends = time.perf_counter() + 60.0 * args.minutes
    try:
        for name, least in (("games", 1), ("seconds", 0.001), ("minutes", 0.0), ("batch", 1)):
            chosen = getattr(args, name)
            for value in chosen if isinstance(chosen, list) else [chosen]:
                if value is not None and not value >= least:
                    raise ValueError(f"--{name} is {value}; it must be at least {least}")
        game, sizes = load_game(args.game), {size: size_of(size) for size in args.size or SIZES}
        machine = [*machine_lines(), *device_lines(args.device)]
        with tempfile.TemporaryDirectory() as folder:
            pages = Pages(args.out, ends, machine)
            nets = {size: Path(folder) / f"untrained-{size}.onnx" for size in sizes}
            for size, path in nets.items():
                print(f"an untrained net of {size} …", file=sys.stderr, flush=True)
                write_untrained(game, *sizes[size], path)
            batches = sorted(set(args.batch or BATCH_SIZES))
            measure(Subject(args.device, game, nets, batches, args.games, args.seconds), pages)
    except (ValueError, OSError) as error:
        print(f"bench-gpu: {error}", file=sys.stderr)
        return BAD_INPUT
    print(f"\nwritten to {args.out / 'bench-gpu.md'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
