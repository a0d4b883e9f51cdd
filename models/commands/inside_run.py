"""``plyscope inside RUN``: when the nets of a training run learnt which concept, beside a search with them."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from core.text import Text, aligned
from models.commands.inside_parts import concept_data, score_data
from models.commands.trained_nets import game_of
from models.inside.concepts import concepts_of
from models.inside.history import History, history_of, nets_of_run
from models.inside.uses import SIMULATIONS


def print_history(args: argparse.Namespace, should_stop: Callable[[], bool]) -> None:
    """Print how well each concept can be read from the last block of each net of a run; nothing when stopped."""
    if args.part not in (None, ["concepts"]) or args.position or args.source is not None or args.concept:
        raise ValueError(
            f"{str(args.net)!r} is a folder; of a training run only --part concepts is given, without --position, "
            "--source and --concept"
        )
    nets = nets_of_run(args.net)
    game = game_of(nets[-1].path, args.game)
    done = 0

    def tell(found: History) -> None:
        nonlocal done
        if len(found.columns) > done:
            done = len(found.columns)
            words = Text("{name}: {done} of {every} nets", name=found.blocks[-1], done=done, every=len(nets))
            print(words, file=sys.stderr)

    history = history_of(nets, game, concepts_of(game), should_stop, found=tell)
    if history is None:
        return
    if args.json:
        print(json.dumps(_data(args, history)))
    else:
        print("\n".join(_lines(history)))


def _data(args: argparse.Namespace, history: History) -> dict[str, Any]:
    columns = [{"net": net.path.name, "step": net.step, "iteration": net.iteration} for net in history.nets]
    rows = []
    for row in history.concepts:
        searched: dict[str, Any] = {}
        for place, simulations in enumerate(SIMULATIONS):
            if row.name in history.columns[0].searched:
                shares = [score_data(column.searched[row.name][place]) for column in history.columns]
                searched[str(simulations)] = {
                    "shares": shares,
                    "known_from": history.first_known(row.name, simulations),
                }
        rows.append({**concept_data(row, {}), "searched": searched})
    about = {"run": args.net.name, "positions": history.columns[-1].positions, "judged": history.columns[-1].judged}
    return {**about, "nets": columns, "concepts": rows}


def _lines(history: History) -> list[str]:
    names = [str(net.step if net.iteration is None else net.iteration) for net in history.nets]
    what = "step" if history.nets[0].iteration is None else "iteration"
    rows: list[Sequence[str]] = [("concept", "bare board", *names, *(f"search {n}" for n in SIMULATIONS))]
    for row in history.concepts:
        if not row.blocks:
            rows.append((row.name, "too few", *[""] * (len(names) + len(SIMULATIONS))))
            continue
        blocks = [f"{block.score.value:.3f}{'*' if block.beats_baselines else ''}" for block in row.blocks]
        firsts = [history.first_known(row.name, simulations) for simulations in SIMULATIONS]
        known = ["" if first is None else names[first] for first in firsts]
        rows.append((row.name, f"{row.board.value:.3f}", *blocks, *known))
    last = history.columns[-1]
    return [
        f"{what}s of {len(names)} nets; judged by {last.judged} of {last.positions} positions, the same for all",
        *aligned(rows),
        "*: above the bare board, the net with random weights and shuffled labels, for certain",
        f"search N: the first {what} whose net, searched with N simulations, chooses a move of the concept in more",
        "than half of the positions that have one, for certain; 1 is the net alone",
    ]
