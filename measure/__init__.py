"""Measurements of the window and long-running tests: speed, random use, damaged files.  Not part of the package."""

from core.machine import share_kernels

share_kernels()
