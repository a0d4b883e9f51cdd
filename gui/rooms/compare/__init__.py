"""Two searches side by side, chosen moves searched alone, a position locked."""
