"""Carries out an ablation: trains every variant with every seed, then measures its net.  Resumable at any moment.

The folder holds the plan, a folder per run, and the table of what is finished so far.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.files.atomic import write_atomically
from core.files.reading import parse_json, read_bytes
from core.games import GameSpec, load_game
from core.text import Text
from models.ablation.plan import BASE, Plan, Variant
from models.ablation.results import RESULT, RunResult, as_json, make_rows, opponent, read_result, to_markdown
from models.netfiles.evaluator import OnnxEvaluator
from models.play.openings import draw_openings
from models.runs.folder import CHECKPOINT, NEWEST_NET, REPORTS
from models.runs.reports import read_reports
from models.strength.bout import NetSide, RolloutSide, Side, play_side_by_side, scores
from models.strength.exams import run_exams
from models.training.run import train

PLAN: Final = "plan.json"
_MOST_BYTES: Final = 1 << 22
TABLE: Final = "table.md"
ROWS: Final = "table.json"

Say = Callable[[str], object]
Stop = Callable[[], bool]


def run_ablation(plan: Plan, out: Path, resume: bool, say: Say, should_stop: Stop = lambda: False) -> str | None:
    """Carry out ``plan`` in the folder ``out``; the table as Markdown, or None when it was stopped before its end.

    ``say`` is called with a line when something begins or ends.  With ``resume`` finished runs are kept and an
    unfinished one continues.  Raises ValueError when ``out`` holds another ablation, or one and ``resume`` is not set;
    what :func:`models.training.run.train` raises; OSError.
    """
    _begin(plan, out, resume)
    game = load_game(str(plan.base["game"]))
    results: dict[tuple[str, int], RunResult] = {}
    for seed in range(1, plan.seeds + 1):
        for number, variant in enumerate(plan.variants):
            folder = out / f"{number:02d}-seed-{seed}"
            result = read_result(folder / RESULT)
            if result is None:
                say(f"{variant.name}, seed {seed}: training in {folder}")
                if should_stop() or not _trained(plan, variant, seed, folder, should_stop):
                    return None
                base = out / f"00-seed-{seed}" / NEWEST_NET if variant.name != BASE else None
                result = _measured(plan, game, folder, base, seed, should_stop)
                if result is None:
                    return None
                write_atomically(folder / RESULT, json.dumps(result.to_dict(), indent=1).encode())
            results[variant.name, seed] = result
            say(f"{variant.name}, seed {seed}: finished after {result.minutes:.1f} minutes of training")
            write_atomically(out / TABLE, to_markdown(plan, results).encode())
            write_atomically(out / ROWS, json.dumps(as_json(make_rows(plan, results)), indent=1).encode())
    return to_markdown(plan, results)


def _begin(plan: Plan, out: Path, resume: bool) -> None:
    out.mkdir(parents=True, exist_ok=True)
    path, text = out / PLAN, plan.to_json()
    if not path.exists():
        write_atomically(path, text.encode())
    elif not resume:
        raise ValueError(Text("{path!r} already holds an ablation; resume it or give another folder", path=str(out)))
    elif not _continues(json.loads(text), parse_json(read_bytes(path, _MOST_BYTES))):
        raise ValueError(
            Text(
                "{path!r} holds another ablation than this one; its plan is in {file}; only further variants and seeds "
                "may be added",
                path=str(out),
                file=PLAN,
            )
        )
    else:
        write_atomically(path, text.encode())


def _continues(plan: Any, before: Any) -> bool:
    """Whether a plan, as JSON values, is one of a folder with variants or seeds added at the end."""
    if not isinstance(before, dict) or not isinstance(old := before.get("variants"), list):
        return False
    same = all(before.get(name) == value for name, value in plan.items() if name not in ("variants", "seeds"))
    seeds = before.get("seeds")
    return same and plan["variants"][: len(old)] == old and isinstance(seeds, int) and seeds <= plan["seeds"]


def _trained(plan: Plan, variant: Variant, seed: int, folder: Path, should_stop: Stop) -> bool:
    """Train to the end; False when it was stopped."""
    config = plan.config(variant, seed)
    return train(config, folder, (folder / CHECKPOINT).exists(), None, should_stop).reason != "stopped"


def _measured(
    plan: Plan, game: GameSpec, folder: Path, base: Path | None, seed: int, should_stop: Stop
) -> RunResult | None:
    """Exams of the run's net, and its matches; None when stopped."""
    evaluator = OnnxEvaluator(folder / NEWEST_NET, game, device="cpu", threads=1)
    exams = run_exams(game, evaluator, plan.positions, plan.simulations, should_stop)
    against: dict[str, tuple[int, int, int]] = {}
    for number, name in enumerate((opponent(plan), BASE)):
        if name == BASE and base is None:
            continue
        rng = np.random.default_rng([seed, number])  # the same openings for every variant
        openings = draw_openings(game, plan.games // 2, rng)
        mine, theirs = (int(rng.integers(1 << 40)) for _ in range(2))
        side: Side = RolloutSide(game, plan.games, plan.rollouts, theirs)
        if name == BASE and base is not None:
            net = OnnxEvaluator(base, game, device="cpu", threads=1)
            side = NetSide(game, net, plan.games, plan.simulations, theirs)
        own = NetSide(game, evaluator, plan.games, plan.simulations, mine)
        lasts = play_side_by_side(game, own, side, openings, should_stop)
        if lasts is None:
            return None
        against[name] = scores(lasts)
    if should_stop():
        return None
    last = [one for one in read_reports(folder / REPORTS) if one["event"] == "iteration"][-1]
    return RunResult(
        last["evaluations_total"],
        last["samples_total"],
        last["step"],
        last["elapsed_s"] / 60.0,
        {name: (one.right, one.of) for name, one in exams.items()},
        against,
    )
