"""Damaged files for every loader: each is accepted or refused in one sentence, within limits of time and memory.

A loader runs in a process of its own under a watchdog, so that hangs, crashes and exhausted memory count as failures
and the next case goes on.  A case is determined by its loader, seed and number; the file of a failure is kept.  Knows
no loader.
"""

import contextlib
import faulthandler
import queue
import random
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from measure.damage_changes import Change

MOST_CHARACTERS: Final = 400  # in a sentence
MOST_SECONDS: Final = 20.0  # for one case
MOST_BYTES: Final = 2 << 30  # beyond what the worker had before the first case
START_SECONDS: Final = 300.0  # kernels may have to be compiled
ACCEPTED, REFUSED, FAILED = "accepted", "refused", "failed"


@dataclass(frozen=True)
class Loader:
    """A loader to test: ``seeds`` makes valid files in a folder of its own, ``load`` reads one and uses the result."""

    name: str
    seeds: Callable[[Path], list[bytes]]
    load: Callable[[bytes, Path], object]
    changes: Sequence[Change]
    memory: int = MOST_BYTES


@dataclass
class Outcome:
    """The results of one loader's cases."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[int, str]] = field(default_factory=list)  # case, what happened


def check_sentence(*sentences: object) -> None:
    """Raise ``AssertionError`` for what is no sentence of one line."""
    for sentence in map(str, sentences):
        if not sentence.strip() or "\n" in sentence or len(sentence) > MOST_CHARACTERS:
            raise AssertionError(f"no sentence of one line: {sentence[:600]!r}")


def damaged(loader: Loader, seeds: Sequence[bytes], seed: int, case: int) -> bytes:
    """Return the file of a case."""
    rng = random.Random(f"{seed} {loader.name} {case}")
    data = rng.choice(seeds)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(loader.changes)(rng, data)
    return data


def tried(loader: Loader, data: bytes, folder: Path) -> tuple[str, str]:
    """Load a file; return whether it was accepted, refused or neither, with the sentence or the traceback."""
    try:
        loader.load(data, folder)
    except (ValueError, OSError) as error:
        try:
            check_sentence(error)
        except AssertionError as wrong:
            return FAILED, f"{type(error).__name__}: {wrong}"
        return REFUSED, str(error)
    except BaseException:
        return FAILED, traceback.format_exc()
    return ACCEPTED, ""


def work(loader: Loader, seed: int, first: int, last: int, folder: Path) -> None:
    """Run the cases [first, last) and print each result, for :func:`run` to read."""
    out = sys.stdout
    sys.stdout = sys.stderr
    seeds = loader.seeds(folder)
    for data in seeds:
        result, words = tried(loader, data, folder)
        if result != ACCEPTED:
            print(f"{FAILED} -1 {f'the sound file of {loader.name} is not taken: {words}'!r}", file=out, flush=True)
    _limit_memory(loader.memory)
    for case in range(first, last):
        print(f"begun {case} ''", file=out, flush=True)
        data = damaged(loader, seeds, seed, case)
        faulthandler.dump_traceback_later(MOST_SECONDS - 1.0)
        result, words = tried(loader, data, folder)
        faulthandler.cancel_dump_traceback_later()
        if result == FAILED:
            (folder / f"{loader.name}-{seed}-{case}").write_bytes(data)
        print(f"{result} {case} {words[-3000:]!r}", file=out, flush=True)


def _limit_memory(more: int) -> None:
    """Limit this process to ``more`` bytes than it has now, if the system supports it."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + more
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
    except (ImportError, OSError, ValueError):
        pass


def run(worker: Sequence[str], name: str, seed: int, cases: int, folder: Path) -> Outcome:
    """Run that many cases of the loader ``name``; ``worker`` is a command that calls :func:`work`."""
    outcome = Outcome()
    folder.mkdir(parents=True, exist_ok=True)
    case = 0
    while case < cases:
        ended = _watch([*worker, name, str(seed), str(case), str(cases), str(folder)], outcome, case)
        if ended is None:
            break
        case = ended + 1
    return outcome


def _watch(command: list[str], outcome: Outcome, first: int) -> int | None:
    """Run a process until it has done all cases (None) or a case has ended it (the case's number)."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=output, text=True)
        lines: queue.Queue[str | None] = queue.Queue()
        reader = threading.Thread(target=_pass_on, args=(child.stdout, lines), name="fuzz-reader", daemon=True)
        reader.start()
        begun, why, wait = first - 1, "its process ended", START_SECONDS
        try:
            while (line := lines.get(timeout=wait)) is not None:
                wait = MOST_SECONDS
                result, number, words = line.split(" ", 2)
                if result == "begun":
                    begun = int(number)
                    continue
                outcome.counts[result] += 1
                if result == FAILED:
                    outcome.failures.append((int(number), words))
                wait = START_SECONDS
        except queue.Empty:
            why = f"it hung for {wait:.0f} s"
        finally:
            child.kill()
            code = child.wait()
            reader.join()
        if why == "its process ended" and code == 0:
            return None
        output.seek(0)
        outcome.counts[FAILED] += 1
        outcome.failures.append((begun, f"{why} (code {code}): {output.read()[-3000:]}"))
        return max(begun, first)


def _pass_on(stream: Any, lines: "queue.Queue[str | None]") -> None:
    with contextlib.suppress(ValueError):
        for line in stream:
            lines.put(line)
    lines.put(None)


def fuzz(worker: Sequence[str], names: Sequence[str], seed: int, cases: int, folder: Path) -> int:
    """Run every loader and print the counts; return 1 if anything failed."""
    failed = 0
    print(f"seed {seed}, {cases} cases each; what fails is kept in {folder}")
    print(f"{'loader':14} {ACCEPTED:>9} {REFUSED:>9} {FAILED:>9} {'s':>6}", flush=True)
    for name in names:
        began = time.monotonic()
        outcome = run(worker, name, seed, cases, folder / name)
        counts = outcome.counts
        spent = time.monotonic() - began
        print(f"{name:14} {counts[ACCEPTED]:9} {counts[REFUSED]:9} {counts[FAILED]:9} {spent:6.0f}", flush=True)
        for case, words in outcome.failures[:5]:
            print(f"  {name} {seed} {case}: {words}", flush=True)
        failed += counts[FAILED]
    return 1 if failed else 0
