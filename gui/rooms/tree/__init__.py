"""The table of moves and the tree below it."""
