"""Searches of the command line on another machine."""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from core.games import GameSpec
from models.cluster.messages import SentSource
from models.cluster.remote import RemoteAnalysis
from models.netfiles.recipe import Recipe
from models.netfiles.shipped import default_net

LOST_S: Final = 60.0  # without a connection, after which the command ends; a window tries on
ROLLOUTS: Final = "rollouts"
UNIFORM: Final = "uniform"


def sent_source(game: GameSpec, net: str | None, recipe: Recipe | None, runtime: str) -> SentSource | None:
    """What evaluates leaves for the option ``--net``; None: random rollouts."""
    path = default_net(game) if net is None else Path(net)
    if net == UNIFORM:
        return SentSource(UNIFORM)
    if path is None or net == ROLLOUTS:
        return None
    return SentSource(str(path), str(path), recipe="" if recipe is None else recipe.to_json(), runtime=runtime)


def run_elsewhere(
    analysis: RemoteAnalysis,
    start: Callable[[RemoteAnalysis], object],
    options: dict[str, Any],
    came: Sequence[int],
) -> str:
    """Start a search on another machine, wait for its end, and return what ``plyscope analyze`` with ``options`` prints
    of it there.

    Once ``came`` is not empty the search is stopped and told as it is; ``ValueError`` when there is no connection, or
    none any more for ``LOST_S``."""
    with analysis:
        start(analysis)
        notice, linked = None, time.monotonic()
        while analysis.searching:
            analysis.wait()
            traffic = analysis.traffic
            if traffic.connected or not traffic.machine:
                linked = time.monotonic()
            elif time.monotonic() - linked > LOST_S:
                raise ValueError(
                    f"there is no connection to {traffic.machine} any more, after {LOST_S:.0f} s of trying; "
                    "the search ends there by itself"
                )
            if analysis.notice != notice:
                notice = analysis.notice
                print(notice, file=sys.stderr)
            if came:
                analysis.stop()
        if analysis.error is not None:
            raise ValueError(analysis.error)
        words = analysis.ask(options, gave_up=lambda: len(came) > 1)
        traffic = analysis.traffic
        print(f"searched on {traffic.machine}, latency {1000 * traffic.latency_s:.0f} ms", file=sys.stderr)
        return words
