"""Sound settings, keys, clipboard and runs for what reads them in the window."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QSettings

from core.files.reading import parse_json
from core.games import load_game
from gui.app import keep_layout, restore
from gui.rooms.opponents.play_seats import players_from, players_json
from gui.rooms.training.known_runs import KnownRuns
from gui.rooms.training.launcher import Launcher
from gui.rooms.training.run_model import RunModel
from gui.rooms.training.self_play import watch_games
from gui.widgets.preferences import Preferences
from gui.window import MainWindow
from tests.damage.changes import BYTES, in_json, in_text
from tests.damage.files import LOADERS, TICTACTOE, Loader, files, lay_run, run_files

_PASTED: Final = (TICTACTOE, "connect4", "othello", "nim(heaps=3-4-5)", "gomoku(rule=renju)")
_MOVES: Final = ("b2 a1 c3", "d d c 4", "X . .\n. O .\n. . .\nX to move")
_KEYS: Final = b'{"new_game": ["Ctrl+N"], "undo": ["Ctrl+Z", "Backspace"], "tour": []}'
_PLAYERS: Final = (
    b'{"game": "tictactoe", "delay": 0.5, "seats": [{"engine": true, "source": "uniform", "simulations": 100, '
    b'"seconds": null, "own": {"selection": "puct", "c": 1.5, "temperature": 0.5}}, {"engine": false, "source": '
    b'"as in the window", "simulations": 1000, "seconds": 1.5, "own": null}]}'
)


@lru_cache(maxsize=1)
def _window() -> Any:
    return MainWindow(theme="dark")


# settings as stored by QSettings


def _preference_seeds(folder: Path) -> list[bytes]:
    window = _window()
    kept = QSettings(str(folder / "seed.ini"), QSettings.Format.IniFormat)
    preferences = Preferences(kept)
    preferences.text_size, preferences.players, preferences.tour_seen = 125, _PLAYERS.decode(), True
    preferences.add_recent(folder / "a.sgf")
    kept.setValue("runs", [str(folder / "run")])
    kept.setValue("run", str(folder / "run"))
    kept.setValue("keys", _KEYS.decode())
    keep_layout(window, kept)
    kept.sync()
    return [(folder / "seed.ini").read_bytes()]


def _load_preferences(data: bytes, folder: Path) -> None:
    path = folder / f"{len(data)}-{hash(data)}.ini"  # Qt caches what it read under a name
    path.write_bytes(data)
    kept = QSettings(str(path), QSettings.Format.IniFormat)
    preferences = Preferences(kept)
    preferences.theme("dark")
    KnownRuns(folder / "runs", Launcher()).recall(kept)
    restore(_window(), kept)
    path.unlink()


def _load_keys(data: bytes, folder: Path) -> None:
    _window().commands.keymap.restore(data.decode("utf-8", "replace"))
    _window().commands.keymap.save()


def _load_players(data: bytes, folder: Path) -> None:
    players, _ = players_from(parse_json(data), TICTACTOE)
    players_json(players, TICTACTOE)


def _load_clipboard(data: bytes, folder: Path) -> None:
    """Read pasted moves or a diagram for each game."""
    text, refused = data.decode("utf-8", "replace").strip(), []
    for name in _PASTED:
        try:
            load_game(name).position(text)
        except ValueError as error:
            refused.append(error)
    if len(refused) == len(_PASTED):
        raise max(refused, key=lambda error: len(str(error)))


_sound: dict[str, bytes] = {}


def _load_run(data: bytes, folder: Path) -> None:
    """Read a run as the Training tab does; nothing may be refused."""
    if not _sound:
        _sound.update(run_files(folder))
    run = folder / "run"
    lay_run(data, run, _sound)
    model, refused = RunModel(run), ""
    try:
        while model.look() or model.behind:
            pass
        words = (model.problem, Launcher().state(model).words)
        if model.spec is not None:
            watch_games(run, model.spec)
    except (ValueError, OSError) as error:
        refused = f"{type(error).__name__}: {error}"
    if refused or any("\n" in sentence for sentence in words):
        raise AssertionError(refused or words)


RUN: Final = next(loader for loader in LOADERS if loader.name == "run")
WINDOW_LOADERS: Final = (
    Loader("run shown", RUN.seeds, _load_run, RUN.changes),
    Loader("preferences", _preference_seeds, _load_preferences, (*BYTES, in_text, in_text, in_text)),
    Loader("keys", files(_KEYS), _load_keys, (*BYTES[:3], in_json, in_json, in_text)),
    Loader("players", files(_PLAYERS), _load_players, (*BYTES[:3], in_json, in_json, in_text)),
    Loader("clipboard", files(*_MOVES), _load_clipboard, (*BYTES[:3], in_text, in_text)),
)
