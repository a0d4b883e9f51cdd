"""Tests of crash recovery: games are saved while they change, offered after a crash, never mixed up."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.files.session import open_session
from core.games import load_game
from gui.shell.documents import MOST_CLOSED
from gui.shell.recovery import KeptFile, Recovery, left_behind, sweep
from gui.window import MainWindow
from tests.gui.conftest import cancel_close, open_window
from tests.gui.fakes import FakeAnalysis

ROOT = Path(__file__).parents[3]
KEEP_MS = 20

# A program whose window keeps its game, reports when it has, and never ends by itself.
PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from core.games import load_game
from gui.shell.recovery import Recovery
from gui.window import MainWindow
app = QApplication([])
window = MainWindow()
folder = Path(sys.argv[1])
recovery = Recovery(window.commands, folder, 20)
window.state.open_position(load_game("tictactoe").position("b2 a1 c3"), None)
window.state.go(2)
def look():
    if list(folder.glob("*.plyscope")) and recovery.is_done:
        print("kept", flush=True)
        timer.stop()
timer = QTimer()
timer.timeout.connect(look)
timer.start(20)
app.exec()
"""


@pytest.fixture
def other(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another window in its own process, which has kept its game."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "kept")],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline().strip() == "kept"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.fixture
def make(qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[[], tuple[MainWindow, Recovery]]]:
    """Returns a function that makes Connect Four windows which keep their games in one folder."""
    windows = []

    def one() -> tuple[MainWindow, Recovery]:
        window = open_window(qtbot, FakeAnalysis(), "connect4")
        windows.append(window)
        return window, Recovery(window.commands, tmp_path / "kept", KEEP_MS)

    yield one
    for window in windows:
        window.close()


def files(folder: Path) -> list[Path]:
    return sorted((folder / "kept").glob("*.plyscope"))


def crash(window: MainWindow, recovery: Recovery) -> None:
    """Leave what a killed process leaves: the file, and a lock without a holder."""
    recovery.leave()


def found(qtbot: QtBot, window: MainWindow, recovery: Recovery) -> None:
    """Run the recovery and wait until a game is offered."""
    recovery.look()
    qtbot.waitUntil(window.context.actions["game_before"].isEnabled)


def kept(qtbot: QtBot, recovery: Recovery, folder: Path) -> None:
    """Wait until the open game is kept in its current state."""
    qtbot.waitUntil(lambda: bool(files(folder)) and recovery.is_done)


@pytest.mark.slow
def test_a_killed_program_is_offered_and_restored(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], other: subprocess.Popen[str], tmp_path: Path
) -> None:
    window, recovery = make()
    assert left_behind(tmp_path / "kept") == []  # the other process is still running
    os.kill(other.pid, signal.SIGKILL) if hasattr(signal, "SIGKILL") else other.kill()
    other.wait()
    found(qtbot, window, recovery)
    assert window.banner.text == "Tic-tac-toe, 3 moves: that game is kept."
    window.banner.offer_button.click()
    assert window.state.game.text == "tictactoe"
    assert [window.state.game.action_name(a) for a in window.state.moves] == ["b2", "a1", "c3"]
    assert window.state.cursor == 2
    kept(qtbot, recovery, tmp_path)
    assert len(files(tmp_path)) == 1  # it now belongs to this window
    assert left_behind(tmp_path / "kept") == []


@pytest.mark.slow
def test_an_unsaved_game_is_offered_at_the_next_start(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], tmp_path: Path
) -> None:
    window, _ = make()
    window.state.play_line((3, 3, 2))
    window.state.set_comment("a plan")
    window.close()  # before it was kept for the first time
    for _ in range(2):  # a game that is not reopened is not lost
        window, recovery = make()
        found(qtbot, window, recovery)
        assert window.banner.text == "Connect Four, 3 moves: that game is kept."
        window.close()
    window, recovery = make()
    found(qtbot, window, recovery)
    window.context.actions["game_before"].trigger()
    assert (window.state.line, window.state.comment) == ((3, 3, 2), "a plan")
    window.close()  # unchanged, but in no file
    window, recovery = make()
    found(qtbot, window, recovery)


@pytest.mark.slow
@pytest.mark.parametrize("killed", [True, False])
def test_games_are_kept_after_a_close_that_was_cancelled(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], tmp_path: Path, killed: bool
) -> None:
    window, recovery = make()
    window.state.play(3)
    cancel_close(window)
    window.state.play_line((4, 5))
    if killed:
        kept(qtbot, recovery, tmp_path)
        crash(window, recovery)
    else:
        window.close()
    window, recovery = make()
    found(qtbot, window, recovery)
    window.context.actions["game_before"].trigger()
    assert window.state.line == (3, 4, 5)


@pytest.mark.slow
def test_every_unsaved_game_is_offered_again(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], tmp_path: Path
) -> None:
    window, recovery = make()
    for action in (1, 2):
        window.state.play(action)
        window.context.opener.new_game()
    window.state.play(3)
    window.state.play(3)
    window.context.actions["game_before"].trigger()  # the one with 2; the one with 3 3 is now the oldest
    assert window.state.moves == (2,)
    window.close()
    qtbot.waitUntil(lambda: len(files(tmp_path)) == 3)  # the games replaced earlier are written in threads
    window, recovery = make()
    found(qtbot, window, recovery)
    met = set()
    for _ in range(3):
        window.context.actions["game_before"].trigger()
        met.add(window.state.moves)
    assert met == {(1,), (2,), (3, 3)}


@pytest.mark.parametrize("suffix", [".sgf", pytest.param(".plyscope", marks=pytest.mark.slow)])
def test_a_saved_game_is_not_kept(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], tmp_path: Path, suffix: str
) -> None:
    window, recovery = make()
    window.state.play(3)
    kept(qtbot, recovery, tmp_path)
    with qtbot.waitSignal(window.commands.filing.used):
        (window.commands.filing.save_sgf if suffix == ".sgf" else window.commands.filing.save_session)(
            tmp_path / f"mine{suffix}"
        )
    window.close()
    assert list((tmp_path / "kept").iterdir()) == []
    window, recovery = make()
    with qtbot.waitSignal(window.commands.filing.used):
        window.commands.filing.open_file(tmp_path / f"mine{suffix}")
    kept(qtbot, recovery, tmp_path)  # for crash recovery
    window.context.opener.new_game()
    assert not window.context.actions["game_before"].isEnabled()
    with qtbot.waitSignal(window.commands.filing.used):
        window.commands.filing.open_file(tmp_path / f"mine{suffix}")
    window.state.play(4)  # the file is now out of date
    window.close()
    assert len(files(tmp_path)) == 1


def test_beyond_the_maximum_the_oldest_game_is_deleted_with_a_note(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], tmp_path: Path
) -> None:
    window, _ = make()
    for number in range(MOST_CLOSED + 1):
        window.state.play(number % 7)
        window.context.opener.new_game()
        qtbot.waitUntil(lambda: bool(window.banner.text))
    assert window.banner.text == "At most 10 unsaved games are kept. Dropped: Connect Four, 1 move."
    qtbot.waitUntil(lambda: len(files(tmp_path)) == MOST_CLOSED)
    window.banner.offer_button.click()  # it can be opened while the message is shown
    assert window.state.moves == (0,)
    window.close()
    assert len(files(tmp_path)) == MOST_CLOSED + 1


@pytest.mark.slow
def test_no_game_is_deleted_while_the_banner_shows_an_error(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], tmp_path: Path
) -> None:
    window, _ = make()
    window.banner.show_error("The net cannot be read.")
    for _ in range(MOST_CLOSED + 2):
        window.state.play(3)
        window.context.opener.new_game()
        QApplication.processEvents()
    assert window.banner.text == "The net cannot be read."
    assert len(window.commands.documents.closed) == MOST_CLOSED + 2
    window.close()
    qtbot.waitUntil(lambda: len(files(tmp_path)) == MOST_CLOSED + 2)


@pytest.mark.slow
def test_a_discarded_game_is_not_restored(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], tmp_path: Path
) -> None:
    for moves in ((3,), (2, 2)):
        window, _ = make()
        window.state.play_line(moves)
        window.close()
    window, recovery = make()
    found(qtbot, window, recovery)
    first = window.banner.text
    assert first.endswith("that game is kept.")
    window.banner.other_button.click()
    assert window.banner.text.endswith("that game is kept.")
    assert window.banner.text != first
    qtbot.waitUntil(lambda: len(files(tmp_path)) == 1)
    window.banner.other_button.click()
    assert window.banner.text == ""
    qtbot.waitUntil(lambda: list((tmp_path / "kept").iterdir()) == [])
    assert not window.context.actions["game_before"].isEnabled()


def test_a_closed_window_accepts_no_dropped_file(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], tmp_path: Path
) -> None:
    window, _ = make()
    window.state.play(3)
    window.context.opener.new_game()
    window.close()
    qtbot.waitUntil(lambda: len(files(tmp_path)) == 1)
    window.commands.documents.go_back()
    assert len(files(tmp_path)) == 1


def test_temporary_files_of_a_killed_program_are_removed(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], tmp_path: Path
) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    living = KeptFile(folder / "living.plyscope")
    assert living.take()
    for name in (".living.plyscope.7.0.tmp", ".gone.plyscope.7.0.tmp", "other.txt"):
        (folder / name).write_bytes(b"")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (folder / "gone.lock").write_text(f"{gone.pid}\npython\n{socket.gethostname()}\n")  # in Qt's format
    sweep(folder)
    assert {path.name for path in folder.iterdir()} == {".living.plyscope.7.0.tmp", "living.lock", "other.txt"}
    living.remove()


def test_a_lock_without_a_process_is_free(tmp_path: Path) -> None:
    """A machine that lost power leaves empty files."""
    lock, game = tmp_path / "a.lock", KeptFile(tmp_path / "a.plyscope")
    for content in (b"", b"\0" * 20):
        lock.write_bytes(content)
        assert not game.take()  # it may be in creation
        os.utime(lock, (1e9, 1e9))
        assert game.take()
        game.leave()
        assert not lock.exists()
    assert game.take()
    os.truncate(lock, 0)
    os.utime(lock, (1e9, 1e9))
    assert not KeptFile(game.path).take()  # its process is running, whatever the content
    game.leave()


def test_an_older_state_never_replaces_a_newer_one(tmp_path: Path) -> None:
    one = KeptFile(tmp_path / "a.plyscope")
    older, newer = one.version(lambda: b"older"), one.version(lambda: b"newer")
    newer()
    older()
    assert one.path.read_bytes() == b"newer"
    late = one.version(lambda: b"late")
    one.remove()
    late()
    assert not one.path.exists()


@pytest.mark.slow
def test_a_change_is_kept_with_variations_and_settings(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], tmp_path: Path
) -> None:
    window, recovery = make()
    window.state.play_line((3, 3, 2))
    window.state.set_limit(4321)
    qtbot.waitUntil(lambda: len(files(tmp_path)) == 1 and recovery.is_done)
    game = open_session(files(tmp_path)[0]).session.games[0]
    assert game.record.line(game.cursor)[-1] == game.cursor
    assert game.record.position(game.cursor).moves == (3, 3, 2)
    assert game.limit == 4321
    assert game.settings == window.state.settings
    window.state.take_back()
    window.state.play(5)
    qtbot.waitUntil(lambda: recovery.is_done)
    assert len(files(tmp_path)) == 1


def test_an_empty_game_is_not_kept(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], tmp_path: Path
) -> None:
    window, recovery = make()
    window.state.play(3)
    qtbot.waitUntil(lambda: bool(files(tmp_path)) and recovery.is_done)
    window.state.take_back()
    qtbot.waitUntil(lambda: files(tmp_path) == [])


@pytest.mark.slow
def test_a_position_set_up_and_a_comment_are_kept(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], tmp_path: Path
) -> None:
    window, recovery = make()
    position = load_game("connect4").position("d d c").diagram()
    QGuiApplication.clipboard().setText(position)
    window.context.opener.paste_moves()
    qtbot.waitUntil(lambda: bool(files(tmp_path)) and recovery.is_done)
    window.close()
    assert open_session(files(tmp_path)[0]).session.games[0].record.start.diagram() == position
    files(tmp_path)[0].unlink()
    window, recovery = make()
    window.state.set_comment("What comes first?")
    kept(qtbot, recovery, tmp_path)
    assert open_session(files(tmp_path)[0]).session.games[0].record.node(0).comment == "What comes first?"


def test_two_windows_keep_separate_games(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], tmp_path: Path
) -> None:
    (first, kept_first), (second, kept_second) = make(), make()
    first.state.play(3)
    second.state.play(4)
    qtbot.waitUntil(lambda: len(files(tmp_path)) == 2)
    qtbot.waitUntil(lambda: kept_first.is_done and kept_second.is_done)
    assert left_behind(tmp_path / "kept") == []
    crash(first, kept_first)
    held = left_behind(tmp_path / "kept")
    assert len(held) == 1
    assert left_behind(tmp_path / "kept") == []  # a game is offered by one window only
    held[0].leave()


@pytest.mark.parametrize("content", [b"", b"no zip at all", b"PK\x03\x04" + bytes(64)])
def test_a_damaged_game_is_reported_and_moved_aside(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], tmp_path: Path, content: bytes
) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "broken.plyscope").write_bytes(content)
    window, recovery = make()
    recovery.look()
    qtbot.waitUntil(lambda: "cannot be read" in window.banner.text)
    assert (folder / "broken.damaged").read_bytes() == content
    assert "broken.damaged" in window.banner.text
    assert files(tmp_path) == []
    assert not window.context.actions["game_before"].isEnabled()


def test_a_half_written_game_loses_nothing(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], tmp_path: Path
) -> None:
    window, recovery = make()
    window.state.play_line((3, 2, 3, 2))
    qtbot.waitUntil(lambda: bool(files(tmp_path)) and recovery.is_done)
    whole = files(tmp_path)[0].read_bytes()
    crash(window, recovery)
    files(tmp_path)[0].with_name(".half.plyscope.1.tmp").write_bytes(whole[:50])
    second, offers = make()
    found(qtbot, second, offers)
    second.banner.offer_button.click()
    assert second.state.moves == (3, 2, 3, 2)


@pytest.mark.slow
def test_an_unwritable_folder_is_reported_once(
    qtbot: QtBot, make: Callable[[], tuple[MainWindow, Recovery]], tmp_path: Path
) -> None:
    (tmp_path / "kept").write_text("a file stands in the way")
    window, recovery = make()
    window.state.play(3)
    qtbot.waitUntil(lambda: "is not kept for the next start" in window.banner.text)
    window.banner.hide()
    window.state.play(4)
    qtbot.waitUntil(lambda: recovery.is_done)
    assert window.banner.text == ""


def test_recovery_waits_for_the_first_game(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "broken.plyscope").write_bytes(b"")
    window = MainWindow()
    qtbot.addWidget(window)
    recovery = Recovery(window.commands, folder)
    recovery.look()
    assert window.banner.text == ""
    window.state.open_position(load_game("tictactoe").initial(), None)
    qtbot.waitUntil(lambda: "cannot be read" in window.banner.text)
    window.close()


def test_a_lock_is_released_by_its_holder(tmp_path: Path) -> None:
    first, second = KeptFile(tmp_path / "a.plyscope"), KeptFile(tmp_path / "a.plyscope")
    assert first.take()
    assert not second.take()
    first.leave()
    assert second.take()
    second.remove()
    assert list(tmp_path.iterdir()) == []
