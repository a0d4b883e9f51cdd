"""The broken searches of the lesson *Find the bug in this search*; run as a script, it writes their traces."""

from importlib.resources import files
from pathlib import Path
from typing import Any

from tests.core.glass.toy_search import Toy

_PLAIN: dict[str, Any] = {"game": "tictactoe", "rule": "ucb1", "fpu": "first", "c": 1.4, "rollouts": True}
_BATCHED: dict[str, Any] = {"game": "connect4", "batch": 4, "loss": 1.0, "rollouts": True, "even": True}

# Name of the file -> simulations, what is wrong, how it searches.
BROKEN: dict[str, tuple[int, str, dict[str, Any]]] = {
    "block": (200, "selects for the root", {"moves": "b2 a1 c2", **_PLAIN}),
    "win": (200, "terminal value for the root's side", {"moves": "b2 a1 c2 a3", **_PLAIN}),
    "batches": (160, "virtual loss stays", {"moves": "d a a f f d g b d f c g a a e a b b e f", **_BATCHED}),
}


def broken_search(name: str, repaired: bool = False) -> Toy:
    """The search that wrote a trace; ``repaired``: the same without its fault."""
    simulations, fault, given = BROKEN[name]
    toy = Toy(fault="" if repaired else fault, declares={"program": "a search in Python"}, **given).run(simulations)
    toy.play()
    return toy


def path_of(name: str) -> Path:
    """The file of a trace."""
    return Path(str(files("resources").joinpath("lessons"))) / f"{name}.trace"


if __name__ == "__main__":
    for each in BROKEN:
        path_of(each).write_bytes(broken_search(each).text())
