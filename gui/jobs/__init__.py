"""Background work in threads, one result each."""
