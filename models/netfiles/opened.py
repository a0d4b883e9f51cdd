"""Opens net files of every kind: ONNX files as they are, weights of Go programs as ONNX in a cache."""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Final

from core._kernel_files import user_cache_dir
from core.games import GAMES, GameSpec, load_game
from core.text import Text
from models.netfiles.go_import import ONNX, import_go_net, kind_of
from models.netfiles.net_file import NetInfo, read_net_info, takes_points
from models.netfiles.ort_session import BadNet

_PART: Final = 1 << 20


def as_onnx(path: Path) -> Path:
    """The ONNX file for a net file: ``path`` itself, or for nets of KataGo or Leela Zero one in the user's caches, made
    when it is not there.  :class:`BadNet` when the file cannot be used."""
    if not path.is_file() or kind_of(path) is None:
        return path
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while part := file.read(_PART):
                digest.update(part)
        made = user_cache_dir() / "nets" / f"{path.name.split('.')[0][:60]}-{digest.hexdigest()[:16]}{ONNX}"
        if not made.is_file():
            made.parent.mkdir(parents=True, exist_ok=True)
            import_go_net(path, made)
    except OSError as error:
        raise BadNet(Text("{path!r} cannot be read: {strerror}", path=str(path), strerror=error.strerror)) from None
    return made


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
