"""Players of a run: what a trainer asks of them, and those in threads or processes of this machine.

Of the run's files it reads and writes the net in self-play alone.
"""

import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, Protocol

import numpy as np
import torch

from core.engine.evaluator import Evaluator, UniformEvaluator
from core.games.net_inputs import encoding_for
from core.machine import processors
from models.nets.net import PolicyValueNet, pick_device, playing_devices
from models.play.games import Part
from models.play.live import LiveWriter
from models.play.openings import read_openings
from models.play.selfplay import SelfPlay
from models.runs.config import ON_PROCESSOR, SERVER, TrainConfig
from models.training import boards
from models.training.boards import Player, Turns
from models.training.playing_net import NetChoice, choose, make_evaluators, precision_of
from models.training.served_players import ServedPlayers, served_choice

Parts = Generator[list[Part], None, None]

_PORTIONS: Final = 32  # calls of ``play`` for a player's share


class PlayerPool(Protocol):
    """Plays the games of a run."""

    words: str
    """What evaluates the net."""
    threads: int

    def play(self, net: PolicyValueNet, net_step: int, samples: int, should_stop: Callable[[], bool]) -> Parts:
        """Play with the weights that ``net`` has now until ``samples`` positions are made, or ``should_stop``.

        Yields parts as they come, in one list those that came together.  Those of earlier calls have been saved.
        """
        ...

    def figures(self) -> dict[str, Any]:
        """For the report of an iteration.  alone_per_s: evaluations/s of all threads when nothing else runs.
        precision: of the net in self-play."""
        ...

    def close(self) -> None:
        """End the players; what they are playing is lost."""
        ...


class LocalPool:
    """Players in threads of this process, each with its share of the games; with a server of the net, in processes."""

    def __init__(
        self,
        config: TrainConfig,
        net: PolicyValueNet,
        folder: Path,
        entropy: Sequence[int],
        live: Path | None = None,
        threads: int = 0,
    ) -> None:
        """``folder`` takes files of the net, ``live`` the display of running games.  ``entropy`` fixes every random
        choice."""
        self.config: Final = config
        self.boards = boards.boards_of(config)
        self.threads = min(threads or config.run.threads or processors(), config.self_play.games)
        device = pick_device(config.run.device)
        on_cpu = config.self_play.evaluator in ON_PROCESSOR
        self._devices = playing_devices(torch.device("cpu") if on_cpu else device, self.threads)
        self._folder = folder
        self._live = LiveWriter(live) if live is not None else None
        batch = self.boards[0].games(-(-config.self_play.games // self.threads))
        game = self.boards[0].game
        serves = config.self_play.evaluator == SERVER
        self.choice: NetChoice = (
            served_choice(net, game, self._devices, batch)
            if serves
            else choose(config.self_play.evaluator, net, game, folder, self._devices[0], batch)
        )
        self.words = self.choice.words
        self._openings = read_openings(Path(config.self_play.openings), game) if config.self_play.openings else ()
        seeds = np.random.SeedSequence(list(entropy)).generate_state(self.threads * len(self.boards)).tolist()
        self.served: ServedPlayers | None = None
        if serves:
            self._warm_up(UniformEvaluator(game.num_actions, encoding_for(game, config.net.inputs)))
            devices = list(dict.fromkeys(self._devices))
            self.served = ServedPlayers(net, config, game, devices, seeds, live, tuple(self._openings))
            self.players = [Turns([player], [1.0]) for player in self.served.players]
            self._precision = ""
        else:
            evaluators = self.evaluators(net, 0)
            self._precision = precision_of(evaluators[0][0])
            self._warm_up(evaluators[0][0])
            self.players = self._new_players(evaluators, seeds)

    def _warm_up(self, evaluator: Evaluator) -> None:
        """Compile the kernels of self-play, which may take half a minute, before the run's clock starts."""
        small = self.config.changed(simulations=2, fast_simulations=2, resign_below=0.0)
        SelfPlay(self.boards[0].game, evaluator, small, 1, 0).play(evaluator, 1)

    def _new_players(self, by_thread: Sequence[Sequence[Evaluator]], each_seed: Sequence[int]) -> list[Turns]:
        """A player per thread and board, each with its share of the games."""
        count, seeds = self.threads, iter(each_seed)
        lanes = 2 if self._devices[0].type == "cuda" else 1
        players = []
        for i, evaluators in enumerate(by_thread):
            games = self.config.self_play.games // count + (i < self.config.self_play.games % count)
            each = []
            for board, evaluator in zip(self.boards, evaluators, strict=True):
                live, openings = (None, ()) if board.label else (self._live if i == 0 else None, self._openings)
                each.append(
                    SelfPlay(
                        board.game, evaluator, board.config, board.games(games), next(seeds), lanes, live, openings
                    )
                )
            players.append(Turns(each, [board.share for board in self.boards]))
        return players

    def evaluators(self, net: PolicyValueNet, net_step: int) -> list[list[Any]]:
        """Evaluators of ``net`` for all players, one for each board; of players that servers evaluate for, what they
        are to know of the net."""
        if self.served is not None:
            return [[turn] for turn in self.served.load(net, net_step)]
        games = [board.game for board in self.boards]
        return make_evaluators(self.choice.kind, net, games, self._folder, net_step, self._devices)

    def play(self, net: PolicyValueNet, net_step: int, samples: int, should_stop: Callable[[], bool]) -> Parts:
        evaluators = self.evaluators(net, net_step)
        first = evaluators[0][0]
        self._precision = first.precision if self.served is not None else precision_of(first)
        return play_together(self.players, evaluators, net_step, samples, should_stop)

    def figures(self) -> dict[str, Any]:
        return {"alone_per_s": round(self.choice.rate * self.threads, 1), "precision": self._precision}

    def close(self) -> None:
        if self.served is not None:
            self.served.close()
        if self._live is not None:
            self._live.close()


def play_together(
    players: Sequence[Player],
    evaluators: Sequence[Any],
    net_step: int,
    samples: int,
    should_stop: Callable[[], bool],
) -> Parts:
    """Let all ``players`` play in threads of their own, each with its evaluator and an equal share of the ``samples``.

    Yields what they make, each in turn, however late one is, so that a seeded run is reproducible.  The first error of
    a player ends all and is raised.
    """
    share = -(-samples // len(players))
    over = threading.Event()
    queues: list[SimpleQueue[Part | None]] = [SimpleQueue() for _ in players]  # None after the last

    def stopping() -> bool:
        return over.is_set() or should_stop()

    def play(player: Player, evaluator: Any, parts: SimpleQueue[Part | None]) -> None:
        torch.set_num_threads(1)
        missing = share
        try:
            while missing > 0 and not stopping():
                part = player.play(evaluator, -(-share // _PORTIONS), stopping, net_step)
                parts.put(part)
                missing -= len(part[0])
        except BaseException:
            over.set()
            raise
        finally:
            parts.put(None)

    with ThreadPoolExecutor(len(players), "play") as threads:
        try:
            playing = [threads.submit(play, *three) for three in zip(players, evaluators, queues, strict=True)]
            turns = deque(queues)
            while turns:
                parts = turns.popleft()
                if (part := parts.get()) is not None:
                    yield [part]
                    turns.append(parts)
            for future in playing:
                future.result()
        finally:
            over.set()
