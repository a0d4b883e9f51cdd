"""The measurements of ``make bench-gpu``, a row at a time: accuracy, rates, searches, self-play, learning.

A measurement yields rows, and in place of a row that cannot be measured a sentence with the reason.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.engine import Evaluator, Search, warm_up
from core.games import GameSpec, Position, load_game
from core.processors import processors
from core.search import Limit, SearchSettings
from measure.gpu_devices import FP32, KINDS, TORCH, Device
from models.netfiles.evaluator import OnnxEvaluator, nets_dir, read_net_info
from models.play.games import PlayStats
from models.play.openings import random_opening
from models.play.selfplay import SelfPlay
from models.runs.config import TrainConfig
from models.runs.presets import preset_values
from models.training.pool import play_together

SEARCH_BATCHES: Final = (8, 64, 256)
IN_FLIGHT: Final = (1, 2)
COLLECTORS: Final = (1, 4, 16)
LEARNER_BATCHES: Final = (256, 1024)

_COMPARED: Final = 256  # positions
_MOST_PLIES: Final = 30  # of a random position
_SEARCH_TIMES: Final = 4  # a search needs time to grow its batch: this factor on the seconds of a measurement
_PLAY_TIMES: Final = 6

Row = dict[str, Any]
Rows = Iterator[Row | str]


@dataclass
class Subject:
    """The subject of the measurements, and the rates of the nets alone, for comparison."""

    device: Device
    game: GameSpec
    nets: dict[str, Path]  # by size, "4x48"
    batches: Sequence[int]
    games: int  # of self-play, side by side
    seconds: float  # of a measurement
    raw: dict[tuple[str, str, int], float] = field(default_factory=dict)  # positions/s by size, kind and batch


def answers(subject: Subject) -> Rows:
    """Compare the answers of every shipped net on the device with those on the processor."""
    for path in sorted(nets_dir().glob("*.onnx")):
        game = load_game(read_net_info(path).game)
        positions = _random_positions(game, _COMPARED)
        planes = np.stack([position.planes() for position in positions])
        legal = np.zeros((len(positions), game.num_actions), np.bool_)
        for row, position in zip(legal, positions, strict=True):
            row[list(position.legal_actions())] = True
        wanted, values = OnnxEvaluator(path, game, device="cpu").evaluate(planes)
        for kind in KINDS:
            try:
                policy, value = subject.device.evaluator(kind, path, game).evaluate(planes)
            except ValueError as error:
                yield f"{path.name} by {kind}: {error}"
                continue
            ours, theirs = _chances(policy, legal), _chances(wanted, legal)
            yield {
                "net": path.name,
                "kind": kind,
                "policy": float(np.abs(ours - theirs).max()),
                "value": float(np.abs(value - values).max()),
                "same": float((ours.argmax(axis=1) == theirs.argmax(axis=1)).mean()),
            }


def rates(subject: Subject) -> Rows:
    """Positions per second of the nets alone; a row for each net and runtime."""
    for size, path in subject.nets.items():
        for kind in KINDS:
            try:
                evaluator = subject.device.evaluator(kind, path, subject.game)
                found = {str(batch): _rate(evaluator, subject, batch) for batch in subject.batches}
            except ValueError as error:
                yield f"{size} by {kind}: {error}"
                continue
            subject.raw |= {(size, kind, int(batch)): rate for batch, rate in found.items()}
            yield {"size": size, "kind": kind, **found, "mib": subject.device.memory_mib()}


def searches(subject: Subject) -> Rows:
    """Search one tree with several batch sizes, with one or two batches in flight."""
    for size, path, kind in _chosen(subject):
        evaluator = subject.device.evaluator(kind, path, subject.game)
        for batch in SEARCH_BATCHES:
            raw = _raw(subject, evaluator, size, kind, batch)
            for flight in IN_FLIGHT:
                settings = SearchSettings(max_batch=batch, batches_in_flight=flight, prove=False, memory_mb=2048)
                yield {"size": size, "kind": kind, "batch": batch, "flight": flight} | _search(
                    subject, evaluator, settings, raw
                )


def collectors(subject: Subject) -> Rows:
    """Search one tree with several threads that collect the leaves of the largest batches."""
    batch, flight = SEARCH_BATCHES[-1], IN_FLIGHT[-1]
    for size, path, kind in _chosen(subject):
        evaluator = subject.device.evaluator(kind, path, subject.game)
        raw = _raw(subject, evaluator, size, kind, batch)
        for count in COLLECTORS:
            settings = SearchSettings(
                max_batch=batch, batches_in_flight=flight, collectors=count, prove=False, memory_mb=2048
            )
            yield {"size": size, "kind": kind, "collectors": count} | _search(subject, evaluator, settings, raw)


def _search(subject: Subject, evaluator: Evaluator, settings: SearchSettings, raw: float) -> Row:
    """The figures of a search from the first position; ``raw``: the rate of the net alone."""
    warm_up(subject.game, evaluator, settings)
    search = Search(subject.game.initial(), evaluator, settings)
    search.run(Limit(seconds=_SEARCH_TIMES * subject.seconds))
    snapshot = search.snapshot()
    counters = snapshot.counters
    evaluations = counters.evaluations / counters.elapsed_s
    return {
        "simulations": snapshot.simulations / counters.elapsed_s,
        "evaluations": evaluations,
        "mean": counters.evaluations / max(1, counters.batches),
        "cached": counters.cache_hits / max(1, counters.simulations),
        "share": evaluations / raw,
    }


def self_play(subject: Subject) -> Rows:
    """Self-play as in training, in one thread and in one per processor."""
    for size, path, kind in _chosen(subject):
        for threads in sorted({1, min(processors(), subject.games)}):
            games = subject.games // threads
            config = TrainConfig.from_dict({**preset_values("medium", subject.game.text), "games": games})
            evaluators = [subject.device.evaluator(kind, path, subject.game) for _ in range(threads)]
            players = [SelfPlay(subject.game, one, config, games, seed, 2) for seed, one in enumerate(evaluators)]
            short = replace(config, simulations=2, fast_simulations=2, resign_below=0.0, resign_lead=0.0)
            SelfPlay(subject.game, evaluators[0], short, 1, 0, 2).play(evaluators[0], 1)  # compiles the kernels
            over = _after(_PLAY_TIMES * subject.seconds)
            made = play_together(players, evaluators, 0, 1 << 40, over)
            stats = sum((stats for parts in made for _, stats in parts), PlayStats())
            if not stats.batches:
                yield f"{size} by {kind}, {threads} threads: no batch was evaluated in that time"
                continue
            spent = stats.play_s / threads
            evaluations, mean = stats.evaluations / spent, stats.evaluations / stats.batches
            best = max((rate for key, rate in subject.raw.items() if key[:2] == (size, kind)), default=float("nan"))
            yield {
                "size": size,
                "kind": kind,
                "threads": threads,
                "games": games * threads,
                "moves": stats.moves / spent,
                "evaluations": evaluations,
                "mean": mean,
                "share": evaluations / _raw(subject, evaluators[0], size, kind, max(1, round(mean))),
                "best": evaluations / best,
            }


def learner(subject: Subject) -> Rows:
    """Optimizer steps per second, without self-play."""
    for size in subject.nets:
        blocks, channels = size_of(size)
        for batch in LEARNER_BATCHES:
            values = preset_values("small", subject.game.text)
            values |= {"blocks": blocks, "channels": channels, "batch_size": batch}
            config = TrainConfig.from_dict(values)
            for compiled in (False, True):
                how = "compiled" if compiled else "eager"
                try:
                    learned = subject.device.learn(subject.game, config, 2 * subject.seconds, compiled)
                except (ValueError, RuntimeError) as error:
                    yield f"the learner of {size}, {how}: not here: {' '.join(str(error).split())[:160]}"
                    continue
                yield {
                    "size": size,
                    "how": how,
                    "batch": batch,
                    "steps": learned.steps_per_s,
                    "positions": learned.steps_per_s * batch,
                    "mib": learned.memory_mib,
                }


def size_of(text: str) -> tuple[int, int]:
    """Blocks and channels of "4x48"; ``ValueError`` for anything else."""
    blocks, _, channels = text.partition("x")
    if not (blocks.isdecimal() and channels.isdecimal()):
        raise ValueError(f"--size is {text!r}; it must be blocks x channels, such as 10x128")
    return int(blocks), int(channels)


def _chosen(subject: Subject) -> Iterator[tuple[str, Path, str]]:
    """Each net with the runtimes the program uses: onnxruntime in analysis, the faster of the two in self-play.
    Combinations without a rate are left out."""
    for size, path in subject.nets.items():
        for kind in (FP32, TORCH):
            if any(key[:2] == (size, kind) for key in subject.raw):
                yield size, path, kind


def _rate(evaluator: Evaluator, subject: Subject, batch: int) -> float:
    """Positions per second at ``batch``, after two warm-up batches."""
    positions = _random_positions(subject.game, min(batch, _COMPARED))
    planes = np.resize(
        np.stack([position.planes() for position in positions]), (batch, subject.game.num_planes, *subject.game.shape)
    )
    for _ in range(2):
        evaluator.evaluate(planes)
    calls, began = 0, time.perf_counter()
    over = _after(subject.seconds)
    while not over() or not calls:
        evaluator.evaluate(planes)
        calls += 1
    return batch * calls / (time.perf_counter() - began)


def _raw(subject: Subject, evaluator: Evaluator, size: str, kind: str, batch: int) -> float:
    """Rate of the net alone at ``batch``, measured if it is not known yet."""
    key = size, kind, batch
    if key not in subject.raw:
        subject.raw[key] = _rate(evaluator, subject, batch)
    return subject.raw[key]


def _after(seconds: float) -> Any:
    """A function that returns whether ``seconds`` have passed."""
    end = time.perf_counter() + seconds
    return lambda: time.perf_counter() >= end


def _random_positions(game: GameSpec, count: int) -> list[Position]:
    rng = np.random.default_rng(0)
    return [random_opening(game, int(rng.integers(min(game.max_plies, _MOST_PLIES))), rng) for _ in range(count)]


def _chances(logits: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Probabilities [n, A] of the legal moves."""
    masked = np.where(legal, logits.astype(np.float64), -np.inf)
    chances = np.exp(masked - masked.max(axis=1, keepdims=True))
    shares: NDArray[np.float64] = chances / chances.sum(axis=1, keepdims=True)
    return shares
