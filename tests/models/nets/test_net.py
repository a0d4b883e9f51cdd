"""The net of torch: its answers and size, its file, and a warm start from one."""

import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest
import torch

from core.games import load_game
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.ort_session import BadNet
from models.nets import export
from models.nets import net as nets
from models.nets.export import ExportError, export_onnx, random_inputs
from models.nets.net import PolicyValueNet, TorchEvaluator, folded, gpu_left_out, pick_device
from models.nets.net_graph import net_onnx
from models.nets.warm_start import load_matching_weights
from models.runs.net_config import NetConfig, net_size

GAME = load_game("connectn(rows=5, cols=4, k=3)")
TINY = NetConfig(blocks=1, channels=8)


@pytest.fixture
def net() -> PolicyValueNet:
    """A net whose normalisations have statistics and factors of their own, as after training."""
    torch.manual_seed(0)
    net = PolicyValueNet.for_game(GAME, TINY)
    with torch.no_grad():
        for module in net.modules():
            if isinstance(module, torch.nn.BatchNorm2d):
                module.running_mean.normal_(std=0.3)
                module.running_var.uniform_(0.5, 2.0)
                module.weight.uniform_(0.5, 1.5)
                module.bias.normal_(std=0.3)
        net.policy_out.weight.normal_(std=0.2)
        net.wdl_out.weight.normal_(std=0.5)
    return net.eval()


def planes(count: int) -> np.ndarray:
    return (np.random.default_rng(1).random((count, 4, 5, 4)) < 0.4).astype(np.float32)


@pytest.mark.parametrize(
    ("driver", "cuda", "words"),
    [
        ("no NVIDIA driver found", None, "no NVIDIA driver found"),
        ("", None, "this torch is built without CUDA"),
        ("", "13.0", "torch finds no GPU it can use"),
    ],
)
def test_the_reason_for_choosing_the_cpu_is_given(
    monkeypatch: pytest.MonkeyPatch, driver: str, cuda: str | None, words: str
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.version, "cuda", cuda)
    monkeypatch.setattr(nets, "missing_gpu", lambda: driver)
    assert gpu_left_out("auto") == f"the net is computed on the processor: {words}"
    assert gpu_left_out("cpu") == ""


def test_value_is_win_minus_loss(net: PolicyValueNet) -> None:
    _, value, wdl = net(torch.from_numpy(planes(16)))
    chances = np.exp(wdl.detach().numpy())
    chances /= chances.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(value.detach().numpy(), chances[:, 0] - chances[:, 2], atol=1e-6)
    assert np.ptp(value.detach().numpy()) > 0.01


def test_new_net_is_near_uniform_and_near_zero() -> None:
    torch.manual_seed(0)
    with torch.inference_mode():
        policy, value, _ = PolicyValueNet.for_game(GAME, TINY).eval()(torch.from_numpy(planes(8)))
    assert float(policy.abs().max()) < 0.1
    assert float(value.abs().max()) < 0.1


def test_folding_changes_no_answer_and_not_the_net(net: PolicyValueNet) -> None:
    before = {name: tensor.clone() for name, tensor in net.state_dict().items()}
    plain = folded(net)
    x = torch.from_numpy(planes(5))
    with torch.inference_mode():
        for got, want in zip(plain(x), net(x), strict=True):
            torch.testing.assert_close(got, want, atol=1e-5, rtol=1e-5)
    assert not any(isinstance(module, torch.nn.BatchNorm2d) for module in plain.modules())
    assert all(torch.equal(tensor, before[name]) for name, tensor in net.state_dict().items())


@pytest.mark.parametrize(("bf16", "tolerance"), [(False, 1e-5), (True, 0.05)])
def test_evaluator_answers_as_the_net(net: PolicyValueNet, bf16: bool, tolerance: float) -> None:
    evaluator = TorchEvaluator(net, "mine", "cpu", bf16)
    policy, value = evaluator.evaluate(planes(7))
    with torch.inference_mode():
        want_policy, want_value, _ = net(torch.from_numpy(planes(7)))
    assert (policy.dtype, value.dtype) == (np.float32, np.float32)
    np.testing.assert_allclose(policy, want_policy.numpy(), atol=tolerance)
    np.testing.assert_allclose(value, want_value.numpy(), atol=tolerance)
    assert evaluator.description == f"mine on CPU (torch, {'bf16' if bf16 else 'float32'})"


def test_evaluator_keeps_the_weights_it_was_made_with(net: PolicyValueNet) -> None:
    evaluator = TorchEvaluator(net, "mine", "cpu", bf16=False)
    before = evaluator.evaluate(planes(2))[0]
    with torch.no_grad():
        net.policy_out.bias.add_(1.0)
    np.testing.assert_array_equal(evaluator.evaluate(planes(2))[0], before)


def test_evaluator_quotes_wrong_planes(net: PolicyValueNet) -> None:
    with pytest.raises(ValueError, match=r"shape \(2, 4, 3, 3\); mine takes \(batch, \*\(4, 5, 4\)\)"):
        TorchEvaluator(net, "mine", "cpu").evaluate(np.zeros((2, 4, 3, 3), np.float32))


def test_cuda_without_a_gpu_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert pick_device("auto") == torch.device("cpu")
    with pytest.raises(ValueError, match="device is 'cuda', but torch finds no GPU"):
        pick_device("cuda")


@pytest.mark.parametrize(("name", "value"), [("blocks", -1), ("channels", 0), ("value_hidden", 1.5), ("blocks", True)])
def test_bad_sizes_are_quoted(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"{name} is {value!r}; it must be a whole number"):
        NetConfig(**{name: value})  # type: ignore[arg-type]


GO = "go(size=7, komi=9)"


def parameters(net: PolicyValueNet) -> int:
    return sum(tensor.numel() for tensor in net.parameters())


@pytest.mark.parametrize("blocks", [0, 3])
@pytest.mark.parametrize(
    ("game", "heads", "inputs"),
    [
        ("tictactoe", "dense", "board"),
        ("connect4", "dense", "board"),
        ("nim(heaps=3-4-5)", "dense", "board"),
        ("othello(size=6)", "pooled", "board"),
        (GO, "dense", "board"),
        (GO, "pooled", "board"),
        (GO, "dense", "points"),
        (GO, "pooled", "points"),
    ],
)
def test_parameters_are_those_of_the_net(game: str, heads: str, inputs: str, blocks: int) -> None:
    spec, config = load_game(game), NetConfig(blocks, 24, 5, 6, 17, heads, inputs)
    assert net_size(spec, config).parameters == parameters(PolicyValueNet.for_game(spec, config))


def test_multiplications_are_those_of_all_layers() -> None:
    """Counted while a net of torch answers for one position."""
    import torch
    from torch import nn

    spec, config = load_game("tictactoe"), NetConfig(2, 8)
    net, counted = PolicyValueNet.for_game(spec, config).eval(), []

    def count(layer: nn.Module, _: object, output: torch.Tensor) -> None:
        assert isinstance(layer, nn.Conv2d | nn.Linear)
        places = output.shape[2:].numel() if isinstance(layer, nn.Conv2d) else 1
        counted.append(layer.weight.numel() * places)

    for layer in net.modules():
        if isinstance(layer, nn.Conv2d | nn.Linear):
            layer.register_forward_hook(count)
    net(torch.zeros(1, *net.input_shape))
    assert net_size(spec, config).multiplications == sum(counted)


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


SMALL = load_game("gomoku(size=6)")
LARGE = load_game("gomoku(size=7)")
OTHELLO = load_game("othello(size=4)")


def net_for(game, heads="dense", seed=0, blocks=1):
    torch.manual_seed(seed)
    net = PolicyValueNet.for_game(game, NetConfig(blocks, 8, 4, 4, 16, heads)).train()
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
        net(torch.from_numpy(random_inputs(game, 32, np.random.default_rng(1)).planes))
    return net.eval()


def answers(net, planes):
    with torch.no_grad():
        policy, value, _ = net(torch.from_numpy(planes))
    return policy.numpy(), value.numpy()


@pytest.mark.parametrize("heads", ["dense", "pooled"])
@pytest.mark.parametrize("game", [SMALL, OTHELLO], ids=str)
def test_a_net_begun_with_a_file_answers_as_the_file(tmp_path: Path, game, heads) -> None:
    export_onnx(net_for(game, heads), game, tmp_path / "a.onnx", 7)
    net = net_for(game, heads, seed=1)
    planes = random_inputs(game, 40, np.random.default_rng(2)).planes
    file = OnnxEvaluator(tmp_path / "a.onnx", game, device="cpu").evaluate(planes)
    assert np.abs(answers(net, planes)[0] - file[0]).max() > 0.01, "another net"
    assert load_matching_weights(net, tmp_path / "a.onnx", game) == f"initialised from a.onnx ({game.text}, step 7)"
    for mine, theirs in zip(answers(net, planes), file, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-4)


@pytest.mark.slow
def test_a_warm_started_net_answers_similarly_in_training_mode(tmp_path: Path) -> None:
    """On many positions of the same kind a batch's statistics are near those put in: the first steps do no harm."""
    export_onnx(net_for(SMALL), SMALL, tmp_path / "a.onnx", 7)
    net = net_for(SMALL, seed=1)
    planes = random_inputs(SMALL, 512, np.random.default_rng(3)).planes
    want = answers(net_for(SMALL), planes)[0]
    load_matching_weights(net, tmp_path / "a.onnx", SMALL)
    apart = np.abs(answers(net.train(), planes)[0] - want).mean()
    assert apart < 0.1 * want.std()


@pytest.mark.slow
def test_a_pooled_net_moves_to_another_board_whole(tmp_path: Path) -> None:
    export_onnx(net_for(SMALL, "pooled"), SMALL, tmp_path / "a.onnx", 3)
    net = net_for(LARGE, "pooled", seed=1)
    assert load_matching_weights(net, tmp_path / "a.onnx", LARGE) == "initialised from a.onnx (gomoku(size=6), step 3)"
    planes = random_inputs(LARGE, 8, np.random.default_rng(2)).planes
    same = net_for(LARGE, "pooled", seed=2)
    same.load_state_dict(net_for(SMALL, "pooled").state_dict())
    np.testing.assert_allclose(answers(net, planes)[0], answers(same, planes)[0], atol=1e-4)


def test_a_dense_net_initialises_the_tower_of_another_size(tmp_path: Path) -> None:
    export_onnx(net_for(SMALL), SMALL, tmp_path / "a.onnx", 3)
    net = net_for(LARGE, seed=1)
    message = load_matching_weights(net, tmp_path / "a.onnx", LARGE)
    assert message.endswith(", except policy_out, value_hidden")
    file = TorchEvaluator(net_for(SMALL), device="cpu", bf16=False)._net
    np.testing.assert_allclose(net.stem.conv.weight.detach(), file.stem.conv.weight, atol=1e-6)


def test_another_tower_is_refused(tmp_path: Path) -> None:
    export_onnx(net_for(SMALL, blocks=2), SMALL, tmp_path / "a.onnx", 3)
    with pytest.raises(
        BadNet, match=r"a\.onnx' cannot initialise this run: its tower is not of 3 blocks of 8 channels"
    ):
        load_matching_weights(net_for(SMALL, blocks=3), tmp_path / "a.onnx", SMALL)
    with pytest.raises(BadNet, match=r"none\.onnx"):
        load_matching_weights(net_for(SMALL), tmp_path / "none.onnx", SMALL)
