"""Players on a Ray cluster of this machine: portions, killed actors and learners, nothing lost and nothing twice."""

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core.games import load_game
from models.cluster.connect import Connection, connect
from models.nets.net import PolicyValueNet
from models.play.replay import Mark
from models.runs.config import TrainConfig
from models.runs.folder import net_path
from models.training.learning import Learned
from models.training.pool import Round
from models.training.ray_actor import Delivery
from models.training.ray_pool import RayPool
from models.training.judge import LocalJudge
from models.training.playing_net import write_net
from models.training.ray_judge import RayJudge
from models.training.threads import Part

CONFIG = TrainConfig(
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
NET = PolicyValueNet.for_game(load_game(CONFIG.game), CONFIG.net_config())


@pytest.fixture(scope="module")
def cluster() -> Iterator[Connection]:
    pytest.importorskip("ray")
    with connect("local", timeout_s=120.0, cores=2, store_mb=200) as connection:
        yield connection


class Heard(RayPool):
    """Notes which portions it took."""

    def _taken(self, actor, one: Delivery) -> list[Part]:  # type: ignore[no-untyped-def]
        before = actor.heard
        found = super()._taken(actor, one)
        if actor.heard != before:
            self.__dict__.setdefault("marks", []).append(one.mark)
        return found

    @property
    def taken(self) -> list[Mark]:
        return self.__dict__.get("marks", [])


def a_round(pool: RayPool, samples: int, net_step: int = 0) -> list[Part]:
    parts: list[Part] = []
    assert torch.is_tensor(next(NET.parameters()))
    learned = pool.play(
        NET, net_step, Round(samples, parts, lambda _: Learned(3, {}, 0.1, 0.0), lambda: False, lambda _: None)
    )
    assert learned.steps == 3
    return parts


def test_killed_actors_and_learners_lose_nothing_and_bring_nothing_twice(cluster: Connection, tmp_path: Path) -> None:
    import ray

    pool = Heard(CONFIG, cluster, tmp_path, [], actors=2)
    assert pool.words == "actors: 2, machines: 1"
    parts = a_round(pool, 60)
    assert sum(len(samples) for samples, _ in parts) >= 60
    assert all(trace.net_step == 0 for samples, _ in parts for trace in samples.traces)
    pool.saved()
    kept = list(pool.taken)

    victim = pool._actors[0]
    os.kill(ray.get(victim.handle.process.remote()), signal.SIGKILL)
    incarnation = victim.heard[0]
    while victim.heard[0] == incarnation:  # Ray begins it again, and it plays on
        a_round(pool, 10)
    assert pool.figures()["cluster"]["restarts"] == 1
    saved = pool.received()
    pool.saved()
    kept = list(pool.taken)
    a_round(pool, 40)
    unsaved = pool.taken[len(kept) :]
    assert unsaved

    # The learner dies here; the one that resumes knows what was saved.
    again = Heard(CONFIG, cluster, tmp_path, saved, actors=2)
    while any(again.received()[n][1:] <= pool.received()[n][1:] for n in range(2)):
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

    again.close()
    names = [one["name"] for one in ray.util.list_named_actors(all_namespaces=True)]
    assert not [name for name in names if name.startswith(again._prefix)]


def test_a_judge_on_the_cluster_finds_what_one_here_finds(cluster: Connection, tmp_path: Path) -> None:
    game, config = load_game(CONFIG.game), replace(CONFIG, ladder_simulations=4, exam_positions=20)
    pair, found = ("step-00000000", "random"), []
    for name in ("here", "there"):
        folder = tmp_path / name
        (folder / net_path(0)).parent.mkdir(parents=True)
        write_net(NET.eval(), game, folder / net_path(0), 0)
        judge = LocalJudge(folder, game, config) if name == "here" else RayJudge(config, cluster, folder, game)
        exam = judge.exam(0, lambda: False)
        bout = judge.bout(pair, 4, 0, lambda: False)
        found.append((exam, bout, judge.ladder.records()))
        assert judge.bout(pair, 4, 0, lambda: True) is None
        judge.close()
    assert found[0] == found[1]
    assert found[0][0]
    assert len(found[0][2]) == 1
