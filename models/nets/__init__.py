"""Nets in torch: the net, checkpoints, export, warm start."""
