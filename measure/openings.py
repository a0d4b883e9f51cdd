"""``python -m measure.openings``: how long an index of many games of Go by position takes, and an answer from it.

The games begin on corner points and beside them, as people's do, and go on at random; the files are written, listed and
indexed in a folder that is removed afterwards, and so is what is kept for the next time."""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar
from unittest import mock

import numpy as np

from core.files.collection import list_games
from core.files.openings import OpeningIndex
from core.games import GameSpec, load_game

SIDE: Final = 19
CORNERS: Final = ("dd", "pd", "dp", "pp", "dc", "qd")  # points as SGF names them
MOVES: Final = 220  # of a game
OPENED: Final = 4  # of them on corner points
ASKED: Final = ("", "d4", "q16 d4", "q16 d4 d16")
Made = TypeVar("Made")


def write_games(folder: Path, number: int, seed: int) -> None:
    """Write ``number`` games as SGF, one a file."""
    rng = np.random.default_rng(seed)
    letters = "abcdefghijklmnopqrs"
    points = [letters[cell % SIDE] + letters[cell // SIDE] for cell in range(SIDE * SIDE)]
    for game in range(number):
        first = rng.permutation(CORNERS)[:OPENED].tolist()
        rest = [point for point in rng.permutation(points).tolist() if point not in first]
        line = "".join(f";{'BW'[ply % 2]}[{point}]" for ply, point in enumerate([*first, *rest][:MOVES]))
        text = f"(;GM[1]SZ[{SIDE}]RU[Japanese]KM[6.5]RE[{rng.choice(['B+R', 'W+R', 'W+1.5'])}]{line})"
        (folder / f"{game}.sgf").write_text(text, encoding="utf-8")


def timed(what: str, make: Callable[[], Made]) -> Made:
    """Print how long ``make`` takes, and the processor time of that; what it returns."""
    begun, used = time.perf_counter(), time.process_time()
    made = make()
    took, used = time.perf_counter() - begun, time.process_time() - used
    print(f"{what:32} {1000.0 * took:10.1f} ms, {1000.0 * used:10.1f} ms of the processor", flush=True)
    return made


def measure(folder: Path, number: int, game: GameSpec) -> None:
    """Print the times of listing, indexing and answering."""
    write_games(folder, number, seed=0)
    games = timed(f"{number} games listed", lambda: list_games([folder]).games)
    OpeningIndex(games[:10], game)  # compiles the kernel
    timed("indexed, the first time", lambda: OpeningIndex(games, game))
    index = timed("read from the caches", lambda: OpeningIndex(games, game))
    for moves in ASKED:
        position = game.position(moves)
        found = timed(f"answer after {moves or 'no move'}", lambda at=position: index.explore(at))  # type: ignore[misc]
        print(f"{'':4}{len(found.games)} games, {len(found.moves)} moves")


def main(words: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="number of games [10000]")
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "games"
        folder.mkdir()
        caches = str(Path(work) / "caches")
        with mock.patch.dict(os.environ, {"XDG_CACHE_HOME": caches, "LOCALAPPDATA": caches}):
            measure(folder, args.games, load_game(f"go(size={SIDE}, rules=japanese)"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
