"""Which net plays when kept nets must first win a match against it."""

from torch import Tensor

from models.nets.net import PolicyValueNet

Weights = dict[str, Tensor]


class Gate:
    """The weights of the net in self-play, and those of newer ones until it is decided whether they pass."""

    def __init__(self) -> None:
        self.passed: tuple[int, Weights] | None = None  # step and weights; None: always the newest plays
        self._promoted: int | None = None
        self._candidates: dict[int, Weights] = {}  # by step

    @property
    def step(self) -> int | None:
        """The step of the net in self-play; None while that is always the newest."""
        return None if self.passed is None else self.passed[0]

    def add(self, step: int, net: PolicyValueNet) -> None:
        """Keep the weights of a net whose match is to come."""
        self._candidates[step] = {name: tensor.detach().cpu().clone() for name, tensor in net.state_dict().items()}

    def promote(self, step: int) -> None:
        """Let the net of ``step`` play after the next ``apply``.  Thread-safe."""
        self._promoted = step

    def apply(self) -> None:
        """Let the net play that was promoted last; older candidates are forgotten."""
        step = self._promoted
        if step is not None and step in self._candidates:
            self.passed = step, self._candidates[step]
            self._candidates = {one: weights for one, weights in self._candidates.items() if one > step}
