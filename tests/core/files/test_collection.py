"""Collections of games: listed from folders and archives, searched by position as the rules have it."""

import io
import random
import zipfile
from pathlib import Path

import numpy as np
import pytest

from core.files.collection import Listed, list_games, open_listed, outlines
from core.files.position_search import find_position, node_of
from core.files.record import GameRecord
from core.files.sgf import read_sgf, write_sgf
from core.files.sgf_meaning import cell_of
from core.games import GameSpec, Position, load_game, othello_many
from core.games.walk import Walk

DATA = Path(__file__).parents[2] / "data" / "games"
GAMES = (
    *("connect4", "gomoku(size=6)", "gomoku(size=6, rule=renju)", "othello", "othello(size=6)", "go(size=5)"),
    *("go(size=3)", "go(size=3, rules=chinese)"),  # with captures, and suicide in the first
)


def random_game(game: GameSpec, rng: random.Random, plies: int) -> Position:
    position = game.initial()
    while position.ply < plies and not position.is_over:
        position = position.play(rng.choice(position.legal_actions()))
    return position


def listed(positions: list[Position]) -> list[Listed]:
    data = write_sgf([GameRecord.of(position) for position in positions])
    return [Listed(Path("x.sgf"), "", one) for one in outlines(data, "x.sgf")]


@pytest.mark.parametrize("text", GAMES)
def test_a_position_is_found_where_the_rules_find_it(text: str) -> None:
    game = load_game(text)
    rng = random.Random(text)
    ends = [random_game(game, rng, rng.randint(0, 20)) for _ in range(12)]
    games = listed(ends)
    for asked in rng.sample(ends, 4):
        records = [GameRecord.of(end) for end in ends]
        wanted = asked.start
        for action in asked.moves[: rng.randint(0, len(asked.moves))]:
            wanted = wanted.play(action)
        for symmetric in (False, True):
            images = [wanted.cells().ravel()]
            if symmetric:
                images = []
                for symmetry in game.cell_symmetries:
                    image = np.empty(game.num_cells, np.int8)
                    image[symmetry] = wanted.cells().ravel()
                    images.append(image)
            expected = {}
            for i, record in enumerate(records):
                for ply, node in enumerate(record.main_line()):
                    here = record.position(node)
                    same = any((here.cells().ravel() == image).all() for image in images)
                    if here.to_move == wanted.to_move and same and i not in expected:
                        expected[i] = ply
            found = find_position(games, wanted, symmetric)
            assert {one.game for one in found} == set(expected)
            assert not game.captures or dict(found) == expected
            if symmetric:
                assert all(node_of(records[one.game], wanted) >= 0 for one in found)


def test_boards_of_many_games_of_othello_are_those_of_the_rules() -> None:
    game = load_game("othello")
    rng = random.Random(5)
    ends = [random_game(game, rng, 100) for _ in range(30)]  # to the end, with passes
    assert any(64 in end.moves for end in ends)
    for count in (0, 1, 9, 40, 58):
        lines = [[a for a in end.moves if a != 64][:count] for end in ends]
        lines = [line for line in lines if len(line) == count]
        cells, last = othello_many.replay(np.array(lines, np.int16).reshape(len(lines), count))
        for line, board, player in zip(lines, cells, last, strict=True):
            position = game.initial()
            mover = 1
            for action in line:
                if position.legal_actions() == (64,):
                    position = position.play(64)
                mover = position.to_move
                position = position.play(action)
            assert (board == position.cells().ravel()).all()
            assert player == mover
    cells, last = othello_many.replay(np.array([[37, 37], [0, 0]], np.int16))
    assert last.tolist() == [-1, -1]


def test_games_with_stones_set_up_are_searched_too(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;GM[4]SZ[9]AB[aa]AW[bb];B[cc];W[dd])")
    (tmp_path / "b.sgf").write_text("(;GM[4]SZ[9];B[aa];W[bb];B[cc];W[dd])")
    (tmp_path / "c.sgf").write_text("(;GM[4]SZ[9];B[aa])")
    collection = list_games([tmp_path])
    wanted = load_game("gomoku(size=9)").position("a9 b8 c7")
    found = find_position(collection.games, wanted)
    assert [collection.games[one.game].name for one in found] == ["a.sgf", "b.sgf"]


def test_the_formats_are_listed_with_players(tmp_path: Path) -> None:
    collection = list_games([DATA])
    rows = {(one.name, one.outline.number): one.outline for one in collection.games}
    assert rows["wth_2020.wtb", 1].info["black"] == "Müller A"
    assert rows["games.ggf", 1].info["result"] == "B+4"
    assert rows["game.psq", 1].info["white"] == "second.zip"
    assert len(rows["tree.lib", 1].moves) == 3
    for one in collection.games:
        record, errors = open_listed(one)
        assert [error for error in errors if "its rule" not in error] == []
        moves = [cell for _, cell in one.outline.moves if cell >= 0]
        path = record.path(record.main_line()[-1])
        assert [action for action in path if action < record.game.num_cells] == moves
    assert find_position(collection.games, load_game("othello").position("f5 d6 c3"))[0].ply == 3


def packed(names: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in names.items():
            archive.writestr(name, data)
    return out.getvalue()


def test_an_archive_is_listed_with_the_names_beside_its_games(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(packed({f"d/{one.name}": one.read_bytes() for one in DATA.iterdir()}))
    collection = list_games([path])
    (first, *_) = [one for one in collection.games if one.member.endswith(".wtb")]
    assert first.outline.info["black"] == "Müller A"
    record, _ = open_listed(first)
    assert record.info["event"] == "Open"


def test_what_cannot_be_read_is_listed_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "chess.sgf").write_text("(;GM[3])")
    (tmp_path / "short.wtb").write_bytes(b"123")
    (tmp_path / "none.sgf").write_text("")
    faults = {one.name: one.outline.fault for one in list_games([tmp_path]).games}
    assert "chess" in faults["chess.sgf"]
    assert "3 bytes" in faults["short.wtb"]
    assert faults["none.sgf"]


def test_listing_stops_and_says_how_far_it_is(tmp_path: Path) -> None:
    for i in range(5):
        (tmp_path / f"{i}.sgf").write_text("(;GM[4]SZ[9];B[aa])")
    seen: list[tuple[int, int]] = []
    collection = list_games([tmp_path], None, lambda done, of: seen.append((done, of)), lambda: len(seen) >= 3)
    assert len(collection.games) == 3
    assert seen == [(0, 5), (1, 5), (2, 5)]


LISTED = (
    "(;GM[1]SZ[9]KM[7]PB[a\\]b];B[aa];W[bb]BL[12.5]C[then ;B[cc\\] (x) [y];B[tt];W[])",
    "(;GM[1]SZ[19]C[;B[dd\\]];B[pd]\n;W[dp]LB[aa:1][bb:2])\n",
    "(;GM[4]SZ[15]RU[renju];B[hh];W[hi])",
    "(;GM[1]SZ[9];B[aa](;W[bb])(;W[cc]))",
    "(;GM[1]SZ[9];B[aa];W[zz];B[bb])",
    "(;GM[1]SZ[9]B[aa];W[bb])",
    "(;GM[1]SZ[9];B[aa];W[bb]",
    "(;GM[1]SZ[9];B[aa])(;GM[1]SZ[9];B[bb])",
    "(;GM[4];B[hh])",
    "(;GM[4]SZ[15]QPR[hh,hg,jf];W[aa])",
    "(;GM[4]SZ[7:6]PLYGAME[connect4];B[aa];W[ba])",
)


@pytest.mark.parametrize("text", LISTED)
def test_a_game_is_listed_with_the_moves_of_its_record(text: str) -> None:
    for outline, record in zip(outlines(text.encode(), "x.sgf"), read_sgf(text).records, strict=True):
        walk = Walk.of(record.start)
        expected = []
        for node in record.main_line()[1:]:
            action = record.node(node).action
            expected.append((walk.to_move, cell_of(walk, action)))
            walk.play(action)
        assert (outline.game, outline.moves) == (record.game, tuple(expected))
