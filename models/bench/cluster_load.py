"""What a cluster run would ask of network, object store and learner: ``python -m models.bench.cluster_load GAME``.

One player and one learner are measured on this machine: bytes of a sample, time to take one in, time of a step, bytes
of a net.  The table multiplies them.  No cluster is needed; nothing of this has been measured on one.
"""

import argparse
import pickle
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from core.games import load_game
from models.nets.net import pick_device
from models.play import replay as replays
from models.play.samples import Samples
from models.runs.config import TrainConfig
from models.runs.presets import preset
from models.training import boards
from models.training.learning import Learned, Learner
from models.training.pool import LocalPool, Round
from models.training.ray_pool import OUTSTANDING, portion_size
from models.training.threads import Part

_SAMPLES: Final = 96
_STEPS: Final = 4
_ACTORS: Final = (1, 10, 100, 1000)
_OF_STORE: Final = 0.3  # of the learner's memory, Ray's own default


class Measured(NamedTuple):
    """What one player and one learner take here, in processor time of one core.

    samples_per_s: of an actor.  sample_bytes: of a sample as actors hand it over, its game included.  intake_s: from
    there into the replay buffer and a shard, a sample.  step_s: of the optimizer.  shard_bytes: of a sample on disk.
    """

    samples_per_s: float
    sample_bytes: float
    shard_bytes: float
    intake_s: float
    step_s: float
    net_bytes: int


class Limits(NamedTuple):
    """What there is: network of the learner's machine in bytes/s each way, its memory in bytes, and how many times a
    step there is faster than measured here."""

    network: float = 1.25e9
    memory: float = 64e9
    step_speed: float = 1.0


class Load(NamedTuple):
    """What so many actors ask of it; shares are of what there is."""

    actors: int
    samples_per_s: float
    in_bytes_per_s: float
    out_bytes_per_s: float
    store_bytes: float
    network: float
    store: float
    intake: float
    steps: float

    @property
    def first(self) -> str:
        """What is asked too much of, most first; "" when all is enough."""
        shares = {name: getattr(self, name) for name in ("network", "store", "intake", "steps")}
        most = max(shares, key=lambda name: shares[name])
        return most if shares[most] > 1.0 else ""


def load(measured: Measured, config: TrainConfig, actors: int, limits: Limits = Limits()) -> Load:  # noqa: B008
    """The load of ``actors``.  Every iteration hands a new net once to each of them."""
    samples = measured.samples_per_s * actors
    into = samples * measured.sample_bytes
    nets = samples / config.samples_per_iteration
    out = nets * measured.net_bytes * actors
    store = actors * OUTSTANDING * portion_size(config, actors) * measured.sample_bytes + 2 * measured.net_bytes
    steps = samples * config.train_ratio / config.batch_size
    return Load(
        actors,
        samples,
        into,
        out,
        store,
        max(into, out) / limits.network,
        store / (_OF_STORE * limits.memory),
        # Parts are taken in by the one thread that asks the actors.
        samples * measured.intake_s,
        steps * measured.step_s / limits.step_speed,
    )


def measure(config: TrainConfig, folder: Path) -> Measured:
    """Play and learn a little in this process, in one thread each."""
    game = load_game(config.game)
    learner = Learner(game, config, pick_device("cpu"))
    pool = LocalPool(config, learner.average, folder, [config.seed], threads=1)
    parts: list[Part] = []
    began = time.process_time()
    pool.play(
        learner.average, 0, Round(_SAMPLES, parts, lambda _: Learned(0, {}, 0.0, 0.0), lambda: False, lambda _: None)
    )
    played_s = time.process_time() - began
    samples = Samples.joined([one for one, _ in parts])
    packed = [replays.arrays_of(one) for one, _ in parts if len(one)]
    data = pickle.dumps(packed, protocol=5)
    buffer = boards.restore(folder, boards.boards_of(config), config.replay_positions, 0, 0)
    began = time.process_time()
    for arrays in packed:
        buffer.add(replays.from_arrays(arrays))
    replays.save_shard(folder, 1, samples)
    intake_s = time.process_time() - began
    began = time.process_time()
    learner.learn(_STEPS, buffer.draw, lambda: 0.0)
    step_s = (time.process_time() - began) / _STEPS
    pool.close()
    net_bytes = sum(tensor.numel() * tensor.element_size() for tensor in learner.average.state_dict().values())
    count = len(samples)
    shard_bytes = replays.shard_path(folder, 1).stat().st_size / count
    # Of the moves, as finished games are rare while all games are young.
    rate = sum(stats.moves for _, stats in parts) * config.full_share / played_s
    return Measured(rate, len(data) / count, shard_bytes, intake_s / count, step_s, net_bytes)


def table(loads: Sequence[Load]) -> str:
    head = f"{'actors':>7} {'samples/s':>10} {'in MB/s':>9} {'out MB/s':>9} {'store MB':>9}"
    lines = [f"{head} {'network':>8} {'store':>7} {'intake':>8} {'steps':>9}  too much is"]
    for one in loads:
        row = f"{one.actors:>7} {one.samples_per_s:>10.0f} {one.in_bytes_per_s / 1e6:>9.2f}"
        row += f" {one.out_bytes_per_s / 1e6:>9.2f} {one.store_bytes / 1e6:>9.1f} {one.network:>8.1%} {one.store:>7.1%}"
        lines.append(f"{row} {one.intake:>8.1%} {one.steps:>9.1%}  {one.first or '-'}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m models.bench.cluster_load", description=__doc__)
    parser.add_argument("game", metavar="GAME", help="as `plyscope games` lists it")
    parser.add_argument("--preset", default="small", metavar="NAME", help="settings (default small)")
    parser.add_argument("--rate", type=float, metavar="N", help="samples/s of an actor (default: as one core here)")
    parser.add_argument("--gbit", type=float, default=10.0, metavar="N", help="of the learner's network (default 10)")
    parser.add_argument("--memory", type=float, default=64.0, metavar="GB", help="of its machine (default 64)")
    parser.add_argument("--step-speed", type=float, default=1.0, metavar="N", help="a step there is N times as fast")
    args = parser.parse_args(arguments)
    config = replace(preset(args.preset, load_game(args.game).text), device="cpu")
    with tempfile.TemporaryDirectory(prefix="plyscope-load-") as folder:
        measured = measure(config, Path(folder))
    if args.rate is not None:
        measured = measured._replace(samples_per_s=args.rate)
    limits = Limits(args.gbit * 1.25e8, args.memory * 1e9, step_speed=args.step_speed)
    print(
        f"{config.game}, {args.preset}, by processor time of one core here: {measured.samples_per_s:.0f} samples/s of "
        f"an actor, {measured.sample_bytes:.0f} bytes a sample ({measured.shard_bytes:.0f} on disk), "
        f"{1e6 * measured.intake_s:.0f} us to take one in, {1e3 * measured.step_s:.0f} ms a step of "
        f"{config.batch_size}, net {measured.net_bytes / 1e6:.2f} MB"
    )
    print(table([load(measured, config, actors, limits) for actors in _ACTORS]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
