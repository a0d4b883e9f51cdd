"""The interface between search and net: planes in, policy logits and values out."""

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec
from core.games.encoding import OWN_ENCODING, Encoding, Inputs
from core.search.work import Answer
from core.text import Text

VALUE_SLACK: Final = 1e-3  # rounding tolerated beyond -1 and 1, as of nets in 8 or 16 bits
CPU_BATCHES: Final = 8, 1  # leaves at once and batches in flight of a search, where the evaluator asks for no others


class Evaluator(Protocol):
    """Anything that values positions.  B batch, C planes, H W board, A actions.

    One whose input is not the game's own planes has an ``encoding`` (core.games.encoding); where that has features,
    they are the second argument of ``evaluate``, float32 [B, G].

    One that can say to whom each point will belong has ``gives_ownership``, True, and ``ownership``, which takes the
    same arguments and answers with float32 [B, H, W] from +1, surely the side to move's, to -1: core.engine.ownership.
    """

    @property
    def description(self) -> str:
        """Its name and the device that it really runs on, for the screen."""
        ...

    def evaluate(self, planes: NDArray[np.float32], /) -> tuple[NDArray[np.float32], ...]:
        """``planes`` float32 [B, C, H, W] -> (policy logits float32 [B, A], value float32 [B] in [-1, 1]
        for the side to move).  The search masks illegal actions."""
        ...


def encoding_of(evaluator: Evaluator | None, game: GameSpec) -> Encoding:
    """The input that ``evaluator`` takes, by default the game's own planes."""
    found: Encoding = getattr(evaluator, "encoding", game.encodings[0])
    return found


def preferred_batches(evaluator: Evaluator | None) -> tuple[int, int]:
    """Leaves at once and batches in flight that suit ``evaluator``."""
    found: tuple[int, int] = getattr(evaluator, "preferred_batches", CPU_BATCHES)
    return found


def gives_ownership(evaluator: Evaluator | None) -> bool:
    """Whether ``evaluator`` answers with ownership."""
    return bool(getattr(evaluator, "gives_ownership", False))


def ask(evaluator: Evaluator, inputs: Inputs, num_actions: int) -> Answer:
    """The answer of ``evaluator`` to ``inputs``.

    Raises ValueError, one sentence, when it has wrong shapes, a number that is not finite or a value outside [-1, 1],
    and what the evaluator raises.
    """
    given = inputs if inputs.features.shape[1] else inputs[:1]
    answer = _checked(evaluator, Answer(*evaluator.evaluate(*given)), len(inputs.planes), num_actions)
    # Of the same types in every call, whatever an evaluator gives.
    return Answer(*(np.ascontiguousarray(part, np.float32) for part in answer))


def works_elsewhere(evaluator: Evaluator) -> bool:
    """Whether ``start`` leaves this thread free while ``evaluator`` works."""
    return hasattr(evaluator, "start")


def start(evaluator: Evaluator, inputs: Inputs, num_actions: int) -> Callable[[], Answer]:
    """Begin what ``ask`` does and return the function that gives its answer; the inputs must stay as they are until
    then.  An evaluator that does not work elsewhere evaluates when that function is called."""
    begin = getattr(evaluator, "start", None)
    if begin is None:
        return partial(ask, evaluator, inputs, num_actions)
    wait = begin(*(inputs if inputs.features.shape[1] else inputs[:1]))

    def answer() -> Answer:
        return _checked(evaluator, Answer(*wait()), len(inputs.planes), num_actions)

    return answer


def checked_values(name: str, values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The values [B] of an evaluator called ``name``, clipped to [-1, 1]; ValueError for one that is not a number or
    lies beyond by more than rounding."""
    size = np.abs(values)
    if size.max(initial=0.0) <= 1.0:
        return values
    worst = values[size.argmax()]  # argmax finds NaN first
    if not abs(worst) <= 1.0 + VALUE_SLACK:
        raise ValueError(Text("{net} gave the value {value:g}; values must lie from -1 to 1", net=name, value=worst))
    return np.clip(values, -1.0, 1.0)


def _checked(evaluator: Evaluator, answer: Answer, batch: int, num_actions: int) -> Answer:
    logits, values, leads = answer
    if logits.shape != (batch, num_actions) or values.shape != (batch,):
        raise ValueError(
            Text(
                "the evaluator answered with shapes {logits} and {values}; ({batch}, {actions}) and "
                "({batch},) are needed",
                logits=logits.shape,
                values=values.shape,
                batch=batch,
                actions=num_actions,
            )
        )
    # Kernels read the leads without a check of their own where the encoding has them.
    if getattr(evaluator, "encoding", OWN_ENCODING).leads and leads.shape != (batch, 2):
        raise ValueError(
            Text(
                "the evaluator answered with score leads of shape {leads}; ({batch}, 2) is needed",
                leads=leads.shape,
                batch=batch,
            )
        )
    if not (np.isfinite(logits).all() and (not leads.size or np.isfinite(leads).all())):
        raise ValueError(
            Text(
                "the evaluator {evaluator!r} answered with a logit or lead that is no finite number",
                evaluator=evaluator.description,
            )
        )
    return answer._replace(values=checked_values(evaluator.description, values))


class UniformEvaluator:
    """An evaluator without knowledge: equal logits and value 0."""

    def __init__(self, num_actions: int, encoding: Encoding = OWN_ENCODING) -> None:
        self._num_actions = num_actions
        self.encoding = encoding

    @property
    def description(self) -> str:
        return Text("uniform prior, value 0")

    def evaluate(
        self, planes: NDArray[np.float32], features: NDArray[np.float32] | None = None
    ) -> tuple[NDArray[np.float32], ...]:
        """Equal logits and value 0, with lead 0 where the encoding has leads."""
        batch = len(planes)
        answer = np.zeros((batch, self._num_actions), np.float32), np.zeros(batch, np.float32)
        return (*answer, np.zeros((batch, 2), np.float32)) if self.encoding.leads else answer
