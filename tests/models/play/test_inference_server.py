"""The inference server: the answers and games of the evaluator behind it, errors, ends, players in processes."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from core.engine import Search, UniformEvaluator
from core.engine.evaluator import Evaluator
from core.games import load_game
from core.games.encoding import OWN_ENCODING, Inputs
from core.games.net_inputs import inputs_of_all
from core.search import Limit, SearchSettings
from models.play.inference_server import BATCHES, BUFFERS, PADDED, ROWS, InferenceServer, buckets_up_to
from models.play.leaf_lanes import Array, LaneEnd, LaneEvaluator, LaneShape, LostServer, make_lanes
from models.play.player_process import NetTurn, PlayerJob, ProcessPlayer
from models.play.samples import Samples, array_names
from models.play.selfplay import SelfPlay
from models.runs.config import TrainConfig
from tests.core.search.fakes import HashEvaluator

GAME = load_game("tictactoe")
CONFIG = TrainConfig.of(game="tictactoe", simulations=16, fast_simulations=8, iterations=1)
NET = HashEvaluator(9)


class Failing(Evaluator):
    """An evaluator that raises."""

    description = "failing"

    def evaluate(self, planes, features=None):
        raise RuntimeError("the device fell off the bus")


class EvaluatorNet:
    """An evaluator as a served net: computed by the thread that waits, as on a machine without a GPU."""

    def __init__(self, evaluator: Evaluator, shape: LaneShape, most: int) -> None:
        """``most``: rows of a batch."""
        self.evaluator = evaluator
        self.buckets = buckets_up_to(most)
        rows = self.buckets[-1]
        self._rooms = [
            Inputs(np.zeros((rows, *shape.planes), np.float32), np.zeros((rows, shape.features), np.float32))
            for _ in range(BUFFERS)
        ]
        self._begun = [0] * BUFFERS

    def room(self, buffer: int) -> Inputs:
        return self._rooms[buffer]

    def begin(self, buffer: int, bucket: int) -> None:
        self._begun[buffer] = bucket

    def finish(self, buffer: int) -> tuple[Array, ...]:
        bucket, room = self._begun[buffer], self._rooms[buffer]
        return self.evaluator.evaluate(*(part[:bucket] for part in room))


@contextmanager
def served(evaluator: Evaluator, clients: int = 1, batch: int = 8, lanes: int = 2) -> Iterator[tuple]:
    """A server in a thread: (it, the clients' ends)."""
    shape = LaneShape.of(GAME, OWN_ENCODING, batch)
    pairs = [make_lanes(shape, lanes) for _ in range(clients)]
    server = InferenceServer(EvaluatorNet(evaluator, shape, clients * batch), [theirs for _, theirs in pairs])
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield server, [ours for ours, _ in pairs]
    finally:
        server.stop()
        thread.join()
        for ours, _ in pairs:
            ours.pipe.close()


def client(end: LaneEnd) -> LaneEvaluator:
    return LaneEvaluator(end, "the server")


def some_planes(count: int) -> np.ndarray:
    rng = np.random.default_rng(count)
    positions = []
    for _ in range(count):
        position = GAME.initial()
        for _ in range(int(rng.integers(4))):
            position = position.play(int(rng.choice(position.legal_actions())))
        positions.append(position)
    return inputs_of_all(positions, OWN_ENCODING).planes


def same(ours: Samples, theirs: Samples) -> bool:
    return all(np.array_equal(getattr(ours, name), getattr(theirs, name)) for name in array_names())


def test_answers_are_those_of_the_evaluator_also_in_parts_and_asked_again() -> None:
    with served(NET, clients=2) as (server, ends):
        for end, count in zip(ends, (3, 20), strict=True):  # 20 are more than a lane holds
            planes = some_planes(count)
            for given, wanted in zip(client(end).evaluate(planes), NET.evaluate(planes), strict=True):
                np.testing.assert_array_equal(given, wanted)
        one, batches = client(ends[0]), [some_planes(count) for count in (2, 5, 8)]
        waits = [one.start(planes) for planes in batches]  # one more than there are lanes
        for wait, planes in zip(waits, batches, strict=True):
            for _ in range(2):  # asked again it says the same
                np.testing.assert_array_equal(wait()[0], NET.evaluate(planes)[0])
        assert server.figures[ROWS] == 3 + 20 + 2 + 5 + 8
        assert server.figures[PADDED] >= server.figures[ROWS]
        assert server.figures[BATCHES] >= 5
    assert buckets_up_to(100) == (8, 12, 16, 24, 32, 48, 64, 96, 128)


def test_a_seed_gives_the_same_games_through_a_server_whoever_shares_it() -> None:
    alone = [SelfPlay(GAME, NET, CONFIG, 6, seed, lanes=2).play(NET, 60)[0] for seed in (1, 2)]
    found: dict[int, Samples] = {}

    def play(seed: int, end: LaneEnd) -> None:
        evaluator = client(end)
        found[seed] = SelfPlay(GAME, evaluator, CONFIG, 6, seed, lanes=2).play(evaluator, 60)[0]

    with served(NET, clients=2, batch=3) as (_, ends):
        threads = [threading.Thread(target=play, args=(seed, end)) for seed, end in zip((1, 2), ends, strict=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert same(found[1], alone[0])
    assert same(found[2], alone[1])


def test_a_search_with_batches_in_flight_is_the_same_through_a_server() -> None:
    settings = SearchSettings(max_batch=4, batches_in_flight=2, memory_mb=16)
    with served(NET) as (_, ends):
        searches = [Search(GAME.initial(), net, settings) for net in (NET, client(ends[0]))]
        for search in searches:
            search.run(Limit(simulations=200))
    first, second = ([(row.action, row.visits, row.q) for row in search.snapshot().moves] for search in searches)
    assert first == second


def test_errors_of_the_net_reach_every_player_and_the_server_goes_on() -> None:
    with served(Failing()) as (_, ends):
        evaluator = client(ends[0])
        for _ in range(3):  # the lanes are free again
            with pytest.raises(LostServer, match=r"^the device fell off the bus$"):
                evaluator.evaluate(some_planes(2))
        search = Search(GAME.initial(), evaluator, SearchSettings(max_batch=4, batches_in_flight=2, memory_mb=16))
        with pytest.raises(LostServer):
            search.run(Limit(simulations=20))


def test_a_server_that_has_ended_is_told_in_a_sentence() -> None:
    with served(NET) as (_, ends):
        evaluator = client(ends[0])
        evaluator.evaluate(some_planes(1))
    with pytest.raises(LostServer, match=r"^the server does not answer any more: its process has ended$"):
        evaluator.evaluate(some_planes(1))


def test_a_server_ends_when_its_players_do() -> None:
    shape = LaneShape.of(GAME, OWN_ENCODING, 4)
    ours, theirs = make_lanes(shape, 1)
    server = InferenceServer(EvaluatorNet(NET, shape, 4), [theirs])
    thread = threading.Thread(target=server.serve)
    thread.start()
    client(ours).evaluate(some_planes(2))
    client(ours).close()
    thread.join(60)
    assert not thread.is_alive()


@pytest.mark.slow
def test_a_player_in_a_process_plays_the_same_games_stops_and_says_when_it_is_killed() -> None:
    net = UniformEvaluator(9)
    wanted = SelfPlay(GAME, net, CONFIG, 6, 7, lanes=2).play(net, 40)[0]
    with served(net, batch=3) as (_, ends):
        player = ProcessPlayer(PlayerJob(CONFIG, 6, 7, 2), ends[0])
        turn = NetTurn(1, "the server", "fp32")
        try:
            samples, stats = player.play(turn, 40, net_step=3)
            assert same(samples, wanted)
            assert stats.games == len(samples.traces)
            assert {trace.net_step for trace in samples.traces} == {3}
            samples, _ = player.play(turn._replace(number=2), 1 << 40, lambda: True)  # which does not end by itself
            assert len(samples) < 1 << 40
            assert player.pid is not None
            os.kill(player.pid, signal.SIGTERM)
            with pytest.raises(LostServer, match=r"^a player's process has ended \(exit code -15\)$"):
                player.play(turn, 1 << 40)
        finally:
            player.close()
