"""Self-play and its data: games, samples, replay, openings."""
