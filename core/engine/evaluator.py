"""The interface between search and net: planes in, policy logits and values out.  Knows no net."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.text import Text


class Evaluator(Protocol):
    """Anything that values positions.  B batch, C planes, H W board, A actions."""

    @property
    def description(self) -> str:
        """Its name and the device that it really runs on, for the screen."""
        ...

    def evaluate(self, planes: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """``planes`` float32 [B, C, H, W] -> (policy logits float32 [B, A], value float32 [B] in [-1, 1]
        for the side to move).  The search masks illegal actions."""
        ...


def check_answer(
    evaluator: Evaluator, logits: NDArray[np.float32], values: NDArray[np.float32], batch: int, num_actions: int
) -> None:
    """Raise ValueError, one sentence, when an answer has wrong shapes or a value that is not finite."""
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
    if not (np.isfinite(logits).all() and np.isfinite(values).all()):
        raise ValueError(
            Text(
                "the evaluator {evaluator!r} answered with a value that is no finite number; a net must give "
                "finite logits and values",
                evaluator=evaluator.description,
            )
        )


class UniformEvaluator:
    """An evaluator without knowledge: equal logits and value 0."""

    def __init__(self, num_actions: int) -> None:
        self._num_actions = num_actions

    @property
    def description(self) -> str:
        return Text("uniform prior, value 0")

    def evaluate(self, planes: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        batch = len(planes)
        return np.zeros((batch, self._num_actions), np.float32), np.zeros(batch, np.float32)
