"""The game's record with variations, its dock, and the position editor."""
