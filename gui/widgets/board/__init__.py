"""Boards as they are drawn: places, stones, marks, heatmaps, small boards."""
