"""Views of a search: snapshots, tree pictures, curves, and its state at any earlier simulation."""

from core.glass.snapshot import Counters, MoveRow, NodeView, Path, Snapshot

__all__ = ["Counters", "MoveRow", "NodeView", "Path", "Snapshot"]
