"""Work on other machines through Ray: connections, and what runs at the far end.  Knows no torch and no window."""
