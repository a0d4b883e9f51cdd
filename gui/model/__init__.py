"""What the window shows and the settings of its search, as values with signals."""
