"""Work in threads beside the window, each with one answer.  Knows no view."""
