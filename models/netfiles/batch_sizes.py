"""The sizes to which batches are padded for a GPU, which prepares itself for each.

They are 1, 2, 3, 4, 6, 8, 12, 16, 24 ...: steps of at most 1.5 from 2 on, so that at most a third of a batch is
padding, where powers of two would make it half, and still so few that each can be prepared.
"""


def padded(batch: int) -> int:
    """The least size that holds ``batch`` positions."""
    whole = 1 << max(0, batch - 1).bit_length()
    less = whole // 4 * 3
    return less if batch <= less else whole


def sizes(least: int, most: int) -> tuple[int, ...]:
    """The sizes from ``least`` to the one that holds ``most``, ascending."""
    steps = [padded(least)]
    while steps[-1] < most:
        steps.append(padded(steps[-1] + 1))
    return tuple(steps)
