"""The iterations of a training run: self-play, learning, checkpoints, kept nets.

AlphaZero's loop (Silver et al. 2017 and 2018) with these decisions:
- All games advance in lockstep, so that the net gets large batches.  Each thread plays its own share of them, and
  another thread learns meanwhile from the positions of earlier iterations.
- torch uses one thread within each of ours: two on a busy machine of two cores made a step 40 times slower.
- Playout cap randomisation (KataGo, section 3.1): few moves are searched in full and become samples, others are fast.
- Without a gate the averaged weights are used in self-play and exported.
- All state is saved after every iteration.  A killed run resumes and loses only its running games.

``models.runs.folder`` names the files.
"""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from core.files.reading import Fields, whole_numbers
from core.games import GameSpec, load_game
from core.text import Text, text_of
from models.nets.checkpoint import BadCheckpoint, Checkpoint, load_checkpoint, load_weights, save_checkpoint
from models.nets.net import PolicyValueNet, pick_device
from models.nets.warm_start import load_matching_weights
from models.play import replay as replays
from models.play.games import Part, PlayStats
from models.play.left_out import left_out_of
from models.play.replay import Replays
from models.play.samples import Samples
from models.runs.config import FIXED, SETTING, TrainConfig, named
from models.runs.folder import (
    CHECKPOINT,
    LIVE,
    NEWEST_NET,
    PENDING_GAMES,
    REPLAY,
    REPORTS,
    RunControl,
    RunError,
    make_folders,
    net_path,
    publish,
)
from models.runs.reports import Report, Reports, calibration, check_report, read_reports, repair_reports
from models.training import boards
from models.training.figures import Progress, iteration_report, newest, progress_from, window_age
from models.training.learning import Diverged, Learned, Learner, load_optimizer
from models.training.measuring import Gate
from models.training.playing_net import write_net
from models.training.pool import LocalPool, PlayerPool

_MOST: Final = 1 << 53  # of a count
_REPLAY_MB: Final = 1024  # of games kept on disk; beyond it the oldest shards are deleted
_CARRIED: Final = 4  # iterations whose steps are taken late at most
_LEAST_PART: Final = 8  # of an iteration, as its divisor: the last where evaluations end the run
_CALIBRATED: Final = 512  # new positions per iteration for the calibration of values


class TrainError(RunError):
    """A run cannot start or continue; the message is one sentence."""


class Trainer:
    """The state of one run: its learner, its players, its replay buffer, and their saving."""

    def __init__(
        self,
        config: TrainConfig,
        out: Path,
        resume: bool,
        control: RunControl | None = None,
        listener: Callable[[Report], None] | None = None,
        make_pool: "MakePool | None" = None,
    ) -> None:
        """``control``: obeys commands from outside; without one only the time is kept.  ``listener`` is called with
        every written report.  ``make_pool`` makes the players; without it they are threads of this process."""
        self.config, self.out = config, out
        self.control = control or RunControl(out)
        self.game: GameSpec = load_game(config.game)
        self.boards = boards.boards_of(config)
        self.device = pick_device(config.run.device)
        self.learner = Learner(self.game, config, self.device)
        self.progress = Progress()
        make_folders(out)
        self.reports = Reports(out / REPORTS, listener)
        self.gate = Gate()
        self._window: list[tuple[int, int]] = []  # (iteration, positions), oldest first
        checkpoint = out / CHECKPOINT
        self.resumed = resume and checkpoint.exists()
        self.init_note = ""
        if self.resumed:
            self._resume(checkpoint)
        elif checkpoint.exists():
            raise TrainError(Text("{path!r} already holds a run; resume it or give another folder", path=str(out)))
        elif config.net.init:
            self.init_note = load_matching_weights(self.learner.net, Path(config.net.init), self.game)
            self.learner.average.load_state_dict(self.learner.net.state_dict())
        left_out = left_out_of(out) if self.resumed else {}
        progress = self.progress.iteration, self.progress.samples
        self.replay: Replays = boards.restore(
            out / REPLAY, self.boards, config.learning.replay_positions, *progress, left_out
        )
        self.unfinished = boards.Unfinished(out / PENDING_GAMES, self.boards, self.progress.iteration + 1)
        before = read_reports(out / REPORTS)
        saved_at = [report.get("elapsed_s", 0.0) for report in before if report["event"] == "checkpoint"]
        self.kept_s = max(saved_at, default=None)
        self._starts = sum(report["event"] == "start" for report in before)
        torch.set_num_threads(1)
        self.control.phase = Text("compiling")
        self.pool: PlayerPool = (make_pool or _local_pool)(self)
        self.control.set_elapsed(self.progress.elapsed_s)

    @property
    def entropy(self) -> list[int]:
        """The seed of the players.  It differs after every start, so that an iteration that is played again has other
        games."""
        return [self.config.run.seed, self.progress.iteration, self._starts]

    def playing_net(self) -> PolicyValueNet:
        """The net for self-play: the averaged one, or with a gate the last that passed it."""
        if self.gate.passed is None:
            return self.learner.average
        net = PolicyValueNet.for_game(self.game, self.config.net_config()).to(self.device)
        net.load_state_dict(self.gate.passed[1])
        return net

    def elapsed_s(self) -> float:
        """Time of the run, resumes included."""
        return self.control.elapsed_s()

    def fraction_done(self) -> float:
        """Progress of the run, 0 to 1, towards the end that is nearer."""
        config, by_time, by_count = self.config, 0.0, 0.0
        if config.run.minutes:
            by_time = self.elapsed_s() / (60.0 * config.run.minutes)
        if config.run.iterations:
            by_count = self.progress.iteration / config.run.iterations
        if config.run.evaluations:
            by_count = max(by_count, self.progress.evaluations / config.run.evaluations)
        return min(1.0, max(by_time, by_count))

    def end_reason(self) -> str:
        """The reason why the run has ended by its settings, or empty."""
        if self.config.run.iterations and self.progress.iteration >= self.config.run.iterations:
            return "iterations done"
        if self.config.run.evaluations and self.progress.evaluations >= self.config.run.evaluations:
            return "evaluations done"
        if self.config.run.minutes and self.elapsed_s() >= 60.0 * self.config.run.minutes:
            return "minutes reached"
        return ""

    def event(self, event: str, **fields: Any) -> Report:
        """Report an event."""
        return self.reports.append(event, self.elapsed_s(), **fields)

    # The three steps of an iteration, in their order.

    def play_and_learn(self, should_stop: Callable[[], bool]) -> tuple[Learned, float]:
        """Play the games of an iteration while another thread learns from those of earlier ones, and keep the games in
        ``unfinished``; returns what was learned and the duration in seconds."""
        self.gate.apply()
        number, begun_s, over = self.progress.iteration + 1, self.elapsed_s(), threading.Event()
        self.control.phase = Text("iteration {iteration}: playing and learning", iteration=number)
        most = self._samples_left()
        samples = max(0, min(self.config.self_play.samples_per_iteration, most) - self.unfinished.samples)
        last = number == self.config.run.iterations or most <= self.config.self_play.samples_per_iteration

        def stopping() -> bool:
            return over.is_set() or should_stop() or self.end_reason() == "minutes reached"

        def learn() -> Learned:
            torch.set_num_threads(1)
            try:
                return self._learn(stopping)
            except BaseException:
                over.set()
                raise

        playing = self.pool.play(self.playing_net(), self.playing_step, samples, stopping)
        with ThreadPoolExecutor(1, "learn") as thread, closing(playing):
            try:
                learning = thread.submit(learn)
                for parts in playing:
                    self.unfinished.add(parts, number)
                if self.config.learning.carry_steps and not last:
                    over.set()  # the rest of the steps is taken in the next iteration
                elif not learning.done():
                    self.unfinished.save(number)
                return learning.result(), max(self.elapsed_s() - begun_s, 1e-6)
            except Diverged as error:
                self.unfinished.save(number)
                raise self._roll_back(error) from None
            finally:
                over.set()

    def add_games(self, learned: Learned, lasted_s: float) -> Report:
        """Judge the games of the iteration, count them and add them to those that are learned from; returns the
        iteration's report.  ``learned`` and ``lasted_s`` as ``play_and_learn`` returned them."""
        number = self.progress.iteration + 1
        self.control.phase = Text("iteration {iteration}: saving", iteration=number)
        parts_by_shape = boards.joined(self.boards, self.unfinished.parts)
        judged = self._judged([samples for samples, _ in parts_by_shape.values()])
        stats = sum((stats for _, stats in parts_by_shape.values()), PlayStats())
        samples = self._count(parts_by_shape, stats)
        boards.save_shards(self.out / REPLAY, self.boards, number, parts_by_shape)
        for new, _ in parts_by_shape.values():
            self.replay.add(new)
        self._window = newest([*self._window, (number, samples)], self.config.learning.replay_positions)
        self.progress.elapsed_s = self.elapsed_s()
        return iteration_report(
            self.progress,
            samples,
            stats,
            lasted_s,
            steps=learned.steps,
            learning_rate=learned.rate,
            learning_s=round(learned.seconds, 2),  # in parallel with the games
            waiting=round(max(0.0, 1.0 - stats.play_s / (lasted_s * max(1, self.pool.threads))), 3),  # of the players
            forgone=self.progress.forgone,
            **learned.figures,
            **judged,
            replay=len(self.replay),
            replay_age=window_age(self._window, len(self.replay)),
            **boards.by_size(parts_by_shape),
            **self.pool.figures(),
        )

    def save(self, report: Report) -> None:
        """Write the checkpoint, then the report.  The checkpoint holds the report too, so that a resume can repair the
        file of reports."""
        self.control.check()
        learner = self.learner
        meta = {
            "config": self.config.to_dict(),
            "progress": asdict(self.progress),
            "rng": learner.rng.bit_generator.state,
            "report": report,
            "window": self._window,
            "gated_step": self.gate.step,
        }
        extra: dict[str, Any] = {"torch_rng": torch.get_rng_state()}
        if self.gate.passed is not None:
            extra["gated"] = self.gate.passed[1]
        weights, average = learner.net.state_dict(), learner.average.state_dict()
        save_checkpoint(
            self.out / CHECKPOINT, Checkpoint(weights, average, learner.optimizer.state_dict(), meta, extra)
        )
        self.reports.add(report)
        self.unfinished.clear()
        replays.drop_old_shards(self.out / REPLAY, _REPLAY_MB)

    # Parts of the steps.

    def _judged(self, new: list[Samples]) -> dict[str, Any]:
        """The averaged net's losses and the calibration of its values on the newest samples of each board, from which
        it has not learned yet."""
        most = max(1, _CALIBRATED // len(new))
        values = [
            self.learner.values(
                samples.planes[-most:], None if samples.points is None else samples.points.features[-most:]
            )
            for samples in new
        ]
        bins, error = calibration(np.concatenate(values), np.concatenate([samples.result[-most:] for samples in new]))
        held_out = self.learner.held_out([replays.newest_batch(samples, most) for samples in new])
        return {**held_out, "calibration": bins, "calibration_error": error}

    def _count(self, parts_by_shape: dict[boards.Shape, Part], stats: PlayStats) -> int:
        """Count what the iteration made; its positions."""
        samples = sum(len(new) for new, _ in parts_by_shape.values())
        self.progress.iteration += 1
        self.progress.step = self.learner.step
        self.progress.games += stats.games
        self.progress.samples += samples
        self.progress.evaluations += stats.evaluations
        return samples

    def _samples_left(self) -> int:
        """Positions that the rest of the run's evaluations will make, at the run's mean so far."""
        config, progress = self.config, self.progress
        if not config.run.evaluations or not progress.evaluations:
            return sys.maxsize
        samples = (config.run.evaluations - progress.evaluations) * progress.samples // progress.evaluations
        return max(samples, config.self_play.samples_per_iteration // _LEAST_PART, 1)

    def _learn(self, should_stop: Callable[[], bool]) -> Learned:
        """Take the optimizer steps that are due: ``train_ratio`` positions per position made before."""
        due = self._due_steps()
        most = _CARRIED * max(1, self._steps_for(self.config.self_play.samples_per_iteration))
        if self.config.learning.carry_steps and due > most:
            self.progress.forgone += due - most
            due = most
        return self.learner.learn(due if len(self.replay) else 0, self.replay.draw, self.fraction_done, should_stop)

    def _steps_for(self, samples: int) -> int:
        return int(samples * self.config.learning.train_ratio / self.config.learning.batch_size)

    def _due_steps(self) -> int:
        return self._steps_for(self.progress.samples) - self.learner.step - self.progress.forgone

    def _roll_back(self, error: Diverged) -> TrainError:
        """Restore the last checkpoint, if there is one; the error that ends the run."""
        path = self.out / CHECKPOINT
        if path.exists():
            self._load(load_checkpoint(path), path)
            checkpoint = Text(
                "the checkpoint of step {step} is kept in {path!r}", step=self.learner.step, path=str(path)
            )
        else:
            checkpoint = Text("there is no checkpoint yet")
        values = {"error": text_of(error), "kept": checkpoint, "rate": self.config.learning.rate}
        return TrainError(Text("{error}; {kept}: resume with a learning.rate below {rate:g}", **values))

    # Kept nets.

    def keep_due_s(self) -> float:
        """Seconds until the next net is to be kept; 0 before the first."""
        return (
            0.0
            if self.kept_s is None
            else self.kept_s + 60.0 * self.config.strength.checkpoint_minutes - self.elapsed_s()
        )

    def keep(self) -> int | None:
        """Write the averaged weights as a net file and publish it as the newest; its step, or None if it exists."""
        step = self.progress.step
        path = self.out / net_path(step)
        self.control.phase = Text("writing {path}", path=net_path(step))
        self.kept_s = self.elapsed_s()
        if path.exists():
            publish(path, self.out / NEWEST_NET)
            return None
        write_net(self.learner.average, self.game, path, step)
        publish(path, self.out / NEWEST_NET)
        if self.config.strength.gate:
            self.gate.add(step, self.learner.average)
        self.event("checkpoint", step=step, iteration=self.progress.iteration, net=net_path(step))
        return step

    @property
    def playing_step(self) -> int:
        """The step of the net in self-play."""
        return self.progress.step if self.gate.step is None else self.gate.step

    def close(self) -> None:
        """End the players."""
        self.pool.close()

    def _resume(self, path: Path) -> None:
        """Resume from a checkpoint, with the current settings; the game and the net's shape must be the same."""
        checkpoint = load_checkpoint(path)
        config = _config_of(checkpoint.meta)
        settings = self.config.to_dict()
        for name in FIXED:
            had = config.get(name, SETTING[name].default)
            if had != settings[name]:
                values = {"name": name, "value": settings[name], "path": str(self.out), "had": had}
                raise TrainError(Text("{name} is {value!r}; the run in {path!r} has {had!r}", **values))
        self._load(checkpoint, path)
        if self.config.strength.gate and "gated" in checkpoint.extra:
            self.gate.passed = Fields(checkpoint.meta).whole("gated_step", 0, _MOST), checkpoint.extra["gated"]
        window = [whole_numbers(pair, 0, _MOST, "window") for pair in Fields(checkpoint.meta).list("window", [])]
        self._window = [(pair[0], pair[1]) for pair in window if len(pair) == 2]
        repair_reports(self.out / REPORTS, checkpoint.meta["report"])

    def _load(self, checkpoint: Checkpoint, path: Path) -> None:
        learner, meta = self.learner, checkpoint.meta
        progress, report = progress_from(meta.get("progress")), check_report(meta.get("report"))
        if progress is None or report is None or report["event"] != "iteration" or "rng" not in meta:
            raise BadCheckpoint(Text("{path!r} is not the checkpoint of a training run", path=str(path)))
        self.progress = progress
        load_weights(learner.net, checkpoint.net, path)
        load_weights(learner.average, checkpoint.averaged, path)
        learner.step = self.progress.step
        try:
            if "optimizer" not in _config_of(meta):  # earlier versions had another optimizer than AdamW
                load_optimizer(learner.optimizer, checkpoint.optimizer)
            learner.rng.bit_generator.state = meta["rng"]
            if "torch_rng" in checkpoint.extra:
                torch.set_rng_state(checkpoint.extra["torch_rng"])
        except Exception:  # torch and numpy can raise any exception for a damaged state
            raise BadCheckpoint(f"{str(path)!r} is damaged: its optimizer or random state does not fit") from None


MakePool = Callable[[Trainer], PlayerPool]


def _local_pool(trainer: Trainer) -> LocalPool:
    out = trainer.out
    return LocalPool(trainer.config, trainer.playing_net(), out, trainer.entropy, out / LIVE)


def _config_of(meta: dict[str, Any]) -> dict[str, Any]:
    """The settings in a checkpoint."""
    config = meta.get("config", {})
    return named(config) if isinstance(config, dict) else {}
