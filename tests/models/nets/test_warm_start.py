"""A run that begins with a net file: the same answers as the file's, and a note of what does not fit."""

from pathlib import Path

import numpy as np
import pytest
import torch

from core.games import load_game
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.ort_session import BadNet
from models.nets.export import export_onnx, random_inputs
from models.nets.net import NetConfig, PolicyValueNet, TorchEvaluator
from models.nets.warm_start import load_matching_weights

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
