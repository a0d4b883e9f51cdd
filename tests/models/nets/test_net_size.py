"""The closed formulas of a net's size against the net in torch."""

import pytest

from core.games import load_game
from models.nets.net import PolicyValueNet
from models.runs.net_config import NetConfig
from models.runs.net_size import net_size

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
