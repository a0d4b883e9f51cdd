"""The state of a game being played, in words.  Decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.language.language import tr
from gui.rooms.opponents.clock import early_words
from gui.widgets.board.board_paint import kind_of
from gui.widgets.figures import count, simulations_words
from gui.widgets.words import outcome_text

if TYPE_CHECKING:
    from core.games import Position
    from gui.model.session import Session
    from gui.model.state import AppState
    from gui.rooms.opponents.play import Play


def turn_words(play: Play, state: AppState, session: Session) -> str:
    """Return whose turn it is and what happens next."""
    position, seat = state.position, play.to_move
    if position is None:
        return tr("No game is open.")
    if seat is None:
        return result_words(position)
    name = kind_of(position.game.name).players[position.to_move]
    if not play.running and (words := early_words(state)):
        return words
    if not play.running:
        return tr("{name} to move. Start lets the engine play.").format(name=name)
    if not play.at_the_end:
        return tr("Looking back: play goes on at the last move, or from a move made here.")
    if not seat.engine:
        return tr("Your move, {name}.").format(name=name)
    if play.making_move:
        return tr("{name} is making its move.").format(name=name)
    if seat.outside is not None:
        return tr("{name} is {engine}, which thinks: {seconds:g} s a move.").format(
            name=name, engine=seat.outside.name, seconds=seat.seconds
        )
    snapshot = session.newest
    made = snapshot.simulations if snapshot is not None else 0
    if seat.seconds is not None:
        return tr("{name} thinks for {seconds:g} s: {done}.").format(
            name=name, seconds=seat.seconds, done=simulations_words(made)
        )
    return tr("{name} thinks: {done} of {simulations}.").format(
        name=name, done=count(made), simulations=simulations_words(seat.simulations)
    )


def result_words(position: Position) -> str:
    """Return the result: "Red wins after 23 moves."; "The game is a draw after 42 moves."."""
    if position.is_agreed:
        return tr("Both have passed after {plies} moves: click the dead stones on the board.").format(
            plies=position.ply
        )
    title, winner = outcome_text(position, kind_of(position.game.name).players)
    if winner < 0:
        return tr("The game is a draw after {plies} moves.").format(plies=position.ply)
    words = tr("{title} after {plies} moves.", position.ply)
    return words.format(title=title, plies=position.ply)
