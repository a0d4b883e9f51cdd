"""A scripted analysis: has the interface of the real one, publishes what the test passes to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from core.games import Position
from core.glass import Counters, NodeView, Snapshot
from core.search import Limit, SearchSettings
from gui.model.session import Session
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


def attach(session: Session, analysis: Any) -> None:
    """Let ``session`` search with a scripted analysis."""
    session.attach(analysis)


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


@dataclass
class Started:
    """One call of ``start``."""

    position: Position
    source: object
    settings: SearchSettings | None
    limit: Limit
    only: PathOf = ()


@dataclass
class FakeAnalysis:
    """Records the requests and returns what ``publish`` was given."""

    searching: bool = False
    phase: str = ""
    error: str | None = None
    notice: str | None = None
    closed: bool = False
    started: list[Started] = field(default_factory=list)
    resumed: list[Limit | None] = field(default_factory=list)
    wanted: tuple[PathOf, ...] = ()
    drawn: int = 0
    icicles: dict[str, object] = field(default_factory=dict)
    twins: dict[str, object] = field(default_factory=dict)
    traced: bool = False
    reason: str = ""
    simulations: int = 0
    _latest: Snapshot | None = None

    def start(
        self,
        position: Position,
        source: object = None,
        settings: SearchSettings | None = None,
        limit: Limit | None = None,
        seed: int = 0,
        only: Iterable[int] = (),
    ) -> int:
        self.started.append(Started(position, source, settings, limit or Limit(), tuple(only)))
        self.searching, self.error, self.phase = True, None, "searching"
        self.wanted = ()
        self.publish(0)
        return len(self.started)

    def stop(self) -> None:
        if self.searching:
            self.finish("stopped")

    def resume(self, limit: Limit | None = None) -> None:
        self.resumed.append(limit)
        self.searching, self.phase = True, "searching"
        self.publish(self.simulations)

    def request_nodes(self, paths: Iterable[PathOf]) -> None:
        self.wanted = tuple(sorted(paths))
        self.publish(self.simulations, self.reason)

    def request_picture(self, nodes: int) -> None:
        self.drawn = nodes

    def request_icicles(self, icicles: dict[str, object], twins: dict[str, object]) -> None:
        self.icicles, self.twins = dict(icicles), dict(twins)

    def request_answer(self, question: str, player: int = -1) -> None:
        self.question = question, player

    def pause_when(self, watch: object) -> None:
        self.watch = watch

    def visit(self, visitor: Callable[[None], object]) -> None:
        visitor(None)

    def request_curves(self, wanted: bool) -> None:
        self.traced = wanted

    def latest(self) -> Snapshot | None:
        return self._latest

    def close(self, timeout_s: float = 1.0) -> None:
        self.closed = True
        self.searching = False

    # control by the test

    def publish(self, simulations: int, reason: str = "", **root_changes: object) -> Snapshot:
        """Publish so many simulations of the latest request's position, with the opened nodes."""
        position = self.started[-1].position
        self.simulations, self.reason = simulations, reason
        root = node_view(position, (), simulations, **root_changes)
        opened = {path: self._opened(position, path, simulations) for path in self.wanted}
        self._latest = replace(snapshot_of(root, len(self.started), reason), opened=opened)
        return self._latest

    def finish(self, reason: str = "limit reached") -> Snapshot:
        """End the search with a last snapshot."""
        self.searching, self.phase = False, ""
        return self.publish(self.simulations, reason)

    def fail(self, sentence: str) -> None:
        self.searching, self.phase, self.error = False, "", sentence

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
