"""Nets of a game that points decide: their answers, their file, other board sizes, 8 bits, their losses by hand."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch

from core.games import load_game
from core.games.net_inputs import encoding_for, inputs_of
from models.netfiles.agreement import AgreementGate
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.net_file import OWNERSHIP, SCORE, read_net_info
from models.netfiles.opened import is_for
from models.netfiles.ort_session import BadNet, open_session
from models.netfiles.quantise import to_precision
from models.nets.export import export_onnx, fed, random_inputs
from models.nets.net import NetConfig, PolicyValueNet, TorchEvaluator
from models.nets.warm_start import load_matching_weights
from models.play.samples import PointSamples
from models.training.learning import points_losses
from tests.core.search.fakes import run_search

GO = load_game("go(size=4, komi=3.5)")
CONFIG = NetConfig(1, 8, 4, 4, 8, "pooled", "points")


@pytest.fixture(scope="module")
def net() -> PolicyValueNet:
    torch.manual_seed(1)
    net = PolicyValueNet.for_game(GO, CONFIG)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return net.eval()


@pytest.fixture(scope="module")
def path(net: PolicyValueNet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nets") / "points.onnx"
    parity = export_onnx(net, GO, path, 7)
    assert max(parity.max_dp, parity.max_dv) < 1e-4
    return path


def outputs(path: Path, *given: torch.Tensor) -> dict[str, np.ndarray]:
    session = open_session(path, None, ["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    planes, features = (one.numpy() for one in given)
    return dict(zip(names, session.run(names, {"planes": planes, "features": features}), strict=True))


def test_the_lead_is_the_sum_of_ownership_and_komi(net: PolicyValueNet, path: Path) -> None:
    inputs = fed(net, random_inputs(GO, 9, np.random.default_rng(2), encoding_for(GO, "points")))
    found = outputs(path, *inputs)
    assert found[OWNERSHIP].shape == (9, 4, 4)
    assert (np.abs(found[OWNERSHIP]) <= 1).all()
    komi = 20 * inputs[1][:, 0].numpy()
    assert set(np.abs(komi).round(4).tolist()) == {3.5}
    np.testing.assert_allclose(found[SCORE][:, 0], found[OWNERSHIP].sum(axis=(1, 2)) + komi, atol=1e-4)
    assert (found[SCORE][:, 1] >= 0.5).all()


def test_a_search_gets_the_leads_and_torch_answers_alike(net: PolicyValueNet, path: Path) -> None:
    evaluator = OnnxEvaluator(path, GO, device="cpu")
    inputs = inputs_of(GO.position("b2 c3"), evaluator.encoding)
    score = outputs(path, *map(torch.from_numpy, inputs))[SCORE]
    logits, value, leads = evaluator.evaluate(*inputs)
    np.testing.assert_allclose(leads, [[score[0, 0], score[0, 0] ** 2 + score[0, 1] ** 2]], rtol=1e-4)
    others = TorchEvaluator(net, device="cpu", bf16=False, encoding=evaluator.encoding).evaluate(*inputs)
    for one, other in zip((logits, value, leads), others, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-4)
    search = run_search(GO.initial(), evaluator, 40, memory_mb=16)
    assert all(np.isfinite(row.lead) for row in search.snapshot().moves if row.visits)


@pytest.mark.parametrize("text", ["go(size=4, komi=0.5)", "go(size=5, rules=chinese)", "go(rows=3, cols=6)"])
def test_one_net_is_for_every_komi_and_size(path: Path, text: str) -> None:
    game = load_game(text)
    assert is_for(read_net_info(path), game)
    evaluator = OnnxEvaluator(path, game, device="cpu")
    logits, value, leads = evaluator.evaluate(*inputs_of(game.initial(), evaluator.encoding))
    assert logits.shape == (1, game.num_actions)
    assert np.isfinite(leads).all()
    assert abs(float(value[0])) <= 1


def test_dense_heads_keep_their_size_but_take_every_komi(tmp_path: Path) -> None:
    path = tmp_path / "dense.onnx"
    export_onnx(PolicyValueNet.for_game(GO, NetConfig(1, 8, inputs="points")).eval(), GO, path, 0)
    OnnxEvaluator(path, load_game("go(size=4, komi=0.5)"), device="cpu")
    other = load_game("go(size=5, komi=3.5)")
    assert not is_for(read_net_info(path), other)
    with pytest.raises(BadNet, match="is a net for 'go"):
        OnnxEvaluator(path, other, device="cpu")


@pytest.mark.slow
def test_eight_bits_keep_inputs_and_outputs(net: PolicyValueNet, path: Path, tmp_path: Path) -> None:
    data, agreement = to_precision(path.read_bytes(), GO, "int8", gate=AgreementGate(0.0, 2.0))
    assert agreement.mean_dv < 0.1
    made = tmp_path / "int8.onnx"
    made.write_bytes(data)
    assert b"QLinear" in data or b"QuantizeLinear" in data
    evaluator = OnnxEvaluator(made, GO, device="cpu")
    assert evaluator.info.precision == "int8"
    assert len(evaluator.evaluate(*inputs_of(GO.initial(), evaluator.encoding))) == 3


def test_a_run_begins_with_such_a_net_on_a_larger_board(net: PolicyValueNet, path: Path) -> None:
    large = load_game("go(size=6, komi=3.5)")
    target = PolicyValueNet.for_game(large, CONFIG)
    note = load_matching_weights(target, path, large)
    assert "except" not in note
    inputs = fed(target, random_inputs(large, 4, np.random.default_rng(3), encoding_for(large, "points")))
    with torch.inference_mode():
        for one, other in zip(target.eval()(*inputs), net(*inputs), strict=True):
            np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-3, atol=1e-3)


def test_losses_by_hand() -> None:
    """Score: normal density; ownership: cross-entropy; a game that was not counted has no part in either."""
    score = torch.tensor([[1.0, 2.0], [50.0, 1.0]], requires_grad=True)
    ownership = torch.tensor([[[0.5, 0.0]], [[0.9, 0.9]]], requires_grad=True)
    owners = np.array([[[1, 0]], [[0, 0]]], np.int8)
    wanted = PointSamples(np.zeros((2, 5), np.float32), np.array([4.0, np.nan], np.float32), owners)
    density, crossed = points_losses([(score, ownership, wanted)])
    assert float(density.detach()) == pytest.approx(0.5 * (math.log(4.0) + 9.0 / 4.0))
    assert float(crossed.detach()) == pytest.approx((-math.log(0.75) + math.log(2.0)) / 2)
    (density + crossed).backward()
    assert ownership.grad is not None
    assert (score.grad[1] == 0).all()
    assert (ownership.grad[1] == 0).all()
    assert float(score.grad[0, 0]) == pytest.approx(-3.0 / 4.0)
    assert float(ownership.grad[0, 0, 0]) < 0  # towards the owner
