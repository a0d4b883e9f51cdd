"""The commands for trained nets: ``plyscope selfplay``, ``eval`` and ``elo``.  Loads no torch."""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.games import GameSpec, load_game
from core.rng import check_seed
from models.commands.analyze import INTERRUPTED, add_device, interruptible
from models.commands.training import take_options
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.opened import net_info, usual_game
from models.play.games import PlayStats
from models.play.replay import save_shard
from models.play.samples import PLAYED, GameTrace
from models.play.selfplay import SelfPlay
from models.runs.config import (
    TrainConfig,
    join_problems,
    problems,
    read_settings,
    usable,
)
from models.runs.folder import RUN_TOML, check_writable
from models.runs.presets import PRESETS, preset_values
from models.strength.exams import exams_for, read_exams, run_exams
from models.strength.ladder import Ladder
from models.strength.rating import Ratings, wilson_interval


def add_trained_nets(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the three commands and their options."""
    _add_selfplay(commands)
    _add_eval(commands)
    _add_elo(commands)


# selfplay


def _add_selfplay(commands: "argparse._SubParsersAction[Any]") -> None:
    parser = commands.add_parser(
        "selfplay",
        help="let a net play against itself as in training",
        description="Play games as a training run does, with its noise, temperatures and openings.  With --out they "
        "are written as shards of training positions, else each is printed with its result.",
    )
    parser.add_argument("net", type=Path, metavar="NET", help="a net file")
    parser.add_argument("--game", metavar="GAME", help="default: the game the net says it is for")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="at least N games (default 100)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write shards there, after those it holds")
    parser.add_argument("--preset", default="small", metavar="NAME", help=f"{', '.join(PRESETS)} (default small)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of self-play")
    add_device(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of every random choice (default 0)")
    parser.set_defaults(run=_selfplay)


def _selfplay(args: argparse.Namespace) -> int:
    check_seed(args.seed)
    game = game_of(args.net, args.game)
    values = preset_values(args.preset, game.text)
    wrong: list[str] = []
    take_options(args.set, values, wrong)
    if args.games < 1:
        wrong.append(f"games is {args.games}; it must be a whole number from 1")
    if wrong := [*wrong, *problems(values).values()]:
        raise ValueError(join_problems(wrong))
    config = TrainConfig.from_dict(values)
    if args.out is not None:
        check_writable(args.out)
    evaluator = OnnxEvaluator(args.net, game, device=args.device, runtime=args.runtime)
    player = SelfPlay(game, evaluator, config, min(config.self_play.games, args.games), args.seed)
    shard = (
        max((int(path.stem) for path in args.out.glob("*.npz") if path.stem.isdigit()), default=0) if args.out else 0
    )
    total = PlayStats()
    with interruptible() as came:
        while total.games < args.games and not came:
            samples, stats = player.play(evaluator, args.games, lambda: bool(came), evaluator.info.step or 0)
            total += stats
            if args.out is None:
                for trace in samples.traces:
                    print(_game_line(game, trace), flush=True)
            elif len(samples):
                shard += 1
                save_shard(args.out, shard, samples)
    print(
        f"{total.games} games, {total.moves} moves, {total.evaluations} evaluations in {total.play_s:.1f} s: "
        f"{total.moves / max(total.play_s, 1e-9):.0f} moves/s",
        file=sys.stderr,
    )
    return INTERRUPTED if came else 0


def _game_line(game: GameSpec, trace: GameTrace) -> str:
    result = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[trace.outcome]
    moves = " ".join(game.action_name(action) for action in (*trace.opening, *trace.moves))
    return f"{result:<8}{moves}" + (f"  ({trace.ending})" if trace.ending != PLAYED else "")


# eval


def _add_eval(commands: "argparse._SubParsersAction[Any]") -> None:
    parser = commands.add_parser(
        "eval",
        help="accuracy of a net on solved positions",
        description="Test a net on solved positions: whether the most probable move of its policy keeps the value of "
        "the position, whether its value has the right sign, and with --simulations, whether the move chosen by a "
        "search keeps it.",
    )
    parser.add_argument("net", type=Path, metavar="NET", help="a net file")
    parser.add_argument("--game", metavar="GAME", help="default: the game the net says it is for")
    parser.add_argument(
        "--exam", type=Path, metavar="FILE",
        help="the exams of a table made by “python -m models.strength.exam_tables” (default: those of the program)",
    )  # fmt: skip
    parser.add_argument("--positions", type=int, default=1000, metavar="N", help="at most, of each exam (default 1000)")
    parser.add_argument("--simulations", type=int, default=0, metavar="N", help="of a search (default: none)")
    parser.add_argument("--threat-proofs", action="store_true", help="the search also proves results by threats")
    parser.add_argument(
        "--exact-empties", type=int, default=0, metavar="N",
        help="the search solves positions of at most N empty cells exactly (Othello: to 16, Connect Four: to 30)",
    )  # fmt: skip
    add_device(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=_eval)


def _eval(args: argparse.Namespace) -> int:
    game = game_of(args.net, args.game)
    exams = read_exams(args.exam, game) if args.exam else exams_for(game)
    if not exams:
        raise ValueError(f"there is no exam for {game.text!r}: too few of its positions are solved")
    if not args.simulations and (args.threat_proofs or args.exact_empties):
        raise ValueError("--threat-proofs and --exact-empties are settings of the search; give it --simulations N")
    evaluator = OnnxEvaluator(args.net, game, device=args.device, runtime=args.runtime)
    with interruptible() as came:
        results = run_exams(
            game,
            evaluator,
            args.positions,
            args.simulations,
            lambda: bool(came),
            threat_proofs=args.threat_proofs,
            exact_empties=args.exact_empties,
            exams=exams,
        )
    if args.json:
        counts = {name: {"right": result.right, "of": result.of} for name, result in results.items()}
        print(json.dumps({"net": str(args.net), "game": game.text, "simulations": args.simulations, "exams": counts}))
    else:
        width = max((len(name) for name in results), default=0)
        print(f"{args.net.name}, {game.text}")
        for name, result in results.items():
            low, high = wilson_interval(result.share, result.of)
            found = f"{result.share:7.2%}  ({low:.2%} to {high:.2%})"
            print(f"{name:<{width}}  {result.right:>5} of {result.of:<5}  {found}")
    if came:
        print("interrupted: unfinished exams are left out", file=sys.stderr)
    return INTERRUPTED if came else 0


def game_of(net: Path, text: str | None) -> GameSpec:
    """The game ``text``, else the one the net file is for, of the usual size; ValueError when it does not say one."""
    if text:
        return load_game(text)
    game = usual_game(net_info(net))
    if game is None:
        raise ValueError(f"{str(net)!r} does not say which game it is for; give it with --game")
    return game


# elo


def _add_elo(commands: "argparse._SubParsersAction[Any]") -> None:
    parser = commands.add_parser(
        "elo",
        help="Elo ratings of a run's nets and of fixed players",
        description="Print the ladder of a run: Elo with 95 % intervals, random play at 0.  With --bouts more matches "
        "are played first, each of the pair with the largest expected information gain.",
    )
    parser.add_argument("run_folder", type=Path, metavar="RUN", help="a run's folder")
    parser.add_argument("--bouts", type=int, default=0, metavar="N", help="play N more matches first")
    parser.add_argument("--games", type=int, metavar="N", help="of a match, even (default: the run's setting)")
    parser.add_argument("--simulations", type=int, metavar="N", help="of the nets (default: the run's setting)")
    add_device(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=_elo)


def _elo(args: argparse.Namespace) -> int:
    path = args.run_folder / RUN_TOML
    if not path.is_file():
        raise ValueError(f"{str(args.run_folder)!r} is not the folder of a run: it has no {RUN_TOML}")
    if args.bouts < 0:
        raise ValueError(f"--bouts is {args.bouts}; it must be at least 0")
    config = TrainConfig.from_dict(usable(read_settings(path)))
    simulations = config.strength.ladder_simulations if args.simulations is None else args.simulations
    games = (config.strength.ladder_games or 8) if args.games is None else args.games
    where = {"device": args.device, "runtime": args.runtime}
    ladder = Ladder(args.run_folder, load_game(config.game), simulations, config.run.seed, **where)
    with interruptible() as came:
        for _ in range(args.bouts):
            bout = ladder.bout(ladder.next_pair(games=games), games, should_stop=lambda: bool(came))
            if bout is None:
                break
            record = bout.record
            print(
                f"{record.a} against {record.b}: +{record.wins} ={record.draws} -{record.losses}",
                file=sys.stderr,
                flush=True,
            )
    ratings = ladder.ratings()
    if args.json:
        print(json.dumps({"game": config.game, "simulations": simulations, "ratings": ratings.table()}))
    else:
        print("\n".join(_ladder_lines(ratings, ladder.best(ratings))))
    return INTERRUPTED if came else 0


def _ladder_lines(ratings: Ratings, best: str | None) -> list[str]:
    table: Mapping[str, list[float]] = ratings.table()
    width = max(len(name) for name in table)
    games = dict(zip(ratings.players, ratings.games.tolist(), strict=True))
    return [
        f"{name:<{width}}  {elo:+7.0f}  ({low:+.0f} to {high:+.0f})  {games[name]} games{'  best' * (name == best)}"
        for name, (elo, low, high) in table.items()
    ]
