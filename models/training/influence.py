"""Which samples taught a net a mistake: TracIn (Pruthi et al. 2020, equation 1 and section 3.5).

A step on a sample moves the weights against the gradient of its loss.  So it changes what the net says of another
position by minus the learning rate times the dot product of that gradient and the position's own.  TracIn adds this up
over kept nets, for the parts of the learning near each.  What is said of a position is here the log-odds of a wrong
move over a right one, or of a wrong outcome (win, draw, loss), averaged over the symmetries under which samples are
drawn: a sample with a push above 0 made the mistake likelier.

The weights are those of the last block and the heads.  Of a layer with the input a of a sample and the gradient e of
its loss at the output, the dot product with a gradient (V, v) is e (V a + v), so that no gradient of a sample is kept.
Pushes are those of plain gradient descent: AdamW scales each weight's step, so that they rank samples and are no
amounts.

Letters: n samples, K nets, B batch, S symmetries, A actions.
"""

import copy
import math
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from core.games import GameSpec, Position, load_game
from core.games.net_inputs import encoding_for, inputs_of
from core.machine import processors
from core.text import Text
from models.doctor.diagnosis import settings_of
from models.doctor.rows import shards_of
from models.inside.concepts import Stopped
from models.nets.net import PolicyValueNet
from models.nets.warm_start import read_folded
from models.play.replay import Batch, batch_of, load_shard
from models.play.samples import Samples
from models.runs.folder import REPORTS, RunError, kept_nets
from models.runs.reports import Report, read_reports
from models.training.learning import inputs_on, position_losses

MOST_SAMPLES: Final = 200_000  # the newest of a run
NETS: Final = 5  # kept nets that are asked, evenly over the run
OUTCOMES: Final = (Text("win"), Text("draw"), Text("loss"))  # in the order of the net
_AT_ONCE: Final = 256  # positions of a batch

Floats = NDArray[np.float64]
Stop = Callable[[], bool]
Progress = Callable[[Text], None]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move that a net prefers to a better one, or an outcome that it expects instead of the exact one."""

    position: Position
    wrong: int
    right: int
    is_outcome: bool = False
    """Whether both are outcomes for the side to move, by their places in :data:`OUTCOMES`."""

    def name_of(self, choice: int) -> str:
        """A move or outcome in words."""
        return OUTCOMES[choice] if self.is_outcome else self.position.game.action_name(choice)


class Moment(NamedTuple):
    """A net, and what was learned near it."""

    net: PolicyValueNet
    """Folded."""
    doses: NDArray[np.float64]
    """[n] how much was learned from each sample: the sum of the learning rates times its expected share of a batch."""


class NetOdds(NamedTuple):
    """What a kept net thinks of the moves or outcomes of a mistake."""

    step: int
    log_odds: float
    """Of the wrong one over the right one."""
    wrong: float
    """Its probability, of a move among the legal ones, and that of the right one."""
    right: float


@dataclass(frozen=True, eq=False)
class Influence:
    """How each of n samples of a run pushed its nets towards a mistake."""

    mistake: Mistake
    nets: tuple[NetOdds, ...]
    """Those that were asked, the oldest first."""
    paths: tuple[Path, ...]
    """Of the shards, oldest first."""
    shards: tuple[Samples, ...]
    """What is in them."""
    samples: Samples
    """The n samples of all."""
    shard: NDArray[np.int64]
    """[n] place of its shard in ``paths``."""
    row: NDArray[np.int64]
    """[n] its place in the shard."""
    push: Floats
    """[n] towards the mistake; below 0 away from it."""

    def first(self, count: int) -> NDArray[np.int64]:
        """The samples that pushed most towards the mistake, at most ``count``, the strongest first."""
        order = np.argsort(-self.push, kind="stable")[:count]
        return order[self.push[order] > 0.0]

    def share_of(self, chosen: NDArray[np.int64]) -> float:
        """The share of some samples in all that pushed towards the mistake; 0 where none did."""
        total = float(self.push[self.push > 0.0].sum())
        return float(self.push[chosen].sum()) / total if total > 0.0 else 0.0


def influence_of_run(
    run: Path,
    mistake: Mistake,
    nets: int = NETS,
    stop: Stop = lambda: False,
    progress: Progress = lambda _: None,
) -> Influence:
    """How the samples of a run that are on disk pushed its kept nets towards a mistake.

    :class:`RunError` where there is nothing to ask, BadNet or BadReplay for a damaged file, :class:`Stopped`."""
    config = settings_of(run)
    game, own = mistake.position.game, load_game(config.game)
    if game.text != own.text:
        raise RunError(Text("the run learns {own}, and the position is of {game}", own=own.text, game=game.text))
    kept = _spread([pair for pair in kept_nets(run) if pair[0] > 0], nets)
    if not kept:
        raise RunError(Text("{path} has kept no net that learned", path=str(run)))
    progress(Text("reading samples"))
    paths, parts = _newest_shards(run, own, config.net.inputs, stop)
    if not parts:
        raise RunError(Text("{path} has no samples on disk", path=str(run)))
    samples = Samples.joined(parts)
    iterations = [iteration for iteration, _ in paths]
    sizes = [len(part) for part in parts]
    steps = [step for step, _ in kept]
    doses = doses_of(read_reports(run / REPORTS), steps, dict(zip(iterations, sizes, strict=True))) * samples.weight
    push, odds = np.zeros(len(samples)), []
    for number, (step, path) in enumerate(kept):
        progress(Text("asking net {number} of {every}", number=number + 1, every=len(kept)))
        net = read_folded(path, game)
        odds.append(odds_of(net, mistake, step))
        push += pushes([Moment(net, doses[number])], samples, mistake, config.learning.root_value_share, stop)
    shard = np.repeat(np.arange(len(sizes)), sizes)
    row = np.concatenate([np.arange(size) for size in sizes])
    return Influence(mistake, tuple(odds), tuple(path for _, path in paths), tuple(parts), samples, shard, row, push)


def newest_net(run: Path, game: GameSpec) -> PolicyValueNet:
    """The newest kept net of a run.  :class:`RunError`, BadNet."""
    kept = kept_nets(run)
    if not kept:
        raise RunError(Text("{path} has kept no net that learned", path=str(run)))
    return read_folded(kept[-1][1], game)


def policy_of(net: PolicyValueNet, position: Position) -> Floats:
    """The policy [A] of a net over the legal moves."""
    logits = _answer(net, position)[0][0].double().numpy()
    legal = list(position.legal_actions())
    policy = np.zeros(len(logits))
    policy[legal] = _shares(logits[legal])
    return policy


def outcomes_of(net: PolicyValueNet, position: Position) -> Floats:
    """The probabilities of :data:`OUTCOMES` by a net."""
    return _shares(_answer(net, position)[2][0].double().numpy())


def outcome_of(value: int) -> int:
    """The place in :data:`OUTCOMES` of an exact value."""
    return 1 - value


def odds_of(net: PolicyValueNet, mistake: Mistake, step: int = 0) -> NetOdds:
    """What a net thinks of the moves or outcomes of a mistake, as the position stands."""
    shares = (outcomes_of if mistake.is_outcome else policy_of)(net, mistake.position)
    wrong, right = float(shares[mistake.wrong]), float(shares[mistake.right])
    return NetOdds(step, math.log(max(wrong, 1e-30)) - math.log(max(right, 1e-30)), wrong, right)


def _answer(net: PolicyValueNet, position: Position) -> tuple[Tensor, ...]:
    shown = inputs_of(position, encoding_for(position.game, net.config.inputs))
    with torch.inference_mode():
        answer: tuple[Tensor, ...] = net(*_fed(net, shown.planes, shown.features))
    return answer


def _shares(logits: Floats) -> Floats:
    odds = np.exp(logits - logits.max())
    shares: Floats = odds / odds.sum()
    return shares


def _spread(kept: Sequence[tuple[int, Path]], most: int) -> list[tuple[int, Path]]:
    """At most ``most`` nets evenly over those kept, the newest among them."""
    places = np.unique(np.linspace(len(kept) - 1, 0, min(most, len(kept)), endpoint=most >= len(kept)).astype(int))
    return [kept[place] for place in places]


def _newest_shards(run: Path, game: GameSpec, inputs: str, stop: Stop) -> tuple[list[tuple[int, Path]], list[Samples]]:
    """The newest shards of a run's own board, oldest first, of :data:`MOST_SAMPLES` or a few more."""
    shards = shards_of(run, game, encoding_for(game, inputs))
    paths: list[tuple[int, Path]] = []
    parts: list[Samples] = []
    for iteration, path in reversed(shards.paths):
        if stop():
            raise Stopped
        if sum(map(len, parts)) >= MOST_SAMPLES:
            break
        samples = load_shard(path, shards.game, shards.encoding)
        if len(samples):
            paths.append((iteration, path))
            parts.append(samples)
    return paths[::-1], parts[::-1]


def doses_of(reports: Sequence[Report], steps: Sequence[int], sizes: Mapping[int, int]) -> Floats:
    """[K, n] how much was learned near each of K nets, kept at ``steps``, from each sample of some iterations.

    A sample is drawn from the iteration after its own on, for as long as it is in the window of the newest.  ``sizes``:
    samples of each iteration, oldest first; those of a run's own board, in whose proportion the window is taken."""
    places = {iteration: place for place, iteration in enumerate(sizes)}
    firsts = np.cumsum([0, *sizes.values()])
    doses = np.zeros((len(steps), firsts[-1]))
    learned = sorted((report for report in reports if report["event"] == "iteration"), key=lambda r: int(r["step"]))
    by_iteration = {int(report["iteration"]): report for report in learned}
    for iteration, report in by_iteration.items():
        before = by_iteration.get(iteration - 1)
        if before is None or not _reported(before, "replay"):
            continue
        taken = int(report["step"]) - int(before["step"])
        near = int(np.argmin(np.abs(np.array(steps) - (int(before["step"]) + taken / 2.0))))
        dose = taken * _reported(report, "learning_rate") / _reported(before, "replay")
        left = _reported(before, "replay")
        for earlier in range(iteration - 1, -1, -1):
            made = by_iteration.get(earlier)
            if left <= 0.0 or made is None:
                break
            count = _reported(made, "samples")
            if earlier in places and count:
                first, end = firsts[places[earlier]], firsts[places[earlier] + 1]
                inside = round(min(1.0, left / count) * int(end - first))
                doses[near, end - inside : end] += dose
            left -= count
    return doses


def _reported(report: Report, name: str) -> float:
    value = report.get(name)
    return float(value) if isinstance(value, int | float) else 0.0


def pushes(
    moments: Sequence[Moment],
    samples: Samples,
    mistake: Mistake,
    root_value_share: float = 0.0,
    stop: Stop = lambda: False,
) -> Floats:
    """[n] how each sample pushed towards the mistake; :class:`Stopped`.

    The net must be in the processor's memory; each thread has a copy of its own."""
    push = np.zeros(len(samples))
    threads = processors()
    for net, doses in moments:
        wanted = np.flatnonzero(doses)
        batches = [wanted[start : start + _AT_ONCE] for start in range(0, len(wanted), _AT_ONCE)]
        direction = odds_gradient(net, mistake)
        own = threading.local()

        def prepare(net: PolicyValueNet = net, direction: Direction = direction, own: Any = own) -> None:
            torch.set_num_threads(1)
            own.tracer = Tracer(copy.deepcopy(net), direction)

        def trace(rows: NDArray[np.int64], own: Any = own) -> Floats:
            if stop():
                raise Stopped
            dots: Floats = own.tracer.dots(batch_of(samples, rows), root_value_share)
            return dots

        with ThreadPoolExecutor(threads, "influence", prepare) as pool:
            for rows, dots in zip(batches, pool.map(trace, batches), strict=True):
                push[rows] -= doses[rows] * dots
    return push


Direction = dict[str, tuple[Tensor, Tensor | None]]  # by layer: gradients of its weight and bias


def layers_of(net: PolicyValueNet) -> Iterator[tuple[str, nn.Conv2d | nn.Linear]]:
    """The layers of the last block and the heads."""
    before = ("stem.", "feature_in", *(f"blocks.{number}." for number in range(len(net.blocks) - 1)))
    for name, module in net.named_modules():
        if isinstance(module, nn.Conv2d | nn.Linear) and not name.startswith(before):
            yield name, module


def odds_gradient(net: PolicyValueNet, mistake: Mistake) -> Direction:
    """The gradient of the log-odds of the wrong move or outcome over the right one, averaged over the symmetries of the
    game, for the layers of :func:`layers_of` on which it depends."""
    net = copy.deepcopy(net).requires_grad_(False)
    layers = dict(layers_of(net))
    weights = [weight for module in layers.values() for weight in module.parameters()]
    for weight in weights:
        weight.requires_grad_()
    planes, features, wrong, right = _turned(mistake, net)
    logits = net(*_fed(net, planes, features))[2 if mistake.is_outcome else 0]
    odds = (logits.gather(1, wrong) - logits.gather(1, right)).mean()
    found = iter(torch.autograd.grad(odds, weights, allow_unused=True))
    gradients = {name: {kind: next(found) for kind, _ in module.named_parameters()} for name, module in layers.items()}
    return {
        name: (kinds["weight"], kinds.get("bias")) for name, kinds in gradients.items() if kinds["weight"] is not None
    }


def _turned(mistake: Mistake, net: PolicyValueNet) -> tuple[NDArray[Any], NDArray[Any], Tensor, Tensor]:
    """The position of a mistake under each symmetry: planes [S, C, H, W], features [S, G], both choices [S, 1]."""
    game = mistake.position.game
    shown = inputs_of(mistake.position, encoding_for(game, net.config.inputs))
    flat = shown.planes.reshape(shown.planes.shape[1], -1)
    planes = np.stack([flat[:, turned] for turned in np.argsort(game.cell_symmetries, axis=1)])
    features = np.repeat(shown.features, len(planes), axis=0)
    same = np.tile(np.arange(len(OUTCOMES)), (len(planes), 1))
    choices = torch.from_numpy((same if mistake.is_outcome else np.asarray(game.symmetries)).astype(np.int64))
    of_board = planes.reshape(len(planes), *shown.planes.shape[1:])
    return of_board, features, choices[:, [mistake.wrong]], choices[:, [mistake.right]]


def _fed(net: PolicyValueNet, planes: NDArray[Any], features: NDArray[Any]) -> tuple[Tensor, ...]:
    arrays = (planes, features)[: 2 if net.num_features else 1]
    return tuple(torch.from_numpy(np.ascontiguousarray(array, np.float32)) for array in arrays)


class Tracer:
    """Dot products of samples' gradients with a direction, for one thread."""

    def __init__(self, net: PolicyValueNet, direction: Direction) -> None:
        """``net`` becomes the tracer's own."""
        self._net = net.requires_grad_(False).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._seen: list[tuple[Tensor, Tensor]] = []  # of each layer what lies along the direction, and a probe
        for name, module in layers_of(self._net):
            if name in direction:
                module.register_forward_hook(self._watch(*direction[name]))

    def _watch(self, weight: Tensor, bias: Tensor | None) -> Callable[[Any, Any, Tensor], Tensor]:
        def hook(module: Any, inputs: tuple[Tensor, ...], output: Tensor) -> Tensor:
            shown = inputs[0].detach()
            if isinstance(module, nn.Linear):
                along = functional.linear(shown, weight, bias)
            else:
                along = functional.conv2d(shown, weight, bias, padding=module.padding)
            probe = torch.zeros_like(output, requires_grad=True)  # its gradient is that at the layer's output
            self._seen.append((along, probe))
            return output + probe

        return hook

    def dots(self, batch: Batch, root_value_share: float) -> Floats:
        """[B] the dot product of the gradient of each position's loss with the direction."""
        self._seen.clear()
        answer = self._net(*inputs_on(batch, torch.device("cpu")))
        loss = position_losses(answer, batch, root_value_share).sum()
        errors = torch.autograd.grad(loss, [probe for _, probe in self._seen])
        parts = [(along * error).flatten(1).sum(dim=1) for (along, _), error in zip(self._seen, errors, strict=True)]
        return torch.stack(parts).double().sum(dim=0).numpy()
