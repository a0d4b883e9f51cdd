"""Messages of the program about a GPU: on the command line, in the window, out of memory, without its libraries."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from core.games import GameSpec
from measure.gpu_devices import FP32, Device
from models.netfiles.cuda import load_libraries, missing_gpu

_LARGE_BATCH: Final = 1024
_LIGHT: Final = "import sys; from gui.shell.gauges import provider_kind; print(provider_kind(*sys.argv[1:]))"
_COMMAND: Final = "import sys; from models.commands.program import main; sys.exit(main(sys.argv[1:]))"
# Makes loading CUDA's matrix library fail, as if it were not installed.
_WITHOUT_A_LIBRARY: Final = """
import ctypes, sys
class Without(ctypes.CDLL):
    def __init__(self, name=None, *given, **more):
        if "cublas" in str(name):
            raise OSError(f"{name}: cannot open shared object file: No such file or directory")
        super().__init__(name, *given, **more)
ctypes.CDLL = Without
"""
_ANALYZE: Final = ("analyze", "tictactoe", "--simulations", "50", "--json")
_CUDA: Final = ("--device", "cuda")


def message_rows(device: Device, game: GameSpec, small: Path, large: Path) -> Iterator[dict[str, str]]:
    """Rows of a situation (``asked``) and the program's message in it (``answer``), or why there is none.

    ``small`` and ``large`` are nets for ``game``.
    """
    situations: tuple[tuple[str, Callable[[], str]], ...] = (
        ("the driver", lambda: missing_gpu() or "found"),
        ("CUDA's libraries", lambda: load_libraries() or "all there"),
        ("`--device cuda`", lambda: _evaluator_of(device, _COMMAND, *_CUDA)),
        ("`--device auto`", lambda: _evaluator_of(device, _COMMAND)),
        ("the light in the window", lambda: _light(device)),
        ("a missing library, `--device cuda`", lambda: _evaluator_of(device, _WITHOUT_A_LIBRARY + _COMMAND, *_CUDA)),
        ("a missing library, `--device auto`", lambda: _evaluator_of(device, _WITHOUT_A_LIBRARY + _COMMAND)),
        ("out of memory when a net is loaded", lambda: _loaded_when_full(device, game, large)),
        ("out of memory while a net works", lambda: _working_when_full(device, game, small)),
    )
    for question, ask in situations:
        yield {"asked": question, "answer": _answer(ask)}


def _answer(ask: Callable[[], str]) -> str:
    try:
        return ask()
    except Exception as error:  # one failure must not lose the other rows
        return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


def _evaluator_of(device: Device, code: str, *options: str) -> str:
    """The evaluator that ``plyscope analyze`` reports."""
    done = device.run(["-c", code, *_ANALYZE, *options])
    if done.returncode:
        return f"exit code {done.returncode}: {_last_line(done.stderr)}"
    printed = json.loads(done.stdout)
    return "; ".join(word for word in (printed["evaluator"], printed["evaluator_note"]) if word)


def _light(device: Device) -> str:
    done = device.run(["-c", _COMMAND, *_ANALYZE])
    printed = json.loads(done.stdout)
    shown = device.run(["-c", _LIGHT, printed["evaluator"], printed["evaluator_note"]])
    return _last_line(shown.stderr if shown.returncode else shown.stdout)


def _loaded_when_full(device: Device, game: GameSpec, net: Path) -> str:
    with device.full():
        try:
            evaluator = device.evaluator(FP32, net, game)
        except ValueError as error:
            return str(error)
        return f"it fits: {evaluator.description}"


def _working_when_full(device: Device, game: GameSpec, net: Path) -> str:
    evaluator = device.evaluator(FP32, net, game)
    planes = np.zeros((_LARGE_BATCH, game.num_planes, *game.shape), np.float32)
    with device.full():
        try:
            evaluator.evaluate(planes)
        except ValueError as error:
            return str(error)
        return f"a batch of {_LARGE_BATCH} fits"


def _last_line(text: str) -> str:
    lines: Sequence[str] = text.strip().splitlines() or ["it said nothing"]
    return lines[-1].strip()
