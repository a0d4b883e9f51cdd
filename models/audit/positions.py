"""Where the positions of an audit come from.

Positions are those after moves from the game's first position, not over, each once up to the game's symmetries.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from core.engine.evaluator import Evaluator, ask
from core.files import GAME_SUFFIXES
from core.files.game_files import read_game_file
from core.files.reading import BadFile
from core.files.record import GameRecord
from core.files.session import SUFFIX, open_session
from core.games import GameSpec, Position
from core.games.encoding import Inputs
from core.games.net_inputs import inputs_of
from core.games.spec import no_past
from core.text import Text, text_of
from models.play.openings import random_opening, read_openings
from models.play.replay import load_shard
from models.runs.folder import REPLAY
from models.strength.exams import after

MOST_FILES: Final = 20_000
MOST_GAMES: Final = 200_000
_PATIENCE: Final = 100  # draws without a new position, beside as many as were found, that end the drawing
_SIDE_BY_SIDE: Final = 256  # games played by a net's policy

Stop = Callable[[], bool]
Taken = Callable[[int], object]
"""Called with the number of games read so far."""


class Item(NamedTuple):
    """A position to audit."""

    moves: tuple[int, ...]  # from the game's first position
    outcome: int | None = None  # of the game it is from: +1 the first player won, 0 draw, -1 lost; None: unknown
    source: str = ""
    base: int | None = None  # the number of the position of which it is a neighbour, two quiet moves further on

    @property
    def line(self) -> tuple[int, ...]:
        """The moves of its game."""
        return self.moves if self.base is None else self.moves[:-2]


class Game(NamedTuple):
    """A played game whose positions may be taken."""

    moves: tuple[int, ...]
    outcome: int | None
    source: str


class Gathered(NamedTuple):
    """Positions to audit, and a sentence for each thing that was left out."""

    items: tuple[Item, ...]
    notes: tuple[str, ...] = ()


def key_of(position: Position) -> bytes:
    """The same bytes for positions that a symmetry of the game makes equal: board and side to move; in games whose
    future depends on earlier positions, the moves."""
    game = position.game
    if game.board.past is not no_past:
        moves = list(position.moves)
        first: bytes = min([row.astype(">i2").tobytes() for row in game.symmetries[:, moves]])
        return first
    images = position.cells().reshape(-1)[game.cell_symmetries]
    least: bytes = min([row.tobytes() for row in images])
    return bytes([position.to_move]) + least


def random_items(
    game: GameSpec, number: int, plies: tuple[int, int], seed: int, should_stop: Stop = lambda: False
) -> Gathered:
    """``number`` positions after uniformly random moves, from ``plies[0]`` to ``plies[1]`` of them; fewer when the game
    does not have so many."""
    rng = np.random.default_rng(seed)

    def drawn() -> Iterator[Item]:
        while not should_stop():
            position = random_opening(game, int(rng.integers(plies[0], plies[1] + 1)), rng)
            yield Item(position.moves, None, "random")

    return _distinct(game, drawn(), number)


def policy_items(
    game: GameSpec,
    evaluator: Evaluator,
    number: int,
    plies: tuple[int, int],
    seed: int,
    should_stop: Stop = lambda: False,
) -> Gathered:
    """``number`` positions as :func:`random_items`, the moves drawn from the net's policy without search."""
    rng = np.random.default_rng(seed)

    def drawn() -> Iterator[Item]:
        while not should_stop():
            lengths = rng.integers(plies[0], plies[1] + 1, size=_SIDE_BY_SIDE).tolist()
            played = 0
            for position in _play_by_policy(game, evaluator, lengths, rng):
                played += 1
                yield Item(position.moves, None, "policy")
            if not played:
                return  # all games end before

    return _distinct(game, drawn(), number)


def _play_by_policy(
    game: GameSpec, evaluator: Evaluator, lengths: Sequence[int], rng: np.random.Generator
) -> Iterator[Position]:
    """Play a game of each length by the net's policy; those that do not end before."""
    encoding = evaluator.encoding
    going = [(game.initial(), length) for length in lengths]
    while going:
        unfinished = []
        for position, length in going:
            if position.ply >= length:
                yield position
            else:
                unfinished.append((position, length))
        if not unfinished:
            return
        shown = [inputs_of(position, encoding) for position, _ in unfinished]
        inputs = Inputs(*(np.concatenate(parts) for parts in zip(*shown, strict=True)))
        logits = ask(evaluator, inputs, game.num_actions).logits
        going = []
        for (position, length), row in zip(unfinished, logits, strict=True):
            legal = np.array(position.legal_actions())
            weights = np.exp(row[legal] - row[legal].max())
            then = position.play(int(rng.choice(legal, p=weights / weights.sum())))
            if not then.is_over:
                going.append((then, length))


def game_items(
    game: GameSpec,
    games: Sequence[Game],
    limit: int,
    plies: tuple[int, int],
    seed: int,
    should_stop: Stop = lambda: False,
) -> Gathered:
    """At most ``limit`` positions of ``games``, drawn evenly from all."""
    first, last = plies
    pairs = [(g, ply) for g, played in enumerate(games) for ply in range(first, min(last, len(played.moves)) + 1)]
    rng = np.random.default_rng(seed)

    def drawn() -> Iterator[Item]:
        for place in rng.permutation(len(pairs)).tolist():
            if should_stop():
                return
            g, ply = pairs[place]
            yield Item(games[g].moves[:ply], games[g].outcome, games[g].source)

    return _distinct(game, drawn(), limit)


def _distinct(game: GameSpec, drawn: Iterable[Item], limit: int) -> Gathered:
    """The first ``limit`` positions that are not over, each once; notes say how many were left out."""
    items: dict[bytes, Item] = {}
    again = bad = missed = 0
    for item in drawn:
        try:
            position = after(game, item.moves)
        except ValueError:
            bad += 1
            continue
        if position.is_over:
            continue
        key = key_of(position)
        again += key in items
        missed = missed + 1 if key in items else 0
        items.setdefault(key, item)
        if len(items) >= limit or missed > _PATIENCE + len(items):
            break
    notes = []
    if again:
        notes.append(Text("{count} positions were met again, as they are or mirrored, and left out", count=again))
    if bad:
        notes.append(Text("{count} positions are not legal in {game} and were left out", count=bad, game=game.text))
    return Gathered(tuple(items.values()), tuple(notes))


def listed_items(game: GameSpec, path: Path) -> Gathered:
    """The positions of a file of openings.  BadFile or OSError when it cannot be read."""
    items = [Item(moves, None, path.name) for moves in read_openings(path, game)]
    return _distinct(game, items, len(items))


def games_of(items: Sequence[Item]) -> list[int]:
    """The number of each item's game.  An audit keeps only where an item is from: those of one place are of one game
    where each begins the longest of them, else each is a game of its own; a neighbour is of its position's."""
    longest: dict[str, tuple[int, ...]] = {}
    for item in items:
        longest[item.source] = max(longest.get(item.source, ()), item.line, key=len)
    apart = {item.source for item in items if longest[item.source][: len(item.line)] != item.line}
    numbers: dict[tuple[str, tuple[int, ...]], int] = {}
    keys = [(item.source, item.line if item.source in apart else ()) for item in items]
    return [numbers.setdefault(key, len(numbers)) for key in keys]


# Played games.


def replay_games(
    folder: Path, game: GameSpec, should_stop: Stop = lambda: False, taken: Taken = lambda number: None
) -> tuple[list[Game], list[str]]:
    """The games of a run's replay, newest first, and sentences about what cannot be read.  BadFile when there are
    none."""
    games: list[Game] = []
    notes: list[str] = []
    paths = [path for path in (folder / REPLAY).glob("*.npz") if path.stem.isdigit()]
    for path in sorted(paths, key=lambda path: -int(path.stem)):
        if should_stop() or len(games) >= MOST_GAMES:
            break
        try:
            samples = load_shard(path, game)
        except ValueError as error:
            notes.append(text_of(error))
            continue
        name = f"{folder.name}/{path.stem}"
        games += [
            Game((*trace.opening, *trace.moves), trace.outcome, f"{name} {number}")
            for number, trace in enumerate(samples.traces)
            if trace.game == game.text
        ]
        taken(len(games))
    if not games:
        raise BadFile(notes[0] if notes else Text("{path} has no games of {game}", path=str(folder), game=game.text))
    return games, notes


def file_games(
    path: Path, game: GameSpec, should_stop: Stop = lambda: False, taken: Taken = lambda number: None
) -> tuple[list[Game], list[str]]:
    """The games of an SGF file, a session or a folder of them, and sentences about what is left out.  BadFile when
    there are none, OSError when the path cannot be read."""
    games: list[Game] = []
    notes: list[str] = []
    for file in _files(path):
        if should_stop() or len(games) >= MOST_GAMES:
            break
        try:
            records = _records(file, game)
        except (OSError, ValueError) as error:
            notes.append(Text("{file}: {error}", file=file.name, error=text_of(error)))
            continue
        for number, record in enumerate(records, 1):
            if record.game != game or record.start != game.initial():
                notes.append(
                    Text(
                        "{file}, game {number}: it is not a game of {game} from its first position",
                        file=file.name,
                        number=number,
                        game=game.text,
                    )
                )
                continue
            steps = record.steps(record.main_line()[-1])
            moves = tuple(takewhile(lambda step: step >= 0, steps))  # to where stones are set up
            name = file.name if len(records) == 1 else f"{file.name} {number}"
            games.append(Game(moves, _outcome(record, moves), name))
        taken(len(games))
    if not games:
        raise BadFile(notes[0] if notes else Text("{path} has no games of {game}", path=str(path), game=game.text))
    return games, notes


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = (file for file in path.rglob("*") if file.suffix.lower() in (*GAME_SUFFIXES, SUFFIX) and file.is_file())
    return sorted(file for file, _ in zip(files, range(MOST_FILES), strict=False))


def _records(path: Path, game: GameSpec) -> list[GameRecord]:
    if path.suffix.lower() == SUFFIX:
        return [saved.record for saved in open_session(path).session.games]
    file = read_game_file(path, game)
    if not file.records and file.errors:
        raise BadFile(file.errors[0])
    return list(file.records)


def _outcome(record: GameRecord, moves: Sequence[int]) -> int | None:
    """The result of a game for the first player: by the rules where it is over, else as the file says."""
    last = after(record.game, tuple(moves))
    if last.is_over and not last.is_agreed:
        return last.returns[0]
    result = record.info.get("result", "").strip().upper()
    if result.startswith(("B+", "W+")):
        return 1 if result[0] == "B" else -1
    return 0 if result in ("0", "DRAW", "JIGO") else None
