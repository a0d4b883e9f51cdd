"""The user's folders, and files: asks which to open and where to save, and writes; none is replaced without asking."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QStandardPaths
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from core.text import Text
from gui.language.language import tr


def data_folder(name: str) -> Path:
    """Return a folder of the program in the user's data folder of the platform."""
    return _folder(QStandardPaths.StandardLocation.GenericDataLocation, name)


def cache_folder(name: str) -> Path:
    """Return a folder of the program for what can be made again."""
    return _folder(QStandardPaths.StandardLocation.GenericCacheLocation, name)


def _folder(place: QStandardPaths.StandardLocation, name: str) -> Path:
    return Path(QStandardPaths.writableLocation(place)) / "plyscope" / name


_opened_last: list[Path] = []  # the file that was chosen last to be opened; [] at first


def start_folder(at_first: Path | None = None) -> str:
    """Return where a dialog begins: where the last file was opened, at first in this folder or the user's documents."""
    if _opened_last:
        return str(_opened_last[0].parent)
    return str(at_first or QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))


def ask_open_name(parent: QWidget, title: str, kinds: str, at_first: Path | None = None) -> Path | None:
    """Ask for a file to open, from ``start_folder``; ``kinds``: the dialog's filters; None when the user cancels."""
    name, _ = QFileDialog.getOpenFileName(parent, title, start_folder(at_first), kinds)
    if not name:
        return None
    _opened_last[:] = [Path(name)]
    return Path(name)


def ask_save_name(parent: QWidget, title: str, name: str, kinds: str = "", suffixes: Sequence[str] = ()) -> Path | None:
    """Ask for a path with the suffix of ``name``; None when the user cancels.

    ``kinds``: the dialog's filters, of ``suffixes`` in this order; a name typed without one of these gets that of the
    filter chosen.  The dialog itself asks before it replaces a file, but checks only the name as typed.
    """
    suffix = Path(name).suffix
    chosen, kind = QFileDialog.getSaveFileName(parent, title, name, kinds or f"*{suffix}")
    if not chosen:
        return None
    path = Path(chosen)
    if path.suffix.lower() in (suffixes or (suffix.lower(),)):
        return path
    suffix = next((one for one in suffixes if f"*{one})" in kind), suffix)
    path = path.with_name(path.name + suffix)
    if path.exists() and not _may_replace(parent, title, path):
        return None
    return path


def _may_replace(parent: QWidget, title: str, path: Path) -> bool:
    question = tr("{name} already exists. Replace it?").format(name=path.name)
    return QMessageBox.question(parent, title, question) == QMessageBox.StandardButton.Yes


def png(picture: QPixmap | QImage) -> bytes:
    """The bytes of a PNG file of a picture."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs ask for bytes, Qt for text
    return bytes(buffer.data().data())


def write_file(path: Path, data: bytes) -> None:
    """Write a file completely or not at all, in any thread; ``ValueError`` with one sentence on failure."""
    from core.files.atomic import write_atomically

    try:
        write_atomically(path, data)
    except OSError as error:
        raise ValueError(
            Text("{path!r} cannot be written: {strerror}", path=str(path), strerror=error.strerror or error)
        ) from error
