"""The Training page: runs, charts, games, samples, checkpoints, settings."""
