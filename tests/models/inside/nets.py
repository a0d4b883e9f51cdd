"""Changed copies of shipped nets, for the tests of what lies inside nets."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

from models.netfiles.shipped import nets_dir


def changed(name: str, path: Path, change: Callable[[str, np.ndarray], Any]) -> Path:
    """A copy at ``path`` of the shipped net ``name`` whose weights are what ``change`` makes of each by its name."""
    model = onnx.load(nets_dir() / name)
    for tensor in model.graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype == np.float32:
            tensor.CopyFrom(numpy_helper.from_array(change(tensor.name, array).astype(np.float32), tensor.name))
    onnx.save(model, path)
    return path


def without_branch(name: str, path: Path, block: int) -> Path:
    """A copy in which a block, from 1, adds nothing."""
    return changed(name, path, lambda part, array: array * (not part.startswith(f"blocks.{block - 1}.second.")))


def at_random(name: str, path: Path, seed: int = 0) -> Path:
    """A copy with random weights of the same spread."""
    rng = np.random.default_rng(seed)
    return changed(name, path, lambda _, array: rng.normal(0.0, array.std() + 1e-3, array.shape))
