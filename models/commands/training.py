"""The command ``plyscope train``, and its settings.  Loads torch only to train."""

import argparse
import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from core.files.reading import BadFile, Fields
from core.games import GameSpec, load_game
from core.text import Text, text_of
from models.cluster.connect import ADDRESSES, check_address
from models.commands.analyze import INTERRUPTED
from models.netfiles.cuda import missing_gpu
from models.runs.config import (
    FIXED,
    GONE,
    GROUPS,
    SETTING,
    SETTINGS,
    TrainConfig,
    join_problems,
    parse_value,
    problems,
    read_settings,
    usable,
)
from models.runs.conflicts import init_problem
from models.runs.folder import CHECKPOINT, LEFT_OUT, REPORTS, RUN_TOML, check_writable
from models.runs.presets import PRESETS, preset_values
from models.runs.reports import Report, event_line, read_reports, report_line

_MOST_ACTORS: Final = 1000


def add_train(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command and its options."""
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
    parser.add_argument(
        "--leave-out",
        type=Path,
        metavar="FILE",
        help="with --resume: samples from which it learns no more, as `plyscope influence --json` names them; they are "
        f"kept in RUN/{LEFT_OUT}, without which it learns from all again",
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help=f"play on the machines of a Ray cluster: {ADDRESSES}; the net learns and the run's folder stays here",
    )
    parser.add_argument(
        "--actors", type=int, metavar="N", help="with --cluster: players (default: one for each GPU or machine)"
    )
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
    if config.run.device == "cuda" and (why := missing_gpu()).startswith("no NVIDIA driver"):
        raise ValueError(Text("device is 'cuda', but {reason}; use 'auto' or 'cpu'", reason=why))
    cluster = _cluster(args.cluster, args.actors)
    check_writable(args.out)
    if args.leave_out is not None:
        _leave_out(args)
    return _start(config, args.out, args.resume, cluster)


def _leave_out(args: argparse.Namespace) -> None:
    """Have a run that is resumed leave out further samples."""
    from models.play.left_out import leave_out, read_left_out

    if not args.resume:
        raise ValueError("--leave-out is for a run that is resumed, by --resume; a new one has no samples")
    named = [(shard, sample) for shard, samples in read_left_out(args.leave_out).items() for sample in samples]
    count = leave_out(args.out, named)
    print(f"{count} samples are left out", file=sys.stderr)


def _cluster(address: str | None, actors: int | None) -> tuple[str, int] | None:
    if actors is not None and not (address and 1 <= actors <= _MOST_ACTORS):
        raise ValueError(f"--actors is {actors}; it goes with --cluster and is a number from 1 to {_MOST_ACTORS}")
    if address is None:
        return None
    check_address(address)
    return address, actors or 0


def check_torch() -> None:
    """Raise ValueError where PyTorch, which training needs, is not installed."""
    if importlib.util.find_spec("torch") is None:
        raise ValueError(
            Text(
                'training needs PyTorch, which is not installed here: pip install "WHEEL[train]", with the file of '
                "Plyscope's wheel, brings it along in an environment of its own"
            )
        )


def _start(config: TrainConfig, out: Path, resume: bool, cluster: tuple[str, int] | None) -> int:
    check_torch()
    from models.training.run import Cluster, train

    if resume or not (out / CHECKPOINT).exists():
        print(f"training {config.game} into {out}; Ctrl-C saves and ends", file=sys.stderr)
    where = None if cluster is None else Cluster(*cluster)
    result = train(config, out, resume, _EventPrinter(config, read_reports(out / REPORTS)).print, cluster=where)
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
        values |= _without_gone(read_settings(args.config), args.config)
    take_options(args.set, values, wrong)
    if values.setdefault("game", game.text) != game.text:
        wrong.append(f"the settings say game {values['game']!r} and the command {game.text!r}")
    return values


def _settings_of_run(game: GameSpec, args: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    """(The given settings; problems, a sentence each).

    A resumed run starts from its own settings; its game and the shape of its net cannot change.
    """
    wrong: list[str] = []
    before: dict[str, Any] = {}
    run_file = args.out / RUN_TOML
    resumes = args.resume and (run_file.is_file() or (args.out / CHECKPOINT).is_file())
    if args.resume and not resumes:
        raise ValueError(Text("{path!r} holds no run to resume; omit --resume to begin one there", path=str(args.out)))
    if resumes:
        before = _own_settings(args.out)
        if args.preset:
            wrong.append(f"preset is {args.preset!r}; a resumed run keeps its settings, so it must be omitted")
    fixed = {name: before[name] for name in FIXED if name in before}
    values = training_settings(game, args, wrong, before)
    if args.minutes is not None:
        values["run.minutes"] = args.minutes
    wrong += [
        Text(
            "{name} is {value!r}; the run in {path!r} has {had!r}",
            name=name,
            value=values[name],
            path=str(args.out),
            had=old,
        )
        for name, old in fixed.items()
        if values[name] != old and name != "game"
    ]
    return values, wrong


def take_options(options: list[str], values: dict[str, Any], wrong: list[str]) -> None:
    """Parse ``KEY=VALUE`` texts into ``values``; problems are added to ``wrong``."""
    for text in options:
        name, equals, value = text.partition("=")
        if not equals:
            wrong.append(f"{text!r} is no setting; write KEY=VALUE")
            continue
        try:
            values[name.strip()] = parse_value(name.strip(), value)
        except ValueError as error:
            wrong.append(text_of(error))


def _own_settings(run: Path) -> dict[str, Any]:
    """The settings of a run to be resumed, from its file; those missing there from the checkpoint, which has all."""
    path, checkpoint = run / RUN_TOML, run / CHECKPOINT
    try:
        values = _without_gone(read_settings(path), path) if path.is_file() else {}
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

    config = usable(Fields(load_checkpoint(checkpoint).meta).object("config", {}).values)
    lost = [name for name in config if name not in values]
    if values and lost:
        names = ", ".join(lost[:3]) + (f" and {len(lost) - 3} more" if len(lost) > 3 else "")
        print(f"{path} does not say {names}: taken from the checkpoint", file=sys.stderr)
    return {**config, **values}


def _without_gone(values: dict[str, Any], path: Path) -> dict[str, Any]:
    """The settings that there still are; it is said which others a run of an earlier version had."""
    gone = [name for name in values if name in GONE]
    if gone:
        print(f"{path} says {', '.join(gone)}: no settings any more", file=sys.stderr)
    return {name: value for name, value in values.items() if name not in gone}


class _EventPrinter:
    """Prints the events of a run, a line each."""

    def __init__(self, config: TrainConfig, before: list[Report]) -> None:
        """``before``: the earlier reports of a resumed run."""
        self._every_s = 60.0 * config.strength.checkpoint_minutes
        self._kept_s = max(
            (report.get("elapsed_s", 0.0) for report in before if report["event"] == "checkpoint"), default=0.0
        )

    def print(self, report: Report) -> None:
        if report["event"] == "checkpoint":
            self._kept_s = report["elapsed_s"]
        if report["event"] == "iteration":
            line = report_line(report, max(0.0, self._kept_s + self._every_s - report["elapsed_s"]))
        else:
            line = event_line(report)
        if line:
            print(line, flush=True)
