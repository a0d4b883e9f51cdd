"""Reads the samples of another program's training: arrays in a .npz file, or lines of JSON (guide, debugging.md).

Letters: n samples, A actions, C planes, H W board.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.checks import short
from core.files.arrays import Unpacked
from core.files.reading import BadFile, Fields, open_plain, parse_json, read_bytes
from core.games import GameSpec, load_game
from core.games.encoding import OWN_ENCODING
from core.text import Text, text_of
from models.doctor.rows import Rows, Shards, Stop, replay_games
from models.play.samples import PLAYED, GameTrace

FORMAT: Final = "plyscope samples"
VERSION: Final = 1
ENDING: Final = ".npz"  # of arrays; every other file is read as lines
MOST_ROWS: Final = 200_000
_MOST_BYTES: Final = 2 << 30
_MOST_LINE: Final = 1 << 20
_MOST_NUMBER: Final = 1 << 31
_MOST_PLANE: Final = 1e4  # absolute value of a number in a plane
_DTYPES: Final[Mapping[str, tuple[type[np.generic], ...]]] = {
    "planes": (np.int8, np.uint8, np.bool_, np.float32, np.float64),
    "policy": (np.float32, np.float64),
    "value": (np.float32, np.float64, np.int8, np.int64, np.int32),
    "root_value": (np.float32, np.float64),
    "legal": (np.bool_, np.uint8, np.int8),
    "game": (np.int64, np.int32, np.uint32),
    "ply": (np.int64, np.int32, np.int16),
}
_SHAPES: Final[Mapping[str, int]] = {"planes": 4, "policy": 2, "legal": 2}  # dimensions; the others have one
_NEEDED: Final = ("planes", "policy", "value")


def open_samples(path: Path, game: str = "", stop: Stop = lambda: False) -> tuple[Rows, GameSpec | None]:
    """Read a file of samples, and the game that they are of where it is known: ``game``, or what the file says.

    BadFile, one sentence, when it is none; ``OSError``; BadGame for a game that is not known."""
    try:
        if path.suffix.lower() == ENDING:
            columns = _columns_of(Unpacked(read_bytes(path, _MOST_BYTES)))
            return _checked(columns), load_game(game) if game else None
        return _of_lines(path, game, stop)
    except BadFile as error:
        raise BadFile(
            Text("{file} is no file of samples: {error}", file=short(path.name), error=text_of(error))
        ) from None


def _columns_of(archive: Unpacked) -> dict[str, NDArray[Any]]:
    return {name: _array(archive, name) for name in _DTYPES if name in _NEEDED or f"{name}.npy" in archive.names()}


def _array(archive: Unpacked, name: str) -> NDArray[Any]:
    """An array of any of the types that are allowed for it."""
    shape = (None,) * _SHAPES.get(name, 1)
    for dtype in _DTYPES[name][:-1]:
        try:
            return archive.array(f"{name}.npy", dtype, shape)
        except BadFile:
            continue
    return archive.array(f"{name}.npy", _DTYPES[name][-1], shape)


def _of_lines(path: Path, game: str, stop: Stop) -> tuple[Rows, GameSpec | None]:
    """Samples in lines of JSON; games whose moves are there are played again."""
    columns: dict[str, list[Any]] = {name: [] for name in _DTYPES}
    moves: dict[int, list[Any]] = {}
    with open_plain(path) as file:
        about = Fields(_line(file.readline(_MOST_LINE + 1)))
        if about.text("format", "") != FORMAT or about.whole("version", 0, 1 << 31) != VERSION:
            raise BadFile(
                Text("its first line is not that of {format!r}, version {version}", format=FORMAT, version=VERSION)
            )
        spec = load_game(name) if (name := game or about.text("game", "")) else None
        for number, line in enumerate(islice(iter(lambda: file.readline(_MOST_LINE + 1), b""), 2 * MOST_ROWS), 2):
            if not line.endswith(b"\n") and len(line) <= _MOST_LINE:
                break  # the last line was cut off
            try:
                _add(Fields(_line(line)), columns, moves)
            except BadFile as error:
                raise BadFile(Text("line {number}: {error}", number=number, error=text_of(error))) from None
            if len(columns["value"]) > MOST_ROWS:
                raise BadFile(Text("it has more than {most} samples", most=MOST_ROWS))
    try:
        arrays = {name: np.array(values) for name, values in columns.items() if len(values) == len(columns["value"])}
    except ValueError:
        raise BadFile(Text("its samples differ in the sizes of their planes or policies")) from None
    if any(name not in arrays or arrays[name].dtype == object for name in _NEEDED):
        raise BadFile(Text("its samples differ in the sizes of their planes or policies"))
    rows = _checked(arrays)
    if spec is None or not moves or not len(rows):
        return rows, spec
    return _with_games(rows, spec, moves, stop), spec


def _line(line: bytes) -> Any:
    if len(line) > _MOST_LINE:
        raise BadFile(Text("a line has more than {most} bytes", most=_MOST_LINE))
    return parse_json(line)


def _add(fields: Fields, columns: dict[str, list[Any]], moves: dict[int, list[Any]]) -> None:
    """Add a line: a sample, or the moves of a game."""
    if "moves" in fields.values:
        moves[fields.whole("game", 0, _MOST_NUMBER)] = fields.list("moves")
        return
    columns["planes"].append(fields.list("planes"))
    columns["policy"].append(fields.list("policy"))
    columns["value"].append(fields.number("value", -1.0, 1.0))
    for name in ("game", "ply"):
        if name in fields.values:
            columns[name].append(fields.whole(name, 0, _MOST_NUMBER))
    if "root_value" in fields.values:
        columns["root_value"].append(fields.number("root_value", -1.001, 1.001))
    if "legal" in fields.values:
        columns["legal"].append(fields.list("legal"))


def _checked(columns: Mapping[str, NDArray[Any]]) -> Rows:
    """The samples as a table; BadFile for shapes that do not fit one another and numbers out of range."""
    planes, policy, value = (columns[name] for name in _NEEDED)
    count = len(value)
    if count > MOST_ROWS:
        raise BadFile(Text("it has more than {most} samples", most=MOST_ROWS))
    if planes.ndim != 4 or policy.ndim != 2 or value.ndim != 1:
        raise BadFile(Text("planes is to have the shape (samples, planes, rows, columns), policy (samples, moves)"))
    if any(array.dtype.kind not in "biuf" for array in columns.values()):
        raise BadFile(Text("an array in it does not hold numbers"))
    if any(len(array) != count for array in columns.values()):
        raise BadFile(Text("its arrays are not as long as one another"))
    legal = columns.get("legal")
    if legal is not None and legal.shape != policy.shape:
        raise BadFile(Text("legal is to have the shape of policy"))
    root = columns.get("root_value", np.full(count, math.nan)).astype(np.float64)
    if not (
        (np.abs(planes.astype(np.float32)) <= _MOST_PLANE).all()
        and ((policy >= 0.0) & (policy <= 1.001)).all()
        and (np.abs(value) <= 1.0).all()
        and (np.isnan(root) | (np.abs(root) <= 1.001)).all()
    ):
        raise BadFile(Text("a plane, policy or value in it is out of range"))
    game = columns.get("game", np.arange(count)).astype(np.int64)
    ply = columns.get("ply", np.zeros(count)).astype(np.int64)
    known = "ply" in columns
    last = np.full(count, -1)
    if known and count:
        last = np.array([ply[game == number].max() for number in np.unique(game)])[
            np.unique(game, return_inverse=True)[1]
        ]
    return Rows(
        planes=planes,
        policy=policy.astype(np.float32),
        result=value.astype(np.float64),
        root_value=root,
        legal=np.ones(policy.shape, np.bool_) if legal is None else legal.astype(np.bool_),
        game=game,
        ply=ply,
        mover=ply % 2 if known else np.full(count, -1),
        last=last,
        iteration=np.zeros(count, np.int64),
        features=np.zeros((count, 0), np.float32),
    )


def _with_games(rows: Rows, game: GameSpec, moves: Mapping[int, Sequence[Any]], stop: Stop) -> Rows:
    """The samples with what the rules say of them, where the moves of all their games are there."""
    numbers = np.unique(rows.game)
    if rows.policy.shape[1] != game.num_actions:
        raise BadFile(
            Text(
                "its policies have {count} moves, and {game} has {wanted}",
                count=rows.policy.shape[1],
                game=game.text,
                wanted=game.num_actions,
            )
        )
    if any(number not in moves for number in numbers.tolist()):
        raise BadFile(
            Text("the moves of game {game} are missing", game=next(n for n in numbers.tolist() if n not in moves))
        )
    traces = tuple(_trace(game, moves[number]) for number in numbers.tolist())
    place = np.searchsorted(numbers, rows.game)
    games = replay_games(traces, place, rows.ply, Shards(game, OWN_ENCODING, ()), stop)
    if games is None:
        raise BadFile(Text("a move of its games is not legal in {game}", game=game.text))
    none = np.zeros((len(rows), 0, *game.shape), np.int8)  # its planes are its own
    return rows.with_games(games._replace(truth=games.truth._replace(planes=none, before=none)))


def _trace(game: GameSpec, moves: Sequence[Any]) -> GameTrace:
    """A game by its moves, names or numbers."""
    if len(moves) > game.max_plies:
        raise BadFile(Text("a game has more than {most} moves", most=game.max_plies))
    try:
        actions = tuple(game.parse_action(str(move)[:40]) for move in moves)
    except ValueError as error:
        raise BadFile(text_of(error)) from None
    nothing = np.zeros(0, np.float32)
    return GameTrace(game.text, (), actions, np.zeros(0, np.bool_), nothing, {}, 0, PLAYED, False, 0)
