"""What GTP answers about the end of a game: its score, and which stones are alive, dead or in seki.

A line on standard error says what took stones for dead, as the answers have no place for it.
"""

import sys

from core.engine.dead_stones import dead_stones
from core.engine.evaluator import Evaluator
from models.engines.gtp_board import GtpBoard, Refused
from models.engines.gtp_client import vertex


def final_score(board: GtpBoard, evaluator: Evaluator | None) -> str:
    """The score as if both passed now: ``B+3.5``, ``W+0.5`` or ``0``."""
    margin = board.count(_taken_off(board, evaluator)).margin
    return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}" if margin else "0"


def status_list(board: GtpBoard, evaluator: Evaluator | None, status: str) -> str:
    """The stones of a status, one a line."""
    if status not in ("alive", "dead", "seki"):
        raise Refused("the status is alive, dead or seki")
    count = board.count(_taken_off(board, evaluator))
    stones = frozenset(board.position.cells().ravel().nonzero()[0].tolist())
    marked = {"dead": count.dead, "seki": count.seki, "alive": stones - count.dead - count.seki}
    return "\n".join(vertex(board.game, cell) for cell in sorted(marked[status]))


def _taken_off(board: GtpBoard, evaluator: Evaluator | None) -> frozenset[int]:
    """The stones that are taken off before counting."""
    counting = board.game.counting
    if counting is None:
        raise Refused(f"cannot score {board.game.name}")
    if not counting.marks:
        print("no stone is taken for dead: these rules count all that are on the board", file=sys.stderr)
        return frozenset()
    dead = dead_stones(board.position, evaluator)
    names = " ".join(vertex(board.game, cell) for cell in sorted(dead))
    how = "the net's ownership" if evaluator is not None and evaluator.gives_ownership else "random games"
    print(f"dead stones by {how}: {names or 'none'}", file=sys.stderr)
    return dead
