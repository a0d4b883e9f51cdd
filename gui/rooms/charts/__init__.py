"""The charts of a search: values and visits over its simulations, depth, prior against visits."""
