"""Opens net files of every kind: ONNX files as they are, weights of Go programs as ONNX in a cache."""

import hashlib
import re
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from core._kernel_files import user_cache_dir
from core.files.atomic import write_atomically
from core.games import GAMES, GameSpec, load_game
from core.games.encoding import OWN
from core.text import Text
from models.netfiles.go_import import ONNX, import_go_net, kind_of
from models.netfiles.net_file import NetInfo, read_net_info, takes_points
from models.netfiles.ort_session import BadNet

_PART: Final = 1 << 20
_DIGITS: Final = 16  # of a net's digest in a name
_OF_CONVERTER: Final = 8  # of the converter's


def as_onnx(path: Path) -> Path:
    """The ONNX file for a net file: ``path`` itself, or for nets of KataGo or Leela Zero one in the user's caches, made
    when it is not there.  :class:`BadNet` when the file cannot be used."""
    if not path.is_file() or kind_of(path) is None:
        return path
    try:
        made = _cached(path, digest_of(path))
        if not made.is_file():
            made.parent.mkdir(parents=True, exist_ok=True)
            import_go_net(path, made)
            _remove_older(made)
    except OSError as error:
        raise BadNet(Text("{path!r} cannot be read: {strerror}", path=str(path), strerror=error.strerror)) from None
    return made


def as_int8(path: Path, game: GameSpec) -> Path:
    """The net file of float32 ``path`` in 8 bits, in the user's caches; made when it is not there, which takes seconds.

    ``ValueError``, the reason without the file's name, when that cannot be had or its answers differ too much.
    """
    from models.netfiles.quantise import to_precision

    info = read_net_info(path)
    if info.is_foreign or info.encoding != OWN or info.precision != "fp32":
        raise BadNet(Text("only nets of Plyscope in float32 can be converted to 8 bits"))
    made = _cached(path, digest_of(path), "-int8")
    if not made.is_file():
        data, _ = to_precision(path.read_bytes(), game, "int8")
        write_atomically(made, data)
        _remove_older(made)
    return made


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


def _remove_older(made: Path) -> None:
    """Remove what other versions of the converter made of the same net."""
    net = made.stem[: -_OF_CONVERTER - 1]
    older = re.compile(rf"{re.escape(net)}(-[0-9a-f]{{{_OF_CONVERTER}}})?{re.escape(ONNX)}")
    with suppress(OSError):
        for file in made.parent.iterdir():
            if file != made and older.fullmatch(file.name):
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
