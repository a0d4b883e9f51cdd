"""The shape of a net that a training run trains."""

from dataclasses import dataclass
from typing import Final

from core.checks import choice_problem, number_problem

PLANES: Final = {"dense": 8, "pooled": 32}  # of each head, by its kind: pooling reduces each plane to two numbers
HEADS: Final = tuple(PLANES)
INPUTS: Final = ("board", "points")
BLOCKS: Final = (0, 80)
CHANNELS: Final = (1, 1024)


@dataclass(frozen=True, slots=True)
class NetConfig:
    """The shape of a residual net (AlphaGo Zero: 19 blocks of 256 channels, head planes 2 and 1, value layer 256).

    blocks: residual blocks of two 3x3 convolutions.  channels: their width.
    policy_planes, value_planes: planes of the 1x1 convolution that starts each head.
    value_hidden: width of the value head's inner layer.
    heads: ``dense`` layers over the whole board (AlphaGo Zero), or ``pooled`` ones (KataGo, Wu 2019, section 3.3): the
    policy is a convolution with each plane's mean and maximum as further inputs, and the value depends only on these,
    so that the heads are translation invariant and independent of the board's size.
    inputs: ``board``, the game's own planes, or ``points``, in a game that points decide: its encoding for nets of our
    own, with komi.  Such a net also gives the score and the ownership of each point.
    """

    blocks: int = 4
    channels: int = 48
    policy_planes: int = PLANES[HEADS[0]]
    value_planes: int = PLANES[HEADS[0]]
    value_hidden: int = 64
    heads: str = HEADS[0]
    inputs: str = INPUTS[0]

    def __post_init__(self) -> None:
        for name, low, high in (
            ("blocks", *BLOCKS),
            ("channels", *CHANNELS),
            ("policy_planes", 1, 256),
            ("value_planes", 1, 256),
            ("value_hidden", 1, 4096),
        ):
            if wrong := number_problem(name, getattr(self, name), low, high, whole=True):
                raise ValueError(wrong)
        for name, allowed in (("heads", HEADS), ("inputs", INPUTS)):
            if wrong := choice_problem(name, getattr(self, name), allowed):
                raise ValueError(wrong)
