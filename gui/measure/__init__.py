"""``make bench-gui``: how fast the window answers and what it costs the search."""
