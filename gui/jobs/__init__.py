"""Background work in threads, one result each.  Knows no view."""
