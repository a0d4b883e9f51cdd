"""Random net files of KataGo and Leela Zero, and slow forward passes by the formulas, in float64."""

import gzip
import math
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.netfiles.katago_metadata import INPUTS
from tests.models.netfiles.katago_transformers import TURNS, added, random_block, write_block

Array = NDArray[Any]
ACTIVATIONS = ("RELU", "MISH", "SILU", "IDENTITY")


class RandomNet:
    """A random net of KataGo of a version with blocks of given kinds: ``o``, ``g``, a transformer's (``f`` or one of
    ``TURNS``), or a tuple of inner blocks.  Its trunk ends in a batch norm, or in an RMS norm of each ``point`` or of
    the whole ``board``.  A ``human`` net, from version 15 on, has layers that read the players; ``forward`` leaves them
    out."""

    def __init__(
        self,
        version: int,
        blocks: Any = ("o", "g"),
        *,
        channels: int = 6,
        seed: int = 0,
        tip: str = "batch",
        human: bool = False,
    ) -> None:
        self.rng = np.random.default_rng((version, seed))
        self.version, self.channels = version, channels
        self.scalings = [20, 20, 20, 20, 40, 0.25, 30] if version < 13 else [21, 19.5, 22, 18, 41, 0.3, 28]
        c, p, g, v = channels, 5, 3, 4
        self.start, self.start_dense = self.conv(22, c, (3, 5)), self.dense(19, c)
        self.blocks = [self.block(kind, c) for kind in blocks]
        self.tip = self.norm(c)
        self.tip_kind = tip
        count = 1 if version <= 11 else 4 if version >= 16 else 2
        self.policy: dict[str, Any] = {
            "p1": self.conv(c, p, (1, 1)),
            "g1": self.conv(c, g, (1, 1)),
            "norm_g": self.norm(g),
            "dense": self.dense(3 * g, p),
            "norm": self.norm(p),
            "p2": self.conv(p, count, (1, 1)),
            "pass": self.dense(3 * g, 7 if version >= 15 else count),
        }
        if version >= 15:
            self.policy |= {"bias": self.bias(7), "act": self.act(), "pass2": self.dense(7, count)}
        scores = 4 if version == 8 else 6
        self.value: dict[str, Any] = {
            "v1": self.conv(c, v, (1, 1)),
            "norm": self.norm(v),
            "v2": (self.dense(3 * v, 8), self.bias(8)),
            "act": self.act(),
            "v3": (self.dense(8, 3), self.bias(3)),
            "sv3": (self.dense(8, scores), self.bias(scores)),
            "own": self.conv(v, 1, (1, 1)),
        }
        sizes = (INPUTS, 5, 4) if human else ()  # of the layers about the players, before the trunk's channels
        self.players = [(self.dense(i, o), self.bias(o), self.act()) for i, o in pairwise(sizes)]
        self.players_out = self.dense(sizes[-1], c) if human else None

    def conv(self, inputs: int, outputs: int, kernel: tuple[int, int] = (3, 3)) -> dict[str, Any]:
        dilation = (2, 1) if kernel == (3, 3) and self.rng.random() < 0.3 else (1, 1)
        spread = 1 / math.sqrt(inputs * kernel[0] * kernel[1])
        return {"w": self.rng.normal(0, spread, (*kernel, inputs, outputs)).astype(np.float32), "dil": dilation}

    def dense(self, inputs: int, outputs: int) -> Array:
        return self.rng.normal(0, 1 / math.sqrt(inputs), (inputs, outputs)).astype(np.float32)

    def bias(self, size: int) -> Array:
        return self.rng.normal(0, 0.3, size).astype(np.float32)

    def act(self) -> str:
        return "RELU" if self.version <= 10 else str(self.rng.choice(ACTIVATIONS))

    def norm(self, size: int) -> dict[str, Any]:
        rng = self.rng
        return {
            "eps": 0.001,
            "mean": self.bias(size),
            "var": rng.uniform(0.5, 2, size).astype(np.float32),
            "scale": rng.uniform(0.5, 1.5, size).astype(np.float32) if rng.random() < 0.7 else None,
            "bias": self.bias(size) if rng.random() < 0.7 else None,
            "act": self.act(),
        }

    def block(self, kind: Any, c: int) -> dict[str, Any]:
        if kind == "f" or kind in TURNS:
            return random_block(kind, c, self.rng)
        middle = 4
        block: dict[str, Any] = {"kind": kind, "norm1": self.norm(c), "norm2": self.norm(middle)}
        if kind == "g":
            block |= {"conv_g": self.conv(c, 3), "norm_g": self.norm(3), "dense": self.dense(9, middle)}
        kernel = (3, 3) if kind in ("o", "g") else (1, 1)
        block |= {"conv1": self.conv(c, middle, kernel), "conv2": self.conv(middle, c, kernel)}
        if kind not in ("o", "g"):
            block["inner"] = [self.block(one, middle) for one in kind]
        return block

    # The file

    def file(self, *, binary: bool = True, zipped: bool = True, name: str = "random-net") -> bytes:
        out: list[bytes] = []

        def words(*given: object) -> None:
            out.extend(f"{word}\n".encode() for word in given)

        def numbers(array: Array) -> None:
            flat = np.ascontiguousarray(array, np.float32).ravel()
            if binary:
                out.extend((b"@BIN@", flat.astype("<f4").tobytes(), b"\n"))
            else:
                out.append((" ".join(f"{x:.9g}" for x in flat) + "\n").encode())

        def conv(layer: dict[str, Any]) -> None:
            kh, kw, inputs, outputs = layer["w"].shape
            words("conv", kh, kw, inputs, outputs, *layer["dil"])
            numbers(layer["w"])

        def dense(weights: Array) -> None:
            words("dense", *weights.shape)
            numbers(weights)

        def bias(weights: Array) -> None:
            words("bias", len(weights))
            numbers(weights)

        def act(kind: str) -> None:
            words("act")
            if self.version >= 11:
                words(f"ACTIVATION_{kind}")

        def norm(layer: dict[str, Any]) -> None:
            given = [layer[key] for key in ("scale", "bias")]
            words("norm", len(layer["mean"]), layer["eps"], *(int(one is not None) for one in given))
            for array in (layer["mean"], layer["var"], *given):
                if array is not None:
                    numbers(array)
            act(layer["act"])

        def block(layer: dict[str, Any]) -> None:
            if layer["kind"] == "f" or layer["kind"] in TURNS:
                write_block(layer, words, numbers, dense)
                return
            kinds = {"o": "ordinary_block", "g": "gpool_block"}
            words(kinds.get(layer["kind"], "nested_bottleneck_block"), "name")
            if "inner" in layer:
                words(len(layer["inner"]))
            norm(layer["norm1"])
            conv(layer["conv1"])
            if layer["kind"] == "g":
                conv(layer["conv_g"])
                norm(layer["norm_g"])
                dense(layer["dense"])
            for one in layer.get("inner", ()):
                block(one)
            norm(layer["norm2"])
            conv(layer["conv2"])

        words(name, self.version, 22, 19)
        if self.version >= 13:
            words(*self.scalings)
        if self.version >= 15:
            words(int(self.players_out is not None), *[0] * 7)
        words("trunk", len(self.blocks), self.channels, 4, 4, 4, 3)
        if self.version >= 15:
            words(int(self.tip_kind != "batch"), *[0] * 5)
        conv(self.start)
        dense(self.start_dense)
        if self.players_out is not None:
            words("players", INPUTS)
            for weights, offsets, kind in self.players:
                dense(weights)
                bias(offsets)
                act(kind)
            dense(self.players_out)
        for one in self.blocks:
            block(one)
        if self.tip_kind == "batch":
            norm(self.tip)
        else:
            words("tip", self.channels, self.tip["eps"], int(self.tip_kind == "board"), 0)
            numbers(self.tip["mean"])
            numbers(self.tip["var"])
            act(self.tip["act"])
        words("policy")
        if self.version >= 17:
            words(self.policy["p2"]["w"].shape[-1], 0, 0, 0)
        writers: dict[str, Any] = {"p1": conv, "g1": conv, "p2": conv, "bias": bias, "act": act}
        for key, layer in self.policy.items():
            writers.get(key, norm if key.startswith("norm") else dense)(layer)
        words("value", *[0] * 3 if self.version >= 17 else ())
        conv(self.value["v1"])
        norm(self.value["norm"])
        dense(self.value["v2"][0])
        bias(self.value["v2"][1])
        act(self.value["act"])
        for key in ("v3", "sv3"):
            dense(self.value[key][0])
            bias(self.value[key][1])
        conv(self.value["own"])
        data = b"".join(out)
        return gzip.compress(data, 1, mtime=0) if zipped else data

    # The answers

    def forward(self, planes: Array, globals_: Array) -> dict[str, Array]:
        """The outputs for one position: planes [22, H, W], globals [19]."""
        mask = planes[0].astype(np.float64)
        area = mask.sum()
        d = math.sqrt(area) - 14

        def after(x: Array, layer: dict[str, Any]) -> Array:
            """Normalised, activated and masked."""
            scale: Any = 1.0 if layer["scale"] is None else layer["scale"].astype(np.float64)
            s = scale / np.sqrt(layer["var"].astype(np.float64) + layer["eps"])
            t = (0.0 if layer["bias"] is None else layer["bias"]) - s * layer["mean"]
            y: Array = s[:, None, None] * x + np.broadcast_to(t, s.shape)[:, None, None]
            z: Array = activated(y, layer["act"]) * mask
            return z

        def gpool(x: Array) -> Array:
            mean = x.sum((1, 2)) / area
            return np.concatenate((mean, mean * d / 10, (x + (mask - 1)).max((1, 2))))

        def at_the_tip(x: Array) -> Array:
            if self.tip_kind == "batch":
                return after(x, self.tip)
            square = (x**2 * mask).sum() / area / len(x) if self.tip_kind == "board" else (x**2).mean(axis=0)
            weights, summand = (self.tip[key].astype(np.float64)[:, None, None] for key in ("mean", "var"))
            y: Array = x / np.sqrt(square + self.tip["eps"]) * weights + summand
            z: Array = activated(y, self.tip["act"]) * mask
            return z

        def run(x: Array, layer: dict[str, Any]) -> Array:
            if layer["kind"] == "f" or layer["kind"] in TURNS:
                return x + added(x, layer, mask)
            h = after(x, layer["norm1"])
            r = convolved(h, layer["conv1"])
            if layer["kind"] == "g":
                r += (gpool(after(convolved(h, layer["conv_g"]), layer["norm_g"])) @ layer["dense"])[:, None, None]
            for one in layer.get("inner", ()):
                r = run(r, one)
            return x + convolved(after(r, layer["norm2"]), layer["conv2"])

        x = convolved(planes.astype(np.float64), self.start)
        x += (globals_.astype(np.float64) @ self.start_dense)[:, None, None]
        for one in self.blocks:
            x = run(x, one)
        tip = at_the_tip(x)
        head = self.policy
        pooled = gpool(after(convolved(tip, head["g1"]), head["norm_g"]))
        spread = (pooled @ head["dense"])[:, None, None]
        points = convolved(after(convolved(tip, head["p1"]) + spread, head["norm"]), head["p2"])
        passing = pooled @ head["pass"]
        if self.version >= 15:
            passing = activated(passing + head["bias"], head["act"]) @ head["pass2"]
        u = after(convolved(tip, self.value["v1"]), self.value["norm"])
        mean = u.sum((1, 2)) / area
        w = np.concatenate((mean, mean * d / 10, mean * (d * d / 100 - 0.1)))
        w = activated(w @ self.value["v2"][0] + self.value["v2"][1], self.value["act"])
        return {
            "policy": np.concatenate((points.reshape(len(points), -1), passing[:, None]), 1),
            "value": w @ self.value["v3"][0] + self.value["v3"][1],
            "miscvalue": w @ self.value["sv3"][0] + self.value["sv3"][1],
            "ownership": convolved(u, self.value["own"])[0],
        }


def activated(x: Array, kind: str) -> Array:
    if kind == "RELU":
        return np.maximum(x, 0)
    if kind == "MISH":
        return x * np.tanh(np.log1p(np.exp(x)))
    return x / (1 + np.exp(-x)) if kind == "SILU" else x


def convolved(x: Array, layer: dict[str, Any]) -> Array:
    """Cross-correlation of the same size, zeros beyond the edge; weights [y][x][in][out]."""
    kh, kw, _, outputs = layer["w"].shape
    (dy, dx), (_, height, width) = layer["dil"], x.shape
    py, px = kh // 2 * dy, kw // 2 * dx
    padded = np.pad(x, ((0, 0), (py, py), (px, px)))
    y = np.zeros((outputs, height, width))
    for i in range(kh):
        for j in range(kw):
            part = padded[:, i * dy : i * dy + height, j * dx : j * dx + width]
            y += np.tensordot(layer["w"][i, j].astype(np.float64), part, axes=(0, 0))
    return y


class RandomLeela:
    """A random net of Leela Zero."""

    def __init__(self, size: int = 5, blocks: int = 2, channels: int = 6, version: int = 1, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.size, self.version = size, version

        def conv(inputs: int, outputs: int, kernel: int) -> list[Array]:
            weights = rng.normal(0, 1 / math.sqrt(inputs * kernel**2), (outputs, inputs, kernel, kernel))
            return [weights, rng.normal(0, 0.3, outputs), rng.normal(0, 0.3, outputs), rng.uniform(0.5, 2, outputs)]

        def dense(inputs: int, outputs: int) -> list[Array]:
            return [rng.normal(0, 1 / math.sqrt(inputs), (outputs, inputs)), rng.normal(0, 0.3, outputs)]

        cells = size * size
        self.tower = [conv(18, channels, 3), *(conv(channels, channels, 3) for _ in range(2 * blocks))]
        self.policy = [conv(channels, 2, 1), dense(2 * cells, cells + 1)]
        self.value = [conv(channels, 1, 1), dense(cells, 9), dense(9, 1)]

    def file(self, *, zipped: bool = True) -> bytes:
        layers = (*self.tower, *self.policy, *self.value)
        lines = [" ".join(f"{x:.9g}" for x in array.ravel()) for layer in layers for array in layer]
        data = "\n".join([str(self.version), *lines, ""]).encode()
        return gzip.compress(data, 1, mtime=0) if zipped else data

    def forward(self, planes: Array) -> tuple[Array, float]:
        """Logits and the value of one position, planes [18, S, S]."""

        def conv(x: Array, layer: list[Array]) -> Array:
            weights, bias, mean, variance = layer
            y = convolved(x, {"w": weights.transpose(2, 3, 1, 0), "dil": (1, 1)})
            y += (bias - mean)[:, None, None]
            return y / np.sqrt(variance + 1e-5)[:, None, None]

        x = np.maximum(conv(planes.astype(np.float64), self.tower[0]), 0)
        for first, second in zip(self.tower[1::2], self.tower[2::2], strict=True):
            x = np.maximum(conv(np.maximum(conv(x, first), 0), second) + x, 0)
        flat = np.maximum(conv(x, self.policy[0]), 0).ravel()
        logits = self.policy[1][0] @ flat + self.policy[1][1]
        hidden = np.maximum(self.value[1][0] @ np.maximum(conv(x, self.value[0]), 0).ravel() + self.value[1][1], 0)
        value = float(np.tanh(self.value[2][0] @ hidden + self.value[2][1])[0])
        return logits, value if self.version == 1 or planes[16, 0, 0] else -value
