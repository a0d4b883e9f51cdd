"""Checks of a run's nets, by what they answer on its samples and by how far training turned their filters.

Letters: n samples, A actions, S symmetries.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from core.engine.evaluator import Evaluator
from core.games import GameSpec
from core.text import Text
from models.doctor.course import TOO_SLOW
from models.doctor.findings import LIKELY, SHOWN, Experiment, Finding
from models.doctor.rows import Rows
from models.doctor.samples import LAST_PLIES, enough, mean_of
from models.inside.probes import Score, Scorer, fit_lines, score_of, split_games
from models.netfiles.agreement import chances

_AT_ONCE: Final = 256
_SAME: Final = 1e-4  # difference of chances up to which two nets answer alike
_STILL: Final = 0.02  # standard deviation of a value that says nothing
_SURE: Final = 0.98  # absolute value of a saturated head
_FOLLOWED: Final = 0.05  # share of the symmetric part of targets that a net follows which learned something
_HARDLY: Final = 0.22  # of that, the share of the rest: up to 0.1 where boards were turned without their targets
_MANY_STEPS: Final = 200
_SOME_STEPS: Final = 20  # in which even a low rate turns filters measurably
_LITTLE: Final = 0.05  # of its distance from the target, by which the policy moved
_LEAST_NUMBERS: Final = 4  # of a filter, below which its direction says little
_TURNED: Final = 0.01  # 1 - cosine of the median filter, below which training did not form it
_UNTURNED: Final = 1e-7  # the same, below which training did not touch it
_NEAR: Final = 0.02  # nats between target and policy, where the search adds nothing
_WORSE: Final = 0.02  # mean squared error of the value by which one is worse than another

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SampleAnswers:
    """What a net answers on n samples."""

    step: int
    policy: Floats  # [n, A] over the legal moves
    value: Floats  # [n] for the side to move


def answers_of(step: int, evaluator: Evaluator, rows: Rows) -> SampleAnswers:
    """Evaluate a net on samples as they are stored."""
    logits, values = [], []
    for start in range(0, len(rows), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        features = rows.features[part] if rows.features.shape[1] else None
        answer = evaluator.evaluate(rows.planes[part].astype(np.float32), features)
        logits.append(answer[0])
        values.append(answer[1])
    return SampleAnswers(step, chances(np.concatenate(logits), rows.legal), np.concatenate(values).astype(np.float64))


def answers_of_turned(step: int, evaluator: Evaluator, rows: Rows, game: GameSpec) -> SampleAnswers:
    """The mean of what a net answers on all turned and mirrored boards, each answer turned back."""
    policies, values = [], []
    for number, symmetry in enumerate(game.symmetries):
        planes, legal = game.transform_planes(rows.planes, number), rows.legal[:, np.argsort(symmetry)]
        answers = answers_of(step, evaluator, replace(rows, planes=planes, legal=legal))
        policies.append(answers.policy[:, symmetry])
        values.append(answers.value)
    return SampleAnswers(step, np.mean(policies, axis=0), np.mean(values, axis=0))


NetCheck = Callable[[SampleAnswers, Rows, GameSpec | None], Finding | None]


def learned_signs(net: SampleAnswers, rows: Rows, game: GameSpec | None) -> Finding | None:
    """Whether the net's values have the sign of the results from which it learned."""
    clear = (np.abs(net.value) > 0.15) & (np.abs(rows.result) > 0.5)
    if not enough(rows, clear):
        return None
    agrees = net.value * rows.result > 0
    before = mean_of(agrees, rows, clear)
    figure = Text("mean absolute error of the value")
    error = mean_of(np.abs(net.value - rows.result), rows)
    sentence = Text("the net's value has the sign of the sample's result in {share:.0%}", share=before.value)
    if before.high < 0.45:
        after = mean_of(np.abs(-net.value - rows.result), rows)
        change = Text("the sign of the net's values turned")
        return Finding("net sign", SHOWN, sentence, Experiment(change, figure, error, after), 1.0 - before.value)
    first, second = clear & (rows.mover == 0), clear & (rows.mover == 1)
    if not (enough(rows, first) and enough(rows, second)):
        return None
    sides = [mean_of(agrees, rows, side) for side in (first, second)]
    for side in (0, 1):
        if sides[side].low > 0.55 and sides[1 - side].high < 0.45:
            turned = np.where(rows.mover == 1 - side, -net.value, net.value)
            change = (
                Text("the sign turned in positions of the second player")
                if side == 0
                else Text("the sign turned in positions of the first player")
            )
            after = mean_of(np.abs(turned - rows.result), rows)
            return Finding("net owner", SHOWN, sentence, Experiment(change, figure, error, after), 1.0 - before.value)
    return None


def learned_value(net: SampleAnswers, rows: Rows, game: GameSpec | None) -> Finding | None:
    """Whether the value says more of the results than a straight line fitted to the planes, on games left out."""
    if not enough(rows, np.ones(len(rows), np.bool_)) or rows.result.std() < 0.2:
        return None
    split = split_games(rows.game, seed=0)
    if min(map(len, split)) < 20:
        return None
    flat = np.concatenate([rows.planes.reshape(len(rows), -1).astype(np.float32), rows.features], axis=1)
    labels = rows.result[:, None]
    line = fit_lines(flat[split.fit], labels[split.fit], flat[split.choose], labels[split.choose])
    judged = np.zeros(len(rows), np.bool_)
    judged[split.judge] = True
    by_line = np.clip(line.read(flat)[:, 0], -1.0, 1.0)
    change, figure = (
        Text("a straight line fitted to the planes"),
        Text("mean squared error of the value on other games"),
    )
    gap, experiment = _instead(change, figure, net.value, by_line, rows, judged)
    if net.value.std() < _STILL:
        sentence = Text(
            "its value is {mean:+.2f} everywhere (standard deviation {spread:.3f}), while results differ",
            mean=float(net.value.mean()),
            spread=float(net.value.std()),
        )
        if gap.value <= 0.005:  # no line says anything of the results; the search may
            searched = judged & np.isfinite(rows.root_value)
            if not enough(rows, searched):
                return None
            change = Text("the search's value")
            gap, experiment = _instead(change, figure, net.value, rows.root_value, rows, searched)
        if gap.value > 0.005:
            return Finding("value constant", SHOWN if gap.low > 0.0 else LIKELY, sentence, experiment)
    sure = np.abs(net.value) > _SURE
    wrong = mean_of(np.where(sure, np.abs(net.value - rows.result) > 1.0, False), rows)
    if sure.mean() > 0.8 and wrong.low > 0.1 and gap.low > 0.0:
        sentence = Text(
            "{sure:.0%} of its values are beyond ±0.98, and {wrong:.0%} of them have the wrong sign",
            sure=float(sure.mean()),
            wrong=wrong.value / float(sure.mean()),
        )
        return Finding("value saturated", SHOWN, sentence, experiment)
    if gap.low > 0.05:
        sentence = Text("on games left out a straight line over the planes predicts results better than the net does")
        return Finding("value unlearned", SHOWN, sentence, experiment)
    return None


def _instead(
    change: Text, figure: Text, value: Floats, other: Floats, rows: Rows, chosen: NDArray[np.bool_]
) -> tuple[Score, Experiment]:
    """By how much other values [n] predict the results of the chosen samples better, as the difference of mean squared
    errors, and the experiment that shows it."""
    errors = (rows.result - value) ** 2, (rows.result - other) ** 2
    before, after = (mean_of(error, rows, chosen) for error in errors)
    return mean_of(errors[0] - errors[1], rows, chosen), Experiment(change, figure, before, after)


def learned_policy(net: SampleAnswers, rows: Rows, game: GameSpec | None) -> Finding | None:
    """Whether the policy says more than how often each move is a target, whatever the position."""
    if not enough(rows, np.ones(len(rows), np.bool_)):
        return None
    counts = rows.policy.astype(np.float64).sum(axis=0) + 1e-3
    usual = np.where(rows.legal, counts, 0.0)
    usual /= usual.sum(axis=1, keepdims=True)
    losses = [-(rows.policy * np.log(np.maximum(policy, 1e-9))).sum(axis=1) for policy in (net.policy, usual)]
    before, after = (mean_of(loss, rows) for loss in losses)
    gap = mean_of(losses[0] - losses[1], rows)
    if gap.low < 0.02:
        return None
    figure = Text("cross-entropy with the policy target")
    experiment = Experiment(Text("how often each move is a target, in any position"), figure, before, after)
    spread = float(net.policy.std(axis=0).max())
    if spread < 0.01:
        sentence = Text("its policy is the same in all positions, up to {spread:.3f}", spread=spread)
        return Finding("policy constant", SHOWN, sentence, experiment)
    sentence = Text("counting how often each move is a target predicts the targets better than the net does")
    return Finding("policy unlearned", SHOWN, sentence, experiment)


def learned_boards(net: SampleAnswers, rows: Rows, game: GameSpec | None) -> Finding | None:
    """Whether the net learned which way round its targets are.

    A target is the mean over its turned and mirrored ones, which says nothing of that, and the rest.  A net whose
    boards were turned without their targets follows the mean alone; what it knows by heart of the boards as they were
    cancels out over all turned ones (:func:`answers_of_turned`), which a net has to be asked about only if it learned
    them."""
    if game is None or len(game.symmetries) < 2:
        return None
    lopsided = np.array([_is_lopsided(policy, game) for policy in rows.policy])
    if not enough(rows, lopsided):
        return None
    equal = rows.legal[lopsided] / rows.legal[lopsided].sum(axis=1, keepdims=True)
    wanted, said = rows.policy[lopsided] - equal, net.policy[lopsided] - equal
    means = [np.mean([_turned(part, symmetry) for symmetry in game.symmetries], axis=0) for part in (wanted, said)]
    follows_mean = _slope(means[1], means[0], rows.game[lopsided])
    follows_rest = _slope(said - means[1], wanted - means[0], rows.game[lopsided])
    if follows_mean.low < _FOLLOWED or follows_rest.high > _HARDLY * follows_mean.value:
        return None
    sentence = Text(
        "the policy follows {mean:.0%} of what targets say whichever way the board is turned, and {rest:.0%} of the "
        "rest",
        rest=follows_rest.value,
        mean=follows_mean.value,
    )
    figure = Text("share of the target that the policy follows")
    change = Text("the mean of the target over turned and mirrored boards")
    return Finding("net symmetry", SHOWN, sentence, Experiment(change, figure, follows_rest, follows_mean))


def _slope(said: Floats, wanted: Floats, games: NDArray[np.int64]) -> Score:
    """The slope of ``said`` [n, A] over ``wanted``, by least squares through 0, with its interval over games."""
    scorer = Scorer(games, seed=0)
    (top, tops), (bottom, bottoms) = (scorer.means((part * wanted).sum(axis=1)) for part in (said, wanted))
    return score_of(top / bottom, tops / bottoms)


def _turned(policy: Floats, symmetry: NDArray[np.int16]) -> Floats:
    """Policies [n, A] under a symmetry, which maps action a to symmetry[a]."""
    turned = np.empty_like(policy)
    turned[:, symmetry] = policy
    return turned


def _is_lopsided(policy: NDArray[np.float32], game: GameSpec) -> bool:
    """Whether a policy [A] differs much from each of its mirrored ones."""
    distances = [np.abs(policy[np.argsort(symmetry)] - policy).sum() for symmetry in game.symmetries[1:]]
    return min(distances, default=0.0) > 0.5


def nothing_to_learn(net: SampleAnswers, rows: Rows, game: GameSpec | None) -> Finding | None:
    """Whether the search's target differs from the policy of the net that searched, where that is still wrong."""
    if not enough(rows, np.ones(len(rows), np.bool_)):
        return None
    target = rows.policy.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(target > 0, target * (np.log(target) - np.log(np.maximum(net.policy, 1e-9))), 0.0)
    gained = mean_of(terms.sum(axis=1), rows)
    same = mean_of(target.argmax(axis=1) == net.policy.argmax(axis=1), rows)
    error = mean_of(np.abs(net.value - rows.result), rows)
    if not (gained.high < _NEAR and same.low > 0.98 and error.low > 0.3):
        return None
    sentence = Text(
        "the target of the search is the net's own policy, up to {gained:.3f} nats, with the same first move in "
        "{same:.0%}; yet its value errs by {error:.2f}",
        gained=gained.value,
        same=same.value,
        error=error.value,
    )
    return Finding("nothing to learn", LIKELY, sentence, None, same.value)


def overfitted(earlier: Sequence[SampleAnswers], newest: SampleAnswers, rows: Rows) -> Finding | None:
    """Whether an earlier net of the run predicts results of new games better than the newest net does.

    ``rows`` are samples that none of the nets has learned from.  The earlier net is chosen by half of their games and
    compared on the others."""
    if not earlier or not enough(rows, np.ones(len(rows), np.bool_)):
        return None
    errors = [(rows.result - net.value) ** 2 for net in earlier]
    chosen, *others = split_games(rows.game, seed=0)
    best = min(range(len(earlier)), key=lambda i: float(errors[i][chosen].mean()))
    judged = np.zeros(len(rows), np.bool_)
    judged[np.concatenate(others)] = True
    change, figure = (
        Text("the net of step {step}", step=earlier[best].step),
        Text("mean squared error of the value on new games"),
    )
    gap, experiment = _instead(change, figure, newest.value, earlier[best].value, rows, judged)
    if gap.low < _WORSE:
        return None
    sentence = Text(
        "the net of step {step} predicts new games better than that of step {newest}, which learned longer",
        step=earlier[best].step,
        newest=newest.step,
    )
    return Finding("overfitted", SHOWN, sentence, experiment)


def search_beside_net(net: SampleAnswers, rows: Rows) -> Finding | None:
    """Whether the search's values near the end of games are worse than the net's own, as where values are passed up the
    tree with a wrong sign.  ``rows`` are samples that the net has not learned from."""
    near = (rows.last >= 0) & (rows.last - rows.ply <= LAST_PLIES) & np.isfinite(rows.root_value)
    if not enough(rows, near):
        return None
    change, figure = Text("the net's own value"), Text("mean squared error of the search's value")
    gap, experiment = _instead(change, figure, rows.root_value, net.value, rows, near)
    if gap.low < _WORSE:
        return None
    sentence = Text(
        "in the last {plies} plies of new games the net's value predicts the result better than the search does, which "
        "sees further",
        plies=LAST_PLIES,
    )
    return Finding("search worse", SHOWN, sentence, experiment)


def moved(nets: Sequence[SampleAnswers], turned: Floats, rows: Rows, rate: float) -> Finding | None:
    """Whether training changed a net: its answers and filters, of the first and last of a run's nets.

    turned: of :func:`turned_filters`.  rate: the highest learning rate."""
    first, last = nets[0], nets[-1]
    if first.step == last.step:
        return None
    policy = float(np.abs(first.policy - last.policy).max())
    value = float(np.abs(first.value - last.value).max())
    if max(policy, value) <= _SAME:
        sentence = Text(
            "the nets of steps {first} and {last} answer alike, up to {difference:.0e}; the learning rate was at most "
            "{rate:g}",
            first=first.step,
            last=last.step,
            difference=max(policy, value),
            rate=rate,
        )
        return Finding("weights", SHOWN, sentence)
    filters = float(np.median(turned)) if len(turned) else 1.0
    steps = last.step - first.step
    if (steps >= _MANY_STEPS and filters < _TURNED) or (steps >= _SOME_STEPS and filters < _UNTURNED):
        sentence = Text(
            "{steps} steps turned the filters of the net by {turned:.4f} in the median (1 - cosine); the learning rate "
            "was at most {rate:g}",
            steps=steps,
            turned=filters,
            rate=rate,
        )
        return Finding("rate low" if rate < TOO_SLOW else "weights", SHOWN, sentence)
    change = float(np.abs(first.policy - last.policy).sum(axis=1).mean())
    wrong = float(np.abs(last.policy - rows.policy).sum(axis=1).mean())
    if steps < _MANY_STEPS or change > _LITTLE * wrong:
        return None
    sentence = Text(
        "{steps} steps moved the policy by {change:.3f} on average, and it is {wrong:.2f} from its target; the rate is "
        "{rate:g}",
        steps=steps,
        change=change,
        wrong=wrong,
        rate=rate,
    )
    return Finding("rate low", LIKELY, sentence)


def turned_filters(first: Path, last: Path) -> NDArray[np.float64]:
    """1 - cosine between each filter in two files of one net, 0 where only its length changed; empty where the files
    have other graphs.

    A filter is what one output channel or unit has of a weight tensor.  Normalisation that was folded into a
    convolution changes the length of its filters alone."""
    before = dict(_weights(onnx.load(first, load_external_data=False)))
    turned = []
    for name, weights in _weights(onnx.load(last, load_external_data=False)):
        if (other := before.get(name)) is not None and other.shape == weights.shape:
            turned.append(1.0 - _cosines(other, weights))
    return np.concatenate(turned) if turned else np.zeros(0)


def _weights(model: Any) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """The filters [out, n] of each weight tensor of a graph."""
    inputs = {node.input[1]: node for node in model.graph.node if node.op_type in ("Conv", "Gemm", "MatMul")}
    for tensor in model.graph.initializer:
        node = inputs.get(tensor.name)
        if node is None or len(tensor.dims) < 2 or tensor.external_data:
            continue
        weights = numpy_helper.to_array(tensor).astype(np.float64)
        by_row = node.op_type == "Conv" or any(part.name == "transB" and part.i for part in node.attribute)
        filters = weights.reshape(len(weights), -1) if by_row else weights.reshape(-1, weights.shape[-1]).T
        if filters.shape[1] >= _LEAST_NUMBERS:
            yield tensor.name, filters


def _cosines(first: NDArray[np.float64], last: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(last, axis=1)
    cosines: NDArray[np.float64] = np.where(lengths > 0, (first * last).sum(axis=1) / np.maximum(lengths, 1e-300), 1.0)
    return cosines


CHECKS: Final[tuple[NetCheck, ...]] = (
    learned_signs,
    learned_value,
    learned_policy,
    nothing_to_learn,
)
