"""Measurements of the window and tests that run long: speed, random use, damaged files.  Not part of the package."""
