"""What a net file is given and what its outputs mean, for each kind of net.

Letters: B batch, C planes, G features, H W board, A actions.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from core.engine.evaluator import checked_values
from core.games.encoding import Encoding
from models.netfiles import katago_answers as katago
from models.netfiles.net_file import (
    FEATURES,
    OWNERSHIP,
    SCORE,
    NetInfo,
    check_metadata,
    match_tensors,
)
from models.netfiles.ort_session import unusable
from models.netfiles.recipe import Recipe
from models.netfiles.recipe_heads import RecipeHeads

if TYPE_CHECKING:
    from core.games import GameSpec

Array = NDArray[np.float32]


class Heads(Protocol):
    """The inputs and outputs of one net file, in the conventions of a search."""

    encoding: Encoding
    outputs: tuple[str, ...]
    """The names of those that a search needs, in the order in which ``answer`` takes them."""
    batch: int | None
    """The only batch size of the file; None for any."""
    ownership: str
    """The name of the output with the ownership of each point [B, H, W] for the side to move; "" for none."""

    def inputs(self, planes: Array, features: Array) -> dict[str, Array]:
        """The file's inputs by name, for planes [B, C, H, W] and features [B, G]."""
        ...

    def answer(self, raw: Sequence[Array], planes: Array) -> tuple[Array, ...]:
        """The file's outputs as logits [B, A], values [B] and, where the encoding has them, leads [B, 2]; ``planes`` as
        ``inputs`` got them.

        ``ValueError`` when they contradict the conventions.
        """
        ...

    def owners(self, raw: Array) -> Array:
        """That output in [-1, 1]."""
        ...

    def check_sample(self, logits: Array) -> None:
        """Check the policy of a batch of zeros; :class:`BadNet` when it contradicts the conventions."""
        ...


def heads_for(info: NetInfo, game: "GameSpec", recipe: Recipe | None) -> Heads:
    """The heads of a net file for ``game``; :class:`BadNet` when the file is not a net for it.

    ``recipe`` goes before that of the file; a net of this program needs none, and for it none is used.
    """
    if recipe is not None and (info.is_foreign or info.recipe is not None):
        return RecipeHeads(info.path.name, info.inputs, info.outputs, game, recipe)
    check_metadata(info, game)
    if info.recipe is not None:
        return RecipeHeads(info.path.name, info.inputs, info.outputs, game, info.recipe)
    encoding = next((one for one in game.encodings if one.name == info.encoding), game.encodings[0])
    if encoding.trained:
        return PointsHeads(info, game, encoding)
    if encoding.leads:
        return KataGoHeads(info, encoding)
    return PlainHeads(info, game, encoding)


class PlainHeads:
    """Planes in; logits of the policy and a value out."""

    ownership = ""

    def __init__(self, info: NetInfo, game: "GameSpec", encoding: Encoding) -> None:
        self.encoding = encoding
        self._name, self._actions = info.path.name, game.num_actions
        tensors = match_tensors(info, game, len(encoding.planes) or game.num_planes)
        self._input = tensors.planes.name
        self.outputs: tuple[str, ...] = (tensors.policy, tensors.value)
        self.batch = tensors.planes.shape[0]

    def inputs(self, planes: Array, features: Array) -> dict[str, Array]:
        return {self._input: np.ascontiguousarray(planes)}

    def answer(self, raw: Sequence[Array], planes: Array) -> tuple[Array, ...]:
        policy, value = (np.asarray(part, np.float32) for part in raw)
        batch = policy.size // self._actions
        return policy.reshape(batch, self._actions), checked_values(self._name, value.reshape(batch))

    def owners(self, raw: Array) -> Array:
        return raw

    def check_sample(self, logits: Array) -> None:
        """Nothing more can be checked."""


class PointsHeads(PlainHeads):
    """Our own nets of games with points: planes and features in; policy, value, score and ownership out."""

    ownership = OWNERSHIP

    def __init__(self, info: NetInfo, game: "GameSpec", encoding: Encoding) -> None:
        super().__init__(info, game, encoding)
        for name in (SCORE, OWNERSHIP):
            if name not in [tensor.name for tensor in info.outputs]:
                raise unusable(info.path.name, f"it has no output {name!r}")
        self.outputs = (*self.outputs, SCORE)

    def inputs(self, planes: Array, features: Array) -> dict[str, Array]:
        return {**super().inputs(planes, features), FEATURES: features}

    def answer(self, raw: Sequence[Array], planes: Array) -> tuple[Array, ...]:
        policy, value, score = raw
        return (*super().answer((policy, value), planes), leads_of(score))


def leads_of(score: Array) -> Array:
    """Score [B, 2], mean and standard deviation, as a search takes it: the lead and its mean square."""
    return np.stack([score[:, 0], (score**2).sum(axis=1)], axis=1)


class KataGoHeads:
    """The nets of KataGo as ``plyscope import`` writes them (models.netfiles.katago_graph)."""

    outputs: tuple[str, ...] = ("policy", "value", "miscvalue")

    def __init__(self, info: NetInfo, encoding: Encoding) -> None:
        self.encoding = encoding
        self._scaling = katago.scaling_of(info.config)
        self.ownership = OWNERSHIP if any(output.name == OWNERSHIP for output in info.outputs) else ""
        self.batch: int | None = next((t.shape[0] for t in info.inputs if t.name == "spatial"), None)

    def inputs(self, planes: Array, features: Array) -> dict[str, Array]:
        return {"spatial": planes, "global": features}

    def answer(self, raw: Sequence[Array], planes: Array) -> tuple[Array, ...]:
        logits, value, points = raw
        policy = logits[:, 0]
        if logits.shape[1] > 1:
            policy = policy + (logits[:, 1] - policy) * np.float32(katago.TREE_OPTIMISM)
        values, leads = katago.values_and_leads(value, points, self._scaling, self.encoding.no_result)
        return np.ascontiguousarray(policy), values, leads

    def owners(self, raw: Array) -> Array:
        return np.tanh(raw)

    def check_sample(self, logits: Array) -> None:
        """Nothing more can be checked."""
