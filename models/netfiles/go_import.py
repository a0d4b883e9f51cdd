"""Converts net files of KataGo and Leela Zero to ONNX net files."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from core.files.atomic import write_atomically
from core.text import Text
from models.netfiles.katago_answers import ROOT_OPTIMISM, answers, scaling_of
from models.netfiles.katago_file import GLOBALS, KataNet, read_katago
from models.netfiles.katago_file import PLANES as KATAGO_PLANES
from models.netfiles.katago_graph import katago_onnx
from models.netfiles.leela_file import PLANES as LEELA_PLANES
from models.netfiles.leela_file import LeelaNet, leela_onnx, read_leela
from models.netfiles.net_file import NetInfo, session_info
from models.netfiles.ort_session import ORT_ERRORS, BadNet, first_line
from models.netfiles.weight_stream import open_weights

KATAGO: Final = "KataGo"
LEELA: Final = "Leela Zero"
ONNX: Final = ".onnx"  # the ending of net files

_HEAD: Final = 1024  # bytes, by which a file is recognised
_BEGINNINGS: Final = {
    KATAGO: re.compile(rb"\S+\s+\d{1,3}\s+\d{1,4}\s+\d{1,4}\s"),
    LEELA: re.compile(rb"[12][ \r]*\n\s*[-+.\d]"),
}
_TRIAL_SIZE: Final = 9  # of an empty board


@dataclass(frozen=True, slots=True)
class ImportedNet:
    """What was imported.

    board: side of the only board, None for any.  size: bytes of the file written.  lead: points by which black leads on
    an empty 9x9 board without komi; None for a net that does not count points.
    """

    kind: str  # KATAGO or LEELA
    name: str
    version: int
    blocks: int
    channels: int
    board: int | None
    size: int
    lead: float | None


def kind_of(path: Path) -> str | None:
    """KATAGO or LEELA by how the file begins, or None; :class:`BadNet` when it cannot be read."""
    if path.suffix.lower() == ONNX:
        return None
    with open_weights(path) as stream:
        head = stream.head(_HEAD)
    return next((kind for kind, beginning in _BEGINNINGS.items() if beginning.match(head)), None)


def import_go_net(source: Path, out: Path) -> ImportedNet:
    """Write the net of KataGo or Leela Zero in ``source`` to ``out``, atomically, after a trial on an empty board.

    :class:`BadNet` when the file is none or its answers are not numbers; ``OSError`` when ``out`` cannot be written.
    """
    kind = kind_of(source)
    if kind is None:
        raise BadNet(Text("{path!r} is no net file of KataGo or Leela Zero", path=str(source)))
    net: KataNet | LeelaNet
    if kind == KATAGO:
        net = read_katago(source)
        data = katago_onnx(net)
        version, lead = net.scaling.version, _lead(data, source)
        imported = ImportedNet(kind, net.name, version, len(net.blocks), net.channels, None, len(data), lead)
    else:
        net = read_leela(source)
        data = leela_onnx(net, source.name)
        _try(data, {"planes": np.zeros((1, LEELA_PLANES, net.size, net.size), np.float32)}, source)
        name, blocks = source.name, len(net.blocks)
        imported = ImportedNet(kind, name, net.version, blocks, net.channels, net.size, len(data), None)
    write_atomically(out, data)
    return imported


def _lead(data: bytes, source: Path) -> float:
    """Points by which black leads on an empty board without komi, by a net of KataGo."""
    spatial = np.zeros((1, KATAGO_PLANES, _TRIAL_SIZE, _TRIAL_SIZE), np.float32)
    spatial[:, 0] = 1.0
    info, outputs = _try(data, {"spatial": spatial, "global": np.zeros((1, GLOBALS), np.float32)}, source)
    legal = np.ones((1, _TRIAL_SIZE**2 + 1), np.bool_)
    found = answers(outputs, legal, scaling_of(info.config), optimism=ROOT_OPTIMISM)
    return float(found.scores.lead[0])


def _try(data: bytes, inputs: dict[str, NDArray[np.float32]], source: Path) -> tuple[NetInfo, dict[str, Any]]:
    """What a net's file says and its outputs by name; :class:`BadNet` when it fails or they are not numbers."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        names = [output.name for output in session.get_outputs()]
        outputs = dict(zip(names, session.run(names, inputs), strict=True))
    except ORT_ERRORS as error:
        raise BadNet(Text("{path!r} cannot be loaded: {error}", path=str(source), error=first_line(error))) from None
    if not all(np.isfinite(output).all() for output in outputs.values()):
        raise BadNet(
            Text("{path!r} is damaged or not a net: {error}", path=str(source), error="its answers are not numbers")
        )
    return session_info(session, source), outputs
