"""Compiles the kernels of every game ahead of use, in several processes (``plyscope kernels``).

The work is divided into named parts.  Workers are processes that read names of parts on stdin, print a line after each,
and exit at the end of stdin.
"""

import argparse
import contextlib
import ctypes
import fnmatch
import gc
import importlib
import os
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Final

import numpy as np

from core._kernel_files import BUILD_FOLDER, mark_whole
from core.engine import Search, UniformEvaluator
from core.engine.extras import Drawn
from core.engine.lockstep import Lockstep
from core.engine.look_back import LookBack
from core.engine.ownership import random_ownership
from core.files import opening_codes, page_boards, tree_moves
from core.games import GAMES, GameSpec, branching, load_game
from core.games.encoding import OWN_ENCODING, Encoding
from core.games.perft import perft
from core.glass.icicle import IcicleView, lay_out
from core.glass.picture import picture_of
from core.machine import processors
from core.search import Limit, SearchSettings
from core.search.play import draw_moves
from core.solve import threats_win
from core.solve.solver import Solver
from core.solve.threats import has_threat_proofs, refusal
from models.runs.config import SETTING

_STATES: Final = [text for family in GAMES.values() for text in family.states]
# One game for each type of state: first those that a family begins with, and of these the one a new run begins with.
TEXTS: Final = sorted(_STATES, key=lambda text: (text != SETTING["game"].default, text not in GAMES))
NICENESS: Final = 15  # of a worker beside the window
_SIMULATIONS: Final = 40
_GARBAGE: Final = 20_000  # objects more before the collector looks for garbage
_BELOW_NORMAL: Final = 0x4000  # Windows' priority class


def _search(game: GameSpec, encoding: Encoding | None, settings: SearchSettings) -> None:
    """Compile the kernels of a search, of its snapshots, pictures and history, and of moving its root.

    ``encoding`` is that of its net, None for random games."""
    evaluator = None if encoding is None else UniformEvaluator(game.num_actions, encoding)
    search = Search(game.initial(), evaluator, settings)
    search.run(Limit(simulations=_SIMULATIONS))
    snapshot = search.snapshot(opened=[(search.best_action(),)])
    picture_of(search.tree, search.root, _SIMULATIONS, snapshot.pv)
    lay_out(search.tree, search.root, IcicleView())
    search.curves()
    LookBack(search).past(_SIMULATIONS // 2, drawn=Drawn(nodes=_SIMULATIONS, question="U > rank"))
    search.advance(snapshot.best)
    search.go_to(game.initial())
    search.curves()
    again = Search(game.initial(), search.evaluator, settings)
    again.load_state(search.state())


def _train(game: GameSpec, encoding: Encoding) -> None:
    """Compile the kernels of games played in lockstep, as in self-play and ladder matches."""
    evaluator = UniformEvaluator(game.num_actions, encoding)
    lockstep = Lockstep(game, evaluator, 1, SearchSettings(noise_epsilon=0.25))
    lockstep.restart(0)
    lockstep.set_target(0, _SIMULATIONS, True)
    while not len(lockstep.step()):
        pass
    lockstep.inputs(0)
    results, ones = lockstep.results(np.zeros(1, np.int64)), np.ones(1)
    draw_moves(results.policy, results.best, ones > 1, ones, ones, results.best.copy())
    lockstep.play(0, int(results.best[0]))


def _solve(game: GameSpec) -> None:
    Solver(game).solve(game.initial(), seconds=1.0)


def _picture() -> None:
    """Compile the kernels of the window, where it is installed."""
    with contextlib.suppress(ImportError):
        importlib.import_module("gui.rooms.tree.picture_raster").warm_up()


@cache
def parts() -> dict[str, Callable[[], object]]:
    """The parts of the work by name, those that a first search of each game needs first."""
    work: dict[str, Callable[[], object]] = {}
    games = [load_game(text) for text in TEXTS]
    for game in games:
        work[f"{game.text}: search"] = partial(_search, game, OWN_ENCODING, SearchSettings())
    work["picture of the tree"] = _picture
    for game in games:
        for encoding in game.encodings:
            if encoding.any_size:
                work[f"{game.text}: search with {encoding.name}"] = partial(_search, game, encoding, SearchSettings())
    for game in games:
        work[f"{game.text}: random games"] = partial(_search, game, None, SearchSettings(selection="ucb1"))
        if game.counting is not None:
            work[f"{game.text}: dead stones"] = partial(random_ownership, game.initial())
    for game in games:
        work[f"{game.text}: training"] = partial(_train, game, OWN_ENCODING)
        for encoding in game.encodings:
            if encoding.trained:
                work[f"{game.text}: training with {encoding.name}"] = partial(_train, game, encoding)
        several = SearchSettings(selection="ucb1", threads=2)
        work[f"{game.text}: random games on several threads"] = partial(_search, game, None, several)
        if has_threat_proofs(game):
            settings = SearchSettings(threat_proofs=True, threat_priors=True)
            work[f"{game.text}: search with threats"] = partial(_search, game, OWN_ENCODING, settings)
    for game in games:  # what shares little with the searches
        if not refusal(game):
            work[f"{game.text}: threats"] = partial(threats_win.compile_for, game.initial())
        work[f"{game.text}: tree from a file"] = partial(tree_moves.compile_for, game)
        work[f"{game.text}: page of a search"] = partial(page_boards.compile_for, game.initial())
        work[f"{game.text}: games from files"] = partial(branching.compile_for, game)
    work["openings of games from files"] = opening_codes.compile_codes
    for game in [load_game(family.small) for family in GAMES.values() if family.small]:
        work[f"{game.text}: solver"] = partial(_solve, game)
    for game in games:
        work[f"{game.text}: perft"] = partial(perft, game.initial(), 2)
    return work


def work(low: bool = False) -> int:
    """Run a worker: compile the parts named on stdin; exit at the end of stdin, also in the middle of a part.

    ``low``: at low priority, beside a window."""
    if low:
        _yield_to_others()
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            waiting.put(line.rstrip("\n"))
        os._exit(0)  # the parent has ended; safe at any moment, as files are written atomically

    threading.Thread(target=read, daemon=True).start()
    # Numba makes and drops very many objects; looking for garbage as often as usual took a fourteenth of the time.
    gc.freeze()
    gc.set_threshold(_GARBAGE)
    while True:
        parts()[waiting.get()]()
        print("done", flush=True)


def _yield_to_others() -> None:
    if sys.platform == "win32":
        kernel = ctypes.windll.kernel32
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), _BELOW_NORMAL)
    else:
        os.nice(NICENESS)


def worker_command() -> list[str]:
    """The command line of a worker; -P keeps modules in the working folder from replacing the program's."""
    return [sys.executable, "-P", "-m", "models.kernels"]


def worker_environment(into: Path | None = None) -> dict[str, str]:
    """Environment variables of a worker: where the program is, and where its files go."""
    root = str(Path(__file__).resolve().parents[1])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH", ""))))
    return {**os.environ, "PYTHONPATH": path, **({BUILD_FOLDER: str(into.resolve())} if into else {})}


class BuildError(ValueError):
    """A worker exited before it had finished its part."""


def build(
    workers: int, into: Path | None = None, chosen: Sequence[str] | None = None
) -> Generator[tuple[str, float], None, None]:
    """Compile every part, or those ``chosen``, with ``workers`` processes; yields the name of each finished part and
    the seconds it took.

    BuildError when a worker fails; closing the generator ends the workers."""
    chosen = list(parts()) if chosen is None else chosen
    names = deque(chosen)
    begun = threading.Event()  # the first part is compiled, and with it most of what the others share
    finished: queue.SimpleQueue[tuple[str, float | None]] = queue.SimpleQueue()
    children = [
        subprocess.Popen(
            worker_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=worker_environment(into)
        )
        for _ in range(workers)
    ]

    def feed(child: subprocess.Popen[str], first: bool) -> None:
        name = ""
        with contextlib.suppress(IndexError, OSError, ValueError):
            while True:
                # Before that the other workers take the last parts, which share the least with it.
                name, began = names.popleft() if first or begun.is_set() else names.pop(), time.perf_counter()
                assert child.stdin is not None
                assert child.stdout is not None
                child.stdin.write(f"{name}\n")
                child.stdin.flush()
                done = child.stdout.readline()
                finished.put((name, time.perf_counter() - began if done else None))
                if not done:
                    return
                if first:
                    begun.set()

    for child in children:
        threading.Thread(target=feed, args=(child, child is children[0]), daemon=True).start()
    try:
        for _ in chosen:
            name, seconds = finished.get()
            if seconds is None:
                raise BuildError(f"compiling “{name}” failed; the lines above say why")
            yield name, seconds
        if set(chosen) == set(parts()):
            mark_whole(into)
    finally:
        for child in children:
            child.kill()
            child.wait()


def _without(patterns: Sequence[str]) -> list[str]:
    """The names of the parts that no pattern matches.  ValueError for a pattern that matches none."""
    for pattern in patterns:
        if not fnmatch.filter(parts(), pattern):
            names = f"those of {TEXTS[0]} are {', '.join(name for name in parts() if name.startswith(TEXTS[0]))}"
            raise ValueError(f"--without {pattern!r} is the name of no part, where * is any text; {names}")
    return [name for name in parts() if not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)]


def kernels_command(args: argparse.Namespace) -> int:
    """Compile every part but those left out, printing a line for each; compiled kernels are kept."""
    if args.processes is not None and args.processes < 1:
        raise ValueError(f"--processes is {args.processes}; it must be at least 1")
    chosen = _without(args.without)
    began, total = time.perf_counter(), len(chosen)
    every = "the kernels" if args.without else "the kernels of every game"
    print(f"compiling {every}, {total} parts, a minute or two ...", file=sys.stderr, flush=True)
    with contextlib.closing(build(args.processes or processors(), args.into, chosen)) as building:
        for number, (name, seconds) in enumerate(building, 1):
            print(f"  {number:>2} of {total}  {seconds:5.1f} s  {name}", file=sys.stderr, flush=True)
    print(f"kernels compiled in {time.perf_counter() - began:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(work(low="--low" in sys.argv[1:]))
