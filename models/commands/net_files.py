"""The commands ``plyscope export`` and ``plyscope import``: write net files.  Loads torch only for a checkpoint."""

import argparse
import json
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core.checks import choice_problem
from core.files.atomic import write_atomically
from core.files.reading import Fields
from core.games import load_game
from core.text import Text, joined, text_of
from models.commands.analyze import add_device
from models.commands.to_window import tell_window
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.net_file import PRECISIONS
from models.netfiles.opened import as_onnx, kind_of, net_info
from models.netfiles.runtimes import ORT
from models.runs.card import card_path, write_card
from models.runs.config import TrainConfig, usable

if TYPE_CHECKING:
    from core.games import GameSpec
    from models.netfiles.agreement import Agreement
    from models.netfiles.quantise import Speed
    from models.nets.export import Parity

MEASURE_S: Final = 0.2  # at each batch size


@dataclass(frozen=True)
class Exported:
    """A written net file and its measurements."""

    path: Path
    game: str
    step: int
    precision: str
    size: int  # bytes
    device: str  # what the speeds were measured on
    threads: int
    parity: "Parity | None"  # of the float32 file with torch; None when the source was a net file
    agreement: "Agreement | None"  # with the float32 file; None when that is what was written
    speeds: "list[Speed]"
    fp32_speeds: "list[Speed]"  # empty when fp32 was written


def add_net_commands(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the two commands and their options."""
    export = commands.add_parser(
        "export",
        help="write a run's net as a net file",
        description="Write the averaged weights of a run as one ONNX net file, checked against torch on positions of "
        "the game, and measure its speed here.  int8 is for processors, fp16 for GPUs; both are refused when the "
        "answers change too much.  Nothing is written unless every check passes.",
    )
    export.add_argument(
        "source", type=Path, metavar="RUN", help="a run's folder, its checkpoint file, or a float32 net file to convert"
    )
    export.add_argument(
        "--game", metavar="GAME", help='for a net of several boards, one to convert it on: "go(size=9)"'
    )
    export.add_argument("--out", required=True, type=Path, metavar="NET.onnx", help="the file to write")
    export.add_argument(
        "--precision", default=PRECISIONS[0], metavar="NAME", help=f"{', '.join(PRECISIONS)} (default {PRECISIONS[0]})"
    )
    add_device(export, "where speed is measured: ", ORT)
    export.add_argument("--json", action="store_true", help="one JSON object")
    export.add_argument(
        "--card",
        action="store_true",
        help="write NET.json beside it too: the run's settings, games, exams and ladder",
    )
    export.set_defaults(run=export_command)
    importing = commands.add_parser(
        "import",
        help="make a net file of a net of KataGo, Leela Zero or any other program",
        description="Turn a net of another program into a net file: KataGo's .bin.gz and .txt.gz (model versions 8 to "
        "16) or Leela Zero's weights.  An ONNX file of any other program is stored with a recipe, which says what its "
        "planes are: the one given, or with --game alone one that is guessed by names, shapes and answers.",
    )
    importing.add_argument("source", type=Path, metavar="FILE", help="the file of the other program")
    importing.add_argument(
        "--game",
        metavar="GAME",
        help='for ONNX files, the game it was trained for: "connectn(rows=8, cols=8, k=5)"',
    )
    importing.add_argument(
        "--recipe", type=Path, metavar="FILE", help="a JSON file that says what the planes of an ONNX file are"
    )
    importing.add_argument("--out", required=True, type=Path, metavar="NET.onnx", help="the file to write")
    importing.set_defaults(run=import_command)


def export_command(args: argparse.Namespace) -> int:
    """Write the net file and print its measurements."""
    if args.card and not args.source.is_dir():
        raise ValueError(f"--card describes a run, but {str(args.source)!r} is not the folder of a run")
    done = export(args.source, args.out, args.precision, args.device, args.runtime, args.game)
    if args.card:
        try:
            write_card(args.source, done.path, done.game, done.step)
        except OSError as error:
            raise ValueError(f"{str(card_path(done.path))!r} cannot be written: {error.strerror or error}") from None
    if args.json:
        print(json.dumps({**asdict(done), "path": str(done.path)}))
    else:
        report = joined(export_lines(done), "\n")
        tell_window(report)
        print(report)
    return 0


def export(
    source: Path,
    out: Path,
    precision: str = "fp32",
    device: str = "auto",
    runtime: str = ORT,
    game_text: str | None = None,
) -> Exported:
    """Write the net of a run, a checkpoint or a net file to ``out`` in ``precision``, once every check has passed.

    Raises ``ValueError`` or a subclass for an unusable source, answers that differ too much, or a file that cannot be
    written.
    """
    from models.netfiles.quantise import measure_speeds, to_precision

    if wrong := choice_problem("--precision", precision, PRECISIONS):
        raise ValueError(wrong)
    if out.suffix.lower() != ".onnx":
        raise ValueError(f"--out is {str(out)!r}; the name of a net file ends in .onnx")
    parity = agreement = None
    if source.suffix == ".onnx" or (source.is_file() and kind_of(source) is not None):
        data, game, step = _net_file(source, game_text)
    else:
        data, game, step, parity = _checkpoint(source)
    plain = data
    if precision != "fp32":
        data, agreement = to_precision(data, game, precision)
    with tempfile.TemporaryDirectory() as folder:
        evaluators = []
        for name, part in ((out.name, data), (f"fp32 of {out.name}", plain))[: 1 if precision == "fp32" else 2]:
            trial = Path(folder) / name
            trial.write_bytes(part)
            evaluators.append(OnnxEvaluator(trial, game, device=device, runtime=runtime))
        speeds, *others = measure_speeds(evaluators, game, MEASURE_S)
    try:
        write_atomically(out, data)
    except OSError as error:
        raise ValueError(
            Text("{path!r} cannot be written: {strerror}", path=str(out), strerror=error.strerror or str(error))
        ) from None
    return Exported(
        out,
        game.text,
        step,
        precision,
        len(data),
        evaluators[0].place,
        evaluators[0].threads,
        parity,
        agreement,
        speeds,
        others[0] if others else [],
    )


def _net_file(path: Path, game_text: str | None) -> "tuple[bytes, GameSpec, int]":
    """Contents, game and step of a float32 net file; ``game_text`` for one that does not say its game."""
    info = net_info(path)
    game = info.game or game_text
    if not info.is_foreign and game is None:
        raise ValueError(f"{str(path)!r} is a net for several boards; name one with --game")
    if info.is_foreign or game is None:
        raise ValueError(f"{str(path)!r} is not a Plyscope net, so it cannot be exported")
    if info.precision != "fp32":
        raise ValueError(
            Text(
                "{path!r} is in {precision} already; only a net in fp32 can be converted",
                path=str(path),
                precision=info.precision,
            )
        )
    return as_onnx(path).read_bytes(), load_game(game), info.step


def _checkpoint(source: Path) -> "tuple[bytes, GameSpec, int, Parity]":
    """The averaged weights of a run or a checkpoint as a float32 net file, checked against torch."""
    from models.nets.checkpoint import BadCheckpoint, load_checkpoint, load_weights
    from models.nets.export import exported
    from models.nets.net import PolicyValueNet
    from models.runs.folder import CHECKPOINT

    path = source / CHECKPOINT if source.is_dir() else source
    checkpoint = load_checkpoint(path)
    try:
        meta = Fields(checkpoint.meta)
        config = TrainConfig.from_dict(usable(meta.object("config").values))
        step = meta.object("progress").whole("step", 0, 1 << 53)
    except ValueError as error:
        raise BadCheckpoint(f"{str(path)!r} is not the checkpoint of a training run: {text_of(error)}") from None
    game = load_game(config.game)
    net = PolicyValueNet.for_game(game, config.net_config())
    load_weights(net, checkpoint.averaged, path)
    data, parity = exported(net, game, step)
    return data, game, step, parity


def export_lines(done: Exported) -> list[str]:
    """Summary of the written file and its measurements, a line each."""
    lines: list[str] = [
        Text(
            "{path}: {game}, step {step}, {precision}, {size:,.0f} KiB",
            path=str(done.path),
            game=done.game,
            step=done.step,
            precision=done.precision,
            size=done.size / 1024,
        )
    ]
    if done.parity is not None:
        lines.append(
            Text(
                "onnxruntime differs from torch by at most {policy:.1e} in the policy's logits and {value:.1e} in the "
                "value over {positions} positions",
                policy=done.parity.max_dp,
                value=done.parity.max_dv,
                positions=done.parity.positions,
            )
        )
    if done.agreement is not None:
        a = done.agreement
        lines.append(
            Text(
                "{precision} against fp32 over {positions} positions: the same best move in {same:.1%}, one as good "
                "in {good:.1%}, a probability differs by at most {policy:.4f}, the value by {mean:.4f} on average and "
                "{most:.4f} at most",
                precision=done.precision,
                positions=a.positions,
                same=a.same_best,
                good=a.good_best,
                policy=a.max_dp,
                mean=a.mean_dv,
                most=a.max_dv,
            )
        )
    if done.device != "CPU":
        lines.append(Text("on {device}:", device=done.device))
    elif done.threads == 1:
        lines.append(Text("on CPU, 1 thread:"))
    else:
        lines.append(Text("on CPU, {threads} threads:", threads=done.threads))
    if done.fp32_speeds:
        lines.append(Text("  batch        ms  positions/s   fp32 ms   faster"))
    else:
        lines.append(Text("  batch        ms  positions/s"))
    for i, speed in enumerate(done.speeds):
        line = f"{speed.batch:>7} {speed.ms:>9.3f} {speed.positions_per_s:>12,.0f}"
        if done.fp32_speeds:
            line += f" {done.fp32_speeds[i].ms:>9.3f} {done.fp32_speeds[i].ms / speed.ms:>7.2f}x"
        lines.append(line)
    if done.fp32_speeds and sum(s.ms for s in done.speeds) >= sum(s.ms for s in done.fp32_speeds):
        lines.append(
            Text(
                "{precision} is not faster than fp32 here; it is meant for GPUs"
                if done.precision == "fp16" and done.device == "CPU"
                else "{precision} is not faster than fp32 here",
                precision=done.precision,
            )
        )
    return lines


def import_command(args: argparse.Namespace) -> int:
    """Convert a net of another program to a net file."""
    try:
        if args.recipe is None and kind_of(args.source) is not None:
            print(_import_go_net(args.source, args.out))
        else:
            from models.netfiles.recipe_guess import import_by_recipe

            print(import_by_recipe(args.source, args.out, args.recipe, args.game))
        return 0
    except OSError as error:
        raise ValueError(f"{str(args.out)!r} cannot be written: {error.strerror or error}") from None


def _import_go_net(source: Path, out: Path) -> str:
    """Convert a net of KataGo or Leela Zero; a sentence about it."""
    from models.netfiles.opened import import_go_net

    net = import_go_net(source, out)
    board = "any board" if net.board is None else f"{net.board} x {net.board}"
    lead = "" if net.lead is None else f"; on an empty 9 x 9 board without komi black leads by {net.lead:.1f} points"
    return (
        f"{out}: {net.kind}'s net {net.name}, version {net.version}, {net.blocks} blocks of {net.channels} channels, "
        f"{board}, {net.size / 1024:,.0f} KiB{lead}"
    )
