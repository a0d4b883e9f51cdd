"""The checkpoint page: one position evaluated by every kept net of a run, two of them side by side, a match of these.

The position is the one on the analysis board; a ``NetReader`` evaluates it, and answers are cached per position.
"""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QMenu,
    QPushButton,
    QSlider,
    QSplitter,
    QToolButton,
    QWidget,
)

from core.games import GameSpec, Position
from core.text import Text, Words, text_of
from gui.jobs.match_job import NetMatch
from gui.jobs.nets import NetAnswer, NetReader
from gui.language.language import tr
from gui.rooms.training.known_runs import ShownRun
from gui.rooms.training.learned_where import LearnedWhere
from gui.rooms.training.run_charts import RUN_CHARTS, Curve, RunChart, draw_curves
from gui.rooms.training.run_commands import PRECISIONS
from gui.rooms.training.run_model import Checkpoint, RunModel, Series, minutes_text
from gui.rooms.training.run_page import FigureTable, RunPage
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.small_board import SmallBoard
from gui.widgets.charts.chart import Chart
from gui.widgets.charts.lines import View, abscissae
from gui.widgets.figures import count, percent, signed, value_text
from gui.widgets.folding_row import FoldingRow
from gui.widgets.form import ComboBox, ErrorLine, NumberEdit
from gui.widgets.labels import ShortLabel, make_frame, make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.standing import ScoreBar, standing_words
from gui.widgets.text_size import by_font
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font
from gui.widgets.tips import set_tip


class NetCard(QFrame):
    """A card with one net's policy on a board, and its value."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.title, self.value = ShortLabel(self), QLabel(self)
        self.title.setObjectName("heading")
        by_font(self.value, lambda: self.value.setFont(figure_font(self.font(), 1.1, bold=True)))
        self.board = SmallBoard(self, coordinates=True)
        self.board.setMinimumSize(180, 170)
        head = FoldingRow(self)
        head.left.addWidget(self.title, 1)
        head.right.addWidget(self.value)
        head.set_stretch(1, 0)
        lay_column(head, (self.board, 1), of=self, margins=(12, 8, 12, 6))

    def show_net(
        self, net: Checkpoint | None, answer: NetAnswer | None, position: Position | None, best: str = ""
    ) -> None:
        self.title.setText("" if net is None else net_title(net, best))
        self.title.setMinimumWidth(0 if net is None else self.title.fontMetrics().horizontalAdvance(net_title(net)))
        self.board.show_position(position, answer.policy if answer is not None else {}, "prior_ramp")
        self.value.setText("" if answer is None or position is None else answer_words(answer))


def net_title(net: Checkpoint, best: str = "") -> str:
    """Return "step 1 234 · 12 min", with a note if it is the ``best`` player of the ladder."""
    words = tr("step {step} · {time}")
    if net.player == best:
        words = tr("step {step} · {time} · best on the ladder")
    return words.format(step=count(net.step), time=minutes_text(net.minutes))


def answer_words(answer: NetAnswer) -> str:
    players = kind_of(answer.position.game.name).players
    return value_text(answer.value, players[answer.position.to_move])


GAMES, SIMULATIONS = 40, 100
MOST_GAMES, MOST_SIMULATIONS = 10_000, 100_000


class MatchStrip(QFrame):
    """The strip; it offers a match of the chosen nets, and keeps the one that is played until another is started."""

    failed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._offered: tuple[GameSpec, Checkpoint, Checkpoint] | None = None
        self._played: tuple[Checkpoint, Checkpoint] | None = None
        self._games = 0
        self.job = NetMatch(self)
        self.job.changed.connect(self._show)
        self.job.failed.connect(self.failed)
        self.title, self.result = ShortLabel(self), make_label(self, "dim", wrap=True)
        self.title.setObjectName("heading")
        self.result.setFont(figure_font(self.font()))
        self.bar = ScoreBar(self)
        self.error = ErrorLine(self)
        self.games, self.simulations = NumberEdit(self, "Games"), NumberEdit(self, "Simulations a move")
        self.start = QPushButton(self)
        self._lay_out()
        self.start.clicked.connect(self._toggle)
        for field in (self.games, self.simulations):
            field.returnPressed.connect(self._toggle)
        on_language(self, self._show)
        self._show()
        self.hide()

    def _lay_out(self) -> None:
        row = FoldingRow(self)
        row.left.addWidget(self.title, 1)
        for field, value, name in (
            (self.games, GAMES, Text("Games")),
            (self.simulations, SIMULATIONS, Text("Simulations a move")),
        ):
            field.setText(str(value))
            field.setFont(figure_font(field.font()))
            field.setMaximumWidth(90)
            row.right.addWidget(make_label(self, "dim", name))
            row.right.addWidget(field)
        row.right.addWidget(self.start)
        row.right.addStretch(1)
        for half in (row.left, row.right):
            half.setSpacing(8)
        row.set_stretch(1, 0)
        below = lay_row((self.bar, 1), (self.result, 3), spacing=12)
        lay_column(row, self.error, below, of=self, margins=(12, 7, 12, 7))

    def offer(self, game: GameSpec | None, first: Checkpoint | None, second: Checkpoint | None) -> None:
        """Set the nets that a new match is between."""
        same = game is None or first is None or second is None or first.path == second.path
        self._offered = None if same else (game, first, second)  # type: ignore[assignment]
        self._show()

    def _settings(self) -> tuple[int, int]:
        """Return the numbers of games and simulations; ``ValueError`` for bad ones."""
        games, simulations = self.games.whole(2, MOST_GAMES), self.simulations.whole(2, MOST_SIMULATIONS)
        return games + games % 2, simulations  # each opening is played with both colours

    def _toggle(self) -> None:
        self.error.say("")
        if self.job.running:
            self.job.stop()
            return
        if self._offered is None:
            return
        try:
            games, simulations = self._settings()
        except ValueError as error:
            self.error.say(text_of(error))
            return
        game, *nets = self._offered
        self._played, self._games = (nets[0], nets[1]), games
        self.job.start(game, (nets[0].path, nets[1].path), games, simulations)

    def _show(self) -> None:
        shown = self._played if self.job.running or self._offered is None else self._offered[1:]
        words = "" if shown is None else tr("Step {first} against step {second}")
        self.title.setText(
            "" if shown is None else words.format(first=count(shown[0].step), second=count(shown[1].step))
        )
        self.start.setText(tr("Stop") if self.job.running else tr("Start"))
        self.start.setEnabled(self.job.running or self._offered is not None)
        self.bar.show_score(self.job.score, self._games)
        self.result.setText(self._result())

    def _result(self) -> str:
        if self._played is None:
            return tr("From random openings, each with both colours. The run's ladder is not changed.")
        score, done = self.job.score, sum(self.job.score)
        if not done:
            return tr("The first games are being played.") if self.job.running else tr("No game was finished.")
        return score_words(self._played, score, self._games)


def score_words(nets: tuple[Checkpoint, Checkpoint], score: tuple[int, int, int], games: int) -> str:
    """Return the result of the first net, with score and Elo and their 95 % intervals."""
    return tr("Step {first} against {second}: {standing}").format(
        first=count(nets[0].step), second=count(nets[1].step), standing=standing_words(score, games)
    )


MOST_MOVES = 8  # rows of the table, which has room for them and does not scroll
FOLLOWED = 4  # moves whose prior is drawn over the checkpoints
VALUE_CHART = RunChart(
    "value_here",
    "Value of this position",
    "for the side to move",
    "",
    lambda x: signed(x, 2),
    least_span=0.5,
)
POLICY_CHART = RunChart(
    "policy_here",
    "Policy of this position",
    "%",
    "Prior in every net of the chosen net's most probable moves.",
    lambda x: percent(x / 100, 0),
    from_zero=True,
    scale=100,
)
MATCH_TIP: Words = "Let the two nets play against each other"
WHAT_IF_TIP: Words = "Search this position with both nets, side by side, in the analysis"
CHOOSE_TWO: Words = "Choose another net under “Compare with” first"
ELO_CHART = next(chart for chart in RUN_CHARTS if chart.id == "elo")


class CheckpointPage(RunPage):
    """The page; ``chosen`` is emitted with the step under the slider."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run: RunModel | None = None
        self._nets: list[Checkpoint] = []
        self._axis = "step"
        self._position: Position | None = None
        self._answers: dict[Path, NetAnswer] = {}
        self._refused: set[Path] = set()
        self._other: Path | None = None  # net compared with
        self.follows = True  # the slider moves to each new net, because the user has not moved it
        self.reader = NetReader(self)
        self.reader.progressed.connect(self._take)
        self.reader.failed.connect(self.failed)
        self.first, self.second = NetCard(self), NetCard(self)
        self.table = FigureTable((("", ""),) * 4, self)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        rows, titles = self.table.verticalHeader(), self.table.horizontalHeader()
        by_font(
            self.table,
            lambda: self.table.setMinimumHeight(MOST_MOVES * rows.defaultSectionSize() + titles.sizeHint().height()),
        )
        self.charts = tuple(
            Chart(chart.title, chart.meaning, self, 1) for chart in (ELO_CHART, VALUE_CHART, POLICY_CHART)
        )
        self.elo, self.value_chart, self.policy_chart = self.charts
        for chart in self.charts:
            chart.plot.pressed.connect(self._choose_at)
            chart.plot.setCursor(Qt.CursorShape.PointingHandCursor)
            chart.plot.pointed.connect(self._hover)
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        set_texts(self.slider, accessibleName="Checkpoint")
        self.slider.setPageStep(5)
        self.slider.setMinimumWidth(120)
        self.slider.valueChanged.connect(self._slid)
        self.compare = ComboBox(self)
        self.compare.setMinimumWidth(170)
        set_texts(self.compare, accessibleName="Compare with")
        self.compare.activated.connect(self._compare_with)
        self.best = set_texts(QPushButton(self), text="Best")
        set_texts(self.best, toolTip="The highest-rated net on the ladder")
        self.best.clicked.connect(self._go_to_best)
        self.use = set_texts(QPushButton(self), text="Use in analysis")
        self.learnt = set_texts(QPushButton(self), text="When learnt")
        set_texts(
            self.learnt,
            toolTip="What did it learn when? The room Inside the net asks the kept nets of the run for each concept.",
        )
        self.match = MatchStrip(self)
        self.match.failed.connect(self.failed)
        self.where = LearnedWhere(self)
        self.where.position_opened.connect(self.position_opened)
        self.where.failed.connect(self.failed)
        self.where.notified.connect(self.notified)
        self.play, self.what_if = QPushButton(self), QPushButton(self)
        set_texts(self.play, text="Match…")
        set_texts(self.what_if, text="What if")
        self.play.setCheckable(True)
        self.play.toggled.connect(self.match.setVisible)
        self.what_if.clicked.connect(self._compare_searches)
        self.export = QToolButton(self)
        self.export.setObjectName("choice")
        set_texts(self.export, text="Export")
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.export)
        for precision, title in PRECISIONS.items():
            set_texts(menu.addAction("", partial(self._export, precision)), text=title)
        self.export.setMenu(menu)
        self.use.clicked.connect(self._use)
        self.learnt.clicked.connect(self._ask_learning)
        self.empty = make_label(self, "dim")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.note = make_label(self, "dim")
        self._lay_out()
        on_language(self, self._show_again)

    def _lay_out(self) -> None:
        table_card = make_frame(self, "card")
        table_card.setMinimumWidth(230)
        heading = make_label(table_card, "heading", "Policy")
        heading.setContentsMargins(6, 0, 0, 0)
        lay_column(heading, (self.table, 1), of=table_card, margins=8)
        boards = QSplitter(Qt.Orientation.Horizontal, self)
        boards.setChildrenCollapsible(False)
        boards.setHandleWidth(8)
        for widget, stretch in ((self.first, 3), (self.second, 3), (table_card, 0)):
            boards.addWidget(widget)
            boards.setStretchFactor(boards.count() - 1, stretch)
        boards.setSizes([400, 400, 320])
        charts = lay_row(*((chart, 1) for chart in self.charts), spacing=8)
        self.earlier, self.later = QToolButton(self), QToolButton(self)
        for button, text, by, tip in (
            (self.earlier, "◀", -1, Text("The checkpoint before")),
            (self.later, "▶", 1, Text("The checkpoint after")),
        ):
            button.setText(text)
            button.setAutoRepeat(True)
            set_texts(button, toolTip=tip, accessibleName=tip)
            button.clicked.connect(lambda _=False, d=by: self.slider.setValue(self.slider.value() + d))
        bar = make_frame(self, "card")
        row = FoldingRow(bar)
        lay_row(row, of=bar, margins=(12, 7, 12, 7))
        against = make_label(bar, "dim", "Compare with")
        row.left.addWidget(self.earlier)
        row.left.addWidget(self.slider, 1)
        row.left.addWidget(self.later)
        row.left.addWidget(self.best)
        inner = row.fold_right()
        inner.left.addWidget(against)
        inner.left.addWidget(self.compare)
        for part in (self.play, self.what_if, self.use, self.learnt, self.export):
            inner.right.addWidget(part)
        for half in (inner.left, inner.right):
            half.addStretch(1)
        for half in (row.left, inner.left, inner.right):
            half.setSpacing(8)
        row.set_stretch(1, 0)
        self._body = QWidget(self)
        lay_column(bar, self.match, self.note, (boards, 1), self.where, charts, of=self._body, margins=0, spacing=8)
        lay_column((self.empty, 1), (self._body, 1), of=self, margins=0)
        self.second.hide()

    # contents

    def show_run(self, run: RunModel | None, axis: str) -> None:
        """Show the nets of a run; the slider stays where it was put, or on the newest."""
        changed = run is not self._run
        self._axis = axis
        nets = run.nets() if run is not None else []
        if changed:
            self._run, self._answers, self._other, self.follows = run, {}, None, True
            self._refused.clear()
        self.elo.show_drawing(ELO_CHART.draw(ELO_CHART, [ShownRun(run, 0)] if run is not None else [], View(axis)))
        same_nets = [net.path for net in self._nets] == [net.path for net in nets]
        step = self.net.step if self.net is not None else -1
        self._nets = nets
        self.empty.setVisible(not nets)
        self._body.setVisible(bool(nets))
        set_texts(
            self.empty, text="No net has been kept yet. The first is kept after “checkpoint minutes” of training."
        )
        if changed or not same_nets:
            self._fill_compare()
            self.slider.blockSignals(True)
            self.slider.setRange(0, max(0, len(nets) - 1))
            at = next((i for i, net in enumerate(nets) if net.step == step), len(nets) - 1)
            self.slider.setValue(len(nets) - 1 if self.follows else at)
            self.slider.blockSignals(False)
            self._ask()
        self.where.show_case(run, self._position)
        self._show()

    def show_position(self, position: Position | None, note: str) -> None:
        """Set the position to evaluate; ``note`` says where it comes from."""
        self.note.setText(note)
        if position != self._position:
            self._position, self._answers = position, {}
            self.where.show_case(self._run, position)
            self._ask()
            self._show()

    @property
    def net(self) -> Checkpoint | None:
        """The net under the slider."""
        return self._nets[self.slider.value()] if 0 <= self.slider.value() < len(self._nets) else None

    def choose(self, step: int) -> None:
        """Move the slider to the net nearest to a step."""
        if self._nets:
            nearest = min(range(len(self._nets)), key=lambda i: abs(self._nets[i].step - step))
            self.slider.setValue(nearest)

    def _hover(self, x: float) -> None:
        """Move the common crosshair of all three charts."""
        for chart in self.charts:
            chart.set_hover(x)

    def _choose_at(self, x: float) -> None:
        if self._nets:
            at = [net.at(self._axis) for net in self._nets]
            self.slider.setValue(min(range(len(at)), key=lambda i: abs(at[i] - x)))

    def _slid(self, place: int) -> None:
        self.follows = place == self.slider.maximum()
        self._show()
        if self.net is not None:
            self.chosen.emit(self.net.step)

    def _fill_compare(self) -> None:
        self.compare.clear()
        self.compare.addItem(tr("no other"), "")
        for net in reversed(self._nets):
            self.compare.addItem(net_title(net), net.path)
        others = [None, *(net.path for net in reversed(self._nets))]  # findData does not recognise equal paths
        self.compare.setCurrentIndex(others.index(self._other) if self._other in others else 0)

    def _show_again(self) -> None:
        self._fill_compare()
        self._show()

    def _compare_with(self, _: int) -> None:
        self._other = self.compare.currentData() or None
        self._show()

    def _ask(self) -> None:
        """Request the net under the slider first, then the others, newest first."""
        position, now = self._position, self.net
        if position is None or now is None or position.is_over:
            self.reader.forget()
            return
        missing = [n.path for n in reversed(self._nets) if n.path not in self._answers and n.path not in self._refused]
        missing.sort(key=lambda path: path != now.path)
        if missing:
            self.reader.ask(position, missing)

    def _take(self, answer: NetAnswer) -> None:
        if answer.position == self._position:
            self._answers[answer.path] = answer
            self._show()

    def _go_to_best(self) -> None:
        best = next((net for net in self._nets if self._run is not None and net.player == self._run.best), None)
        if best is not None:
            self.choose(best.step)

    def _show(self) -> None:
        net = self.net
        other = next((n for n in self._nets if n.path == self._other), None)
        first = self._answers.get(net.path) if net is not None else None
        second = self._answers.get(other.path) if other is not None else None
        best = self._run.best if self._run is not None else ""
        self.first.show_net(net, first, self._position, best)
        self.second.setVisible(other is not None)
        self.second.show_net(other, second, self._position, best)
        self._show_table(first, second, other)
        self._show_charts(first)
        at = math.nan if net is None else net.at(self._axis)
        for chart in self.charts:
            chart.set_marker(at)
        self.match.offer(self._run.spec if self._run is not None else None, net, other)
        two = net is not None and other is not None and net.path != other.path
        for button, tip in ((self.play, MATCH_TIP), (self.what_if, WHAT_IF_TIP)):
            button.setEnabled(two)
            set_tip(button, tr(tip if two else CHOOSE_TWO))
        self.use.setEnabled(net is not None)
        self.learnt.setEnabled(len(self._nets) > 1)
        self.export.setEnabled(net is not None)
        self.best.setEnabled(self._run is not None and self._run.best in {net.player for net in self._nets})

    def _show_table(self, first: NetAnswer | None, second: NetAnswer | None, other: Checkpoint | None) -> None:
        columns = (
            (Text("Move"), ""),
            ("P", ""),
            (Text("P at {step}", step=count(other.step)) if other else "", ""),
            (Text("Change") if other else "", ""),
        )
        self.table.set_titles(columns)
        for place in (2, 3):
            self.table.setColumnHidden(place, other is None)
        rows = []
        if first is not None:
            name = first.position.game.action_name
            for action, p in sorted(first.policy.items(), key=lambda pair: -pair[1])[:MOST_MOVES]:
                q = second.policy.get(action, math.nan) if second is not None else math.nan
                rows.append((name(action), percent(p), percent(q), signed(100 * (p - q), 1)))
        self.table.show_rows(rows)

    def _show_charts(self, first: NetAnswer | None) -> None:
        followed = sorted(first.policy, key=lambda a: -first.policy[a])[:FOLLOWED] if first is not None else []
        values, policies = Series(), [Series() for _ in followed]
        for net in self._nets:
            answer = self._answers.get(net.path)
            if answer is not None:
                values.add(net.moment, answer.value)
                for series, action in zip(policies, followed, strict=True):
                    series.add(net.moment, answer.policy.get(action, math.nan))
        across = abscissae(self._run.moment.at(self._axis) if self._run is not None else 0.0)
        view = View(self._axis)
        values_curve = (Curve("value", "V", 1), values)
        self.value_chart.show_drawing(draw_curves(VALUE_CHART, [values_curve], view, across))
        name = first.position.game.action_name if first is not None else str
        curves = [(Curve(str(a), name(a), i), s) for i, (a, s) in enumerate(zip(followed, policies, strict=True))]
        self.policy_chart.show_drawing(draw_curves(POLICY_CHART, curves, view, across))

    def _use(self) -> None:
        if self.net is not None:
            self.net_used.emit(self.net.path)

    def _ask_learning(self) -> None:
        if self.net is not None:
            self.learning_asked.emit(self.net.path)

    def _compare_searches(self) -> None:
        if self.net is not None and self._other is not None and self._position is not None:
            self.nets_compared.emit(self._position, (self.net.path, self._other))

    def _export(self, precision: str) -> None:
        if self.net is not None:
            self.net_exported.emit(self.net.path, precision)
