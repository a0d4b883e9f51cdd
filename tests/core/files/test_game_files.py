"""Files of games in every format, listed from folders and archives and searched by position."""

import io
import random
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

from core.files import ggf, psq, renlib, wthor
from core.files.collection import Listed, list_games, open_listed, outlines
from core.files.game_files import is_game_file, position_of, read_game_file, read_games
from core.files.position_search import find_position, node_of
from core.files.record import ROOT, GameRecord, Mark
from core.files.sgf import read_sgf, write_sgf
from core.files.sgf_meaning import cell_of
from core.games import GameSpec, Position, load_game, othello_many
from core.games.walk import Walk

DATA = Path(__file__).parents[2] / "data" / "games"
GGF = (DATA / "games.ggf").read_bytes()
LIB = (DATA / "tree.lib").read_bytes()
PSQ = (DATA / "game.psq").read_bytes()
WTB = (DATA / "wth_2020.wtb").read_bytes()


def names(record: GameRecord) -> str:
    return " ".join(record.game.action_name(action) for action in record.path(record.main_line()[-1]))


@pytest.mark.parametrize(
    ("name", "game", "moves", "info"),
    [
        (
            "game.psq",
            "gomoku",
            "h8 i8 i7 j7 j6 h7 k5 g9 l4",
            {"black": "first.zip", "white": "second.zip"},
        ),
        ("board20.psq", "gomoku(size=20)", "t1 a20", {}),
        (
            "games.ggf",
            "othello",
            "d3 c5 e6",
            {"black": "one", "white": "two", "place": "GGS/os", "date": "2020.01.02", "result": "B+4"},
        ),
        (
            "wth_2020.wtb",
            "othello",
            "e6 f4 e3 f6 g5 d6 e7 f5 c5",
            {"black": "Müller A", "white": "Zwei B", "event": "Open", "date": "2020"},
        ),
    ],
)
def test_files_are_read(name: str, game: str, moves: str, info: dict[str, str]) -> None:
    file = read_game_file(DATA / name)
    assert [error for error in file.errors if "its rule" not in error] == []
    record = file.records[0]
    assert (record.game.text, names(record), dict(record.info)) == (game, moves, info)
    assert not record.can_undo


def test_a_library_of_renlib_is_read_with_comments_marks_and_variations() -> None:
    (record,) = read_game_file(DATA / "tree.lib").records
    assert record.game.text == renlib.USUAL
    assert record.node(ROOT).comment == "the start"
    (first,) = record.node(ROOT).children
    assert record.node(first).comment == "tengen\nmore\nlines"
    cell = record.game.parse_action
    assert record.node(first).marks == (Mark(cell("j10"), "label", "A"),)
    lines = [
        [record.game.action_name(a) for a in record.path(record.main_line(c)[-1])] for c in record.node(first).children
    ]
    assert lines == [["h8", "h9", "i10"], ["h8", "i9", "g7"]]
    marked = record.node(first).children[0]
    assert record.node(marked).marks == (Mark(cell("h9"), "circle"),)
    (free,) = renlib.read_renlib(LIB, load_game("gomoku")).records
    assert free.game.text == "gomoku"


def test_what_a_library_has_that_cannot_be_played_is_counted() -> None:
    twice = LIB[:20] + bytes.fromhex("7800 7800 6940")
    file = renlib.read_renlib(twice)
    assert len(file.records[0]) == 2
    assert file.errors[0].startswith("2 moves cannot be played by the rules of Renju")
    cut = renlib.read_renlib(LIB[:24])
    assert "it ends inside a text" in cut.errors


@pytest.mark.parametrize("flag", [0x20, 0x08])
def test_both_forms_of_comments_are_read(flag: int) -> None:
    text = b"old" if flag == 0x08 else b"ol" + bytes([ord("d") | 0x80])
    end = b"\0" if flag == 0x08 else b"\xff"
    (record,) = renlib.read_renlib(LIB[:20] + bytes([0x78, flag]) + text + end + bytes.fromhex("6840")).records
    assert record.node(1).comment == "old"
    assert names(record) == "h8 h9"


def test_who_began_has_the_black_stones() -> None:
    other = PSQ.replace(b"0:0, 0", b"0:0, 1")
    assert psq.read_psq(other).records[0].info["black"] == "second.zip"
    for rule in ("renju", "standard"):
        file = psq.read_psq(PSQ.replace(b"1,Freestyle15_1", f"2,{rule.title()}15_1".encode()))
        assert (file.records[0].game.text, file.errors) == (f"gomoku(rule={rule})", ())
    assert "does not name its rule" in psq.read_psq(PSQ.replace(b"1,Freestyle15_1\n", b"")).errors[0]


def test_a_pass_that_is_left_out_is_played() -> None:
    position = load_game("othello").initial()
    line = []
    while position.legal_actions() != (64,) and not position.is_over:
        position = position.play(position.legal_actions()[0])
        line.append(position)
    assert not position.is_over
    after = position.play(64)
    after = after.play(after.legal_actions()[0])
    moves = [a for a in after.moves if a != 64]
    packed = bytes(10 * (a // 8 + 1) + a % 8 + 1 for a in moves)
    game = struct.pack("<HHHBB60s", 0, 0, 0, 32, 32, packed)
    data = WTB[:4] + struct.pack("<I", 1) + WTB[8:16] + game
    record, fault = wthor.as_record(wthor.read_wtb(data)[0])
    assert fault == ""
    assert record.path(record.main_line()[-1]) == after.moves
    colours = "BW"
    text = "".join(f"{colours[i % 2]}[{after.game.action_name(a)}]" for i, a in enumerate(after.moves) if a != 64)
    board = "-" * 27 + "O*------*O" + "-" * 27
    (read,) = ggf.read_ggf(f"(;GM[Othello]BO[8 {board} *]{text};)".encode()).records
    assert read.path(read.main_line()[-1]) == after.moves


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (b"Piskvorky 40x40, 0:0, 0\n1,1,0\n", "a.psq", "size is '40'; it must be"),
        (b"Piskvorky\n", "a.psq", "its first line is 'Piskvorky'"),
        (PSQ.replace(b"Freestyle", b"Caro"), "a.psq", "its rules 'caro' are none of"),
        (GGF.replace(b"TY[8]", b"TY[8a]").split(b")")[0] + b")", "a.ggf", ""),
        (b"(;GM[Othello]BO[8 ---", "a.ggf", "there is no game of GGF in it"),
        (WTB[:40], "a.wtb", "it ends before the last of its 2 games"),
        (b"abc", "a.wtb", "it has 3 bytes, and the header alone has 16"),
        (WTB[:12] + b"\x0a" + WTB[13:], "a.wtb", "boards of another size than 8×8"),
        (WTB, "WTHOR.JOU", "only names of players"),
        (LIB[:8] + b"\x04" + LIB[9:], "a.lib", "its version is 4.4, and at most 3.4 is known"),
    ],
)
def test_what_is_no_game_is_refused(data: bytes, name: str, reason: str) -> None:
    if not reason:
        assert any("anti-Othello" in error for error in read_games(data, name).errors)
        return
    with pytest.raises(ValueError, match=reason):
        read_games(data, name)


def test_a_move_that_cannot_be_played_ends_the_game_with_a_sentence() -> None:
    file = psq.read_psq(PSQ.replace(b"9,9,5", b"8,8,5"))
    assert names(file.records[0]) == "h8 i8"
    assert "move 3" in file.errors[0]
    file = ggf.read_ggf(GGF.replace(b"W[c5/1.5/0.2]", b"W[a1]"))
    assert names(file.records[0]) == "d3"
    assert file.errors[0].startswith("game 1: after d3, a1 cannot be played")


def test_game_files_are_recognised_when_pasted() -> None:
    for data in (GGF, PSQ):
        assert is_game_file(data.decode())
    assert position_of(load_game("othello"), GGF.decode()).position.moves == (19, 34, 44)
    with pytest.raises(ValueError, match="it is a game of gomoku, not of othello"):
        position_of(load_game("othello"), PSQ.decode())


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


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.ggf", GGF.replace(b"BO[8", b"BO[x", 1) + b"\n" + GGF),
        ("a.sgf", b"(;GM[3])(;GM[4]SZ[9];B[aa];W[bb])(;GM[4]SZ[9];B[cc])"),
    ],
)
def test_a_listed_game_is_the_one_that_opens_where_an_earlier_one_is_damaged(
    tmp_path: Path, name: str, data: bytes
) -> None:
    (tmp_path / name).write_bytes(data)
    file = read_game_file(tmp_path / name)
    assert file.numbers == tuple(range(2, file.games + 1))
    readable = [one for one in list_games([tmp_path]).games if not one.outline.fault]
    assert [one.outline.number for one in readable] == list(file.numbers)
    for one, record in zip(readable, file.records, strict=True):
        opened, _ = open_listed(one)
        assert opened.path(opened.main_line()[-1]) == record.path(record.main_line()[-1])
        alone = read_game_file(tmp_path / name, only=one.outline.number)
        assert alone.numbers == (one.outline.number,)


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
