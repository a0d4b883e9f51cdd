"""Solvers: exact value and distance of every move, counts of boards, threats."""

from core.solve.count import BoardCount, count
from core.solve.solution import Interim, MoveValue, Solution
from core.solve.solver import Solver, refusal, solve

__all__ = ["BoardCount", "Interim", "MoveValue", "Solution", "Solver", "count", "refusal", "solve"]
