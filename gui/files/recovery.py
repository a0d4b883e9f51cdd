"""The game that is open, kept beside the program while it runs, and offered again after a crash.

A file of its own for each window, under a lock that dies with its process: what two windows keep is never mixed up,
and what nobody holds any more was not closed.  Knows the state's signals and what writes and reads a session.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QLockFile, QObject, QStandardPaths, QTimer
from PySide6.QtWidgets import QMessageBox

from gui.files.filing import SESSION
from gui.language.core_words import game_title
from gui.language.language import tr
from gui.record.record_state import ROOT
from gui.task import run_task

if TYPE_CHECKING:
    from gui.window import MainWindow

KEEP_MS: Final = 2500  # after the first change
_DAMAGED: Final = ".damaged"
log = logging.getLogger(__name__)


def recovery_home() -> Path:
    """Where open games are kept: the user's data folder of the platform."""
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericDataLocation)
    return Path(place) / "plyscope" / "recovery"


class Kept:
    """One kept game and its lock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = QLockFile(str(path.with_suffix(".lock")))
        self._lock.setStaleLockTime(0)  # however old: it ends with its process

    def take(self) -> bool:
        """Hold it, unless a living window does."""
        return self._lock.tryLock(0)

    def leave(self) -> None:
        """Let the next start find it."""
        self._lock.unlock()

    def remove(self) -> None:
        """For good."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            log.warning("%s", error)
        self._lock.unlock()


def left_behind(folder: Path) -> list[Kept]:
    """The kept games that no living window holds, the newest first; they are held now."""
    try:
        paths = sorted(folder.glob(f"*{SESSION}"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return []
    return [kept for kept in map(Kept, paths) if kept.take()]


class Recovery(QObject):
    """Keeps one window's game and offers those left behind, one after another."""

    def __init__(self, window: MainWindow, folder: Path, keep_ms: int = KEEP_MS) -> None:
        super().__init__(window)
        self._window, self._state, self._folder = window, window.state, folder
        self._own: Kept | None = None
        self._left: list[Kept] = []
        self.offer: QMessageBox | None = None
        self._ended = False
        self._told = False  # that nothing can be kept
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(keep_ms)
        self._later.timeout.connect(self._keep)
        self._writing = self._again = False
        self._state.position_changed.connect(self._changed)
        self._state.record_changed.connect(self._changed)
        self._state.comment_changed.connect(self._changed)
        self._state.search_changed.connect(self._changed)
        window.installEventFilter(self)

    # keeping

    def _changed(self) -> None:
        self._ended = False
        if not self._later.isActive():
            self._later.start()

    def _keep(self) -> None:
        if self._ended or self._state.record is None:
            return
        if self._writing:
            self._again = True
            return
        if self._empty:
            self._drop_own()
            return
        if self._own is None:
            self._own = self._new()
        if self._own is None:
            return
        self._writing = True
        write = partial(_write, self._own.path, self._window.filing.session_bytes())
        run_task(self, write, self._kept, self._not_kept)

    @property
    def _empty(self) -> bool:
        """Whether nothing was played, written or set up: nothing would be lost."""
        record = self._state.record
        if record is None or len(record) > 1:
            return record is None
        return record.start == record.game.initial() and not record.node(ROOT).comment

    def _new(self) -> Kept | None:
        kept = Kept(self._folder / f"{uuid.uuid4().hex}{SESSION}")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._not_kept(str(error))
            return None
        return kept if kept.take() else None

    def _kept(self, _: object) -> None:
        self._writing = False
        if self._ended or self._empty:
            self._drop_own()
        elif self._again:
            self._again = False
            self._later.start()

    def _not_kept(self, sentence: str) -> None:
        self._writing = False
        if self._later.isActive():  # it was changed while it was written: soon again
            return
        log.warning("the open game is not kept: %s", sentence)
        if not self._told:
            self._told = True
            self._window.banner.say(
                tr("The open game is not kept against a crash: {sentence}").format(sentence=sentence)
            )

    def _drop_own(self) -> None:
        if self._own is not None and not self._writing:
            own, self._own = self._own, None
            own.remove()

    def end(self) -> None:
        """The window is closed by its user: nothing is kept, and what was not answered is left for the next start."""
        self._ended = True
        self._later.stop()
        self._drop_own()
        if self.offer is not None:
            self.offer.close()
        for kept in self._left:
            kept.leave()
        self._left = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Close:
            self.end()
        return False

    # offering

    def look(self) -> None:
        """Offer what was left behind, once the window has a game to go back to."""
        if self._state.position is None:
            self._state.position_changed.connect(self._look_once)
        else:
            run_task(self, partial(left_behind, self._folder), self._found, self._window.banner.say)

    def _look_once(self) -> None:
        self._state.position_changed.disconnect(self._look_once)
        self.look()

    def _found(self, left: list[Kept]) -> None:
        self._left = left
        self._next()

    def _next(self) -> None:
        if self._left:
            kept = self._left[0]
            done, failed = partial(self._ask, kept), partial(self._set_aside, kept)
            run_task(self, partial(self._window.filing.read_session, kept.path), done, failed)

    def _ask(self, kept: Kept, found: Any) -> None:
        try:
            when = datetime.fromtimestamp(kept.path.stat().st_mtime)
        except OSError as error:
            self._set_aside(kept, str(error))
            return
        moves = len(found.record.main_line()) - 1
        words = tr("{game}, 1 move, kept on {when}") if moves == 1 else tr("{game}, {moves} moves, kept on {when}")
        text = words.format(game=game_title(found.record.game), moves=moves, when=f"{when:%Y-%m-%d %H:%M}")
        offer = QMessageBox(self._window)
        offer.setWindowTitle("Plyscope")
        offer.setText(tr("The last game was not closed."))
        offer.setInformativeText(text)
        restore = offer.addButton(tr("Restore"), QMessageBox.ButtonRole.AcceptRole)
        discard = offer.addButton(tr("Discard"), QMessageBox.ButtonRole.DestructiveRole)
        later = offer.addButton(tr("Ask again next time"), QMessageBox.ButtonRole.RejectRole)
        offer.setDefaultButton(restore)
        offer.setEscapeButton(later)
        restore.clicked.connect(lambda: self._restore(kept, found))
        discard.clicked.connect(lambda: self._discard(kept))
        offer.finished.connect(self._answered)
        self.offer = offer
        offer.open()

    def _restore(self, kept: Kept, found: Any) -> None:
        """It becomes this window's own kept game, so that it is never without one."""
        self._left.remove(kept)
        self._drop_own()
        if self._own is None:
            self._own = kept
        self._window.filing.take(found)

    def _discard(self, kept: Kept) -> None:
        self._left.remove(kept)
        kept.remove()
        self._next()

    def _answered(self, _: int) -> None:
        if self.offer is not None:
            self.offer.deleteLater()
            self.offer = None

    def _set_aside(self, kept: Kept, sentence: str) -> None:
        """What cannot be read is kept under another name, for those who may want to look at it."""
        if kept in self._left:
            self._left.remove(kept)
        aside = kept.path.with_suffix(_DAMAGED)
        try:
            kept.path.replace(aside)
        except OSError as error:
            log.warning("%s", error)
        kept.leave()
        self._window.banner.say(
            tr("The last game was not closed and cannot be restored: {sentence} It stays as {aside}.").format(
                sentence=sentence, aside=aside
            )
        )
        self._next()


def _write(path: Path, session: Callable[[], bytes]) -> None:
    from core.files.atomic import write_atomically

    write_atomically(path, session())
