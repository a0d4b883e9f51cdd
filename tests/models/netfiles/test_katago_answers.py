"""Outputs of KataGo's nets as probabilities, points and errors."""

import math

import numpy as np
import pytest

from core.files.reading import BadFile
from models.netfiles.katago_answers import answers, outcome, policy, scaling_of, scores, values_and_leads
from models.netfiles.katago_file import Scaling

DEFAULT = Scaling(8, 20.0, 20.0, 20.0, 40.0, 0.25, 30.0)


def scaled(version: int) -> Scaling:
    return Scaling(version, 20.0, 20.0, 20.0, 40.0, 0.25, 30.0)


def softplus(x: float) -> float:
    return math.log1p(math.exp(x))


def test_policy_of_legal_moves() -> None:
    logits = np.log(np.array([[[4.0, 2.0, 1.0, 1.0]]], np.float32))
    legal = np.array([[False, True, True, True]])
    np.testing.assert_allclose(policy(logits, legal, 0.7), [[0, 0.5, 0.25, 0.25]], atol=1e-6)


def test_optimism_mixes_the_logits() -> None:
    plain, optimistic = [0.0, 1.0, 2.0], [3.0, 1.0, -1.0]
    logits = np.array([[plain, optimistic]], np.float32)
    legal = np.ones((1, 3), np.bool_)
    for optimism, want in ((0.0, plain), (1.0, optimistic), (0.5, [1.5, 1.0, 0.5])):
        chances = np.exp(want)
        np.testing.assert_allclose(policy(logits, legal, optimism)[0], chances / chances.sum(), atol=1e-6)


def test_illegal_moves_get_nothing() -> None:
    logits = np.log(np.array([[[1.0, 1.0, 998.0]]], np.float32))
    shares = policy(logits, np.array([[True, False, True]]), 0.0)
    np.testing.assert_allclose(shares[0], [1 / 999, 0, 998 / 999], atol=1e-6)
    np.testing.assert_array_equal(policy(logits, np.array([[False, False, True]]), 0.0), [[0, 0, 1]])


def test_large_logits_do_not_overflow() -> None:
    logits = np.array([[[1e30, -1e30, 3e38]]], np.float32)
    np.testing.assert_array_equal(policy(logits, np.ones((1, 3), np.bool_), 0.2), [[0, 0, 1]])
    np.testing.assert_array_equal(outcome(logits[0], True), [[0, 0, 1]])


def test_no_result_is_left_out_where_the_rules_have_none() -> None:
    logits = np.log(np.array([[2.0, 1.0, 5.0]], np.float32))
    np.testing.assert_allclose(outcome(logits, True), [[0.25, 0.125, 0.625]], atol=1e-6)
    np.testing.assert_allclose(outcome(logits, False), [[2 / 3, 1 / 3, 0]], atol=1e-6)


def test_points_count_for_games_with_a_result() -> None:
    found = scores(np.array([[0.5, 0.2, -0.3, 0.1]] * 2, np.float32), DEFAULT, np.array([0.0, 0.25]))
    stdev = 20 * softplus(0.2)
    np.testing.assert_allclose(found.mean, [10, 7.5], rtol=1e-6)
    np.testing.assert_allclose(found.stdev, [stdev, math.sqrt(0.75 * (100 + stdev**2) - 7.5**2)], rtol=1e-6)
    np.testing.assert_allclose(found.lead, [-6, -4.5], rtol=1e-6)
    assert (found.var_time, found.win_error, found.score_error) == (None, None, None)


@pytest.mark.parametrize(
    ("version", "win_error", "score_error"),
    [
        (9, softplus(0.4), 10 * softplus(-0.6)),
        (10, math.sqrt(softplus(0.4) * 0.25), math.sqrt(softplus(-0.6) * 30)),
        (13, math.sqrt(softplus(0.4) * 0.25), math.sqrt(softplus(-0.6) * 30)),
        (14, softplus(0.2) * 0.5, softplus(-0.3) * math.sqrt(30)),
        (16, softplus(0.2) * 0.5, softplus(-0.3) * math.sqrt(30)),
    ],
)
def test_short_term_errors(version: int, win_error: float, score_error: float) -> None:
    found = scores(np.array([[0.0, 0.0, 0.0, 0.1, 0.4, -0.6]], np.float32), scaled(version), np.zeros(1))
    assert found.win_error is not None
    assert found.score_error is not None
    assert found.var_time[0] == pytest.approx(40 * softplus(0.1))
    assert found.win_error[0] == pytest.approx(win_error)
    assert found.score_error[0] == pytest.approx(score_error)


def test_a_converted_net_without_errors() -> None:
    found = scores(np.zeros((1, 4), np.float32), scaled(11), np.zeros(1))
    assert found.var_time is not None
    assert (found.win_error, found.score_error) == (None, None)


def test_everything_of_a_batch() -> None:
    outputs = {
        "policy": np.zeros((2, 2, 5), np.float32),
        "value": np.zeros((2, 3), np.float32),
        "miscvalue": np.zeros((2, 6), np.float32),
        "ownership": np.full((2, 2, 2), 0.5, np.float32),
    }
    found = answers(outputs, np.ones((2, 5), np.bool_), scaled(12))
    assert (found.policy.shape, found.policy.dtype, found.outcome.shape) == ((2, 5), np.float32, (2, 3))
    np.testing.assert_allclose(found.policy, 0.2)
    np.testing.assert_allclose(found.outcome, 1 / 3)
    assert found.ownership is not None
    np.testing.assert_allclose(found.ownership, math.tanh(0.5), rtol=1e-6)
    del outputs["ownership"]
    assert answers(outputs, np.ones((2, 5), np.bool_), scaled(12)).ownership is None


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        ({}, "scaling is missing"),
        ({"scaling": {"version": 18}}, "version is 18; it must be a whole number from 8 to 17"),
        ({"scaling": {"version": 9, "score_mean": -1}}, "score_mean is -1; it must be a number from 1e-06 to 1e.06"),
        ({"scaling": {"version": 9, "score_mean": 20}}, "score_stdev is missing"),
    ],
)
def test_damaged_metadata(config: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadFile, match=sentence):
        scaling_of(config)


@pytest.mark.parametrize("no_result", [False, True])
@pytest.mark.parametrize("version", [8, 15])
def test_values_and_leads_are_those_of_outcome_and_scores(no_result: bool, version: int) -> None:
    rng = np.random.default_rng(version)
    value, outputs = (rng.normal(size=(50, n)).astype(np.float32) * 3 for n in (3, 6))
    chances = outcome(value, no_result)
    wanted = scores(outputs, scaled(version), chances[:, 2])
    values, leads = values_and_leads(value, outputs, scaled(version), no_result)
    np.testing.assert_allclose(values, chances[:, 0] - chances[:, 1], atol=1e-6)
    np.testing.assert_allclose(leads[:, 0], wanted.lead, rtol=1e-5)
    np.testing.assert_allclose(leads[:, 1], wanted.lead**2 + wanted.stdev**2, rtol=1e-5)
    assert values.dtype == leads.dtype == np.float32
