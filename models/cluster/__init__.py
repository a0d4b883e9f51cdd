"""Work on other machines through Ray: connections, and what runs at the far end."""
