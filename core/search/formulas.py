"""The selection formulas as pure functions of numbers.

``puct``: U = c P sqrt(sum N) / (1 + N), sum over the children (AlphaGo Zero: Silver et al. 2017, Methods, Search
algorithm, Select); c may grow, c = c_log log((1 + sum N + c_base) / c_base) + c_init (AlphaZero: Silver et al. 2018,
supplement, Search: c_base 19652, c_init 1.25, c_log 1; KataGo, cpp/search/searchexplorehelpers.cpp: 500, 1.0, 0.45,
without the 1), and follow the spread of the node's values (``spread_factor``).
``ucb1``: Q + c sqrt(ln sum N / N) on values in [0, 1] (Auer et al. 2002; Kocsis & Szepesvari 2006).  Values here
lie in [-1, 1], twice as wide, so U is shown and added with the factor 2: the same order of the moves.
``ucb1_tuned``: Q + sqrt(ln sum N / N * min(1/4, V)), V = variance + sqrt(2 ln sum N / N) (Auer et al. 2002, section 4).
``gumbel``: sigma(q) = (c_visit + max N) c_scale q on values in [0, 1] (Danihelka et al. 2022, equation 8: 50 and 1).

Proofs are codes for the side that owns an edge: UNPROVED, WIN, PROVED_DRAW, LOSS.
"""

import math
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable

UNPROVED: Final = 0
WIN: Final = 1
PROVED_DRAW: Final = 2
LOSS: Final = 3

_LOGS: Final = np.array([0.0, *(math.log(n) for n in range(1, 1024))])

SPREAD_USUAL: Final = 0.4  # deviation of values at which c is as set
SPREAD_WEIGHT: Final = 2.0  # simulations that this counts for

Proofs = TypeVar("Proofs", int, NDArray[np.int8])  # one proof, or one of each node


@jitable
def flip(proof: Proofs) -> Proofs:
    """The same result from the other side's point of view."""
    return (4 - proof) & 3


@jitable
def exact_value(proof: int) -> float:
    """+1, 0 or -1 of a proved result."""
    return float(2 - proof)


def is_upper_bound(proof: Any, distance: Any, expanded: Any) -> Any:
    """Whether the distance of a proved node may be longer than under best play; numbers or arrays of one shape.

    MCTS-Solver keeps the first win it finds, and a loss is as long as the wins that prove it.  Nothing is shorter than
    a win in 1, and only wins in 1 make a loss in 2; the end of a game and what threats proved (a node that is not
    ``expanded``) are exact.  ``distance`` is the node's own, ``proof`` for the side that plays into it."""
    return expanded & (proof != UNPROVED) & (distance > np.where(np.equal(proof, WIN), 2, 1))


@jitable
def growing_c(c: float, c_base: float, c_log: float, sum_visits: float) -> float:
    """c_puct growing with the visits (AlphaZero: Silver et al. 2018, supplement, Search); ``c_base`` 0 keeps ``c``."""
    return c if c_base <= 0.0 else c_log * math.log((1.0 + sum_visits + c_base) / c_base) + c


@jitable
def expected_deviation(count: float, mean: float, square: float) -> float:
    """Standard deviation of a node's ``count`` values, from their ``mean`` and mean ``square``, estimated as if
    ``SPREAD_WEIGHT`` more had been seen with the deviation ``SPREAD_USUAL`` (KataGo: parentUtilityStdev in
    cpp/search/searchexplorehelpers.cpp; the figures are its defaults for play and analysis)."""
    if count <= 1.0:
        return SPREAD_USUAL
    own = mean * mean
    expected = (own + SPREAD_USUAL * SPREAD_USUAL) * SPREAD_WEIGHT + max(square, own) * count
    return math.sqrt(max(0.0, expected / (SPREAD_WEIGHT + count - 1.0) - own))


@jitable
def spread_factor(share: float, deviation: float) -> float:
    """Factor of c where the values of a node have this ``deviation``, of which c follows a ``share`` (KataGo, as
    above): 1 at ``SPREAD_USUAL``."""
    return 1.0 + share * (deviation / SPREAD_USUAL - 1.0)


@jitable
def score_value(lead: float, scale: float) -> float:
    """A score lead as a value in (-1, 1): 2/pi atan(lead / scale), with scale 2 sqrt(points of the board) (KataGo:
    the static score value of cpp/neuralnet/nninputs.cpp, which is its mean over the distribution of the score)."""
    return math.atan(lead / scale) * (2.0 / math.pi)


@jitable
def puct_bonus(c: float, prior: float, visits: float, sum_visits: float) -> float:
    """U of PUCT (AlphaGo Zero: Silver et al. 2017, Methods, Select): c P sqrt(sum N) / (1 + N)."""
    return c * prior * math.sqrt(sum_visits) / (1.0 + visits)


@jitable
def log_of_visits(visits: int) -> float:
    """ln ``visits``, from a table where there are few of them; 0 without any."""
    return float(_LOGS[visits & 1023]) if visits < 1024 else math.log(visits)


@jitable
def ucb1_bonus(c: float, visits: float, log_visits: float) -> float:
    """U of UCB1 on values in [0, 1] (Auer et al. 2002, figure 1), from the logarithm of sum N; infinite for an untried
    child."""
    return c * math.sqrt(log_visits / visits) if visits > 0 else np.inf


@jitable
def ucb1_tuned_bonus(c: float, visits: float, log_visits: float, variance: float) -> float:
    """U of UCB1-tuned on values in [0, 1] (Auer et al. 2002, section 4), times ``c`` (1 in the paper), from the
    logarithm of sum N; infinite for an untried child."""
    if visits <= 0:
        return np.inf
    share = log_visits / visits
    return c * math.sqrt(share * min(0.25, variance + math.sqrt(2.0 * share)))


@jitable
def gumbel_scale(c_visit: float, c_scale: float, most_visits: float) -> float:
    """Factor of sigma on values in [-1, 1], half of that on [0, 1] (Danihelka et al. 2022, equation 8)."""
    return 0.5 * (c_visit + most_visits) * c_scale


@jitable
def mixed_value(value: float, sum_visits: float, visited_prior: float, visited_prior_q: float) -> float:
    """v_mix, the value assumed for a move without visits (Danihelka et al. 2022, appendix D, equation 33).

    It mixes the net's ``value`` with the visited moves' Q, weighted by their priors: ``visited_prior`` = sum P,
    ``visited_prior_q`` = sum P Q."""
    if visited_prior <= 0.0:
        return value
    return (value + sum_visits * visited_prior_q / visited_prior) / (1.0 + sum_visits)


def considered_visits(num_considered: int, simulations: int) -> NDArray[np.int32]:
    """Sequential halving as a table: int32 [simulations], the visits that a root move must have to be searched next.

    ``num_considered`` moves share the first of ceil(log2) equal phases, half of them each later one (Karnin et al.
    2013; Danihelka et al. 2022, section 3, figure 1); the last two share what is left.
    """
    if num_considered <= 1:
        return np.arange(simulations, dtype=np.int32)
    phases = math.ceil(math.log2(num_considered))
    table: list[int] = []
    reached, moves = 0, num_considered
    while len(table) < simulations:
        for _ in range(max(1, simulations // (phases * moves))):
            table += [reached] * moves
            reached += 1
        moves = max(2, moves // 2)
    return np.array(table[:simulations], np.int32)
