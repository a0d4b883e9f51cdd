"""The index of games by position against a search that plays every game; what it keeps, and what it leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.files import openings
from core.files.arrays import Unpacked, pack
from core.files.collection import PASSED, UNKNOWN, Listed, Outline, list_games
from core.files.openings import Explored, NextMove, OpeningIndex
from core.files.position_search import find_position
from core.games import GameSpec, Position, load_game

RESULTS = ("B+", "W+R", "0", "B+3.5", "?", "Jigo")
KINDS = ("tictactoe", "connect4", "gomoku(size=7)", "othello", "go(size=4, rules=tromp-taylor)", "go(rows=3, cols=5)")
PARTS = ("codes", "images", "follows", "games")
Games = list[tuple[list[Position], Listed]]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))


def cell_of(position: Position, action: int) -> int:
    """The cell of a legal move, PASSED."""
    if action == position.game.passing:
        return PASSED
    if not position.game.gravity:
        return action
    return int(np.flatnonzero(position.cells().ravel() != position.play(action).cells().ravel())[0])


def random_line(game: GameSpec, rng: np.random.Generator, plies: int) -> list[Position]:
    """The positions of a game whose first moves are among few."""
    line = [game.initial()]
    while len(line) <= plies and not line[-1].is_over:
        legal = list(line[-1].legal_actions())
        line.append(line[-1].play(int(rng.choice(legal[:2] if len(line) < 3 else legal))))
    return line


def games_of(
    game: GameSpec, count: int, plies: int, named: bool = True, least: int = 1
) -> list[tuple[list[Position], Listed]]:
    """Random games with what a list has of them; without ``named`` neither players nor forced passes are in it."""
    rng = np.random.default_rng(len(game.text))
    made = []
    for number in range(count):
        line = random_line(game, rng, int(rng.integers(least, plies)))
        moves = [
            (before.to_move if named else UNKNOWN, cell_of(before, after.moves[-1])) for before, after in pairwise(line)
        ]
        moves = [move for move in moves if named or move[1] != PASSED]
        info = {"result": RESULTS[number % len(RESULTS)]}
        made.append((line, Listed(Path(f"{number}.sgf"), "", Outline(1, game, info, tuple(moves)))))
    return made


def images_of(position: Position, other: Position, symmetric: bool) -> list[Any]:
    """The symmetries that make a board of another."""
    cells, wanted = position.cells().ravel(), other.cells().ravel()
    every = position.game.cell_symmetries if symmetric else position.game.cell_symmetries[:1]
    return [number for number, image in enumerate(every) if (wanted[image] == cells).all()]


def slowly(games: Games, position: Position, symmetric: bool) -> Explored:
    """What followed a position, by the rules."""
    game, found, nexts, ended = position.game, [], {}, 0
    for number, (line, listed) in enumerate(games):
        for ply, reached in enumerate(line):
            images = images_of(position, reached, symmetric)
            if not images or reached.to_move != position.to_move:
                continue
            found.append(number)
            if ply + 1 == len(line):
                ended += 1
                break
            played = line[ply + 1].moves[-1]
            action = min(game.symmetries[image].tolist().index(played) for image in images)
            word = listed.outline.info["result"].upper()
            nexts.setdefault(action, Counter())[
                word[0] if word[0] in "BW" else "D" if word in ("0", "JIGO") else "?"
            ] += 1
            break
    moves = [NextMove(action, c.total(), c["B"], c["D"], c["W"]) for action, c in nexts.items()]
    return Explored(tuple(sorted(moves, key=lambda move: (-move.games, move.action))), tuple(found), ended)


def asked(games: Games) -> Iterator[Position]:
    """Positions of some of the games, as they are or turned."""
    rng = np.random.default_rng(0)
    for line, _ in games[:12]:
        yield from line[: 1 + len(line) // 2]
        yield line[int(rng.integers(len(line)))]


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("symmetric", [True, False])
def test_what_followed_is_what_playing_every_game_finds(name: str, symmetric: bool) -> None:
    game = load_game(name)
    games = games_of(game, 60, 30)
    index = OpeningIndex([listed for _, listed in games], game)
    for position in asked(games):
        assert index.explore(position, symmetric) == slowly(games, position, symmetric), position.moves


@pytest.mark.parametrize("name", ["go(size=4, rules=tromp-taylor)", "gomoku(size=7)", "connect4"])
def test_the_games_are_those_that_the_search_by_position_finds(name: str) -> None:
    game = load_game(name)
    games = games_of(game, 80, 20)
    listed = [one for _, one in games]
    index = OpeningIndex(listed, game)
    for position in asked(games):
        for symmetric in (True, False):
            wanted = tuple(found.game for found in find_position(listed, position, symmetric))
            assert index.explore(position, symmetric).games == wanted


def test_passes_that_a_file_of_othello_leaves_out_are_found() -> None:
    """As in the archives of WTHOR, which name no players either."""
    game = load_game("othello")
    full, bare = games_of(game, 30, 61, least=60), games_of(game, 30, 61, named=False, least=60)
    index = OpeningIndex([listed for _, listed in bare], game)
    forced = 0
    for line, _ in full:
        for position, after in pairwise(line[:-1]):
            found = index.explore(position)
            if after.moves[-1] == game.passing and not after.is_over:
                forced += 1
                assert game.passing in [move.action for move in found.moves]
                assert index.explore(after).games == found.games
    assert forced > 5


def test_what_is_kept_is_read_again_and_made_anew_when_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("go(size=4)")
    games = [listed for _, listed in games_of(game, 30, 20)]
    wanted = OpeningIndex(games, game).explore(game.initial())
    kept = list(tmp_path.rglob("*.openings"))
    assert len(kept) == 1

    def refuse(*_: Any) -> Any:
        raise AssertionError("made anew")

    with monkeypatch.context() as patch:
        patch.setattr(openings, "code_games", refuse)
        assert OpeningIndex(games, game).explore(game.initial()) == wanted
        with pytest.raises(AssertionError, match="made anew"):
            OpeningIndex(games[1:], game)
    whole = kept[0].read_bytes()
    for damaged in (whole[:100], whole[:-50], b"", whole.replace(b"codes", b"cades")):
        kept[0].write_bytes(damaged)
        assert OpeningIndex(games, game).explore(game.initial()) == wanted


@pytest.mark.parametrize(
    ("part", "row", "number"), [("codes", 0, 2**63), ("images", 3, 9), ("follows", 1, 99), ("games", 2, 30)]
)
def test_numbers_of_a_kept_index_that_cannot_be_are_refused(tmp_path: Path, part: str, row: int, number: int) -> None:
    game = load_game("go(size=4)")
    games = [listed for _, listed in games_of(game, 30, 20)]
    wanted = OpeningIndex(games, game).explore(game.initial())
    kept = next(tmp_path.rglob("*.openings"))
    read = Unpacked(kept.read_bytes())
    kinds: dict[str, type[np.generic]] = {
        "codes": np.uint64,
        "images": np.uint8,
        "follows": np.int16,
        "games": np.int32,
    }
    arrays = {name: read.array(name, kind) for name, kind in kinds.items()}
    arrays[part][row] = number
    kept.write_bytes(pack(arrays))
    assert OpeningIndex(games, game).explore(game.initial()) == wanted


def test_handicap_and_stones_set_up_are_played_by_the_rules(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    texts = {
        "plain": "(;GM[1]SZ[5]RE[B+R];B[bb];W[dd];B[bd])",
        "handicap": "(;GM[1]SZ[5]HA[2]AB[bb][dd]RE[W+R];W[cc];B[bd])",
        "set_up": "(;GM[1]SZ[5]RE[W+2];B[bb];W[dd];AB[aa];B[ba])",
        "other": "(;GM[1]SZ[7];B[bb];W[dd])",
    }
    for name, text in texts.items():
        (tmp_path / "games" / f"{name}.sgf").write_text(text)
    listed = list_games([tmp_path / "games"]).games
    game = load_game("go(size=5)")
    names = [one.path.stem for one in listed]
    index = OpeningIndex(listed, game)
    after = index.explore(game.position("b4 d2"))
    assert [names[number] for number in after.games] == ["plain", "set_up"]
    assert [(game.action_name(move.action), *move[1:]) for move in after.moves] == [("d4", 1, 1, 0, 0)]
    assert after.ended == 1  # stones are set up
    cells = np.zeros((5, 5), np.int8)
    cells[1, 1] = cells[3, 3] = 1
    handicap = index.explore(game.set_up(cells, 1))
    assert [names[number] for number in handicap.games] == ["handicap"]
    assert [(game.action_name(move.action), move.second) for move in handicap.moves] == [("c3", 1)]


def test_of_very_many_games_only_the_first_moves_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "_MOST_POSITIONS", 90)
    monkeypatch.setattr(openings, "_LEAST_PLIES", 2)
    game = load_game("gomoku(size=7)")
    games = games_of(game, 30, 12)
    index = OpeningIndex([listed for _, listed in games], game)
    assert index.plies == 3
    long = next(line for line, _ in games if len(line) > 5)
    assert index.explore(long[3]) == slowly(games, long[3], symmetric=True)
    assert index.explore(long[4]).games == ()


def test_a_game_without_cells_is_refused() -> None:
    with pytest.raises(ValueError, match=r"games of nim.* have no openings by position"):
        OpeningIndex([], load_game("nim"))
