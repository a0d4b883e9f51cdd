"""The overlays of the board: one file per family, each with its classes and its rows; all of them in ``table``."""
