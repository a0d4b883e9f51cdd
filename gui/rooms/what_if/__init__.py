"""The comparison of two searches, searching chosen moves only, locking a position."""
