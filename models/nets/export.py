"""Export of a torch net to an ONNX net file with metadata, checked against torch.

``python -m models.nets.export GAME --blocks N --channels N --out FILE`` writes an untrained net.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime as ort
import torch

from core.files.atomic import write_atomically
from core.games import GameSpec
from core.games.encoding import OWN_ENCODING, Encoding, Inputs
from core.games.net_inputs import encoding_for, inputs_of, make_inputs
from core.text import Text
from models.netfiles.net_file import FEATURES, OWNERSHIP, SCORE
from models.nets.net import NetConfig, PolicyValueNet, folded
from models.nets.net_graph import net_onnx

TOLERANCE: Final = 1e-4
_PARITY_BATCHES: Final = (1, 2, 7, 54)


class ExportError(ValueError):
    """A net could not be exported; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Parity:
    """The largest differences between the file under onnxruntime and the net under torch."""

    max_dp: float  # of a policy logit
    max_dv: float  # of a value or of a point's ownership
    positions: int


def export_onnx(net: PolicyValueNet, game: "GameSpec", path: str | Path, step: int) -> Parity:
    """Write ``net`` for ``game`` to ``path`` atomically, with ``step`` training steps in its metadata.

    Raises what :func:`exported` raises, and ``OSError`` when the file cannot be written.
    """
    data, parity = exported(net, game, step)
    write_atomically(Path(path), data)
    return parity


def exported(net: PolicyValueNet, game: "GameSpec", step: int) -> tuple[bytes, Parity]:
    """The contents of a float32 net file of ``net``, and how its answers compare with torch's.

    Raises :class:`ExportError` when the net has other sizes than the game, has NaN or infinite weights, or the answers
    of the file differ from torch's by more than 1e-4.
    """
    encoding = encoding_for(game, net.config.inputs)
    sizes = (len(encoding.planes) or game.num_planes, *game.shape)
    if net.input_shape != sizes or net.num_actions != game.num_actions:
        raise ExportError(
            f"the net takes planes {net.input_shape} and has {net.num_actions} actions; {game.text} "
            f"has planes {sizes} and {game.num_actions} actions"
        )
    if not all(bool(torch.isfinite(tensor).all()) for tensor in net.state_dict().values()):
        raise ExportError(Text("the net has weights that are not numbers; it cannot be exported"))
    data = net_file(net, game, step)
    parity = _check(folded(net).float().cpu(), data, game)
    if not max(parity.max_dp, parity.max_dv) <= TOLERANCE:
        raise ExportError(
            Text(
                "the exported net differs from torch by {policy:.2g} in the policy and {value:.2g} in the value; "
                "{most:g} is allowed",
                policy=parity.max_dp,
                value=parity.max_dv,
                most=TOLERANCE,
            )
        )
    return data, parity


def net_file(net: PolicyValueNet, game: "GameSpec", step: int) -> bytes:
    """The contents of a float32 net file of ``net``, compared with nothing: in milliseconds."""
    return net_onnx(folded(net).float().cpu(), _metadata(net, game, step))


def _metadata(net: PolicyValueNet, game: "GameSpec", step: int) -> dict[str, str]:
    values = {
        "game": game.text,
        "encoding": encoding_for(game, net.config.inputs).name,
        "config": json.dumps(asdict(net.config)),
        "step": str(step),
    }
    if net.num_features:
        values |= {SCORE: "mean, standard deviation of the mover's lead", OWNERSHIP: "tanh, 1 is the mover's"}
    return values


def random_inputs(game: "GameSpec", count: int, rng: np.random.Generator, encoding: Encoding = OWN_ENCODING) -> Inputs:
    """The inputs of ``count`` unfinished positions after uniformly random moves."""
    inputs = make_inputs(game, encoding, count)
    for i in range(count):
        position = game.initial()
        for _ in range(int(rng.integers(game.max_plies))):
            following = position.play(int(rng.choice(position.legal_actions())))
            if following.is_over:
                break
            position = following
        for row, shown in zip(inputs, inputs_of(position, encoding), strict=True):
            row[i] = shown[0]
    return inputs


def fed(net: PolicyValueNet, inputs: Inputs) -> tuple[torch.Tensor, ...]:
    """What ``net`` is given of ``inputs``: features where it has them."""
    return tuple(torch.from_numpy(array) for array in inputs[: 2 if net.num_features else 1])


def _check(net: PolicyValueNet, data: bytes, game: "GameSpec") -> Parity:
    """Compare the model with the net on random positions, in batches of several sizes."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    rng = np.random.default_rng(0)
    encoding = encoding_for(game, net.config.inputs)
    names = ["planes", FEATURES]
    max_dp = max_dv = 0.0
    for size in _PARITY_BATCHES:
        inputs = fed(net, random_inputs(game, size, rng, encoding))
        outputs = session.run(None, {name: array.numpy() for name, array in zip(names, inputs, strict=False)})
        with torch.inference_mode():
            expected = net(*inputs)
        changes = [float(np.abs(array - want.numpy()).max()) for array, want in zip(outputs, expected, strict=True)]
        max_dp = max(max_dp, changes[0])
        max_dv = max(max_dv, changes[1], *changes[4:])
    return Parity(max_dp, max_dv, sum(_PARITY_BATCHES))


def main(argv: Sequence[str] | None = None) -> int:
    """Write an untrained net of a given size for a game."""
    from core.games import load_game

    parser = argparse.ArgumentParser(prog="python -m models.nets.export", description=main.__doc__)
    parser.add_argument("game", metavar="GAME", help="as `plyscope games` lists it")
    parser.add_argument("--blocks", type=int, default=NetConfig().blocks, metavar="N", help="residual blocks")
    parser.add_argument("--channels", type=int, default=NetConfig().channels, metavar="N", help="their width")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where the ONNX file goes")
    args = parser.parse_args(argv)
    try:
        game = load_game(args.game)
        net = PolicyValueNet.for_game(game, NetConfig(blocks=args.blocks, channels=args.channels))
        export_onnx(net.eval(), game, args.out, step=0)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
