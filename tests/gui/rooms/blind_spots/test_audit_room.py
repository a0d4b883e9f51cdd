"""The room of audits in a window: found, filtered, opened, stopped and resumed, exported, kept in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from core.games import load_game
from gui.jobs.audit import AuditJob
from gui.model.sources import NetSource, UniformSource, default_source, net_source
from gui.rooms.blind_spots import audit_view
from gui.rooms.blind_spots.audit_export import BY_BLOCK
from gui.rooms.blind_spots.audit_table import COLUMNS, PositionsTable
from gui.rooms.blind_spots.audit_view import (
    ALL,
    CHANGED,
    FILTERS,
    GAMES,
    MISTAKES,
    NEIGHBOURS,
    NET_WRONG,
    RANDOM,
    AuditView,
)
from gui.widgets.tables.board_table import NET, SEARCH, board_picture
from gui.window import MainWindow
from models.audit.blame import WORDS, shares
from models.audit.neighbours import neighbour_score, wrong_neighbours
from models.audit.positions import random_items
from models.audit.results import Audit, AuditWriter, Plan, begin, net_file, read_audit
from models.audit.searching import audit_positions
from models.audit.shapes import groups_of, is_mistake
from models.audit.summary import calibrate
from models.audit.work import Source
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.shipped import default_net
from models.play.openings import read_openings
from tests.core.search.fakes import HashEvaluator

TTT = load_game("tictactoe")
HEADS = [column.id for column in COLUMNS]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an audit of tic-tac-toe whose net makes many mistakes."""
    path = tmp_path_factory.mktemp("audits") / "kept.audit"
    items = random_items(TTT, 40, (1, 6), 4).items
    net = default_net(TTT)
    plan = Plan("tictactoe", (net_file(net), net_file(net)), 20, 1.0, "random")
    begin(path, plan, items)
    evaluators: list[Any] = [HashEvaluator(9, 2.0), OnnxEvaluator(net, TTT)]
    with AuditWriter(path) as writer:
        for one in audit_positions(TTT, evaluators, list(enumerate(items)), 20, 1.0):
            writer.add(one)
    return path


@pytest.fixture
def room(window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AuditView:
    """The room in a window with tic-tac-toe and its net; new audits go to a temporary folder."""
    monkeypatch.setattr(audit_view, "audits_home", lambda: tmp_path)
    window.state.open_position(TTT.position("b2 a1"), default_source(TTT))
    window.docks.show_dock("blind_spots")
    view: Any = window.docks["blind_spots"].widget_made
    qtbot.waitUntil(lambda: view.chart is not None)
    return view


def cell(table: PositionsTable, row: int, column: str) -> str:
    return table.model().index(row, HEADS.index(column)).data()


def open_kept(qtbot: QtBot, room: AuditView, kept: Path) -> list:
    room.opened.emit(kept)
    qtbot.waitUntil(lambda: len(room.table.shown.rows) == 40)
    return room.table.shown.rows


def test_an_empty_room_explains_itself_and_says_what_is_wrong(
    room: AuditView, window: MainWindow, tmp_path: Path
) -> None:
    assert room.pages.currentIndex() == 0
    assert room.words.isVisible()
    assert not room.filter.isVisible()
    assert room.form.run.isEnabled()
    window.state.set_source(UniformSource())
    assert not room.form.run.isEnabled()
    assert "Choose a net first" in room.progress.text()
    window.state.set_source(default_source(TTT))
    for field, text, good, why in (
        (room.form.number, "0", "5", "Number of positions"),
        (room.form.plies, "5-2", "", "plies"),
        (room.form.simulations, "x", "20", "'x'"),
    ):
        field.setText(text)
        room.form.run.click()
        assert why in room.error.text()
        assert field.property("bad")
        field.setText(good)
    room.form.kind.setCurrentIndex(room.form.kind.findData(GAMES))
    room.form.run.click()
    assert "Choose where the games are" in room.error.text()
    assert list(tmp_path.iterdir()) == []


def test_the_room_fits_640_px(qtbot: QtBot) -> None:
    view = AuditView()
    qtbot.addWidget(view)
    view.pages.setCurrentIndex(1)  # the list of an audit
    view.show()
    qtbot.waitUntil(lambda: view.chart is not None)
    view.resize(640, 500)
    assert view.width() == 640, view.minimumSizeHint()
    for control in (view.filter, view.shape, view.examine, view.open, view.export, view.form.run):
        qtbot.waitUntil(lambda shown=control: view.rect().contains(shown.mapTo(view, shown.rect().bottomRight())))
        assert control.width() >= control.minimumSizeHint().width()


@pytest.mark.slow
def test_an_audit_is_found_and_kept(room: AuditView, qtbot: QtBot, tmp_path: Path) -> None:
    room.form.number.setText("12")
    room.form.plies.setText("2-5")
    room.form.simulations.setText("20")
    room.form.run.click()
    assert room.form.run.text() == "Stop"
    qtbot.waitUntil(lambda: room.form.run.text() == "Find blind spots")
    qtbot.waitUntil(lambda: len(room.table.shown.rows) == 12)
    (path,) = tmp_path.glob("*.audit")
    audit = read_audit(path)
    assert (len(audit.done), audit.plan.simulations, audit.plan.nets[0].name) == (12, 20, "nets/tictactoe-2x32.onnx")
    losses = [row.loss for row in room.table.shown.rows]
    assert losses == sorted(losses, reverse=True)
    assert "12 of 12 positions" in room.progress.text()


@pytest.mark.slow
def test_neighbours_are_hunted_afresh_and_scored(room: AuditView, qtbot: QtBot, tmp_path: Path) -> None:
    room.form.number.setText("12")
    room.form.neighbours.setChecked(True)
    sources = [room.form.source()[0] for _ in range(3)]
    assert len({source.seed for source in sources}) > 1
    assert all(source.neighbours for source in sources)
    room.form.simulations.setText("8")
    room.form.run.click()
    assert not room.form.neighbours.isEnabled()
    qtbot.waitUntil(lambda: room.form.run.text() == "Find blind spots", timeout=60_000)
    (path,) = tmp_path.glob("*.audit")
    audit = read_audit(path)
    assert sum(item.base is None for item in audit.items) == 12
    room._renew()
    for searched, words in ((False, "net"), (True, "search")):
        score = neighbour_score(audit, 0, searched)
        line = f"{words} wrong at a neighbour: {score.share:.1%}"
        assert line.replace("%", "") in room.figures.text().replace("%", "").replace("\u2009", "")
    room.filter.setCurrentIndex(room.filter.findData(NEIGHBOURS))
    room.filter.activated.emit(room.filter.currentIndex())
    wrong = wrong_neighbours(audit, 0, False) | wrong_neighbours(audit, 0, True)
    assert {row.audited.number for row in room.table.shown.rows} == wrong


@pytest.mark.slow
def test_an_audit_of_two_nets_is_shown(
    room: AuditView, qtbot: QtBot, kept: Path, window: MainWindow, tmp_path: Path
) -> None:
    open_kept(qtbot, room, kept)
    audit = read_audit(kept)
    check_filters(room, audit)
    room.net.setCurrentIndex(0)
    room.net.activated.emit(0)
    check_cells(room)
    check_click(room, qtbot, window)
    check_exports(room, qtbot, audit, tmp_path)
    (tmp_path / "bad.audit").write_text("nothing")
    room.opened.emit(tmp_path / "bad.audit")
    qtbot.waitUntil(lambda: "bad.audit" in room.error.text())
    assert len(room.table.shown.rows) == 40


def check_filters(room: AuditView, audit: Audit) -> None:
    wanted = {
        ALL: audit.done,
        MISTAKES: [one for one in audit.done if is_mistake(one)],
        NET_WRONG: [one for one in audit.done if one.net_wrong()],
        CHANGED: [one for one in audit.done if not one.nets[0].agrees],
    }
    for place, (kind, _) in enumerate(FILTERS):
        room.filter.setCurrentIndex(place)
        room.filter.activated.emit(place)
        if kind in wanted:
            assert {row.audited.number for row in room.table.shown.rows} == {one.number for one in wanted[kind]}
    room.filter.setCurrentIndex(0)
    group = groups_of(TTT, audit.done)[0]
    assert group.shape.words in room.shape.itemText(1)
    assert f"{len(group.members)} ×" in room.shape.itemText(1)
    room.shape.setCurrentIndex(1)
    room.shape.activated.emit(1)
    assert {row.audited.number for row in room.table.shown.rows} == {one.number for one in group.members}
    room.shape.setCurrentIndex(0)
    room.net.setCurrentIndex(1)
    room.net.activated.emit(1)
    assert {row.net for row in room.table.shown.rows} == {1}
    assert len(room.table.shown.rows) == 40
    assert room.chart.legend.rows[0][3] == f"{calibrate(audit.done, 1).error:.3f}"


def check_cells(room: AuditView) -> None:
    first = room.table.shown.rows[0]
    assert cell(room.table, 0, "ply") == str(first.audited.ply)
    assert cell(room.table, 0, "loss") == f"{first.loss:.2f}"
    assert cell(room.table, 0, "net").startswith(TTT.action_name(first.answer.first))
    assert cell(room.table, 0, "exact") in ("won", "drawn", "lost")
    assert cell(room.table, 0, "verdict") in ("net wrong", "both wrong")
    header = room.table.horizontalHeader()
    header.sectionClicked.emit(HEADS.index("kl"))
    figures = [row.kl for row in room.table.shown.rows]
    assert figures == sorted(figures, reverse=True)
    header.sectionClicked.emit(HEADS.index("kl"))
    assert [row.kl for row in room.table.shown.rows] == sorted(figures)


def check_click(room: AuditView, qtbot: QtBot, window: MainWindow) -> None:
    rows = room.table.shown.rows
    window.state.set_source(UniformSource())
    index = room.table.model().index(1, HEADS.index("ply"))
    qtbot.mouseClick(
        room.table.viewport(), Qt.MouseButton.LeftButton, pos=room.table.visualRect(index).center() + QPoint(0, 0)
    )
    assert window.state.position == rows[1].position
    assert isinstance(window.state.source, NetSource)
    assert window.state.source.path == net_source(default_net(TTT)).path


def check_exports(room: AuditView, qtbot: QtBot, audit: Audit, tmp_path: Path) -> None:
    for name, title in (
        ("a.html", "audit.html"),
        ("b.html", BY_BLOCK),
        ("a.csv", "audit.csv"),
        ("a.txt", "openings.txt"),
    ):
        room.exported.emit(tmp_path / name, title)
        qtbot.waitUntil((tmp_path / name).exists, timeout=60_000)
    assert (tmp_path / "a.html").read_text().startswith("<!DOCTYPE html>")
    page = (tmp_path / "b.html").read_text()
    assert "block by block</h1>" in page
    assert "Right for the right reason" in page
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 41
    mistakes = [one for one in audit.done if is_mistake(one) or is_mistake(one, 1)]
    assert len(read_openings(tmp_path / "a.txt", TTT)) == len(mistakes)


def test_a_job_is_stopped_and_resumed(qtbot: QtBot, tmp_path: Path) -> None:
    job, path = AuditJob(), tmp_path / "a.audit"
    sentences: list[str] = []
    job.failed.connect(sentences.append)
    job.begin(path, TTT, (default_net(TTT),), Source(RANDOM, 200, None, (1, 7)), 60, 1.0)
    qtbot.waitUntil(lambda: job.audit is not None)
    job.stop()
    assert not job.running
    qtbot.waitUntil(lambda: not job._newest.working)
    left = len(read_audit(path).missing)
    assert left > 0
    job.resume()
    assert job.running
    qtbot.waitUntil(lambda: not job.running)
    assert job.audit.missing == read_audit(path).missing == []
    assert sentences == []
    job.open(tmp_path / "none.audit")
    qtbot.waitUntil(lambda: not job.running)
    assert "none.audit" in sentences[0]
    assert job.path == path


@pytest.mark.slow
def test_closing_ends_a_running_audit(room: AuditView, qtbot: QtBot, window: MainWindow) -> None:
    room.form.number.setText("5000")
    room.form.simulations.setText("5000")
    room.form.run.click()
    qtbot.waitUntil(lambda: room.pages.currentIndex() == 1)
    window.close()  # ``nothing_left`` waits for the thread


def test_both_rings_are_on_the_picture() -> None:
    position = TTT.position("b2")
    image = board_picture(position, 0, 8, (), 96, 1.0).toImage()
    colours = {image.pixelColor(x, y).name() for x in range(96) for y in range(96)}
    assert {NET.name(), SEARCH.name()} <= colours


def test_what_is_to_blame_is_found_listed_and_drawn(room: AuditView, qtbot: QtBot, kept: Path, tmp_path: Path) -> None:
    path = tmp_path / "blamed.audit"
    path.write_bytes(kept.read_bytes())
    open_kept(qtbot, room, path)
    room.net.setCurrentIndex(0)
    room.net.activated.emit(0)
    assert room.blame.isHidden()
    assert room.table.isColumnHidden(HEADS.index("blame"))
    wrong = {row.audited.number for row in room.table.shown.rows if row.audited.search_wrong(0)}
    assert wrong
    qtbot.waitUntil(room.examine.isEnabled)  # the file is read
    room.examine.click()
    assert not room.examine.isEnabled()
    qtbot.waitUntil(lambda: room.form.run.text() != "Stop")
    qtbot.waitUntil(lambda: {row.audited.number for row in room.table.shown.rows if row.blame} == wrong)
    assert not room.examine.isEnabled()  # all are examined
    audit = read_audit(path)
    assert not room.table.isColumnHidden(HEADS.index("blame"))
    parts = shares(audit.blames, 0)
    assert [row.name for row in room.blame.bars.chart.rows] == [WORDS[part.kind] for part in parts]
    assert f"{len(wrong)} of {len(wrong)} examined" in room.blame.words.text()
    for place, row in enumerate(room.table.shown.rows):
        assert cell(room.table, place, "blame") == ("" if row.blame is None else WORDS[row.blame.kind])
        if row.blame is not None:
            assert row.blame.sentence in (room.table.shown.tip(row) or "")
    room.net.setCurrentIndex(1)
    room.net.activated.emit(1)
    assert {row.blame.net for row in room.table.shown.rows if row.blame} <= {1}
