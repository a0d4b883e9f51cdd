"""A training run from start to end: iterations, kept nets and their measuring, commands, errors.

``models.training.iteration`` has the steps of an iteration, ``models.runs.folder`` names the files.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from core.files.atomic import write_atomically
from core.files.reading import in_short
from core.games import load_game
from core.text import Text, text_of
from models.cluster.connect import Connection, connect
from models.netfiles.cuda import MEMORY_FULL, failure
from models.nets.net import gpu_left_out
from models.runs.config import TrainConfig, to_toml
from models.runs.folder import CHECKPOINT as CHECKPOINT
from models.runs.folder import NEWEST_NET, RUN_TOML, RunControl, RunError, check_writable, remove_temporary_files
from models.runs.reports import Report
from models.training.figures import open_scalars
from models.training.iteration import MakePool, Trainer
from models.training.iteration import TrainError as TrainError
from models.training.measuring import Judge, LocalJudge, Measurer, warm_up
from models.training.ray_judge import RayJudge
from models.training.ray_pool import RayPool


class Cluster(NamedTuple):
    """The cluster of a run: its address as :func:`connect` takes it, and the number of actors, 0 for the usual one."""

    address: str
    actors: int = 0


@dataclass(frozen=True, slots=True)
class TrainResult:
    """The result of a run.

    reason: ``minutes reached``, ``iterations done``, ``evaluations done`` or ``stopped``.
    """

    reason: str
    iterations: int
    steps: int
    elapsed_s: float
    net: Path
    checkpoint: Path


def train(
    config: TrainConfig,
    out: str | Path,
    resume: bool = False,
    report: Callable[[Report], None] | None = None,
    should_stop: Callable[[], bool] = lambda: False,
    cluster: Cluster | None = None,
) -> TrainResult:
    """Train with ``config`` in the folder ``out`` until the run's end, ``should_stop``, the command to stop, or Ctrl-C.

    ``report`` is called with each line of ``reports.jsonl``, from several threads.  ``resume`` continues a run in
    ``out``, or begins one when there is none.  ``cluster``: play there instead of in this process.  Raises
    :class:`RunError` when another process trains there or nothing can be written there, now or later;
    :class:`TrainError` when ``out`` holds a run and ``resume`` is not set, when the settings do not fit it, or when the
    loss is NaN or infinite; ``NoCluster``, ``BadGame``, ``BadCheckpoint`` and ``BadReplay``.
    """
    out = Path(out)
    check_writable(out)
    trainer: Trainer | None = None

    def write_event(event: str) -> None:
        if trainer is not None:
            trainer.event(event)

    control = RunControl(out, write_event)
    try:
        with _connected(cluster) as connection, control, _stop_on_signals(control.stop):
            remove_temporary_files(out)
            control.phase = Text("compiling")
            if config.strength.ladder_games or config.strength.gate:
                warm_up(load_game(config.game))
            trainer = Trainer(config, out, resume, control, report, _pool_of(cluster, connection))
            with closing(trainer):
                write_atomically(out / RUN_TOML, to_toml(config).encode())
                with _judge(trainer, connection) as judge:
                    return _run(trainer, judge, lambda: control.should_stop() or should_stop())
    except Exception as error:
        user_error = control.moved or _user_error(out, error)
        if trainer is not None and control.moved is None:
            with suppress(OSError):  # the disk may be full
                trainer.event("error", sentence=_sentence(user_error))
        if user_error is error:
            raise
        raise user_error from None


@contextmanager
def _connected(cluster: Cluster | None) -> Iterator[Connection | None]:
    if cluster is None:
        yield None
        return
    with connect(cluster.address) as connection:
        yield connection


def _pool_of(cluster: Cluster | None, connection: Connection | None) -> MakePool | None:
    """What makes the players of a cluster."""
    if cluster is None or connection is None:
        return None

    def make(trainer: Trainer) -> RayPool:
        def say(sentence: Text) -> None:
            trainer.event("note", sentence=sentence)

        saved = trainer.progress.samples + trainer.unfinished.samples
        return RayPool(trainer.config, connection, trainer.out, saved, cluster.actors, say)

    return make


@contextmanager
def _judge(trainer: Trainer, connection: Connection | None) -> Iterator[Judge]:
    if connection is None:
        yield LocalJudge(trainer.out, trainer.game, trainer.config)
        return
    with closing(RayJudge(trainer.config, connection, trainer.out, trainer.game)) as judge:
        yield judge


def _run(trainer: Trainer, judge: Judge, should_stop: Callable[[], bool]) -> TrainResult:
    """The loop of a run: play and learn, add the games to those that are learned from, save, and now and then keep a
    net, which is measured meanwhile."""
    config, control = trainer.config, trainer.control
    scalars, note = open_scalars(trainer.out) if config.run.tensorboard else (None, "")
    trainer.event(
        "start",
        config=config.to_dict(),
        resumed=trainer.resumed,
        device=trainer.device.type,
        evaluator=trainer.pool.words,
        threads=trainer.pool.threads,
        notes=[text for text in (gpu_left_out(config.run.device), trainer.init_note, note) if text],
    )
    measurer = Measurer(
        judge,
        config,
        trainer.event,
        trainer.elapsed_s,
        should_stop,
        trainer.gate.promote,
        trainer.gate.step,
    )
    try:
        while not (reason := "stopped" if should_stop() or control.finishing else trainer.end_reason()):
            if trainer.keep_due_s() <= 0.0:
                _keep(trainer, measurer)
            learned, lasted_s = trainer.play_and_learn(should_stop)  # both at the same time
            report = trainer.add_games(learned, lasted_s)
            trainer.save(report)
            if scalars is not None:
                scalars.add(report)
            control.check()
            measurer.check()
        _keep(trainer, measurer)
        if reason != "stopped":
            control.phase = Text("measuring")
            measurer.finish()
    finally:
        measurer.close()
        if scalars is not None:
            scalars.close()
    control.check()
    trainer.event("stopped", reason=reason)
    progress = trainer.progress
    out = trainer.out
    return TrainResult(
        reason, progress.iteration, progress.step, trainer.elapsed_s(), out / NEWEST_NET, out / CHECKPOINT
    )


def _keep(trainer: Trainer, measurer: Measurer) -> None:
    step = trainer.keep()
    if step is not None:
        measurer.add(step)


def _user_error(out: Path, error: Exception) -> Exception:
    """The error as a RunError with one sentence if it is an expected one (disk, GPU memory), else unchanged."""
    if isinstance(error, OSError):
        return _unwritable(out, error)
    if isinstance(error, RuntimeError) and failure(error) == MEMORY_FULL:
        return RunError(
            Text(
                "{problem}; what was saved is whole: resume with fewer games or a smaller batch_size",
                problem=MEMORY_FULL,
            )
        )
    return error


def _unwritable(out: Path, error: OSError) -> RunError:
    return RunError(
        Text(
            "nothing more can be written into {folder!r} ({reason}); the run stopped, what it saved is whole",
            folder=str(out),
            reason=error.strerror or text_of(error),
        )
    )


def _sentence(error: Exception) -> str:
    return in_short(text_of(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}")


@contextmanager
def _stop_on_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Context in which the first Ctrl-C or SIGTERM calls ``stop``; a second one interrupts as usual.  Only in the main
    thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous: dict[signal.Signals, Any] = {}

    def handler(number: int, frame: Any) -> None:
        stop()
        for signal_number, old in previous.items():
            signal.signal(signal_number, old)

    for number in (signal.SIGINT, signal.SIGTERM):
        previous[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in previous.items():
            signal.signal(number, old)
