"""Small real evaluators for the search's tests, and a search that has run."""

import zlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from core.engine import Search
from core.engine.corrections import Corrections
from core.engine.evaluator import Evaluator
from core.games import Position
from core.games.encoding import OWN_ENCODING
from core.search import Limit, SearchSettings
from core.search.work import Answer

USUAL = SearchSettings()


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


def run_search(
    position: Position,
    evaluator: Evaluator | None,
    simulations: int,
    settings: SearchSettings = USUAL,
    *,
    seed: int = 0,
    only: Iterable[int] = (),
    corrections: Corrections | None = None,
    **changed: Any,
) -> Search:
    """A search that has done so many simulations; ``changed``: settings that differ from ``settings``."""
    search = Search(position, evaluator, replace(settings, **changed), seed, only, corrections)
    search.run(Limit(simulations=simulations))
    return search
