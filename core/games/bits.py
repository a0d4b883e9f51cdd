"""Operations on 64-bit words: counting and finding set bits, and mixing them to the hashes of positions."""

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable

_ONE = np.uint64(1)
_TWO = np.uint64(2)
_FOUR = np.uint64(4)
_EIGHT = np.uint64(8)
_SIXTEEN = np.uint64(16)
_HALF = np.uint64(32)
_PAIRS = np.uint64(0x5555555555555555)
_NIBBLES = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
_LAST = np.uint64(0x7F)


@jitable
def count_bits(word: np.uint64) -> int:
    """Number of set bits, by a pattern that compilers turn into one instruction."""
    word = word - ((word >> _ONE) & _PAIRS)
    word = (word & _NIBBLES) + ((word >> _TWO) & _NIBBLES)
    word = (word + (word >> _FOUR)) & _BYTES
    word += word >> _EIGHT  # no multiplication: interpreted, numpy would warn of its overflow
    word += word >> _SIXTEEN
    word += word >> _HALF
    return int(word & _LAST)


@jitable
def lowest_bit(word: np.uint64) -> int:
    """Index of the lowest set bit; 64 when there is none."""
    return count_bits(~word & (word - _ONE))


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
