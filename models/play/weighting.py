"""Weights of samples: how often each is drawn, by how much its search surprised the net.

Policy surprise weighting (KataGo, docs/KataGoMethods.md): a share of the weight of a game's samples is equal among
them, the rest in proportion to the KL divergence of the policy target from the prior.  A sample is drawn more often,
and counts whole each time.  KataGo takes the prior with noise; here it is the one without.
"""

import numpy as np
from numpy.typing import NDArray


def surprises(policies: NDArray[np.float32], priors: NDArray[np.float32]) -> NDArray[np.float64]:
    """KL(policy || priors) in nats of each row, both [R, A]; ``priors`` above 0 wherever ``policies`` are."""
    held = policies > 0.0
    terms = np.zeros(policies.shape)
    target = policies[held].astype(np.float64)
    terms[held] = target * np.log(target / priors[held])
    return np.maximum(0.0, terms.sum(axis=1))  # type: ignore[no-any-return]


def surprise_weights(surprises: NDArray[np.float64], share: float) -> NDArray[np.float32]:
    """The weights [n] of the samples of one game, of mean 1: ``share`` of them in proportion to the surprises."""
    total = float(surprises.sum())
    if not total:
        return np.ones(len(surprises), np.float32)
    return ((1.0 - share) + share * len(surprises) * surprises / total).astype(np.float32)
