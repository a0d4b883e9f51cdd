"""Nets through onnxruntime: what is refused and in which words, foreign files, providers."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper, numpy_helper

from core.engine.evaluator import ask, telling
from core.games import load_game
from core.games.net_inputs import make_inputs
from core.search import Limit
from models.netfiles import net_file
from models.netfiles.cuda import failure, missing_gpu
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.gpu_runtime import BoundSession, cuda_options
from models.netfiles.net_file import ENCODING, read_net_info
from models.netfiles.ort_session import BadNet, open_session
from models.netfiles.shipped import default_net, nets_dir
from tests.core.search.fakes import run_search
from tests.models.netfiles.foreign_nets import recipe

TTT = load_game("tictactoe")
OURS = {"format": "1", "game": "tictactoe", "encoding": ENCODING, "config": '{"blocks": 1}', "step": "9"}
RNG = np.random.default_rng(0)
POLICY_W = RNG.normal(size=(36, 9)).astype(np.float32)
VALUE_W = (0.1 * RNG.normal(size=(36, 1))).astype(np.float32)

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a one-layer net for tic-tac-toe: policy = x W, value = tanh(x w)."""

    def build(
        metadata: Mapping[str, str] | None = OURS,
        *,
        name: str = "net.onnx",
        shape: tuple[Any, ...] = ("batch", 4, 3, 3),
        actions: int = 9,
        planes: str = "planes",
        outputs: tuple[str, str] = ("policy", "value"),
        value_shape: tuple[Any, ...] = ("batch",),
        ending: str = "",
        scale: float = 1.0,
        dtype: int = TensorProto.FLOAT,
    ) -> Path:
        size = int(np.prod(shape[1:]))
        numpy_type = helper.tensor_dtype_to_np_dtype(dtype)
        weights = np.zeros((size, actions), np.float32)
        weights[: min(size, 36), : min(actions, 9)] = POLICY_W[:size, :actions]
        value_weights = np.zeros((size, 1), np.float32)
        value_weights[: min(size, 36)] = VALUE_W[:size]
        target = [-1] if len(value_shape) == 1 else [-1, 1]
        nodes = [
            helper.make_node("Flatten", [planes], ["flat"]),
            helper.make_node("MatMul", ["flat", "W"], ["logits" if ending else outputs[0]]),
            helper.make_node("MatMul", ["flat", "w"], ["v"]),
            helper.make_node("Tanh", ["v"], ["t"]),
            helper.make_node("Mul", ["t", "scale"], ["scaled"]),
            helper.make_node("Reshape", ["scaled", "target"], [outputs[1]]),
        ]
        if ending:
            nodes.append(helper.make_node(ending, ["logits"], [outputs[0]], axis=1))
        constants = {
            "W": weights.astype(numpy_type),
            "w": value_weights.astype(numpy_type),
            "scale": np.array(scale, numpy_type),
            "target": np.array(target, np.int64),
        }
        graph = helper.make_graph(
            nodes,
            "net",
            [helper.make_tensor_value_info(planes, dtype, shape)],
            [
                helper.make_tensor_value_info(outputs[0], dtype, [shape[0], actions]),
                helper.make_tensor_value_info(outputs[1], dtype, value_shape),
            ],
            [numpy_helper.from_array(array, key) for key, array in constants.items()],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
        if metadata is not None:
            helper.set_model_props(model, {f"plyscope.{key}": value for key, value in metadata.items()})
        path = tmp_path / name
        onnx.save(model, path)
        return path

    return build


def positions(count: int = 5) -> np.ndarray:
    return (np.random.default_rng(2).random((count, 4, 3, 3)) < 0.4).astype(np.float32)


def wanted(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    flat = planes.reshape(len(planes), -1)
    return flat @ POLICY_W, np.tanh(flat @ VALUE_W)[:, 0]


def check(evaluator: OnnxEvaluator, policy_shift: bool = False) -> None:
    """The evaluator answers as the written net; with ``policy_shift`` up to a constant per position."""
    policy, value = evaluator.evaluate(positions())
    want_policy, want_value = wanted(positions())
    assert (policy.dtype, value.dtype, value.shape) == (np.float32, np.float32, (5,))
    if policy_shift:
        policy = policy - policy[:, :1]
        want_policy = want_policy - want_policy[:, :1]
    np.testing.assert_allclose(policy, want_policy, atol=1e-4)
    np.testing.assert_allclose(value, want_value, atol=1e-5)


def test_a_plyscope_net_is_evaluated(write: Write) -> None:
    evaluator = OnnxEvaluator(write(), TTT, device="cpu")
    check(evaluator)
    assert evaluator.description == "net.onnx on CPU"
    assert (evaluator.provider, evaluator.provider_note) == ("CPU", "")
    assert evaluator.evaluate(positions(0))[0].shape == (0, 9)


def test_win_draw_and_loss_of_a_shipped_net_give_its_value() -> None:
    evaluator = OnnxEvaluator(nets_dir() / "tictactoe-2x32.onnx", TTT, device="cpu")
    assert evaluator.gives_outcomes
    inputs = make_inputs(TTT, evaluator.encoding, 3)
    inputs.planes[1, 0, 1, 1] = inputs.planes[2, 1, 0, 0] = 1.0
    chances, value = evaluator.outcomes(*inputs), evaluator.evaluate(*inputs)[1]
    np.testing.assert_allclose(chances.sum(axis=1), 1.0, atol=1e-6)
    np.testing.assert_allclose(chances[:, 0] - chances[:, 2], value, atol=1e-5)


def test_read_net_info_reads_the_metadata(write: Write) -> None:
    info = read_net_info(write())
    assert (info.game, info.encoding, info.config, info.step, info.is_foreign) == (
        "tictactoe",
        ENCODING,
        {"blocks": 1},
        9,
        False,
    )
    assert info.inputs[0].shape == (None, 4, 3, 3)
    assert [output.name for output in info.outputs] == ["policy", "value"]
    assert read_net_info(write(None)).is_foreign


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"game": "connect4"}, "net.onnx is a net for 'connect4'; the game here is 'tictactoe'"),
        ({"encoding": "black-white/1"}, "takes planes encoded as 'black-white/1'; this program encodes them as"),
        ({"format": "2"}, "has net format '2'; this version of the program reads format '1' alone"),
        ({"config": "{"}, "has damaged metadata: its config cannot be read: it is not JSON"),
        ({"config": "[]"}, "has damaged metadata: its config cannot be read: its config is []"),
        ({"step": "many"}, "has damaged metadata: its step is 'many', which is no number of steps"),
    ],
)
def test_metadata_that_does_not_fit(write: Write, changes: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadNet) as caught:
        OnnxEvaluator(write({**OURS, **changes}), TTT, device="cpu")
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"shape": ("batch", 3, 3, 3)}, "takes planes [batch, 3, 3, 3]; tictactoe has [batch, 4, 3, 3]"),
        ({"shape": ("batch", 36)}, "takes planes [batch, 36]; tictactoe has [batch, 4, 3, 3]"),
        ({"actions": 7}, "has 7 actions; tictactoe has 9"),
        ({"outputs": ("policy", "v1")}, "has no output 'value'; it has policy [batch, 9], v1 [batch]"),
        ({"outputs": ("p1", "value")}, "has no output 'policy'; it has p1 [batch, 9], value [batch]"),
        ({"planes": "board"}, "has no input 'planes'; it has board [batch, 4, 3, 3]"),
        ({"dtype": TensorProto.DOUBLE}, "has 'planes' as tensor(double); float32 is needed"),
        ({"scale": 40.0, "metadata": OURS}, ""),
    ],
)
def test_tensors_that_do_not_fit(write: Write, changes: dict[str, Any], sentence: str) -> None:
    changes = dict(changes)
    metadata = changes.pop("metadata", OURS)
    path = write(metadata, **changes)
    if sentence:
        with pytest.raises(BadNet) as caught:
            OnnxEvaluator(path, TTT, device="cpu")
        assert sentence in str(caught.value)
        return
    evaluator = OnnxEvaluator(path, TTT, device="cpu")
    with pytest.raises(ValueError, match=r"net\.onnx gave the value .*; values must lie from -1 to 1"):
        evaluator.evaluate(positions())


def test_values_that_are_no_numbers(write: Write) -> None:
    evaluator = OnnxEvaluator(write(), TTT, device="cpu")
    planes = positions()
    planes[0, 0, 0, 0] = np.nan
    with pytest.raises(ValueError, match="gave the value nan"):
        evaluator.evaluate(planes)


def test_files_that_are_no_net(tmp_path: Path, write: Write) -> None:
    whole = write().read_bytes()
    for name, data in {"empty": b"", "text": b"hello world", "half": whole[: len(whole) // 2]}.items():
        (tmp_path / f"{name}.onnx").write_bytes(data)
    cases = {
        "none": "does not exist; give the path of a net file",
        "empty": "cannot be loaded: it is empty",
        "text": "is not an ONNX file, or is damaged",
        "half": "is not an ONNX file, or is damaged",
    }
    for name, sentence in cases.items():
        path = tmp_path / f"{name}.onnx"
        for read in (lambda path=path: OnnxEvaluator(path, TTT), lambda path=path: read_net_info(path)):
            with pytest.raises(BadNet) as caught:
                read()
            assert str(caught.value) == f"{str(path)!r} {sentence}"
    with pytest.raises(BadNet, match="is not a file; give the path of a net file"):
        OnnxEvaluator(tmp_path, TTT)


def test_weights_in_a_missing_file(tmp_path: Path, write: Write) -> None:
    model = onnx.load(write())
    path = tmp_path / "split.onnx"
    onnx.save(model, path, save_as_external_data=True, location="weights.bin", size_threshold=0)
    (tmp_path / "weights.bin").unlink()
    with pytest.raises(BadNet, match="keeps its weights in another file that is missing; save the net as one file"):
        OnnxEvaluator(path, TTT, device="cpu")


def test_wrong_planes_are_quoted(write: Write) -> None:
    evaluator = OnnxEvaluator(write(), TTT, device="cpu")
    with pytest.raises(ValueError, match=r"planes are float64 \(5, 4, 3, 3\); net\.onnx takes float32 \(batch"):
        evaluator.evaluate(positions().astype(np.float64))
    with pytest.raises(ValueError, match=r"planes are float32 \(2, 4, 6, 7\)"):
        evaluator.evaluate(np.zeros((2, 4, 6, 7), np.float32))


@pytest.mark.parametrize(
    ("kind", "ending"), [("logits", ""), ("log-probabilities", "LogSoftmax"), ("probabilities", "Softmax")]
)
@pytest.mark.parametrize("batch", ["batch", 1, 3])
def test_foreign_policies(write: Write, kind: str, ending: str, batch: int | str) -> None:
    shape, value_shape = (batch, 4, 3, 3), (batch, 1)
    path = write(None, ending=ending, shape=shape, value_shape=value_shape, planes="x", outputs=("p", "v0"))
    check(OnnxEvaluator(path, TTT, recipe=recipe(policy=kind), device="cpu"), policy_shift=True)


def test_foreign_names_can_be_given(write: Write) -> None:
    names = recipe(name="x", policy_output="p", value_output="v0")
    path = write(None, planes="x", outputs=("p", "v0"))
    check(OnnxEvaluator(path, TTT, recipe=names, device="cpu"))
    with pytest.raises(
        BadNet, match=r"a policy of 9 actions; it has p \[batch, 9\], v0 \[batch\]: name the one to use"
    ):
        OnnxEvaluator(path, TTT, recipe=recipe(policy_output="policy"), device="cpu")


def build_foreign(
    path: Path, text: str, *, nhwc: bool = False, wdl: str = "", policy_shape: tuple[Any, ...] = ()
) -> Path:
    """A foreign net: policy = planes W as logits, and a value or, ``wdl`` being Identity or Softmax, three numbers."""
    game = load_game(text)
    channels, height, width = game.num_planes, *game.shape
    rng = np.random.default_rng(1)
    inputs = channels * height * width
    weights: dict[str, Any] = {
        "W": rng.normal(0, 0.5, (inputs, game.num_actions)).astype(np.float32),
        "V": rng.normal(0, 0.1, (inputs, 3 if wdl else 1)).astype(np.float32),
        "policy_shape": np.array([*policy_shape] or [-1, game.num_actions], np.int64),
    }
    shape: list[Any] = ["batch", height, width, channels] if nhwc else ["batch", channels, height, width]
    nodes = [helper.make_node("Transpose", ["in"], ["planes"], perm=[0, 3, 1, 2])] if nhwc else []
    nodes += [
        helper.make_node("Flatten", ["planes" if nhwc else "in"], ["flat"]),
        helper.make_node("MatMul", ["flat", "W"], ["flat_policy"]),
        helper.make_node("Reshape", ["flat_policy", "policy_shape"], ["p"]),
        helper.make_node("MatMul", ["flat", "V"], ["v"]),
        helper.make_node(wdl or "Tanh", ["v"], ["second"]),
    ]
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("in", TensorProto.FLOAT, shape)],
        [
            helper.make_tensor_value_info("p", TensorProto.FLOAT, ["batch", *weights["policy_shape"][1:].tolist()]),
            helper.make_tensor_value_info("second", TensorProto.FLOAT, ["batch", weights["V"].shape[1]]),
        ],
        [numpy_helper.from_array(array, key) for key, array in weights.items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10), path)
    return path


def foreign_answers(path: Path, text: str, planes: np.ndarray, **parts: Any) -> tuple[np.ndarray, np.ndarray]:
    policy, value = OnnxEvaluator(path, load_game(text), recipe=recipe(**parts), device="cpu").evaluate(planes)
    return policy, value


@pytest.mark.parametrize(("text", "layout"), [("tictactoe", "auto"), ("connectn(rows=4, cols=4, k=3)", "nhwc")])
def test_foreign_planes_with_channels_last(tmp_path: Path, text: str, layout: str) -> None:
    """On 4x4 with 4 planes the shapes are ambiguous, so the layout must be given."""
    planes = np.stack([load_game(text).position("a1 b2 b1").planes(), load_game(text).initial().planes()])
    last = build_foreign(tmp_path / "last.onnx", text, nhwc=True)
    first = build_foreign(tmp_path / "first.onnx", text)
    found = foreign_answers(last, text, planes, layout=layout)
    want = foreign_answers(first, text, planes)
    np.testing.assert_allclose(found[0], want[0], atol=1e-6)
    np.testing.assert_allclose(found[1], want[1], atol=1e-6)
    assert np.abs(want[0]).max() > 0.1


@pytest.mark.parametrize(("kind", "ending"), [("wdl-logits", "Identity"), ("wdl-probabilities", "Softmax")])
def test_foreign_win_draw_loss(tmp_path: Path, kind: str, ending: str) -> None:
    path = build_foreign(tmp_path / "net.onnx", "tictactoe", wdl=ending)
    _, value = foreign_answers(path, "tictactoe", positions(), value=kind)
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    raw = session.run(["second"], {"in": positions()})[0].astype(np.float64)
    chances = raw if ending == "Softmax" else np.exp(raw) / np.exp(raw).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(value, chances[:, 0] - chances[:, 2], atol=1e-6)
    with pytest.raises(BadNet, match=r"has no single output that holds one value per position; .* second \[batch, 3\]"):
        foreign_answers(path, "tictactoe", positions())


@pytest.mark.parametrize("rows", ["top", "bottom"])
@pytest.mark.parametrize("policy_rows", ["top", "bottom"])
@pytest.mark.parametrize("text", ["connectn(rows=3, cols=4, k=3)", "othello(size=4)", "connect4"])
def test_foreign_rows_of_planes_and_policy(tmp_path: Path, text: str, rows: str, policy_rows: str) -> None:
    """Planes and policy turn each by itself; Othello's pass and Connect Four's columns stay."""
    game = load_game(text)
    path = build_foreign(tmp_path / "net.onnx", text)
    planes = game.initial().play(game.initial().legal_actions()[0]).planes()[None]
    policy, value = foreign_answers(path, text, planes, rows=rows, policy_rows=policy_rows)
    seen = np.ascontiguousarray(planes[:, :, ::-1]) if rows == "bottom" else planes
    want, want_value = foreign_answers(path, text, seen)
    cells = game.shape[0] * game.shape[1]
    if policy_rows == "bottom" and game.num_actions >= cells:
        want[:, :cells] = want[:, :cells].reshape(game.shape)[::-1].reshape(1, cells)
    np.testing.assert_array_equal(policy, want)
    np.testing.assert_array_equal(value, want_value)


def test_foreign_policy_as_a_board(tmp_path: Path) -> None:
    board = build_foreign(tmp_path / "board.onnx", "tictactoe", policy_shape=(-1, 1, 3, 3))
    flat = build_foreign(tmp_path / "flat.onnx", "tictactoe")
    found, want = (foreign_answers(path, "tictactoe", positions()) for path in (board, flat))
    np.testing.assert_array_equal(found[0], want[0])


def test_foreign_single_position_without_a_batch_axis(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    nodes = [
        helper.make_node("Reshape", ["in", "row"], ["flat"]),
        helper.make_node("MatMul", ["flat", "W"], ["p"]),
        helper.make_node("MatMul", ["flat", "w"], ["raw"]),
        helper.make_node("Tanh", ["raw"], ["v"]),
    ]
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("in", TensorProto.FLOAT, [1, 4, 3, 3])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, [size]) for name, size in (("v", 1), ("p", 9))],
        [
            numpy_helper.from_array(POLICY_W, "W"),
            numpy_helper.from_array(VALUE_W, "w"),
            numpy_helper.from_array(np.array([36], np.int64), "row"),
        ],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10), path)
    check(OnnxEvaluator(path, TTT, recipe=recipe(), device="cpu"))


@pytest.mark.parametrize(
    ("ending", "kind", "sentence"),
    [
        ("Softmax", "logits", "has a policy that adds up to 1: it holds probabilities, not logits"),
        ("Softmax", "log-probabilities", "gave a policy entry of .*; it holds no log-probabilities"),
        ("LogSoftmax", "probabilities", "gave a policy entry of -.*; it holds no probabilities"),
    ],
)
def test_a_foreign_policy_of_another_kind_is_refused(write: Write, ending: str, kind: str, sentence: str) -> None:
    with pytest.raises(BadNet, match=sentence):
        OnnxEvaluator(write(None, ending=ending), TTT, recipe=recipe(policy=kind), device="cpu")


def test_foreign_outputs_that_both_fit(tmp_path: Path) -> None:
    """In a game of three actions win, draw and loss look like a policy; names decide."""
    path = build_foreign(tmp_path / "net.onnx", "nim(heaps=5, max_take=3)", wdl="Identity")
    with pytest.raises(BadNet, match=r"no single output that holds a policy of 3 actions; .*: name the one to use"):
        foreign_answers(path, "nim(heaps=5, max_take=3)", np.zeros((1, 4, 1, 5), np.float32), value="wdl-logits")
    game = load_game("nim(heaps=5, max_take=3)")
    policy, _ = foreign_answers(
        path, game.text, game.initial().planes()[None], value="wdl-logits", policy_output="p", value_output="second"
    )
    assert policy.shape == (1, 3)


def no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str, *_: Any, **__: Any) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", load)


def test_cuda_without_a_driver_is_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    no_driver(monkeypatch)
    assert missing_gpu().startswith("no NVIDIA driver found")
    evaluator = OnnxEvaluator(write(), TTT)
    check(evaluator)
    assert evaluator.provider == "CPU"
    assert evaluator.provider_note.startswith("no NVIDIA driver found")
    with pytest.raises(BadNet, match=r"net\.onnx cannot run on CUDA: no NVIDIA driver found"):
        OnnxEvaluator(write(), TTT, device="cuda")


def test_onnxruntime_without_cuda(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda *_: object())
    monkeypatch.setattr(ort, "get_available_providers", lambda: ["CPUExecutionProvider"])
    assert OnnxEvaluator(write(), TTT).provider_note == "this onnxruntime is built without CUDA"


def test_a_silent_fallback_to_the_cpu_is_detected(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """onnxruntime lists CUDA and takes the request, but its session runs on the processor."""
    monkeypatch.setattr(ctypes, "CDLL", lambda *_: object())
    monkeypatch.setattr(ort, "get_available_providers", lambda: ["CUDAExecutionProvider", "CPUExecutionProvider"])
    monkeypatch.setattr(ort, "preload_dlls", lambda: None, raising=False)
    session = ort.InferenceSession
    monkeypatch.setattr(
        ort, "InferenceSession", lambda path, options, providers, **_: session(path, options, ["CPUExecutionProvider"])
    )
    evaluator = OnnxEvaluator(write(), TTT)
    check(evaluator)
    assert evaluator.provider == "CPU"
    assert "did not start its CUDA part" in evaluator.provider_note
    with pytest.raises(BadNet, match="cannot run on CUDA: onnxruntime did not start its CUDA part"):
        OnnxEvaluator(write(), TTT, device="cuda")


def test_missing_libraries_are_named_and_stdout_stays_clean(
    write: Write, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A driver without CUDA's libraries: onnxruntime prints what it misses, where JSON may be expected."""

    def preload() -> None:
        for name in ("libcublasLt.so.13", "libcublas.so.13", "libcurand.so.10", "libcufft.so.12"):
            print(f"Failed to load {name}: {name}: cannot open shared object file: No such file or directory")
        os.write(1, b"and what a library itself prints\n")

    monkeypatch.setattr(ctypes, "CDLL", lambda *_: object())
    monkeypatch.setattr(ort, "get_available_providers", lambda: ["CUDAExecutionProvider", "CPUExecutionProvider"])
    monkeypatch.setattr(ort, "preload_dlls", preload, raising=False)
    evaluator = OnnxEvaluator(write(), TTT)
    check(evaluator)
    print("{}")
    assert capfd.readouterr().out == "{}\n"
    assert evaluator.provider_note == (
        "onnxruntime did not start its CUDA part; CUDA's libraries are not all there: libcublasLt.so.13, "
        "libcublas.so.13, libcurand.so.10, …"
    )


def test_onnxruntime_prints_no_warnings(write: Write, capfd: pytest.CaptureFixture[str]) -> None:
    """It would say of a weight that nothing uses that it removes it."""
    path = write()
    model = onnx.load(path)
    model.graph.initializer.append(numpy_helper.from_array(np.zeros(1, np.float32), "unused"))
    onnx.save(model, path)
    read_net_info(path)
    OnnxEvaluator(path, TTT)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            "[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Non-zero status code returned while running Conv node. "
            "Status Message: bfc_arena.cc:376 Failed to allocate memory for requested buffer of size 9",
            "the GPU's memory is full",
        ),
        ("cuda_call.cc:129 CUDA failure 2: out of memory ; GPU=0 ; hostname=h", "the GPU's memory is full"),
        (
            "/src/cuda_call.cc:129 bool CudaCall(...) CUDA failure 35: CUDA driver version is insufficient for CUDA "
            "runtime version ; GPU=0 ; hostname=h ; file=x",
            "CUDA failure 35: CUDA driver version is insufficient for CUDA runtime version",
        ),
        ("x" * 4000, "x" * 160 + "…"),
    ],
)
def test_gpu_errors_are_shortened(error: str, words: str) -> None:
    assert failure(RuntimeError(error)) == words


class OnGpu:
    """A session that says it runs on the GPU, and does what it is asked on the processor."""

    def __init__(self, session: ort.InferenceSession) -> None:
        self._session = session

    def get_providers(self) -> list[str]:
        return ["CUDAExecutionProvider", "CPUExecutionProvider"]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)


@pytest.fixture
def a_gpu(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """All but the device itself: a stand-in whose buffers lie in the processor's memory.  Where they were asked for."""
    monkeypatch.setattr(ctypes, "CDLL", lambda *_: object())
    monkeypatch.setattr(ort, "get_available_providers", lambda: ["CUDAExecutionProvider", "CPUExecutionProvider"])
    monkeypatch.setattr(ort, "preload_dlls", lambda: None, raising=False)
    session, bind = ort.InferenceSession, ort.OrtValue.ortvalue_from_numpy

    def open_session(path: str, options: Any, providers: list[Any], **_: Any) -> Any:
        if len(providers) == 1:
            return session(path, options, providers)
        assert providers[0] == ("CUDAExecutionProvider", cuda_options(providers[0][1]["device_id"]))
        return OnGpu(session(path, options, providers[1:]))

    monkeypatch.setattr(ort, "InferenceSession", open_session)
    asked: list[tuple[str, int]] = []
    monkeypatch.setattr(
        ort.OrtValue, "ortvalue_from_numpy", lambda array, *place: asked.append(place) or bind(array, "cpu", 0)
    )
    return asked


def failing_from(monkeypatch: pytest.MonkeyPatch, most: int, message: str) -> None:
    """Let the GPU fail as onnxruntime does for batches of more than ``most``."""
    run = BoundSession.run

    def checked(self: BoundSession, inputs: dict[str, Any]) -> Any:
        if len(next(iter(inputs.values()))) > most:
            raise RuntimeError(message)
        return run(self, inputs)

    monkeypatch.setattr(BoundSession, "run", checked)


FULL = "bfc_arena.cc:376 Failed to allocate memory for requested buffer of size 9"
LOST = "cuda_call.cc:129 CUDA failure 719: unspecified launch failure ; GPU=0 ; hostname=h"
OLD = "CUDA failure 35: CUDA driver version is insufficient for CUDA runtime version ; GPU=0 ; hostname=h ; file=x"


def test_a_gpu_evaluator_binds_its_batches_and_runs_each_size_once_when_loaded(
    write: Write, a_gpu: list[tuple[str, int]]
) -> None:
    said: list[str] = []
    with telling(said.append):
        evaluator = OnnxEvaluator(write(), TTT, device="cuda", gpu=1)
    assert (evaluator.provider, evaluator.provider_note) == ("CUDA", "")
    assert evaluator.preferred_batches == (256, 2)
    assert set(a_gpu) == {("cuda", 1)}
    bound = len(a_gpu)
    check(evaluator)
    assert len(a_gpu) == bound
    assert said[0] == "preparing net.onnx for the GPU: batches of 1"
    assert said[-1] == "preparing net.onnx for the GPU: batches of 256"
    search = run_search(TTT.initial(), evaluator, 600, prove=False, memory_mb=16)
    assert search.snapshot().simulations >= 600


def test_out_of_memory_the_search_goes_on_at_a_smaller_batch(
    write: Write, monkeypatch: pytest.MonkeyPatch, a_gpu: list[tuple[str, int]]
) -> None:
    evaluator, alone = OnnxEvaluator(write(), TTT, device="cuda"), OnnxEvaluator(write(), TTT, device="cpu")
    failing_from(monkeypatch, 16, FULL)
    planes = np.random.default_rng(0).integers(0, 2, (70, 4, 3, 3)).astype(np.float32)
    for given, wanted in zip(evaluator.evaluate(planes), alone.evaluate(planes), strict=True):
        np.testing.assert_allclose(given, wanted, atol=1e-5)
    assert evaluator.provider == "CUDA"
    assert evaluator.provider_note == "the GPU's memory is full: it evaluates at most 16 positions at once"
    assert evaluator.preferred_batches == (16, 2)
    assert OnnxEvaluator(write(), TTT).provider_note == evaluator.provider_note  # found when it is loaded
    failing_from(monkeypatch, 0, FULL)
    check(evaluator)
    assert evaluator.provider_note == "the GPU failed (the GPU's memory is full); net.onnx goes on on the processor"
    assert OnnxEvaluator(write(), TTT).provider_note == "the net does not run on the GPU: the GPU's memory is full"


def test_a_lost_gpu_is_left_in_the_middle_of_a_search(
    write: Write, monkeypatch: pytest.MonkeyPatch, a_gpu: list[tuple[str, int]]
) -> None:
    evaluator = OnnxEvaluator(write(), TTT, device="cuda")
    search = run_search(TTT.initial(), evaluator, 50, prove=False, memory_mb=16)
    assert search.snapshot().evaluator == "net.onnx on CUDA"
    failing_from(monkeypatch, 0, LOST)
    search.run(Limit(simulations=400))
    snapshot = search.snapshot()
    assert snapshot.simulations >= 400
    assert snapshot.evaluator == "net.onnx on CPU"
    assert snapshot.evaluator_note == (
        "the GPU failed (CUDA failure 719: unspecified launch failure); net.onnx goes on on the processor"
    )
    assert evaluator.preferred_batches == (8, 1)


def test_a_driver_that_is_too_old_leaves_the_net_on_the_processor(
    write: Write, monkeypatch: pytest.MonkeyPatch, a_gpu: list[tuple[str, int]]
) -> None:
    failing_from(monkeypatch, 0, OLD)
    found = OnnxEvaluator(write(), TTT)
    assert found.provider == "CPU"
    assert found.provider_note == (
        "the net does not run on the GPU: CUDA failure 35: CUDA driver version is insufficient for CUDA runtime version"
    )
    check(found)
    with pytest.raises(BadNet, match="cannot run on CUDA: the net does not run on the GPU: CUDA failure 35"):
        OnnxEvaluator(write(), TTT, device="cuda")


@pytest.mark.parametrize(("key", "value"), [("device", "tpu"), ("threads", 0)])
def test_bad_requests(write: Write, key: str, value: Any) -> None:
    with pytest.raises(BadNet, match=f"{key} is {value!r}; it must be"):
        OnnxEvaluator(write(), TTT, **{key: value})


def test_lists_open_a_file_again_only_when_it_has_changed(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(net_file, "open_session", lambda path, *rest: opened.append(path) or open_session(path, *rest))
    path = write({**OURS, "step": "20"})
    for _ in range(2):
        assert default_net(TTT, tmp_path) == path
    assert opened == [path]
    write({**OURS, "step": "20", "game": "connect4"})
    assert default_net(TTT, tmp_path) is None
    assert opened == [path, path]
    path.unlink()
    with pytest.raises(BadNet, match="does not exist"):
        net_file.listed_net_info(path)


def test_default_net_is_the_one_trained_longest(write: Write, tmp_path: Path) -> None:
    assert default_net(TTT, tmp_path) is None
    write({**OURS, "step": "20"}, name="b.onnx")
    write({**OURS, "step": "100"}, name="a.onnx")
    write({**OURS, "step": "900", "game": "connect4"}, name="c.onnx")
    write(None, name="foreign.onnx")
    (tmp_path / "junk.onnx").write_bytes(b"junk")
    assert default_net(TTT, tmp_path) == tmp_path / "a.onnx"
    assert default_net(load_game("connectn(rows=4, cols=4, k=3)"), tmp_path) is None


def test_shipped_nets_are_whole() -> None:
    """Every net that comes along loads for the game it names."""
    for path in nets_dir().glob("*.onnx"):
        info = read_net_info(path)
        game = load_game(info.game)
        evaluator = OnnxEvaluator(path, game, device="cpu")
        answer = ask(evaluator, make_inputs(game, evaluator.encoding, 1), game.num_actions)
        assert answer.logits.shape == (1, game.num_actions)
        assert -1.0 <= float(answer.values[0]) <= 1.0


def test_torch_is_not_imported() -> None:
    names = ["netfiles.evaluator", "play.selfplay", "strength.match", "play.replay", "runs.reports", "runs.config"]
    code = f"import sys, {', '.join(f'models.{name}' for name in names)}; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_shipped_net_that_is_shown_the_komi_serves_every_komi_of_its_board_and_rules() -> None:
    exact = default_net(load_game("go(size=7, komi=9)"))
    assert exact is not None
    assert default_net(load_game("go(size=7)")) == exact
    assert default_net(load_game("go(size=7, rules=japanese)")) is None
    assert default_net(load_game("go(size=8)")) is None
