"""The board: places, painting, overlays with their legend, the line under the pointer, exact answers, the value bar."""
