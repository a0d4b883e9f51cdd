"""``python -m measure.influence --out FOLDER``: how rightly samples are blamed for what a net learned from them.

A small net learns Connect Four on 4 rows and 5 columns by self-play, once, into FOLDER.  Then, three seeds each:

Planted: one sample of a hundred gets a false label.  They are all of one family, a win at once in an outer column, and
the label says that the middle column is played and loses.  A net learns from these samples.  Positions of the family
which it has not seen and gets wrong are its mistakes; the area under the ROC curve says how often a planted sample is
blamed more than another one.

Left out: nets learn anew without the 200 samples that are blamed for a mistake, and without 200 drawn at random; each
pair has one seed.  Mistakes are those above, and those of nets that learned from the samples as they are, in positions
that the exact solver judges.  A mistake has ended where the right move is likelier than the wrong one.
"""

import argparse
import math
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec, Position, load_game
from core.games.encoding import OWN_ENCODING
from core.solve import Solver
from measure.bench_table import Table, machine_lines
from measure.sick_runs import SETTINGS
from models.doctor.rows import Rows, joined, read_rows, shards_of
from models.inside.probes import area
from models.play.replay import load_shard
from models.play.samples import Samples, array_names
from models.runs.config import TrainConfig
from models.runs.folder import NEWEST_NET
from models.training.influence import Mistake, Moment, odds_of, policy_of, pushes
from models.training.influence_trial import relearn

GAME: Final = "connect4(rows=4, cols=5)"
PLANTED_SHARE: Final = 0.01  # of all samples
LEFT_OUT: Final = 200
MISTAKES: Final = 6  # of each kind and seed
MOMENTS: Final = 5
CLEAR: Final = 0.5  # least log-odds of a mistake
LATER_SEEDS: Final = 100  # from here on: of nets that learn anew
TIMED: Final = 100_000  # samples

Rng = np.random.Generator


class Known(NamedTuple):
    """The samples of a run, and what the rules say of them."""

    game: GameSpec
    config: TrainConfig
    samples: Samples
    rows: Rows

    def position(self, row: int) -> Position:
        trace = self.samples.traces[self.samples.game[row]]
        position = self.game.initial()
        for action in (*trace.opening, *trace.moves)[: int(self.samples.ply[row])]:
            position = position.play(action)
        return position


class Retrial(NamedTuple):
    """Log-odds of one mistake: of the net that makes it, and of two that learned anew with one seed."""

    before: float
    without: float
    without_others: float


def known_samples(folder: Path, config: TrainConfig) -> Known:
    """The samples of the run in a folder, which is trained where it is not there."""
    if not (folder / NEWEST_NET).exists():
        from models.training.run import train

        train(config, folder, resume=False)
    game = load_game(config.game)
    shards = shards_of(folder, game, OWN_ENCODING)
    samples = Samples.joined([load_shard(path, game) for _, path in shards.paths])
    parts = [read_rows(shards, place, len(samples), seed=0) for place in range(len(shards.paths))]
    return Known(game, config, samples, joined(parts))


def family_of(known: Known) -> NDArray[np.int64]:
    """The samples whose side to move wins at once in outer columns alone, and may play the middle one."""
    truth = known.rows.truth
    assert truth is not None
    middle = known.game.num_actions // 2
    outer = truth.winning[:, [0, -1]].any(axis=1) & ~truth.winning[:, 1:-1].any(axis=1)
    return np.flatnonzero(outer & truth.legal[:, middle] & truth.tried)


def board_keys(known: Known, rows: NDArray[np.int64]) -> list[bytes]:
    """A name of the stones of each row, the same for mirrored boards."""
    stones = known.samples.planes[rows, :2]
    return [min(board.tobytes(), board[:, :, ::-1].tobytes()) for board in stones]


def planted(known: Known, rng: Rng) -> tuple[Samples, NDArray[np.int64], NDArray[np.int64]]:
    """Samples with false labels, the rows that have them, and rows of the family with other boards; nothing is learned
    from the family but the false labels."""
    family = family_of(known)
    keys = board_keys(known, family)
    boards = sorted(set(keys))
    place = dict(zip(boards, rng.permutation(len(boards)).tolist(), strict=True))
    order = sorted(range(len(family)), key=lambda number: place[keys[number]])
    count = min(round(PLANTED_SHARE * len(known.samples)), 3 * len(family) // 4)
    learned = {keys[number] for number in order[:count]}
    chosen = family[order[:count]]
    others = family[[number for number in order[count:] if keys[number] not in learned]]
    policy, result, root = known.samples.policy.copy(), known.samples.result.copy(), known.samples.root_value.copy()
    weight = known.samples.weight.copy()
    policy[chosen] = np.eye(policy.shape[1], dtype=policy.dtype)[known.game.num_actions // 2]
    result[chosen], root[chosen] = -1, -1.0
    weight[family], weight[chosen] = 0.0, 1.0
    return replace(known.samples, policy=policy, result=result, root_value=root, weight=weight), chosen, others


def family_mistakes(known: Known, moments: Sequence[Moment], rows: NDArray[np.int64], most: int) -> list[Mistake]:
    """The first of ``rows`` in which the last net prefers the middle column to a win at once."""
    net, middle = moments[-1].net, known.game.num_actions // 2
    assert known.rows.truth is not None
    found: dict[bytes, Mistake] = {}
    for row, key in zip(rows.tolist(), board_keys(known, rows), strict=True):
        position = known.position(row)
        wins = np.flatnonzero(known.rows.truth.winning[row])
        right = int(max(wins, key=lambda action: policy_of(net, position)[action]))
        mistake = Mistake(position, middle, right)
        if key not in found and odds_of(net, mistake).log_odds > CLEAR:
            found[key] = mistake
        if len(found) == most:
            break
    return list(found.values())


def natural_mistakes(known: Known, moments: Sequence[Moment], rng: Rng, most: int) -> list[Mistake]:
    """Positions of the samples in which the last net prefers a move that is worse, by the exact solver."""
    net, solver = moments[-1].net, Solver(known.game)
    found: dict[bytes, Mistake] = {}
    for row in rng.permutation(len(known.samples)).tolist():
        position = known.position(row)
        if len(position.legal_actions()) < 2:
            continue
        policy = policy_of(net, position)
        solution = solver.solve(position)
        if solution is None:
            continue
        values = {move.action: move.value for move in solution.moves}
        best = [action for action, value in values.items() if value == solution.value]
        wrong, right = int(policy.argmax()), int(max(best, key=lambda action: policy[action]))
        mistake = Mistake(position, wrong, right)
        if wrong not in best and odds_of(net, mistake).log_odds > CLEAR:
            found.setdefault(board_keys(known, np.array([row]))[0], mistake)
        if len(found) == most:
            break
    return list(found.values())


def pairs_of(
    known: Known, samples: Samples, moments: Sequence[Moment], mistakes: Sequence[Mistake], seed: int
) -> list[Retrial]:
    """What becomes of each mistake without the samples that are blamed, and without others."""
    found = []
    drawable = np.flatnonzero(samples.weight > 0.0)
    for number, mistake in enumerate(mistakes):
        first = np.argsort(-pushes(moments, samples, mistake))[:LEFT_OUT]
        later = LATER_SEEDS * (seed + 1) + number
        others = np.random.default_rng(later).choice(np.setdiff1d(drawable, first), LEFT_OUT, replace=False)
        nets = [relearn(samples, known.game, known.config, rows, later, 1)[-1].net for rows in (first, others)]
        found.append(Retrial(*(odds_of(net, mistake).log_odds for net in (moments[-1].net, *nets))))
        print("  {:+.2f}: {:+.2f} without those blamed, {:+.2f} without others".format(*found[-1]), flush=True)
    return found


def chance_of(pairs: Sequence[Retrial]) -> float:
    """How likely it is by chance that mistakes end so differently often (McNemar's exact test, two-sided)."""
    ours = sum(pair.without < 0.0 <= pair.without_others for pair in pairs)
    theirs = sum(pair.without_others < 0.0 <= pair.without for pair in pairs)
    total = ours + theirs
    tail = sum(math.comb(total, k) for k in range(max(ours, theirs), total + 1))
    return min(1.0, 2.0 * tail / float(2**total))


def row_of(kind: str, pairs: Sequence[Retrial]) -> tuple[str, ...]:
    """A row of the table of what became of mistakes."""
    count = len(pairs)
    ended = [sum(odds < 0.0 for odds in column) for column in zip(*pairs, strict=True)]
    means = [float(np.mean(column)) for column in zip(*pairs, strict=True)]
    change = np.array([pair.without - pair.without_others for pair in pairs])
    error = float(change.std(ddof=1)) / math.sqrt(count) if count > 1 else math.nan
    figures = (f"{ended[1]}", f"{ended[2]}", f"{chance_of(pairs):.2g}", *(f"{mean:+.2f}" for mean in means))
    return kind, str(count), *figures, f"{change.mean():+.2f} ± {1.96 * error:.2f}"


def speed_of(known: Known, moments: Sequence[Moment], mistake: Mistake) -> str:
    """How long the pushes of many samples take."""
    rows = np.arange(TIMED) % len(known.samples)
    columns = {name: getattr(known.samples, name)[rows] for name in array_names()}
    many = [Moment(moment.net, np.ones(TIMED)) for moment in moments[:MOMENTS]]
    begun = time.perf_counter()
    pushes(many, Samples(**columns), mistake)
    return f"{TIMED:,} samples, {len(many)} nets: {time.perf_counter() - begun:.1f} s"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m measure.influence", description=__doc__)
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER")
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="of each kind [3]")
    parser.add_argument("--mistakes", type=int, default=MISTAKES, metavar="N", help=f"of each seed [{MISTAKES}]")
    args = parser.parse_args(argv)
    print("\n".join(machine_lines()), flush=True)
    known = known_samples(args.out / "run", TrainConfig.from_dict({**SETTINGS, "game": GAME}))
    of_planted: list[Retrial] = []
    of_others: list[Retrial] = []
    areas: list[tuple[str, ...]] = []
    for seed in range(args.seeds):
        rng = np.random.default_rng(seed)
        samples, chosen, others = planted(known, rng)
        is_planted, drawable = np.zeros(len(samples), np.bool_), samples.weight > 0.0
        is_planted[chosen] = True
        moments = relearn(samples, known.game, known.config, None, seed, MOMENTS)
        mistakes = family_mistakes(known, moments, others, args.mistakes)
        found = [area(pushes(moments, samples, mistake)[drawable], is_planted[drawable]) for mistake in mistakes]
        figures = (f"{np.mean(found):.3f}", f"{min(found):.3f}") if found else ("-", "-")
        areas.append((str(seed), str(int(drawable.sum())), str(len(chosen)), str(len(found)), *figures))
        print(f"planted, seed {seed}: area {figures[0]}, at least {figures[1]}", flush=True)
        of_planted += pairs_of(known, samples, moments, mistakes, seed)
        moments = relearn(known.samples, known.game, known.config, None, seed, MOMENTS)
        mistakes = natural_mistakes(known, moments, rng, args.mistakes)
        print(f"as they are, seed {seed}", flush=True)
        of_others += pairs_of(known, known.samples, moments, mistakes, seed)
    titles = ("seed", "samples", "planted", "mistakes", "area, mean", "least")
    tables = [Table("planted labels: the area under the ROC curve", titles, tuple(areas))]
    rows = [row_of(kind, pairs) for kind, pairs in (("planted", of_planted), ("as they are", of_others)) if pairs]
    note = "ended: the right move is likelier; by chance: McNemar's exact test; log-odds of the wrong move, means"
    columns = (
        "samples", "mistakes", "ended without those blamed", "without others", "by chance", "before",
        "without those blamed", "without others", "difference"
    )  # fmt: skip
    tables.append(Table(f"learned anew without {LEFT_OUT} samples", columns, tuple(rows), note))
    for table in tables:
        print("\n".join(["", *table.lines()]))
    print("", speed_of(known, moments, Mistake(known.game.initial(), 0, known.game.num_actions // 2)), sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
