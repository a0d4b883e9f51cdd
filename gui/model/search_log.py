"""What the log says of the searches of the window."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from gui.model.concealment import NOT_LOADING
from gui.model.garbage import freeze_loaded

if TYPE_CHECKING:
    from core.glass import Snapshot

log = logging.getLogger(__name__)


def log_end(before: Snapshot | None, snapshot: Snapshot) -> None:
    """Log that a search has ended, if the snapshot before did not say so."""
    if snapshot.reason and (before is None or not before.reason):
        counters = snapshot.counters
        log.info(
            "%s after %d simulations in %.2f s, %d nodes, by %s",
            snapshot.reason,
            counters.simulations,
            counters.elapsed_s,
            counters.nodes,
            snapshot.evaluator,
        )


def log_phase(before: str, phase: str) -> None:
    """Log a new phase; when nothing is loaded any more, exempt what was loaded from garbage collection."""
    before, phase = (one.partition(":")[0] for one in (before, phase))  # without progress
    if phase and phase != before:
        log.info("%s", phase)
    if before not in NOT_LOADING and phase in NOT_LOADING:
        freeze_loaded()


def log_error(error: str) -> None:
    """Log the error of an analysis."""
    log.warning("analysis: %s", error)
