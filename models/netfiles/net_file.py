"""The format of net files: opening them, their metadata, whether they fit a game.  Knows no evaluation, no torch.

A Plyscope net is one ONNX file: input ``planes`` float32 [B, C, H, W]; outputs ``policy`` logits [B, A] and ``value``
[B] in [-1, 1] for the side to move, and mostly ``wdl`` logits [B, 3]; metadata under ``plyscope.``.  Where the
encoding has features, input ``features`` float32 [B, G]; where points decide, outputs ``score`` [B, 2], mean and
standard deviation of the mover's lead in points, and ``ownership`` [B, H, W] at the end, from -1, the opponent's, to 1,
the mover's; metadata ``score`` and ``ownership`` say so.  With pooled heads such a net is for boards of every size.

Other ONNX files need :class:`ForeignConventions`.  Letters: B batch, C planes, G features, H W board, A actions.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import onnxruntime as ort

from core.files.reading import BadFile, Fields, choice_problem, parse_json, short
from core.games.encoding import OWN
from core.text import Text, text_of
from models.netfiles import recipe as recipes
from models.netfiles.ort_session import BadNet, open_session
from models.netfiles.recipe import Recipe
from models.netfiles.tensors import INPUT as INPUT
from models.netfiles.tensors import OUTPUT as OUTPUT
from models.netfiles.tensors import TensorInfo as TensorInfo
from models.netfiles.tensors import fits, names, row_size, shape_text, tensor_info

if TYPE_CHECKING:
    from core.games import GameSpec

FORMAT: Final = "1"
ENCODING: Final = OWN  # planes 0 to 3 of GameSpec, row 0 on top
METADATA_PREFIX: Final = "plyscope."
RECIPE: Final = "recipe"  # the encoding of a net with a recipe, and where its metadata hold it
FEATURES: Final = "features"
SCORE: Final = "score"
OWNERSHIP: Final = "ownership"

POLICY_KINDS: Final = ("logits", "log-probabilities", "probabilities")
VALUE_KINDS: Final = ("value", "wdl-logits", "wdl-probabilities")
LAYOUTS: Final = ("auto", "nchw", "nhwc")
PRECISIONS: Final = ("fp32", "int8", "fp16")


@dataclass(frozen=True, slots=True)
class ForeignConventions:
    """How to read an ONNX file that carries no Plyscope metadata; its planes must be in Plyscope's order.

    policy: ``logits``, ``log-probabilities`` or ``probabilities``.  value: ``value``, one number in [-1, 1] for the
    side to move, or ``wdl-logits`` or ``wdl-probabilities``, three numbers for its win, draw and loss.  layout: of
    the planes, ``nchw``, ``nhwc`` or ``auto``, whichever fits the file's shapes, ``nchw`` when both do.

    rows_flipped: row 0 of its planes is the bottom row, and where actions are cells, row 0 of its policy too.
    policy_flipped: the rows of its policy run the other way than those of its planes, as AlphaZero_Gomoku's do.

    planes_input, policy_output, value_output: their names in the file; None finds them by their shapes.
    """

    policy: str = "logits"
    rows_flipped: bool = False
    planes_input: str | None = None
    policy_output: str | None = None
    value_output: str | None = None
    policy_flipped: bool = False
    value: str = "value"
    layout: str = "auto"

    def __post_init__(self) -> None:
        for name, allowed in (("policy", POLICY_KINDS), ("value", VALUE_KINDS), ("layout", LAYOUTS)):
            if wrong := choice_problem(name, getattr(self, name), allowed):
                raise ValueError(wrong)


class NoConventions(BadNet):
    """A file without our metadata is to be opened, and nobody said how to read it."""


Conventions = ForeignConventions | Recipe  # how to read a file without our metadata


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
    policy: str  # name of an output with A numbers per position
    value: str  # name of an output with one number per position, or three when it is win, draw and loss
    channels_last: bool  # planes are [B, H, W, C]


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
        found = recipes.stored(metadata, METADATA_PREFIX + RECIPE, path)
        if found is not None and found.game:
            return NetInfo(path, found.game, RECIPE, {}, 0, False, inputs, outputs, recipe=found)
        return NetInfo(path, "", "", {}, -1, True, inputs, outputs)
    if file_format != FORMAT:
        raise BadNet(
            Text(
                "{file} has net format {found}; this version of the program reads format {known!r} alone",
                file=path.name,
                found=short(file_format),
                known=FORMAT,
            )
        )
    step = metadata.get(METADATA_PREFIX + "step", "0")
    try:
        config = Fields(parse_json(metadata.get(METADATA_PREFIX + "config", "{}")), "its config").values
    except BadFile as error:
        raise BadNet(
            Text(
                "{file} has damaged metadata: its config cannot be read: {error}", file=path.name, error=text_of(error)
            )
        ) from None
    if not step.isdecimal() or len(step) > 15:
        raise BadNet(
            Text(
                "{file} has damaged metadata: its step is {step}, which is no number of steps",
                file=path.name,
                step=short(step),
            )
        )
    game, encoding = metadata.get(METADATA_PREFIX + "game", ""), metadata.get(METADATA_PREFIX + "encoding", "")
    precision = metadata.get(METADATA_PREFIX + "precision", "fp32")
    found = recipes.stored(metadata, METADATA_PREFIX + RECIPE, path) if encoding == RECIPE else None
    return NetInfo(path, game, encoding, config, int(step), False, inputs, outputs, precision, found)


def check_metadata(info: NetInfo, game: "GameSpec", foreign: ForeignConventions | None) -> None:
    """Check that the metadata fits ``game``, or that ``foreign`` is given where there is none; else BadNet."""
    name = info.path.name
    if info.is_foreign:
        if foreign is None:
            raise NoConventions(
                Text(
                    "{name} is not a Plyscope net: it does not say its game or its conventions; to open it anyway, "
                    "say whether its policy is {kinds} or {last} and whether its rows are flipped, or give a recipe: "
                    "plyscope import {name} --recipe FILE --out x.onnx",
                    name=name,
                    kinds=", ".join(POLICY_KINDS[:-1]),
                    last=POLICY_KINDS[-1],
                )
            )
        return
    encoding = next((one for one in game.encodings if one.name in (info.encoding, info.recipe and OWN)), None)
    takes_any = not info.game and (encoding is None or encoding.any_size)
    if info.game != game.text and not takes_any and not takes_points(info, game):
        raise BadNet(
            Text(
                "{name} is a net for {game}; the game here is {here!r}",
                name=name,
                game=short(info.game),
                here=game.text,
            )
        )
    if encoding is None:
        raise BadNet(
            Text(
                "{name} takes planes encoded as {found}; this program encodes them as {known}",
                name=name,
                found=short(info.encoding),
                known=" or ".join(repr(one.name) for one in game.encodings),
            )
        )


def takes_points(info: NetInfo, game: "GameSpec") -> bool:
    """Whether a net of ours is for ``game`` as it is shown the komi; other sizes are a matter of its tensors."""
    shown = any(one.trained and one.name == info.encoding for one in game.encodings)
    return shown and all(fits(t.shape, (None, None, *game.shape)) for t in info.inputs if t.name == "planes")


def match_tensors(info: NetInfo, game: "GameSpec", foreign: ForeignConventions | None, num_planes: int) -> NetTensors:
    """Find the tensors of a net and check them against the sizes of ``game``; :class:`BadNet` when they do not fit."""
    name = info.path.name
    planes_shape = (num_planes, *game.shape)
    wanted = (None, *planes_shape)
    channels_last, values = False, 1
    if foreign is None:
        planes = named(info, INPUT, "planes")
        policy, value = named(info, OUTPUT, "policy"), named(info, OUTPUT, "value")
    else:
        last_shape = (None, *game.shape, num_planes)
        shapes = {"nchw": [wanted], "nhwc": [last_shape]}.get(foreign.layout, [wanted, last_shape])
        fitting = [t for t in info.inputs if any(fits(t.shape, shape) for shape in shapes)]
        planes = pick(
            info,
            INPUT,
            foreign.planes_input,
            fitting or list(info.inputs),
            Text("planes {shape}", shape=planes_shape),
        )
        channels_last = foreign.layout == "nhwc" or (
            foreign.layout == "auto" and not fits(planes.shape, wanted) and fits(planes.shape, last_shape)
        )
        wanted = last_shape if channels_last else wanted
        values = 1 if foreign.value == "value" else 3
        policy, value = _foreign_outputs(info, game, foreign, planes.shape[:1] == (1,))
    if len(planes.shape) != 4 or not fits(planes.shape, wanted):
        raise BadNet(
            Text(
                "{name} takes planes {shape}; {game} has {wanted}",
                name=name,
                shape=shape_text(planes.shape),
                game=game.text,
                wanted=shape_text(wanted),
            )
        )
    single = planes.shape[0] == 1
    if row_size(policy, single) not in (None, game.num_actions):
        raise BadNet(
            Text(
                "{name} has {found} actions; {game} has {actions}",
                name=name,
                found=row_size(policy, single),
                game=game.text,
                actions=game.num_actions,
            )
        )
    if row_size(value, single) not in (None, values):
        raise BadNet(
            Text(
                "{name} has a value output of shape {shape}; one value per position is needed"
                if values == 1
                else "{name} has a value output of shape {shape}; win, draw and loss per position are needed",
                name=name,
                shape=shape_text(value.shape),
            )
        )
    for tensor in (planes, policy, value):
        if tensor.dtype != "tensor(float)":
            raise BadNet(
                Text(
                    "{name} has {tensor!r} as {kind}; float32 is needed",
                    name=name,
                    tensor=tensor.name,
                    kind=tensor.dtype,
                )
            )
    return NetTensors(planes, policy.name, value.name, channels_last)


def _foreign_outputs(
    info: NetInfo, game: "GameSpec", foreign: ForeignConventions, single: bool
) -> tuple[TensorInfo, TensorInfo]:
    """Find the policy and value outputs of a file without metadata, by name or else by size."""
    sizes = {t.name: row_size(t, single) for t in info.outputs}
    policies = [t for t in info.outputs if sizes[t.name] == game.num_actions and t.name != foreign.value_output]
    policy = pick(
        info,
        OUTPUT,
        foreign.policy_output,
        policies,
        Text("a policy of {actions} actions", actions=game.num_actions),
    )
    others = [t for t in info.outputs if t.name != policy.name]
    if foreign.value != "value":
        triples = [t for t in others if sizes[t.name] == 3]
        return policy, pick(info, OUTPUT, foreign.value_output, triples, Text("win, draw and loss per position"))
    singles = [t for t in others if sizes[t.name] == 1]
    if foreign.value_output is None and not singles:
        for triple in others:
            if sizes[triple.name] == 3:
                raise BadNet(
                    Text(
                        "{net} has no output that holds one value per position; if {name!r} holds win, draw and loss, "
                        "say whether as {one} or {other}",
                        net=info.path.name,
                        name=triple.name,
                        one=VALUE_KINDS[1],
                        other=VALUE_KINDS[2],
                    )
                )
    return policy, pick(info, OUTPUT, foreign.value_output, singles, Text("one value per position"))


def named(info: NetInfo, kind: str, name: str) -> TensorInfo:
    tensors = info.inputs if kind == INPUT else info.outputs
    for tensor in tensors:
        if tensor.name == name:
            return tensor
    raise BadNet(
        Text(
            "{net} has no {kind} {name!r}; it has {names}",
            net=info.path.name,
            kind=kind,
            name=name,
            names=names(tensors),
        )
    )


def pick(info: NetInfo, kind: str, wanted: str | None, fitting: list[TensorInfo], what: str) -> TensorInfo:
    """The tensor named ``wanted``, or the only one that fits."""
    if wanted is not None:
        return named(info, kind, wanted)
    if len(fitting) == 1:
        return fitting[0]
    tensors = info.inputs if kind == INPUT else info.outputs
    if not fitting:
        raise BadNet(
            Text(
                "{net} has no {kind} that holds {what}; it has {names}",
                net=info.path.name,
                kind=kind,
                what=what,
                names=names(tensors),
            )
        )
    raise BadNet(
        Text(
            "{net} has several {kind}s that could hold {what}: {names}; name the one to use",
            net=info.path.name,
            kind=kind,
            what=what,
            names=names(tensors),
        )
    )
