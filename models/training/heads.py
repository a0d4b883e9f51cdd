"""Policy heads that only training has: they teach the tower and are not part of a net file.  Knows no self-play.

Soft policy: a head of its own learns the policy target to the power 1/4, which is much flatter, so that the tower also
learns to tell unlikely moves from worse ones (KataGo, docs/KataGoMethods.md, auxiliary soft policy target).  Reply: a
head learns the policy target of the next position, the opponent's (KataGo: Wu 2019, section 4.1 and appendix A).

Letters: B batch, A actions.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.games import GameSpec
from models.nets.net import NetConfig, PolicyHead, begin_near_zero
from models.play.replay import Batch
from models.runs.config import TrainConfig

SOFT_POWER: Final = 0.25
SOFT, REPLY = "soft_policy", "reply"


class ExtraPolicy(PolicyHead):
    """A policy head beside those of a net."""

    def __init__(self, config: NetConfig, cells: int, actions: int) -> None:
        super().__init__()
        self._begin_policy(config)
        self._end_policy(config, cells, actions)
        begin_near_zero(self.policy_out)


def weights_of(config: TrainConfig) -> dict[str, float]:
    """The heads that a run has, with the factors of their losses."""
    weights = {SOFT: config.soft_policy_weight, REPLY: config.reply_weight}
    return {name: weight for name, weight in weights.items() if weight}


def make_heads(game: GameSpec, config: TrainConfig) -> nn.ModuleDict:
    """The heads of a run by name, none by default."""
    cells = game.shape[0] * game.shape[1]
    shape = config.net_config()
    return nn.ModuleDict({name: ExtraPolicy(shape, cells, game.num_actions) for name in weights_of(config)})


def soft_target(policy: Tensor) -> Tensor:
    """A policy target [B, A] to the power 1/4, of sum 1."""
    powers = policy.pow(SOFT_POWER)
    return powers / powers.sum(dim=1, keepdim=True)


def head_losses(heads: nn.ModuleDict, features: list[Tensor], batches: Sequence[Batch]) -> dict[str, Tensor]:
    """The loss of each head by name, the cross-entropy with what it learns: means over the positions that have it, 0
    without such.  ``features``: the tower's, by size of the board."""
    found = {}
    for name, head in heads.items():
        assert isinstance(head, ExtraPolicy)
        rows = [_rows(name, *one) for one in zip(head.policies(features), batches, strict=True)]
        crossed, known = (torch.cat(column) for column in zip(*rows, strict=True))
        found[name] = (crossed * known).sum() / known.sum().clamp(min=1)
    return found


def _rows(name: str, logits: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
    """The loss of each position [B], and whether it has one."""
    given = batch.policy if name == SOFT else batch.reply
    assert given is not None
    target = torch.from_numpy(given).to(logits.device)
    known = target.sum(dim=1) > 0.0
    if name == SOFT:
        target = soft_target(target)
    return -(target * functional.log_softmax(logits.float(), dim=1)).sum(dim=1), known


def load_heads(heads: nn.ModuleDict, states: Mapping[str, Any]) -> bool:
    """Load the states of the heads that a run had before; whether they are just those it has now."""
    for name, head in heads.items():
        if name in states:
            head.load_state_dict(states[name])
    return set(states) == set(heads)
