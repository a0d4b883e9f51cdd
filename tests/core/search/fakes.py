"""Small real evaluators for the search's tests."""

import zlib

import numpy as np

from core.engine.evaluator import Evaluator
from core.games.encoding import OWN_ENCODING
from core.search.work import Answer


class HashEvaluator(Evaluator):
    """A net of no sense but with opinions: logits and values drawn from a generator seeded by the position."""

    description = "hash of the position"

    def __init__(self, num_actions, scale=1.0):
        self.num_actions, self.scale, self.asked = num_actions, scale, 0

    def evaluate(self, planes, features=None):
        logits = np.zeros((len(planes), self.num_actions), np.float32)
        values = np.zeros(len(planes), np.float32)
        for b, p in enumerate(planes):
            rng = np.random.default_rng(zlib.crc32(np.ascontiguousarray(p).tobytes()))
            logits[b] = self.scale * rng.normal(size=self.num_actions)
            values[b] = rng.uniform(-1, 1)
        self.asked += len(planes)
        return logits, values


class LeadEvaluator(HashEvaluator):
    """A net with arbitrary answers that gives a score lead, too."""

    encoding = OWN_ENCODING._replace(leads=True)

    def evaluate(self, planes, features=None):
        logits, values = super().evaluate(planes)
        leads = (10 * values + planes[:, 0].sum(axis=(1, 2))).astype(np.float32)
        return Answer(logits, values, np.stack([leads, leads**2 + 4], axis=1))
