"""The random generator of the kernels: its state is an explicit array, so every search is reproducible.

xorshift128+ (Vigna, "Further scramblings of Marsaglia's xorshift generators", 2014), shifts 23, 18, 5;
bounded draws use the upper 32 bits, whose quality is the generator's best.
"""

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.text import Text

_MASK = (1 << 64) - 1


def make_rng(seed: int) -> NDArray[np.uint64]:
    """A generator state, uint64 [2], from any non-negative integer (splitmix64 of the seed)."""
    words = []
    x = seed & _MASK
    for _ in range(2):
        x = (x + 0x9E3779B97F4A7C15) & _MASK
        z = x
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        words.append(z ^ (z >> 31))
    return np.array(words, dtype=np.uint64)


def check_seed(seed: int) -> None:
    """Raise ValueError unless ``seed`` is a valid seed."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise ValueError(Text("seed is {seed!r}; it must be a whole number from 0", seed=seed))


@jitable
def step(a: np.uint64, b: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """The next state and a random word in [0, 2**32), for loops that keep the generator in local variables."""
    a ^= a << np.uint64(23)
    a = a ^ b ^ (a >> np.uint64(18)) ^ (b >> np.uint64(5))
    return b, a, (a + b) >> np.uint64(32)


@jitable
def below(word: np.uint64, n: int) -> int:
    """The integer in [0, n), 0 < n < 2**31, for a random word of :func:`step`."""
    return int(word * np.uint64(n) >> np.uint64(32))


@jitable
def random_below(rng: NDArray[np.uint64], n: int) -> int:
    """A uniform integer in [0, n), 0 < n < 2**31; advances ``rng`` in place."""
    rng[0], rng[1], word = step(rng[0], rng[1])
    return below(word, n)
