"""Where did it learn that: the samples to blame for a mistake as boards, their games, leaving them out, bad answers."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from core.games import load_game
from gui.rooms.training.checkpoints import CheckpointPage
from gui.rooms.training.learned_where import OUTCOME, SHOWN, LearnedWhere, written
from gui.rooms.training.run_model import RunModel
from models.play.left_out import left_out_of
from models.play.openings import read_openings
from models.play.replay import load_shard
from models.runs.config import read_settings
from models.runs.folder import REPLAY, RUN_TOML
from models.training.run import train
from tests.models.commands.test_influence import TINY

GAME = load_game("tictactoe")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run") / "ttt"
    train(TINY, out)
    return out


def shown(qtbot: QtBot, run: Path, moves: str = "b2") -> LearnedWhere:
    """The part of the page Checkpoints, asked about a position."""
    page = CheckpointPage()
    qtbot.addWidget(page)
    model = RunModel(run)
    model.look()
    page.show_run(model, "step")
    page.show_position(GAME.position(moves), "")
    return page.where


def choose(part: LearnedWhere, wrong: str, right: str) -> None:
    part.wrong.setCurrentIndex(part.wrong.findData(wrong))
    part.right.setCurrentIndex(part.right.findData(right))


def test_boards_of_the_samples_open_their_games_and_are_left_out(qtbot: QtBot, run: Path) -> None:
    part = shown(qtbot, run)
    assert not part.leave.isVisibleTo(part)
    choose(part, "b1", "a1")
    part.ask.click()
    assert not part.ask.isEnabled()
    qtbot.waitUntil(lambda: part.learned is not None, timeout=60_000)
    learned = part.learned
    assert (learned.wrong, learned.right, len(part.cards)) == ("b1", "a1", SHOWN)
    assert part.words.text().startswith(f"{len(learned.blamed)} of {learned.looked_at} samples make ")

    first = learned.blamed[0]
    assert first.sample is not None
    shard = load_shard(run / REPLAY / f"{first.shard}.npz", GAME)
    assert np.array_equal(first.sample.position.planes(), shard.planes[first.left_out.row])
    assert sum(blamed.push for blamed in learned.blamed) == pytest.approx(learned.share)
    with qtbot.waitSignal(part.position_opened) as opened:
        part.cards[0].board.clicked.emit()
    end, ply = opened.args
    assert ply == first.sample.position.ply
    assert end.moves[:ply] == first.sample.position.moves

    part.leave.click()
    assert sum(map(len, left_out_of(run).values())) == len(learned.blamed)
    assert part.again.isVisibleTo(part)
    part.again.click()
    assert left_out_of(run) == {}
    assert not part.again.isVisibleTo(part)


def test_positions_are_added_to_the_run_and_taken_back(qtbot: QtBot, run: Path) -> None:
    part = shown(qtbot, run)
    choose(part, "b1", "a1")
    part.ask.click()
    qtbot.waitUntil(lambda: part.learned is not None, timeout=60_000)
    learned = part.learned
    assert learned.openings[0] == GAME.position("b2").moves
    assert part.add.text() == "Add such positions"
    with qtbot.waitSignal(part.notified):
        part.add.click()
    settings = read_settings(run / RUN_TOML)
    assert read_openings(Path(settings["self_play.openings"]), GAME) == learned.openings
    assert part.add.text() == "Add them no more"
    part.add.click()
    assert read_settings(run / RUN_TOML)["self_play.openings"] == ""
    assert part.add.text() == "Add such positions"

    (run / RUN_TOML).rename(run / "away")
    with qtbot.waitSignal(part.failed):
        part.add.click()
    (run / "away").rename(run / RUN_TOML)


def test_a_result_that_the_net_expects_is_asked_about(qtbot: QtBot, run: Path) -> None:
    part = shown(qtbot, run)
    choose(part, "", "a1")
    part.wrong.setCurrentIndex(part.wrong.findData(OUTCOME))
    assert part.right.currentText() == "the exact result"
    assert [part.right.itemText(place) for place in range(1, part.right.count())] == ["win", "draw", "loss"]
    said = "import sys; print('plyscope: ' + ' '.join(sys.argv[1:]), file=sys.stderr); raise SystemExit(2)"
    part.program = (sys.executable, "-c", said)
    part.right.setCurrentIndex(part.right.findData("draw"))
    part.ask.click()
    asked = f"influence {run} --json --position b2 --outcome --right draw"
    qtbot.waitUntil(lambda: part.words.text() == asked)


def test_a_mistake_that_is_none_is_said_and_another_position_forgets_the_answer(qtbot: QtBot, run: Path) -> None:
    part = shown(qtbot, run)
    choose(part, "a1", "a1")
    part.ask.click()
    said = "a1 is both the mistake and the better move: name two"
    qtbot.waitUntil(lambda: part.words.text() == said, timeout=60_000)
    assert part.ask.isEnabled()
    part.show_case(part._run, GAME.position("a1"))
    assert part.words.text() == ""
    assert part.wrong.findData("a1") < 0


def test_a_program_that_fails_says_so(qtbot: QtBot, run: Path) -> None:
    part = shown(qtbot, run)
    part.program = (sys.executable, "-c", "raise SystemExit(7)")
    part.ask.click()
    qtbot.waitUntil(lambda: part.words.text() == "the command ended with 7")


def test_an_answer_without_samples(qtbot: QtBot, run: Path) -> None:
    answer = {"wrong": "b1", "right": "a1", "outcome": False, "share": 0.0, "looked_at": 207, "samples": []}
    answer["openings"] = []
    part = shown(qtbot, run)
    part.program = (sys.executable, "-c", f"print({json.dumps(json.dumps(answer))})")
    part.ask.click()
    qtbot.waitUntil(lambda: part.words.text() == "None of 207 samples pushed from a1 to b1.")
    assert part.cards == []
    assert not part.leave.isVisibleTo(part)


def test_a_position_is_written_as_its_moves_or_as_a_diagram() -> None:
    assert written(GAME.position("b2 a1")) == "b2 a1"
    set_up = GAME.parse_diagram(GAME.position("b2 a1").diagram())
    assert GAME.parse_diagram(written(set_up)).planes().tolist() == set_up.planes().tolist()
