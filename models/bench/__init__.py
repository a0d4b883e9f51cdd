"""Measurements without a window."""
