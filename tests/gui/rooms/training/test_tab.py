"""The Training tab with folders of runs and with a scripted process: found, shown, commanded, found again."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QSpinBox
from pytestqt.qtbot import QtBot

from core.games import load_game
from gui.language.language import CHINESE, ENGLISH
from gui.model.sources import NetSource
from gui.rooms.training.known_runs import is_run
from gui.rooms.training.launcher import DIED, PAUSED, STOPPED, WORKING, Launcher
from gui.rooms.training.run_commands import ExportReport
from gui.rooms.training.run_model import LOG, LOOK_BYTES
from gui.rooms.training.tab import TrainingTab
from gui.widgets.dialogs import Dialog
from gui.widgets.texts import switch_language
from gui.window import MainWindow
from models.runs.config import TrainConfig
from models.runs.folder import REPORTS, RUNNING_FILE, running
from models.runs.processes import is_alive
from tests.gui.fakes import FakeAnalysis
from tests.gui.rooms.training.conftest import ShowRun, delete_now
from tests.gui.rooms.training.runs import iteration, write_live, write_reports, write_run, write_running

SCRIPT = str(Path(__file__).with_name("scripted_run.py"))
CONFIG = TrainConfig.of(game="tictactoe", minutes=5.0)


@pytest.fixture
def scripted(home: Path, qtbot: QtBot) -> Iterator[Launcher]:
    """Return a launcher of scripted runs; all are stopped at the end."""
    launcher = Launcher((sys.executable, SCRIPT))
    yield launcher
    for folder in home.iterdir() if home.is_dir() else ():
        process = running(folder)
        if process is not None:
            launcher.command(folder, "stop")
            qtbot.waitUntil(lambda pid=process.pid: not is_alive(pid))


@pytest.fixture
def scripted_tab(training_window: MainWindow, home: Path, scripted: Launcher) -> TrainingTab:
    """The tab, whose runs are scripted ones."""
    training_window.commands.make_training = lambda _: TrainingTab(training_window.state, home, scripted)
    training_window.workspaces.turn_to("nets")
    assert training_window.commands.training is not None
    return training_window.commands.training


def shown(tab: TrainingTab) -> tuple[str, str]:
    """Return the name and the state of the run that is shown."""
    return tab.view.title.text(), tab.view.words.text()


# without a process


def test_an_invalid_path_is_no_run() -> None:
    assert not is_run(Path("/" + "9" * 5000))
    assert not is_run(Path("a\0b"))


DAMAGED = [
    '{"pid": 99999999999999999999, "started": 1.0, "beat": 1.0}',
    '{"pid": 1e400, "started": 1.0, "beat": 1.0}',
    '{"pid": 1, "started": 1e400, "beat": 1.0}',
    "[" * 100_000,
    '{"a":' * 5000 + "1" + "}" * 5000,
]


@pytest.mark.slow
def test_damaged_running_files_hide_no_other_run(training_window: MainWindow, home: Path) -> None:
    write_run(home / "sound", iterations=2, kept=0)
    for n, content in enumerate(DAMAGED):
        (write_run(home / f"spoilt {n}", iterations=2, kept=0) / RUNNING_FILE).write_text(content)
    training_window.workspaces.turn_to("nets")
    rows = {row.name: row.state.words for row in training_window.commands.training.list.rows()}
    assert rows["sound"] == "not running"
    for n in range(len(DAMAGED)):
        assert rows[f"spoilt {n}"].startswith(f"not known: {RUNNING_FILE} cannot be read ("), n


@pytest.mark.slow
def test_the_banner_stays_below_every_workspace(training_window: MainWindow) -> None:
    window = training_window
    window.banner.show_error("the disk is full")
    window.workspaces.turn_to("nets")
    assert window.banner.isVisible()
    assert window.banner.y() == window.views.geometry().bottom() + 1  # below the page, not over it


def test_without_runs_a_welcome_page_offers_one(tab: TrainingTab, qtbot: QtBot) -> None:
    assert tab.welcome.isVisible()
    assert not tab.view.isVisible()
    qtbot.mouseClick(tab.new, Qt.MouseButton.LeftButton)
    assert tab.form.isVisible()
    assert tab.form.game.game == "tictactoe"  # the game on the analysis board


def test_runs_are_listed_with_their_state(tab: TrainingTab, home: Path, qtbot: QtBot) -> None:
    write_run(home / "a", iterations=2, kept=0)
    write_reports(home / "a", [{"event": "error", "elapsed_s": 61.0, "sentence": "the disk is full"}], "a")
    write_running(write_run(home / "b", "connect4", iterations=3, kept=0), "iteration 4: playing and learning")
    (home / "no-run").mkdir()
    tab.tick()
    qtbot.waitUntil(
        lambda: [(row.name, row.game) for row in tab.list.rows()] == [("a", "Tic-tac-toe"), ("b", "Connect Four")]
    )
    assert tab.list.rows()[1].state.words == "iteration 4: playing and learning"
    assert tab.known_runs.chosen == home / "b"  # the one that is running
    tab.choose(home / "a")
    assert shown(tab) == ("a", "died: the disk is full")


@pytest.mark.slow
def test_the_training_page_follows_the_language(
    tab: TrainingTab, training_window: MainWindow, qtbot: QtBot, show_run: ShowRun
) -> None:
    """A run that has ended sends no updates of its own."""
    show_run(iterations=6)
    switch_language(CHINESE)
    qtbot.waitUntil(lambda: tab.view.numbers.text().startswith("第 6 轮"))
    switch_language(ENGLISH)
    qtbot.waitUntil(lambda: tab.view.numbers.text().startswith("iteration 6"))


@pytest.mark.slow
def test_new_reports_are_shown_automatically(tab: TrainingTab, home: Path, qtbot: QtBot, show_run: ShowRun) -> None:
    show_run(iterations=2)
    assert "iteration 2" in tab.view.numbers.text()
    write_reports(home / "a", [iteration(3)], "a")
    qtbot.waitUntil(lambda: "iteration 3" in tab.view.numbers.text())
    write_reports(home / "a", [{"what": "is this"}], "a")
    (home / "a" / REPORTS).open("ab").write(b"\xff\n")
    qtbot.waitUntil(lambda: "cannot be read" in tab.view.problem.text())


@pytest.mark.parametrize("looks", [1, 2, 3, 4])
def test_the_header_of_an_ended_run_is_that_of_its_last_report(
    tab: TrainingTab, home: Path, qtbot: QtBot, looks: int
) -> None:
    """Whichever part of the window reads the last of the reports."""
    events = [iteration(number) for number in range(1, 1 + 48 * looks)]
    folder = write_run(home / "a", iterations=1, kept=0)
    write_reports(folder, events, "a")
    assert looks - 1 < (folder / REPORTS).stat().st_size / LOOK_BYTES < looks
    tab._list_runs()
    tab.choose(folder)
    qtbot.waitUntil(lambda: not tab._soon.isActive())
    assert tab.view.numbers.text().startswith(f"iteration {len(events)} ")


def test_a_folder_that_is_no_run_is_refused_in_one_sentence(
    tab: TrainingTab, training_window: MainWindow, tmp_path: Path
) -> None:
    tab.open_folder(tmp_path)
    assert "is not the folder of a training run" in training_window.banner.text
    assert tab.list.rows() == []


@pytest.mark.slow
def test_runs_elsewhere_are_remembered(tab: TrainingTab, home: Path, tmp_path: Path) -> None:
    write_run(home / "a", iterations=1, kept=0)
    other = write_run(tmp_path / "elsewhere" / "z", iterations=1, kept=0)
    tab.open_folder(other)
    kept = QSettings(str(tmp_path / "kept.ini"), QSettings.Format.IniFormat)
    assert tab.comparison.toggle(home / "a", other)
    tab.known_runs.remember(kept)
    tab.comparison.remember(kept)
    again = TrainingTab(tab._state, home)
    again.known_runs.recall(kept)
    again.comparison.recall(kept)
    again._list_runs()
    assert [row.name for row in again.list.rows()] == ["a", "z"]
    assert [one.run.path for one in again.shown] == [other, home / "a"]
    assert again.known_runs.chosen == other
    again.deleteLater()


def test_analysis_keys_are_disabled_in_training(tab: TrainingTab, training_window: MainWindow, qtbot: QtBot) -> None:
    window = training_window
    cursor = window.state.cursor
    qtbot.keyClick(window, Qt.Key.Key_Home)
    assert window.state.cursor == cursor
    assert not window.docks.has_board
    window.context.actions["workspace_search"].trigger()
    assert window.docks.has_board
    qtbot.keyClick(window, Qt.Key.Key_Home)
    assert window.state.cursor == 0


def test_escape_leaves_the_form_and_nothing_is_lost(tab: TrainingTab, qtbot: QtBot) -> None:
    tab.show_new()
    tab.form.form.inputs["self_play.games"].setText("33")
    qtbot.keyClick(tab.form.form.inputs["self_play.games"], Qt.Key.Key_Escape)
    assert tab.welcome.isVisible()
    tab.show_new()
    assert tab.form.form.inputs["self_play.games"].text() == "33"


def test_the_settings_of_a_run_are_read_and_copied(
    tab: TrainingTab, home: Path, qtbot: QtBot, show_run: ShowRun
) -> None:
    show_run("settings", games=99)
    page = tab.view.settings
    assert page.form.inputs["self_play.games"].text() == "99"
    assert page.form.inputs["self_play.games"].isReadOnly()
    page.copied.emit()
    assert tab.form.isVisible()
    assert tab.form.form.values()["self_play.games"] == 99
    assert tab.form.folder() == home / "tictactoe-1"


@pytest.mark.slow
def test_settings_that_are_not_known_are_not_made_up(tab: TrainingTab, home: Path) -> None:
    (home / "old").mkdir(parents=True)
    write_reports(home / "old", [iteration(1)])
    tab._list_runs()
    tab.view.show_page("settings")
    assert tab.view.settings.empty.isVisible()
    assert not tab.view.settings.form.isVisible()


def test_boot_in_training_stays_there_until_a_game_is_opened(home: Path, qtbot: QtBot) -> None:
    """The initial position does not turn the page; a game that the user chooses does."""
    fresh = MainWindow(theme="dark", training=lambda state: TrainingTab(state, home))
    fresh.workspaces.turn_to("nets")
    fresh.session.attach(FakeAnalysis())
    fresh.state.open_position(load_game("connect4").initial(), None)
    assert not fresh.docks.has_board
    fresh.context.opener.new_game()
    assert fresh.docks.has_board
    fresh.close()
    delete_now(fresh)


# the self-play page


def test_running_games_are_watched_and_opened(
    tab: TrainingTab, training_window: MainWindow, home: Path, qtbot: QtBot
) -> None:
    folder = write_run(home / "a", iterations=1, kept=0)
    write_running(folder)
    games = [
        {"id": 1, "start": [4], "moves": [0, 8], "ply": 3, "full": True, "temperature": 1.0, "value": -0.5},
        {
            "id": 2,
            "start": [],
            "moves": [4, 4],
            "ply": 2,
            "full": False,
            "temperature": 1.0,
            "value": None,
        },  # invalid: the same cell twice
    ]
    figures = [[2, 30, 0.5, 0.6], [6, 10, 0.1, 0.2]]
    write_live(folder, [{**game, "moves_figures": figures, "resign": "X is near resigning"} for game in games])
    tab._list_runs()
    tab.view.show_page("games")
    self_play = tab.view.self_play
    visible = [card for card in self_play.cards if card.isVisible()]
    assert len(visible) == 1
    assert visible[0].value.text() == "−0.50 for O"
    assert visible[0].phase.text().startswith("ply 3 · τ ")
    assert visible[0].resign.text() == "X is near resigning"
    assert self_play.table.figures.rows[0][1:] == ("30", "75.0\u202f%", "60.0\u202f%", "+0.50")
    qtbot.mouseClick(visible[0].board, Qt.MouseButton.LeftButton)
    assert training_window.docks.has_board
    assert training_window.state.moves == (4, 0, 8)


@pytest.mark.slow
def test_an_empty_games_page_gives_the_reason(tab: TrainingTab, home: Path, show_run: ShowRun) -> None:
    show_run("games")
    assert tab.view.self_play.empty.text() == f"No games are being played: {tab.view.state.words}."
    assert tab.view.go.text() == "Resume"
    write_running(home / "a", "measuring")
    tab.tick()
    assert tab.view.self_play.empty.text() == "No games are being played: measuring."


# with a process


@pytest.mark.slow
def test_a_run_from_start_to_stop_and_on(
    scripted_tab: TrainingTab, training_window: MainWindow, home: Path, scripted: Launcher, qtbot: QtBot
) -> None:
    """Start a run from the form, pause, resume, find it in another window, stop, resume; it dies with a reason."""
    tab = scripted_tab
    tab.show_new()
    tab.form.name.setText("first")
    tab.form.name.textEdited.emit("first")
    qtbot.mouseClick(tab.form.start, Qt.MouseButton.LeftButton)
    assert tab.view.isVisible()
    assert tab.view.title.text() == "first"
    state = lambda: tab.view.state.kind  # noqa: E731
    qtbot.waitUntil(lambda: state() == WORKING and "iteration 3" in tab.view.numbers.text())

    qtbot.mouseClick(tab.view.pause, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: state() == PAUSED)
    assert tab.view.go.isVisible()
    qtbot.mouseClick(tab.view.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: state() == WORKING)

    training_window.close()  # the run goes on
    process = running(home / "first")
    assert process is not None
    again = TrainingTab(training_window.state, home)
    qtbot.addWidget(again)
    again.show()
    assert again.view.title.text() == "first"
    assert again.view.state.kind == WORKING
    qtbot.mouseClick(again.view.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: again.view.state.kind == STOPPED)
    qtbot.waitUntil(lambda: not is_alive(process.pid))  # it ends shortly after it has left the folder

    again.known_runs.launcher = scripted
    qtbot.mouseClick(again.view.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: again.view.state.kind == WORKING and "iteration 6" in again.view.numbers.text())
    (home / "first" / "die").touch()
    qtbot.waitUntil(lambda: again.view.state.kind == DIED)
    assert again.view.words.text() == "died: the scripted run was told to die"
    again.close_threads()


@pytest.mark.slow
def test_one_click_starts_a_run_of_the_game_shown(scripted_tab: TrainingTab, qtbot: QtBot) -> None:
    tab = scripted_tab
    assert tab.welcome.start.text() == "Train Tic-tac-toe now"
    qtbot.mouseClick(tab.welcome.start, Qt.MouseButton.LeftButton)
    assert shown(tab)[0] == "tictactoe-1"
    qtbot.waitUntil(lambda: tab.view.state.kind == WORKING)


@pytest.mark.slow
def test_a_moved_run_stays_chosen_with_its_old_place(home: Path, tab: TrainingTab) -> None:
    for name in ("a", "b"):
        write_run(home / name, iterations=2, kept=0)
    tab._list_runs()
    tab.choose(home / "a")
    (home / "a").rename(home / "c")
    tab._list_runs()
    tab.tick()
    assert tab.known_runs.chosen == home / "a"
    assert tab.view.problem.text() == f"The folder {str(home / 'a')!r} is not there any more."
    assert "not there" in tab.view.words.text()
    tab.choose(home / "c")
    tab._list_runs()
    assert [row.name for row in tab.list.rows()] == ["b", "c"]


def test_a_failed_start_is_reported(tab: TrainingTab, training_window: MainWindow, home: Path) -> None:
    home.write_text("a file where the folder of runs should be")
    tab._start(home / "r", "tictactoe", CONFIG.to_dict())
    assert training_window.banner.text.startswith("The run cannot be started: ")


@pytest.mark.slow
def test_a_finished_run_resumes_to_a_later_end(scripted_tab: TrainingTab, home: Path, qtbot: QtBot) -> None:
    folder = write_run(home / "a", iterations=4, kept=0)
    write_reports(folder, [{"event": "stopped", "elapsed_s": 120.0, "reason": "iterations done"}], "a")
    tab = scripted_tab
    tab._list_runs()
    tab.choose(folder)
    assert tab.view.words.text() == "ended: iterations done"
    assert tab.view.go.text() == "Resume…"
    qtbot.mouseClick(tab.view.go, Qt.MouseButton.LeftButton)
    dialog = tab.findChild(Dialog)
    assert "ended after 4 iterations" in dialog.findChild(QSpinBox).accessibleName()
    dialog.findChild(QSpinBox).setValue(40)
    dialog.accept()
    qtbot.waitUntil(lambda: tab.view.state.kind == WORKING)
    assert "--resume --set run.iterations=40" in (folder / LOG).read_text()


# checkpoints


@pytest.mark.slow
def test_the_position_is_evaluated_by_all_nets(
    tab: TrainingTab, training_window: MainWindow, qtbot: QtBot, show_run: ShowRun
) -> None:
    show_run("checkpoints", iterations=6, kept=3)
    page = tab.view.checkpoints
    assert page.net.step == 600  # the newest
    qtbot.waitUntil(lambda: len(page.value_chart.drawing.lines[0].y) == 3)
    assert "after 2 moves" in page.note.text()
    rows = page.table.figures.rows
    assert len(rows) == 7  # of the nine cells two are taken
    assert "for X" in page.first.value.text()
    assert sum(page.first.board.shares.values()) == pytest.approx(1.0)

    page.slider.setValue(0)
    assert page.net.step == 200
    assert page.elo.looked_at == 200.0
    page.elo.plot.pressed.emit(400.0)
    assert page.net.step == 400
    assert page.best.isEnabled()
    page.best.click()
    assert page.net.step == 600
    assert page.first.title.text().endswith("best on the ladder")
    page.slider.setValue(1)
    assert "ladder" not in page.first.title.text()

    page.compare.setCurrentIndex(page.compare.findText("step 600", Qt.MatchFlag.MatchStartsWith))
    page.compare.activated.emit(page.compare.currentIndex())
    assert page.second.isVisible()
    assert page.table.figures.rows[0][3] == "0.0"  # the same net twice
    page._nets = page._nets[:1]  # another net was kept since
    page.show_run(tab.model, "step")
    assert page.compare.currentText().startswith("step 600")

    training_window.state.open_position(load_game("connect4").initial())
    training_window.workspaces.turn_to("nets")
    assert "a game other than" in page.note.text()
    qtbot.waitUntil(lambda: len(page.value_chart.drawing.lines[0].y) == 3)


@pytest.mark.slow
def test_a_net_is_used_in_analysis(
    tab: TrainingTab, training_window: MainWindow, qtbot: QtBot, show_run: ShowRun
) -> None:
    show_run("checkpoints", iterations=2, kept=1)
    page = tab.view.checkpoints
    assert page.net is not None
    with qtbot.waitSignal(training_window.state.search_changed):
        qtbot.mouseClick(page.use, Qt.MouseButton.LeftButton)
    assert training_window.docks.has_board
    source = training_window.state.source
    assert isinstance(source, NetSource)
    assert source.path == page.net.path


@pytest.mark.slow
def test_an_invalid_net_is_reported_once(
    tab: TrainingTab, training_window: MainWindow, home: Path, qtbot: QtBot
) -> None:
    folder = write_run(home / "a", iterations=4, kept=2)
    (folder / "nets" / "step-00000400.onnx").write_bytes(b"no net")
    tab._list_runs()
    with qtbot.waitSignal(tab.failed):
        tab.view.show_page("checkpoints")
    page = tab.view.checkpoints
    qtbot.waitUntil(lambda: len(page.value_chart.drawing.lines[0].y) == 1)
    assert "step-00000400.onnx" in training_window.banner.text


@pytest.mark.parametrize("precision", ["fp32", pytest.param("int8", marks=pytest.mark.slow)])
def test_a_net_is_exported_by_a_process_and_its_report_shown(
    tab: TrainingTab, home: Path, qtbot: QtBot, precision: str
) -> None:
    run = write_run(home / "a", iterations=2, kept=1)
    net = run / "nets" / "step-00000200.onnx"
    script = "import sys, pathlib; pathlib.Path(sys.argv[4]).write_text(sys.argv[6]); print('smaller'); print('faster')"
    tab.known_runs.launcher.program = (sys.executable, "-c", script)
    target = home / "net.onnx"
    tab.run_commands.export_to(net, target, precision)
    qtbot.waitUntil(lambda: tab.findChild(ExportReport) is not None)
    report = tab.findChild(ExportReport)
    assert report.text.text() == "smaller\nfaster"
    assert target.read_text() == precision
    report.close()
    tab.known_runs.launcher.program = (
        sys.executable,
        "-c",
        "import sys; sys.exit('plyscope: it answers too differently')",
    )
    with qtbot.waitSignal(tab.failed) as received:
        tab.run_commands.export_to(net, target, "fp16")
    assert received.args == ["it answers too differently"]
