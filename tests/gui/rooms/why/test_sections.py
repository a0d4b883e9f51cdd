"""The room Why with the real engine: its figures are those of ``plyscope analyze``, its choice is the next one."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from core.games import load_game
from core.glass.intervals import intervals
from core.glass.leaf_values import LeafValues, leaf_values
from core.search import Limit, SearchSettings
from core.search.rules.table import RULES
from gui.jobs.net_answers import NO_NET, SAME_FOR_ALL
from gui.model.sources import UniformSource, default_source
from gui.rooms.why.why import WhyRoom
from gui.widgets.board.plane_boards import plane_names
from gui.widgets.figures import count, percent, plain, signed
from models.commands.program import main
from tests.core.search.fakes import HashEvaluator, run_search


def snapshot_of(position, evaluator=None, opened=(), simulations=300, **given):
    chosen = SearchSettings(memory_mb=32, **given)
    search = run_search(position, evaluator, simulations, chosen)
    return search.snapshot(opened), chosen


@pytest.fixture
def room(qtbot):
    widget = WhyRoom()
    qtbot.addWidget(widget)
    widget.resize(320, 900)
    widget.show()
    yield widget
    widget.symmetries.stop()


@pytest.fixture
def window(real_window, qtbot):
    """Open tic-tac-toe with its shipped net and a limit of 120 simulations."""
    game = load_game("tictactoe")
    real_window.state.set_limit(120)  # before what begins a search, so that none gets larger
    real_window.state.set_settings(SearchSettings(memory_mb=32, prove=False))
    real_window.state.set_source(default_source(game))
    return real_window


def open_room(window, qtbot):
    window.docks.show_dock("why")
    dock = window.docks["why"]
    qtbot.waitUntil(lambda: dock.widget_made is not None)
    return dock.widget_made


def settled(window, qtbot):
    session = window.session

    def done():
        return not session.searching and session.phase == "" and session.snapshot and session.snapshot.reason

    qtbot.waitUntil(lambda: bool(done()))


@pytest.mark.parametrize("rule", RULES)
def test_figures_agree_with_analyze(room, capsys, rule):
    net = ["--net", "rollouts"] if rule in ("ucb1", "ucb1_tuned", "flat") else []
    arguments = ["analyze", "tictactoe", "b2", "--simulations", "250", "--json", "--selection", rule, *net]
    assert main([*arguments, "--memory-mb", "32"]) == 0
    received = json.loads(capsys.readouterr().out)
    game = load_game("tictactoe")
    position = game.position("b2")
    evaluator = None if net else default_source(game).load(game)
    chosen = SearchSettings(**received["settings"])
    search = run_search(position, evaluator, 250, chosen, seed=received["seed"])
    room.show_node(position, (), search.snapshot(), chosen, None)
    moves = {row["name"]: row for row in received["moves"]}
    assert room.choice.grid.rows
    decimals = 0 if rule == "flat" else 3
    for row in room.choice.grid.rows:
        name, visits, q, u, score = row.texts
        told_row = moves[name]
        u_told, score_told = (math.inf if told_row[key] is None else told_row[key] for key in ("u", "score"))
        if rule == "gumbel" and told_row["score"] is None:
            score_told = -math.inf
        assert visits == count(told_row["visits"])
        assert (q, u, score) == (signed(told_row["q"]), plain(u_told, decimals), plain(score_told, decimals))
    for row in received["moves"]:
        w = math.nan if row["w"] is None else row["w"]
        assert w == pytest.approx(row["q"] * row["backups"]) if row["backups"] else math.isnan(w)
    for row in room.policies.grid.rows:
        name, prior, _, pi, _ = row.texts
        assert (prior, pi) == (percent(moves[name]["net_prior"]), percent(moves[name]["share"]))


def test_the_next_move_is_the_one_entered(window, qtbot):
    """With a live search: after each single simulation the visits grew at the move the room had shown."""
    settled(window, qtbot)
    room = open_room(window, qtbot)
    for _ in range(5):
        qtbot.waitUntil(lambda: room.choice.written_action >= 0)
        before = window.session.snapshot.root
        message = next(row.texts[0] for row in room.choice.grid.rows if row.mark == "▸")
        window.session._analysis.resume(Limit(simulations=before.visits + 1))
        qtbot.waitUntil(lambda n=before.visits: window.session.snapshot.root.visits == n + 1)
        after = window.session.snapshot.root
        rows = {row.name: row.visits for row in before.rows}
        assert [row.name for row in after.rows if row.visits > rows[row.name]] == [message]


def test_the_inspector_follows_the_selection(window, qtbot):
    settled(window, qtbot)
    room = open_room(window, qtbot)
    assert room.title.text() == "Root · X to move"
    action = window.session.snapshot.best
    window.state.select((action,))
    name = window.state.game.action_name(action)
    qtbot.waitUntil(lambda: room.choice.isVisible() and room.title.text() == f"After {name} · O to move")
    view = window.session.snapshot.opened[(action,)]
    assert room.value.facts.text("Searched") == f"{signed(view.q)} for O · {signed(-view.q)} for X"
    assert room.value.facts.text("Net V") == f"{signed(view.value)} for O"
    window.state.select(())
    assert room.title.text() == "Root · X to move"


def test_the_leaf_values_of_the_node_are_counted_in_the_search(window, qtbot):
    settled(window, qtbot)
    room = open_room(window, qtbot)
    histogram = room.value.histogram
    snapshot = window.session.snapshot
    qtbot.waitUntil(lambda: sum(histogram.counts) == snapshot.simulations)
    (mean, _, _), (net, _, _) = histogram.lines
    assert mean == pytest.approx(snapshot.root.q, abs=1e-6)  # nothing is proved here
    assert net == snapshot.root.value
    best = snapshot.root.best_row
    window.state.select((best.action,))
    qtbot.waitUntil(lambda: sum(histogram.counts) == best.backups)
    assert histogram.lines[0][0] == pytest.approx(-best.q, abs=1e-6)
    room.value.fold.setChecked(False)
    assert not histogram.isVisible()


def test_the_row_under_the_pointer_is_shown_in_words(room, qtbot):
    position = load_game("gomoku(size=7)").initial()
    snapshot, chosen = snapshot_of(position, HashEvaluator(49))
    room.show_node(position, (), snapshot, chosen, None)
    grid, choice = room.choice.grid, snapshot.root.choice
    next_name = position.game.action_name(int(snapshot.root.actions[choice.next_index]))
    assert room.choice.symbols.text() == f"{next_name}:  Q + c · P · √ΣN / (1 + N)"
    assert room.choice.lead.text().startswith(f"{next_name} is next")
    y = int(grid._line() * 2.5)
    qtbot.waitUntil(lambda: room.childAt(grid.mapTo(room, QPoint(60, y))) is grid)  # once it is laid out
    QTest.mouseMove(grid, QPoint(60, y))
    second = grid.rows[1].texts[0]
    assert room.choice.symbols.text().startswith(f"{second}:")
    QTest.mouseClick(grid, Qt.MouseButton.LeftButton, pos=QPoint(60, y))
    grid.leaveEvent(None)
    assert room.choice.symbols.text().startswith(f"{second}:"), "a click holds it"
    assert room.choice.more.text() == "and 41 more of the 49 moves, less visited"


def test_noise_is_shown_separately_from_the_prior(room):
    position = load_game("gomoku(size=7)").initial()
    snapshot, chosen = snapshot_of(position, HashEvaluator(49), noise_epsilon=0.25, noise_alpha=0.3)
    room.show_node(position, (), snapshot, chosen, None)
    assert room.choice.facts.text("Noise") == "P = 0.75 · P net + 0.25 · Dir(0.3)"
    by_name = {row.name: row for row in snapshot.moves}
    for row in room.policies.grid.rows:
        assert row.texts[1:3] == (percent(by_name[row.texts[0]].net_prior), percent(by_name[row.texts[0]].prior))


def test_planes_are_those_the_net_is_given(room):
    position = load_game("connect4").position("d d c")
    room.show_node(position, (), None, None, None)
    assert room.input.planes.planes == position.planes().tolist()
    assert plane_names(position) == ("Yellow (to move)", "Red", "last move", "zeros: Yellow moves")
    assert plane_names(position.play(0))[3] == "ones: Red moves"
    assert plane_names(load_game("nim").initial())[:2] == ("chips left", "chips taken")


def test_empty_states_have_a_note(room):
    game = load_game("tictactoe")
    assert room.note.text() == "Open a game to inspect its search."
    room.show_node(game.initial(), (), None, None, None)
    assert room.note.text() == "not analysed yet — Space starts a search"
    room.show_node(game.initial(), (), None, None, None, phase="searching")
    assert room.note.text() == "the search has only begun"
    over = game.position("a1 a2 b1 b2 c1")
    room.show_node(over, (), None, None, None)
    assert room.note.text() == "The game is over here: there is nothing to choose."
    assert not room.choice.isVisible()
    snapshot, chosen = snapshot_of(game.initial(), HashEvaluator(9), simulations=3)
    leaf = int(snapshot.root.actions[0])
    room.show_node(game.initial().play(leaf), (leaf,), snapshot, chosen, None)
    assert room.note.text().startswith("A leaf of the tree")
    assert room.value.facts.text("Net V") == f"{signed(-float(snapshot.root.values[0]))} for O"
    unseen = next(row.action for row in snapshot.root.rows if not row.visits)
    room.show_node(game.initial().play(unseen), (unseen,), snapshot, chosen, None)
    assert room.note.text() == "Not in the tree: no simulation has come here."


def test_values_of_one_player(room):
    """With a player chosen the section of values speaks for this one, with its disc; selection stays the mover's."""
    position = load_game("tictactoe").position("b2")
    snapshot, chosen = snapshot_of(position, HashEvaluator(9), prove=False)
    view = snapshot.root
    room.show_node(position, (), snapshot, chosen, None)
    own = room.choice.grid.rows
    assert room.value.fold.disc == room.choice.fold.disc == ("tictactoe", 1)
    room.show_player("first")
    room.show_node(position, (), snapshot, chosen, None)
    text = room.value.facts.text
    assert room.value.fold.disc == ("tictactoe", 0)
    assert text("Searched") == f"{signed(-view.q)} for X · {signed(view.q)} for O"
    assert text("Net V") == f"{signed(-view.value)} for X"
    gain = view.value - view.q
    assert text("Difference") == f"the search is {plain(abs(gain))} {'higher' if gain > 0 else 'lower'} for X"
    assert room.value.fold.summary == f"{signed(-view.q, 2)} for X"
    assert (room.choice.grid.rows, room.choice.fold.disc) == (own, ("tictactoe", 1))
    leaves = LeafValues(np.arange(21), 210, 300, 0.25, np.zeros(0))
    room.show_leaves(leaves)
    assert room.value.histogram.counts == tuple(range(20, -1, -1))
    assert room.value.counted.text() == f"Leaf values of 210 of 300 simulations, mean {signed(-0.25)} for X"
    room.show_player("second")
    room.show_node(position, (), snapshot, chosen, None)
    assert text("Net V") == f"{signed(view.value)} for O"
    over = load_game("tictactoe").position("a1 a2 b1 b2 c3 c2")
    snapshot, _ = snapshot_of(over.game.position("a1 a2 b1 b2 c3"), HashEvaluator(9))
    for player, words in (("mover", "win in 1 for O"), ("first", "loss in 1 for X"), ("second", "win in 1 for O")):
        room.show_player(player)
        room.show_node(over, (over.last_action,), snapshot, chosen, None)
        assert text("Proof") == f"{words}, this move counted"


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_whiskers(room, rule):
    """The chart of Q has the intervals of the engine, for the player chosen, and words on what they are."""
    position = load_game("tictactoe").position("b2")
    net = HashEvaluator(9) if rule in ("puct", "gumbel") else None
    chosen = SearchSettings(memory_mb=32, selection=rule, prove=False)
    search = run_search(position, net, 300, chosen)
    root, leaves = search.snapshot().root, leaf_values(search.tree, search.root, 21)
    found = dict(zip(root.actions.tolist(), intervals(root, leaves.spreads), strict=True))
    room.show_node(position, (), search.snapshot(), chosen, None)
    room.show_leaves(leaves)
    rows = room.value.moves.chart.rows
    assert len(rows) == min(8, sum(bool(n) for n in root.visits_of))
    for row in rows:
        assert row.whisker == pytest.approx(tuple(found[row.key]))
        q = next(move.q for move in root.rows if move.action == row.key)
        chart = room.value.moves.chart
        assert [dot.at for dot in row.dots] == [pytest.approx(q)]  # of every move, also of those with few visits
        assert chart.low <= q <= chart.high
        assert chart.low <= max(row.whisker[0], -1.0)
        assert min(row.whisker[1], 1.0) <= chart.high
        assert row.note == f"±{(row.whisker[1] - row.whisker[0]) / 2:.3f}"
    room.show_player("first")
    room.show_node(position, (), search.snapshot(), chosen, None)
    for row, turned in zip(rows, room.value.moves.chart.rows, strict=True):
        assert turned.whisker == pytest.approx((-row.whisker[1], -row.whisker[0]))
    words = room.value.interval.text()
    assert words.startswith({"ucb1": "UCB1", "ucb1_tuned": "Tuned"}.get(rule, rule.upper()[:1]))
    assert ("defines no interval" in words) == (rule in ("puct", "gumbel"))
    room.grab()


def test_a_proof_is_shown_in_words(room):
    position = load_game("tictactoe").position("a1 a2 b1 b2")
    snapshot, chosen = snapshot_of(position, HashEvaluator(9))
    room.show_node(position, (), snapshot, chosen, None)
    assert room.value.facts.text("Proof") == "Win in 1 for X"
    assert room.choice.lead.text() == "Proved: no simulation chooses here any more."
    room.show_player("second")
    room.show_node(position, (), snapshot, chosen, None)
    assert room.value.facts.text("Proof") == "Loss in 1 for O"
    assert not any(row.mark for row in room.choice.grid.rows)


def test_symmetries_of_the_shipped_net(room, qtbot):
    game = load_game("tictactoe")
    position = game.position("a1")
    source = default_source(game)
    room.show_node(position, (), None, None, source)
    assert not room.symmetries.reader.working, "nothing is asked while it is folded"
    phases = []
    room.symmetries.reader.phase_changed.connect(phases.append)
    with qtbot.waitSignal(room.symmetries.reader.answered) as received:
        room.symmetries.fold.setChecked(True)
    answer = received.args[0]
    _, values = source.load(game).evaluate(position.planes()[None])
    assert answer.values[0] == pytest.approx(float(values[0]), abs=1e-5)
    assert phases[0] == f"loading {source.title}…"
    text = f"{signed(answer.value_mean)} ± {plain(answer.value_spread)} for O"
    assert room.symmetries.facts.text("V mean") == text
    likeliest = answer.actions[int(answer.policy_mean.argmax())]
    assert room.symmetries.grid.rows[0].texts[0] == game.action_name(likeliest)
    room.show_player("first")
    text = f"{signed(-answer.value_mean)} ± {plain(answer.value_spread)} for X"
    assert room.symmetries.facts.text("V mean") == text
    assert room.symmetries.value_dots.chart.rows[0].dots[0].at == pytest.approx(-float(answer.values[0]))
    with qtbot.waitSignal(room.symmetries.reader.answered) as received:
        room.show_node(game.position("b2"), (), None, None, source)
    assert received.args[0].position == game.position("b2")
    assert phases[-1] == f"evaluating with {source.title} under 8 symmetries…"


def test_symmetries_are_refused_in_words_without_a_net(room):
    position = load_game("tictactoe").initial()
    room.symmetries.fold.setChecked(True)
    room.show_node(position, (), None, None, None)
    assert room.symmetries.note.text() == NO_NET
    room.show_node(position, (), None, None, UniformSource())
    assert room.symmetries.note.text() == SAME_FOR_ALL


def test_a_net_that_cannot_be_read_is_reported(room, qtbot, tmp_path):
    source = replace(default_source(load_game("tictactoe")), path=tmp_path / "gone.onnx")
    room.symmetries.fold.setChecked(True)
    with qtbot.waitSignal(room.symmetries.reader.failed):
        room.show_node(load_game("tictactoe").initial(), (), None, None, source)
    assert "gone.onnx" in room.symmetries.note.text()


@pytest.mark.parametrize("rule", RULES)
def test_no_section_is_wider_than_320_px(room, rule):
    """No section is wider than the card, under any rule."""
    game = load_game("connect4")
    position = game.position("d d c")
    evaluator = None if rule == "flat" else HashEvaluator(7)
    snapshot, chosen = snapshot_of(position, evaluator, simulations=900, selection=rule)
    room.input.fold.setChecked(True)
    room.show_node(position, (), snapshot, chosen, None)
    assert room.minimumSizeHint().width() <= 320
    for section in room.sections:
        assert section.minimumSizeHint().width() <= 308, section.fold.title
    room.choice.fold.setChecked(False)
    assert not room.choice.body.isVisible()


def test_the_planes_of_a_recipe_are_shown_with_their_names(room):
    """A net with a recipe is shown with the recipe's planes, the negative of one among them."""
    position = load_game("connect4").position("d d c")
    snapshot, chosen = snapshot_of(position, HashEvaluator(7))
    shown = replace(snapshot, encoding="recipe: mine-theirs, -colour")
    room.show_node(position, (), shown, chosen, None)
    assert room.input.planes.names == ("own +1, opponent's −1", "minus: +1: first player moves, −1: second")
    own = position.planes()
    assert room.input.planes.planes == [(own[0] - own[1]).tolist(), [[1.0] * 7] * 6]
    room.show_node(position, (), snapshot, chosen, None)
    assert room.input.planes.planes == own.tolist()
