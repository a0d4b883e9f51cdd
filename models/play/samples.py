"""Training samples from self-play, and the games they came from, as arrays.

Letters: n samples, A actions, C planes, H W board, m moves, s searches.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec
from core.games.encoding import OWN_ENCODING, Encoding
from core.games.net_inputs import make_inputs
from core.text import Text

PLAYED: Final = Text("played")  # to the end by the rules
RESIGNED: Final = Text("resigned")
PROVED_EARLY: Final = Text("proved")  # the search proved the result
COUNTED: Final = Text("counted at the greatest number of moves")
ENDINGS: Final = (PLAYED, RESIGNED, PROVED_EARLY, COUNTED)

_MOST_POINTS: Final = 1e4
_MOST_WEIGHT: Final = 1e6
_MOST_VALUE: Final = 1.001  # 1 with rounding errors


# Arrays of a shard by name: dtype, and shape with None for free sizes.
SAMPLE_ARRAYS: Final[dict[str, tuple[type[np.generic], tuple[int | None, ...]]]] = {
    "planes": (np.int8, (None, None, None, None)),
    "policy": (np.float32, (None, None)),
    "result": (np.int8, (None,)),
    "root_value": (np.float32, (None,)),
    "game": (np.int32, (None,)),
    "ply": (np.int16, (None,)),
}
TRACE_ARRAYS: Final[dict[str, tuple[type[np.generic], tuple[int | None, ...]]]] = {
    "trace_moves": (np.int16, (None,)),
    "trace_counts": (np.int32, (None, 3)),
    "trace_full": (np.bool_, (None,)),
    "trace_values": (np.float32, (None,)),
    "trace_ends": (np.int8, (None, 3)),
    "trace_step": (np.int64, (None,)),
}
KIND_ARRAY: Final = (np.int32, (None,))  # trace_kind, where the traces are of several games


# Further arrays of games with points.
POINT_ARRAYS: Final[dict[str, tuple[type[np.generic], tuple[int | None, ...]]]] = {
    "features": (np.float32, (None, None)),
    "margin": (np.float32, (None,)),
    "owners": (np.int8, (None, None, None)),
}


# Further arrays, which shards of older versions lack.
LATER_ARRAYS: Final[dict[str, tuple[type[np.generic], tuple[int | None, ...]]]] = {
    "legal": (np.bool_, (None, None)),
    "weight": (np.float32, (None,)),
}


class PointSamples(NamedTuple):
    """What samples of a game with points hold beside the others; all for the side to move."""

    features: NDArray[np.float32]  # [n, G] of the net's input
    margin: NDArray[np.float32]  # [n] its lead at the end of the game in points; NaN when it was not counted
    owners: NDArray[np.int8]  # [n, H, W] each point's owner then: 1 the mover, -1 the opponent, 0 nobody or not counted


@dataclass(frozen=True)
class GameTrace:
    """One finished game."""

    game: str  # as load_game takes it
    opening: tuple[int, ...]  # random moves
    moves: tuple[int, ...]  # [m] searched moves
    full: NDArray[np.bool_]  # [s] which searches were full ones; s = m, or m + 1 when a search ended the game
    values: NDArray[np.float32]  # [s] searched values for the side to move
    policies: Mapping[int, NDArray[np.float32]]  # ply -> policy target [A], for training positions
    outcome: int  # +1 the first player won, 0 draw, -1 lost
    ending: str  # one of ENDINGS
    checked: bool  # played to the end without resignation or ending by proof
    net_step: int  # training steps of the net that played its last moves


_UNKNOWN_LEGAL: Final = np.zeros((0, 0), np.bool_)
_UNKNOWN_WEIGHT: Final = np.zeros(0, np.float32)


@dataclass(frozen=True)
class Samples:
    """Training positions; every value is for the side to move."""

    planes: NDArray[np.int8]  # [n, C, H, W] zeros and ones
    policy: NDArray[np.float32]  # [n, A] the search's policy target
    result: NDArray[np.int8]  # [n] +1 the mover won, 0 draw, -1 lost
    root_value: NDArray[np.float32]  # [n] the search's value
    game: NDArray[np.int32]  # [n] number of the game within this batch of samples
    ply: NDArray[np.int16]  # [n]
    traces: tuple[GameTrace, ...] = ()  # by number; empty in shards of older versions
    points: PointSamples | None = None  # where the net is shown points
    legal: NDArray[np.bool_] = field(
        default_factory=lambda: _UNKNOWN_LEGAL
    )  # [n, A] the legal moves; all moves in shards of older versions
    weight: NDArray[np.float32] = field(
        default_factory=lambda: _UNKNOWN_WEIGHT
    )  # [n] how often each is drawn, on average 1

    def __post_init__(self) -> None:
        if self.legal is _UNKNOWN_LEGAL:
            object.__setattr__(self, "legal", np.ones(self.policy.shape, np.bool_))
        if self.weight is _UNKNOWN_WEIGHT:
            object.__setattr__(self, "weight", np.ones(len(self), np.float32))

    def __len__(self) -> int:
        return len(self.result)

    @property
    def shape(self) -> tuple[int, int]:
        """The size of the board."""
        return self.planes.shape[2], self.planes.shape[3]

    @classmethod
    def empty(cls, game: GameSpec, encoding: Encoding = OWN_ENCODING) -> Self:
        """An empty set of samples of ``game``, for nets of an ``encoding``."""
        inputs = make_inputs(game, encoding, 0)
        points = PointSamples(inputs.features, np.zeros(0, np.float32), np.zeros((0, *game.shape), np.int8))
        return cls(
            inputs.planes.astype(np.int8),
            np.zeros((0, game.num_actions), np.float32),
            np.zeros(0, np.int8),
            np.zeros(0, np.float32),
            np.zeros(0, np.int32),
            np.zeros(0, np.int16),
            points=points if encoding.leads else None,
        )

    @classmethod
    def joined(cls, parts: "Sequence[Samples]") -> Self:
        """Concatenate ``parts`` (at least one), renumbering their games."""
        arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in array_names()}
        counts = [max(len(part.traces), int(part.game.max(initial=-1)) + 1) for part in parts]
        firsts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        numbers = [part.game + int(first) for part, first in zip(parts, firsts, strict=True)]
        arrays["game"] = np.concatenate(numbers).astype(np.int32)
        points_of_parts = [part.points for part in parts if part.points is not None]
        points = (
            PointSamples(*map(np.concatenate, zip(*points_of_parts, strict=True)))
            if len(points_of_parts) == len(parts)
            else None
        )
        return cls(**arrays, traces=tuple(trace for part in parts for trace in part.traces), points=points)


def array_names() -> tuple[str, ...]:
    """The names of the arrays that all :class:`Samples` have."""
    return (*SAMPLE_ARRAYS, *LATER_ARRAYS)


# Traces are stored as flat arrays, so that a shard needs no pickle.


def pack(traces: Sequence[GameTrace]) -> dict[str, NDArray[np.generic]]:
    """Pack ``traces`` (at least one) into arrays by name, without policies, which the samples hold."""

    games = list(dict.fromkeys(trace.game for trace in traces))

    def joined(parts: list[Sequence[int]]) -> NDArray[np.int16]:
        return np.concatenate([np.asarray(part, np.int16) for part in parts])

    kinds = [games.index(trace.game) for trace in traces] if len(games) > 1 else []
    return {
        **({"trace_kind": np.array(kinds, np.int32)} if kinds else {}),
        "trace_game": np.array("\n".join(games)),
        "trace_moves": joined([(*trace.opening, *trace.moves) for trace in traces]),
        "trace_counts": np.array(
            [(len(trace.opening), len(trace.moves), len(trace.full)) for trace in traces], np.int32
        ),
        "trace_full": np.concatenate([trace.full for trace in traces]),
        "trace_values": np.concatenate([trace.values for trace in traces]),
        "trace_ends": np.array(
            [(trace.outcome, ENDINGS.index(trace.ending), trace.checked) for trace in traces], np.int8
        ),
        "trace_step": np.array([trace.net_step for trace in traces], np.int64),
    }


def checked(samples: Samples, legal_alone: bool = True) -> Samples:
    """Return ``samples``; ValueError when their arrays differ in length or have values out of range.

    legal_alone: whether policies may give chances to legal moves only."""
    if any(len(getattr(samples, name)) != len(samples) for name in array_names()):
        raise ValueError("its arrays are not as long as one another")
    if (
        not np.isin(samples.result, (-1, 0, 1)).all()
        or not (np.abs(samples.root_value) <= _MOST_VALUE).all()
        or not ((samples.policy >= 0.0) & (samples.policy <= _MOST_VALUE)).all()
        or samples.game.min(initial=0) < 0
        or samples.ply.min(initial=0) < 0
        or samples.legal.shape != samples.policy.shape
        or not np.isfinite(samples.weight).all()
        or samples.weight.min(initial=1.0) < 0.0
        or samples.weight.max(initial=1.0) > _MOST_WEIGHT
        or (legal_alone and (samples.policy[~samples.legal] > 0.0).any())
    ):
        raise ValueError("a result, value, policy or number in it is out of range")
    if (points := samples.points) is not None:
        if any(len(array) != len(samples) for array in points) or points.owners.shape[1:] != samples.planes.shape[2:]:
            raise ValueError("its arrays are not as long as one another")
        if not (
            np.isfinite(points.features).all()
            and (np.isnan(points.margin) | (np.abs(points.margin) <= _MOST_POINTS)).all()
            and np.isin(points.owners, (-1, 0, 1)).all()
        ):
            raise ValueError("a result, value, policy or number in it is out of range")
    return samples


def unpack(game: str, arrays: Mapping[str, NDArray[Any]], samples: Samples) -> tuple[GameTrace, ...]:
    """Inverse of :func:`pack`, with the policies from ``samples``; ValueError when the arrays are inconsistent.

    ``game``: that of all traces, or a line for each kind in ``trace_kind``."""
    counts, ends, steps = arrays["trace_counts"].astype(np.int64), arrays["trace_ends"], arrays["trace_step"]
    games = game.split("\n")
    kinds = arrays.get("trace_kind", np.zeros(len(counts), np.int32))
    moves, full, values = arrays["trace_moves"], arrays["trace_full"], arrays["trace_values"]
    if not (
        len(counts) == len(ends) == len(steps)
        and counts.min(initial=0) >= 0
        and len(moves) == counts[:, :2].sum()
        and len(full) == len(values) == counts[:, 2].sum()
        and moves.min(initial=0) >= 0
        and np.isin(ends[:, 0], (-1, 0, 1)).all()
        and ((ends[:, 1] >= 0) & (ends[:, 1] < len(ENDINGS))).all()
        and samples.game.max(initial=-1) < len(counts)
        and len(kinds) == len(counts)
        and kinds.min(initial=0) >= 0
        and kinds.max(initial=0) < len(games)
    ):
        raise ValueError("its games do not fit one another")
    by_game: list[dict[int, NDArray[np.float32]]] = [{} for _ in counts]
    for row, (number, ply) in enumerate(zip(samples.game.tolist(), samples.ply.tolist(), strict=True)):
        by_game[number][ply] = samples.policy[row]
    traces = []
    move, search = 0, 0
    for number, (opening, played, searches) in enumerate(counts.tolist()):
        actions = moves[move : move + opening + played].tolist()
        part = slice(search, search + searches)
        outcome, ending, checked = ends[number].tolist()
        traces.append(
            GameTrace(
                game=games[kinds[number]],
                opening=tuple(actions[:opening]),
                moves=tuple(actions[opening:]),
                full=full[part].astype(np.bool_),
                values=values[part].astype(np.float32),
                policies=by_game[number],
                outcome=outcome,
                ending=ENDINGS[ending],
                checked=bool(checked),
                net_step=int(steps[number]),
            )
        )
        move += opening + played
        search += searches
    return tuple(traces)
