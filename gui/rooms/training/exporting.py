"""Export of a kept net by ``plyscope export``, which converts and measures it, in a process of its own.

Knows files and a command line, no torch and no view.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from core.text import Text
from gui.language.language import tr
from gui.rooms.training.launcher import child_environment
from gui.widgets.dialogs import Dialog
from gui.widgets.text_size import fixed_font
from models.commands.said import error_said, with_template

PRECISIONS: Final = {"fp32": "As it is, fp32…", "int8": "For processors, int8…", "fp16": "For GPUs, fp16…"}


def write_net(net: Path, target: Path, precision: str, program: tuple[str, ...]) -> str:
    """Write ``net`` to ``target``; return what was written and measured, as text.

    ``ValueError`` if it cannot be read, converted or written; then no file is left.
    """
    done = subprocess.run(
        [*program, "export", str(net), "--out", str(target), "--precision", precision],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        env={**child_environment(), "PYTHONIOENCODING": "utf-8"},
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0) if os.name == "nt" else 0,
        check=False,
    )
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    if done.returncode:
        said = error_said(lines) or "".join(lines[-1:])
        raise ValueError(said or Text("the export ended with {returncode}", returncode=done.returncode))
    return with_template(done.stdout.strip(), lines)


class ExportReport(Dialog):
    """A dialog with the output of an export, to read and copy."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(tr("The net was written"), parent)
        self.text = QLabel(text, self)
        self.text.setFont(fixed_font())
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setWordWrap(True)
        self.text.setMinimumWidth(560)
        self.lay_out(self.text)
