"""The choice of what evaluates nets.  Knows the preferences and the open net, no runtime."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gui.model.sources import NetSource, set_runtime
from gui.widgets.preferences import RUNTIMES

if TYPE_CHECKING:
    from gui.shell.frame import Frame


def connect_runtime(window: Frame) -> None:
    """Take the remembered choice; called once, before a net is opened."""
    set_runtime(window.preferences.runtime)
    _check(window)


def choose_runtime(window: Frame, runtime: str) -> None:
    """Evaluate the open net, and those opened later, by ``runtime``, and remember it."""
    window.preferences.runtime = runtime
    set_runtime(runtime)
    _check(window)
    source = window.state.source
    if isinstance(source, NetSource):
        window.state.set_source(replace(source, runtime=runtime))


def _check(window: Frame) -> None:
    for runtime in RUNTIMES:
        window.actions_by_name[f"runtime_{runtime}"].setChecked(runtime == window.preferences.runtime)
