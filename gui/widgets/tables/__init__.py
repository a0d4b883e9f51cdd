"""The tables of moves and of the tree."""
