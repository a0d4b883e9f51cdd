"""Training runs with a known fault, and sound ones, to try ``plyscope doctor`` on.

``python -m measure.sick_runs --out FOLDER`` trains small nets of two games, three seeds for each fault, and twenty
sound runs with varied settings.  Each run is a process and a folder FOLDER/runs/NUMBER; the numbers are drawn at
random, and FOLDER/key.json says which run has which fault.  The same command continues what was begun.  ``--judge``
lets the doctor look at every finished run and prints how often the fault was named; ``--strength`` lets the last net of
every sound run play against its first.

A fault is what such programs get wrong: an edit of a few words in a function of the program, made for the one process,
or an unfortunate setting.  Kernels compiled from edited functions are kept in a folder of their own.
"""

import argparse
import ast
import hashlib
import importlib
import inspect
import json
import os
import random
import statistics
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final, NamedTuple

from core import _kernel_files
from core.files.atomic import write_atomically
from core.files.reading import read_json
from core.games import load_game
from core.text import text_of
from measure.bench_table import Table
from models.netfiles.evaluator import OnnxEvaluator
from models.runs.config import TrainConfig
from models.runs.folder import REPORTS, kept_nets
from models.runs.reports import read_reports
from models.strength.match import NetSide, play_match
from models.strength.rating import wilson_interval

SOUND: Final = "sound"
GAMES: Final = ("connect4", "connectn(rows=5, cols=5, k=4)")
SETTINGS: Final[Mapping[str, Any]] = {  # of every run
    "net.blocks": 2,
    "net.channels": 16,
    "self_play.games": 64,
    "self_play.samples_per_iteration": 1024,
    "self_play.simulations": 60,
    "self_play.fast_simulations": 16,
    "self_play.full_share": 0.25,  # so few samples of each game that the values are not learned by heart
    "self_play.temperature_plies": 10,
    "self_play.opening_plies": 4,
    "self_play.evaluator": "onnxruntime",
    "learning.replay_positions": 20_000,
    "learning.train_ratio": 3.0,
    "learning.batch_size": 128,
    "learning.rate": 3e-3,
    "learning.weight_decay": 0.05,
    "learning.ema_samples": 4096,
    "learning.carry_steps": False,  # the steps do not depend on the clock
    "strength.checkpoint_minutes": 0.01,  # a net is kept before each iteration
    "strength.ladder_games": 0,
    "strength.exam_positions": 0,
    "run.iterations": 14,
    "run.threads": 1,
    "run.device": "cpu",
}
MATCH_GAMES: Final = 40
MATCH_SIMULATIONS: Final = 40
_KEY: Final = "key.json"
_MOST_BYTES: Final = 1 << 20  # of the key


class Edit(NamedTuple):
    """The replacement of ``old``, which stands there once, by ``new`` in the source of a function.

    function: module and qualified name with a colon between them.
    """

    function: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a training run: edits of the program, settings, or both."""

    name: str
    edits: tuple[Edit, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)


_ADD: Final = "models.play.games:FinishedGames.add"
_RESULTS: Final = "self._results.extend(for_first(outcome, row.mover) for row in game.pending)"
_RECORD: Final = "models.play.selfplay:SelfPlay._record"
_COLUMNS: Final = "columns = shown.planes.astype(np.int8), policies, shown.features"
_DRAW: Final = "models.play.replay:Replay.draw"
# As in programs without proofs, where values alone decide.
_UNPROVED: Final = Edit(
    "models.play.selfplay:search_settings", "return SearchSettings(", "return SearchSettings(prove=False, "
)

FAULTS: Final = (
    # What the value learns.
    Fault(
        "z: the wrong sign",  # Narsil/alphagozero, issue 4
        (Edit(_ADD, _RESULTS, _RESULTS.replace("for_first(outcome", "for_first(-outcome")),),
    ),
    Fault(
        "z: the first player's for both",  # google-deepmind/open_spiel, pull request 1396: returns of the wrong player
        (Edit(_ADD, _RESULTS, _RESULTS.replace("for_first(outcome, row.mover)", "outcome")),),
    ),
    Fault(
        "z: of the game before",  # Akababa/Chess-Zero, issue 1: "always validate input data"
        (
            Edit(
                _ADD,
                _RESULTS,
                'before, FinishedGames.before = getattr(FinishedGames, "before", outcome), outcome; '
                + _RESULTS.replace("outcome", "before"),
            ),
        ),
    ),
    # What the policy learns.
    Fault(
        "pi: mirrored",  # MyEncyclopedia/ConnectNGym: priors joined with the wrong moves
        (Edit(_RECORD, _COLUMNS, _COLUMNS.replace("policies", "policies[:, self._game.symmetries[1]]")),),
    ),
    Fault(
        "pi: of the ply before",  # the same, by time instead of place
        (
            Edit(
                _RECORD,
                "game.values.append(values[r])",
                "game.values.append(values[r]); now = results.policy[r].copy(); "
                'game.before = getattr(game, "now", now); game.now = now',
            ),
            Edit(
                _RECORD,
                "game = games[r]",
                "game = games[r]; left = game.before * legal; policy = left / left.sum() if left.any() else policy",
            ),
        ),
    ),
    Fault(
        "pi: the net's prior",  # suragnair/alpha-zero-general, issue 199: the search was at fault, no new net won
        (Edit(_RECORD, _COLUMNS, _COLUMNS.replace("policies", "priors")),),
    ),
    # What the net is shown.
    Fault(
        "planes: the opponent's is empty",  # glinscott/leela-chess, issue 558: an input plane was all wrong
        (
            Edit(
                "core.engine.lockstep:Lockstep.collect",
                "self.game.board.check()",
                "self.game.board.check(); self._work.planes[: self._waiting, 1] = 0.0",
            ),
            Edit(
                "core.engine.lockstep:Lockstep.inputs_of", "return inputs", "inputs.planes[:, 1] = 0.0; return inputs"
            ),
        ),
    ),
    Fault(
        "planes: both sides exchanged in learning",  # leela-chess, pull request 231; ConnectNGym: black in plane 0
        (Edit(_RECORD, _COLUMNS, _COLUMNS.replace("shown.planes", "shown.planes[:, [1, 0, 2, 3]]")),),
    ),
    Fault(
        "symmetry: of the planes alone",  # suragnair/alpha-zero-general, issue 69: Connect Four's pi was not mirrored
        (
            Edit(_DRAW, "np.take_along_axis(self._policy[rows], actions, axis=1)", "self._policy[rows]"),
            Edit(_DRAW, "np.take_along_axis(self._legal[rows], actions, axis=1)", "self._legal[rows]"),
        ),
    ),
    # The search.
    Fault(
        "search: the sign does not change",  # muzero-general, issue 55; CoursIA, pull request 7827
        (
            Edit("core.search.backup:add_to_path", "v = value", "v = -value"),
            Edit("core.search.backup:add_to_path", "v = -v\n", "v = v\n"),
            _UNPROVED,
        ),
    ),
    Fault(
        "search: a finished game is the loser's",  # ConnectNGym: always by the root's player
        (
            Edit("core.search.descent:settle_terminal", "elif result == mover + 1", "elif result != mover + 1"),
            _UNPROVED,
        ),
    ),
    Fault("search: no noise", settings={"self_play.noise_epsilon": 0.0}),  # alpha-zero-general, issues 59 and 175
    Fault(
        "search: noise alone",  # ConnectNGym: mixed into the move that is played
        (
            Edit(
                "models.play.selfplay:search_settings",
                'config.self_play.noise_epsilon if config.self_play.search == "puct" else 0.0',
                "1.0",
            ),
            Edit("models.play.selfplay:SelfPlay.__init__", "prune=config.self_play.noise_epsilon > 0.0", "prune=False"),
        ),
    ),
    Fault(
        "search: three simulations", settings={"self_play.simulations": 3, "self_play.fast_simulations": 2}
    ),  # alpha-zero-general, issue 87
    # The games.
    Fault(
        "games: always the best move",  # leela-zero, issue 20: without a temperature all games are the same
        (
            Edit(
                "models.play.selfplay:SelfPlay._temperature",
                "return TEMPERATURE if game.ply < self._config.self_play.temperature_plies else LATE_TEMPERATURE",
                "return 0.0",
            ),
        ),
        {"self_play.opening_plies": 0},
    ),
    Fault(
        "games: resigned far too early",  # glinscott/leela-chess, issues 112 and 429; leela-zero, issue 135
        settings={"self_play.resign_below": 0.05},
    ),
    # Learning.
    Fault("learning: the rate is 0.3", settings={"learning.rate": 0.3}),  # leela-zero, issue 591: how to set it
    Fault(
        "learning: the rate is 1e-7", settings={"learning.rate": 1e-7}
    ),  # DeepReinforcementLearning, issue 32: down to 1e-5, no better
    Fault(
        "learning: the optimizer has another net",  # opendilab/LightZero, issue 169: it learns nothing
        (
            Edit(
                "models.training.learning:Learner.__init__",
                "make_optimizer(self.net, config.learning)",
                "make_optimizer(PolicyValueNet.for_game(game, config.net_config()), config.learning)",
            ),
        ),
    ),
    Fault(
        "learning: no loss of the value",  # hijkzzz/alpha-zero-gomoku, issue 12: it does not fall
        (Edit("models.training.learning:losses", "total = policy + value", "total = policy"),),
    ),
    Fault(
        "learning: the last 200 positions forty times",  # leela-zero, issue 1197: small windows are learned by heart
        settings={"learning.replay_positions": 200, "learning.train_ratio": 40.0},
    ),
    Fault(
        "learning: the first net plays and is kept",  # alpha-zero-general, issue 199: every new net is rejected
        (
            Edit(
                "models.training.learning:Learner.take_step",
                "update_average(self.average, self.net, average_decay(self.settings, self.step))",
                "pass",
            ),
        ),
    ),
)

BY_NAME: Final = {fault.name: fault for fault in (Fault(SOUND), *FAULTS)}

# The kinds of the doctor's findings that name each fault.
NAMED_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "z: the wrong sign": ("result sign", "net sign"),
    "z: the first player's for both": ("result owner", "net owner"),
    "z: of the game before": ("result wrong",),
    "pi: mirrored": ("policy illegal", "policy board"),
    "pi: of the ply before": ("policy other",),
    "pi: the net's prior": ("nothing to learn", "search flat"),
    "planes: the opponent's is empty": ("planes", "constant planes"),
    "planes: both sides exchanged in learning": ("planes",),
    "symmetry: of the planes alone": ("net symmetry",),
    "search: the sign does not change": ("search sign", "search owner", "search worse"),
    "search: a finished game is the loser's": ("search blind", "search sign", "search owner", "search worse"),
    "search: no noise": ("noise off",),
    "search: noise alone": ("noise drowns", "nothing to learn"),
    "search: three simulations": ("search budget",),
    "games: always the best move": ("never sampled", "games alike"),
    "games: resigned far too early": ("resignations",),
    "learning: the rate is 0.3": ("rate high", "unstable"),
    "learning: the rate is 1e-7": ("rate low", "weights"),
    "learning: the optimizer has another net": ("weights",),
    "learning: no loss of the value": ("value constant", "value unlearned"),
    "learning: the last 200 positions forty times": ("replay young", "overfitted"),
    "learning: the first net plays and is kept": ("weights",),
}

# Sensible settings, of which every run has one set: no two runs are told apart by them.
VARIANTS: Final[tuple[Mapping[str, Any], ...]] = (
    {},
    {"learning.rate": 2e-3, "learning.batch_size": 64},
    {"self_play.c_puct": 2.2, "self_play.temperature_plies": 16},
    {"self_play.simulations": 90, "self_play.full_share": 0.2},
    {"learning.rate": 6e-3, "learning.batch_size": 256, "learning.ema_samples": 8192},
    {"net.blocks": 1, "net.channels": 24, "learning.weight_decay": 0.02},
    {"self_play.c_puct": 1.1, "self_play.noise_epsilon": 0.35, "self_play.opening_plies": 6},
    {"self_play.full_share": 0.35, "self_play.simulations": 45, "learning.train_ratio": 2.0},
    {"learning.replay_positions": 12_000, "learning.train_ratio": 2.5},
    {"self_play.games": 32, "self_play.noise_epsilon": 0.15, "self_play.fast_simulations": 30},
)
# What further differs among the sound runs, by variant.
ALONE: Final[Mapping[int, Mapping[str, Any]]] = {
    1: {"learning.root_value_share": 0.3},
    3: {"self_play.search": "gumbel"},
    5: {"learning.surprise_share": 0.5},
    7: {"self_play.threat_proofs": True},
    8: {"self_play.resign_below": 0.9},
}


class SickRun(NamedTuple):
    """One run: its number, which is its folder and its seed, its fault, its game, its place among those alike from 0 on
    and the number of its variant."""

    number: int
    fault: str
    game: str
    turn: int
    variant: int

    def folder(self, out: Path) -> Path:
        return out / "runs" / str(self.number)

    def config(self) -> TrainConfig:
        """All settings of the run."""
        alone = ALONE.get(self.variant, {}) if self.fault == SOUND else {}
        changes = {**SETTINGS, **VARIANTS[self.variant], **alone, **BY_NAME[self.fault].settings}
        return TrainConfig.from_dict({**changes, "game": self.game, "run.seed": self.number})


def planned(seeds: int) -> Iterator[tuple[str, str, int, int]]:
    """(fault, game, turn, variant) of all runs: ``seeds`` of each fault, and every variant once sound, on each game."""
    for g, game in enumerate(GAMES):
        for f, fault in enumerate(FAULTS):
            for turn in range(seeds):
                yield fault.name, game, turn, (3 * f + 5 * g + turn) % len(VARIANTS)
        for variant in range(len(VARIANTS)):
            yield SOUND, game, variant % 3, variant


def key_of(out: Path, seeds: int) -> list[SickRun]:
    """The runs of FOLDER/key.json, in the order in which they are to be trained; those that are missing there are given
    numbers and added.  OSError or ValueError when the file cannot be read or written."""
    path = out / _KEY
    runs = [SickRun(*row) for row in read_json(path, _MOST_BYTES)] if path.exists() else []
    known, free = {run[1:] for run in runs}, list(set(range(1000, 10_000)) - {run.number for run in runs})
    random.SystemRandom().shuffle(free)
    runs += [SickRun(free.pop(), *plan) for plan in planned(seeds) if plan not in known]
    out.mkdir(parents=True, exist_ok=True)
    write_atomically(path, json.dumps(runs, indent=1).encode())
    return sorted(runs, key=lambda run: (run.turn, run.number))


# One run, in a process of its own.


def _edited(source: str, edits: Iterable[Edit]) -> str:
    for edit in edits:
        if source.count(edit.old) != 1:
            raise ValueError(f"{edit.function} does not hold {edit.old!r} once")
        source = source.replace(edit.old, edit.new)
    return source


def _function(name: str) -> FunctionType:
    module, _, path = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    return inspect.unwrap(found)  # type: ignore[no-any-return]


def _compiled(function: FunctionType, edits: Iterable[Edit]) -> CodeType:
    """The code of ``function`` with ``edits`` in its source."""
    tree = ast.parse(_edited(textwrap.dedent(inspect.getsource(function)), edits))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list.clear()
    made: dict[str, Any] = {}
    exec(compile(tree, function.__code__.co_filename, "exec"), dict(function.__globals__), made)
    return made[function.__name__].__code__  # type: ignore[no-any-return]


@contextmanager
def put_in(edits: Sequence[Edit]) -> Iterator[None]:
    """Context in which the program has ``edits``.  What is compiled to kernels must not have been called before, nor be
    called afterwards in this process.  ValueError when an edit does not fit the program."""
    names = list(dict.fromkeys(edit.function for edit in edits))
    functions = {name: _function(name) for name in names}
    codes = {name: functions[name].__code__ for name in names}
    new = {name: _compiled(functions[name], [edit for edit in edits if edit.function == name]) for name in names}
    try:
        for name, code in new.items():
            functions[name].__code__ = code
        yield
    finally:
        for name, code in codes.items():
            functions[name].__code__ = code


def _train(out: Path, run: SickRun) -> None:
    """Train a run, or continue it; an error that ends it is part of its reports."""
    edits = BY_NAME[run.fault].edits
    if any(edit.function.startswith("core.search.") for edit in edits):
        names = sorted(f"{edit.function} {edit.new}" for edit in edits)
        kernels = out / "kernels" / hashlib.sha256("\n".join(names).encode()).hexdigest()[:12]
        os.environ[_kernel_files.BUILD_FOLDER] = str(kernels)
        _kernel_files.shipped = _kernel_files.compiled_here
    with put_in(edits):
        from models.training.run import train

        try:
            train(run.config(), run.folder(out), resume=True)
        except ValueError as error:
            print(f"{run.number}: {text_of(error)}", flush=True)


def is_finished(folder: Path) -> bool:
    """Whether the run in ``folder`` came to its end, or to an error."""
    reports = read_reports(folder / REPORTS)
    return bool(reports) and (
        reports[-1]["event"] == "error" or reports[-1].get("reason") in ("iterations done", "evaluations done")
    )


# All runs.


def train_all(out: Path, runs: Sequence[SickRun], seeds: int, jobs: int) -> int:
    """Train those that are not finished, ``jobs`` at once, each in a process; returns how many did not finish."""
    left = [run for run in runs if not is_finished(run.folder(out))]
    print(f"{len(runs) - len(left)} of {len(runs)} runs are finished", flush=True)
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}

    def train(run: SickRun) -> bool:
        begun = time.monotonic()
        command = [sys.executable, "-m", "measure.sick_runs", "--out", str(out), "--seeds", str(seeds)]
        command += ["--train", str(run.number)]
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=False)
        finished = is_finished(run.folder(out))
        how = "" if finished else f", which did not finish (exit code {done.returncode})"
        print(f"{time.strftime('%H:%M:%S')} run {run.number}: {time.monotonic() - begun:.0f} s{how}", flush=True)
        return finished

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(train, left)).count(False)


def strength_of(out: Path, run: SickRun) -> tuple[float, tuple[float, float]]:
    """The score of the last net of a run against its first, and its 95 % interval."""
    game, nets = load_game(run.game), kept_nets(run.folder(out))
    last, first = (
        NetSide(game, OnnxEvaluator(path, game, device="cpu", threads=1), 1, MATCH_SIMULATIONS)
        for path in (nets[-1][1], nets[0][1])
    )
    result = play_match(game, last, first, MATCH_GAMES, opening_plies=2, seed=run.number)
    return result.score, result.score_interval


def strength_table(out: Path, runs: Iterable[SickRun]) -> Table:
    """How much better the last net of each run is than its first."""
    rows = []
    for run in runs:
        score, (low, high) = strength_of(out, run)
        rows.append((run.fault, run.game, str(run.variant), f"{score:.0%}", f"{low:.0%} to {high:.0%}"))
    note = f"score of {MATCH_GAMES} games at {MATCH_SIMULATIONS} simulations a move, 95 % interval"
    return Table(
        "the last net of each run against its first", ("fault", "game", "variant", "score", "of"), tuple(rows), note
    )


class Verdict(NamedTuple):
    """What the doctor says of one run.

    kinds: of its findings, the surest first.  rank: of the first that names the fault, from 0 on; -1: none does.
    since: the iteration from which on that is seen; 0: unknown.
    """

    kinds: tuple[str, ...]
    rank: int
    since: int


def verdict(findings: Sequence[Mapping[str, Any]], fault: str) -> Verdict:
    """What ``findings``, as the doctor prints them as JSON, say of a run with the fault of this name."""
    kinds = tuple(str(finding["kind"]) for finding in findings)
    rank = next((rank for rank, kind in enumerate(kinds) if kind in NAMED_BY.get(fault, ())), -1)
    return Verdict(kinds, rank, int(findings[rank].get("since") or 0) if rank >= 0 else 0)


def judged(out: Path, runs: Sequence[SickRun], jobs: int) -> dict[SickRun, Verdict]:
    """What the doctor says of each of ``runs``, ``jobs`` at once, printed as it comes.  RuntimeError when it fails."""

    def ask(run: SickRun) -> Verdict:
        folder = run.folder(out)
        command = [sys.executable, "-m", "gui.app", "doctor", str(folder), "--json"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):  # 1: something is found
            raise RuntimeError(
                f"the doctor failed at {folder}: {(done.stderr.strip().splitlines() or ['no word'])[-1]}"
            )
        said = verdict(json.loads(done.stdout)["findings"], run.fault)
        print(f"run {run.number}, {run.fault}, {run.game}: {', '.join(said.kinds) or 'nothing'}", flush=True)
        return said

    with ThreadPoolExecutor(jobs) as pool:
        return dict(zip(runs, pool.map(ask, runs), strict=True))


def _share(part: int, of: int) -> str:
    low, high = wilson_interval(part / of if of else 0.0, of)
    return f"{part} of {of}, {part / max(1, of):.1%} ({low:.1%} to {high:.1%})"


def judgement(verdicts: Mapping[SickRun, Verdict]) -> list[str]:
    """The lines of the tables: how often each fault was named, and what was said of sound runs."""
    rows, alarms = [], []
    for fault in FAULTS:
        said = [found for run, found in verdicts.items() if run.fault == fault.name]
        since = [found.since for found in said if found.rank >= 0 and found.since]
        others = Counter(found.kinds[0] if found.kinds else "nothing" for found in said if found.rank != 0)
        counts = (sum(found.rank == 0 for found in said), sum(0 <= found.rank < 3 for found in said))
        lost = sum(found.rank < 0 for found in said)
        seen = f"{statistics.median(since):g}" if since else "-"
        wrong = ", ".join(f"{kind} {count}" for kind, count in others.most_common())
        rows.append((fault.name, *map(str, (len(said), *counts, lost)), seen, wrong))
    for run, found in verdicts.items():
        if run.fault == SOUND:
            alarms.append((run.game, str(run.variant), str(run.number), ", ".join(found.kinds) or "-"))
    sick = [found for run, found in verdicts.items() if run.fault != SOUND]
    columns = ("fault", "runs", "first", "of three", "not named", "since", "first instead")
    note = "first: its first finding names the fault; of three: one of its first three; since: the median iteration"
    tables = (
        Table("runs with a fault", columns, tuple(rows), note),
        Table("sound runs", ("game", "variant", "run", "alarms"), tuple(alarms)),
    )
    return [
        *(line for table in tables for line in (*table.lines(), "")),
        f"named first: {_share(sum(found.rank == 0 for found in sick), len(sick))}",
        f"among the first three: {_share(sum(0 <= found.rank < 3 for found in sick), len(sick))}",
        f"alarms on sound runs: {_share(sum(alarm[-1] != '-' for alarm in alarms), len(alarms))}",
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Train what is missing, or look at what is finished; 1 if a run did not finish."""
    parser = argparse.ArgumentParser(prog="python -m measure.sick_runs", description=__doc__)
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER")
    parser.add_argument("--only", nargs="+", choices=list(BY_NAME), metavar="FAULT", help=f"{'; '.join(BY_NAME)}")
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="runs of each fault and game")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="runs at once")
    parser.add_argument("--judge", action="store_true", help="let the doctor look at the finished runs")
    parser.add_argument(
        "--strength", action="store_true", help="matches of the finished runs' last nets and first ones"
    )
    parser.add_argument("--train", type=int, metavar="NUMBER", help="this run alone, in this process")
    args = parser.parse_args(argv)
    runs = [run for run in key_of(args.out, args.seeds) if args.only is None or run.fault in args.only]
    if args.train is not None:
        _train(args.out, next(run for run in runs if run.number == args.train))
        return 0
    if args.strength or args.judge:
        finished = [run for run in runs if is_finished(run.folder(args.out))]
        if args.judge:
            print("\n".join(judgement(judged(args.out, finished, args.jobs))))
        else:
            print("\n".join(strength_table(args.out, finished).lines()))
        return 0
    return int(train_all(args.out, runs, args.seeds, args.jobs) > 0)


if __name__ == "__main__":
    raise SystemExit(main())
