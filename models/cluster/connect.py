"""Connections to Ray, which moves work and data between machines.

Ray is one per process: connections to one address share it, and it ends with the last of them.  Nothing is printed to
stdout.
"""

import logging
import os
import re
import socket
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from core.machine import processors
from core.text import Text

AUTO: Final = "auto"
LOCAL: Final = "local"
CLIENT: Final = "ray://"
ADDRESSES: Final = Text("auto, local, HOST:PORT or ray://HOST:PORT")
CANNOT_FETCH: Final = Text(
    "the cluster's machines cannot fetch the net from this one: they must reach it, and both use a token or neither; "
    "through an address ray://HOST:10001 they need not"
)
TIMEOUT_S: Final = 60.0
TOKEN: Final = Path("~/.ray/auth_token")  # where Ray keeps it
STORE_MB: Final = 256  # of shared memory for what a machine started here hands from process to process

_lock: Final = threading.Lock()
_running: "Final[list[_Running]]" = []  # one at most


class NoCluster(ValueError):
    """There is no connection to a cluster; the message is one sentence."""


@dataclass(frozen=True)
class Node:
    """A machine of a cluster, as Ray sees it."""

    name: str
    host: str
    processors: int
    gpus: int
    id: str


class Connection:
    """A connection to Ray, which ends with :meth:`close` or the ``with`` block."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._open = True

    def nodes(self) -> list[Node]:
        """The machines that are alive now."""
        import ray

        nodes = []
        for node in ray.nodes():  # type: ignore[no-untyped-call]
            if node["Alive"]:
                has = node["Resources"]
                names = node["NodeName"], node["NodeManagerHostname"]
                nodes.append(Node(*names, int(has.get("CPU", 0)), int(has.get("GPU", 0)), node["NodeID"]))
        return nodes

    def close(self) -> None:
        """End the connection; a machine started by ``local`` ends with the last connection to it."""
        with _lock:
            if self._open:
                self._open = False
                _running[0].users -= 1
                if not _running[0].users:
                    _running.pop().end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Running:
    """Ray in this process, begun and ended in a thread of its own.

    That leaves the handlers of signals alone, can be given up where Ray itself waits for minutes, and outlives whoever
    began it: the system ends the processes of a machine started here with the thread that started them.
    """

    def __init__(self, address: str, at: str) -> None:
        """``at``: the address that Ray is given."""
        self.address, self._at = address, at
        self.users = 0
        self.error: BaseException | None = None
        self._begun, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="connection to Ray", daemon=True)
        self._options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}

    def begin(self, timeout_s: float, cores: int, store_mb: int) -> None:
        if self.address == LOCAL:
            self._options |= {"num_cpus": cores, "object_store_memory": store_mb << 20, "include_dashboard": False}
        self._thread.start()
        if not self._begun.wait(timeout_s):
            self._over.set()
            if _host_and_port(self.address) is not None:
                raise _no_head(self.address)
            raise _no_answer(self.address, Text("no answer for {seconds:.0f} s", seconds=timeout_s))
        if self.error is not None:
            raise _sentence(self.address, self.error)

    def end(self) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        import ray

        _log_instead_of_printing()
        try:
            ray.init(self._at, **self._options)
        except BaseException as error:
            self.error = error
        else:
            self._begun.set()
            self._over.wait()
        with suppress(Exception):  # the other side may be gone
            ray.shutdown()
        self._begun.set()


def _log_instead_of_printing() -> None:
    """Ray prints that a worker died to stdout, whatever it is told: such lines go to Python's log instead."""
    with suppress(ImportError):
        from ray._private import worker

        log = logging.getLogger(__name__)
        worker.print_to_stdstream = lambda data, **_: log.debug("%s", data)


def connect(
    address: str, timeout_s: float = TIMEOUT_S, cores: int | None = None, store_mb: int = STORE_MB
) -> Connection:
    """Connect to the cluster at ``address``: ``auto`` finds one that runs on this machine or that ``RAY_ADDRESS``
    names, ``local`` starts one of this machine alone, else ``HOST:PORT`` of a head node or ``ray://HOST:PORT`` of Ray's
    server of clients.

    ``cores`` and ``store_mb`` are those of a machine started here.  :class:`NoCluster` when Ray is missing, nothing
    answers within ``timeout_s``, the versions differ, or this process is connected elsewhere.
    """
    check_address(address)
    with _lock:
        if any(running.address != address for running in _running):
            raise NoCluster(
                Text("this program is connected to the cluster {address!r} already", address=_running[0].address)
            )
        if not _running:
            _check_ray(address)
            begun = _Running(address, _answering(address, timeout_s))
            begun.begin(timeout_s, processors() if cores is None else cores, store_mb)
            _running.append(begun)
        _running[0].users += 1
    return Connection(address)


def check_address(address: str) -> None:
    """:class:`NoCluster` when ``address`` is none."""
    if address not in (AUTO, LOCAL) and _host_and_port(address) is None:
        raise NoCluster(
            Text("{address!r} is no address of a cluster; allowed are {allowed}", address=address, allowed=ADDRESSES)
        )


def _host_and_port(address: str) -> tuple[str, int] | None:
    match = re.fullmatch(r"(\[[0-9a-fA-F:]+\]|[\w.-]+):(\d{1,5})", address.removeprefix(CLIENT))
    if match is None or not 0 < int(match[2]) < 1 << 16:
        return None
    return match[1].strip("[]"), int(match[2])


def _check_ray(address: str) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # before the import: nothing is sent to Ray's makers
    if address != LOCAL:  # there Ray sees to it
        _show_token()
    try:
        import ray  # noqa: F401
    except ImportError:
        raise NoCluster(
            Text('work on other machines needs Ray, which is not installed here: pip install "ray>=2.50,<3"')
        ) from None
    if address.startswith(CLIENT):
        try:
            import grpc  # type: ignore[import-untyped]  # noqa: F401
        except ImportError:
            raise NoCluster(
                Text("an address that begins with ray:// needs grpcio, which is not installed here: pip install grpcio")
            ) from None


def _show_token() -> None:
    """Show the token of this machine to the cluster, as ``ray start --head`` does, unless Ray's variable says which way
    to go.  A cluster without one does not look at it."""
    names = os.environ.get("RAY_AUTH_TOKEN"), os.environ.get("RAY_AUTH_TOKEN_PATH")
    if "ray" not in sys.modules and (any(names) or TOKEN.expanduser().is_file()):  # it reads the variable but once
        os.environ.setdefault("RAY_AUTH_MODE", "token")


def _answering(address: str, timeout_s: float) -> str:
    """``address`` as Ray needs it, once somebody listens there: Ray itself tries for minutes, and knows no names that
    only this system knows, such as those of its file of hosts."""
    place = _host_and_port(address)
    if place is None:
        return address
    try:
        with socket.create_connection(place, timeout_s) as connection:
            number = str(connection.getpeername()[0])
    except OSError as error:
        raise _no_answer(address, error.strerror or type(error).__name__) from None
    return address if address.startswith(CLIENT) or ":" in number else f"{number}:{place[1]}"


def _no_answer(address: str, reason: str) -> NoCluster:
    return NoCluster(Text("no cluster answers at {address!r} ({reason})", address=address, reason=reason))


def _sentence(address: str, error: BaseException) -> NoCluster:
    words = str(error)
    versions = re.findall(r"(Ray|Python): (\S+)", words)
    if "mismatch" in words.lower() and len(versions) == 4:
        theirs, ours = (" ".join(f"{name} {number}" for name, number in half) for half in (versions[:2], versions[2:]))
        return NoCluster(
            Text(
                "the cluster at {address!r} runs {theirs} and this machine {ours}; they must be the same",
                address=address,
                theirs=theirs,
                ours=ours,
            )
        )
    if address == AUTO and isinstance(error, ConnectionError):
        return NoCluster(
            Text("no cluster runs on this machine: start one by ray start --head, or give its address HOST:PORT")
        )
    if isinstance(error, ConnectionError) and (not address.startswith(CLIENT) or words.endswith("timeout")):
        return _no_head(address)
    if "token" in words and type(error).__name__ == "AuthenticationError":
        if "find an authentication token" in words or "no authentication token" in words:
            return NoCluster(
                Text(
                    "RAY_AUTH_MODE asks for a token on this machine, and there is none: copy the head's "
                    "~/.ray/auth_token to the same place here, or unset the variable where the head has no token"
                )
            )
        return NoCluster(
            Text(
                "the cluster at {address!r} asks for its token: copy the head's ~/.ray/auth_token to the same place "
                "here",
                address=address,
            )
        )
    lines = words.strip().splitlines() or [type(error).__name__]
    return _no_answer(address, (lines[-1] if lines[0].endswith(":") else lines[0])[:200])


def cannot_fetch(error: BaseException) -> bool:
    """Whether a machine of the cluster could not fetch what this process gave it: Ray itself sends what is small."""
    return "OwnerDiedError" in type(error).__name__


def _no_head(address: str) -> NoCluster:
    return NoCluster(
        Text(
            "what answers at {address!r} is no head node of Ray, or asks for its token: then copy the head's "
            "~/.ray/auth_token to the same place here",
            address=address,
        )
    )
