"""The choice of a runtime for a net: a short trial of its speed and answers, remembered in the user's caches."""

import hashlib
import json
import math
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from core.files.atomic import write_atomically
from core.files.reading import parse_json, read_bytes
from core.games import GameSpec
from core.games.encoding import Inputs
from core.machine import processor_name, user_cache_dir
from core.text import Text, joined, text_of, texts_back, with_texts
from models.netfiles.agreement import GATES, Agreement, AgreementGate, Array, Play, compare
from models.netfiles.heads import Heads
from models.netfiles.opened import as_int8, digest_of
from models.netfiles.ort_session import ORT_ERRORS, first_line
from models.netfiles.recipe import Recipe
from models.netfiles.runtimes import OPENVINO_INT8, ORT, TITLES, Runtime, open_runtime, versions

BATCH: Final = 8  # that of a search

_GATE: Final = AgreementGate(0.97, 0.005, 0.001)  # about twice what bf16 changes in the shipped nets
_LEAST_GAIN: Final = 1.05  # times as fast as onnxruntime, to be used
_SECONDS: Final = 0.3
_LEAST_ROUNDS: Final = 3
_MOST_ROUNDS: Final = 24
_MOST_BYTES: Final = 1 << 20
_MOST_REMEMBERED: Final = 200  # trials
_FILE: Final = "runtimes.json"


@dataclass(frozen=True)
class OpenedNet:
    """A net file that is checked against its game, to be opened in a runtime."""

    file: Path
    game: "GameSpec"
    recipe: Recipe | None
    heads: Heads
    threads: int

    def open(self, runtime: str) -> Runtime:
        """It in another runtime; ValueError or an error of onnxruntime when that cannot be."""
        file = as_int8(self.file, self.game) if runtime == OPENVINO_INT8 else self.file
        return open_runtime(runtime, file, self.heads.outputs, self.threads, self.heads.batch)

    def answer(self, runtime: Runtime, inputs: Inputs) -> tuple[Array, ...]:
        """Its logits, values and perhaps leads by ``runtime``."""
        return self.heads.answer(runtime.run(self.heads.inputs(*inputs)), inputs.planes)


class Tried(NamedTuple):
    """What a trial found of one runtime."""

    ratio: float  # times as fast as onnxruntime; 0 when it has no answer
    refused: str  # why it must not be used, or empty


def gate_of(name: str) -> AgreementGate:
    """The largest change of the answers that is accepted of a runtime."""
    return GATES["int8"] if name == OPENVINO_INT8 else _GATE


class Trial:
    """What a net's trial of the runtimes ``names`` found, now or in an earlier process."""

    def __init__(self, net: OpenedNet, names: Sequence[str], reference: Runtime) -> None:
        """``reference``: the net in onnxruntime."""
        self._net = net
        self._opened: dict[str, Runtime] = {}
        about = [digest_of(net.file), net.game.text, str(net.recipe), str(net.threads), processor_name(), *versions()]
        key = hashlib.sha256("\n".join([*about, *names]).encode()).hexdigest()
        remembered = recall(key, names)
        self.results = self._make(names, reference) if remembered is None else remembered
        if len(self._opened) == len(names):  # what could not be opened may be repaired
            remember(key, self.results)

    def _make(self, names: Sequence[str], reference: Runtime) -> dict[str, Tried]:
        net, results = self._net, {}
        for name in names:
            try:
                self._opened[name] = net.open(name)
            except (ValueError, OSError) as error:
                results[name] = Tried(0.0, reason_of(error))
        if self._opened:
            play = Play(net.game, net.heads.encoding, net.heads.batch or BATCH, np.random.default_rng(0))
            results |= try_runtimes(net, reference, self._opened, play)
        return results

    def open(self, name: str) -> Runtime:
        """The net in one of the runtimes; raises what ``OpenedNet.open`` does."""
        return self._opened.get(name) or self._net.open(name)


def reason_of(error: Exception) -> str:
    """Why a runtime failed, in a few words."""
    return text_of(error) if isinstance(error, ValueError) else first_line(error)


def try_runtimes(net: OpenedNet, reference: Runtime, others: Mapping[str, Runtime], play: Play) -> dict[str, Tried]:
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
            net.answer(runtime, play.positions().inputs)
    began, rounds = time.perf_counter(), 0
    while rounds < _LEAST_ROUNDS or (rounds < _MOST_ROUNDS and time.perf_counter() - began < _SECONDS):
        positions = play.positions()
        legal.append(positions.legal)
        for name, runtime in list(runtimes.items())[:: -1 if rounds % 2 else 1]:
            if refused.get(name):
                continue
            started = time.perf_counter()
            try:
                answers[name].append(net.answer(runtime, positions.inputs))
            except (ValueError, *ORT_ERRORS) as error:
                if name == ORT:
                    raise
                refused[name] = reason_of(error)
            took[name].append(time.perf_counter() - started)
        play.advance(answers[ORT][-1][0])
        rounds += 1
    shown = np.concatenate(legal)
    tried = {}
    for name in others:
        if not refused[name]:
            agreement = compare(_stacked(answers[ORT]), _stacked(answers[name]), shown)
            refused[name] = _refusal(agreement, gate_of(name))
        ratio = 0.0 if not answers[name] else min(took[ORT]) / max(min(took[name]), 1e-9)
        tried[name] = Tried(ratio, refused[name])
    return tried


def _stacked(answers: Sequence[Sequence[Array]]) -> list[Array]:
    return [np.concatenate([answer[i] for answer in answers]) for i in (0, 1)]


def _refusal(agreement: Agreement | None, gate: AgreementGate) -> str:
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
    usable = {name: trial.ratio for name, trial in tried.items() if not trial.refused}
    best = max(usable, key=lambda name: usable[name], default=ORT)
    if usable.get(best, 0.0) < _LEAST_GAIN:
        best = ORT
    notes = []
    for name, trial in tried.items():
        if trial.refused:
            notes.append(Text("{runtime} is not used: {reason}", runtime=TITLES[name], reason=trial.refused))
        elif best == ORT:
            notes.append(
                Text("{runtime} is not used: {ratio:.2f} times as fast here", runtime=TITLES[name], ratio=trial.ratio)
            )
    return best, joined(notes, "; ") if notes else ""


def recall(key: str, names: Collection[str]) -> dict[str, Tried] | None:
    """The trial of exactly these runtimes that was remembered under ``key``; None when there is none."""
    trials = _read().get(key)
    if not isinstance(trials, dict) or set(trials) != set(names):
        return None
    tried = {}
    for name in names:
        trial = texts_back(trials[name]) if isinstance(trials[name], dict) else {}
        ratio, refused = trial.get("ratio"), trial.get("refused")
        if not isinstance(ratio, float) or not 0.0 <= ratio < math.inf or not isinstance(refused, str):
            return None
        tried[name] = Tried(ratio, refused)
    return tried


def remember(key: str, tried: Mapping[str, Tried]) -> None:
    """Keep a trial under ``key``, and the latest of the others; without a place to write it is tried again."""
    trials = _read()
    trials.pop(key, None)
    trials[key] = {name: with_texts(trial._asdict()) for name, trial in tried.items()}
    latest = dict(list(trials.items())[-_MOST_REMEMBERED:])
    with suppress(OSError):
        write_atomically(_path(), json.dumps(latest).encode())


def _path() -> Path:
    return user_cache_dir() / _FILE


def _read() -> dict[str, Any]:
    """What is remembered; nothing when the file is missing or damaged."""
    try:
        trials = parse_json(read_bytes(_path(), _MOST_BYTES))
    except (OSError, ValueError):
        return {}
    return trials if isinstance(trials, dict) else {}
