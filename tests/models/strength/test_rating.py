"""Ratings: by hand for two players, what must not matter, and known strengths found again."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.strength.rating import ELO_PER_NAT, LOG_NU_SD, RATING_SD, Z_95, Rating, Ratings, Record, information, rate

COUNTS = st.integers(0, 30)
PLAYERS = ("random", "a", "b", "c")
RECORDS = st.lists(
    st.tuples(st.sampled_from([(x, y) for x in PLAYERS for y in PLAYERS if x != y]), COUNTS, COUNTS, COUNTS).map(
        lambda drawn: Record(*drawn[0], *drawn[1:])
    ),
    min_size=1,
    max_size=8,
)


def same(one: Ratings, two: Ratings) -> None:
    assert set(one) == set(two)
    for player, rating in one.items():
        np.testing.assert_allclose(rating, two[player], atol=1e-4)


def davidson(gap: float, nu: float) -> tuple[float, float, float]:
    """(win, draw, loss) at ``gap`` Elo, as the paper writes it."""
    strong, weak = 10 ** (gap / 800), 10 ** (-gap / 800)
    total = strong + weak + nu * math.sqrt(strong * weak)
    return strong / total, nu * math.sqrt(strong * weak) / total, weak / total


def test_two_players_by_hand() -> None:
    """Without draws nu goes to 0 and one virtual game is added: the logit of 75.5 won of 101 games."""
    found = rate([Record("a", "random", 75, 0, 25)])
    p = 75.5 / 101
    assert found.nu < 0.05
    assert found["a"].elo == pytest.approx(400 * math.log10(p / (1 - p)), abs=3.0)
    half = Z_95 * ELO_PER_NAT / math.sqrt(101 * p * (1 - p))
    assert found["a"].high - found["a"].elo == pytest.approx(half, rel=0.03)
    assert found["random"] == Rating(0.0, 0.0, 0.0)
    assert found.games.tolist() == [100, 100]


def test_draws_by_hand() -> None:
    """Equal players with a third of draws: nu 1, and the information of a game (pw + pl) / 4 per nat squared."""
    found = rate([Record("a", "random", 40, 40, 40)])
    assert found["a"].elo == pytest.approx(0.0, abs=1e-6)
    assert found.nu == pytest.approx(1.0, abs=0.02)
    wins = 2 / (2 + found.nu)
    sum_information = 121 * wins / 4 + (ELO_PER_NAT / RATING_SD) ** 2
    assert found["a"].high == pytest.approx(Z_95 * ELO_PER_NAT / math.sqrt(sum_information), rel=1e-6)
    assert information(np.array([0.0]), found.nu)[0] == pytest.approx(wins / 4 / ELO_PER_NAT**2)


@settings(max_examples=40, deadline=None)
@given(COUNTS, COUNTS, COUNTS)
def test_the_rating_is_the_top_of_the_posterior(wins: int, draws: int, losses: int) -> None:
    """Against a plain grid over (rating, log nu)."""
    found = rate([Record("a", "random", wins, draws, losses)])

    def height(elo: float, log_nu: float) -> float:
        p_win, p_draw, p_loss = davidson(elo, math.exp(log_nu))
        extra = 0.5 if wins + draws + losses else 0.0
        prior = -0.5 * (elo / RATING_SD) ** 2 - 0.5 * (log_nu / LOG_NU_SD) ** 2
        return (wins + extra) * math.log(p_win) + draws * math.log(p_draw) + (losses + extra) * math.log(p_loss) + prior

    elo, log_nu = found["a"].elo, math.log(found.nu)
    top = height(elo, log_nu)
    for step in (0.01, 1.0, 30.0):
        for way in np.linspace(0, 2 * np.pi, 8, endpoint=False):
            assert height(elo + step * np.cos(way), log_nu + 0.01 * step * np.sin(way)) <= top + 1e-9


def test_draws_between_equals_narrow_the_interval() -> None:
    """A draw between equals says more than half a win and half a loss: the interval is no wider."""
    drawn = rate([Record("a", "random", 2, 96, 2)])["a"]
    split = rate([Record("a", "random", 50, 0, 50)])["a"]
    assert drawn.elo == pytest.approx(split.elo, abs=1e-6)
    assert rate([Record("a", "random", 12, 80, 8)])["a"].elo > rate([Record("a", "random", 52, 0, 48)])["a"].elo


@settings(max_examples=40, deadline=None)
@given(RECORDS, st.randoms(use_true_random=False))
def test_ratings_do_not_depend_on_order_sides_or_splitting(records: list[Record], shuffle) -> None:
    whole = rate(records, players=PLAYERS)
    mixed = [record.seen_by_b() if shuffle.random() < 0.5 else record for record in records]
    shuffle.shuffle(mixed)
    parts = [Record(r.a, r.b, *part) for r in mixed for part in ((r.wins, 0, 0), (0, r.draws, r.losses))]
    same(whole, rate(mixed, players=PLAYERS))
    same(whole, rate(parts, players=PLAYERS))


@settings(max_examples=40, deadline=None)
@given(RECORDS)
def test_everything_is_finite_and_in_order(records: list[Record]) -> None:
    found = rate(records, players=PLAYERS)
    for low, elo, high in ((r.low, r.elo, r.high) for r in found.values()):
        assert math.isfinite(elo)
        assert low <= elo <= high
    assert (np.linalg.eigvalsh(found.covariance) > -1e-6).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 30), COUNTS, st.integers(1, 30))
def test_the_same_match_again_narrows_the_interval(wins: int, draws: int, losses: int) -> None:
    record = Record("a", "random", wins, draws, losses)
    once, twice = rate([record])["a"], rate([record, record])["a"]
    assert twice.high - twice.low < once.high - once.low


@settings(max_examples=30, deadline=None)
@given(COUNTS, COUNTS, COUNTS)
def test_a_mirrored_record_mirrors_the_rating(wins: int, draws: int, losses: int) -> None:
    one = rate([Record("a", "random", wins, draws, losses)])["a"]
    two = rate([Record("a", "random", losses, draws, wins)])["a"]
    np.testing.assert_allclose(one, (-two.elo, -two.high, -two.low), atol=1e-4)


def test_a_clean_sweep_is_finite_and_grows() -> None:
    few, many = (rate([Record("a", "random", n, 0, 0)])["a"].elo for n in (4, 400))
    assert 100 < few < many < 2000


def test_players_without_common_opponents_have_wide_intervals() -> None:
    found = rate([Record("a", "b", 20, 0, 10)], players=["alone"])
    assert found["alone"].elo == pytest.approx(0.0, abs=1e-6)
    assert found["alone"].high == pytest.approx(Z_95 * RATING_SD, rel=1e-6)
    # a and b met each other but nobody of the anchor's: their difference is known, their place is not.
    assert found["a"].high - found["a"].low > 2000
    apart = found.lead("a", ["b"])
    assert apart.high - apart.low < 400
    assert apart.elo == pytest.approx(120, abs=30)
    assert found.games.tolist() == [0, 30, 0, 30]


def test_known_strengths_are_found_again() -> None:
    """Matches between neighbours of a ladder, drawn by the model: about 95 % of the intervals hold the truth."""
    true = {"random": 0.0, "r10": 350.0, "r50": 600.0, "n1": 750.0, "n2": 950.0}
    names = list(true)
    rng = np.random.default_rng(4)
    inside = total = 0
    errors = []
    for _ in range(120):
        records = []
        for i, a in enumerate(names):
            for b in names[i + 1 : i + 3]:
                counts = rng.multinomial(30, davidson(true[a] - true[b], 0.4))
                records.append(Record(a, b, *map(int, counts)))
        found = rate(records)
        apart = found.lead("n2", ["n1"])
        inside += apart.low <= 200.0 <= apart.high
        for name in names[1:]:
            inside += found[name].low <= true[name] <= found[name].high
            errors.append(found[name].elo - true[name])
        total += len(names)
    assert 0.92 <= inside / total <= 0.99
    assert abs(float(np.mean(errors))) < 25


def test_leads_and_chances() -> None:
    found = rate([Record("a", "random", 30, 0, 10), Record("b", "a", 25, 0, 15), Record("b", "random", 9, 0, 1)])
    lead = found.lead("b", ["a", "b"])
    apart = found.lead("b", ["a"])
    assert lead.elo == pytest.approx(apart.elo / 2)
    assert apart.elo == pytest.approx(found["b"].elo - found["a"].elo)
    assert apart.high - apart.low < 2 * (found["b"].high - found["b"].low)
    assert list(found.table()) == ["b", "a", "random"]
    assert found.table()["random"] == [0.0, 0.0, 0.0]
    with pytest.raises(KeyError):
        found["nobody"]


def test_bad_records_are_refused() -> None:
    with pytest.raises(ValueError, match="of 'a' against itself"):
        rate([Record("a", "a", 1, 0, 0)])
    with pytest.raises(ValueError, match=r"wins=-1.* counts are whole numbers from 0"):
        rate([Record("a", "b", -1, 0, 0)])
