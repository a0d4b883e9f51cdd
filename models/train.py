"""Learning from self-play: play, keep, learn, save, again.  Knows no window; reports go to a file and a callback.

AlphaZero's loop (Silver et al. 2017 and 2018) with these decisions:
- All games advance together, so the net sees one large batch per step.  Each processor thread plays its own share of
  them, and one more thread learns meanwhile, from the positions of the iterations before.
- torch gets one thread within each of ours: two on a busy machine of two cores made a step 40 times slower.
- Playout cap randomisation (KataGo, section 3.1): few moves are searched in full and learned from, others play fast.
- No gate: the averaged weights play, learn from their own games, and are what is exported.
- The value head learns win, draw and loss by cross-entropy; (z - v)^2 is a setting.
- After every iteration all that matters is on disk.  A killed run resumes and loses its games in flight.

In the run's folder: ``checkpoint.pt``, ``replay/*.npz``, ``reports.jsonl`` (one line per iteration), ``net.onnx``.
Letters: B batch, A actions, C planes, H W board.
"""

import json
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from core.games import GameSpec, load_game
from models import replay as replays
from models.atomic import write_atomically
from models.checkpoint import BadCheckpoint, Checkpoint, load_checkpoint, load_weights, save_checkpoint
from models.export import export_onnx
from models.net import PolicyValueNet, TorchEvaluator, has_fast_bf16, pick_device
from models.replay import Batch, Replay
from models.selfplay import PlayStats, Samples, SelfPlay
from models.train_config import TrainConfig

CHECKPOINT: Final = "checkpoint.pt"
REPORTS: Final = "reports.jsonl"
NET: Final = "net.onnx"
REPLAY: Final = "replay"

_EXPORT_EVERY_S: Final = 120.0  # a net to look at while the run goes on
_FIXED_SETTINGS: Final = ("game", "blocks", "channels")  # those a resumed run cannot change

Report = dict[str, Any]
T = TypeVar("T")


class TrainError(ValueError):
    """A run that cannot start or go on, in one sentence."""


@dataclass(frozen=True, slots=True)
class TrainResult:
    """How a run ended.  reason: ``minutes reached``, ``iterations done`` or ``stopped``."""

    reason: str
    iterations: int
    steps: int
    elapsed_s: float
    net: Path
    checkpoint: Path


class Losses(NamedTuple):
    """Means over a batch; ``total`` is what is minimised."""

    total: Tensor
    policy: Tensor  # cross-entropy with the search's policy, nats
    value: Tensor  # cross-entropy with the result (wdl), or (z - v)^2 (mse)
    entropy: Tensor  # of the net's policy, nats


class Learned(NamedTuple):
    """A bout of learning: per step the policy loss, value loss and policy entropy; the last rate; how long it took."""

    rows: list[tuple[float, float, float]]
    rate: float
    seconds: float


@dataclass
class Progress:
    """The counters of a run, saved with its weights."""

    iteration: int = 0
    step: int = 0
    games: int = 0
    samples: int = 0
    elapsed_s: float = 0.0


# Learning.


def wdl_targets(value: Tensor, draw_below: Tensor) -> Tensor:
    """Chances [B, 3] of win, draw, loss for a value [B]: |value| of it decided, ``draw_below`` = 1 - |value| drawn."""
    return torch.stack([value.clamp(min=0.0), draw_below, (-value).clamp(min=0.0)], dim=1)


def losses(net: PolicyValueNet, batch: Batch, config: TrainConfig, bf16: bool) -> Losses:
    """The two losses of the net on a batch: AlphaGo Zero's equation 1 without its last term, which is the optimizer's.

    The policy is learned over all actions, the illegal ones with target 0.  With ``root_value_share`` s the value's
    target is (1 - s) z + s q, q the search's value; for ``wdl`` it mixes the chances in the same way.
    """
    device = next(net.parameters()).device
    planes = torch.from_numpy(batch.planes).to(device, memory_format=torch.channels_last)
    policy_target = torch.from_numpy(batch.policy).to(device)
    z, q = torch.from_numpy(batch.result).to(device), torch.from_numpy(batch.root_value).to(device)
    share = config.root_value_share
    with torch.autocast(device.type, torch.bfloat16, enabled=bf16):
        logits, value, wdl = net(planes)
    log_policy = functional.log_softmax(logits.float(), dim=1)
    policy_loss = -(policy_target * log_policy).sum(dim=1).mean()
    if config.value_loss == "wdl":
        target = (1.0 - share) * wdl_targets(z, 1.0 - z.abs()) + share * wdl_targets(q, 1.0 - q.abs())
        value_loss = -(target * functional.log_softmax(wdl.float(), dim=1)).sum(dim=1).mean()
    else:
        value_loss = ((1.0 - share) * z + share * q - value.float()).square().mean()
    entropy = -(log_policy.detach().exp() * log_policy.detach()).sum(dim=1).mean()
    return Losses(policy_loss + config.value_weight * value_loss, policy_loss, value_loss, entropy)


def make_optimizer(net: nn.Module, config: TrainConfig) -> torch.optim.Optimizer:
    """AdamW; weight decay on convolution and linear weights, none on biases and normalisation."""
    decayed = [p for p in net.parameters() if p.ndim > 1]
    others = [p for p in net.parameters() if p.ndim <= 1]
    groups = [{"params": decayed, "weight_decay": config.weight_decay}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=config.learning_rate)


def learning_rate(config: TrainConfig, step: int, progress: float) -> float:
    """Linear warm-up over the first steps, then half a cosine from the highest rate at ``progress`` 0 to the lowest
    at 1 (Loshchilov & Hutter 2017, equation 5)."""
    share = config.final_rate_share
    cosine = share + (1.0 - share) * 0.5 * (1.0 + math.cos(math.pi * min(1.0, max(0.0, progress))))
    return config.learning_rate * cosine * min(1.0, (step + 1) / (config.warmup_steps + 1))


@torch.no_grad()
def update_average(average: nn.Module, net: nn.Module, decay: float) -> None:
    """average <- decay * average + (1 - decay) * net, running statistics included."""
    mine, theirs = average.state_dict(), net.state_dict()
    for name, tensor in mine.items():
        if tensor.is_floating_point():
            tensor.lerp_(theirs[name], 1.0 - decay)
        else:
            tensor.copy_(theirs[name])


# The run.


class Trainer:
    """One run and all that it saves."""

    def __init__(self, config: TrainConfig, out: Path, resume: bool) -> None:
        self.config, self.out = config, out
        self.game: GameSpec = load_game(config.game)
        self.device = pick_device(config.device)
        self.bf16 = has_fast_bf16(self.device)
        self.threads = config.threads or _processors()
        torch.manual_seed(config.seed)
        self.net = self._new_net()
        self.average = self._new_net()
        self.average.load_state_dict(self.net.state_dict())
        self.average.eval().requires_grad_(False)
        self.optimizer = make_optimizer(self.net, config)
        self.progress = Progress()
        self.rng = np.random.default_rng(config.seed)
        self.last_export_s = 0.0
        checkpoint = out / CHECKPOINT
        if resume and checkpoint.exists():
            self._resume(checkpoint)
        elif checkpoint.exists():
            raise TrainError(f"{str(out)!r} already holds a run; resume it or give another folder")
        self.replay: Replay = replays.restore(out / REPLAY, self.game, config.replay_positions, self.progress.iteration)
        self.players = self._new_players()
        self.started_s = time.perf_counter() - self.progress.elapsed_s

    def _new_net(self) -> PolicyValueNet:
        net = PolicyValueNet.for_game(self.game, self.config.net_config())
        return net.to(self.device).to(memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]

    def _new_players(self) -> list[SelfPlay]:
        """One lot of games per thread.  Seeds differ after a resume: its games are new ones."""
        count = min(self.threads, self.config.games)
        seeds = np.random.SeedSequence([self.config.seed, self.progress.iteration]).generate_state(count)
        evaluator = self.evaluator()
        shares = [self.config.games // count + (i < self.config.games % count) for i in range(count)]
        return [
            SelfPlay(self.game, evaluator, self.config, share, int(seed))
            for share, seed in zip(shares, seeds, strict=True)
        ]

    def evaluator(self) -> TorchEvaluator:
        """The averaged weights as they are now."""
        return TorchEvaluator(self.average, f"step {self.progress.step}", self.device.type)

    def elapsed_s(self) -> float:
        """Time spent in the run, before a resume included."""
        return time.perf_counter() - self.started_s

    def fraction_done(self) -> float:
        """How far the run is, 0 to 1, by its nearer end."""
        config, by_time, by_count = self.config, 0.0, 0.0
        if config.minutes:
            by_time = self.elapsed_s() / (60.0 * config.minutes)
        if config.iterations:
            by_count = self.progress.iteration / config.iterations
        return min(1.0, max(by_time, by_count))

    def end_reason(self) -> str:
        """Why the run is over by its settings, or empty."""
        if self.config.iterations and self.progress.iteration >= self.config.iterations:
            return "iterations done"
        if self.config.minutes and self.elapsed_s() >= 60.0 * self.config.minutes:
            return "minutes reached"
        return ""

    # One iteration.

    def iterate(self, should_stop: Callable[[], bool]) -> Report:
        """Play, learn, save; the iteration's report, which is on disk already."""
        begun = time.perf_counter()

        def ending() -> bool:
            return should_stop() or self.end_reason() == "minutes reached"

        samples, stats, learned = self._play_and_learn(ending)
        lasted_s = time.perf_counter() - begun
        self.progress.iteration += 1
        self.progress.games += stats.games
        self.progress.samples += len(samples)
        replays.save_shard(self.out / REPLAY, self.progress.iteration, samples)
        self.replay.add(samples)
        self.progress.elapsed_s = self.elapsed_s()
        report: Report = {
            "iteration": self.progress.iteration,
            "elapsed_s": round(self.progress.elapsed_s, 1),
            "games": stats.games,
            "games_total": self.progress.games,
            "samples": len(samples),
            "samples_total": self.progress.samples,
            "replay": len(self.replay),
            "steps": len(learned.rows),
            "step": self.progress.step,
            "learning_rate": learned.rate,
            **_mean_losses(learned.rows),
            "target_entropy": _mean_entropy(samples),
            "mean_plies": stats.plies / stats.games if stats.games else None,
            "first_wins": stats.first_wins / stats.games if stats.games else None,
            "draws": stats.draws / stats.games if stats.games else None,
            "iteration_s": round(lasted_s, 2),
            "learning_s": round(learned.seconds, 2),  # while the games went on
            "moves_per_s": round(stats.moves / lasted_s, 1),
            "evaluations_per_s": round(stats.evaluations / lasted_s, 1),
            "mean_batch": stats.evaluations / stats.batches if stats.batches else None,
            "cache_hits": stats.cache_hits,
        }
        self._save(report)
        return report

    def _play_and_learn(self, ending: Callable[[], bool]) -> tuple[Samples, PlayStats, Learned]:
        """A thread for each player and one that learns; the first error of any ends them all."""
        torch.set_num_threads(1)  # also the default of the threads begun here
        evaluator = self.evaluator()
        share = -(-self.config.samples_per_iteration // len(self.players))
        failed = threading.Event()

        def should_stop() -> bool:
            return failed.is_set() or ending()

        def guarded(task: Callable[[], T]) -> T:
            torch.set_num_threads(1)
            try:
                return task()
            except BaseException:
                failed.set()
                raise

        with ThreadPoolExecutor(len(self.players) + 1, "train") as pool:
            try:
                learning = pool.submit(guarded, lambda: self._learn(should_stop))
                playing = [
                    pool.submit(guarded, partial(player.play, evaluator, share, should_stop)) for player in self.players
                ]
                learned = learning.result()
                parts = [one.result() for one in playing]
            finally:
                failed.set()  # an interrupt of this thread must end the others too
        samples = Samples.joined([part for part, _ in parts])
        return samples, sum((stats for _, stats in parts), PlayStats()), learned

    def _learn(self, should_stop: Callable[[], bool]) -> Learned:
        """The steps now due, so that ``train_ratio`` positions are learned from per position made before."""
        config, begun = self.config, time.perf_counter()
        due = int(self.progress.samples * config.train_ratio / config.batch_size) - self.progress.step
        learned: list[Tensor] = []
        rate = 0.0
        self.net.train()
        for _ in range(due if len(self.replay) else 0):
            if should_stop():
                break
            rate = learning_rate(config, self.progress.step, self.fraction_done())
            for group in self.optimizer.param_groups:
                group["lr"] = rate
            loss = losses(self.net, self.replay.draw(config.batch_size, self.rng), config, self.bf16)
            if not bool(torch.isfinite(loss.total)):
                raise TrainError(
                    f"the loss is no longer a number at step {self.progress.step}; the last checkpoint is sound, so "
                    f"resume with a learning_rate below {config.learning_rate:g}"
                )
            self.optimizer.zero_grad(set_to_none=True)
            loss.total.backward()  # type: ignore[no-untyped-call]
            self.optimizer.step()
            # A young average forgets its untrained start faster.
            decay = min(config.ema, (1 + self.progress.step) / (10 + self.progress.step))
            update_average(self.average, self.net, decay)
            self.progress.step += 1
            learned.append(torch.stack([loss.policy, loss.value, loss.entropy]).detach())
        rows = torch.stack(learned).tolist() if learned else []
        return Learned([(row[0], row[1], row[2]) for row in rows], rate, time.perf_counter() - begun)

    # Saving.

    def _save(self, report: Report) -> None:
        """The checkpoint, then the report: its line is also in the checkpoint, so a resume can put it right."""
        meta = {
            "config": self.config.to_dict(),
            "progress": asdict(self.progress),
            "rng": self.rng.bit_generator.state,
            "report": report,
        }
        checkpoint = Checkpoint(self.net.state_dict(), self.average.state_dict(), self.optimizer.state_dict(), meta)
        save_checkpoint(self.out / CHECKPOINT, checkpoint)
        with (self.out / REPORTS).open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(report) + "\n")
        self._drop_old_shards()

    def _drop_old_shards(self) -> None:
        """Delete the shards that a resume would not need."""
        shards = sorted((self.out / REPLAY).glob("*.npz"), reverse=True)
        needed = -(-self.config.replay_positions // self.config.samples_per_iteration) + 1
        for path in shards[needed:]:
            path.unlink()

    def export(self) -> Path:
        """Write the averaged weights as the run's ONNX file."""
        self.last_export_s = self.elapsed_s()
        export_onnx(self.average, self.game, self.out / NET, self.progress.step)
        return self.out / NET

    def _resume(self, path: Path) -> None:
        """Go on from a checkpoint, with the settings given now; the game and the net's shape must be the same."""
        checkpoint = load_checkpoint(path)
        try:
            config, rng = checkpoint.meta["config"], checkpoint.meta["rng"]
            self.progress = Progress(**checkpoint.meta["progress"])
            report = checkpoint.meta["report"]
        except (KeyError, TypeError):
            raise BadCheckpoint(f"{str(path)!r} is not the checkpoint of a training run") from None
        for name in _FIXED_SETTINGS:
            if config.get(name) != getattr(self.config, name):
                raise TrainError(
                    f"{name} is {getattr(self.config, name)!r}; the run in {str(self.out)!r} has {config.get(name)!r}"
                )
        load_weights(self.net, checkpoint.net, path)
        load_weights(self.average, checkpoint.averaged, path)
        self.optimizer.load_state_dict(checkpoint.optimizer)
        for group, decay in zip(self.optimizer.param_groups, (self.config.weight_decay, 0.0), strict=True):
            group["weight_decay"] = decay
        self.rng.bit_generator.state = rng
        self._mend_reports(report)

    def _mend_reports(self, last: Report) -> None:
        """Leave one line for every iteration up to the checkpoint's, wherever the run was killed."""
        path = self.out / REPORTS
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        kept = [line for line in lines if _iteration_of(line) < last["iteration"]]
        text = "".join(line + "\n" for line in [*kept, json.dumps(last)])
        write_atomically(path, text.encode())


def train(
    config: TrainConfig,
    out: str | Path,
    resume: bool = False,
    report: Callable[[Report], None] | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> TrainResult:
    """Train by ``config`` in the folder ``out`` until its end, ``should_stop`` or Ctrl-C; then export the net.

    ``report`` gets what each line of ``reports.jsonl`` says.  ``resume`` goes on where a run in ``out`` was left, or
    begins when there is none.  Raises :class:`TrainError` when ``out`` holds a run and ``resume`` is not set, when the
    settings do not fit it, or when the loss is no longer a number; ``BadGame``, ``BadCheckpoint`` and ``BadReplay``.
    """
    out = Path(out)
    with _stop_on_signals() as interrupted:

        def stopping() -> bool:
            return interrupted.is_set() or should_stop()

        trainer = Trainer(config, out, resume)
        while not (reason := "stopped" if stopping() else trainer.end_reason()):
            figures = trainer.iterate(stopping)
            if report is not None:
                report(figures)
            if trainer.elapsed_s() - trainer.last_export_s > _EXPORT_EVERY_S:
                trainer.export()
        net = trainer.export()
    progress = trainer.progress
    return TrainResult(reason, progress.iteration, progress.step, trainer.elapsed_s(), net, out / CHECKPOINT)


def report_line(report: Report) -> str:
    """A report in one line for people."""

    def number(name: str, form: str) -> str:
        value = report.get(name)
        return "-" if value is None else format(value, form)

    minutes, seconds = divmod(int(report["elapsed_s"]), 60)
    return (
        f"{minutes:4d}:{seconds:02d}  iteration {report['iteration']}  games {report['games_total']}  "
        f"step {report['step']}  policy loss {number('policy_loss', '.3f')} "
        f"(target entropy {number('target_entropy', '.3f')})  value loss {number('value_loss', '.3f')}  "
        f"plies {number('mean_plies', '.1f')}  first wins {number('first_wins', '.0%')}  "
        f"draws {number('draws', '.0%')}  {number('evaluations_per_s', '.0f')} evaluations/s"
    )


@contextmanager
def _stop_on_signals() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C or SIGTERM sets; a second one interrupts as usual.  Main thread only."""
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return
    previous: dict[signal.Signals, Any] = {}

    def handler(number: int, frame: Any) -> None:
        event.set()
        for one, old in previous.items():
            signal.signal(one, old)

    for number in (signal.SIGINT, signal.SIGTERM):
        previous[number] = signal.signal(number, handler)
    try:
        yield event
    finally:
        for number, old in previous.items():
            signal.signal(number, old)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


def _mean_losses(rows: list[tuple[float, float, float]]) -> dict[str, float | None]:
    names = ("policy_loss", "value_loss", "policy_entropy")
    if not rows:
        return dict.fromkeys(names)
    return dict(zip(names, np.mean(rows, axis=0).tolist(), strict=True))


def _mean_entropy(samples: Samples) -> float | None:
    """Mean entropy of the search's policies, nats: the least the policy loss can come to."""
    if not len(samples):
        return None
    p = samples.policy
    return float(-(p * np.log(np.maximum(p, 1e-12))).sum(axis=1).mean())


def _iteration_of(line: str) -> float:
    """The iteration a line of reports is of; infinity when it cannot be read."""
    try:
        return float(json.loads(line)["iteration"])
    except (ValueError, KeyError, TypeError):
        return math.inf
