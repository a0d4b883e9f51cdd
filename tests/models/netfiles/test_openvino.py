"""Nets in OpenVINO: that its package reports nothing, and, where it is installed, its answers, threads and refusals."""

import importlib.util
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper

from core.games import load_game
from core.games.net_inputs import inputs_of
from models.netfiles import opened, openvino_runtime, runtime_choice
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.ort_session import BadNet
from models.netfiles.runtimes import missing_runtime, open_runtime
from models.netfiles.shipped import nets_dir
from tests.core.search.fakes import run_search
from tests.models.netfiles.katago_nets import RandomLeela
from tests.models.netfiles.test_evaluator import TTT
from tests.models.netfiles.test_evaluator import Write as Write
from tests.models.netfiles.test_evaluator import write as write

KATA = Path(__file__).parents[2] / "data" / "katago" / "tiny" / "rect15-b2c16.bin.gz"
CONNECT4 = load_game("connect4")
NET = nets_dir() / "connect4-4x48.onnx"


@pytest.fixture(autouse=True)
def _own_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (runtime_choice, opened):
        monkeypatch.setattr(module, "user_cache_dir", lambda: tmp_path / "caches")


@pytest.fixture
def openvino(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take back that the tests run without OpenVINO."""
    if sys.modules["openvino"] is None:
        monkeypatch.delitem(sys.modules, "openvino")
    if importlib.util.find_spec("openvino") is None:
        pytest.skip("OpenVINO is not installed")
    return


FAKE = {
    "openvino/__init__.py": """
try:
    from openvino.tools.ovc import convert_model
except ImportError:
    pass
class Core:
    pass
""",
    "openvino/frontend.py": """
class FrontEndManager:
    def load_by_framework(self, name):
        return name
""",
    "openvino/tools/__init__.py": "",
    "openvino/tools/ovc.py": "print('reported')\ndef convert_model():\n    pass\n",
}
IMPORTS = """
import sys
from models.netfiles import openvino_runtime
found = openvino_runtime._openvino()
assert found.reader == "onnx" and type(found.core).__name__ == "Core", found
assert not any(name.startswith("openvino.tools") for name in sys.modules), sys.modules
import openvino.tools.ovc
"""


def test_the_part_of_the_package_that_reports_to_its_makers_is_not_imported(tmp_path: Path) -> None:
    """It would report at each import; another program's own import of it works as ever."""
    for name, text in FAKE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    root = Path(__file__).parents[3]
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{root}"}

    def printed(code: str) -> str:
        command = [sys.executable, "-c", code]
        return subprocess.run(command, env=environment, capture_output=True, text=True, cwd=root, check=True).stdout

    assert printed("import openvino") == "reported\n"
    assert printed(IMPORTS) == "reported\n"  # by the last line alone


def test_the_line_of_an_error_that_says_what_is_wrong() -> None:
    text = (
        "Exception from src/core.cpp:84:\nCheck 'm_model' failed at src/x.cpp:1:\nFrontEnd API failed with X:\nBad op"
    )
    assert openvino_runtime._reason(RuntimeError(text)) == "Bad op"
    assert openvino_runtime._reason(RuntimeError("")) == "RuntimeError"


def test_a_package_that_does_not_load_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ImportError("libtbb.so.12: cannot open shared object file")

    monkeypatch.setattr(openvino_runtime, "_openvino", broken)
    with pytest.raises(BadNet, match=r"the package openvino cannot be loaded: libtbb\.so\.12: cannot open"):
        openvino_runtime.OpenVinoRuntime(NET, ("policy", "value"), 1, (8,))


# The following run where OpenVINO is installed.


@pytest.mark.usefixtures("openvino")
def test_nothing_of_the_converter_is_imported() -> None:
    OnnxEvaluator(NET, CONNECT4, device="cpu", runtime="openvino")
    assert not any(name.startswith(("openvino.tools.ovc", "openvino_telemetry")) for name in sys.modules)


@pytest.mark.usefixtures("openvino")
@pytest.mark.parametrize("batch", [1, 3, 8, 21])
def test_answers_are_those_of_onnxruntime(batch: int) -> None:
    planes = np.stack([CONNECT4.position(" ".join("abcdefg"[: i % 7])).planes() for i in range(batch)])
    want = OnnxEvaluator(NET, CONNECT4, device="cpu").evaluate(planes)
    found = OnnxEvaluator(NET, CONNECT4, device="cpu", runtime="openvino")
    assert found.description == "connect4-4x48.onnx, OpenVINO on CPU"
    for given, wanted in zip(found.evaluate(planes), want, strict=True):
        np.testing.assert_allclose(given, wanted, atol=1e-4)
    kept = found.evaluate(planes)[0]
    before = kept.copy()
    found.evaluate(planes[::-1])
    np.testing.assert_array_equal(kept, before)  # no view of a buffer


@pytest.mark.usefixtures("openvino")
def test_16_bits_are_close_or_refused() -> None:
    if reason := missing_runtime("openvino-bf16"):
        with pytest.raises(BadNet, match="does not compute with 16 bits"):
            OnnxEvaluator(NET, CONNECT4, device="cpu", runtime="openvino-bf16")
        pytest.skip(reason)
    planes = CONNECT4.position("d d c").planes()[None]
    want = OnnxEvaluator(NET, CONNECT4, device="cpu").evaluate(planes)
    found = OnnxEvaluator(NET, CONNECT4, device="cpu", runtime="openvino-bf16").evaluate(planes)
    np.testing.assert_allclose(found[1], want[1], atol=0.05)
    assert 0 < np.abs(found[0] - want[0]).max() < 0.5


@pytest.mark.usefixtures("openvino")
@pytest.mark.parametrize("text", ["go(size=7, komi=7)", "go(rows=9, cols=5)"])
def test_a_net_of_katago_on_boards_of_two_sizes(text: str) -> None:
    search = run_search(load_game(text).initial(), same_answers(KATA, text), 50)
    assert search.snapshot().evaluator == "rect15-b2c16.bin.gz, OpenVINO on CPU"


def same_answers(path: Path, text: str) -> OnnxEvaluator:
    """Compare the answers of OpenVINO with those of onnxruntime; the evaluator by OpenVINO."""
    game = load_game(text)
    first, second = (OnnxEvaluator(path, game, device="cpu", runtime=name) for name in ("onnxruntime", "openvino"))
    inputs = inputs_of(game.position("d4 c3 pass"), first.encoding)
    given = inputs if inputs.features.shape[1] else inputs[:1]
    for found, wanted in zip(second.evaluate(*given), first.evaluate(*given), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3)
    assert second.gives_ownership == first.gives_ownership
    if first.gives_ownership:
        np.testing.assert_allclose(second.ownership(*given), first.ownership(*given), atol=1e-5)
    return second


@pytest.mark.usefixtures("openvino")
def test_a_net_of_leela_zero(tmp_path: Path) -> None:
    path = tmp_path / "weights.txt.gz"
    path.write_bytes(RandomLeela(7, 1, 4).file())
    same_answers(path, "go(size=7)")


@pytest.mark.usefixtures("openvino")
def test_a_file_of_one_batch_size(write: Write) -> None:
    path = write(shape=(3, 4, 3, 3), value_shape=(3,))
    planes = np.random.default_rng(0).random((7, 4, 3, 3)).astype(np.float32)
    want = OnnxEvaluator(path, TTT, device="cpu").evaluate(planes)
    found = OnnxEvaluator(path, TTT, device="cpu", runtime="openvino").evaluate(planes)
    for given, wanted in zip(found, want, strict=True):
        np.testing.assert_allclose(given, wanted, atol=1e-4)


@pytest.mark.usefixtures("openvino")
def test_what_openvino_cannot_read_is_said_in_one_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    damaged = tmp_path / "damaged.onnx"
    damaged.write_bytes(NET.read_bytes()[:1000])
    unknown = tmp_path / "unknown.onnx"
    model = onnx.load(NET)
    model.graph.node.append(helper.make_node("Foo", ["policy"], ["foo"], domain="nowhere"))
    model.graph.output.append(helper.make_tensor_value_info("foo", onnx.TensorProto.FLOAT, None))
    onnx.save(model, unknown)
    gone = tmp_path / "gone.onnx"
    for path, outputs in ((damaged, ("policy",)), (unknown, ("foo",)), (gone, ("policy",))):
        with pytest.raises(BadNet, match=r"^OpenVINO cannot read the net: [^\n]+$"):
            open_runtime("openvino", path, outputs, 1, None)
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("openvino")
def test_a_net_whose_outputs_have_no_fixed_shape_fails_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "nonzero.onnx"
    model = onnx.load(NET)
    model.graph.node.append(helper.make_node("NonZero", ["policy"], ["which"]))
    model.graph.output.append(helper.make_tensor_value_info("which", onnx.TensorProto.INT64, None))
    onnx.save(model, path)
    planes = CONNECT4.initial().planes()[None]
    with pytest.raises(RuntimeError, match=r"^its outputs have no fixed shape$"):
        open_runtime("openvino", path, ("which",), 1, None).run({"planes": planes})
    with pytest.raises(RuntimeError, match=r"^[^\n]*(planes|shape|dimension)[^\n]*$"):
        open_runtime("openvino", NET, ("policy",), 1, None).run({"planes": planes[:, :, :2]})


@pytest.mark.usefixtures("openvino")
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted by Linux's files")
def test_threads_rest_and_do_not_add_up() -> None:
    def threads() -> int:
        return len(os.listdir("/proc/self/task"))

    planes = np.zeros((15, *CONNECT4.initial().planes().shape), np.float32)
    counts = []
    for _ in range(4):
        evaluator = OnnxEvaluator(NET, CONNECT4, device="cpu", threads=1, runtime="openvino")
        evaluator.evaluate(planes)
        counts.append(threads())
        del evaluator
    assert counts[-1] <= counts[1]
    evaluator = OnnxEvaluator(NET, CONNECT4, device="cpu", threads=1, runtime="openvino")
    before = time.process_time()
    threading.Event().wait(0.2)
    assert time.process_time() - before < 0.05
    # One thread evaluates: what the process spends is what the calling thread does.
    process, own = time.process_time(), time.thread_time()
    for _ in range(20):
        evaluator.evaluate(planes)
    process, own = time.process_time() - process, time.thread_time() - own
    assert own > 0.7 * process


@pytest.mark.usefixtures("openvino")
def test_the_lock_of_python_is_free_while_a_net_is_evaluated() -> None:
    evaluator = OnnxEvaluator(NET, CONNECT4, device="cpu", threads=1, runtime="openvino")
    planes = np.zeros((512, *CONNECT4.initial().planes().shape), np.float32)
    seen, done = 0, threading.Event()

    def work() -> None:
        evaluator.evaluate(planes)
        done.set()

    before = sys.getswitchinterval()
    sys.setswitchinterval(10.0)  # nobody else gets the lock unless it is given away
    try:
        thread = threading.Thread(target=work)
        thread.start()
        while not done.is_set() and seen < 3:
            time.sleep(0)
            seen += 1
        thread.join()
    finally:
        sys.setswitchinterval(before)
    assert seen == 3
