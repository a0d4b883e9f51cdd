"""Tests of Go records as servers and programs write them: rules, komi, handicap, passes, and what is written back."""

import pytest

from core.files.record import ROOT, GameRecord
from core.files.sgf import read_sgf, write_sgf
from core.games import load_game
from core.games.go_sgf import game_text, read_komi
from core.games.spec import SgfRules

KGS = """(;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]
RU[Japanese]SZ[19]HA[2]KM[0.50]TM[1800]OT[5x30 byo-yomi]
PW[white]PB[black]WR[2d]BR[1d]DT[2010-01-01]PC[The KGS Go Server at http://www.gokgs.com/]
AB[dd][pp]RE[W+Resign]
;W[pd]WL[1795.2]OW[5];B[dp]BL[1790.1]OB[5]
;W[fq];B[cn])"""
OGS = """(;FF[4]CA[UTF-8]GM[1]DT[2020-05-01]PC[OGS: https://online-go.com/game/1]GN[Friendly]PB[a]PW[b]BR[9k]WR[8k]
TM[259200]OT[86400 fischer]RE[B+4.5]SZ[9]KM[5.5]RU[Japanese]C[a: hi]
;B[ee](;W[gc]C[hello](;B[gg](;W[cc](;B[]
(;W[]))))))"""
FOX = """(;GM[1]FF[4]SZ[19]GN[]DT[2021-01-01]PB[甲]PW[乙]BR[9段]WR[9段]KM[375]HA[0]RU[Chinese]AP[GNU Go:3.8]
RN[3]RE[B+R]TM[60]
;B[pd];W[dp];B[dd])"""
FREE = "(;GM[1]SZ[9]HA[3]KM[0.5]RU[Chinese];B[cc];B[gg];B[cg];W[gc])"
NUMBER_ALONE = "(;GM[1]SZ[19]HA[4]KM[0.5]RU[AGA];W[qd])"


def test_a_handicap_game_of_kgs() -> None:
    file = read_sgf(KGS.encode())
    assert file.errors == ()
    (record,) = file.records
    assert record.game == load_game("go(rules=japanese, komi=0.5)")
    start = record.start
    assert (start.to_move, sorted(start.cells().nonzero()[0].tolist())) == (1, [3, 15])
    end = record.position(record.main_line()[-1])
    assert [record.game.action_name(action) for action in end.moves] == ["q16", "d4", "f3", "c6"]
    assert record.info["result"] == "W+Resign"
    kept = dict(record.node(record.main_line()[1]).extra)
    assert kept == {"WL": ("1795.2",), "OW": ("5",)}


def test_variations_and_passes_of_ogs() -> None:
    file = read_sgf(OGS.encode())
    assert file.errors == ()
    (record,) = file.records
    assert record.game.text == "go(size=9, rules=japanese, komi=5.5)"
    end = record.position(record.main_line()[-1])
    assert [record.game.action_name(action) for action in end.moves][-2:] == ["pass", "pass"]
    assert end.is_over


def test_fox_writes_komi_in_hundredths_of_stones() -> None:
    file = read_sgf(FOX.encode())
    assert file.errors == ()
    assert file.records[0].game == load_game("go(rules=chinese, komi=7.5)")


def test_handicap_stones_played_as_moves_have_passes_between() -> None:
    file = read_sgf(FREE)
    (record,) = file.records
    end = record.position(record.main_line()[-1])
    names = [record.game.action_name(action) for action in end.moves]
    assert names == ["c7", "pass", "g3", "pass", "c3", "g7"]
    assert int((end.cells() == 1).sum()) == 3


def test_a_number_of_handicap_stones_alone_puts_them_on_their_places() -> None:
    (record,) = read_sgf(NUMBER_ALONE).records
    names = record.game.action_names
    assert sorted(names[int(cell)] for cell in (record.start.cells().ravel() == 1).nonzero()[0]) == [
        "d16",
        "d4",
        "q16",
        "q4",
    ]
    assert record.start.to_move == 1


def test_tt_is_a_pass_as_older_files_write_it() -> None:
    (record,) = read_sgf("(;FF[3]GM[1]SZ[19];B[pd];W[tt];B[dd])").records
    end = record.position(record.main_line()[-1])
    assert [record.game.action_name(action) for action in end.moves] == ["q16", "pass", "d16"]


@pytest.mark.parametrize(
    ("rules", "komi", "text"),
    [
        ("", "", "go(rules=japanese)"),
        ("japanese", "6.5", "go(rules=japanese)"),
        ("chinese", "7.5", "go(rules=chinese)"),
        ("chinese (area)", "0", "go(rules=chinese, komi=0)"),
        ("nz", "7", "go(rules=new-zealand)"),
        ("new zealand", "6.5", "go(rules=new-zealand, komi=6.5)"),
        ("aga", "7.5", "go(rules=aga)"),
        ("tromp-taylor", "7.5", "go"),
        ("korean", "6.5", "go(rules=korean)"),
        ("kopositionalscoreareataxnonesui1", "7.5", "go"),
        ("kosimplescoreareataxnonesui0button1", "7", "go(komi=7, ko=simple, suicide=no, button=yes)"),
        ("kosimplescoreterritorytaxsekisui0", "6.5", "go(rules=japanese)"),
        (
            "kosituationalscoreterritorytaxallsui1button1",
            "6.5",
            "go(rules=japanese, ko=situational, suicide=yes, tax=all)",
        ),
        ("kosimplescoreareataxallsui0", "0", "go(komi=0, ko=simple, suicide=no, tax=all)"),
        ("house rules", "nonsense", "go(rules=japanese)"),
    ],
)
def test_names_of_rules(rules: str, komi: str, text: str) -> None:
    assert load_game(game_text(19, 19, SgfRules(rules, komi))).text == text


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("go", "Tromp-Taylor"),
        ("go(rules=korean, komi=0)", "Korean"),
        ("go(rules=japanese, tax=none)", "koSIMPLEscoreTERRITORYtaxNONEsui0"),
        ("go(ko=situational, tax=all, button=yes)", "koSITUATIONALscoreAREAtaxALLsui1button1"),
        ("go(rules=aga, suicide=yes)", "koSITUATIONALscoreAREAtaxNONEsui1"),
    ],
)
def test_rules_as_written(text: str, rules: str) -> None:
    """Rules that no name stands for are written in KataGo's manner, which also says them to other programs."""
    game = load_game(text)
    written = write_sgf([GameRecord(game.initial())])
    assert f"RU[{rules}]" in written.decode()
    foreign = read_sgf(written.replace(b"PLYGAME[" + game.text.encode() + b"]", b"")).records[0].game
    for name in ("komi", "ko", "suicide", "tax", "button"):
        assert foreign.params[name] == game.params[name]


@pytest.mark.parametrize(
    ("word", "komi"),
    [
        ("6.5", 6.5), ("6,5", 6.5), ("650", 6.5), ("375", 7.5), ("3.75", 7.5), ("-5", -5.0), ("0", 0.0), ("7.50", 7.5),
        ("0.25", None), ("", None), ("komi", None), ("99999", None),
    ],
)  # fmt: skip
def test_komi_as_written_by_servers(word: str, komi: float | None) -> None:
    assert read_komi(word) == komi


def test_what_is_written_is_read_back() -> None:
    for text in (KGS, OGS, FOX, FREE, NUMBER_ALONE):
        (record,) = read_sgf(text.encode()).records
        written = write_sgf([record])
        again = read_sgf(written)
        assert again.errors == ()
        assert again.records == (record,)
        assert f"KM[{record.game.params['komi']:g}]" in written.decode()
        foreign = read_sgf(written.replace(b"PLYGAME[" + record.game.text.encode() + b"]", b""))
        assert foreign.records[0].game == record.game
    assert "HA[2]" in write_sgf(read_sgf(KGS).records).decode()


def test_captures_and_illegal_moves() -> None:
    file = read_sgf("(;GM[1]SZ[5]RU[Chinese]KM[0];B[ba];W[aa];B[ab];W[ba])")
    (record,) = file.records
    assert record.position(record.main_line()[-1]).cells()[0].tolist() == [0, 1, 0, 0, 0]
    assert len(file.errors) == 1
    assert "b5 cannot be played: the place is taken" in file.errors[0]
    assert record.node(ROOT).children


@pytest.mark.parametrize(("rules", "outcome"), [("japanese", ""), ("chinese", ""), ("tromp-taylor", "B+")])
def test_the_moves_of_a_counted_game_do_not_tell_its_result(rules, outcome):
    game = load_game(f"go(size=5, rules={rules}, komi=0.5)")
    record = GameRecord.of(game.position("c3 pass pass"))
    assert record.position(record.main_line()[-1]).is_over
    assert record.outcome() == outcome
    assert (b"RE[" in write_sgf([record])) == bool(outcome)
    record.set_info("result", "B+")
    (read,) = read_sgf(write_sgf([record])).records
    assert read.outcome() == "B+"
