"""A kept selection of positions as a concept: the mistakes of an audit, the ends of kept games, positions of a list.

The selected positions are put among played ones, each with its game, so that a line is judged by games it has not seen.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from core.games import Position
from core.games.spec import Concept
from core.text import Text
from models.audit.positions import file_games, games_of, key_of, listed_items
from models.audit.results import SUFFIX, read_audit
from models.audit.shapes import LEAST_LOSS
from models.inside.concepts import selection
from models.inside.probes import LEAST, split_games
from models.inside.sample import Sample
from models.inside.sources import judge_of
from models.netfiles.tapped import TappedNet
from models.strength.exams import after

LIST: Final = ".txt"  # as lists of openings are written
_SEED: Final = 0


class Selection(NamedTuple):
    """A concept, and the positions that are of it."""

    concept: Concept
    positions: tuple[Position, ...]
    games: tuple[str, ...]
    """Where each is from; positions of one place are of one game."""


def read_selection(place: Path, net: TappedNet) -> Selection:
    """The selection kept in an audit's file, of which it is the positions where this net, or the first where it was not
    audited, makes a mistake; in a text file with the moves to a position on each line; or in files of games or a folder
    of them, of which it is the position at the end of each main line.

    BadFile or ValueError, one sentence, where there is none of the net's game, OSError when it cannot be read."""
    game = net.game
    if place.suffix.lower() == SUFFIX:
        audit = read_audit(place)
        if audit.game != game:
            raise ValueError(Text("the audit is of {game}, the net for {other}", game=audit.game.text, other=game.text))
        judge, _ = judge_of(audit, net)
        wrong = [one.item for one in audit.done if one.loss(judge) >= LEAST_LOSS]
        found = [(item.moves, str(number)) for item, number in zip(wrong, games_of(wrong), strict=True)]
    elif place.suffix.lower() == LIST and place.is_file():
        found = [(item.moves, str(number)) for number, item in enumerate(listed_items(game, place).items)]
    else:
        games, _ = file_games(place, game)
        found = [(played.moves, played.source) for played in games]
    return _made(place, ((after(game, moves), source) for moves, source in found))


def _made(place: Path, found: Iterable[tuple[Position, str]]) -> Selection:
    """Each position once, as it is or mirrored, without those that have ended."""
    kept: dict[bytes, tuple[Position, str]] = {}
    for position, source in found:
        if not position.is_over:
            kept.setdefault(key_of(position), (position, source))
    digest = hashlib.sha256(b"".join(sorted(kept))).hexdigest()
    positions = tuple(position for position, _ in kept.values())
    concept = selection(f"“{place.name}”", positions)._replace(name=f"{place.name} {digest[:8]}")
    return Selection(concept, positions, tuple(source for _, source in kept.values()))


def with_selection(sample: Sample, chosen: Selection, most: int) -> Sample:
    """The sample with the selected positions, at most half of ``most``, which displace as many of it as are too many.

    ValueError, one sentence, for a selection that is too small to fit a line to and to judge it."""
    rng = np.random.default_rng(_SEED)
    drawn = np.arange(len(chosen.positions))
    if len(drawn) > most // 2:
        drawn = np.sort(rng.choice(drawn, most // 2, replace=False))
    keys = {key_of(position) for position in chosen.positions}
    left = [i for i, position in enumerate(sample.positions) if key_of(position) not in keys][: most - len(drawn)]
    first = int(sample.games.max(initial=0)) + 1
    names = {name: first + number for number, name in enumerate(dict.fromkeys(chosen.games))}
    games = np.array([*sample.games[left], *(names[chosen.games[i]] for i in drawn.tolist())], np.int64)
    positions = (*(sample.positions[i] for i in left), *(chosen.positions[i] for i in drawn.tolist()))
    counts = [int((rows >= len(left)).sum()) for rows in split_games(games, _SEED)]
    if min(counts) < LEAST:
        raise ValueError(
            Text(
                "the selection {name} has {count} different positions in {games} games; to fit a line and to judge it "
                "by other games, about {wanted} positions in as many games are needed",
                name=chosen.concept.title,
                count=len(drawn),
                games=len({chosen.games[i] for i in drawn.tolist()}),
                wanted=10 * LEAST,
            )
        )
    return Sample(positions, games, notes=sample.notes)
