"""Initialises the net of a new run with the weights of a net file.

A net file has its batch normalisations folded.  They are restored so that the net gives the file's answers both in
evaluation mode, with running statistics, and approximately in training mode, with those of a batch.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from core.games import GameSpec
from core.games.net_inputs import encoding_for
from core.text import Text
from models.netfiles.agreement import Play
from models.netfiles.net_file import read_net_info
from models.netfiles.ort_session import BadNet
from models.nets.export import fed
from models.nets.net import ConvNorm, NetConfig, PolicyValueNet, folded

_GAMES: Final = 16  # of the net against itself, for the statistics of the normalisations
_PLIES: Final = 64
_RANDOM_MOVES: Final = 4  # at the start of a game


def load_matching_weights(net: PolicyValueNet, path: Path, game: GameSpec) -> str:
    """Copy the weights of the net file at ``path`` into ``net``, layer by layer where the shapes agree; a sentence that
    names the file and the layers left out.

    A net for another board size gives its tower.  ``BadNet`` when the file is not a Plyscope net or its tower differs.
    """
    info = read_net_info(path)
    weights = _weights(path)
    shapes = _folded_names(net)
    fitting = {
        name: weights[name] for name, shape in shapes.items() if name in weights and weights[name].shape == shape
    }
    layers = {name.rpartition(".")[0] for name in shapes}
    taken = {layer for layer in layers if all(n in fitting for n in shapes if n.rpartition(".")[0] == layer)}
    tower = {layer for layer in layers if layer.startswith(("stem", "blocks"))}
    if not tower <= taken:
        raise BadNet(
            Text(
                "{path!r} cannot initialise this run: its tower is not of {blocks} blocks of {channels} channels on "
                "{planes} planes",
                path=str(path),
                blocks=len(net.blocks),
                channels=net.config.channels,
                planes=net.input_shape[0],
            )
        )
    _put(net, {name: tensor for name, tensor in fitting.items() if name.rpartition(".")[0] in taken}, game)
    missing = sorted(layer.removesuffix(".conv") for layer in layers - taken)
    return Text(
        "initialised from {net} ({game}, step {step}), except {layers}"
        if missing
        else "initialised from {net} ({game}, step {step})",
        net=path.name,
        game=info.game,
        step=info.step,
        layers=", ".join(missing),
    )


def read_folded(path: Path, game: GameSpec) -> PolicyValueNet:
    """The net of a file of our own, its normalisations folded as they are there.  ``BadNet`` for any other file."""
    info = read_net_info(path)
    try:
        net = folded(PolicyValueNet.for_game(game, NetConfig(**info.config)))
        net.load_state_dict(_weights(path))
    except (TypeError, ValueError, RuntimeError):
        raise BadNet(Text("{path!r} is not a net that a run of {game} kept", path=str(path), game=game.text)) from None
    return net


def _weights(path: Path) -> dict[str, Tensor]:
    model: Any = onnx.load(path)
    floats = onnx.TensorProto.FLOAT
    return {
        tensor.name: torch.from_numpy(numpy_helper.to_array(tensor).copy())
        for tensor in model.graph.initializer
        if tensor.data_type == floats
    }


def _folded_names(net: PolicyValueNet) -> dict[str, torch.Size]:
    """Names and shapes of the weights in a net file of ``net``."""
    shapes = {}
    for name, tensor in net.named_parameters():
        owner = name.rpartition(".")[0]
        if owner.endswith(".norm"):
            continue
        shapes[name] = tensor.shape
        if isinstance(net.get_submodule(owner.rpartition(".")[0]), ConvNorm):
            shapes[f"{owner}.bias"] = tensor.shape[:1]
    return shapes


@torch.no_grad()
def _put(net: PolicyValueNet, weights: dict[str, Tensor], game: GameSpec) -> None:
    parameters = dict(net.named_parameters())
    norms: dict[str, ConvNorm] = {
        name: module
        for name, module in net.named_modules()
        if isinstance(module, ConvNorm)
        if f"{name}.conv.bias" in weights
    }
    for name, tensor in weights.items():
        if name in parameters:
            parameters[name].copy_(tensor)
    for name, module in norms.items():
        _as_folded(module, weights[f"{name}.conv.bias"])
    training = net.training
    inputs = _positions(net.eval(), game)
    statistics: dict[str, tuple[Tensor, Tensor]] = {}
    hooks = [module.conv.register_forward_hook(_watch(statistics, name)) for name, module in norms.items()]
    net(*inputs)
    net.train(training)
    for hook in hooks:
        hook.remove()
    for name, module in norms.items():
        norm, (mean, var) = module.norm, statistics[name]
        assert isinstance(norm, torch.nn.BatchNorm2d)
        assert norm.running_mean is not None
        assert norm.running_var is not None
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(var)
        norm.weight.copy_((var + norm.eps).sqrt())
        norm.bias.add_(mean)


def _positions(net: PolicyValueNet, game: GameSpec) -> tuple[Tensor, ...]:
    """The inputs of positions of play, whose statistics are near those of the batches that are learned from; those of
    random positions are not."""
    play = Play(game, encoding_for(game, net.config.inputs), _GAMES, np.random.default_rng(0), _RANDOM_MOVES)
    device = next(net.parameters()).device
    batches: list[tuple[Tensor, ...]] = []
    for _ in range(_PLIES):
        batches.append(tuple(array.to(device) for array in fed(net, play.positions().inputs)))
        play.advance(net(*batches[-1])[0].float().cpu().numpy())
    return tuple(map(torch.cat, zip(*batches, strict=True)))


def _as_folded(module: ConvNorm, bias: Tensor) -> None:
    """Set the normalisation of ``module`` to the identity plus ``bias``."""
    norm = module.norm
    assert isinstance(norm, torch.nn.BatchNorm2d)
    assert norm.running_mean is not None
    assert norm.running_var is not None
    norm.running_mean.zero_()
    norm.running_var.fill_(1.0 - norm.eps)
    norm.weight.fill_(1.0)
    norm.bias.copy_(bias)


def _watch(statistics: dict[str, tuple[Tensor, Tensor]], name: str) -> Callable[[Any, Any, Tensor], None]:
    def hook(module: Any, inputs: Any, output: Tensor) -> None:
        var, mean = torch.var_mean(output, dim=(0, 2, 3), correction=0)
        statistics[name] = mean, var

    return hook
