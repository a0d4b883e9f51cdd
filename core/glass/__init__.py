"""What is shown of a search: snapshots, pictures, curves, and any earlier moment of it.  Changes no tree."""

from core.glass.snapshot import Counters, MoveRow, NodeView, Path, Snapshot

__all__ = ["Counters", "MoveRow", "NodeView", "Path", "Snapshot"]
