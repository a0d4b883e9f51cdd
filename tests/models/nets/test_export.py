"""ONNX export: the file, its metadata, its answers, and that a failure leaves nothing behind."""

import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest
import torch

from core.games import load_game
from models.netfiles.evaluator import OnnxEvaluator
from models.nets import export
from models.nets.export import ExportError, export_onnx, random_inputs
from models.nets.net import NetConfig, PolicyValueNet, folded
from models.nets.net_graph import net_onnx

GAME = load_game("connectn(rows=5, cols=4, k=3)")
TINY = NetConfig(blocks=1, channels=8)


def make_net(seed: int = 0) -> PolicyValueNet:
    torch.manual_seed(seed)
    net = PolicyValueNet.for_game(GAME, TINY)
    with torch.no_grad():
        net.policy_out.weight.normal_(std=0.2)
        net.wdl_out.weight.normal_(std=0.5)
    return net


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[PolicyValueNet, Path]:
    net, path = make_net(), tmp_path_factory.mktemp("export") / "new folder" / "net.onnx"
    parity = export_onnx(net, GAME, path, step=1234)
    assert 0.0 <= parity.max_dp <= 1e-4
    assert 0.0 <= parity.max_dv <= 1e-4
    assert parity.positions == 64
    return net, path


@pytest.mark.slow
def test_exported_files_have_metadata(exported: tuple[PolicyValueNet, Path]) -> None:
    model = onnx.load(exported[1])
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    assert metadata["plyscope.format"] == "1"
    assert metadata["plyscope.game"] == "connectn(rows=5, cols=4, k=3)"
    assert metadata["plyscope.encoding"] == "mover-opponent-last-first/1"
    assert metadata["plyscope.step"] == "1234"
    assert metadata["plyscope.precision"] == "fp32"
    assert json.loads(metadata["plyscope.config"])["channels"] == 8
    assert [entry.version for entry in model.opset_import if entry.domain == ""] == [20]
    assert [node.name for node in model.graph.input] == ["planes"]
    assert [node.name for node in model.graph.output] == ["policy", "value", "wdl"]
    onnx.checker.check_model(model)


def test_file_is_compact_and_alone(exported: tuple[PolicyValueNet, Path]) -> None:
    net, path = exported
    assert path.stat().st_size < 4 * sum(weights.numel() for weights in net.parameters()) + 20_000
    assert [entry.name for entry in path.parent.iterdir()] == ["net.onnx"]
    assert str(Path(export.__file__).parent).encode() not in path.read_bytes()


@pytest.mark.parametrize("batch", [1, 2, 7, 64])
def test_answers_are_torchs_at_any_batch(exported: tuple[PolicyValueNet, Path], batch: int) -> None:
    net, path = exported
    planes = random_inputs(GAME, batch, np.random.default_rng(batch)).planes
    policy, value = OnnxEvaluator(path, GAME, device="cpu").evaluate(planes)
    with torch.inference_mode():
        want_policy, want_value, want_wdl = net.eval()(torch.from_numpy(planes))
    np.testing.assert_allclose(policy, want_policy.numpy(), atol=1e-4)
    np.testing.assert_allclose(value, want_value.numpy(), atol=1e-4)
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    np.testing.assert_allclose(session.run(["wdl"], {"planes": planes})[0], want_wdl.numpy(), atol=1e-4)


def test_export_is_quiet_and_leaves_the_net_training(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    net = make_net().train()
    export_onnx(net, GAME, tmp_path / "net.onnx", 0)
    assert capfd.readouterr() == ("", "")
    assert net.training


def test_net_of_another_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"20 actions; tictactoe has planes \(4, 3, 3\) and 9 actions"):
        export_onnx(make_net(), load_game("tictactoe"), tmp_path / "net.onnx", 0)
    assert not list(tmp_path.iterdir())


def test_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    net = make_net()
    with torch.no_grad():
        net.stem.conv.weight[0, 0, 0, 0] = float("nan")
    with pytest.raises(ExportError, match="weights that are not numbers"):
        export_onnx(net, GAME, tmp_path / "net.onnx", 0)
    assert not list(tmp_path.iterdir())


def test_a_file_with_other_answers_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "net.onnx"
    old.write_bytes(b"the net of yesterday")
    honest = net_onnx
    monkeypatch.setattr(export, "net_onnx", lambda net, about: honest(folded(make_net(1)), about))
    with pytest.raises(ExportError, match="differs from torch by"):
        export_onnx(make_net(0), GAME, old, 0)
    assert old.read_bytes() == b"the net of yesterday"
    assert list(tmp_path.iterdir()) == [old]


def test_random_planes_are_positions_still_to_play() -> None:
    planes = random_inputs(GAME, 50, np.random.default_rng(3)).planes
    assert set(np.unique(planes)) == {0.0, 1.0}
    assert (planes[:, 0] * planes[:, 1] == 0).all()
    assert len(np.unique(planes.reshape(50, -1), axis=0)) > 20


def test_an_untrained_net_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "new.onnx"
    assert export.main([GAME.text, "--blocks", "1", "--channels", "8", "--out", str(path)]) == 0
    info = OnnxEvaluator(path, GAME).info
    assert (info.step, info.config["blocks"], info.config["channels"]) == (0, 1, 8)
    with pytest.raises(SystemExit):
        export.main(["chess", "--out", str(path)])
    assert "'chess'" in capsys.readouterr().err
