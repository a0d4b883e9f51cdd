"""The choice of what evaluates nets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gui.model.sources import NetSource, set_runtime

if TYPE_CHECKING:
    from gui.context import Context


def connect_runtime(context: Context) -> None:
    """Take the remembered choice; called once, before a net is opened."""
    set_runtime(context.preferences.runtime)
    context.actions[f"runtime_{context.preferences.runtime}"].setChecked(True)


def choose_runtime(context: Context, runtime: str) -> None:
    """Evaluate the open net, and those opened later, by ``runtime``, and remember it."""
    context.preferences.runtime = runtime
    set_runtime(runtime)
    context.actions[f"runtime_{runtime}"].setChecked(True)
    source = context.state.source
    if isinstance(source, NetSource):
        context.state.set_source(replace(source, runtime=runtime))
