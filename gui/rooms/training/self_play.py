"""The self-play page: running games, read from the run's folder, as small boards, and the root figures of one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QWidget

from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.shown import position_at
from gui.rooms.training.run_page import FigureTable, RunPage
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.small_board import SmallBoard
from gui.widgets.figures import count, percent, signed, value_text
from gui.widgets.keys import ENTER
from gui.widgets.labels import ShortLabel, make_frame, make_label, repolish
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.room import scroll_down
from gui.widgets.text_size import by_font, px, scale
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font
from gui.widgets.words import outcome_text
from models.play.live import LiveGame, read_live
from models.runs.folder import LIVE

if TYPE_CHECKING:
    from core.games import GameSpec, Position


@dataclass(frozen=True)
class RootMove:
    """A root move of a running search."""

    action: int
    visits: int
    q: float  # for the side that plays it
    prior: float


@dataclass(frozen=True)
class WatchedGame:
    """A running game: its position and the search's figures.  ``value`` is for the side to move."""

    id: str
    opening: int  # number of random plies at the start
    position: Position
    full: bool  # a full search: noise, and a policy target
    temperature: float  # of the visits the move is drawn from
    value: float | None
    moves: tuple[RootMove, ...]
    resign: str  # in words; "" for none


def watch_games(run: Path, game: GameSpec, before: Iterable[WatchedGame] = ()) -> list[WatchedGame]:
    """Return the running games of a run; one whose moves are not legal in ``game`` is left out.

    ``before`` are those of the last call: their positions are continued instead of replayed from the start.
    """
    positions = {watched.id: watched.position for watched in before if watched.position.game == game}
    games = []
    for live in read_live(run / LIVE):
        try:
            games.append(_watched(live, game, positions))
        except ValueError:
            continue
    return games


def _watched(live: LiveGame, game: GameSpec, positions: Mapping[str, Position]) -> WatchedGame:
    line = (*live.start, *live.moves)
    position = positions.get(str(live.id), game.initial())
    if tuple(position.moves) != line[: len(position.moves)]:
        position = game.initial()
    position = position_at(position, line[len(position.moves) :])
    figures = tuple(RootMove(*figure) for figure in live.moves_figures if figure[0] in position.legal_actions())
    return WatchedGame(
        str(live.id),
        len(live.start),
        position,
        live.full,
        live.temperature,
        live.value,
        figures,
        core_text(live.resign or ""),
    )


def phase_words(game: WatchedGame) -> str:
    """Return how the next move is chosen: "after 2 random plies", or "τ 0.25"."""
    if game.position.ply <= game.opening and game.opening:
        words = tr("after {plies} random plies", game.opening)
        return words.format(plies=game.opening)
    return f"τ {game.temperature:g}"


MOST_GAMES = 16
NARROWEST = 205  # px of a game
COLUMNS: Sequence[tuple[Words, Words]] = (
    ("Move", ""),
    ("N", "Visits: simulations that went through the move."),
    ("Share", ""),
    ("P", "Prior: the net's policy, with the root's noise in a full search."),
    ("Q", "Searched value for the side that plays it."),
)


def value_words(game: WatchedGame) -> str:
    """Return the searched value with the player it is for."""
    position = game.position
    players = kind_of(position.game.name).players
    if position.is_over:
        return outcome_text(position, players)[0]
    if game.value is None:
        return tr("{players} to move").format(players=players[position.to_move])
    return value_text(game.value, players[position.to_move])


def visit_shares(game: WatchedGame) -> dict[int, float]:
    """Return each move's share of the reported visits."""
    total = max(1, sum(move.visits for move in game.moves))
    return {move.action: move.visits / total for move in game.moves}


class GameCard(QFrame):
    """A card with one running game."""

    pointed = Signal()
    opened = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tile")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_texts(self, toolTip="Click to open the game on the analysis board")
        self.board = SmallBoard(self)
        self.board.clicked.connect(self.opened)
        self.value, self.phase, self.resign = ShortLabel(self), ShortLabel(self), ShortLabel(self)
        self.value.setFont(figure_font(self.value.font()))
        self.phase.setObjectName("dim")
        self.resign.setObjectName("error")
        column = lay_column((self.board, 1), of=self, margins=(8, 6, 8, 8), spacing=1)
        for label in (self.value, self.phase, self.resign):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        self.setFixedHeight(266)

    def show_game(self, game: WatchedGame) -> None:
        self.board.show_position(game.position, visit_shares(game), "share_ramp")
        self.value.setText(value_words(game))
        self.phase.setText(tr("ply {ply} · {game}").format(ply=game.position.ply, game=phase_words(game)))
        self.resign.setText(game.resign)
        self.setAccessibleName(
            tr("Game {id}: {text}, {text_2} {resign}").format(
                id=game.id, text=self.value.text(), text_2=self.phase.text(), resign=game.resign
            )
        )

    def set_looked_at(self, looked_at: bool) -> None:
        """Set whether its figures are shown beside the games."""
        if self.property("looked_at") != looked_at:
            self.setProperty("looked_at", looked_at)
            repolish(self)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.pointed.emit()

    def focusInEvent(self, event: QEvent) -> None:
        self.pointed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (*ENTER, Qt.Key.Key_Space):
            self.opened.emit()
        else:
            super().keyPressEvent(event)


class SelfPlayPage(RunPage):
    """A grid of games, and beside it the figures of the one last pointed at."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._games: list[WatchedGame] = []
        self._looked_at = ""  # id of the game whose figures are shown
        self._columns, self._scale = 0, 0.0
        self.cards = [GameCard(self) for _ in range(MOST_GAMES)]
        body = QWidget(self)
        body.setAutoFillBackground(False)
        self._grid = QGridLayout(body)
        self._grid.setContentsMargins(0, 0, 4, 0)
        self._grid.setSpacing(8)
        self._scroll = scroll_down(body, self, "Games")
        self.empty = make_label(self, "dim", wrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._side = self._make_side()
        lay_row((self._scroll, 1), (self.empty, 1), self._side, of=self, margins=0, spacing=8)
        for place, card in enumerate(self.cards):
            card.pointed.connect(lambda p=place: self._look_at(p))
            card.opened.connect(lambda p=place: self._open(p))
        by_font(self, self._arrange)
        self.show_games([], "")
        on_language(self, lambda: self.show_games(self._games, self.empty.text()))

    def _make_side(self) -> QFrame:
        side = make_frame(self, "card")
        side.setFixedWidth(330)
        self.title, self.phase, self.search, self.resign = (QLabel(side) for _ in range(4))
        self.title.setObjectName("title")
        self.phase.setObjectName("dim")
        self.search.setObjectName("dim")
        self.resign.setObjectName("error")
        self.table = FigureTable(COLUMNS, side)
        self.open = set_texts(QPushButton(side), text="Open in analysis")
        self.open.clicked.connect(self._open_looked_at)
        column = lay_column(of=side, margins=(14, 12, 14, 12), spacing=4)
        for label in (self.title, self.phase, self.search, self.resign):
            label.setWordWrap(True)
            column.addWidget(label)
        column.addSpacing(6)
        column.addWidget(self.table, 1)
        column.addWidget(self.open)
        return side

    def show_games(self, games: list[WatchedGame], why_none: str) -> None:
        """Show the running games; ``why_none`` is shown if there are none."""
        self._games = games[:MOST_GAMES]
        self.empty.setText(why_none)
        self.empty.setVisible(not games)
        self._scroll.setVisible(bool(games))
        self._side.setVisible(bool(games))
        for place, card in enumerate(self.cards):
            card.setVisible(place < len(self._games))
            if place < len(self._games):
                card.show_game(self._games[place])
        self._show_side()

    def _game_looked_at(self) -> WatchedGame | None:
        return next((g for g in self._games if g.id == self._looked_at), self._games[0] if self._games else None)

    def _look_at(self, place: int) -> None:
        if place < len(self._games):
            self._looked_at = self._games[place].id
            self._show_side()

    def _show_side(self) -> None:
        game = self._game_looked_at()
        if game is None:
            return
        for card, shown in zip(self.cards, self._games, strict=False):
            card.set_looked_at(shown is game)
        self.title.setText(value_words(game))
        self.phase.setText(
            tr("Game {id} · ply {ply} · {game}").format(id=game.id, ply=game.position.ply, game=phase_words(game))
        )
        visits = sum(move.visits for move in game.moves)
        kind = tr("full search, to learn from") if game.full else tr("fast search")
        self.search.setText(
            tr("{kind} · {visits} visits").format(kind=kind, visits=count(visits))
            if visits
            else tr("{kind} begins").format(kind=kind)
        )
        self.resign.setText(game.resign)
        self.resign.setVisible(bool(game.resign))
        shares = visit_shares(game)
        name = game.position.game.action_name
        rows = [
            (name(m.action), count(m.visits), percent(shares[m.action]), percent(m.prior), signed(m.q, 2))
            for m in sorted(game.moves, key=lambda move: -move.visits)
        ]
        self.table.show_rows(rows)

    def _open(self, place: int) -> None:
        if place < len(self._games):
            self._open_game(self._games[place])

    def _open_game(self, game: WatchedGame) -> None:
        self.position_opened.emit(game.position, game.position.ply)

    def _open_looked_at(self) -> None:
        game = self._game_looked_at()
        if game is not None:
            self._open_game(game)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        columns = max(1, (self.width() - self._side.width() - 20) // px(NARROWEST))
        if (columns, scale()) == (self._columns, self._scale):
            return
        self._columns, self._scale = columns, scale()
        for place, card in enumerate(self.cards):
            self._grid.addWidget(card, *divmod(place, columns))
        for column in range(MOST_GAMES):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
            self._grid.setColumnMinimumWidth(column, px(NARROWEST - 20) if column < columns else 0)
        self._grid.setRowStretch(MOST_GAMES, 1)
