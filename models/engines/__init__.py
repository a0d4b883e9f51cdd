"""Other programs that play: their processes and protocols, and ours under the same."""
