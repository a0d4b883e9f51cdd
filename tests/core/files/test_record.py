"""The record against a plain list of lines, every operation undone and redone, and boards set up by hand."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from core.files.edit import judge
from core.files.record import INFO_KEYS, MARK_KINDS, ROOT, GameRecord, Mark
from core.games import IllegalMove, diagram, load_game
from tests.core.files.records import GAMES, random_position, records

TICTACTOE = load_game("tictactoe")
TEXTS = st.text(max_size=12)


def shape(record: GameRecord) -> Any:
    """The moves as nested tuples."""

    def below(node: int) -> Any:
        return tuple((record.node(c).action, below(c)) for c in record.node(node).children)

    return below(ROOT)


def snapshot(record: GameRecord) -> Any:
    """All that can be seen, ids included."""
    return {i: record.node(i) for i in record.preorder()}, dict(record.info)


class Editing(RuleBasedStateMachine):
    """Random editing: whatever was done, undo leads back through the very states and redo forth again."""

    def __init__(self) -> None:
        super().__init__()
        self.record = GameRecord(load_game("connectn(rows=2, cols=3, k=3)").initial())
        self.states = [snapshot(self.record)]
        self.at = 0
        self.joined: dict[int, bool] = {}  # state that was undone -> whether redo goes on from there to the next

    def pick(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from(sorted(self.record.preorder())))

    def did(self) -> None:
        now = snapshot(self.record)
        if now != self.states[self.at]:
            del self.states[self.at + 1 :]
            self.joined.clear()
            self.states.append(now)
            self.at += 1

    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        node = self.pick(data)
        legal = self.record.position(node).legal_actions()
        if legal:
            action = data.draw(st.sampled_from(legal))
            known = self.record.child(node, action)
            size = len(self.record)
            played = self.record.play(node, action)
            assert self.record.path(played) == (*self.record.path(node), action)
            assert (played, len(self.record)) == ((known, size) if known is not None else (played, size + 1))
        self.did()

    @rule(data=st.data())
    def promote(self, data: st.DataObject) -> None:
        node = self.pick(data)
        was_main = node in self.record.main_line()
        assert self.record.promote(node) != was_main
        self.did()

    @rule(data=st.data())
    def make_main(self, data: st.DataObject) -> None:
        node = self.pick(data)
        self.record.make_main(node)
        assert node in self.record.main_line()
        self.did()

    @precondition(lambda self: len(self.record) > 1)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        node = data.draw(st.sampled_from(sorted(set(self.record.preorder()) - {ROOT})))
        gone = {i for i in self.record.preorder() if node in self.record.line(i)}
        left = set(self.record.preorder()) - gone
        assert self.record.delete(node) in left
        assert set(self.record.preorder()) == left
        assert not any(i in self.record for i in gone)
        self.did()

    @rule(data=st.data(), text=TEXTS, cell=st.integers(0, 5), kind=st.sampled_from(MARK_KINDS))
    def annotate(self, data: st.DataObject, text: str, cell: int, kind: str) -> None:
        node = self.pick(data)
        do = data.draw(st.sampled_from(("comment", "name", "marks", "info")))
        if do == "comment":
            self.record.set_comment(node, text)
        elif do == "name":
            self.record.set_name(node, text)
        elif do == "marks":
            self.record.set_marks(node, [Mark(cell, kind, text)])
        else:
            self.record.set_info(data.draw(st.sampled_from(INFO_KEYS)), text)
        self.did()

    @rule(joined=st.booleans())
    def undo(self, joined: bool) -> None:
        shown = self.record.undo(joined)
        assert (shown is None) == (self.at == 0)
        if self.at:
            self.joined[self.at] = joined and self.at < len(self.states) - 1
        self.at = max(0, self.at - 1)
        assert snapshot(self.record) == self.states[self.at]
        assert shown is None or shown in self.record

    @rule()
    def redo(self) -> None:
        shown = self.record.redo()
        assert (shown is None) == (self.at == len(self.states) - 1)
        self.at = min(len(self.states) - 1, self.at + 1)
        while self.joined.pop(self.at, False):
            self.at += 1
        assert snapshot(self.record) == self.states[self.at]
        assert shown is None or shown in self.record

    @invariant()
    def whole(self) -> None:
        """Parents and children agree, no move stands twice under one node, and every position can be played."""
        ids = list(self.record.preorder())
        assert len(ids) == len(set(ids)) == len(self.record)
        for i in ids:
            node = self.record.node(i)
            moves = [self.record.node(c).action for c in node.children]
            assert len(set(moves)) == len(moves)
            assert all(self.record.node(c).parent == i for c in node.children)
            assert self.record.position(i).moves == self.record.path(i)


Editing.TestCase.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
TestEditing = Editing.TestCase


def test_a_move_played_again_is_not_a_new_variation() -> None:
    record = GameRecord(TICTACTOE.initial())
    first = record.play_line(ROOT, (4, 0, 8))
    assert record.play_line(ROOT, (4, 0, 8)) == first
    assert len(record) == 4
    other = record.play_line(ROOT, (4, 1))
    assert shape(record) == ((4, ((0, ((8, ()),)), (1, ()))),)
    assert record.main_line() == record.line(first)
    assert record.make_main(other)
    assert record.main_line() == record.line(other)


def test_an_illegal_line_plays_nothing() -> None:
    record = GameRecord(TICTACTOE.initial())
    with pytest.raises(IllegalMove):
        record.play_line(ROOT, (4, 0, 4))
    assert len(record) == 1
    assert not record.can_undo


def test_a_line_is_one_step() -> None:
    record = GameRecord(TICTACTOE.initial())
    end = record.play_line(ROOT, (4, 0, 8))
    assert record.undo() == ROOT
    assert len(record) == 1
    assert record.redo() == end
    assert record.path(end) == (4, 0, 8)


def test_a_record_can_start_at_a_diagram() -> None:
    start = TICTACTOE.parse_diagram("X . .\n. O .\n. . .\nX to move, last b2")
    record = GameRecord(start)
    node = record.play(ROOT, 8)
    assert record.position(node).diagram().startswith("X . .\n. O .\n. . X")
    assert record.start.last_action == 4
    with pytest.raises(ValueError, match="a record starts where no move was played"):
        GameRecord(record.position(node))
    assert GameRecord.of(record.position(node)) == record


def test_outcome_is_that_of_the_main_line_or_the_recorded_result() -> None:
    record = GameRecord.of(TICTACTOE.position("a3 a2 b3 b2 c3"))
    assert record.outcome() == "B+"
    record.set_info("result", "W+Time")
    assert record.outcome() == "W+Time"
    assert GameRecord(TICTACTOE.initial()).outcome() == ""


def test_positions_beyond_the_cache_are_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.files.record._POSITIONS_KEPT", 3)
    record = GameRecord.of(TICTACTOE.position("a3 a2 b3 b2 c1"))
    for node in (*record.preorder(), *reversed(list(record.preorder()))):
        assert record.position(node).moves == record.path(node)


@pytest.mark.parametrize(
    ("do", "sentence"),
    [
        (lambda r: r.delete(ROOT), "the start of a record cannot be deleted"),
        (lambda r: r.node(7), "the record has no node 7"),
        (lambda r: r.set_marks(ROOT, [Mark(9, "cross")]), "a mark is on cell 9, and a cell is from 0 to 8"),
        (lambda r: r.set_info("colour", "red"), "a record has no 'colour'"),
        (lambda r: Mark(0, "star"), "a mark is 'star'; it must be one of label"),
    ],
)
def test_invalid_changes_are_refused(do: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        do(GameRecord(TICTACTOE.initial()))


@given(st.text())
def test_a_comment_can_be_written_to_any_file(text: str) -> None:
    record = GameRecord(TICTACTOE.initial())
    record.set_comment(ROOT, text)
    comment = record.node(ROOT).comment
    assert comment.encode("utf-8").decode("utf-8") == comment
    assert "\r" not in comment


@settings(max_examples=40)
@given(records())
def test_a_copy_is_independent(record: GameRecord) -> None:
    copy, before = record.copy(), snapshot(record)
    assert copy == record
    assert snapshot(copy) == before
    assert not copy.can_undo
    for node in list(record.preorder()):
        copy.set_comment(node, "another")
    copy.set_info("title", "another")
    for child in record.node(ROOT).children:
        copy.delete(child)
    assert snapshot(record) == before
    end = record.copy().main_line()[-1]
    if not record.position(end).is_over:
        assert copy.play(ROOT, record.start.legal_actions()[0]) not in record  # no id is used twice


def cells(text: str) -> np.ndarray:
    rows = text.split("/")
    return diagram.read("\n".join(rows), (len(rows), len(rows[0]))).cells


@settings(max_examples=80, deadline=None)
@given(st.data(), st.sampled_from(GAMES))
def test_every_reachable_board_is_accepted(data: st.DataObject, name: str) -> None:
    position = random_position(data, load_game(name), 20)
    verdict = judge(position.game, position.cells(), position.to_move, position.last_action)
    assert verdict.faults == ()
    assert verdict.position == position


@settings(max_examples=200, deadline=None)
@given(st.data(), st.sampled_from((*GAMES, "nim(heaps=2-3)")))
def test_judge_agrees_with_the_game(data: st.DataObject, name: str) -> None:
    game = load_game(name)
    height, width = game.shape
    stones = data.draw(st.lists(st.sampled_from([0, 0, 0, 1, 2]), min_size=height * width, max_size=height * width))
    board = np.array(stones, np.int8).reshape(game.shape)
    to_move = data.draw(st.sampled_from([0, 1]))
    verdict = judge(game, board, to_move)
    try:
        parsed = game.parse_diagram(diagram.write(board, to_move, None))
    except ValueError:
        parsed = None
    assert verdict.position == parsed
    assert (verdict.position is None) == bool(verdict.faults)
    assert len(set(verdict.faults)) == len(verdict.faults)
    assert not any(fault.endswith(".") for fault in verdict.faults)


@pytest.mark.parametrize(
    ("game", "board", "to_move", "faults"),
    [
        (
            "connect4(rows=4, cols=5, k=3)",
            "X..../O.O../...../X.X.X",
            0,
            (
                "its discs at a4, a3 have nothing under them",
                "its disc at c3 has nothing under it",
                "it has 4 X and 2 O, and as X begins there must be as many X as O or one more",
            ),
        ),
        (
            "tictactoe",
            "XXX/OOO/...",
            None,
            ("both X and O have 3 in a row",),
        ),
        (
            "tictactoe",
            "XXX/XXX/OO.",
            1,
            ("it has 6 X and 2 O, and as X begins there must be as many X as O or one more",),
        ),
        (
            "tictactoe",
            "X../.../...",
            0,
            ("it says X to move, and with 1 X and 0 O it is O's turn",),
        ),
        (
            "tictactoe",
            "XXX/OO./O..",
            None,
            ("X is to move and already has 3 in a row",),
        ),
        (
            "othello(size=4)",
            "..../.X../..../....",
            0,
            ("one of its four middle cells is empty, and the game begins with all four taken",),
        ),
    ],
)
def test_all_faults_are_named(game: str, board: str, to_move: int | None, faults: tuple[str, ...]) -> None:
    assert judge(load_game(game), cells(board), to_move).faults == faults


@pytest.mark.parametrize(
    ("board", "to_move", "last"), [("XX/XX", None, -1), ("X../.../...", 2, -1), ("X../.../...", None, 9)]
)
def test_invalid_boards_raise(board: str, to_move: int | None, last: int) -> None:
    with pytest.raises(ValueError, match="tictactoe"):
        judge(load_game("tictactoe"), cells(board), to_move, last)
