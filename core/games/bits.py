"""Counting and finding the set bits of a 64-bit word."""

import numpy as np

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
