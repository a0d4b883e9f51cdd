"""The interface between search and net: planes in, policy logits and values out."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.games.encoding import OWN_ENCODING, Encoding, Inputs
from core.search.work import Answer
from core.text import Text

VALUE_SLACK: Final = 1e-3  # rounding tolerated beyond -1 and 1, as of nets in 8 or 16 bits
CPU_BATCHES: Final = 8, 1  # leaves at once and batches in flight of a search, where the evaluator asks for no others


Array = NDArray[np.float32]


class Evaluator(ABC):
    """Values positions for a search.  A net of one's own overrides ``description`` and ``evaluate``; all else has a
    default.

    Letters: B batch, C planes, G features, H W board, A actions.
    """

    encoding: Encoding = OWN_ENCODING
    """What it is shown of a position, by default the game's own planes."""
    gives_ownership: bool = False
    """Whether ``ownership`` answers."""
    gives_outcomes: bool = False
    """Whether ``outcomes`` answers."""
    provider_note: str = ""
    """Why it does not run on a faster device or in a faster runtime, for the screen."""
    works_elsewhere: bool = False
    """Whether ``start`` leaves the calling thread free while it works."""

    @property
    @abstractmethod
    def description(self) -> str:
        """Its name and the device that it really runs on, for the screen."""

    @property
    def preferred_batches(self) -> tuple[int, int]:
        """Leaves at once and batches in flight that suit it; they may change while a search runs."""
        return CPU_BATCHES

    @abstractmethod
    def evaluate(self, planes: Array, features: Array | None = None) -> tuple[Array, ...]:
        """``planes`` float32 [B, C, H, W] and ``features`` float32 [B, G], where G may be 0 -> (policy logits float32
        [B, A], values float32 [B] in [-1, 1] for the side to move) and, where the encoding has leads, leads float32
        [B, 2].  The search masks illegal actions."""

    def start(self, planes: Array, features: Array | None = None) -> Callable[[], tuple[Array, ...]]:
        """Begin what ``evaluate`` does and return the function that gives its answer; the inputs must stay as they are
        until then."""
        return partial(self.evaluate, planes, features)

    def ownership(self, planes: Array, features: Array | None = None) -> Array:
        """To whom each point will belong, float32 [B, H, W] from +1, surely the side to move's, to -1; inputs as in
        ``evaluate``.  Only where ``gives_ownership``."""
        raise NotImplementedError(f"{type(self).__name__} gives no ownership")

    def outcomes(self, planes: Array, features: Array | None = None) -> Array:
        """The chances of win, draw and loss for the side to move, float32 [B, 3]; inputs as in ``evaluate``.  Only
        where ``gives_outcomes``."""
        raise NotImplementedError(f"{type(self).__name__} gives no win, draw and loss")


def ask(evaluator: Evaluator, inputs: Inputs, num_actions: int) -> Answer:
    """The answer of ``evaluator`` to ``inputs``.

    Raises ValueError, one sentence, when it has wrong shapes, a number that is not finite or a value outside [-1, 1],
    and what the evaluator raises.
    """
    return _checked(evaluator, evaluator.evaluate(*inputs), len(inputs.planes), num_actions)


def start(evaluator: Evaluator, inputs: Inputs, num_actions: int) -> Callable[[], Answer]:
    """Begin what ``ask`` does and return the function that gives its answer; the inputs must stay as they are until
    then.  An evaluator that does not work elsewhere evaluates when that function is called."""
    wait = evaluator.start(*inputs)
    return lambda: _checked(evaluator, wait(), len(inputs.planes), num_actions)


def checked_values(name: str, values: Array) -> Array:
    """The values [B] of an evaluator called ``name``, clipped to [-1, 1]; ValueError for one that is not a number or
    lies beyond by more than rounding."""
    size = np.abs(values)
    if size.max(initial=0.0) <= 1.0:
        return values
    worst = values[size.argmax()]  # argmax finds NaN first
    if not abs(worst) <= 1.0 + VALUE_SLACK:
        raise ValueError(f"{name} gave the value {worst:g}; values must lie from -1 to 1")
    return np.clip(values, -1.0, 1.0)


def _checked(evaluator: Evaluator, parts: tuple[Array, ...], batch: int, num_actions: int) -> Answer:
    logits, values, leads = answer = Answer(*parts)
    if logits.shape != (batch, num_actions) or values.shape != (batch,):
        raise ValueError(
            f"the evaluator answered with shapes {logits.shape} and {values.shape}; ({batch}, {num_actions}) "
            f"and ({batch},) are needed"
        )
    # Kernels read the leads without a check of their own where the encoding has them.
    if evaluator.encoding.leads and leads.shape != (batch, 2):
        raise ValueError(f"the evaluator answered with score leads of shape {leads.shape}; ({batch}, 2) is needed")
    if not (np.isfinite(logits).all() and (not leads.size or np.isfinite(leads).all())):
        raise ValueError(
            f"the evaluator {evaluator.description!r} answered with a logit or lead that is no finite number"
        )
    answer = answer._replace(values=checked_values(evaluator.description, values))
    # Of the same types in every call, whatever an evaluator gives.
    return Answer(*(np.ascontiguousarray(part, np.float32) for part in answer))


class UniformEvaluator(Evaluator):
    """An evaluator without knowledge: equal logits and value 0."""

    def __init__(self, num_actions: int, encoding: Encoding = OWN_ENCODING) -> None:
        self._num_actions = num_actions
        self.encoding = encoding

    @property
    def description(self) -> str:
        return Text("uniform prior, value 0")

    def evaluate(self, planes: Array, features: Array | None = None) -> tuple[Array, ...]:
        """Equal logits and value 0, with lead 0 where the encoding has leads."""
        batch = len(planes)
        answer = np.zeros((batch, self._num_actions), np.float32), np.zeros(batch, np.float32)
        return (*answer, np.zeros((batch, 2), np.float32)) if self.encoding.leads else answer


# What an evaluator is doing while it is loaded, in words, from there to whoever waits.

_thread = threading.local()


@contextmanager
def telling(tell: Callable[[Text], None]) -> Iterator[None]:
    """Context in which ``report`` in this thread calls ``tell``."""
    before = getattr(_thread, "tell", None)
    _thread.tell = tell
    try:
        yield
    finally:
        _thread.tell = before


def report(words: Text) -> None:
    """Say what is being done now; nothing happens where nobody waits."""
    tell = getattr(_thread, "tell", None)
    if tell is not None:
        tell(words)
