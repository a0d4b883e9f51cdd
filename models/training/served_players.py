"""Players in processes of their own and the inference servers, one for each device, that evaluate for them all.

The servers are threads of the process that learns, so that new weights are copied
from the learner's net in place; the trees are worked on in the players' processes.
"""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import torch

from core.games import GameSpec
from core.games.net_inputs import encoding_for
from core.text import Text
from models.nets.net import PolicyValueNet, TorchEvaluator
from models.nets.served_net import TorchServedNet
from models.play.inference_server import InferenceServer
from models.play.leaf_lanes import LaneShape, make_lanes
from models.play.player_process import NetTurn, PlayerJob, ProcessPlayer
from models.runs.config import SERVER, TrainConfig
from models.training.playing_net import NetChoice, evaluation_rates

LANES: Final = 2  # of each player: one is evaluated while the trees of the other are worked on


class _Served(NamedTuple):
    """One device's server."""

    net: TorchServedNet
    server: InferenceServer
    thread: threading.Thread


class ServedPlayers:
    """``players``, each in its process, and the servers of ``devices``, which they use in turn."""

    def __init__(
        self,
        net: PolicyValueNet,
        config: TrainConfig,
        game: GameSpec,
        devices: Sequence[torch.device],
        seeds: Sequence[int],
        live: Path | None = None,
        openings: tuple[tuple[int, ...], ...] = (),
    ) -> None:
        """A player for each of ``seeds``.  ``live``: where the first displays its games."""
        count = len(seeds)
        encoding = encoding_for(game, net.config.inputs)
        self.players: list[ProcessPlayer] = []
        self._served: list[_Served] = []
        self._turn = 0
        shares = [config.self_play.games // count + (i < config.self_play.games % count) for i in range(count)]
        every = [make_lanes(LaneShape.of(game, encoding, -(-share // LANES)), LANES) for share in shares]
        try:
            for place, device in enumerate(devices[:count]):
                ends = [every[i][1] for i in range(place, count, len(devices))]
                served_net = TorchServedNet(net, game, device, sum(end.shape.batch for end in ends))
                server = InferenceServer(served_net, ends)
                thread = threading.Thread(target=server.serve, name=f"server {place}", daemon=True)
                thread.start()
                self._served.append(_Served(served_net, server, thread))
            for i, (seed, share) in enumerate(zip(seeds, shares, strict=True)):
                job = PlayerJob(config, share, seed, LANES, live if i == 0 else None, openings)
                self.players.append(ProcessPlayer(job, every[i][0]))
        except BaseException:
            self.close()
            raise

    def load(self, net: PolicyValueNet, step: int) -> list[NetTurn]:
        """Give the servers the weights of ``net``; what each player is to be told of it."""
        self._turn += 1
        for served in self._served:
            served.net.load(net)
        turns = []
        for i in range(len(self.players)):
            served_net = self._served[i % len(self._served)].net
            name = Text("step {step} by the server ({precision})", step=step, precision=served_net.precision)
            turns.append(NetTurn(self._turn, name, served_net.precision))
        return turns

    @property
    def figures(self) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        """The figures of all servers together, by the indices of models.play.inference_server."""
        total: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = np.sum(
            [served.server.figures for served in self._served], axis=0
        )
        return total

    @property
    def notes(self) -> list[str]:
        """What did not work as it should, a text each."""
        return [served.net.note for served in self._served if served.net.note]

    def close(self) -> None:
        """End the players' processes, then the servers."""
        for player in self.players:
            player.close()
        for served in self._served:
            served.server.stop()
            served.thread.join()


def served_choice(net: PolicyValueNet, game: GameSpec, devices: Sequence[torch.device], batch: int) -> NetChoice:
    """The choice of the server as the runtime of self-play, with the rate of its net alone at ``batch``."""
    evaluator = TorchEvaluator(net, "net", str(devices[0]), encoding=encoding_for(game, net.config.inputs))
    rate = evaluation_rates({"torch": evaluator}, game, batch)["torch"]
    where = "CUDA" if devices[0].type == "cuda" else "CPU"
    words = Text(
        "a server on {device} for all players ({count}), {rate} evaluations/s alone at batch {batch}",
        device=where,
        count=len(devices),
        rate=f"{rate:.0f}",
        batch=batch,
    )
    return NetChoice(SERVER, rate, words)
