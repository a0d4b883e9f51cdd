"""More measurements of ``make bench-gpu``: the inference server, CUDA graphs, TensorRT, a run of minutes.

A measurement yields rows, and in place of a row that cannot be measured a sentence with the reason.
"""

import threading
import time
from functools import partial
from pathlib import Path
from typing import Final

from core.engine.evaluator import encoding_of
from core.processors import processors
from measure.gpu_devices import TORCH
from measure.gpu_measures import Row, Rows, Subject, size_of
from models.play.games import PlayStats
from models.play.inference_server import BATCHES, PADDED, ROWS, InferenceServer, ServedNet
from models.play.leaf_lanes import LaneEnd, LaneShape, make_lanes
from models.play.player_process import NetTurn, PlayerJob, ProcessPlayer
from models.runs.config import SERVER, TrainConfig
from models.runs.presets import preset_values
from models.training.pool import play_together

SERVED_GAMES: Final = (256, 1024, 4096)
RAW_BATCH: Final = 1024

_LANES: Final = 2
_PLAY_TIMES: Final = 6  # this factor on the seconds of a measurement


def plans(subject: Subject) -> Rows:
    """The nets alone as the inference server runs them, with CUDA graphs and without, and by TensorRT."""
    for size, path in subject.nets.items():
        for graphs in (True, False):
            try:
                net = subject.device.served(path, subject.game, RAW_BATCH, graphs)
            except (ValueError, RuntimeError) as error:
                yield f"{size}, {_plan(graphs)}: not here: {error}"
                continue
            yield {"size": size, "by": _plan(graphs), "batch": RAW_BATCH, "rate": _served_rate(net, subject.seconds)}
        try:
            rate = subject.device.tensor_rt(path, subject.game, RAW_BATCH, subject.seconds)
        except (ValueError, RuntimeError) as error:
            yield f"{size} by TensorRT: not here: {error}"
            continue
        yield {"size": size, "by": "TensorRT", "batch": RAW_BATCH, "rate": rate}


def served_play(subject: Subject) -> Rows:
    """Self-play in processes whose leaves one server evaluates, by number of games and with CUDA graphs or without."""
    for size, path in subject.nets.items():
        best = max((rate for key, rate in subject.raw.items() if key[:2] == (size, TORCH)), default=float("nan"))
        for games in SERVED_GAMES:
            for graphs in (True, False):
                count = min(processors(), games)
                batch = -(-games // (count * _LANES))
                pairs = [make_lanes(_shape(subject, batch), _LANES) for _ in range(count)]
                try:
                    net = subject.device.served(path, subject.game, count * batch, graphs)
                except (ValueError, RuntimeError) as error:
                    yield f"{size}, {games} games, {_plan(graphs)}: not here: {error}"
                    continue
                server = InferenceServer(net, [theirs for _, theirs in pairs])
                found = _play(subject, server, [ours for ours, _ in pairs], games)
                yield {"size": size, "by": _plan(graphs), "games": games, "processes": count, **found} | {
                    "best": found["evaluations"] / best
                }


def whole_run(subject: Subject, minutes: float, out: Path) -> Rows:
    """A run of some minutes, self-play by the server and learning: samples per second."""
    size = next(iter(subject.nets))
    blocks, channels = size_of(size)
    values = preset_values("small", subject.game.text)
    values |= {"blocks": blocks, "channels": channels, "games": subject.games, "evaluator": SERVER, "minutes": minutes}
    values |= {"iterations": 0, "ladder_games": 0}
    try:
        samples, steps, lasted = subject.device.train(TrainConfig.from_dict(values), out)
    except (ValueError, RuntimeError) as error:
        yield f"a run of {minutes:g} minutes: not here: {error}"
        return
    yield {"size": size, "games": subject.games, "minutes": lasted / 60, "samples": samples / lasted, "steps": steps}


def _plan(graphs: bool) -> str:
    return "torch, CUDA graphs" if graphs else "torch, no graphs"


def _shape(subject: Subject, batch: int) -> LaneShape:
    return LaneShape.of(subject.game, encoding_of(None, subject.game), batch)


def _served_rate(net: ServedNet, seconds: float) -> float:
    """Positions per second with both buffers in use, after a warm-up."""
    bucket = net.buckets[-1]
    for buffer in (0, 1):
        net.begin(buffer, bucket)
        net.finish(buffer)
    began, done, buffer = time.perf_counter(), 0, 0
    net.begin(buffer, bucket)
    while not done or time.perf_counter() - began < seconds:
        net.begin(1 - buffer, bucket)
        net.finish(buffer)
        done, buffer = done + 1, 1 - buffer
    net.finish(buffer)
    return bucket * (done + 1) / (time.perf_counter() - began)


def _play(subject: Subject, server: InferenceServer, ends: list[LaneEnd], games: int) -> Row:
    """Play for a while; the figures of a row."""
    config = TrainConfig.from_dict({**preset_values("medium", subject.game.text), "games": games})
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    players = [
        ProcessPlayer(PlayerJob(config, _LANES * end.shape.batch, seed, _LANES), end) for seed, end in enumerate(ends)
    ]
    turn = NetTurn(0, "the server", "")
    try:
        for player in players:
            player.play(turn, 1)  # its process has begun and its kernels are there
        before, began = server.figures.copy(), time.perf_counter()
        end = began + _PLAY_TIMES * subject.seconds
        turns = [turn] * len(players)
        over = partial(_is_past, end)
        parts = [part for some in play_together(players, turns, 0, 1 << 40, over) for part in some]
        lasted, figures = time.perf_counter() - began, server.figures - before
    finally:
        for player in players:
            player.close()
        server.stop()
        thread.join()
    stats = sum((one for _, one in parts), PlayStats())
    return {
        "moves": stats.moves / lasted,
        "samples": sum(len(one) for one, _ in parts) / lasted,
        "evaluations": float(figures[ROWS]) / lasted,
        "mean": float(figures[ROWS]) / max(1.0, float(figures[BATCHES])),
        "padding": 1.0 - float(figures[ROWS]) / max(1.0, float(figures[PADDED])),
    }


def _is_past(end: float) -> bool:
    return time.perf_counter() >= end
