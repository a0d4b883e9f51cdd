"""Go records as servers and programs write them: rules, komi, handicap, passes, and very many variations."""

import cProfile
import random

import numpy as np
import pytest

from core.files.record import ROOT, GameRecord
from core.files.sgf import read_sgf, write_sgf
from core.games import load_game
from core.games.go_sgf import game_text, read_komi
from core.games.spec import SgfRules

DIALECTS = {
    "Fox": (
        "(;GM[1]FF[4]\n SZ[19]\n GN[]\n PB[小明]\n BR[9段]\n KM[375]HA[0]RU[Chinese]AP[GNU Go:3.8]RN[3]RE[W+R]"
        "TM[10800]TC[5]TT[60]AP[foxwq]RL[0]\n;B[pd];W[dp];B[pp]C[黑胜率 51%])",
        "go(rules=chinese)",
        "q16 d4 q4",
    ),
    "Fox with a handicap that only HA tells": (
        "(;GM[1]FF[4]SZ[19]KM[0]HA[2]RU[Chinese]AP[foxwq];W[nc];B[cf])",
        "go(rules=chinese, komi=0)",
        "o17 c14",
    ),
    "OGS": (
        "(;FF[4]\nCA[UTF-8]\nGM[1]\nPC[OGS: https://online-go.com/game/1]\nOT[86400 fischer]\nRE[B+12.5]\nSZ[19]\n"
        "KM[6.5]\nRU[Japanese]\n;B[qd]\nC[a: hello [3k\\]\n]\n(;W[dc]\n(;B[pq]\n(;W[dq]\n(;B[]\n(;W[]\n))))))",
        "go(rules=japanese)",
        "r16 d17 q3 d3 pass pass",
    ),
    "KGS": (
        "(;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]\nRU[Japanese]SZ[19]KM[0.50]HA[3]TM[600]OT[3x30 byo-yomi]\n"
        "AB[dd][pd][dp]C[w [2d?\\]: hi\nb [-\\]: hello]RE[W+Time]\n;W[pp]WL[599.2];B[cf]BL[598]OB[3];W[]WL[590];"
        "B[]BL[590]TW[aa][ab]TB[ss])",
        "go(rules=japanese, komi=0.5)",
        "q4 c14 pass pass",
    ),
    "KGS, stones set up in a node of their own": (
        "(;GM[1]FF[4]SZ[19]KM[0.5]HA[2];AB[dp][pd]PL[W];W[dd];B[pp])",
        "go(rules=japanese, komi=0.5)",
        "d16 q4",
    ),
    "KGS, the other colour to move": (
        "(;GM[1]FF[4]SZ[19]KM[6.5];B[pd];PL[B];B[dd];W[pp])",
        "go(rules=japanese)",
        "q16 pass d16 q4",
    ),
    "CGOS": (
        "(;GM[1]FF[4]CA[UTF-8]\nRU[Chinese]SZ[9]KM[7]TM[300]\nPW[MoGo(2500)]PB[GNU(1800)]RE[W+Resign]\nC[t=300]\n"
        ';B[ee]BL[299]C[{"winrate": 0.51, "score": 3.5}];W[gc]WL[298]C[0.54 3456];B[tt];W[])',
        "go(size=9, rules=chinese, komi=7)",
        "e5 g7 pass pass",
    ),
    "FF3 with long names": (
        "(;GaMe[1]FileFormat[3]SiZe[19]KoMi[5.5]PlayerBlack[x];Black[pd];White[dd];B[tt];W[tt])",
        "go(rules=japanese, komi=5.5)",
        "q16 d16 pass pass",
    ),
    "Tygem": ("(;TE[x]KO[650]KM[650]RE[B+R]SZ[19]GM[1]FF[3];B[pd];W[dp])", "go(rules=japanese)", "q16 d4"),
    "without GM, whose default is Go": (
        "(;KM[7.5]SZ[19]AP[Lizzie: 0.7];B[pd]LZ[Leela 50.0 1k\nmove Q16 visits 12];W[dd])",
        "go(rules=japanese, komi=7.5)",
        "q16 d16",
    ),
    "handicap stones played as moves have passes between": (
        "(;GM[1]SZ[9]HA[3]KM[0.5]RU[Chinese];B[cc];B[gg];B[cg];W[gc])",
        "go(size=9, rules=chinese, komi=0.5)",
        "c7 pass g3 pass c3 g7",
    ),
    "a number of handicap stones alone": ("(;GM[1]SZ[19]HA[4]KM[0.5]RU[AGA];W[qd])", "go(rules=aga, komi=0.5)", "r16"),
    "tt as a pass, as older files write it": (
        "(;FF[3]GM[1]SZ[19];B[pd];W[tt];B[dd])",
        "go(rules=japanese)",
        "q16 pass d16",
    ),
    "capitals, Ing's rules": ("(;GM[1]SZ[19]RU[GOE]KM[8];B[PD];W[dd])", "go(rules=chinese, komi=8)", "q16 d16"),
}


@pytest.mark.parametrize("name", DIALECTS)
def test_dialects(name):
    text, game, moves = DIALECTS[name]
    file = read_sgf(text)
    (record,) = file.records
    assert file.errors == ()
    assert record.game == load_game(game)
    assert [record.game.action_name(a) for a in record.path(record.main_line()[-1])] == moves.split()
    written = write_sgf([record])
    assert read_sgf(written).records == (record,)
    assert f"KM[{record.game.params['komi']:g}]" in written.decode()
    foreign = read_sgf(written.replace(b"PLYGAME[" + record.game.text.encode() + b"]", b""))
    assert foreign.records[0].game == record.game


@pytest.mark.parametrize(
    ("name", "stones"),
    [
        ("KGS", {"d16", "q16", "d4"}),
        ("KGS, stones set up in a node of their own", {"d4", "q16"}),
        ("a number of handicap stones alone", {"d16", "d4", "q16", "q4"}),
    ],
)
def test_handicap_stones_are_the_start(name, stones):
    (record,) = read_sgf(DIALECTS[name][0]).records
    assert record.start.to_move == 1
    assert {record.game.action_name(int(a)) for a in np.flatnonzero(record.start.cells() == 1)} == stones
    assert f"HA[{len(stones)}]" in write_sgf([record]).decode()


def test_a_file_without_a_game_is_of_the_one_that_is_open_if_it_may_be():
    gomoku = load_game("gomoku")
    assert read_sgf("(;SZ[15];B[hh])", gomoku).records[0].game == gomoku
    assert read_sgf("(;B[hh])", gomoku).records[0].game == gomoku
    assert read_sgf("(;SZ[19];B[hh])", gomoku).records[0].game.name == "go"
    assert read_sgf("(;SZ[15]KM[6.5];B[hh])", gomoku).records[0].game.name == "go"


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


def joseki(variations, seed=2):
    """A file with at least so many variations in one corner, by chance."""
    chance, letters, made = random.Random(seed), "abcdefghijklmnopqrs", [0]
    points = [(col, row) for col in range(9, 19) for row in range(9)]

    def grow(depth, used):
        free = [point for point in points if point not in used]
        chance.shuffle(free)
        more = 4 if depth < 4 else chance.choice((1, 1, 2, 3, 4)) if depth < 18 else 0
        if made[0] >= variations:
            more = 1 if depth < 12 else 0
        if not more:
            made[0] += 1
            return ""
        parts = []
        for col, row in free[:more]:
            note = "C[a note]" if chance.random() < 0.15 else "LB[aa:A]" if chance.random() < 0.2 else ""
            move = f";{'BW'[depth % 2]}[{letters[col]}{letters[row]}]{note}{grow(depth + 1, used | {(col, row)})}"
            parts.append(f"({move})" if more > 1 else move)
        return "".join(parts)

    return f"(;GM[1]FF[4]SZ[19]{grow(0, frozenset())})".encode(), made[0]


@pytest.mark.slow
def test_a_file_of_twenty_thousand_variations_is_read_in_few_steps_for_each():
    data, variations = joseki(20_000)
    read_sgf("(;GM[1]SZ[19];B[aa])")
    profile = cProfile.Profile()
    file = profile.runcall(read_sgf, data)
    (record,) = file.records
    ends = [node for node in record.preorder() if not record.node(node).children]
    assert variations >= 20_000
    assert len(ends) > 0.99 * variations, "some moves by chance are suicide"
    for node in random.Random(1).sample(ends, 50):
        assert record.position(node).moves == record.path(node)
    assert sum(one.callcount for one in profile.getstats()) < 200 * len(record), "107 calls for each node"


def test_many_variations_are_the_same_as_when_each_is_played():
    data, _ = joseki(300)
    (record,) = read_sgf(data).records
    played = type(record)(record.start)
    node_of = {0: 0}
    for node in record.preorder():
        here = record.node(node)
        if here.parent >= 0:
            node_of[node] = played.play(node_of[here.parent], here.action)
        played.set_comment(node_of[node], here.comment)
        played.set_marks(node_of[node], here.marks)
    assert played == record
    child = record.play(0, record.start.legal_actions()[0])
    assert child not in node_of
    assert record.undo() == 0


def test_white_begins_after_black_stones_alone():
    assert read_sgf("(;GM[1]SZ[19]AB[dd][pp])").records[0].start.to_move == 1
    assert read_sgf("(;GM[1]SZ[19]AB[dd][pp]AW[dp])").records[0].start.to_move == 0
