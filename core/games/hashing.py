"""The mixing step of the 64-bit position hashes."""

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable


@jitable
def mix(x: np.uint64) -> np.uint64:
    """The finaliser of splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014)."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@jitable
def hash_of_set(numbers: NDArray[np.int16], n: int) -> np.uint64:
    """A 32-bit hash of the first ``n`` of different ``numbers`` from 0, in any order.

    Of 32-bit arithmetic, of which the processor does eight at once."""
    total = np.uint32(0)
    for i in range(n):
        x = np.uint32(np.uint32(numbers[i] + 1) * np.uint32(0x9E3779B1))
        x = np.uint32(np.uint32(x ^ (x >> np.uint32(15))) * np.uint32(0x85EBCA77))
        total = np.uint32(total + np.uint32(x ^ (x >> np.uint32(13))))
    return np.uint64(total)
