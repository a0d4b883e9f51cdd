"""What the window shows and with what it searches, as values with signals.  Knows no widget."""
