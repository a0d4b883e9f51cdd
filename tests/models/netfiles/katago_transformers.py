"""Random transformer blocks of KataGo's nets, and what they add to a board, slowly by the formulas in float64."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
TURNS = {"a": None, "t": "usual", "l": "learned"}
"""Kinds of attention by what turns queries and keys; those with learned angles share keys and values."""
THETA = 50.0


def random_block(kind: str, channels: int, rng: np.random.Generator) -> dict[str, Any]:
    """``kind``: one of ``TURNS``, or ``f`` for a feed-forward block."""

    def dense(inputs: int, outputs: int) -> Array:
        return rng.normal(0, 1.5 / math.sqrt(inputs), (inputs, outputs)).astype(np.float32)

    block: dict[str, Any] = {"kind": kind, "norm": rng.uniform(0.5, 2, channels).astype(np.float32), "eps": 1e-4}
    if kind == "f":
        return block | {"inner": dense(channels, 7), "gate": dense(channels, 7), "out": dense(7, channels)}
    heads, groups, query, value = (4, 2, 6, 3) if kind == "l" else (2, 2, 8, 3)
    return block | {
        "sizes": (heads, groups, query, value),
        "q": dense(channels, heads * query),
        "k": dense(channels, groups * query),
        "v": dense(channels, groups * value),
        "out": dense(heads * value, channels),
        "freqs": rng.normal(0, 0.7, (groups, query // 2, 2)).astype(np.float32),
    }


def write_block(
    block: dict[str, Any],
    words: Callable[..., None],
    numbers: Callable[[Array], None],
    dense: Callable[[Array], None],
) -> None:
    """Write a block by functions that write words, the numbers of an array, and a dense layer."""

    def norm() -> None:
        words("norm", len(block["norm"]), block["eps"])
        numbers(block["norm"])

    if block["kind"] == "f":
        words("transformer_ffn_block", "ffn", *block["inner"].shape, 1)
        norm()
        for key in ("inner", "gate", "out"):
            dense(block[key])
        return
    turns = TURNS[block["kind"]]
    words("transformer_attention_block", "looks", *block["sizes"], int(turns is not None), int(turns == "learned"))
    norm()
    for key in "q", "k", "v", "out":
        dense(block[key])
    if turns == "learned":
        words("freqs", *block["freqs"].shape)
        numbers(block["freqs"])
    elif turns:
        words("theta", THETA)


def added(x: Array, block: dict[str, Any], mask: Array) -> Array:
    """What a block adds to a board x [C, H, W]; ``mask`` [H, W] is 1 on the board."""
    points = [(int(row), int(column)) for row, column in np.argwhere(mask)]
    tokens = np.array([x[:, row, column] for row, column in points])
    y = normed(tokens, block)
    if block["kind"] == "f":
        inner = y @ block["inner"]
        out = (inner / (1 + np.exp(-inner)) * (y @ block["gate"])) @ block["out"]
    else:
        out = _attention(y, block, points) @ block["out"]
    board = np.zeros_like(x)
    for (row, column), token in zip(points, out, strict=True):
        board[:, row, column] = token
    return board


def _attention(y: Array, block: dict[str, Any], points: list[tuple[int, int]]) -> Array:
    heads, groups, _, value = block["sizes"]
    v = (y @ block["v"]).reshape(len(points), groups, value)
    weights = weights_of(y, block, points)
    out = [weights[head] @ v[:, head // (heads // groups)] for head in range(heads)]
    return np.stack(out, axis=1).reshape(len(points), -1)


def normed(tokens: Array, block: dict[str, Any]) -> Array:
    """The norm of a block, of tokens [S, C]."""
    result: Array = tokens / np.sqrt((tokens**2).mean(axis=1, keepdims=True) + block["eps"]) * block["norm"]
    return result


def weights_of(y: Array, block: dict[str, Any], points: list[tuple[int, int]]) -> Array:
    """How much each head takes in of each point at each point, [H, S, S], of normed tokens."""
    heads, groups, query, _ = block["sizes"]
    count = len(points)
    q = (y @ block["q"]).reshape(count, heads, query)
    k = (y @ block["k"]).reshape(count, groups, query)
    weights = np.zeros((heads, count, count))
    for head in range(heads):
        group = head // (heads // groups)
        turned = [_turned(k[other, group], block, group, at) for other, at in enumerate(points)]
        for one, point in enumerate(points):
            own = _turned(q[one, head], block, group, point)
            scores = np.exp(np.array([own @ other for other in turned]) / math.sqrt(query))
            weights[head, one] = scores / scores.sum()
    return weights


def _turned(numbers: Array, block: dict[str, Any], group: int, point: tuple[int, int]) -> Array:
    """Each pair of numbers turned as a complex one."""
    kind, (row, column) = TURNS[block["kind"]], point
    if kind is None:
        return numbers
    pairs = len(numbers) // 2
    angles = []
    for pair in range(pairs):
        if kind == "learned":
            across, down = block["freqs"][group, pair].astype(float)
            angles.append(column * across + row * down)
        elif pair < pairs // 2:
            angles.append(row * THETA ** (-2 * pair / pairs))
        else:
            angles.append(column * THETA ** (-2 * (pair - pairs // 2) / pairs))
    turned = (numbers[::2] + 1j * numbers[1::2]) * np.exp(1j * np.array(angles))
    return np.stack((turned.real, turned.imag), axis=1).ravel()
