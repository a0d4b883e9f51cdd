"""The page Diagnosis: a card for each finding of a run, its experiment as bars, and the words of a healthy run."""

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.games import load_game
from gui.language.language import set_language
from gui.rooms.training.diagnosis_page import DiagnosisPage
from gui.rooms.training.run_model import RunModel
from models.play.samples import Samples
from models.runs.config import TrainConfig
from tests.models.doctor.runs import play, write_run

GAME = load_game("tictactoe")
CONFIG = TrainConfig.of(game=GAME.text, simulations=24, fast_simulations=8, full_share=0.5, iterations=2)


@pytest.fixture(scope="module")
def iterations() -> list[Samples]:
    return play(GAME, CONFIG, 2, 250)


def show(qtbot: QtBot, folder: Path) -> DiagnosisPage:
    """The page of a run, when it has looked at it."""
    page = DiagnosisPage()
    qtbot.addWidget(page)
    page.show_run(RunModel(folder))
    assert not page.again.isEnabled()
    qtbot.waitUntil(lambda: page.diagnosis is not None)
    assert page.again.isEnabled()
    return page


def test_a_card_for_each_finding_with_its_experiment(qtbot: QtBot, tmp_path: Path, iterations: list[Samples]) -> None:
    turned = [replace(samples, result=-samples.result) for samples in iterations]
    page = show(qtbot, write_run(tmp_path / "run", turned, CONFIG))
    assert [card.finding for card in page.cards] == list(page.diagnosis.findings)
    assert not page.healthy.isVisibleTo(page)
    card = page.cards[0]
    before, after = card.bars.chart.rows
    assert before.spans[0].end < 0.4
    assert (after.spans[0].end, after.whisker) == (1.0, (1.0, 1.0))
    assert card.bars.chart.low == 0.0
    assert card.bars.accessibleDescription().startswith("as it is 0.")


def test_a_healthy_run_and_another_one_after_it(qtbot: QtBot, tmp_path: Path, iterations: list[Samples]) -> None:
    page = show(qtbot, write_run(tmp_path / "sound", iterations, CONFIG))
    assert page.cards == []
    assert page.healthy.isVisibleTo(page)
    assert page.words.text().startswith("Looked at ")
    sick = write_run(tmp_path / "sick", [replace(s, root_value=-s.root_value) for s in iterations], CONFIG)
    page.show_run(RunModel(sick))
    qtbot.waitUntil(lambda: bool(page.cards))
    assert not page.healthy.isVisibleTo(page)


def test_a_look_again_finds_new_samples_and_words_follow_the_language(
    qtbot: QtBot, tmp_path: Path, iterations: list[Samples]
) -> None:
    page = show(qtbot, write_run(tmp_path / "run", [], CONFIG))
    assert "the run has no samples on disk" in page.words.text()
    assert not page.healthy.isVisibleTo(page)
    write_run(tmp_path / "other", iterations, CONFIG)
    (tmp_path / "run" / "replay").rmdir()
    (tmp_path / "other" / "replay").rename(tmp_path / "run" / "replay")
    page.diagnosis = None
    page.again.click()
    qtbot.waitUntil(lambda: page.diagnosis is not None)
    assert page.healthy.isVisibleTo(page)
    set_language("zh_CN")
    try:
        qtbot.waitUntil(lambda: page.words.text().startswith("查看了 2 次迭代的 "))
    finally:
        set_language("en")


def test_a_folder_that_is_no_run_is_said(qtbot: QtBot, tmp_path: Path) -> None:
    page = DiagnosisPage()
    qtbot.addWidget(page)
    page.show_run(RunModel(tmp_path))
    qtbot.waitUntil(page.again.isEnabled)
    assert "is not the folder of a training run" in page.words.text()
