"""Outside engines: what they say of the position shown, their dialogue, and the list of them."""
