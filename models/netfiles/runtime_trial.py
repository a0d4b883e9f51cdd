"""The choice of a runtime for a net: a short trial of its speed and answers, remembered in the user's caches."""

import json
import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from core._kernel_files import user_cache_dir
from core.files.atomic import write_atomically
from core.files.reading import parse_json, read_bytes
from core.games.encoding import Inputs
from core.text import Text, joined, text_of, texts_back, with_texts
from models.netfiles.agreement import GATES, Agreement, Array, Gate, Play, compare
from models.netfiles.ort_session import ORT_ERRORS, first_line
from models.netfiles.runtimes import OPENVINO_INT8, ORT, TITLES, Runtime

BATCH: Final = 8  # that of a search

_GATE: Final = Gate(0.97, 0.005, 0.001)  # about twice what bf16 changes in the shipped nets
_LEAST_GAIN: Final = 1.05  # times as fast as onnxruntime, to be used
_SECONDS: Final = 0.3
_LEAST_ROUNDS: Final = 3
_MOST_ROUNDS: Final = 24
_MOST_BYTES: Final = 1 << 20
_MOST_REMEMBERED: Final = 200  # trials
_FILE: Final = "runtimes.json"

Answer = Callable[[Runtime, Inputs], Sequence[Array]]  # logits and values first


class Tried(NamedTuple):
    """What a trial found of one runtime."""

    ratio: float  # times as fast as onnxruntime; 0 when it has no answer
    refused: str  # why it must not be used, or empty


def gate_of(name: str) -> Gate:
    """The largest change of the answers that is accepted of a runtime."""
    return GATES["int8"] if name == OPENVINO_INT8 else _GATE


def try_runtimes(reference: Runtime, others: Mapping[str, Runtime], answer: Answer, play: Play) -> dict[str, Tried]:
    """Compare ``others`` with ``reference`` in speed, and in answers on positions of ``play``.

    All evaluate the same batch in turn, so that other load affects all equally; the shortest times are compared, as
    longer ones are due to other load.
    """
    refused = dict.fromkeys(others, "")
    took: dict[str, list[float]] = {ORT: [], **{name: [] for name in others}}
    answers: dict[str, list[Sequence[Array]]] = {name: [] for name in took}
    runtimes = {ORT: reference, **others}
    legal = []
    for runtime in runtimes.values():  # what is compiled in the first run
        with suppress(ValueError, *ORT_ERRORS):
            answer(runtime, play.asked().inputs)
    began, rounds = time.perf_counter(), 0
    while rounds < _LEAST_ROUNDS or (rounds < _MOST_ROUNDS and time.perf_counter() - began < _SECONDS):
        asked = play.asked()
        legal.append(asked.legal)
        for name, runtime in list(runtimes.items())[:: -1 if rounds % 2 else 1]:
            if refused.get(name):
                continue
            started = time.perf_counter()
            try:
                answers[name].append(answer(runtime, asked.inputs))
            except (ValueError, *ORT_ERRORS) as error:
                if name == ORT:
                    raise
                refused[name] = text_of(error) if isinstance(error, ValueError) else first_line(error)
            took[name].append(time.perf_counter() - started)
        play.advance(answers[ORT][-1][0])
        rounds += 1
    shown = np.concatenate(legal)
    found = {}
    for name in others:
        if not refused[name]:
            agreement = compare(_stacked(answers[ORT]), _stacked(answers[name]), shown)
            refused[name] = _refusal(agreement, gate_of(name))
        ratio = 0.0 if not answers[name] else min(took[ORT]) / max(min(took[name]), 1e-9)
        found[name] = Tried(ratio, refused[name])
    return found


def _stacked(answers: Sequence[Sequence[Array]]) -> list[Array]:
    return [np.concatenate([answer[i] for answer in answers]) for i in (0, 1)]


def _refusal(agreement: Agreement | None, gate: Gate) -> str:
    if agreement is None:
        return Text("its answers are not numbers")
    if gate.passes(agreement):
        return ""
    return Text(
        "its answers differ: the best move stays as good in {good:.1%} of {positions} positions, the policy diverges "
        "by {kl:.4f} nats and the value moves by {moved:.4f} on average",
        good=agreement.good_best,
        positions=agreement.positions,
        kl=agreement.mean_kl,
        moved=agreement.mean_dv,
    )


def choose(tried: Mapping[str, Tried]) -> tuple[str, str]:
    """(the runtime to use, why others are not used as text, or empty)."""
    usable = {name: one.ratio for name, one in tried.items() if not one.refused}
    best = max(usable, key=lambda name: usable[name], default=ORT)
    if usable.get(best, 0.0) < _LEAST_GAIN:
        best = ORT
    notes = []
    for name, one in tried.items():
        if one.refused:
            notes.append(Text("{runtime} is not used: {reason}", runtime=TITLES[name], reason=one.refused))
        elif best == ORT:
            notes.append(
                Text("{runtime} is not used: {ratio:.2f} times as fast here", runtime=TITLES[name], ratio=one.ratio)
            )
    return best, joined(notes, "; ") if notes else ""


def recall(key: str, names: Collection[str]) -> dict[str, Tried] | None:
    """The trial of exactly these runtimes that was remembered under ``key``; None when there is none."""
    kept = _read().get(key)
    if not isinstance(kept, dict) or set(kept) != set(names):
        return None
    found = {}
    for name in names:
        one = texts_back(kept[name]) if isinstance(kept[name], dict) else {}
        ratio, refused = one.get("ratio"), one.get("refused")
        if not isinstance(ratio, float) or not 0.0 <= ratio < math.inf or not isinstance(refused, str):
            return None
        found[name] = Tried(ratio, refused)
    return found


def remember(key: str, tried: Mapping[str, Tried]) -> None:
    """Keep a trial under ``key``, and the latest of the others; without a place to write it is tried again."""
    kept = _read()
    kept.pop(key, None)
    kept[key] = {name: with_texts(one._asdict()) for name, one in tried.items()}
    latest = dict(list(kept.items())[-_MOST_REMEMBERED:])
    with suppress(OSError):
        write_atomically(_path(), json.dumps(latest).encode())


def _path() -> Path:
    return user_cache_dir() / _FILE


def _read() -> dict[str, Any]:
    """What is remembered; nothing when the file is missing or damaged."""
    try:
        kept = parse_json(read_bytes(_path(), _MOST_BYTES))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}
