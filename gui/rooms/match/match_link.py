"""Connects the match to the window: who can play, the game, where games are opened and saved."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from core.text import Text
from gui.jobs.match_job import KeptGame, MatchPlan, MatchPlayer
from gui.jobs.task import run_task
from gui.language.language import mark, tr
from gui.model.sources import UniformSource, net_source, outside_sources, source_title
from gui.rooms.match.match_players import Sources
from gui.rooms.match.match_view import MatchView
from gui.widgets.saving import ask_save_name, write_file
from gui.widgets.texts import on_language

if TYPE_CHECKING:
    from core.files.record import GameRecord
    from gui.context import Context


def connect_match(context: Context, open_game: Callable[[GameRecord], object], widget: QWidget) -> None:
    """Connect the view; ``open_game`` shows a game of the match."""
    assert isinstance(widget, MatchView)
    view, state = widget, context.state

    def sources() -> Sources:
        found: dict[Any, str] = {}
        for source in (state.source, *map(_source_of, context.opener.nets)):
            if source is not ...:
                found.setdefault(source, source_title(source))
        for source in (None, UniformSource(), *outside_sources(state.game)):
            found.setdefault(source, source_title(source))
        return [(title, source) for source, title in found.items()]

    def offer() -> None:
        view.offer(sources())

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
        path = ask_save_name(context.window, tr("Save the games of the match"), "match.sgf")
        if path is not None:
            done = partial(context.messages.show_notice, mark("The games of the match are saved."))
            run_task(view, partial(_write, path, records), lambda _: done(), context.messages.show_error, writes=True)

    view.asked.connect(toggle)
    view.chosen.connect(open_kept)
    view.saved.connect(save)
    view.shown.connect(offer)
    state.game_changed.connect(offer)
    state.search_changed.connect(offer)  # perhaps another net
    context.opener.listed.connect(offer)
    on_language(view, offer)
    context.events.closing.connect(view.job.stop)
    offer()


def _source_of(path: Any) -> Any:
    try:
        return net_source(path)
    except ValueError:
        return ...


def _write(path: Any, records: list[GameRecord]) -> None:
    from core.files.sgf import write_sgf

    write_file(path, write_sgf(records))
