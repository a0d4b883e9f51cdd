"""The audit of nets: positions where a net, or the search with it, goes wrong."""
