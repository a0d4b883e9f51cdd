"""Benchmark of searches, rules and solvers, compared with OpenSpiel and onnxruntime (``make bench``).

Both sides of a comparison are measured in one process and in turn (A B A B ...), so that other load slows both.  The
figures are medians over the rounds, a ratio is that of the medians.  Where the cache answers most positions the net has
little to do, and the ratio means little.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime as ort

from core.engine import Evaluator, Search, warm_up
from core.engine.policy import view_of
from core.games import GameSpec, Position, load_game
from core.games.encoding import Inputs
from core.games.net_inputs import inputs_of
from core.games.perft import perft
from core.glass import Snapshot
from core.search import Limit, SearchSettings
from core.solve.solver import Solver
from measure.bench_table import Table, machine_lines, ratio_cells
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.heads import heads_for
from models.netfiles.katago_metadata import USUAL
from models.netfiles.net_file import read_net_info
from models.netfiles.opened import as_onnx
from models.netfiles.recipe import for_profile
from models.netfiles.shipped import default_net
from models.netfiles.tapped import TappedNet

BATCH_SIZES: Final = (1, 8, 16)
_TAPPED_BATCH: Final = 8
_BATCH_BESIDE: Final = 8
NET_GAME: Final = "connect4"
SIZES: Final = ((2, 32), (4, 48), (8, 64))  # blocks and channels
# Our game and OpenSpiel's with the same rules.
BESIDE: Final = (
    ("tictactoe", "tic_tac_toe"),
    ("connect4", "connect_four"),
    ("othello", "othello"),
    ("go(size=9, suicide=no)", "go(board_size=9,komi=7.5)"),
    ("go(suicide=no)", "go(board_size=19,komi=7.5)"),
    ("gomoku(size=9)", "mnk(m=9,n=9,k=5)"),
    ("gomoku", "mnk(m=15,n=15,k=5)"),
    ("gomoku", "gomoku"),
    ("nim(heaps=3-4-5)", "nim(pile_sizes=3;4;5,is_misere=False)"),
)

# Game, depth, leaves of perft; a line of play that ends earlier counts once.  Sources: Othello, Egaroucid's
# bin/perft.py; Connect Four, the boards of each ply times the ways to reach them; Gomoku, 225 * 224 * 223.
PERFT: Final = (("connect4", 9, 39_452_034), ("othello", 9, 3_005_288), ("gomoku", 3, 11_239_200))

# Title, game, random moves from its start (seeds 0, 1, ...), number of positions.
SOLVED: Final = (
    ("Connect Four after 12 moves", "connect4", 12, 4),
    ("Connect Four after 16 moves", "connect4", 16, 16),
    ("4 in a row on 4×4, from the start", "connectn(rows=4, cols=4, k=4)", 0, 1),
    ("Othello after 46 moves, 14 squares empty", "othello", 46, 3),
    ("Othello 4×4, from the start", "othello(size=4)", 0, 1),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark, printing each table as soon as it is measured; the exit code: 0, or 1 on an error."""
    parser = argparse.ArgumentParser(prog="make bench ARGS=...", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement (default 1)")
    parser.add_argument("--rounds", type=int, default=3, help="of every pair of measurements (default 3)")
    parser.add_argument(
        "--net", nargs=2, action="append", default=[], metavar=("FILE", "GAME"), help="also this net; may be repeated"
    )
    parser.add_argument("--human", type=Path, metavar="FILE", help="a human net, to be asked beside those of Go")
    tables = ("rollouts", "nets", "blocks", "human", "perft", "solvers")
    parser.add_argument("--only", choices=tables, help="this table alone")
    args = parser.parse_args(argv)
    if not args.seconds > 0:
        parser.error(f"--seconds is {args.seconds:g}; it must be above 0")
    if args.rounds < 1:
        parser.error(f"--rounds is {args.rounds}; it must be at least 1")
    rounds, seconds = args.rounds, args.seconds
    machine = machine_lines()
    print("\n".join(["# How fast", "", machine[0] + "  ", machine[1] + "  "]))
    print(f"{rounds} {'round' if rounds == 1 else 'rounds'} of {seconds:g} s each, medians", flush=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            measures: dict[str, Callable[[], Table]] = {
                "rollouts": lambda: rollout_table(rounds, seconds),
                "nets": lambda: net_table(nets(Path(folder), args.net, args.only is None), rounds, seconds),
                "blocks": lambda: block_table(nets(Path(folder), args.net, args.only is None), rounds, seconds),
                "human": lambda: human_table(nets(Path(folder), args.net, False), args.human, rounds, seconds),
                "perft": lambda: perft_table(rounds, seconds),
                "solvers": lambda: solver_table(rounds),
            }
            for name, measure in measures.items():
                if args.only == name or (args.only is None and (name != "human" or args.human)):
                    print("\n".join(["", *measure().lines()]), flush=True)
    except ValueError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


def rollout_table(rounds: int, seconds: float) -> Table:
    """Compare UCT with random rollouts with OpenSpiel's, a row for each of BESIDE; ours alone without OpenSpiel."""
    note = "from the first position, one random game a simulation; simulations per second, one thread each, no proofs"
    try:
        import pyspiel
    except ImportError:
        pyspiel = None
        note += '; OpenSpiel is not installed: pip install ".[bench]"'
    rows = []
    for ours, theirs in BESIDE:
        game, other = load_game(ours), pyspiel.load_game(theirs) if pyspiel else None
        mine, its = [], []
        for _ in range(rounds):
            mine.append(rollout_rate(game, seconds))
            if pyspiel:
                its.append(_open_spiel_rate(pyspiel, other, seconds))
        beside = (f"{statistics.median(its):,.0f}", *ratio_cells(mine, its)) if its else ("-", "-", "-")
        rows.append((ours, theirs, f"{statistics.median(mine):,.0f}", *beside))
    columns = ("game", "OpenSpiel's", "ours/s", "OpenSpiel/s", "ratio", "of the rounds")
    return Table("UCT by random games beside OpenSpiel's C++ MCTSBot", columns, tuple(rows), note, words=2)


def rollout_rate(game: GameSpec, seconds: float) -> float:
    """Simulations per second of UCT with random rollouts."""
    return _simulations_per_s(_search(game, None, 1, seconds))


def _open_spiel_rate(pyspiel: Any, game: Any, seconds: float) -> float:
    """Simulations per second of OpenSpiel's UCT with one rollout per leaf, in a search of about ``seconds``."""
    simulations, spent = 100, 0.0
    while True:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 2048, False, 1, False)
        started = time.perf_counter()
        bot.mcts_search(game.new_initial_state())
        spent = time.perf_counter() - started
        if spent > seconds / 2:
            return simulations / spent
        simulations = int(simulations * min(20.0, 1.2 * seconds / max(spent, 1e-6)))


def nets(folder: Path, further: Sequence[Sequence[str]], sizes: bool = True) -> list[tuple[GameSpec, Path]]:
    """A net of each of SIZES unless there are ``further`` ones and they are not wanted, then those: (game, file).

    The shipped net where it has the size, else an untrained one, written to ``folder`` by another process so that this
    one does not load torch.
    """
    game = load_game(NET_GAME)
    shipped = default_net(game)
    config = read_net_info(shipped).config if shipped else {}
    net_files: list[tuple[GameSpec, Path]] = []
    for blocks, channels in SIZES if sizes or not further else ():
        path = folder / f"untrained-{blocks}x{channels}.onnx"
        if shipped and (config.get("blocks"), config.get("channels")) == (blocks, channels):
            path = shipped
        else:
            write_untrained(game, blocks, channels, path)
        net_files.append((game, path))
    return net_files + [(load_game(text), Path(file)) for file, text in further]


def write_untrained(game: GameSpec, blocks: int, channels: int, path: Path) -> None:
    """Write an untrained net of that size, which is as fast as a trained one."""
    command = [
        sys.executable,
        "-m",
        "models.nets.export",
        game.text,
        "--blocks",
        str(blocks),
        "--channels",
        str(channels),
    ]
    root = Path(__file__).parents[1]
    done = subprocess.run([*command, "--out", str(path)], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        printed = done.stderr.strip().splitlines() or ["it said nothing"]
        raise ValueError(f"no net of {blocks}x{channels} for {game.text} could be made: {printed[-1]}")


def net_table(files: Sequence[tuple[GameSpec, Path]], rounds: int, seconds: float) -> Table:
    """Compare search with a net with onnxruntime alone at the same mean batch; a row for each net and batch size."""
    rows = []
    for game, path in files:
        evaluator = OnnxEvaluator(path, game)
        name = f"{path.stem} on {evaluator.provider}"
        rows += [
            (game.text, name, str(batch), *net_cells(game, evaluator, batch, rounds, seconds)) for batch in BATCH_SIZES
        ]
    columns = (
        *("game", "net", "batch", "simulations/s", "cached", "mean batch", "evaluations/s"),
        *("onnxruntime alone/s", "ratio", "of the rounds"),
    )
    note = (
        "PUCT from the first position, batches up to so many leaves, no proofs; evaluations per second beside the same "
        "file and threads under onnxruntime with nothing around it; what the cache answers takes the search's time and "
        "asks no net, so the ratio is lower where more is cached (an untrained net sees more positions again)"
    )
    return Table("search with a net beside onnxruntime alone", columns, tuple(rows), note, words=2)


def net_cells(game: GameSpec, evaluator: OnnxEvaluator, batch: int, rounds: int, seconds: float) -> tuple[str, ...]:
    """The cells of a row of :func:`net_table` after the batch."""
    snapshots: list[Snapshot] = []
    alone: list[float] = []
    for _ in range(rounds):
        snapshots.append(_search(game, evaluator, batch, seconds))
        size = max(1, round(_mean_batch(snapshots[-1])))
        alone.append(size * _calls_per_s(_session_call(evaluator, game, size), seconds))
    counters = [snapshot.counters for snapshot in snapshots]
    evaluations = [c.evaluations / c.elapsed_s for c in counters]
    return (
        f"{statistics.median(map(_simulations_per_s, snapshots)):,.0f}",
        f"{statistics.median(c.cache_hits / max(1, c.simulations) for c in counters):.0%}",
        f"{statistics.median(map(_mean_batch, snapshots)):.1f}",
        f"{statistics.median(evaluations):,.0f}",
        f"{statistics.median(alone):,.0f}",
        *ratio_cells(evaluations, alone),
    )


def _search(game: GameSpec, evaluator: Evaluator | None, batch: int, seconds: float) -> Snapshot:
    """Search the first position without proofs, which could end it early, its kernels compiled before it starts."""
    selection = "ucb1" if evaluator is None else "puct"
    settings = SearchSettings(selection=selection, max_batch=batch, prove=False, memory_mb=2048)
    warm_up(game, evaluator, settings)
    search = Search(game.initial(), evaluator, settings)
    search.run(Limit(seconds=seconds))
    return search.snapshot()


def _session_call(evaluator: OnnxEvaluator, game: GameSpec, batch: int) -> Callable[[], Any]:
    """A call of onnxruntime alone on the evaluator's file, with the same provider and threads."""
    heads = heads_for(evaluator.info, game, None)
    board = inputs_of(game.initial(), evaluator.encoding)
    inputs = heads.inputs(*(np.repeat(part, batch, axis=0) for part in board))
    options = ort.SessionOptions()
    options.intra_op_num_threads = evaluator.threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    file, provider = str(as_onnx(evaluator.path)), f"{evaluator.provider}ExecutionProvider"
    session = ort.InferenceSession(file, options, providers=[provider])
    return lambda: session.run(heads.outputs, inputs)


def block_table(files: Sequence[tuple[GameSpec, Path]], rounds: int, seconds: float) -> Table:
    """Compare an evaluation that also gives the outputs of all blocks with one that does not, a row for each net."""
    rows = []
    for game, path in files:
        evaluator, tapped = OnnxEvaluator(path, game, device="cpu", threads=1), TappedNet(path, game)
        one = inputs_of(game.initial(), evaluator.encoding)
        inputs = Inputs(*(np.repeat(part, _TAPPED_BATCH, axis=0) for part in one))
        middle = len(tapped.blocks) // 2
        output = tapped.run(inputs).blocks[middle]
        rates: list[list[float]] = [[], [], []]
        for _ in range(rounds):
            rates[0].append(_calls_per_s(partial(evaluator.evaluate, *inputs), seconds))
            rates[1].append(_calls_per_s(partial(tapped.run, inputs), seconds))
            rates[2].append(_calls_per_s(partial(tapped.continue_from, middle, output, inputs), seconds))
        medians = [f"{statistics.median(part) * _TAPPED_BATCH:,.0f}" for part in rates]
        rows.append((game.text, path.stem, *medians, *ratio_cells(rates[1], rates[0])))
    columns = ("game", "net", "evaluations/s", "with blocks/s", "from the middle block/s", "ratio", "of the rounds")
    note = f"batches of {_TAPPED_BATCH}, one thread; the ratio is that of an evaluation with the outputs of all blocks"
    return Table("the outputs of a net's blocks", columns, tuple(rows), note, words=2)


def human_table(files: Sequence[tuple[GameSpec, Path]], human: Path | None, rounds: int, seconds: float) -> Table:
    """Compare what a policy of the human net beside a search takes with what a simulation takes, a row for each net."""
    if human is None or not files:
        raise ValueError("the table of human nets needs --human FILE and --net FILE GAME")
    rows = []
    for game, path in files:
        settings = SearchSettings(max_batch=_BATCH_BESIDE, prove=False, memory_mb=2048)
        search = Search(game.initial(), OnnxEvaluator(path, game), settings)
        beside = OnnxEvaluator(human, game, recipe=for_profile(USUAL), device="cpu", threads=1)
        simulations, policies = [], []
        for _ in range(rounds):
            simulations.append(_per_processor_s(partial(_search_on, search), seconds))
            policies.append(_per_processor_s(partial(_ask, beside, game.initial()), seconds))
        names = (one.name.split(".")[0] for one in (path, human))
        medians = f"{statistics.median(simulations):,.0f}", f"{statistics.median(policies):,.0f}"
        rows.append((game.text, *names, *medians, *ratio_cells(simulations, policies)))
    columns = (
        *("game", "net", "human net", "simulations", "policies of the human net", "simulations for one policy"),
        "of the rounds",
    )
    note = (
        "in a second of a processor; the window asks the human net once for each position that is shown, on a thread "
        f"of its own, and no simulation asks it; batches up to {_BATCH_BESIDE} leaves"
    )
    return Table("the human net beside a search", columns, tuple(rows), note, words=3)


def _search_on(search: Search) -> int:
    search.run(Limit(simulations=search.simulations + _BATCH_BESIDE))
    return _BATCH_BESIDE


def _ask(evaluator: Evaluator, position: Position) -> int:
    view_of(evaluator, position)
    return 1


def _per_processor_s(run: Callable[[], int], seconds: float) -> float:
    """How often in a second of a processor something is done; ``run`` does it and says how often."""
    run()
    done, started, end = 0, time.process_time(), time.perf_counter() + seconds
    while time.perf_counter() < end:
        done += run()
    return done / (time.process_time() - started)


def _calls_per_s(call: Callable[[], Any], seconds: float) -> float:
    call()
    calls, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        call()
        calls += 1
    return calls / (time.perf_counter() - started)


def _mean_batch(snapshot: Snapshot) -> float:
    return snapshot.counters.evaluations / max(1, snapshot.counters.batches)


def _simulations_per_s(snapshot: Snapshot) -> float:
    return snapshot.simulations / snapshot.counters.elapsed_s


def perft_table(rounds: int, seconds: float) -> Table:
    """Measure perft, a row for each of PERFT; ValueError when a count is wrong."""
    rows = []
    for text, depth, count in PERFT:
        position = load_game(text).initial()
        perft(position, 1)  # compiles before the clock starts
        rates = [_perft_rate(position, depth, count, seconds) for _ in range(rounds)]
        rows.append((text, str(depth), f"{count:,}", f"{statistics.median(rates) / 1e6:,.0f}"))
    columns = ("game", "depth", "lines of play, as known", "million lines/s")
    return Table("lines of play (perft), one thread", columns, tuple(rows), "every count is the known one")


def _perft_rate(position: Position, depth: int, count: int, seconds: float) -> float:
    """Lines of play per second, over repeated counts that take about ``seconds``."""
    times, started = 0, time.perf_counter()
    while True:
        lines = perft(position, depth)
        if lines != count:
            raise ValueError(f"perft of {position.game.text} to depth {depth} is {lines}; it must be {count}")
        times += 1
        spent = time.perf_counter() - started
        if spent >= seconds:
            return times * lines / spent


def solver_table(rounds: int) -> Table:
    """Measure the solvers, a row for each of SOLVED: every move of every position, each with an empty table."""
    rows = []
    for words, text, plies, number in SOLVED:
        positions = [random_position(load_game(text), plies, seed) for seed in range(number)]
        Solver(positions[0].game).solve(positions[0], seconds=0.01)  # compiles before the clock starts
        measured = [_solve_all(positions) for _ in range(rounds)]
        nodes = measured[0][0]
        spent = statistics.median(seconds for _, seconds in measured)
        rate = statistics.median(nodes / seconds for nodes, seconds in measured)
        rows.append((words, str(number), f"{nodes:,}", f"{spent / number:.3f}", f"{rate / 1e6:.2f}"))
    columns = ("position", "solved", "nodes", "s each", "million nodes/s")
    note = "the value and distance of every move; positions by random play, each solved with an empty table"
    return Table("exact answers, one thread", columns, tuple(rows), note)


def _solve_all(positions: Sequence[Position]) -> tuple[int, float]:
    """Solve all of ``positions``: (positions searched, seconds)."""
    nodes, spent = 0, 0.0
    for position in positions:
        solution = Solver(position.game).solve(position)
        if solution is None:
            raise ValueError(f"{position} was not solved")
        nodes += solution.nodes
        spent += solution.seconds
    return nodes, spent


def random_position(game: GameSpec, plies: int, seed: int) -> Position:
    """An unfinished position after ``plies`` uniformly random moves; a game that ends earlier is discarded."""
    rng = np.random.default_rng(seed)
    while True:
        position = game.initial()
        while position.ply < plies and not position.is_over:
            position = position.play(int(rng.choice(position.legal_actions())))
        if not position.is_over:
            return position


if __name__ == "__main__":
    raise SystemExit(main())
