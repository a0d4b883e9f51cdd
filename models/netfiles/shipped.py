"""The nets that come with the program, and which of them suits a game."""

from importlib.resources import files
from pathlib import Path

from core.games import GameSpec, load_game
from models.netfiles.net_file import listed_net_info, takes_points
from models.netfiles.ort_session import BadNet


def nets_dir() -> Path:
    """The folder of the shipped nets."""
    return Path(str(files("resources") / "nets"))


def default_net(game: GameSpec, folder: Path | None = None) -> Path | None:
    """The net for ``game`` in ``folder`` (default: the shipped nets) with the most training steps, then the last by
    name; else one for the same board and rules that is shown the komi, whatever it is; None when there is none.
    Unreadable and foreign files are skipped."""
    best: tuple[bool, int, str, Path] | None = None
    for path in sorted((folder or nets_dir()).glob("*.onnx")):
        try:
            info = listed_net_info(path)
        except BadNet:
            continue
        exact = info.game == game.text
        if not info.is_foreign and (
            exact or (takes_points(info, game) and _but_komi(info.game) == _but_komi(game.text))
        ):
            best = max(best or (False, -1, "", path), (exact, info.step, path.name, path))
    return best[3] if best else None


def lesson_net(game: GameSpec) -> Path | None:
    """The net whose figures the lessons quote; the shipped one for games of which they have none of their own."""
    return default_net(game, Path(str(files("resources") / "lessons"))) or default_net(game)


def _but_komi(text: str) -> dict[str, object]:
    """The name and parameters of a game without its komi."""
    game = load_game(text)
    return {**game.params, "name": game.name, "komi": None}
