"""Connects the room of audits to the window's net and board, with an audit of its own."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDateTime, QTimer
from PySide6.QtWidgets import QWidget

from core.text import text_of
from gui.jobs.audit import AuditJob
from gui.jobs.task import run_task
from gui.model.sources import NetSource, net_source
from gui.rooms.blind_spots.audit_table import ShownPosition
from gui.rooms.blind_spots.audit_view import AuditView, audits_home
from gui.widgets.saving import write_file

if TYPE_CHECKING:
    from gui.context import Context
    from models.audit.results import Audit

HEIGHT: Final = 330  # px, initial height of its dock
SOLVE_S: Final = 1.0


def connect_audit(context: Context, widget: QWidget) -> None:
    """Connect the room to the window's net and board, with an audit of its own."""
    assert isinstance(widget, AuditView)
    view, state = widget, context.state
    job = AuditJob(view)

    def renew() -> None:
        view.show_audit(job.audit)
        unfinished = job.audit is not None and len(job.audit.done) < len(job.audit.items)
        view.show_work(job.running, unfinished and not job.running, isinstance(state.source, NetSource))
        view.example.show_position(state.position)

    def press() -> None:
        if job.running:
            job.stop()
        elif job.audit is not None and len(job.audit.done) < len(job.audit.items):
            view.error.say("")
            job.resume()
        else:
            begin()

    def begin() -> None:
        from models.audit.results import SUFFIX

        view.error.say("")

        source, game = state.source, state.game
        if not isinstance(source, NetSource) or game is None:
            return
        try:
            wished, simulations = view.form.source()
        except ValueError as error:
            view.error.say(text_of(error))
            return
        nets = (source.path, *([view.form.second] if view.form.second is not None else []))
        name = f"{source.path.stem}-{QDateTime.currentDateTime().toString('yyyyMMdd-HHmmss')}{SUFFIX}"
        job.begin(audits_home() / name, game, nets, wished, simulations, SOLVE_S)

    def show(row: ShownPosition) -> None:
        assert job.audit is not None
        path = Path(job.audit.plan.nets[row.net].path)
        try:
            state.open_position(row.position, net_source(path))
        except ValueError as error:
            state.open_position(row.position)
            context.messages.show_error(text_of(error))

    def export(path: Path) -> None:
        if job.audit is not None:
            run_task(view, partial(_write, path, job.audit), lambda _: None, context.messages.show_error, writes=True)

    job.changed.connect(renew)
    job.failed.connect(view.error.say)
    view.form.pressed.connect(press)
    view.form.begun_anew.connect(begin)
    view.chosen.connect(show)
    view.exported.connect(export)
    view.opened.connect(job.open)
    state.search_changed.connect(renew)
    state.position_changed.connect(renew)
    context.events.escaped.connect(job.stop)
    renew()
    QTimer.singleShot(0, widget, lambda: context.docks.set_height("blind_spots", HEIGHT))


def _write(path: Path, audit: Audit) -> None:
    """Write what the suffix says, in a thread."""
    from models.audit.page import report_page
    from models.audit.table import audit_csv, mistake_openings
    from models.play.openings import openings_text

    if path.suffix == ".html":
        text = report_page(audit)
    elif path.suffix == ".csv":
        text = audit_csv(audit)
    else:
        text = openings_text(audit.game, mistake_openings(audit), audit.plan.source)
    write_file(path, text.encode())
