"""From logits to sorted priors, compiled, beside numpy's softmax and stable sort; priors as shares."""

import gc
import weakref
from typing import Any

import numpy as np
import pytest

from core._jit import Bound, jit
from core.search.priors import order_by_prior, order_scratch, quantise
from core.search.tree import PRIOR_ONE, share

LENGTHS = (1, 2, 3, 7, 24, 25, 81, 225, 362)


@jit
def soft_max(logits, actions, n, weights, out):
    quantise(logits, actions, n, weights, out)


@jit
def in_order(priors, n, order):
    order_by_prior(priors, n, order)


def places(priors):
    order = order_scratch(len(priors) + 3)  # as where some actions are not legal
    in_order(priors, len(priors), order)
    keys = order[: len(priors)]
    assert (PRIOR_ONE - (keys >> 16)).tolist() == priors[keys & 0xFFFF].tolist()
    return (keys & 0xFFFF).tolist()


@pytest.mark.parametrize("n", LENGTHS)
def test_priors_are_in_stable_order(n):
    rng = np.random.default_rng(n)
    for priors in (
        rng.integers(1, 1 << 16, n),
        rng.integers(1, 4, n),
        rng.integers(250, 320, n),
        np.exp(rng.uniform(0, 11, n)),
        np.full(n, PRIOR_ONE // n),
        np.arange(n) + 1,
        np.arange(n)[::-1] + 1,
        1 << rng.integers(0, 16, n),
    ):
        given = priors.astype(np.uint16)
        assert places(given) == np.argsort(-given.astype(np.int64), kind="stable").tolist()


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("spread", [0.0, 1.0, 5.0, 300.0])
def test_priors_are_a_softmax_over_the_legal_actions(n, spread):
    rng = np.random.default_rng(n)
    logits = (rng.normal(0, spread, n + 5) + 1000.0).astype(np.float32)
    actions = np.sort(rng.permutation(n + 5)[:n]).astype(np.int16)
    out = np.zeros(n, np.uint16)
    soft_max(logits, actions, n, np.zeros(n + 5), out)
    weights = np.exp(logits[actions].astype(np.float64) - logits[actions].max())
    expected = weights / weights.sum() * PRIOR_ONE
    assert np.abs(out - np.maximum(1, expected)).max() <= 0.5 + 1e-9
    quantise(logits, actions, n, np.zeros(n + 5), interpreted := np.zeros(n, np.uint16))
    assert interpreted.tolist() == out.tolist()


def test_a_share_is_the_quotient_to_the_last_bit():
    priors: Any = np.arange(PRIOR_ONE + 1).astype(np.float64)
    assert (share(priors) == priors / PRIOR_ONE).all()


@jit
def first_of(pair):
    return pair[0][0] + pair[1]


def test_a_bound_kernel_notices_arguments_of_other_types():
    call = Bound(first_of)
    whole, half = (np.array([3, 4]), 1), (np.array([0.5]), 1)
    assert [call(whole), call(whole), call(half), call(half), call(whole)] == [4, 4, 1.5, 1.5, 4]
    wide = np.arange(10)[4::3], 1  # not contiguous
    assert [call(wide), call(wide), call(whole)] == [5, 5, 4]


def test_a_bound_kernel_takes_other_tuples_of_the_same_types():
    call = Bound(first_of, alike=(0,))
    assert [call((np.array([n, 0]), n)) for n in range(5)] == [0, 2, 4, 6, 8]


def test_a_bound_kernel_refuses_names_of_arguments_before_and_after_its_first_call():
    call: Any = Bound(first_of)
    pair = np.array([3, 4]), 1
    for _ in range(2):
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            call(pair=pair)
        assert call(pair) == 4


def test_a_bound_kernel_that_has_forgotten_holds_no_array():
    call = Bound(first_of)
    pair = np.array([3, 4]), 1
    array = weakref.ref(pair[0])
    assert call(pair) == 4
    del pair
    call.forget()
    gc.collect()
    assert array() is None
    assert call((np.array([5, 4]), 1)) == 6
