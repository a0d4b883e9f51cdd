"""The engine: evaluators, the search loop, the analysis thread, games in lockstep."""

from core.engine.analysis import Analysis
from core.engine.evaluator import Evaluator, UniformEvaluator
from core.engine.request import Analyst, EvaluatorSource
from core.engine.search import Search
from core.engine.search_state import SearchState
from core.engine.warm_up import warm_up

__all__ = [
    "Analysis",
    "Analyst",
    "Evaluator",
    "EvaluatorSource",
    "Search",
    "SearchState",
    "UniformEvaluator",
    "warm_up",
]
