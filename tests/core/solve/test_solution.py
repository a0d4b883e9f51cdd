"""What a position is worth by what is known of its moves, and how searches narrow a score."""

import pytest

from core.solve import MoveValue
from core.solve.refine import Range, find_score, find_sign
from core.solve.solution import SOLVER_SLICE_S, Cancelled, OutOfTime, Pace, Watch, solution


@pytest.mark.parametrize(
    ("worths", "value", "distance", "best"),
    [
        ([(1, 5), (1, 3), (0, 9), (1, 3)], 1, 3, (1, 3)),
        ([(-1, 4), (-1, 8)], -1, 8, (1,)),
        ([(0, 9), (-1, 2)], 0, 9, (0,)),
        ([(1, 3), (1, None), (-1, 2)], 1, None, (0, 1)),  # the other win may be quicker
        ([(1, 3), (None, None)], 1, None, (0,)),
        ([(0, None), (0, 8), (-1, None)], 0, None, (0, 1)),
    ],
)
def test_worth_of_a_position(worths, value, distance, best):
    found = solution(tuple(MoveValue(a, v, d) for a, (v, d) in enumerate(worths)), Watch())
    assert (found.value, found.distance, found.best) == (value, distance, best)


@pytest.mark.parametrize("worths", [[(0, 9), (None, None)], [(None, None)], [(-1, 2), (None, None)]])
def test_unsettled_moves_give_no_solution(worths):
    assert solution(tuple(MoveValue(a, v, d) for a, (v, d) in enumerate(worths)), Watch()) is None


@pytest.mark.parametrize("soft", [0, 1, 5])
@pytest.mark.parametrize("truth", range(-9, 10))
def test_bounds_narrow_to_the_true_value(truth, soft):
    """Bounds may be anywhere between threshold and truth."""
    asked = []

    def probe(threshold):
        asked.append(threshold)
        return max(truth - soft, threshold + 1) if truth > threshold else min(truth + soft, threshold)

    known = Range(-9, 9)
    find_sign(known, probe)
    assert known.sign == (truth > 0) - (truth < 0)
    assert set(asked) <= {0, -1}
    find_score(known, probe)
    assert (known.low, known.high) == (truth, truth)
    assert len(asked) == len(set(asked)) <= 2 + 5


def test_watch_reports_progress_and_stops():
    received = []
    watch = Watch(progress=received.append, should_stop=lambda: len(received) == 3)
    watch.check(5)
    watch.check(7)
    with pytest.raises(Cancelled):
        watch.check(1)
    assert received == [5, 12, 13]
    with pytest.raises(OutOfTime):
        Watch(seconds=0.0).check()


def test_pace_adapts_to_the_slice_time():
    pace = Pace()
    start = pace.nodes
    pace.follow(SOLVER_SLICE_S / 2, ended=False)
    faster = pace.nodes
    assert faster > start
    pace.follow(SOLVER_SLICE_S / 2, ended=True)
    assert pace.nodes == faster
    for _ in range(50):
        pace.follow(2 * SOLVER_SLICE_S, ended=False)
    assert 0 < pace.nodes < start
