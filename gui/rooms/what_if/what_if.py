"""What if: a second search next to the first, with moves, PVs and trees compared.  Uses two sessions and two states.

The second search has its own settings, net and thread; it follows the position while the dock is visible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QLabel,
    QMenu,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from core.text import Text, Words
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.sources import source_title
from gui.rooms.what_if.comparison import (
    ComparisonTable,
    change_words,
    common_moves,
    divergence_words,
    search_titles,
    value_words,
)
from gui.rooms.what_if.luck_page import LuckPage, connect_luck
from gui.rooms.what_if.pairs import IciclePair, TreePair
from gui.rooms.what_if.second_search import SecondSearch
from gui.widgets.dressing import hold_parts
from gui.widgets.figures import count, simulations_words
from gui.widgets.folding_row import FoldingRow
from gui.widgets.labels import MenuButton, ShortLabel, icon_button, make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.player_choice import PLAYERS
from gui.widgets.segments import Segments
from gui.widgets.settings.settings_panel import SettingsPanel
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import set_icon
from gui.widgets.tips import set_tip

if TYPE_CHECKING:
    from core.engine import EvaluatorSource
    from core.files.tree_file import SavedSearch
    from core.games import Position
    from core.glass import Snapshot
    from gui.context import Context
    from gui.model.state import PathOf

PAGES = ("moves", "trees", "icicle", "luck")
PAGE_TIPS: tuple[Words, ...] = (
    "",
    "",
    "Both trees as one icicle, coloured by where their simulations differ",
    "Both searches under many seeds: how much of their results is chance",
)
REQUESTER = "what if"
EQUAL = 1.1  # searches are compared as equally long where one has at most so many times the other's simulations
BESIDE = 120  # px that settings and page have at least, beyond their least heights, where both are shown
ASK_MS = 250  # the point where the PVs diverge changes often while searching: request its node at most this often


class WhatIf(QWidget):
    """The room: the second search's settings, and below them both searches compared on one of several pages."""

    selected = Signal(object, object)  # path, and the Position it starts from
    opened = Signal(object)  # paths
    became_visible = Signal()  # it became visible

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.searches: WhatIfSearches | None = None
        self._running = False
        self._tallest = 0  # px
        self._compared: Position | None = None  # the position whose moves the table shows
        self.player = -1  # whose values are shown; -1: those of the side to move
        self.run = QToolButton(self)
        self.run.setObjectName("run")
        self.run.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.run.setIconSize(QSize(14, 14))
        self.net = MenuButton(self, "What evaluates the positions of the second search")
        self.same = set_texts(QPushButton(self), text="Copy first search")
        for button in (self.run, self.same):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.pages = Segments(PAGES, PAGE_TIPS, self, wraps=True)
        self.tune = icon_button(self, "settings", "Settings of the second search")
        self.tune.setCheckable(True)
        self.tune.setChecked(True)
        self.warning = QWidget(self)
        self.unequal = make_label(self.warning, "error", wrap=True)
        self.level = QPushButton(self.warning)
        self.changes = ShortLabel(self, "dim")
        self.divergence = make_label(self, "changed")
        self.values = QLabel(self)
        self.counts = ShortLabel(self, "dim")
        self.table = ComparisonTable(self)
        self.trees = TreePair(self)
        self.icicle = IciclePair(self)
        self.luck = LuckPage(self)
        self.settings = SettingsPanel(self)
        self.settings.net.hide()  # it stands above
        self.settings.buttons.left.addWidget(self.same)
        self.settings.buttons.left.addStretch(1)
        self.body = QStackedWidget(self)
        hold_parts(self, self.body)
        for page in (self.table, self.trees, self.icicle, self.luck):
            self.body.addWidget(page)
        self._lay_out()
        self.pages.chosen.connect(self.turn_to)
        self.tune.toggled.connect(self._show_settings)
        self.settings.form.changed.connect(self._fit_settings)
        self.table.selected.connect(lambda action: self.selected.emit((action,), self._compared))
        self.trees.selected.connect(self.selected)
        self.trees.opened.connect(self.opened)
        self.icicle.selected.connect(self.selected)
        self.luck.selected.connect(lambda action: self.selected.emit((action,), self._compared))
        self.set_running(False)

    def _lay_out(self) -> None:
        yielding = (self.net, self.pages)  # which need two rows before one of them becomes narrower

        def spare() -> int:
            return sum(part.sizeHint().width() - part.minimumSizeHint().width() for part in yielding)

        top = FoldingRow(self, spare=spare)
        top.left.setSpacing(6)
        for widget in (self.run, self.net):
            top.left.addWidget(widget)
        top.left.addStretch(1)
        top.right.addStretch(1)
        top.right.addWidget(self.tune)
        top.right.addWidget(self.pages)
        # A widget: a layout that is empty while both are hidden would limit the width of the words below it.
        lay_row((self.unequal, 1), self.level, of=self.warning, margins=0, spacing=8)
        words = lay_column(
            self.warning, self.changes, self.divergence, self.values, self.counts, margins=(12, 0, 12, 2), spacing=2
        )
        for label in (self.divergence, self.values):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = lay_column(of=self, margins=(0, 4, 0, 0), spacing=5)
        around = lay_row(top, margins=(10, 2, 10, 0))
        column.addLayout(around)
        column.addLayout(words)
        column.addWidget(self.settings, 1)
        column.addWidget(self.body, 1)

    def sizeHint(self) -> QSize:
        return QSize(700, 480)

    @property
    def page(self) -> str:
        return self.pages.choice

    def _fit_settings(self) -> None:
        """Give the settings at most half of the room, and no more than they need."""
        self.settings.setMaximumHeight(self.settings.whole_height)

    def _show_settings(self, shown: bool) -> None:
        self.settings.setVisible(shown)
        self._make_room()

    def _below(self) -> int:
        """The height of the page and of the gap above it, in px, at least."""
        layout = self.layout()
        assert layout is not None
        return self.body.minimumSizeHint().height() + layout.spacing()

    def _least(self) -> int:
        """The height without the page and the gap above it, in px, at least."""
        layout = self.layout()
        assert layout is not None
        least = max(super().minimumSizeHint().height(), layout.minimumHeightForWidth(self.width()))
        return least if self.body.isHidden() else least - self._below()

    def _has_page(self) -> bool:
        """Whether the page has room: where it is too low beside the settings both would scroll, and the room."""
        frame = self.parentWidget()
        needed = self._least() + self._below() + px(BESIDE)
        return self.settings.isHidden() or frame is None or frame.height() >= needed

    def _make_room(self) -> None:
        """Hide the page where there is no room for it."""
        self.body.setVisible(self._has_page())

    def minimumSizeHint(self) -> QSize:
        """Return what the settings need at least beside the page, and whole in its place: then the room scrolls."""
        height = self._least()
        if self.settings.isHidden():
            height += self._below()
        elif not self._has_page():
            height += self.settings.whole_height - self.settings.minimumSizeHint().height()
        return QSize(max(super().minimumSizeHint().width(), self.body.minimumSizeHint().width()), height)

    def turn_to(self, name: str) -> None:
        """Show the page of moves, trees or the icicle."""
        self.pages.show_choice(name)
        self.body.setCurrentIndex(PAGES.index(name))

    def set_running(self, running: bool, begun: bool = False) -> None:
        """Show whether the search is running; ``begun``: there are figures, so running continues from them."""
        self._running = running
        self.run.setText(tr("Stop") if running else tr("Continue") if begun else tr("Run"))
        set_icon(self.run, "stop" if running else "play", "on_accent")
        set_tip(self.run, tr("Continue without limit") if begun and not running else "")

    def show_words(self, divergence: str, values: str, counts: str) -> None:
        """Show the sentences; "" hides one."""
        for label, text in ((self.divergence, divergence), (self.values, values), (self.counts, counts)):
            if label.text() != text:
                label.setText(text)
            label.setVisible(bool(text))
        # Keep the height of a sentence that once needed two lines, so that nothing jumps while the searches run.
        self._tallest = max(self._tallest, self.divergence.heightForWidth(self.divergence.width()))
        self.divergence.setMinimumHeight(self._tallest if divergence and values else 0)

    def show_unequal(self, first: int, second: int, can_level: bool) -> None:
        """Warn where one search has many more simulations than the other; ``can_level``: that can be made up for."""
        unequal = max(first, second) > EQUAL * min(first, second)
        self.warning.setVisible(unequal)
        self.level.setVisible(can_level)
        self.unequal.clear()
        self.level.setText("")
        if unequal:
            words = tr("{first} simulations against {second}: the differences may come from that alone.")
            self.unequal.setText(words.format(first=count(first), second=count(second)))
            most = simulations_words(max(first, second))
            self.level.setText(tr("Run both to {simulations}").format(simulations=most))

    def show_both(self, first: Snapshot | None, second: Snapshot | None, elsewhere: bool = False) -> None:
        """Show both searches; they are compared only if both have the same position.  ``elsewhere``: the first one's
        tree is on another machine."""
        self._compared = None if first is None else first.position
        if first is None:
            self.table.model.show([])
        elif self.page == "moves":
            same = second is not None and first.position == second.position
            self.table.show_both(first, second if same else None, self.player)
        if self.page == "trees":
            self.trees.show_snapshots((first, second))
        if self.page == "icicle":
            self.icicle.show_snapshots((first, second), (elsewhere, False))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit_settings()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tallest = 0
        self._make_room()
        layout = self.layout()
        if layout is not None and event.size().width() != event.oldSize().width():
            layout.update()  # the least height follows the width

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.became_visible.emit()


class WhatIfSearches:
    """Passes both searches to the view, and the view's commands to them."""

    def __init__(self, context: Context, view: WhatIf, second: SecondSearch) -> None:
        self.context, self.view, self.second = context, view, second
        self._error = ""
        self._common_moves: PathOf = ()  # the common moves of both PVs, as last requested
        self._requested = QElapsedTimer()
        state, session = context.state, context.session
        second.session.failed.connect(self._fail)
        second.refused.connect(lambda why: self._fail(Text("The saved tree is left out: {why}.", why=why)))
        second.changed.connect(self.renew_choices)
        for signal in (state.search_changed, session.state_changed):
            signal.connect(self.renew_choices)
        for signal in (
            session.snapshot_for_text,
            session.state_changed,
            second.session.snapshot_for_text,
            second.session.state_changed,
        ):
            signal.connect(self.renew)
        second.state.position_changed.connect(self._moved)
        state.game_changed.connect(view.trees.forget)
        state.selection_changed.connect(lambda _: self._show_selection())
        view.selected.connect(self._select)
        view.opened.connect(lambda _: self._want())
        view.pages.chosen.connect(lambda _: self.renew())
        sessions = session, second.session
        view.icicle.view_requested.connect(lambda side, what: sessions[side].extras.request_icicle(what, REQUESTER))
        view.icicle.twin_requested.connect(lambda side, of: sessions[side].extras.request_twin(of, REQUESTER))
        view.run.clicked.connect(self.toggle)
        view.level.clicked.connect(self._level)
        view.same.clicked.connect(lambda _=False: second.take_over() if second.ready else None)
        view.settings.changed.connect(second.state.set_settings)
        view.settings.tried.connect(second.state.set_settings)  # its icicle is live anyway
        view.settings.limit_changed.connect(second.state.set_limit)
        menu = view.net.menu()
        menu.aboutToShow.connect(lambda: second.opener.fill_net_menu(menu, self._other_net(menu)))
        view.became_visible.connect(self.renew)
        on_language(view, self.renew_choices)
        on_language(view, self.renew)
        context.docks.dock_toggled.connect(self._turned)
        context.preferences.values_for_changed.connect(self._show_player)
        self._show_player(context.preferences.values_for)
        self._moved()

    def _show_player(self, whose: str) -> None:
        """Show the values for one of ``VALUES_FOR``."""
        player = self.view.player = PLAYERS[whose]
        for tree in self.view.trees.trees:
            tree.nodes.player = player
        self.view.icicle.canvas.set_player(player)
        self.renew()

    def _other_net(self, menu: QMenu) -> QAction:
        action = QAction(tr("Another net…"), menu)
        action.triggered.connect(self.second.opener.choose_net)
        return action

    def toggle(self) -> None:
        """Run or stop the second search."""
        self._error = ""
        self.view.settings.take()
        self.second.toggle()
        self.renew()

    def _level(self) -> None:
        """Run the search with fewer simulations to the number of the other."""
        from core.search import Limit

        shown = [
            (session.snapshot.simulations, session)
            for session in (self.context.session, self.second.session)
            if session.snapshot
        ]
        (_, shorter), (most, _) = sorted(shown, key=lambda pair: pair[0])
        shorter.search_to(Limit(simulations=most))
        self.renew()

    def _turned(self, name: str, shown: bool) -> None:
        """Pause the second search while its dock is closed."""
        if name == "what_if" and shown != self.second.watched:
            self.second.watch(shown)

    def _fail(self, sentence: str) -> None:
        self._error = sentence
        self.renew()

    def _select(self, path: PathOf, of: Position | None) -> None:
        if not self.context.session.away:
            self.context.state.select(path, of)

    def _show_selection(self) -> None:
        state = self.context.state
        for tree in self.view.trees.trees:
            tree.select_path(state.selected if tree.nodes.position == state.position else ())
        self.view.icicle.canvas.select_path(state.selected, state.position)

    def _moved(self) -> None:
        self._error, self._common_moves = "", ()
        self.view.trees.set_line(self.second.state.line)
        self.view.icicle.set_line(self.second.state.line)
        self.renew_choices()
        self._want()
        self.renew()

    def _want(self) -> None:
        """Request both trees' opened nodes, and the one where the PVs diverge."""
        opened = {path for tree in self.view.trees.trees for path in tree.open_paths()}
        paths = tuple(sorted({*opened, self._common_moves} - {()}))
        self.context.session.request_nodes(paths, REQUESTER)
        self.second.session.request_nodes(paths, REQUESTER)

    def renew_choices(self) -> None:
        """Update the differences of the second search."""
        view, first, second = self.view, self.context.state, self.second.state
        source, settings = self.context.session.source, self.context.session.settings
        if settings is None or second.settings is None:
            return
        sources = (source_title(source), source_title(second.source))
        view.net.setText(sources[1])
        words = change_words(settings, second.settings, sources, (first.limit, second.limit))
        view.changes.setText(words)
        set_tip(view.changes, words.replace(" · ", "\n"))
        if view.settings.shown != (second.settings, second.limit):
            view.settings.show_settings(second.settings, second.limit, second.game, second.source)
        titles = search_titles(settings, second.settings, sources, (first.limit, second.limit))
        view.table.groups.set_titles(*titles)
        view.trees.set_titles(titles)

    def renew(self, *_: object) -> None:
        """Update the figures of both searches."""
        view, second = self.view, self.second
        searching = second.session.searching
        view.set_running(searching, second.session.snapshot is not None)
        if not view.isVisible():
            return
        ours, theirs = self.context.session.snapshot, second.session.snapshot
        if ours is not None and ours.position != second.state.position:
            ours = None  # the second has not followed yet
        divergence = values = ""
        numbers, can_level = (0, 0), False
        if ours is not None and theirs is not None and ours.position == theirs.position:
            self._look_at(common_moves(ours, theirs))
            player = view.player
            divergence, values = divergence_words(ours, theirs, player), value_words(ours, theirs, player)
            shorter = min(ours, theirs, key=lambda snapshot: snapshot.simulations)
            if not searching and not shorter.root.proof:
                numbers = ours.simulations, theirs.simulations
                can_level = shorter is not ours or ours is self.context.session.present
        view.show_unequal(*numbers, can_level)
        view.show_words(
            core_text(self._error) or divergence or self._waiting(ours, theirs), values, self._counts(ours, theirs)
        )
        view.show_both(ours, theirs, self.context.session.elsewhere)

    def _look_at(self, path: PathOf) -> None:
        """Request the node where the PVs diverge."""
        running = self.second.session.searching or self.context.session.searching
        if path != self._common_moves and not (
            running and self._requested.isValid() and self._requested.elapsed() < ASK_MS
        ):
            self._common_moves = path
            self._requested.start()
            self._want()

    def _waiting(self, ours: Snapshot | None, theirs: Snapshot | None) -> str:
        """Return why there is nothing to compare."""
        session, second = self.context.session, self.second
        if not second.ready:
            return tr("The engine is being loaded.")
        if session.away:
            return tr("The first search is locked on another position; go there to compare.")
        if theirs is None:
            if second.session.phase not in ("", "searching"):
                return tr("The second search is {phase}.").format(phase=core_text(second.session.phase))
            waits = (
                tr("The second search has not begun here; Run starts it.")
                if second.differs
                else tr("Change a setting, the net or the simulations of the second search: it runs beside the first.")
            )
            return "" if second.session.searching else waits
        return tr("The first search has not begun here; Space starts it.") if ours is None else ""

    def _counts(self, ours: Snapshot | None, theirs: Snapshot | None) -> str:
        if theirs is None:
            return ""
        first = count(ours.simulations) if ours is not None else tr("none yet")
        rest = "" if self.second.session.searching else f" · {core_text(theirs.reason)}"
        return tr("Simulations: first {first}, second {simulations} by {evaluator}{rest}").format(
            first=first, simulations=count(theirs.simulations), evaluator=core_text(theirs.evaluator), rest=rest
        )


def connect_what_if(context: Context, view: WhatIf) -> None:
    """Give the view a second search and connect it to the first."""
    second = SecondSearch(context)
    view.searches = WhatIfSearches(context, view, second)
    connect_luck(context, second, view.luck)


def run_what_if(context: Context) -> None:
    """Run or stop the second search; where its room is closed, open it and let the search run."""
    was_open = context.docks["what_if"].open
    searches = shown_searches(context)
    if was_open or not searches.second.session.searching:
        searches.toggle()


def show_second(context: Context, search: SavedSearch, source: EvaluatorSource | None) -> None:
    """Show a saved search of the present position as the second one."""
    searches = shown_searches(context)
    searches.second.adopt(search, source)
    searches.view.turn_to("moves")
    searches.renew()


def shown_searches(context: Context) -> WhatIfSearches:
    """The searches of the dock, which is opened."""
    context.docks.show_dock("what_if")
    view = context.docks["what_if"].fill()
    assert isinstance(view, WhatIf)
    assert view.searches is not None
    return view.searches
