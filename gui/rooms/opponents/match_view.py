"""A match: its players, how it stands and its games, and how the room is joined to the window."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from core.text import Text, Words, text_of
from gui.jobs.match_job import KeptGame, MatchJob, MatchPlan, MatchPlayer
from gui.jobs.task import run_task
from gui.language.language import tr
from gui.rooms.opponents.player_fields import MatchPlayerFields, Sources, offered_sources
from gui.widgets.figures import Column, count
from gui.widgets.folding_row import FoldingRow
from gui.widgets.form import ErrorLine, NumberEdit
from gui.widgets.in_sight import SeenWidget
from gui.widgets.labels import ShortLabel, main_button, make_label
from gui.widgets.layouts import lay_column
from gui.widgets.saving import ask_save_name, write_file
from gui.widgets.standing import ScoreBar, standing_words
from gui.widgets.tables.row_delegate import Look
from gui.widgets.tables.table import ListTable, TableModel
from gui.widgets.text_size import give_room
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font

if TYPE_CHECKING:
    from core.files.record import GameRecord
    from gui.context import Context

GAMES, MOST_GAMES, MOST_OPENING = 10, 10_000, 100
Numbered = tuple[int, KeptGame]  # from 1


def _info(key: str, title: Words, meaning: Words) -> Column[Numbered]:
    return Column(
        key, title, meaning, "A long name, 100", lambda row: row[1].record.info[key], number=False, elided=True
    )


def result_words(game: KeptGame) -> str:
    """Who won a game, by name."""
    if game.score is None:
        return tr("not finished")
    result = game.record.info["result"]
    if result == "0":
        return tr("draw")
    winner = game.record.info["black" if result.startswith("B") else "white"]
    words = tr("{name} by resignation") if result.endswith("R") else "{name}"
    return words.format(name=winner)


COLUMNS: Final[tuple[Column[Numbered], ...]] = (
    Column("number", "#", "Number of the game; each opening is played twice.", "999", lambda row: str(row[0])),
    _info("black", "First", "The player who begins: black, X or yellow."),
    _info("white", "Second", "The other player."),
    Column(
        "result",
        "Won by",
        "The winner, or a draw.",
        "A long name, 100",
        lambda row: result_words(row[1]),
        number=False,
        elided=True,
    ),
    Column(
        "moves",
        "Length",
        "Moves of the game, with those of the opening.",
        "999",
        lambda row: str(row[1].plies),
    ),
)


class PlayedModel(TableModel[Numbered]):
    """One row for each game."""

    def look(self, row: Numbered, column: int) -> Look:
        return Look(self.columns[column].text(row), "faint" if row[1].score is None else "text")

    def identity(self, row: Numbered) -> Hashable:
        return row[0]


class MatchView(SeenWidget):
    """Starts and stops a match, shows its score and lists its games; a double click or Enter chooses one."""

    toggled = Signal()  # start or stop
    chosen = Signal(object)  # KeptGame
    saved = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.job = MatchJob(self)
        self.players = (
            MatchPlayerFields("First player of the match", self),
            MatchPlayerFields("Its opponent", self),
        )
        self.games, self.opening = NumberEdit(self, "Games"), NumberEdit(self, "Random moves first")
        self.run = main_button("Start", self)
        self.save = set_texts(
            QPushButton(self), text="Save games…", toolTip="Save all games of the match as one SGF file"
        )
        give_room(self.save)
        self.error = ErrorLine(self)
        self.doing = ShortLabel(self, "dim")
        self.standing = make_label(self, "dim", wrap=True)
        self.standing.setFont(figure_font(self.font()))
        self.bar = ScoreBar(self)
        self.model = PlayedModel(COLUMNS)
        self.table = ListTable(self.model, "Games of the match", self)
        self.table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)  # the words go first
        self._lay_out()
        self.run.clicked.connect(self.toggled)
        self.save.clicked.connect(self.saved)
        self.table.chosen.connect(lambda row: self.chosen.emit(row[1]))
        self.job.changed.connect(self.renew)
        self.job.failed.connect(self.error.say)
        on_language(self, self.renew)
        set_texts(self, accessibleName="Match")
        self.renew()

    def _lay_out(self) -> None:
        sides = FoldingRow(self, 18)
        sides.left.addWidget(self.players[0])
        sides.right.addWidget(self.players[1])
        sides.set_stretch(1, 1)
        row = FoldingRow(self)
        for part in (row.left, row.right):
            part.setSpacing(8)
        row.set_stretch(0, 1)
        for field, value, name in (
            (self.games, GAMES, Text("Games")),
            (self.opening, 2, Text("Random moves first")),
        ):
            field.setText(str(value))
            field.setMaximumWidth(70)
            row.left.addWidget(make_label(self, "dim", name))
            row.left.addWidget(field)
        set_texts(self.opening, toolTip="So that games differ: each random opening is played twice, with both colours")
        row.left.addWidget(self.run)
        row.left.addStretch(1)
        row.right.addWidget(self.doing, 1)
        row.right.addWidget(self.save)
        top = lay_column(sides, row, self.error, self.standing, self.bar, margins=(12, 4, 12, 0), spacing=6)
        lay_column(top, (self.table, 1), of=self, margins=0, spacing=6)

    def sizeHint(self) -> QSize:
        return QSize(620, 320)

    def offer(self, sources: Sources) -> None:
        """Offer these players."""
        self.players[0].offer(sources)
        self.players[1].offer(sources, chosen=1)

    def entered(self) -> tuple[tuple[MatchPlayer, MatchPlayer], int, int]:
        """Return players, games and random moves; ``ValueError`` for values that cannot be."""
        first, second = self.players
        games, opening = self.games.whole(2, MOST_GAMES), self.opening.whole(0, MOST_OPENING)
        return (first.player(), second.player()), games + games % 2, opening

    def start(self, make: object) -> None:
        """Start the match that ``make`` returns for what is entered; what is wrong is said."""
        assert callable(make)
        self.error.say("")
        try:
            plan = make(*self.entered())
        except ValueError as error:
            self.error.say(text_of(error))
            return
        if isinstance(plan, MatchPlan):
            self.job.start(plan)

    def renew(self) -> None:
        """Show how the match stands."""
        job = self.job
        self.run.setText(tr("Stop") if job.running else tr("Start"))
        self.run.setEnabled(not job.stopping)
        self.save.setEnabled(bool(job.games) and job.plan is not None and job.plan.game.sgf is not None)
        self.bar.show_score(job.score, 0 if job.plan is None else job.plan.games)
        self.doing.setText(self._doing())
        self.standing.setText(self._words())
        if len(self.model.rows) != len(job.games):
            self.model.show(list(enumerate(job.games, 1)))
            self.table.fit_columns()

    def _words(self) -> str:
        plan = self.job.plan
        if plan is None:
            return tr("Two players, several games: each random opening twice, with both colours.")
        first, second = (player.name for player in plan.players)
        words = tr("{first} against {second}").format(first=first, second=second)
        if sum(self.job.score):
            words += ": " + standing_words(self.job.score, plan.games)
        same, pairs = self.job.one_sided
        if same:
            line = tr(
                "In {same} of {pairs} openings the same side of the board won both: that says nothing of the players."
            )
            words += "\n" + line.format(same=count(same), pairs=count(pairs))
        return words

    def _doing(self) -> str:
        """What is going on, or that nothing came of it."""
        job = self.job
        done = sum(job.score)
        if job.stopping:
            return tr("The last move is waited for.")
        if job.running and job.ply:
            return tr("game {number}, move {ply}").format(number=count(done + 1), ply=count(job.ply))
        return "" if job.plan is None or done or job.running else tr("No game was finished.")


def connect_match(context: Context, open_game: Callable[[GameRecord], object], widget: QWidget) -> None:
    """Connect the view; ``open_game`` shows a game of the match."""
    assert isinstance(widget, MatchView)
    view, state = widget, context.state

    def offer() -> None:
        view.offer(offered_sources(context, (state.source,)))

    def plan(players: tuple[MatchPlayer, MatchPlayer], games: int, opening: int) -> MatchPlan | None:
        game, settings = state.game, state.settings
        if game is None or settings is None:
            raise ValueError(Text("No game is open."))
        return MatchPlan(game, players, games, opening, settings)

    def toggle() -> None:
        if view.job.running:
            view.job.stop()
        else:
            view.start(plan)

    def open_kept(game: KeptGame) -> None:
        open_game(game.record.copy())

    def save() -> None:
        records = [game.record for game in view.job.games]
        path = ask_save_name(context.window, tr("Save the games of the match"), "games", "match.sgf")
        if path is not None:
            done = partial(context.messages.show_notice, Text("The games of the match are saved."))
            run_task(view, partial(_write, path, records), lambda _: done(), context.messages.show_error, writes=True)

    view.toggled.connect(toggle)
    view.chosen.connect(open_kept)
    view.saved.connect(save)
    view.in_sight.connect(lambda visible: offer() if visible else None)
    view.returned.connect(offer)
    state.game_changed.connect(offer)
    state.search_changed.connect(offer)  # perhaps another net
    context.opener.listed.connect(offer)
    on_language(view, offer)
    context.events.closing.connect(view.job.stop)
    offer()


def _write(path: Any, records: list[GameRecord]) -> None:
    from core.files.sgf import write_sgf

    write_file(path, write_sgf(records))
