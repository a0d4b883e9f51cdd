"""Lessons in the window: each is run to its end in the real window, and what it says is compared with the truth."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication, QSplitter
from pytestqt.qtbot import QtBot

from core.engine import Search
from core.engine.corrections import Corrections, PriorAt
from core.files.lesson import Words
from core.files.trace_file import open_trace
from core.games import Position, load_game
from core.glass.lint import lint
from core.solve import Solver
from gui.app import welcome
from gui.jobs.kept_trees import KeepingAnalysis
from gui.language.language import CHINESE, ENGLISH
from gui.model.state import INSIDE_OVERLAY
from gui.rooms.lessons.drawing import shown_moves
from gui.rooms.lessons.experiments import Trials
from gui.rooms.lessons.panel import LessonPanel
from gui.rooms.training.samples import Sample, read_shard
from gui.rooms.training.tab import TrainingTab
from gui.rooms.why.arithmetic import formula
from gui.shell.dock import LEFT, RIGHT
from gui.shell.lesson_figures import NONE
from gui.shell.lesson_points import RING, place_of
from gui.shell.lessons import TOUR, Lessons, agrees, lessons_home, lessons_of, own_lessons
from gui.widgets.figures import count
from gui.widgets.preferences import Preferences
from gui.widgets.settings.setting_fields import UCB1_BONUS
from gui.widgets.texts import switch_language
from gui.window import MainWindow
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.shipped import lesson_net
from models.runs.reports import read_reports
from tests.core.glass.lesson_traces import BROKEN, broken_search
from tests.core.glass.toy_search import Toy
from tests.core.search.fakes import run_search
from tests.gui.conftest import cancel_close, open_window
from tests.gui.fakes import FakeAnalysis
from tests.gui.rooms.training.runs import write_run
from tests.gui.widgets.layout_checks import faults

NAMES = [path.stem for path in own_lessons()]
B, C, E, F = 1, 2, 4, 5  # columns of Connect Four
QUICK = ("uct", "bandits", "threats", "findbug")
MINE = """\
# Mine
About mine.

## Play
@game tictactoe
@leaves rollouts
@search 0
@point cell b2
@wait play b2

## Any
@docks timeline
{legal} moves for {player}.
@wait play any

## Ask
@ask How many are left?
@answer {legal}
@praise Well done.
@hint Count again.
"""


@pytest.fixture
def taught(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """A window with the real analysis and a run that has been trained."""
    home = tmp_path / "runs"
    write_run(home / "first", iterations=6)
    monkeypatch.setattr("gui.window._own_training", lambda state: TrainingTab(state, home))
    return open_window(qtbot, KeepingAnalysis(), "tictactoe")


def begin(window: MainWindow, name: str) -> Lessons:
    lessons = lessons_of(window.commands)
    lessons.open_file(lessons_home() / f"{name}.txt")
    assert lessons.lesson is not None, window.banner.text
    return lessons


def finish(qtbot: QtBot, lessons: Lessons) -> None:
    """Do the step's task and wait until it is done."""

    def done() -> None:
        if not lessons.done and (lessons.wait is None or lessons.wait.words[0] == "predict"):
            lessons.do_it()  # the exact result may still be computed; one guess after the other
        assert lessons.done

    session = lessons.stage._context.session
    if lessons.step is not None and lessons.step.command("trace") is not None:
        qtbot.waitUntil(lambda: session.present is not None)
    if not lessons.done:
        lessons.do_it()
    examines = lessons.wait is not None and lessons.wait.words[0] == "examined"  # a minute of work, and more
    qtbot.waitUntil(done, timeout=1_800_000 if examines else 180_000)


def plain(lessons: Lessons) -> str:
    """The words of the step."""
    page = lessons.panel.step
    return " ".join((page.title.text(), page.text.text(), page.question.sentence.text(), page.question.verdict.text()))


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in NAMES]
)
def test_each_lesson_runs_to_its_end(qtbot: QtBot, taught: MainWindow, name: str) -> None:
    lessons = begin(taught, name)
    assert lessons.lesson is not None
    assert taught.context.truth.withheld  # a lesson asks for exact results itself
    steps = len(lessons.lesson.steps)
    assert 7 <= steps <= 14
    for number in range(steps):
        assert lessons.number == number
        finish(qtbot, lessons)
        lessons.tick()
        step = lessons.step
        assert step is not None

        def known() -> None:
            lessons.tick()
            assert NONE not in plain(lessons)
            assert "{" not in plain(lessons)
            assert lessons.step is not None
            assert lessons.panel.step.text.text().count("<p>") == len(lessons.step.paragraphs)  # none waits for figures

        qtbot.waitUntil(known)
        for point in (one for one in step.commands if one.name == "point"):
            qtbot.waitUntil(lambda point=point: taught.rect().contains(place_of(taught.commands, point)))
        check = CHECKS.get((name, number))
        if (name, number) in SOLVED:
            qtbot.waitUntil(lambda: lessons.stage.figures.figure("winning") != NONE)
        if check is not None:
            check(lessons)
        qtbot.mouseClick(lessons.panel.step.next, Qt.MouseButton.LeftButton)
    assert lessons.lesson is None  # the list again
    assert not taught.context.truth.withheld
    assert "✓" in lessons.panel.list.item(NAMES.index(name)).text()


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("bandits", f"Q + {UCB1_BONUS['inside'].removeprefix('2 · ')}"),
        ("uct", f"U = {UCB1_BONUS['c']}"),
        ("puct", f"U = {formula('puct').removeprefix('Q + ')}"),
    ],
)
def test_a_lesson_writes_its_formula_as_the_inspector_does(name: str, written: str) -> None:
    (path,) = (one for one in own_lessons() if one.stem == name)
    assert path.read_text(encoding="utf-8").count(f"**{written}**") == 2  # English and Chinese


def test_a_run_is_shown_at_a_sample_and_leaves_the_list(qtbot: QtBot, taught: MainWindow) -> None:
    lessons = begin(taught, "sickruns")
    tab = taught.commands.training
    qtbot.waitUntil(lambda: tab.view.samples.sample is not None and tab.view.samples.number.value() == 19)
    assert tab.model.name == "run-a"
    copy = tab.model.path
    assert copy.parent != lessons_home()
    lessons.leave()
    assert not copy.exists()
    assert [model.name for model in tab.known_runs.models.values()] == ["first"]


def figures(lessons: Lessons, *names: str) -> list[float]:
    """Figures as numbers."""
    found = [
        lessons.stage.figures.figure(name).replace("\u202f", "").replace("\u2212", "-").rstrip("%") for name in names
    ]
    return [float(text) for text in found]


def _flat_misses(lessons: Lessons) -> None:
    assert figures(lessons, "picture right", "picture searches") == [0, 10]


def _tree_finds(lessons: Lessons) -> None:
    assert figures(lessons, "picture right", "picture searches") == [10, 10]


def _goes_deeper(lessons: Lessons) -> None:
    """The tenth simulation goes through a move that was tried, to a reply."""
    past = lessons.stage.tasks._commands.time.past
    assert len(past.playout.path) == 2


def _each_once(lessons: Lessons) -> None:
    snapshot = lessons.stage.tasks._context.session.snapshot
    assert {row.visits for row in snapshot.moves} == {1}
    assert figures(lessons, "U b2") == [pytest.approx(2 * np.sqrt(np.log(9)), abs=5e-3)]


def _middle_best(lessons: Lessons) -> None:
    assert lessons.stage.figures.figure("best") == "b2"


def _nim_guesses(lessons: Lessons) -> None:
    right, searches = figures(lessons, "picture right", "picture searches")
    assert searches == 100
    assert right < 34


def _nim_sure(lessons: Lessons) -> None:
    assert figures(lessons, "picture right", "picture searches") == [20, 20]


def _nim_proved(lessons: Lessons) -> None:
    assert figures(lessons, "value") == [1.0]
    assert lessons.stage.figures.figure("best") == "3"
    assert figures(lessons, "n")[0] < 20_000


def _corner_is_a_draw(lessons: Lessons) -> None:
    assert [lessons.stage.figures.figure(f"truth {move}") for move in ("a3", "b3")] == ["draw", "loss"]
    corner, edge = figures(lessons, "N a3", "N b3")
    assert corner > edge


def _merging_helps(lessons: Lessons) -> None:
    assert figures(lessons, "searched") == [3]
    assert figures(lessons, "share b2")[0] > 45


def _unmerged(lessons: Lessons) -> None:
    assert figures(lessons, "searched") == [9]
    assert figures(lessons, "share b2")[0] < 40


def _threats_leave_two(lessons: Lessons) -> None:
    snapshot = lessons.stage.tasks._context.session.snapshot
    assert {row.name for row in snapshot.moves if row.proof != "loss"} == {"e3", "e7"}


def _random_games_miss(lessons: Lessons) -> None:
    assert figures(lessons, "picture right")[0] <= 5


def _five_in_row_proved(lessons: Lessons) -> None:
    assert lessons.stage.figures.figure("best") == "f5"
    assert figures(lessons, "value") == [1.0]
    assert lessons.stage.figures.figure("line").startswith("f5 g5")


def _all_lost(lessons: Lessons) -> None:
    snapshot = lessons.stage.tasks._context.session.snapshot
    assert snapshot.reason == "proved"
    assert snapshot.value == -1


def _uniform_spreads(lessons: Lessons) -> None:
    assert max(figures(lessons, *(f"share {move}" for move in "abcdefg"))) < 20


def _net_likes_d(lessons: Lessons) -> None:
    assert lessons.stage.figures.figure("best") == "d"


def _search_turns_to_c(lessons: Lessons) -> None:
    assert lessons.stage.figures.figure("best") == "c"
    c, d = figures(lessons, "Q c", "Q d")
    assert c > d


def _follows_p(lessons: Lessons) -> None:
    share, prior = figures(lessons, "share d", "net d")
    assert abs(share - prior) < 10


def _tries_nothing_else(lessons: Lessons) -> None:
    visits, q = figures(lessons, "N d", "Q d")
    assert visits >= 395
    assert q < -0.5


def _noise_is_seen(lessons: Lessons) -> None:
    used, net = figures(lessons, "P b", "net b")
    assert used != net
    used, net = figures(lessons, "P d", "net d")
    assert used < net


def _no_noise(lessons: Lessons) -> None:
    used, net = figures(lessons, "P b", "net b")
    assert used == pytest.approx(net, abs=0.11)


def _sure_of_b1(lessons: Lessons) -> None:
    assert lessons.stage.figures.figure("best") == "b1"
    assert figures(lessons, "net b1", "V0")[0] > 70
    assert figures(lessons, "V0")[0] > 0.8


def _b1_loses(lessons: Lessons) -> None:
    assert [lessons.stage.figures.figure(f"truth {move}") for move in ("b1", "c1")] == ["loss", "draw"]
    assert lessons.stage.figures.figure("best") == "c1"


def _g_loses(lessons: Lessons) -> None:
    assert [lessons.stage.figures.figure(f"truth {move}") for move in ("g", "d")] == ["loss", "draw"]
    assert lessons.stage.figures.figure("best") == "g"


def _still_g(lessons: Lessons) -> None:
    assert lessons.stage.figures.figure("best") == "g"


def _now_d(lessons: Lessons) -> None:
    assert lessons.stage.figures.figure("best") == "d"


def _position(lessons: Lessons) -> Position:
    position = lessons.stage.figures._context.state.position
    assert position is not None
    return position


def _searched(lessons: Lessons, simulations: int, *corrections: PriorAt, prove: bool = False) -> Search:
    """The search of the step's position, begun anew."""
    position = _position(lessons)
    return run_search(
        position,
        OnnxEvaluator(lesson_net(position.game), position.game),
        simulations,
        corrections=Corrections(corrections),
        prove=prove,
        max_batch=1,
    )


def _plays_the_loss_b(lessons: Lessons) -> None:
    assert lessons.stage.figures.figure("best") == "b"
    assert [lessons.stage.figures.figure(f"truth {move}") for move in ("b", "e")] == ["loss", "win"]
    assert lessons.stage.figures.figure("N e") == "0"
    assert lessons.stage.figures.figure("winning") == "e"
    won = _position(lessons).play(E).winning_cells
    assert len({cell % 7 for cell in won}) == 1  # on each other


def _the_policy_is_to_blame(lessons: Lessons) -> None:
    report = _report(lessons)
    assert (report.blame, report.repair.ply) == ("policy", 0)
    assert report.repair.after == pytest.approx(0.017, abs=5e-4)
    assert report.plies[0].foretold == pytest.approx(1490, abs=10)
    assert [repair.right_from for repair in report.repairs if repair.kind in ("horizon", "c")] == [-1, -1]
    proving = _searched(lessons, 200, prove=True)
    assert (proving.best_action(), proving.simulations) == (E, 10)


def _only_f_wins_and_looks_bad(lessons: Lessons) -> None:
    assert lessons.stage.figures.figure("winning") == "f"
    assert lessons.stage.figures.figure("best") != "f"
    assert figures(lessons, "V f")[0] < -0.5


def _the_value_is_to_blame(lessons: Lessons) -> None:
    report = _report(lessons)
    assert (report.blame, report.repair.ply) == ("value", 0)
    assert report.repair.right_from == 5
    more = PriorAt((), F, 0.4)
    assert _searched(lessons, 200, more).best_action() == F
    assert _searched(lessons, 800, more).best_action() != F


def _seen(name: str, simulations: int, repaired: bool = False) -> dict[str, tuple[int, float]]:
    """The visits of each move in a search of the lesson on faults, and its Q, as the program has them."""
    assert BROKEN[name][0] == simulations
    toy = broken_search(name, repaired)
    return {toy.name(child.action): (int(child.n), child.w / child.n) for child in toy.root.children.values()}


def _first_fault(lessons: Lessons) -> str:
    """The kind of the first fault of the trace; it is marked where the step says."""
    document = lessons.stage._context.state.document
    (fault,) = document.marked_faults
    assert str(fault.simulation) == lessons.wait.words[1]
    assert lessons.stage.figures.figure("fault") in lessons.panel.step.text.text()
    trace = lessons.step.command("trace") if lessons.step is not None else None
    return lint(open_trace(Path(trace.words[0])))[0].kind


def _must_block(lessons: Lessons) -> None:
    assert lessons.stage.figures.figure("best") == "b1"
    position = _position(lessons)
    parse = position.game.parse_action
    moves = Solver(position.game).solve(position).moves
    assert [move.action for move in moves if move.value > -1] == [parse("a2")]
    assert position.play(parse("b1")).play(parse("a2")).is_over


def _the_opponent_helps(lessons: Lessons) -> None:
    toy = broken_search("block")
    b1 = next(child for child in toy.root.children.values() if toy.name(child.action) == "b1")
    replies = {toy.name(child.action): (child.n, round(child.w / child.n, 2)) for child in b1.children.values()}
    assert (b1.n, replies["c3"], replies["a2"][0]) == (138, (125, -0.86), 3)
    assert max(replies, key=lambda name: replies[name]) == "c3"


def _turned_it_blocks(lessons: Lessons) -> None:
    assert _seen("block", 200, repaired=True)["a2"][0] == 130
    longer = Toy(fault=BROKEN["block"][1], **BROKEN["block"][2]).run(2000)
    longer.play()
    assert longer.lines[-1] == "m b1"


def _a_sign_is_wrong(lessons: Lessons) -> None:
    assert _first_fault(lessons) == "sign"


def _does_not_win(lessons: Lessons) -> None:
    position = _position(lessons)
    parse = position.game.parse_action
    assert broken_search("win").lines[-1] == "m b1"
    assert position.play(parse("a2")).is_over
    assert position.play(parse("b1")).play(parse("a2")).returns == (-1, 1)


def _won_counts_as_lost(lessons: Lessons) -> None:
    assert lessons.stage.figures.figure("truth a2") == "win"
    assert figures(lessons, "Q a2", "N a2") == [-1, _seen("win", 200)["a2"][0]]
    assert _seen("win", 200, repaired=True)["a2"][0] == 178


def _an_end_is_wrong(lessons: Lessons) -> None:
    assert _first_fault(lessons) == "terminal"


def _misses_e(lessons: Lessons) -> None:
    figure = lessons.stage.figures.figure
    assert [figure("winning"), figure("best"), figure("truth d")] == ["e", "d", "loss"]
    assert figures(lessons, "Q e")[0] < -0.5
    assert _seen("batches", 160, repaired=True)["e"][0] == 124


def _twice_the_visits(lessons: Lessons) -> None:
    visits, q = _seen("batches", 160)["d"]
    assert (visits, round(q, 2)) == (178, -0.43)
    assert figures(lessons, "N d", "n") == [visits / 2, 160]


def _a_loss_stays(lessons: Lessons) -> None:
    assert _first_fault(lessons) == "virtual loss"


def _only_the_last_block_finds_the_line(lessons: Lessons) -> None:
    assert lessons.stage.figures.figure("best") == "c"
    assert lessons.stage.figures.figure("truth c") == "win"
    position = _position(lessons)
    assert set(position.play(C).winning_cells) == {
        position.game.cell_names.index(name) for name in ("b1", "c1", "d1", "e1")
    }


def _inside_room(lessons: Lessons) -> Any:
    return lessons.stage._commands.views.docks["inside"].fill()


def _turns_to_c(lessons: Lessons) -> None:
    figure = lessons.stage.figures.figure
    assert [figure("inside turns"), figure("inside first 3"), figure("inside first 4")] == ["4", "b", "c"]
    assert _inside_room(lessons).part_shown("inside_blocks")


def _value_before_move(lessons: Lessons) -> None:
    stem, third, end = figures(lessons, "inside V 0", "inside V 3", "inside V 4")
    assert third > 0.7
    assert end > 0.9
    assert stem < 0
    state = lessons.stage.tasks._context.state
    assert state.overlay == INSIDE_OVERLAY
    assert state.cells.position == state.position


def _stones(lessons: Lessons) -> dict[str, tuple[float, float]]:
    """SARFA and the exact answer of each stone shown."""
    found = _inside_room(lessons).made["inside_stones"].found
    names = found.position.game.cell_names
    return {names[stone.cell]: (stone.sarfa, stone.truth) for stone in found.stones}


def _needs_one_of_the_line(lessons: Lessons) -> None:
    stones = _stones(lessons)
    assert lessons.stage.figures.figure("inside stone") == max(stones, key=lambda name: stones[name][0])
    assert lessons.stage.figures.figure("inside stone") in ("b1", "d1", "e1")
    others = [sarfa for name, (sarfa, _) in stones.items() if name not in ("b1", "d1", "e1")]
    assert max(others) > 0.9 * stones[lessons.stage.figures.figure("inside stone")][0]


def _also_for_other_reasons(lessons: Lessons) -> None:
    (reason,) = figures(lessons, "inside reason")
    assert 0.6 < reason < 0.95
    stones = _stones(lessons)
    for name in ("g1", "g2", "g3"):
        assert stones[name][0] > 0.4
        assert stones[name][1] <= 0.25
    assert min(stones[name][1] for name in ("b1", "d1", "e1")) > 0.8


def _the_bare_board_tells_as_much(lessons: Lessons) -> None:
    read, bare = figures(lessons, "inside reads own line", "inside bare own line")
    assert 0.85 < read <= bare < 1
    report = lessons.stage.figures.inside.examined.report
    (line,) = (concept for concept in report.concepts if concept.name == "own line")
    assert not line.blocks[-1].beats_baselines
    assert any(concept.blocks and concept.blocks[-1].beats_baselines for concept in report.concepts)


def _the_third_block_loses_the_win(lessons: Lessons) -> None:
    figure = lessons.stage.figures.figure
    assert [figure("winning"), figure("inside first 2"), figure("inside turns")] == ["b", "b", "3"]
    assert [figure("inside first 3"), figure("inside first 4"), figure("truth g")] == ["g", "g", "loss"]
    assert _position(lessons).play(B).is_over


def _report(lessons: Lessons) -> Any:
    room: Any = lessons.stage._commands.views.docks["why"].fill()
    return room.cause.report


def _sick_sample(run: str, number: int) -> Sample:
    """A sample of the newest shard of a run that comes with the lessons."""
    return read_shard(lessons_home() / run / "replay" / "000008.npz", "tictactoe").sample(number - 1)


def _won_and_said_lost(lessons: Lessons) -> None:
    sample = _sick_sample("run-a", 19)
    assert _wins_of(sample.position) == ["b1"]
    assert sample.target[sample.position.game.parse_action("b1")] == pytest.approx(1.0)
    assert (sample.result, sample.root_value, sample.position.to_move) == (-1, 1.0, 0)


def _shown_the_other_stones(lessons: Lessons) -> None:
    sample = _sick_sample("run-b", 5)
    game = sample.position.game
    stones = [[game.action_name(a) for a in np.flatnonzero(np.array(plane)).tolist()] for plane in sample.planes[:2]]
    assert [sorted(names) for names in stones] == [["b1", "b3"], ["a1", "a2"]]
    assert (_wins_of(sample.position), sample.result, sample.position.to_move) == (["a3"], 1, 0)


def _losses_fall_all_the_same(lessons: Lessons) -> None:
    for run in ("run-a", "run-b", "run-c"):
        reports = read_reports(lessons_home() / run / "reports.jsonl")
        losses = [report["value_loss"] for report in reports if report.get("value_loss") is not None]
        assert losses[-1] < 0.8 * losses[0]


def _all_moves_alike(lessons: Lessons) -> None:
    sample = _sick_sample("run-c", 10)
    assert (_wins_of(sample.position), sample.result, sample.root_value) == (["c1"], 1, 1.0)
    assert list(sample.target.values()) == pytest.approx([0.2] * 5, abs=0.02)


def _wins_of(position: Position) -> list[str]:
    wins = [a for a in position.legal_actions() if position.play(a).is_over]
    return [position.game.action_name(a) for a in wins]


def _named(kind: str, lessons: Lessons) -> None:
    """The doctor's first finding of the run shown."""
    diagnosis = lessons.stage.figures.diagnosis
    assert diagnosis.findings[0].kind == kind
    if kind == "result sign":
        experiment = diagnosis.findings[0].experiment
        assert (experiment.before.value < 0.2, experiment.after.value) == (True, 1.0)


SOLVED = {("blame", 1), ("blame", 6)}  # their checks need every move's exact value
# What a step says in words: (lesson, number of the step) -> its check.
CHECKS: dict[tuple[str, int], Callable[[Lessons], object]] = {
    ("flat", 6): _flat_misses,
    ("flat", 7): _tree_finds,
    ("uct", 5): _each_once,
    ("uct", 6): _goes_deeper,
    ("uct", 9): _middle_best,
    ("uct", 12): _corner_is_a_draw,
    ("nim", 4): _nim_guesses,
    ("nim", 5): _nim_sure,
    ("nim", 8): _nim_proved,
    ("symmetry", 2): _unmerged,
    ("symmetry", 4): _merging_helps,
    ("threats", 2): _random_games_miss,
    ("threats", 4): _threats_leave_two,
    ("threats", 7): _five_in_row_proved,
    ("threats", 9): _all_lost,
    ("puct", 0): _uniform_spreads,
    ("puct", 3): _net_likes_d,
    ("puct", 8): _search_turns_to_c,
    ("puct", 9): _follows_p,
    ("puct", 10): _tries_nothing_else,
    ("noise", 4): _no_noise,
    ("noise", 5): _noise_is_seen,
    ("badnet", 1): _sure_of_b1,
    ("badnet", 3): _b1_loses,
    ("badnet", 6): _g_loses,
    ("badnet", 7): _still_g,
    ("badnet", 9): _now_d,
    ("blame", 1): _plays_the_loss_b,
    ("blame", 3): _the_policy_is_to_blame,
    ("blame", 6): _only_f_wins_and_looks_bad,
    ("blame", 7): _the_value_is_to_blame,
    ("inside", 1): _only_the_last_block_finds_the_line,
    ("inside", 2): _turns_to_c,
    ("inside", 4): _value_before_move,
    ("inside", 6): _needs_one_of_the_line,
    ("inside", 7): _also_for_other_reasons,
    ("inside", 9): _the_bare_board_tells_as_much,
    ("inside", 10): _the_third_block_loses_the_win,
    ("sickruns", 1): _won_and_said_lost,
    ("sickruns", 3): partial(_named, "result sign"),
    ("sickruns", 5): _shown_the_other_stones,
    ("sickruns", 6): _losses_fall_all_the_same,
    ("sickruns", 7): partial(_named, "planes"),
    ("sickruns", 9): _all_moves_alike,
    ("sickruns", 10): partial(_named, "search flat"),
    ("findbug", 0): _must_block,
    ("findbug", 2): _the_opponent_helps,
    ("findbug", 3): _turned_it_blocks,
    ("findbug", 4): _a_sign_is_wrong,
    ("findbug", 5): _does_not_win,
    ("findbug", 6): _won_counts_as_lost,
    ("findbug", 7): _an_end_is_wrong,
    ("findbug", 8): _misses_e,
    ("findbug", 9): _twice_the_visits,
    ("findbug", 10): _a_loss_stays,
}


def test_every_text_of_the_lessons_is_translated() -> None:
    lessons = Path(lessons_home())
    for path in (*own_lessons(), lessons / TOUR):
        lines = path.read_text(encoding="utf-8").splitlines()
        for line, after in zip(lines, [*lines[1:], ""], strict=True):
            if line and not line.startswith(("@", "zh:")) and not line.isspace():
                assert after.startswith("zh:"), (path.name, line)
            spoken = line.startswith(("@ask", "@right", "@wrong", "@praise", "@hint"))
            if spoken and not line.split(" ", 1)[1].replace(".", "").isdigit():
                assert after.startswith("zh:"), (path.name, line)
    assert {path.stem for path in lessons.glob("*.txt")} == {*NAMES, "tour", "order"}


@pytest.mark.slow
def test_the_net_of_tictactoe_errs_in_one_position() -> None:
    """What the lesson on bad nets says: its favourite move keeps the result in all positions but one."""
    game = load_game("tictactoe")
    solver, evaluator = Solver(game), OnnxEvaluator(lesson_net(game), game)
    seen, todo, found = set(), [game.initial()], []
    while todo:
        position = todo.pop()
        key = position.cells().tobytes()
        if key in seen or position.is_over:
            continue
        seen.add(key)
        found.append(position)
        todo += [position.play(action) for action in position.legal_actions()]
    wrong = []
    for start in range(0, len(found), 256):
        part = found[start : start + 256]
        logits = evaluator.evaluate(np.stack([position.planes() for position in part]))[0]
        for position, row in zip(part, logits, strict=True):
            favourite = max(position.legal_actions(), key=lambda action: row[action])
            values = {move.action: move.value for move in solver.solve(position).moves}
            if values[favourite] < max(values.values()):
                wrong.append(position)
    assert len(found) == 4520
    assert len(wrong) == 1
    assert wrong[0].cells().tobytes() == game.position("a1 c2 a2 c3 b3 a3").cells().tobytes()


# the panel


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.txt"
    path.write_text(MINE, encoding="utf-8")
    return path


def test_a_lesson_waits_for_the_learner_in_the_real_window(qtbot: QtBot, window: MainWindow, mine: Path) -> None:
    lessons = lessons_of(window.commands)
    lessons.open_file(mine)
    page = lessons.panel.step
    state = window.state
    assert state.game.name == "tictactoe"
    assert not window.session.automatic
    assert not page.next.isEnabled()
    assert page.task.text() == "Play b2: click it on the board."
    ring = place_of(window.commands, lessons.step.commands[-2])
    assert window.room.board.action_at(window.room.board.mapFrom(window, ring.center()).toPointF()) == 4
    state.play_line((0,))
    lessons.tick()
    assert not lessons.done
    state.take_back()
    qtbot.mouseClick(window.room.board, Qt.MouseButton.LeftButton, pos=window.room.board.mapFrom(window, ring.center()))
    lessons.tick()
    assert lessons.done
    assert page.task.text().startswith("✓")
    qtbot.mouseClick(page.next, Qt.MouseButton.LeftButton)
    assert "timeline" in window.docks.shown
    lessons.tick()
    assert "<b>8</b> moves for <b>O</b>" in page.text.text()
    state.play_line((8,))
    lessons.tick()
    qtbot.mouseClick(page.next, Qt.MouseButton.LeftButton)
    question = page.question
    question.field.setText("9")
    qtbot.mouseClick(question.check, Qt.MouseButton.LeftButton)
    assert (question.verdict.text(), page.next.isEnabled()) == ("Not yet. Count again.", False)
    question.field.setText("7")
    qtbot.keyClick(question.field, Qt.Key.Key_Return)
    assert (question.verdict.text(), page.next.isEnabled()) == ("Right. Well done.", True)
    assert state.cursor == 2  # Return did not play a move


def test_a_lesson_goes_on_after_a_close_that_was_cancelled(qtbot: QtBot, window: MainWindow, mine: Path) -> None:
    lessons = lessons_of(window.commands)
    lessons.open_file(mine)
    open_docks = window.docks.shown
    cancel_close(window)
    assert window.docks.shown == open_docks
    window.state.play_line((4,))
    qtbot.waitUntil(lambda: lessons.done)


@pytest.mark.slow
def test_a_step_that_names_a_place_of_the_slider_waits_for_it(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "slider.txt"
    path.write_text("# A\n## S\n@picture formula wins=7,5 games=10,8 c=10\n@wait slider 1\n", encoding="utf-8")
    lessons = lessons_of(window.commands)
    lessons.open_file(path)
    assert lessons.panel.step.task.text() == "Move the slider below the picture to 1."
    picture = lessons.panel.step.picture
    for place, done in ((9.5, False), (1.1, False), (1.0, True)):
        picture.slide_to(place)
        lessons.tick()
        assert lessons.done == done


def test_back_brings_the_window_to_where_a_step_begins(window: MainWindow, mine: Path) -> None:
    lessons = lessons_of(window.commands)
    lessons.open_file(mine)
    for _ in range(2):
        lessons.do_it()
        lessons.turn_on()
    assert lessons.number == 2
    lessons.turn_to(1)
    assert window.state.position == load_game("tictactoe").position("b2")
    assert not lessons.done
    lessons.turn_to(0)
    assert window.state.position == load_game("tictactoe").initial()


@pytest.mark.slow
def test_a_position_that_was_left_can_be_put_back(qtbot: QtBot, taught: MainWindow) -> None:
    lessons = begin(taught, "flat")
    page, state = lessons.panel.step, taught.state
    while lessons.number < 3:
        finish(qtbot, lessons)
        lessons.turn_on()
    first = state.position
    assert page.question.field.hasFocus()
    state.play_line((4,))  # b2, where the step asks for a name
    lessons.tick()
    assert page.do_it.text() == "Put it back"
    assert "another position" in page.task.text()
    qtbot.mouseClick(page.do_it, Qt.MouseButton.LeftButton)
    assert state.position == first
    qtbot.waitUntil(lambda: lessons.stage.figures.figure("n") == count(7000))  # what the steps before had searched
    lessons.tick()
    assert page.do_it.text() == "Do it for me"
    lessons.turn_to(0)
    assert not lessons.done
    assert page.next.isEnabled()  # it was done before


def test_a_trace_is_opened_anew_as_it_was_written(qtbot: QtBot, taught: MainWindow) -> None:
    lessons = begin(taught, "findbug")
    session, document = taught.session, lambda: taught.state.document

    def shows(simulations: int) -> None:
        assert session.present is not None
        assert session.present.simulations == simulations

    qtbot.waitUntil(partial(shows, 200))
    assert document().marked_faults == ()  # before the learner has guessed
    lessons.stage.tasks.search_on(50)
    qtbot.waitUntil(partial(shows, 250))
    lessons.turn_to(3)  # a step that goes on with the trace of the first
    qtbot.waitUntil(partial(shows, 200))
    lessons.turn_to(10)
    qtbot.waitUntil(partial(shows, 160))
    assert len(document().marked_faults) == 1
    lessons.turn_to(9)
    qtbot.waitUntil(partial(shows, 160))
    assert document().marked_faults == ()
    assert taught.commands.documents.closed == []  # the lesson's games are not kept


def test_a_lesson_opens_its_docks_and_gives_back_those_of_before(window: MainWindow) -> None:
    window.docks.show_dock("timeline")
    before = window.docks.shown
    lessons = begin(window, "nim")
    assert window.docks.shown == ("tree", "lessons")
    lessons.leave()
    assert window.docks.shown == before


@pytest.mark.parametrize("size", [(1480, 920), (1024, 700)])
def test_a_step_that_speaks_of_the_four_phases_brings_them_in_sight(
    window: MainWindow, tmp_path: Path, size: tuple[int, int]
) -> None:
    path = tmp_path / "phases.txt"
    path.write_text("# Phases\n\n## Look\n@docks tree timeline\n@point part stages\n", encoding="utf-8")
    window.resize(*size)
    window.docks.show_dock("timeline")
    before = window.docks.arrangement().shares
    lessons = lessons_of(window.commands)
    lessons.open_file(path)
    QApplication.processEvents()
    ring = place_of(window.commands, lessons.step.commands[-1])
    assert ring.height() >= 3 * window.fontMetrics().height()  # a title and two lines of text
    lessons.leave()
    assert window.docks.arrangement().shares == before


def test_return_in_the_panel_plays_no_move(qtbot: QtBot, window: MainWindow, mine: Path) -> None:
    lessons = lessons_of(window.commands)
    lessons.open_file(mine)
    page = lessons.panel.step
    qtbot.keyClick(page.area, Qt.Key.Key_Return)
    assert (lessons.number, window.state.cursor) == (0, 0)
    for _ in range(2):
        lessons.do_it()
        qtbot.keyClick(page.next, Qt.Key.Key_Return)
    assert lessons.number == 2
    page.question.field.setText("7")
    qtbot.keyClick(page.question.field, Qt.Key.Key_Return)
    assert lessons.number == 2  # what is said about the answer is read first
    assert page.next.hasFocus()
    assert window.state.cursor == 2


@pytest.mark.slow
def test_a_picture_of_many_moves_has_a_row_for_those_played(window: MainWindow) -> None:
    lessons = begin(window, "threats")
    lessons.turn_to(2)
    picture = lessons.stage.figures.picture
    shown = picture.experiment
    assert isinstance(shown, Trials)
    assert shown_moves(shown) == {}
    shown.right = frozenset({42})
    shown.chosen[7], shown.chosen[9] = 2, 1
    assert list(shown_moves(shown).items()) == [(42, 0), (7, 2), (9, 1)]


def test_the_users_own_game_and_settings_come_back(qtbot: QtBot, window: MainWindow, mine: Path) -> None:
    state = window.state
    state.play_line((3, 3, 2))
    window.session.seed = 5
    own, before = state.record, (state.settings, state.limit)
    lessons = lessons_of(window.commands)
    lessons.open_file(mine)
    for _ in range(3):  # each opens the game of the lesson again
        lessons.turn_to(0)
        lessons.do_it()
    lessons.leave()
    assert not lessons.open
    assert [one.document.record for one in window.commands.documents.closed] == [own]  # the lesson's games are not kept
    qtbot.waitUntil(lambda: "settings stay" in window.banner.text)
    qtbot.mouseClick(window.banner.offer_button, Qt.MouseButton.LeftButton)
    assert (state.settings, state.limit, window.session.automatic, window.session.seed) == (*before, True, 0)
    window.context.actions["game_before"].trigger()
    assert state.record is own
    assert window.session.seed == 5


def test_progress_is_kept(qtbot: QtBot, tmp_path: Path, mine: Path) -> None:
    def kept() -> Preferences:
        return Preferences(QSettings(str(tmp_path / "kept.ini"), QSettings.Format.IniFormat))

    window = open_window(qtbot, FakeAnalysis(), "tictactoe", preferences=kept())
    lessons_of(window.commands).open_file(mine)
    lessons_of(window.commands).do_it()
    lessons_of(window.commands).turn_on()
    window.close()
    assert kept().steps_done("mine") == 1
    again = open_window(qtbot, FakeAnalysis(), "tictactoe", preferences=kept())
    lessons_of(again.commands).open_file(mine)
    assert lessons_of(again.commands).number == 1
    assert again.state.position == load_game("tictactoe").position("b2")  # as the step begins


def test_a_task_done_for_the_person_brings_up_the_board_that_rooms_cover(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(MINE, encoding="utf-8")
    lessons = lessons_of(window.commands)
    lessons.open_file(path)
    window.workspaces.turn_to("nets")
    assert not window.docks.has_board
    lessons.do_it()
    assert lessons.done
    assert window.room.board.isVisible()
    window.workspaces.turn_to("nets")
    lessons.panel.more_asked.emit(1)
    assert window.room.board.isVisible()


def test_a_damaged_lesson_is_refused_in_one_sentence(window: MainWindow, tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("# Bad\n## Step\n@docks cellar\n", encoding="utf-8")
    lessons_of(window.commands).open_file(bad)
    assert lessons_of(window.commands).lesson is None
    assert window.banner.text.startswith("bad.txt, line 3: there is no 'cellar' here")
    lessons_of(window.commands).open_file(tmp_path / "missing.txt")
    assert "missing.txt" in window.banner.text


def test_the_list_opens_lessons_with_mouse_and_keys(qtbot: QtBot, window: MainWindow) -> None:
    window.context.actions["lessons"].trigger()
    lessons = lessons_of(window.commands)
    assert lessons.panel.list.count() == len(NAMES)
    lessons.panel.list.setCurrentRow(0)
    qtbot.keyClick(lessons.panel.list, Qt.Key.Key_Return)
    assert lessons.lesson.name == NAMES[0]
    switch_language(CHINESE)
    assert lessons.panel.step.title.text() == lessons.lesson.steps[0].title.in_language(CHINESE)
    assert lessons.panel.heading.text() == lessons.lesson.title.in_language(CHINESE)
    switch_language(ENGLISH)
    qtbot.mouseClick(lessons.panel.all, Qt.MouseButton.LeftButton)
    assert lessons.lesson is None
    window.workspaces.turn_to("nets")
    assert lessons.panel.isVisible()
    qtbot.mouseClick(window.docks.areas[LEFT].close_button, Qt.MouseButton.LeftButton)
    assert not lessons.open


def test_the_tour_shows_the_workspaces_and_leads_to_the_lessons(qtbot: QtBot, window: MainWindow) -> None:
    before = window.docks.arrangement()
    window.context.actions["tour"].trigger()
    lessons, page = lessons_of(window.commands), lessons_of(window.commands).panel.step
    for workspace in ("search", "search", "play", "compare", "nets"):
        assert window.workspaces.shown.name == workspace
        assert not window.context.truth.withheld  # it asks nothing
        qtbot.waitUntil(lessons.ring.isVisible)
        qtbot.mouseClick(page.next, Qt.MouseButton.LeftButton)
    assert lessons.lesson is None
    assert lessons.panel.list.isVisible()
    assert (window.workspaces.shown.name, window.docks.arrangement()) == ("search", before)


def test_the_ring_follows_what_it_points_at(qtbot: QtBot, window: MainWindow) -> None:
    window.context.actions["tour"].trigger()
    lessons = lessons_of(window.commands)
    lessons._clock.stop()  # from here on only a move tells where the ring belongs
    lessons.tick()
    assert lessons.ring.isVisible()
    before = lessons.ring.geometry()
    gaps = window.docks.areas[RIGHT].parentWidget()
    assert isinstance(gaps, QSplitter)
    gaps.setSizes([700, 300])
    place = partial(place_of, window.commands, lessons.step.commands[-1])
    qtbot.waitUntil(lambda: lessons.ring.geometry() == place().adjusted(-RING, -RING, RING, RING) != before)
    assert lessons.ring.isVisible()
    lessons.leave()
    assert not lessons.ring.isVisible()


def test_who_leaves_the_tour_from_another_workspace_stays_there(window: MainWindow) -> None:
    window.context.actions["tour"].trigger()
    assert window.workspaces.shown.name == "search"
    window.workspaces.turn_to("nets")
    lessons_of(window.commands).leave()
    assert window.workspaces.shown.name == "nets"


def test_a_room_opened_during_the_tour_stays(window: MainWindow) -> None:
    window.context.actions["tour"].trigger()
    window.commands.open_dock("settings")
    lessons_of(window.commands).leave()
    assert "settings" in window.docks.shown
    window.context.actions["tour"].trigger()
    lessons_of(window.commands).turn_to(3)
    window.commands.open_dock("library")
    lessons_of(window.commands).leave()
    assert window.workspaces.shown.name == "compare"
    assert "library" in window.docks.shown


def test_the_tour_begins_by_itself_once_a_game_is_open(qtbot: QtBot, tmp_path: Path) -> None:
    def kept() -> Preferences:
        return Preferences(QSettings(str(tmp_path / "kept.ini"), QSettings.Format.IniFormat))

    for first in (True, False):
        window = open_window(qtbot, FakeAnalysis(), "tictactoe", preferences=kept())
        welcome(window)
        assert (window.findChild(Lessons) is not None) == first
        window.close()


def _sound(panel: LessonPanel, where: str) -> None:
    found = faults(panel)
    assert not found, f"{where}: {found}"


def test_nothing_in_the_panel_is_clipped_or_unnamed(qtbot: QtBot, window: MainWindow) -> None:
    lessons = lessons_of(window.commands)
    for language in (ENGLISH, CHINESE):
        switch_language(language)
        lessons.show_list()
        for name, number in ((None, 0), ("pi", 0), ("bandits", 3), ("uct", 3), ("noise", 1)):
            if name is not None:
                begin(window, name)
                lessons.turn_to(number)
            qtbot.waitUntil(partial(_sound, lessons.panel, f"{language} {name} {number}"))  # once it is laid out


def test_answers_are_compared_as_numbers_or_words() -> None:
    assert agrees("3,2", "3.2", 0)
    assert agrees(" 10 000 ", "10000", 0)
    assert agrees("-0.5", "\u22120.50", 0)
    assert agrees("50 %", "50", 0)
    assert agrees("E7", "e7", 0)
    assert agrees("0.04", "0.00", 0.05)
    assert not agrees("3.3", "3.2", 0.05)
    assert not agrees("e3", "e7", 1)
    assert not agrees("nan", "3", 1)


def test_rich_text_escapes_what_a_file_says(window: MainWindow) -> None:
    stage = lessons_of(window.commands).stage.figures
    assert stage.rich("a < b **bold** & {legal}") == "a &lt; b <b>bold</b> &amp; <b>7</b>"
    assert stage.rich("<img src=x> ** one") == "&lt;img src=x&gt; ** one"
    assert Words("a", {"zh": "b"}).in_language("de") == "a"
