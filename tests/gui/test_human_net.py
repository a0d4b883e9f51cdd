"""The human net beside the search: menu, column, overlay, room Why, and what a session keeps of it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from core.engine.policy import view_of
from core.games import load_game
from core.glass.review import Figures
from core.text import Text
from gui.jobs.game_analysis import Basis
from gui.language.core_words import core_text
from gui.model.sources import NetSource, RankSource, human_source
from gui.rooms.opponents.play_seats import AS_WINDOW, Players, Seat, players_from, players_json
from gui.rooms.opponents.player_fields import SeatEditor
from gui.rooms.report.game_report_view import OF_HUMAN, GameReportView
from gui.rooms.why.human_section import findability_words, judged_line
from gui.shell.document_files import dump_games, read_session
from gui.widgets.board.overlays.overlay import HUMAN
from gui.widgets.board.overlays.table import BY_NAME
from gui.widgets.figures import COLUMN_INDEX, percent, rough_percent
from gui.widgets.words import profile_words
from gui.window import MainWindow
from tests.gui.fakes import FakeAnalysis, legend_of
from tests.models.netfiles.katago_nets import RandomNet

GO = load_game("go(size=5)")
NET = Path(__file__).parents[1] / "data" / "katago" / "tiny" / "human-b2c16nbt.bin.gz"


@pytest.fixture
def human(tmp_path: Path) -> NetSource:
    path = tmp_path / "human.bin.gz"
    path.write_bytes(NET.read_bytes())
    return human_source(path, "rank_9d")


@pytest.fixture
def go(window: MainWindow) -> MainWindow:
    """The window at an empty board of Go, searched by the scripted analysis."""
    window.state.open_position(GO.initial(), None)
    return window


def policy_of(source: NetSource, position: Any) -> dict[int, float]:
    return view_of(source.load(position.game), position).policy


def menu_of(window: MainWindow) -> dict[str, Any]:
    menu = window.views.toolbar.net.menu()
    window.context.opener.fill_net_menu(menu, window.context.actions["open_net"])
    return {action.text(): action for action in menu.actions()}


def test_the_column_appears_with_the_net_and_has_its_policy(
    qtbot: QtBot, go: MainWindow, analysis: FakeAnalysis, human: NetSource
) -> None:
    column, table = COLUMN_INDEX["human"], go.views.tree
    analysis.publish(100)
    qtbot.waitUntil(lambda: bool(table.nodes.rows))
    assert table.isColumnHidden(column)
    go.state.set_human(human)
    qtbot.waitUntil(lambda: not table.isColumnHidden(column))
    policy = policy_of(human, GO.initial())
    for place, row in enumerate(table.nodes.rows):
        if row.action >= 0:
            assert row.human == pytest.approx(policy[row.action], abs=1e-5)
            assert table.nodes.look_at(table.nodes.index(place, column)).text == percent(row.human)
    other = human_source(human.path, "rank_20k")
    go.state.set_human(other)
    weaker = policy_of(other, GO.initial())
    first = table.nodes.rows[0].action
    qtbot.waitUntil(lambda: abs(table.nodes.rows[0].human - weaker[first]) < 1e-5)
    go.state.set_human(None)
    analysis.publish(200)
    qtbot.waitUntil(lambda: table.isColumnHidden(column))


def test_a_likely_move_is_shown_without_a_visit() -> None:
    from gui.widgets.tables.folding import FILTER, fold
    from gui.widgets.tables.tree_model import with_human
    from tests.gui.fakes import node_view

    rows = node_view(GO.initial(), simulations=3).rows
    unvisited = [row.action for row in rows if not row.visits]
    policy = {unvisited[0]: 0.2, unvisited[1]: 0.04}
    shown = {row.action for row in fold(with_human(rows, policy), FILTER["visited"], False)}
    assert unvisited[0] in shown
    assert unvisited[1] not in shown


def test_the_overlay_is_offered_with_the_net_and_marks_its_moves(
    qtbot: QtBot, go: MainWindow, human: NetSource
) -> None:
    """It needs no search; without the net the prior takes its place."""
    action = go.context.actions["overlay_human"]
    assert not action.isVisible()
    go.state.set_human(human)
    assert action.isVisible()
    go.state.set_overlay("human")
    board = go.room.board
    qtbot.waitUntil(lambda: bool(board.marks()))
    policy = policy_of(human, GO.initial())
    marks = {mark.action: mark for mark in board.marks()}
    best = max(policy, key=lambda move: policy[move])
    assert marks[best].ring == "top"
    assert marks[best].text == rough_percent(policy[best])
    assert set(marks) == {move for move, share in policy.items() if share >= 1e-3}
    first = next(move for move in policy if move != best)
    go.state.play(first)
    after = policy_of(human, GO.initial().play(first))
    qtbot.waitUntil(lambda: {mark.action for mark in board.marks()} == {m for m, p in after.items() if p >= 1e-3})
    go.state.set_human(None)
    assert go.state.overlay == "prior"
    assert not action.isVisible()


def test_its_legend_names_the_side_to_move() -> None:
    assert BY_NAME["human"].data == HUMAN
    assert legend_of("human", GO.initial()).text == "not evaluated yet"
    legend = legend_of("human", GO.initial(), human={3: 0.5})
    assert legend.text == "for Black · log"
    assert "as that net claims" in legend.tip


def test_it_is_chosen_in_the_menu_of_the_net(qtbot: QtBot, go: MainWindow, human: NetSource) -> None:
    opener = go.context.opener
    beside: Any = menu_of(go)["Human net beside the search"].menu()
    assert [action.text() for action in beside.actions()] == ["None", "Open a human net…"]
    opener.open_human(human.path)
    qtbot.waitUntil(lambda: go.state.human is not None)
    assert go.state.source is None
    assert go.state.human.profile == "rank_5k"
    beside = menu_of(go)["Human net beside the search"].menu()
    profiles = {action.text(): action for action in beside.actions()}
    assert profiles["rank_5k"].isChecked()
    profiles["rank_1d"].trigger()
    assert go.state.human.profile == "rank_1d"
    assert go.state.source is None
    profiles["None"].trigger()
    assert go.state.human is None


def test_a_net_that_imitates_nobody_is_refused_in_one_sentence(qtbot: QtBot, go: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "net.bin.gz"
    path.write_bytes(RandomNet(15).file())
    go.context.opener.open_human(path)
    qtbot.waitUntil(lambda: go.banner.text != "")
    assert go.banner.text == "net.bin.gz imitates no players by rank or year, so it takes no profile"
    assert go.state.human is None


def test_other_games_offer_none_and_another_game_drops_it(go: MainWindow, human: NetSource) -> None:
    go.state.set_human(human)
    go.state.open_position(load_game("go(size=7)").initial())
    assert go.state.human == human
    go.state.open_position(load_game("tictactoe").initial())
    assert go.state.human is None
    assert "Human net beside the search" not in menu_of(go)


def test_a_session_keeps_both_profiles(go: MainWindow, human: NetSource, tmp_path: Path) -> None:
    go.state.set_source(human_source(human.path, "proyear_1990"))
    go.state.set_human(human)
    path = tmp_path / "a.plyscope"
    path.write_bytes(dump_games([go.state.document.to_save()], 0, None))
    opened = read_session(path).document
    assert (opened.source, opened.human) == (go.state.source, human)
    human.path.unlink()
    missing = read_session(path)
    assert missing.document.human is None
    assert any(core_text(note).startswith("the human net is left out: ") for note in missing.notes)


def test_why_says_what_they_would_play(qtbot: QtBot, go: MainWindow, analysis: FakeAnalysis, human: NetSource) -> None:
    go.docks.show_dock("why")
    room: Any = go.docks["why"].widget_made
    section = room.human
    analysis.publish(400)
    qtbot.waitUntil(lambda: go.session.snapshot is not None)
    assert section.isHidden()
    go.state.set_human(human)
    qtbot.waitUntil(lambda: bool(section.grid.rows))
    assert core_text(section.fold.title) == "What would they play: 9 dan?"
    policy = policy_of(human, GO.initial())
    likeliest = sorted(policy, key=lambda move: -policy[move])[:6]
    name = GO.action_name
    best = go.session.snapshot.root.best_action
    shown = [row.texts[:2] for row in section.grid.rows]
    assert shown[:6] == [(name(move), percent(policy[move])) for move in likeliest]
    assert section.sentence.text().startswith(f"Black: {name(likeliest[0])} is likeliest, with ")
    assert [row.texts[0] for row in section.grid.rows if row.mark] == [name(best)]
    assert "claim of the human net" in section.claim.text()
    go.session.conceal(True)
    assert section.isHidden()
    go.session.conceal(False)
    assert not section.isHidden()


def test_the_line_of_a_post_mortem_is_judged_for_the_side_that_refutes() -> None:
    from types import SimpleNamespace

    from tests.gui.fakes import node_view, snapshot_of

    snapshot = snapshot_of(node_view(GO.initial()))
    pv = snapshot.root.pvs[0]
    assert judged_line(snapshot, (), None) == ((), pv, 0)
    report: Any = SimpleNamespace(line=(1, 2, 3), refutes=True)
    assert judged_line(snapshot, (), report) == ((), (1, 2, 3), 1)
    report.refutes = False
    assert judged_line(snapshot, (), report) == ((), (1, 2, 3), 0)


def test_the_words_of_findability() -> None:
    from core.glass.findability import Findability, OnlyMove

    start, line = GO.initial(), (0, 1, 2)
    names = [GO.action_name(action) for action in line]
    only = OnlyMove(0, 0, 0.25, 0.6, False), OnlyMove(2, 2, 0.5, 0.6, True)
    words = findability_words(start, line, Findability(0, only, 2, 3))
    assert words == (
        f"Line {' '.join(names)}: only moves of Black: {names[0]} {percent(0.25)}, {names[2]} {percent(0.5)}. "
        f"Findability, their product: {percent(0.125)}."
    )
    assert "Black has no only move" in findability_words(start, line, Findability(0, (), 2, 3))


@pytest.mark.parametrize(
    ("profile", "words"),
    [
        ("rank_5k", "5 kyu"),
        ("rank_9d", "9 dan"),
        ("preaz_12k", "12 kyu before AlphaZero"),
        ("rank_5k_1d", "Black 5 kyu, White 1 dan"),
        ("proyear_1990", "professionals of 1990"),
    ],
)
def test_profiles_in_words(profile: str, words: str) -> None:
    text = profile_words(profile)
    assert isinstance(text, Text)
    assert core_text(text) == words


def test_the_imitated_players_are_an_opponent_without_search(
    qtbot: QtBot, go: MainWindow, analysis: FakeAnalysis, human: NetSource
) -> None:
    """Both sides play until six moves are made; a second game from the same seed has the same moves."""
    go.commands.open_dock("players")
    play = go.commands.games.play
    go.state.set_human(human)
    source = RankSource(human)
    fields = go.findChildren(SeatEditor)[1]
    offered = [fields.net.itemData(place) for place in range(fields.net.count())]
    assert source in offered

    def played() -> tuple[int, ...]:
        play.set_delay(0.0)
        for player in (0, 1):
            play.seat(player, Seat(True, source))
        play.start()
        qtbot.waitUntil(lambda: go.state.cursor >= 6)
        play.pause()
        return go.state.moves[:6]

    first = played()
    go.state.open_position(GO.initial(), None)
    assert played() == first
    wanted, position = [], GO.initial()
    player = source.open(GO, go.session.seed)
    for _ in range(6):
        wanted.append(player.move(position))
        position = position.play(wanted[-1])
    assert list(first) == wanted


def test_a_seat_of_imitated_players_is_kept(human: NetSource) -> None:
    seats = Seat(True, RankSource(human)), Seat(True, human_source(human.path, "rank_1d"))
    players, notes = players_from(players_json(Players(seats), GO.text), GO.text)
    assert (players.seats, notes) == (seats, [])
    other, _ = players_from(players_json(Players(seats), GO.text), "tictactoe")
    assert [seat.source for seat in other.seats] == [AS_WINDOW, AS_WINDOW]


def test_the_fields_of_imitated_players_have_no_limit(qtbot: QtBot, human: NetSource) -> None:
    editor = SeatEditor()
    qtbot.addWidget(editor)
    seat = Seat(True, RankSource(human))
    editor.show_seat(seat, [("as in the window", AS_WINDOW), ("imitated", RankSource(human))], None)
    assert [editor.form.isRowVisible(row) for row in range(editor.form.rowCount())] == [False, True] + [False] * 5
    assert editor.seat() == seat


def test_the_report_says_how_likely_the_rank_makes_a_mistake(qtbot: QtBot, go: MainWindow, human: NetSource) -> None:
    """The column and the row of the summary appear with the net, for the mistakes alone."""
    values = iter((0.0, -0.9, 0.9, -0.9, 0.9))
    start = GO.initial()
    moves = list(start.legal_actions()[:3])
    go.state.open_position(GO.position(" ".join(map(GO.action_name, moves))), None)
    figures = {
        position: Figures(value, False, (24,), 0.5 if ply else 0.0)
        for ply, (position, value) in enumerate(zip(go.state.positions, values, strict=False))
    }
    review: Any = go.commands.games.review
    view = GameReportView()
    qtbot.addWidget(view)
    review.analysis.basis = Basis(None, go.state.settings, 10)
    review.analysis.figures = figures.get
    review._renew()
    view.show_report(review.report)
    assert view.table.isColumnHidden(OF_HUMAN)
    assert review.report.mistakes
    go.state.set_human(human)
    qtbot.waitUntil(lambda: all(not math.isnan(move.human) for move in review.report.mistakes))
    view.show_report(review.report)
    assert not view.table.isColumnHidden(OF_HUMAN)
    for row in view.table.mistakes.rows:
        policy = policy_of(human, go.state.positions[row.move.ply])
        assert row.move.human == pytest.approx(policy[moves[row.move.ply]], abs=1e-5)
    summary = review.report.summary(0)
    assert view.summary.cells["Mistakes of the rank", 0].text() == f"{summary.common} / {sum(summary.counts.values())}"
