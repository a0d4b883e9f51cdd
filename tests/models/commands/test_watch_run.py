"""The page of a training run: what it is fed of the run's folder, and in a real browser what it shows."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.files.reading import BadFile
from core.games import load_game
from models.commands import run_feed
from models.commands.page_server import serving
from models.commands.program import main
from models.commands.run_feed import RunFeed
from models.runs.folder import LIVE, REPORTS
from models.runs.reports import read_reports
from tests.core.files.browser import open_browser
from tests.core.files.test_page import rows
from tests.gui.rooms.training.runs import iteration, live_game, write_reports, write_run, write_running

MOVES = [0, 4, 2]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of tic-tac-toe with two running games, the second of which is damaged."""
    monkeypatch.setattr(run_feed, "LOOK_S", 0.0)
    folder = write_run(tmp_path / "a <b>run", iterations=6)
    write_running(folder)
    figures = [[1, 60, -0.3, 0.4], [4, 9, 0.5, 0.9], [3, 20, -0.1, 0.3]]
    write_games(folder, [live_game(7, MOVES, moves_figures=figures), live_game(8, [0, 0])])
    return folder


def write_games(folder: Path, games: list[dict[str, Any]]) -> None:
    (folder / LIVE).write_text(json.dumps({"games": games}))


def state(feed: RunFeed, version: int = 0) -> dict[str, Any]:
    told = feed.newer(version, 0.0)
    assert told is not None
    return dict(json.loads(told))


def test_games_are_those_of_the_run_and_others_are_left_out(run: Path) -> None:
    (game,) = state(RunFeed(run))["games"]
    position = load_game("tictactoe").initial()
    for move in MOVES:
        position = position.play(move)
    assert game["cells"] == position.cells().ravel().tolist()
    assert (game["id"], game["toMove"], game["last"], game["ply"], game["value"]) == (7, 1, 2, 3, 0.25)
    names = position.game.action_names
    assert game["moves"] == [[names[1], 1, 60, -0.3, 0.4], [names[3], 3, 20, -0.1, 0.3]]  # 4 is taken


def test_curves_are_those_of_the_reports(run: Path) -> None:
    shown = state(RunFeed(run))
    reports = read_reports(run / REPORTS)
    iterations = [report for report in reports if report["event"] == "iteration"]
    charts = shown["charts"]
    for chart, name in (
        ("chart_policy", "policy_loss"),
        ("chart_policy", "target_entropy"),
        ("chart_value", "value_loss"),
    ):
        assert charts[chart][name] == [[report["iteration"], report[name]] for report in iterations]
    assert list(charts) == ["chart_policy", "chart_value", "chart_elo", "chart_exams"]
    ladder = [report["ratings"] for report in reports if report["event"] == "ladder"][-1]
    assert charts["chart_elo"]["elo"] == [
        [int(name.removeprefix("step-")), elo] for name, (elo, _, _) in sorted(ladder.items()) if "step-" in name
    ]
    exam = next(report for report in reports if report["event"] == "exam")
    result = exam["results"]["late policy"]
    assert charts["chart_exams"]["late policy"][0] == [exam["step"], 100 * result["right"] / result["of"]]
    assert shown["progress"] == {"iteration": 6, "step": 600, "games_total": 1800}


def test_only_what_changed_makes_a_version_and_new_lines_are_added(run: Path) -> None:
    feed = RunFeed(run)
    assert state(feed)["version"] == 1
    assert feed.newer(1, 0.0) is None
    line = json.dumps(iteration(7))
    with (run / REPORTS).open("a") as file:
        file.write(line[:50])
    assert feed.newer(1, 0.0) is None
    with (run / REPORTS).open("a") as file:
        file.write(f"{line[50:]}\nno report\n")
    later = state(feed, 1)
    assert (later["version"], later["progress"]["iteration"]) == (2, 7)
    assert [place for place, _ in later["charts"]["chart_value"]["value_loss"]] == [1, 2, 3, 4, 5, 6, 7]
    write_reports(run, [iteration(1)])
    assert [place for place, _ in state(feed, 2)["charts"]["chart_value"]["value_loss"]] == [1]


def test_a_run_that_rests_has_no_games(run: Path) -> None:
    write_running(run, pid=(1 << 22) + 1)
    shown = state(RunFeed(run))
    assert (shown["phase"], shown["games"]) == (None, [])


def test_long_curves_have_fewer_points_and_their_last(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_feed, "MOST_POINTS", 4)
    places = [place for place, _ in state(RunFeed(run))["charts"]["chart_value"]["value_loss"]]
    assert places == [2, 4, 6]


def test_a_folder_without_a_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadFile, match=r" is no folder of a training run: it has no run\.toml$"):
        RunFeed(tmp_path)
    (tmp_path / "run.toml").write_text("game = 7\n")
    with pytest.raises(BadFile, match=r"run\.toml does not say the game$"):
        RunFeed(tmp_path)
    for words in (["--net", "uniform"], ["--c-puct", "2"], ["d"]):
        assert main(["watch", str(tmp_path), *words]) == 2
        assert "is the folder of a run, which has its own searches" in capsys.readouterr().err


def test_in_a_browser_the_game_and_the_curves_are_shown_and_follow_the_run(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_feed, "LOOK_S", 0.05)
    with open_browser(tmp_path) as tab, serving(RunFeed(run)) as server:
        tab.open(server.address, "", "document.querySelectorAll('.chart').length === 4")
        tab.value("find('language').value = 'en'; find('language').dispatchEvent(new Event('change'))")
        assert tab.value("document.title") == "a <b>run"
        assert tab.value("document.getElementById('about').textContent") == (
            "Tic-tac-toe · iteration 6 · step 600 · 1\u2009800 games"
        )
        assert tab.value("document.getElementById('live').textContent") == "Training: self-play"
        names = load_game("tictactoe").action_names
        assert rows(tab) == [[names[1], "60", "", "−0.300", "40.0 %"], [names[3], "20", "", "−0.100", "30.0 %"]]
        assert tab.value("document.querySelectorAll('#board .x, #board .n').length") == 3
        assert tab.value("document.querySelectorAll('#board .mark').length") == 2
        assert "loss 1.27" in tab.value("document.querySelector('figure').textContent")
        write_games(run, [live_game(9, [4]), live_game(7, [*MOVES, 1])])
        tab.until("document.querySelectorAll('#board .x, #board .n').length === 4")
        assert tab.value("[...document.getElementById('game').options].map(one => one.value)") == ["9", "7"]
        write_running(run, pid=(1 << 22) + 1)
        tab.until("document.getElementById('live').textContent === 'Nobody trains here now.'")
        assert tab.value("document.getElementById('none').hidden") is False
        assert tab.problems == []
