"""Finds the tensors of KataGo's nets in ONNX files, also in those that others have converted.  Knows no session.

Such files take V7 planes and the global inputs under various names.  Two kinds of outputs are known: those of KataGo's
``.bin.gz`` files, as :mod:`models.netfiles.katago_graph` writes them, and those of its PyTorch nets, which have more
channels: of a policy with six or eight the first is plain and the sixth optimistic; short-term errors are the first two
of ``moremiscvalue``.  Letters: N batch, P channels, H W board.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.text import Text
from models.netfiles.katago_file import GLOBALS, PLANES
from models.netfiles.net_file import NetInfo, TensorInfo
from models.netfiles.ort_session import BadNet

# The names of outputs in lower case, without "_", "out" and "output" before them.
_OUTPUTS: Final = {
    "policy": ("policy",),
    "value": ("value",),
    "miscvalue": ("miscvalue", "scorevalue"),
    "moremiscvalue": ("moremiscvalue",),
    "ownership": ("ownership",),
}
_CHANNELS: Final = {1: (0,), 2: (0, 1), 4: (0,), 6: (0, 5), 8: (0, 5)}  # of the policy: plain and optimistic
_SCORES: Final = 4  # of miscvalue, before short-term errors or other outputs

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class KataTensors:
    """The names of a file's tensors.

    planes [N, 22, H, W], global_inputs [N, 19], policy [N, P, H * W + 1] or without P, value [N, 3], miscvalue.
    channels: of the policy, the plain one and, if there is one, the optimistic one.  errors: the tensor with the
    short-term errors where miscvalue has only others.  board: the only H, W of the file, None where it takes any.
    """

    planes: str
    global_inputs: str
    policy: str
    channels: tuple[int, ...]
    value: str
    miscvalue: str
    errors: str | None
    ownership: str | None
    board: tuple[int, int] | None

    def ours(self, outputs: Mapping[str, Array]) -> dict[str, Array]:
        """The outputs as :mod:`models.netfiles.katago_graph` names them, of those by the file's names.

        ``ownership`` is left out when the file has none; ``miscvalue`` has four columns when it has no errors.
        """
        policy, scores = outputs[self.policy], outputs[self.miscvalue]
        policy = policy.reshape(len(policy), -1, policy.shape[-1])[:, list(self.channels)]
        if self.errors is not None:
            scores = np.concatenate((scores[:, :_SCORES], outputs[self.errors][:, :2]), axis=1)
        elif scores.shape[1] > 6:
            scores = scores[:, :_SCORES]
        found = {"policy": policy, "value": outputs[self.value], "miscvalue": scores}
        if self.ownership is not None:
            owners = outputs[self.ownership]
            found["ownership"] = owners.reshape(len(owners), *owners.shape[-2:])
        return found


def find_tensors(info: NetInfo) -> KataTensors:
    """The tensors of a net file of KataGo; :class:`BadNet` when it is none, or of a kind not known here."""
    name = info.path.name
    planes = _input(info, 4, PLANES)
    global_inputs = _input(info, 2, GLOBALS)
    for tensor in info.inputs:
        if tensor.name not in (planes.name, global_inputs.name):
            raise BadNet(
                Text(
                    "{name} takes the input {tensor}, which is not supported: only planes and global inputs are",
                    name=name,
                    tensor=tensor.name,
                )
            )
    found = _outputs(info)
    for wanted in ("policy", "value", "miscvalue"):
        if wanted not in found:
            raise BadNet(
                Text(
                    "{name} is no net of KataGo: it has no output {wanted}; its outputs are {names}",
                    name=name,
                    wanted=wanted,
                    names=", ".join(tensor.name for tensor in info.outputs) or "-",
                )
            )
    height, width = planes.shape[2:]
    policy, misc, more = found["policy"], found["miscvalue"], found.get("moremiscvalue")
    _need(info, found["value"], (3,))
    _need(info, misc, (4, 6, 10))
    if more is not None:
        _need(info, more, (2, 8))
    return KataTensors(
        planes.name,
        global_inputs.name,
        policy.name,
        _policy_channels(info, policy, None if None in (height, width) else (height or 0) * (width or 0) + 1),
        found["value"].name,
        misc.name,
        more.name if more is not None and misc.shape[1] != 6 else None,
        found["ownership"].name if "ownership" in found else None,
        None if height is None or width is None else (height, width),
    )


def _input(info: NetInfo, rank: int, channels: int) -> TensorInfo:
    """The only input of that rank whose second size is ``channels``, or may be."""
    fitting = [t for t in info.inputs if len(t.shape) == rank and t.shape[1] in (channels, None)]
    if len(fitting) != 1:
        raise BadNet(
            Text(
                "{name} is no net of KataGo: it has {count} inputs of {channels} channels and {rank} dimensions where "
                "one is needed",
                name=info.path.name,
                count=len(fitting),
                channels=channels,
                rank=rank,
            )
        )
    return fitting[0]


def _outputs(info: NetInfo) -> dict[str, TensorInfo]:
    """The outputs by our names; what else a file has is left out."""
    found: dict[str, TensorInfo] = {}
    for tensor in info.outputs:
        plain = tensor.name.lower().replace("_", "").removeprefix("output").removeprefix("out")
        for ours, names in _OUTPUTS.items():
            if plain in names:
                found.setdefault(ours, tensor)
    return found


def _policy_channels(info: NetInfo, policy: TensorInfo, moves: int | None) -> tuple[int, ...]:
    """The channels with the plain and the optimistic policy."""
    shape = policy.shape
    if len(shape) == 2:
        channels: int | None = 1
    else:
        channels = shape[1] if len(shape) == 3 else None
    fits = moves is None or shape[-1] in (moves, None)
    if channels not in _CHANNELS or not fits:
        raise BadNet(
            Text(
                "{name} has a policy of shape {shape}; 1, 2, 4, 6 or 8 channels of every point and the pass are needed",
                name=info.path.name,
                shape=str(list(shape)),
            )
        )
    return _CHANNELS[channels]


def _need(info: NetInfo, tensor: TensorInfo, sizes: tuple[int, ...]) -> None:
    if len(tensor.shape) != 2 or tensor.shape[1] not in sizes:
        raise BadNet(
            Text(
                "{name} has the output {tensor} of shape {shape}; a second size of {sizes} is needed",
                name=info.path.name,
                tensor=tensor.name,
                shape=str(list(tensor.shape)),
                sizes=", ".join(map(str, sizes)),
            )
        )
