"""The machines of a cluster that play, and the numbers of their actors."""

from collections.abc import Callable
from typing import NamedTuple

from core.text import Text
from models.cluster.connect import Connection, Node
from models.cluster.versions import WAIT_S, Fitness
from models.runs.cluster_figures import OF_MACHINE
from models.runs.folder import RunError


class Place(NamedTuple):
    """Where an actor is, and with how many cores."""

    node: Node
    cores: int


class Machines:
    """The machines of a cluster as they come and go.  A machine that comes back has the numbers that it had."""

    def __init__(self, connection: Connection, wanted: int, say: Callable[[Text], object]) -> None:
        """``wanted``: actors in all, 0 for one on each GPU and each machine without.  ``say`` is called on changes."""
        import ray

        self._ray, self._connection, self._wanted, self._say = ray, connection, wanted, say
        self._fitness = Fitness("models.training.ray_actor")
        self._seen: list[str] = []  # names, whose places number the actors
        self._names: dict[str, str] = {}  # of the machines that play, by id
        self._left_out: set[str] = set()
        self._begun = False

    def places(self) -> dict[int, Place]:
        """Where actors should be now, by number.  A core of this machine is left to the learner.

        The first call waits for the machines' versions, and raises :class:`RunError` where one has another; later ones
        leave such a machine out and say so."""
        nodes = [node for node in self._connection.nodes() if node.processors]
        found = self._fitness.fit(nodes, 0.0 if self._begun else WAIT_S)
        for machine, why in self._fitness.unfit(nodes).items():
            if not self._begun:
                raise RunError(why)
            if machine not in self._left_out:
                self._left_out.add(machine)
                self._say(Text("{reason}: it does not play", reason=why))
        self._take_note(found)
        here = self._ray.get_runtime_context().get_node_id()
        places = {}
        for place, node in enumerate(sorted(found, key=lambda one: self._seen.index(self._names[one.id]))):
            count = len(range(place, self._wanted, len(found))) if self._wanted else max(1, node.gpus)
            cores = max(1, (node.processors - (node.id == here)) // max(1, count))
            first = self._seen.index(self._names[node.id]) * OF_MACHINE
            places.update({first + i: Place(node, cores) for i in range(count)})
        return places

    def _take_note(self, found: list[Node]) -> None:
        """Name the machines, and say which have come and gone."""
        alive = {node.id for node in found}
        for machine in self._names.keys() - alive:
            self._say(
                Text(
                    "{machine} has left the cluster; machines that play on: {count}",
                    machine=self._names.pop(machine),
                    count=len(alive),
                )
            )
        for node in sorted(found, key=lambda one: (one.name, one.id)):
            if node.id not in self._names:
                self._names[node.id] = name = _free(node.name, set(self._names.values()))
                self._seen += [name] if name not in self._seen else []
                if self._begun:
                    self._say(Text("{machine} has joined the cluster", machine=name))
        self._begun = True


def _free(name: str, taken: set[str]) -> str:
    """``name``, numbered where several machines have it: Ray takes an address for a name."""
    numbered = (f"{name} ({i})" if i > 1 else name for i in range(1, len(taken) + 2))
    return next(one for one in numbered if one not in taken)
