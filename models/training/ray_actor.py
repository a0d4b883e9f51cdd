"""A player of a run on one machine of a Ray cluster, in a process of its own.

Nothing here imports Ray but inside functions, so that this file can be imported without it.
"""

import os
import socket
import threading
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from core.games import load_game
from models.nets.net import PolicyValueNet
from models.play import replay as replays
from models.play.games import PlayStats
from models.runs.config import TrainConfig
from models.runs.scratch import ScratchFolder
from models.training.pool import LocalPool

LEASE_S: Final = 600.0  # that an actor without a learner lives

Weights = Mapping[str, NDArray[Any]]
Mark = tuple[int, int, int]  # number of an actor, its incarnation, and of its portion


class Delivery(NamedTuple):
    """A portion: who made it, with which net, and what it holds."""

    mark: Mark
    net_step: int
    parts: tuple[tuple[Mapping[str, NDArray[Any]], PlayStats], ...]
    host: str
    evaluator: str
    precision: str
    alone_per_s: float


class Order(NamedTuple):
    """What an actor is asked: a portion of so many positions.  ``saved`` is the last (incarnation, portion) of it that
    the learner has saved, ``after`` the last incarnation that the learner has heard of."""

    net_step: int
    samples: int
    after: int
    saved: tuple[int, int]


class SelfPlayActor:
    """Plays on one machine, or with one of its GPUs; its games go on from portion to portion."""

    def __init__(self, settings: Mapping[str, Any], openings: bytes, number: int, cores: int) -> None:
        """``openings``: content of the file that the settings name."""
        self._number, self._cores = number, cores
        self._incarnation = self._portion = 0
        self._unsaved: deque[Delivery] = deque()
        self._pool: LocalPool | None = None
        self._net: PolicyValueNet | None = None
        self._net_step = -1
        self._folder = ScratchFolder("plyscope-player-")
        local = {"run.device": "auto"}
        if openings:
            path = self._folder.path / Path(settings["self_play.openings"]).name
            path.write_bytes(openings)
            local["self_play.openings"] = str(path)
        self._config = TrainConfig.from_dict({**settings, **local})
        self._asked_at = time.monotonic()
        threading.Thread(target=self._end_alone, name="lease", daemon=True).start()

    def process(self) -> int:
        """The number of the actor's process."""
        return os.getpid()

    def unsaved(self, saved: tuple[int, int]) -> list[Delivery]:
        """The portions that a learner that has just begun has not saved."""
        self._asked_at = time.monotonic()
        self._forget(saved)
        return list(self._unsaved)

    def play(self, order: Order, weights: Weights) -> Delivery:
        """Play a portion with the net of ``weights``, which are only read when it is a new one."""
        self._asked_at = time.monotonic()
        # The time, so that a later incarnation of an actor has a greater number than those before it.
        self._incarnation = self._incarnation or max(time.time_ns() // 1_000_000, order.after + 1)
        self._forget(order.saved)
        pool, net = self._ready(order.net_step, weights)
        parts = [part for batch in pool.play(net, order.net_step, order.samples, lambda: False) for part in batch]
        self._portion += 1
        figures = pool.figures()
        delivery = Delivery(
            (self._number, self._incarnation, self._portion),
            order.net_step,
            tuple((replays.arrays_of(samples), stats) for samples, stats in parts if len(samples) or stats.moves),
            socket.gethostname(),
            pool.words,
            figures["precision"],
            figures["alone_per_s"],
        )
        self._asked_at = time.monotonic()
        self._unsaved.append(delivery)
        return delivery

    def _forget(self, saved: tuple[int, int]) -> None:
        while self._unsaved and self._unsaved[0].mark[1:] <= saved:
            self._unsaved.popleft()

    def _ready(self, net_step: int, weights: Weights) -> tuple[LocalPool, PolicyValueNet]:
        if self._net is None:
            torch.set_num_threads(1)
            self._net = PolicyValueNet.for_game(load_game(self._config.game), self._config.net_config())
            self._net.eval().requires_grad_(False)
        if net_step != self._net_step:
            self._net.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in weights.items()})
            self._net_step = net_step
        if self._pool is None:
            entropy = [self._config.run.seed, self._number, self._incarnation]
            self._pool = LocalPool(self._config, self._net, self._folder.path, entropy, threads=self._cores)
        return self._pool, self._net

    def _end_alone(self) -> None:
        """End this actor for good when no learner has asked for anything for a while."""
        import ray

        while (seconds := self._asked_at + LEASE_S - time.monotonic()) > 0.0:
            time.sleep(seconds)
        with suppress(Exception):
            ray.kill(ray.get_runtime_context().current_actor, no_restart=True)
