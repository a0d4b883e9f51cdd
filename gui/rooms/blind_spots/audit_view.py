"""The room of audits: what is audited, the list of positions, the calibration and the figures."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDateTime, QRandomGenerator, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QMenu,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from core.text import Text, Words, text_of
from gui.jobs.audit import AuditJob
from gui.jobs.task import run_task
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.sources import NetSource, net_source
from gui.model.timers import make_timer
from gui.rooms.blind_spots.audit_blame import BlameChart
from gui.rooms.blind_spots.audit_export import BY_BLOCK, EXPORTS, write_export
from gui.rooms.blind_spots.audit_table import PositionsTable, ShownPosition
from gui.widgets.dressing import hold_parts
from gui.widgets.figures import percent, plain
from gui.widgets.folding_row import FoldingRow
from gui.widgets.form import ErrorLine, NumberEdit, choice_box, mark_bad
from gui.widgets.labels import ShortLabel, main_button, make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.room import scroll_down
from gui.widgets.saving import ask_folder, ask_open_name, ask_save_name, data_folder
from gui.widgets.tables.board_table import board_picture
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import on_theme

if TYPE_CHECKING:
    from core.games import Position
    from gui.context import Context
    from gui.rooms.blind_spots.audit_chart import AuditChart
    from models.audit.neighbours import NeighbourScore
    from models.audit.results import Audit
    from models.audit.shapes import Shape
    from models.audit.work import Source

RANDOM, POLICY, GAMES, FOLDER, REPLAY = "random", "policy", "games", "folder", "replay"
SOURCES: Final[tuple[tuple[str, Words], ...]] = (
    (RANDOM, "Random positions"),
    (POLICY, "Games by the net's policy"),
    (GAMES, "A file of games…"),
    (FOLDER, "A folder of games…"),
    (REPLAY, "Games of a training run…"),
)
NUMBER: Final = 500
SIMULATIONS: Final = 400
_MOST: Final = 1_000_000
_SEEDS: Final = 1_000_000


class AuditForm(QWidget):
    """The fields and the button that begins, stops or continues, ``pressed``; ``begun_anew``: not continued."""

    pressed = Signal()
    begun_anew = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.place: Path | None = None
        self.second: Path | None = None
        self.kind = choice_box(self, SOURCES, self._choose_place, "Source of the positions")
        self.where = ShortLabel(self, "dim")
        self.number = self._number(str(NUMBER), "Number of positions")
        self.plies = self._number("", "Plies of the positions")
        set_texts(
            self.plies,
            placeholderText="all",
            toolTip="Moves played before the positions, as in 8-20; empty: the usual ones.",
        )
        self.simulations = self._number(str(SIMULATIONS), "Simulations for each position")
        self.neighbours = set_texts(
            QCheckBox(self),
            text="neighbours",
            toolTip="Only positions where a win or a draw can be thrown away, and two quiet moves from each the "
            "neighbour of the same exact result that the net gets most wrong.",
        )
        self.other = set_texts(QPushButton(self), text="Second net…")
        self.other.clicked.connect(lambda _=False: self._choose_second())
        self.run = main_button("Find blind spots", self)
        self.run.clicked.connect(lambda _=False: self.pressed.emit())
        self.anew = set_texts(QPushButton(self), text="New audit")
        self.anew.clicked.connect(lambda _=False: self.begun_anew.emit())
        row = FoldingRow(self)
        inner = row.fold_right()
        words = [
            set_texts(QLabel(self), text=label) for label in (Text("positions"), Text("plies"), Text("simulations"))
        ]
        for part, widgets in (
            (row.left, (self.kind, self.number, words[0], self.plies, words[1])),
            (inner.left, (self.simulations, words[2], self.neighbours, self.other)),
            (inner.right, (self.where, self.anew, self.run)),
        ):
            part.setSpacing(8)
            for widget in widgets:
                part.addWidget(widget)
        row.left.addStretch(1)
        inner.left.addStretch(1)
        row.set_stretch(0, 1)
        inner.set_stretch(0, 1)
        inner.right.setStretch(0, 1)
        lay_column(row, of=self, margins=(10, 2, 8, 2))
        on_language(self, self._show_where)

    def _number(self, text: str, name: Words) -> NumberEdit:
        field = NumberEdit(self, name)
        field.setFixedWidth(64)
        field.setText(text)
        return field

    def source(self) -> tuple[Source, int]:
        """The source entered, and the simulations; ``ValueError`` with one sentence for a wrong field."""
        from models.audit.work import Source, read_plies

        number, simulations = self.number.whole(1, _MOST), self.simulations.whole(2, _MOST)
        text = self.plies.text().strip()
        try:
            plies = read_plies(text) if text else None
        except ValueError as error:
            mark_bad(self.plies, True)
            raise ValueError(text_of(error)) from None
        mark_bad(self.plies, False)
        kind = self.kind.currentData()
        if kind in (GAMES, FOLDER, REPLAY) and self.place is None:
            raise ValueError(Text("Choose where the games are."))
        hunt = self.neighbours.isChecked()
        seed = QRandomGenerator.global_().bounded(_SEEDS) if hunt else 0  # each hunt is a fresh one
        return Source(GAMES if kind == FOLDER else kind, number, self.place, plies, seed, hunt), simulations

    def show_running(self, running: bool, resumable: bool, possible: bool) -> None:
        """What the button does; ``possible``: there is a net to audit."""
        words: Words = "Stop" if running else "Continue" if resumable else "Find blind spots"
        set_texts(self.run, text=words)
        self.run.setEnabled(running or resumable or possible)
        self.anew.setVisible(resumable and possible)
        for field in (self.kind, self.number, self.plies, self.simulations, self.neighbours, self.other):
            field.setEnabled(not running)

    def _choose_place(self) -> None:
        kind, title = self.kind.currentData(), self.kind.currentText()
        self.place = None
        if kind == GAMES:
            self.place = ask_open_name(self, title, "games", tr("Games (*.sgf *.plyscope);;All files (*)"))
        elif kind in (FOLDER, REPLAY):
            self.place = ask_folder(self, title, "games" if kind == FOLDER else "nets")
        if self.place is None and kind in (GAMES, FOLDER, REPLAY):
            self.kind.setCurrentIndex(0)
        self._show_where()

    def _choose_second(self) -> None:
        """Choose a second net, or none where one is chosen."""
        if self.second is not None:
            self.second = None
        else:
            self.second = ask_open_name(self, tr("Second net…"), "nets", tr("Nets (*.onnx);;All files (*)"))
        set_texts(self.other, text="One net only" if self.second is not None else "Second net…")
        self._show_where()

    def _show_where(self) -> None:
        parts = [str(self.place)] if self.place is not None else []
        if self.second is not None:
            parts.append(tr("second net: {net}").format(net=self.second.name))
        self.where.setText(" · ".join(parts))


SIDE: Final = 300  # px of the chart and the figures
PROGRESS: Final = 150  # px of how far the audit went, beside the choices
RENEW_MS: Final = 800  # between renewals of the list while an audit runs
ALL, MISTAKES, NET_WRONG, SEARCH_WRONG, CHANGED, NETS_DIFFER = "all", "mistakes", "net", "search", "changed", "nets"
NEIGHBOURS = "neighbours"
FILTERS: Final[tuple[tuple[str, Words], ...]] = (
    (ALL, "All positions"),
    (MISTAKES, "All mistakes"),
    (NET_WRONG, "Net certainly wrong"),
    (SEARCH_WRONG, "Search certainly wrong"),
    (CHANGED, "Search plays another move"),
    (NETS_DIFFER, "The nets differ"),
    (NEIGHBOURS, "Neighbours it gets wrong"),
)
EMPTY: Final[Words] = (
    "Positions are searched with the net on the board and listed by how far the search overturned the net."
)


class _Example(QWidget):
    """The board with two rings, as the list will show positions."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._position: Position | None = None
        self.setMinimumSize(120, 110)
        on_theme(self, self.update)

    def show_position(self, position: Position | None) -> None:
        self._position = position
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._position is None:
            return
        legal = self._position.legal_actions()
        pair = (legal[len(legal) // 3], legal[len(legal) // 2]) if legal else (-1, -1)
        side = min(self.width(), self.height(), px(190))
        picture = board_picture(self._position, *pair, (), side, self.devicePixelRatioF())
        QPainter(self).drawPixmap((self.width() - side) // 2, (self.height() - side) // 2, picture)


class AuditView(QWidget):
    """The room's widget; ``chosen`` is a position of the list, ``exported`` a file to write, ``opened`` one to show;
    ``examined``: it is asked what is to blame for the mistakes."""

    chosen = Signal(object)  # ShownPosition
    exported = Signal(object, str)  # Path, which of EXPORTS
    opened = Signal(object)  # Path
    examined = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._audit: Audit | None = None
        self._shapes: dict[tuple[int, int], Shape] = {}  # of the mistakes, by position and net
        self._work = (False, False, False)
        self._later = make_timer(self, RENEW_MS, self._renew, once=True)
        self.chart: AuditChart | None = None  # until its library is loaded
        self.form = AuditForm(self)
        self.progress = ShortLabel(self, "dim")
        self.error = ErrorLine(self)
        self.filter = choice_box(self, FILTERS, self._renew_list, "Positions shown")
        self.net = choice_box(self, (), self._renew, "Net whose figures are shown")
        self.net.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.shape = choice_box(self, (), self._renew_list, "Shape of the mistakes shown", 18)
        self.examine = set_texts(
            QPushButton(self),
            text="What is to blame?",
            toolTip="Examines up to 50 mistakes of the search: each position is searched again with one prior or one "
            "value of the net corrected at a time.",
        )
        self.examine.clicked.connect(lambda _=False: self.examined.emit())
        self.open = set_texts(QPushButton(self), text="Open an audit…")
        self.open.clicked.connect(lambda _=False: self._ask_open())
        self.export = set_texts(QPushButton(self), text="Export")
        menu = QMenu(self.export)
        for name, title in EXPORTS:
            set_texts(menu.addAction(""), text=title).triggered.connect(partial(self._ask_export, name))
        self.export.setMenu(menu)
        self.table = PositionsTable(self)
        self.table.chosen.connect(self.chosen)
        self.figures = make_label(self, "dim", wrap=True)
        self.figures.setTextFormat(Qt.TextFormat.PlainText)
        self.figures.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.blame = BlameChart(self)
        self.example = _Example(self)
        self.words = make_label(self, "dim", wrap=True)
        self._lay_out()
        on_language(self, self._show_again)
        QTimer.singleShot(0, self, self._make_chart)  # its library takes a moment to load, in this thread only

    def _lay_out(self) -> None:
        line = FoldingRow(self, spare=lambda: px(PROGRESS))
        inner = line.fold_right()
        for part, widgets in (
            (line.left, (self.filter, self.shape)),
            (inner.left, (self.net, self.progress)),
            (inner.right, (self.examine, self.open, self.export)),
        ):
            part.setSpacing(8)
            for widget in widgets:
                part.addWidget(widget)
        inner.left.setStretch(1, 1)
        line.set_stretch(0, 1)
        inner.set_stretch(1, 0)
        side = QWidget(self)
        self._side = lay_column(self.figures, self.blame, of=side, margins=(8, 0, 6, 4))
        self.body = QSplitter(Qt.Orientation.Horizontal, self)
        self.body.setChildrenCollapsible(False)
        self.body.addWidget(self.table)
        self.body.addWidget(scroll_down(side, self, "Figures of the audit"))
        self.body.setStretchFactor(0, 1)
        self.body.setSizes([px(900), px(SIDE)])
        nothing, audited = QWidget(self), QWidget(self)
        self.words.setMaximumWidth(520)
        earlier = set_texts(QPushButton(self), text="Open an audit…")
        earlier.clicked.connect(lambda _=False: self._ask_open())
        offer = lay_column(1, self.words, lay_row(earlier, 1), 1, spacing=12)
        lay_row(1, self.example, (offer, 30), 1, of=nothing, margins=(24, 8, 24, 8), spacing=18)
        above = lay_column(line, margins=(10, 0, 8, 0))
        lay_column(above, (self.body, 1), of=audited, margins=0, spacing=3)
        self.pages = QStackedWidget(self)
        hold_parts(self, self.pages)
        self.pages.addWidget(nothing)
        self.pages.addWidget(audited)
        lay_column(self.form, self.error, (self.pages, 1), of=self, margins=0, spacing=3)
        self.setMinimumHeight(170)

    def _make_chart(self) -> None:
        from gui.rooms.blind_spots.audit_chart import AuditChart

        self.chart = AuditChart(self)
        self._side.addWidget(self.chart)
        self._side.addStretch(1)
        self._renew()

    # contents

    def show_audit(self, audit: Audit | None) -> None:
        """Show an audit as far as it went; None: nothing."""
        if audit is self._audit:
            return
        begun = audit is not None and (self._audit is None or audit.plan != self._audit.plan)
        self._audit = audit
        if begun and audit is not None:
            self._shapes.clear()
            self.net.clear()
            for place, file in enumerate(audit.plan.nets):
                self.net.addItem(file.name, place)
            self.net.setVisible(len(audit.plan.nets) > 1)
        self.pages.setCurrentIndex(0 if audit is None else 1)
        if begun or audit is None:
            self._renew()
        elif not self._later.isActive():
            self._later.start()

    def show_work(self, running: bool, resumable: bool, possible: bool) -> None:
        """Whether an audit runs, whether one can go on, and whether there is a net to audit."""
        self._work = running, resumable, possible
        self.form.show_running(running, resumable, possible)
        audit = self._audit
        self.examine.setEnabled(audit is not None and not running and is_to_examine(audit))
        words = tr("gathering the positions…") if running else ""
        if audit is not None:
            words = tr("{judged} of {total} positions · {how}").format(
                judged=len(audit.done), total=len(audit.items), how=core_text(audit.plan.source)
            )
        elif not running and not possible:
            words = tr("Choose a net first: random games have no blind spots.")
        self.progress.setText(words)
        self.words.setText(words or tr(EMPTY))

    def _show_again(self) -> None:
        self.show_work(*self._work)
        self._renew()

    def _renew(self) -> None:
        audit = self._audit
        if audit is None:
            self.table.show_positions([])
            return
        self._renew_shapes(audit)
        self._renew_list()
        self.figures.setText(_figures(audit, self.shown_net))
        self.blame.show_audit(audit, self.shown_net)
        if self.chart is not None:
            self.chart.show_audit(audit, self.shown_net)

    @property
    def shown_net(self) -> int:
        """The number of the net whose figures are shown."""
        return max(0, self.net.currentIndex())

    def _renew_shapes(self, audit: Audit) -> None:
        from models.audit.shapes import grouped, is_mistake, mistake_shape

        net, mistakes = self.shown_net, []
        for position in audit.done:
            if is_mistake(position, net):
                key = position.number, net
                if key not in self._shapes:
                    self._shapes[key] = mistake_shape(audit.game, position, net)
                mistakes.append((self._shapes[key], position))
        chosen = self.shape.currentData()
        self.shape.clear()
        self.shape.addItem(tr("any shape"), None)
        for group in grouped(mistakes, net):
            words = core_text(group.shape.words) if group.shape.words else _window_words(group.shape.window)
            text = tr("{count} × {shape}, mean loss {loss}")
            self.shape.addItem(
                text.format(count=len(group.members), shape=words, loss=plain(group.loss, 2)), group.shape
            )
        place = next((i for i in range(self.shape.count()) if self.shape.itemData(i) == chosen), 0)
        self.shape.setCurrentIndex(place)

    def _renew_list(self) -> None:
        from models.audit.neighbours import wrong_neighbours
        from models.audit.shapes import is_mistake

        audit, net = self._audit, self.shown_net
        if audit is None:
            return
        kind, shape = self.filter.currentData(), self.shape.currentData()
        blames = {blame.number: blame for blame in audit.blames if blame.net == net}
        rows = [ShownPosition(audit.game, position, net, blames.get(position.number)) for position in audit.done]
        if kind == MISTAKES or shape is not None:
            rows = [row for row in rows if is_mistake(row.audited, net)]
        if kind == NET_WRONG:
            rows = [row for row in rows if row.audited.net_wrong(net)]
        elif kind == SEARCH_WRONG:
            rows = [row for row in rows if row.audited.search_wrong(net)]
        elif kind == CHANGED:
            rows = [row for row in rows if not row.answer.agrees]
        elif kind == NETS_DIFFER:
            rows = [row for row in rows if len({answer.first for answer in row.audited.nets}) > 1]
        elif kind == NEIGHBOURS:
            wrong = wrong_neighbours(audit, net, False) | wrong_neighbours(audit, net, True)
            rows = [row for row in rows if row.audited.number in wrong]
        if shape is not None:
            rows = [row for row in rows if self._shapes.get((row.audited.number, net)) == shape]
        self.table.show_positions(rows)

    # commands

    def _ask_open(self) -> None:
        from models.audit.results import SUFFIX

        path = ask_open_name(self, tr("Open an audit…"), "nets", f"*{SUFFIX}", str(audits_home()))
        if path is not None:
            self.opened.emit(path)

    def _ask_export(self, name: str, _: bool = False) -> None:
        path = ask_save_name(self, tr("Export the audit"), "nets", name)
        if path is not None:
            self.exported.emit(path, name)


def _figures(audit: Audit, net: int) -> str:
    """The figures of one net in lines."""
    from models.audit.neighbours import is_hunt, neighbour_score
    from models.audit.summary import figures_of

    f = figures_of(audit.done, net)
    if not f.positions:
        return ""
    lines = [
        tr("net's first move is the search's: {share}").format(share=percent(f.agree / f.positions)),
        tr("search's move among the net's first three: {share}").format(share=percent(f.among_three / f.positions)),
        tr("mean KL {kl}, mean change of the value {swing}").format(kl=plain(f.kl, 2), swing=plain(f.swing, 2)),
    ]
    if f.solved:
        lines += [
            tr("solved: {solved}; net wrong {net}, search wrong {search}").format(
                solved=f.solved, net=percent(f.net_wrong / f.solved), search=percent(f.search_wrong / f.solved)
            ),
            tr("on moves that lose something: prior {prior}, visits {visits}").format(
                prior=percent(f.worse_prior), visits=percent(f.worse_visits)
            ),
        ]
    if is_hunt(audit):
        for words, searched in (
            (tr("net wrong at a neighbour: {score}"), False),
            (tr("search wrong at a neighbour: {score}"), True),
        ):
            lines.append(words.format(score=_score(neighbour_score(audit, net, searched))))
    return "\n".join(lines)


def _score(score: NeighbourScore) -> str:
    """How many of the positions that are played right have a neighbour that is played wrong."""
    if not score.right:
        return "–"
    return tr("{share} ({low} to {high}) of {count} played right").format(
        share=percent(score.share), low=percent(score.low), high=percent(score.high), count=score.right
    )


def _window_words(window: tuple[int, ...]) -> str:
    """The cells around a move in signs: the mover's stones, the opponent's, empty, outside."""
    rows = ["".join("·●○ "[cell] for cell in window[start : start + 3]) for start in (0, 3, 6)]
    return "/".join(rows)


def is_to_examine(audit: Audit) -> bool:
    """Whether a mistake of a search would be examined now."""
    from models.audit.blame import left_over

    return any(left_over(audit, net) for net in range(len(audit.plan.nets)))


def audits_home() -> Path:
    """Return the folder of new audits."""
    return data_folder("audits")


SOLVE_S: Final = 1.0


def connect_audit(context: Context, widget: QWidget) -> None:
    """Connect the room to the window's net and board, with an audit of its own."""
    assert isinstance(widget, AuditView)
    view, state = widget, context.state
    job = AuditJob(view)

    def renew() -> None:
        view.show_audit(job.audit)
        unfinished = job.audit is not None and len(job.audit.done) < len(job.audit.items)
        view.show_work(job.running, unfinished and not job.running, isinstance(state.source, NetSource))
        view.example.show_position(state.position)

    def press() -> None:
        if job.running:
            job.stop()
        elif job.audit is not None and len(job.audit.done) < len(job.audit.items):
            view.error.say("")
            job.resume()
        else:
            begin()

    def begin() -> None:
        from models.audit.results import SUFFIX

        view.error.say("")

        source, game = state.source, state.game
        if not isinstance(source, NetSource) or game is None:
            return
        try:
            wished, simulations = view.form.source()
        except ValueError as error:
            view.error.say(text_of(error))
            return
        nets = (source.path, *([view.form.second] if view.form.second is not None else []))
        name = f"{source.path.stem}-{QDateTime.currentDateTime().toString('yyyyMMdd-HHmmss')}{SUFFIX}"
        job.begin(audits_home() / name, game, nets, wished, simulations, SOLVE_S)

    def show(row: ShownPosition) -> None:
        assert job.audit is not None
        path = Path(job.audit.plan.nets[row.net].path)
        try:
            state.open_position(row.position, net_source(path))
        except ValueError as error:
            state.open_position(row.position)
            context.messages.show_error(text_of(error))

    stopped = Event()  # the look into a net for a page

    def export(path: Path, name: str) -> None:
        if job.audit is None or job.path is None:
            return
        messages, net, audit, kept_in = context.messages, view.shown_net, job.audit, job.path
        if name == BY_BLOCK:
            messages.show_notice(
                "The net is looked into, and then the page is written; Esc writes it with what is known by then."
            )
        stopped.clear()
        run_task(
            view,
            lambda report: write_export(report, path, audit, name, net, kept_in, stopped.is_set),
            lambda done: messages.show_notice(Text("{name} is saved.", name=done.name)),
            messages.show_error,
            progress=messages.show_notice,
            writes=name != BY_BLOCK,
        )

    job.changed.connect(renew)
    job.failed.connect(view.error.say)
    view.form.pressed.connect(press)
    view.form.begun_anew.connect(begin)
    view.chosen.connect(show)
    view.exported.connect(export)
    view.opened.connect(job.open)
    view.examined.connect(job.examine)
    state.search_changed.connect(renew)
    state.position_changed.connect(renew)
    for ended in (context.events.escaped, context.events.closing):
        ended.connect(stopped.set)
    context.events.escaped.connect(job.stop)
    renew()
