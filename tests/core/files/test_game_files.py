"""Games in the formats of other programs: read as they are, refused in one sentence, within bounds."""

import struct
from pathlib import Path

import pytest

from core.files import ggf, psq, renlib, wthor
from core.files.game_files import is_game_file, position_of, read_game_file, read_games
from core.files.record import ROOT, GameRecord, Mark
from core.games import load_game

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
