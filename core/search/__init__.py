"""Search: settings, the tree and its kernels, and what is shown of it."""

from core.search.settings import Limit, SearchSettings
from core.search.snapshot import Counters, MoveRow, NodeView, Path, Snapshot

__all__ = ["Counters", "Limit", "MoveRow", "NodeView", "Path", "SearchSettings", "Snapshot"]
