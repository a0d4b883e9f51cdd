"""The room that explains why a search does not play a move, and how long it was wrong."""
