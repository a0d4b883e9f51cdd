"""The example script that makes ONNX files of AlphaZero_Gomoku's nets, against a slow forward pass by the definition of
convolution, and against what was read from two published nets before it."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from core.games import load_game
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.net_file import read_net_info

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "resources" / "examples" / "alphazero_gomoku_onnx.py"
PUBLISHED = Path(os.environ.get("PLYSCOPE_GOMOKU_NETS", ROOT.parent / "shared" / "data" / "alphazero_gomoku"))

Array = NDArray[np.float32]


def tiny_arrays(cells: int = 16) -> list[Array]:
    """16 arrays of a small net of the published shape."""
    rng = np.random.default_rng(0)
    shapes = [
        *((3, 4, 3, 3), (3,), (5, 3, 3, 3), (5,), (6, 5, 3, 3), (6,)),
        *((4, 6, 1, 1), (4,), (4 * cells, cells), (cells,)),
        *((2, 6, 1, 1), (2,), (2 * cells, 7), (7,), (7, 1), (1,)),
    ]
    return [rng.normal(0, 0.3, shape).astype(np.float32) for shape in shapes]


def convolved(x: NDArray[np.float64], weights: Array, bias: Array) -> NDArray[np.float64]:
    """Convolution as Theano and mathematics define it, `same` size: y[i, j] = sum W[a, b] x[i + p - a, j + p - b]."""
    _, height, width = x.shape
    size = weights.shape[2]
    pad = size // 2
    y = np.zeros((len(weights), height, width))
    for i in range(height):
        for j in range(width):
            for a in range(size):
                for b in range(size):
                    r, c = i + pad - a, j + pad - b
                    if 0 <= r < height and 0 <= c < width:
                        y[:, i, j] += weights[:, :, a, b] @ x[:, r, c]
    return np.maximum(y + bias[:, None, None], 0)


def answered(arrays: list[Array], planes: Array) -> tuple[NDArray[np.float64], float]:
    """Theano's answer for one position: probabilities by THEIR move numbers, and the value."""
    x = planes.astype(np.float64)
    for i in (0, 2, 4):
        x = convolved(x, arrays[i], arrays[i + 1])
    scores = convolved(x, arrays[6], arrays[7]).ravel() @ arrays[8] + arrays[9]
    chances = np.exp(scores - scores.max())
    hidden = np.maximum(convolved(x, arrays[10], arrays[11]).ravel() @ arrays[12] + arrays[13], 0)
    return chances / chances.sum(), float(np.tanh(hidden @ arrays[14] + arrays[15])[0])


def their_planes(moves: list[int], side: int) -> Array:
    """What their board gives their net after these moves: move h * side + w, counted from the bottom row."""
    planes = np.zeros((4, side, side), np.float32)
    for ply, move in enumerate(moves):
        mine = (len(moves) - ply) % 2 == 0
        planes[0 if mine else 1, move // side, move % side] = 1
    if moves:
        planes[2, moves[-1] // side, moves[-1] % side] = 1
    if len(moves) % 2 == 0:
        planes[3] = 1
    return planes[:, ::-1]


def chances_of(evaluator: OnnxEvaluator, planes: Array) -> tuple[NDArray[np.float64], float]:
    """Probabilities by our move numbers, and the value."""
    policy, value = evaluator.evaluate(planes[None])
    chances = np.exp(policy[0].astype(np.float64) - policy[0].max())
    return chances / chances.sum(), float(value[0])


def made(source: Path, game: str, out: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), str(source), game, str(out)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_net_answers_as_the_original(tmp_path: Path) -> None:
    game, arrays = load_game("connectn(rows=4, cols=4, k=3)"), tiny_arrays()
    source, out = tmp_path / "best_policy.model2", tmp_path / "net.onnx"
    source.write_bytes(pickle.dumps(arrays, 2))
    assert made(source, game.text, out).returncode == 0
    info = read_net_info(out)
    assert (info.game, info.is_foreign) == (game.text, False)
    assert info.recipe is not None
    evaluator = OnnxEvaluator(out, game, device="cpu")
    for moves in ([], [0], [5, 14, 2], [1, 13, 7, 4, 8, 3]):  # by their numbers
        names = [f"{'abcd'[move % 4]}{move // 4 + 1}" for move in range(16)]
        chances, value = chances_of(evaluator, game.position(" ".join(names[move] for move in moves)).planes())
        want, want_value = answered(arrays, their_planes(moves, 4))
        assert value == pytest.approx(want_value, abs=1e-5)
        np.testing.assert_allclose([chances[game.parse_action(name)] for name in names], want, atol=1e-5)


@pytest.mark.parametrize("wrong", [lambda a: a[:9], lambda a: [*a[:8], a[8].T, *a[9:]]])
def test_other_arrays_are_not_written(tmp_path: Path, wrong) -> None:
    source, out = tmp_path / "best_policy.model2", tmp_path / "net.onnx"
    source.write_bytes(pickle.dumps(wrong(tiny_arrays()), 2))
    assert made(source, "connectn(rows=4, cols=4, k=3)", out).returncode != 0
    assert not out.exists()


# Of published nets: probabilities of the three best moves and the value after some moves.
RECORDED = json.loads((ROOT / "tests" / "data" / "alphazero_gomoku.json").read_text())


@pytest.mark.parametrize("name", RECORDED)
def test_a_published_net_answers_as_it_was_read_before(tmp_path: Path, name: str) -> None:
    if not (PUBLISHED / name).is_file():
        pytest.skip(f"needs AlphaZero_Gomoku's net {name} in the folder that PLYSCOPE_GOMOKU_NETS names")
    game, out = load_game(RECORDED[name]["game"]), tmp_path / "net.onnx"
    assert made(PUBLISHED / name, game.text, out).returncode == 0
    evaluator = OnnxEvaluator(out, game, device="cpu")
    for moves, (best, want_value) in RECORDED[name]["answers"].items():
        chances, value = chances_of(evaluator, game.position(moves).planes())
        assert value == pytest.approx(want_value, abs=1e-4)
        assert {move: round(float(chances[game.parse_action(move)]), 4) for move in best} == pytest.approx(
            best, abs=2e-4
        )
