"""The torch net: shapes, values, folding, and torch as an evaluator."""

import numpy as np
import pytest
import torch

from core.games import load_game
from models.nets import net as nets
from models.nets.net import NetConfig, PolicyValueNet, TorchEvaluator, folded, gpu_left_out, pick_device

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
