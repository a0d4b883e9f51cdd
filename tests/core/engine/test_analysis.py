"""The analysis thread: requests are answered, snapshots carry their request, errors are reported once."""

import threading
import time
from dataclasses import replace

import pytest

from core.engine import Analysis, Search, UniformEvaluator, set_aside
from core.engine.analysis import PUBLISH_S, SLOW_PUBLISH_S, publish_interval_s
from core.engine.look_back import LookBack
from core.games import load_game
from core.glass.icicle import IcicleView
from core.glass.snapshot import LIMIT, STOPPED
from core.glass.watch import BEST, PROVED, Watch
from core.search import Limit, SearchSettings
from tests.core.search.fakes import HashEvaluator, run_search

SETTINGS = SearchSettings(memory_mb=16)


class Source:
    def __init__(self, label="net", evaluator=None, error=None):
        self.label, self.evaluator, self.error, self.loads = label, evaluator, error, 0

    def load(self, game):
        self.loads += 1
        if self.error:
            raise self.error
        return self.evaluator or HashEvaluator(game.num_actions)


def wait(condition, seconds=60):
    """Until ``condition`` holds; a thread's answer has no signal here."""
    event, end = threading.Event(), time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came"
        event.wait(0.002)


@pytest.fixture
def analysis():
    with Analysis() as running:
        yield running
    assert not running.alive


def done(analysis, request):
    wait(lambda: (s := analysis.latest()) is not None and s.request == request and not analysis.searching)
    wait(lambda: analysis.phase == "")
    return analysis.latest()


def test_analysis_gives_the_results_of_search_at_its_limit(analysis):
    position = load_game("connect4").position("d d c")
    snapshot = done(analysis, analysis.start(position, Source(), SETTINGS, Limit(simulations=500), seed=4))
    assert (snapshot.reason, snapshot.simulations, snapshot.position) == ("limit reached", 500, position)
    search = run_search(position, HashEvaluator(7), 500, SETTINGS, seed=4)
    assert [(m.action, m.visits, m.q) for m in snapshot.moves] == [
        (m.action, m.visits, m.q) for m in search.snapshot().moves
    ]


def test_searching_is_true_until_the_last_snapshot(analysis, monkeypatch):
    figures, still = Search.snapshot, []

    def asked(search, *wishes):
        still.append((search.reason, analysis.searching))
        return figures(search, *wishes)

    monkeypatch.setattr(Search, "snapshot", asked)
    done(analysis, analysis.start(load_game("tictactoe").initial(), Source(), SETTINGS, Limit(simulations=30)))
    assert still[-1] == ("limit reached", True)


def test_playing_keeps_tree_and_net_but_a_new_setting_does_not(analysis):
    source, position = Source(), load_game("connect4").initial()
    first = done(analysis, analysis.start(position, source, SETTINGS, Limit(simulations=400)))
    row = first.moves[0]
    second = done(analysis, analysis.start(position.play(row.action), source, SETTINGS, Limit(simulations=1)))
    assert second.simulations == row.visits
    back = done(analysis, analysis.start(position, source, SETTINGS, Limit(simulations=1)))
    assert back.simulations == 400
    other = SearchSettings(memory_mb=16, c_puct=3.0)
    fresh = done(analysis, analysis.start(position, source, other, Limit(simulations=10)))
    assert fresh.simulations == 10
    assert source.loads == 1


def test_a_tree_survives_a_position_above_its_top(analysis, monkeypatch):
    monkeypatch.setattr(set_aside, "LEAST_NODES", 50)
    source, top = Source(), load_game("connect4").initial()
    below = top.play(3).play(3)
    done(analysis, analysis.start(below, source, SETTINGS, Limit(simulations=400)))
    first = done(analysis, analysis.start(top, source, SETTINGS, Limit(simulations=60)))
    assert first.simulations == 60
    done(analysis, analysis.start(top.play(first.best), source, SETTINGS, Limit(simulations=1)))
    back = done(analysis, analysis.start(below, source, SETTINGS, Limit(simulations=1)))
    assert back.simulations == 400
    again = done(analysis, analysis.start(top, source, SETTINGS, Limit(simulations=1)))
    assert again.simulations == 60
    assert not analysis.notice
    monkeypatch.setattr(set_aside, "MOST_BYTES", 1)
    done(
        analysis, analysis.start(load_game("connect4").position("a a a a a"), source, SETTINGS, Limit(simulations=600))
    )
    done(analysis, analysis.start(top, source, SETTINGS, Limit(simulations=1)))
    assert "was too large to be kept" in analysis.notice


def test_a_tree_survives_a_change_of_settings(analysis, monkeypatch):
    monkeypatch.setattr(set_aside, "LEAST_NODES", 50)
    source, top = Source(), load_game("connect4").initial()
    other = replace(SETTINGS, c_puct=3.0)
    done(analysis, analysis.start(top, source, SETTINGS, Limit(simulations=400)))
    changed = done(analysis, analysis.start(top, source, other, Limit(simulations=60)))
    assert changed.simulations == 60
    back = done(analysis, analysis.start(top, source, SETTINGS, Limit(simulations=1)))
    assert back.simulations == 400
    random = replace(SETTINGS, selection="flat")
    assert done(analysis, analysis.start(top, None, random, Limit(simulations=20))).simulations == 20
    assert done(analysis, analysis.start(top, source, SETTINGS, Limit(simulations=1))).simulations == 400
    below = top.play(3)
    done(analysis, analysis.start(below, source, other, Limit(simulations=10)))
    assert done(analysis, analysis.start(top, source, SETTINGS, Limit(simulations=1))).simulations == 400
    monkeypatch.setattr(set_aside, "MOST_BYTES", 1)
    done(analysis, analysis.start(top, source, other, Limit(simulations=1)))
    assert "was too large to be kept" in analysis.notice


def test_stop_resume_and_open(analysis):
    request = analysis.start(load_game("connect4").initial(), None, SearchSettings(selection="ucb1", memory_mb=64))
    wait(lambda: analysis.latest() is not None and analysis.latest().simulations > 1000)
    analysis.stop()
    stopped = done(analysis, request)
    assert stopped.reason == "stopped"
    path = (stopped.moves[0].action,)
    analysis.request_nodes([path])
    wait(lambda: path in analysis.latest().opened)
    assert analysis.latest().simulations == stopped.simulations
    assert analysis.latest().opened[path].rows
    analysis.resume(Limit(simulations=stopped.simulations + 5000))
    wait(lambda: analysis.latest().simulations == stopped.simulations + 5000)
    assert path in analysis.latest().opened


def test_errors_are_one_sentence_and_the_thread_continues(analysis):
    position = load_game("tictactoe").initial()
    analysis.start(position, Source("bad", error=ValueError("'bad' is no net; open an .onnx file")), SETTINGS)
    wait(lambda: analysis.error is not None)
    assert analysis.error == "'bad' is no net; open an .onnx file"
    assert not analysis.searching
    analysis.start(position, Source("odd", error=RuntimeError("boom")), SETTINGS)
    wait(lambda: analysis.error is not None and "boom" in analysis.error)
    assert analysis.error == "the search stopped: RuntimeError: boom"
    snapshot = done(analysis, analysis.start(position, Source("good"), SETTINGS, Limit(simulations=20)))
    assert snapshot.simulations == 20
    assert analysis.error is None


def test_the_newest_request_wins(analysis):
    game = load_game("connect4")
    position = game.initial()
    for action in (3, 3, 2, 4, 4, 1):
        position = position.play(action)
        request = analysis.start(position, Source(evaluator=UniformEvaluator(7)), SETTINGS, Limit(simulations=50))
    assert done(analysis, request).position == position


def test_close_ends_a_running_search():
    analysis = Analysis()
    analysis.start(load_game("connect4").initial(), None, SETTINGS)
    wait(lambda: analysis.latest() is not None and analysis.latest().simulations > 100)
    analysis.close()
    assert not analysis.alive
    analysis.close()


@pytest.mark.slow
def test_snapshots_have_a_picture_only_while_requested(analysis):
    request = analysis.start(load_game("connect4").initial(), Source(), SETTINGS, Limit(simulations=400))
    assert done(analysis, request).picture is None
    analysis.request_picture(60)
    wait(lambda: analysis.latest().picture is not None)
    picture = analysis.latest().picture
    assert (len(picture), picture.most, int(picture.visits[0])) == (60, 60, 400)
    analysis.request_picture(25)
    wait(lambda: len(analysis.latest().picture) == 25)
    analysis.resume(Limit(simulations=900))
    wait(lambda: analysis.latest().reason == "limit reached" and analysis.latest().simulations == 900)
    assert analysis.latest().picture.visits[0] == 900
    analysis.request_picture(0)
    wait(lambda: analysis.latest().picture is None)


def test_a_watched_search_pauses_when_it_has_happened_and_can_go_on(analysis):
    analysis.pause_when(Watch(BEST))
    request = analysis.start(load_game("connect4").initial(), None, SearchSettings(selection="ucb1"), seed=1)
    paused = done(analysis, request)
    assert paused.reason == STOPPED
    moments = []
    analysis.visit(lambda search: moments.extend(LookBack(search).moments(Watch(BEST)).tolist()))
    wait(lambda: moments)
    assert 0 < moments[-1] <= paused.simulations
    analysis.pause_when(Watch(PROVED))  # of the whole game
    limit = paused.simulations + 2000
    analysis.resume(Limit(simulations=limit))
    wait(lambda: not analysis.searching and analysis.latest().simulations == limit)
    assert analysis.latest().reason == LIMIT


def test_snapshots_answer_a_question_now_and_at_an_earlier_moment(analysis):
    request = analysis.start(load_game("connect4").initial(), Source(), SETTINGS, Limit(simulations=300))
    assert done(analysis, request).answer is None
    analysis.request_answer("depth == 1")
    wait(lambda: analysis.latest().answer is not None)
    assert analysis.latest().answer.sums.visits == sum(row.visits for row in analysis.latest().moves)
    past = back_at(analysis, 100)
    assert past.snapshot.answer.sums.visits == sum(row.visits for row in past.snapshot.moves) < 100
    for other in ("move == h8", ""):  # not a move of this game
        analysis.request_answer(other)
        wait(lambda: analysis.latest().answer is None)


@pytest.mark.slow
def test_snapshots_have_icicles_and_twins_by_requester(analysis):
    request = analysis.start(load_game("connect4").initial(), Source(), SETTINGS, Limit(simulations=400))
    assert done(analysis, request).icicles == {}
    analysis.request_icicles({"room": IcicleView(pixels=200), "other": IcicleView(0.0, 0.2, 900)}, {})
    wait(lambda: len(analysis.latest().icicles) == 2)
    first = analysis.latest().icicles["room"]
    assert first.visits[0] == 400
    assert len(analysis.latest().icicles["other"]) > len(first)
    analysis.request_icicles({"room": IcicleView(pixels=200)}, {"room": first})
    wait(lambda: analysis.latest().twins)
    assert analysis.latest().twins["room"].visits.tolist() == first.visits.tolist()
    past = back_at(analysis, 100)
    assert past.snapshot.icicles["room"].visits[0] == 100
    assert past.snapshot.twins["room"].visits[0] == 100
    analysis.request_icicles({"room": IcicleView(0.0, 0.01, 200)}, {})
    wait(lambda: analysis.past().snapshot.icicles["room"].view.high == 0.01)
    analysis.resume(Limit(simulations=900))
    wait(lambda: analysis.latest().reason == "limit reached" and analysis.latest().simulations == 900)
    assert analysis.latest().icicles["room"].visits[0] == 900
    analysis.request_icicles({}, {})
    wait(lambda: analysis.latest().icicles == {})


def back_at(analysis, simulation):
    analysis.look_back(simulation)
    wait(lambda: (past := analysis.past()) is not None and past.simulation == simulation)
    return analysis.past()


def test_look_back_works_stopped_and_searching(analysis):
    request = analysis.start(load_game("connect4").initial(), Source(), SETTINGS, Limit(simulations=600))
    last = done(analysis, request)
    past = back_at(analysis, 250)
    assert (past.request, past.snapshot.simulations, past.snapshot.now) == (request, 250, 600)
    assert past.playout.simulation == 250
    assert analysis.latest().simulations == last.simulations
    path = (past.snapshot.moves[0].action,)
    analysis.request_nodes([path])
    wait(lambda: path in analysis.past().snapshot.opened)
    analysis.request_picture(40)
    wait(lambda: (picture := analysis.past().snapshot.picture) is not None and len(picture) == 40)
    rows = analysis.past().snapshot.moves
    analysis.resume()
    wait(lambda: analysis.latest().simulations > 1000)
    again = back_at(analysis, 251)
    assert again.snapshot.now >= 1000
    assert [row.visits for row in back_at(analysis, 250).snapshot.moves] == [row.visits for row in rows]
    seen = analysis.latest().simulations
    wait(lambda: analysis.latest().simulations > seen)
    analysis.look_back(None)
    assert analysis.past() is None
    analysis.stop()


def test_looking_back_ends_with_a_new_position(analysis):
    position = load_game("tictactoe").initial()
    analysis.start(position, None, SearchSettings(selection="ucb1", memory_mb=16, prove=False), Limit(simulations=80))
    wait(lambda: not analysis.searching)
    analysis.look_back(10**9)
    wait(lambda: analysis.past() is not None)
    assert analysis.past().simulation == 80
    analysis.start(position.play(4), None, SETTINGS, Limit(simulations=30))
    assert analysis.past() is None
    with pytest.raises(ValueError, match="simulation -3 is not there"):
        analysis.look_back(-3)


def test_snapshots_have_complete_curves_only_while_requested(analysis, monkeypatch):
    monkeypatch.setattr("core.engine.extras.CURVE_RECORDS", 100)
    request = analysis.start(load_game("connect4").initial(), Source(), SETTINGS, Limit(simulations=430))
    assert done(analysis, request).curves is None
    analysis.request_curves(True)
    wait(lambda: analysis.latest().curves is not None and not analysis.latest().curves.behind)
    curves = analysis.latest().curves
    assert curves.simulations[-1] == 430
    assert dict(zip(curves.actions.tolist(), curves.visits[-1].tolist(), strict=True)) == {
        row.action: row.visits for row in analysis.latest().moves if row.visits
    }
    analysis.resume(Limit(simulations=900))
    wait(lambda: analysis.latest().reason == "limit reached" and analysis.latest().simulations == 900)
    wait(lambda: analysis.latest().curves.simulations[-1] == 900)
    analysis.request_curves(False)
    wait(lambda: analysis.latest().curves is None)


def test_the_rate_counts_no_simulation_that_the_clock_leaves_out(analysis):
    request = analysis.start(load_game("tictactoe").initial(), Source(), SETTINGS, Limit(simulations=1))
    counters = done(analysis, request).counters
    assert counters.simulations == counters.evaluations == 1
    assert counters.elapsed_s > 0


def test_a_finished_game_compiles_for_the_next_game(analysis, monkeypatch):
    kept = []
    monkeypatch.setattr("core.engine.analysis.warm_up", lambda *what: kept.append(what))
    over = load_game("tictactoe").position("a1 a2 b1 b2 c1")
    for position in (over, over.game.initial()):
        done(analysis, analysis.start(position, None, SETTINGS, Limit(simulations=1)))
    assert [game for game, *_ in kept] == [over.game]


def test_visitors_are_called_with_the_search_running_or_stopped_or_none(analysis):
    met = []
    analysis.visit(met.append)
    wait(lambda: met == [None])
    position = load_game("connect4(rows=4, cols=5, k=3)").initial()
    analysis.start(position, None, SearchSettings(selection="ucb1", memory_mb=64, prove=False))
    analysis.visit(lambda search: met.append((search.position, analysis.searching)))
    wait(lambda: len(met) == 2)
    assert met[1] == (position, True)
    analysis.stop()
    wait(lambda: analysis.phase == "")
    analysis.visit(lambda search: met.append((search.position, analysis.searching)))
    wait(lambda: len(met) == 3)
    assert met[2] == (position, False)
    analysis.start(position, Source(error=ValueError("no net")))
    analysis.visit(met.append)
    wait(lambda: len(met) == 4)
    assert met[3] is None


def test_a_failing_visitor_does_not_stop_the_search(analysis, caplog):
    def fail(search):
        raise RuntimeError("its window has gone")

    position = load_game("tictactoe").initial()
    request = analysis.start(position, Source(), SETTINGS, Limit(simulations=50))
    analysis.visit(fail)
    assert done(analysis, request).simulations == 50
    wait(lambda: "its window has gone" in caplog.text)
    assert analysis.error is None


def test_prepared_hook_is_called_before_the_first_simulation():
    class Watching(Analysis):
        def prepared(self, request, search):
            seen.append((request.position, search.snapshot((), 0).simulations))

    seen, position = [], load_game("tictactoe").initial()
    with Watching() as analysis:
        done(analysis, analysis.start(position, Source(), SETTINGS, Limit(simulations=20)))
    assert seen[0] == (position, 0)


class Clock:
    now = 0.0

    def perf_counter(self):
        return self.now


def test_requests_do_not_extend_a_time_limit(analysis, monkeypatch):
    clock = Clock()
    monkeypatch.setattr("core.engine.analysis.time", clock)
    settings = SearchSettings(memory_mb=512, prove=False)
    analysis.start(load_game("connect4").initial(), Source(), settings, Limit(seconds=10.0))
    wait(lambda: analysis.phase == "searching")
    for clock.now in (4.0, 8.0):
        met = []
        analysis.visit(met.append)
        wait(lambda met=met: met)
        analysis.request_nodes([(3,)])
    assert analysis.searching
    clock.now = 11.0
    wait(lambda: not analysis.searching, 10)
    wait(lambda: analysis.latest().reason == "limit reached")


def test_a_failed_request_does_not_end_the_next_one(analysis):
    class Slow(Source):
        def load(self, game):
            loading.set()
            go_on.wait(60)
            raise ValueError("no such net")

    loading, go_on, position = threading.Event(), threading.Event(), load_game("tictactoe").initial()
    analysis.start(position, Slow("slow"), SETTINGS)
    loading.wait(60)
    request = analysis.start(position, Source(), SETTINGS, Limit(simulations=20))
    go_on.set()
    wait(lambda: analysis.latest() is not None and analysis.latest().request == request, 10)
    assert done(analysis, request).simulations == 20
    assert analysis.error is None


def test_a_request_stopped_before_it_began_does_not_resume_the_previous_search(analysis):
    position = load_game("tictactoe").initial()
    first = done(analysis, analysis.start(position, Source(), SETTINGS, Limit(simulations=20)))
    with analysis._condition:  # the thread hears of both at once
        request = analysis.start(position.play(4), Source(), SETTINGS, Limit(simulations=20))
        analysis.stop()
    met = []
    analysis.visit(met.append)
    wait(lambda: met)
    assert (met, analysis.latest()) == ([None], first)
    analysis.resume(Limit(simulations=30))
    assert done(analysis, request).position == position.play(4)


def test_publish_interval_grows_with_the_tree():
    assert publish_interval_s(1, 0) == publish_interval_s(1030, 1000) == PUBLISH_S
    assert publish_interval_s(100_900, 100_000) == SLOW_PUBLISH_S > PUBLISH_S


def test_snapshots_that_take_long_are_made_less_often():
    assert publish_interval_s(1, 0, 0.0001) == PUBLISH_S
    assert PUBLISH_S < publish_interval_s(1, 0, 0.001) < SLOW_PUBLISH_S
    assert publish_interval_s(1, 0, 1.0) == SLOW_PUBLISH_S
