"""Players on a Ray cluster of this machine: portions, killed actors and learners, nothing lost and nothing twice."""

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from core.games import load_game
from core.text import Text
from models.cluster import versions
from models.cluster.connect import Connection, Node, connect
from models.cluster.versions import Fitness, Version, own_version
from models.nets.net import PolicyValueNet
from models.play.games import Part
from models.runs.config import TrainConfig
from models.runs.folder import RunError, net_path
from models.strength.ladder import NETS_FOLDER, net_player
from models.training import ray_pool
from models.training.measuring import LocalJudge
from models.training.playing_net import write_net
from models.training.ray_actor import Delivery, Mark
from models.training.ray_judge import RayJudge
from models.training.ray_pool import JOURNAL, Journal, Machines, RayPool

CONFIG = TrainConfig.of(
    game="tictactoe",
    simulations=4,
    fast_simulations=2,
    games=4,
    samples_per_iteration=64,
    replay_positions=1000,
    batch_size=32,
    blocks=1,
    channels=8,
    evaluator="torch",
    iterations=1,
)
STEPS = 0, 7
NET = PolicyValueNet.for_game(load_game(CONFIG.game), CONFIG.net_config())


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders with the same kept nets, of which one is better."""
    found = tmp_path / "here", tmp_path / "there"
    for folder in found:
        (folder / NETS_FOLDER).mkdir(parents=True)
        for step in STEPS:
            torch.manual_seed(step)
            net = PolicyValueNet.for_game(load_game(CONFIG.game), CONFIG.net_config()).eval()
            write_net(net, load_game(CONFIG.game), folder / net_path(step), step)
    return found


@pytest.fixture(scope="module")
def cluster() -> Iterator[Connection]:
    pytest.importorskip("ray")
    with connect("local", timeout_s=120.0, cores=2, store_mb=200) as connection:
        yield connection


class Heard(RayPool):
    """Notes which portions it took."""

    def _taken(self, actor, one: Delivery) -> list[Part]:
        before = actor.heard
        found = super()._taken(actor, one)
        if actor.heard != before:
            self.__dict__.setdefault("marks", []).append(one.mark)
        return found

    @property
    def taken(self) -> list[Mark]:
        return self.__dict__.get("marks", [])


def a_round(pool: RayPool, samples: int, net_step: int = 0) -> list[Part]:
    return [part for parts in pool.play(NET, net_step, samples, lambda: False) for part in parts]


def positions(parts: list[Part]) -> int:
    return sum(len(samples) for samples, _ in parts)


def test_the_journal_knows_the_portions_of_the_positions_saved(tmp_path: Path) -> None:
    journal = Journal(tmp_path / JOURNAL, 100)
    for mark, samples in (((0, 5, 1), 10), ((1, 6, 1), 20), ((0, 5, 2), 0), ((0, 7, 1), 15)):
        journal.add(mark, samples)
    with (tmp_path / JOURNAL).open("ab") as file:
        file.write(b'{"positions": 1')  # killed here
    again = Journal(tmp_path / JOURNAL, 130)
    assert again.taken == {0: (5, 2), 1: (6, 1)}
    again.add((0, 5, 3), 12)  # another portion than the one that was lost
    assert Journal(tmp_path / JOURNAL, 144).taken == {0: (5, 3), 1: (6, 1)}
    assert Journal(tmp_path / JOURNAL, 0).taken == {}


@pytest.mark.slow
def test_killed_actors_and_learners_lose_nothing_and_bring_nothing_twice(
    cluster: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ray

    monkeypatch.setattr(ray_pool, "QUIET_S", -1.0)
    said: list[Text] = []
    pool = Heard(CONFIG, cluster, tmp_path, actors=2, say=said.append)
    assert pool.words == "actors: 2, machines: 1"
    parts = a_round(pool, 60)
    assert sum(len(samples) for samples, _ in parts) >= 60
    assert [str(one)[:22] for one in said] == ["no games have come yet"]
    assert all(trace.net_step == 0 for samples, _ in parts for trace in samples.traces)
    saved = positions(parts)

    victim = pool._actors[0]
    while not victim.heard[0]:
        saved += positions(a_round(pool, 10))
    os.kill(ray.get(victim.handle.process.remote()), signal.SIGKILL)
    incarnation = victim.heard[0]
    while victim.heard[0] == incarnation:  # Ray begins it again, and it plays on
        saved += positions(a_round(pool, 10))
    assert pool.figures()["cluster"]["restarts"] == 1
    kept = list(pool.taken)
    a_round(pool, 40)
    unsaved = pool.taken[len(kept) :]
    assert unsaved

    # The learner dies here; the one that resumes knows how many positions were saved.
    again = Heard(CONFIG, cluster, tmp_path, saved, actors=2)
    while any(again._journal.taken.get(n, (0, 0)) <= pool._journal.taken[n] for n in range(2)):
        a_round(again, 10)
    marks = [*kept, *again.taken]
    assert len(set(marks)) == len(marks)
    assert set(unsaved) <= set(again.taken)
    for number, incarnation in {mark[:2] for mark in marks}:
        portions = [mark[2] for mark in marks if mark[:2] == (number, incarnation)]
        assert portions == list(range(1, len(portions) + 1))

    # What the first learner still waits for is not taken again either.
    assert again.figures()["cluster"]["repeated"] == 0
    first = again._actors[0]
    assert first.last is not None
    assert again._taken(first, first.last) == []
    assert again.figures()["cluster"]["repeated"] == 1

    old = again._oldest
    again._net_step = (first.last.net_step or 0) + old + 1
    late = first.last._replace(mark=(0, first.heard[0], first.heard[1] + 1))
    assert again._taken(first, late) == []
    assert again.figures()["cluster"]["dropped"] == sum(len(arrays["result"]) for arrays, _ in late.parts)

    again.close()  # Ray takes the names off a moment later
    for _ in range(300):
        names = [actor["name"] for actor in ray.util.list_named_actors(all_namespaces=True)]
        if not any(name.startswith(again._prefix) for name in names):
            return
        threading.Event().wait(0.1)
    pytest.fail(f"actors are left: {names}")


@pytest.mark.slow
def test_a_judge_elsewhere_comes_to_the_same_results_and_survives_a_kill(
    cluster: Connection, runs: tuple[Path, Path]
) -> None:
    import ray

    game, config = load_game(CONFIG.game), CONFIG.changed(ladder_simulations=8, exam_positions=12)
    here, there = LocalJudge(runs[0], game, config), RayJudge(config, cluster, runs[1], game)
    for pair in ((net_player(0), net_player(7)), (net_player(7), "random"), ("rollouts:5", net_player(0))):
        bouts = [judge.bout(pair, 4, 7, lambda: False) for judge in (here, there)]
        assert bouts[0].record == bouts[1].record
        assert bouts[0].plies == bouts[1].plies
        if pair[1] == "random":
            ray.kill(there._actor, no_restart=False)
    assert here.ladder.records() == there.ladder.records()
    assert here.exam(7, lambda: False) == there.exam(7, lambda: False) != {}
    assert there.bout((net_player(0), "random"), 4, 7, lambda: True) is None
    (runs[1] / net_path(7)).write_bytes(b"no net")
    with pytest.raises(RunError, match="exams and matches failed on the cluster: "):
        RayJudge(config, cluster, runs[1], game).exam(7, lambda: False)
    there.close()


def test_a_machine_with_another_version_is_refused_or_left_out(
    cluster: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = own_version("models.training.ray_actor")
    nodes = [node for node in cluster.nodes() if node.processors]
    other = Version(ours.program, "0123456789abcdef")
    said: list[Text] = []
    monkeypatch.setattr(versions, "own_version", lambda module: other)
    sentence = (
        f"{nodes[0].host} has Plyscope {ours.program}, build {ours.build[:8]} and this machine {ours.program}, "
        "build 01234567; install the same on both"
    )
    with pytest.raises(RunError) as error:
        Machines(cluster, 2, said.append).places()
    assert str(error.value) == sentence
    machines = Machines(cluster, 2, said.append)
    machines._begun = True
    assert machines._fitness.fit(nodes, versions.WAIT_S) == []
    assert machines.places() == machines.places() == {}
    assert [str(one) for one in said] == [f"{sentence}: it does not play"]


@pytest.mark.slow
def test_machines_that_come_and_go_keep_their_numbers(cluster: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    alive = [Node("10.0.0.1", "a", 4, 0, "id1"), Node("10.0.0.1", "a", 2, 0, "id2"), Node("b", "b", 8, 2, "id3")]
    monkeypatch.setattr(cluster, "nodes", lambda: list(alive), raising=False)
    monkeypatch.setattr(Fitness, "fit", lambda self, nodes, wait_s=0.0: list(nodes))
    said: list[Text] = []
    machines = Machines(cluster, 0, said.append)
    numbers = {number: (place.node.id, place.cores) for number, place in machines.places().items()}
    assert numbers == {0: ("id1", 4), 1000: ("id2", 2), 2000: ("id3", 4), 2001: ("id3", 4)}
    del alive[1]
    assert set(machines.places()) == {0, 2000, 2001}
    alive.append(Node("10.0.0.1", "a", 2, 0, "id4"))  # it was started again
    assert machines.places()[1000].node.id == "id4"
    assert [str(one) for one in said] == [
        "10.0.0.1 (2) has left the cluster; machines that play on: 2",
        "10.0.0.1 (2) has joined the cluster",
    ]
