"""Tests of the record state: variations, undo and navigation, with random sequences of commands."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.files.record import ROOT, GameRecord
from core.games import IllegalMove, load_game
from gui.model.state import AppState

GAME = "connect4(rows=4, cols=5, k=3)"


@pytest.fixture(autouse=True)
def no_thread_left() -> None:
    """Replaces the fixture of that name: no window is opened here."""


def opened(game: str = GAME) -> AppState:
    state = AppState()
    state.open_position(load_game(game).initial(), None)
    return state


def check(state: AppState) -> None:
    """Check that all that is shown follows from the moves."""
    record, start = state.record, state.start
    assert record is not None
    assert start is not None
    positions = [start]
    for action in state.moves:
        positions.append(positions[-1].play(action))
    assert state.positions == positions
    assert [p.moves for p in state.positions] == [p.moves for p in positions]
    assert state.position == positions[state.cursor]
    assert state.line == state.moves[: state.cursor] == record.path(state.node)
    assert state.line_nodes[state.cursor] == state.node
    assert not record.node(state.line_nodes[-1]).children


def all_lines(state: AppState) -> set[tuple[int, ...]]:
    return {state.record.path(node) for node in state.record.preorder()}


EDITS = ("undo", "redo", "back", "promote", "main", "delete", "comment")
COMMANDS = st.tuples(
    st.sampled_from(("play", "play", "play", "line", "go", "go_to", "beside", *EDITS)), st.integers(0, 1 << 16)
)


def run(state: AppState, command: str, number: int) -> None:
    record, position = state.record, state.position
    nodes = list(record.preorder())
    node = nodes[number % len(nodes)]
    legal = position.legal_actions()
    if command == "play" and legal:
        state.play(legal[number % len(legal)])
    elif command == "line":
        line = []
        while len(line) < 3 and (legal := position.legal_actions()):
            line.append(legal[number % len(legal)])
            position = position.play(line[-1])
        state.play_line(tuple(line))
    elif command == "go":
        state.go(number % (len(state.moves) + 1))
    elif command == "go_to":
        state.go_to(node)
    elif command == "beside":
        state.go_beside(-1 if number % 2 else 1)
    elif command == "undo":
        state.undo()
    elif command == "redo":
        state.redo()
    elif command == "back":
        state.take_back()
    elif command == "promote":
        state.promote(node)
    elif command == "main":
        state.make_main(node)
    elif command == "delete" and node != ROOT:
        state.delete(node)
    elif command == "comment":
        state.set_comment(str(number))


@settings(max_examples=120, deadline=None)
@given(st.lists(COMMANDS, max_size=25))
def test_positions_match_the_moves_after_any_commands(commands: list[tuple[str, int]]) -> None:
    state = opened()
    received = []
    state.position_changed.connect(lambda: received.append((state.node, state.moves)))
    for command, number in commands:
        before, seen = (state.node, state.moves), len(received)
        known = all_lines(state)
        run(state, command, number)
        check(state)
        assert (len(received) > seen) == ((state.node, state.moves) != before)
        if command in ("play", "line", "go", "go_to", "beside", "promote", "main", "comment"):
            assert all_lines(state) >= known  # no line was lost


@settings(max_examples=80, deadline=None)
@given(st.lists(COMMANDS, max_size=20))
def test_every_change_is_undone_and_made_again(commands: list[tuple[str, int]]) -> None:
    state = opened()
    assert state.record is not None
    for command, number in commands:
        run(state, command, number)
    while state.can_redo:
        state.redo()
    last = state.record._outline()
    while state.can_undo:
        state.undo()
        check(state)
    assert len(state.record) == 1
    assert state.comment == ""
    while state.can_redo:
        state.redo()
        check(state)
    assert state.record._outline() == last


def test_another_move_makes_a_variation_and_keeps_the_old_line() -> None:
    state = opened()
    state.play_line((0, 1, 2))
    state.go(1)
    state.play(3)
    assert (state.moves, state.cursor) == ((0, 3), 2)
    assert (0, 1, 2) in all_lines(state)
    state.go_beside(-1)
    assert (state.moves, state.line) == ((0, 1, 2), (0, 1))
    state.go_beside(-1)
    assert state.line == (0, 1)  # there is no variation above
    state.go_beside(1)
    assert state.line == (0, 3)


def test_the_line_continues_as_last_visited() -> None:
    state = opened()
    state.play_line((0, 1, 2))
    state.go(1)
    state.play_line((3, 3))
    state.go(0)
    assert state.moves == (0, 3, 3)
    state.go_to(state.record.child(state.node, 0))
    assert state.moves == (0, 3, 3)


def test_go_beside_keeps_the_ply_if_possible() -> None:
    state = opened()
    state.play_line((0, 1, 2, 3))
    state.go(1)
    state.play(4)
    state.go_beside(-1)
    state.go(4)
    state.go_beside(1)
    assert state.line == (0, 4)  # at its end
    state.go(0)
    state.go_beside(1)
    assert state.cursor == 0


def test_a_move_that_is_not_legal_changes_nothing() -> None:
    state = opened("tictactoe")
    state.play(4)
    revision = state.record.revision
    with pytest.raises(IllegalMove):
        state.play(4)
    with pytest.raises(IllegalMove):
        state.play_line((0, 1, 4))
    assert state.moves == (4,)
    assert state.record.revision == revision


def test_take_back_of_an_older_move_can_be_undone() -> None:
    state = opened()
    state.play(0)
    state.play(1)
    state.play(2)
    state.go(2)
    state.take_back()
    assert (state.moves, state.can_redo) == ((0,), False)
    state.undo()
    assert state.moves == (0, 1, 2)
    state.go(3)
    state.undo()  # the move itself
    assert state.moves == (0, 1)


def test_take_back_of_the_last_move_can_be_redone() -> None:
    state = opened()
    state.play_line((0, 1, 2))
    state.take_back()
    state.take_back()
    assert state.moves == (0,)
    state.redo()
    state.redo()
    assert state.moves == (0, 1, 2)


def test_a_comment_written_in_one_go_is_one_change() -> None:
    state = opened()
    state.play(0)
    for text in ("g", "go", "good"):
        state.set_comment(text)
    state.undo()
    assert (state.comment, state.moves) == ("", (0,))
    state.redo()
    assert state.comment == "good"
    state.set_comment("good")  # no change
    state.set_comment("goods")
    state.undo()
    assert state.comment == "good"
    state.undo()
    assert state.comment == ""


def test_deleting_the_cursors_variation_moves_the_cursor_to_its_parent() -> None:
    state = opened()
    state.play_line((0, 1, 2))
    first, second = state.line_nodes[1:3]
    state.go(1)
    state.play(4)
    aside = state.node
    state.delete(second)
    assert state.line == (0, 4)
    state.delete(first)
    assert (state.line, state.moves) == ((), ())
    with pytest.raises(ValueError, match="cannot be deleted"):
        state.delete(ROOT)
    state.undo()
    assert (state.node, state.moves) == (first, (0, 4))
    assert aside in state.line_nodes


def test_game_changed_is_emitted_with_the_new_record_complete() -> None:
    state = opened("tictactoe")
    state.play(4)
    seen = []
    state.game_changed.connect(lambda: seen.append((state.position, state.moves)))
    record = GameRecord(load_game(GAME).initial())
    node = record.play_line(ROOT, (1, 2))
    state.open_game(record, node)
    assert seen == [(record.position(node), (1, 2))]
