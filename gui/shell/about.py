"""What the program is, of which version, and what it runs on, in a box with a button that copies it."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QPushButton, QWidget

from core.text import Text
from gui.language.language import tr
from gui.model.keymap import plain_title
from gui.widgets.dialogs import Dialog
from gui.widgets.labels import make_label
from gui.widgets.texts import set_texts

PACKAGES: Final = (
    "PySide6_Essentials",
    "numpy",
    "numba",
    "onnx",
    "onnxruntime",
    "onnxruntime-gpu",
    "openvino",
    "torch",
)


def version_of(package: str) -> str:
    """The version of an installed package; "" if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def versions() -> tuple[tuple[str, str], ...]:
    """The program and what it runs on, by name, with their versions; only what is installed."""
    system = f"{platform.system()} {platform.release()}, {platform.machine()}"
    rows = [("Plyscope", version_of("plyscope")), ("Python", platform.python_version()), ("Qt", qVersion() or "")]
    rows += [(name, version_of(name)) for name in PACKAGES]
    return tuple((name, number) for name, number in (*rows, (Text("System"), system)) if number)


class AboutBox(Dialog):
    """Shows the versions."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("", parent)
        set_texts(self, windowTitle=lambda: plain_title(tr("&About Plyscope…")))
        title = make_label(self, "title")
        title.setText("Plyscope")
        what = make_label(self, "dim", "A glass box for Monte Carlo tree search.  MIT licence.", wrap=True)
        self.rows = QLabel("\n".join(f"{tr(name)} {number}" for name, number in versions()), self)
        self.rows.setTextFormat(Qt.TextFormat.PlainText)
        self.rows.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.without = make_label(self, "dim", "Training needs PyTorch, which is not installed here.", wrap=True)
        self.without.setVisible(not version_of("torch"))
        self.copy = set_texts(QPushButton(self), text="Copy")
        self.buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.setAutoDefault(False)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.rows.text()))
        self.lay_out(title, what, self.rows, self.without)
