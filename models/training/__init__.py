"""A training run in torch: iterations, learning, measuring."""
