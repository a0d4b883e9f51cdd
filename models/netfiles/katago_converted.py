"""Rewrites nets of KataGo in ONNX files that others have converted, to the tensors of models.netfiles.katago_graph.

Such a file names its tensors as its converter chose, and many take boards of one size alone, of which a smaller board
fills the top left corner.  Letters: N batch, P channels of the policy, H W board, R C the only board of the file.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Final

import onnx
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from onnx import compose

from core.text import Text
from models.netfiles.graph import GraphBuilder, describe, tensors
from models.netfiles.katago_file import GLOBALS, PLANES, USUAL_SCALING, Scaling
from models.netfiles.katago_graph import ARCHITECTURE, ENCODING
from models.netfiles.katago_tensors import KataTensors, find_tensors
from models.netfiles.net_file import NetInfo
from models.netfiles.ort_session import BadNet

_OLDEST_OPSET: Final = 11  # where Pad takes its sizes as an input
_INNER: Final = "net/"  # begins the names of the file's own tensors, which may else be ours
_VERSIONS: Final = {4: 8, 6: 10, 10: 14}  # of nets by their number of scores; ten are those of KataGo's PyTorch nets


def is_converted(info: NetInfo) -> bool:
    """Whether a file without metadata takes the planes and the global inputs of KataGo's nets."""
    kinds = {(len(t.shape), t.shape[1]) for t in info.inputs if len(t.shape) in (2, 4)}
    return info.is_foreign and {(4, PLANES), (2, GLOBALS)} <= kinds


def converted_onnx(path: Path, info: NetInfo) -> bytes:
    """The contents of the net file; :class:`BadNet` when its tensors or its opset do not fit."""
    found = find_tensors(info)
    shapes = {tensor.name: tensor.shape for tensor in (*info.inputs, *info.outputs)}
    for tensor in (*info.inputs, *info.outputs):
        if tensor.name in asdict(found).values() and tensor.dtype != "tensor(float)":
            raise BadNet(
                Text(
                    "{name} has {tensor!r} as {kind}; float32 is needed",
                    name=path.name,
                    tensor=tensor.name,
                    kind=tensor.dtype,
                )
            )
    model = _read(path)
    batch, scores = shapes[found.planes][0] or "batch", shapes[found.miscvalue][1] or 4
    before, after = GraphBuilder("in/"), GraphBuilder("out/")
    _write_inputs(before, found)
    _write_outputs(after, found, len(shapes[found.policy]), scores)
    graph = model.graph
    nodes = [*before.parts()[0], *graph.node, *after.parts()[0]]
    given: dict[str, list[int | str]] = {"spatial": [batch, PLANES, "height", "width"], "global": [batch, GLOBALS]}
    made: dict[str, list[int | str]] = {
        "policy": [batch, len(found.channels), "moves"],
        "value": [batch, 3],
        "miscvalue": [batch, 6 if found.errors or scores == 6 else 4],
    }
    if found.ownership is not None:
        made["ownership"] = [batch, "height", "width"]
    for field, content in (
        (graph.node, nodes),
        (graph.input, tensors(given)),
        (graph.output, tensors(made)),
        (graph.value_info, []),
    ):
        del field[:]
        field.extend(content)
    graph.initializer.extend([*before.parts()[1], *after.parts()[1]])
    config = {
        "architecture": ARCHITECTURE,
        "source": path.name,
        "board": found.board,
        "scaling": asdict(Scaling(_VERSIONS[scores], *USUAL_SCALING)),
    }
    describe(model, {"encoding": ENCODING, "config": json.dumps(config)})
    data: bytes = model.SerializeToString()
    return data


def _read(path: Path) -> onnx.ModelProto:
    """The model, with a prefix to all its names."""
    try:
        model = onnx.load(str(path))
    except (DecodeError, OSError, ValueError):
        raise BadNet(Text("{path!r} is not an ONNX file, or is damaged", path=str(path))) from None
    opset = max((one.version for one in model.opset_import if one.domain in ("", "ai.onnx")), default=0)
    if opset < _OLDEST_OPSET:
        raise BadNet(
            Text(
                "{name} is of ONNX's opset {opset}; {oldest} or a later one is needed",
                name=path.name,
                opset=opset,
                oldest=_OLDEST_OPSET,
            )
        )
    return compose.add_prefix(model, _INNER)


def _write_inputs(graph: GraphBuilder, found: KataTensors) -> None:
    """The file's inputs from ours; a smaller board is padded at the bottom and on the right."""
    graph.op("Identity", "global", name=_INNER + found.global_inputs)
    if found.board is None:
        graph.op("Identity", "spatial", name=_INNER + found.planes)
        return
    missing = graph.op("Sub", graph.constant(*found.board), _board(graph))
    pads = graph.op("Concat", graph.constant(*[0] * 6), missing, axis=0)
    graph.op("Pad", "spatial", pads, name=_INNER + found.planes)


def _write_outputs(graph: GraphBuilder, found: KataTensors, rank: int, scores: int) -> None:
    """Our outputs from the file's, whose policy has that ``rank`` and which has so many ``scores``."""
    c = graph.constant
    policy = _INNER + found.policy
    if rank == 2:
        policy = graph.op("Reshape", policy, graph.op("Concat", _batch(graph), c(1, -1), axis=0))
    policy = graph.op("Gather", policy, c(*found.channels), axis=1)
    if found.board is not None:
        rows, cols = found.board
        points = graph.op("Slice", policy, c(0), c(rows * cols), c(2))
        passing = graph.op("Slice", policy, c(rows * cols), c(rows * cols + 1), c(2))
        points = graph.op("Reshape", points, c(0, 0, rows, cols))
        points = graph.op("Reshape", _cut(graph, points), c(0, 0, -1))
        graph.op("Concat", points, passing, axis=2, name="policy")
    else:
        graph.op("Identity", policy, name="policy")
    graph.op("Identity", _INNER + found.value, name="value")
    misc = _INNER + found.miscvalue
    if found.errors is not None:
        errors = graph.op("Slice", _INNER + found.errors, c(0), c(2), c(1))
        graph.op("Concat", graph.op("Slice", misc, c(0), c(4), c(1)), errors, axis=1, name="miscvalue")
    else:
        graph.op("Slice", misc, c(0), c(6 if scores == 6 else 4), c(1), name="miscvalue")
    if found.ownership is not None:
        shape = (
            c(0, -1, *found.board) if found.board else graph.op("Concat", _batch(graph), c(-1), _board(graph), axis=0)
        )
        owners = graph.op("Reshape", _INNER + found.ownership, shape)
        owners = _cut(graph, owners) if found.board else owners
        graph.op("Reshape", owners, graph.op("Concat", _batch(graph), _board(graph), axis=0), name="ownership")


def _cut(graph: GraphBuilder, x: str) -> str:
    """The top left corner of [N, P, R, C] that the board fills."""
    return graph.op("Slice", x, graph.constant(0, 0), _board(graph), graph.constant(2, 3))


def _board(graph: GraphBuilder) -> str:
    """The numbers H and W."""
    return graph.op("Slice", graph.op("Shape", "spatial"), graph.constant(2), graph.constant(4), graph.constant(0))


def _batch(graph: GraphBuilder) -> str:
    """The number N."""
    return graph.op("Slice", graph.op("Shape", "spatial"), graph.constant(0), graph.constant(1), graph.constant(0))
