"""Weights and counters in one file that is written whole and read without running anything.  Knows no training.

A checkpoint is ``torch.save`` of tensors, lists, dicts and plain numbers under five names, read with
``weights_only=True``: ``net`` and ``averaged`` (state_dicts), ``optimizer``, ``extra`` (further tensors) and ``meta``
(JSON text).  They are one file so that weights and counters are never of different moments.
"""

import io
import json
import pickle
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from core.files.atomic import write_atomically

_FORMAT: Final = "plyscope-checkpoint/1"


class BadCheckpoint(ValueError):
    """A checkpoint that cannot be read or does not fit, in one sentence."""


@dataclass(frozen=True)
class Checkpoint:
    """What a training run needs to go on."""

    net: dict[str, Tensor]  # state_dict of the trained weights
    averaged: dict[str, Tensor]  # state_dict of the averaged weights, which play
    optimizer: dict[str, Any]  # state_dict of the optimizer
    meta: dict[str, Any]  # settings and counters, anything JSON holds
    extra: dict[str, Any] = field(default_factory=dict)  # tensors, or dicts of them: random states, a net that plays


def save_checkpoint(path: str | Path, checkpoint: Checkpoint) -> None:
    """Write ``checkpoint`` to ``path``, in a folder that is there, whole or not at all."""
    content = {
        "format": _FORMAT,
        "net": checkpoint.net,
        "averaged": checkpoint.averaged,
        "optimizer": checkpoint.optimizer,
        "extra": checkpoint.extra,
        "meta": json.dumps(checkpoint.meta),
    }
    buffer = io.BytesIO()
    torch.save(content, buffer)
    write_atomically(Path(path), buffer.getbuffer(), make_folder=False)


def load_checkpoint(path: str | Path) -> Checkpoint:
    """Read what :func:`save_checkpoint` wrote; :class:`BadCheckpoint` when it is missing, damaged or something else."""
    path = Path(path)
    if not path.is_file():
        raise BadCheckpoint(f"{str(path)!r} is no checkpoint: there is no such file")
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except (RuntimeError, OSError, EOFError, ValueError, KeyError, pickle.UnpicklingError):
        raise BadCheckpoint(f"{str(path)!r} is not a Plyscope checkpoint, or is damaged") from None
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise BadCheckpoint(f"{str(path)!r} is not a Plyscope checkpoint of this version ({_FORMAT})")
    try:
        meta = json.loads(content["meta"])
        return Checkpoint(content["net"], content["averaged"], content["optimizer"], meta, content.get("extra", {}))
    except (KeyError, TypeError, ValueError):
        raise BadCheckpoint(f"{str(path)!r} is not a Plyscope checkpoint, or is damaged") from None


def load_weights(net: nn.Module, weights: dict[str, Tensor], source: str | Path) -> None:
    """Copy a state_dict into ``net``; :class:`BadCheckpoint` naming ``source`` when the shapes differ."""
    try:
        net.load_state_dict(weights)
    except RuntimeError as error:
        first = str(error).splitlines()[1].strip() if "\n" in str(error) else str(error)
        raise BadCheckpoint(f"{str(source)!r} holds a net of another shape: {first}") from None
