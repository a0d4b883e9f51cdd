"""The self-play games in progress, as read from ``live.json``, and their phase in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.shown import position_at
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
    known = {watched.id: watched.position for watched in before if watched.position.game == game}
    games = []
    for live in read_live(run / LIVE):
        try:
            games.append(_watched(live, game, known))
        except ValueError:
            continue
    return games


def _watched(live: LiveGame, game: GameSpec, known: Mapping[str, Position]) -> WatchedGame:
    line = (*live.start, *live.moves)
    position = known.get(str(live.id), game.initial())
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


def phase_words(game: WatchedGame, config: Mapping[str, Any]) -> str:
    """Return how the next move is chosen: "after 2 random plies", "early · τ 1" or "late · τ 0.25"."""
    if game.position.ply <= game.opening and game.opening:
        words = tr("after {plies} random plies", game.opening)
        return words.format(plies=game.opening)
    early = game.position.ply < int(config.get("self_play.temperature_plies", 0) or 0)
    return (tr("early · τ {tau:g}") if early else tr("late · τ {tau:g}")).format(tau=game.temperature)
