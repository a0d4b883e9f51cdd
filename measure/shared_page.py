"""How large the data of a page of a search is, and how long it takes to write: ``python -m measure.shared_page``.

The net's answers are random numbers, each another: a real net's take as much room.  With Node on the path: how long the
page's scripts take to read the data and to show the last moment, and a moment before it, for which all is replayed.
"""

import argparse
import base64
import json
import shutil
import subprocess
import time
from importlib.resources import files
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.engine import Search
from core.files.page_data import page_data
from core.files.tree_file import saved
from core.games import load_game
from core.search import Limit, SearchSettings
from measure.bench_table import Table, machine_lines
from measure.bench_tree import Ready

SCRIPTS: Final = ("rules.js", "moments.js", "data.js")
_BATCH: Final = 32
_TIMED: Final = """
const bytes = new Uint8Array(require("fs").readFileSync(0));
(async () => {
  const begun = performance.now(), search = await openSearch(bytes), opened = performance.now();
  search.at(search.simulations).rows(0);
  const shown = performance.now();
  search.at(search.simulations - 1).rows(0);
  console.log(JSON.stringify([opened - begun, shown - opened, performance.now() - shown]));
})();
"""


class Shown(NamedTuple):
    """One kind of search."""

    game: str
    rule: str
    net: bool


CASES: Final = (
    Shown("connect4", "puct", True),
    Shown("connect4", "ucb1", False),
    Shown("othello", "puct", True),
    Shown("gomoku", "puct", True),
    Shown("gomoku", "gumbel", True),
    Shown("gomoku", "ucb1_tuned", False),
    Shown("go(size=9)", "puct", True),
    Shown("go(size=19)", "puct", True),
)


class _Drawn(Ready):
    """``Ready`` with values of which no two are alike."""

    def __init__(self, num_actions: int) -> None:
        super().__init__(num_actions, _BATCH)
        self._rng = np.random.default_rng(2)

    def evaluate(
        self, planes: NDArray[np.float32], features: NDArray[np.float32] | None = None
    ) -> tuple[NDArray[np.float32], ...]:
        """Logits as of ``Ready``, values anew."""
        logits = super().evaluate(planes, features)[0]
        return logits, np.tanh(self._rng.normal(0, 0.5, len(planes))).astype(np.float32)


def row(case: Shown, simulations: int) -> tuple[str, ...]:
    """The figures of one search."""
    game = load_game(case.game)
    settings = SearchSettings(selection=case.rule, memory_mb=1024, max_batch=_BATCH)
    search = Search(game.initial(), _Drawn(game.num_actions) if case.net else None, settings)
    search.run(Limit(simulations=simulations))
    kept = saved(search)
    page_data(kept)  # the first time loads the kernel
    begun = time.perf_counter()
    data = page_data(kept)
    seconds = time.perf_counter() - begun
    read = _times(data)
    return (
        case.game,
        f"{case.rule}, {'net' if case.net else 'random games'}",
        f"{search.simulations:,}",
        f"{kept.state.tree.parent.size:,}",
        f"{len(base64.b64encode(data)) / 1e6:.2f}",
        f"{seconds:.2f}",
        *(f"{figure:.0f}" for figure in read),
    )


def _times(data: bytes) -> list[float]:
    """Milliseconds in Node: to read, to show the last moment, and the one before; none without Node."""
    program = shutil.which("node")
    if program is None:
        return [float("nan")] * 3
    script = "\n".join((files("resources") / "page" / name).read_text("utf-8") for name in SCRIPTS)
    done = subprocess.run([program, "-e", script + _TIMED], input=data, capture_output=True, check=True)
    times: list[Any] = json.loads(done.stdout)
    return times


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="measure.shared_page", description=__doc__)
    parser.add_argument("--simulations", type=int, default=100_000)
    options = parser.parse_args()
    columns = ("game", "search", "simulations", "nodes", "MB in the page", "s to write")
    table = Table(
        "the data of a page of a search",
        (*columns, "ms to read", "ms to the last moment", "ms one back"),
        tuple(row(case, options.simulations) for case in CASES),
        words=2,
    )
    print(*machine_lines(), "", *table.lines(), sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
