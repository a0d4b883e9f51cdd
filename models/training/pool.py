"""Players of a run: what a trainer asks of them, and those in threads or processes of this machine.

Of the run's files it reads and writes the net in self-play alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import torch

from core.engine.evaluator import Evaluator, UniformEvaluator
from core.games.net_inputs import encoding_for
from core.processors import processors
from models.nets.net import PolicyValueNet, pick_device, playing_devices
from models.play.live import LiveWriter
from models.play.opening_file import read_openings
from models.play.replay import Mark
from models.play.selfplay import SelfPlay
from models.play.turns import Turns
from models.runs.config import ON_PROCESSOR, SERVER, TrainConfig
from models.training import boards
from models.training.learning import Learned
from models.training.playing_net import NetChoice, choose, make_evaluators, precision_of
from models.training.served_players import ServedPlayers, served_choice
from models.training.threads import Part, play_and_learn


class Round(NamedTuple):
    """One round of playing and learning.

    samples: positions that end it.  parts: takes what was made.  learn: the learner's work, told when to stop.
    ending: whether the round must end now.  spill: saves the parts so far.  carry: learning stops with the playing.
    """

    samples: int
    parts: list[Part]
    learn: Callable[[Callable[[], bool]], Learned]
    ending: Callable[[], bool]
    spill: Callable[[list[Part]], None]
    carry: bool = False


class PlayerPool(Protocol):
    """Plays the games of a run."""

    words: str
    """What evaluates the net."""
    threads: int
    alone_per_s: float
    """Evaluations/s of all threads when nothing else runs."""
    precision: str
    """Of the net in self-play."""

    def play(self, net: PolicyValueNet, net_step: int, one: Round) -> Learned:
        """Play with ``net`` until the round is over, beside its learning, whose result is returned."""
        ...

    def received(self) -> list[Mark]:
        """What has been received so far, to be saved with the positions."""
        ...

    def saved(self) -> None:
        """All that was received has been saved."""
        ...

    def figures(self) -> dict[str, Any]:
        """Further figures of the last round for its report."""
        ...

    def close(self) -> None: ...


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
        self.threads = min(threads or config.threads or processors(), config.games)
        device = pick_device(config.device)
        on_cpu = config.evaluator in ON_PROCESSOR
        self._devices = playing_devices(torch.device("cpu") if on_cpu else device, self.threads)
        self._folder = folder
        self._live = LiveWriter(live) if live is not None else None
        batch = self.boards[0].games(-(-config.games // self.threads))
        game = self.boards[0].game
        serves = config.evaluator == SERVER
        self.choice: NetChoice = (
            served_choice(net, game, self._devices, batch)
            if serves
            else choose(config.evaluator, net, game, folder, self._devices[0], batch)
        )
        self.words, self.alone_per_s = self.choice.words, self.choice.rate * self.threads
        self._openings = read_openings(Path(config.openings), game) if config.openings else ()
        seeds = np.random.SeedSequence(list(entropy)).generate_state(self.threads * len(self.boards)).tolist()
        self.served: ServedPlayers | None = None
        if serves:
            self._warm_up(UniformEvaluator(game.num_actions, encoding_for(game, config.inputs)))
            devices = list(dict.fromkeys(self._devices))
            self.served = ServedPlayers(net, config, game, devices, seeds, live, tuple(self._openings))
            self.players = [Turns([player], [1.0]) for player in self.served.players]
            self.precision = ""
        else:
            made = self.evaluators(net, 0)
            self.precision = precision_of(made[0][0])
            self._warm_up(made[0][0])
            self.players = self._new_players(made, seeds)

    def _warm_up(self, evaluator: Evaluator) -> None:
        """Compile the kernels of self-play, which may take half a minute, before the run's clock starts."""
        small = replace(self.config, simulations=2, fast_simulations=2, resign_below=0.0, resign_lead=0.0)
        SelfPlay(self.boards[0].game, evaluator, small, 1, 0).play(evaluator, 1)

    def _new_players(self, made: Sequence[Sequence[Evaluator]], each_seed: Sequence[int]) -> list[Turns]:
        """A player per thread and board, each with its share of the games."""
        count, seeds = self.threads, iter(each_seed)
        lanes = 2 if self._devices[0].type == "cuda" else 1
        players = []
        for i, evaluators in enumerate(made):
            games = self.config.games // count + (i < self.config.games % count)
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

    def play(self, net: PolicyValueNet, net_step: int, one: Round) -> Learned:
        evaluators = self.evaluators(net, net_step)
        first = evaluators[0][0]
        self.precision = first.precision if self.served is not None else precision_of(first)
        return play_and_learn(
            self.players,
            evaluators,
            net_step,
            one.samples,
            one.parts,
            one.learn,
            one.ending,
            one.spill,
            lambda: torch.set_num_threads(1),
            one.carry,
        )

    def received(self) -> list[Mark]:
        return []

    def saved(self) -> None:
        pass

    def figures(self) -> dict[str, Any]:
        return {}

    def close(self) -> None:
        if self.served is not None:
            self.served.close()
        if self._live is not None:
            self._live.close()
