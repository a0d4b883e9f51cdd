"""Opens net files of every kind: ONNX files as they are, nets of KataGo and Leela Zero as ONNX files in a cache."""

import hashlib
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from core.files.atomic import write_atomically
from core.games import GAMES, GameSpec, load_game
from core.games.encoding import OWN
from core.machine import user_cache_dir
from core.text import Text
from models.netfiles.katago_answers import ROOT_OPTIMISM, answers, scaling_of
from models.netfiles.katago_file import GLOBALS, KataNet, read_katago
from models.netfiles.katago_file import PLANES as KATAGO_PLANES
from models.netfiles.katago_graph import katago_onnx
from models.netfiles.katago_metadata import USUAL, metadata
from models.netfiles.leela_file import PLANES as LEELA_PLANES
from models.netfiles.leela_file import LeelaNet, leela_onnx, read_leela
from models.netfiles.net_file import NetInfo, read_net_info, session_info, takes_points
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
_PART: Final = 1 << 20
_DIGITS: Final = 16  # of a net's digest in a name
_OF_CONVERTER: Final = 8  # of the converter's


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
        version, lead = net.scaling.version, _lead(data, source, net.metadata is not None)
        imported = ImportedNet(kind, net.name, version, len(net.blocks), net.channels, None, len(data), lead)
    else:
        net = read_leela(source)
        data = leela_onnx(net, source.name)
        _try(data, {"planes": np.zeros((1, LEELA_PLANES, net.size, net.size), np.float32)}, source)
        name, blocks = source.name, len(net.blocks)
        imported = ImportedNet(kind, name, net.version, blocks, net.channels, net.size, len(data), None)
    write_atomically(out, data)
    return imported


def _lead(data: bytes, source: Path, human: bool) -> float:
    """Points by which black leads on an empty board without komi, by a net of KataGo."""
    spatial = np.zeros((1, KATAGO_PLANES, _TRIAL_SIZE, _TRIAL_SIZE), np.float32)
    spatial[:, 0] = 1.0
    inputs = {"spatial": spatial, "global": np.zeros((1, GLOBALS), np.float32)}
    if human:
        inputs["meta"] = metadata(USUAL, _TRIAL_SIZE**2)[:1]
    info, outputs = _try(data, inputs, source)
    legal = np.ones((1, _TRIAL_SIZE**2 + 1), np.bool_)
    net_answers = answers(outputs, legal, scaling_of(info.config), optimism=ROOT_OPTIMISM)
    return float(net_answers.scores.lead[0])


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


def as_onnx(path: Path) -> Path:
    """The ONNX file for a net file: ``path`` itself, or for nets of KataGo or Leela Zero one in the user's caches, made
    when it is not there.  :class:`BadNet` when the file cannot be used."""
    if not path.is_file() or kind_of(path) is None:
        return path
    try:
        converted = _cached(path, digest_of(path))
        if not converted.is_file():
            converted.parent.mkdir(parents=True, exist_ok=True)
            import_go_net(path, converted)
            _remove_older(converted)
    except OSError as error:
        raise BadNet(Text("{path!r} cannot be read: {strerror}", path=str(path), strerror=error.strerror)) from None
    return converted


def as_int8(path: Path, game: GameSpec) -> Path:
    """The net file of float32 ``path`` in 8 bits, in the user's caches; made when it is not there, which takes seconds.

    ``ValueError``, the reason without the file's name, when that cannot be had or its answers differ too much.
    """
    from models.netfiles.quantise import to_precision

    info = read_net_info(path)
    if info.is_foreign or info.encoding != OWN or info.precision != "fp32":
        raise BadNet(Text("only nets of Plyscope in float32 can be converted to 8 bits"))
    converted = _cached(path, digest_of(path), "-int8")
    if not converted.is_file():
        data, _ = to_precision(path.read_bytes(), game, "int8")
        write_atomically(converted, data)
        _remove_older(converted)
    return converted


def digest_of(path: Path) -> str:
    """A hash of the file's contents."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(_PART):
            digest.update(part)
    return digest.hexdigest()


def _cached(path: Path, digest: str, ending: str = "") -> Path:
    name = f"{path.name.split('.')[0][:60]}-{digest[:_DIGITS]}{ending}-{_converter()}"
    return user_cache_dir() / "nets" / f"{name}{ONNX}"


@cache
def _converter() -> str:
    """A hash of the sources of this folder, which read and convert net files."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:_OF_CONVERTER]


def _remove_older(newest: Path) -> None:
    """Remove what other versions of the converter made of the same net."""
    net = newest.stem[: -_OF_CONVERTER - 1]
    older = re.compile(rf"{re.escape(net)}(-[0-9a-f]{{{_OF_CONVERTER}}})?{re.escape(ONNX)}")
    with suppress(OSError):
        for file in newest.parent.iterdir():
            if file != newest and older.fullmatch(file.name):
                file.unlink()


def net_info(path: str | Path) -> NetInfo:
    """The metadata and tensors of a net file of any kind; :class:`BadNet` when it cannot be read."""
    return replace(read_net_info(as_onnx(Path(path))), path=Path(path))


def is_for(info: NetInfo, game: GameSpec) -> bool:
    """Whether the metadata of a net allow it for ``game``."""
    if info.game:
        return info.game == game.text or takes_points(info, game)
    return any(encoding.any_size and encoding.name == info.encoding for encoding in game.encodings)


def usual_game(info: NetInfo) -> GameSpec | None:
    """The game that a net is for, of the usual size where it takes several; None for a file that does not say.

    BadGame for a game that is not known."""
    if info.game:
        return load_game(info.game)
    if not info.is_foreign:
        for family in GAMES.values():
            if all(parameter.default is not None for parameter in family.parameters):
                game = load_game(family.name)
                if is_for(info, game):
                    return game
    return None
