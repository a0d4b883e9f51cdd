"""The versions of Plyscope on the machines of a cluster, which must be the same as here.

What is compared is the version of the package and a hash of the sources that do the work, which covers rules, encodings
and formats.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, NamedTuple

from core._kernel_files import sources_of
from core.text import Text
from models.cluster.connect import Node

WAIT_S: Final = 180.0  # for the first answers: each machine starts a process and loads the program
_NAMED: Final = 8  # digits of a hash in a sentence


class Version(NamedTuple):
    """What a machine runs: the package's version, "" where there is none, and a hash of sources, "" if unknown."""

    program: str
    build: str

    def __str__(self) -> str:
        return f"{self.program}, build {self.build[:_NAMED] or '?'}"


def program_version() -> str:
    """The version of this program."""
    try:
        return version("plyscope")
    except PackageNotFoundError:
        return "?"


def own_version(module: str) -> Version:
    """The version here; the hash is of the sources of ``module`` and all that it imports."""
    with suppress(OSError):  # without sources, as in a frozen program
        hashes = sorted(
            hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).digest() for path in sources_of(module)
        )
        build = hashlib.sha256(b"".join(hashes)).hexdigest()
        return Version(program_version(), build)
    return Version(program_version(), "")


def difference(machine: str, theirs: Version, ours: Version) -> Text | None:
    """Why ``machine`` cannot take part, in a sentence; None when it can."""
    if not theirs.program:
        return Text("Plyscope is not installed on {machine}", machine=machine)
    if theirs == ours:
        return None
    shown = (theirs.program, ours.program) if theirs.program != ours.program else (str(theirs), str(ours))
    return Text(
        "{machine} has Plyscope {theirs} and this machine {ours}; install the same on both",
        machine=machine,
        theirs=shown[0],
        ours=shown[1],
    )


class Fitness:
    """Which machines of a cluster have this machine's version of the program; each is asked once."""

    def __init__(self, module: str) -> None:
        """``module`` does the work there."""
        import ray

        self._ray, self._module, self._ours = ray, module, own_version(module)
        self._calls: dict[str, Any] = {}  # by id of the machine
        self._fit: dict[str, Text | None] = {}

    def fit(self, nodes: Iterable[Node], wait_s: float = 0.0) -> list[Node]:
        """Those of ``nodes`` that are known to have it; new ones are asked, and waited for so long."""
        nodes = list(nodes)
        for node in nodes:
            if node.id not in self._fit and node.id not in self._calls:
                self._calls[node.id] = self._ask(node)
        for node in nodes:
            if node.id in self._calls:
                self._hear(node, wait_s)
        return [node for node in nodes if node.id in self._fit and self._fit[node.id] is None]

    def unfit(self, nodes: Iterable[Node]) -> dict[str, Text]:
        """Why machines of ``nodes`` cannot take part, by their id."""
        return {node.id: why for node in nodes if (why := self._fit.get(node.id)) is not None}

    def _ask(self, node: Node) -> Any:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        on_node = NodeAffinitySchedulingStrategy(node.id, soft=False)
        task = self._ray.remote(_asker()).options(num_cpus=0, max_retries=0, scheduling_strategy=on_node)
        return task.remote(self._module)

    def _hear(self, node: Node, wait_s: float) -> None:
        call = self._calls[node.id]
        ready, _ = self._ray.wait([call], timeout=wait_s)
        if ready:
            del self._calls[node.id]
            with suppress(self._ray.exceptions.RayError):  # the machine is gone, or else is asked again
                self._fit[node.id] = difference(node.host, Version(*self._ray.get(call)), self._ours)


def _asker() -> Callable[[str], tuple[str, str]]:
    def version_there(module: str) -> tuple[str, str]:
        # Travels as code, since the other machine may have another version of this file, or none.
        from importlib.metadata import PackageNotFoundError, version

        try:
            from models.cluster.versions import own_version
        except ImportError:
            try:
                return version("plyscope"), ""
            except PackageNotFoundError:
                return "", ""
        return tuple(own_version(module))  # type: ignore[return-value]

    return version_there
