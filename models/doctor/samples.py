"""Checks of a run's samples: what the net is shown, the results, the policy targets, the search's values.

Every check takes the samples and returns what is wrong, or None.  Its figures are means over games; a check says
something only where the 95 % interval leaves no doubt.
"""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec
from core.text import Text
from models.doctor.findings import LIKELY, PROVED, SHOWN, Experiment, Finding
from models.doctor.rows import NO_MOVE, Rows, RuleFacts
from models.inside.probes import Score, Scorer, score_of

LEAST_ROWS: Final = 40
LEAST_GAMES: Final = 8
_RIGHT: Final = 0.98  # share of samples that a change must put right to be named as what is wrong
_SLACK: Final = 0.005  # of samples that may be wrong
_MASS: Final = 1e-3  # of a target on moves that are not legal
LAST_PLIES: Final = 8  # of a game, in which search and result are to agree
_FLAT: Final = 0.97  # of the entropy of equal chances
_CERTAIN: Final = 0.99
_DECIDED: Final = 0.9  # absolute value of a position that is won or lost
_OVERLOOKED: Final = 0.75  # share of the target on wins in one move, below which the search is blind
_NO_NOISE: Final = 0.002  # total variation between two searches of a position by the same net
_DROWNED: Final = 0.36  # Connect Four's search by noise alone has 0.4 to 0.5, with the usual share 0.1 to 0.15
_UNLIKE: Final = 0.92  # ratio of chances below which moves are not those of the target; sound runs have 1 or above
_LIKE: Final = 0.85  # and that above which they are those of another one
_AS_MUCH: Final = 0.1  # by which it is less of the move before, at most; in sound runs of Connect Four 0.4

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Check = Callable[[Rows, GameSpec | None], Finding | None]


def mean_of(values: Floats | Mask, rows: Rows, chosen: Mask | None = None) -> Score:
    """The mean of values [n] over the chosen samples, with its interval over games."""
    kept = np.ones(len(rows), np.bool_) if chosen is None else chosen
    return score_of(*Scorer(rows.game[kept], seed=0).means(values[kept].astype(np.float64)))


def enough(rows: Rows, chosen: Mask) -> bool:
    """Whether the chosen samples are enough to say something."""
    return int(chosen.sum()) >= LEAST_ROWS and len(np.unique(rows.game[chosen])) >= LEAST_GAMES


def shown_planes(rows: Rows, game: GameSpec | None) -> Finding | None:
    """Whether the net is shown the position that the rules give; if not, what it is shown."""
    truth, every = rows.truth, np.ones(len(rows), np.bool_)
    if truth is None or game is None or not enough(rows, every) or truth.planes.shape != rows.planes.shape:
        return None
    right = _same(rows.planes, truth.planes)
    before = mean_of(right, rows)
    if before.value > 1.0 - _SLACK:
        return None
    best, change = before, Text("")
    for words, planes in _other_planes(truth, game):
        score = mean_of(_same(rows.planes, planes), rows)
        if score.value > best.value:
            best, change = score, words
    wrong = [
        number for number in range(rows.planes.shape[1]) if (rows.planes[:, number] != truth.planes[:, number]).any()
    ]
    if best.value < _RIGHT:
        sentence = Text(
            "{share:.0%} of the samples have other planes than their positions; wrong are planes {planes}",
            share=1.0 - before.value,
            planes=", ".join(map(str, wrong[:8])),
        )
        return Finding("planes", PROVED, sentence, None, 1.0 - before.value)
    figure = Text("share of samples with the planes of their positions")
    sentence = Text("{share:.0%} of the samples have other planes than their positions", share=1.0 - before.value)
    return Finding("planes", PROVED, sentence, Experiment(change, figure, before, best), 1.0 - before.value)


def _same(planes: NDArray[np.int8], others: NDArray[np.int8]) -> Mask:
    same: Mask = (planes == others).reshape(len(planes), -1).all(axis=1)
    return same


def _other_planes(truth: RuleFacts, game: GameSpec) -> Iterator[tuple[Text, NDArray[np.int8]]]:
    """What a net may be shown by mistake."""
    planes = truth.planes
    if planes.shape[1] > 1:
        swapped = planes[:, [1, 0, *range(2, planes.shape[1])]]
        yield Text("the stones of both sides exchanged"), swapped
    yield Text("the position one move later"), truth.before
    for symmetry in range(1, len(game.cell_symmetries)):
        yield Text("the board turned or mirrored back"), game.transform_planes(planes, symmetry)
    for number in range(planes.shape[1]):
        empty = planes.copy()
        empty[:, number] = 0
        yield Text("plane {number} filled in", number=number), empty


def constant_planes(rows: Rows, game: GameSpec | None) -> Finding | None:
    """Whether the planes tell positions apart."""
    if not enough(rows, np.ones(len(rows), np.bool_)) or rows.truth is not None:
        return None
    different = len({planes.tobytes() for planes in rows.planes})
    targets = len({policy.tobytes() for policy in rows.policy})
    if different > 0.2 * targets:
        return None
    sentence = Text(
        "{count} samples have {planes} different inputs, and {targets} different policy targets",
        count=len(rows),
        planes=different,
        targets=targets,
    )
    return Finding("constant planes", SHOWN, sentence)


def results(rows: Rows, game: GameSpec | None) -> Finding | None:
    """Whether the results are those that the rules prove; if not, whose they are."""
    if rows.truth is None:
        return None
    truth = rows.truth.result
    known = np.isfinite(truth)
    if not enough(rows, known):
        return None
    before = mean_of(rows.result == truth, rows, known)
    if before.value > 1.0 - _SLACK:
        return None
    given_up = known & rows.truth.resigned
    if mean_of(rows.result == truth, rows, known & ~given_up).value > 1.0 - _SLACK and given_up.any():
        wrong = mean_of(rows.result != truth, rows, given_up)
        sentence = Text(
            "{share:.0%} of the results of games that were given up are not those that the rules prove; of games that "
            "were played to the end hardly any is",
            share=wrong.value,
        )
        return Finding("resignations", PROVED, sentence, None, wrong.value)
    figure = Text("share of results that the rules prove")
    for kind, words, turned in _other_results(rows):
        after = mean_of(turned == truth, rows, known)
        if after.value > _RIGHT:
            return Finding(
                kind, PROVED, _result_sentence(before), Experiment(words, figure, before, after), 1 - before.value
            )
    return Finding("result wrong", PROVED, _result_sentence(before), None, 1.0 - before.value)


def _result_sentence(before: Score) -> Text:
    return Text("{share:.0%} of the results are not those of the games", share=1.0 - before.value)


def _other_results(rows: Rows) -> Iterator[tuple[str, Text, Floats]]:
    sides = np.where(rows.mover == 0, 1.0, -1.0)
    yield "result sign", Text("the sign of all results turned"), -rows.result
    yield "result owner", Text("the sign turned in positions of the second player"), rows.result * sides
    yield "result owner", Text("the sign turned in positions of the first player"), -rows.result * sides


def illegal_targets(rows: Rows, game: GameSpec | None) -> Finding | None:
    """Whether the policy target has moves that the rules do not allow."""
    legal = rows.legal if rows.truth is None else rows.truth.legal
    every = np.ones(len(rows), np.bool_)
    if not enough(rows, every):
        return None
    share = mean_of(_mass(rows.policy, ~legal) > _MASS, rows)
    if share.low <= _SLACK:
        return None
    sentence = Text(
        "{share:.0%} of the policy targets give chances to moves that are not legal, {mass:.0%} on average",
        share=share.value,
        mass=float(_mass(rows.policy, ~legal).mean()),
    )
    figure = Text("share of targets with moves that are not legal")
    for words, policy in _other_targets(rows, game):
        after = mean_of(_mass(policy, ~legal) > _MASS, rows)
        if after.value < 1.0 - _RIGHT:
            return Finding("policy board", PROVED, sentence, Experiment(words, figure, share, after), share.value)
    return Finding("policy illegal", PROVED, sentence, None, share.value)


def _mass(policy: NDArray[np.float32], moves: Mask) -> Floats:
    """The chance [n] of the moves that a mask [n, A] has."""
    mass: Floats = np.where(moves, policy, 0.0).sum(axis=1)
    return mass


def targets_of_moves(rows: Rows, game: GameSpec | None) -> Finding | None:
    """Whether the moves played are those of the policy target.

    A move drawn from a target π has on average the chance Σ π², a better one more: their ratio is about 1 or above.
    """
    if rows.truth is None:
        return None
    played = rows.truth.played
    most = rows.policy.max(axis=1)
    chosen = (played != NO_MOVE) & (most > 1.5 / np.maximum(1, rows.legal.sum(axis=1))) & (most < _CERTAIN)
    if not enough(rows, chosen):
        return None
    before = _chance_ratio(rows, rows.policy, chosen, played)
    figure = Text("chance of the move played, beside that of a move drawn from the target")
    led = chosen & (rows.truth.earlier != NO_MOVE)
    if enough(rows, led):
        earlier = _chance_ratio(rows, rows.policy, led, rows.truth.earlier)
        if earlier.low > min(before.high, _LIKE) and earlier.value > before.value - _AS_MUCH:
            sentence = Text("the target says as much of the move that led to the position as of the one played there")
            change = Text("the move that led to the position instead of the one played there")
            return Finding("policy other", SHOWN, sentence, Experiment(change, figure, before, earlier))
    if not before.high < _UNLIKE:
        return None
    best: tuple[Score, Text] | None = None
    for words, policy in _other_targets(rows, game):
        score = _chance_ratio(rows, policy, chosen, played)
        if best is None or score.value > best[0].value:
            best = score, words
    sentence = _of_moves(before)
    if best is not None and best[0].low > max(_LIKE, before.high):
        return Finding("policy board", SHOWN, sentence, Experiment(best[1], figure, before, best[0]))
    return Finding("policy other", SHOWN, sentence)


def _of_moves(ratio: Score) -> Text:
    return Text(
        "the moves played have {ratio:.0%} of the chance that moves drawn from the target have", ratio=ratio.value
    )


def _other_targets(rows: Rows, game: GameSpec | None) -> Iterator[tuple[Text, NDArray[np.float32]]]:
    for symmetry in [] if game is None else game.symmetries[1:]:
        yield Text("the policy turned or mirrored back"), rows.policy[:, symmetry]
    yield Text("the policy in the reverse order of moves"), rows.policy[:, ::-1]


def _chance_ratio(rows: Rows, policy: NDArray[np.float32], chosen: Mask, moves: NDArray[np.int64]) -> Score:
    """Σ π(move) / Σ π² over the chosen samples, for a move [n] of each."""
    target = policy[chosen].astype(np.float64)
    at = target[np.arange(len(target)), moves[chosen]]
    squares = (target**2).sum(axis=1)
    scorer = Scorer(rows.game[chosen], seed=0)
    (top, tops), (bottom, bottoms) = scorer.means(at), scorer.means(squares)
    return score_of(top / bottom, tops / bottoms)


def search_values(rows: Rows, game: GameSpec | None) -> Finding | None:
    """Whether the search's value near the end of games has the sign of the result."""
    result = _true_results(rows)
    near = rows.last - rows.ply <= LAST_PLIES
    chosen = (
        near
        & (rows.last >= 0)
        & np.isfinite(rows.root_value)
        & (np.abs(result) > 0.5)
        & (np.abs(rows.root_value) > 0.1)
    )
    if not enough(rows, chosen):
        return None
    agrees = rows.root_value * result > 0
    before = mean_of(agrees, rows, chosen)
    figure = Text("share of positions near the end with the sign of the result")
    first, second = chosen & (rows.mover == 0), chosen & (rows.mover == 1)
    sentence = Text(
        "in the last {plies} plies of its game the search's value has the sign of the result in {share:.0%}",
        plies=LAST_PLIES,
        share=before.value,
    )
    if before.high < 0.5:
        change = Text("the sign of the search's values turned")
        after = mean_of(~agrees, rows, chosen)
        return Finding("search sign", SHOWN, sentence, Experiment(change, figure, before, after))
    if enough(rows, first) and enough(rows, second):
        sides = [mean_of(agrees, rows, side) for side in (first, second)]
        for side, (right, wrong) in enumerate((sides, sides[::-1])):
            if right.low > 0.5 > wrong.high:
                turned = np.where(rows.mover == 1 - side, ~agrees, agrees)
                change = (
                    Text("the sign turned in positions of the second player")
                    if side == 0
                    else Text("the sign turned in positions of the first player")
                )
                after = mean_of(turned, rows, chosen)
                return Finding("search owner", SHOWN, sentence, Experiment(change, figure, before, after))
    return None


def _true_results(rows: Rows) -> Floats:
    """The results that the rules prove, else those of the samples."""
    if rows.truth is None:
        return rows.result
    return np.where(np.isfinite(rows.truth.result), rows.truth.result, rows.result)


def overlooked_wins(rows: Rows, game: GameSpec | None) -> Finding | None:
    """Whether the search sees wins in one move."""
    if rows.truth is None:
        return None
    winning = rows.truth.winning
    chosen = rows.truth.tried & winning.any(axis=1) & (winning.sum(axis=1) < rows.truth.legal.sum(axis=1))
    if not enough(rows, chosen):
        return None
    score = mean_of(_mass(rows.policy, winning), rows, chosen)
    if not score.high < _OVERLOOKED:
        return None
    sentence = Text(
        "where a move wins at once, the policy target gives it {share:.0%} on average, over {count} positions",
        share=score.value,
        count=int(chosen.sum()),
    )
    return Finding("search blind", SHOWN, sentence, None, 1.0 - score.value)


def sharpness(rows: Rows, game: GameSpec | None) -> Finding | None:
    """Whether the policy target prefers anything, and leaves anything open."""
    counts = rows.legal.sum(axis=1)
    chosen = counts > 1
    if not enough(rows, chosen):
        return None
    entropy = -np.sum(rows.policy * np.log(np.maximum(rows.policy, 1e-12)), axis=1) / np.log(np.maximum(counts, 2))
    flat = mean_of(entropy > _FLAT, rows, chosen)
    if flat.low > 0.9:
        sentence = Text(
            "{share:.0%} of the policy targets are almost equal chances for all legal moves", share=flat.value
        )
        return Finding("search flat", SHOWN, sentence, None, flat.value)
    undecided = chosen & ~(np.abs(rows.root_value) > _DECIDED) & (np.abs(entropy) < np.inf)
    if not enough(rows, undecided):
        return None
    certain = mean_of(rows.policy.max(axis=1) > _CERTAIN, rows, undecided)
    if certain.low <= 0.9:
        return None
    sentence = Text(
        "{share:.0%} of the policy targets of undecided positions give everything to one move", share=certain.value
    )
    return Finding("search certain", LIKELY, sentence, None, certain.value)


def noise(rows: Rows, game: GameSpec | None) -> Finding | None:
    """Whether noise at the root changes a search, and does not decide it: by positions that were searched again.

    Searches of one iteration are of one net, so that two of a position differ by noise alone."""
    undecided = (np.abs(rows.root_value) < _DECIDED) & (rows.policy.max(axis=1) < _CERTAIN)
    earlier: dict[tuple[int, bytes, bytes], int] = {}
    again, distances = np.zeros(len(rows), np.bool_), np.zeros(len(rows))
    for row in np.flatnonzero(undecided & (rows.legal.sum(axis=1) > 1)).tolist():
        key = int(rows.iteration[row]), rows.planes[row].tobytes(), rows.features[row].tobytes()
        other = earlier.setdefault(key, row)
        if rows.game[other] != rows.game[row]:
            again[row] = True
            distances[row] = 0.5 * np.abs(rows.policy[row] - rows.policy[other]).sum()
    if not enough(rows, again):
        return None
    distance = mean_of(distances, rows, again)
    figure = {"count": int(again.sum()), "distance": distance.value}
    if distance.high < _NO_NOISE:
        sentence = Text(
            "{count} times a position was searched again by the same net, and the policy target changed by "
            "{distance:.1%}: there is no noise at the root",
            **figure,
        )
        return Finding("noise off", SHOWN, sentence)
    if distance.low > _DROWNED:
        sentence = Text(
            "{count} times a position was searched again by the same net, and {distance:.0%} of the policy target went "
            "to other moves",
            **figure,
        )
        return Finding("noise drowns", SHOWN, sentence, None, distance.value)
    return None


CHECKS: Final[tuple[Check, ...]] = (
    shown_planes,
    constant_planes,
    results,
    illegal_targets,
    targets_of_moves,
    search_values,
    overlooked_wins,
    noise,
    sharpness,
)
OF_DRAWN_MOVES: Final = (targets_of_moves, noise)  # which Gumbel's search does not draw from its targets
