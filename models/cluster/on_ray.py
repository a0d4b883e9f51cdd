"""An analysis as an actor of a Ray cluster, with the methods of a ``Server`` here.

The actor outlives its connection for a while, so that a later one finds it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from core.text import Text, text_of
from models.cluster.connect import NoCluster, connect
from models.cluster.server import AnalysisServer, Tell

NAMESPACE: Final = "plyscope"
START_S: Final = 60.0  # the longest that the first answer may take, of an actor that loads the program
ANSWER_S: Final = 15.0  # and any other
CLOSE_S: Final = 3.0


class RayServer:
    """The analysis ``name`` on the cluster at ``address``, which is made where there is none."""

    def __init__(self, address: str, name: str, tell: Tell, **options: Any) -> None:
        """``options``: of an ``AnalysisServer`` that is made.  ``ConnectionError`` when there is no cluster."""
        try:
            self._connection = connect(address)
        except NoCluster as error:  # there may be one later
            raise ConnectionError(text_of(error)) from None
        self._actor = _actor(name, tell, options)

    def greet(self) -> bytes:
        """The first message for a window."""
        return self._ask("greet", START_S)

    def take(self, message: bytes) -> None:
        """Do as a message of the window says."""
        self._ask("take", ANSWER_S, message)

    def show(self) -> bytes:
        """The next message for the window; b"" for none."""
        return self._ask("show", ANSWER_S)

    def close(self) -> None:
        """End the analysis and the connection."""
        with suppress(ValueError, ConnectionError):  # it may be gone
            self._ask("close", CLOSE_S)
        self._connection.close()

    def _ask(self, method: str, limit_s: float, *arguments: bytes) -> bytes:
        import ray

        try:
            answer: bytes = ray.get(getattr(self._actor, method).remote(*arguments), timeout=limit_s)
            return answer
        except Exception as error:
            refused = isinstance(getattr(error, "cause", error), ValueError)
            raise (ValueError if refused else ConnectionError)(_sentence(error)) from error


def _actor(name: str, tell: Tell, options: dict[str, Any]) -> Any:
    import ray

    with suppress(ValueError):
        return ray.get_actor(name, NAMESPACE)
    free: dict[str, float] = ray.available_resources()  # type: ignore[no-untyped-call]
    taken: dict[str, Any] = {"num_cpus": 1 if free.get("CPU", 0) >= 1 else 0}
    if free.get("GPU", 0) > 0:
        taken["num_gpus"] = min(1.0, free["GPU"])
    actor = ray.remote(AnalysisServer).options(
        name=name, namespace=NAMESPACE, lifetime="detached", max_concurrency=4, max_restarts=0, **taken
    )
    return actor.remote(tell, **options)


def _sentence(error: Exception) -> str:
    """Why the actor gave no answer."""
    cause = getattr(error, "cause", error)  # what the actor raised, inside Ray's error
    if isinstance(cause, ValueError):
        return text_of(cause)
    if "ModuleNotFoundError" in str(error):
        return Text("Plyscope is not installed on the machines of the cluster")
    if type(error).__name__ == "GetTimeoutError":
        return Text("the cluster did not answer in time; all its machines may be busy")
    if type(error).__name__ in ("ActorDiedError", "ActorUnavailableError"):
        return Text("the process that searched there has ended")
    return f"{type(error).__name__}: {error}"[:200]
