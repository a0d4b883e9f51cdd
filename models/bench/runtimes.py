"""Benchmark of the runtimes that can evaluate a net: rates, answers, searches (``make bench-runtimes``).  Knows no
torch.

The runtimes are measured in one process and in turn (A B A B ...), so that other load slows all.  Figures are medians
over the rounds.  Ratios by the processor's time leave out what other programs take; with one thread they are the ones
to read on a busy machine.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from core.engine import Search, warm_up
from core.engine.evaluator import CPU_BATCHES, ask
from core.games import GameSpec, load_game
from core.search import Limit, SearchSettings
from models.bench.table import Table, machine_lines, ratio_cells
from models.netfiles.agreement import Agreement, Play, compare
from models.netfiles.evaluator import BadNet, OnnxEvaluator, default_net
from models.netfiles.runtimes import AUTO, ORT, RUNTIMES, TITLES, missing_runtime

GAMES: Final = ("connect4", "gomoku")
BATCHES: Final = (8, 64)
LEAST_GOOD: Final = 0.99  # of positions with the same best move, or one as good

_PLAYED: Final = 10  # games at once, for positions


class Cost(NamedTuple):
    """What one measurement took, in seconds for each position or simulation."""

    wall: float
    cpu: float


class Subject(NamedTuple):
    """A net with the evaluators that can be had of it, and why others cannot."""

    name: str
    game: GameSpec
    evaluators: Mapping[str, OnnxEvaluator]  # by runtime, onnxruntime first
    refused: Mapping[str, str]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit code: 1 when answers differ too much or on an error, else 0."""
    parser = argparse.ArgumentParser(prog="make bench-runtimes ARGS=...", description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each measurement (default 0.5)")
    parser.add_argument("--rounds", type=int, default=5, help="of all measurements (default 5)")
    parser.add_argument("--net", nargs=2, action="append", metavar=("FILE", "GAME"), help="this net; may be repeated")
    parser.add_argument("--threads", type=int, default=1, help="of each runtime (default 1)")
    parser.add_argument("--check", type=int, default=0, metavar="N", help="only compare answers on N positions")
    parser.add_argument("--markdown", action="store_true", help="print a Markdown page instead of text")
    args = parser.parse_args(argv)
    if not args.seconds > 0 or args.rounds < 1 or args.check < 0:
        parser.error("--seconds must be above 0, --rounds at least 1 and --check no less than 0")
    print("\n".join(machine_lines()))
    differ = False
    try:
        for subject in subjects(args.net or [], args.threads):
            if args.check:
                found = agreements(subject, args.check)
                differ |= any(one.good_best < LEAST_GOOD for one in found.values())
                tables = [answer_table(subject, found)]
            else:
                tables = [rate_table(subject, args.rounds, args.seconds)]
                tables.append(search_table(subject, args.rounds, args.seconds))
            for table in tables:
                print("\n".join(["", *table.lines(markdown=args.markdown)]), flush=True)
    except ValueError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return int(differ)


def subjects(given: Sequence[Sequence[str]], threads: int) -> list[Subject]:
    """The nets ``given`` as (file, game), by default shipped ones."""
    named = [(Path(file), load_game(text)) for file, text in given]
    if not named:
        shipped = [(default_net(game), game) for game in map(load_game, GAMES)]
        named = [(path, game) for path, game in shipped if path is not None]
    return [_subject(path, game, threads) for path, game in named]


def _subject(path: Path, game: GameSpec, threads: int) -> Subject:
    evaluators, refused = {}, {}
    for name in RUNTIMES:
        if name == AUTO or (reason := missing_runtime(name)):
            if name != AUTO:
                refused[name] = reason
            continue
        device = "auto" if name in ("directml", "coreml") else "cpu"
        try:
            evaluators[name] = OnnxEvaluator(path, game, device=device, threads=threads, runtime=name)
        except BadNet as error:
            if name == ORT:
                raise
            refused[name] = str(error)
    return Subject(path.name.split(".")[0][:24], game, evaluators, refused)


def rate_table(subject: Subject, rounds: int, seconds: float) -> Table:
    """Positions per second of each runtime, a row for each batch size and runtime."""
    rows = []
    for batch in BATCHES:
        play = Play(subject.game, next(iter(subject.evaluators.values())).encoding, batch, np.random.default_rng(0))
        inputs = play.asked().inputs

        def cost(evaluator: OnnxEvaluator, inputs: tuple[np.ndarray, ...] = inputs, batch: int = batch) -> Cost:
            return _cost(lambda: evaluator.evaluate(*inputs), batch, seconds)

        rows += _rows(subject, rounds, cost, str(batch))
    columns = ("runtime", "batch", "positions/s", "ratio", "of the rounds", "by processor time")
    return Table(f"{subject.name}, {subject.game.text}: evaluations", columns, tuple(rows), _note(subject))


def search_table(subject: Subject, rounds: int, seconds: float) -> Table:
    """Simulations per second of a search from the first position with each runtime."""
    settings = SearchSettings(prove=False)

    def cost(evaluator: OnnxEvaluator) -> Cost:
        warm_up(subject.game, evaluator, settings)
        search = Search(subject.game.initial(), evaluator, settings)
        cpu = time.process_time()
        search.run(Limit(seconds=seconds))
        counters = search.snapshot().counters
        cpu = time.process_time() - cpu
        return Cost(counters.elapsed_s / counters.simulations, cpu / counters.simulations)

    columns = ("runtime", "batch", "simulations/s", "ratio", "of the rounds", "by processor time")
    rows = _rows(subject, rounds, cost, f"to {CPU_BATCHES[0]}")
    return Table(f"{subject.name}, {subject.game.text}: search", columns, tuple(rows), "PUCT, no proofs")


def _rows(subject: Subject, rounds: int, cost: Callable[[OnnxEvaluator], Cost], batch: str) -> list[tuple[str, ...]]:
    costs: dict[str, list[Cost]] = {name: [] for name in subject.evaluators}
    for number in range(rounds):
        for name, evaluator in list(subject.evaluators.items())[:: -1 if number % 2 else 1]:
            costs[name].append(cost(evaluator))
    wall = {name: [1.0 / one.wall for one in found] for name, found in costs.items()}
    cpu = {name: [1.0 / max(one.cpu, 1e-9) for one in found] for name, found in costs.items()}
    return [
        (
            TITLES[name],
            batch,
            f"{statistics.median(wall[name]):,.0f}",
            *ratio_cells(wall[name], wall[ORT]),
            ratio_cells(cpu[name], cpu[ORT])[0],
        )
        for name in subject.evaluators
    ]


def _cost(call: Callable[[], object], positions: int, seconds: float) -> Cost:
    call()
    calls, wall, cpu = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - wall < seconds:
        call()
        calls += 1
    done = positions * calls
    return Cost((time.perf_counter() - wall) / done, (time.process_time() - cpu) / done)


def agreements(subject: Subject, positions: int) -> dict[str, Agreement]:
    """Compare the answers of each runtime with onnxruntime's on positions of play."""
    reference = subject.evaluators[ORT]
    play = Play(subject.game, reference.encoding, _PLAYED, np.random.default_rng(1))
    legal: list[np.ndarray] = []
    answers: dict[str, list[Sequence[np.ndarray]]] = {name: [] for name in subject.evaluators}
    while len(legal) * _PLAYED < positions:
        asked = play.asked()
        legal.append(asked.legal)
        for name, evaluator in subject.evaluators.items():
            answers[name].append(ask(evaluator, asked.inputs, subject.game.num_actions)[:2])
        play.advance(answers[ORT][-1][0])
    together = {name: [np.concatenate(part) for part in zip(*found, strict=True)] for name, found in answers.items()}
    shown = np.concatenate(legal)
    found = {name: compare(together[ORT], one, shown) for name, one in together.items() if name != ORT}
    return {name: one for name, one in found.items() if one is not None}


def answer_table(subject: Subject, found: Mapping[str, Agreement]) -> Table:
    """The agreement of each runtime, a row each."""
    rows = [
        (
            TITLES[name],
            str(one.positions),
            f"{one.same_best:.1%}",
            f"{one.good_best:.1%}",
            f"{one.mean_kl:.5f}",
            f"{one.mean_dv:.4f}",
            f"{one.max_dv:.3f}",
        )
        for name, one in found.items()
    ]
    columns = ("runtime", "positions", "same best move", "or as good", "KL", "value off by", "at most")
    note = f"beside onnxruntime in float32; as good: within 0.01 of its probability; {LEAST_GOOD:.0%} are needed"
    return Table(f"{subject.name}, {subject.game.text}: answers", columns, tuple(rows), note)


def _note(subject: Subject) -> str:
    return "; ".join(f"{TITLES[name]}: {reason}" for name, reason in subject.refused.items())


if __name__ == "__main__":
    raise SystemExit(main())
