"""A run's own net: its files, and the choice of what computes it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.games import GameSpec, load_game
from models.netfiles.agreement import AgreementGate
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.net_file import read_net_info
from models.netfiles.ort_session import BadNet
from models.nets.export import random_inputs
from models.nets.net import NetConfig, PolicyValueNet, TorchEvaluator, playing_devices
from models.training.playing_net import choose, make_evaluators, precision_of, write_net

GAME = load_game("tictactoe")
CPU = torch.device("cpu")


def a_net(seed: int, blocks: int = 1) -> PolicyValueNet:
    """A net whose normalisations have seen something."""
    torch.manual_seed(seed)
    net = PolicyValueNet.for_game(GAME, NetConfig(blocks, 8)).train()
    with torch.no_grad():
        net(torch.rand(16, 4, 3, 3))
    return net.eval()


def planes() -> np.ndarray:
    return random_inputs(GAME, 6, np.random.default_rng(0)).planes


def test_a_written_file_is_the_net(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    for seed, blocks, step in ((0, 1, 5), (10, 1, 6), (1, 0, 7)):
        net = a_net(seed, blocks)
        write_net(net, GAME, path, step)
        assert read_net_info(path).step == step
        got = OnnxEvaluator(path, GAME, device="cpu").evaluate(planes())
        want = TorchEvaluator(net, device="cpu", bf16=False).evaluate(planes())
        np.testing.assert_allclose(got[0], want[0], atol=1e-5)
        np.testing.assert_allclose(got[1], want[1], atol=1e-5)


def test_an_untrained_net_is_written(tmp_path: Path) -> None:
    """Its biases are all zero, and each has its place in the file nevertheless."""
    write_net(PolicyValueNet.for_game(GAME, NetConfig(1, 8)).eval(), GAME, tmp_path / "x.onnx", 0)
    logits, _ = OnnxEvaluator(tmp_path / "x.onnx", GAME, device="cpu").evaluate(planes())
    assert logits.shape == (6, 9)


@pytest.mark.parametrize("kind", ["torch", "onnxruntime"])
def test_evaluators_of_both_kinds(tmp_path: Path, kind: str) -> None:
    net = a_net(0)
    choice = choose(kind, net, GAME, tmp_path, CPU, batch=4)
    assert choice.kind == kind
    assert choice.rate > 0
    assert choice.words.startswith(kind)
    assert "evaluations/s alone at batch 4" in choice.words
    ((made,),) = make_evaluators(kind, net, [GAME], tmp_path, 3, [CPU])
    got = made.evaluate(planes())
    want = TorchEvaluator(net, device="cpu", bf16=False).evaluate(planes())
    np.testing.assert_allclose(got[1], want[1], atol=0.02)  # bfloat16 where the processor has it


@pytest.mark.slow
def test_int8_is_used_unless_it_loses_accuracy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    net = a_net(0)
    assert choose("int8", net, GAME, tmp_path, CPU, batch=4).words.startswith("int8 on CPU")
    want = TorchEvaluator(net, device="cpu", bf16=False).evaluate(planes())
    both = [one for (one,) in make_evaluators("int8", net, [GAME], tmp_path, 3, [CPU, CPU])]
    assert [precision_of(one) for one in both] == ["int8", "int8"]
    for one in both:
        np.testing.assert_allclose(one.evaluate(planes())[1], want[1], atol=0.1)
    monkeypatch.setattr("models.training.playing_net.PLAYING_GATE", AgreementGate(1.01, 0.0))
    ((as_it_is,),) = make_evaluators("int8", net, [GAME], tmp_path, 4, [CPU])
    assert precision_of(as_it_is) == "fp32"
    np.testing.assert_allclose(as_it_is.evaluate(planes())[1], want[1], atol=1e-5)


def test_players_take_the_gpus_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    gpus = playing_devices(torch.device("cuda"), 5)
    assert [device.index for device in gpus] == [0, 1, 0, 1, 0]
    assert playing_devices(CPU, 3) == [CPU, CPU, CPU]


def test_auto_skips_an_onnxruntime_that_cannot_use_the_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise BadNet("the net cannot run on CUDA: no driver")

    monkeypatch.setattr("models.training.playing_net.OnnxEvaluator", refuse)
    choice = choose("auto", a_net(0), GAME, tmp_path, CPU, batch=4)
    assert choice.kind == "torch"
    assert choice.words.endswith("; the net cannot run on CUDA: no driver")
    with pytest.raises(BadNet):
        choose("onnxruntime", a_net(0), GAME, tmp_path, CPU, batch=4)


def with_openvino(monkeypatch: pytest.MonkeyPatch, refused: str = "") -> list[str]:
    """Let OpenVINO seem installed; the runtimes that are asked for are returned."""
    asked: list[str] = []

    class Asked(OnnxEvaluator):
        def __init__(self, path: Path, game: GameSpec, *, runtime: str, **options: Any) -> None:
            asked.append(runtime)
            if runtime == refused:
                raise BadNet("net.onnx cannot run in OpenVINO bf16: its answers differ")
            super().__init__(path, game, **options)
            self.runtime = runtime

    monkeypatch.setattr("models.training.playing_net.OnnxEvaluator", Asked)
    monkeypatch.setattr("models.training.playing_net.other_runtimes", lambda _: ("openvino", "openvino-bf16"))
    return asked


def test_auto_measures_openvino_too_and_takes_it_where_it_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = with_openvino(monkeypatch)
    rates = {"torch": 10.0, "onnxruntime": 20.0, "openvino": 15.0, "openvino-bf16": 40.0}
    monkeypatch.setattr(
        "models.training.playing_net.evaluation_rates", lambda found, *_: {name: rates[name] for name in found}
    )
    choice = choose("auto", a_net(0), GAME, tmp_path, CPU, batch=4)
    assert asked == ["onnxruntime", "openvino", "openvino-bf16"]
    assert (choice.kind, choice.rate) == ("openvino-bf16", 40.0)
    assert choice.words.startswith("openvino-bf16 on CPU, 40 evaluations/s alone at batch 4")
    assert choice.words.endswith("(torch 10, onnxruntime 20, openvino 15)")


def test_openvino_with_other_answers_is_left_out_and_later_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = with_openvino(monkeypatch, refused="openvino-bf16")
    choice = choose("auto", a_net(0), GAME, tmp_path, CPU, batch=4)
    assert choice.kind != "openvino-bf16"
    assert choice.words.endswith("; net.onnx cannot run in OpenVINO bf16: its answers differ")
    with pytest.raises(BadNet, match="its answers differ"):
        choose("openvino-bf16", a_net(0), GAME, tmp_path, CPU, batch=4)
    del asked[:]
    both = [one for (one,) in make_evaluators("openvino-bf16", a_net(0), [GAME], tmp_path, 3, [CPU, CPU])]
    assert asked == ["openvino-bf16", "onnxruntime", "onnxruntime"]
    assert [precision_of(one) for one in both] == ["fp32", "fp32"]
    ((made,),) = make_evaluators("openvino", a_net(0), [GAME], tmp_path, 3, [CPU])
    assert precision_of(made) == "fp32"


def test_openvino_that_is_not_installed_is_an_error_where_it_is_wanted(tmp_path: Path) -> None:
    with pytest.raises(BadNet, match="cannot run in OpenVINO: the package openvino is not installed"):
        choose("openvino", a_net(0), GAME, tmp_path, CPU, batch=4)
