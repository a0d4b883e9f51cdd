"""The dock of the icicle: way back, search box, meaning and owner of the colours, picture, legend and a read-out.

Knows a snapshot and the selected path; ``connect_icicle`` connects it to a search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QSizePolicy, QWidget

from gui.language.language import mark, tr
from gui.rooms.icicle.icicle_legend import entries, meaning
from gui.widgets.figures import count
from gui.widgets.icicle.icicle_canvas import IcicleCanvas
from gui.widgets.icicle.icicle_colours import MODES
from gui.widgets.labels import make_label
from gui.widgets.page_switch import Segments
from gui.widgets.texts import set_texts
from gui.widgets.tree_canvas import ENTER
from gui.widgets.tree_legend import LegendEntry
from gui.widgets.tree_room import TreeRoom

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import Snapshot
    from core.glass.icicle import Icicle, IcicleView
    from core.glass.nodes import TreeNodes
    from gui.context import Context
    from gui.model.state import PathOf

REQUESTER = "icicle"
MOST_CRUMBS = 6
MODE_TIPS = (
    mark("Colour by the searched value Q"),
    mark("Colour by the change of Q against the parent: who gained by the move"),
    mark("Colour by the net's value V less the searched Q: where the search overturned the net"),
    mark("Colour by what is proved"),
)


class SearchBox(QLineEdit):
    """A field for a move or several; Enter goes to the next node found, Shift+Enter to the one before."""

    walked = Signal(int)  # +1 or -1

    def event(self, event: QEvent) -> bool:
        """Reserve Enter, and Escape where there is a text, whatever their shortcuts elsewhere."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and (event.key() in ENTER or (event.key() == Qt.Key.Key_Escape and self.text()))
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.walked.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class IcicleRoom(TreeRoom):
    """The icicle with its controls."""

    canvas: IcicleCanvas
    view_wanted = Signal(object)  # IcicleView, None while the dock is hidden

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(IcicleCanvas, parent)
        self.crumbs = QLabel(self)
        self.crumbs.setTextFormat(Qt.TextFormat.RichText)
        self.crumbs.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.crumbs.setMinimumWidth(90)
        set_texts(self.crumbs, toolTip="The way to what fills the width; Esc goes back")
        self.box = SearchBox(self)
        self.box.setMinimumWidth(104)
        self.box.setMaximumWidth(150)
        set_texts(
            self.box,
            placeholderText="Find moves",
            accessibleName="Find moves",
            toolTip="Light the nodes that end with these moves; Enter goes to the next, Shift+Enter to the one before",
        )
        self.hits = make_label(self, "dim")
        self.hits.setMinimumWidth(58)
        self.modes = Segments(MODES, MODE_TIPS, self)
        row = self._lay_out((self.crumbs, self.hits, self.box, self.whole), (self.modes,), (self.players,))
        row.left.setStretch(0, 1)
        self.modes.chosen.connect(self._choose_mode)
        self.box.textChanged.connect(lambda _: self._look_for())
        self.box.walked.connect(self.canvas.go_to_match)
        self.crumbs.linkActivated.connect(self._follow)
        self.canvas.wanted.connect(self._want)
        self.canvas.focused.connect(self._show_crumbs)
        self._show_crumbs(())

    # contents

    def _nodes_of(self, snapshot: Snapshot) -> Icicle | None:
        return snapshot.icicles.get(REQUESTER)

    def _draw(self, nodes: TreeNodes | None, root: Position | None) -> None:
        self.canvas.show_icicle(cast("Icicle | None", nodes), root, self._line)
        self._show_hits()

    def _show_again(self) -> None:
        super()._show_again()
        self._show_crumbs(self.canvas.focus)
        self._show_hits()
        self.legend.renew()

    def _choose_mode(self, mode: str) -> None:
        self.canvas.set_mode(mode)
        self.legend.renew()

    def _entries(self) -> tuple[LegendEntry, ...]:
        return entries(self.modes.choice, self.canvas.player_name)

    def _meaning(self) -> str:
        return meaning(self.modes.choice, self.canvas.player_name)

    # the way back

    def _show_crumbs(self, path: PathOf) -> None:
        root = self.canvas.root
        names = [root.game.action_name(action) for action in path] if root is not None else []
        if not names:
            self.crumbs.setText(tr("Whole tree"))
            return
        first = max(0, len(names) - MOST_CRUMBS)
        links = [f'<a href="0">{tr("Whole tree")}</a>', *(["…"] if first else [])]
        links += [f'<a href="{at + 1}">{names[at]}</a>' for at in range(first, len(names) - 1)]
        self.crumbs.setText(" › ".join((*links, f"<b>{names[-1]}</b>")))

    def _follow(self, link: str) -> None:
        """Zoom to the node of a crumb: so many moves of the way there."""
        depth = int(link)
        if depth:
            self.canvas.zoom_to(self.canvas.focus[:depth])
        else:
            self.canvas.fit()

    # the search box

    def _look_for(self) -> None:
        root = self.canvas.root
        names = {name.lower(): action for action, name in enumerate(root.game.action_names)} if root is not None else {}
        words = self.box.text().lower().split()
        unknown = any(word not in names for word in words)
        self.canvas.look_for((-1,) if unknown else tuple(names[word] for word in words))
        self._show_hits()

    def _show_hits(self) -> None:
        n = int(self.canvas.found.size)
        words = tr("{n} nodes", n).format(n=count(n))
        self.hits.setText(words if self.box.text().strip() else "")

    # requests

    def _want(self, view: IcicleView) -> None:
        self.view_wanted.emit(view if self._in_sight else None)

    def _request(self) -> None:
        if self._in_sight:
            self.canvas.ask()
        else:
            self.view_wanted.emit(None)


def connect_icicle(context: Context, view: IcicleRoom) -> None:
    """Connect the icicle to the search, the selection and the choice of a player, and show their present state."""
    view.view_wanted.connect(lambda wanted: context.session.extras.request_icicle(wanted, REQUESTER))
    view.follow(context.state, context.session, context.preferences)
    context.preview.changed.connect(view.canvas.show_preview)
