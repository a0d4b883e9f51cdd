"""Checkpoint files: weights, optimizer and counters, written atomically and loaded safely.

A checkpoint is ``torch.save`` of tensors, lists, dicts and plain numbers under five names, read with
``weights_only=True``: ``net`` and ``averaged`` (state_dicts), ``optimizer``, ``extra`` (further tensors) and ``meta``
(JSON text).  One file keeps weights and counters consistent.
"""

import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from core.files.atomic import write_atomically
from core.files.reading import BadFile, parse_json, read_bytes
from core.text import Text

_FORMAT: Final = "plyscope-checkpoint/1"
_MOST_BYTES: Final = 64 << 30


class BadCheckpoint(ValueError):
    """A checkpoint cannot be read or does not fit; the message is one sentence."""


@dataclass(frozen=True)
class Checkpoint:
    """The state of a training run, from which it resumes."""

    net: dict[str, Tensor]  # state_dict of the trained weights
    averaged: dict[str, Tensor]  # state_dict of the averaged weights, used in self-play
    optimizer: dict[str, Any]  # state_dict of the optimizer
    meta: dict[str, Any]  # settings and counters, anything JSON holds
    extra: dict[str, Any] = field(default_factory=dict)  # tensors, or dicts of them: random states, gated weights


def save_checkpoint(path: str | Path, checkpoint: Checkpoint) -> None:
    """Write ``checkpoint`` to ``path`` atomically; the folder must exist."""
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
        raise BadCheckpoint(Text("{path!r} cannot be read: {strerror}", path=str(path), strerror="No such file"))
    content = _loaded(path)
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise _not_ours(path)
    net: Any = content.get("net")
    averaged: Any = content.get("averaged")
    optimizer: Any = content.get("optimizer")
    extra: Any = content.get("extra", {})
    meta: Any = content.get("meta")
    try:
        meta = parse_json(meta) if isinstance(meta, str) else None
    except BadFile:
        meta = None
    weights = _is_weights(net) and _is_weights(averaged)
    if not weights or not all(isinstance(part, dict) for part in (optimizer, extra, meta)):
        raise _not_ours(path)
    return Checkpoint(net, averaged, optimizer, meta, extra)


def _not_ours(path: Path) -> BadCheckpoint:
    return BadCheckpoint(Text("{path!r} is not a Plyscope checkpoint, or is damaged", path=str(path)))


def _loaded(path: Path) -> Any:
    """The content of a file, loaded by torch."""
    data = io.BytesIO(read_bytes(path, _MOST_BYTES))
    try:
        return torch.load(data, map_location="cpu", weights_only=True)
    except MemoryError:
        raise
    except Exception:  # a damaged file can raise any exception in torch's reader
        raise _not_ours(path) from None


def _is_weights(value: Any) -> bool:
    """Whether ``value`` is a state_dict."""
    return isinstance(value, dict) and all(
        isinstance(name, str) and isinstance(tensor, Tensor) for name, tensor in value.items()
    )


def load_weights(net: nn.Module, weights: dict[str, Tensor], source: str | Path) -> None:
    """Copy a state_dict into ``net``; :class:`BadCheckpoint` naming ``source`` when the shapes differ."""
    try:
        net.load_state_dict(weights)
    except RuntimeError as error:
        first = str(error).splitlines()[1].strip() if "\n" in str(error) else str(error)
        raise BadCheckpoint(
            Text("{path!r} holds a net of another shape: {first}", path=str(source), first=first)
        ) from None
