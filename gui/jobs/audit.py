"""An audit of nets in a thread beside the window: begun, stopped, resumed, opened."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject

from gui.jobs.job import Job
from gui.jobs.newest import Question, Report, Stale

if TYPE_CHECKING:
    from core.games import GameSpec
    from models.audit.answers import Audited
    from models.audit.results import Audit
    from models.audit.work import Source

REPORT_S: Final = 0.4  # between reports of new positions


class AuditJob(Job):
    """One audit at a time; ``audit`` is what is known of it, and ``path`` the file that keeps it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.audit: Audit | None = None
        self.path: Path | None = None
        self._before: Path | None = None  # the path before the last command

    def begin(
        self, path: Path, game: GameSpec, nets: tuple[Path, ...], source: Source, simulations: int, solve_s: float
    ) -> None:
        """Begin a new audit, kept in ``path``."""
        self.audit = None
        self._start(partial(_begin, path, game, nets, source, simulations, solve_s), path)

    def resume(self) -> None:
        """Continue the audit that was stopped."""
        if self.path is not None and not self.running:
            self._start(partial(_resume, self.path), self.path)

    def examine(self) -> None:
        """Find out what is to blame for the mistakes of the searches, of some if there are many."""
        if self.path is not None and not self.running:
            self._start(partial(_examine, self.path), self.path)

    def open(self, path: Path) -> None:
        """Show the audit that a file keeps."""
        self._start(partial(_open, path), path)

    def _start(self, work: Question, path: Path) -> None:
        self._before, self.path = self.path, path
        self.run(work)

    def take(self, value: Any) -> None:
        """Take an audit, further positions of it, or what is to blame for a mistake."""
        from models.audit.answers import Blame

        if isinstance(value, Blame):
            assert self.audit is not None
            self.audit = replace(self.audit, blames=(*self.audit.blames, value))
        elif isinstance(value, list):
            assert self.audit is not None
            self.audit = replace(self.audit, done=(*self.audit.done, *value))
        else:
            self.audit = value
        self.changed.emit()

    def give_up(self, sentence: str) -> None:
        self.path = None if self.audit is None else self._before


# In the thread.


def _begin(
    path: Path,
    game: GameSpec,
    nets: tuple[Path, ...],
    source: Source,
    simulations: int,
    solve_s: float,
    stale: Stale,
    report: Report,
) -> None:
    from models.audit.results import net_file
    from models.audit.work import begin_audit, gather

    evaluators = _load(nets, game)
    gathered = gather(game, source, evaluators, stale)
    if stale():
        return
    audit = begin_audit(path, game, [net_file(net) for net in nets], gathered, simulations, solve_s)
    _search(path, audit, evaluators, stale, report)


def _resume(path: Path, stale: Stale, report: Report) -> None:
    _search(path, *_kept(path), stale, report)


def _examine(path: Path, stale: Stale, report: Report) -> None:
    from models.audit.blame import MOST, examine

    audit, evaluators = _kept(path)
    report(audit)
    for blame in examine(path, audit, evaluators, MOST, stale):
        report(blame)


def _kept(path: Path) -> tuple[Audit, list[Any]]:
    """The audit that a file keeps, and its nets; ValueError where these have changed."""
    from models.audit.results import net_file, read_audit
    from models.audit.work import check_nets

    audit = read_audit(path)
    nets = tuple(Path(net.path) for net in audit.plan.nets)
    check_nets(path, audit, [net_file(net) for net in nets])
    return audit, _load(nets, audit.game)


def _open(path: Path, stale: Stale, report: Report) -> None:
    from models.audit.results import read_audit

    report(read_audit(path))


def _load(nets: tuple[Path, ...], game: GameSpec) -> list[Any]:
    from models.netfiles.evaluator import OnnxEvaluator

    return [OnnxEvaluator(net, game, threads=1) for net in nets]


def _search(path: Path, audit: Audit, evaluators: list[Any], stale: Stale, report: Report) -> None:
    """Search what is missing, and report what is new every now and then."""
    from models.audit.work import carry_on

    report(audit)
    new: list[Audited] = []
    reported = time.monotonic()
    for result in carry_on(path, audit, evaluators, stale):
        new.append(result)
        if (now := time.monotonic()) - reported > REPORT_S:
            report(new)
            new, reported = [], now
    if new:
        report(new)
