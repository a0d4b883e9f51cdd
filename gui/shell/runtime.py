"""The choice of what evaluates nets.  Knows the preferences and the open net, no runtime."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gui.model.sources import NetSource, set_runtime
from gui.widgets.preferences import RUNTIMES

if TYPE_CHECKING:
    from gui.context import Context


def connect_runtime(context: Context) -> None:
    """Take the remembered choice; called once, before a net is opened."""
    set_runtime(context.preferences.runtime)
    _check(context)


def choose_runtime(context: Context, runtime: str) -> None:
    """Evaluate the open net, and those opened later, by ``runtime``, and remember it."""
    context.preferences.runtime = runtime
    set_runtime(runtime)
    _check(context)
    source = context.state.source
    if isinstance(source, NetSource):
        context.state.set_source(replace(source, runtime=runtime))


def _check(context: Context) -> None:
    for runtime in RUNTIMES:
        context.actions[f"runtime_{runtime}"].setChecked(runtime == context.preferences.runtime)
