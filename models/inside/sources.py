"""Positions of an audit, a training run or files of games, over which a net is looked into.

Each is there once, as it is or mirrored, and none has ended; of more than are wanted some are drawn evenly.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from core.games import GameSpec, Position
from core.text import Text
from models.audit.answers import Audited
from models.audit.positions import Item, Taken, file_games, game_items, games_of, key_of, replay_games
from models.audit.results import SUFFIX, Audit, net_file, read_audit
from models.audit.shapes import LEAST_LOSS
from models.inside.sample import Origin, Sample, Stop, play_sample
from models.netfiles.tapped import TappedNet
from models.runs.folder import REPLAY
from models.strength.exams import after

PLAYED: Final = "played"
AUDIT: Final = "audit"
RUN: Final = "run"
GAMES: Final = "games"
_MOST_GAMES: Final = 20_000  # of which positions are drawn
_MOST_NOTES: Final = 20


class _Found(NamedTuple):
    """A position, the number of its game, and where it is from."""

    position: Position
    game: int
    origin: Origin


def kind_of_source(place: Path | None) -> str:
    """What is read at ``place``: an audit's file, the replay of a training run, or files of games; PLAYED for None."""
    if place is None:
        return PLAYED
    if place.suffix.lower() == SUFFIX:
        return AUDIT
    return RUN if (place / REPLAY).is_dir() else GAMES


def sample_of(
    net: TappedNet,
    place: Path | None,
    number: int,
    seed: int = 0,
    stop: Stop = lambda: False,
    taken: Taken = lambda games: None,
) -> Sample | None:
    """At most ``number`` positions of ``place``, or of games that are played where it is None; None when stopped.

    taken: called with the number of games read from files.  ValueError, one sentence, where there is no position,
    OSError when it cannot be read."""
    rng = np.random.default_rng(seed)
    if place is None:
        played = play_sample(net, number, seed, stop)
        return None if stop() else played
    if kind_of_source(place) == AUDIT:
        audit = read_audit(place)
        if audit.game != net.game:
            raise ValueError(
                Text("the audit is of {game}, the net for {other}", game=audit.game.text, other=net.game.text)
            )
        found, notes = _audited(audit, net, number, rng)
    else:
        found, notes = _of_games(place, net.game, number, rng, stop, taken)
    if stop():
        return None
    if not found:
        raise ValueError(Text("{place} has no position of {game}", place=place.name, game=net.game.text))
    games = np.array([one.game for one in found], np.int64)
    return Sample(tuple(one.position for one in found), games, tuple(one.origin for one in found), notes)


def _audited(
    audit: Audit, net: TappedNet, number: int, rng: np.random.Generator
) -> tuple[list[_Found], tuple[str, ...]]:
    """Positions of an audit, with the mistakes of this net, or of the first where this one was not audited."""
    judge, is_this = judge_of(audit, net)
    notes: list[str] = []
    if not is_this:
        notes.append(
            Text("The mistakes are those of {net}; this net was not audited.", net=audit.plan.nets[judge].name)
        )
    places = np.arange(len(audit.done))
    if len(places) > number:
        places = np.sort(rng.choice(places, number, replace=False))
    chosen = [audit.done[place] for place in places.tolist()]
    games = games_of([audited.item for audited in chosen])
    found: dict[bytes, _Found] = {}
    for audited, game in zip(chosen, games, strict=True):
        position = after(audit.game, audited.item.moves)
        found.setdefault(key_of(position), _Found(position, game, _origin(audited, judge, position)))
    return list(found.values()), tuple(notes)


def judge_of(audit: Audit, net: TappedNet) -> tuple[int, bool]:
    """The number of a net among those of an audit, and whether it is there; 0, the first, where it is not."""
    this = net_file(net.path).sha256
    numbers = [number for number, file in enumerate(audit.plan.nets) if file.sha256 == this]
    return (numbers[0], True) if numbers else (0, False)


def _origin(audited: Audited, judge: int, position: Position) -> Origin:
    mistake = audited.loss(judge) >= LEAST_LOSS
    if audited.exact is not None:
        return Origin(audited.item.source, audited.exact.value, True, mistake)
    return Origin(audited.item.source, _for_mover(audited.item.outcome, position), False, mistake)


def _for_mover(outcome: int | None, position: Position) -> float:
    """The result of a game for the side to move."""
    return float("nan") if outcome is None else float(-outcome if position.to_move else outcome)


def _of_games(
    place: Path, game: GameSpec, number: int, rng: np.random.Generator, stop: Stop, taken: Taken
) -> tuple[list[_Found], tuple[str, ...]]:
    """Positions of the games of a run or of files."""
    read = replay_games if kind_of_source(place) == RUN else file_games
    games, notes = read(place, game, stop, taken)
    if len(games) > _MOST_GAMES:
        notes.append(Text("{count} of {every} games were drawn", count=_MOST_GAMES, every=len(games)))
        games = [games[i] for i in sorted(rng.choice(len(games), _MOST_GAMES, replace=False).tolist())]
    numbered = [played._replace(source=str(place)) for place, played in enumerate(games)]
    gathered = game_items(game, numbered, number, (0, game.max_plies), int(rng.integers(2**31)), stop)
    every = [*notes, *gathered.notes]
    if len(every) > _MOST_NOTES:
        every = [*every[: _MOST_NOTES - 1], Text("and {more} more", more=len(every) - _MOST_NOTES + 1)]
    return list(_placed(game, gathered.items, [played.source for played in games])), tuple(every)


def _placed(game: GameSpec, items: Sequence[Item], names: Sequence[str]) -> Iterator[_Found]:
    for item in items:
        position, number = after(game, item.moves), int(item.source)
        yield _Found(position, number, Origin(names[number], _for_mover(item.outcome, position)))
