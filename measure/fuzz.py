"""``make fuzz``: damaged files for every loader, and damaged settings, keys and clipboard for the window.

Runs :mod:`measure.damage` with the loaders of :mod:`measure.damage_files` and with those that need Qt.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from measure.damage import Loader, damaged, fuzz, tried, work
from measure.damage_changes import BYTES, in_json, in_text
from measure.damage_files import LOADERS, TICTACTOE, files, lay_run, run_files

CASES: Final = 3000
_PASTED: Final = (TICTACTOE, "connect4", "othello", "nim(heaps=3-4-5)", "gomoku(rule=renju)")
_MOVES: Final = ("b2 a1 c3", "d d c 4", "X . .\n. O .\n. . .\nX to move")
_KEYS: Final = b'{"new_game": ["Ctrl+N"], "undo": ["Ctrl+Z", "Backspace"], "tour": []}'
_PLAYERS: Final = (
    b'{"game": "tictactoe", "delay": 0.5, "seats": [{"engine": true, "source": "uniform", "simulations": 100, '
    b'"seconds": null, "own": {"selection": "puct", "c": 1.5, "temperature": 0.5}}, {"engine": false, "source": '
    b'"as in the window", "simulations": 1000, "seconds": 1.5, "own": null}]}'
)


@lru_cache(maxsize=1)
def _application() -> Any:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    return QApplication.instance() or QApplication([])


@lru_cache(maxsize=1)
def _window() -> Any:
    _application()
    from gui.window import MainWindow

    return MainWindow(theme="dark")


# settings as stored by QSettings


def _preference_seeds(folder: Path) -> list[bytes]:
    _application()
    from PySide6.QtCore import QSettings

    from gui.app import keep_layout
    from gui.widgets.preferences import Preferences

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
    from PySide6.QtCore import QSettings

    from gui.app import restore
    from gui.rooms.training.known_runs import KnownRuns
    from gui.rooms.training.launcher import Launcher
    from gui.widgets.preferences import Preferences

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
    from core.files.reading import parse_json
    from gui.rooms.opponents.play_seats import players_from, players_json

    players, _ = players_from(parse_json(data), TICTACTOE)
    players_json(players, TICTACTOE)


def _load_clipboard(data: bytes, folder: Path) -> None:
    """Read pasted moves or a diagram for each game."""
    from core.games import load_game

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
    from gui.rooms.training.launcher import Launcher
    from gui.rooms.training.run_model import RunModel
    from gui.rooms.training.self_play import watch_games

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


_OF_FILES: Final = {loader.name: loader for loader in LOADERS}
WINDOW_LOADERS: Final = (
    Loader("run shown", _OF_FILES["run"].seeds, _load_run, _OF_FILES["run"].changes),
    Loader("preferences", _preference_seeds, _load_preferences, (*BYTES, in_text, in_text, in_text)),
    Loader("keys", files(_KEYS), _load_keys, (*BYTES[:3], in_json, in_json, in_text)),
    Loader("players", files(_PLAYERS), _load_players, (*BYTES[:3], in_json, in_json, in_text)),
    Loader(
        "clipboard",
        files(*_MOVES),
        _load_clipboard,
        (*BYTES[:3], in_text, in_text),
    ),
)
ALL: Final = {loader.name: loader for loader in (*LOADERS, *WINDOW_LOADERS)}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Damaged files for every loader: each is taken, or refused in a sentence."
    )
    parser.add_argument("loaders", nargs="*", metavar="LOADER", help=f"of {', '.join(ALL)} (default: all)")
    parser.add_argument("--cases", type=int, default=CASES, metavar="N", help=f"of each loader (default {CASES})")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the damage (default 1)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where files that fail are kept")
    parser.add_argument("--repeat", type=int, metavar="CASE", help="one case of one loader, here and now")
    parser.add_argument(
        "--work", nargs=5, metavar=("LOADER", "SEED", "FIRST", "LAST", "FOLDER"), help=argparse.SUPPRESS
    )
    args = parser.parse_args(arguments)
    if args.work:
        name, seed, first, last, folder = args.work
        work(ALL[name], int(seed), int(first), int(last), Path(folder))
        return 0
    if wrong := [name for name in args.loaders if name not in ALL]:
        parser.error(f"{wrong[0]!r} is no loader; they are {', '.join(ALL)}")
    folder = args.keep or Path(tempfile.mkdtemp(prefix="plyscope-fuzz-"))
    names = args.loaders or list(ALL)
    if args.repeat is not None:
        loader = ALL[names[0]]
        folder.mkdir(parents=True, exist_ok=True)
        data = damaged(loader, loader.seeds(folder), args.seed, args.repeat)
        (folder / "repeated").write_bytes(data)
        print(folder / "repeated", *tried(loader, data, folder), sep="\n")
        return 0
    return fuzz([sys.executable, "-m", "measure.fuzz", "--work"], names, args.seed, args.cases, folder)


if __name__ == "__main__":
    sys.exit(main())
