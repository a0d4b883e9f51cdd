"""Players of a run on the machines of a Ray cluster, and the pool that feeds and hears them.

Each actor plays with the newest net in portions and returns them with its number, its incarnation and the portion's
number.  It keeps a portion until it is told that the learner has saved it, and goes on living for a while when the
learner dies: one that resumes finds it by name, takes what was not saved, and takes nothing twice, as the journal says
which portions the saved positions came from.  Lost are the games that a killed actor was playing.

Nothing here imports Ray but inside functions, so that this file can be imported without it.
"""

import hashlib
import json
import math
import os
import socket
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from numpy.typing import NDArray

from core.files.atomic import write_atomically
from core.files.reading import Fields, parse_json
from core.text import Text, text_of
from models.cluster.connect import CANNOT_FETCH, Connection, Node, cannot_fetch
from models.cluster.versions import WAIT_S, Fitness
from models.nets.net import PolicyValueNet
from models.play import replay as replays
from models.play.games import Part
from models.runs.config import TrainConfig
from models.runs.folder import RunError
from models.runs.reports import OF_MACHINE
from models.training.pool import Parts
from models.training.ray_actor import Delivery, Mark, Order
from models.training.ray_actor import SelfPlayActor as SelfPlayActor

NAMESPACE: Final = "plyscope"
JOURNAL: Final = "portions.jsonl"  # in the run's folder
OUTSTANDING: Final = 2  # portions asked of an actor: it plays one while the other travels
_WAIT_S: Final = 0.2
_AGAIN_S: Final = 1.0  # until a failed actor is asked again
_LOOK_S: Final = 10.0  # between two looks at the machines
QUIET_S: Final = 30.0  # without any games until it is said why
_PORTIONS: Final = 4  # of each actor in an iteration
_LEAST_PORTION: Final = 8
_FAILURES: Final = 3  # of an actor, one after another, until it is looked up again
_MOST: Final = 1 << 62  # of a number in the journal

Weights = Mapping[str, NDArray[Any]]


class Place(NamedTuple):
    """Where an actor is, and with how many cores."""

    node: Node
    cores: int


class Machines:
    """The machines of a cluster as they come and go.  A machine that comes back has the numbers that it had."""

    def __init__(self, connection: Connection, actors: int, say: Callable[[Text], object]) -> None:
        """``actors``: actors in all, 0 for one on each GPU and each machine without.  ``say`` is called on changes."""
        import ray

        self._ray, self._connection, self._actors, self._say = ray, connection, actors, say
        self._fitness = Fitness("models.training.ray_actor")
        self._joined: list[str] = []  # names, whose places number the actors
        self._names: dict[str, str] = {}  # of the machines that play, by id
        self._left_out: set[str] = set()
        self._begun = False

    def places(self) -> dict[int, Place]:
        """Where actors should be now, by number.  A core of this machine is left to the learner.

        The first call waits for the machines' versions, and raises :class:`RunError` where one has another; later ones
        leave such a machine out and say so."""
        nodes = [node for node in self._connection.nodes() if node.processors]
        fit = self._fitness.fit(nodes, 0.0 if self._begun else WAIT_S)
        for machine, why in self._fitness.unfit(nodes).items():
            if not self._begun:
                raise RunError(why)
            if machine not in self._left_out:
                self._left_out.add(machine)
                self._say(Text("{reason}: it does not play", reason=why))
        self._take_note(fit)
        this_node = self._ray.get_runtime_context().get_node_id()
        places = {}
        for place, node in enumerate(sorted(fit, key=lambda node: self._joined.index(self._names[node.id]))):
            count = len(range(place, self._actors, len(fit))) if self._actors else max(1, node.gpus)
            cores = max(1, (node.processors - (node.id == this_node)) // max(1, count))
            first = self._joined.index(self._names[node.id]) * OF_MACHINE
            places.update({first + i: Place(node, cores) for i in range(count)})
        return places

    def _take_note(self, nodes: list[Node]) -> None:
        """Name the machines, and say which have come and gone."""
        alive = {node.id for node in nodes}
        for machine in self._names.keys() - alive:
            self._say(
                Text(
                    "{machine} has left the cluster; machines that play on: {count}",
                    machine=self._names.pop(machine),
                    count=len(alive),
                )
            )
        for node in sorted(nodes, key=lambda node: (node.name, node.id)):
            if node.id not in self._names:
                self._names[node.id] = name = _free(node.name, set(self._names.values()))
                self._joined += [name] if name not in self._joined else []
                if self._begun:
                    self._say(Text("{machine} has joined the cluster", machine=name))
        self._begun = True


def _free(name: str, taken: set[str]) -> str:
    """``name``, numbered where several machines have it: Ray takes an address for a name."""
    numbered = (f"{name} ({i})" if i > 1 else name for i in range(1, len(taken) + 2))
    return next(candidate for candidate in numbered if candidate not in taken)


@dataclass
class _Actor:
    """What the learner knows of one actor."""

    node: str
    host: str
    cores: int
    handle: Any
    heard: tuple[int, int]  # (incarnation, portion) received last
    saved: tuple[int, int]
    calls: deque[Any] = field(default_factory=deque)
    ask_at: float = 0.0
    last: Delivery | None = None
    samples: int = 0  # in this round
    failed: int = 0  # calls, since the last that did not


class Journal:
    """The portions taken, a line of a file for each, with the positions of the run up to its end.

    A line is written before its positions are saved.  A start knows how many positions were saved: the portions beyond
    them were lost with the learner, and are taken again.
    """

    def __init__(self, path: Path, saved: int) -> None:
        """``saved``: positions of the run that were saved before this start."""
        self._path, self._positions = path, saved
        lines = path.read_bytes().splitlines() if path.exists() else []
        saved_lines = [line for line in lines if (entry := _entry(line)) is not None and entry[0] <= saved]
        self.taken = {mark[0]: mark[1:] for _, mark in filter(None, map(_entry, saved_lines))}
        """The last (incarnation, portion) of each actor, by number."""
        write_atomically(path, b"".join(line + b"\n" for line in saved_lines))

    def add(self, mark: Mark, positions: int) -> None:
        """Write that a portion of so many positions is taken."""
        self._positions += positions
        self.taken[mark[0]] = mark[1:]
        with open(self._path, "ab") as file:
            file.write(json.dumps({"positions": self._positions, "portion": mark}).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())


def _entry(line: bytes) -> tuple[int, Mark] | None:
    """(Positions, portion) of a line of the journal; None for a damaged one."""
    try:
        fields = Fields(parse_json(line))
        number, incarnation, portion = (int(figure) for figure in fields.list("portion"))
        return fields.whole("positions", 0, _MOST), (number, incarnation, portion)
    except (ValueError, TypeError):
        return None


class RayPool:
    """Players on the machines of a cluster: one actor for each GPU, and one for each machine without.

    Portions of a net older than the replay buffer reaches are dropped and counted.
    """

    def __init__(
        self,
        config: TrainConfig,
        connection: Connection,
        out: Path,
        saved: int = 0,
        actors: int = 0,
        say: Callable[[Text], object] = bool,
    ) -> None:
        """``saved``: positions of the run saved before this start.  ``actors``: how many in all; 0 for the usual
        number.  ``say`` is told of machines that come and go, and why no games come yet."""
        import ray

        self._ray, self._config, self._connection, self._by_number = ray, config, connection, actors > 0
        self._settings = config.to_dict()
        self._openings = Path(config.self_play.openings).read_bytes() if config.self_play.openings else b""
        digest = _digest(repr(sorted(self._settings.items())), self._openings.hex(), str(actors))
        self._prefix = f"{_digest(socket.gethostname(), str(out.resolve()))}/"
        self._name = f"{self._prefix}{digest}/"
        self._journal = Journal(out / JOURNAL, saved)
        self._machines, self._say = Machines(connection, actors, say), say
        self._quiet_until = time.monotonic() + QUIET_S
        self._actors: dict[int, _Actor] = {}
        self._weights: Any = None
        self._net_step = 0
        self._oldest = max(
            1, int(config.learning.replay_positions * config.learning.train_ratio / config.learning.batch_size)
        )
        self._counts = dict.fromkeys(("dropped", "repeated", "restarts"), 0)  # since the start
        self._behind: list[int] = []
        self._began = self._looked = time.monotonic()
        self.threads, self._precision = 0, ""
        self.words: str
        self._end_others()
        self._look()
        if not self._actors:
            raise RunError(Text("the cluster at {address!r} has no machine for players", address=connection.address))
        self.words = Text("actors: {actors}, machines: {nodes}", actors=len(self._actors), nodes=len(self._hosts()))

    def play(self, net: PolicyValueNet, net_step: int, samples: int, should_stop: Callable[[], bool]) -> Parts:
        for actor in self._actors.values():
            actor.saved = actor.heard
        self._publish(net, net_step)
        return self._gather(samples, should_stop)

    def _gather(self, samples: int, should_stop: Callable[[], bool]) -> Parts:
        """What the actors send, a list for each portion."""
        while samples > 0 and not should_stop():
            now = time.monotonic()
            if now - self._looked > _LOOK_S:
                self._look()
            if now > self._quiet_until:
                self._quiet_until = math.inf
                if not any(actor.last for actor in self._actors.values()):
                    self._say(Text("no games have come yet: each machine first compiles the search of this game, once"))
            for number, actor in list(self._actors.items()):
                if actor.failed >= _FAILURES:
                    self._begin_again(number)
                self._ask(self._actors[number], now)
            for actor, portion in self._arrived():
                parts = self._taken(actor, portion)
                samples -= sum(len(played) for played, _ in parts)
                yield parts

    def figures(self) -> dict[str, Any]:
        """Figures of all actors together.  ``cluster``: what came from whom in the last round, how old its nets were in
        steps, what was lost."""
        lasted_s = max(time.monotonic() - self._began, 1e-6)
        rows = []
        for number, actor in sorted(self._actors.items()):
            last = actor.last
            rows.append(
                {
                    "actor": number,
                    "host": actor.host,
                    "threads": actor.cores,
                    "samples_per_s": round(actor.samples / lasted_s, 1),
                    "behind": None if last is None else max(0, self._net_step - last.net_step),
                    "evaluator": "" if last is None else last.evaluator,
                }
            )
            actor.samples = 0
        behind, self._behind, self._began = self._behind, [], time.monotonic()
        heard = [actor.last for actor in self._actors.values() if actor.last is not None]
        return {
            "alone_per_s": round(sum(last.alone_per_s for last in heard), 1),
            "precision": self._precision,
            "cluster": {
                "address": self._connection.address,
                "nodes": len(self._hosts()),
                "behind": round(sum(behind) / len(behind), 1) if behind else None,
                **self._counts,
                "actors": rows,
            },
        }

    def close(self) -> None:
        """End the actors; what they are playing is lost."""
        for actor in self._actors.values():
            self._end(actor)

    # The actors.

    def _hosts(self) -> set[str]:
        return {actor.node for actor in self._actors.values()}

    def _end_others(self) -> None:
        """End the actors that an earlier start in this run's folder made with other settings."""
        for actor in self._ray.util.list_named_actors(all_namespaces=True):
            name = actor["name"]
            if actor["namespace"] == NAMESPACE and name.startswith(self._prefix) and not name.startswith(self._name):
                with suppress(ValueError):
                    self._ray.kill(self._ray.get_actor(name, namespace=NAMESPACE))

    def _look(self) -> None:
        """Begin the actors that the machines lack; forget those of machines that are gone, or came back."""
        self._looked = time.monotonic()
        places = self._machines.places()
        for number, actor in list(self._actors.items()):
            if number not in places or places[number].node.id != actor.node:
                self._end(self._actors.pop(number))
        for number in places.keys() - self._actors.keys():
            self._actors[number] = self._begin(number, *places[number])
        self.threads = sum(actor.cores for actor in self._actors.values())

    def _end(self, actor: _Actor) -> None:
        with suppress(Exception):  # the cluster may be gone
            self._ray.kill(actor.handle)

    def _begin_again(self, number: int) -> None:
        """Ask Ray for an actor that failed again and again: it may be gone for good, and is then made anew."""
        actor, place = self._actors[number], self._machines.places().get(number)
        actor.failed = 0
        if place is not None:
            actor.handle = self._handle(number, *place)
            actor.calls = deque([actor.handle.unsaved.remote(actor.saved)])

    def _begin(self, number: int, node: Node, cores: int) -> _Actor:
        handle, heard = self._handle(number, node, cores), self._journal.taken.get(number, (0, 0))
        actor = _Actor(node.id, node.host, cores, handle, heard, heard)
        actor.calls.append(handle.unsaved.remote(heard))
        return actor

    def _handle(self, number: int, node: Node, cores: int) -> Any:
        """The actor of that number, which is made where there is none."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        return (
            self._ray.remote(SelfPlayActor)
            .options(
                name=f"{self._name}{number}",
                namespace=NAMESPACE,
                get_if_exists=True,
                lifetime="detached",
                max_restarts=-1,
                num_cpus=0,
                num_gpus=1 if node.gpus and not self._by_number else 0,
                scheduling_strategy=NodeAffinitySchedulingStrategy(node.id, soft=False),
            )
            .remote(self._settings, self._openings, number, cores)
        )

    def _publish(self, net: PolicyValueNet, net_step: int) -> None:
        """Hand a new net to the cluster, once for all actors."""
        if self._weights is None or net_step != self._net_step:
            self._net_step = net_step
            arrays = {name: tensor.detach().cpu().numpy() for name, tensor in net.state_dict().items()}
            self._weights = self._ray.put(arrays)

    def _ask(self, actor: _Actor, now: float) -> None:
        if now < actor.ask_at:
            return
        order = Order(self._net_step, portion_size(self._config, len(self._actors)), actor.heard[0], actor.saved)
        while len(actor.calls) < OUTSTANDING:
            actor.calls.append(actor.handle.play.remote(order, self._weights))

    def _arrived(self) -> list[tuple[_Actor, Delivery]]:
        """What has come meanwhile, and from whom."""
        first = {actor.calls[0]: actor for actor in self._actors.values() if actor.calls}
        if not first:
            time.sleep(_WAIT_S)
            return []
        ready, _ = self._ray.wait(list(first), num_returns=len(first), timeout=_WAIT_S)
        if not ready:
            ready, _ = self._ray.wait(list(first), timeout=_WAIT_S)
        return [(first[call], portion) for call in ready for portion in self._heard(first[call])]

    def _heard(self, actor: _Actor) -> list[Delivery]:
        """The answer to the first call of an actor; an actor that failed is asked again a little later."""
        try:
            answer = self._ray.get(actor.calls.popleft())
        except self._ray.exceptions.RayTaskError as error:
            if cannot_fetch(error):
                raise RunError(CANNOT_FETCH) from None
            cause = error.cause if isinstance(error.cause, Exception) else error
            reason = text_of(cause) if isinstance(cause, ValueError) else f"{type(cause).__name__}: {cause}"[:200]
            raise RunError(Text("the player on {host} failed: {error}", host=actor.host, error=reason)) from None
        except self._ray.exceptions.RayError as error:
            if getattr(error, "actor_init_failed", False):
                last = (str(error).strip().splitlines() or [""])[-1][:200]
                raise RunError(Text("the player on {host} failed: {error}", host=actor.host, error=last)) from None
            actor.ask_at = time.monotonic() + _AGAIN_S
            actor.failed += 1
            return []
        actor.failed = 0
        return answer if isinstance(answer, list) else [answer]

    def _taken(self, actor: _Actor, portion: Delivery) -> list[Part]:
        """The parts of a portion, which is noted; none when it was taken before or its net is too old."""
        if portion.mark[1:] <= actor.heard:
            self._counts["repeated"] += 1
            return []
        self._counts["restarts"] += 0 < actor.heard[0] < portion.mark[1]
        actor.heard, actor.last = portion.mark[1:], portion
        self._precision = portion.precision
        behind = max(0, self._net_step - portion.net_step)
        parts = [(replays.from_arrays(arrays), stats) for arrays, stats in portion.parts]
        samples = sum(len(played) for played, _ in parts)
        if behind > self._oldest:
            self._counts["dropped"] += samples
            parts, samples = [], 0
        else:
            self._behind.append(behind)
        actor.samples += samples
        self._journal.add(portion.mark, samples)
        return parts


def portion_size(config: TrainConfig, actors: int) -> int:
    """Positions of a portion."""
    return max(_LEAST_PORTION, config.self_play.samples_per_iteration // (_PORTIONS * actors))


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
