"""A scripted analysis, which publishes what the test passes to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from core.engine.request import Agenda, Analyst
from core.games import Position
from core.glass import Counters, NodeView, Snapshot
from core.search import Limit, SearchSettings
from core.text import Text
from gui.widgets.board.overlays.overlay import BoardContent, Legend, Mark
from gui.widgets.board.overlays.table import BY_NAME
from gui.widgets.theme import Theme

PathOf = tuple[int, ...]


def node_view(position: Position, path: PathOf = (), simulations: int = 100, **changes: object) -> NodeView:
    """Return a node whose visits decrease from the first legal move to the last; all other values differ, too."""
    actions = np.array(position.legal_actions(), np.int16)
    count = len(actions)
    weights = np.arange(count, 0, -1, dtype=np.float64) ** 2
    visits = np.floor(simulations * weights / max(1.0, weights.sum())).astype(np.int32)
    steps = np.arange(count, dtype=np.float32)
    view = NodeView(
        path=path,
        position=position,
        selection="puct",
        visits=simulations,
        q=0.31,
        value=0.2,
        proof=0,
        distance=0,
        next_index=count - 1,
        best_index=0 if count else -1,
        actions=actions,
        visits_of=visits,
        backups_of=visits,
        priors=((steps + 1) / (steps + 1).sum()).astype(np.float32),
        net_priors=((steps + 1) / (steps + 1).sum()).astype(np.float32),
        qs=(0.5 - 0.1 * steps).astype(np.float32),
        us=(0.01 + 0.2 * steps).astype(np.float32),
        scores=(0.51 + 0.1 * steps).astype(np.float32),
        values=(0.3 - 0.05 * steps).astype(np.float32),
        proofs=np.zeros(count, np.int8),
        distances=np.zeros(count, np.int16),
        expanded=np.array([not position.play(int(a)).is_over for a in actions], np.bool_),
        same={},
        pvs=tuple(_line(position, int(a)) for a in actions),
    )
    return replace(view, **changes)  # type: ignore[arg-type]


def _line(position: Position, action: int) -> PathOf:
    """Return the move and its last legal answer."""
    answers = position.play(action).legal_actions()
    return (action, answers[-1]) if answers else (action,)


def snapshot_of(root: NodeView, request: int = 1, reason: str = "") -> Snapshot:
    """Return a snapshot of a root alone."""
    return Snapshot(
        request=request,
        position=root.position,
        evaluator="scripted-2x8.onnx on CPU",
        evaluator_note="no NVIDIA driver found",
        root=root,
        opened={},
        counters=counters(root.visits, elapsed_s=root.visits / 1000),
        reason=reason,
    )


def counters(simulations: int, elapsed_s: float = 1.0) -> Counters:
    return Counters(
        simulations=simulations,
        evaluations=simulations // 2,
        batches=simulations // 8,
        cache_hits=simulations // 4,
        collisions=0,
        nodes=simulations + 1,
        bytes_used=3 << 20,
        bytes_budget=512 << 20,
        depth=31,
        mean_depth=9.04,
        elapsed_s=elapsed_s,
    )


class Started(NamedTuple):
    """A search that was asked for."""

    position: Position
    source: object
    settings: SearchSettings
    limit: Limit
    only: PathOf


class FakeAnalysis(Analyst):
    """Takes the requests and shows what ``publish`` was given; a search ends by ``finish`` or ``fail``."""

    phase = ""
    notice: Text | None = None

    def __init__(self) -> None:
        super().__init__("scripted analysis")
        self.started: list[Started] = []
        self.resumed: list[Limit] = []
        self.simulations, self.reason = 0, ""
        self._thread.start()

    @property
    def agenda(self) -> Agenda:
        """What is asked for."""
        return self._agenda

    @property
    def closed(self) -> bool:
        return self._closing

    def visit(self, visitor: Callable[[Any], object]) -> None:
        visitor(None)

    def _work(self) -> None:
        pass

    def _announce(self, before: Agenda) -> None:
        agenda, request = self._agenda, self._agenda.request
        if request is None:
            return
        if agenda.runs != before.runs:
            self.phase = "searching"
            if before.request is None or request.id != before.request.id:
                self.started.append(
                    Started(request.position, request.source, request.settings, agenda.limit, request.only)
                )
                self.publish(0)
            else:
                self.resumed.append(agenda.limit)
                self.publish(self.simulations)
        elif before.running and not agenda.running:
            self._end("stopped")
        elif agenda.opened != before.opened:
            self.publish(self.simulations, self.reason)

    # control by the test

    def publish(self, simulations: int, reason: str = "", **root_changes: object) -> Snapshot:
        """Publish so many simulations of the latest request's position, with the opened nodes."""
        request = self._agenda.request
        position = request.position
        self.simulations, self.reason = simulations, reason
        root = node_view(position, (), simulations, **root_changes)
        opened = {path: self._opened(position, path, simulations) for path in self._agenda.opened}
        snapshot = replace(snapshot_of(root, request.id, reason), opened=opened)
        self._latest = snapshot
        return snapshot

    def finish(self, reason: str = "limit reached") -> Snapshot:
        """End the search with a last snapshot."""
        self._agenda = replace(self._agenda, running=False)
        return self._end(reason)

    def fail(self, sentence: str) -> None:
        self._agenda = replace(self._agenda, running=False)
        self.phase, self._error = "", sentence

    def _end(self, reason: str) -> Snapshot:
        self.phase = ""
        return self.publish(self.simulations, reason)

    def _opened(self, position: Position, path: PathOf, simulations: int) -> NodeView:
        for action in path:
            position = position.play(action)
        return node_view(position, path, max(1, simulations >> len(path)))


def overlay_marks(
    position: Position, node: NodeView, text_node: NodeView, name: str, best: int, theme: Theme
) -> list[Mark]:
    """The marks of an overlay of the search."""
    return BY_NAME[name].marks(BoardContent(position, node, text_node, best), theme)


def legend_of(name: str, position: Position, node: NodeView | None = None, **known: Any) -> Legend:
    """The legend of an overlay of what is known of a position."""
    return BY_NAME[name].legend(BoardContent(position, node, node, **known))
