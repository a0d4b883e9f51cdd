"""The user's folders, and files: asks which to open and where to save, and writes; none is replaced without asking.

The title of a dialog may be the text of the command that opens it, with mnemonic and ellipsis.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QBuffer, QIODevice, QSettings, QStandardPaths
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QFileDialog, QWidget

from core.text import Text
from gui.language.language import tr
from gui.model.keymap import plain_title
from gui.widgets.dialogs import Question


def data_folder(name: str) -> Path:
    """Return a folder of the program in the user's data folder of the platform."""
    return _folder(QStandardPaths.StandardLocation.GenericDataLocation, name)


def cache_folder(name: str) -> Path:
    """Return a folder of the program for what can be made again."""
    return _folder(QStandardPaths.StandardLocation.GenericCacheLocation, name)


def _folder(place: QStandardPaths.StandardLocation, name: str) -> Path:
    return Path(QStandardPaths.writableLocation(place)) / "plyscope" / name


Kind = Literal["games", "nets", "trees", "pictures", "engines"]
_folders: dict[str, str] = {}  # by kind of file: where the last one was opened or saved
_kept: list[QSettings] = []  # where they are kept from start to start; [] for nowhere


def keep_folders(kept: QSettings) -> None:
    """Keep the folders of the dialogs there from start to start."""
    _kept[:] = [kept]
    _folders.clear()


def start_folder(kind: Kind) -> Path:
    """Return where a dialog begins: where the last file of the kind was, at first in the user's documents."""
    if kind not in _folders and _kept:
        _folders[kind] = str(_kept[0].value(f"folders/{kind}", ""))
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    folders = (Path(name) for name in (_folders.get(kind), documents) if name)
    return next((folder for folder in folders if folder.is_dir()), Path.home())


def _chosen(kind: Kind, name: str, folder: str | Path) -> Path | None:
    """Remember the folder of a name that was chosen; None when the user cancelled."""
    if not name:
        return None
    _folders[kind] = str(folder)
    if _kept:
        _kept[0].setValue(f"folders/{kind}", str(folder))
    return Path(name)


def ask_open_name(parent: QWidget, title: str, kind: Kind, filters: str = "", start: str = "") -> Path | None:
    """Ask for a file to open, from ``start`` or the kind's folder; None when the user cancels."""
    name, _ = QFileDialog.getOpenFileName(parent, plain_title(title), start or str(start_folder(kind)), filters)
    return _chosen(kind, name, Path(name).parent)


def ask_folder(parent: QWidget, title: str, kind: Kind, start: str = "") -> Path | None:
    """Ask for a folder with files of a kind, from ``start`` or the kind's folder; None when the user cancels."""
    name = QFileDialog.getExistingDirectory(parent, plain_title(title), start or str(start_folder(kind)))
    return _chosen(kind, name, name)


def ask_save_name(
    parent: QWidget, title: str, kind: Kind, name: str, filters: str = "", suffixes: Sequence[str] = ()
) -> Path | None:
    """Ask for a path with the suffix of ``name``, in the kind's folder; None when the user cancels.

    ``filters``: the dialog's, of ``suffixes`` in this order; a name typed without one of these gets that of the filter
    chosen.  The dialog itself asks before it replaces a file, but checks only the name as typed.
    """
    suffix = Path(name).suffix
    title = plain_title(title)
    typed, chosen = QFileDialog.getSaveFileName(parent, title, str(start_folder(kind) / name), filters or f"*{suffix}")
    path = _chosen(kind, typed, Path(typed).parent)
    if path is None or path.suffix.lower() in (suffixes or (suffix.lower(),)):
        return path
    suffix = next((form for form in suffixes if f"*{form})" in chosen), suffix)
    path = path.with_name(path.name + suffix)
    return path if not path.exists() or _may_replace(parent, title, path) else None


def _may_replace(parent: QWidget, title: str, path: Path) -> bool:
    answers: list[bool] = []
    question = tr("{name} already exists. Replace it?").format(name=path.name)
    Question(parent, title, question, "", [(tr("Replace"), lambda: answers.append(True))]).exec()
    return bool(answers)


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
