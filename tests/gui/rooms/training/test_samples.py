"""The sample browser over a shard of scripted games, and its message for one that cannot be read."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from core.engine.evaluator import UniformEvaluator
from core.games import GameSpec, load_game
from core.games.net_inputs import encoding_for
from gui.rooms.training.samples import SamplePage, list_shards, read_shard
from gui.rooms.training.tab import TrainingTab
from gui.window import MainWindow
from models.play.replay import save_shard
from models.play.samples import PLAYED, RESIGNED, GameTrace, Samples
from models.play.selfplay import SelfPlay
from models.runs.config import TrainConfig
from tests.gui.rooms.training.conftest import ShowRun
from tests.gui.rooms.training.runs import write_run

GAME = "tictactoe"
GAMES = (((4,), (0, 8, 2, 1, 7, 6)), ((), (4, 0, 2, 6, 3)))  # opening, moves


def write_shard(folder: Path, number: int, with_traces: bool = True) -> Samples:
    """Save every searched position of ``GAMES`` as a sample, its target 2/3 on the move played and 1/3 on another."""
    game = load_game(GAME)
    parts: list[tuple[object, ...]] = []
    traces = []
    for which, (opening, moves) in enumerate(GAMES):
        position = game.initial()
        for action in opening:
            position = position.play(action)
        policies = {}
        for action in moves:
            policy = np.zeros(game.num_actions, np.float32)
            policy[action] = 2 / 3
            policy[next(a for a in position.legal_actions() if a != action)] = 1 / 3
            policies[position.ply] = policy
            parts.append(
                (position.planes().astype(np.int8), policy, which - position.to_move, 0.25, which, position.ply)
            )
            position = position.play(action)
        count = len(moves)
        traces.append(
            GameTrace(
                game=GAME,
                opening=opening,
                moves=moves,
                full=np.ones(count, np.bool_),
                values=np.zeros(count, np.float32),
                policies=policies,
                outcome=0,
                ending=PLAYED if which == 0 else RESIGNED,
                checked=False,
                net_step=300,
            )
        )
    columns = list(zip(*parts, strict=True))
    kinds = (np.int8, np.float32, np.int8, np.float32, np.int32, np.int16)
    arrays: list[Any] = [np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    samples = Samples(*arrays, traces=tuple(traces) if with_traces else ())
    (folder / "replay").mkdir(parents=True, exist_ok=True)
    save_shard(folder / "replay", number, samples)
    return samples


def spec() -> GameSpec:
    return load_game(GAME)


def test_a_sample_is_the_position_of_its_game(tmp_path: Path) -> None:
    samples = write_shard(tmp_path, 7)
    (path,) = list_shards(tmp_path)
    shard = read_shard(path, GAME)
    assert len(shard) == len(samples) == 11
    for number in range(len(shard)):
        sample = shard.sample(number)
        assert np.array_equal(sample.position.planes(), samples.planes[number].astype(np.float32))
        assert sum(sample.target.values()) == pytest.approx(1.0)
        assert sample.end().moves[: sample.position.ply] == sample.position.moves
    assert shard.sample(0).net == "of step 300"
    assert shard.sample(0).ending == "7 plies, the first 1 at random; played"
    assert shard.sample(10).ending == "5 plies; resigned"


def test_samples_without_games_are_shown_from_their_planes(tmp_path: Path) -> None:
    samples = write_shard(tmp_path, 7, with_traces=False)
    shard = read_shard(list_shards(tmp_path)[0], GAME)
    for number in range(len(shard)):
        position = shard.sample(number).position
        assert np.array_equal(position.planes()[[0, 1, 3]], samples.planes[number][[0, 1, 3]].astype(np.float32))
        assert shard.sample(number).end() is not None


def test_samples_are_browsed_and_their_game_opened(
    tab: TrainingTab, training_window: MainWindow, home: Path, qtbot: QtBot
) -> None:
    folder = write_run(home / "a", iterations=2, kept=1)
    write_shard(folder, 1)
    write_shard(folder, 2)
    tab._list_runs()
    tab.view.show_page("samples")
    page = tab.view.samples
    qtbot.waitUntil(lambda: page.sample is not None and page._answer is not None)
    assert page.shards.currentText() == "2"  # the newest
    assert page.of.text() == "of 11"
    page.number.setValue(3)
    qtbot.waitUntil(lambda: page._answer is not None)
    sample = page.sample
    assert sample is not None
    rows = page.table.figures.rows
    assert rows[0][0] == "c3" or rows[0][1].startswith("66.7")
    assert len(rows) == 6
    assert not math.isnan(float(page.facts["target"].text()))
    assert "for " in page.facts["z"].text()
    assert page.facts["game"].text() == "1: 7 plies, the first 1 at random; played"
    assert page.facts["policy"].text() == "of the kept net of step 200"
    page.shards.setCurrentIndex(1)
    page.shards.activated.emit(1)
    qtbot.waitUntil(lambda: page.sample is not None and page._reading is None)
    write_shard(folder, 3)
    tab.tick()
    page.show_run(tab.model)
    assert [page.shards.itemText(i) for i in range(3)] == ["3", "2", "1"]
    assert page.shards.currentText() == "1"  # the one that was chosen
    page.open.click()
    assert training_window.docks.has_board
    assert training_window.state.moves == (4, 0, 8, 2, 1, 7, 6)
    assert training_window.state.cursor == 3


@pytest.mark.slow
def test_an_invalid_shard_is_refused_with_a_sentence(
    tab: TrainingTab, training_window: MainWindow, home: Path, qtbot: QtBot
) -> None:
    folder = write_run(home / "a", iterations=1, kept=0)
    (folder / "replay").mkdir()
    (folder / "replay" / "000001.npz").write_bytes(b"PK\x03\x04 torn")
    tab._list_runs()
    with qtbot.waitSignal(tab.failed):
        tab.view.show_page("samples")
    assert "is not a shard of positions, or is damaged" in training_window.banner.text
    assert tab.view.samples.sample is None


def test_before_the_first_iteration_there_are_no_samples(tab: TrainingTab, show_run: ShowRun) -> None:
    show_run("samples")
    assert "There are no samples yet" in tab.view.samples.empty.text()
    assert tab.view.samples.empty.isVisible()


def test_in_a_narrow_page_the_details_are_below_the_board(qtbot: QtBot) -> None:
    page = SamplePage()
    qtbot.addWidget(page)
    for width, below in ((1200, False), (600, True), (1200, False)):
        page.resize(width, 600)
        page.show()
        page.empty.hide()
        qtbot.waitUntil(lambda b=below: (page._right.y() > page.board.parentWidget().y()) is b)


@pytest.mark.slow
def test_samples_of_points_name_their_planes_and_keep_their_komi(tmp_path: Path) -> None:
    game = load_game("go(size=3, komi=2)")
    net = UniformEvaluator(game.num_actions, encoding_for(game, "points"))
    config = TrainConfig.of(game=game.text, inputs="points", simulations=8, iterations=1, komi_spread=2.0)
    played, _ = SelfPlay(game, net, config, games=4, seed=3).play(net, 40)
    save_shard(tmp_path, 1, played)
    shard = read_shard(tmp_path / "000001.npz", game.text)
    samples = [shard.sample(number) for number in range(len(shard))]
    assert {sample.plane_names for sample in samples} == {encoding_for(game, "points").planes}
    assert len({sample.position.game.params["komi"] for sample in samples}) > 2
    for sample in samples:
        assert len(sample.planes) == len(sample.plane_names)
        assert (np.array(sample.planes[1]) == (sample.position.cells() == 1 + sample.position.to_move)).all()
        assert sample.end().is_over
