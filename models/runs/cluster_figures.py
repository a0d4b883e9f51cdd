"""What the report of an iteration says of the cluster that played it."""

from typing import Any, Final, NamedTuple, Self

from core.files.reading import Fields

OF_MACHINE: Final = 1000  # actors of the first machine are numbered from 0, of the second from here, and so on
_MOST: Final = 1 << 53
_MOST_ACTORS: Final = 10_000


class ActorFigures(NamedTuple):
    """One actor.  behind: training steps between the newest net and that of its last portion, None before the first."""

    number: int
    host: str
    threads: int
    samples_per_s: float
    behind: int | None


class ClusterFigures(NamedTuple):
    """The cluster.  behind: mean of the portions of the iteration.  dropped: positions whose net was too old.
    restarts: of actors.  Both since the learner began."""

    address: str
    nodes: int
    behind: float | None
    dropped: int
    restarts: int
    actors: tuple[ActorFigures, ...]

    @classmethod
    def of(cls, value: Any) -> Self:
        """As a report holds it; ValueError when it is not that."""
        fields = Fields(value)
        actors = [Fields(one) for one in fields.list("actors")[:_MOST_ACTORS]]
        return cls(
            fields.text("address"),
            fields.whole("nodes", 0, _MOST),
            fields.number("behind", 0.0, _MOST, None),
            fields.whole("dropped", 0, _MOST),
            fields.whole("restarts", 0, _MOST),
            tuple(
                ActorFigures(
                    one.whole("actor", 0, _MOST),
                    one.text("host"),
                    one.whole("threads", 0, _MOST),
                    one.number("samples_per_s", 0.0, 1e12),
                    one.whole("behind", 0, _MOST, None),
                )
                for one in actors
            ),
        )
