"""Policies and values of net files in the conventions of a search.  Knows no file.

Letters: B batch, A actions.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.text import Text
from models.netfiles.ort_session import BadNet

VALUE_SLACK: Final = 1e-3  # tolerated rounding error beyond -1 and 1
_PLACES: Final = {"wdl": (0, 2), "wld": (0, 1)}  # of win and loss

Array = NDArray[np.float32]


def checked_value(net: str, value: Array) -> Array:
    """Values [B] clipped to [-1, 1]; :class:`BadNet` when they lie beyond by more than rounding."""
    low, high = float(value.min(initial=0.0)), float(value.max(initial=0.0))
    if not (low >= -1.0 - VALUE_SLACK and high <= 1.0 + VALUE_SLACK):
        worst = low if not low >= -1.0 - VALUE_SLACK else high
        raise BadNet(Text("{net} gave the value {value:g}; values must lie from -1 to 1", net=net, value=worst))
    return np.clip(value, -1.0, 1.0) if low < -1.0 or high > 1.0 else value


def logits_in(net: str, policy: Array, kind: str) -> Array:
    """Convert a policy [B, A] of one of ``POLICY_KINDS`` to logits; :class:`BadNet` when its numbers contradict it."""
    if kind == "logits":
        return policy
    low, high = (0.0, 1.0) if kind == "probabilities" else (-np.inf, 0.0)
    for worst in (policy.min(initial=0.0), policy.max(initial=0.0)):
        if not low - VALUE_SLACK <= worst <= high + VALUE_SLACK:
            raise BadNet(
                Text("{net} gave a policy entry of {value:g}; it holds no {kind}", net=net, value=worst, kind=kind)
            )
    # The logarithm of a zero probability is -inf, which no search can use.
    return np.maximum(np.log(np.maximum(policy, np.float32(1e-12))) if low == 0.0 else policy, np.float32(-1e9))


def value_in(value: Array, kind: str) -> Array:
    """Convert a value output [B, 1], or [B, 3] of win, draw and loss in the order of ``kind``, to values [B]."""
    if kind == "value":
        return value.reshape(len(value))
    if kind == "win-probability":
        return 2 * value.reshape(len(value)) - 1
    if value.shape[1] != 3:
        raise ValueError(
            Text(
                "its output has {count} numbers per position where win, draw and loss are needed", count=value.shape[1]
            )
        )
    order, _, form = kind.partition("-")
    if form == "logits":
        value = np.exp(value - value.max(axis=1, keepdims=True))
        value /= value.sum(axis=1, keepdims=True)
    win, loss = _PLACES[order]
    return np.ascontiguousarray(value[:, win] - value[:, loss])


def check_sample(net: str, logits: Array, kind: str) -> None:
    """:class:`BadNet` when the policy of a batch of zeros is of probabilities though ``kind`` is logits."""
    adds_to_1 = logits.min() >= 0.0 and np.abs(logits.sum(axis=1) - 1.0).max() < VALUE_SLACK
    if kind == "logits" and adds_to_1:
        raise BadNet(Text("{net} has a policy that adds up to 1: it holds probabilities, not logits", net=net))
