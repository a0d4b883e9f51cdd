"""The dialog about a session file's contents, shown before its name is asked.  Knows a number of bytes, no search."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from gui.language.language import tr
from gui.widgets.dialogs import OK_CANCEL, Dialog
from gui.widgets.figures import size


class SessionDialog(Dialog):
    """Asks whether to include the search tree; the game and its search settings are always saved."""

    def __init__(self, tree_bytes: int, parent: QWidget | None = None, trees: int = 1) -> None:
        """``tree_bytes``: the size in memory of the ``trees`` that are open."""
        super().__init__(tr("Save the session"), parent, OK_CANCEL, main=tr("Choose the file…"))
        contents = tr("The game with its variations and comments, the current move, the search settings and the net.")
        include = tr("Include the search tree, at most {tree_bytes}")
        if trees > 1:
            contents = tr(
                "The games of the {trees} open trees with their variations and comments, the current moves, the search "
                "settings and the nets."
            ).format(trees=trees)
            include = tr("Include the search trees, at most {tree_bytes}")
        intro = QLabel(contents, self)
        intro.setWordWrap(True)
        self.tree = QCheckBox(include.format(tree_bytes=size(tree_bytes)), self)
        note = QLabel(tr("When you open the file, its figures are shown at once and the search can continue."), self)
        note.setObjectName("dim")
        note.setWordWrap(True)
        self.lay_out(intro, self.tree, note)
        self.setMinimumWidth(440)
