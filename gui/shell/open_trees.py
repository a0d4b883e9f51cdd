"""The open trees of a window: each with its game, position, net and settings; one of them is shown.

The search of a tree that is left is copied and kept, at rest, until it is shown again.  Trees beyond ``most_memory``
go to temporary files, the pinned ones last.  Knows the state, the session and what opens games; no view.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QStandardPaths, Signal

from core.text import Text
from gui.jobs.task import run_task
from gui.language.language import mark, tr
from gui.model import sources
from gui.model.concealment import NOT_LOADING
from gui.model.search_limit import IDLE
from gui.shell.filing import TreeKeeper
from gui.shell.open_tree import (
    DISK,
    MEMORY,
    MOST_TREES,
    NONE,
    REST,
    SHOWN,
    OpenTree,
    TreeFacts,
    game_of,
    title_of,
)
from gui.shell.previous_games import is_empty

if TYPE_CHECKING:
    from core.files.tree_file import SavedSearch, StoredTree
    from gui.context import Context
    from gui.shell.previous_games import PreviousGames

MOST_MEMORY: Final = 1 << 30  # bytes of the trees that are not shown


class OpenTrees(QObject):
    """The trees in their order, and the one shown; each command is done once the search shown has been copied."""

    changed = Signal()  # the trees, their order, or what is to be said of one that is not shown
    _taken = Signal(object, object)  # from the analysis thread: what was asked for, SavedSearch | None
    _failed = Signal(object)  # from there: why the tree cannot be copied
    _refused = Signal(object)  # from there: why a kept tree is not used

    def __init__(self, context: Context, previous: PreviousGames, pause_play: Callable[[], object]) -> None:
        super().__init__(context.window)
        self._context, self._previous, self._pause_play = context, previous, pause_play
        self._state, self._session, self._messages = context.state, context.session, context.messages
        self.trees = [OpenTree()]
        self.shown = self.trees[0]
        self.closed: tuple[OpenTree, int] | None = None  # the one closed last, and its place
        self.most_memory = MOST_MEMORY
        self.folder = _cache_folder()
        self._left = 0  # how often a tree was left
        self._then: Callable[[StoredTree | None], None] | None = None  # what waits for a copy
        self._asked: tuple[object, ...] | None = None
        self._target: OpenTree | None = None  # the one to be shown
        self._closing: OpenTree | None = None  # the one to be closed once it is left
        self._opening = False
        self._taken.connect(self._take)
        self._failed.connect(self._fail)
        self._refused.connect(
            lambda why: self._messages.show_error(Text("The tree that was kept is left out: {why}.", why=why))
        )
        self._session.snapshot_for_text.connect(lambda _: self._drop_copy())
        self._state.leaving.connect(self._forget)

    # what is shown

    @property
    def facts(self) -> list[TreeFacts]:
        """What there is to say of every tree; none before a game is open."""
        known = [found for tree in self.trees if (found := self.facts_of(tree)) is not None]
        times: Counter[str] = Counter()
        for place, one in enumerate(known):
            times[one.title] += 1
            if times[one.title] > 1:
                known[place] = replace(one, title=f"{one.title} ({times[one.title]})")
        return known

    def facts_of(self, tree: OpenTree) -> TreeFacts | None:
        searched = self._state.searched if tree is self.shown else tree.searched
        position = None if searched is None else searched.shown.position
        if searched is None or position is None:
            return None
        known = (tree, title_of(tree, position), position, sources.source_title(searched.source))
        if tree is self.shown:
            present = self._session.present
            counters = None if present is None else present.counters
            simulations = 0 if present is None else present.simulations
            nodes, memory = (0, 0) if counters is None else (counters.nodes, counters.bytes_used)
            return TreeFacts(*known, simulations, nodes, memory, SHOWN)
        kept = tree.tree
        if kept is None:
            return TreeFacts(*known, 0, 0, 0, NONE)
        return TreeFacts(*known, kept.simulations, kept.nodes, kept.memory, MEMORY if kept.in_memory else DISK)

    @property
    def memory(self) -> int:
        """Bytes of memory of the trees that are kept."""
        return sum(one.tree.memory for one in self._kept() if one.tree is not None and one.tree.in_memory)

    @property
    def are_empty(self) -> bool:
        """Whether nothing was played, written or set up in any game."""
        records = [one.searched.shown.record for one in self.trees if one.searched is not None]
        return all(record is None or is_empty(record) for record in [*records, self._state.record])

    @property
    def unsaved(self) -> bool:
        """Whether a game that is not shown has changes that are in no file."""
        return any(one.unsaved for one in self.trees if one is not self.shown)

    def _kept(self) -> list[OpenTree]:
        closed = [] if self.closed is None else [self.closed[0]]
        return [one for one in (*self.trees, *closed) if one.tree is not None]

    # commands

    def add_copy(self) -> None:
        """Keep the tree shown as it is now, in the place before it, and go on with it."""
        if self._state.record is None or self._is_full():
            return
        self._target = self._closing = None
        self._pause_play()
        self._with_copy(self._insert_copy)

    def _insert_copy(self, tree: StoredTree | None) -> None:
        shown = self._state.shown
        assert shown.record is not None
        record = shown.record.copy()
        kept = OpenTree(self.shown.name, self.shown.pinned, held=(record, record.revision))
        self._note(kept, tree)
        kept.searched = replace(self._state.searched, shown=replace(shown, record=record))
        kept.rest = kept.rest._replace(mode=IDLE)
        self.trees.insert(self.trees.index(self.shown), kept)
        self.shown.name, self.shown.pinned = "", False
        self._messages.show_notice(
            lambda: tr("“{title}” is kept as it is. You go on in a copy.").format(title=self.title(kept))
        )
        self.make_room()

    def _is_full(self) -> bool:
        if len(self.trees) >= MOST_TREES:
            self._messages.show_error(
                Text("At most {most} trees are open at a time: close one first.", most=MOST_TREES)
            )
            return True
        return False

    def show(self, tree: OpenTree, closing: OpenTree | None = None) -> None:
        """Show a tree; the one shown is kept, its search at rest, or closed if it is ``closing``."""
        self._target, self._closing = tree, closing
        if tree is self.shown or tree not in self.trees:
            self._then = None
        elif tree.tree is None:
            self._go_to(tree, None)
        elif tree.tree.in_memory:
            self._go_to(tree, tree.tree.search())
        else:
            run_task(self, tree.tree.search, partial(self._go_to, tree), partial(self._go_without, tree))

    def _go_without(self, tree: OpenTree, why: str) -> None:
        """Show a tree's game without its tree, which cannot be read."""
        self._messages.show_error(
            Text(
                "The tree of {title} cannot be read: {why}. Its game is opened without it.",
                title=self.title(tree),
                why=why,
            )
        )
        tree.tree, tree.rest = None, REST
        self._go_to(tree, None)

    def _go_to(self, tree: OpenTree, search: SavedSearch | None) -> None:
        if tree is self._target and tree in self.trees:
            self._pause_play()
            self._with_copy(partial(self._switch, tree, search))

    def step(self, step: int) -> None:
        """Show the next (+1) or the previous (-1) tree."""
        if len(self.trees) > 1:
            self.show(self.trees[(self.trees.index(self.shown) + step) % len(self.trees)])

    def close(self, tree: OpenTree) -> None:
        """Close a tree; the one closed last can be opened again."""
        if tree not in self.trees:
            return
        if len(self.trees) == 1:
            self._messages.show_notice(mark("It is the only tree: another one has to be open to close it."))
        elif tree is self.shown:
            place = self.trees.index(tree)
            self.show(self.trees[place + 1 if place + 1 < len(self.trees) else place - 1], closing=tree)
        else:
            self._remove(tree)

    def _remove(self, tree: OpenTree) -> None:
        if tree.unsaved:
            tree.replaced = self._previous.keep(game_of(tree))
        place, title = self.trees.index(tree), self.title(tree)
        self.trees.remove(tree)
        self.closed = tree, place
        self._messages.show_offer(
            lambda: tr("“{title}” is closed.").format(title=title), mark("Open it again"), self.reopen
        )
        self.make_room()

    def reopen(self) -> None:
        """Show the tree that was closed last."""
        if self.closed is None:
            self._messages.show_notice(mark("No tree has been closed."))
        elif not self._is_full():
            (tree, place), self.closed = self.closed, None
            self.trees.insert(min(place, len(self.trees)), tree)
            if tree.replaced is not None:
                self._previous.withdraw(tree.replaced)
                tree.replaced = None
            self.changed.emit()
            self.show(tree)

    def rename(self, tree: OpenTree, name: str) -> None:
        """Give a tree a name; "" names it after game and moves."""
        from core.files.session import one_line

        tree.name = one_line(name)
        self.changed.emit()

    def pin(self, tree: OpenTree, pinned: bool) -> None:
        """Set whether a tree goes to a file last."""
        tree.pinned = pinned
        self.changed.emit()

    def move(self, place: int, to: int) -> None:
        """Move a tree to another place."""
        self.trees.insert(to, self.trees.pop(place))
        self.changed.emit()

    def with_search(self, tree: OpenTree, run: Callable[[SavedSearch], None]) -> None:
        """Call ``run`` with the search of a tree that is not shown."""
        if tree.tree is None:
            self._messages.show_error(mark("There is no tree yet."))
        else:
            run_task(self, tree.tree.search, run, self._messages.show_error)

    def compare(self, tree: OpenTree) -> None:
        """Show a tree of the position on the board as the second search."""
        from gui.rooms.compare.what_if import show_second

        searched = tree.searched

        def show(search: SavedSearch) -> None:
            if search.position != self._state.position:
                words = mark("{title} is the tree of another position: go there to compare.")
                self._messages.show_error(Text(words, title=self.title(tree)))
            elif searched is not None:
                show_second(self._context, search, searched.source)

        if tree is self.shown:
            self._messages.show_notice(mark("It is the tree shown: choose another one to compare it with."))
        else:
            self.with_search(tree, show)

    def title(self, tree: OpenTree) -> str:
        """Return what a tree is called."""
        return next((one.title for one in self.facts if one.tree is tree), tree.name)

    # the copy of the search shown

    def _with_copy(self, then: Callable[[StoredTree | None], None]) -> None:
        """Call ``then`` with a copy of the tree shown, None if there is none; a later call takes its place."""
        self._then = then
        if self._asked is None:
            self._ask()

    def _searched_now(self) -> tuple[object, ...]:
        session = self._session
        return self._state.position, session.locked, session.source, session.settings, session.only, session.seed

    def _ask(self) -> None:
        analysis, asked = self._session.analysis, self._searched_now()
        self._asked = asked
        preparing = str(self._session.phase) not in NOT_LOADING and not self._session.away  # it may take a minute
        if not isinstance(analysis, TreeKeeper) or preparing:
            self._take(asked, None)
        else:
            analysis.take(lambda kept: self._taken.emit(asked, kept), self._failed.emit)

    def _take(self, asked: tuple[object, ...], kept: SavedSearch | None) -> None:
        from core.files.tree_file import StoredTree

        self._asked = None
        if self._then is None:
            return
        session = self._session
        late = kept is not None and session.requested and kept.position != (session.locked or self._state.position)
        if late or asked != self._searched_now():  # the user went on meanwhile
            self._ask()
            return
        then, self._then = self._then, None
        tree = self.shown.tree  # one that the analysis has not taken yet
        if kept is not None:
            source = sources.source_text(self._session.source)
            tree = StoredTree(replace(kept, source=source, seed=self._session.seed))
        then(tree)

    def _fail(self, why: str) -> None:
        self._asked = self._then = self._closing = None
        self._messages.show_error(Text("The tree cannot be kept, so it stays open: {why}.", why=why))

    def _drop_copy(self) -> None:
        """Forget the copy of the tree shown once the analysis shows the tree itself."""
        present, kept = self._session.newest, self.shown.tree
        if kept is None or present is None or present.position != kept.position:
            return
        if present.simulations >= kept.simulations:
            self.shown.tree = None

    def _forget(self) -> None:
        """Forget what belonged to the game shown: another one takes its place."""
        if not self._opening:
            self.shown.name, self.shown.pinned, self.shown.tree = "", False, None

    # switching

    def _note(self, tree: OpenTree, kept: StoredTree | None) -> None:
        """Note what is shown now as that of ``tree``."""
        session = self._session
        at = session.locked or self._state.position
        simulations = kept.simulations if kept is not None and kept.position == at else 0
        tree.searched, tree.tree, tree.seed = self._state.searched, kept, session.seed
        tree.rest = session.rest._replace(simulations=simulations)
        self._left += 1
        tree.used = self._left

    def _switch(self, tree: OpenTree, search: SavedSearch | None, kept: StoredTree | None) -> None:
        left, closing = self.shown, self._closing
        self._closing = None
        left.held = self._previous.held
        self._note(left, kept)
        self.shown = tree
        self._open(tree, search)
        if closing is left:
            self._remove(left)
        else:
            self.make_room()

    def _open(self, tree: OpenTree, search: SavedSearch | None) -> None:
        session, searched = self._session, tree.searched
        assert searched is not None
        session.seed = tree.seed
        if isinstance(session.analysis, TreeKeeper):
            label = None if searched.source is None else searched.source.label
            session.analysis.offer(search, label, self._refused.emit)
        session.show_next(tree.rest)
        tree.searched, self._opening = None, True
        try:
            self._previous.show_kept(tree.held, partial(self._state.open_searched, searched))
        finally:
            self._opening = False

    # memory

    def make_room(self) -> None:
        """Move trees to files, those left first, until the others fit into memory."""
        kept, moved = self.memory, []
        for one in sorted(self._kept(), key=lambda one: (one.pinned, one.used)):
            if kept > self.most_memory and one.tree is not None and one is not self.shown and one.tree.in_memory:
                kept -= one.tree.memory
                moved.append(one.tree)
        if moved:
            run_task(self, partial(_put_away, moved, self.folder), self._moved, self._not_moved)
        self.changed.emit()

    def _moved(self, _: object) -> None:
        self.changed.emit()

    def _not_moved(self, why: str) -> None:
        self.changed.emit()
        self._messages.show_error(Text("Trees stay in memory, because they cannot be written: {why}", why=why))


def _put_away(trees: Sequence[StoredTree], folder: Path) -> None:
    for tree in trees:
        tree.put_away(folder)


def _cache_folder() -> Path:
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericCacheLocation)
    return Path(place) / "plyscope" / "trees"
