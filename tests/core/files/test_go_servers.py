"""Games of Go as servers write them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from core.files.collection import list_games, open_listed, outlines
from core.files.game_files import is_game_file, kind_of, read_games
from core.files.position_search import find_position
from core.files.record import GameRecord
from core.games import Position, load_game

GO = load_game("go(rules=korean)")


def gib(moves: str, country: str = "Korea", encoding: str = "cp949", handicap: int = 0, **about: str) -> bytes:
    """A game of Tygem; ``moves``: points such as q16, or pass."""
    main = {"GRLT": "0", "ZIPSU": "115", "DUM": "0", "GONGJE": "65", **about}
    lines = [
        "\\HS",
        f"\\[GIBOKIND={country}\\]",
        "\\[GAMENAME=승급 대국\\]" if country == "Korea" else "\\[GAMENAME=让先\\]",
        "\\[GAMEWHITENAME=second (3D)\\]",
        "\\[GAMEBLACKNAME=first player(1급)\\]" if country == "Korea" else "\\[GAMEBLACKNAME=石(2段)\\]",
        f"\\[GAMEINFOMAIN=GBKIND:0,{','.join(f'{key}:{value}' for key, value in main.items())},AUSZ:0\\]",
        "\\[GAMETAG=S0,R0,G65,W7,C2015:08:29:22:56,I:a\\]",
        "\\HE",
        "\\GS",
        "2 5 0",
        f"INI 0 1 {handicap} &4 ",
    ]
    player = 1 + (handicap > 1)
    for number, name in enumerate(moves.split(), 2):
        col, row = point(name)
        lines.append(f"SKI 0 {number} " if name == "pass" else f"STO 0 {number} {player} {col} {row} ")
        player = 3 - player
    return "\r\n".join([*lines, "\\GE", ""]).encode(encoding)


def ngf(moves: str, head: str = "Rated game", result: str = "Black wins by 1.5!", **given: object) -> bytes:
    """A game of WBaduk."""
    handicap, komi = given.get("handicap", 0), given.get("komi", 6)
    encoding = str(given.get("encoding", "utf-8"))
    lines = [head, "19", "second      7D*", "first       5D", "www.example.com", handicap, "0", komi]
    lines += ["20170316 [09:37]", "5", result, len(moves.split())]
    colour = "W" if handicap else "B"
    for number, name in enumerate(moves.split(), 1):
        x, y = ("A", "A") if name == "pass" else (chr(part + ord("B")) for part in point(name))
        lines.append(f"PM{chr(65 + number // 26)}{chr(65 + number % 26)}{colour}{x}{y}{y}{x}")
        colour = "BW"[colour == "B"]
    return "\n".join(map(str, lines)).encode(encoding)


def ugf(moves: str, *more: str, **about: str) -> bytes:
    """A game of PandaNet."""
    header = {"Lang": "SJIS", "Crypt": "0,PLAIN_UGF_FILE,READ_WRITE", "Title": "2019,名人戦,", "Rule": "JPN"}
    header |= {"Date": "2019/03/08,22:09:00,2019/03/09,07:16:59", "Size": "19", "Hdcp": "0,6.50", "Winner": "W,C"}
    header |= {"CoordinateType": "IGS", "PlayerB": "first,7d,,", "PlayerW": "二番,8d,,", **about}
    lines = ["# a comment", "", "[Header]", *(f"{key}={value}" for key, value in header.items()), "[Data]"]
    for number, name in enumerate(moves.split(), 1):
        col, row = point(name)
        word = "YA" if name == "pass" else chr(65 + col) + chr(65 + (18 - row if "IGS" in header.values() else row))
        lines.append(f"{word},{'WB'[number % 2]}1,{number},0")
    return "\n".join([*lines, *more]).encode("cp932")


def point(name: str) -> tuple[int, int]:
    """(column, row) from the top left on 19 lines."""
    if name == "pass":
        return 0, 0
    return "abcdefghjklmnopqrst".index(name[0]), 19 - int(name[1:])


def only(data: bytes, name: str) -> GameRecord:
    file = read_games(data, name)
    assert file.errors == ()
    (record,) = file.records
    return record


def names(record: GameRecord) -> str:
    return " ".join(record.game.action_name(action) for action in record.path(record.main_line()[-1]))


def test_a_game_of_tygem() -> None:
    record = only(gib("q17 d4 q5 pass pass"), "a.gib")
    assert record.game == load_game("go(rules=korean, komi=6.5)")
    assert names(record) == "q17 d4 q5 pass pass"
    assert record.info == {
        "black": "first player",
        "white": "second",
        "result": "B+11.5",
        "date": "2015-08-29",
        "event": "승급 대국",
    }
    chinese = only(gib("q17", "China", "gb18030", GRLT="4", GONGJE="0"), "a.gib")
    assert (chinese.info["event"], chinese.info["black"], chinese.info["result"]) == ("让先", "石", "W+R")
    assert chinese.game.text.endswith("komi=0)")


@pytest.mark.parametrize(("first", "third"), [("q4", "d16"), ("d16", "q4")])
def test_the_third_handicap_stone_is_where_no_stone_is_played_first(first: str, third: str) -> None:
    for data, name in ((gib(f"{first} k10", handicap=3), "a.gib"), (ngf(f"{first} k10", handicap=3), "a.ngf")):
        record = only(data, name)
        stones = {GO.action_name(int(cell)) for cell in record.start.cells().ravel().nonzero()[0]}
        assert stones == {"q16", "d4", third}
        assert record.start.to_move == 1
        assert names(record) == f"{first} k10"


def test_a_bonus_of_tygem_is_not_guessed() -> None:
    (error,) = read_games(gib("q17", DUM="5"), "a.gib").errors
    assert "a bonus of 5 points was left out" in error


def test_a_game_of_wbaduk() -> None:
    record = only(ngf("q16 d16 pass k10"), "A.NGF")
    assert record.game == load_game("go(rules=korean, komi=6.5)")
    assert names(record) == "q16 d16 pass k10"
    assert record.info == {
        "black": "first",
        "white": "second",
        "result": "B+1.5",
        "event": "Rated game",
        "date": "2017-03-16",
        "place": "www.example.com",
    }
    assert only(ngf("q17", handicap=2, komi=0), "a.ngf").game.text.endswith("komi=0)")


@pytest.mark.parametrize(
    ("sentence", "encoding", "result"),
    [
        ("White Win by Resign!", "utf-8", "W+R"),
        ("White loses on time", "utf-8", "B+T"),
        ("White 19Win  >> White(83):Black(64)", "utf-8", "W+19"),
        ("Progressing!", "utf-8", ""),
        ("흑 1.5집 승", "cp949", "B+1.5"),
        ("白5.5目勝ち!", "cp932", "W+5.5"),
        ("黒中押し勝ち!", "cp932", "B+R"),
        ("232手完、黒2目半勝ち", "cp932", "B+2.5"),
        ("白時間切れ勝ち！", "cp932", "W+T"),
        ("白棋12子 >> 白方(94):黑方(82)", "gb18030", "W+12"),
        ("黑中盘胜", "gb18030", "B+R"),
    ],
)
def test_results_of_wbaduk_in_its_languages(sentence: str, encoding: str, result: str) -> None:
    file = read_games(ngf("q16", result=sentence, encoding=encoding), "a.ngf")
    assert file.records[0].info.get("result", "") == result
    guessed = [error for error in file.errors if "how its text is encoded" in error]
    assert [error.endswith(encoding) for error in guessed] == [True] * (encoding != "utf-8")


def test_the_other_form_of_wbaduk_names_no_colours() -> None:
    head = ["韩国十段战", "朴某 初段", "李某 五段", "", "", "2006-9-5", "19", "0", "0", "6", "2"]
    lines = [*(f"GI{line}" for line in head), "PMABBREER", "PMACWEEEE"]
    file = read_games("\n".join(lines).encode("gb18030"), "a.ngf")
    (record,) = file.records
    assert names(record) == "r16 d16"
    assert record.info == {"event": "韩国十段战", "title": "朴某 初段 – 李某 五段", "date": "2006-09-05"}
    assert any("which player has black" in error for error in file.errors)


def test_a_game_of_pandanet() -> None:
    record = only(ugf("q16 d4 pass c3"), "a.ugi")
    assert record.game == load_game("go(rules=japanese, komi=6.5)")
    assert names(record) == "q16 d4 pass c3"
    assert record.info == {
        "black": "first",
        "white": "二番",
        "result": "W+R",
        "event": "2019, 名人戦",
        "date": "2019-03-08",
    }
    upwards = only(ugf("q16 d4", CoordinateType="JPN", Winner="B,2.50"), "a.ugf")
    assert (names(upwards), upwards.info["result"]) == ("q16 d4", "B+2.5")


def test_stones_comments_and_more_passes_of_pandanet() -> None:
    handicap = ugf("", "DD,B1,0,0", "PP,B1,0,0", "QC,W1,1,0", Hdcp="2,0.50")
    record = only(handicap, "a.ugf")
    assert (names(record), record.start.to_move, record.start.cells().sum()) == ("r3", 1, 2)
    told = ["[Figure]", ".Text,1", "good", "move", ".EndText", ".Fig,2,1,1,19,19,a,1,0", "AA,B1,1,0", ".EndFig"]
    review = ["[ReviewNode]", "NODE,1,0,0,0", "[ReviewComment]", ".Comment,3", "second"]
    file = read_games(ugf("q16 d4 pass pass pass", *told, *review), "a.ugf")
    (record,) = file.records
    assert [record.node(node).comment for node in record.main_line()] == ["", "good\nmove", "second", "", ""]
    assert file.errors == ("diagrams with variations were left out: 1",)


@pytest.mark.parametrize("make", [gib, ngf, ugf])
def test_games_of_all_kinds_are_found_by_their_moves(make: object, tmp_path: Path) -> None:
    """Random games come back, and the list that reads no rules has the same moves."""
    rng, suffix = random.Random(5), f".{make.__name__}"  # type: ignore[attr-defined]
    position: Position = GO.initial()
    while len(position.moves) < 120:
        position = position.play(rng.choice(position.legal_actions()[:-1]))
    moves = " ".join(map(GO.action_name, position.moves))
    data = make(moves)  # type: ignore[operator]
    assert kind_of(data, f"a{suffix}") == suffix
    assert is_game_file(data.decode("latin-1")) == (make is not ngf)
    record = only(data, f"a{suffix}")
    assert names(record) == moves
    (outline,) = outlines(data, f"a{suffix}")
    assert [cell for _, cell in outline.moves] == list(position.moves)
    assert outline.is_plain
    (tmp_path / f"A{suffix.upper()}").write_bytes(data)
    games = list_games([tmp_path]).games
    assert open_listed(games[0])[0] == record
    assert [found.ply for found in find_position(games, record.position(record.main_line()[60]))] == [60]


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (gib("q16", handicap=12), "a.gib", "its handicap is '12'"),
        (gib("q16").replace(b"STO 0 2 1 15", b"STO 0 2 1 19"), "a.gib", "its move is '19'"),
        (b"a\n19\n", "a.ngf", "it has 2 lines before the moves; they should be 12"),
        (ngf("q16").replace(b"\n19\n", b"\n99\n"), "a.ngf", "its board is '99'"),
        (ugf("q16", Crypt="2146,XX,READ_WRITE"), "a.ugf", "it is encrypted"),
        (b"[Header]x", "a.ugf", "it has no section [Header]"),
        (b"\\HS" + b" " * (5 << 20), "a.gib", "it has more than 4194304 bytes"),
    ],
)
def test_what_is_no_game_of_a_server_is_refused(data: bytes, name: str, reason: str) -> None:
    with pytest.raises(ValueError, match="^" + reason.replace("[", r"\[")):
        read_games(data, name)
    (outline,) = outlines(data, name)
    assert outline.fault.startswith(reason)
