"""Searches of the command line on another machine."""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.engine import Evaluator, EvaluatorSource, Search, UniformEvaluator
from core.games import GameSpec
from models.cluster.remote_client import RemoteClient
from models.netfiles.evaluator import default_net
from models.netfiles.recipe import Recipe
from models.netfiles.recipe_guess import open_evaluator

LOST_S: Final = 60.0  # without a connection, after which the command ends; a window tries on
ANSWER_S: Final = 600.0  # for what is said of the finished search: exact results may take their time
ROLLOUTS: Final = "rollouts"
UNIFORM: Final = "uniform"


@dataclass(frozen=True)
class UniformPrior:
    """Equal priors and value 0."""

    label: str = UNIFORM

    def load(self, game: GameSpec) -> Evaluator:
        return UniformEvaluator(game.num_actions)


@dataclass(frozen=True)
class NetOnDisk:
    """A net file of this machine."""

    path: Path
    recipe: Recipe | None
    runtime: str

    @property
    def label(self) -> str:
        return str(self.path)

    def load(self, game: GameSpec) -> Evaluator:
        return open_evaluator(self.path, game, self.recipe, "auto", self.runtime)[0]


def sent_source(game: GameSpec, net: str | None, recipe: Recipe | None, runtime: str) -> EvaluatorSource | None:
    """What evaluates leaves for the option ``--net``; None: random rollouts."""
    path = default_net(game) if net is None else Path(net)
    if net == UNIFORM:
        return UniformPrior()
    return None if path is None or net == ROLLOUTS else NetOnDisk(path, recipe, runtime)


def run_elsewhere(
    address: str,
    start: Callable[[RemoteClient], object],
    told: Callable[[Search], str],
    came: Sequence[int],
) -> str:
    """Start a search on the cluster at ``address``, wait for its end, and return what ``told`` says of it there.

    Once ``came`` is not empty the search is stopped and told as it is; ``ValueError`` when there is no connection, or
    none any more for ``LOST_S``."""
    with RemoteClient(address) as client:
        start(client)
        notice, linked = None, time.monotonic()
        while client.searching:
            client.wait()
            traffic = client.traffic
            if traffic.connected or not traffic.machine:
                linked = time.monotonic()
            elif time.monotonic() - linked > LOST_S:
                raise ValueError(
                    f"there is no connection to {traffic.machine} any more, after {LOST_S:.0f} s of trying; "
                    "the search ends there by itself"
                )
            if client.notice != notice:
                notice = client.notice
                print(notice, file=sys.stderr)
            if came:
                client.stop()
        if client.error is not None:
            raise ValueError(client.error)
        said = client.ask(told, ANSWER_S, came=lambda: len(came) > 1)
        traffic = client.traffic
        latency = 1000 * traffic.latency_s
        print(f"searched on {traffic.machine}, latency {latency:.0f} ms", file=sys.stderr)
        return said
