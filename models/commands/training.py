"""The commands of training: ``plyscope train``, ``selfplay``, ``eval`` and ``elo``.  Loads torch only to train."""

import argparse
import importlib.util
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.files.reading import BadFile, Fields
from core.games import GameSpec, load_game
from core.rng import check_seed
from core.text import Text, text_of
from models.commands.analyze import INTERRUPTED, add_device, interruptible
from models.netfiles.cuda import missing_gpu
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.opened import net_info, usual_game
from models.play.games import PlayStats
from models.play.replay import save_shard
from models.play.samples import PLAYED, GameTrace
from models.play.selfplay import SelfPlay
from models.runs.config import (
    FIXED,
    GROUPS,
    SETTING,
    SETTINGS,
    TrainConfig,
    join_problems,
    parse_value,
    problems,
    usable,
)
from models.runs.folder import CHECKPOINT, REPORTS, RUN_TOML, check_writable
from models.runs.init_net import init_problem
from models.runs.presets import PRESETS, preset_values
from models.runs.reports import Report, event_line, read_reports, report_line
from models.runs.run_toml import read_settings
from models.strength.exams import exams_for, run_exams
from models.strength.ladder import Ladder
from models.strength.rating import Ratings


def add_training(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the four commands and their options."""
    _add_train(commands)
    _add_selfplay(commands)
    _add_eval(commands)
    _add_elo(commands)


# train


def _add_train(commands: "argparse._SubParsersAction[Any]") -> None:
    parser = commands.add_parser(
        "train",
        help="train a net by self-play",
        description="Train a net by self-play into the folder RUN.  Ctrl-C saves and exports; a run killed at any "
        "moment continues with --resume.  RUN/run.toml holds every setting; RUN/nets the kept nets, RUN/net.onnx the "
        "newest, RUN/best.onnx the best on the ladder; RUN/reports.jsonl a line per event.",
        epilog=_settings_in_words(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", help="as `plyscope games` lists it")
    parser.add_argument("--out", required=True, type=Path, metavar="RUN", help="the run's folder")
    parser.add_argument("--resume", action="store_true", help="continue the run in RUN, with its settings")
    add_training_settings(parser)
    parser.add_argument("--minutes", type=float, metavar="M", help="the run ends after M minutes, resumes included")
    parser.set_defaults(run=_train)


def add_training_settings(parser: argparse.ArgumentParser) -> None:
    """Add the options that :func:`training_settings` reads, but for ``--minutes``."""
    parser.add_argument("--preset", metavar="NAME", help=f"{', '.join(PRESETS)}: settings for the game's size")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file of settings; --set overrides it")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting as `plyscope train --help` explains them; may be repeated",
    )


def _settings_in_words() -> str:
    lines = ["settings, from lowest to highest value, with their defaults:"]
    for group in GROUPS:
        lines += ["", f"  {group}"]
        lines += [f"    {s.name} = {s.default}\n        {s.in_words()}" for s in SETTINGS if s.group == group]
    return "\n".join(lines)


def _train(args: argparse.Namespace) -> int:
    game = load_game(args.game)
    values, wrong = _settings_of_run(game, args)
    if wrong := [*wrong, *problems(values).values()]:
        raise ValueError(join_problems(wrong))
    config = TrainConfig.from_dict(values)
    if not (args.out / CHECKPOINT).exists() and (message := init_problem(config.to_dict())):
        raise ValueError(message)
    if config.device == "cuda" and (why := missing_gpu()).startswith("no NVIDIA driver"):
        raise ValueError(Text("device is 'cuda', but {reason}; use 'auto' or 'cpu'", reason=why))
    check_writable(args.out)
    return _start(config, args.out, args.resume)


def check_torch() -> None:
    """Raise ValueError where PyTorch, which training needs, is not installed."""
    if importlib.util.find_spec("torch") is None:
        raise ValueError(
            Text(
                'training needs PyTorch, which is not installed here: pip install "WHEEL[train]", with the file of '
                "Plyscope's wheel, brings it along in an environment of its own"
            )
        )


def _start(config: TrainConfig, out: Path, resume: bool) -> int:
    check_torch()
    from models.training.run import train

    if resume or not (out / CHECKPOINT).exists():
        print(f"training {config.game} into {out}; Ctrl-C saves and ends", file=sys.stderr)
    result = train(config, out, resume, _EventPrinter(config, read_reports(out / REPORTS)).print)
    print(f"{result.reason}: {result.iterations} iterations, {result.steps} steps, the net is {result.net}")
    return INTERRUPTED if result.reason == "stopped" else 0


def training_settings(
    game: GameSpec, args: argparse.Namespace, wrong: list[str], before: Mapping[str, Any]
) -> dict[str, Any]:
    """Settings from a preset or ``before``, from a file and from options, later ones overriding earlier ones.

    Problems are added to ``wrong``, a sentence each.
    """
    values = dict(before) if before or not args.preset else preset_values(args.preset, game.text)
    if args.config:
        values |= read_settings(args.config)
    _take_options(args.set, values, wrong)
    if values.setdefault("game", game.text) != game.text:
        wrong.append(
            Text("the settings say game {game!r} and the command {given!r}", game=values["game"], given=game.text)
        )
    return values


def _settings_of_run(game: GameSpec, args: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    """(The given settings; problems, a sentence each).

    A resumed run starts from its own settings; its game and the shape of its net cannot change.
    """
    wrong: list[str] = []
    before: dict[str, Any] = {}
    own = args.out / RUN_TOML
    resumes = args.resume and (own.is_file() or (args.out / CHECKPOINT).is_file())
    if args.resume and not resumes:
        raise ValueError(Text("{path!r} holds no run to resume; omit --resume to begin one there", path=str(args.out)))
    if resumes:
        before = _own_settings(args.out)
        if args.preset:
            wrong.append(
                Text(
                    "preset is {preset!r}; a resumed run keeps its settings, so it must be omitted",
                    preset=args.preset,
                )
            )
    fixed = {name: before[name] for name in FIXED if name in before}
    values = training_settings(game, args, wrong, before)
    if args.minutes is not None:
        values["minutes"] = args.minutes
    wrong += [
        Text(
            "{name} is {value!r}; the run in {path!r} has {had!r}, which cannot change",
            name=name,
            value=values[name],
            path=str(args.out),
            had=old,
        )
        for name, old in fixed.items()
        if values[name] != old and name != "game"
    ]
    return values, wrong


def _take_options(options: list[str], values: dict[str, Any], wrong: list[str]) -> None:
    """Parse ``KEY=VALUE`` texts into ``values``; problems are added to ``wrong``."""
    for text in options:
        name, equals, value = text.partition("=")
        if not equals:
            wrong.append(Text("{text!r} is no setting; write KEY=VALUE", text=text))
            continue
        try:
            values[name.strip()] = parse_value(name.strip(), value)
        except ValueError as error:
            wrong.append(text_of(error))


def _own_settings(run: Path) -> dict[str, Any]:
    """The settings of a run to be resumed, from its file; those missing there from the checkpoint, which has all."""
    path, checkpoint = run / RUN_TOML, run / CHECKPOINT
    try:
        values = read_settings(path) if path.is_file() else {}
    except BadFile as error:
        raise BadFile(
            Text(
                "{error}; correct it, or delete it to use the settings of the checkpoint",
                error=text_of(error),
            )
        ) from None
    if values.keys() >= SETTING.keys() or not checkpoint.is_file():
        return values
    from models.nets.checkpoint import load_checkpoint

    kept = Fields(load_checkpoint(checkpoint).meta).object("config", {}).values
    lost = [name for name in usable(kept) if name not in values]
    if values and lost:
        names = ", ".join(lost[:3]) + (f" and {len(lost) - 3} more" if len(lost) > 3 else "")
        print(f"{path} does not say {names}: taken from the checkpoint", file=sys.stderr)
    return {**usable(kept), **values}


class _EventPrinter:
    """Prints the events of a run, a line each."""

    def __init__(self, config: TrainConfig, before: list[Report]) -> None:
        """``before``: the earlier reports of a resumed run."""
        self._every_s = 60.0 * config.checkpoint_minutes
        self._kept_s = max((one.get("elapsed_s", 0.0) for one in before if one["event"] == "checkpoint"), default=0.0)

    def print(self, report: Report) -> None:
        if report["event"] == "checkpoint":
            self._kept_s = report["elapsed_s"]
        if report["event"] == "iteration":
            line = report_line(report, max(0.0, self._kept_s + self._every_s - report["elapsed_s"]))
        else:
            line = event_line(report)
        if line:
            print(line, flush=True)


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
    _take_options(args.set, values, wrong)
    if args.games < 1:
        wrong.append(f"games is {args.games}; it must be a whole number from 1")
    if wrong := [*wrong, *problems(values).values()]:
        raise ValueError(join_problems(wrong))
    config = TrainConfig.from_dict(values)
    if args.out is not None:
        check_writable(args.out)
    evaluator = OnnxEvaluator(args.net, game, device=args.device, runtime=args.runtime)
    player = SelfPlay(game, evaluator, config, min(config.games, args.games), args.seed)
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
    parser.add_argument("--positions", type=int, default=1000, metavar="N", help="at most, of each exam (default 1000)")
    parser.add_argument("--simulations", type=int, default=0, metavar="N", help="of a search (default: none)")
    parser.add_argument("--threat-proofs", action="store_true", help="the search also proves results by threats")
    add_device(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=_eval)


def _eval(args: argparse.Namespace) -> int:
    game = game_of(args.net, args.game)
    if not exams_for(game):
        raise ValueError(f"there is no exam for {game.text!r}: too few of its positions are solved")
    evaluator = OnnxEvaluator(args.net, game, device=args.device, runtime=args.runtime)
    with interruptible() as came:
        results = run_exams(game, evaluator, args.positions, args.simulations, lambda: bool(came), args.threat_proofs)
    if args.json:
        exams = {name: {"right": one.right, "of": one.of} for name, one in results.items()}
        print(json.dumps({"net": str(args.net), "game": game.text, "simulations": args.simulations, "exams": exams}))
    else:
        width = max((len(name) for name in results), default=0)
        lines = [f"{name:<{width}}  {one.right:>5} of {one.of:<5}  {one.share:7.2%}" for name, one in results.items()]
        print("\n".join([f"{args.net.name}, {game.text}", *lines]))
    if came:
        print("interrupted: unfinished exams are left out", file=sys.stderr)
    return INTERRUPTED if came else 0


def game_of(net: Path, given: str | None) -> GameSpec:
    """The game ``given``, else the one the net file is for, of the usual size; ValueError when it does not say one."""
    if given:
        return load_game(given)
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
    config = TrainConfig.from_dict(read_settings(path))
    simulations = config.ladder_simulations if args.simulations is None else args.simulations
    games = (config.ladder_games or 8) if args.games is None else args.games
    where = {"device": args.device, "runtime": args.runtime}
    ladder = Ladder(args.run_folder, load_game(config.game), simulations, config.seed, **where)
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
