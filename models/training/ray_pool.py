"""Players of a run on the machines of a Ray cluster, and the pool that feeds and hears them.

Each actor plays with the newest net in portions and returns them with its number, its incarnation and the portion's
number.  It keeps a portion until it is told that the learner has saved it, and goes on living for a while when the
learner dies: one that resumes finds it by name, takes what was not saved, and takes nothing twice.  Lost are the games
that a killed actor was playing.

Nothing here imports Ray but inside functions, so that this file can be imported without it.
"""

import hashlib
import os
import socket
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from core.games import load_game
from core.text import Text, text_of
from models.cluster.connect import Connection
from models.nets.net import PolicyValueNet
from models.play import replay as replays
from models.play.games import PlayStats
from models.play.replay import Mark
from models.runs.config import TrainConfig
from models.runs.folder import RunError
from models.training.learning import Learned
from models.training.pool import LocalPool, Round
from models.training.threads import Part

NAMESPACE: Final = "plyscope"
OUTSTANDING: Final = 2  # portions asked of an actor: it plays one while the other travels
LEASE_S: Final = 600.0  # that an actor without a learner lives
SPILL_S: Final = 10.0
_WAIT_S: Final = 0.2
_AGAIN_S: Final = 1.0  # until a failed actor is asked again
_LOOK_S: Final = 10.0  # between two looks at the machines
_PORTIONS: Final = 4  # of each actor in an iteration
_LEAST_PORTION: Final = 8

Weights = Mapping[str, NDArray[Any]]


class Delivery(NamedTuple):
    """A portion: who made it, with which net, and what it holds."""

    mark: Mark
    net_step: int
    parts: tuple[tuple[Mapping[str, NDArray[Any]], PlayStats], ...]
    host: str
    evaluator: str
    precision: str
    alone_per_s: float
    seconds: float
    """Since the portion before."""

    def samples(self) -> int:
        return sum(len(arrays["result"]) for arrays, _ in self.parts)


class Order(NamedTuple):
    """What an actor is asked: a portion of so many positions.  ``saved`` is the last (incarnation, portion) that the
    learner has saved; an actor that has just begun takes ``incarnation``."""

    net_step: int
    samples: int
    incarnation: int
    saved: tuple[int, int]


class SelfPlayActor:
    """Plays on one machine, or with one of its GPUs; its games go on from portion to portion."""

    def __init__(self, settings: Mapping[str, Any], number: int, cores: int, lease_s: float = LEASE_S) -> None:
        self._config = TrainConfig.from_dict(dict(settings))
        self._number, self._cores, self._lease_s = number, cores, lease_s
        self._incarnation = self._portion = 0
        self._kept: deque[Delivery] = deque()
        self._pool: LocalPool | None = None
        self._net: PolicyValueNet | None = None
        self._net_step = -1
        self._folder = tempfile.TemporaryDirectory(prefix="plyscope-player-")
        self._handed = self._asked = time.monotonic()
        threading.Thread(target=self._end_alone, name="lease", daemon=True).start()

    def place(self) -> tuple[int, str]:
        """The process and the machine."""
        return os.getpid(), socket.gethostname()

    def unsaved(self, saved: tuple[int, int]) -> list[Delivery]:
        """The portions that a learner that has just begun has not saved."""
        self._asked = time.monotonic()
        self._forget(saved)
        return list(self._kept)

    def play(self, order: Order, weights: Weights) -> Delivery:
        """Play a portion with the net of ``weights``, which are only read when it is a new one."""
        self._asked = time.monotonic()
        self._incarnation = self._incarnation or order.incarnation
        self._forget(order.saved)
        pool, net = self._ready(order.net_step, weights)
        parts: list[Part] = []
        pool.play(net, order.net_step, Round(order.samples, parts, _no_learning, lambda: False, lambda _: None))
        self._portion += 1
        now = time.monotonic()
        made = Delivery(
            (self._number, self._incarnation, self._portion),
            order.net_step,
            tuple((replays.arrays_of(samples), stats) for samples, stats in parts if len(samples) or stats.moves),
            socket.gethostname(),
            pool.words,
            pool.precision,
            pool.alone_per_s,
            now - self._handed,
        )
        self._handed = self._asked = now
        self._kept.append(made)
        return made

    def _forget(self, saved: tuple[int, int]) -> None:
        while self._kept and self._kept[0].mark[1:] <= saved:
            self._kept.popleft()

    def _ready(self, net_step: int, weights: Weights) -> tuple[LocalPool, PolicyValueNet]:
        if self._net is None:
            torch.set_num_threads(1)
            self._net = PolicyValueNet.for_game(load_game(self._config.game), self._config.net_config())
            self._net.eval().requires_grad_(False)
        if net_step != self._net_step:
            self._net.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in weights.items()})
            self._net_step = net_step
        if self._pool is None:
            entropy = [self._config.seed, self._number, self._incarnation]
            self._pool = LocalPool(
                self._config, self._net, Path(self._folder.name), entropy, threads=self._cores
            )
        return self._pool, self._net

    def _end_alone(self) -> None:
        """End this actor for good when no learner has asked for anything for a while."""
        import ray

        while time.monotonic() - self._asked < self._lease_s:
            time.sleep(min(1.0, self._lease_s))
        with suppress(Exception):
            ray.kill(ray.get_runtime_context().current_actor, no_restart=True)


def _no_learning(_: Any) -> Learned:
    return Learned(0, {}, 0.0, 0.0)


@dataclass
class _Actor:
    """What the learner knows of one actor."""

    number: int
    node: str
    handle: Any
    calls: deque[Any] = field(default_factory=deque)
    incarnation: int = 0
    portion: int = 0  # the last received
    saved: tuple[int, int] = (0, 0)
    last: Delivery | None = None
    samples: int = 0  # in this round
    evaluations: int = 0
    seconds: float = 0.0
    failed: int = 0  # times in a row
    ask_at: float = 0.0


class RayPool:
    """Players on the machines of a cluster: one actor for each GPU, and one for each machine without.

    Portions of a net older than the replay buffer reaches are dropped and counted.
    """

    def __init__(
        self, config: TrainConfig, connection: Connection, out: Path, received: Sequence[Mark], actors: int = 0
    ) -> None:
        """``received``: what was saved before this start.  ``actors``: how many in all; 0 for the usual number."""
        import ray

        self._ray, self._config, self._connection = ray, config, connection
        self._actors_wanted = actors
        settings = config.to_dict()
        digest = hashlib.sha256(repr(sorted(settings.items())).encode()).hexdigest()[:12]
        place = hashlib.sha256(f"{socket.gethostname()}:{out.resolve()}".encode()).hexdigest()[:16]
        self._prefix, self._name = f"{place}/", f"{place}/{digest}/"
        self._settings = settings
        self._actors: dict[int, _Actor] = {}
        self._before = {number: (incarnation, portion) for number, incarnation, portion in received}
        self._arrived: list[Delivery] = []  # found at actors that outlived a learner
        self._weights: Any = None
        self._net_step = -1
        self._stale = max(1, int(config.replay_positions * config.train_ratio / config.batch_size))
        self._dropped = self._repeated = self._lost = self._behind = self._portions = 0
        self._began = time.monotonic()
        self._looked = 0.0
        self.threads = 0
        self.alone_per_s, self.precision = 0.0, ""
        self._end_others()
        self._look()
        if not self._actors:
            raise RunError(Text("the cluster at {address!r} has no machine for players", address=connection.address))
        self.words = Text(
            "{actors} actors on {nodes} machines",
            actors=len(self._actors),
            nodes=len({one.node for one in self._actors.values()}),
        )

    # The actors.

    def _end_others(self) -> None:
        """End the actors of this run's folder that an earlier start made with other settings."""
        for one in self._ray.util.list_named_actors(all_namespaces=True):
            name = one["name"]
            if one["namespace"] == NAMESPACE and name.startswith(self._prefix) and not name.startswith(self._name):
                with suppress(ValueError):
                    self._ray.kill(self._ray.get_actor(name, namespace=NAMESPACE))

    def _look(self) -> None:
        """Begin the actors that the machines of the cluster lack."""
        self._looked = time.monotonic()
        for number, node, cores, gpus in self._places():
            if number not in self._actors:
                self._actors[number] = self._begin(number, node, cores, gpus)
        self.threads = sum(cores for *_, cores, _ in self._places())

    def _places(self) -> list[tuple[int, str, int, int]]:
        """(Number, machine, cores, GPUs) of all actors.  One core of this machine is left to the learner.

        A machine keeps its numbers when others come and go."""
        nodes = sorted(self._connection.nodes(), key=lambda node: node.name)
        self._machines = list(dict.fromkeys([*getattr(self, "_machines", []), *(node.name for node in nodes)]))
        here = self._ray.get_runtime_context().get_node_id()
        found = []
        for node in nodes:
            index = self._machines.index(node.name)
            cores = max(1, node.processors - (node.id == here))
            if not node.processors:
                continue
            count = node.gpus or 1
            if self._actors_wanted:
                count = len(range(index, self._actors_wanted, max(1, len(nodes))))
            for i in range(count):
                found.append((index + i * 1000, node.id, max(1, cores // count), min(1, node.gpus)))
        return found

    def _begin(self, number: int, node: str, cores: int, gpus: int) -> _Actor:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        made = self._ray.remote(SelfPlayActor).options(
            name=f"{self._name}{number}",
            namespace=NAMESPACE,
            get_if_exists=True,
            lifetime="detached",
            max_restarts=-1,
            num_cpus=0,
            num_gpus=gpus,
            scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=True),
        )
        actor = _Actor(number, node, made.remote(self._settings, number, cores))
        actor.incarnation, actor.portion = actor.saved = self._before.get(number, (0, 0))
        if self._before:
            with suppress(self._ray.exceptions.RayError):
                found = self._ray.get(actor.handle.unsaved.remote(actor.saved), timeout=60)
                self._arrived += [one for one in found if self._is_new(actor, one)]
        return actor
