"""What an outside engine says of the positions of a game, as figures of its report."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from core.engine.review import ended
from core.games import Position
from core.glass.review import FIRST_FEW, Figures
from core.text import Text
from models.engines.engine import Engine
from models.engines.opinion import Opinion
from models.engines.process import EngineError

SECONDS: Final = 1.0


def judged(
    engine: Engine, positions: Iterable[Position], seconds: float, should_stop: Callable[[], bool]
) -> Iterator[tuple[Position, Figures]]:
    """Yield each position with the engine's last word on it after ``seconds``, until it is to stop.

    The end of a game is counted here.  EngineError when the engine fails."""
    has_leads = False
    for position in positions:
        if position.is_over:
            yield position, ended(position, None, has_leads)
            continue
        last = deque(engine.analysis(position, seconds, should_stop), maxlen=1)
        if should_stop():
            return
        if not last:
            raise EngineError(Text("the engine {name} named no move", name=engine.name))
        figures = figures_of(last[0])
        has_leads = has_leads or figures.lead == figures.lead
        yield position, figures


def figures_of(opinion: Opinion) -> Figures:
    """An opinion as the result of a search: the value of a position is that of its best move."""
    rows = opinion.rows
    best = rows[0]
    return Figures(
        value=best.value,
        exact=False,
        best=(best.action,),
        best_value=best.value,
        pv=best.pv,
        visits=sum(max(0, row.visits) for row in rows),
        lead=best.lead,
        best_lead=best.lead,
        firsts=tuple(row.action for row in rows[:FIRST_FEW]),
    )
