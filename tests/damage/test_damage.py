"""Damaged files for every reader: each is taken, or refused in one sentence, within limits of time and memory.

``make fuzz`` tries many new ones of each (``make fuzz ARGS="-k session --hypothesis-seed=2"``).  The last file that was
tried stays in the folder of the test, also when the reader hangs or takes the process with it.
"""

from __future__ import annotations

import faulthandler
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from tests.damage.files import LOADERS, Loader, check_sentence
from tests.damage.window import WINDOW_LOADERS

MOST_SECONDS = 20.0  # for one file; the process is ended after that
WITHOUT_SHRINKING = (Phase.reuse, Phase.generate)  # a case is a seed: a smaller one is another case


@contextmanager
def memory_limited(more: int) -> Iterator[None]:
    """Let this process have only ``more`` bytes than it has now; on Linux alone."""
    if sys.platform != "linux":
        yield
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    usual = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + more, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, usual)


@pytest.mark.slow
@pytest.mark.parametrize("loader", [*LOADERS, *WINDOW_LOADERS], ids=lambda loader: loader.name)
def test_a_damaged_file_is_taken_or_refused_in_a_sentence(qapp: QApplication, tmp_path: Path, loader: Loader) -> None:
    seeds = loader.seeds(tmp_path)
    for data in seeds:
        loader.load(data, tmp_path)

    @settings(max_examples=max(4, settings().max_examples // loader.costs), phases=WITHOUT_SHRINKING)
    @given(st.randoms(use_true_random=True))
    def load_damaged(rng: random.Random) -> None:
        data = rng.choice(seeds)
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            data = rng.choice(loader.changes)(rng, data)
        (tmp_path / "damaged").write_bytes(data)
        faulthandler.dump_traceback_later(MOST_SECONDS, exit=True)
        try:
            loader.load(data, tmp_path)
        except (ValueError, OSError) as error:
            check_sentence(error)
        finally:
            faulthandler.cancel_dump_traceback_later()

    with memory_limited(loader.memory):
        load_damaged()
