"""A net file whose blocks can be looked into: their outputs, and the rest of the net continued from any of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from numpy.typing import NDArray

from core.games import GameSpec
from core.games.encoding import Inputs
from core.search.work import Answer
from core.text import Text, text_of
from models.netfiles.checked import checked_net, empty_boards, open_changed
from models.netfiles.ort_session import ORT_ERRORS, BadNet, first_line, fits, unusable
from models.netfiles.recipe import Recipe
from models.netfiles.trunk import find_trunk, rest_of, with_outputs

_HALF: Final = "tensor(float16)"
_FIRST: Final = "channels first"  # how a block's output holds a board: [B, C, H, W]
_LAST: Final = "channels last"  # [B, H, W, C]
_TOKENS: Final = "tokens"  # [B, H * W, C]
_OPEN_BYTES: Final = 1 << 29  # of the files of sessions on parts of a net
_LEAST_OPEN: Final = 2
_MOST_OPEN: Final = 64

Array = NDArray[np.float32]


class Block(NamedTuple):
    """The stem or a residual block of a net."""

    name: str
    """A ``Text``: "stem", "block 1"."""
    tensor: str
    """Its output in the file."""
    radius: int | None
    """How many cells an effect can travel from its output to the last block's by the convolutions between; None:
    anywhere, as with global pooling or attention."""


class Tapped(NamedTuple):
    """What a net gives for B positions, and the outputs of its blocks."""

    answer: Answer
    blocks: tuple[Array, ...]
    """Of each block float32 [B, C, H, W], row 0 on top."""


class TappedNet:
    """A net file on the processor by onnxruntime, whose answers are those of ``OnnxEvaluator`` there to the bit.

    game: what it is opened for.  blocks: the stem, then each block.  channels: C, the same of all.  encoding: what it
    is shown of a position (:mod:`core.games.net_inputs`).  size: rows and columns of the board in the file's order.
    One thread at a time may use it."""

    def __init__(self, path: str | Path, game: "GameSpec", *, recipe: Recipe | None = None, threads: int = 1) -> None:
        """Load ``path`` for ``game``; ``recipe`` as ``OnnxEvaluator`` takes it.  :class:`BadNet`, one sentence, when it
        cannot be used or no blocks are found in it."""
        self.recipe = recipe
        self.path, self.game, self._threads = Path(path), game, threads
        self._file, self.info, self._heads = checked_net(self.path, game, recipe)
        self.encoding = self._heads.encoding
        try:
            self._model = onnx.load(self._file, load_external_data=False)
            trunk = find_trunk(self._model, self._heads.outputs)
        except DecodeError as error:
            raise unusable(self.path.name, first_line(error)) from None
        except ValueError as error:
            raise BadNet(
                Text("{net} cannot be shown block by block: {reason}", net=self.path.name, reason=text_of(error))
            ) from None
        names = [Text("stem"), *(Text("block {number}", number=i) for i in range(1, len(trunk.tensors)))]
        self.blocks = tuple(map(Block, names, trunk.tensors, trunk.radii))
        self._session = self._open(with_outputs(self._model, trunk.tensors))
        self._types = {output.name: output.type for output in self._session.get_outputs()}
        self._rests: dict[int, Any] = {}
        self._others: dict[tuple[str, ...], Any] = {}
        sample = self._run(self._session, trunk.tensors, empty_boards(game, self._heads, self._heads.batch or 1))
        self.size = self._heads.turned(np.zeros((1, 1, *game.shape), np.float32)).shape[2:]
        self._layouts = self._find_layouts([array.shape[1:] for array in sample])
        self.channels = self._board(0, sample[0]).shape[1]

    def run(self, inputs: Inputs) -> Tapped:
        """The answers for B positions and the outputs of all blocks.  :class:`BadNet` or ValueError when it fails."""
        tensors = [block.tensor for block in self.blocks]
        count, parts = len(self._heads.outputs), []
        for part in self._heads.in_parts(inputs):
            raw = self._run(self._session, (*self._heads.outputs, *tensors), part)
            boards = [self._board(block, array) for block, array in enumerate(raw[count:])]
            parts.append((*boards, *self._heads.answer(raw[:count], part.planes)))
        arrays = self._heads.joined(parts, len(inputs.planes))
        return Tapped(Answer(*arrays[len(tensors) :]), arrays[: len(tensors)])

    def continue_from(self, block: int, activation: Array, inputs: Inputs) -> Answer:
        """The answers for B positions when ``activation`` [B, C, H, W] is the output of ``blocks[block]``: those of the
        rest of the net, of its own heads alone for the last block.

        inputs: of the same positions, for what the rest takes of them beside the block.  ValueError for another shape.
        """
        batch = len(inputs.planes)
        if activation.shape != (batch, self.channels, *self.game.shape):
            needed = (batch, self.channels, *self.game.shape)
            raise ValueError(f"the output of a block is {activation.shape}; it must be {needed}")
        tensor = self.blocks[block].tensor
        if block not in self._rests:
            self._make_room(self._rests)
            kind = onnx.TensorProto.FLOAT16 if self._types[tensor] == _HALF else onnx.TensorProto.FLOAT
            self._rests[block] = self._open(rest_of(self._model, tensor, kind, self._heads.outputs))
        shown = self._heads.in_parts(Inputs(activation, inputs.features))
        parts = []
        for part, given in zip(self._heads.in_parts(inputs), shown, strict=True):
            raw = self._run(
                self._rests[block], self._heads.outputs, part, {tensor: self._of_board(block, given.planes)}
            )
            parts.append(self._heads.answer(raw, part.planes))
        return Answer(*self._heads.joined(parts, batch))

    @property
    def graph(self) -> Any:
        """The file's ``onnx.GraphProto``, not to be changed."""
        return self._model.graph

    def tensors(self, names: Sequence[str], inputs: Inputs) -> tuple[Array, ...]:
        """Any tensors of the file [B, C, H, W] for B positions, as a player sees the board, in float32; one that holds
        the same for all cells has it at each.

        ValueError where one holds no board, channels first.  :class:`BadNet` or ValueError when the net fails."""
        session, key = self._session_for(names), tuple(names)
        raw = [self._run(session, key, part) for part in self._heads.in_parts(inputs)]
        whole = self._heads.joined(raw, len(inputs.planes))
        boards = []
        for name, array in zip(key, whole, strict=True):
            if array.ndim != 4 or array.shape[2:] not in (self.size, (1, 1)):
                raise ValueError(Text("the tensor {name!r} of {net} holds no board", name=name, net=self.path.name))
            boards.append(self.as_seen(np.broadcast_to(array, (*array.shape[:2], *self.size))))
        return tuple(boards)

    def first_part(self, names: Sequence[str], inputs: Inputs) -> list[Array]:
        """Any tensors of the file as they are, for the first ``batch`` positions of ``inputs``, filled up with the
        first of them.  :class:`BadNet` when the net fails."""
        return self._run(self._session_for(names), tuple(names), self._heads.in_parts(inputs)[0])

    @property
    def batch(self) -> int:
        """The positions of each run that the file has been written for; 1 where it takes any number."""
        return self._heads.batch or 1

    def _session_for(self, names: Sequence[str]) -> Any:
        """A session that gives these tensors."""
        key = tuple(names)
        if key not in self._others:
            self._make_room(self._others)
            self._others[key] = self._open(with_outputs(self._model, key))
        return self._others[key]

    def as_seen(self, array: Array) -> Array:
        """An array [B, C, H, W] in the file's order of rows and columns, weights too, in that of the board, float32."""
        return np.ascontiguousarray(self._heads.turned_back(array.astype(np.float32, copy=False)))

    def array(self, name: str) -> Array | None:
        """A constant of the file; None where it has none of this name."""
        found = next((tensor for tensor in self._model.graph.initializer if tensor.name == name), None)
        return None if found is None else onnx.numpy_helper.to_array(found, str(self._file.parent))

    def _find_layouts(self, shapes: Sequence[tuple[int, ...]]) -> list[str]:
        """How the output of each block holds a board, by their shapes without B; :class:`BadNet` when they do not."""
        height, width = self.size
        wanted = {_FIRST: (None, height, width), _LAST: (height, width, None), _TOKENS: (height * width, None)}
        found = [next((name for name, size in wanted.items() if fits(shape, size)), "") for shape in shapes]
        channels = {shape[wanted[name].index(None)] if name else 0 for shape, name in zip(shapes, found, strict=True)}
        if len(channels) == 1 and channels != {0}:
            return found
        raise BadNet(
            Text(
                "{net} cannot be shown block by block: its blocks give {shapes}, not channels of a board of "
                "{height}×{width}",
                net=self.path.name,
                shapes=", ".join(sorted({str(list(shape)) for shape in shapes})[:3]),
                height=self.size[0],
                width=self.size[1],
            )
        )

    def _board(self, block: int, raw: Array) -> Array:
        """The output of a block as float32 [B, C, H, W]."""
        if self._layouts[block] != _FIRST:
            raw = np.moveaxis(raw, -1, 1)
        return self.as_seen(raw.reshape(*raw.shape[:2], *self.size))

    def _of_board(self, block: int, board: Array) -> Array:
        """The inverse of ``_board``."""
        raw = self._heads.turned(board)
        layout = self._layouts[block]
        if layout != _FIRST:
            raw = np.moveaxis(raw, 1, -1)
        if layout == _TOKENS:
            raw = raw.reshape(len(raw), -1, raw.shape[-1])
        return np.ascontiguousarray(raw, np.float16 if self._types[self.blocks[block].tensor] == _HALF else np.float32)

    def _run(
        self, session: Any, outputs: Sequence[str], inputs: Inputs, block: Mapping[str, Array] | None = None
    ) -> list[Array]:
        """These outputs of a session for ``inputs`` and a block's output, by its name; BadNet when it fails."""
        given = {**self._heads.inputs(*inputs), **(block or {})}
        taken = {tensor.name for tensor in session.get_inputs()}
        try:
            raw: list[Array] = session.run(outputs, {name: given[name] for name in given.keys() & taken})
        except ORT_ERRORS as error:
            raise BadNet(
                Text("{net} cannot be evaluated: {error}", net=self.path.name, error=first_line(error))
            ) from None
        return raw

    def _make_room(self, sessions: dict[Any, Any]) -> None:
        """Close the oldest of these sessions, which each hold the weights once more, where they are many or large."""
        while len(sessions) >= max(_LEAST_OPEN, min(_MOST_OPEN, _OPEN_BYTES // self._file.stat().st_size)):
            del sessions[next(iter(sessions))]

    def _open(self, model: Any) -> Any:
        return open_changed(self._file, model, self._threads)
