"""The format of net files: opening them, their metadata, whether they fit a game.

A Plyscope net is one ONNX file: input ``planes`` float32 [B, C, H, W]; outputs ``policy`` logits [B, A] and ``value``
[B] in [-1, 1] for the side to move, and mostly ``wdl`` logits [B, 3]; metadata under ``plyscope.``.  Where the
encoding has features, input ``features`` float32 [B, G]; where points decide, outputs ``score`` [B, 2], mean and
standard deviation of the mover's lead in points, and ``ownership`` [B, H, W] at the end, from -1, the opponent's, to 1,
the mover's; metadata ``score`` and ``ownership`` say so.  With pooled heads such a net is for boards of every size.

Other ONNX files need a recipe (:mod:`models.netfiles.recipe`).

Letters: B batch, C planes, G features, H W board, A actions.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import onnxruntime as ort

from core.checks import short
from core.files.reading import BadFile, Fields, parse_json
from core.games import GameSpec
from core.games.encoding import OWN
from core.text import Text, text_of
from models.netfiles import recipe as recipes
from models.netfiles.ort_session import INPUT as INPUT
from models.netfiles.ort_session import OUTPUT as OUTPUT
from models.netfiles.ort_session import BadNet, fits, names, open_session, row_size, shape_text, tensor_info, unusable
from models.netfiles.ort_session import TensorInfo as TensorInfo
from models.netfiles.recipe import Recipe

FORMAT: Final = "1"
ENCODING: Final = OWN  # planes 0 to 3 of GameSpec, row 0 on top
METADATA_PREFIX: Final = "plyscope."
RECIPE: Final = "recipe"  # the encoding of a net with a recipe, and where its metadata hold it
FEATURES: Final = "features"
SCORE: Final = "score"
OWNERSHIP: Final = "ownership"
WDL: Final = "wdl"

PRECISIONS: Final = ("fp32", "int8", "fp16")


class NoRecipe(BadNet):
    """A file that does not say how it is read is to be opened without a recipe."""


@dataclass(frozen=True, slots=True)
class NetInfo:
    """Metadata and tensors of a net file; for a foreign one ``game`` and ``encoding`` are empty and ``step`` is -1.

    ``game`` is empty too where the encoding says for which boards a net is.
    """

    path: Path
    game: str  # as load_game takes it
    encoding: str
    config: dict[str, Any]
    step: int
    is_foreign: bool  # carries no Plyscope metadata
    inputs: tuple[TensorInfo, ...]
    outputs: tuple[TensorInfo, ...]
    precision: str = "fp32"  # one of PRECISIONS
    recipe: Recipe | None = None  # of a net from elsewhere, in the file or beside it


@dataclass(frozen=True, slots=True)
class NetTensors:
    """The tensors of a net that an evaluator needs."""

    planes: TensorInfo
    policy: str  # name of the output with A numbers per position
    value: str  # name of the output with one number per position


def read_net_info(path: str | Path) -> NetInfo:
    """Read the metadata and tensors of the net file at ``path``; :class:`BadNet` when it cannot be read."""
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return session_info(open_session(Path(path), options, ["CPUExecutionProvider"]), Path(path))


def listed_net_info(path: Path) -> NetInfo:
    """As :func:`read_net_info`, for lists of nets: a file is read again only when its time or size has changed, or
    those of a recipe beside it."""
    recipe = recipes.beside(path)
    try:
        status = path.stat()
        changed_ns = max(status.st_mtime_ns, recipe.stat().st_mtime_ns if recipe.is_file() else 0)
    except OSError:
        return read_net_info(path)
    return _unchanged(path, changed_ns, status.st_size)


@lru_cache(maxsize=256)
def _unchanged(path: Path, _changed_ns: int, _size: int) -> NetInfo:
    return read_net_info(path)


def session_info(session: Any, path: Path) -> NetInfo:
    """Metadata and tensors of an open session."""
    metadata: dict[str, str] = session.get_modelmeta().custom_metadata_map
    inputs = tuple(tensor_info(node) for node in session.get_inputs())
    outputs = tuple(tensor_info(node) for node in session.get_outputs())
    file_format = metadata.get(METADATA_PREFIX + "format")
    if file_format is None:
        recipe = recipes.stored(metadata, METADATA_PREFIX + RECIPE, path)
        if recipe is not None and recipe.game:
            return NetInfo(path, recipe.game, RECIPE, {}, 0, False, inputs, outputs, recipe=recipe)
        return NetInfo(path, "", "", {}, -1, True, inputs, outputs)
    if file_format != FORMAT:
        raise BadNet(
            Text(
                "{file} has net format {format}; this version of the program reads format {readable!r} alone",
                file=path.name,
                format=short(file_format),
                readable=FORMAT,
            )
        )
    step = metadata.get(METADATA_PREFIX + "step", "0")
    try:
        config = Fields(parse_json(metadata.get(METADATA_PREFIX + "config", "{}")), "its config").values
    except BadFile as error:
        raise unusable(path.name, f"it has damaged metadata: its config cannot be read: {text_of(error)}") from None
    if not step.isdecimal() or len(step) > 15:
        raise unusable(path.name, f"it has damaged metadata: its step is {short(step)}, which is no number of steps")
    game, encoding = metadata.get(METADATA_PREFIX + "game", ""), metadata.get(METADATA_PREFIX + "encoding", "")
    precision = metadata.get(METADATA_PREFIX + "precision", "fp32")
    recipe = recipes.stored(metadata, METADATA_PREFIX + RECIPE, path) if encoding == RECIPE else None
    return NetInfo(path, game, encoding, config, int(step), False, inputs, outputs, precision, recipe)


def check_metadata(info: NetInfo, game: "GameSpec") -> None:
    """Check that the metadata are those of a net for ``game``; :class:`NoRecipe` where there are none, else BadNet."""
    name = info.path.name
    if info.is_foreign:
        raise NoRecipe(
            Text(
                "{name} is not a Plyscope net: it does not say its game or what its planes are; give a recipe by "
                "plyscope import {name} --recipe FILE --out x.onnx, or lay it beside the net as {beside}",
                name=name,
                beside=recipes.beside(info.path).name,
            )
        )
    encoding = next(
        (candidate for candidate in game.encodings if candidate.name in (info.encoding, info.recipe and OWN)), None
    )
    takes_any = not info.game and (encoding is None or encoding.any_size)
    if info.game != game.text and not takes_any and not takes_points(info, game):
        raise BadNet(
            Text(
                "{name} is a net for {game}; the game here is {current!r}",
                name=name,
                game=short(info.game),
                current=game.text,
            )
        )
    if encoding is None:
        raise BadNet(
            Text(
                "{name} takes planes encoded as {encoding}; this program encodes them as {usual}",
                name=name,
                encoding=short(info.encoding),
                usual=" or ".join(repr(candidate.name) for candidate in game.encodings),
            )
        )


def takes_points(info: NetInfo, game: "GameSpec") -> bool:
    """Whether a net of ours is for ``game`` as it is shown the komi; other sizes are a matter of its tensors."""
    shown = any(encoding.trained and encoding.name == info.encoding for encoding in game.encodings)
    return shown and all(fits(t.shape, (None, None, *game.shape)) for t in info.inputs if t.name == "planes")


def match_tensors(info: NetInfo, game: "GameSpec", num_planes: int) -> NetTensors:
    """Find the tensors of a net of ours and check them against the sizes of ``game``; :class:`BadNet` when they do not
    fit."""
    name = info.path.name
    expected = (None, num_planes, *game.shape)
    planes = _named(info, INPUT, "planes")
    policy, value = _named(info, OUTPUT, "policy"), _named(info, OUTPUT, "value")
    if len(planes.shape) != 4 or not fits(planes.shape, expected):
        raise unusable(name, f"it takes planes {shape_text(planes.shape)}; {game.text} has {shape_text(expected)}")
    single = planes.shape[0] == 1
    if row_size(policy, single) not in (None, game.num_actions):
        raise unusable(name, f"it has {row_size(policy, single)} actions; {game.text} has {game.num_actions}")
    if row_size(value, single) not in (None, 1):
        raise unusable(
            name, f"it has a value output of shape {shape_text(value.shape)}; one value per position is needed"
        )
    for tensor in (planes, policy, value):
        if tensor.dtype != "tensor(float)":
            raise unusable(name, f"it has {tensor.name!r} as {tensor.dtype}; float32 is needed")
    return NetTensors(planes, policy.name, value.name)


def _named(info: NetInfo, kind: str, name: str) -> TensorInfo:
    tensors = info.inputs if kind == INPUT else info.outputs
    for tensor in tensors:
        if tensor.name == name:
            return tensor
    raise unusable(info.path.name, f"it has no {kind} {name!r}; it has {names(tensors)}")
