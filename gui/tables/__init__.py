"""The moves and the tree as tables."""
