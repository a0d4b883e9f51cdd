"""The page with the settings of a run, read-only, and a button to start another run from them.  Knows a RunModel."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from core.text import Text
from gui.rooms.training.run_model import RunModel
from gui.rooms.training.settings_form import RunForm
from gui.widgets.texts import set_texts
from models.runs.folder import RUN_TOML


class SettingsPage(QFrame):
    """The page's widget."""

    copied = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._shown: dict[str, Any] = {}
        self.form = RunForm(self)
        self.form.set_read_only(True)
        copy = set_texts(QPushButton(self), text="New run with these settings…")
        copy.clicked.connect(self.copied)
        foot = QHBoxLayout()
        foot.setContentsMargins(18, 0, 18, 0)
        foot.addStretch(1)
        foot.addWidget(copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 12)
        self.empty = set_texts(
            QLabel(self),
            text=Text("The settings of this run are not known: its folder holds no {run_toml}.", run_toml=RUN_TOML),
        )
        self.empty.setObjectName("dim")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._copy = copy
        column.addWidget(self.empty, 1)
        column.addWidget(self.form, 1)
        column.addLayout(foot)

    def show_run(self, run: RunModel) -> None:
        for widget, shown in (
            (self.empty, not run.config),
            (self.form, bool(run.config)),
            (self._copy, bool(run.config)),
        ):
            widget.setVisible(shown)
        if run.config != self._shown:
            self._shown = dict(run.config)
            self.form.show_changed(self._shown)
