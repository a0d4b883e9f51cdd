"""What a net file is given and what its outputs mean, for each kind of net.

Letters: B batch, C planes, P planes that a recipe's are made of, G features, H W board, A actions.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.engine.evaluator import VALUE_SLACK, checked_values
from core.games import GameSpec
from core.games.encoding import Encoding, Inputs
from core.text import Text
from models.netfiles import katago_answers as katago
from models.netfiles.katago_metadata import HUMAN_ENCODING, USUAL, metadata
from models.netfiles.net_file import (
    FEATURES,
    OWNERSHIP,
    SCORE,
    WDL,
    NetInfo,
    check_metadata,
    match_tensors,
)
from models.netfiles.ort_session import BadNet, TensorInfo, fits, names, row_size, shape_text, unusable
from models.netfiles.recipe import Recipe, RecipeInput
from models.netfiles.recipe_planes import check_planes, landing, planes, raw_encoding

POLICY_NAMES: Final = ("policy", "pi", "prob", "logits", "act", "move")
VALUE_NAMES: Final = ("value", "wdl", "wld", "win", "score", "v")
_PLACES: Final = {"wdl": (0, 2), "wld": (0, 1)}  # of win and loss
_LOWEST: Final = np.float32(-1e9)  # the logit of a move without an entry
_DTYPES: Final = {
    "tensor(float)": "float32",
    "tensor(float16)": "float16",
    "tensor(double)": "float64",
    "tensor(int8)": "int8",
    "tensor(uint8)": "uint8",
    "tensor(int32)": "int32",
    "tensor(int64)": "int64",
    "tensor(bool)": "bool",
}

Array = NDArray[np.float32]


class Heads(ABC):
    """The inputs and outputs of one net file, in the conventions of a search."""

    encoding: Encoding
    outputs: tuple[str, ...]
    """The names of those that a search needs, in the order in which ``answer`` takes them."""
    batch: int | None
    """The only batch size of the file; None for any."""
    ownership: str = ""
    """The name of the output with the ownership of each point [B, H, W] for the side to move; "" for none."""

    outcome: str = ""
    """The name of the output with win, draw and loss; "" for none."""

    @abstractmethod
    def inputs(self, planes: Array, features: Array) -> dict[str, Array]:
        """The file's inputs by name, for planes [B, C, H, W] and features [B, G]."""

    @abstractmethod
    def answer(self, raw: Sequence[Array], planes: Array) -> tuple[Array, ...]:
        """The file's outputs as logits [B, A], values [B] and, where the encoding has them, leads [B, 2]; ``planes`` as
        ``inputs`` got them.

        ``ValueError`` when they contradict the conventions.
        """

    def owners(self, raw: Array) -> Array:
        """The output ``ownership`` in [-1, 1]."""
        return raw

    def chances(self, raw: Array, planes: Array) -> Array:
        """The output ``outcome`` as chances of win, draw and loss for the side to move [B, 3]."""
        return _chances_in(raw, "wdl-logits")

    def in_parts(self, inputs: Inputs) -> list[Inputs]:
        """The inputs in parts of the batch size of the file, the last filled up with its first row."""
        batch, size = len(inputs.planes), self.batch
        if size is None:
            return [inputs]
        rows = [[i if i < batch else start for i in range(start, start + size)] for start in range(0, batch, size)]
        return [Inputs(inputs.planes[part], inputs.features[part]) for part in rows]

    def joined(self, parts: Sequence[Sequence[Array]], batch: int) -> tuple[Array, ...]:
        """The arrays for all parts, one after the other, without those for what the last was filled up with."""
        if self.batch is None:
            return tuple(parts[0])
        return tuple(np.concatenate(rows)[:batch] for rows in zip(*parts, strict=True))

    def turned(self, board: Array) -> Array:
        """An array [B, C, H, W] with rows and columns in the order of the net."""
        return board

    def turned_back(self, board: Array) -> Array:
        """The inverse of ``turned``."""
        return board

    def sample_problem(self, logits: Array) -> str:
        """What is wrong with the policy [B, A] of a batch of zeros; empty when nothing is."""
        return ""


def heads_for(info: NetInfo, game: "GameSpec", recipe: Recipe | None) -> Heads:
    """The heads of a net file for ``game``; :class:`BadNet` when the file is not a net for it.

    ``recipe`` goes before that of the file; a net of this program needs none, and for it none is used.
    """
    if recipe is not None and recipe.profile and info.encoding != HUMAN_ENCODING:
        raise BadNet(Text("{name} imitates no players by rank or year, so it takes no profile", name=info.path.name))
    if recipe is not None and (info.is_foreign or info.recipe is not None):
        return RecipeHeads(info.path.name, info.inputs, info.outputs, game, recipe)
    check_metadata(info, game)
    if info.recipe is not None:
        return RecipeHeads(info.path.name, info.inputs, info.outputs, game, info.recipe)
    encoding = next((encoding for encoding in game.encodings if encoding.name == info.encoding), game.encodings[0])
    if encoding.trained:
        return PointsHeads(info, game, encoding)
    if info.encoding == HUMAN_ENCODING:
        profile = recipe.profile if recipe is not None else ""
        return HumanHeads(info, encoding, metadata(profile or USUAL, game.num_cells))
    if encoding.leads:
        return KataGoHeads(info, encoding)
    return PlainHeads(info, game, encoding)


class PlainHeads(Heads):
    """Planes in; logits of the policy and a value out."""

    def __init__(self, info: NetInfo, game: "GameSpec", encoding: Encoding) -> None:
        self.encoding = encoding
        self._name, self._actions = info.path.name, game.num_actions
        tensors = match_tensors(info, game, len(encoding.planes) or game.num_planes)
        self._input = tensors.planes.name
        self.outputs: tuple[str, ...] = (tensors.policy, tensors.value)
        self.batch = tensors.planes.shape[0]
        if any(tensor.name == WDL and tensor.shape[1:] == (3,) for tensor in info.outputs):
            self.outcome = WDL

    def inputs(self, planes: Array, features: Array) -> dict[str, Array]:
        return {self._input: np.ascontiguousarray(planes)}

    def answer(self, raw: Sequence[Array], planes: Array) -> tuple[Array, ...]:
        policy, value = (np.asarray(part, np.float32) for part in raw)
        batch = policy.size // self._actions
        return policy.reshape(batch, self._actions), checked_values(self._name, value.reshape(batch))


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


class KataGoHeads(Heads):
    """The nets of KataGo as ``plyscope import`` writes them (models.netfiles.katago_graph)."""

    outputs: tuple[str, ...] = ("policy", "value", "miscvalue")
    optimism = np.float32(katago.TREE_OPTIMISM)

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
            policy = policy + (logits[:, 1] - policy) * self.optimism
        values, leads = katago.values_and_leads(value, points, self._scaling, self.encoding.no_result)
        return np.ascontiguousarray(policy), values, leads

    def owners(self, raw: Array) -> Array:
        return np.tanh(raw)


class HumanHeads(KataGoHeads):
    """The nets of KataGo that imitate players: their metadata in, with black and with white to move [2, 192].

    Their policy is the plain one, as KataGo takes it."""

    optimism = np.float32(0.0)

    def __init__(self, info: NetInfo, encoding: Encoding, told: Array) -> None:
        super().__init__(info, encoding)
        self._told = told

    def inputs(self, planes: Array, features: Array) -> dict[str, Array]:
        white = (features[:, -1] > 0.5).astype(np.intp)
        numbers = np.ascontiguousarray(features[:, :-1])
        return {**super().inputs(planes, numbers), "meta": self._told[white]}


class _Input(NamedTuple):
    """One input of the file."""

    name: str
    words: tuple[str, ...]
    shape: tuple[int, ...]  # of one position
    numbers: bool
    channels_last: bool
    dtype: str


class RecipeHeads(Heads):
    """The nets from elsewhere: inputs by a recipe; logits of the game's policy and a value out."""

    def __init__(
        self,
        net: str,
        inputs: Sequence[TensorInfo],
        outputs: Sequence[TensorInfo],
        game: "GameSpec",
        recipe: Recipe,
    ) -> None:
        """:class:`BadNet` when the tensors of ``net`` or the game do not fit the recipe."""
        self._net, self._game, self._recipe = net, game, recipe
        if recipe.game not in ("", game.text):
            raise BadNet(
                Text(
                    "{name} is a net for {game}; the game here is {current!r}",
                    name=net,
                    game=recipe.game,
                    current=game.text,
                )
            )
        check_planes(recipe.planes, game)
        self._inputs = [self._input(part, inputs) for part in recipe.inputs]
        missing = [tensor for tensor in inputs if tensor.name not in {taken.name for taken in self._inputs}]
        if missing:
            raise unusable(net, f"it also has the input {names(tuple(missing))}, for which the recipe says nothing")
        self.batch = next(tensor for tensor in inputs if tensor.name == self._inputs[0].name).shape[0]
        policy, value = self._outputs(outputs)
        self.outputs: tuple[str, ...] = (policy.name, value.name)
        self.outcome = value.name if recipe.value.partition("-")[0] in _PLACES else ""
        size = row_size(policy, self.batch == 1) or game.num_actions
        per_cell = game.gravity and size in _sizes(game.num_cells) and recipe.moves != "actions"
        self._per_cell = per_cell or (game.moves_are_cells and recipe.moves != "actions")
        self._moves = game.num_cells if self._per_cell else game.num_actions
        self.encoding = raw_encoding(recipe.planes, game, recipe.encoding_name)

    def _input(self, part: RecipeInput, tensors: Sequence[TensorInfo]) -> _Input:
        """An input of the recipe and the tensor that takes it."""
        named = [tensor for tensor in tensors if tensor.name == part.name or (not part.name and len(tensors) == 1)]
        if not named:
            raise unusable(
                self._net, f"it has no input {part.name!r}, which the recipe names; it has {names(tuple(tensors))}"
            )
        tensor = named[0]
        count, (height, width) = len(part.planes), self._game.shape
        if self._recipe.transposed:
            height, width = width, height
        cells = height * width
        first: list[tuple[int, ...]] = [(count, height, width), (count, cells), (count * cells,)]
        last: list[tuple[int, ...]] = [(height, width, count), (cells, count), (count * cells,)]
        first += [(height, width)] if count == 1 else []
        shapes = {"nchw": first, "nhwc": last}.get(part.layout, first + last)
        if part.layout == "numbers":
            shapes = [(count,)]
            if count == 1 and None not in tensor.shape[1:]:
                shapes = [tuple(size for size in tensor.shape[1:] if size is not None)]
        fitting = [shape for shape in shapes if fits(tensor.shape[1:], shape)]
        if not fitting or not tensor.shape:
            raise unusable(
                self._net,
                f"it takes {tensor.name} {shape_text(tensor.shape)}; the recipe gives it {count} "
                f"planes of {height}×{width} as {part.layout}",
            )
        if tensor.dtype not in _DTYPES:
            raise unusable(
                self._net, f"it has {tensor.name!r} as {tensor.dtype}; one of {', '.join(_DTYPES.values())} is needed"
            )
        numbers = part.layout == "numbers"
        channels_last = part.layout == "nhwc" or (not numbers and fitting[0] not in first)
        return _Input(tensor.name, part.planes, fitting[0], numbers, channels_last, _DTYPES[tensor.dtype])

    def _outputs(self, tensors: Sequence[TensorInfo]) -> tuple[TensorInfo, TensorInfo]:
        """The tensors of policy and value, by the names in the recipe, else by sizes and then by names."""
        recipe, game = self._recipe, self._game
        sizes = {tensor.name: row_size(tensor, self.batch == 1) for tensor in tensors}
        policy_sizes = set(_sizes(game.num_actions)) if recipe.moves != "cells" else set()
        if recipe.moves != "actions" and (game.gravity or game.moves_are_cells):
            policy_sizes |= set(_sizes(game.num_cells))
        policies = [t for t in tensors if sizes[t.name] in policy_sizes and t.name != recipe.value_output]
        what = f"a policy of {game.num_actions} actions"
        policy = self._pick(tensors, policies, recipe.policy_output, POLICY_NAMES, what)
        count = 1 if recipe.value in ("value", "win-probability") else 3
        values = [t for t in tensors if sizes[t.name] in (count, None) and t.name != policy.name]
        what = "one value per position" if count == 1 else "win, draw and loss per position"
        return policy, self._pick(tensors, values, recipe.value_output, VALUE_NAMES, what)

    def _pick(
        self, tensors: Sequence[TensorInfo], fitting: list[TensorInfo], name: str, usual: tuple[str, ...], what: str
    ) -> TensorInfo:
        """The output ``name``, else the only one that fits, else the one with the most usual name."""
        candidates = [tensor for tensor in fitting if not name or tensor.name == name]
        if len(candidates) > 1:
            ranks = [min((i for i, part in enumerate(usual) if part in t.name.lower()), default=99) for t in candidates]
            if ranks.count(min(ranks)) == 1:
                candidates = [candidates[ranks.index(min(ranks))]]
        if len(candidates) != 1:
            raise unusable(
                self._net,
                f"it has no single output that holds {what}; it has {names(tuple(tensors))}: name "
                "the one to use in the recipe",
            )
        return candidates[0]

    def inputs(self, raw: Array, features: Array) -> dict[str, Array]:
        """The file's inputs by name, for planes [B, P, H, W] in ``encoding``."""
        return {tensor.name: self._layout(tensor, raw) for tensor in self._inputs}

    def turned(self, board: Array) -> Array:
        turned = board[:, :, ::-1] if self._recipe.rows == "bottom" else board
        return turned.transpose(0, 1, 3, 2) if self._recipe.transposed else turned

    def turned_back(self, board: Array) -> Array:
        turned = board.transpose(0, 1, 3, 2) if self._recipe.transposed else board
        return turned[:, :, ::-1] if self._recipe.rows == "bottom" else turned

    def _layout(self, tensor: _Input, raw: Array) -> Array:
        array = self.turned(planes(tensor.words, raw, self._game))
        if tensor.numbers:
            array = array[:, :, 0, 0]
            if len(tensor.words) == 1:
                array = np.repeat(array, int(np.prod(tensor.shape)), axis=1)
        elif tensor.channels_last:
            array = array.transpose(0, 2, 3, 1)
        return np.ascontiguousarray(array.reshape(len(raw), *tensor.shape), dtype=tensor.dtype)

    def answer(self, raw: Sequence[Array], raw_planes: Array) -> tuple[Array, ...]:
        """Logits [B, A] and values [B] for the side to move."""
        batch, recipe = len(raw_planes), self._recipe
        raw_policy, raw_value = (np.asarray(part, np.float32).reshape(batch, -1) for part in raw)
        if raw_policy.shape[1] not in _sizes(self._moves):
            raise ValueError(
                f"its policy has {raw_policy.shape[1]} numbers per position where {self._moves} are needed"
            )
        policy = self._by_action(_logits_in(self._net, raw_policy, recipe.policy), raw_planes)
        value = checked_values(self._net, _value_in(raw_value, recipe.value))
        if recipe.value_for == "first":
            value = value * (2 * raw_planes[:, 3, 0, 0] - 1)
        return np.ascontiguousarray(policy), np.ascontiguousarray(value, np.float32)

    def chances(self, raw: Array, planes: Array) -> Array:
        chances = _chances_in(np.asarray(raw, np.float32).reshape(len(planes), -1), self._recipe.value)
        if self._recipe.value_for == "first":
            chances = np.where(planes[:, 3, :1, 0] > 0.5, chances, chances[:, ::-1])
        return np.ascontiguousarray(chances)

    def _by_action(self, policy: Array, raw_planes: Array) -> Array:
        """Logits of the game's actions [B, A] for those of the net, with or without a pass."""
        batch, game = len(policy), self._game
        passing = np.full((batch, 1), _LOWEST, np.float32)
        if policy.shape[1] == self._moves + 1:
            at = 0 if self._recipe.pass_at == "first" else self._moves
            passing, policy = policy[:, at : at + 1], np.delete(policy, at, axis=1)
        if not self._per_cell:
            return policy
        height, width = game.shape
        if self._recipe.transposed:
            board = policy.reshape(batch, width, height).transpose(0, 2, 1)
        else:
            board = policy.reshape(batch, height, width)
        if self._recipe.policy_rows == "bottom":
            board = board[:, ::-1]
        if game.gravity:  # an action is a column: the entry of the cell where its stone lands
            landings = np.where(landing(raw_planes) > 0, board, _LOWEST)
            return np.asarray(landings.max(axis=1), np.float32)
        moves = board.reshape(batch, -1)
        return np.concatenate([moves, passing], axis=1) if game.num_actions > game.num_cells else moves

    def sample_problem(self, logits: Array) -> str:
        adds_to_1 = logits.min() >= 0.0 and np.abs(logits.sum(axis=1) - 1.0).max() < VALUE_SLACK
        if self._recipe.policy != "logits" or not adds_to_1:
            return ""
        return "it has a policy that adds up to 1: it holds probabilities, not logits"


def _sizes(moves: int) -> tuple[int, int]:
    """How many entries a policy of so many moves may have: a pass may come on top."""
    return moves, moves + 1


def _logits_in(net: str, policy: Array, kind: str) -> Array:
    """Convert a policy [B, A] of one of ``POLICY_KINDS`` to logits; :class:`BadNet` when its numbers contradict it."""
    if kind == "logits":
        return policy
    low, high = (0.0, 1.0) if kind == "probabilities" else (-np.inf, 0.0)
    for worst in (policy.min(initial=0.0), policy.max(initial=0.0)):
        if not low - VALUE_SLACK <= worst <= high + VALUE_SLACK:
            raise unusable(net, f"it gave a policy entry of {worst:g}; it holds no {kind}")
    # The logarithm of a zero probability is -inf, which no search can use.
    return np.maximum(np.log(np.maximum(policy, np.float32(1e-12))) if low == 0.0 else policy, np.float32(-1e9))


def _value_in(value: Array, kind: str) -> Array:
    """Convert a value output [B, 1], or [B, 3] of win, draw and loss in the order of ``kind``, to values [B]."""
    if kind == "value":
        return value.reshape(len(value))
    if kind == "win-probability":
        return 2 * value.reshape(len(value)) - 1
    chances = _chances_in(value, kind)
    return np.ascontiguousarray(chances[:, 0] - chances[:, 2])


def _chances_in(output: Array, kind: str) -> Array:
    """Convert an output [B, 3] in the order and the form of ``kind`` to the chances of win, draw and loss."""
    if output.shape[1] != 3:
        raise ValueError(f"its output has {output.shape[1]} numbers per position where win, draw and loss are needed")
    order, _, form = kind.partition("-")
    if form == "logits":
        output = np.exp(output - output.max(axis=1, keepdims=True))
        output /= output.sum(axis=1, keepdims=True)
    win, loss = _PLACES[order]
    return output[:, [win, 3 - win - loss, loss]]
