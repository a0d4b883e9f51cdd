"""Who plays: the game against an engine with its clocks, what outside engines say of the position, matches."""
