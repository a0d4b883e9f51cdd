"""The board: placement, painting, overlays with their legend, the line under the pointer, exact results, value bar."""
