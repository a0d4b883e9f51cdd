"""Runs an audit: gathers its positions, begins the file of results, searches the positions that have none yet."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.engine.evaluator import Evaluator
from core.games import GameSpec
from core.text import Text, joined
from models.audit import positions
from models.audit.answers import Audited
from models.audit.neighbours import hunted_plies, with_neighbours
from models.audit.positions import Gathered, Stop
from models.audit.results import Audit, AuditWriter, NetFile, Plan, begin
from models.audit.searching import audit_positions

RANDOM: Final = "random"
POLICY: Final = "policy"
GAMES: Final = "games"
REPLAY: Final = "replay"
POSITIONS: Final = "positions"
PLACED: Final = (GAMES, REPLAY, POSITIONS)  # sources that are a file or a folder
_MOST_NOTES: Final = 20
_DRAWN_FOR_ONE: Final = 6  # positions of which one, as a rule, has neighbours


@dataclass(frozen=True)
class Source:
    """Where positions come from.  kind: one of the above.  number: how many at most, beside their neighbours.  plies:
    None for the usual ones.

    place: the file or folder of those in PLACED.  neighbours: whether each position is followed by its neighbours at
    which the nets go most wrong; those without are left out."""

    kind: str
    number: int
    place: Path | None = None
    plies: tuple[int, int] | None = None
    seed: int = 0
    neighbours: bool = False


def usual_plies(game: GameSpec, kind: str, neighbours: bool = False) -> tuple[int, int]:
    """The plies after which positions are taken where none are given."""
    if neighbours and kind != POSITIONS and (hunted := hunted_plies(game)) is not None:
        return hunted
    return (1, max(2, game.num_cells // 2)) if kind in (RANDOM, POLICY) else (0, game.max_plies)


def read_plies(text: str) -> tuple[int, int]:
    """The plies of ``"8-20"`` or ``"8"``."""
    low, dash, high = text.partition("-")
    parts = (low, high if dash else low)
    if not all(part.strip().isdecimal() and len(part.strip()) < 6 for part in parts) or int(parts[0]) > int(parts[1]):
        raise ValueError(Text("plies is {text!r}; write two whole numbers, as in 8-20", text=text))
    return int(parts[0]), int(parts[1])


def gather(
    game: GameSpec, source: Source, evaluators: Sequence[Evaluator], should_stop: Stop = lambda: False
) -> tuple[Gathered, str]:
    """The positions of a source, and where they are from in words.  ValueError or OSError when there are none."""
    number, seed = source.number * (_DRAWN_FOR_ONE if source.neighbours else 1), source.seed
    plies = source.plies or usual_plies(game, source.kind, source.neighbours)
    span = {"low": plies[0], "high": plies[1], "seed": seed}
    place = source.place or Path()
    if source.kind == RANDOM:
        gathered = positions.random_items(game, number, plies, seed, should_stop)
        words: str = Text("random positions after {low} to {high} moves, seed {seed}", **span)
    elif source.kind == POLICY:
        gathered = positions.policy_items(game, evaluators[0], number, plies, seed, should_stop)
        words = Text("positions of games by the net's policy after {low} to {high} moves, seed {seed}", **span)
    elif source.kind == POSITIONS:
        gathered = positions.listed_items(game, place)
        words = Text("positions of {place}", place=str(place))
    else:
        read = positions.file_games if source.kind == GAMES else positions.replay_games
        games, notes = read(place, game, should_stop)
        gathered = positions.game_items(game, games, number, plies, seed, should_stop)
        gathered = gathered._replace(notes=(*notes, *gathered.notes))
        words = Text("{count} games of {place}, seed {seed}", count=len(games), place=str(place), seed=seed)
    if source.neighbours:
        gathered = with_neighbours(game, gathered, evaluators, source.number, should_stop)
        words = Text("{source}, and their neighbours", source=words)
    if not gathered.items:
        raise ValueError(Text("there is no position to audit: {source}", source=words))
    if len(gathered.notes) > _MOST_NOTES:
        more = Text("and {more} more", more=len(gathered.notes) - _MOST_NOTES + 1)
        gathered = gathered._replace(notes=(*gathered.notes[: _MOST_NOTES - 1], more))
    return gathered, words


def begin_audit(
    path: Path,
    game: GameSpec,
    nets: Sequence[NetFile],
    gathered: tuple[Gathered, str],
    simulations: int,
    solve_s: float,
) -> Audit:
    """Write the file of a new audit."""
    chosen, words = gathered
    return begin(path, Plan(game.text, tuple(nets), simulations, solve_s, words, chosen.notes), chosen.items)


def check_nets(path: Path, audit: Audit, nets: Sequence[NetFile]) -> None:
    """ValueError unless the audit in ``path`` is of these nets, whatever their paths."""
    if [net.sha256 for net in audit.plan.nets] != [net.sha256 for net in nets]:
        names = joined([net.path for net in audit.plan.nets], ", ")
        raise ValueError(
            Text("{path!r} is an audit of {names}, which changed since; begin a new one", path=str(path), names=names)
        )


def carry_on(
    path: Path, audit: Audit, evaluators: Sequence[Evaluator], should_stop: Callable[[], bool] = lambda: False
) -> Iterator[Audited]:
    """Search the missing positions of the audit in ``path``; each is in the file when it is yielded."""
    plan = audit.plan
    with AuditWriter(path) as writer:
        for audited in audit_positions(
            audit.game, evaluators, audit.missing, plan.simulations, plan.solve_s, should_stop=should_stop
        ):
            writer.add(audited)
            yield audited
