"""The room "Why not?" in the window, with a real search: the sentences, their links, the exact results."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.engine import Analysis
from core.games import load_game
from core.glass.explain import explain
from core.search import SearchSettings
from core.solve import solve
from gui.language.language import CHINESE, ENGLISH
from gui.model.session import CONCEALED
from gui.rooms.board.scope import Scope
from gui.rooms.why.why import WhyRoom
from gui.widgets.figures import count, percent, signed
from gui.widgets.sentences import link_at
from gui.widgets.texts import switch_language
from tests.core.search.fakes import run_search
from tests.gui.conftest import open_window


@pytest.fixture
def searched(qtbot):
    """Search tic-tac-toe after a3 by 2000 random games, with the room open."""
    window = open_window(qtbot, Analysis(), "tictactoe")
    window.state.set_limit(2000)
    window.state.set_settings(SearchSettings(selection="ucb1", memory_mb=32))
    window.state.play(load_game("tictactoe").parse_action("a3"))
    window.docks.show_dock("why")
    qtbot.waitUntil(lambda: window.session.present is not None and window.session.present.simulations == 2000)
    return window


def view(window):
    widget = window.docks["why"].widget_made
    assert isinstance(widget, WhyRoom)
    return widget


def explained(qtbot, window, action):
    """Wait until a move is explained with all there is; the explanation."""
    why_not = view(window).why_not

    def done():
        explanation = why_not.explanation
        return explanation is not None and explanation.action == action and len(explanation.line) > 1

    qtbot.waitUntil(done)
    return why_not.explanation


def test_the_rival_is_explained_then_the_move_selected(qtbot, searched):
    snapshot = searched.session.snapshot
    rival = next(row for row in snapshot.moves if row.action != snapshot.best)
    explained(qtbot, searched, rival.action)
    why_not = view(searched).why_not
    assert why_not.fold.title == f"Why not {rival.name}?"
    assert why_not.fold.disc == ("tictactoe", 1)
    assert why_not.line_from(snapshot.position) == why_not.explanation.line
    assert why_not.line_from(snapshot.position.play(rival.action)) == ()
    last = snapshot.moves[-1]
    searched.state.select((last.action,))
    explanation = explained(qtbot, searched, last.action)
    sentences = why_not.sentences.text()
    assert f">{last.name}</a> has" in sentences or f">{last.name}</a>: <a" in sentences
    assert f">{count(last.visits)}</a>" in sentences
    assert percent(last.share) in sentences
    assert [row.texts[1] for row in why_not.lines[0].rows] == [count(step.visits) for step in explanation.line]


def test_a_click_on_a_figure_goes_there_and_the_explanation_stays(qtbot, searched):
    snapshot = searched.session.snapshot
    rival = next(row for row in snapshot.moves if row.action != snapshot.best)
    explained(qtbot, searched, rival.action)
    why_not = view(searched).why_not
    why_not.sentences.linkActivated.emit(f"node:{snapshot.best}")
    assert searched.state.selected == (snapshot.best,)
    why_not.lines[1].chosen.emit(1)
    assert searched.state.selected == snapshot.pv[:2]
    qtbot.waitUntil(lambda: searched.views.tree.is_open(snapshot.pv[:1]))
    assert explained(qtbot, searched, rival.action).best == snapshot.best
    why_not.sentences.linkActivated.emit("simulation:300")
    qtbot.waitUntil(lambda: searched.session.snapshot.simulations == 300)
    total = int(searched.session.snapshot.root.visits_of.sum())
    qtbot.waitUntil(lambda: f">{count(total)}</a>" in why_not.sentences.text())
    searched.commands.time.to_now()
    with pytest.raises(ValueError, match="no link"):
        link_at("https://example.org")


def test_a_small_position_is_solved_unasked_and_the_search_compared(qtbot, searched):
    qtbot.waitUntil(lambda: searched.context.truth.truth is not None)
    section, truth = view(searched).truth, searched.context.truth.truth
    solution = solve(searched.state.position)
    assert set(truth.wrong) == {move.action for move in solution.moves if move.value < solution.value}
    assert truth.right_from > 0
    assert count(truth.right_from) in section.fold.summary
    section.fold.setChecked(True)
    assert section.chart.isVisible()
    assert section.chart.legend.rows[0][3] == percent(truth.share)
    middle = section.chart.plot.pixel_of(1000.0, 0.5).toPoint()
    QTest.mouseClick(section.chart.plot, Qt.MouseButton.LeftButton, pos=middle)
    assert abs(searched.commands.time.place - 1000) <= 20
    searched.commands.time.to_now()


def test_the_header_over_the_board_says_the_exact_result_and_since_when_the_search_is_right(qtbot, searched):
    player, truth = searched.room.player, searched.context.truth
    qtbot.waitUntil(lambda: any("right since" in words for words in player.exact))
    value, since = signed(searched.session.snapshot.root.q, 2), count(truth.truth.right_from)
    assert player.exact == (
        f"exact: a draw · the search says {value} for O · its move is right since {since}",
        f"exact: a draw · the search's move is right since {since}",
        "exact: a draw",
    )
    for asking in (True, False):  # the person is asked what they would tell
        searched.context.actions["predict"].trigger()
        assert (player.exact == ()) == asking
    searched.docks.hide_dock("why")
    qtbot.mouseClick(player, Qt.MouseButton.LeftButton)
    assert view(searched).truth.opened
    assert view(searched).truth.isVisible()
    wrong = truth.truth.wrong[0]
    searched.state.select((wrong,))
    qtbot.waitUntil(lambda: player.exact == ())
    searched.state.solutions[searched.state.shown.preview] = solution = solve(searched.state.shown.preview)
    searched.state.solved.emit()
    assert player.exact[0].startswith(f"exact: X wins in {solution.distance} plies")


def test_a_command_shows_the_next_choice_and_one_hides_the_room(searched):
    room, dock, actions = view(searched), searched.docks["why"], searched.context.actions
    room.choice.fold.setChecked(False)
    actions["next_choice"].trigger()
    assert room.choice.opened
    actions["why"].trigger()
    assert not dock.isVisible()


def test_the_menu_of_a_move_asks_why(qtbot, searched):
    action = searched.session.snapshot.moves[-1].action
    searched.docks.hide_dock("why")
    searched.room.menu_requested.emit(action, searched.mapToGlobal(searched.rect().center()))
    first = searched.room.findChild(Scope).menu.actions()[0]
    name = searched.state.game.action_name(action)
    assert first.text() == f"Why not {name}?"
    first.trigger()
    searched.room.findChild(Scope).menu.close()
    assert searched.docks["why"].isVisible()
    explained(qtbot, searched, action)


@pytest.mark.slow
def test_a_node_is_shown_once(qtbot, searched, monkeypatch):
    room, shown = view(searched), []
    write = room.show_node
    monkeypatch.setattr(room, "show_node", lambda *of: (shown.append(of), write(*of)))
    state, session = searched.state, searched.session
    state.select((session.snapshot.best,))
    assert len(shown) == 1
    state.solved.emit()
    state.selection_changed.emit(state.selected)
    session.snapshot_for_text.emit(session.snapshot)
    assert len(shown) == 1
    room.players.chosen.emit("first")
    assert len(shown) == 2
    switch_language(CHINESE)
    assert len(shown) == 3
    switch_language(ENGLISH)
    room.players.chosen.emit("mover")
    assert len(shown) == 5


def test_what_is_shown_stays_until_the_next_position_is_searched_but_not_when_concealed(
    qtbot, window, analysis, monkeypatch
):
    window.docks.show_dock("why")
    room, state, session = view(window), window.state, window.session

    def shown():
        return room.title.text(), room.note.text() in ("the search has only begun", CONCEALED)

    def play():
        with monkeypatch.context() as patch:
            patch.setattr(analysis, "publish", lambda *_: None)
            state.play(3)
        assert (session.snapshot, session.searching) == (None, True)

    analysis.publish(100)
    qtbot.waitUntil(lambda: not shown()[1])
    title = room.title.text()
    play()
    assert shown() == (title, False)
    qtbot.waitUntil(lambda: shown()[1])  # none came in time
    assert room.title.text() != title
    analysis.publish(100)
    qtbot.waitUntil(lambda: not shown()[1])
    play()
    assert not shown()[1]
    session.conceal(True)
    assert shown()[1]


def test_nothing_is_asked_while_the_room_is_hidden(qtbot, searched):
    assert "why" in searched.session.extras.curves
    searched.docks.hide_dock("why")
    qtbot.waitUntil(lambda: "why" not in searched.session.extras.curves)
    searched.session.snapshot_for_text.emit(searched.session.snapshot)
    assert not view(searched).isVisible()


def test_a_win_in_one_is_one_ply():
    search = run_search(load_game("tictactoe").position("a1 a3 b1 b3"), None, 200, memory_mb=16)
    snapshot = search.snapshot()
    words = [str(one.text) for one in explain(snapshot, snapshot.best, results={snapshot.best: (1, 1)}).sentences]
    assert "The search has proved c1 a win in 1 ply." in words
    assert "Exact result: c1 is a win in 1 ply." in words


def test_a_position_too_large_to_be_solved_is_refused_once(qtbot, window, analysis):
    window.state.open_position(load_game("gomoku(size=9)").initial())
    analysis.publish(100)
    qtbot.waitUntil(lambda: window.session.present is not None)
    window.context.truth.insist(True)
    qtbot.waitUntil(lambda: window.context.truth.note.startswith("Not solved"))
