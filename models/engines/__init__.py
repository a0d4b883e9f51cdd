"""Other programs that play: their processes and protocols, and ours under the same.  Knows no window and no torch."""
