"""The documents of a window: those that are open, one of them shown, and those that were closed or replaced unsaved.

The tree of a document that is left is copied and kept, its search at rest, until the document is shown again.  Trees
beyond ``most_memory`` go to temporary files, the pinned ones last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from PySide6.QtCore import QObject, QTimer, Signal

from core.text import Text, Words, joined
from gui.jobs.task import run_task
from gui.language.language import tr
from gui.model import sources
from gui.model.document import CLOSED, DISK, IDLE, MEMORY, SHOWN, DocumentFacts
from gui.model.session import NOT_LOADING
from gui.shell.document_files import Bundle, dump_games
from gui.widgets.saving import cache_folder

if TYPE_CHECKING:
    from core.files.record import GameRecord
    from core.files.session import TreeRoom
    from core.files.tree_file import SavedSearch, StoredTree
    from gui.context import Context
    from gui.model.document import Document
    from gui.rooms.opponents.play import Play

MOST_OPEN: Final = 20
MOST_CLOSED: Final = 10
MOST_MEMORY: Final = 1 << 30  # bytes of the trees that are not shown


@runtime_checkable
class TreeKeeper(Protocol):
    """An analysis that can copy its tree and resume from a copy (gui.jobs.kept_trees)."""

    def take(self, done: Callable[[SavedSearch | None], object], failed: Callable[[str], object]) -> None:
        """Copy the search; ``done`` is called with the copy, None without a search, in the analysis thread."""

    def offer(self, search: SavedSearch | None, label: str | None, refused: Callable[[str], object]) -> None:
        """Let the next search of its position resume from a saved one."""


class Documents(QObject):
    """The open documents in their order, and the closed ones.

    An unsaved document that is closed, or replaced by another one, is among ``closed`` and can be opened again, as can
    the one that the user closed last.
    Before another open one is shown, the tree of the one shown is copied.
    """

    changed = Signal()  # the documents, their order, or what is to be said of one that is not shown
    _taken = Signal(object, object)  # from the analysis thread: what was copied, SavedSearch | None
    _failed = Signal(object)  # from there: why the tree cannot be copied
    _refused = Signal(object)  # from there: why a kept tree is not used

    def __init__(self, context: Context, play: Callable[[], Play], pause_play: Callable[[], object]) -> None:
        """``play`` returns the players, which belong to what is saved; ``pause_play`` pauses a game being played."""
        super().__init__(context.window)
        self._context, self._play, self._pause_play = context, play, pause_play
        self._state, self._session, self._messages = context.state, context.session, context.messages
        self.in_order = [self._state.document]  # the open ones
        self.closed: list[Bundle] = []  # unsaved ones, and the one closed last by the user, which is at the end
        self.most_memory = MOST_MEMORY
        self.folder = cache_folder("trees")
        self._switches = 0  # how often another document was shown
        self._waiting: list[Callable[[StoredTree | None], None]] = []  # for copies of the tree shown
        self._copying: tuple[object, ...] | None = None  # of what a copy is being made
        self._target: Document | None = None  # the one to be shown
        self._closing: Document | None = None  # the one to be closed once it is left
        self._taken.connect(self._take)
        self._failed.connect(self._fail)
        self._refused.connect(
            lambda why: self._messages.show_error(Text("The tree that was kept is left out: {why}.", why=why))
        )
        self._session.snapshot_for_text.connect(lambda _: self._drop_copy())
        self._state.leaving.connect(self._replace)
        self._enable()

    # what there is

    @property
    def shown(self) -> Document:
        return self._state.document

    @property
    def is_empty(self) -> bool:
        """Whether nothing was played, written or set up in any open document."""
        return all(document.is_empty for document in self.in_order)

    @property
    def unsaved(self) -> bool:
        """Whether an open document has changes that are in no file."""
        return any(document.unsaved for document in self.in_order)

    @property
    def facts(self) -> list[DocumentFacts]:
        """What there is to say of every open document; none before a game is open."""
        rows: list[DocumentFacts] = []
        times: Counter[str] = Counter()
        for document in self.in_order:
            facts = self._facts_of(document)
            if facts is not None:
                times[facts.title] += 1
                again = times[facts.title]
                rows.append(facts if again == 1 else replace(facts, title=f"{facts.title} ({again})"))
        return rows

    @property
    def closed_facts(self) -> list[DocumentFacts]:
        """What there is to say of every document that was closed and can be opened again, the last one first."""
        facts = [self._facts_of(bundle.document) for bundle in reversed(self.closed)]
        return [replace(row, place=CLOSED) for row in facts if row is not None]

    def _facts_of(self, document: Document) -> DocumentFacts | None:
        if document.position is None:
            return None
        facts = DocumentFacts(document, document.title, document.position, sources.source_title(document.source))
        if document is self.shown:
            present = self._session.present
            if present is None:
                return replace(facts, place=SHOWN)
            nodes, memory = present.counters.nodes, present.counters.bytes_used
            return replace(facts, simulations=present.simulations, nodes=nodes, memory=memory, place=SHOWN)
        tree = document.tree
        if tree is None:
            return facts
        place = MEMORY if tree.in_memory else DISK
        return replace(facts, simulations=tree.simulations, nodes=tree.nodes, memory=tree.memory, place=place)

    def title(self, document: Document) -> str:
        """Return what a document is called among the open ones."""
        return next((facts.title for facts in self.facts if facts.document is document), document.title)

    # showing, copying, closing

    def add_copy(self) -> None:
        """Keep the document shown as it is now, in the place before it, and go on in a copy."""
        if self._state.record is None or self._is_full():
            return
        self._target = self._closing = None
        self._pause_play()
        self.with_copy(self._insert_copy)

    def _insert_copy(self, tree: StoredTree | None) -> None:
        shown = self.shown
        assert shown.record is not None
        place = replace(shown.shown, record=shown.record.copy())
        copy = replace(shown, shown=place, tree=tree, mode=IDLE, last_shown=self._next_switch())
        if shown.unsaved:
            copy.mark_unsaved()
        self.in_order.insert(self.in_order.index(shown), copy)
        shown.name, shown.pinned = "", False
        self._messages.show_notice(
            lambda: tr("“{title}” is kept as it is. You go on in a copy.").format(title=self.title(copy))
        )
        self.make_room()

    def _is_full(self) -> bool:
        if len(self.in_order) >= MOST_OPEN:
            words: Words = "At most {most} trees are open at a time: close one first."
            self._messages.show_error(Text(words, most=MOST_OPEN))
            return True
        return False

    def _next_switch(self) -> int:
        self._switches += 1
        return self._switches

    def show(self, document: Document, closing: Document | None = None) -> None:
        """Show an open document; the one shown is kept, its search at rest, or closed if it is ``closing``."""
        self._target, self._closing = document, closing
        if document is not self.shown and document in self.in_order:
            self._with_tree(document, partial(self._go_to, document))

    def _with_tree(self, document: Document, then: Callable[[SavedSearch | None], None]) -> None:
        """Call ``then`` with the tree kept of a document; with None when there is none or it cannot be read."""
        tree = document.tree

        def go_without(why: str) -> None:
            words: Words = "The tree of {title} cannot be read: {why}. Its game is opened without it."
            self._messages.show_error(Text(words, title=self.title(document), why=why))
            document.tree, document.mode, document.lock = None, "", None
            then(None)

        if tree is None or tree.in_memory:
            then(None if tree is None else tree.search())
        else:
            run_task(self, tree.search, then, go_without)

    def _go_to(self, document: Document, search: SavedSearch | None) -> None:
        if document is self._target and document in self.in_order:
            self._pause_play()
            self.with_copy(partial(self._switch, document, search))

    def _switch(self, document: Document, search: SavedSearch | None, copy: StoredTree | None) -> None:
        if document is not self._target or document not in self.in_order:  # the user went elsewhere meanwhile
            return
        previous, closing = self.shown, self._closing
        self._target = self._closing = None
        previous.tree, previous.last_shown = copy, self._next_switch()
        self._show_with(document, search)
        if closing is previous:
            self._remove(previous)
        else:
            self.make_room()

    def _show_with(self, document: Document, search: SavedSearch | None) -> None:
        """Show a document, whose search may go on in a tree."""
        if isinstance(self._session.analysis, TreeKeeper):
            label = None if document.source is None else document.source.label
            self._session.analysis.offer(search, label, self._refused.emit)
        self._state.show_document(document)

    def step(self, step: int) -> None:
        """Show the next (+1) or the previous (-1) document."""
        if len(self.in_order) > 1:
            self.show(self.in_order[(self.in_order.index(self.shown) + step) % len(self.in_order)])

    def close(self, document: Document) -> None:
        """Close a document; the one closed last can be opened again in its place."""
        if document not in self.in_order:
            return
        if len(self.in_order) == 1:
            self._messages.show_notice("It is the only tree: another one has to be open to close it.")
        elif document is self.shown:
            place = self.in_order.index(document)
            self.show(self.in_order[place + 1 if place + 1 < len(self.in_order) else place - 1], closing=document)
        else:
            self._remove(document)

    def _remove(self, document: Document) -> None:
        place, title = self.in_order.index(document), self.title(document)
        self.in_order.remove(document)
        self.closed = [bundle for bundle in self.closed if bundle.unsaved]
        self.closed.append(Bundle((document,), place=place))
        self._enable()
        self._messages.show_offer(lambda: tr("“{title}” is closed.").format(title=title), "Open it again", self.go_back)
        self.make_room()

    def rename(self, document: Document, name: str) -> None:
        """Give a document a name; "" names it after game and moves."""
        from core.files.session import one_line

        document.name = one_line(name)
        self.changed.emit()

    def pin(self, document: Document, pinned: bool) -> None:
        """Set whether a document's tree goes to a file last."""
        document.pinned = pinned
        self.changed.emit()

    def move(self, place: int, to: int) -> None:
        """Move a document to another place."""
        self.in_order.insert(to, self.in_order.pop(place))
        self.changed.emit()

    def with_search(self, document: Document, run: Callable[[SavedSearch], None]) -> None:
        """Call ``run`` with the search of a document; of the one shown, with a copy of it."""

        def take(tree: StoredTree | None) -> None:
            if tree is None or (document is self.shown and tree.position != document.position):
                self._messages.show_error("There is no tree yet.")
            else:
                run_task(self, tree.search, run, self._messages.show_error)

        if document is not self.shown:
            take(document.tree)
        elif self._session.elsewhere:
            self._messages.show_error("The tree is on another machine; only one of this machine can be saved.")
        else:
            self.with_copy(take)

    def compare(self, document: Document) -> None:
        """Show a document's tree of the position on the board as the second search."""
        from gui.rooms.what_if.what_if import show_second

        def show(search: SavedSearch) -> None:
            if search.position != self._state.position:
                words: Words = "{title} is the tree of another position: go there to compare."
                self._messages.show_error(Text(words, title=self.title(document)))
            else:
                show_second(self._context, search, document.source)

        if document is self.shown:
            self._messages.show_notice("It is the tree shown: choose another one to compare it with.")
        else:
            self.with_search(document, show)

    # opening in the place of the one shown; closed documents

    def open(self, bundle: Bundle, oldest: bool = False) -> None:
        """Show what a file has in the place of the document shown.

        ``oldest``: that one is the last that ``go_back`` returns to, and the first that is dropped.
        """
        self._with_tree(bundle.document, partial(self._open, bundle, oldest))

    def _open(self, bundle: Bundle, oldest: bool, search: SavedSearch | None) -> None:
        before, document = self.shown, bundle.document
        self._take_back(bundle.documents)
        if bundle.is_plain:
            document.seed = before.seed
            if before.position is not None and document.position is not None:
                same_game = before.position.game == document.position.game
                document.source = before.source if same_game else document.source
        self._replace(document, oldest)
        self._show_with(document, search)
        self._insert_others(bundle)
        notes = list(bundle.notes)
        if bundle.players is not None:
            notes += self._play().restore(bundle.players)
        if notes:
            self._messages.show_notice(joined(notes, " · "))
        self.make_room()

    def _insert_others(self, bundle: Bundle) -> None:
        """Open the documents beside the one shown, as many as there is room for."""
        place, room = self.in_order.index(self.shown), MOST_OPEN - len(self.in_order)
        others = [document for document in bundle.documents if document not in self.in_order]
        for number, document in enumerate(others[:room]):
            self.in_order.insert(place + number + (number >= bundle.current), document)
        if rest := tuple(others[room:]):
            words: Words = "At most {most} trees are open at a time: {rest} of the file are left out."
            self._messages.show_error(Text(words, most=MOST_OPEN, rest=len(rest)))
            self._keep_closed(Bundle(rest))

    def _replace(self, document: Document, oldest: bool = False) -> None:
        """Put a document in the place of the one shown, unless it is among the open ones."""
        before = self.shown
        if document in self.in_order:
            return
        self.in_order[self.in_order.index(before)] = document
        if before.unsaved:
            self._keep_closed(Bundle((before,)), oldest)
            if not oldest:
                QTimer.singleShot(0, self, self._offer)

    def _keep_closed(self, bundle: Bundle, oldest: bool = False) -> None:
        if bundle.unsaved:
            self.closed.insert(0 if oldest else len(self.closed), bundle)
            self._enable()

    def _take_back(self, documents: Sequence[Document]) -> None:
        """Forget that documents were closed."""
        self.closed = [bundle for bundle in self.closed if bundle.document not in documents]
        self._enable()

    def _enable(self) -> None:
        self._context.actions["game_before"].setEnabled(bool(self.closed))

    def go_back(self) -> None:
        """Open what was closed last."""
        if self.closed:
            self.open_again(self.closed[-1], oldest=True)

    def open_again(self, bundle: Bundle, oldest: bool = False) -> None:
        """Open what was closed: in its place if it was closed beside others, else in the place of the one shown.

        ``oldest`` as of ``open``.
        """
        if bundle.place is None:
            self.open(bundle, oldest)
        elif not self._is_full():
            document, place, bundle.place = bundle.document, bundle.place, None
            self.in_order.insert(min(place, len(self.in_order)), document)
            self._take_back((document,))
            self.changed.emit()
            self.show(document)

    def choose(self, document: Document) -> None:
        """Show an open document, or open a closed one."""
        bundle = next((bundle for bundle in self.closed if bundle.document is document), None)
        self.show(document) if bundle is None else self.open_again(bundle)

    def _offer(self) -> None:
        """Show which game is kept; above the maximum, drop the oldest and say so.

        Does nothing while another message is shown.
        """
        if self._messages.text or not self.closed:
            return
        if len(self.closed) > MOST_CLOSED:
            oldest = self.closed.pop(0)

            def words() -> str:
                text = tr("At most {most} unsaved games are kept. Dropped: {game}, {moves} moves.", oldest.moves)
                return text.format(most=MOST_CLOSED, game=oldest.title, moves=oldest.moves)

            self._messages.show_offer(
                words,
                "Open it",
                partial(self.open, oldest, oldest=True),
            )
            self.changed.emit()
        else:
            newest = self.closed[-1]
            self._messages.show_offer(lambda: newest.words, "Back to it", self.go_back)

    def add_closed(self, bundles: Sequence[Bundle]) -> None:
        """Take documents of an earlier run of the program, the newest last, and offer them."""
        self.closed = [*bundles, *self.closed]
        self._enable()
        self._offer_earlier()

    def _offer_earlier(self) -> None:
        """Offer the newest documents of an earlier run, to open or to discard."""
        if self.closed and not self._messages.text:
            newest = self.closed[-1]
            discard = (Text("Discard"), partial(self._discard, newest))
            self._messages.show_offer(lambda: newest.words, "Open", self.go_back, discard)

    def _discard(self, bundle: Bundle) -> None:
        self.discard(bundle.document)
        self._offer_earlier()

    def discard(self, document: Document) -> None:
        """Forget a closed document for good."""
        self._take_back((document,))
        self.changed.emit()

    # saving

    @property
    def opened(self) -> Bundle:
        """The open documents, as a session file has them."""
        return Bundle(tuple(self.in_order), self.in_order.index(self.shown))

    def session_bytes(self, bundle: Bundle, trees: Mapping[Document, StoredTree] | None = None) -> Callable[[], bytes]:
        """Return a function that makes the bytes of a session, in any thread; ``trees``: those that go with it."""
        games = [document.to_save((trees or {}).get(document)) for document in bundle.documents]
        return partial(dump_games, games, bundle.current, self._play().as_json())

    @property
    def room(self) -> TreeRoom:
        """Where trees that are read are kept."""
        from core.files.session import TreeRoom

        return TreeRoom(max(0, self.most_memory - self.memory), self.folder)

    @property
    def revisions(self) -> list[tuple[GameRecord, int]]:
        """The records of the open documents, each with its present revision."""
        records = [document.record for document in self.in_order]
        return [(record, record.revision) for record in records if record is not None]

    def mark_saved(self, revisions: Sequence[tuple[GameRecord, int]]) -> None:
        """Note which revisions of records are in a file now."""
        for document in self.in_order:
            for record, revision in revisions:
                if document.record is record:
                    document.saved = revision

    # the copy of the tree shown

    def with_copy(self, then: Callable[[StoredTree | None], None]) -> None:
        """Call ``then`` with a copy of the tree shown, as it is then; None if there is none."""
        self._waiting.append(then)
        if self._copying is None:
            self._copy()

    def _searched_now(self) -> tuple[object, ...]:
        session = self._session
        return self._state.position, session.locked, session.source, session.settings, session.only, session.seed

    def _copy(self) -> None:
        analysis, copied = self._session.analysis, self._searched_now()
        self._copying = copied
        preparing = str(self._session.phase) not in NOT_LOADING and not self._session.away  # it may take a minute
        if not isinstance(analysis, TreeKeeper) or preparing:
            self._take(copied, None)
        else:
            analysis.take(lambda search: self._taken.emit(copied, search), self._failed.emit)

    def _take(self, copied: tuple[object, ...], search: SavedSearch | None) -> None:
        from core.files.tree_file import StoredTree

        self._copying = None
        if not self._waiting:
            return
        session = self._session
        late = search is not None and session.requested and search.position != (session.locked or self._state.position)
        if not late and copied == self._searched_now():  # else the user went on meanwhile
            tree = self.shown.tree  # one that the analysis has not taken yet
            if search is not None:
                tree = StoredTree(replace(search, source=sources.source_text(session.source), seed=session.seed))
            self._waiting.pop(0)(tree)
        if self._waiting:
            self._copy()

    def _fail(self, why: str) -> None:
        self._copying = self._closing = None
        self._waiting.clear()
        self._messages.show_error(Text("The tree cannot be kept, so it stays open: {why}.", why=why))

    def _drop_copy(self) -> None:
        """Forget the copy of the tree shown once the analysis shows the tree itself."""
        present, tree = self._session.newest, self.shown.tree
        if tree is None or present is None or present.position != tree.position:
            return
        if present.simulations >= tree.simulations:
            self.shown.tree = None

    # memory

    @property
    def _kept_trees(self) -> list[tuple[Document, StoredTree]]:
        """The trees that are kept of open and closed documents."""
        closed = [document for bundle in self.closed for document in bundle.documents]
        documents = dict.fromkeys((*self.in_order, *closed))
        return [(document, document.tree) for document in documents if document.tree is not None]

    @property
    def memory(self) -> int:
        """Bytes of memory of the trees that are kept."""
        return sum(tree.memory for _, tree in self._kept_trees if tree.in_memory)

    def make_room(self) -> None:
        """Move trees to files, those shown longest ago first, until the others fit into memory."""
        memory, moved = self.memory, []
        for document, tree in sorted(self._kept_trees, key=lambda pair: (pair[0].pinned, pair[0].last_shown)):
            if memory > self.most_memory and document is not self.shown and tree.in_memory:
                memory -= tree.memory
                moved.append(tree)
        if moved:
            run_task(self, partial(_put_away, moved, self.folder), lambda _: self.changed.emit(), self._not_moved)
        self.changed.emit()

    def _not_moved(self, why: str) -> None:
        self.changed.emit()
        self._messages.show_error(Text("Trees stay in memory, because they cannot be written: {why}", why=why))


def _put_away(trees: Sequence[StoredTree], folder: Path) -> None:
    for tree in trees:
        tree.put_away(folder)
