"""Boards and their drawing: places, stones, marks, heatmaps, small boards."""
