"""The command ``plyscope influence``: the samples that taught a run's net a mistake.  Loads torch to trace them."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.files.game_files import position_of
from core.games import Position, load_game
from core.text import Text, aligned
from models.commands.analyze import interruptible, report_interrupt
from models.commands.printing import SIDES, position_lines
from models.commands.training import check_torch
from models.inside.concepts import Stopped
from models.play.left_out import mark_of
from models.play.openings import write_openings

if TYPE_CHECKING:
    from models.training.influence import Influence, Mistake, Stop

TOP: Final = 200
_PRINTED: Final = 20  # samples as text
_SOLVE_S: Final = 60.0


def add_influence(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "influence",
        help="the samples that taught a run's net a mistake",
        description="For a position in which the newest net of a training run prefers a wrong move: the samples of the "
        "run that pushed its nets there, by TracIn (Pruthi et al. 2020) over kept nets, on the last block and the "
        "heads.  A push is how much learning from the sample raised the log-odds of the wrong move over the right one; "
        "below 0 it lowered them.  What --json prints can be saved, and `plyscope train --resume --leave-out` then "
        "learns from these samples no more; a run starts games where --openings says.",
    )
    parser.add_argument("run_folder", metavar="RUN", type=Path, help="the run's folder")
    parser.add_argument("--position", metavar="MOVES", default="", help='the moves that led there: "d d c"; a diagram')
    parser.add_argument(
        "--outcome",
        action="store_true",
        help="ask about the value instead of the move: the mistake is then a win, draw or loss that the net expects",
    )
    parser.add_argument(
        "--wrong", metavar="MOVE", help="the mistake (default: the newest net's first move, or what it expects)"
    )
    parser.add_argument(
        "--right", metavar="MOVE", help="the better move, or outcome (default: the exact solver's, where it solves)"
    )
    parser.add_argument("--top", type=int, default=TOP, metavar="N", help=f"samples that are named (default {TOP})")
    parser.add_argument(
        "--nets", type=int, metavar="N", help="kept nets that are asked, evenly over the run (default 5)"
    )
    parser.add_argument(
        "--relearn",
        action="store_true",
        help="also learn anew from the run's samples, with all, without those named and without as many at random, "
        "with three seeds: whether the mistake ends",
    )
    parser.add_argument(
        "--openings",
        type=Path,
        metavar="FILE",
        help="also the position, and its neighbours two quiet moves further on that the net gets wrong too, as "
        "`openings` of a training run",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=influence_command)


def influence_command(args: argparse.Namespace) -> int:
    """Print which samples taught the mistake."""
    if args.top < 1:
        raise ValueError(f"--top is {args.top}; it must be 1 or more")
    if args.nets is not None and args.nets < 1:
        raise ValueError(f"--nets is {args.nets}; it must be 1 or more")
    from models.doctor.diagnosis import settings_of

    config = settings_of(args.run_folder)
    position = position_of(load_game(config.game), args.position).position
    if position.is_over:
        raise ValueError(f"the game is over after {args.position!r}; name a position in which a move is to be made")
    check_torch()
    from models.training.influence import NETS, influence_of_run
    from models.training.influence_trial import try_without
    from models.training.mistake_openings import openings_for

    def tell(words: Text) -> None:
        print(words, file=sys.stderr)

    with interruptible() as came:
        try:
            mistake = _mistake(args, position, lambda: bool(came))
            found = influence_of_run(args.run_folder, mistake, args.nets or NETS, lambda: bool(came), tell)
            first = found.first(args.top)
            trials = []
            if args.relearn and len(first):
                trials = try_without(found.samples, first, mistake, config, stop=lambda: bool(came), progress=tell)
            openings = openings_for(args.run_folder, mistake, lambda: bool(came)) if args.json or args.openings else []
        except Stopped:
            return report_interrupt()
    data = influence_data(found, first)
    if trials:
        data["relearned"] = [
            {
                "whole": trial.whole.log_odds,
                "without": trial.without.log_odds,
                "without_others": trial.without_others.log_odds,
            }
            for trial in trials
        ]
    if args.openings is not None:
        if not openings:
            raise ValueError("openings are moves that lead to a position, which this one does not have")
        write_openings(args.openings, position.game, openings, f"positions in which {args.run_folder.name} is wrong")
        again = f"plyscope train '{position.game.text}' --out {args.run_folder} --resume"
        print(f"wrote {len(openings)} positions to {args.openings}; the run starts games there by", file=sys.stderr)
        print(f"  {again} --set self_play.openings={args.openings}", file=sys.stderr)
    if args.json:
        data["openings"] = [[position.game.action_name(action) for action in moves] for moves in openings]
        print(json.dumps({"run": args.run_folder.name, **data}, ensure_ascii=False))
    else:
        print("\n".join([*position_lines(position), "", *_lines(data)]))
    return 0


def _mistake(args: argparse.Namespace, position: Position, stop: "Stop") -> "Mistake":
    """The moves or outcomes as they are named, or else the net's and the solver's."""
    from models.training.influence import Mistake, newest_net, outcomes_of, policy_of

    game = position.game
    net = newest_net(args.run_folder, game)
    shares = (outcomes_of if args.outcome else policy_of)(net, position)
    wrong = _choice(args, "wrong", position) if args.wrong else int(np.argmax(shares))
    if args.right:
        right = _choice(args, "right", position)
    else:
        best = _exact(position, args.outcome, stop)
        right = max(best, key=lambda choice: float(shares[choice]))
        if wrong in best:
            said = Text("{move} is right here: name the mistake, or another position", move=game.action_name(wrong))
            if args.outcome:
                said = Text("the net expects the exact outcome here: name another position")
            raise ValueError(said)
    mistake = Mistake(position, wrong, right, args.outcome)
    if wrong == right:
        raise ValueError(Text("{move} is both the mistake and the better move: name two", move=mistake.name_of(wrong)))
    return mistake


def _choice(args: argparse.Namespace, option: str, position: Position) -> int:
    """The move or outcome that an option names."""
    from models.training.influence import OUTCOMES

    name, game = getattr(args, option), position.game
    if args.outcome:
        if name not in OUTCOMES:
            raise ValueError(f"--{option} is {name!r}; with --outcome it must be one of {', '.join(OUTCOMES)}")
        return OUTCOMES.index(name)
    action = game.parse_action(name)
    if action not in position.legal_actions():
        raise ValueError(f"--{option} is {game.action_name(action)}, which is not legal there")
    return action


def _exact(position: Position, is_outcome: bool, stop: "Stop") -> frozenset[int]:
    """The right moves, or the outcome, by the exact solver."""
    from models.inside.truth import TruthFinder
    from models.training.influence import outcome_of

    finder = TruthFinder(position.game)
    kind = finder.kind_for(position)
    truth = finder.judge(position, kind, _SOLVE_S, stop) if kind else None
    if stop():
        raise Stopped
    if truth is None or not truth.best:
        said = Text("the exact solver does not say which move is right here: name it")
        if is_outcome:
            said = Text("the exact solver does not say which outcome is right here: name it")
        raise ValueError(said)
    return frozenset((outcome_of(truth.value),)) if is_outcome else truth.best


def influence_data(found: "Influence", first: "np.ndarray[Any, Any]") -> dict[str, Any]:
    """The influence of the samples ``first`` as data of JSON."""
    mistake = found.mistake
    game = mistake.position.game
    return {
        "game": game.text,
        "to_move": SIDES[mistake.position.to_move],
        "moves": [game.action_name(action) for action in mistake.position.moves],
        "wrong": mistake.name_of(mistake.wrong),
        "right": mistake.name_of(mistake.right),
        "outcome": mistake.is_outcome,
        "nets": [net._asdict() for net in found.nets],
        "looked_at": len(found.push),
        "share": found.share_of(first),
        "samples": [_sample(found, int(place)) for place in first],
    }


def _sample(found: "Influence", place: int) -> dict[str, Any]:
    path, shard = found.paths[found.shard[place]], found.shards[found.shard[place]]
    row = int(found.row[place])
    number, ply = int(shard.game[row]), int(shard.ply[row])
    game = found.mistake.position.game
    moves: list[str] = []
    if number < len(shard.traces):
        trace = shard.traces[number]
        moves = [game.action_name(action) for action in (*trace.opening, *trace.moves)[:ply]]
    target = int(np.argmax(shard.policy[row]))
    return {
        "shard": path.stem,
        "row": row,
        "mark": mark_of(shard, row),
        "push": float(found.push[place]),
        "iteration": int(path.stem.partition("-")[0]),
        "game": number,
        "ply": ply,
        "moves": moves,
        "target": game.action_name(target),
        "target_share": float(shard.policy[row, target]),
        "result": int(shard.result[row]),
    }


def _lines(data: dict[str, Any]) -> list[str]:
    wrong, right, samples = data["wrong"], data["right"], data["samples"]
    nets: list[tuple[str, ...]] = [("step", wrong, right, "log-odds")]
    nets += [
        (str(net["step"]), f"{net['wrong']:.1%}", f"{net['right']:.1%}", f"{net['log_odds']:+.2f}")
        for net in data["nets"]
    ]
    lines = [f"{wrong} instead of {right}: what the kept nets think", *aligned(nets), ""]
    if not samples:
        return [*lines, f"none of {data['looked_at']} samples pushed towards {wrong}"]
    lines += [
        f"{data['looked_at']} samples were looked at; {len(samples)} of them make {data['share']:.0%} of all that "
        f"pushed towards {wrong}",
        "",
    ]
    rows: list[tuple[str, ...]] = [("push", "iteration", "sample", "ply", "target", "result", "position")]
    for sample in samples[:_PRINTED]:
        target = f"{sample['target']} {sample['target_share']:.0%}"
        figures = (f"{sample['push']:.2e}", str(sample["iteration"]), str(sample["row"] + 1), str(sample["ply"]))
        rows.append((*figures, target, f"{sample['result']:+d}", " ".join(sample["moves"])))
    lines += aligned(rows)
    if len(samples) > _PRINTED:
        lines.append(f"and {len(samples) - _PRINTED} more, which --json names")
    if "relearned" in data:
        lines += ["", f"log-odds of {wrong} over {right} after learning anew"]
        trials: list[tuple[str, ...]] = [("seed", "from all", "without these", "without as many others")]
        trials += [
            (str(seed), *(f"{trial[name]:+.2f}" for name in ("whole", "without", "without_others")))
            for seed, trial in enumerate(data["relearned"])
        ]
        lines += aligned(trials)
    return lines
