"""SGF: written games are read back, and other files are read as far as possible."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.files import sgf_text
from core.files.reading import MAX_COMPLAINTS
from core.files.record import ROOT, GameRecord, Mark
from core.files.sgf import read_sgf, write_sgf
from core.games import GameSpec, load_game
from tests.core.files.records import TEXTS, records


def only(data: bytes | str, game: GameSpec | None = None) -> tuple[GameRecord, tuple[str, ...]]:
    """The one record of a file, and the errors."""
    file = read_sgf(data, game)
    (record,) = file.records
    return record, file.errors


def names(record: GameRecord, nodes: tuple[int, ...] | None = None) -> str:
    """The moves of a line, by default the main line."""
    line = record.main_line() if nodes is None else nodes
    return " ".join(record.game.action_name(a) for a in record.path(line[-1]))


# There and back.


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.lists(records(), min_size=1, max_size=2))
def test_written_games_are_read_back(games: list[GameRecord]) -> None:
    file = read_sgf(write_sgf(games))
    assert file.errors == ()
    assert len(file.records) == len(games)
    for read, written in zip(file.records, games, strict=True):
        assert not read.can_undo
        # A result that the moves show, and rules that the game's name shows, are not kept twice.
        assert read.outcome() == written.outcome()
        for key in ("result", "rules"):
            read.set_info(key, "")
            written.set_info(key, "")
        assert read == written


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(records(), st.data())
def test_a_damaged_sgf_is_read_in_part(record: GameRecord, data: st.DataObject) -> None:
    whole = write_sgf([record])
    at = data.draw(st.integers(0, len(whole)))
    damage = data.draw(st.sampled_from(("cut", "byte", "insert")))
    if damage == "cut":
        broken = whole[:at]
    elif damage == "byte":
        broken = whole[:at] + bytes([data.draw(st.integers(0, 255))]) + whole[at + 1 :]
    else:
        broken = whole[:at] + data.draw(st.binary(max_size=6)) + whole[at:]
    file = read_sgf(broken)
    if damage == "cut" and at < len(whole) - 2:
        assert file.errors
    for read in file.records:
        again = read_sgf(write_sgf([read]))
        assert again.records[0].outcome() == read.outcome()
        assert len(again.records[0]) == len(read)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="();[]\\BWabcdeGM24SZ:AP \n", max_size=80) | st.binary(max_size=80))
def test_any_input_is_answered_or_refused_with_a_sentence(data: str | bytes) -> None:
    file = read_sgf(data, load_game("tictactoe"))
    assert file.records or file.errors


@given(TEXTS)
def test_texts_are_escaped(text: str) -> None:
    text = text.replace("\r", "\n")
    assert sgf_text.unescape(sgf_text.escape(text)) == text
    assert sgf_text.unescape(sgf_text.escape(text, composed=True)) == text
    trees = sgf_text.parse(f"(;C[{sgf_text.escape(text)}])", pytest.fail)
    assert sgf_text.unescape(trees[0][0].properties["C"][0]) == text


# The form.


def test_a_game_is_written_as_sgf() -> None:
    record = GameRecord(load_game("gomoku").initial())
    node = record.play_line(ROOT, [record.game.parse_action(word) for word in ("h8", "i9")])
    record.play(record.line(node)[1], record.game.parse_action("g7"))
    record.set_info("black", "Ada")
    record.set_comment(node, "a ] and a \\")
    record.set_marks(node, [Mark(0, "label", "x:y"), Mark(224, "cross")])
    assert write_sgf([record]).decode() == (
        "(;FF[4]GM[4]CA[UTF-8]AP[Plyscope]SZ[15]PLYGAME[gomoku]PB[Ada];B[hh]\n"
        "(;W[ig]C[a \\] and a \\\\]LB[aa:x\\:y]MA[oo])\n(;W[gi]))\n"
    )


def test_connect_four_moves_are_written_as_the_cells_of_their_discs() -> None:
    record = GameRecord.of(load_game("connect4").position("d d c"))
    text = write_sgf([record]).decode()
    assert "GM[4]" in text
    assert "SZ[7:6]" in text
    assert ";B[df];W[de];B[cf]" in text


def test_a_pass_of_othello_is_empty() -> None:
    # The shortest way to a pass on the small board, found by trying every line.
    lines = [load_game("othello(size=4)").initial()]
    while not (passed := [p for p in lines if p.moves[-2:-1] == (16,)]):
        lines = [p.play(a) for p in lines[:300] for a in p.legal_actions()]
    record = GameRecord.of(passed[0])
    assert "pass" in names(record)
    text = write_sgf([record]).decode()
    assert "[]" in text
    assert read_sgf(text.replace("[]", "[tt]")).records == (record,)
    # Other programs leave forced passes out.
    record_without, errors = only(text.replace(";B[]", "").replace(";W[]", ""))
    assert (record_without, errors) == (record, ())


def test_nim_has_no_sgf() -> None:
    with pytest.raises(ValueError, match="cannot be written as SGF"):
        write_sgf([GameRecord(load_game("nim").initial())])


# From other programs.


@pytest.mark.parametrize(
    ("text", "game", "moves"),
    [
        ("(;GM[4]FF[4]SZ[15];B[hh];W[ii])", "gomoku", "h8 i7"),
        ("(;GM[4];B[hh])", "gomoku", "h8"),
        ("(;GM[4];B[hh];W[ss])", "gomoku(size=19)", "h12 s1"),
        ("(;GM[4]SZ[15]RU[Renju];B[hh])", "gomoku(rule=renju)", "h8"),
        ("(;GM[2]SZ[8];B[dc];W[cc])", "othello", "d3 c3"),
        ("(;GM[2];Black[dc];White[cc])", "othello", "d3 c3"),
        ("(;GM[4]SZ[4:5];B[aa])", "connectn(rows=5, cols=4, k=5)", "a5"),
        ("(;GM[4]SZ[15];B[h8];W[i9])", "gomoku", "h8 i9"),
        ("junk before (;GM[4]SZ[15];B[hh]) and after", "gomoku", "h8"),
        ("(;GM[4]SZ[15]B[hh];W[ii])", "gomoku", "h8 i7"),
        ("( ;\r\nGM [4]\r\n SZ\r\n[15] ; B[hh] )", "gomoku", "h8"),
        ("(;GM[2]AB[ed][de]AW[dd][ee];B[dc])", "othello", "d3"),
    ],
)
def test_sgf_of_other_programs_is_read_without_errors(text: str, game: str, moves: str) -> None:
    record, errors = only(text)
    assert errors == ()
    assert (record.game.text, names(record)) == (game, moves)


def test_a_set_up_with_rectangles_and_colours() -> None:
    record, errors = only("(;GM[4]SZ[5]AB[aa:ca]AW[ab:db]AE[db]PL[B];B[da])")
    assert errors == ()
    assert record.start.diagram().splitlines()[:2] == ["X X X . .", "O O O . ."]
    assert names(record) == "d5"


def test_nodes_without_a_move_belong_to_the_one_before() -> None:
    record, errors = only("(;GM[4]SZ[5]C[first];C[second]TR[aa];B[cc]C[third];N[fourth](;W[aa])(;C[x];W[bb]))")
    assert errors == ()
    (node,) = record.node(ROOT).children
    assert record.node(ROOT).comment == "first\n\nsecond"
    assert record.node(ROOT).marks == (Mark(0, "triangle"),)
    assert (record.node(node).comment, record.node(node).name) == ("third\n\nx", "fourth")
    assert len(record.node(node).children) == 2


def test_equal_variations_are_merged_with_their_comments() -> None:
    record, _ = only("(;GM[4]SZ[5](;B[cc]C[one];W[aa])(;B[cc]C[two];W[bb]))")
    (node,) = record.node(ROOT).children
    assert record.node(node).comment == "one\n\ntwo"
    assert len(record.node(node).children) == 2


def test_unknown_properties_are_kept() -> None:
    text = "(;GM[4]SZ[5]ST[2]KM[6.5];B[cc]BL[12.5]XYZ[a\\]b][c];W[aa]LB[zz:q])"
    record, errors = only(text)
    assert errors == ("LB: 'zz' is no point of this board, which are aa to ee",)
    assert record.node(ROOT).extra == (("ST", ("2",)), ("KM", ("6.5",)))
    written = write_sgf([record]).decode()
    for part in ("ST[2]", "KM[6.5]", "BL[12.5]", "XYZ[a\\]b][c]", "LB[zz:q]"):
        assert part in written
    assert read_sgf(written).records == (record,)


@pytest.mark.parametrize(
    ("text", "sentence", "moves"),
    [
        ("(;GM[4]SZ[5];B[aa];W[aa];B[bb])", "after a5, a5 cannot be played: the place is taken", "a5"),
        ("(;GM[4]SZ[5];B[aa];B[bb])", "after a5, B plays b4 and it is W's turn", "a5"),
        ("(;GM[4]SZ[5];B[zz])", "at the start, 'zz' is no point of this board, which are aa to ee", ""),
        ("(;GM[4]SZ[5];B[aa];W[])", "after a5, there is a pass, and this game has none", "a5"),
        (
            "(;GM[4]SZ[5];B[aa];AB[bb])",
            "after a5, the position set up is none of Gomoku 5×5: it has 2 X and 0 O, and as X begins there must be as "
            "many X as O or one more",
            "a5",
        ),
        (
            "(;GM[4]PLYGAME[connect4];B[df];AW[aa])",
            "after d, the position set up is none of Connect Four: its disc at a6 has nothing under it",
            "d",
        ),
        ("(;GM[2];B[aa])", "at the start, a1 cannot be played: it turns no disc", ""),
    ],
)
def test_unplayable_variations_are_reported_and_kept(text: str, sentence: str, moves: str) -> None:
    record, errors = only(text)
    assert errors == (f"{sentence}; that variation is kept but not shown",)
    assert names(record) == moves
    (unread,) = record.node(record.main_line()[-1]).unread
    record.play(record.main_line()[-1], record.position(record.main_line()[-1]).legal_actions()[-1])
    written = write_sgf([record]).decode()
    assert unread in written
    assert read_sgf(written) == ((record,), errors, 1, (1,))


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("", "there is no SGF game in it: a game begins with '(;'"),
        ("just words", "there is no SGF game in it: a game begins with '(;'"),
        (
            "(;GM[11]SZ[19];B[aa])",
            "it is of Hex (GM[11]); of SGF's games Go (GM[1]) and Othello (GM[2]) and Gomoku (GM[4]) are known",
        ),
        ("(;GM[2]SZ[7])", "its board cannot be played on: cannot load the game 'othello(size=7)': size=7 is not even"),
        ("(;GM[4]SZ[5]AB[aa][bb][cc])", "the position it sets up is none of Gomoku 5×5: bad diagram"),
    ],
)
def test_files_with_nothing_to_show(text: str, errors: str) -> None:
    file = read_sgf(text)
    assert file.records == ()
    assert file.errors[-1].startswith(errors)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("(;GM[4]SZ[5];B[aa]", "it ends inside a game: a ')' is missing"),
        ("(;GM[4]SZ[5];B[aa", "it ends inside a value, which has no ']'"),
        ("(;GM[4]SZ[5];B[aa];W)", "property W has no value"),
        ("(;GM[4]SZ[5]!!;B[aa])", "it is no SGF at '!!;B[aa])' in line 1"),
        ("(;GM[4]SZ[5]PLYGAME[chess];B[aa])", "PLYGAME: cannot load the game 'chess'"),
        ("(;GM[4]SZ[9]PLYGAME[gomoku(size=5)];B[aa])", "SZ[9] is not the board of Gomoku 5×5, which is 5"),
        ("(;GM[4]SZ[x]PLYGAME[gomoku(size=5)];B[aa])", "SZ[x] is no size of a board; 5 was taken"),
        (";GM[4]SZ[5];B[aa]", "the bracket before the first node is missing"),
        ("(;GM[4]SZ[5];(B[aa]))", "a variation begins without ';' at 'B[aa]))' in line 1"),
        ("(;GM[4]SZ[5]PL[W];B[aa])", "it lets W begin, which the game does not; PL was left out"),
    ],
)
def test_errors_are_reported_and_the_rest_is_read(text: str, sentence: str) -> None:
    record, errors = only(text)
    assert any(error.startswith(sentence) for error in errors), errors
    assert names(record) == "a5"


def test_a_disc_in_the_air_falls() -> None:
    record, errors = only("(;GM[4]PLYGAME[connect4]SZ[7:6];B[da])")
    assert names(record) == "d"
    assert errors == ("a disc is at 'da', and in its column it falls to 'df'",)


def test_a_given_game_is_used() -> None:
    record, errors = only("(;B[bb];W[aa])", load_game("tictactoe"))
    assert (names(record), errors) == ("b2 a3", ())


def test_several_games_and_one_of_an_unknown_kind() -> None:
    file = read_sgf("(;GM[4]SZ[5];B[aa])\n(;GM[11];B[dd])\n(;GM[2];B[dc])")
    assert [record.game.name for record in file.records] == ["gomoku", "othello"]
    assert len(file.errors) == 1
    assert file.errors[0].startswith("game 2: it is of Hex")


@pytest.mark.parametrize(
    ("data", "comment", "errors"),
    [
        ("(;GM[4]SZ[5]C[五子棋])".encode(), "五子棋", 0),
        ("(;GM[4]SZ[5]C[五子棋])".encode("utf-8-sig"), "五子棋", 0),
        ("(;GM[4]SZ[5]C[五子棋])".encode("utf-16"), "五子棋", 0),
        ("(;GM[4]CA[gb2312]SZ[5]C[五子棋])".encode("gb2312"), "五子棋", 0),
        ("(;GM[4]CA[Shift_JIS]SZ[5]C[五目ソ])".encode("shift_jis"), "五目ソ", 0),  # its second byte is a backslash
        ("(;GM[4]CA[gb2312]SZ[5]C[朱镕基])".encode("gb18030"), "朱镕基", 0),  # not in GB 2312
        ("(;GM[4]CA[gbk]SZ[5]C[㐂])".encode("gb18030"), "㐂", 0),
        ("(;GM[4]CA[Shift_JIS]SZ[5]C[髙橋①])".encode("cp932"), "髙橋①", 0),
        ("(;GM[4]CA[iso-8859-1]SZ[5]C[“Žižek” – 5 €])".encode("cp1252"), "“Žižek” – 5 €", 0),
        (b"(;GM[4]CA[latin-1]SZ[5]C[a\x81b])", "a\x81b", 0),
        ("(;GM[4]SZ[5]C[“quoted”])".encode("cp1252"), "“quoted”", 1),
        ("(;GM[4]SZ[5]C[五子棋])".encode("gb18030"), "五子棋", 1),
        ("(;GM[4]SZ[5]C[für dich])".encode("latin-1"), "für dich", 1),
        ("(;GM[4]CA[iso8859-1]SZ[5]C[für dich])".encode("latin-1"), "für dich", 0),
        ("(;GM[4]CA[klingon]SZ[5]C[für dich])".encode(), "für dich", 1),
        ("(;GM[4]CA[rot13]SZ[5]C[für dich])".encode(), "für dich", 1),
        ("(;GM[4]CA[utf-8]SZ[5]C[für dich])".encode("latin-1"), "f\N{REPLACEMENT CHARACTER}r dich", 1),
        (b"(;GM[4]SZ[5]C[one\r\ntwo\rthree\\\r\nsame])", "one\ntwo\nthreesame", 0),
    ],
)
def test_encodings_and_newlines(data: bytes, comment: str, errors: int) -> None:
    record, errors_found = only(data)
    assert record.node(ROOT).comment == comment
    assert len(errors_found) == errors, errors_found


# Size.


@pytest.mark.slow
def test_only_the_requested_number_of_games_is_read() -> None:
    file = read_sgf("(;GM[4];B[aa])" * 30_000, most=1)
    assert (len(file.records), file.games) == (1, 30_000)
    assert file.errors == ()


def test_games_that_cannot_be_shown_are_skipped() -> None:
    file = read_sgf("(;GM[11])(;GM[4];B[aa])(;GM[4])", most=1)
    assert (len(file.records), file.games, len(file.errors)) == (1, 3, 1)


@pytest.mark.slow
def test_depth_has_no_limit() -> None:
    deep = "(;GM[4]SZ[5]" + "(;C[x]" * 30_000 + ")" * 30_000 + ")"
    record, errors = only(deep)
    assert errors == ()
    assert record.node(ROOT).comment.count("x") == 30_000


def test_limits_on_size_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sgf_text, "MAX_NODES", 3)
    record, errors = only("(;GM[4]SZ[5];B[aa];W[bb];B[cc];W[dd])")
    assert (names(record), errors) == ("a5 b4", ("it has more than 3 nodes; the rest was not read",))
    monkeypatch.setattr(sgf_text, "MAX_BYTES", 10)
    assert read_sgf("(;GM[4]SZ[5])").records == ()


def test_the_number_of_errors_is_limited() -> None:
    file = read_sgf("(;GM[4]SZ[5]" + "".join(f"LB[zz:{i}](;B[z{chr(97 + i % 26)}]C[{i}])" for i in range(3000)) + ")")
    assert len(file.errors) <= MAX_COMPLAINTS + 1
    assert sum(len(record.node(i).unread) for record in file.records for i in record.preorder()) == 3000
