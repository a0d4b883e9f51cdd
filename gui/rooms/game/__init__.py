"""The game record with variations, its dock, and the position editor."""
