"""The charts of a search: curves over its simulations, depth, prior against visits."""
