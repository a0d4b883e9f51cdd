"""Training of the net: losses, optimizer, schedule, averaged weights.

Letters: B batch, A actions, C planes, H W board.
"""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from core.games import GameSpec
from core.text import Text
from models.nets.net import PolicyValueNet, folded, has_fast_bf16
from models.play.replay import Batch
from models.play.samples import PointSamples
from models.runs.config import LearningSettings, TrainConfig

WARMUP_STEPS: Final = 100  # over which the rate rises to the highest
FINAL_RATE_SHARE: Final = 0.05  # of the highest rate at the end of the run
CLIP_NORM: Final = 5.0  # to which the gradient is clipped
SCORE_WEIGHT: Final = 0.02  # factor of the score's loss (KataGo: 0.02)
OWNERSHIP_WEIGHT: Final = 1.0  # factor of the ownership's loss (KataGo: 1.5)
_EVALUATED_AT_ONCE: Final = 256
_POINTS_FIGURES: Final = ("score_loss", "ownership_loss")


class Diverged(ValueError):
    """The loss or gradient of a step is NaN or infinite; no weight was changed, but perhaps running statistics."""

    def __init__(self, step: int, what: Literal["loss", "gradient"]) -> None:
        super().__init__(
            Text(
                "the loss is no longer a number at step {step}"
                if what == "loss"
                else "the gradient is no longer a number at step {step}",
                step=step,
            )
        )
        self.step = step


class Losses(NamedTuple):
    """Losses, means over a batch; ``total`` is minimised, without the optimizer's weight decay."""

    total: Tensor
    policy: Tensor  # cross-entropy with the search's policy, nats
    value: Tensor  # cross-entropy with the result: win, draw, loss
    entropy: Tensor  # of the net's policy, nats
    target_entropy: Tensor  # of the search's policy, nats
    points: tuple[Tensor, ...] = ()  # score: -ln of the density of the lead, in points; ownership: cross-entropy, nats


class Learned(NamedTuple):
    """The result of a number of optimizer steps.

    figures: means over the steps, None without steps.  rate: the last learning rate.  seconds: duration.
    """

    steps: int
    figures: dict[str, float | None]
    rate: float
    seconds: float


def wdl_targets(value: Tensor) -> Tensor:
    """Probabilities [B, 3] of win, draw, loss for a value [B]: |value| of a win or loss, the rest a draw."""
    return torch.stack([value.clamp(min=0.0), 1.0 - value.abs(), (-value).clamp(min=0.0)], dim=1)


def losses(net: PolicyValueNet, batches: Sequence[Batch], root_value_share: float, bf16: bool) -> Losses:
    """Losses of the net on one batch, in parts by the size of the board: AlphaGo Zero's equation 1 without the
    regularisation, which the optimizer applies, and with the cross-entropy on win, draw and loss for the value.

    The policy loss is over the legal actions, as a search takes the net's logits; KataGo trains so.  With
    ``root_value_share`` s the value target is (1 - s) z + s q, q the search's value, both as probabilities.
    """
    device = next(net.parameters()).device
    with torch.autocast(device.type, torch.bfloat16, enabled=bf16):
        answers = net.together([inputs_on(batch, device) for batch in batches])
    parts = [_of_positions(answer, batch, root_value_share) for answer, batch in zip(answers, batches, strict=True)]
    policy, value, entropy, target_entropy = (torch.cat(rows).mean() for rows in zip(*parts, strict=True))
    total = policy + value
    points: tuple[Tensor, ...] = ()
    counts = [
        (answer[3], answer[4], batch.points)
        for answer, batch in zip(answers, batches, strict=True)
        if batch.points is not None
    ]
    if counts:
        points = points_losses(counts)
        total = total + SCORE_WEIGHT * points[0] + OWNERSHIP_WEIGHT * points[1]
    return Losses(total, policy, value, entropy, target_entropy, points)


def inputs_on(batch: Batch, device: torch.device) -> tuple[Tensor, Tensor | None]:
    """The planes of a batch and perhaps its features, on a device."""
    planes = torch.from_numpy(batch.planes).to(device, memory_format=torch.channels_last)
    return planes, None if batch.points is None else torch.from_numpy(batch.points.features).to(device)


def _of_positions(answer: tuple[Tensor, ...], batch: Batch, root_value_share: float) -> tuple[Tensor, ...]:
    """Of each position [B]: policy loss, value loss, entropy of the net's policy and of the search's."""
    logits, _, wdl, *_ = answer
    device = logits.device
    policy_target = torch.from_numpy(batch.policy).to(device)
    result, searched = (torch.from_numpy(value).to(device) for value in (batch.result, batch.root_value))
    log_policy = _log_policy(logits, batch.legal)
    value_target = (1.0 - root_value_share) * wdl_targets(result) + root_value_share * wdl_targets(searched)
    value_loss = -(value_target * functional.log_softmax(wdl.float(), dim=1)).sum(dim=1)
    entropy = -(log_policy.detach().exp() * log_policy.detach()).sum(dim=1)
    target_entropy = -torch.xlogy(policy_target, policy_target).sum(dim=1)
    return -(policy_target * log_policy).sum(dim=1), value_loss, entropy, target_entropy


def position_losses(answer: tuple[Tensor, ...], batch: Batch, root_value_share: float) -> Tensor:
    """The loss that is minimised, of each position [B] alone, by what the net answers."""
    policy, value, _, _ = _of_positions(answer, batch, root_value_share)
    if batch.points is None:
        return policy + value
    density, crossed, counted = _points_of_positions(answer[3], answer[4], batch.points)
    return policy + value + (SCORE_WEIGHT * density + OWNERSHIP_WEIGHT * crossed) * counted


def _log_policy(logits: Tensor, legal: NDArray[np.bool_] | None) -> Tensor:
    """Ln of the policy [B, A] over the ``legal`` actions, with 0 for the others; None: all are."""
    if legal is None:
        return functional.log_softmax(logits.float(), dim=1)
    illegal = torch.from_numpy(~legal).to(logits.device)
    over_legal = functional.log_softmax(logits.float().masked_fill(illegal, -math.inf), dim=1)
    return over_legal.masked_fill(illegal, 0.0)


def points_losses(parts: Sequence[tuple[Tensor, Tensor, PointSamples]]) -> tuple[Tensor, Tensor]:
    """Losses of the score [B, 2], a normal distribution, and of the ownership [B, H, W], means over the positions
    whose games were counted; 0 without such.  ``parts``: score, ownership and what is wanted, by size of the board."""
    rows = [_points_of_positions(*part) for part in parts]
    density, crossed, counted = (torch.cat(column) for column in zip(*rows, strict=True))
    count = counted.sum().clamp(min=1)
    return (density * counted).sum() / count, (crossed * counted).sum() / count


def _points_of_positions(score: Tensor, ownership: Tensor, targets: PointSamples) -> tuple[Tensor, Tensor, Tensor]:
    """Both losses of each position [B], and whether its game was counted."""
    margin = torch.from_numpy(targets.margin).to(score.device)
    density = functional.gaussian_nll_loss(score[:, 0], margin.nan_to_num(), score[:, 1].square(), reduction="none")
    owners = torch.from_numpy(targets.owners).to(ownership.device, torch.float32)
    crossed = functional.binary_cross_entropy((1.0 + ownership) / 2.0, (1.0 + owners) / 2.0, reduction="none")
    return density, crossed.mean(dim=(1, 2)), torch.isfinite(margin)


def make_optimizer(net: nn.Module, settings: LearningSettings) -> torch.optim.Optimizer:
    """AdamW; weight decay on convolution and linear weights, none on biases and normalisation."""
    decayed = [p for p in net.parameters() if p.ndim > 1]
    others = [p for p in net.parameters() if p.ndim <= 1]
    groups = [{"params": decayed, "weight_decay": settings.weight_decay}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=settings.rate, fused=True)


def load_optimizer(optimizer: torch.optim.Optimizer, state: dict[str, Any]) -> None:
    """Load a state_dict into ``optimizer``, which keeps its own settings, such as weight decay and whether it is fused.

    The settings are put into the state beforehand: by them torch decides where a fused optimizer's counts of steps are.
    """
    groups = []
    for group, loaded in zip(optimizer.param_groups, state["param_groups"], strict=True):
        settings = {name: value for name, value in group.items() if name != "params"}
        groups.append({**loaded, **settings})
    optimizer.load_state_dict({**state, "param_groups": groups})


def learning_rate(highest: float, step: int, progress: float) -> float:
    """The learning rate of a step: linear warm-up, times half a cosine from the highest rate at ``progress`` 0 to the
    lowest at 1 (Loshchilov & Hutter 2017, equation 5)."""
    share = FINAL_RATE_SHARE
    cosine = share + (1.0 - share) * 0.5 * (1.0 + math.cos(math.pi * min(1.0, max(0.0, progress))))
    return highest * cosine * min(1.0, (step + 1) / (WARMUP_STEPS + 1))


def regularisation(net: nn.Module, weight_decay: float) -> float:
    """The regularisation term c |theta|^2 / 2 for c = ``weight_decay`` (AlphaGo Zero, equation 1)."""
    with torch.no_grad():
        squares = sum(float(p.float().square().sum()) for p in net.parameters() if p.ndim > 1)
    return 0.5 * weight_decay * squares


def average_decay(settings: LearningSettings, step: int) -> float:
    """The decay of the averaged weights after ``step`` steps; smaller at the start, so that the untrained weights are
    forgotten sooner.

    With ``ema_samples`` n the average goes back over n positions learned from: 1 - batch_size / n."""
    return min(max(0.0, 1.0 - settings.batch_size / settings.ema_samples), (1 + step) / (10 + step))


@torch.no_grad()
def update_average(average: nn.Module, net: nn.Module, decay: float) -> None:
    """Update the averaged weights: average <- decay * average + (1 - decay) * net, running statistics included."""
    mine, theirs = list(average.state_dict().values()), list(net.state_dict().values())
    moved = [pair for pair in zip(mine, theirs, strict=True) if pair[0].is_floating_point()]
    torch._foreach_lerp_([mean for mean, _ in moved], [other for _, other in moved], 1.0 - decay)
    for mean, other in zip(mine, theirs, strict=True):
        if not mean.is_floating_point():
            mean.copy_(other)


class Learner:
    """The trained net, its averaged weights and its optimizer.

    The caller saves and restores ``net``, ``average``, ``optimizer``, ``rng`` and ``step``.
    """

    def __init__(self, game: GameSpec, config: TrainConfig, device: torch.device) -> None:
        self.settings, self.device = config.learning, device
        self.bf16 = has_fast_bf16(device)
        torch.manual_seed(config.run.seed)
        self.net = _placed(PolicyValueNet.for_game(game, config.net_config()), device)
        self.average = _placed(PolicyValueNet.for_game(game, config.net_config()), device)
        self.average.load_state_dict(self.net.state_dict())
        self.average.eval().requires_grad_(False)
        self.optimizer = make_optimizer(self.net, config.learning)
        self.rng = np.random.default_rng(config.run.seed)
        self.step = 0

    def learn(
        self,
        steps: int,
        draw: Callable[[int, np.random.Generator], Sequence[Batch]],
        progress: Callable[[], float],
        should_stop: Callable[[], bool] = lambda: False,
    ) -> Learned:
        """Take ``steps`` steps, fewer if ``should_stop``, each on a batch from ``draw(batch_size, rng)``.

        ``progress`` gives the progress of the run, 0 to 1.  Raises :class:`Diverged` for a NaN or infinite loss.
        """
        begun = time.perf_counter()
        rows: list[Tensor] = []
        rate = 0.0
        self.net.train()
        for _ in range(steps):
            if should_stop():
                break
            rate = learning_rate(self.settings.rate, self.step, progress())
            rows.append(self.take_step(draw(self.settings.batch_size, self.rng), rate))
        return Learned(len(rows), self._figures(rows), rate, time.perf_counter() - begun)

    def take_step(self, batches: Sequence[Batch], rate: float) -> Tensor:
        """Take one step: its [policy loss, value loss, entropy, entropy of the target, norm of the gradient]."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        loss = losses(self.net, batches, self.settings.root_value_share, self.bf16)
        if not bool(torch.isfinite(loss.total)):
            raise Diverged(self.step, "loss")
        self.optimizer.zero_grad(set_to_none=True)
        loss.total.backward()  # type: ignore[no-untyped-call]
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), CLIP_NORM)
        if not bool(torch.isfinite(norm)):
            raise Diverged(self.step, "gradient")
        self.optimizer.step()
        update_average(self.average, self.net, average_decay(self.settings, self.step))
        self.step += 1
        return torch.stack([loss.policy, loss.value, loss.entropy, loss.target_entropy, norm, *loss.points]).detach()

    def _figures(self, rows: list[Tensor]) -> dict[str, float | None]:
        names = (
            "policy_loss", "value_loss", "regularisation", "total", "entropy", "target_entropy", "kl", "gradient_norm"
        )  # fmt: skip
        if not rows:
            return dict.fromkeys(names)
        policy, value, entropy, target_entropy, norm, *points = torch.stack(rows).double().mean(dim=0).tolist()
        decay = regularisation(self.net, self.settings.weight_decay)
        total = policy + value + decay
        if points:
            total += SCORE_WEIGHT * points[0] + OWNERSHIP_WEIGHT * points[1]
        kl = policy - target_entropy  # KL(pi || p) = H(pi, p) - H(pi)
        figures = (policy, value, decay, total, entropy, target_entropy, kl, norm)
        return dict(zip(names, figures, strict=True)) | dict(zip(_POINTS_FIGURES, points, strict=False))

    @torch.no_grad()
    def held_out(self, batches: Sequence[Batch]) -> dict[str, float]:
        """The averaged net's losses on positions from which it has not learned; none without positions."""
        batches = [batch for batch in batches if len(batch.result)]
        if not batches:
            return {}
        means = losses(self.average, batches, self.settings.root_value_share, bf16=False)
        kl = means.policy - means.target_entropy
        named = {"held_out_policy_loss": means.policy, "held_out_value_loss": means.value, "held_out_kl": kl}
        return {name: float(value) for name, value in named.items()}

    def values(self, planes: NDArray[Any], features: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """The averaged net's values [n] of planes [n, C, H, W] and perhaps features [n, G], for the side to move."""
        net = folded(self.average)
        parts = [np.zeros(0, np.float32)]
        inputs = [planes] if features is None else [planes, features]
        with torch.inference_mode():
            for start in range(0, len(planes), _EVALUATED_AT_ONCE):
                part = (rows[start : start + _EVALUATED_AT_ONCE].astype(np.float32) for rows in inputs)
                answer = net(*(torch.from_numpy(rows).to(self.device) for rows in part))
                parts.append(answer[1].float().cpu().numpy())
        return np.concatenate(parts)


def _placed(net: PolicyValueNet, device: torch.device) -> PolicyValueNet:
    return net.to(device).to(memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]
