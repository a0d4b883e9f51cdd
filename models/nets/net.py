"""The residual policy and value net in torch, and an evaluator with it.

The tower and the dense heads are AlphaGo Zero's (Silver et al. 2017, Methods, "Neural network architecture"); the
pooled heads, and the value head's win/draw/loss output instead of a tanh, are KataGo's (Wu 2019).  Letters: B batch,
C planes, H W board, A actions.
"""

import copy
from collections.abc import Sequence
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.fusion import fuse_conv_bn_eval

from core.engine.evaluator import Evaluator
from core.games import GameSpec
from core.games.encoding import OWN_ENCODING, Encoding
from core.games.net_inputs import encoding_for
from core.text import Text
from models.netfiles.cuda import missing_gpu
from models.netfiles.heads import leads_of
from models.runs.net_config import NetConfig as NetConfig

KOMI_SCALE: Final = 20.0  # of feature 0
POINTS_SCALE: Final = 10.0
LEAST_SPREAD: Final = 0.5  # points
NO_GPU: Final = Text("torch finds no GPU it can use")


class ConvNorm(nn.Module):
    """A convolution with padding, then batch normalisation (folded into the convolution by :func:`folded`).

    Boards of several sizes are convolved one size after the other and normalised together, as one batch: the statistics
    of each size alone differ too much from those of all, which are used after training.
    """

    def __init__(self, inputs: int, outputs: int, kernel: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, padding=kernel // 2, bias=False)
        self.norm: nn.Module = nn.BatchNorm2d(outputs)

    def forward(self, sizes: list[Tensor]) -> list[Tensor]:
        outputs = [self.conv(x) for x in sizes]
        return [self.norm(outputs[0])] if len(outputs) == 1 else _apart(self.norm(_as_one(outputs)), outputs)


def _as_one(sizes: list[Tensor]) -> Tensor:
    """Put the points of all boards into one column: several [B, C, H, W] -> [1, C, points, 1]."""
    points = torch.cat([x.permute(0, 2, 3, 1).reshape(-1, x.shape[1]) for x in sizes])
    return points.t()[None, :, :, None]


def _apart(column: Tensor, sizes: list[Tensor]) -> list[Tensor]:
    """The inverse of :func:`_as_one`; ``sizes`` has the shapes."""
    boards = [x.permute(0, 2, 3, 1).shape for x in sizes]
    parts = torch.split(column[0, :, :, 0].t(), [shape[:3].numel() for shape in boards])
    return [part.reshape(shape).permute(0, 3, 1, 2) for part, shape in zip(parts, boards, strict=True)]


class ResidualBlock(nn.Module):
    """x -> relu(x + conv(relu(conv(x)))), each convolution 3x3 with batch normalisation."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = ConvNorm(channels, channels, 3)
        self.second = ConvNorm(channels, channels, 3)

    def forward(self, sizes: list[Tensor]) -> list[Tensor]:
        changes = self.second([F.relu(x) for x in self.first(sizes)])
        return [F.relu(x + change) for x, change in zip(sizes, changes, strict=True)]


def begin_near_zero(*layers: nn.Linear | nn.Conv2d) -> None:
    """Give the last layers of heads small weights: a new net has a nearly uniform policy and values near 0, so its
    first games are unbiased."""
    for layer in layers:
        nn.init.normal_(layer.weight, std=0.01)
        assert layer.bias is not None
        nn.init.zeros_(layer.bias)


class PolicyValueNet(nn.Module):
    """Residual net from planes to policy logits, value and win/draw/loss logits, all for the side to move.

    With features the net is of a game that points decide.  Feature 0 is the mover's komi / 20, and the net also gives
    the score, whose mean is what the expected ownership of the points and the komi add up to.
    """

    def __init__(
        self, planes: int, height: int, width: int, actions: int, config: NetConfig | None = None, features: int = 0
    ) -> None:
        super().__init__()
        self.config = config = config or NetConfig()
        self.input_shape = (planes, height, width)
        self.num_actions = actions
        self.num_features = features
        cells = height * width
        self.stem = ConvNorm(planes, config.channels, 3)
        self.blocks = nn.Sequential(*(ResidualBlock(config.channels) for _ in range(config.blocks)))
        self.pools = config.heads == "pooled"
        self.policy_conv = ConvNorm(config.channels, config.policy_planes, 1)
        self.value_conv = ConvNorm(config.channels, config.value_planes, 1)
        value_inputs = 2 * config.value_planes if self.pools else config.value_planes * cells
        if self.pools:
            self._make_pooled_policy(config, actions - cells)
        else:
            self.policy_out: nn.Linear | nn.Conv2d = nn.Linear(config.policy_planes * cells, actions)
        if features:
            self.feature_in = nn.Linear(features, config.channels)
            self.ownership_out = nn.Conv2d(config.value_planes, 1, 1)
            self.spread_out = nn.Linear(config.value_hidden, 1)
            value_inputs += features + 1
        self.value_hidden = nn.Linear(value_inputs, config.value_hidden)
        self.wdl_out = nn.Linear(config.value_hidden, 3)
        begin_near_zero(self.policy_out, self.wdl_out)

    @classmethod
    def for_game(cls, game: "GameSpec", config: NetConfig | None = None) -> "PolicyValueNet":
        """A new net with the sizes of ``game``."""
        config = config or NetConfig()
        encoding = encoding_for(game, config.inputs)
        planes = len(encoding.planes) or game.num_planes
        return cls(planes, game.shape[0], game.shape[1], game.num_actions, config, len(encoding.features))

    @property
    def takes_any_size(self) -> bool:
        """Whether it answers for boards of every size."""
        return self.num_features > 0 and self.config.heads == "pooled"

    def forward(self, planes: Tensor, features: Tensor | None = None) -> tuple[Tensor, ...]:
        """``planes`` float [B, C, H, W] -> (policy logits [B, A], value [B] = P(win) - P(loss), wdl logits [B, 3]
        in the order win, draw, loss).

        With ``features`` float32 [B, G] also the score [B, 2], mean and standard deviation of the lead in points, and
        the ownership [B, H, W] from -1, the opponent's, to 1.
        """
        return self.together([(planes, features)])[0]

    def together(self, sizes: Sequence[tuple[Tensor, Tensor | None]]) -> list[tuple[Tensor, ...]]:
        """What ``forward`` gives for each (planes, features); boards of several sizes, which need pooled heads, are
        normalised as one batch."""
        x = self.stem([planes for planes, _ in sizes])
        if self.num_features:
            x = [self._shown(y, features) for y, (_, features) in zip(x, sizes, strict=True)]
        x = self.blocks([F.relu(y) for y in x])
        answers = zip(self._policies(x), self.value_conv(x), sizes, strict=True)
        return [(policy, *self._values(F.relu(values), features)) for policy, values, (_, features) in answers]

    def _make_pooled_policy(self, config: NetConfig, others: int) -> None:
        """Make the pooled policy head; ``others``: number of actions that are not cells (a pass), after the cells."""
        if others < 0:
            raise ValueError(Text("pooled heads need a game whose moves are its cells"))
        planes = config.policy_planes
        self.policy_pool = ConvNorm(config.channels, planes, 1)
        self.policy_mix = nn.Linear(2 * planes, planes)
        self.policy_out = nn.Conv2d(planes, 1, 1)
        self.policy_others = nn.Linear(2 * planes, others) if others else None

    def _policies(self, x: list[Tensor]) -> list[Tensor]:
        """The logits [B, A] of the boards of each size."""
        cells = self.policy_conv(x)
        if not self.pools:
            return [self.policy_out(F.relu(y).flatten(1)) for y in cells]
        boards = [pooled(F.relu(y)) for y in self.policy_pool(x)]
        return [self._pooled_policy(*pair) for pair in zip(cells, boards, strict=True)]

    def _pooled_policy(self, cells_in: Tensor, board: Tensor) -> Tensor:
        """Policy logits of each cell from its own features and the pooled ones of the board (KataGo, section 3.3)."""
        logits: Tensor = self.policy_out(F.relu(cells_in + self.policy_mix(board)[:, :, None, None]))
        cells = logits.flatten(1)
        return cells if self.policy_others is None else torch.cat((cells, self.policy_others(board)), dim=1)

    def _shown(self, x: Tensor, features: Tensor | None) -> Tensor:
        assert features is not None
        added: Tensor = self.feature_in(features.to(x.dtype))
        return x + added[:, :, None, None]

    def _values(self, values: Tensor, features: Tensor | None) -> tuple[Tensor, ...]:
        if features is None:
            wdl = self.wdl_out(self._hidden(values))
            return wdl_value(wdl), wdl
        ownership = torch.tanh(self.ownership_out(values).float())[:, 0]
        lead = ownership.sum(dim=(1, 2)) + KOMI_SCALE * features[:, 0]
        facts = torch.cat((lead.detach()[:, None] / POINTS_SCALE, features), dim=1)
        hidden = self._hidden(values, facts)
        wdl = self.wdl_out(hidden)
        spread = LEAST_SPREAD + POINTS_SCALE * F.softplus(self.spread_out(hidden).float())
        return wdl_value(wdl), wdl, torch.cat((lead[:, None], spread), dim=1), ownership

    def _hidden(self, values: Tensor, facts: Tensor | None = None) -> Tensor:
        """The inner layer of the value head, which also sees ``facts`` about the whole board."""
        inputs = pooled(values) if self.config.heads == "pooled" else values.flatten(1)
        if facts is not None:
            inputs = torch.cat((inputs, facts.to(inputs.dtype)), dim=1)
        return F.relu(self.value_hidden(inputs))


def pooled(x: Tensor) -> Tensor:
    """Global pooling: [B, C, H, W] -> [B, 2 C], mean and maximum of each plane."""
    return torch.cat((x.mean(dim=(2, 3)), x.amax(dim=(2, 3))), dim=1)


def wdl_value(wdl: Tensor) -> Tensor:
    """Logits [B, 3] of win, draw, loss -> value [B] = P(win) - P(loss)."""
    chances = torch.softmax(wdl.float(), dim=1)
    return chances[:, 0] - chances[:, 2]


def folded(net: PolicyValueNet) -> PolicyValueNet:
    """A copy for inference with batch normalisations folded into the preceding convolutions."""
    result = copy.deepcopy(net).eval().requires_grad_(False)
    for module in result.modules():
        if isinstance(module, ConvNorm) and isinstance(module.norm, nn.BatchNorm2d):
            module.conv = fuse_conv_bn_eval(module.conv, module.norm)
            module.norm = nn.Identity()
    return result


def pick_device(device: str) -> torch.device:
    """The torch device for a setting; ``auto`` is the GPU if there is one.  ``ValueError`` for ``cuda`` without one."""
    if device == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if device == "cuda" and not torch.cuda.is_available():
        raise ValueError(Text("device is 'cuda', but {reason}; use 'auto' or 'cpu'", reason=NO_GPU))
    return torch.device(device)


def gpu_left_out(device: str) -> str:
    """The reason why ``auto`` does not use a GPU, one sentence; empty when it does, or for other devices."""
    if device != "auto" or torch.cuda.is_available():
        return ""
    without = NO_GPU if torch.version.cuda else Text("this torch is built without CUDA")
    return Text("the net is computed on the processor: {reason}", reason=missing_gpu() or without)


def playing_devices(device: torch.device, players: int) -> list[torch.device]:
    """The device of each of ``players`` self-play threads when learning runs on ``device``: the GPUs in turn."""
    if device.type != "cuda":
        return [device] * players
    return [torch.device("cuda", i % torch.cuda.device_count()) for i in range(players)]


def has_fast_bf16(device: torch.device) -> bool:
    """Whether bfloat16 is faster than float32 on ``device``: a CPU with avx512_bf16 or AMX, a GPU since Ampere.

    Measured with AVX-512 BF16, one thread, 5 blocks of 64 channels on 4x6x7 planes: 1.7 times at batch 128.
    """
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return bool(torch.cpu._is_avx512_bf16_supported())


class TorchEvaluator(Evaluator):
    """Evaluates positions with a copy of a torch net: folded, channels last, in bfloat16 where that is faster."""

    def __init__(
        self,
        net: PolicyValueNet,
        name: str = "net",
        device: str = "auto",
        bf16: bool | None = None,
        encoding: Encoding = OWN_ENCODING,
    ) -> None:
        """``bf16`` None: where it is faster.  Later changes to ``net`` have no effect.

        Raises ``ValueError`` when ``device`` is ``cuda`` and there is none.
        """
        self._device = pick_device(device)
        self._dtype = torch.bfloat16 if (has_fast_bf16(self._device) if bf16 is None else bf16) else torch.float32
        self._net = folded(net).to(self._device, self._dtype).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._name = name
        self.encoding = encoding

    @property
    def is_bf16(self) -> bool:
        return self._dtype == torch.bfloat16

    @property
    def description(self) -> str:
        precision = "bf16" if self.is_bf16 else "float32"
        return f"{self._name} on {'CUDA' if self._device.type == 'cuda' else 'CPU'} (torch, {precision})"

    def evaluate(
        self, planes: NDArray[np.float32], features: NDArray[np.float32] | None = None
    ) -> tuple[NDArray[np.float32], ...]:
        """``planes`` float32 [B, C, H, W] and, where the net has them, ``features`` float32 [B, G] -> (policy logits
        float32 [B, A], value float32 [B]) and, with features, leads float32 [B, 2]."""
        shape = self._net.input_shape
        taken = (shape[0], *planes.shape[2:]) if self._net.takes_any_size else shape
        if planes.ndim != 4 or planes.shape[1:] != taken:
            raise ValueError(f"planes have the shape {planes.shape}; {self._name} takes (batch, *{shape})")
        with torch.inference_mode():
            batch = torch.from_numpy(planes).to(self._device, self._dtype, memory_format=torch.channels_last)
            if features is None or not features.shape[1]:
                policy, value, _ = self._net(batch)
                return policy.float().cpu().numpy(), value.float().cpu().numpy()
            policy, value, _, score, _ = self._net(batch, torch.from_numpy(features).to(self._device))
            return policy.float().cpu().numpy(), value.float().cpu().numpy(), leads_of(score.cpu().numpy())
