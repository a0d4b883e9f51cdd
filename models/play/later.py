"""What samples learn from the moves after theirs: values to come and the opponent's reply.  Knows no search, no file.

Letters: n samples, A actions.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.play.samples import Samples

_SIDES: Final = np.array([1.0, -1.0])


def later_values(samples: Samples, turns: float) -> NDArray[np.float32]:
    """The mean of the searched values from each sample [n] on to the end of its game, for its mover; its own one for a
    game whose trace is not known.

    The value of i turns later has the weight (1 - l) l^i with l = 1 - 1 / ``turns``, and the result has the rest
    (KataGo, docs/KataGoMethods.md, short-term value targets).
    """
    kept = 1.0 - 1.0 / turns
    means = []
    for trace in samples.traces:
        plies = len(trace.opening) + np.arange(len(trace.values))
        mean, found = float(trace.outcome), np.zeros(len(plies))
        for i in range(len(plies) - 1, -1, -1):
            value = float(_SIDES[plies[i] & 1] * trace.values[i])
            mean = mean if np.isnan(value) else (1.0 - kept) * value + kept * mean
            found[i] = mean
        means.append(_SIDES[plies & 1] * found)
    later = samples.root_value.copy()
    for row, (number, ply) in enumerate(zip(samples.game.tolist(), samples.ply.tolist(), strict=True)):
        if number < len(means):
            later[row] = means[number][ply - len(samples.traces[number].opening)]
    return later


def replies(samples: Samples) -> NDArray[np.float32]:
    """The policy target of the position after each sample's [n, A]; zeros where that is not a sample."""
    rows = {place: row for row, place in enumerate(zip(samples.game.tolist(), samples.ply.tolist(), strict=True))}
    after = np.array([rows.get((number, ply + 1), -1) for number, ply in rows], np.int64)
    found = np.zeros_like(samples.policy)
    found[after >= 0] = samples.policy[after[after >= 0]]
    return found
