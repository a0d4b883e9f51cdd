"""Self-play: games of an evaluator against itself, as training samples.

Each finished game gives samples, the positions searched in full with policy target and result, and a trace of the game.
Decisions:
- A game whose position is proved ends there with the exact result.  That position becomes a sample too when its policy
  is exact (a proved win or draw) or its search was a full one.
- A game with few enough empty cells is played to its end by the exact solver (models.play.exact_endings); its
  positions are learned from as often as others are searched in full.
- With points no game ends by a proof, so that its score is known; one of the greatest number of plies is counted as it
  stands.  Each game may have its own komi.  A game that a side would resign is played out fast (KataGo).  At first no
  pass is played or learned: on an empty board the side that komi puts ahead would first learn to pass.
- A side resigns when the searched value stays low (AlphaGo Zero, Silver et al. 2017, Methods, Self-play).
- A share of the games is played to the end regardless: they measure wrong resignations, and give the net samples of
  decided positions.
- A move is sampled from the policy target at the temperature; proofs restrict both (core.search.play).
- Under gumbel the search's own choice is played; the temperature multiplies its noise, as ln P + tau g orders the moves
  like (ln P) / tau + g.
Letters: n samples, A actions, C planes, H W board.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.engine.evaluator import Evaluator
from core.engine.lockstep import Lockstep
from core.games import GameSpec, dispatch
from core.games.dispatch import DRAW, FIRST_WINS, ONGOING, SECOND_WINS
from core.games.encoding import OWN_ENCODING, Inputs
from core.games.spec import PASS
from core.machine import machine_memory_mb
from core.search import work
from core.search.forest import Results
from core.search.play import draw_moves
from core.search.proofs import LOSS, UNPROVED, WIN, exact_value
from core.search.settings import SearchSettings
from core.search.work import Answer
from core.text import Text
from models.play.exact_endings import ExactEndings
from models.play.games import Counted, FinishedGames, Pending, RunningGame, for_first, surprises
from models.play.games import PlayStats as PlayStats
from models.play.live import LiveGame, LiveWriter
from models.play.openings import random_opening
from models.play.samples import COUNTED, PLAYED, PROVED_EARLY, RESIGNED
from models.play.samples import Samples as Samples
from models.runs.config import RESIGN_TURNS, TrainConfig

OPENING_SHARE: Final = 0.5  # of the games that start with random moves
OPENINGS_SHARE: Final = 0.3  # of the games that start from a given position
TEMPERATURE: Final = 1.0  # of the early moves (AlphaGo Zero: 1)
LATE_TEMPERATURE: Final = 0.25
PLAYOUT_SIMULATIONS: Final = 12  # of a move of a decided game that is played out for its points
NO_PASS_SHARE: Final = 0.5  # of as many plies as there are cells, in which no pass is played where points are learned

_LEAST_MEMORY_MB: Final = 64
_OUTCOMES: Final = {FIRST_WINS: 1, SECOND_WINS: -1}  # by result code; a draw is 0


class _Lane(NamedTuple):
    """Games evaluated in the same batches."""

    lockstep: Lockstep
    games: list[RunningGame]


class SelfPlay:
    """Plays games in lockstep with one evaluator; games unfinished at the end of a call continue in the next one."""

    def __init__(
        self,
        game: GameSpec,
        evaluator: Evaluator,
        config: TrainConfig,
        games: int,
        seed: int,
        lanes: int = 1,
        live: LiveWriter | None = None,
        openings: Sequence[tuple[int, ...]] = (),
    ) -> None:
        """``games`` are played in parallel; ``seed`` fixes every random choice.

        lanes: with 2 or more the games are divided into as many batches, one of which is evaluated in a thread of its
        own, or elsewhere, while the trees of the others are worked on.  That is faster on a GPU; on a processor with a
        game thread per core it was measured to gain nothing.  live: displays the running games.
        openings: positions from which a share of the games starts, as moves.
        """
        self._game, self._config, self._live, self._openings = game, config, live, openings
        self._should_stop: Callable[[], bool] = lambda: False
        self._rng = np.random.default_rng(seed)
        self._endings = ExactEndings(game, config.self_play.exact_empties, config.self_play.full_share, self._rng)
        self._evaluator = evaluator
        encoding = evaluator.encoding
        self._encoding = encoding if encoding.trained else OWN_ENCODING  # of the samples
        names = game.action_names
        self._pass = names.index(PASS) if PASS in names else -1
        # The search takes the greatest number of plies for a draw: what it says just before is not learned from.
        self._last_learned = game.max_plies - (game.shape[0] * game.shape[1] if self._encoding.leads else 0)
        self._begun = 0
        self._net_step = 0
        self._net_s = 0.0
        lanes = max(1, min(lanes, games))
        self._lanes: list[_Lane] = []
        for i in range(lanes):
            share = games // lanes + (i < games % lanes)
            settings = search_settings(game, config, share)
            lockstep = Lockstep(game, evaluator, share, settings, seed + i, prune=config.self_play.noise_epsilon > 0.0)
            lane = _Lane(lockstep, [self._begin(lockstep, g) for g in range(share)])
            self._set_targets(lane, np.arange(share))
            self._lanes.append(lane)

    def play(
        self,
        evaluator: Evaluator,
        samples: int,
        should_stop: Callable[[], bool] = lambda: False,
        net_step: int = 0,
    ) -> tuple[Samples, PlayStats]:
        """Continue the games with ``evaluator``, a net of ``net_step`` training steps, until finished games have given
        ``samples`` positions or ``should_stop``."""
        started = time.perf_counter()
        self._net_step, self._net_s, self._should_stop = net_step, 0.0, should_stop
        if evaluator is not self._evaluator:
            self._evaluator = evaluator
            for lane in self._lanes:
                lane.lockstep.forget_evaluations(evaluator)
        before = self._counters()
        finished = FinishedGames(self._game, self._encoding, self._config.learning.surprise_share)
        if len(self._lanes) == 1:
            lane = self._lanes[0]
            while finished.samples < samples and not should_stop():
                self._after(lane, lane.lockstep.absorb(self._evaluate(lane, lane.lockstep.collect())), finished)
        else:
            self._play_lanes(finished, samples, should_stop)
        spent = self._counters() - before
        stats = finished.stats + PlayStats(
            evaluations=int(spent[work.EVALUATIONS]),
            batches=int(spent[work.BATCHES]),
            cache_hits=int(spent[work.CACHE_HITS]),
            play_s=time.perf_counter() - started,
            net_s=self._net_s,
        )
        return finished.gathered(), stats

    def _play_lanes(self, finished: FinishedGames, samples: int, should_stop: Callable[[], bool]) -> None:
        """Play with several lanes: the leaves of one are evaluated while the trees of the next are worked on."""
        requests: list[Callable[[], Answer | None] | None] = [None] * len(self._lanes)
        elsewhere = self._evaluator.works_elsewhere
        with nullcontext() if elsewhere else ThreadPoolExecutor(1, "net") as net:
            while finished.samples < samples and not should_stop():
                for i, lane in enumerate(self._lanes):
                    answer = requests[i]
                    if answer is not None:
                        requests[i] = None
                        self._after(lane, lane.lockstep.absorb(answer()), finished)
                    leaves = lane.lockstep.collect()
                    if net is None:
                        requests[i] = partial(self._timed, lane.lockstep.start(leaves))
                    else:
                        requests[i] = net.submit(self._evaluate, lane, leaves).result
            for lane, answer in zip(self._lanes, requests, strict=True):
                if answer is not None:
                    self._after(lane, lane.lockstep.absorb(answer()), finished)

    def _counters(self) -> NDArray[np.int64]:
        return np.sum([lane.lockstep.stats for lane in self._lanes], axis=0)  # type: ignore[no-any-return]

    def _evaluate(self, lane: _Lane, leaves: Inputs) -> Answer | None:
        return self._timed(partial(lane.lockstep.evaluate, leaves))

    def _timed(self, ask: Callable[[], Answer | None]) -> Answer | None:
        started = time.perf_counter()
        answer = ask()
        self._net_s += time.perf_counter() - started
        return answer

    # One game.

    def _begin(self, lockstep: Lockstep, g: int) -> RunningGame:
        """Start a new game in slot ``g``, perhaps from a given position or with a random opening."""
        config, plies = self._config, 0
        if config.self_play.opening_plies and self._rng.random() < OPENING_SHARE:
            plies = int(self._rng.integers(1, config.self_play.opening_plies + 1))
        if self._openings and self._rng.random() < OPENINGS_SHARE:
            opening = self._openings[int(self._rng.integers(len(self._openings)))]
        else:
            opening = random_opening(self._game, plies, self._rng).moves
        game = RunningGame(self._begun, opening, bool(self._rng.random() < config.self_play.resign_check_share))
        if config.self_play.komi_spread and self._encoding.leads and self._game.scoring is not None:
            halves = round(2 * config.self_play.komi_spread)
            game.komi = self._game.scoring.komi + 0.5 * int(self._rng.integers(-halves, halves + 1))
        self._begun += 1
        lockstep.restart(g, opening, game.komi)
        return game

    def _decided(self, game: RunningGame) -> bool:
        """Whether a side would resign but the game is played out fast instead."""
        return self._encoding.leads and not game.checked and max(game.low) >= RESIGN_TURNS

    def _without_pass(self, policy: NDArray[np.float32], best: int) -> tuple[NDArray[np.float32], int]:
        """The policy and its best move without the pass, where another move was searched."""
        others = policy.copy()
        others[self._pass] = 0.0
        total = float(others.sum())
        if not total:
            return policy, best
        return others / np.float32(total), int(others.argmax()) if best == self._pass else best

    def _accepts(self, game: RunningGame, mover: int) -> bool:
        """Whether ``mover``, who would resign, answers a pass by the pass that ends the game.

        A search never does so, as every other move loses later; such games would last as long as the rules allow."""
        if self._pass < 0:
            return False
        before = (*game.opening, *game.moves)[-1:]
        return before == (self._pass,) and self._decided(game) and game.low[mover] >= RESIGN_TURNS

    def _temperature(self, game: RunningGame) -> float:
        if self._decided(game):
            return 0.0
        return TEMPERATURE if game.ply < self._config.self_play.temperature_plies else LATE_TEMPERATURE

    def _set_targets(self, lane: _Lane, games: NDArray[np.int64]) -> None:
        """Set the next searches of ``games`` [R]."""
        config, rows = self._config, [lane.games[g] for g in games.tolist()]
        decided = [self._decided(game) for game in rows]
        full = (self._rng.random(len(rows)) < config.self_play.full_share) & ~np.array(decided)
        simulations = np.full(len(rows), config.self_play.fast_simulations)
        for r, game in enumerate(rows):
            game.full.append(bool(full[r]))
            if decided[r]:
                simulations[r] = PLAYOUT_SIMULATIONS
            elif full[r]:
                simulations[r] = config.self_play.simulations
        scales = np.array([self._temperature(game) for game in rows])
        lane.lockstep.set_targets(games, simulations, full, scales)

    def _after(self, lane: _Lane, ready: NDArray[np.int64], finished: FinishedGames) -> None:
        """Continue the games whose searches are finished."""
        if self._live is not None and self._live.due():
            self._live.write(self.live_games(self._live.most))
        if not len(ready):
            return
        finished.moves += len(ready)
        lockstep, games = lane.lockstep, [lane.games[g] for g in ready.tolist()]
        searched = lockstep.results(ready)
        if self._encoding.leads:
            for r, game in enumerate(games):
                if game.ply < NO_PASS_SHARE * self._game.num_cells:
                    searched.policy[r], searched.best[r] = self._without_pass(searched.policy[r], int(searched.best[r]))
        self._record(lockstep, ready, games, searched)
        values, proofs = searched.value.tolist(), searched.proof.tolist()
        endings = [self._ends(*figures) for figures in zip(games, values, proofs, strict=True)]
        going = np.array([r for r, ending in enumerate(endings) if ending is None], np.int64)
        if len(going):
            chosen = self._choose(searched, games, going)
            results = lockstep.play_all(ready[going], chosen)
            proved_now = lockstep.proved(ready[going]).tolist()
            for r, action, result, proved in zip(
                going.tolist(), chosen.tolist(), results.tolist(), proved_now, strict=True
            ):
                games[r].moves.append(action)
                g = int(ready[r])
                if result != ONGOING or (proved and not self._plays_on(games[r])):
                    endings[r] = self._ended(lockstep, g, games[r], result)
                elif (outcome := self._endings.finish(lockstep, g, games[r], self._should_stop)) is not None:
                    endings[r] = outcome, PLAYED
        for r, g in enumerate(ready.tolist()):
            if (ending := endings[r]) is not None:
                counted = self._count(lockstep, g) if ending[1] in (PLAYED, COUNTED) else None
                finished.add(games[r], *ending, self._net_step, counted)
                lane.games[g] = self._begin(lockstep, g)
        self._set_targets(lane, ready)

    def _record(self, lockstep: Lockstep, ready: NDArray[np.int64], games: list[RunningGame], results: Results) -> None:
        """Note the values of the searches of ``ready`` [R], and keep what a net learns from as samples."""
        learned: list[int] = []
        has_policy = np.asarray(results.policy.any(axis=1)).tolist()
        values, proofs = results.value.tolist(), results.proof.tolist()
        for r, game in enumerate(games):
            game.values.append(values[r])
            is_sample = game.full[-1] or (proofs[r] not in (UNPROVED, LOSS) and not self._decided(game))
            if is_sample and has_policy[r] and game.ply < self._last_learned:
                learned.append(r)
        if not learned:
            return
        shown, policies, priors = lockstep.inputs_of(ready[learned]), results.policy[learned], results.priors[learned]
        columns = shown.planes.astype(np.int8), policies, shown.features, priors > 0.0, surprises(policies, priors)
        for r, planes, policy, features, legal, surprise in zip(learned, *columns, strict=True):
            game = games[r]
            row = Pending(planes, policy, values[r], game.ply & 1, game.ply, features, legal, float(surprise))
            game.pending.append(row)

    def _plays_on(self, game: RunningGame) -> bool:
        """Whether a game goes on when its position is proved."""
        return game.checked or self._encoding.leads

    def _ends(self, game: RunningGame, value: float, proof: int) -> tuple[int, str] | None:
        """(Outcome for the first player, ending) where a game ends by what its search found."""
        mover = game.ply & 1
        if proof != UNPROVED and not self._plays_on(game):
            return for_first(int(exact_value(proof)), mover), PROVED_EARLY
        if self._resigns(game, mover, value):
            return for_first(-1, mover), RESIGNED
        return None

    def _choose(self, results: Results, games: list[RunningGame], going: NDArray[np.int64]) -> NDArray[np.int64]:
        """The moves to play in those games whose rows are ``going`` [R]."""
        chosen, rows = results.best[going], [games[r] for r in going.tolist()]
        if self._config.self_play.search == "puct":
            best, won = chosen.copy(), results.proof[going] == WIN
            temperatures = np.array([self._temperature(game) for game in rows])
            draw_moves(results.policy[going], best, won, temperatures, self._rng.random(len(rows)), chosen)
        for r, game in enumerate(rows):
            if self._accepts(game, game.ply & 1):
                chosen[r] = self._pass
        return chosen

    def _ended(self, lockstep: Lockstep, g: int, game: RunningGame, result: int) -> tuple[int, str]:
        """(Outcome for the first player, ending) of a game that its last move ended, or the proof of what follows."""
        if result != ONGOING:
            counted = self._game.scoring is not None and game.ply == self._game.max_plies
            return _OUTCOMES.get(result, 0), COUNTED if counted else PLAYED
        return for_first(int(exact_value(lockstep.proof(g))), game.ply & 1), PROVED_EARLY

    def _count(self, lockstep: Lockstep, g: int) -> Counted | None:
        """The final count of a game that was played to its end; None without points, or when it has no result."""
        points = self._game.scoring
        if points is None or not self._encoding.leads:
            return None
        state = lockstep.state(g)
        margin = points.margin(state)
        if dispatch.result(state) == DRAW and margin:
            return None  # drawn by repetition
        owners = points.owners(self._game.board.cells(state))
        return Counted(margin, (owners == 1).astype(np.int8) - (owners == 2))

    def _resigns(self, game: RunningGame, mover: int, value: float) -> bool:
        """Whether ``mover`` resigns; in a game that is played to its end that is only recorded."""
        below = self._config.self_play.resign_below
        low = 0.0 < below < -value
        game.low[mover] = game.low[mover] + 1 if low else 0
        if game.low[mover] < RESIGN_TURNS or not low:
            return False
        goes_on = game.checked or self._encoding.leads
        if goes_on and game.would_resign < 0:
            game.would_resign = mover
        return not goes_on

    def live_games(self, most: int) -> list[LiveGame]:
        """The first ``most`` running games, for the live display."""
        shown = [(lane.lockstep, g, game) for lane in self._lanes for g, game in enumerate(lane.games)][:most]
        return [self._live_game(*running) for running in shown]

    def _live_game(self, lockstep: Lockstep, g: int, game: RunningGame) -> LiveGame:
        value = float(lockstep.results(np.array([g])).value[0])
        words = None
        turns = max(game.low)
        if game.would_resign >= 0:
            words = Text(
                "player {player} would have resigned; played on as a check",
                player=game.would_resign + 1,
            )
        elif turns:
            words = Text(
                "player {player} below {value:g} for {turns} of {needed} turns",
                player=game.low.index(turns) + 1,
                value=-self._config.self_play.resign_below,
                turns=turns,
                needed=RESIGN_TURNS,
            )
        return LiveGame(
            id=game.number,
            start=game.opening,
            moves=tuple(game.moves),
            ply=game.ply,
            full=game.full[-1],
            temperature=self._temperature(game),
            value=None if np.isnan(value) else value,
            moves_figures=tuple(lockstep.most_visited(g, 8)),
            resign=words,
        )


def search_settings(game: GameSpec, config: TrainConfig, games: int) -> SearchSettings:
    """Search settings for self-play of ``games`` games; the memory budget is several times what full searches need, as
    far as this machine has it."""
    most = max(config.self_play.simulations, config.self_play.fast_simulations)
    node_bytes = 80 + 4 * game.num_actions
    return SearchSettings(
        selection=config.self_play.search,
        c_puct=config.self_play.c_puct,
        noise_epsilon=config.self_play.noise_epsilon if config.self_play.search == "puct" else 0.0,
        gumbel_simulations=min(most, 1 << 16),
        threat_proofs=config.self_play.threat_proofs,
        memory_mb=min(max(_LEAST_MEMORY_MB, 8 * games * most * node_bytes >> 20), machine_memory_mb()),
    )
