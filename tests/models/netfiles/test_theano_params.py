"""Importing AlphaZero_Gomoku's parameter files, against a slow forward pass by the definition of convolution."""

import pickle
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

from core.games import load_game
from models.netfiles.evaluator import ForeignConventions, OnnxEvaluator, read_net_info
from models.netfiles.theano_params import BadParameters, import_parameters, read_parameters
from tests.models.pickles import every_kind, protocol_0

GAME = load_game("connectn(rows=4, cols=4, k=3)")
Array = NDArray[np.float32]


def tiny_arrays(cells: int = 16, seed: int = 0) -> list[Array]:
    """16 arrays of a small net of the published shape."""
    rng = np.random.default_rng(seed)
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


def their_planes(moves: list[int], height: int, width: int) -> Array:
    """What their board gives their net after these moves: move h * width + w, counted from the bottom row."""
    planes = np.zeros((4, height, width), np.float32)
    for ply, move in enumerate(moves):
        mine = (len(moves) - ply) % 2 == 0
        planes[0 if mine else 1, move // width, move % width] = 1
    if moves:
        planes[2, moves[-1] // width, moves[-1] % width] = 1
    if len(moves) % 2 == 0:
        planes[3] = 1
    return planes[:, ::-1]


def write(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "best_policy.model"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("text", ["connectn(rows=4, cols=4, k=3)", "connectn(rows=3, cols=5, k=3)"])
def test_imported_nets_answer_as_the_original(tmp_path: Path, text: str) -> None:
    game = load_game(text)
    height, width = game.shape
    arrays = tiny_arrays(height * width)
    out = tmp_path / "new" / "net.onnx"
    import_parameters(write(tmp_path, protocol_0(arrays)), game, out)
    evaluator = OnnxEvaluator(out, game, device="cpu")
    for moves in ([], [0], [5, 14, 2], [1, 13, 7, 4, 8, 3]):  # by their numbers
        position = game.initial()
        for move in moves:
            position = position.play(game.parse_action(f"{'abcde'[move % width]}{move // width + 1}"))
        policy, value = evaluator.evaluate(position.planes()[None])
        chances = np.exp(policy[0].astype(np.float64))
        chances /= chances.sum()
        want, want_value = answered(arrays, their_planes(moves, height, width))
        assert value[0] == pytest.approx(want_value, abs=1e-5)
        for move in range(height * width):
            ours = game.parse_action(f"{'abcde'[move % width]}{move // width + 1}")
            assert chances[ours] == pytest.approx(want[move], abs=1e-5)


def test_the_same_net_as_a_foreign_file(tmp_path: Path) -> None:
    """Exported as it is, with probabilities by its own move numbers, it answers the same under its conventions."""
    imported = tmp_path / "imported.onnx"
    import_parameters(write(tmp_path, protocol_0(tiny_arrays())), GAME, imported)
    model = onnx.load(imported)
    del model.metadata_props[:]
    for tensor in model.graph.initializer:
        if tensor.name in ("policy_w", "policy_b"):
            array = onnx.numpy_helper.to_array(tensor)
            theirs = array.reshape(-1, 4, 4)[:, ::-1].reshape(array.shape)
            tensor.CopyFrom(onnx.numpy_helper.from_array(np.ascontiguousarray(theirs), tensor.name))
    next(node for node in model.graph.node if "policy" in node.output).output[0] = "scores"
    model.graph.node.append(onnx.helper.make_node("Softmax", ["scores"], ["policy"], axis=1))
    foreign = tmp_path / "foreign.onnx"
    onnx.save(model, foreign)
    planes = GAME.position("a1 b2 d4").planes()[None]
    conventions = ForeignConventions(policy="probabilities", policy_flipped=True)
    found = OnnxEvaluator(foreign, GAME, foreign=conventions, device="cpu").evaluate(planes)
    want = OnnxEvaluator(imported, GAME, device="cpu").evaluate(planes)
    np.testing.assert_allclose(found[0] - found[0].max(), want[0] - want[0].max(), atol=1e-5)
    np.testing.assert_allclose(found[1], want[1], atol=1e-6)


@pytest.mark.parametrize("kind", every_kind(tiny_arrays()))
def test_every_writer_gives_the_same_file(tmp_path: Path, kind: str) -> None:
    arrays = tiny_arrays()
    import_parameters(write(tmp_path, every_kind(arrays)[kind]), GAME, tmp_path / "a.onnx")
    import_parameters(write(tmp_path, protocol_0(arrays)), GAME, tmp_path / "b.onnx")
    assert (tmp_path / "a.onnx").read_bytes() == (tmp_path / "b.onnx").read_bytes()


def test_the_file_is_a_plain_net_file(tmp_path: Path) -> None:
    out = tmp_path / "net.onnx"
    import_parameters(write(tmp_path, protocol_0(tiny_arrays())), GAME, out)
    info = read_net_info(out)
    assert (info.game, info.step, info.is_foreign) == (GAME.text, 0, False)
    assert info.config["architecture"] == "AlphaZero_Gomoku"
    assert info.config["tower"] == [3, 5, 6]
    assert {node.op_type for node in onnx.load(out).graph.node} == {
        "Conv",
        "Relu",
        "Flatten",
        "Gemm",
        "Tanh",
        "Reshape",
    }


def test_published_sizes_are_read(tmp_path: Path) -> None:
    """119 079 parameters on 8x8, as published."""
    sizes = [(32, 4, 3, 3), (32,), (64, 32, 3, 3), (64,), (128, 64, 3, 3), (128,), (4, 128, 1, 1), (4,), (256, 64)]
    sizes += [(64,), (2, 128, 1, 1), (2,), (128, 64), (64,), (64, 1), (1,)]
    arrays = [np.full(size, 0.01, np.float32) for size in sizes]
    assert sum(array.size for array in arrays) == 119_079
    out = tmp_path / "net.onnx"
    import_parameters(write(tmp_path, pickle.dumps(arrays, 2)), load_game("connectn(rows=8, cols=8, k=5)"), out)
    assert out.stat().st_size < 4 * 119_079 + 5000


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda a: a[:-1], "it has 15 arrays; 16 are needed"),
        (lambda a: [a[0][:, :3], *a[1:]], r"convolution 1 has the shape \(3, 3, 3, 3\); \(any, 4, 3, 3\) is needed"),
        (lambda a: [*a[:2], a[2][..., :1], *a[3:]], r"convolution 2 has the shape .*; \(any, 3, 3, 3\) is needed"),
        (lambda a: [a[0], a[1][:2], *a[2:]], r"the bias of convolution 1 has the shape \(2,\); \(3\) is needed"),
        (lambda a: [*a[:8], a[8].T, *a[9:]], r"policy's dense layer has the shape \(16, 64\); \(64, 16\) is needed"),
        (lambda a: [*a[:10], a[10][:, :2], *a[11:]], "the value's convolution has the shape"),
        (lambda a: [*a[:12], a[12][:31], *a[13:]], "the value's first dense layer has the shape"),
        (lambda a: [*a[:14], np.zeros((7, 3), np.float32), a[15]], "the value's second dense layer has the shape"),
        (lambda a: [*a[:9], np.array(3, np.float32), *a[10:]], "the policy's dense layer has the shape"),
        (lambda a: [*a[:3], a[3] * np.float32("nan"), *a[4:]], "convolution 2 has weights that are not numbers"),
    ],
)
def test_wrong_shapes_are_refused(tmp_path: Path, change, sentence: str) -> None:  # type: ignore[no-untyped-def]
    path = write(tmp_path, pickle.dumps(change(tiny_arrays()), 2))
    with pytest.raises(BadParameters, match=rf"'.*best_policy\.model' cannot be read as .*{sentence}"):
        read_parameters(path)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"cos\nsystem\n(S'echo'\ntR.", r"best_policy\.model' cannot be read .*'os\.system'.* nothing was run"),
        (protocol_0(tiny_arrays())[:5000], "it ends too early"),
        (b"", "it ends too early"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, data: bytes, sentence: str) -> None:
    with pytest.raises(BadParameters, match=sentence):
        import_parameters(write(tmp_path, data), GAME, tmp_path / "net.onnx")
    assert not (tmp_path / "net.onnx").exists()


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("tictactoe", r"is a net for a board of 16 cells; tictactoe has 3 x 3"),
        ("connect4", "connect4 is no such game: use connectn, gomoku or tictactoe"),
        ("othello(size=4)", "is no such game"),
    ],
)
def test_other_games_are_refused(tmp_path: Path, game: str, sentence: str) -> None:
    path = write(tmp_path, protocol_0(tiny_arrays()))
    with pytest.raises(BadParameters, match=sentence):
        import_parameters(path, load_game(game), tmp_path / "net.onnx")


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(BadParameters, match=r"'.*none' is no parameter file: there is no such file"):
        read_parameters(tmp_path / "none")
