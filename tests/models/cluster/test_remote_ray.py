"""An analysis as an actor of Ray: the command gives the same figures, and the actor ends with its client."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from models.cluster.connect import connect
from models.cluster.courier import actor_for
from models.commands.program import main

ray = pytest.importorskip("ray")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A cluster of this machine, for the tests of this file."""
    with connect("local", cores=2):
        yield ray.get_runtime_context().gcs_address


def ask_until_gone(name: str, namespace: str) -> None:
    for _ in range(100_000):
        ray.get(ray.get_actor(name, namespace).hello.remote(), timeout=60)


@pytest.mark.slow
def test_the_command_gives_the_same_figures_elsewhere(address: str, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["analyze", "tictactoe", "b2", "--net", "uniform", "--simulations", "150", "--seed", "4", "--json"]
    found = []
    for more in ([], ["--on", address]):
        assert main([*words, *more]) == 0
        found.append(json.loads(capfd.readouterr().out))
    here, there = found
    assert here.keys() == there.keys()
    differing = {name for name in here if here[name] != there[name]}
    assert differing <= {"counters", "simulations_per_s", "evaluations_per_s"}
    assert here["moves"] == there["moves"]
    for one in ray.util.list_named_actors(all_namespaces=True):  # the command ends its actor
        with pytest.raises((ValueError, ray.exceptions.RayActorError)):
            ask_until_gone(one["name"], one["namespace"])


@pytest.mark.slow
def test_an_actor_is_found_again_and_ends_when_its_client_is_gone(address: str) -> None:
    actor, kept = actor_for("left alone", gone_s=0.5)
    assert not kept
    again, kept = actor_for("left alone")
    assert kept
    assert again == actor
    seen = ray.get(actor.poll.remote(0, 0.0), timeout=60).number
    with pytest.raises(ray.exceptions.RayActorError):
        ray.get(actor.poll.remote(seen, 30.0), timeout=60)  # a question that is held for longer than that
